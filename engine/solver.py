"""The best melds from a rack, exactly: most points, fewest tiles left, whether it opens or closes.

Dynamic programming over the places of a run, 1 to 13 and the 1 again: at each place every open run of a
colour goes on (with a tile or a joker) or ends, tiles not in runs are put into groups or left, and of all
ways to come to the same open runs only the one of most points is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.bags import Bag, full_set
from engine.melds import Meld, read_meld
from engine.rules import MELD_MIN_LENGTH, RuleSet
from engine.shapes import face_at
from engine.solver_table import Plan, Way, solve_table
from engine.table_games import CLOSED, TABLE_LENGTH, sequence_games
from engine.tiles import JOKER, Face, Tile

if TYPE_CHECKING:
    from collections.abc import Sequence


class RackError(ValueError):
    """A rack that cannot be: tiles of another set, or more of a tile than the set has."""

    def __init__(self, wrong: Bag) -> None:
        self.hint_en = f"no rack can hold {wrong}: more than the set has, or of another set"
        self.hint_ro = f"nicio tablă nu poate avea {wrong}: mai mult decât are setul, sau din alt set"
        super().__init__(self.hint_en)


@dataclass(frozen=True, slots=True)
class Best:
    """What a rack can do in its turn, one tile staying for the discard; points are opening values."""

    melds: tuple[Meld, ...]
    """The melds of most points that may be put down; none where he may not open."""
    left: Bag
    """The tiles that stay on the rack with these melds, the one for the discard among them."""
    points: int
    opens: bool
    closes: bool
    fewest_left: int
    """With as many tiles down as may be, so many stay."""
    closing: tuple[Meld, ...]
    """The melds with which he closes; none where he cannot."""
    closing_tile: Face | None
    """The tile that is then discarded."""
    table_games: tuple[str, ...]
    """The games on the rack that a discard would complete."""


def solve(rack: Sequence[Face], rules: RuleSet, *, opened: bool = False) -> Best:
    """The best that these tiles, held in one's turn after the first round, can do; RackError for a rack that
    cannot be.

    `opened`: the player has opened before, so any melds may be put down.

    >>> from engine.rules import rule_set
    >>> rack = [Face("r", 5), Face("r", 6), Face("r", 7), Face("r", 8), Face("y", 10), Face("b", 10),
    ...         Face("k", 10), Face("k", 1)]
    >>> best = solve(rack, rule_set("doizece"))
    >>> best.points, best.opens, best.closes, str(best.left)
    (50, True, True, 'k1')
    """
    if wrong := Bag(rack).beyond(full_set(rules)):
        raise RackError(wrong)
    table = solve_table(tuple(rack), rules)
    may = {
        way: plan for way, plan in table.items() if way.left >= 1 and (opened or _opens(way.shapes, rules))
    }
    enough = {way: plan for way, plan in may.items() if opened or plan.points >= rules.first_meld_points}
    plans = [(plan.points, -way.left, plan) for way, plan in enough.items() if plan.points]
    best = max(plans, key=lambda found: found[:2], default=None)
    melds = _melds(best[2], rules) if best is not None else ()
    ones = () if opened else _group_of_ones(rack, rules)
    if ones and sum(meld.points for meld in ones) > sum(meld.points for meld in melds):
        melds = ones
    closing = _closing(table, enough, rack, rules, opened=opened)
    if not closing and ones and len(ones[0].tiles) == len(rack) - 1:
        closing = ones
    return Best(
        melds,
        Bag(rack) - _used(melds),
        sum(meld.points for meld in melds),
        bool(melds),
        bool(closing),
        min([way.left for way in enough] + [len(rack) - sum(len(meld.tiles) for meld in melds)]),
        closing,
        next(iter(Bag(rack) - _used(closing))) if closing else None,
        _table_games(table, rack, rules),
    )


def could_have_opened(rack: Sequence[Face], rules: RuleSet) -> bool:
    """Whether a player who held these tiles in his turn could have opened and did not have to wait."""
    return solve(rack, rules).opens


def _opens(shapes: frozenset[str], rules: RuleSet) -> bool:
    """Whether melds of these shapes may be a first meld; a group of 1s alone is looked at apart."""
    needed = {"any": frozenset[str](), "run_and_group": frozenset({"run", "group"})}
    return bool(shapes) and needed.get(rules.first_meld_shape, frozenset({"run"})) <= shapes


def _group_of_ones(rack: Sequence[Face], rules: RuleSet) -> tuple[Meld, ...]:
    """The largest group of 1s that opens alone (RULES.md, first meld, shape)."""
    if rules.first_meld_shape != "run_or_ones":
        return ()
    ones = [Tile(Face(colour, 1)) for colour in rules.colours if Face(colour, 1) in rack]
    jokers = [Tile(JOKER)] * sum(face.is_joker for face in rack)
    found = []
    for count in range(len(jokers) + 1):
        tiles = (*ones, *jokers[:count])[: len(rules.colours)]
        for size in range(MELD_MIN_LENGTH, len(tiles) + 1):
            meld = read_meld(tiles[-size:], rules)
            if meld is not None and meld.points >= rules.first_meld_points and size < len(rack):
                found.append(meld)
    return (max(found, key=lambda meld: meld.points),) if found else ()


def _closing(
    table: dict[Way, Plan], enough: dict[Way, Plan], rack: Sequence[Face], rules: RuleSet, *, opened: bool
) -> tuple[Meld, ...]:
    """The melds of all tiles but one, of most points."""
    last = [plan for way, plan in enough.items() if way.left == 1]
    if not last and not opened and rules.closed_game and len(rack) == TABLE_LENGTH + 1:
        last = [plan for way, plan in table.items() if way.left == 1]
    return _melds(max(last, key=lambda plan: plan.points), rules) if last else ()


def _table_games(table: dict[Way, Plan], rack: Sequence[Face], rules: RuleSet) -> tuple[str, ...]:
    """Which games on the rack these 15 tiles are, one of them being the closing tile."""
    if len(rack) != TABLE_LENGTH + 1:
        return ()
    found = set()
    if any(way.left == 1 for way in table) and rules.closed_game:
        found.add(CLOSED)
    if any(way.left == 1 and "run" in way.shapes for way in table):
        found.add("simple")
    for closing in set(rack):
        rest = list(rack)
        rest.remove(closing)
        found.update(sequence_games(rest, rules))
    known = rules.table_points()
    return tuple(
        kind for kind in (CLOSED, *known) if kind in found and (kind == CLOSED or known[kind] is not None)
    )


def _used(melds: Sequence[Meld]) -> Bag:
    return Bag(tile.face for meld in melds for tile in meld.tiles)


def _melds(plan: Plan, rules: RuleSet) -> tuple[Meld, ...]:
    """The melds of a plan, each joker with the face it stands for."""
    melds = []
    parts = plan.parts()
    for colour, first, places in parts.runs:
        tiles = [
            Tile(JOKER, face_at(colour, first + at)) if joker else Tile(face_at(colour, first + at))
            for at, joker in enumerate(places)
        ]
        melds.append(read_meld(tiles, rules))
    for number, colours, jokers in parts.groups:
        group = [Tile(Face(colour, number)) for colour in colours] + [Tile(JOKER)] * jokers
        melds.append(read_meld(group, rules))
    return tuple(meld for meld in melds if meld is not None)
