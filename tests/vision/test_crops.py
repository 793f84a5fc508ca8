"""Crops are cut exactly where their matrices and corners say, from pixels of about the right size."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.crops import (
    BEYOND,
    CORNER_SIDE,
    FACE_MARGIN,
    FACE_SIZE,
    Pyramid,
    apply_affine,
    apply_affines,
    cut_face,
    cut_square,
    invert_affine,
    invert_affines,
    square_matrices,
    square_matrix,
)

F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]


def noise(width: int, height: int) -> U8:
    return np.random.default_rng(4).integers(0, 256, (height, width, 3), dtype=np.uint8)


def smooth(width: int, height: int) -> U8:
    """A picture in which brightness says where one is: blue grows with x, green with y."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    red = np.full_like(x, 128)
    return np.dstack([(x + 0.5) / width * 255, (y + 0.5) / height * 255, red]).round().astype(np.uint8)


def points(*pairs: tuple[float, float]) -> F32:
    return np.asarray(pairs, np.float32)


@given(
    x=st.floats(0, 4000), y=st.floats(0, 4000), side=st.floats(8, 2000), angle=st.floats(-math.pi, math.pi)
)
def test_a_square_matrix_can_be_undone(x: float, y: float, side: float, angle: float) -> None:
    matrix = square_matrix((x, y), side, angle)
    inside = points((0, 0), (64, 0), (64, 64), (0, 64), (12.5, 40))
    back = apply_affine(matrix, apply_affine(invert_affine(matrix), inside))
    assert np.abs(back - inside).max() < 0.02 * max(1.0, 400 / side)


@given(x=st.floats(0, 4000), y=st.floats(0, 4000), side=st.floats(8, 2000), angle=st.floats(-3, 3))
def test_the_middle_and_the_side_are_what_was_asked(x: float, y: float, side: float, angle: float) -> None:
    matrix = square_matrix((x, y), side, angle)
    middle, edge = apply_affine(matrix, points((x, y), (x + side / 2, y)))
    assert np.abs(middle - CORNER_SIDE / 2).max() < 0.05
    assert math.dist(middle, edge) == pytest.approx(CORNER_SIDE / 2, rel=0.01)


def test_a_positive_angle_turns_the_picture_clockwise() -> None:
    matrix = square_matrix((100, 100), 64, math.pi / 2)
    right, up = apply_affine(matrix, points((110, 100), (100, 90)))
    assert right == pytest.approx([32, 42], abs=1e-3), "what was right of the middle is now below it"
    assert up == pytest.approx([42, 32], abs=1e-3), "what was above the middle is now right of it"


def test_the_square_shows_the_turned_picture() -> None:
    image = np.zeros((200, 200, 3), np.uint8)
    image[97:103, 115:121] = 255  # right of the middle
    square = cut_square(Pyramid(image), square_matrix((100, 100), 64, math.pi / 2))
    y, x = np.argwhere(square[..., 0] > 128).mean(axis=0)
    assert (x + 0.5, y + 0.5) == pytest.approx((32, 50), abs=0.6)


def test_at_scale_one_the_square_is_the_picture_itself() -> None:
    image = noise(200, 160)
    square = cut_square(Pyramid(image), square_matrix((82, 71), 64))
    assert np.array_equal(square, image[71 - 32 : 71 + 32, 82 - 32 : 82 + 32])


def test_half_a_pixel_is_half_a_pixel() -> None:
    image = smooth(256, 256)
    square = cut_square(Pyramid(image), square_matrix((100.5, 80), 64)).astype(float)
    expected = (image[48:112, 68:132].astype(float) + image[48:112, 69:133]) / 2
    assert np.abs(square - expected).max() <= 1


def test_squares_may_have_another_size() -> None:
    image = noise(200, 160)
    square = cut_square(Pyramid(image), square_matrix((82, 71), 100, pixels=100), pixels=100)
    assert np.array_equal(square, image[71 - 50 : 71 + 50, 82 - 50 : 82 + 50])


def test_beyond_the_picture_is_grey() -> None:
    image = noise(50, 40)
    square = cut_square(Pyramid(image), square_matrix((0, 0), 64))
    assert (square[:31] == BEYOND).all()
    assert (square[:, :31] == BEYOND).all()
    assert np.array_equal(square[32:, 32:], image[:32, :32])
    assert (cut_square(Pyramid(image), square_matrix((900, 900), 64)) == BEYOND).all()


@pytest.mark.parametrize(
    ("shrink", "step"), [(0.2, 0), (1.0, 0), (1.5, 0), (1.6, 1), (3.0, 1), (3.3, 2), (4.0, 2), (8.0, 3)]
)
def test_a_crop_is_cut_from_pixels_of_about_its_own_size(shrink: float, step: int) -> None:
    image, scale = Pyramid(noise(800, 640)).level(shrink)
    assert image.shape == (640 >> step, 800 >> step, 3)
    assert scale.tolist() == [0.5**step, 0.5**step]


def test_levels_end_before_nothing_is_left() -> None:
    pyramid = Pyramid(noise(40, 20))
    image, scale = pyramid.level(1000)
    assert image.shape == (10, 20, 3)
    assert scale.tolist() == [0.5, 0.5]
    assert Pyramid(noise(1, 1)).level(1000)[0].shape == (1, 1, 3)


