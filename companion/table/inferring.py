"""`engine.infer` as the table's follower."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, cast

from companion.table import following as f
from engine.infer import follow as infer
from engine.infer import follower as said
from engine.infer.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.commands import Command
    from engine.infer.follower import Follower
    from engine.state import State
    from engine.table_reading import TableReading


@dataclass(frozen=True, slots=True)
class Inferring:
    """A game followed by `engine.infer`."""

    follower: Follower

    @property
    def state(self) -> State:
        """The game as far as it was followed."""
        return self.follower.state

    def observe(self, reading: TableReading) -> f.Told:
        """After one settled look more."""
        return _told(*infer.observe(self.follower, reading))

    def press(self, seat: int) -> f.Told:
        """After a seat has said that its turn is over."""
        return _told(*infer.press(self.follower, seat), by="button")

    def answer(self, number: int, choice: int | None) -> f.Told:
        """After the answer to a question."""
        return _told(*infer.answer(self.follower, number, choice))

    def adopt(self, commands: Sequence[Command]) -> f.Following:
        """After commands that stand in the journal already."""
        follower, _ = infer.adopt(self.follower, *commands)
        return Inferring(follower)

    def restart(self, state: State, log: Sequence[Command]) -> f.Following:
        """With another state under it; what was seen is kept."""
        return Inferring(infer.restart(self.follower, state, log))

    def ignore(self, keys: Sequence[int]) -> f.Following:
        """After somebody said that what lies there is no tile."""
        return Inferring(infer.ignore(self.follower, *keys))

    def count(self) -> f.Following:
        """When the game is put down."""
        return Inferring(infer.count(self.follower))


@dataclass(frozen=True, slots=True)
class NewInferring:
    """Makes followers; `buttons` says whether there are any, `places` where each seat sits (1, 2, ...)."""

    buttons: bool = False
    places: tuple[int, ...] = ()

    def __call__(self, state: State, log: Sequence[Command], *, commit: str) -> f.Following:
        """Who follows the game from this state on."""
        ends = cast("Literal['discard', 'button']", commit)
        settings = Settings(commit=ends, buttons=self.buttons, places=self.places)
        return Inferring(infer.restart(infer.follow(state, settings), state, log))


def _told(
    follower: Follower, outcomes: Iterable[said.Outcome], *, by: Literal["camera", "button"] = "camera"
) -> f.Told:
    return Inferring(follower), tuple(_outcome(one, by) for one in outcomes)


def _outcome(one: said.Outcome, by: Literal["camera", "button"]) -> f.Outcome:
    match one:
        case said.Committed():
            return f.Commit(one.commands, one.odds, by)
        case said.Corrected():
            return f.Correct(one.undo, one.commands, one.odds)
        case said.Asked():
            about = one.question.about
            options = tuple(
                f.Option(option.text_en, option.text_ro, option.share, option.keys)
                for option in about.candidates
            )
            return f.Ask(
                f.Question(one.question.number, about.kind, about.text_en, about.text_ro, options, about.keys)
            )
        case said.Withdrawn():
            return f.Withdraw(one.number)
        case said.Begun():
            return f.Begin(one.commands, one.reasons)
        case said.Lost():
            return f.Lose(
                tuple(
                    f.Differs(found.code, found.place, found.hint_en, found.hint_ro, found.key)
                    for found in one.desync.differences
                )
            )
        case said.Found():
            return f.Lose(())
        case said.Cleared():
            return f.Clear()
