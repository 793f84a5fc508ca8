"""Looks and presses: what the follower makes of them becomes rows; pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.table.core import Core, Question, Setup, Work
from engine import commands as c
from engine.corrections import effective
from engine.entries import melds_named
from engine.infer import follower as f
from engine.lamps import Button
from engine.legal import is_legal
from engine.matches import next_dealer

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from random import Random

    from companion.table.following import Following
    from engine.lamps import ButtonPressed
    from engine.state import State
    from engine.table_reading import TableReading

ANNOUNCED_BY_BUTTON = ("atu", "double", "few", "table_game")
"""What the announce button may mean; spoiling a deal is said on the page."""


def looked(work: Work, reading: TableReading, random: Random) -> None:
    """One settled look. While the table pauses people may do with the tiles what they like."""
    core = replace(work.core, look=reading.number, reading=reading)
    work.core = core
    if core.history.paused or core.history.match_over:
        return
    follower, outcomes = core.follower.observe(reading)
    take(work, follower, outcomes, evidence={"look": reading.number}, random=random)


def pressed(work: Work, press: ButtonPressed, random: Random) -> None:
    """A button of a seat; one of a seat that does not play says nothing."""
    core = work.core
    if not 0 <= press.seat < core.state.seats:
        return
    match press.button:
        case Button.CALL:
            work.core = replace(core, calls=core.calls ^ {press.seat})
        case Button.END_TURN:
            end_turn(work, press.seat, random)
        case Button.ANNOUNCE:
            _announced(work, press.seat)


def end_turn(work: Work, seat: int, random: Random) -> None:
    """A seat says that its turn is over."""
    core = work.core
    if core.history.paused or core.history.match_over:
        return
    follower, outcomes = core.follower.press(seat)
    take(work, follower, outcomes, evidence={"look": core.look}, random=random)


def _announced(work: Work, seat: int) -> None:
    state = work.core.state
    if state.phase != "play" or work.core.history.paused:
        return
    may_mean = tuple(what for what in ANNOUNCED_BY_BUTTON if is_legal(state, c.Announce(seat, what)))
    if len(may_mean) != 1:
        work.core = replace(work.core, announcing=(seat, may_mean))
        return
    command = c.Announce(seat, may_mean[0])
    illegal, begun = work.core.illegal, work.core.begun
    work.play([command], actor="button")
    follower = work.core.follower.adopt([command])
    work.core = replace(work.core, follower=follower, illegal=illegal, begun=begun, announcing=None)


def take(
    work: Work,
    follower: Following,
    outcomes: Iterable[f.Outcome],
    *,
    random: Random,
    evidence: Mapping[str, Any] | None = None,
    actor: str | None = None,
) -> None:
    """What the follower says, in order; `actor` is who made it say so, where that is not the camera."""
    work.core = replace(work.core, follower=follower)
    for outcome in outcomes:
        match outcome:
            case f.Committed():
                seen = {**(evidence or {}), "odds": round(outcome.odds, 1)}
                work.play(outcome.commands, actor=actor or outcome.by, evidence=seen)
            case f.Corrected():
                seen = {**(evidence or {}), "odds": round(outcome.odds, 1)}
                _corrected(work, outcome, actor=actor or "camera", evidence=seen)
            case f.Asked():
                work.core = replace(work.core, question=_asked(outcome.question, work.core.state))
            case f.Withdrawn():
                question_now = work.core.question
                if question_now is not None and question_now.number == outcome.number:
                    work.core = replace(work.core, question=None)
            case f.Begun():
                seat = work.core.state.turn.seat
                illegal = frozenset({seat}) if outcome.reasons else work.core.illegal - {seat}
                work.core = replace(work.core, begun=outcome.commands, illegal=illegal)
            case f.Lost():
                work.core = replace(work.core, differs=outcome.desync.differences)
            case f.Found():
                work.core = replace(work.core, differs=())
            case f.Cleared():
                cleared(work, random)
    if work.rows and work.core.follower.state != work.core.state:
        work.refold()


def _asked(question: f.Question, state: State) -> Question:
    """A question as it is shown; its seat is whose turn it is."""
    about = question.about
    turn = state.turn.seat if state.phase == "play" else None
    return Question(
        question.number, about.kind, about.text_en, about.text_ro, about.candidates, about.keys, turn
    )


def _corrected(work: Work, outcome: f.Corrected, *, actor: str, evidence: Mapping[str, Any]) -> None:
    """The last commands are voided, and what was done instead is added."""
    game = work.core.game
    entries = effective(game.record).entries
    undone = entries[len(entries) - outcome.undo :] if outcome.undo else ()
    named = sum(melds_named(entry.event, entry.fields) for entry in undone)
    # To the follower the undone melds never were; in a record they keep their numbers.
    first = work.core.state.next_meld - named
    for entry in reversed(undone):
        said = {"target": entry.seq, "reason": "the table shows otherwise"}
        work.entry("void", said, actor=actor, evidence=evidence)
    work.refold_state()
    moved = {f"m{first + at}": f"m{work.core.state.next_meld + at}" for at in range(_melds(outcome.commands))}
    work.play([_renamed(command, moved) for command in outcome.commands], actor=actor, evidence=evidence)


def _melds(commands: Sequence[c.Command]) -> int:
    count = 0
    for command in commands:
        match command:
            case c.MeldDown(melds=melds):
                count += len(melds)
            case c.LayOff(splits=True) | c.Reclaim(into=(_, *_)):
                count += 1
            case _:
                pass
    return count


def _renamed(command: c.Command, moved: Mapping[str, str]) -> c.Command:
    if isinstance(command, c.LayOff | c.Reclaim) and command.meld in moved:
        return replace(command, meld=moved[command.meld])
    return command


def cleared(work: Work, random: Random) -> None:
    """The table is bare again: the next game begins, once nothing lacks of this one."""
    work.core = core = replace(work.core, cleared=True)
    match = core.match
    if core.complete and not core.history.match_over and (match is None or not match.over):
        work.new_game(dealer_after(core, work.setup, random))


def dealer_after(core: Core, setup: Setup, random: Random) -> int:
    """Who deals next (RULES.md, dealer)."""
    rules = core.state.rules
    return next_dealer(rules, len(setup.names), core.state.dealer, random)
