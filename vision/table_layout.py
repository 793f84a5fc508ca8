"""From the tiles found in one frame to the table: zones, melds, rows, racks, repaired by what is known.

tiles in pixels ──> mm (table_tiles) ──> racks (table_racks) ──> rows that touch, towers (table_rows)
      ──> wall, atu, discard row, melds (table_sense) ──> repair of the whole table ──> melds cut where two
touch (table_melds) ──> TableReading with its problems (table_problems)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from calibration.zones import outward
from engine.grouping import DOUBT_BELOW
from engine.readings import SeenTile
from engine.repair import repair
from engine.table_reading import Lying, LyingMeld, Problem, Stack, TableReading, repair_by_key
from engine.tiles import Mark
from vision import table_problems as problems
from vision.table_before import Covered, Memory, recall
from vision.table_melds import certain, cut, missing_face
from vision.table_racks import racked, tiers
from vision.table_rows import Part, Rows, between, in_order, touching_rows
from vision.table_sense import Sensed, sense
from vision.table_tiles import TableTiles, cut_short, kept_tiles, measure

if TYPE_CHECKING:
    from calibration.rig import Rig
    from calibration.zones import Zone, Zones
    from engine.repair import Repaired
    from engine.rules import RuleSet

_TOWARDS: Final = np.cos(np.radians(40.0))  # a meld that is read from a seat is turned aside from it by less
_FAR_BACK: Final = 4.0  # tile widths from the next tile of the wall: a back further away is no part of it


def lay_out(  # noqa: PLR0913 -- all that a look depends on
    tiles: Sequence[SeenTile],
    rig: Rig,
    zones: Zones,
    *,
    number: int,
    at: float,
    rules: RuleSet,
    before: TableReading | None = None,
    keys: Sequence[int] | None = None,
    ended: bool = False,
    covered: Sequence[Zone] = (),
) -> TableReading:
    """The table as these tiles of one frame lie on it, whatever their order.

    Quads are in pixels of the frame that `rig` is for. `before` is the look before: it says what the tiles
    were (a prior for their repair), which rows they lay in, and what `covered` zones hold. `keys` are those
    of the tiles, in their order, from whoever tracks them; without them tiles are matched by place with those
    of `before`, and counted on. Once the game has `ended`, racks that are read then only are read, and what
    lies flat before a seat is its rack, laid out. Finds off the table, of another size than tiles, in one
    place with a surer one, or on racks that must not be read, are left out. ValueError where there are not as
    many keys as tiles, or one comes twice.
    """
    if keys is not None and (len(keys) != len(tiles) or len(set(keys)) != len(keys)):
        raise ValueError(f"each of the {len(tiles)} tiles needs a key of its own, not {list(keys)}")
    kept = kept_tiles(tiles, rig)
    every = measure([tiles[index] for index in kept], rig, zones)
    given = None if keys is None else [keys[index] for index in kept]
    covering = Covered.of(covered, before)
    hidden = {zone.seat for zone in zones.hidden(ended=ended)}
    inside = [
        tile
        for tile in range(len(every))
        if every.rack[tile] not in hidden
        and not covering.holds(every, tile, None if given is None else given[tile])
    ]
    seen = measure([every.seen[tile] for tile in inside], rig, zones)
    memory = recall(seen, before, None if given is None else [given[tile] for tile in inside], covering)
    return _read(seen, memory, covering, number=number, at=at, rules=rules, ended=ended, hidden=hidden)


def _read(
    tiles: TableTiles,
    memory: Memory,
    covering: Covered,
    *,
    number: int,
    at: float,
    rules: RuleSet,
    ended: bool,
    hidden: set[int | None],
) -> TableReading:
    on_racks = racked(tiles, rules, ended=ended)
    standing = {tile for members in on_racks.values() for tile in members}
    flat = [tile for tile in range(len(tiles)) if tile not in standing]
    tiles = cut_short(tiles, flat)
    rows = touching_rows(tiles, flat, known=memory.before.meld)
    sensed = sense(tiles, rows, rules, memory.before)
    repaired = _repaired(tiles, sensed.melds, memory, covering, rules)
    tops = _tops(rows, sensed)
    lying = [
        _lying(tiles, tile, memory.keys[tile], repaired.tiles[tile], tile in repaired.doubts)
        for tile in range(len(tiles))
    ]
    melds, gaps = _melds(tiles, sensed.melds, tops, lying, memory, rules)
    wall = tuple(Stack(lying[tile]) for tile in sensed.wall)
    seats = [seat for seat in range(1, tiles.zones.seats + 1) if seat not in hidden]
    racks = {
        seat: tuple(
            tuple(lying[tile] for tile in tier) for tier in tiers(tiles, on_racks.get(seat, ()), seat) if tier
        )
        for seat in seats
    }
    row = tuple(lying[tile] for tile in sensed.row)
    atu = lying[sensed.atu] if sensed.atu is not None else None
    reading = covering.filled(
        TableReading(
            number=number,
            at=at,
            melds=melds,
            row=row,
            reversed_first=sensed.reversed_first,
            wall=wall,
            atu=atu,
            racks=racks,
            repairs=tuple(
                repair_by_key(one, memory.keys) for one in repaired.repairs if one.index < len(tiles)
            ),
        )
    )
    named = _problems(reading, gaps, repaired, tiles, rules, covering)
    named += _conflicts(repaired, memory, covering)
    return replace(reading, problems=tuple(named))


# --- rows -------------------------------------------------------------------------------------------------


def _melds(
    tiles: TableTiles,
    parts: Sequence[Part],
    tops: Sequence[tuple[int, int]],
    lying: Sequence[Lying],
    memory: Memory,
    rules: RuleSet,
) -> tuple[tuple[LyingMeld, ...], list[Problem]]:
    """The melds, each with its key, seat and towers, and a problem for each tile unseen in one."""
    every = [one for part in parts for one in _cut(tiles, part, lying, memory, rules)]
    within = {tile for part in every for tile in part.tiles}
    every += [Part((top,)) for top, below in tops if below not in within]
    found, gaps = [], []
    for part, key in zip(every, memory.meld_keys([part.tiles for part in every]), strict=True):
        towers = tuple((part.tiles.index(below), lying[top]) for top, below in tops if below in part.tiles)
        laid = tuple(lying[tile] for tile in part.tiles)
        found.append(LyingMeld(key, _owner(tiles, part.tiles), laid, towers))
        for place in part.holes:
            row = [*(certain(one) for one in laid[:place]), None, *(certain(one) for one in laid[place:])]
            gaps.append(problems.gap(laid[place - 1], laid[place], missing_face(row, place, rules)))
    return tuple(sorted(found, key=lambda meld: meld.key)), gaps


def _cut(tiles: TableTiles, part: Part, lying: Sequence[Lying], memory: Memory, rules: RuleSet) -> list[Part]:
    """The part as the melds that it is made of."""
    row = part.tiles
    if part.holes:
        return [part]
    gaps = [abs(between(tiles, one, other)[0]) / tiles.tile_wide - 1 for one, other in pairwise(row)]
    was = [memory.before.meld.get(tile) for tile in row]
    ranges = cut([certain(lying[tile]) for tile in row], gaps, was, rules)
    if len(ranges) == 1:
        return [part]
    # Each may be read the other way round by itself.
    return [Part(tuple(in_order(tiles, [row[place] for place in one]))) for one in ranges]


def _tops(rows: Rows, sensed: Sensed) -> list[tuple[int, int]]:
    return [(top, below) for top, below in rows.towers if top != sensed.atu]


def _owner(tiles: TableTiles, part: Sequence[int]) -> int:
    """The seat that a meld is laid to be read from; else that in front of which it lies."""
    faces = [tile for tile in part if not tiles.down(tile)] or list(part)
    up = np.median(tiles.up[faces], axis=0)
    for seat in range(1, tiles.zones.seats + 1):
        if -float(up @ np.asarray(outward(tiles.zones.seats, seat))) > _TOWARDS:
            return seat
    return tiles.zones.seat_at(tiles.middle[list(part)].mean(axis=0))


# --- faces ------------------------------------------------------------------------------------------------


def _repaired(
    tiles: TableTiles, parts: Sequence[Part], memory: Memory, covering: Covered, rules: RuleSet
) -> Repaired:
    """All tiles repaired at once, in their order, then those that lie under what is covered.

    Only rows that may be melds are repaired as such: what lies side by side in the discard row, the wall or
    on a rack says nothing of each other. A tile unseen in a meld counts as one that was not read.
    """
    every = [*tiles.seen, *covering.tiles()]
    lines: list[list[int]] = []
    for part in parts:
        line: list[int] = []
        for place, tile in enumerate(part.tiles):
            if place in part.holes:
                line.append(len(every))
                every.append(SeenTile(Mark.UNREAD, (), 0.0))
            line.append(tile)
        lines.append(line)
    taken = {tile for line in lines for tile in line}
    lines += [[tile] for tile in range(len(every)) if tile not in taken]
    return repair(every, lines, rules, priors=memory.priors)


def _lying(tiles: TableTiles, tile: int, key: int, seen: SeenTile, contradicted: bool) -> Lying:
    x, y = (float(value) for value in tiles.middle[tile])
    doubt = contradicted or seen.face is Mark.UNREAD or seen.confidence < DOUBT_BELOW
    return Lying(
        key=key,
        face=seen.face,
        confidence=seen.confidence,
        place=(round(x, 2), round(y, 2)),
        angle=round(tiles.angle(tile), 4),
        quad=seen.quad,
        alternatives=seen.alternatives,
        doubtful=doubt,
    )


# --- problems ---------------------------------------------------------------------------------------------


def _conflicts(repaired: Repaired, memory: Memory, covering: Covered) -> list[Problem]:
    """Faces that lie there more often than the set has them."""
    keys = [*memory.keys, *(tile.key for tile in covering.lying())]
    return [
        Problem(
            "too_many",
            tuple(keys[index] for index in conflict.tiles if index < len(keys)),
            conflict.hint_en,
            conflict.hint_ro,
        )
        for conflict in repaired.conflicts
        if conflict.code == "more_than_the_set"
    ]


def _problems(
    reading: TableReading,
    gaps: Sequence[Problem],
    repaired: Repaired,
    tiles: TableTiles,
    rules: RuleSet,
    covering: Covered,
) -> list[Problem]:
    named = [problems.hidden(zone) for zone in covering.zones]
    named += gaps
    named += problems.meld_problems(reading.melds, gaps, rules)
    named += problems.unread(reading.row, "the discard row", "șirul pieselor aruncate")
    if reading.atu is not None:
        named += problems.unread((reading.atu,), "the place of the atu", "locul atu-ului")
    named += problems.rack_problems(reading.racks)
    on_table = [tile for meld in reading.melds for tile in (*meld.tiles, *(top for _, top in meld.towers))]
    named += problems.doubtful([*on_table, *reading.row, *([reading.atu] if reading.atu is not None else [])])
    named += [problems.lone_back(tile) for tile in _lone_backs(reading, tiles)]
    if not repaired.proven:
        named.append(problems.not_proven())
    return named


def _lone_backs(reading: TableReading, tiles: TableTiles) -> list[Lying]:
    """What lies face down apart from the wall and off its zone, where there is a wall."""
    backs = [stack.top for stack in reading.wall]
    if len(backs) < 2:
        return []
    places = np.asarray([tile.place for tile in backs])
    far = []
    for at, tile in enumerate(backs):
        away = np.linalg.norm(np.delete(places, at, axis=0) - places[at], axis=1)
        if away.min() > _FAR_BACK * tiles.tile_wide and tiles.zones.at(tile.place).kind != "wall":
            far.append(tile)
    return far if len(far) < len(backs) else []
