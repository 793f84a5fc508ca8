"""What the rows on the open table are: wall, atu, discard row, melds; by sense, then by zone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from engine.grouping import DOUBT_BELOW
from engine.tiles import Mark
from vision.row_start import directed, lies_reversed
from vision.table_melds import bridged, can_be_meld, cut, one_wrong, shown
from vision.table_rows import Part, axis_of, between

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rules import RuleSet
    from vision.table_rows import Rows
    from vision.table_tiles import TableTiles

Floats = NDArray[np.float64]

ENOUGH: Final = 1.5
"""What speaks for a row being that of the discards, summed up, must reach this."""

_DOWN_FIRST: Final = 3.0  # a row that begins with a tile face down
_MAYBE_DOWN_FIRST: Final = 1.5  # with one not read, and likelier face down than any face
_TURNED_FIRST: Final = 2.5  # or turned round
_IN_ZONE: Final = 2.0  # for all of it in the zone
_WAS_ROW: Final = 4.0  # for all of it in the row before
_WAS_MELD: Final = 2.0  # against, for all of it in melds before
_MELD: Final = 3.0  # against, for a row that can be a meld
_NO_MELD: Final = 1.4  # for four and more tiles that can be none, not enough outside of the zone
_OTHER_WALL: Final = 1.5  # for a single back, where the wall is elsewhere; against, where it is not

_PARALLEL: Final = np.cos(np.radians(14.0))
_GOES_ON: Final = 1.5  # tile widths from edge to edge, with one tile of the row unseen
_LINE: Final = (0.8, 1.75)  # tile heights from one line of the row to the next
_NEXT_LINE: Final = 1.25  # of tile heights: so near that it need not lie in the zone
_BESIDE_WALL: Final = 2.2  # tile widths from the middle of a wall's tile to that of the atu
_APART: Final = 3.0  # tile widths from the next tile


@dataclass(frozen=True, slots=True)
class Before:
    """What lay there in the look before, for tiles of now by index.

    `meld` has the key of the meld that a tile lay in, `row` its place in the discard row; `atu` is the tile
    that was the atu, `wall` those that were tops of stacks. `begun` says that the row began with a tile that
    lay reversed, `first` that there was no look before.
    """

    meld: Mapping[int, int] = field(default_factory=dict)
    row: Mapping[int, int] = field(default_factory=dict)
    atu: int | None = None
    wall: frozenset[int] = frozenset()
    begun: bool = False
    first: bool = True


@dataclass(frozen=True, slots=True)
class Sensed:
    """Tiles by index: rows that are melds or single tiles, the discard row in order, wall, atu."""

    melds: tuple[Part, ...]
    row: tuple[int, ...]
    reversed_first: bool | None
    wall: tuple[int, ...]
    atu: int | None


def sense(tiles: TableTiles, rows: Rows, rules: RuleSet, before: Before) -> Sensed:
    """What each row is; every tile of `rows` that is no tower's top is in exactly one part."""
    apart = [part for row in rows.rows for part in _off_wall(tiles, row, before)]
    split = [part for row in apart for part in _without_wall(tiles, row)]
    if not any(_all_down(tiles, part) for part in split):
        # The two first discards need a wall elsewhere: else they are the wall and its atu.
        split = [
            one
            for part in split
            for one in ([(tile,) for tile in part] if _back_and_face(tiles, part, before) else [part])
        ]
    parts = bridged(tiles, split, rules)
    backs = sum(_all_down(tiles, part.tiles) for part in parts)
    chosen, lines = _discards(tiles, parts, backs, rules, before)
    rest = [part for number, part in enumerate(parts) if number not in lines]
    walls = [part for part in rest if _is_wall(tiles, part.tiles, before)]
    wall = [tile for part in walls for tile in part.tiles]
    atu = _atu(tiles, rows, rest, wall, before)
    melds = [part for part in rest if part not in walls and part.tiles != (atu,)]
    reversed_first = lies_reversed(tiles, chosen[0], chosen) if chosen else None
    return Sensed(tuple(melds), tuple(chosen), reversed_first, tuple(wall), atu)


def _all_down(tiles: TableTiles, part: Sequence[int]) -> bool:
    return all(tiles.down(tile) for tile in part)


