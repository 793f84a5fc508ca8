"""The referee: faces, melds and points of Remi, with the standard library alone."""
