"""Corner markers are found to a fraction of a pixel, near and far, and nothing else is taken for one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.markers import MARKER_IDS, MarkerLayout, centre_of, find_markers
from tests.calibration.virtual import LENS, SIZE, bare_rig, over, photograph, table_top

LAYOUT = MarkerLayout((900.0, 800.0))
POSE = over(20, 0, 1500, tilt=2, roll=-3, yaw=4)


def test_the_markers_lie_clockwise_from_the_far_left() -> None:
    assert MarkerLayout((1000.0, 900.0)).centres == {
        0: (-446.0, 396.0),
        1: (446.0, 396.0),
        2: (446.0, -396.0),
        3: (-446.0, -396.0),
    }


def test_corners_are_found_where_they_are() -> None:
    frame = photograph(table_top(LAYOUT), 1.5, pose=POSE)
    truth = bare_rig(LAYOUT, LENS, POSE)
    found = find_markers(frame)
    assert tuple(found) == MARKER_IDS
    for marker, corners in found.items():
        assert np.abs(corners - truth.to_px(LAYOUT.corners(marker))).max() < 0.35, marker
        assert np.abs(centre_of(corners) - truth.to_px(LAYOUT.centres[marker])).max() < 0.2, marker


def test_a_picture_in_colour_is_as_good_as_a_grey_one() -> None:
    frame = photograph(table_top(LAYOUT), 1.5, pose=POSE)
    coloured = find_markers(np.asarray(cv2.cvtColor(frame, cv2.COLOR_GRAY2BGR), np.uint8))
    for marker, corners in find_markers(frame).items():
        assert np.abs(coloured[marker] - corners).max() < 0.05


def test_a_covered_marker_is_missing_and_the_others_are_not() -> None:
    frame = photograph(table_top(LAYOUT, without=(2,)), 1.5, pose=POSE)
    assert tuple(find_markers(frame)) == (0, 1, 3)


@pytest.mark.parametrize("everywhere", [True, False])
def test_markers_are_looked_for_near_where_they_were(everywhere: bool) -> None:
    frame = photograph(table_top(LAYOUT), 1.5, pose=POSE)
    found = find_markers(frame)
    aside = {marker: corners + np.asarray([8, -6]) for marker, corners in found.items()}
    again = find_markers(frame, near=aside, everywhere=everywhere)
    assert tuple(again) == MARKER_IDS
    for marker, corners in again.items():
        assert np.abs(corners - found[marker]).max() < 0.1


def test_only_a_search_everywhere_finds_what_has_gone_far() -> None:
    frame = photograph(table_top(LAYOUT), 1.5, pose=POSE)
    gone = {marker: corners + np.asarray([300, 100]) for marker, corners in find_markers(frame).items()}
    assert find_markers(frame, near=gone, everywhere=False) == {}
    assert tuple(find_markers(frame, near=gone)) == MARKER_IDS


def test_an_empty_table_has_no_markers() -> None:
    assert find_markers(photograph(table_top(LAYOUT, without=MARKER_IDS), 1.5, pose=POSE)) == {}
    assert find_markers(np.zeros((SIZE[1], SIZE[0], 3), np.uint8)) == {}


def test_a_marker_seen_twice_is_left_out() -> None:
    frame = photograph(table_top(LAYOUT), 1.5, pose=POSE)
    corners = find_markers(frame)[0]
    left, top = np.floor(corners.min(axis=0)).astype(int) - 12
    right, bottom = np.ceil(corners.max(axis=0)).astype(int) + 12
    frame[300 : 300 + bottom - top, 500 : 500 + right - left] = frame[top:bottom, left:right]
    assert 0 not in find_markers(frame)
