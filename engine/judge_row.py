"""How a turn begins: a draw from the wall, the atu, or tiles out of the discard row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.bags import Bag
from engine.events import Drawn, Taken
from engine.judging import Judgement, beyond_set, impossible, out_of_game, out_of_turn
from engine.refusals import refuse
from engine.tiles import Tile

if TYPE_CHECKING:
    from engine.commands import Draw, Take
    from engine.reasons import Reason
    from engine.state import Owes, State


def judge_draw(state: State, draw: Draw) -> Judgement:
    """RULES.md, drawing order, close, wall left."""
    if wrong := out_of_game(state, draw.seat):
        return impossible(wrong)
    from_atu = draw.source == "atu"
    if from_atu:
        if state.atu_place not in ("wall", "aside"):
            return impossible([refuse("atu_not_there")])
        if state.atu and draw.tile and state.atu != draw.tile:
            return impossible([refuse("atu_not_there", [draw.tile])])
    elif not state.wall.drawable:
        return impossible([refuse("nothing_to_draw")])
    face = (state.atu or draw.tile) if from_atu else draw.tile
    new = Bag([face] if face and not (from_atu and state.atu) else [])
    if wrong := beyond_set(state, new):
        return impossible(wrong)
    reasons = out_of_turn(state, draw.seat, drawn=False)
    if from_atu and not state.rules.atu_closes:
        reasons.append(refuse("atu_not_drawn"))
    return Judgement(Drawn(draw.seat, face, from_atu), tuple(reasons))


def judge_take(state: State, take: Take) -> Judgement:
    """RULES.md, first discard, taking the last discard, break the row, tiles left restrict taking."""
    if wrong := out_of_game(state, take.seat):
        return impossible(wrong)
    last = len(state.row) - 1
    if not 0 <= take.start <= last:
        return impossible([refuse("no_such_place", place=take.start, length=last + 1)])
    rest = state.row[take.start :]
    whole = state.rules.break_row == "rest"
    expected = rest if whole else rest[:1]
    places = _places(state, take)
    if places is None:
        shown = " ".join(map(str, rest))
        return impossible([refuse("row_differs", take.tiles, place=take.start, row=shown)])
    reasons = out_of_turn(state, take.seat, drawn=False)
    if state.rules.wall_end == "end" and not state.wall.drawable:
        reasons.append(refuse("wall_ended"))
    can_break = state.rules.break_row != "no" or take.start == last
    if len(places) != len(expected) and can_break:
        code = "break_takes_rest" if whole else "break_takes_one"
        reasons.append(refuse(code, take.tiles, first=rest[0], row=" ".join(map(str, rest))))
    reasons += _not_allowed(state, take)
    return Judgement(Taken(take.seat, places, _owes(state, take)), tuple(reasons))


def _places(state: State, take: Take) -> tuple[int, ...] | None:
    """The places in the row of what was taken; None where the row does not show these tiles there."""
    if not take.tiles:
        end = len(state.row) if state.rules.break_row == "rest" else take.start + 1
        return tuple(range(take.start, end))
    wanted = list(take.tiles)
    places = []
    for place in range(take.start, len(state.row)):
        if state.row[place] in wanted:
            wanted.remove(state.row[place])
            places.append(place)
        elif place == take.start:
            return None
    return None if wanted else tuple(places)


def _not_allowed(state: State, take: Take) -> list[Reason]:
    """What the clauses have against taking from this place of the row now."""
    rules, player = state.rules, state.players[take.seat]
    last, left = take.start == len(state.row) - 1, state.turn_of(take.seat).rack
    reasons: list[Reason] = []
    if take.start == 0 and state.dead_first:
        reasons.append(refuse("first_discard_dead", [state.row[0]]))
    if left < rules.take_rack_min:
        reasons.append(refuse("take_few_tiles", left=left))
    if not player.opened:
        closed_to_all = not rules.take_in_first_round
        cannot_open = rules.take_before_opening == "to_open" and not rules.open_in_first_round
        if player.turns == 0 and (closed_to_all or cannot_open):
            reasons.append(refuse("take_in_first_round"))
        if not last and not rules.break_before_opening:
            reasons.append(refuse("take_only_last"))
    if not last and rules.break_row == "no":
        reasons.append(refuse("no_breaking"))
    elif not last and left < rules.break_rack_min and left >= rules.take_rack_min:
        reasons.append(refuse("break_few_tiles", needed=rules.break_rack_min, left=left))
    return reasons


def _owes(state: State, take: Take) -> Owes | None:
    """How the first tile taken must be used in this turn."""
    rules, player = state.rules, state.players[take.seat]
    if not player.opened and rules.take_before_opening == "to_open":
        return "opening"
    if take.start < len(state.row) - 1:
        return "meld"
    return "table" if rules.taken_last_is_used and player.opened else None


def still_owed(state: State, seat: int) -> list[Reason]:
    """What a turn has not done yet with the tile taken from the row."""
    turn, player = state.turn_of(seat), state.players[seat]
    if turn.owed is None or turn.owes is None:
        return []
    if turn.owes == "opening" and player.table_game and state.rules.table_game_takes:
        return []
    return [refuse(f"owed_{turn.owes}", [Tile(turn.owed)])]
