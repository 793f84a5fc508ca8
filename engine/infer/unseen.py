"""A discard that the next player took before any look: what he put down tells that it may have been."""

from __future__ import annotations

from dataclasses import replace
from math import log
from typing import TYPE_CHECKING, Final

from engine import commands as c
from engine.decide import judge
from engine.evolve import evolve
from engine.infer.plans import Turned

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.infer.memory import Memory
    from engine.infer.plans import Hypothesis
    from engine.infer.settings import Settings
    from engine.state import State
    from engine.tiles import Face

_MOST_FACES: Final = 8


def taken_unseen(
    best: Hypothesis,
    state: State,
    memory: Memory,
    settings: Settings,
    pressed: frozenset[int],
    weigh: Callable[[State, Memory, frozenset[int]], tuple[Hypothesis, ...]],
) -> Iterator[Hypothesis]:
    """Explanations in which the turn that is on has ended with a discard that nobody saw, for the next player
    took it at once; `best` is the likeliest without such a thing, `weigh` explains what came after.

    They are asked for only where the next player's tiles were seen no later than the discard that would end
    this turn, and where there was time for a turn between two looks.
    """
    seat = state.turn.seat
    faces = _faces(best, state, settings)
    for face in faces:
        ended = _ended(state, face)
        if ended is None:
            continue
        row = len(state.row)
        links = [*memory.row_links, *[None] * row][:row]
        score = log(settings.chances.turn) + log(settings.chances.turn_unseen) - log(len(faces))
        if settings.buttons and seat not in pressed:
            score += log(settings.chances.button_missed)
        told = weigh(ended.state, replace(memory, row_links=(*links, None)), pressed - {seat})
        for one in told:
            if one.turns and _takes(one.turns[0], row):
                yield replace(one, score=one.score + score, turns=(ended, *one.turns), unseen=True)


def _faces(best: Hypothesis, state: State, settings: Settings) -> list[Face]:
    """The tiles of the next player, put down so soon that one of them may have been a discard just before."""
    if state.phase != "play" or not best.turns or best.turns[0].discard is None:
        return []
    discard = best.turns[0].discard
    mine = {slot.id for slot in best.turns[0].slots}
    following = settings.place((state.turn.seat + 1) % state.seats)
    found: dict[Face, None] = {}
    for deed in best.deeds:
        if deed.kind == "loose" or not deed.slots or min(slot.first for slot in deed.slots) > discard.first:
            continue
        if any(slot.id in mine for slot in deed.slots) and (deed.kind != "meld" or deed.place != following):
            continue
        if max(discard.gap, *(slot.gap for slot in deed.slots)) >= settings.turn_seconds:
            found.update((tile.face, None) for tile in deed.tiles if not tile.is_joker)
    return list(found)[:_MOST_FACES]


def _ended(state: State, face: Face) -> Turned | None:
    """The turn that is on, ended with this tile as the rules allow it; None where they do not."""
    seat, after = state.turn.seat, state
    commands: list[c.Command] = [] if state.turn.drew else [c.Draw(seat, source="wall")]
    commands.append(c.Discard(seat, face))
    for command in commands:
        judgement = judge(after, command)
        if judgement.event is None or judgement.reasons:
            return None
        after = evolve(judgement.event, after)
    return Turned(seat, tuple(commands), (), after, (), None) if after.phase == "play" else None


def _takes(turned: Turned, place: int) -> bool:
    """Whether a turn took the row's last tile, in this place, and nothing before it."""
    first = turned.commands[0]
    return isinstance(first, c.Take) and first.start == place
