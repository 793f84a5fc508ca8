"""Which tiles may be others though no pixel says so: those of a row that was pushed on by a tile's width."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.tiles import Mark
from vision.quads import SHARED_MOST, longer_sides, shared
from vision.regions import Region, touching_any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.readings import Quad, SeenTile

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]

NEXT: Final = 1.15  # of a tile's longer side: as far apart are the middles of two that touch
INNER: Final = 0.6  # of a tile: a region of its middle does not touch the tiles beside it
SURELY: Final = 0.9  # how surely both looks read a tile to say that it is another one now


def beside(regions: Sequence[Region], quads: Sequence[Quad]) -> list[Region]:
    """The tiles next to those that a change touches, as regions of their middles.

    A row that is pushed on by the width of a tile shows another digit in each place, on the same body: too
    little, now and then, to be seen as a change.
    """
    if not regions or not quads:
        return []
    corners = np.asarray(quads, np.float64)
    touched = touching_any(regions, corners)
    return _middles(corners[_next_to(corners[touched], corners) & ~touched])


def pushed(
    before: Sequence[SeenTile], now: Sequence[SeenTile], changed: Sequence[Region] = ()
) -> list[Region]:
    """The tiles that stayed as they were in a row in which one is another than before and nobody saw it.

    `now` are those of the look after `before`, the ones that stayed as the same objects; `changed` is where
    something was seen to change, and what lies there may be another. Pale digits in dim light change nothing
    that could be seen: where one tile of a row was pushed on, all were.
    """
    stayed = {id(tile) for tile in before}
    fresh = [tile for tile in now if id(tile) not in stayed and _sure(tile)]
    unseen = ~touching_any(changed, [tile.quad for tile in fresh])
    others = [
        tile for tile, is_one in zip(fresh, unseen, strict=True) if is_one and _is_another(tile, before)
    ]
    left = np.asarray([tile.quad for tile in now if id(tile) in stayed], np.float64).reshape(-1, 4, 2)
    chain = np.asarray([tile.quad for tile in others], np.float64).reshape(-1, 4, 2)
    found = np.zeros(len(left), np.bool_)
    while len(chain):
        reached = _next_to(chain, left) & ~found
        found |= reached
        chain = left[reached]
    return _middles(left[found])


def _is_another(tile: SeenTile, before: Sequence[SeenTile]) -> bool:
    """Whether a tile lies where one surely lay that showed another face."""
    quad = np.asarray(tile.quad, np.float32)
    (x0, y0), (x1, y1) = quad.min(axis=0), quad.max(axis=0)
    for was in before:
        if was.face == tile.face or not _sure(was):
            continue
        x, y = np.mean(was.quad, axis=0)
        if x0 < x < x1 and y0 < y < y1 and shared(quad, np.asarray(was.quad, np.float32)) > SHARED_MOST:
            return True
    return False


def _sure(tile: SeenTile) -> bool:
    return tile.face is not Mark.UNREAD and tile.confidence >= SURELY


def _next_to(some: Floats, corners: Floats) -> Bools:
    """Which of the tiles (n, 4, 2) lie next to `some` (m, 4, 2)."""
    middles = corners.mean(axis=1)
    apart = np.linalg.norm(middles[:, None] - some.mean(axis=1)[None], axis=2)
    return np.asarray((apart <= NEXT * longer_sides(corners)[:, None]).any(axis=1), np.bool_)


def _middles(corners: ArrayLike) -> list[Region]:
    quads = np.asarray(corners, np.float64).reshape(-1, 4, 2)
    middles = quads.mean(axis=1, keepdims=True)
    return [
        Region(tuple((float(x), float(y)) for x, y in quad)) for quad in middles + INNER * (quads - middles)
    ]
