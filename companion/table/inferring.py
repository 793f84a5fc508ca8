"""`engine.infer` as the table's follower."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, cast

from companion.table import following as f
from engine.infer import follow as infer
from engine.infer.follower import Committed
from engine.infer.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.commands import Command
    from engine.infer.follower import Follower, Outcome
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
    follower: Follower, outcomes: Iterable[Outcome], *, by: Literal["camera", "button"] = "camera"
) -> f.Told:
    """`by` is what came in: a turn that a look tells is the camera's, though its player pressed before."""
    return Inferring(follower), tuple(
        replace(one, by=by) if isinstance(one, Committed) else one for one in outcomes
    )
