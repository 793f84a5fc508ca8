"""Which tiles on the open table touch: rows in any direction, towers, and rows with one tile missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from vision.layout import components, row_axis

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from vision.table_tiles import TableTiles

Floats = NDArray[np.float64]

GAP: Final = 0.35
"""Neighbours lie at most this far apart, edge to edge, in tile widths; two melds lie further."""

GAP_KNOWN: Final = 0.45
"""Tiles that lay in one row before stay in one up to this gap: measured anew, a gap is never the same."""

OVERLAP: Final = 0.45
"""Loose corners make neighbours overlap, in tile widths."""

STEP: Final = 0.33
"""Neighbours are shifted up or down by at most this, in tile heights: rows that meet at a corner are two."""

TOWER: Final = 0.6
"""A tile whose middle is as near to another's, in tile widths, lies on top of it."""

_TURN: Final = np.cos(np.radians(25.0))
_HOLE: Final = (0.72, 1.4)  # edge to edge in tile widths, where one tile lies unseen
_HOLE_STEP: Final = 0.22  # in tile heights
_HOLE_TURN: Final = np.cos(np.radians(10.0))


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of touching tiles by index, each from left to right as most of it is read; what lies on what.

    `towers` has pairs of the tile on top and the one below it; tiles on top are in no row.
    """

    rows: tuple[tuple[int, ...], ...]
    towers: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Tiles that belong together, in order, and before which places (1 and on) a tile lies unseen."""

    tiles: tuple[int, ...]
    holes: tuple[int, ...] = ()


def touching_rows(tiles: TableTiles, among: Sequence[int], *, known: Mapping[int, int] | None = None) -> Rows:
    """The rows of tiles that lie flat, of those `among`, whatever their order.

    `known` has for a tile the row that it lay in before, as any number: it settles what is close to a limit.
    """
    among = sorted(among, key=lambda tile: place_order(tiles, tile))
    towers = _towers(tiles, among)
    tops = {top for top, _ in towers}
    flat = [tile for tile in among if tile not in tops]
    links = _links(tiles, flat, known or {})
    rows = [tuple(in_order(tiles, row)) for row in components(flat, links)]
    return Rows(tuple(sorted(rows, key=lambda row: place_order(tiles, row[0]))), tuple(towers))


def place_order(tiles: TableTiles, tile: int) -> tuple[float, float]:
    """For sorting by place, from far to near and left to right, whatever the order of the tiles."""
    return -float(tiles.middle[tile, 1].round(3)), float(tiles.middle[tile, 0].round(3))


