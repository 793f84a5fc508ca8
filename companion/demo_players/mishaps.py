"""What happens at a table beside the game: somebody knocks against the camera's stand, a lamp is switched."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from vision.virtual.pieces import Switches

if TYPE_CHECKING:
    from random import Random

    from vision.virtual.table import VirtualTable

KNOCKED: Final = 0.01
"""Of the turns begin with a knock against the camera."""

LAMP: Final = 0.03
"""Of the turns begin with the light growing brighter or darker at once."""

KNOCK_MM: Final = 15.0
KNOCK_DEGREES: Final = 1.5
"""The camera moves by so much at most, and is turned about its line of sight."""

LIGHT: Final = (0.75, 1.2)
"""What the light is then, of what it was at first."""


def mishap(table: VirtualTable, random: Random, *, at: float) -> bool:
    """Perhaps something happens at a time in seconds; whether it did."""
    knocked, lamp = random.random() < KNOCKED, random.random() < LAMP
    if knocked:
        far, way = random.uniform(2.0, KNOCK_MM), random.uniform(0, 2 * math.pi)
        turned = random.uniform(-KNOCK_DEGREES, KNOCK_DEGREES)
        table.bump(far * math.cos(way), far * math.sin(way), turned, at=at)
    if lamp:
        table.switch(Switches(exposure=random.uniform(*LIGHT)), at=at)
    return knocked or lamp
