"""Missed tiles are sought beside those that were found, and nowhere else."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tests.vision.scripted import square_corners
from vision.beside import beside, bounds

F32 = NDArray[np.float32]


def row(*places: float, degrees: float = 0.0) -> F32:
    """Tiles 60 pixels wide in a row, `places` counting their widths from the first one."""
    turn = np.radians(degrees)
    along = np.asarray([np.cos(turn), np.sin(turn)]) * 60
    return np.stack(
        [square_corners(*(np.asarray([300, 300]) + along * at), degrees=degrees) for at in places]
    )


def middles(quads: F32) -> list[tuple[float, float]]:
    return sorted((round(float(x)), round(float(y))) for x, y in quads.mean(axis=1))


def test_a_gap_in_a_row_and_its_ends_are_looked_at_once() -> None:
    found = beside(row(0, 1, 3), np.ones(3, np.float32))
    assert np.allclose(middles(found), [(239, 300), (421, 300), (541, 300)], atol=3)


def test_where_tiles_lie_nothing_is_sought() -> None:
    full = beside(row(0, 1, 2), np.ones(3, np.float32))
    assert np.allclose(middles(full), [(239, 300), (481, 300)], atol=3)


def test_rows_may_lie_at_any_angle() -> None:
    found = beside(row(0, 2, degrees=90), np.ones(2, np.float32))
    assert np.allclose(middles(found), [(300, 239), (300, 361), (300, 481)], atol=3)


def test_only_sure_tiles_speak_for_others_and_all_take_up_their_place() -> None:
    doubtful = np.asarray([1.0, 0.3], np.float32)
    assert np.allclose(middles(beside(row(0, 1), doubtful)), [(239, 300)], atol=3)


def test_no_tiles() -> None:
    none = beside(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32))
    assert none.shape == (0, 4, 2)
    assert bounds(none).shape == (0, 4)


def test_bounds_reach_from_corner_to_corner() -> None:
    assert bounds(square_corners(100, 100)[None]).tolist() == [[70, 58, 130, 142]]
