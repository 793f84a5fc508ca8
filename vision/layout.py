"""From quads of tiles to rows: which tiles touch side by side, and in which order they are read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

GAP: Final = 0.35
"""Neighbours in a row lie at most this far apart, edge to edge, in tile widths; two melds lie further."""

OVERLAP: Final = 0.45
"""Neighbours may overlap by as much, in tile widths: loose corners, tiles half pushed over one another."""

STEP: Final = 0.45
"""Neighbours are shifted up or down by at most this, in tile heights; the next line is a whole one away."""

TOWER: Final = 0.6
"""A tile whose centre is as near to another's, in tile widths and heights, lies on top of it."""

TURN: Final = np.cos(np.radians(25.0))
"""Neighbours are turned against each other by at most 25 degrees, or by 180 degrees more."""


@dataclass(frozen=True)
class _Tiles:
    """Of n tiles: centre (n, 2), unit vector to the right (n, 2), width and height (n,), in pixels."""

    centre: Floats
    right: Floats
    width: Floats
    height: Floats


def rows(quads: ArrayLike | Sequence[Sequence[Sequence[float]]]) -> list[list[int]]:
    """Indexes of the quads as rows of touching tiles, each read from left to right; every index occurs once.

    `quads` is (n, 4, 2): corners in pixels, upright top left first, then clockwise as seen upright. Left and
    right are those of someone who sees most tiles of the row upright, so rows may lie at any angle and single
    tiles upside down. Tiles side by side belong together up to a gap of 0.35 tile width; a tile on top of
    another stays beside it. Rows are ordered by the height of their middle in the picture, then from left to
    right. The order of the quads does not matter. ValueError for another shape or corners that are no finite
    numbers.
    """
    corners = np.asarray(quads, dtype=np.float64)
    if corners.size == 0:
        return []
    if corners.ndim != 3 or corners.shape[1:] != (4, 2):
        raise ValueError(f"quads must have the shape (n, 4, 2), not {corners.shape}")
    if not np.isfinite(corners).all():
        raise ValueError("corners of quads must be finite numbers of pixels")
    tiles = _measure(corners)
    members = components(range(len(corners)), _links(tiles))
    found = [_ordered(row, tiles) for row in members]
    return sorted(found, key=lambda row: tuple(np.round(tiles.centre[row].mean(axis=0), 6)[::-1]))


def _measure(corners: Floats) -> _Tiles:
    left, right = corners[:, [0, 3]].mean(axis=1), corners[:, [1, 2]].mean(axis=1)
    top, bottom = corners[:, [0, 1]].mean(axis=1), corners[:, [2, 3]].mean(axis=1)
    across = right - left
    width = np.linalg.norm(across, axis=1)
    # A quad without extent still has a place; it simply has no neighbours.
    unit = np.where(width[:, None] > 0, across / np.maximum(width, 1e-9)[:, None], [1.0, 0.0])
    normal = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
    height = np.abs(((bottom - top) * normal).sum(axis=1))
    return _Tiles(corners.mean(axis=1), unit, np.maximum(width, 1e-9), np.maximum(height, 1e-9))


def _links(tiles: _Tiles) -> list[tuple[int, int]]:
    """Pairs of tiles that touch: each has at most one neighbour on its either side, the nearest one."""
    count = len(tiles.centre)
    cosine = tiles.right @ tiles.right.T
    sign = np.where(cosine < 0, -1.0, 1.0)
    # The direction that a pair shares: the mean of both, whichever way up the second lies.
    shared = tiles.right[:, None] + sign[:, :, None] * tiles.right[None, :]
    shared /= np.linalg.norm(shared, axis=2, keepdims=True)
    offset = tiles.centre[None, :] - tiles.centre[:, None]
    along = (offset * shared).sum(axis=2)
    aside = np.abs(offset[:, :, 1] * shared[:, :, 0] - offset[:, :, 0] * shared[:, :, 1])
    width = (tiles.width[:, None] + tiles.width[None, :]) / 2
    height = (tiles.height[:, None] + tiles.height[None, :]) / 2
    aligned = (np.abs(cosine) > TURN) & ~np.eye(count, dtype=bool)
    gap = (np.abs(along) - width) / width
    step = aside / height
    beside = aligned & (gap <= GAP) & (gap >= -OVERLAP) & (step <= STEP)
    tower = aligned & (np.abs(along) / width <= 1 - OVERLAP) & (step <= TOWER)
    links = [(int(one), int(other)) for one, other in np.argwhere(tower) if one < other]
    cost = np.where(beside, np.abs(gap) + step, np.inf)
    # Of each tile the nearest neighbour to its own left (0) and right (1), -1 for none; both must agree.
    nearest = np.stack([_nearest(cost, along <= 0), _nearest(cost, along > 0)])
    one, other = np.nonzero(np.triu(np.isfinite(cost), 1))
    ours, theirs = (along[one, other] > 0).astype(np.intp), (along[other, one] > 0).astype(np.intp)
    agreed = (nearest[ours, one] == other) & (nearest[theirs, other] == one)
    links += zip(one[agreed].tolist(), other[agreed].tolist(), strict=True)
    return links


def _nearest(cost: Floats, side: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Of each tile (n,) the neighbour of least cost on a side, -1 where there is none there."""
    costs = np.where(side, cost, np.inf)
    best = np.asarray(costs.argmin(axis=1))
    return np.where(np.isfinite(np.take_along_axis(costs, best[:, None], axis=1)[:, 0]), best, -1)


def components(members: Iterable[int], links: Iterable[tuple[int, int]]) -> list[list[int]]:
    """The members in groups that are linked, each in the order of the members."""
    parent = {tile: tile for tile in members}

    def root(tile: int) -> int:
        while parent[tile] != tile:
            parent[tile] = parent[parent[tile]]
            tile = parent[tile]
        return tile

    for one, other in links:
        parent[root(one)] = root(other)
    found: dict[int, list[int]] = {}
    for tile in parent:
        found.setdefault(root(tile), []).append(tile)
    return list(found.values())


def row_axis(right: Floats, voters: Floats) -> Floats:
    """The direction (2,) to the right along a row of tiles, whose own are `right` (n, 2).

    The `voters` (m, 2) say which way round; as many one way as the other: from left to right as seen.
    """
    # Axis without direction first: doubled angles, so that a tile upside down does not cancel its neighbour.
    doubled = 2 * np.arctan2(right[:, 1], right[:, 0])
    angle = np.arctan2(np.sin(doubled).sum(), np.cos(doubled).sum()) / 2
    axis = np.asarray([np.cos(angle), np.sin(angle)])
    upright = float(np.sign(voters @ axis).sum())
    return -axis if upright < 0 or (upright == 0 and (axis[0], axis[1]) < (0, 0)) else axis


def _ordered(row: Sequence[int], tiles: _Tiles) -> list[int]:
    """A row from left to right, as most of its tiles are seen upright."""
    members = np.asarray(row)
    right = tiles.right[members]
    axis = row_axis(right, right)
    places = tiles.centre[members] @ axis
    ties = tiles.centre[members] @ np.array([-axis[1], axis[0]])
    return [int(members[at]) for at in np.lexsort((ties, places))]
