"""People at the table who saw what was played: they tap in what was said aloud, and answer what is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from companion.demo_players.judging import turns_of
from companion.table.inferring import Inferring
from companion.table.inputs import Post
from engine import commands as c
from engine.entries import write_command
from engine.infer.outcomes import folded
from engine.sim.trial import turns_in
from engine.state import new_game

if TYPE_CHECKING:
    from companion.table.core import Core
    from engine.sim.trial import Truth

NAMES: Final = ("Ana", "Dan", "Ioana", "Mihai")

ANSWER_S: Final = 2.0
"""Seconds until somebody answers a question."""


class People:
    """What people do on the page; `post` hands it over, `core` is the table as it is now."""

    def __init__(
        self,
        truth: Truth,
        *,
        core: Callable[[], Core],
        post: Callable[[Post], None],
        answer_s: float = ANSWER_S,
    ) -> None:
        self.answers: list[str] = []
        """What was asked, and the number of the answer."""
        self._truth, self._core, self._post, self._answer_s = truth, core, post, answer_s
        self._words: list[tuple[int, c.Command]] = []
        self._asked: tuple[int, float] | None = None

    def say(self, command: c.Command, turns: int) -> None:
        """What was said aloud after so many turns is tapped in once the game was followed so far."""
        self._words.append((turns, command))

    def count(self) -> None:
        """The game is put down."""
        self._do("count", {})

    def counted(self) -> bool:
        """Whether all racks have been counted."""
        return self._core().complete

    def tend(self, now: float) -> None:
        """Does what there is to do at a time in seconds; to be called again and again."""
        core = self._core()
        while self._words and core.state.phase == "play" and turns_of(core) >= self._words[0][0]:
            self._do("command", write_command(self._words.pop(0)[1]), anyway=True)
            core = self._core()
        question = core.question
        if question is None:
            self._asked = None
        elif self._asked is None or self._asked[0] != question.number:
            self._asked = question.number, now
        elif now - self._asked[1] >= self._answer_s:
            choice = right_choice(core, self._truth)
            self.answers.append(f"{question.text_en} {choice}")
            self._asked = question.number, now
            self._do("answer", {"number": question.number, "choice": choice})

    def _do(self, what: str, fields: Mapping[str, Any], *, anyway: bool = False) -> None:
        self._post(Post(what, dict(fields), None, anyway))


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