def test_levels_of_odd_pictures_know_their_true_scale() -> None:
    image, scale = Pyramid(smooth(1001, 333)).level(4)
    assert scale == pytest.approx([image.shape[1] / 1001, image.shape[0] / 333])
    assert scale[0] != scale[1]


@pytest.mark.parametrize("size", [(1024, 768), (1001, 333), (999, 751)])
def test_a_coarse_crop_lies_where_a_fine_one_would(size: tuple[int, int]) -> None:
    image = smooth(*size)
    x, y, side = 0.8 * size[0], 0.8 * size[1], 300.0
    square = cut_square(Pyramid(image), square_matrix((x, y), side))
    blue, green = square[31:33, 31:33, 0].mean(), square[31:33, 31:33, 1].mean()
    assert blue / 255 * size[0] == pytest.approx(x, abs=0.004 * size[0])
    assert green / 255 * size[1] == pytest.approx(y, abs=0.004 * size[1])


def test_many_matrices_are_each_for_themselves() -> None:
    rng = np.random.default_rng(5)
    centres = rng.uniform(0, 4000, (20, 2)).astype(np.float32)
    sides, angles = rng.uniform(8, 600, 20).astype(np.float32), rng.uniform(-3, 3, 20).astype(np.float32)
    quads = rng.uniform(0, 64, (20, 4, 2)).astype(np.float32)
    together = square_matrices(centres, sides, angles)
    back = invert_affines(together)
    moved = apply_affines(back, quads)
    for index, matrix in enumerate(together):
        x, y = centres[index]
        alone = square_matrix((float(x), float(y)), float(sides[index]), float(angles[index]))
        assert matrix == pytest.approx(alone, rel=1e-5, abs=1e-3)
        assert back[index] == pytest.approx(invert_affine(matrix), rel=1e-5, abs=1e-3)
        assert moved[index] == pytest.approx(apply_affine(back[index], quads[index]), abs=1e-2)
    none = np.zeros(0, np.float32)
    assert square_matrices(np.zeros((0, 2), np.float32), none, none).shape == (0, 2, 3)
    assert invert_affines(np.zeros((0, 2, 3), np.float32)).shape == (0, 2, 3)


INKS = ((0, 0, 255), (0, 255, 0), (255, 0, 0), (0, 255, 255))


def marked(quad: F32, size: tuple[int, int] = (400, 400)) -> U8:
    """A white tile at `quad` whose corners are red, green, blue and yellow, in upright order."""
    image = np.full((size[1], size[0], 3), 60, np.uint8)
    flat = np.full((140, 100, 3), 255, np.uint8)
    for x, y, ink in ((0, 0, INKS[0]), (70, 0, INKS[1]), (70, 110, INKS[2]), (0, 110, INKS[3])):
        flat[y : y + 30, x : x + 30] = ink
    corners = points((0, 0), (100, 0), (100, 140), (0, 140)) - 0.5
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), (quad - 0.5).astype(np.float32))
    cv2.warpPerspective(flat, matrix, size, dst=image, borderMode=cv2.BORDER_TRANSPARENT)
    return image


@pytest.mark.parametrize(
    "quad",
    [
        points((150, 120), (250, 120), (250, 260), (150, 260)),
        points((250, 260), (150, 260), (150, 120), (250, 120)),  # upside down
        points((260, 150), (260, 250), (120, 250), (120, 150)),  # on its side
        points((160, 110), (262, 139), (240, 288), (130, 251)),  # in perspective
        points((195, 192), (205, 192), (205, 206), (195, 206)),  # tiny
    ],
)
def test_a_face_is_cut_upright_with_its_corners_in_place(quad: F32) -> None:
    face = cut_face(Pyramid(marked(quad)), quad)
    width, height = FACE_SIZE
    assert face.shape == (height, width, 3)
    left, top = round(width * (FACE_MARGIN + 0.09)), round(height * (FACE_MARGIN + 0.08))
    spots = (
        (left, top),
        (width - 1 - left, top),
        (width - 1 - left, height - 1 - top),
        (left, height - 1 - top),
    )
    for (x, y), ink in zip(spots, INKS, strict=True):
        assert np.abs(face[y, x].astype(int) - ink).max() < 90, (x, y, face[y, x], ink)
    assert face[height // 2, width // 2].min() > 200


def test_the_margin_of_a_face_is_what_it_says() -> None:
    quad = points((100, 100), (200, 100), (200, 240), (100, 240))
    image = np.zeros((400, 400, 3), np.uint8)
    image[100:240, 100:200] = 255
    face = cut_face(Pyramid(image), quad)
    rows, columns = (np.flatnonzero(face[..., 0].max(axis=axis) > 127) for axis in (1, 0))
    width, height = FACE_SIZE
    assert len(columns) == pytest.approx(width * (1 - 2 * FACE_MARGIN), abs=1.01)
    assert len(rows) == pytest.approx(height * (1 - 2 * FACE_MARGIN), abs=1.01)
    assert columns[0] == width - 1 - columns[-1]
    assert rows[0] == height - 1 - rows[-1]


@pytest.mark.parametrize(
    "quad",
    [
        points((10, 10), (10, 10), (10, 10), (10, 10)),
        points((0, 0), (10, 10), (20, 20), (30, 30)),
        points((-500, -500), (-400, -500), (-400, -360), (-500, -360)),
    ],
)
def test_a_quad_that_is_none_still_gives_a_picture(quad: F32) -> None:
    assert cut_face(Pyramid(noise(60, 60)), quad).shape == (64, 48, 3)
