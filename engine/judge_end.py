"""How turns and games end: discards, closing on the rack, an empty wall, racks shown, an arbiter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.bags import Bag
from engine.events import Discarded, GameEnded, RacksShown, Ruled, TableShown, WallRebuilt
from engine.judge_row import still_owed
from engine.judging import Judgement, cannot_leave, impossible, out_of_game, out_of_turn
from engine.refusals import refuse
from engine.state import Closing, on_table
from engine.table_games import CLOSED, closed_value, is_played, is_table_game

if TYPE_CHECKING:
    from engine.commands import CloseTable, Discard, Racks, Rule
    from engine.reasons import Reason
    from engine.state import State
    from engine.tiles import Face


def judge_discard(state: State, discard: Discard) -> Judgement:
    """RULES.md, tiles on the rack after a turn, close, and what a turn still owes."""
    seat, rules = discard.seat, state.rules
    if wrong := out_of_game(state, seat) or cannot_leave(state, seat, [discard.tile]):
        return impossible(wrong)
    left = len(state.players[seat].hand) - 1
    reasons = [*out_of_turn(state, seat, drawn=True), *still_owed(state, seat)]
    if rules.rack_max is not None and left > rules.rack_max:
        reasons.append(refuse("rack_too_full", left=left, most=rules.rack_max))
    if state.turn_of(seat).from_atu and left:
        reasons.append(refuse("atu_must_close"))
    if discard.closes and left:
        reasons.append(refuse("rack_not_empty", left=left))
    closing = None
    if not left:
        if not state.players[seat].opened:
            reasons.append(refuse("not_opened"))
        closing = Closing(seat, discard.tile, state.turn_of(seat).opened)
    return Judgement(Discarded(seat, discard.tile, closing), tuple(reasons))


def judge_close_table(state: State, command: CloseTable) -> Judgement:
    """RULES.md, table games."""
    seat, rules, kind = command.seat, state.rules, command.kind
    shown = [tile.face for meld in command.melds for tile in meld]
    if wrong := out_of_game(state, seat) or cannot_leave(state, seat, [*shown, command.tile]):
        return impossible(wrong)
    player = state.players[seat]
    reasons = out_of_turn(state, seat, drawn=True)
    valid = False
    if not is_played(kind, rules):
        reasons.append(refuse("no_such_table_game", kind=kind))
    else:
        valid = is_table_game(kind, command.melds, rules) and not player.opened
        if player.opened:
            reasons.append(refuse("table_game_after_opening"))
        elif not valid:
            reasons.append(refuse("not_this_table_game", shown, kind=kind))
        if kind != CLOSED and not player.table_game:
            reasons.append(refuse("table_game_not_announced"))
    left = len(player.hand) - len(shown) - 1
    if valid and left:
        reasons.append(refuse("rack_not_empty", left=left))
        valid = False
    turn = state.turn_of(seat)
    if turn.owes == "meld" or (turn.owed and turn.owed not in shown):
        reasons += still_owed(state, seat)
    if not valid:
        return Judgement(TableShown(seat, tuple(shown), command.tile, None), tuple(reasons))
    points = closed_value(command.melds, rules) if kind == CLOSED else rules.table_points()[kind] or 0
    closing = Closing(seat, command.tile, one_turn=False, table_game=kind, points=points)
    return Judgement(TableShown(seat, tuple(shown), command.tile, closing), tuple(reasons))


def judge_wall_empty(state: State) -> Judgement:
    """RULES.md, wall empty."""
    if wrong := out_of_game(state):
        return impossible(wrong)
    if state.wall.drawable:
        return impossible([refuse("wall_not_empty", left=state.wall.drawable)])
    if state.rules.wall_end == "rebuild" and len(state.row) > state.dead_first:
        return Judgement(WallRebuilt())
    return Judgement(GameEnded())


def judge_racks(state: State, command: Racks) -> Judgement:
    """What could not be checked while racks were hidden is checked here."""
    wrong = [refuse("no_such_seat", seat=seat) for seat, _ in command.racks if not 0 <= seat < state.seats]
    if wrong:
        return impossible(wrong)
    if state.phase == "deal":
        return impossible([refuse("no_deal")])
    racks = dict(command.racks)
    others = (player.hand.known for seat, player in enumerate(state.players) if seat not in racks)
    seen = Bag([*on_table(state), *(face for known in others for face in known)])
    if over := (seen + Bag(face for rack in racks.values() for face in rack)).beyond(state.full):
        return impossible([refuse("more_than_the_set", over)])
    if surplus(state, command) > state.astray + state.wall.drawable:
        return impossible([refuse("more_than_the_wall")])
    reasons: list[Reason] = []
    for seat, rack in racks.items():
        hand = state.players[seat].hand
        if len(rack) != len(hand):
            reasons.append(refuse("rack_count", seat=seat, given=len(rack), right=len(hand)))
        if gone := hand.known.beyond(Bag(rack)):
            reasons.append(refuse("rack_differs", gone, seat=seat))
    if state.closing is not None:
        # All that the closer had lies open, whether his empty rack is named or not.
        racks.setdefault(state.closing.seat, ())
    false_atu = tuple(seat for seat, rack in racks.items() if _never_had_atu(state, seat, rack))
    reasons += [refuse("atu_was_not_held", [state.atu] if state.atu else [], seat=seat) for seat in false_atu]
    return Judgement(RacksShown(command, false_atu), tuple(reasons))


def surplus(state: State, command: Racks) -> int:
    """How many tiles more the racks show than they should hold."""
    return sum(len(rack) - len(state.players[seat].hand) for seat, rack in dict(command.racks).items())


def _never_had_atu(state: State, seat: int, rack: tuple[Face, ...]) -> bool:
    """Whether an announcement of the atu is shown to be false: the tile is on no rack it can have come to.

    One that he discarded, or may have swapped away, leaves it open.
    """
    player = state.players[seat]
    if not player.atu or state.atu is None or player.parted_with_atu:
        return False
    own = [
        piece.tile.face
        for meld in state.melds
        for piece in (*meld.pieces, *meld.beside)
        if piece.seat == seat
    ]
    if state.closing is not None and state.closing.seat == seat:
        own += [*state.shown, state.closing.tile]
    return state.atu not in [*own, *rack]


def judge_rule(state: State, rule: Rule) -> Judgement:
    """An arbiter's decision needs no clause, only a seat."""
    if not 0 <= rule.seat < state.seats:
        return impossible([refuse("no_such_seat", seat=rule.seat)])
    return Judgement(Ruled(rule))
