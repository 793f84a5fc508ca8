"""Tiles that stand in one line have their edges in one line: where corners that leave it would rather lie."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.layout import apart, components, measure, row_axis
from vision.quads import SHARED_MOST, shared

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Bools = NDArray[np.bool_]

FEWEST: Final = 4  # tiles in a line, from which it says where an edge belongs
NEAR: Final = 4.0  # tile widths between the middles of two that are linked
ASIDE: Final = 0.35  # tile heights: as far may their middles lie off their line
TURN: Final = np.cos(np.radians(8.0))
ALIKE: Final = np.log(1.3)  # of two tiles' widths
WIDTHS: Final = np.log(2.6)  # of two finds' widths in one line: a quad over two tiles is one of its line
COMPANY: Final = 2  # sure tiles in line with a find: more do not make it likelier
ODD: Final = 0.15  # of a width, as a logarithm, from that of the line
OFF: Final = 0.15  # tile heights that an edge must lie off the others' line
SCATTER: Final = 4.0  # ... and as many times what the line's edges lie off it


def straightened(quads: F32, sure: Bools, wanted: Bools | None = None) -> tuple[I64, F32]:
    """Which quads (n, 4, 2) have an edge where the others of their line have none, and how they might stand.

    Racks, rows and melds hold tiles of one size in a line, so the upper edges of their faces make a line and
    so do the lower ones. Where a corner net took the wall over a leaning face for a part of it, or only the
    digit's half for the whole, an edge lies elsewhere: it is moved there along the tile's own sides. A quad
    much wider or narrower than the others is given their width, once from its left edge and once from its
    right one. Only quads that are `sure` (n,) to be tiles make lines; with `wanted` only those are moved.
    Returns places (m,), up to twice the same, and quads (m, 4, 2), their corners in the order that they had.
    """
    found: list[tuple[int, F64]] = []
    chosen = np.flatnonzero(sure if wanted is None else sure & _near(quads, wanted & sure))
    corners = quads[chosen].astype(np.float64)
    for tier in components(range(len(chosen)), zip(*_in_line(corners, WIDTHS), strict=True)):
        members = chosen[tier]
        if len(tier) < FEWEST or (wanted is not None and not wanted[members].any()):
            continue
        found += [(int(members[at]), quad) for at, quad in _out_of_line(corners[tier])]
    found = [(at, quad) for at, quad in found if wanted is None or wanted[at]]
    places = np.asarray([at for at, _ in found], np.int64)
    return places, np.asarray([quad for _, quad in found], np.float32).reshape(-1, 4, 2)


def better_ways(places: I64, quads: F32, surest: F32, before: F32) -> tuple[I64, I64]:
    """Which of the ways to stand (m,) are better than how the finds (n,) at their places lay.

    `surest` (m,) and `before` (n,) are how surely the faces are read. Returns the best way of each place that
    has a better one, and the second best where that lies beside it: the find lay over two tiles.
    """
    best: dict[int, int] = {}
    beside = []
    for index in np.argsort(-surest, kind="stable").tolist():
        at = int(places[index])
        if surest[index] <= before[at]:
            continue
        if at not in best:
            best[at] = index
        elif shared(quads[index], quads[best[at]]) <= SHARED_MOST:
            beside.append(index)
    return np.asarray([*best.values()], np.int64), np.asarray(beside, np.int64)


def _near(quads: F32, wanted: Bools) -> Bools:
    """Which of the quads (n, 4, 2) are near enough to one that is wanted to be worth a thought."""
    middles = quads.mean(axis=1)
    wide = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
    away = np.abs(middles[:, None] - middles[None, wanted]).max(axis=2)
    return np.asarray((away <= 2 * NEAR * wide[None, wanted]).any(axis=1), np.bool_)


def company(quads: F32, sure: Bools) -> F64:
    """Whether quads (n, 4, 2) stand in line with tiles that are `sure` (n,), of their size: (n,) 0, 0.5 with
    one, 1 with more."""
    among = np.zeros(len(quads))
    if sure.any():
        for one, other in zip(*_in_line(quads.astype(np.float64), ALIKE, sure), strict=True):
            among[one] += sure[other]
            among[other] += sure[one]
    return np.minimum(among, COMPANY) / COMPANY


def _in_line(corners: F64, alike: float, sure: Bools | None = None) -> tuple[list[int], list[int]]:
    """The pairs of quads (n, 4, 2) that stand in one line and are not far from each other, the first of each
    and the second; with `sure` (n,) only those of which one is. `alike` bounds their widths' logarithms."""
    tiles = measure(corners)
    width = tiles.width
    # By the left side, as when the card's weights were fitted on it; `tiles.height` takes both.
    upright = np.stack([-tiles.right[:, 1], tiles.right[:, 0]], axis=1)
    height = np.abs(((corners[:, 3] - corners[:, 0]) * upright).sum(axis=1)) + 1e-9
    reach = NEAR * float(width.max(initial=0))
    near = np.triu((np.abs(tiles.centre[:, None] - tiles.centre[None]) <= reach).all(axis=2), 1)
    one, other = np.nonzero(near if sure is None else near & (sure[:, None] | sure[None]))
    cosine, along, aside = apart(tiles, one, other)
    linked = (np.abs(cosine) >= TURN) & (np.abs(np.log(width[one] / width[other])) <= alike)
    linked &= np.abs(along) <= NEAR * (width[one] + width[other]) / 2
    linked &= aside <= ASIDE * (height[one] + height[other]) / 2
    return one[linked].tolist(), other[linked].tolist()


