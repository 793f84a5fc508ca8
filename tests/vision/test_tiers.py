"""Corners that leave the line of a rack's other tiles are moved into it, and no others."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.scripted import INKS, ScriptedNets, draw_tile, reader, square_corners, table
from vision.crops import Pyramid
from vision.judging import Finds
from vision.onnx_nets import FaceAnswers
from vision.reader import Reader
from vision.tiers import FEWEST, better_ways, company, straightened

F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]

WIDE, TALL = 40.0, 34.0


def tier(count: int = 6, *, gap: float = 3.0, degrees: float = 0.0, jitter: float = 0.0) -> F32:
    """Tiles side by side, the first about (200, 300), upright top left first."""
    flat = np.asarray([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * (WIDE, TALL)
    quads = flat + np.arange(count)[:, None, None] * np.asarray([WIDE + gap, 0.0])
    quads = quads + np.random.default_rng(3).normal(0, jitter, (count, 1, 2))
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(quads @ np.asarray([[c, s], [-s, c]]) + (200, 300), np.float32)


def all_sure(quads: F32) -> NDArray[np.bool_]:
    return np.ones(len(quads), np.bool_)


def with_wall(quads: F32, at: int, share: float = 0.4) -> F32:
    """A tile's upper corners moved up, as where the wall over a face is taken for a part of it."""
    wrong = quads.copy()
    wrong[at, :2] += share * (quads[at, :2] - quads[at, [3, 2]])
    return wrong


@pytest.mark.parametrize("degrees", [0.0, 17.0, 90.0, 180.0, 263.0])
@pytest.mark.parametrize("at", [0, 3, 5])
def test_a_wall_taken_for_a_part_of_the_face_is_left_out(degrees: float, at: int) -> None:
    right = tier(degrees=degrees)
    places, quads = straightened(with_wall(right, at), all_sure(right))
    assert places.tolist() == [at]
    assert np.abs(quads[0] - right[at]).max() < 0.5


@pytest.mark.parametrize("gap", [0.0, 12.0, 70.0])
def test_a_face_cut_in_half_is_made_whole_across_gaps(gap: float) -> None:
    right = tier(gap=gap)
    places, quads = straightened(with_wall(right, 2, share=-0.5), all_sure(right))
    assert places.tolist() == [2]
    assert np.abs(quads[0] - right[2]).max() < 0.5


def test_the_order_of_the_corners_stays_also_of_a_tile_upside_down() -> None:
    right = tier()
    right[1] = np.roll(right[1], 2, axis=0)
    places, quads = straightened(with_wall(right, 1, share=0.4), all_sure(right))
    assert places.tolist() == [1]
    assert np.abs(quads[0] - right[1]).max() < 0.5, "its own first corner is still its first"


def test_rows_laid_by_hand_stay_as_they_lie() -> None:
    places, quads = straightened(row := tier(8, jitter=0.03 * TALL), all_sure(row))
    assert places.tolist() == []
    assert quads.shape == (0, 4, 2)


def test_a_line_in_perspective_is_a_line() -> None:
    right = tier(9)
    across = (right[..., 0] - 200) / 400
    right[..., 1] = 300 + (right[..., 1] - 300) * (1 - 0.4 * across) + 20 * across
    assert straightened(right, all_sure(right))[0].tolist() == []
    places, quads = straightened(with_wall(right, 7), all_sure(right))
    assert places.tolist() == [7]
    assert np.abs(quads[0] - right[7]).max() < 1.0


def test_few_tiles_make_no_line() -> None:
    few = tier(FEWEST - 1)
    assert straightened(with_wall(few, 1), all_sure(few))[0].tolist() == []
    unsure = all_sure(many := tier(6))
    unsure[:4] = False
    assert straightened(with_wall(many, 5), unsure)[0].tolist() == []


def test_other_tiers_and_tiles_turned_out_of_line_say_nothing() -> None:
    upper, lower = tier(4), tier(4) + np.asarray([0, TALL * 1.2], np.float32)
    both = np.concatenate([with_wall(upper, 2), lower])
    places, quads = straightened(both, all_sure(both))
    assert places.tolist() == [2]
    assert np.abs(quads[0] - upper[2]).max() < 0.5
    alone = np.concatenate([tier(3), tier(1, degrees=40.0) + np.asarray([130, 0], np.float32)])
    assert straightened(alone, all_sure(alone))[0].tolist() == []


def test_only_those_that_are_wanted_are_moved() -> None:
    wrong = with_wall(with_wall(tier(8), 1), 6)
    wanted = np.zeros(8, np.bool_)
    wanted[6] = True
    assert straightened(wrong, all_sure(wrong))[0].tolist() == [1, 6]
    assert straightened(wrong, all_sure(wrong), wanted)[0].tolist() == [6]


def test_nothing_is_no_tier() -> None:
    none = np.zeros((0, 4, 2), np.float32)
    places, quads = straightened(none, np.zeros(0, np.bool_))
    assert (places.shape, quads.shape) == ((0,), (0, 4, 2))
    point = np.zeros((5, 4, 2), np.float32)
    straightened(point, all_sure(point))


