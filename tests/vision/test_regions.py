"""Parts of a picture: what lies in them, what touches them, what is painted over, what is looked at."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.scripted import square_corners
from vision.crops import BEYOND
from vision.regions import Region, areas, blanked, touching_any

U8 = NDArray[np.uint8]


@pytest.mark.parametrize(
    "outline", [((0, 0), (1, 1)), ((0, 0), (1, 1), (float("nan"), 2)), ((1,), (2,), (3,)), ()]
)
def test_what_is_no_outline_is_refused(outline: tuple[tuple[float, float], ...]) -> None:
    with pytest.raises(ValueError, match="region"):
        Region(outline)


def test_a_region_holds_its_points() -> None:
    ell = Region(((0, 0), (100, 0), (100, 40), (40, 40), (40, 100), (0, 100)))
    assert ell.holds([(20, 80), (80, 20), (80, 80), (40, 70), (-1, 5)]).tolist() == [
        True,
        True,
        False,
        True,
        False,
    ]
    assert ell.bounds() == (0, 0, 100, 100)


@settings(max_examples=40)
@given(x=st.floats(-80, 180), y=st.floats(-80, 180), degrees=st.floats(0, 360), width=st.floats(5, 90))
def test_touching_is_what_a_drawing_shows(x: float, y: float, degrees: float, width: float) -> None:
    region = Region(((20, 20), (100, 30), (60, 60), (90, 100), (25, 90)))
    quad = square_corners(x, y, width=width, degrees=degrees)
    drawn = []
    for outline in (np.asarray(region.outline), quad):
        canvas = np.zeros((1600, 1600), np.uint8)
        cv2.fillPoly(canvas, [np.round((outline + 100) * 4).astype(np.int32)], 1)
        drawn.append(canvas)
    shared = int((drawn[0] & drawn[1]).sum())
    touches = bool(region.touches([quad])[0])
    if shared > 16:  # a square pixel
        assert touches
    near = np.asarray(cv2.dilate(drawn[0], np.ones((7, 7), np.uint8)), np.uint8) & drawn[1]
    if not near.any():
        assert not touches


def test_many_quads_and_regions_at_once() -> None:
    quads = np.stack([square_corners(x, 50, width=20) for x in (20, 60, 100)])
    regions = [Region.box(0, 0, 30, 100), Region.box(95, 40, 2, 2)]
    assert touching_any(regions, quads).tolist() == [True, False, True]
    assert touching_any([], quads).tolist() == [False] * 3
    assert touching_any(regions, np.zeros((0, 4, 2))).tolist() == []


def test_outlines_of_different_length_are_touched_as_each_alone() -> None:
    rng = np.random.default_rng(3)
    regions = [
        Region(((10.0, 10.0), (90.0, 20.0), (40.0, 80.0))),
        Region(((120.0, 10.0), (190.0, 40.0), (180.0, 120.0), (150.0, 90.0), (110.0, 130.0))),
        Region.box(20, 120, 60, 50),
    ]
    corner = rng.uniform(0, 190, (300, 1, 2))
    quads = corner + np.asarray([(0, 0), (1, 0), (1, 1), (0, 1)]) * rng.uniform(2, 40, (300, 1, 1))
    alone = np.stack([region.touches(quads) for region in regions])
    assert touching_any(regions, quads).tolist() == alone.any(axis=0).tolist()
    assert alone.any(axis=1).all()
    assert not alone.any(axis=0).all()


def test_masks_are_painted_over_a_copy() -> None:
    image = np.random.default_rng(1).integers(0, 255, (600, 800, 3), np.uint8)
    untouched = image.copy()
    assert blanked(image, []) is image
    painted = blanked(image, [Region.box(100, 100, 50, 20), Region(((300, 300), (340, 300), (300, 360)))])
    assert (painted[100:120, 100:150] == BEYOND).all()
    assert (painted[310, 305] == BEYOND).all()
    assert np.array_equal(painted[400:], image[400:])
    assert np.array_equal(image, untouched)


@given(
    st.lists(
        st.tuples(st.floats(-50, 900), st.floats(-50, 700), st.floats(0, 300), st.floats(0, 300)), max_size=8
    ),
    st.floats(0, 60),
)
def test_areas_cover_their_bounds_and_stay_within_the_picture(
    boxes: list[tuple[float, float, float, float]], margin: float
) -> None:
    bounds = [(x, y, x + wide, y + tall) for x, y, wide, tall in boxes]
    found = areas(bounds, (800, 600), margin)
    for x, y, wide, tall in found:
        assert 0 <= x < x + wide <= 800
        assert 0 <= y < y + tall <= 600
    for x0, y0, x1, y1 in bounds:
        left, top, right, bottom = max(0, x0), max(0, y0), min(800, x1), min(600, y1)
        if left < right and top < bottom:
            assert any(
                x <= left and y <= top and x + wide >= right and y + tall >= bottom
                for x, y, wide, tall in found
            )
    assert sum(wide * tall for _, _, wide, tall in found) <= sum(
        wide * tall for box in bounds for _, _, wide, tall in areas([box], (800, 600), margin)
    )
