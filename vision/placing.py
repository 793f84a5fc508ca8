"""Which finds of a picture can be tiles of the table, and how high their faces are over it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from calibration.zones import OVERHANG_MM

if TYPE_CHECKING:
    from calibration.rig import Rig

Floats = NDArray[np.float64]

TILE_TOP_MM: Final = 9.0
"""Height of a flat tile's face over the table."""

RACK_TOP_MM: Final = 25.0
"""Height of the middle of a leaning tile over the table."""

TILE_WIDE_MM: Final = (16.0, 38.0)
TILE_HIGH_MM: Final = 54.0
"""Sets have tiles from 20 to 30 mm wide and up to 43 mm high; the rest is for loose corners."""


def on_table(quads: Sequence[Floats], rig: Rig) -> list[bool]:
    """Which finds can be tiles of this table: on it, or over its edge on a rack, and of a tile's size.

    `quads` are corners (4, 2) in pixels, upright top left first. A leaning tile is as wide as any; its height
    is foreshortened.
    """
    if not quads:
        return []
    mm = rig.to_mm(np.stack(list(quads)), height_mm=TILE_TOP_MM)
    half = np.asarray(rig.layout.table_mm) / 2 + OVERHANG_MM
    inside = (np.abs(mm.mean(axis=1)) <= half).all(axis=1)
    wide = np.linalg.norm(mm[:, [1, 2]].mean(axis=1) - mm[:, [0, 3]].mean(axis=1), axis=1)
    high = np.linalg.norm(mm[:, [0, 1]].mean(axis=1) - mm[:, [2, 3]].mean(axis=1), axis=1)
    sized = (wide >= TILE_WIDE_MM[0]) & (wide <= TILE_WIDE_MM[1]) & (high <= TILE_HIGH_MM)
    return [bool(yes) for yes in inside & sized]
