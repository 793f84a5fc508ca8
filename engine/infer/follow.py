"""A table followed look by look: state, memory, half turns and open questions, as a pure fold."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from engine import commands as c
from engine.infer import playing, telling
from engine.infer.dealing import infer_deal
from engine.infer.differences import hidden, no_deal
from engine.infer.ending import infer_racks, not_counted
from engine.infer.follower import Cleared, Committed, Follower, Found, Outcome, Withdrawn
from engine.infer.memory import forgotten, remember, settled, without
from engine.infer.outcomes import Ambiguity, Candidate, Desync, Proposal, folded
from engine.infer.settings import Settings
from engine.infer.vouching import vouched_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.commands import Command
    from engine.infer.memory import Memory
    from engine.reasons import Reason
    from engine.state import State
    from engine.table_reading import TableReading
    from engine.tiles import Face


def follow(state: State, settings: Settings | None = None) -> Follower:
    """Who follows a game from this state on."""
    return Follower(state, settings or Settings())


def observe(
    follower: Follower, reading: TableReading, *, button: int | None = None
) -> tuple[Follower, tuple[Outcome, ...]]:
    """The follower after one settled look more, and what comes of it; `button` is a seat that pressed."""
    if button is not None:
        follower = _heard(follower, button)
    follower = replace(follower, memory=remember(follower.memory, reading, follower.settings))
    return _thought(follower)


def press(follower: Follower, seat: int) -> tuple[Follower, tuple[Outcome, ...]]:
    """The follower after a press of a seat's button: its turn is ended, if that is what is seen."""
    follower = _heard(follower, seat)
    if follower.settings.commit != "button" or follower.memory.number == 0:
        return follower, ()
    return playing.play(follower) if follower.state.phase == "play" else (follower, ())


def _heard(follower: Follower, seat: int) -> Follower:
    """The follower after a press, which may belong to a turn that was committed before it came."""
    if seat in follower.owed:
        return replace(follower, owed=follower.owed - {seat})
    return replace(follower, pressed=follower.pressed | {seat})


def count(follower: Follower) -> Follower:
    """The follower when the game is put down: racks are counted as soon as they are seen."""
    return replace(follower, counting=True, waited=0)


def _thought(follower: Follower) -> tuple[Follower, tuple[Outcome, ...]]:
    state = follower.state
    if over := hidden(follower.memory, follower.settings):
        others = tuple(one for one in follower.lost if one.code != "hidden")
        return telling.lose(follower, (*others, *over))
    if state.phase == "deal":
        return _waiting(follower, "deal")
    if state.phase == "over" or follower.counting:
        return _waiting(follower, "racks")
    follower, outcomes = playing.play(follower)
    if follower.state.phase == "over":
        follower = replace(follower, waited=0)
    return follower, outcomes


def _waiting(follower: Follower, what: Literal["deal", "racks"]) -> tuple[Follower, tuple[Outcome, ...]]:
    """The deal, or the racks at the end."""
    state, memory, settings = follower.state, follower.memory, follower.settings
    if memory.covered:
        return follower, ()
    follower = replace(follower, waited=follower.waited + 1)
    infer = infer_deal if what == "deal" else infer_racks
    found = infer(state, memory, settings, waited=follower.waited)
    if what == "racks" and state.phase == "over" and not follower.cleared and _bare(memory, settings.looks):
        return replace(follower, cleared=True), (Cleared(),)
    if isinstance(found, Desync):
        return telling.lose(follower, found.differences)
    refused = isinstance(found, Ambiguity) and telling.signature(found) in follower.refused
    if refused and follower.question is None:
        # It was asked, and it was none of that: somebody has to enter it, or to lay it otherwise.
        return telling.lose(follower, (no_deal(),) if what == "deal" else not_counted(state))
    follower, agrees = _racks_agree(follower)
    outcomes: list[Outcome] = [*agrees]
    if isinstance(found, Proposal):
        if follower.question is not None:
            outcomes.append(Withdrawn(follower.question.number))
        follower, reasons = _done(follower, found.commands)
        follower = replace(follower, question=None, waited=0, counting=False)
        return follower, (*outcomes, Committed(found.commands, reasons, found.odds))
    if isinstance(found, Ambiguity) and follower.question is None:
        follower, asked = telling.ask(follower, found)
        return follower, (*outcomes, *asked)
    return follower, tuple(outcomes)


def _racks_agree(follower: Follower) -> tuple[Follower, tuple[Outcome, ...]]:
    """The follower without what it had against racks, and of zones that were hidden; all else stays."""
    left = tuple(one for one in follower.lost if one.code != "hidden" and not one.place.startswith("rack "))
    if left == follower.lost:
        return follower, ()
    return replace(follower, lost=left), () if left else (Found(),)


