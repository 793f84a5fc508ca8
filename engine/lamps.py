"""What the lamp of each seat says, and what its buttons mean: a projection of the state, whole every time."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from engine.state import State

HURRY_SHARE: Final = 0.2
"""The part of the turn's time from which its player is told to hurry."""


class Sign(Enum):
    """What a lamp can say; `off` where the seat has nothing to know."""

    OFF = "off"
    TURN = "turn"
    HURRY = "hurry"
    ILLEGAL = "illegal"
    DOUBT = "doubt"
    PAUSE = "pause"
    WINNER = "winner"
    CALL = "call"


class Button(Enum):
    """The buttons of a seat."""

    END_TURN = "end_turn"
    ANNOUNCE = "announce"
    CALL = "call"


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A button was pressed.

    `number` counts the presses of this button since the companion knows the board; `late` says that it was
    pressed while nobody listened.
    """

    seat: int
    button: Button
    number: int
    late: bool = False


@dataclass(frozen=True, slots=True)
class LampSign:
    """What one lamp says; `left` is the part of the turn's time still left, None without a clock."""

    sign: Sign
    left: float | None = None


@dataclass(frozen=True, slots=True)
class Notices:
    """What the table knows beyond the game's state; seats as in the state."""

    paused: bool = False
    illegal: frozenset[int] = frozenset()
    """Seats whose last move breaks a rule."""
    doubts: frozenset[int] = frozenset()
    """Seats that are to answer a question."""
    calls: frozenset[int] = frozenset()
    """Seats that have called the arbiter."""
    left: float | None = None
    """The part of the turn's time that is left, None where turns have no clock."""


NO_NOTICES: Final = Notices()
DARK: Final = LampSign(Sign.OFF)


def lamps(state: State, notices: Notices = NO_NOTICES) -> tuple[LampSign, ...]:
    """What the lamp of every seat says now. It shows nothing that only one player may know.

    One sign a seat, the first of: its call, its illegal move, its question, the pause, its victory, its turn.
    """
    return tuple(_sign(state, notices, seat) for seat in range(state.seats))


def _sign(state: State, notices: Notices, seat: int) -> LampSign:
    if seat in notices.calls:
        return LampSign(Sign.CALL)
    if seat in notices.illegal:
        return LampSign(Sign.ILLEGAL)
    if seat in notices.doubts:
        return LampSign(Sign.DOUBT)
    if notices.paused:
        return LampSign(Sign.PAUSE)
    if state.closing is not None:
        return LampSign(Sign.WINNER) if state.closing.seat == seat else DARK
    if state.phase == "play" and state.turn.seat == seat:
        if notices.left is not None and notices.left <= HURRY_SHARE:
            return LampSign(Sign.HURRY, max(0.0, notices.left))
        return LampSign(Sign.TURN, notices.left)
    return DARK
