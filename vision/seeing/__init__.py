"""From the frames of a source to settled readings of the table, all evening, without a person watching."""
