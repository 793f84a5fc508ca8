"""Every tile is found once, whatever the size of the picture and wherever the windows are cut."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision import finding
from vision.finding import OVERLAP, WINDOW, Blobs, find_boxes, suppress, windows

F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]

GROUND, TILE, BACK = (40, 40, 40), (250, 240, 230), (200, 60, 20)
Box = tuple[int, int, int, int]  # x, y, width, height


def picture(width: int, height: int, *, up: Sequence[Box] = (), down: Sequence[Box] = ()) -> U8:
    image = np.full((height, width, 3), GROUND, np.uint8)
    for boxes, colour in ((up, TILE), (down, BACK)):
        for x, y, wide, tall in boxes:
            image[y : y + tall, x : x + wide] = colour
    return image


class Finder:
    """Stands in for the net: boxes every bright patch that is 8 to 300 pixels long, as a net would."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int]] = []

    def __call__(self, blob: F32) -> F32:
        assert blob.dtype == np.float32
        assert blob.shape[:2] == (1, 3)
        assert blob.shape[2] % 32 == blob.shape[3] % 32 == 0
        self.seen.append((blob.shape[3], blob.shape[2]))
        red, _, blue = blob[0]
        up = ((red > 0.8) & (blue > 0.8)).astype(np.uint8)
        down = ((blue > 0.6) & (red < 0.3)).astype(np.uint8)
        found = []
        for mask, scores in ((up, (0.9, 0.1)), (down, (0.2, 0.8))):
            count, _, stats, _ = cv2.connectedComponentsWithStats(mask)
            for x, y, wide, tall, _ in stats[1:count]:
                if 8 <= max(wide, tall) <= 300:
                    found.append((x + wide / 2, y + tall / 2, wide, tall, *scores))
        return np.asarray(found, np.float32).reshape(-1, 6)


def as_boxes(xyxy: F32) -> list[Box]:
    return sorted(
        (round(float(x0)), round(float(y0)), round(float(x1 - x0)), round(float(y1 - y0)))
        for x0, y0, x1, y1 in xyxy
    )


def iou(first: F32, second: F32) -> float:
    low, high = np.maximum(first[:2], second[:2]), np.minimum(first[2:], second[2:])
    inner = float(np.clip(high - low, 0, None).prod())
    areas = [float((box[2] - box[0]) * (box[3] - box[1])) for box in (first, second)]
    return inner / (sum(areas) - inner)


@settings(max_examples=60)
@given(width=st.integers(1, 12_000), height=st.integers(1, 12_000))
def test_windows_cover_the_picture_and_overlap(width: int, height: int) -> None:
    cut = list(windows(width, height))
    for start, length, whole in ((0, 2, width), (1, 3, height)):
        spans = sorted({(window[start], window[length]) for window in cut})
        assert spans[0][0] == 0
        assert sum(spans[-1]) == whole
        assert all(1 <= span <= min(WINDOW, whole) for _, span in spans)
        for (first, span), (second, _) in pairwise(spans):
            assert second + OVERLAP <= first + span, "neighbours share at least the overlap"
    columns, rows = {window[0] for window in cut}, {window[1] for window in cut}
    assert len(cut) == len(columns) * len(rows), "every column of windows has every row"


def test_a_hundred_megapixels_go_through_piece_by_piece() -> None:
    # What is held besides the picture: one window's planes, and smaller pictures of a sixth of it and less.
    cut = list(windows(12_000, 8_500))
    assert max(width * height for _, _, width, height in cut) <= WINDOW**2
    smaller = finding._sizes(12_000, 8_500)[1:]
    assert sum(width * height for width, height in smaller) < 12_000 * 8_500 / 5
    assert len(smaller) == 4


def test_the_blob_is_rgb_padded_with_grey() -> None:
    image = np.zeros((33, 65, 3), np.uint8)
    image[:] = (255, 51, 0)
    blob = Blobs().of(image)
    assert blob.shape == (1, 3, 64, 96)
    assert blob[0, :, 0, 0].tolist() == pytest.approx([0, 0.2, 1])
    assert blob[0, :, 40, 10].tolist() == pytest.approx([114 / 255] * 3)
    assert blob[0, :, 10, 70].tolist() == pytest.approx([114 / 255] * 3)


