"""Where tiles may lie that were not found: beside those that were, as on racks and in melds."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]

SURE: Final = 0.85
"""How centred a tile is to speak for a neighbour, and a neighbour to be taken for one."""

ROUNDS: Final = 2
"""Of two tiles side by side that were missed, the further one is sought from the nearer one."""

_STEP: Final = 1.02  # widths from one tile's middle to the next one's
_NEAR: Final = 0.5  # widths: a find as near to a place is what lies there


def beside(quads: F32, centred: F32) -> F32:
    """Where tiles (n, 4, 2) may have neighbours that were missed: places (m, 4, 2) to their left and right.

    Tiles stand in rows: on racks, in melds, in the wall. Only tiles that are centred in their look (n,) speak
    for others, and only for places where no tile was found.
    """
    sure = quads[centred >= SURE]
    if len(sure) == 0:
        return np.zeros((0, 4, 2), np.float32)
    step = (sure[:, 1] - sure[:, 0] + sure[:, 2] - sure[:, 3])[:, None] / 2 * _STEP
    places = np.concatenate([sure - step, sure + step])
    taken, wide = quads.mean(axis=1), np.linalg.norm(step[:, 0], axis=1)
    middles = places.mean(axis=1)
    free = np.flatnonzero(_apart(middles, taken).min(axis=1) >= _NEAR * np.tile(wide, 2))
    near = _apart(middles[free], middles[free]) < _NEAR * np.tile(wide, 2)[free, None]
    kept: list[int] = []
    for index in range(len(free)):
        if not near[index, kept].any():
            kept.append(index)
    return np.asarray(places[free[kept]], np.float32)


def _apart(points: F32, others: F32) -> F32:
    """How far each of the points (n, 2) is from each of the others (m, 2): (n, m)."""
    return np.asarray(np.linalg.norm(points[:, None] - others[None], axis=2), np.float32)


def bounds(quads: F32) -> F32:
    """The upright boxes (n, 4) x0 y0 x1 y1 round quads (n, 4, 2)."""
    return np.concatenate([quads.min(axis=1), quads.max(axis=1)], axis=1)
