"""Cameras see what a ruler and a sheet of paper would say, and never a mirror image."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.synth.geometry import (
    Camera,
    Solid,
    box_points,
    face_quad,
    flat_axes,
    leaning_axes,
    look_at,
)

F64 = NDArray[np.float64]

angles = st.floats(0, 2 * math.pi)


def from_above(*, roll: float = 0.0, size: tuple[int, int] = (640, 480)) -> Camera:
    return look_at(
        target=np.zeros(3), tilt=0.0, azimuth=0.0, roll=roll, distance=1000.0, focal_px=2000.0, size=size
    )


def clockwise(quad: F64) -> bool:
    """Whether the corners of a picture (y down) turn clockwise at each of the four."""
    sides = np.roll(quad, -1, axis=0) - quad
    after = np.roll(sides, -1, axis=0)
    return bool((sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] > 0).all())


def test_a_flat_tile_under_the_camera_is_where_similar_triangles_put_it() -> None:
    thick = 8.0
    solid = Solid("r7", np.asarray([50.0, 30.0, thick]), flat_axes(0.0))
    quad = from_above().project(face_quad(solid, 26.0, 36.0))
    scale = 2000.0 / (1000.0 - thick)  # pixels to a mm at the height of the face
    left, right = 320 + (50 - 13) * scale, 320 + (50 + 13) * scale
    top, bottom = 240 - (30 + 18) * scale, 240 - (30 - 18) * scale
    expected = [(left, top), (right, top), (right, bottom), (left, bottom)]
    assert quad == pytest.approx(np.asarray(expected), abs=1e-9)


def test_a_tile_turned_to_the_left_has_its_top_to_the_left() -> None:
    solid = Solid("r7", np.zeros(3), flat_axes(math.pi / 2))
    quad = from_above().project(face_quad(solid, 26.0, 36.0))
    assert quad[:2].mean(axis=0) == pytest.approx([320 - 36, 240], abs=1e-9), "the middle of the top edge"
    assert clockwise(quad)


def test_a_turned_camera_turns_the_picture() -> None:
    spot = np.asarray([[100.0, 0.0, 0.0]])
    assert from_above().project(spot)[0] == pytest.approx([520, 240])
    assert from_above(roll=math.pi / 2).project(spot)[0] == pytest.approx([320, 40]), "what was right is up"


@given(
    tilt=st.floats(0, 1.2),
    azimuth=angles,
    roll=st.floats(-0.5, 0.5),
    off=st.tuples(st.floats(-0.4, 0.4), st.floats(-0.4, 0.4)),
)
def test_the_target_is_in_the_middle_and_the_camera_is_no_mirror(
    tilt: float, azimuth: float, roll: float, off: tuple[float, float]
) -> None:
    target = np.asarray([5.0, -7.0, 10.0])
    camera = look_at(
        target=target,
        tilt=tilt,
        azimuth=azimuth,
        roll=roll,
        distance=900.0,
        focal_px=1500.0,
        size=(448, 300),
        off_axis=off,
        k1=0.02,
    )
    assert camera.project(target[None])[0] == pytest.approx([224, 150], abs=1e-6)
    assert float(np.linalg.norm(camera.position - target)) == pytest.approx(900)
    assert camera.axes @ camera.axes.T == pytest.approx(np.eye(3), abs=1e-9)
    # Right, down, forward: seen from behind, down is clockwise of right.
    assert float(np.linalg.det(camera.axes)) == pytest.approx(1)


@given(turn=angles, tilt=st.floats(0, 1.0), azimuth=angles, x=st.floats(-150, 150), y=st.floats(-150, 150))
def test_faces_of_flat_tiles_turn_clockwise_from_every_side(
    turn: float, tilt: float, azimuth: float, x: float, y: float
) -> None:
    camera = look_at(
        target=np.zeros(3),
        tilt=tilt,
        azimuth=azimuth,
        roll=0.3,
        distance=900.0,
        focal_px=1500.0,
        size=(448, 448),
    )
    solid = Solid("r7", np.asarray([x, y, 8.0]), flat_axes(turn))
    assert clockwise(camera.project(face_quad(solid, 26.0, 36.0)))


@given(facing=angles, lean=st.floats(0.3, 1.5))
def test_tiles_on_a_rack_stand_upright_before_its_player(facing: float, lean: float) -> None:
    axes = leaning_axes(facing, lean)
    assert axes.T @ axes == pytest.approx(np.eye(3), abs=1e-9)
    assert float(np.linalg.det(axes)) == pytest.approx(1), "no mirror image"
    front = np.asarray([math.cos(facing), math.sin(facing), 0.0])
    assert float(axes[:, 2] @ front) > 0, "the face looks to the player"
    assert float(axes[2, 1]) > 0, "up is up"
    camera = look_at(
        target=np.zeros(3),
        tilt=0.8,
        azimuth=facing,
        roll=0.0,
        distance=900.0,
        focal_px=1500.0,
        size=(400, 400),
    )
    quad = camera.project(face_quad(Solid("r7", np.zeros(3), axes), 26.0, 36.0))
    assert clockwise(quad)
    assert quad[:2, 1].max() < quad[2:, 1].min(), "the top edge is at the top"
    assert quad[0, 0] < quad[1, 0]


def test_the_outline_is_within_the_face_and_the_back_lies_under_it() -> None:
    solid = Solid("r7", np.asarray([10.0, 20.0, 8.0]), flat_axes(0.0))
    face, back = box_points(solid, 26.0, 36.0, 8.0, 0.06)
    assert face.shape == back.shape == (16, 3)
    assert face.min(axis=0) == pytest.approx([-3, 2, 8])
    assert face.max(axis=0) == pytest.approx([23, 38, 8])
    assert back[:, 2] == pytest.approx(np.zeros(16), abs=1e-9)
    corners = face_quad(solid, 26.0, 36.0)
    away = np.linalg.norm(face[None, :, :2] - corners[:, None, :2], axis=2).min(axis=1)
    # The nearest points of a corner's arc lie at 30 and 60 degrees of it.
    radius = 0.06 * 26
    assert away == pytest.approx(np.full(4, radius * math.hypot(1 - math.cos(math.pi / 6), 0.5)))
