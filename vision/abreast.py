"""Finds that are too wide for one tile: tiles side by side that were taken for one."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]
I64 = NDArray[np.int64]
Bools = NDArray[np.bool_]

WIDE: Final = 1.6  # widths of the tiles about it, from which a find may be two
MOST: Final = 3.7  # ... up to which it may be tiles at all
NEAREST: Final = 12  # of the tiles about a find, whose widths are measured
FEWEST: Final = 8  # tiles in a picture, from which they tell how wide one is
_NEAR: Final = 0.35  # widths that a tile may lie off its part of the find
_NARROW, _BROAD = 0.7, 1.35  # widths that it may have


def abreast(quads: F32, sure: Bools) -> tuple[I64, F32, F32]:
    """Which finds (n, 4, 2) may be several tiles side by side, and where those would lie.

    White tiles on a white rack, without a seam in sight, are boxed as one. The widths of tiles near by that
    are `sure` (n,) tell how many they are. Returns for each part the find that it is of (m,), its place
    (m, 4, 2), and how wide a tile is there in pixels (m,).
    """
    owners: list[int] = []
    parts: list[F32] = []
    usual: list[float] = []
    if sure.sum() >= FEWEST:
        wide, middles = widths(quads), quads.mean(axis=1)
        for at in np.flatnonzero(wide >= WIDE * wide[sure].min()).tolist():
            others = np.flatnonzero(sure & (np.arange(len(quads)) != at))
            away = np.linalg.norm(middles[others] - middles[at], axis=1)
            one = float(np.median(wide[others[np.argsort(away, kind="stable")[:NEAREST]]]))
            if WIDE * one <= wide[at] <= MOST * one:
                count = max(2, round(float(wide[at]) / one))
                owners += [at] * count
                parts += _parts(quads[at], count)
                usual += [one] * count
    return (
        np.asarray(owners, np.int64),
        np.asarray(parts, np.float32).reshape(-1, 4, 2),
        np.asarray(usual, np.float32),
    )


def are_tiles(looks: F32, places: F32, usual: F32) -> Bools:
    """Which of the quads seen in a look (m, 4, 2) are a tile at its place (m, 4, 2).

    It is about as wide as is `usual` there (m,), in pixels.
    """
    off = np.linalg.norm(looks.mean(axis=1) - places.mean(axis=1), axis=1)
    ratio = widths(looks) / usual
    return np.asarray((off < _NEAR * usual) & (ratio > _NARROW) & (ratio < _BROAD), np.bool_)


def widths(quads: F32) -> F32:
    """The mean of upper and lower edge of each quad (n, 4, 2)."""
    top, foot = quads[:, 1] - quads[:, 0], quads[:, 2] - quads[:, 3]
    return np.asarray((np.linalg.norm(top, axis=1) + np.linalg.norm(foot, axis=1)) / 2, np.float32)


def _parts(quad: F32, count: int) -> list[F32]:
    """A quad (4, 2) cut from left to right into so many."""
    cuts = np.linspace(0, 1, count + 1)[:, None]
    top, foot = quad[0] + (quad[1] - quad[0]) * cuts, quad[3] + (quad[2] - quad[3]) * cuts
    return [np.stack([top[at], top[at + 1], foot[at + 1], foot[at]]) for at in range(count)]
