"""The lens comes out of pictures of the board, and too few or too alike ones are refused."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.camera import Lens, Pose
from calibration.errors import CalibrationError
from calibration.lens import BOARDS_NEEDED, BoardView, find_board, measure_lens
from tests.calibration.virtual import LENS, SIZE, aimed, board_picture, over, photograph

CURVED = Lens((1010.0, 1004.0), (652.0, 351.0), (-0.15, 0.06, 0.0, 0.0, 0.0), "given")
POSES = [
    aimed(x, y, 400, tilt=tilt, roll=roll, yaw=90 + yaw)
    for x, y, tilt, roll, yaw in (
        (50, 30, 25, 0, 5),
        (-50, 20, -25, 5, -10),
        (50, -30, 5, 28, 0),
        (-50, -30, 0, -28, 12),
        (0, 0, 20, 20, 30),
        (60, 10, -20, 15, -25),
        (-60, 0, 12, -18, 3),
    )
]


def view_of(pose: Pose) -> BoardView | None:
    return find_board(photograph(board_picture(), 3.0, pose=pose, lens=CURVED, blur_mm=0.2))


def test_the_lens_is_measured() -> None:
    seen = [view for view in map(view_of, POSES) if view is not None]
    assert len(seen) >= BOARDS_NEEDED
    lens = measure_lens(seen, SIZE)
    assert lens.source == "charuco"
    assert lens.rms_px < 0.3
    assert lens.focal == pytest.approx(CURVED.focal, rel=0.01)
    assert lens.centre == pytest.approx(CURVED.centre, abs=8)
    assert lens.distortion[0] == pytest.approx(-0.15, abs=0.03)

    chance = np.random.default_rng(3)
    shaky = [BoardView(view.board_mm, view.pixels + chance.normal(0, 4, view.pixels.shape)) for view in seen]
    with pytest.raises(CalibrationError) as error:
        measure_lens(shaky, SIZE)
    assert error.value.code == "lens_rms"


def test_too_few_pictures_are_refused() -> None:
    with pytest.raises(CalibrationError, match="found in 0 pictures") as error:
        measure_lens([], SIZE)
    assert error.value.code == "few_boards"


def test_pictures_of_one_corner_only_are_refused() -> None:
    view = BoardView(np.zeros((12, 3)), np.random.default_rng(1).uniform(0, 200, (12, 2)))
    with pytest.raises(CalibrationError, match="of the frame only") as error:
        measure_lens([view] * 8, SIZE)
    assert error.value.code == "board_cover"


def test_a_picture_without_the_board_shows_none() -> None:
    assert find_board(np.full((720, 1280, 3), 90, np.uint8)) is None
    far = over(0, 0, 6000)
    assert find_board(photograph(board_picture(), 3.0, pose=far, lens=LENS)) is None
