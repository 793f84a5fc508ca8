"""Rendered scenes of solid tiles with exact labels, for training and for pictures at hand."""
