"""Small tables for tests: a few tiles in a small frame, so that a test takes a fraction of a second."""

from __future__ import annotations

from vision.virtual import Switches, VirtualTable, draw_setting

SMALL = (640, 360)
BARE = Switches(noise=False, flicker=False, drift=False)
"""Light and sensor as if they never changed, so that frames of the same tiles are the same."""


def small_table(seed: int = 3, *, seats: int = 4, switches: Switches = BARE) -> VirtualTable:
    """A table with nothing on it."""
    return VirtualTable(draw_setting(seed, seats=seats, size=SMALL), switches=switches)