def holes(tiles: TableTiles, rows: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Pairs of rows, by number, of which the second goes on where the first ends, one tile further."""
    found = []
    for left, first in enumerate(rows):
        for right, second in enumerate(rows):
            if left == right:
                continue
            end, start = first[-1], second[0]
            along, aside = between(tiles, end, start)
            gap = along / tiles.tile_wide - 1
            turned = float(tiles.right[end] @ tiles.right[start])
            if _HOLE[0] <= gap <= _HOLE[1] and aside <= _HOLE_STEP * tiles.tile_high and turned > _HOLE_TURN:
                found.append((left, right))
    return found


def between(tiles: TableTiles, one: int, other: int) -> tuple[float, float]:
    """How far a tile lies along another's row (to the right of `one`, else negative), and how far aside."""
    sign = 1.0 if tiles.right[one] @ tiles.right[other] >= 0 else -1.0
    shared = tiles.right[one] + sign * tiles.right[other]
    shared = shared / max(float(np.linalg.norm(shared)), 1e-9)
    offset = tiles.middle[other] - tiles.middle[one]
    return float(offset @ shared), abs(float(offset[1] * shared[0] - offset[0] * shared[1]))


def axis_of(tiles: TableTiles, row: Sequence[int]) -> Floats:
    """The direction (2,) to the right along a row, as most of its tiles are seen upright."""
    right = tiles.right[list(row)]
    # A back has no upright: it has no say where there are faces.
    faces = [at for at, tile in enumerate(row) if not tiles.down(tile)]
    voters = right[faces] if faces else right
    return row_axis(right, voters)


def in_order(tiles: TableTiles, row: Iterable[int]) -> list[int]:
    """A row from left to right, as most of its tiles are seen upright."""
    members = sorted(row, key=lambda tile: place_order(tiles, tile))
    axis = axis_of(tiles, members)
    return sorted(members, key=lambda tile: float(tiles.middle[tile] @ axis))


def _links(tiles: TableTiles, among: Sequence[int], known: Mapping[int, int]) -> list[tuple[int, int]]:
    """Pairs that touch: each tile has at most one neighbour on its either side, and both must agree."""
    nearest: dict[tuple[int, bool], tuple[float, int]] = {}
    beside: list[tuple[int, int, bool, bool]] = []
    members = list(among)
    places, right = tiles.middle[members], tiles.right[members]
    near = np.linalg.norm(places[:, None] - places[None], axis=2) < 1.6 * tiles.tile_wide
    for first, second in np.argwhere(np.triu(near & (np.abs(right @ right.T) > _TURN), 1)).tolist():
        one, other = members[first], members[second]
        along, aside = between(tiles, one, other)
        gap, step = abs(along) / tiles.tile_wide - 1, aside / tiles.tile_high
        together = one in known and known[one] == known.get(other)
        if not (-OVERLAP <= gap <= (GAP_KNOWN if together else GAP) and step <= STEP):
            continue
        cost = abs(gap) + step
        opposite = bool(tiles.right[one] @ tiles.right[other] < 0)
        ours, theirs = along > 0, (along > 0) == opposite
        beside.append((one, other, ours, theirs))
        for tile, side, mate in ((one, ours, other), (other, theirs, one)):
            if (tile, side) not in nearest or cost < nearest[tile, side][0]:
                nearest[tile, side] = cost, mate
    return [
        (one, other)
        for one, other, ours, theirs in beside
        if nearest[one, ours][1] == other and nearest[other, theirs][1] == one
    ]


def _towers(tiles: TableTiles, among: Sequence[int]) -> list[tuple[int, int]]:
    """Pairs (on top, below): of two tiles in one place the one that is less in line with others is on top."""
    places = tiles.middle[list(among)]
    away = np.linalg.norm(places[:, None] - places[None], axis=2)
    near = np.argwhere(np.triu(away < TOWER * tiles.tile_wide, 1)).tolist()
    pairs = [(among[first], among[second]) for first, second in near]
    found: list[tuple[int, int]] = []
    tops: set[int] = set()
    for one, other in pairs:
        if one in tops or other in tops:
            continue
        mates = [tile for tile in among if tile not in (one, other)]
        first, second = (_in_line(tiles, tile, mates) for tile in (one, other))
        if first == second:  # what lies below is partly hidden, and so is read with less confidence
            first, second = -tiles.seen[one].confidence, -tiles.seen[other].confidence
        top, below = (one, other) if first < second else (other, one)
        tops.add(top)
        found.append((top, below))
    return found


def _in_line(tiles: TableTiles, tile: int, mates: Sequence[int]) -> float:
    """How well a tile lies in line with neighbours: one for each, less what it is shifted and turned."""
    best = [0.0, 0.0]
    for mate in mates:
        if np.abs(tiles.middle[tile] - tiles.middle[mate]).max() > 1.6 * tiles.tile_wide:
            continue
        turned = abs(float(tiles.right[tile] @ tiles.right[mate]))
        along, aside = between(tiles, tile, mate)
        gap, step = abs(abs(along) / tiles.tile_wide - 1), aside / tiles.tile_high
        if turned > _TURN and gap <= GAP and step <= STEP:
            side = int(along > 0)
            best[side] = max(best[side], 1 - 0.5 * (gap + step + (1 - turned)))
    return round(sum(best), 6)
