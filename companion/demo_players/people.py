"""People at the table who saw what was played: they tap in what was said aloud, and answer what is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from companion.demo_players.judging import turns_of
from companion.demo_players.mending import count_racks, mend
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

MEND_S: Final = 8.0
"""Seconds for which the table may show a difference until the arbiter sets right what is wrong."""

LATE_S: Final = 20.0
"""The same where it only waits for the last turn: the next one may show what it was."""


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
        self._said: list[tuple[int, c.Command]] = []
        self._wrong_since: float | None = None
        self._no_answer = False
        self.corrections = 0
        """How often the arbiter set right what the companion had shown to be in doubt."""
        self._played = 0

    def turned(self, turns: int) -> None:
        """So many turns have been played."""
        self._played = turns

    def say(self, command: c.Command, turns: int) -> None:
        """What was said aloud after so many turns is tapped in once the game was followed so far."""
        self._words.append((turns, command))
        self._said.append((turns, command))

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
            self._no_answer = choice is None
            self._do("answer", {"number": question.number, "choice": choice})
        self._mend(now)

    def _mend(self, now: float) -> None:
        """The arbiter sets right what is wrong, once the companion has said that something is."""
        core = self._core()
        turns = turns_of(core)
        right = not core.game.record.entries or self._truth.agrees(core.state, turns)
        if right:
            self._no_answer = False
        behind = self._played - turns
        racks = [one for one in core.differs if one.place.startswith("rack ")]
        uncounted = bool(right and racks and core.state.phase == "over")
        if (right and behind <= 0 and not uncounted) or not (core.differs or self._no_answer):
            self._wrong_since = None
            return
        patience = LATE_S if right and behind == 1 else MEND_S
        if self._wrong_since is None:
            self._wrong_since = now
        elif now - self._wrong_since >= patience:
            self._wrong_since, self._no_answer = None, False
            self.corrections += 1
            if uncounted:
                count_racks(self._truth, post=self._post)
            else:
                mend(self._truth, self._played, core=self._core, post=self._post)
            # What was said since may have been undone too.
            self._words = [one for one in self._said if one[0] == self._played]

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
