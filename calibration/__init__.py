"""What is known of things at hand, as files of the user: tile sets so far."""