def _is_wall(tiles: TableTiles, part: Sequence[int], before: Before) -> bool:
    """Whether all of a row lies face down; what was not read is a back beside others, or where walls are."""
    sure = any(tiles.surely_down(tile) for tile in part) or _near_back(tiles, part[0])
    return (sure and _all_down(tiles, part)) or all(_like_stack(tiles, tile, before) for tile in part)


def _off_wall(tiles: TableTiles, row: Sequence[int], before: Before) -> list[tuple[int, ...]]:
    """The row, and apart from it tiles at its ends that show no face where the wall is, if it lies elsewhere.

    The last stack may stand as near to the first discard as discards lie to each other.
    """
    if all(tiles.zone(tile).kind == "wall" for tile in row):
        return [tuple(row)]
    left, right = 0, len(row)
    while left < right - 1 and _like_stack(tiles, row[left], before):
        left += 1
    while left < right - 1 and _like_stack(tiles, row[right - 1], before):
        right -= 1
    return [*((tile,) for tile in row[:left]), tuple(row[left:right]), *((tile,) for tile in row[right:])]


def _like_stack(tiles: TableTiles, tile: int, before: Before) -> bool:
    """Whether a tile where the wall stands shows no face, or was a stack before, and was no discard."""
    blank = tiles.down(tile) or tiles.seen[tile].face is Mark.UNREAD or tile in before.wall
    return blank and tiles.zone(tile).kind == "wall" and tile not in before.row


def _without_wall(tiles: TableTiles, row: Sequence[int]) -> list[tuple[int, ...]]:
    """The row, with backs side by side and the single face among backs as parts of their own."""
    down = [tiles.down(tile) for tile in row]
    faces = len(row) - sum(down)
    if sum(down) == 0 or faces == 0 or (sum(down) == 1 and faces >= 2):
        return [tuple(row)]
    parts: list[list[int]] = []
    for at, tile in enumerate(row):
        if at and down[at] == down[at - 1]:
            parts[-1].append(tile)
        else:
            parts.append([tile])
    if sum(down) == 1:  # a back and a face: the first two of the discards, or the wall with its atu
        kinds = {tiles.zone(tile).kind for tile in row}
        return [tuple(row)] if "discard" in kinds else [tuple(part) for part in parts]
    # A lone back beside faces begins the discard row; what lies between them and the wall is cut off.
    merged: list[tuple[int, ...]] = []
    for part in parts:
        lone = len(part) == 1 and down[row.index(part[0])]
        after_lone = merged and len(merged[-1]) == 1 and tiles.down(merged[-1][0])
        if after_lone and not lone and len(part) >= 2 and not tiles.down(part[0]):
            merged[-1] = (*merged[-1], *part)
        else:
            merged.append(tuple(part))
    return merged


def _back_and_face(tiles: TableTiles, part: Sequence[int], before: Before) -> bool:
    down = sum(tiles.down(tile) for tile in part)
    return len(part) == 2 and down == 1 and not any(tile in before.row for tile in part)


def _discards(
    tiles: TableTiles,
    parts: Sequence[Part],
    walls: int,
    rules: RuleSet,
    before: Before,
) -> tuple[list[int], set[int]]:
    """The discard row in order, and the numbers of the parts it consists of."""
    scores = [_score(tiles, part, walls, rules, before) for part in parts]
    if not scores or max(scores) < ENOUGH:
        return [], set()
    best = max(range(len(parts)), key=lambda at: (round(scores[at], 6), len(parts[at].tiles), -at))
    line = directed(tiles, parts[best].tiles, rules, before)
    used = {best}
    _go_on(tiles, parts, line, used, before)
    others = []
    for number in _next_lines(tiles, parts, line, used, rules, before):
        used.add(number)
        other = list(parts[number].tiles)
        others.append(other if axis_of(tiles, other) @ axis_of(tiles, line) >= 0 else other[::-1])
    others.sort(key=lambda one: _line_order(tiles, line, one, before))
    return [tile for one in (line, *others) for tile in one], used


