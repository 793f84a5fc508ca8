"""Whether a source lives: a pure state machine with the time handed in.

opening --frame--> live --no frame for 1.5 s--> stalled ----+--frame--> live
   |                 +----the same frame for 1.5 s--> repeating --a new one--> live
   |                 +----the end of a file--> ended
   +--failure--> lost <--failure, or stalled or repeating for long-- (any)
                   +--reopened when the pause is over, which doubles with each failure in a row
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

State = Literal["opening", "live", "stalled", "repeating", "lost", "ended"]

NOTICE_S: Final = 1.5
"""So long without a frame, or with the same one, until it is said: half a second less than may pass."""

REOPEN_STALLED_S: Final = 4.0
REOPEN_REPEATING_S: Final = 15.0
"""A compressed stream of a still table may repeat for seconds without anything being wrong."""

FIRST_PAUSE_S: Final = 0.5
LONGEST_PAUSE_S: Final = 30.0

SOUND_S: Final = 10.0
"""A source that has lived for so long has recovered: the next failure is its first again."""


class Words(NamedTuple):
    """Why a source is as it is, in English and Romanian; both empty where there is nothing to say."""

    en: str = ""
    ro: str = ""


NOTHING: Final = Words()
BROKE_OFF: Final = Words("the stream broke off", "fluxul s-a întrerupt")
STALLED: Final = Words(f"no frame for {NOTICE_S:g} s", f"nicio imagine timp de {NOTICE_S:g} s")


@dataclass(frozen=True, slots=True)
class Health:
    """A state, since when, why; `retry_at` is when a lost source is opened again. Times in seconds."""

    state: State
    since: float
    frame_at: float | None = None
    new_at: float | None = None
    live_from: float | None = None
    failures: int = 0
    retry_at: float | None = None
    reason: Words = NOTHING


def opening(now: float) -> Health:
    """A source that is opened for the first time."""
    return Health("opening", now)


def on_frame(health: Health, now: float, *, repeated: bool) -> Health:
    """After a frame came; `repeated` if it is the one before, pixel for pixel."""
    if repeated and health.new_at is not None:
        return at(replace(health, frame_at=now), now)
    began = now if health.state in ("opening", "lost") or health.live_from is None else health.live_from
    return replace(
        health,
        state="live",
        since=health.since if health.state == "live" else now,
        frame_at=now,
        new_at=now,
        live_from=began,
        failures=0 if now - began >= SOUND_S else health.failures,
        retry_at=None,
        reason=NOTHING,
    )


def on_failure(health: Health, now: float, reason: Words) -> Health:
    """After it could not be opened, or broke off: lost, to be opened again after a pause."""
    failures = health.failures + 1
    return replace(
        health,
        state="lost",
        since=health.since if health.state == "lost" else now,
        live_from=None,
        failures=failures,
        retry_at=now + pause(failures),
        reason=reason,
    )


def on_end(health: Health, now: float) -> Health:
    """After the last picture of a file or folder."""
    return replace(health, state="ended", since=now, reason=NOTHING)


def at(health: Health, now: float) -> Health:
    """The health as it is `now`, when nothing has happened since."""
    if (
        health.state not in ("live", "stalled", "repeating")
        or health.frame_at is None
        or health.new_at is None
    ):
        return health
    if now - health.frame_at >= NOTICE_S:
        state: State = "stalled"
        since = health.frame_at + NOTICE_S
    elif now - health.new_at >= NOTICE_S:
        state, since = "repeating", health.new_at + NOTICE_S
    else:
        return health
    return health if health.state == state else replace(health, state=state, since=since)


def must_reopen(health: Health, now: float) -> Words:
    """Why an open source is to be given up and opened again; empty where it is not."""
    seen = at(health, now)
    if seen.state == "stalled" and now - seen.since >= REOPEN_STALLED_S - NOTICE_S:
        return Words(f"no frame for {REOPEN_STALLED_S:g} s", f"nicio imagine timp de {REOPEN_STALLED_S:g} s")
    if seen.state == "repeating" and now - seen.since >= REOPEN_REPEATING_S - NOTICE_S:
        return Words(
            f"the same frame for {REOPEN_REPEATING_S:g} s",
            f"aceeași imagine timp de {REOPEN_REPEATING_S:g} s",
        )
    return NOTHING


def pause(failures: int) -> float:
    """Seconds to wait after so many failures in a row: 0.5, 1, 2 and on to 30."""
    doubled: float = FIRST_PAUSE_S * 2.0 ** min(max(0, failures - 1), 16)
    return min(doubled, LONGEST_PAUSE_S)
