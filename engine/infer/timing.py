"""What the times at which tiles were first seen, and the presses, say of whose turn they belong to."""

from __future__ import annotations

from dataclasses import replace
from math import log
from typing import TYPE_CHECKING, Final

from engine.infer.settings import miss_cost

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.infer.deeds import Deed
    from engine.infer.plans import Scene
    from engine.infer.rows import Story

_ACT_SECONDS: Final = 2.0


def hurry(scene: Scene, story: Story, by_turn: Sequence[Sequence[Deed]]) -> tuple[float, float]:
    """The log chance that deeds were first seen no later than the discard that came before them; and the same
    where the last discard closed the game, so that what came after it are racks that were laid out.
    """
    chances, settings = scene.settings.chances, scene.settings
    total = closed = 0.0
    for at, turn in enumerate(story.turns, start=1):
        seen = turn.discard.first
        soon = [deed for deed in by_turn[at] if deed.slots and min(slot.first for slot in deed.slots) <= seen]
        if not soon:
            continue
        # Who was on turn before took his time too.
        acts = sum(bool(deed.slots) and _last(deed) == seen for deed in by_turn[at - 1])
        needed = settings.turn_seconds + _ACT_SECONDS * acts
        gap = max(slot.gap for deed in soon for slot in deed.slots)
        at_once = gap < needed or any(_last(deed) < seen for deed in soon)
        quick = log(chances.turn_at_once if at_once else chances.turn_unseen)
        # Or the discard was overlooked when they were seen already.
        overlooked = min(
            miss_cost(chances, seen - slot.first) if slot.first < seen else 0.0
            for deed in soon
            for slot in deed.slots
        )
        if at < len(story.turns) and (story.turns[at].discard.first <= seen or not scene.state.row):
            # Its own discard came into sight in the same look, or nobody had seen a row before: that two
            # turns came at once is counted with the row, and it is the row that was overlooked, once.
            shown_late = max(overlooked, log(chances.row_unseen))
            total += shown_late
            closed += shown_late
            continue
        total += quick + overlooked
        # Racks wait for nobody's turn.
        closed += overlooked if at == len(story.turns) else quick + overlooked
    return total, closed


def _last(deed: Deed) -> int:
    """The look that first saw the last of its tiles."""
    return max(slot.first for slot in deed.slots)


def timed(scene: Scene, story: Story) -> Story:
    """The story with what the times at which its discards were first seen say of it, and the presses."""
    chances, settings = scene.settings.chances, scene.settings
    total = _presses(scene, len(story.turns))
    before = scene.since
    for at, turn in enumerate(story.turns):
        total += log(chances.turn)
        if at and before is not None and turn.discard.first <= before.first:
            quick = turn.discard.gap < settings.turn_seconds
            total += log(chances.turn_at_once if quick else chances.turn_unseen)
        before = turn.discard
    return replace(story, score=story.score + total)


def _presses(scene: Scene, turns: int) -> float:
    if not scene.settings.buttons:
        return 0.0
    chances, state = scene.settings.chances, scene.state
    ended = {(state.turn.seat + turn) % state.seats for turn in range(turns)}
    total = log(chances.button_missed) * len(ended - scene.pressed)
    return total + log(chances.button_early) * len(scene.pressed - ended)
