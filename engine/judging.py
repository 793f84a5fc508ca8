"""What every command is asked: is it the player's turn, and can the tiles be where it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.bags import Bag
from engine.refusals import refuse
from engine.state import all_seen

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.events import Event
    from engine.reasons import Reason
    from engine.state import State
    from engine.tiles import Face


@dataclass(frozen=True, slots=True)
class Judgement:
    """What is against a command, and what comes of it if it is done all the same.

    `event` is None where it cannot have been done (a third red 7, a tile that is not there).
    """

    event: Event | None
    reasons: tuple[Reason, ...] = ()


def impossible(reasons: Iterable[Reason]) -> Judgement:
    """The judgement that nothing of this can have happened."""
    return Judgement(None, tuple(reasons))


def out_of_game(state: State, *seats: int) -> list[Reason]:
    """What makes any play impossible: no deal, a game that is over, a seat that does not exist."""
    if reasons := [refuse("no_such_seat", seat=seat) for seat in seats if not 0 <= seat < state.seats]:
        return reasons
    if state.phase == "deal":
        return [refuse("no_deal")]
    return [refuse("game_over")] if state.phase == "over" else []


def out_of_turn(state: State, seat: int, *, drawn: bool) -> list[Reason]:
    """What breaks the order of a turn; `drawn`: whether this comes after its draw, or is it."""
    reasons = []
    # Who has put down his last tile has nothing left to end his turn with.
    stuck = state.started and not len(state.players[state.turn.seat].hand)
    if state.turn.seat != seat and not (stuck and state.after(state.turn.seat) == seat):
        reasons.append(refuse("not_your_turn", turn=state.turn.seat, seat=seat))
    if state.turn_of(seat).drew != drawn:
        reasons.append(refuse("draw_first" if drawn else "drew_already"))
    return reasons


def beyond_set(state: State, revealed: Bag) -> list[Reason]:
    """What is against so many tiles more being seen: no set has a third red 7."""
    if not revealed:
        return []
    seen = dict(revealed.items())
    for face in all_seen(state):
        if face in seen:
            seen[face] += 1
    over = Bag.of({face: max(0, count - state.full.count(face)) for face, count in seen.items()})
    return [refuse("more_than_the_set", over)] if over else []


def cannot_leave(state: State, seat: int, faces: Iterable[Face]) -> list[Reason]:
    """What is against these tiles coming off this rack; empty where they can."""
    hand = state.players[seat].hand
    revealed = hand.revealed_by(Bag(faces))
    reasons = beyond_set(state, revealed)
    if not reasons and len(revealed) > hand.hidden:
        reasons.append(refuse("tile_not_there", revealed))
    return reasons


def rest_of_rack(state: State, seat: int, gone: int) -> list[Reason]:
    """What is against a rack with so many tiles gone: the last one is needed to close (RULES.md, close)."""
    return [] if len(state.players[seat].hand) - gone >= 1 else [refuse("no_tile_to_discard")]
