"""What presses say of turns: pressed for and not seen, seen and not pressed for, pressed for in vain."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.infer.choosing import Choice
    from engine.infer.follower import Follower
    from engine.infer.memory import Slot
    from engine.infer.weighing import Weighed

_SEVERAL: Final = 2


def pressed_in_vain(follower: Follower, found: Sequence[Choice]) -> Follower:
    """The follower with a look more, where the player whose turn it is has pressed and no turn has ended."""
    if follower.state.turn.seat not in follower.pressed or not follower.settings.buttons:
        return replace(follower, silent=0)
    if unseen(follower) or (found and found[0].turned is not None):
        return follower
    return replace(follower, silent=follower.silent + 1)


def unseen(follower: Follower) -> bool:
    """Whether somebody has ended his turn with a discard that so many looks did not see.

    Another tile that comes then may be that of the next player.
    """
    return follower.silent >= follower.settings.desync_after


def unheard(follower: Follower, weighed: Weighed) -> bool:
    """Whether somebody pressed whose turn is not told: a turn may have passed unseen."""
    if not follower.settings.buttons:
        return False
    return bool(follower.pressed - {turned.seat for turned in weighed.found[0].turns})


def unpressed(follower: Follower, weighed: Weighed) -> bool:
    """Whether several turns passed at once and nobody pressed: they may be old tiles told again.

    Turns whose discards came one after the other since the last turn are new, and were only asked late.
    """
    settings = follower.settings
    if not settings.buttons:
        return False
    # Where a press ends a turn, that of the last one may be still to come.
    turns = weighed.found[0].turns[: None if settings.commit == "discard" else -1]
    if sum(turned.seat not in follower.pressed for turned in turns) < _SEVERAL:
        return False
    before = last_discard(follower)
    if before is None and follower.state.row:
        return True
    came = [before.first if before is not None else 0, *(t.discard.first for t in turns if t.discard)]
    return any(later <= sooner for sooner, later in pairwise(came))


def last_discard(follower: Follower) -> Slot | None:
    """The tile that ended the last turn, as it was seen; None where it is not known which it is."""
    links, row = follower.memory.row_links, follower.state.row
    return follower.memory.slots.get(links[len(row) - 1] or 0) if 0 < len(row) <= len(links) else None
