"""A rig tells millimetres: from four markers or three, with the lens known or not, and refuses what is
wrong.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from calibration.camera import Lens, assumed_lens
from calibration.errors import CalibrationError
from calibration.markers import MarkerLayout, find_markers
from calibration.rig import RMS_LIMIT_MM, calibrate, markers_apart, refuse_other_size
from tests.calibration.virtual import (
    LENS,
    MADE,
    SIZE,
    bare_rig,
    calibrated,
    markers_seen,
    over,
    photograph,
    table_top,
)

LAYOUT = MarkerLayout((900.0, 800.0))
POSE = over(20, 0, 1500, tilt=2, roll=-3, yaw=4)
CURVED = Lens((1000.0, 1005.0), (650.0, 352.0), (-0.12, 0.05, 0.001, -0.001, 0.0), "given")
PLACES = np.asarray([(x, y) for x in (-400, -150, 0, 220, 400) for y in (-350, 0, 120, 350)], np.float64)


@given(
    x=some.floats(-200, 200),
    y=some.floats(-200, 200),
    z=some.floats(900, 2000),
    tilt=some.floats(-15, 15),
    roll=some.floats(-15, 15),
    yaw=some.floats(-180, 180),
    height=some.floats(0, 40),
)
def test_millimetres_to_pixels_and_back(
    x: float, y: float, z: float, tilt: float, roll: float, yaw: float, height: float
) -> None:
    rig = bare_rig(LAYOUT, CURVED, over(x, y, z, tilt=tilt, roll=roll, yaw=yaw))
    there = rig.to_px(PLACES, height_mm=height)
    # The distortion is undone step by step, which holds within and around the frame.
    inside = (np.abs(there - np.asarray(SIZE) / 2) < np.asarray(SIZE) * 0.6).all(axis=1)
    assert np.abs(rig.to_mm(there, height_mm=height) - PLACES)[inside].max(initial=0.0) < 0.1


def test_what_is_higher_seems_to_lie_further_out() -> None:
    rig = bare_rig(LAYOUT, LENS, over(0, 0, 1000))
    assert rig.to_mm(rig.to_px([[400.0, 0.0]], height_mm=10)) == pytest.approx(
        np.asarray([[404.04, 0.0]]), abs=0.01
    )


def test_a_pixel_over_the_horizon_is_nowhere() -> None:
    rig = bare_rig(LAYOUT, LENS, over(0, -800, 600, tilt=-75))
    assert np.isnan(rig.to_mm([[640.0, 5.0]])).all()


@pytest.mark.parametrize("shown", [(0, 1, 2, 3), (0, 1, 2), (1, 2, 3), (0, 2, 3)])
def test_the_table_is_found_with_all_markers_or_three(shown: tuple[int, ...]) -> None:
    missing = tuple({0, 1, 2, 3} - set(shown))
    frame = photograph(table_top(LAYOUT, without=missing), 1.5, pose=POSE, lens=CURVED)
    rig = calibrate(find_markers(frame), size=SIZE, layout=LAYOUT, lens=CURVED, provenance=MADE)
    truth = bare_rig(LAYOUT, CURVED, POSE)
    assert rig.rms_px < 0.3
    assert np.linalg.norm(rig.pose.position - POSE.position) < 4
    assert np.abs(rig.to_mm(truth.to_px(PLACES)) - PLACES).max() < 0.6


@pytest.mark.parametrize("height", [None, 1506.0])
@pytest.mark.parametrize("pose", [POSE, over(10, 5, 1500)])
def test_without_a_measured_lens_the_table_top_is_right_all_the_same(
    pose: object, height: float | None
) -> None:
    assert isinstance(pose, type(POSE))
    seen = markers_seen(LAYOUT, LENS, pose, noise_px=0.15)
    rig = calibrate(seen, size=SIZE, layout=LAYOUT, height_mm=height, provenance=MADE)
    truth = bare_rig(LAYOUT, LENS, pose)
    assert np.abs(rig.to_mm(truth.to_px(PLACES)) - PLACES).max() < 0.6
    assert rig.lens.source == ("assumed" if height is None else "height")
    if height is not None:
        assert abs(rig.pose.position[2] - 1500) < 15
        assert np.abs(rig.to_mm(truth.to_px(PLACES, height_mm=9), height_mm=9) - PLACES).max() < 0.6


def test_cards_that_lie_askew_do_not_matter() -> None:
    truth = bare_rig(LAYOUT, LENS, POSE)
    turns = {0: 0.05, 1: -0.07, 2: 0.03, 3: 0.09}
    seen = {marker: truth.to_px(LAYOUT.corners(marker, turned_rad=turn)) for marker, turn in turns.items()}
    rig = calibrate(seen, size=SIZE, layout=LAYOUT, lens=LENS, provenance=MADE)
    assert np.abs(rig.to_mm(truth.to_px(PLACES)) - PLACES).max() < 0.2
    assert rig.rms_px < 0.05


@pytest.mark.parametrize(("count", "code"), [(0, "no_markers"), (1, "few_markers"), (2, "few_markers")])
def test_too_few_markers_are_refused_with_the_next_step(count: int, code: str) -> None:
    seen = dict(list(markers_seen(LAYOUT, LENS, POSE).items())[:count])
    with pytest.raises(CalibrationError) as error:
        calibrate(seen, size=SIZE, layout=LAYOUT, provenance=MADE)
    assert error.value.code == code
    assert "corner" in error.value.hint_en
    assert "colț" in error.value.hint_ro


def test_another_table_is_refused_with_the_size_that_it_seems_to_have() -> None:
    seen = markers_seen(MarkerLayout((1000.0, 800.0)), LENS, POSE)
    with pytest.raises(CalibrationError, match="--table 1000 800") as error:
        calibrate(seen, size=SIZE, layout=MarkerLayout((800.0, 800.0)), lens=LENS, provenance=MADE)
    assert error.value.code == "table_size"


def test_a_pushed_card_is_refused() -> None:
    seen = markers_seen(LAYOUT, LENS, POSE)
    seen[1] = seen[1] + (9.0, 4.0)
    with pytest.raises(CalibrationError, match=r"mm off, at most 1\.5") as error:
        calibrate(seen, size=SIZE, layout=LAYOUT, lens=LENS, provenance=MADE)
    assert error.value.code == "rms"


def test_markers_in_the_wrong_corners_are_refused() -> None:
    seen = markers_seen(LAYOUT, LENS, POSE)
    seen[0], seen[1] = seen[1], seen[0]
    with pytest.raises(CalibrationError):
        calibrate(seen, size=SIZE, layout=LAYOUT, lens=LENS, provenance=MADE)


def test_frames_of_another_size_are_refused() -> None:
    rig = calibrated(LAYOUT, POSE)
    refuse_other_size(rig, SIZE)
    with pytest.raises(CalibrationError, match="1280x720 pixels, these have 1920x1080") as error:
        refuse_other_size(rig, (1920, 1080))
    assert error.value.code == "frame_size"


def test_how_far_the_markers_lie_apart_is_seen_without_a_lens() -> None:
    apart = markers_apart(markers_seen(LAYOUT, LENS, POSE))
    assert apart is not None
    assert apart == pytest.approx((792 / 40, 692 / 40), rel=0.02)
    assert markers_apart({0: markers_seen(LAYOUT, LENS, POSE)[0]}) is None


def test_the_limit_is_far_from_what_a_good_rig_has() -> None:
    assert calibrated(LAYOUT, POSE).rms_mm < RMS_LIMIT_MM / 4


def test_an_assumed_lens_has_the_angle_of_a_webcam() -> None:
    assert assumed_lens((1920, 1080)).focal[0] == pytest.approx(1423, abs=1)
    assert replace(assumed_lens((1920, 1080)), source="given").matrix[0, 2] == 960