def _bare(memory: Memory, looks: int) -> bool:
    """Whether so many looks running saw neither row nor melds; tiles are remembered for longer than that."""
    lay = [*memory.row, *(slot for group in memory.groups for slot in group.slots)]
    return all(memory.slots[slot].misses >= looks for slot in lay)


def _done(follower: Follower, commands: tuple[Command, ...]) -> tuple[Follower, tuple[Reason, ...]]:
    state, reasons = folded(follower.state, commands)
    return replace(follower, state=state, log=(*follower.log, *commands)), reasons


def answer(
    follower: Follower, number: int, choice: int | tuple[Command, ...] | None
) -> tuple[Follower, tuple[Outcome, ...]]:
    """The follower after the answer to a question: one of its candidates, commands, or None of them.

    A question that is open no more changes nothing.
    """
    question = follower.question
    if question is None or question.number != number:
        return follower, ()
    about = question.about
    heard = follower.pressed
    follower = replace(follower, question=None, doubted=0, waited=0, revised=0, silent=0, pressed=frozenset())
    gone = Withdrawn(number)
    if choice is None:
        refused = follower.refused | {telling.signature(about)}
        return replace(follower, refused=refused), (gone,)
    if isinstance(choice, tuple):
        if about.undo:
            follower, more = playing.replaced(follower, about.undo, choice, by="arbiter")
        else:
            follower, more = adopt(follower, *choice)
        return follower, (gone, *more)
    candidate = about.candidates[choice]
    follower = replace(follower, memory=settled(follower.memory, candidate.faces))
    if about.undo and not playing.same_effect(follower, about.undo, candidate.commands):
        follower, more = playing.replaced(
            follower, about.undo, candidate.commands, by="arbiter", links=candidate.row_links
        )
    elif about.undo:
        follower, more = replace(follower, checkpoints=()), ()
    elif not candidate.commands:
        follower, more = ignore(follower, *candidate.keys), ()
    else:
        # Who pressed meanwhile has ended a turn that comes after the one that was asked.
        follower, more = _taken_over(replace(follower, pressed=heard), candidate)
    return follower, (gone, *more)


def _taken_over(follower: Follower, candidate: Candidate) -> tuple[Follower, tuple[Outcome, ...]]:
    follower, reasons = _done(follower, candidate.commands)
    memory = without(follower.memory, candidate.gone)
    if candidate.row_links:
        memory = replace(memory, row_links=candidate.row_links)
    seats = {command.seat for command in candidate.commands if isinstance(command, c.Discard)}
    follower = replace(
        follower, memory=memory, checkpoints=(), pressed=follower.pressed - seats, counting=False
    )
    return follower, (Committed(candidate.commands, reasons, by="arbiter"),)


def adopt(follower: Follower, *commands: Command) -> tuple[Follower, tuple[Outcome, ...]]:
    """The follower after commands that somebody else says were done: what was announced, or a correction."""
    before = follower.state
    follower, reasons = _done(follower, commands)
    memory, same = follower.memory, _same(before.row, follower.state.row)
    if follower.state.row != before.row:
        memory = replace(memory, row_links=memory.row_links[:same])
    vouched = vouched_by(follower.vouched, before, follower.state, row_from=same, at=memory.number)
    moved = before.turn != follower.state.turn or before.melds != follower.state.melds
    checkpoints = () if moved else follower.checkpoints
    # Whose turn was told has pressed for it, if at all.
    pressed = follower.pressed - {command.seat for command in commands if isinstance(command, c.Discard)}
    follower = replace(
        follower,
        memory=memory,
        checkpoints=checkpoints,
        doubted=0,
        revised=0,
        silent=0,
        pressed=pressed,
        vouched=vouched,
    )
    return follower, (Committed(commands, reasons, by="arbiter"),)


def _same(row: Sequence[Face], other: Sequence[Face]) -> int:
    """How many tiles two rows have in common from the first on."""
    at = 0
    while at < min(len(row), len(other)) and row[at] == other[at]:
        at += 1
    return at


def restart(follower: Follower, state: State, log: Iterable[Command]) -> Follower:
    """The follower with another state under it (a record that was corrected); what was seen is kept, and what
    is known of the tiles of row and melds that both states have.
    """
    before, memory = follower.state, follower.memory
    same = _same(before.row, state.row)
    were = {meld.id: meld for meld in before.melds}
    melds = {meld.id for meld in state.melds if were.get(meld.id) == meld}
    memory = replace(
        memory,
        row_links=memory.row_links[:same],
        meld_links={name: links for name, links in memory.meld_links.items() if name in melds},
    )
    return replace(
        follower, state=state, log=tuple(log), memory=memory, checkpoints=(), question=None, doubted=0,
        revised=0, waited=0, pressed=frozenset(), owed=frozenset(), vouched=None, silent=0,
    )  # fmt: skip


def ignore(follower: Follower, *keys: int) -> Follower:
    """The follower after somebody said that what lies there under these keys is no tile."""
    return replace(follower, memory=forgotten(follower.memory, keys))
