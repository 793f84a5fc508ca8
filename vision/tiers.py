"""Tiles that stand in one line have their edges in one line: where corners that leave it would rather lie."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.layout import components

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Bools = NDArray[np.bool_]

FEWEST: Final = 4  # tiles in a line, from which it says where an edge belongs
NEAR: Final = 4.0  # tile widths between the middles of two that are linked
ASIDE: Final = 0.35  # tile heights: as far may their middles lie off their line
TURN: Final = np.cos(np.radians(8.0))
ALIKE: Final = np.log(1.3)  # of two widths in one line
OFF: Final = 0.15  # tile heights that an edge must lie off the others' line
SCATTER: Final = 4.0  # ... and as many times what the line's edges lie off it


def straightened(quads: F32, sure: Bools, wanted: Bools | None = None) -> tuple[I64, F32]:
    """Of which quads (n, 4, 2) an edge leaves the line of the others, and how they would stand in it.

    Racks, rows and melds hold tiles in a line, so the upper edges of their faces make a line and so do the
    lower ones. Where a corner net took the wall over a leaning face for a part of it, or only the digit's
    half for the whole, an edge lies elsewhere: it is moved there along the tile's own sides. Only quads that
    are `sure` (n,) to be tiles make lines; with `wanted` only those are moved. Returns places (m,) and quads
    (m, 4, 2), their corners in the order that they had.
    """
    moved: dict[int, F64] = {}
    chosen = np.flatnonzero(sure if wanted is None else sure & _near(quads, wanted & sure))
    corners = quads[chosen].astype(np.float64)
    for tier in components(range(len(chosen)), _links(corners)):
        members = chosen[tier]
        if len(tier) < FEWEST or (wanted is not None and not wanted[members].any()):
            continue
        places, better = _off_line(corners[tier])
        moved |= {int(members[at]): quad for at, quad in zip(places, better, strict=True)}
    found = [at for at in moved if wanted is None or wanted[at]]
    return np.asarray(found, np.int64), np.asarray([moved[at] for at in found], np.float32).reshape(-1, 4, 2)


def _near(quads: F32, wanted: Bools) -> Bools:
    """Which of the quads (n, 4, 2) are near enough to one that is wanted to be worth a thought."""
    middles = quads.mean(axis=1)
    wide = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    away = np.abs(middles[:, None] - middles[None, wanted]).max(axis=2)
    return np.asarray((away <= 2 * NEAR * wide[None, wanted]).any(axis=1), np.bool_)


def _links(corners: F64) -> list[tuple[int, int]]:
    """Pairs of quads (n, 4, 2) that stand in one line and are not far from each other."""
    across = (corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]) / 2
    width = np.linalg.norm(across, axis=1) + 1e-9
    right = across / width[:, None]
    upright = np.stack([-right[:, 1], right[:, 0]], axis=1)
    height = np.abs(((corners[:, 3] - corners[:, 0]) * upright).sum(axis=1)) + 1e-9
    centre = corners.mean(axis=1)
    reach = NEAR * float(width.max(initial=0))
    one, other = np.nonzero(np.triu((np.abs(centre[:, None] - centre[None]) <= reach).all(axis=2), 1))
    cosine = (right[one] * right[other]).sum(axis=1)
    line = right[one] + np.where(cosine < 0, -1.0, 1.0)[:, None] * right[other]
    line /= np.linalg.norm(line, axis=1, keepdims=True) + 1e-9
    offset = centre[other] - centre[one]
    along = np.abs((offset * line).sum(axis=1))
    aside = np.abs(offset[:, 1] * line[:, 0] - offset[:, 0] * line[:, 1])
    linked = (np.abs(cosine) >= TURN) & (np.abs(np.log(width[one] / width[other])) <= ALIKE)
    linked &= along <= NEAR * (width[one] + width[other]) / 2
    linked &= aside <= ASIDE * (height[one] + height[other]) / 2
    return list(zip(one[linked].tolist(), other[linked].tolist(), strict=True))


def _off_line(corners: F64) -> tuple[list[int], list[F64]]:
    """Which quads (n, 4, 2) of one line have an edge off it, and how they would stand in it."""
    across = corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]
    doubled = 2 * np.arctan2(across[:, 1], across[:, 0])
    angle = np.arctan2(np.sin(doubled).sum(), np.cos(doubled).sum()) / 2
    turn = np.asarray([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    flat = corners @ turn  # x along the line, y across it
    # One that stands the other way round has its upper edge where the others have the lower one.
    over = flat[:, :2, 1].mean(axis=1) > flat[:, 2:, 1].mean(axis=1)
    flat[over] = np.roll(flat[over], 2, axis=1)
    middles = flat[..., 0].mean(axis=1)
    edges = np.stack([flat[:, :2, 1].mean(axis=1), flat[:, 2:, 1].mean(axis=1)])
    tall = float(np.median(edges[1] - edges[0]))
    away = np.stack([edge - _line(middles, edge) for edge in edges])
    scatter = 1.4826 * np.median(np.abs(away), axis=1, keepdims=True)
    off = np.abs(away) > np.maximum(SCATTER * scatter, OFF * tall)
    places = np.flatnonzero(off.any(axis=0))
    better = []
    for at in places.tolist():
        quad = flat[at].copy()
        for edge, pairs in enumerate((((0, 3), (1, 2)), ((3, 0), (2, 1)))):
            for corner, beyond in pairs if off[edge, at] else ():
                side = flat[at, corner] - flat[at, beyond]
                if abs(side[1]) > 1e-6:
                    quad[corner] = flat[at, corner] - side * (away[edge, at] / side[1])
        better.append((np.roll(quad, 2, axis=0) if over[at] else quad) @ turn.T)
    return places.tolist(), better


def _line(places: F64, heights: F64) -> F64:
    """The heights (n,) of the line through most of the points (n,): half of them may lie anywhere."""
    one, other = np.triu_indices(len(places), 1)
    apart = places[other] - places[one]
    real = np.abs(apart) > 1e-6
    slope = np.median((heights[other] - heights[one])[real] / apart[real]) if real.any() else 0.0
    return np.asarray(slope * places + np.median(heights - slope * places))
