"""What the table needs of whoever follows the game by looks and presses; what it says is `engine.infer`'s."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from engine.commands import Command
    from engine.infer.follower import Outcome
    from engine.state import State
    from engine.table_reading import TableReading


Told = tuple["Following", tuple["Outcome", ...]]


class Following(Protocol):
    """Follows one game. Immutable: each call gives the follower after it."""

    @property
    def state(self) -> State:
        """The game as far as it was followed."""
        ...

    def observe(self, reading: TableReading) -> Told:
        """After one settled look more."""
        ...

    def press(self, seat: int) -> Told:
        """After a seat has said that its turn is over."""
        ...

    def answer(self, number: int, choice: int | None) -> Told:
        """After the answer to a question: one of its options, None for none of them."""
        ...

    def adopt(self, commands: Sequence[Command]) -> Following:
        """After commands that somebody else entered; they stand in the journal already."""
        ...

    def restart(self, state: State, log: Sequence[Command]) -> Following:
        """With another state under it, of which `log` are the commands; what was seen is kept."""
        ...

    def ignore(self, keys: Sequence[int]) -> Following:
        """After somebody said that what lies there under these keys is no tile."""
        ...

    def count(self) -> Following:
        """When the game is put down: racks are counted as soon as they are seen."""
        ...


class NewFollower(Protocol):
    """Makes the follower of a game from this state on, of which `log` are the commands."""

    def __call__(self, state: State, log: Sequence[Command], *, commit: str) -> Following:
        """Who follows it; `commit` says what ends a turn, `button` or `discard`."""
        ...


class ByHand:
    """Follows nothing: the game is entered on the page, as where there is no camera."""

    def __init__(self, state: State) -> None:
        self._state = state

    @property
    def state(self) -> State:
        """The state it was given."""
        return self._state

    def observe(self, reading: TableReading) -> Told:  # noqa: ARG002
        """Sees nothing."""
        return self, ()

    def press(self, seat: int) -> Told:  # noqa: ARG002
        """Knows of nothing that a press could end."""
        return self, ()

    def answer(self, number: int, choice: int | None) -> Told:  # noqa: ARG002
        """Never asked."""
        return self, ()

    def adopt(self, commands: Sequence[Command]) -> Following:
        """Takes them over."""
        from engine.decide import happened

        state = self._state
        for command in commands:
            state, _ = happened(state, command)
        return ByHand(state)

    def restart(self, state: State, log: Sequence[Command]) -> Following:  # noqa: ARG002
        """Goes on from there."""
        return ByHand(state)

    def ignore(self, keys: Sequence[int]) -> Following:  # noqa: ARG002
        """Saw nothing anyhow."""
        return self

    def count(self) -> Following:
        """Counts nothing."""
        return self


def by_hand(state: State, log: Sequence[Command], *, commit: str) -> Any:  # noqa: ARG001
    """The follower of a table without a camera."""
    return ByHand(state)