def test_a_smaller_blob_after_a_larger_one_holds_nothing_of_it() -> None:
    blobs, noise = Blobs(), np.random.default_rng(1).integers(0, 256, (64, 96, 3), np.uint8)
    large = blobs.of(noise).copy()
    assert (large == noise[..., ::-1].transpose(2, 0, 1)[None] * np.float32(1 / 255)).all()
    assert blobs.of(np.full((32, 40, 3), 255, np.uint8)).min() == pytest.approx(114 / 255)
    assert (blobs.of(noise) == large).all()


def test_a_small_picture_is_looked_at_once() -> None:
    finder = Finder()
    boxes = find_boxes(picture(200, 150, up=[(20, 30, 40, 56)]), finder, threshold=0.2)
    assert finder.seen == [(224, 160)]
    assert as_boxes(boxes.xyxy) == [(20, 30, 40, 56)]
    assert boxes.scores.tolist() == pytest.approx([0.9])
    assert boxes.down.tolist() == [False]


def test_boxes_come_best_first_and_say_which_side_is_up() -> None:
    image = picture(300, 150, up=[(20, 30, 40, 56)], down=[(100, 30, 40, 56)])
    boxes = find_boxes(image, Finder(), threshold=0.2)
    assert boxes.scores.tolist() == pytest.approx([0.9, 0.8])
    assert boxes.down.tolist() == [False, True]
    assert find_boxes(image, Finder(), threshold=0.85).down.tolist() == [False]


def test_an_empty_picture_has_no_boxes() -> None:
    boxes = find_boxes(picture(2000, 1500), Finder(), threshold=0.2)
    assert boxes.xyxy.shape == (0, 4)
    assert boxes.scores.shape == boxes.down.shape == (0,)


def test_a_tile_that_two_windows_and_several_sizes_see_is_found_once() -> None:
    middle = WINDOW - OVERLAP // 2
    tiles = [(x, y, 60, 84) for x in (30, middle, 1900) for y in (40, 900, 1300)]
    boxes = find_boxes(picture(2000, 1500, up=tiles), Finder(), threshold=0.2)
    assert len(boxes.xyxy) == len(tiles)
    for x, y, wide, tall in tiles:
        truth = np.asarray([x, y, x + wide, y + tall], np.float32)
        assert max(iou(truth, box) for box in boxes.xyxy) > 0.9


def test_tiles_of_every_size_are_found_in_a_large_picture() -> None:
    tiles = [(100, 100, 26, 36), (400, 200, 120, 168), (1500, 300, 420, 588), (2600, 900, 1000, 1400)]
    boxes = find_boxes(picture(4000, 3000, up=tiles), Finder(), threshold=0.2)
    assert len(boxes.xyxy) == len(tiles)
    for x, y, wide, tall in tiles:
        truth = np.asarray([x, y, x + wide, y + tall], np.float32)
        assert max(iou(truth, box) for box in boxes.xyxy) > 0.85


def test_what_an_inner_edge_cuts_is_left_to_the_neighbour() -> None:
    # Two windows; a tile across the start of the second is seen whole by the first only.
    cut = list(windows(1800, 600))
    assert len(cut) == 2
    x = cut[1][0] - 30
    boxes = find_boxes(picture(1800, 600, up=[(x, 200, 60, 84)]), Finder(), threshold=0.2)
    assert [box[2] for box in as_boxes(boxes.xyxy)] == [pytest.approx(60, abs=3)]


def test_what_the_picture_cuts_is_kept() -> None:
    tiles = [(0, 0, 30, 84), (1770, 516, 30, 84)]
    boxes = find_boxes(picture(1800, 600, up=tiles), Finder(), threshold=0.2)
    assert len(boxes.xyxy) == 2


@pytest.mark.parametrize("size", [(1, 1), (8, 8), (12_000, 8), (8, 12_000), (5000, 20), (641, 1)])
def test_odd_shapes_do_no_harm(size: tuple[int, int]) -> None:
    assert len(find_boxes(picture(*size), Finder(), threshold=0.2).xyxy) == 0