def _out_of_line(corners: F64) -> list[tuple[int, F64]]:
    """Of the quads (n, 4, 2) of one line those with an edge out of it: which, and how it might stand."""
    across = corners[:, 1] - corners[:, 0] + corners[:, 2] - corners[:, 3]
    x, y = row_axis(across, across)
    turn = np.asarray([[x, -y], [y, x]])
    flat = corners @ turn  # x along the line, y across it
    # One that stands the other way round has its upper edge where the others have the lower one.
    over = flat[:, :2, 1].mean(axis=1) > flat[:, 2:, 1].mean(axis=1)
    flat[over] = np.roll(flat[over], 2, axis=1)
    middles = flat[..., 0].mean(axis=1)
    edges = np.stack([flat[:, :2, 1].mean(axis=1), flat[:, 2:, 1].mean(axis=1)])
    tall = float(np.median(edges[1] - edges[0]))
    lines = [_line(middles, edge) for edge in edges]
    away = np.stack([edge - line for edge, (line, _) in zip(edges, lines, strict=True)])
    off = np.abs(away) > np.maximum(SCATTER * _scatter(away), OFF * tall)
    wide = flat[:, [1, 2], 0].mean(axis=1) - flat[:, [0, 3], 0].mean(axis=1)
    usual, _ = _line(middles, wide)
    ratio = np.log(np.maximum(wide, 1e-6) / np.maximum(usual, 1e-6))
    odd = np.abs(ratio) > np.maximum(SCATTER * _scatter(ratio[None])[0], ODD)
    slopes = np.asarray([slope for _, slope in lines])
    found = []
    for at in np.flatnonzero(off.any(axis=0) | odd).tolist():
        quad = _tall_as(flat[at], np.where(off[:, at], away[:, at], 0.0))
        ways = _wide_as(quad, float(usual[at]), slopes) if odd[at] else [quad]
        free = (way for way in ways if not _taken(way, np.delete(flat, at, axis=0)))
        found += [(at, (np.roll(way, 2, axis=0) if over[at] else way) @ turn.T) for way in free]
    return found


def _taken(quad: F64, others: F64) -> bool:
    """Whether one of the others (n, 4, 2) stands already where the quad (4, 2) would be moved to."""
    reach = np.ptp(quad, axis=0)
    near = (np.abs(others.mean(axis=1) - quad.mean(axis=0)) < reach).all(axis=1)
    return any(shared(quad, other) > SHARED_MOST for other in others[near])


def _tall_as(quad: F64, away: F64) -> F64:
    """A quad (4, 2) with its upper and lower edge moved back by `away` (2,) along its own sides."""
    moved = quad.copy()
    for edge, pairs in enumerate((((0, 3), (1, 2)), ((3, 0), (2, 1)))):
        for corner, beyond in pairs:
            side = quad[corner] - quad[beyond]
            if abs(side[1]) > 1e-6:
                moved[corner] = quad[corner] - side * (away[edge] / side[1])
    return moved


def _wide_as(quad: F64, wide: float, slopes: F64) -> list[F64]:
    """A quad (4, 2) made so wide from its left edge on and from its right one, along lines of such slopes."""
    step = np.asarray([[wide, wide * slopes[0]], [wide, wide * slopes[1]]])
    left, right = quad.copy(), quad.copy()
    left[[1, 2]] = quad[[0, 3]] + step
    right[[0, 3]] = quad[[1, 2]] - step
    return [left, right]


def _scatter(away: F64) -> F64:
    """How far off the edges of each line (k, n) mostly are: (k, 1)."""
    return np.asarray(1.4826 * np.median(np.abs(away), axis=1, keepdims=True))


def _line(places: F64, heights: F64) -> tuple[F64, float]:
    """The heights (n,) of the line through most of the points (n,), wherever the others lie; its slope."""
    one, other = np.triu_indices(len(places), 1)
    apart = places[other] - places[one]
    real = np.abs(apart) > 1e-6
    slope = float(np.median((heights[other] - heights[one])[real] / apart[real])) if real.any() else 0.0
    return slope * places + np.median(heights - slope * places), slope
