"""Corners from heat: exact, in upright order, and chosen together."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.quads import CELL, decode, inner_area, shape_cost, shared

F32 = NDArray[np.float32]


def rectangle(
    *, width: float = 24.0, aspect: float = 1.4, degrees: float = 0.0, middle: tuple[float, float] = (32, 32)
) -> F32:
    """Corners in square pixels, upright top left first, turned clockwise."""
    angle = math.radians(degrees)
    turn = np.asarray([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    corners = np.asarray([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * (width, width * aspect)
    return np.asarray(corners @ turn + middle, np.float32)


def peak(spot: NDArray[np.floating], *, mass: float = 1.0, sigma: float = 0.9) -> F32:
    """(32, 32) chances about a spot in square pixels."""
    cells = np.arange(32) + 0.5
    x, y = spot / CELL
    heat = np.exp(-((cells[:, None] - y) ** 2 + (cells[None] - x) ** 2) / (2 * sigma**2))
    return np.asarray(mass * heat / heat.sum(), np.float32)


def logits(*maps: F32) -> F32:
    return np.asarray(np.log(np.stack(maps)[None] + 1e-9), np.float32)


@given(
    width=st.floats(14, 26),
    aspect=st.floats(0.7, 1.6),
    degrees=st.floats(0, 360),
    dx=st.floats(-4, 4),
    dy=st.floats(-4, 4),
)
def test_known_corners_are_found_to_half_a_pixel(
    width: float, aspect: float, degrees: float, dx: float, dy: float
) -> None:
    quad = rectangle(width=width, aspect=aspect, degrees=degrees, middle=(32 + dx, 32 + dy))
    found, score = decode(logits(*(peak(corner) for corner in quad)))
    assert np.linalg.norm(found[0] - quad, axis=1).max() < 0.5
    assert score[0] > 0.9


def test_many_squares_are_decoded_each_for_itself() -> None:
    quads = [rectangle(degrees=degrees) for degrees in range(0, 360, 30)]
    heat = np.concatenate([logits(*(peak(corner) for corner in quad)) for quad in quads])
    found, scores = decode(heat)
    assert np.abs(found - np.stack(quads)).max() < 0.5
    assert scores.shape == (12,)


def test_no_squares_no_quads() -> None:
    found, scores = decode(np.zeros((0, 4, 32, 32), np.float32))
    assert found.shape == (0, 4, 2)
    assert scores.shape == (0,)


@pytest.mark.parametrize(
    "elsewhere",
    [(44.0, 50.0), (20.0, 50.0), (60.0, 4.0), (34.0, 34.0)],
    ids=["opposite", "next", "far", "inside"],
)
def test_a_stronger_peak_that_makes_no_tile_is_passed_over(elsewhere: tuple[float, float]) -> None:
    quad = rectangle()
    wrong = peak(np.asarray(elsewhere), mass=0.55) + peak(quad[0], mass=0.45)
    found, score = decode(logits(wrong, *(peak(corner) for corner in quad[1:])))
    assert np.linalg.norm(found[0] - quad, axis=1).max() < 0.5
    assert 0.3 < score[0] < 0.6, "the doubt about one corner is the doubt about the quad"


def test_a_clearly_stronger_peak_wins_over_a_slightly_better_shape() -> None:
    quad = rectangle()
    near = quad[0] + np.asarray([9, 0])
    heat = logits(peak(quad[0], mass=0.9) + peak(near, mass=0.1), *(peak(corner) for corner in quad[1:]))
    assert np.linalg.norm(decode(heat)[0][0] - quad, axis=1).max() < 0.5


def test_flat_heat_is_no_quad() -> None:
    _, score = decode(np.zeros((1, 4, 32, 32), np.float32))
    assert score[0] < 0.05


def test_corners_at_the_edge_of_the_square_stay_in_it() -> None:
    quad = np.asarray([(0.5, 0.5), (63.5, 0.5), (63.5, 63.5), (0.5, 63.5)], np.float32)
    found, _ = decode(logits(*(peak(corner) for corner in quad)))
    assert np.abs(found[0] - quad).max() < 1.5
    assert found.min() >= 0
    assert found.max() <= 64


def seen_from(tilt: float, azimuth: float, turn: float) -> F32:
    """The corners of a flat tile, seen by a camera tilted by so many degrees."""
    from vision.synth.geometry import Solid, face_quad, flat_axes, look_at

    camera = look_at(
        target=np.zeros(3),
        tilt=math.radians(tilt),
        azimuth=math.radians(azimuth),
        roll=0.0,
        distance=500.0,
        focal_px=600.0,
        size=(64, 64),
    )
    solid = Solid("r7", np.zeros(3), flat_axes(math.radians(turn)))
    return camera.project(face_quad(solid, 26.0, 36.0)).astype(np.float32)


@given(tilt=st.floats(0, 36), azimuth=st.floats(0, 360), turn=st.floats(0, 360))
def test_tiles_in_perspective_cost_nothing(tilt: float, azimuth: float, turn: float) -> None:
    assert shape_cost(seen_from(tilt, azimuth, turn)) == pytest.approx(0, abs=1e-4)


@given(width=st.floats(5, 200), aspect=st.floats(0.5, 1.8), degrees=st.floats(0, 360))
def test_what_is_no_tile_costs(width: float, aspect: float, degrees: float) -> None:
    quad = rectangle(width=width, aspect=aspect, degrees=degrees)
    assert shape_cost(quad) == pytest.approx(0, abs=1e-4)
    assert shape_cost(quad[::-1]) > 10, "anticlockwise, as in a mirror"
    assert shape_cost(quad[[0, 2, 1, 3]]) > 1, "a bow-tie"
    assert shape_cost(quad[[0, 0, 2, 3]]) > 1, "two corners in one"


@given(width=st.floats(5, 200), degrees=st.floats(0, 360))
def test_sticks_cost_more_the_longer_they_are(width: float, degrees: float) -> None:
    costs = [float(shape_cost(rectangle(width=width, aspect=a, degrees=degrees))) for a in (1.4, 2.2, 4.0)]
    assert costs[0] < costs[1] < costs[2]
    assert float(shape_cost(rectangle(width=width, aspect=0.2, degrees=degrees))) > 0.5


# ---- what two outlines share


def box(x: float, y: float, width: float = 30.0, height: float = 42.0) -> F32:
    return np.asarray([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], np.float32)


@pytest.mark.parametrize("degrees", [0, 17, 45, 90])
def test_an_outline_shares_all_of_itself(degrees: float) -> None:
    quad = rectangle(degrees=degrees)
    assert inner_area(quad, quad.copy()) == pytest.approx((24 * 33.6,) * 3, rel=0.002)
    assert shared(quad, quad[::-1]) == pytest.approx(1, abs=0.002), "either way round"


def test_outlines_apart_share_nothing() -> None:
    assert inner_area(box(0, 0), box(200, 0)) == (0, 30 * 42, 30 * 42)
    assert shared(box(0, 0), box(200, 0)) == 0
    assert shared(box(0, 0), box(30, 0)) == pytest.approx(0, abs=1e-3), "side by side"


@pytest.mark.parametrize("shift", [0.1, 0.5, 0.9])
@given(degrees=st.floats(0, 360), x=st.floats(0, 4000), y=st.floats(0, 4000))
def test_outlines_share_what_they_are_shifted_less(shift: float, degrees: float, x: float, y: float) -> None:
    quad = rectangle(degrees=degrees, middle=(x, y))
    aside, down = (quad[1] - quad[0]) * shift, (quad[3] - quad[0]) / 4
    assert shared(quad, quad + aside) == pytest.approx(1 - shift, abs=0.01)
    assert shared(quad, quad + aside + down) == pytest.approx((1 - shift) * 0.75, abs=0.01)


def test_half_of_an_outline_is_half() -> None:
    assert shared(box(0, 0), box(15, 0)) == pytest.approx(0.5)
    assert shared(box(0, 0), box(0, 21)) == pytest.approx(0.5)
    assert inner_area(box(0, 0), box(15, 0)) == pytest.approx((15 * 42, 30 * 42, 30 * 42))


@given(
    x=st.floats(100, 900),
    y=st.floats(100, 900),
    degrees=st.floats(0, 360),
    nudges=st.lists(st.floats(-0.004, 0.004), min_size=8, max_size=8),
)
def test_edges_that_nearly_coincide_do_not_mislead(
    x: float, y: float, degrees: float, nudges: list[float]
) -> None:
    quad = rectangle(width=60, degrees=degrees, middle=(x, y))
    other = quad + np.asarray(nudges, np.float32).reshape(4, 2)
    assert shared(quad, other) > 0.99
    assert inner_area(quad, other) == pytest.approx((60 * 84,) * 3, rel=0.01)


def test_of_the_smaller_outline_it_is_said_how_much_is_shared() -> None:
    assert shared(box(0, 0, 60, 60), box(10, 10, 20, 20)) == pytest.approx(1)
    assert shared(box(10, 10, 20, 20), box(0, 0, 60, 60)) == pytest.approx(1)
    assert shared(box(0, 0, 60, 60), box(50, 0, 20, 20)) == pytest.approx(0.5)


@pytest.mark.parametrize("empty", [box(10, 10, 0, 0), box(10, 10, 20, 0)], ids=["point", "line"])
def test_what_has_no_area_lies_in_everything(empty: F32) -> None:
    assert inner_area(box(0, 0), empty)[0] == pytest.approx(0)
    assert shared(box(0, 0), empty) == 1
    assert shared(empty, box(0, 0)) == 1
    assert shared(empty, empty) == 1
