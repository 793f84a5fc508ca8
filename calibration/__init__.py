"""From pixels to millimetres: the rig of a camera over a table, its zones, printable sheets, tile sets."""
