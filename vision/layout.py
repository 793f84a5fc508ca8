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
class Tiles:
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
    tiles = measure(corners)
    return _in_order(components(range(len(corners)), _links(tiles)), tiles)


def measure(corners: Floats) -> Tiles:
    """Middles, directions and sizes of quads (n, 4, 2)."""
    left, right = corners[:, [0, 3]].mean(axis=1), corners[:, [1, 2]].mean(axis=1)
    top, bottom = corners[:, [0, 1]].mean(axis=1), corners[:, [2, 3]].mean(axis=1)
    across = right - left
    width = np.linalg.norm(across, axis=1)
    # A quad without extent still has a place; it simply has no neighbours.
    unit = np.where(width[:, None] > 0, across / np.maximum(width, 1e-9)[:, None], [1.0, 0.0])
    normal = np.stack([-unit[:, 1], unit[:, 0]], axis=1)
    height = np.abs(((bottom - top) * normal).sum(axis=1))
    return Tiles(corners.mean(axis=1), unit, np.maximum(width, 1e-9), np.maximum(height, 1e-9))


def _links(tiles: Tiles) -> list[tuple[int, int]]:
    """Pairs of tiles that touch: each has at most one neighbour on its either side, the nearest one."""
    count = len(tiles.centre)
    away = tiles.centre[None, :] - tiles.centre[:, None]
    # No two tiles further apart can touch: worked out are the others, each seen from either side.
    reach = float(tiles.width.max()) * (1 + GAP) + float(tiles.height.max()) * max(STEP, TOWER)
    near = (np.abs(away) <= reach).all(axis=2)
    near &= ~np.eye(count, dtype=np.bool_)
    one, other = np.nonzero(near)
    cosine, along, aside = apart(tiles, one, other)
    width = (tiles.width[one] + tiles.width[other]) / 2
    height = (tiles.height[one] + tiles.height[other]) / 2
    aligned = np.abs(cosine) > TURN
    gap = (np.abs(along) - width) / width
    step = aside / height
    beside = aligned & (gap <= GAP) & (gap >= -OVERLAP) & (step <= STEP)
    tower = aligned & (np.abs(along) / width <= 1 - OVERLAP) & (step <= TOWER) & (one < other)
    links = list(zip(one[tower].tolist(), other[tower].tolist(), strict=True))
    # Of each tile the nearest neighbour to its own left (0) and right (1), -1 for none; both must agree.
    one, other, side = one[beside], other[beside], (along[beside] > 0).astype(np.intp)
    cost = np.full((2, count, count), np.inf)
    cost[side, one, other] = np.abs(gap[beside]) + step[beside]
    nearest = _nearest(cost)
    theirs = np.zeros((count, count), np.intp)
    theirs[one, other] = side
    agreed = (nearest[side, one] == other) & (nearest[theirs[other, one], other] == one) & (one < other)
    links += zip(one[agreed].tolist(), other[agreed].tolist(), strict=True)
    return links


def apart(tiles: Tiles, one: NDArray[np.intp], other: NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
    """Of pairs (k,) of tiles: the cosine of their turn against each other, how far the second's middle lies
    along their shared direction (below 0 to the left of the first), and how far aside of it, in pixels."""
    right, beyond = tiles.right[one], tiles.right[other]
    cosine = (right * beyond).sum(axis=1)
    # The direction that a pair shares: the mean of both, whichever way up the second lies.
    shared = right + np.where(cosine < 0, -1.0, 1.0)[:, None] * beyond
    shared /= np.linalg.norm(shared, axis=1, keepdims=True)
    offset = tiles.centre[other] - tiles.centre[one]
    along = (offset * shared).sum(axis=1)
    return cosine, along, np.abs(offset[:, 1] * shared[:, 0] - offset[:, 0] * shared[:, 1])


def _nearest(cost: Floats) -> NDArray[np.intp]:
    """Of each tile (2, n) the neighbour of least cost (2, n, n) on either side, -1 where there is none."""
    best = np.asarray(cost.argmin(axis=2))
    return np.where(np.isfinite(np.take_along_axis(cost, best[..., None], axis=2)[..., 0]), best, -1)


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
    of_one = np.zeros(len(right), np.intp), np.zeros(len(voters), np.intp)
    return np.asarray(_row_axes(right, of_one[0], voters, of_one[1], 1)[0])


def _row_axes(
    right: Floats, row: NDArray[np.intp], voters: Floats, voting_in: NDArray[np.intp], count: int
) -> Floats:
    """`row_axis` (count, 2) of rows at once: of which one each of the tiles (n,) and voters (m,) is."""
    # Axis without direction first: doubled angles, so that a tile upside down does not cancel its neighbour.
    doubled = 2 * np.arctan2(right[:, 1], right[:, 0])
    sines, cosines = (np.bincount(row, part(doubled), count) for part in (np.sin, np.cos))
    angle = np.arctan2(sines, cosines) / 2
    axis = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    upright = np.bincount(voting_in, np.sign((voters * axis[voting_in]).sum(axis=1)), count)
    leftward = (axis[:, 0] < 0) | ((axis[:, 0] == 0) & (axis[:, 1] < 0))
    back = (upright < 0) | ((upright == 0) & leftward)
    return np.where(back[:, None], -axis, axis)


def _in_order(rows: list[list[int]], tiles: Tiles) -> list[list[int]]:
    """The rows by their middles, each from left to right as most of its tiles are seen upright."""
    row = np.empty(len(tiles.centre), np.intp)
    for index, members in enumerate(rows):
        row[members] = index
    axis = _row_axes(tiles.right, row, tiles.right, row, len(rows))[row]
    along = (tiles.centre * axis).sum(axis=1)
    aside = tiles.centre[:, 1] * axis[:, 0] - tiles.centre[:, 0] * axis[:, 1]
    order = np.lexsort((aside, along, row)).tolist()
    size = np.bincount(row)
    middle = [np.round(np.bincount(row, tiles.centre[:, at]) / size, 6) for at in (0, 1)]
    ends = np.cumsum(size).tolist()
    whole = [order[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    return [whole[index] for index in np.lexsort(middle)]
