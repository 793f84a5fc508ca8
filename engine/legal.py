"""The legal commands from a state, each as it is asked for; a hidden tile may be any that is unseen."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from engine import commands as c
from engine.bags import Bag
from engine.decide import decide
from engine.melds import read_meld
from engine.placing import frees_joker
from engine.refusals import Refusal
from engine.rules import MELD_MIN_LENGTH
from engine.shapes import face_at, last_place, longest_run
from engine.state import visible
from engine.table_games import CLOSED
from engine.tiles import JOKER, Face, Tile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.melds import Meld
    from engine.rules import RuleSet
    from engine.state import State, TableMeld


def legal_commands(state: State) -> Iterator[c.Command]:
    """Every command that `decide` would not refuse now, lazily: of play, of the seat on turn.

    A deal and racks, which are chance and the end, are not among them. Of the ways to name one thing one is
    given: melds after the first one at a time, lay-offs tile by tile, a bare joker for one that says what it
    stands for. Opening melds and games closed on the rack come last, as they are many.
    """
    if state.phase != "play":
        return
    yield from (command for command in _candidates(state) if is_legal(state, command))


def is_legal(state: State, command: c.Command) -> bool:
    """Whether `decide` would not refuse the command."""
    return not isinstance(decide(state, command), Refusal)


def _candidates(state: State) -> Iterator[c.Command]:
    seat = state.turn.seat
    if not state.started:
        yield from (c.Announce(at, what) for at in range(state.seats) for what in ("atu", "double", "spoil"))
    if state.rules.has_table_games:
        yield c.Announce(seat, "table_game")
    if not state.turn.drew:
        yield c.Draw(seat)
        yield c.Draw(seat, source="atu")
        yield from (c.Take(seat, place) for place in range(len(state.row)))
        yield c.WallEmpty()
        return
    faces = possible_faces(state, seat)
    yield from (c.Discard(seat, face) for face in faces)
    for meld in state.melds:
        yield from _lay_offs(seat, meld, faces)
    if state.players[seat].opened:
        yield from (c.MeldDown(seat, (meld.tiles,)) for meld in possible_melds(state, seat))
        for meld in state.melds:
            yield from _reclaims(state, seat, meld, faces)
        return
    for melds in meld_sets(state, seat):
        yield c.MeldDown(seat, tuple(meld.tiles for meld in melds))
    yield from _closings(state, seat)


def possible_faces(state: State, seat: int) -> list[Face]:
    """The faces that can be on a rack: the known ones, and where tiles are hidden any face not all seen."""
    hand = state.players[seat].hand
    unseen = state.full - visible(state) if hand.hidden else Bag()
    return [face for face, _ in (hand.known + unseen).items()]


class _Rack:
    """What a rack can hold, made once for many questions."""

    def __init__(self, state: State, seat: int, *, jokers_more: int = 0, gone: Bag | None = None) -> None:
        hand = state.players[seat].hand
        if gone is not None:
            hand = hand.minus(gone)
        self.known = dict((hand.known + Bag([JOKER] * jokers_more)).items())
        self.hidden = hand.hidden
        self.unseen = dict((state.full - visible(state)).items()) if hand.hidden else {}

    @property
    def jokers(self) -> int:
        """How many jokers there can be on it."""
        return self.known.get(JOKER, 0) + min(self.hidden, self.unseen.get(JOKER, 0))

    def holds(self, faces: Sequence[Face]) -> bool:
        """Whether these faces can all be on it."""
        hidden = 0
        for face in set(faces):
            lacking = faces.count(face) - self.known.get(face, 0)
            if lacking > 0:
                hidden += lacking
                if hidden > self.hidden or lacking > self.unseen.get(face, 0):
                    return False
        return True


def _lay_offs(seat: int, meld: TableMeld, faces: Sequence[Face]) -> Iterator[c.Command]:
    for face in faces:
        tile = Tile(face)
        either = face.is_joker or face.number == 1
        ends = ("low", "high") if either and meld.shape == "run" else (None,)
        for end in ends:
            yield c.LayOff(seat, meld.id, (tile,), end)
        if meld.shape == "run" and tile.means in [inner.means for inner in meld.tiles]:
            yield c.LayOff(seat, meld.id, (tile,), splits=True)


def _reclaims(state: State, seat: int, meld: TableMeld, faces: Sequence[Face]) -> Iterator[c.Command]:
    places = [at for at, piece in enumerate(meld.pieces) if piece.tile.is_joker]
    real = [Tile(face) for face in faces if not face.is_joker]
    for place in places:
        puts = [(tile,) for tile in real] + [pair for pair in combinations(real, 2) if meld.shape == "group"]
        for put in puts:
            if not state.rules.reclaim_melds_at_once:
                yield c.Reclaim(seat, meld.id, put, joker=place)
            if frees_joker(meld, place, put, state.rules) is None:
                for into in possible_melds(state, seat, jokers_more=1, gone=Bag(tile.face for tile in put)):
                    if any(tile.is_joker for tile in into.tiles):
                        yield c.Reclaim(seat, meld.id, put, into.tiles, place)


def possible_melds(
    state: State, seat: int, *, jokers_more: int = 0, gone: Bag | None = None
) -> Iterator[Meld]:
    """Every meld that a rack can make, its jokers bare; `jokers_more` come to it, `gone` has left it."""
    rack = _Rack(state, seat, jokers_more=jokers_more, gone=gone)
    for tiles in layouts(state.rules, jokers=min(rack.jokers, state.rules.meld_jokers_max)):
        if rack.holds([tile.face for tile in tiles]):
            meld = read_meld(tiles, state.rules)
            if meld is not None:
                yield meld


def layouts(rules: RuleSet, *, jokers: int) -> Iterator[tuple[Tile, ...]]:
    """Runs and groups with up to so many bare jokers, in meld order; a group has its jokers last."""
    for colour in rules.colours:
        for first in range(1, last_place(rules) - MELD_MIN_LENGTH + 2):
            for length in range(MELD_MIN_LENGTH, min(longest_run(rules), last_place(rules) - first + 1) + 1):
                places = [Tile(face_at(colour, first + at)) for at in range(length)]
                for count in range(jokers + 1):
                    for at in combinations(range(length), count):
                        yield tuple(Tile(JOKER) if here in at else tile for here, tile in enumerate(places))
    for number in range(1, 14):
        for size in range(1, len(rules.colours) + 1):
            for colours in combinations(rules.colours, size):
                for count in range(min(jokers, len(rules.colours) - size) + 1):
                    if size + count >= MELD_MIN_LENGTH:
                        yield (*(Tile(Face(colour, number)) for colour in colours), *[Tile(JOKER)] * count)


def meld_sets(state: State, seat: int) -> Iterator[tuple[Meld, ...]]:
    """Every set of melds that can be made of a rack at once."""
    rack = _Rack(state, seat)
    melds: list[Meld] = []
    rest = possible_melds(state, seat)

    def more(start: int, chosen: tuple[Meld, ...], faces: list[Face]) -> Iterator[tuple[Meld, ...]]:
        for at in range(start, len(melds)):
            together = faces + [tile.face for tile in melds[at].tiles]
            if rack.holds(together):
                yield (*chosen, melds[at])
                yield from more(at, (*chosen, melds[at]), together)

    # Each meld with those before it, so that the first sets come before all melds are known.
    for meld in rest:
        melds.insert(0, meld)
        first = [tile.face for tile in meld.tiles]
        yield (meld,)
        yield from more(0, (meld,), first)


def _closings(state: State, seat: int) -> Iterator[c.Command]:
    """Games closed on a rack that is wholly known, in melds."""
    hand = state.players[seat].hand
    for melds in () if hand.hidden else meld_sets(state, seat):
        rest = hand.known - Bag(tile.face for meld in melds for tile in meld.tiles)
        if len(rest) == 1:
            for kind in (CLOSED, "simple"):
                tiles = tuple(meld.tiles for meld in melds)
                yield c.CloseTable(seat, kind, tiles, next(iter(rest)))
