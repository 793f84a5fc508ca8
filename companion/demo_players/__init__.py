"""Simulated players: whole legal games on the virtual table, before the companion that follows them."""
