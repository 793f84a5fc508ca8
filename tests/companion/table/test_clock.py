"""The clock of a turn: pauses, warnings, other turns, and the lamp."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.table.clock import (
    NO_CLOCK,
    ClockSettings,
    elapsed,
    lamp_share,
    left,
    on_turn,
    warnings_past,
)
from engine.lamps import HURRY_SHARE

LIMIT = ClockSettings("limit", 60.0, (30.0, 10.0))


def test_time_runs_for_who_is_on_turn_and_begins_anew_with_the_next() -> None:
    clock = on_turn(NO_CLOCK, 1, 100.0)
    assert elapsed(clock, 112.5) == 12.5
    assert on_turn(clock, 1, 112.5) == clock
    assert elapsed(on_turn(clock, 2, 112.5), 112.5) == 0
    assert elapsed(on_turn(clock, None, 112.5), 500.0) == 0
    assert left(on_turn(clock, None, 112.5), LIMIT, 500.0) is None


@given(st.lists(st.tuples(st.booleans(), st.floats(0, 100)), max_size=12))
def test_pauses_do_not_count(steps: list[tuple[bool, float]]) -> None:
    now, played, clock = 0.0, 0.0, on_turn(NO_CLOCK, 0, 0.0)
    for paused, seconds in steps:
        clock = on_turn(clock, 0, now, paused=paused)
        now += seconds
        played += 0 if paused else seconds
    assert elapsed(clock, now) == pytest.approx(played)


@pytest.mark.parametrize(
    ("after", "remaining", "past", "hurries"),
    [
        (0, 60, 0, False),
        (29, 31, 0, False),
        (30, 30, 1, True),
        (51, 9, 2, True),
        (60, 0, 3, True),
        (90, 0, 3, True),
    ],
)
def test_warnings_come_before_the_end_and_the_lamp_hurries_from_the_first(
    after: float, remaining: float, past: int, *, hurries: bool
) -> None:
    clock = on_turn(NO_CLOCK, 0, 0.0)
    assert left(clock, LIMIT, after) == remaining
    assert warnings_past(clock, LIMIT, after) == past
    share = lamp_share(clock, LIMIT, after)
    assert share is not None
    assert (share <= HURRY_SHARE) is hurries


@pytest.mark.parametrize("mode", ["off", "up"])
def test_without_a_limit_no_lamp_hurries(mode: str) -> None:
    settings = ClockSettings(mode)  # type: ignore[arg-type]
    clock = on_turn(NO_CLOCK, 0, 0.0)
    assert lamp_share(clock, settings, 1e6) is None
    assert warnings_past(clock, settings, 1e6) == 0
