"""The clock of a turn, as a function of the time that is handed in."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from engine.lamps import HURRY_SHARE

Mode = Literal["off", "up", "limit"]


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """`off`, `up` (time is shown), or `limit`: so many seconds a turn, warned so long before its end."""

    mode: Mode = "off"
    limit_s: float = 90.0
    warn_s: tuple[float, ...] = (20.0,)


@dataclass(frozen=True, slots=True)
class TurnClock:
    """Whose turn runs since when; times in seconds on one monotonic clock, `spent` before the last pause."""

    seat: int | None = None
    since: float | None = None
    spent: float = 0.0


NO_CLOCK: Final = TurnClock()
NO_LIMITS: Final = ClockSettings()


def on_turn(clock: TurnClock, seat: int | None, now: float, *, paused: bool = False) -> TurnClock:
    """The clock for whoever is on turn now: it goes on where that has not changed, and stands in a pause."""
    if seat != clock.seat:
        clock = TurnClock(seat)
    if paused or seat is None:
        return replace(clock, since=None, spent=elapsed(clock, now))
    return clock if clock.since is not None else replace(clock, since=now)


def elapsed(clock: TurnClock, now: float) -> float:
    """The seconds that the turn has taken, pauses not counted."""
    return clock.spent + (max(0.0, now - clock.since) if clock.since is not None else 0.0)


def left(clock: TurnClock, settings: ClockSettings, now: float) -> float | None:
    """The seconds left of the turn, 0 once they are used up; None without a limit or a turn."""
    if settings.mode != "limit" or clock.seat is None:
        return None
    return max(0.0, settings.limit_s - elapsed(clock, now))


def lamp_share(clock: TurnClock, settings: ClockSettings, now: float) -> float | None:
    """The part of the turn that is left, as the lamps take it: from the first warning on they hurry."""
    seconds = left(clock, settings, now)
    if seconds is None:
        return None
    share = seconds / settings.limit_s
    if seconds <= max(settings.warn_s, default=0.0):
        return min(share, HURRY_SHARE)
    # No warning yet: the lamp does not hurry, however short the limit is.
    return max(share, HURRY_SHARE + 1e-6)


def warnings_past(clock: TurnClock, settings: ClockSettings, now: float) -> int:
    """How many of the warnings are past; one more once the time is used up."""
    seconds = left(clock, settings, now)
    if seconds is None:
        return 0
    return sum(seconds <= warning for warning in settings.warn_s) + (seconds == 0)
