"""The referee's answer to a command: events, or a refusal; and a record's, where what was done is done."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from engine import commands as c
from engine.evolve import evolve
from engine.judge_end import judge_close_table, judge_discard, judge_racks, judge_rule, judge_wall_empty
from engine.judge_row import judge_draw, judge_take
from engine.judge_start import judge_announce, judge_deal, judge_swap
from engine.judge_table import judge_lay_off, judge_melds, judge_reclaim
from engine.refusals import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.events import Event
    from engine.judging import Judgement
    from engine.reasons import Reason
    from engine.state import State


def judge(state: State, command: c.Command) -> Judgement:  # noqa: PLR0912  one arm a command
    """All that is against a command, and the event it is if it is done."""
    match command:
        case c.Deal():
            return judge_deal(state, command)
        case c.Announce():
            return judge_announce(state, command)
        case c.SwapDoubles():
            return judge_swap(state, command)
        case c.Draw():
            return judge_draw(state, command)
        case c.Take():
            return judge_take(state, command)
        case c.MeldDown():
            return judge_melds(state, command)
        case c.LayOff():
            return judge_lay_off(state, command)
        case c.Reclaim():
            return judge_reclaim(state, command)
        case c.Discard():
            return judge_discard(state, command)
        case c.CloseTable():
            return judge_close_table(state, command)
        case c.WallEmpty():
            return judge_wall_empty(state)
        case c.Racks():
            return judge_racks(state, command)
        case c.Rule():
            return judge_rule(state, command)
        case _:
            assert_never(command)


def decide(state: State, command: c.Command) -> tuple[Event, ...] | Refusal:
    """The events that a command leads to, or all that is against it; a refused command changes nothing."""
    judgement = judge(state, command)
    if judgement.reasons or judgement.event is None:
        return Refusal(judgement.reasons)
    return (judgement.event,)


def fold(state: State, events: Iterable[Event]) -> State:
    """The state after these events."""
    for event in events:
        state = evolve(event, state)
    return state


def happened(state: State, command: c.Command) -> tuple[State, tuple[Reason, ...]]:
    """The state after a command that was done, allowed or not, and all that was against it.

    What cannot have happened has no effect (the codes of `engine.refusals.IMPOSSIBLE`).
    """
    judgement = judge(state, command)
    if judgement.event is None:
        return state, judgement.reasons
    return evolve(judgement.event, state), judgement.reasons
