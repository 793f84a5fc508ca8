"""The score of a game: for each seat its named lines, which add up to the result (RULES.md)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.melds import loose_value
from engine.values import opening_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.rules import RuleSet
    from engine.state import Closing, Piece, State, TableMeld

LINES = (
    "melded",
    "laid_off",
    "joker",
    "replaced_joker",
    "rack",
    "hand",
    "others_hands",
    "never_opened",
    "table_game_failed",
    "table_game",
    "closing",
    "closed_in_one_turn",
    "atu",
    "doubling",
    "fine",
    "ruling",
)
"""The name of every line there can be."""


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Points and what they are for; a line of an arbiter's has his reason too."""

    what: str
    points: int
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class SeatScore:
    """The result of one seat; not `complete` while a rack that counts has not been shown."""

    seat: int
    lines: tuple[ScoreLine, ...]
    complete: bool = True

    @property
    def total(self) -> int:
        """The sum of the lines."""
        return sum(line.points for line in self.lines)


def score(state: State) -> tuple[SeatScore, ...]:
    """The score of each seat; before the end of the game what each has on the table, and the atu."""
    table = _table_points(state)
    return tuple(_seat_score(state, seat, table[seat]) for seat in range(state.seats))


def _seat_score(state: State, seat: int, table: Counter[str]) -> SeatScore:
    lines = _game_lines(state, seat, table)
    complete = state.phase == "over" and all(line is not None for line in lines)
    known = [line for line in lines if line is not None and line.points]
    if factor := _factor(state, seat) - 1:
        known.append(ScoreLine("doubling", factor * sum(line.points for line in known)))
    rulings = [rule for rule in state.rulings if rule.seat == seat]
    if instead := [rule for rule in rulings if rule.replaces]:
        known = [ScoreLine("fine", instead[-1].points, instead[-1].reason)]
        complete = True
    known += [ScoreLine("ruling", rule.points, rule.reason) for rule in rulings if not rule.replaces]
    return SeatScore(seat, tuple(line for line in known if line.points), complete)


def _game_lines(state: State, seat: int, table: Counter[str]) -> list[ScoreLine | None]:
    """The lines before doubling; None for one that a rack not shown keeps open."""
    rules, player, closing = state.rules, state.players[seat], state.closing
    atu: list[ScoreLine | None] = [ScoreLine("atu", rules.atu_bonus)] if player.atu else []
    own: list[ScoreLine | None] = [ScoreLine(what, table[what]) for what in LINES if what in table]
    closer = closing is not None and closing.seat == seat
    if state.phase != "over":
        return own + atu
    if closing is not None and closer:
        if closing.table_game is not None:
            return _table_game_lines(state, closing) + atu
        return own + _closing_lines(state, closing) + atu
    if player.table_game and rules.has_table_games:
        return [ScoreLine("table_game_failed", -rules.table_game_failed_points), *atu]
    if not player.opened and rules.never_opened_points is not None:
        return [ScoreLine("never_opened", -rules.never_opened_points), *atu]
    rack = rack_value(state, seat)
    what = "rack" if rules.melds_score else "hand"
    return [*own, None if rack is None else ScoreLine(what, -rack), *atu]


def rack_value(state: State, seat: int) -> int | None:
    """What the tiles left on a rack take off; None where some of them are not known."""
    hand = state.players[seat].hand
    if hand.hidden:
        return None
    return sum(loose_value(face, state.rules) for face in hand.known)


def _closing_lines(state: State, closing: Closing) -> list[ScoreLine | None]:
    """What closing on the table brings (RULES.md, closing bonus, closed all 14 in one turn)."""
    rules = state.rules
    lines: list[ScoreLine | None] = [ScoreLine("closing", rules.closing_bonus)]
    if closing.one_turn:
        lines.append(ScoreLine("closed_in_one_turn", rules.one_turn_bonus))
    if rules.closing_takes_hands:
        hands = [rack_value(state, seat) for seat in range(state.seats) if seat != closing.seat]
        known = [hand for hand in hands if hand is not None]
        lines.append(ScoreLine("others_hands", sum(known)) if len(known) == len(hands) else None)
    return lines


def _table_game_lines(state: State, closing: Closing) -> list[ScoreLine | None]:
    """What closing on the rack brings: a fixed score, or the bonus and the value of the tiles."""
    lines: list[ScoreLine | None] = [ScoreLine("table_game", closing.points)]
    if closing.table_game not in state.rules.table_points():
        lines.append(ScoreLine("closing", state.rules.closing_bonus))
    return lines


def is_double_game(state: State) -> bool:
    """Whether the atu doubles every result (RULES.md, doubling)."""
    return state.rules.atu_doubles and state.atu is not None and state.atu.number in (0, 1)


def _factor(state: State, seat: int) -> int:
    if state.phase != "over":
        return 1
    factor = 2 if is_double_game(state) else 1
    closing = state.closing
    if closing is not None and closing.seat == seat and state.rules.closing_tile_doubles:
        factor *= 2 if closing.tile.number in (0, 1) else 1
    return factor


def _table_points(state: State) -> list[Counter[str]]:
    """What each seat's tiles on the table are worth at the end, by line (RULES.md, final value of tiles)."""
    points: list[Counter[str]] = [Counter() for _ in state.players]
    if state.rules.melds_score:
        for meld in state.melds:
            for seat, what, value in _meld_points(meld, state.rules):
                points[seat][what] += value
    return points


def _meld_points(meld: TableMeld, rules: RuleSet) -> Iterator[tuple[int, str, int]]:
    """Seat, line and value of each tile of a meld; tiles that are in no meld count as loose ones do."""
    faces = [face for piece in meld.pieces if (face := piece.tile.means) is not None]
    if meld.shape is not None:
        values = opening_values(meld.shape, faces, rules)
        for piece, face, value in zip(meld.pieces, faces, values, strict=True):
            one = rules.one_final_points if face.number == 1 else None
            yield _piece_points(piece, value if one is None else one, rules)
    for piece in meld.beside if meld.shape is not None else (*meld.pieces, *meld.beside):
        yield _piece_points(piece, loose_value(piece.tile.means or piece.tile.face, rules), rules)


def _piece_points(piece: Piece, value: int, rules: RuleSet) -> tuple[int, str, int]:
    """Whose points a tile on the table is, and in which line (RULES.md, joker, final value)."""
    if piece.tile.is_joker and rules.joker_final_points is not None:
        first = piece.credit if rules.joker_credit_first else None
        return piece.seat if first is None else first, "joker", rules.joker_final_points
    return piece.seat, piece.how, value
