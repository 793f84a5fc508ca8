"""The referee: rules, games, records and scores of Remi, with the standard library alone."""