def _score(tiles: TableTiles, part: Part, walls: int, rules: RuleSet, before: Before) -> float:
    """How much speaks for a row being that of the discards."""
    row = part.tiles
    count = len(row)
    inside = sum(tiles.zone(tile).kind == "discard" for tile in row) / count
    score = _IN_ZONE * inside
    score += _WAS_ROW * sum(tile in before.row for tile in row) / count
    score -= _WAS_MELD * sum(tile in before.meld for tile in row) / count
    if count == 1:
        if tiles.down(row[0]):
            # Of a wall now and then a stack is seen by itself.
            alone = walls > 1 and tiles.zone(row[0]).kind != "wall" and not _near_back(tiles, row[0])
            # A pale block somewhere looks like one: it is not believed where the row has a place of its own.
            alone = alone and (inside > 0 or not tiles.zones.find("discard"))
            score += _OTHER_WALL if alone else -_OTHER_WALL
        return score
    if _all_down(tiles, row) or _is_wall(tiles, row, before):
        return 0.0
    ends = [tile for tile in (row[0], row[-1]) if lies_reversed(tiles, tile, row)]
    if ends:
        sure = any(tiles.surely_down(tile) for tile in ends)
        maybe = any(tiles.down(tile) for tile in ends)
        score += _DOWN_FIRST if sure else _MAYBE_DOWN_FIRST if maybe else _TURNED_FIRST
    faces = shown(tiles, part)
    if len(faces) >= 3:
        if can_be_meld(faces, rules) or len(cut(faces, [0.0] * count, [None] * count, rules)) > 1:
            score -= _MELD
        elif count >= 4 and not one_wrong(faces, rules):
            score += _NO_MELD
        elif not ends:
            score -= _NO_MELD * (1 - inside)
    return score


def _near_back(tiles: TableTiles, tile: int) -> bool:
    """Whether another back lies as near as stacks of a wall do, however high they are."""
    others = [other for other in range(len(tiles)) if other != tile and tiles.down(other)]
    away = np.linalg.norm(tiles.middle[others] - tiles.middle[tile], axis=1)
    return bool((away < _BESIDE_WALL * tiles.tile_wide).any())


def _go_on(tiles: TableTiles, parts: Sequence[Part], line: list[int], used: set[int], before: Before) -> None:
    """Adds rows that go on where the line ends, with a tile unseen between; before its start too, if that is
    open.
    """
    grown = True
    while grown:
        grown = False
        for number, part in enumerate(one.tiles for one in parts):
            if number in used or (_all_down(tiles, part) and len(part) > 1):
                continue
            if all(_like_stack(tiles, tile, before) for tile in part) and not _in_wall(tiles, line):
                continue
            for end, at_end in ((line[-1], True), (line[0], False)):
                if not at_end and lies_reversed(tiles, line[0], line):
                    continue
                near = min((part[0], part[-1]), key=lambda tile: abs(between(tiles, end, tile)[0]))
                along, aside = _along_line(tiles, line, end, near)
                gap = (along if at_end else -along) / tiles.tile_wide - 1
                straight = abs(float(tiles.right[end] @ tiles.right[near])) > _PARALLEL
                if not (straight and -0.3 <= gap <= _GOES_ON and aside <= 0.5 * tiles.tile_high):
                    continue
                ordered = list(part) if near == part[0] else list(part)[::-1]
                line[:] = [*line, *ordered] if at_end else [*ordered[::-1], *line]
                used.add(number)
                grown = True
                break


def _in_wall(tiles: TableTiles, line: Sequence[int]) -> bool:
    return any(tiles.zone(tile).kind == "wall" for tile in line)


def _along_line(tiles: TableTiles, line: Sequence[int], end: int, other: int) -> tuple[float, float]:
    """How far a tile lies from an end along the line in its order, and how far aside."""
    axis = _direction(tiles, line)
    offset = tiles.middle[other] - tiles.middle[end]
    return float(offset @ axis), abs(float(offset[0] * axis[1] - offset[1] * axis[0]))


def _direction(tiles: TableTiles, line: Sequence[int]) -> Floats:
    """The unit vector (2,) from the first tile of a line to its last."""
    axis = tiles.middle[line[-1]] - tiles.middle[line[0]] if len(line) > 1 else axis_of(tiles, line)
    unit: Floats = axis / max(float(np.linalg.norm(axis)), 1e-9)
    return unit


