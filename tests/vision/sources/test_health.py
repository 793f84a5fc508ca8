"""The health of a source is a pure fold over what happens to it, with the time handed in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as some

from vision.sources.health import (
    LONGEST_PAUSE_S,
    NOTHING,
    NOTICE_S,
    REOPEN_REPEATING_S,
    REOPEN_STALLED_S,
    SOUND_S,
    Health,
    Words,
    at,
    must_reopen,
    on_end,
    on_failure,
    on_frame,
    opening,
    pause,
)

WHY = Words("unplugged", "deconectată")


def live(until: float, *, repeated_from: float = 1e9) -> Health:
    """A source that gave ten frames a second, from some time on the same one."""
    health = opening(0.0)
    for tenth in range(1, int(until * 10) + 1):
        health = on_frame(health, tenth / 10, repeated=tenth / 10 > repeated_from)
    return health


def test_it_opens_lives_and_ends() -> None:
    health = opening(5.0)
    assert (health.state, at(health, 100.0)) == ("opening", health)
    health = on_frame(health, 6.0, repeated=False)
    assert (health.state, health.since) == ("live", 6.0)
    assert on_end(health, 8.0).state == "ended"
    assert at(on_end(health, 8.0), 99.0).state == "ended"


def test_a_stall_is_noticed_within_two_seconds() -> None:
    health = live(3.0)
    assert at(health, 3.0 + NOTICE_S - 0.01).state == "live"
    stalled = at(health, 5.0)
    assert (stalled.state, stalled.since) == ("stalled", 3.0 + NOTICE_S)
    assert must_reopen(health, 5.0) == NOTHING
    assert must_reopen(health, 3.0 + REOPEN_STALLED_S).ro == "nicio imagine timp de 4 s"
    assert on_frame(stalled, 5.5, repeated=False).state == "live"


def test_a_repeated_frame_is_noticed_within_two_seconds() -> None:
    health = live(6.0, repeated_from=3.0)
    assert live(4.4, repeated_from=3.0).state == "live"
    assert live(5.0, repeated_from=3.0).state == "repeating"
    assert (health.state, health.since) == ("repeating", 3.0 + NOTICE_S)
    assert on_frame(health, 6.1, repeated=False).state == "live"
    assert must_reopen(live(17.0, repeated_from=3.0), 17.0) == NOTHING
    assert must_reopen(live(18.5, repeated_from=3.0), 3.0 + REOPEN_REPEATING_S + 0.1) != NOTHING


def test_a_repeating_source_that_stops_is_stalled() -> None:
    health = live(5.0, repeated_from=3.0)
    assert at(health, 7.0).state == "stalled"


def test_what_is_lost_is_tried_again_after_pauses_that_grow() -> None:
    health = opening(0.0)
    pauses = []
    now = 0.0
    for _ in range(9):
        health = on_failure(health, now, WHY)
        assert (health.state, health.since, health.reason) == ("lost", 0.0, WHY)
        assert health.retry_at is not None
        pauses.append(health.retry_at - now)
        now = health.retry_at
    assert pauses == [0.5, 1, 2, 4, 8, 16, 30, 30, 30]


def test_a_source_that_flaps_is_not_opened_at_once_forever() -> None:
    health = on_failure(on_failure(opening(0.0), 0.0, WHY), 1.0, WHY)
    brief = on_frame(health, 2.0, repeated=False)
    assert (brief.state, brief.retry_at, brief.reason) == ("live", None, NOTHING)
    assert on_failure(brief, 3.0, WHY).failures == 3
    sound = on_frame(brief, 2.0 + SOUND_S, repeated=False)
    assert on_failure(sound, 20.0, WHY).failures == 1


@given(some.integers(0, 10**6))
def test_no_pause_is_longer_than_the_longest(failures: int) -> None:
    assert 0.5 <= pause(failures) <= LONGEST_PAUSE_S


@given(
    some.lists(some.tuples(some.sampled_from(["new", "same", "fail"]), some.floats(0.01, 20)), max_size=40),
    some.floats(0, 10),
)
def test_whatever_happens_the_state_says_what_is(steps: list[tuple[str, float]], later: float) -> None:
    health, now, last = opening(0.0), 0.0, 0.0
    for what, after in steps:
        now += after
        last = last if what == "fail" else now
        if what == "fail":
            health = on_failure(health, now, WHY)
        else:
            health = on_frame(at(health, now), now, repeated=what == "same")
    seen = at(health, now + later)
    if seen.state == "live":
        assert now + later - last < NOTICE_S
    assert seen.since <= now + later
    assert at(seen, now + later) == seen
