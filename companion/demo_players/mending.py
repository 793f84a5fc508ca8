"""What an arbiter does who saw it all: undoes what was taken down wrongly, and enters what was played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from companion.demo_players.judging import turns_of
from companion.table.inputs import Post
from engine import commands as c
from engine.corrections import effective
from engine.entries import write_command

if TYPE_CHECKING:
    from companion.table.core import Core
    from engine.sim.trial import Truth
    from engine.state import State, TableMeld

_MOST: Final = 400
"""Batches of entries that are undone at most."""


def mend(truth: Truth, played: int, *, core: Callable[[], Core], post: Callable[[Post], None]) -> None:
    """Makes the companion's game what was played up to so many turns; `post` must be done when it returns."""
    for _ in range(_MOST):
        now = core()
        if not _entered(now) or truth.agrees(now.state, turns_of(now)):
            break
        before = now.history.last
        post(Post("undo", {"reason": "not what was played"}))
        if core().history.last == before:
            break
    for command, before_state in played_from(truth, _done(core()), played):
        post(Post("command", write_command(_named(command, before_state, core().state)), anyway=True))


def count_racks(truth: Truth, *, post: Callable[[Post], None]) -> None:
    """Enters what is on the racks at the end, for those that the camera cannot count."""
    shown = truth.game.history[-1][0]
    if isinstance(shown, c.Racks):
        post(Post("command", write_command(shown), anyway=True))


def _entered(core: Core) -> bool:
    return bool(effective(core.game.record).entries)


def _done(core: Core) -> int:
    """Turns that stand, -1 before the deal."""
    return turns_of(core) if _entered(core) else -1


def played_from(truth: Truth, done: int, played: int) -> list[tuple[c.Command, State]]:
    """What was played after so many turns until others, each with the state before it."""
    found: list[tuple[c.Command, State]] = []
    turns = -1
    before = truth.game.history[0][1]
    for command, after in truth.game.history:
        if isinstance(command, c.Racks) or turns >= played:
            break
        turn = max(turns, 0)
        if isinstance(command, c.Deal):
            turns = 0
            if done < 0:
                hands = tuple(hand if isinstance(hand, int) else len(hand) for hand in command.hands)
                found.append((replace(command, hands=hands), before))
        elif turn >= max(done, 0):
            known = c.Draw(command.seat, source=command.source) if isinstance(command, c.Draw) else command
            found.append((known, before))
        if isinstance(command, c.Discard | c.CloseTable):
            turns += 1
        before = after
    return found


def _named(command: c.Command, there: State, here: State) -> c.Command:
    """The command with the companion's names of melds, which counts those that were undone too."""
    if not isinstance(command, c.LayOff | c.Reclaim):
        return command
    meant = there.meld(command.meld)
    if meant is None:
        return command
    alike = [meld for meld in here.melds if _tiles(meld) == _tiles(meant)]
    owned = [meld for meld in alike if meld.seat == meant.seat] or alike
    return replace(command, meld=owned[0].id, new_id=None) if owned else command


def _tiles(meld: TableMeld) -> Counter[str]:
    return Counter(str(piece.tile) for piece in (*meld.pieces, *meld.beside))