def _next_lines(
    tiles: TableTiles,
    parts: Sequence[Part],
    line: Sequence[int],
    used: set[int],
    rules: RuleSet,
    before: Before,
) -> list[int]:
    """The rows that are further lines of the same row: parallel, close above or below, and no melds."""
    found: list[int] = []
    above = [list(line)]
    for number in sorted(
        (number for number in range(len(parts)) if number not in used),
        key=lambda number: _away(tiles, line, parts[number].tiles),
    ):
        part = parts[number].tiles
        if any(tiles.down(tile) for tile in part) or _is_wall(tiles, part, before):
            continue
        was = sum(tile in before.row for tile in part) > len(part) / 2
        if not was:
            inside = sum(tiles.zone(tile).kind == "discard" for tile in part) > len(part) / 2
            meld = can_be_meld(shown(tiles, parts[number]), rules)
            known_meld = any(tile in before.meld for tile in part)
            if meld or known_meld or not any(_is_next(tiles, one, part, inside=inside) for one in above):
                continue
        found.append(number)
        above.append(list(part))
    return found


def _is_next(tiles: TableTiles, line: Sequence[int], part: Sequence[int], *, inside: bool) -> bool:
    axis = _direction(tiles, line)
    up = np.median(tiles.up[list(line[1:] or line)], axis=0)
    if (
        abs(float(axis_of(tiles, part) @ axis)) < _PARALLEL
        or up @ np.median(tiles.up[list(part)], axis=0) < 0
    ):
        return False
    step = _away(tiles, line, part) / tiles.tile_high
    if not _LINE[0] <= step <= (_LINE[1] if inside else _NEXT_LINE):
        return False
    own, other = tiles.middle[list(line)] @ axis, tiles.middle[list(part)] @ axis
    return bool(other.min() > own.min() - 1.5 * tiles.tile_wide and other.min() < own.max())


def _away(tiles: TableTiles, line: Sequence[int], part: Sequence[int]) -> float:
    """How far the middle of a row lies aside of a line, in mm."""
    return _along_line(tiles, line, line[0], part[len(part) // 2])[1]


def _line_order(
    tiles: TableTiles, first: Sequence[int], line: Sequence[int], before: Before
) -> tuple[float, float]:
    places = [before.row[tile] for tile in line if tile in before.row]
    return (float(np.mean(places)) if places else np.inf), _away(tiles, first, line)


def _atu(
    tiles: TableTiles, rows: Rows, parts: Sequence[Part], wall: Sequence[int], before: Before
) -> int | None:
    """The one face that lies on the wall or beside it; where there is no wall, a lone one in its zone."""
    lone = [part.tiles[0] for part in parts if len(part.tiles) == 1 and part.tiles[0] not in wall]
    lone = [tile for tile in lone if not tiles.down(tile)]
    lone += [top for top, below in rows.towers if below in wall and not tiles.down(top)]
    if before.atu in lone and _shows(tiles, before.atu):
        return before.atu
    lone = [tile for tile in lone if tile not in before.meld]
    near = {
        tile: min(
            (float(np.linalg.norm(tiles.middle[tile] - tiles.middle[back])) for back in wall), default=np.inf
        )
        for tile in lone
    }
    # A stack that is read as nothing is no atu where a face lies in its place.
    likely = [
        (-int(_shows(tiles, tile)), near[tile] > _BESIDE_WALL * tiles.tile_wide, near[tile], tile)
        for tile in lone
        if near[tile] <= _BESIDE_WALL * tiles.tile_wide or (wall and tiles.zone(tile).kind == "atu")
    ]
    if likely:
        return min(likely)[-1]
    there = [tile for tile in lone if tiles.zone(tile).kind in ("atu", "wall")]
    if not there and not wall and before.first and len(lone) < len(tiles):
        # A last stack with the atu on it shows no back.
        there = [tile for tile in lone if _apart(tiles, tile)]
    surely = [tile for tile in there if _shows(tiles, tile)] or there
    return surely[0] if len(surely) == 1 else None


def _shows(tiles: TableTiles, tile: int) -> bool:
    """Whether a face was read, and surely."""
    seen = tiles.seen[tile]
    return seen.face is not Mark.UNREAD and seen.confidence >= DOUBT_BELOW


def _apart(tiles: TableTiles, tile: int) -> bool:
    away = np.delete(np.linalg.norm(tiles.middle - tiles.middle[tile], axis=1), tile)
    return bool((away > _APART * tiles.tile_wide).all())
