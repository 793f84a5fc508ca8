"""What melds tiles side by side may be, the likeliest first, with a tile not seen or one that is none."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log
from typing import TYPE_CHECKING, Final

from engine.infer.matching import hit, no_tile
from engine.infer.settings import miss_cost
from engine.rules import MELD_MIN_LENGTH
from engine.shapes import HIGH_ONE, face_at, last_place, longest_run
from engine.tiles import HIGHEST, JOKER, Face, Tile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.infer.memory import Slot
    from engine.infer.settings import Chances
    from engine.rules import RuleSet

_SPAN: Final = 12.0
"""Readings so much less likely (as a log) than the best are left out."""

_MOST: Final = 8


@dataclass(frozen=True, slots=True)
class Read:
    """A meld that tiles may be: log chance of all looks at them, tiles in order, the slots that they are."""

    score: float
    tiles: tuple[Tile, ...]
    slots: tuple[Slot, ...]


class _Row:
    """Slots in order, with what each says of each face, asked often."""

    def __init__(self, slots: Sequence[Slot], chances: Chances) -> None:
        self.slots = tuple(slots)
        self.chances = chances
        self.unseen = miss_cost(chances, min(slot.hits + slot.misses for slot in slots))
        self.known: list[dict[Face, float]] = [{} for _ in slots]

    def gain(self, at: int, face: Face) -> float:
        """What the looks at a slot say of a face."""
        known = self.known[at]
        if face not in known:
            known[face] = hit(self.slots[at], face, self.chances)
        return known[face]

    def tile(self, at: int | None, face: Face) -> tuple[float, Tile]:
        """The likelier of the face itself and a joker in its place; a slot that is None was not seen."""
        if at is None:
            return self.unseen, Tile(face)
        real, joker = self.gain(at, face), self.gain(at, JOKER)
        return (joker, Tile(JOKER)) if joker > real else (real, Tile(face))


def read_melds(slots: Sequence[Slot], rules: RuleSet, chances: Chances) -> list[Read]:
    """The legal melds that these slots may be, of all or most of them, or with one not seen."""
    found: dict[tuple[Tile, ...], Read] = {}
    for left in _left_out(slots):
        rest = [slot for at, slot in enumerate(slots) if at not in left]
        if len(rest) < MELD_MIN_LENGTH - 1:
            continue
        row = _Row(rest, chances)
        less = sum(no_tile(slots[at], chances) for at in left)
        holes = (None,) if left else (None, *range(len(rest) + 1))
        for hole in holes:
            order: list[int | None] = list(range(len(rest)))
            if hole is not None:
                order.insert(hole, None)
            if len(order) < MELD_MIN_LENGTH:
                continue
            # A whole meld seen is not likely to go on, nor two tiles to be one with a third.
            at_end = hole in (0, len(rest)) or (hole is not None and len(rest) < MELD_MIN_LENGTH)
            ways = [*_runs(row, order, rules)]
            ways += _groups(row, order, rules) if hole is None or hole == len(rest) else ()
            for score, tiles in ways:
                worth = score + less + (log(chances.longer) if at_end else 0.0)
                old = found.get(tiles)
                if old is None or old.score < worth:
                    found[tiles] = Read(worth, tiles, tuple(rest))
    ranked = sorted(found.values(), key=lambda read: -read.score)
    best = ranked[0].score if ranked else 0.0
    return [read for read in ranked[:_MOST] if read.score > best - _SPAN]


def _left_out(slots: Sequence[Slot]) -> set[frozenset[int]]:
    """The slots that may be no tile: none, any one, all that are seen no more or only once, and one more."""
    weak = frozenset(at for at, slot in enumerate(slots) if slot.misses or slot.hits == 1)
    ones = [frozenset((at,)) for at in range(len(slots))]
    return {frozenset(), *ones, weak, *(weak | one for one in ones)}


def _named(row: _Row, at: int) -> Iterator[Face]:
    """The faces that a slot may well show, a joker left out."""
    yield from (face for face in row.slots[at].belief.likely(-7.0) if not face.is_joker)


def _runs(row: _Row, order: Sequence[int | None], rules: RuleSet) -> Iterator[tuple[float, tuple[Tile, ...]]]:
    length = len(order)
    if length > longest_run(rules):
        return
    starts: set[tuple[str, int, bool]] = set()
    for place, at in enumerate(order):
        if at is None:
            continue
        for face in _named(row, at):
            if face.colour not in rules.colours:
                continue
            for number in (1, HIGH_ONE) if face.number == 1 else (face.number,):
                starts.add((face.colour, number - place, False))
                starts.add((face.colour, number - (length - 1 - place), True))
    for colour, first, falling in starts:
        if first < 1 or first + length - 1 > last_place(rules):
            continue
        total, tiles = 0.0, []
        for place, at in enumerate(reversed(order) if falling else order):
            gain, tile = row.tile(at, face_at(colour, first + place))
            total += gain
            tiles.append(tile)
        if _sensible(tiles, rules):
            yield total, tuple(tiles)


def _sensible(tiles: Sequence[Tile], rules: RuleSet) -> bool:
    jokers = sum(tile.is_joker for tile in tiles)
    return jokers <= rules.meld_jokers_max and len(tiles) - jokers >= rules.meld_real_tiles_min


def _groups(
    row: _Row, order: Sequence[int | None], rules: RuleSet
) -> Iterator[tuple[float, tuple[Tile, ...]]]:
    if len(order) > len(rules.colours):
        return
    numbers = {face.number for at in order if at is not None for face in _named(row, at)}
    for number in numbers:
        if 1 <= number <= HIGHEST:
            yield from _group_of(row, order, number, rules)


def _group_of(
    row: _Row, order: Sequence[int | None], number: int, rules: RuleSet
) -> Iterator[tuple[float, tuple[Tile, ...]]]:
    """The two likeliest ways in which these places are a group of a number."""
    ways: list[tuple[float, tuple[Tile, ...]]] = [(0.0, ())]
    for at in order:
        more: list[tuple[float, tuple[Tile, ...]]] = []
        for total, tiles in ways:
            for colour in rules.colours:
                tile = Tile(Face(colour, number))
                if tile not in tiles:
                    gain = row.unseen if at is None else row.gain(at, tile.face)
                    more.append((total + gain, (*tiles, tile)))
            joker = -inf if at is None else row.gain(at, JOKER)
            if joker > 0:
                more.append((total + joker, (*tiles, Tile(JOKER))))
        ways = sorted(more, key=lambda way: -way[0])[:6]
    yield from (way for way in ways[:3] if _sensible(way[1], rules))
