"""A bumped camera is noticed and healed from the markers; a pushed card is not taken for a bump."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from calibration.camera import Floats
from calibration.markers import MarkerLayout, find_markers
from calibration.watch import PATIENCE_S, REASONS, Watch, look
from tests.calibration.virtual import (
    LENS,
    bare_rig,
    bumped,
    calibrated,
    markers_seen,
    over,
    photograph,
    table_top,
)

LAYOUT = MarkerLayout((900.0, 800.0))
POSE = over(20, 0, 1500, tilt=2, roll=-3)
WATCH = Watch(calibrated(LAYOUT, POSE))
PLACES = np.asarray([(x, y) for x in (-400, 0, 400) for y in (-350, 0, 350)], np.float64)
EVERY_LOOK = 0.4


def looks(watch: Watch, seen: dict[int, Floats], *, count: int, start: float = 0.0) -> list[Watch]:
    """The watch after each of several looks that all show the same."""
    out = []
    for number in range(count):
        watch = look(watch, seen, now=start + number * EVERY_LOOK)
        out.append(watch)
    return out


def test_a_camera_at_rest_stays_trusted() -> None:
    after = look(WATCH, markers_seen(LAYOUT, LENS, POSE, noise_px=0.2), now=1.0)
    assert (after.state, after.pushed, after.healed) == ("steady", frozenset(), False)
    assert after.rig is WATCH.rig


@pytest.mark.parametrize("seed", range(10))
def test_a_bump_of_up_to_30_mm_and_3_degrees_is_healed(seed: int) -> None:
    chance = np.random.default_rng(seed)
    by_mm, by_deg = chance.uniform(-1, 1, (2, 3))
    by_mm, by_deg = 30 * by_mm / np.linalg.norm(by_mm), 3 * by_deg / np.linalg.norm(by_deg)
    pose = bumped(POSE, by_mm=tuple(by_mm), by_deg=tuple(by_deg))
    seen = markers_seen(LAYOUT, LENS, pose, noise_px=0.15)
    first, second = looks(WATCH, seen, count=2)
    assert not first.trusted
    assert second.trusted
    assert second.healed
    assert second.rig.provenance.healed == 1
    assert second.rig.lens == WATCH.rig.lens
    truth = bare_rig(LAYOUT, LENS, pose)
    assert np.abs(second.rig.to_mm(truth.to_px(PLACES)) - PLACES).max() < 0.6
    assert look(second, seen, now=5.0).healed is False


def test_a_bump_is_healed_with_three_markers_in_sight() -> None:
    pose = bumped(POSE, by_mm=(20, -10, 5), by_deg=(1, -2, 1))
    seen = markers_seen(LAYOUT, LENS, pose, noise_px=0.15)
    del seen[2]
    healed = looks(WATCH, seen, count=2)[-1]
    assert healed.healed
    truth = bare_rig(LAYOUT, LENS, pose)
    assert np.abs(healed.rig.to_mm(truth.to_px(PLACES)) - PLACES).max() < 1.0


def test_a_bump_is_seen_and_healed_in_frames_too() -> None:
    plane = table_top(LAYOUT)
    before = photograph(plane, 1.5, pose=POSE)
    pose = bumped(POSE, by_mm=(25, 10, -8), by_deg=(-1, 2, 1.5))
    after = photograph(plane, 1.5, pose=pose)
    watch = look(WATCH, find_markers(before, near=WATCH.rig.markers()), now=0.0)
    assert watch.trusted
    seen = find_markers(after, near=watch.rig.markers())
    watch = looks(watch, seen, count=2, start=1.0)[-1]
    assert watch.healed
    truth = bare_rig(LAYOUT, LENS, pose)
    assert np.abs(watch.rig.to_mm(truth.to_px(PLACES)) - PLACES).max() < 0.6


def test_a_first_pose_that_comes_to_no_number_is_sought_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """As OpenCV's quick way does on some processors, of markers that are seen without any noise."""
    quick: Any = cv2.solvePnPGeneric

    def none(*given: Any, flags: int) -> Any:
        count, turns, shifts, errors = quick(*given, flags=flags)
        if flags == cv2.SOLVEPNP_IPPE:
            turns, shifts = ([np.full((3, 1), np.nan)] * 2 for _ in range(2))
        return count, turns, shifts, errors

    monkeypatch.setattr(cv2, "solvePnPGeneric", none)
    for by_deg in ((0.0, 0.0, 0.0), (2.0, -3.0, 1.0)):
        pose = bumped(POSE, by_mm=(12.0, -8.0, 4.0), by_deg=by_deg)
        healed = looks(WATCH, markers_seen(LAYOUT, LENS, pose), count=2)[-1]
        assert healed.healed
        truth = bare_rig(LAYOUT, LENS, pose)
        assert np.abs(healed.rig.to_mm(truth.to_px(PLACES)) - PLACES).max() < 0.1


