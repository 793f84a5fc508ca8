"""People at the table who saw what was played, and answer what the companion asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.table.inferring import Inferring
from engine import commands as c
from engine.infer.outcomes import folded
from engine.sim.trial import turns_in
from engine.state import new_game

if TYPE_CHECKING:
    from companion.table.core import Core
    from engine.sim.trial import Truth


def right_choice(core: Core, truth: Truth) -> int | None:
    """The number of the answer that is what was played, None where there is none such."""
    following = core.follower
    if not isinstance(following, Inferring) or following.follower.question is None:
        return None
    follower, about = following.follower, following.follower.question.about
    kept = follower.log[: len(follower.log) - about.undo]
    base = follower.state
    if about.undo:
        base = new_game(base.rules, base.seats, dealer=base.dealer, pack=base.pack)
        base, _ = folded(base, kept)
    for at, candidate in enumerate(about.candidates):
        first = candidate.commands[0] if candidate.commands else None
        if about.kind == "racks":
            fits = isinstance(first, c.Racks) and _racks_fit(first, truth)
        elif about.kind == "deal":
            dealt = truth.game.history[0][0]
            fits = isinstance(first, c.Deal) and isinstance(dealt, c.Deal) and first.atu == dealt.atu
        elif not candidate.commands:
            fits = False
        else:
            state, _ = folded(base, candidate.commands)
            fits = truth.agrees(state, turns_in((*kept, *candidate.commands)))
        if fits:
            return at
    return None


def _racks_fit(told: c.Racks, truth: Truth) -> bool:
    shown = truth.game.history[-1][0]
    if not isinstance(shown, c.Racks):
        return False
    racks = {seat: sorted(rack) for seat, rack in shown.racks}
    return all(sorted(rack) == racks.get(seat) for seat, rack in told.racks)