def test_smaller_looks_give_boxes_in_pixels_of_the_whole() -> None:
    # The far corner, where a wrong scale shows most: 3333 does not divide evenly.
    tile = (2900, 1500, 400, 300)
    boxes = find_boxes(picture(3333, 1851, up=[tile]), Finder(), threshold=0.2)
    assert boxes.xyxy.shape == (1, 4)
    truth = np.asarray([2900, 1500, 3300, 1800], np.float32)
    assert np.abs(boxes.xyxy[0] - truth).max() <= 4, "two pixels of the smaller look"


PART = (600, 300, 320, 256)


def test_parts_are_looked_at_and_nothing_else() -> None:
    inside, beyond = (700, 400, 40, 56), (200, 100, 40, 56)
    finder = Finder()
    boxes = find_boxes(picture(2000, 1500, up=[inside, beyond]), finder, threshold=0.2, parts=[PART])
    assert as_boxes(boxes.xyxy) == [inside]
    assert finder.seen == [(320, 256)]


def test_what_the_edge_of_a_part_cuts_is_left_out_but_not_what_the_picture_cuts() -> None:
    across, at_the_edge = (590, 400, 40, 56), (0, 20, 30, 56)
    image = picture(2000, 1500, up=[across, at_the_edge])
    boxes = find_boxes(image, Finder(), threshold=0.2, parts=[PART, (0, 0, 256, 160)])
    assert as_boxes(boxes.xyxy) == [at_the_edge]


def test_what_two_parts_see_is_found_once() -> None:
    tile = (700, 400, 40, 56)
    parts = [PART, (640, 352, 256, 256)]
    assert as_boxes(
        find_boxes(picture(2000, 1500, up=[tile]), Finder(), threshold=0.2, parts=parts).xyxy
    ) == [tile]


def test_parts_grow_to_the_stride_within_the_picture() -> None:
    finder = Finder()
    find_boxes(picture(650, 500), finder, threshold=0.2, parts=[(633, 3, 17, 50), (10, 490, 40, 10)])
    assert finder.seen == [(32, 64), (64, 32)]
    assert finding._aligned([(633, 3, 17, 50)], 650, 500) == [(618, 0, 32, 64)]


def test_parts_that_are_most_of_the_picture_are_looked_at_as_one() -> None:
    finder = Finder()
    parts = [(0, 0, 200, 300), (100, 0, 200, 300), (0, 0, 300, 200)]
    find_boxes(picture(300, 300), finder, threshold=0.2, parts=parts)
    assert finder.seen == [(320, 320)]
    assert len(find_boxes(picture(300, 300), finder, threshold=0.2, parts=[]).xyxy) == 0


@pytest.mark.parametrize(
    ("tile_px", "widths"),
    [
        (None, [3840, 1536, 614, 246]),
        ((25, 90), [3840]),
        ((15, 300), [3840, 1536]),
        ((64, 90), [1920]),
        ((320, 2000), [384, 154]),
    ],
)
def test_only_looks_that_the_tiles_need_are_taken(
    tile_px: tuple[float, float] | None, widths: list[int]
) -> None:
    assert [width for width, _ in finding._sizes(3840, 2160, tile_px)] == widths


def brute_force(xyxy: F32, scores: F32, limit: float) -> list[int]:
    kept: list[int] = []
    for index in sorted(range(len(scores)), key=lambda i: (-scores[i], i)):
        if all(iou(xyxy[index], xyxy[other]) <= limit for other in kept):
            kept.append(index)
    return kept


@settings(max_examples=60)
@given(seed=st.integers(0, 10_000), count=st.integers(0, 40))
def test_suppression_equals_the_plain_way(seed: int, count: int) -> None:
    rng = np.random.default_rng(seed)
    low = rng.integers(0, 60, (count, 2))
    xyxy = np.concatenate([low, low + rng.integers(5, 60, (count, 2))], axis=1).astype(np.float32)
    scores = rng.choice([0.3, 0.5, 0.7, 0.9], count).astype(np.float32)
    limit = 0.5003  # no ratio of small integers
    assert suppress(xyxy, scores, limit).tolist() == brute_force(xyxy, scores, limit)