@pytest.mark.parametrize("degrees", [0.0, 90.0, 200.0])
def test_a_quad_over_two_tiles_may_be_either(degrees: float) -> None:
    right = tier(7, degrees=degrees)
    wrong = np.delete(right, 4, axis=0)
    wrong[3] = np.stack([right[3, 0], right[4, 1], right[4, 2], right[3, 3]])
    places, quads = straightened(wrong, all_sure(wrong))
    assert places.tolist() == [3, 3]
    for tile in right[3:5]:
        assert np.abs(quads - tile).max(axis=(1, 2)).min() < 0.5


def test_a_quad_over_a_part_of_a_tile_is_made_as_wide_as_the_others_where_there_is_room() -> None:
    right = tier(7, gap=0.0)
    wrong = right.copy()
    wrong[3, [0, 3]] += 0.45 * (right[3, 1] - right[3, 0])
    places, quads = straightened(wrong, all_sure(wrong))
    assert places.tolist() == [3], "to the right lies another"
    assert np.abs(quads[0] - right[3]).max() < 0.5


def test_a_better_way_is_taken_and_one_beside_it_too() -> None:
    places = np.asarray([2, 2, 5, 5, 0], np.int64)
    ways = np.concatenate([tier(2), tier(1), tier(1) + np.float32(8), tier(1)])
    before = np.asarray([0.9, 0, 0.3, 0, 0, 0.2], np.float32)
    better, beside = better_ways(places, ways, np.asarray([0.5, 0.6, 0.7, 0.8, 0.4], np.float32), before)
    assert (better.tolist(), beside.tolist()) == ([3, 1], [0]), "the find in place 2 lay over two tiles"
    better, beside = better_ways(places, ways, np.asarray([0.2, 0.6, 0.1, 0.1, 0.4], np.float32), before)
    assert (better.tolist(), beside.tolist()) == ([1], [])


def test_company_is_of_sure_tiles_alike_in_one_line() -> None:
    row = tier(5, gap=20.0)
    row[4] = row[4].mean(axis=0) + (row[4] - row[4].mean(axis=0)) * 1.6
    sure = np.asarray([True, True, False, False, False])
    assert company(row, sure).tolist() == [0.5, 0.5, 1.0, 0.5, 0.0], "the fourth is far from the first"
    assert company(row, np.zeros(5, np.bool_)).tolist() == [0.0] * 5
    assert company(row[:0], sure[:0]).tolist() == []


# --- in the reader ---

ROW = tuple(square_corners(100 + 64 * at, 200) for at in range(6))


class CarefulNets(ScriptedNets):
    """Less sure of a face whose corner is not where it belongs."""

    def faces(self, faces: U8) -> FaceAnswers:
        answers = super().faces(faces)
        for at, face in enumerate(faces):
            corner = face[5:11, 4:9].reshape(-1, 3).mean(axis=0)
            if min(np.abs(corner - ink).sum() for ink in INKS) > 90:
                answers[0][at] *= 0.4
        return answers


def photographed() -> tuple[Reader, Pyramid, Finds]:
    image = table()
    for number, quad in enumerate(ROW):
        draw_tile(image, quad, number + 1)
    one = np.full(len(ROW), 0.9, np.float32)
    return reader(nets=CarefulNets()), Pyramid(image), Finds(np.stack(ROW), one, one, one, one)


def test_a_find_is_moved_where_its_face_is_read_more_surely_there() -> None:
    eyes, pyramid, finds = photographed()
    wrong = Finds(with_wall(finds.quads, 2), finds.found, finds.first, finds.second, finds.fit)
    answers = eyes.answers(pyramid, wrong.quads)
    moved, read = eyes.in_line(pyramid, wrong, answers)
    assert np.abs(moved.quads - finds.quads).max() < 1.0
    assert read.surest[2] > answers.surest[2]
    assert np.abs(read.surest - eyes.answers(pyramid, finds.quads).surest).max() < 0.01
    same, before = eyes.in_line(pyramid, wrong, answers, np.zeros(len(ROW), np.bool_))
    assert same is wrong
    assert before is answers


def test_a_find_over_two_tiles_becomes_both() -> None:
    eyes, pyramid, finds = photographed()
    two = np.stack([ROW[3][0], ROW[4][1], ROW[4][2], ROW[3][3]])
    quads = np.stack([*ROW[:3], two, ROW[5]])
    one = np.full(5, 0.9, np.float32)
    wrong = Finds(quads, one, one, one, one)
    moved, read = eyes.in_line(pyramid, wrong, eyes.answers(pyramid, wrong.quads))
    assert len(moved.quads) == len(read.surest) == len(moved.fit) == 6
    right = eyes.answers(pyramid, finds.quads).log_number.argmax(axis=1)
    order = np.argsort(moved.quads[:, 0, 0])
    assert read.log_number.argmax(axis=1)[order].tolist() == right.tolist()


def test_a_find_stays_where_its_face_is_read_more_surely_as_it_lies() -> None:
    eyes, pyramid, finds = photographed()
    shifted = finds.quads.copy()
    shifted[[0, 1, 3, 4, 5]] -= np.asarray([0, 18], np.float32)  # all but one are wrong alike
    wrong = Finds(shifted, finds.found, finds.first, finds.second, finds.fit)
    assert straightened(wrong.quads, all_sure(wrong.quads))[0].tolist() == [2]
    moved, _ = eyes.in_line(pyramid, wrong, eyes.answers(pyramid, wrong.quads))
    assert np.array_equal(moved.quads, wrong.quads)
