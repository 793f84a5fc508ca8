"""Trains finder, corner net, face net and ink net; needs the `train` extra, never imported at run time."""