def test_a_camera_that_still_swings_is_not_healed() -> None:
    watch = WATCH
    for number in range(5):
        pose = bumped(POSE, by_mm=(5.0 + 4 * number, 0, 0), by_deg=(0, 0, 0))
        watch = look(watch, markers_seen(LAYOUT, LENS, pose), now=0.3 * number)
        assert watch.state == "moving"
    rest = markers_seen(LAYOUT, LENS, bumped(POSE, by_mm=(21.0, 0, 0), by_deg=(0, 0, 0)))
    assert look(watch, rest, now=1.6).healed


def test_a_pushed_card_is_told_from_a_bump() -> None:
    seen = markers_seen(LAYOUT, LENS, POSE, noise_px=0.1)
    seen[3] = seen[3] + (12.0, -5.0)
    after = look(WATCH, seen, now=0.0)
    assert after.trusted
    assert after.pushed == {3}
    assert after.rig is WATCH.rig


def test_two_pushed_cards_are_no_bump() -> None:
    seen = markers_seen(LAYOUT, LENS, POSE, noise_px=0.1)
    seen[0] = seen[0] + np.asarray([14.0, 3.0])
    seen[3] = seen[3] + np.asarray([12.0, -5.0])
    after = look(WATCH, seen, now=0.0)
    assert after.trusted
    assert after.pushed == {0, 3}
    assert after.rig is WATCH.rig


def test_a_bump_and_a_pushed_card_at_once() -> None:
    pose = bumped(POSE, by_mm=(15, 5, 0), by_deg=(1, 0.5, 0))
    seen = markers_seen(LAYOUT, LENS, pose, noise_px=0.1)
    seen[3] = seen[3] + (12.0, -5.0)
    healed = looks(WATCH, seen, count=2)[-1]
    assert healed.healed
    assert healed.pushed == {3}
    truth = bare_rig(LAYOUT, LENS, pose)
    assert np.abs(healed.rig.to_mm(truth.to_px(PLACES)) - PLACES).max() < 1.0


def test_the_table_pauses_within_two_seconds_when_no_marker_is_in_sight() -> None:
    history = looks(WATCH, {}, count=6)
    assert [watch.state for watch in history[:5]] == ["steady"] * 5
    paused = history[-1]
    assert 5 * EVERY_LOOK <= PATIENCE_S
    assert paused.state == "paused"
    assert paused.reason is REASONS["no_markers"]
    assert not paused.trusted
    assert look(paused, markers_seen(LAYOUT, LENS, POSE), now=9.0).trusted


def test_a_hand_over_the_markers_for_a_moment_is_nothing() -> None:
    watch = looks(WATCH, {}, count=3)[-1]
    watch = look(watch, markers_seen(LAYOUT, LENS, POSE), now=1.4)
    assert looks(watch, {}, count=3, start=1.8)[-1].trusted


def test_a_moved_camera_that_shows_two_cards_pauses_and_says_so() -> None:
    pose = bumped(POSE, by_mm=(30, 0, 0), by_deg=(0, 0, 0))
    seen = {id_: at for id_, at in markers_seen(LAYOUT, LENS, pose).items() if id_ in (0, 1)}
    history = looks(WATCH, seen, count=6)
    assert history[0].state == "moving"
    assert history[-1].state == "paused"
    assert history[-1].reason is REASONS["few_markers"]
    back = looks(history[-1], markers_seen(LAYOUT, LENS, pose), count=2, start=4.0)
    assert back[-1].healed


def test_cards_pushed_all_over_pause_the_table() -> None:
    seen = markers_seen(LAYOUT, LENS, POSE)
    for marker, by in {0: (25, 0), 1: (-20, 15), 2: (0, 30), 3: (-9, -22)}.items():
        seen[marker] = seen[marker] + by
    paused = looks(WATCH, seen, count=6)[-1]
    assert paused.state == "paused"
    assert paused.reason is REASONS["loose"]


def test_every_reason_is_told_in_both_languages() -> None:
    for reason in REASONS.values():
        assert reason.hint_en
        assert reason.hint_ro
        assert not set("şţŞŢ") & set(reason.hint_ro)
