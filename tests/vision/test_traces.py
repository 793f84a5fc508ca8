"""A change is seen wherever it is one; noise, light and compression are none."""

from __future__ import annotations

from weakref import ref

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.scripted import draw_tile, square_corners
from vision.regions import Region, in_any
from vision.traces import Trace, changed

U8 = NDArray[np.uint8]

TILE = 40  # pixels of width


def cloth(seed: int = 1) -> U8:
    """A table with a pattern and a lamp at its left, 800x600."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 60, (600, 800)).astype(np.float32), (0, 0), 3)
    lamp = np.linspace(1.1, 0.7, 800)[None]
    flat = np.clip((110 + grain) * lamp, 0, 255)[..., None] * np.asarray([0.7, 0.9, 1.0])
    return np.asarray(flat, np.uint8)


def laid(numbers: dict[tuple[int, int], int], *, blue: bool = False) -> U8:
    """The cloth with tiles about their middles."""
    image = cloth()
    for (x, y), number in numbers.items():
        draw_tile(image, square_corners(x, y, width=TILE, degrees=x % 30), number, blue=blue)
    return image


TABLE = {(x, y): x // 100 + y // 100 for x in range(100, 800, 100) for y in (150, 300, 450)}


def noisy(image: U8, seed: int, sigma: float = 3.0) -> U8:
    rng = np.random.default_rng(seed)
    return np.clip(image + rng.normal(0, sigma, image.shape), 0, 255).astype(np.uint8)


def compressed(image: U8, quality: int) -> U8:
    return np.asarray(
        cv2.imdecode(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], 1), np.uint8
    )


def lit(image: U8, gain: NDArray[np.floating] | float) -> U8:
    return np.clip(image * gain, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("sigma", [0.0, 1.5, 4.0, 8.0])
def test_noise_is_no_change(sigma: float) -> None:
    image = laid(TABLE)
    assert changed(noisy(image, 1, sigma), noisy(image, 2, sigma), tile_px=TILE) == []


@pytest.mark.parametrize("quality", [50, 75, 90])
def test_compression_is_no_change(quality: int) -> None:
    image = laid(TABLE)
    again = compressed(noisy(image, 2, 2.0), quality)
    assert changed(compressed(noisy(image, 1, 2.0), quality), again, tile_px=TILE) == []


@pytest.mark.parametrize(
    "gain",
    [0.75, 1.12, np.linspace(0.9, 1.1, 800)[None, :, None], np.asarray([0.88, 1.0, 1.08])],
    ids=["darker", "brighter", "from the side", "warmer"],
)
def test_light_that_moves_slowly_is_no_change(gain: NDArray[np.floating] | float) -> None:
    image = laid(TABLE)
    assert changed(noisy(image, 1), lit(noisy(image, 2), gain), tile_px=TILE) == []


def test_a_shake_of_less_than_half_a_pixel_is_no_change() -> None:
    image = laid(TABLE)
    move = np.asarray([[1, 0, 0.3], [0, 1, 0.25]], np.float32)
    shaken = cv2.warpAffine(image, move, (800, 600), borderMode=cv2.BORDER_REPLICATE)
    assert changed(image, np.asarray(shaken, np.uint8), tile_px=TILE) == []


def covers(regions: list[Region], spot: tuple[float, float]) -> bool:
    return bool(in_any(regions, [spot])[0])


@pytest.mark.parametrize("gain", [1.0, 0.8])
@pytest.mark.parametrize("number", [1, 4, 11])
def test_tiles_that_came_and_went_are_seen(gain: float, number: int) -> None:
    before = noisy(laid(TABLE), 1)
    moved = {place: value for place, value in TABLE.items() if place != (300, 300)}
    after = lit(noisy(laid({**moved, (650, 550): number}), 2), gain)
    regions = changed(before, after, tile_px=TILE)
    assert len(regions) == 2
    for spot in ((300, 300), (650, 550)):
        assert covers(regions, spot)
    for x, y in moved:
        assert not covers(regions, (x, y)), "no more than what changed is read anew"
    for region in regions:
        x0, y0, x1, y1 = region.bounds()
        assert TILE * 1.5 < x1 - x0 < TILE * 3.5
        assert TILE * 1.5 < y1 - y0 < TILE * 3.5


def test_another_face_in_the_same_place_is_a_change() -> None:
    before, after = laid(TABLE), laid({**TABLE, (300, 300): 11})
    (region,) = changed(noisy(before, 1), noisy(after, 2), tile_px=TILE)
    assert region.holds([(300, 300)]).all()


def test_another_ink_of_the_same_brightness_is_a_change() -> None:
    before, after = laid({(300, 300): 8}), laid({(300, 300): 8}, blue=True)
    (region,) = changed(noisy(before, 1), noisy(after, 2), tile_px=TILE)
    assert region.holds([(300, 300)]).all()


def test_in_dim_light_a_change_is_still_seen() -> None:
    before, after = (lit(laid(numbers), 0.3) for numbers in (TABLE, {**TABLE, (300, 300): 12}))
    (region,) = changed(noisy(before, 1, 1.0), noisy(after, 2, 1.0), tile_px=TILE)
    assert region.holds([(300, 300)]).all()


def test_a_speck_smaller_than_a_third_of_a_tile_is_none() -> None:
    image = laid(TABLE)
    speck = image.copy()
    speck[500:506, 400:406] = 255
    assert changed(image, speck, tile_px=TILE) == []
    speck[500:525, 400:425] = 255
    assert len(changed(image, speck, tile_px=TILE)) == 1


def test_a_hand_over_a_third_of_the_table_is_one_change() -> None:
    image = laid(TABLE)
    hand = image.copy()
    cv2.ellipse(hand, (250, 420), (170, 230), 30, 0, 360, (140, 170, 220), -1)
    regions = changed(image, hand, tile_px=TILE)
    spots = [(250, 420), (200, 300), (300, 300), (200, 450), (300, 450)]
    assert all(covers(regions, spot) for spot in spots), "the middle of it too"


def test_what_was_read_anew_is_no_change_any_more() -> None:
    first, second = noisy(laid(TABLE), 1), lit(noisy(laid({**TABLE, (300, 300): 11}), 2), 0.85)
    before, after = Trace.of(first, TILE), Trace.of(second, TILE)
    regions = before.changes(after)
    renewed = before.renewed(after, regions)
    assert renewed.changes(after) == []
    third = Trace.of(lit(noisy(laid(TABLE), 3), 0.9), TILE)
    (region,) = renewed.changes(third)
    assert region.holds([(300, 300)]).all(), "and changing back is one"


def test_a_white_tile_that_stays_white_while_a_warm_shade_lies_round_it_is_no_change() -> None:
    rng = np.random.default_rng(1)
    first = np.clip(120 + rng.normal(0, 2, (540, 960, 1)) * np.ones(3), 0, 255)
    across, down = np.linspace(-1, 1, 960)[None, :, None], np.linspace(-1, 1, 540)[:, None, None]
    second = first * (1 - 0.2 * np.exp(-2 * (across**2 + down**2)) * np.asarray([0.0, 0.3, 1.0]))
    tile = np.s_[260:320, 470:514]
    first[tile], second[tile] = (205, 255, 255), (212, 250, 254)
    before, after = (Trace.of(image.astype(np.uint8), 28.0) for image in (first, second))
    where = np.ones(before.pixels.shape[:2], np.bool_)
    assert not before.renewed_where(after, where).differs(after).any()


def test_only_pictures_of_one_size_are_compared() -> None:
    with pytest.raises(ValueError, match="one size"):
        changed(cloth(), cloth()[:500], tile_px=TILE)
    with pytest.raises(ValueError, match="one width"):
        Trace.of(cloth(), TILE).differs(Trace.of(cloth(), TILE + 1))
    with pytest.raises(ValueError, match="over 0"):
        changed(cloth(), cloth(), tile_px=0)


@pytest.mark.parametrize("size", [(1, 1), (3, 700), (16, 16)])
def test_tiny_pictures_do_no_harm(size: tuple[int, int]) -> None:
    black, white = np.zeros((*size, 3), np.uint8), np.full((*size, 3), 255, np.uint8)
    assert changed(black, black, tile_px=TILE) == []
    changed(black, white, tile_px=TILE)


def test_of_a_trace_that_was_compared_nothing_is_kept() -> None:
    before, after = Trace.of(cloth(), TILE), Trace.of(laid({(300, 300): 5}), TILE)
    assert before.differs(after).any()
    gone = ref(after)
    del after
    assert gone() is None, "of a watched table there would be more and more"


def test_changes_far_apart_and_near_each_other_are_each_seen_whole() -> None:
    places = {(100, 100): 3, (130, 160): 4, (700, 520): 12}
    regions = changed(cloth(), laid(places), tile_px=TILE, pad=0)
    assert len(regions) == 2, "those that nearly touch are looked at as one"
    for x, y in places:
        corners = square_corners(x, y, width=TILE * 0.8, degrees=x % 30)
        assert sum(bool(region.holds(corners).all()) for region in regions) == 1


def test_light_that_is_the_same_changes_no_pixel() -> None:
    before = Trace.of(laid(TABLE), TILE)
    after = Trace.of(laid({**TABLE, (350, 225): 9}), TILE)
    assert np.abs(before.light(after) - 1).max() < 0.002
    (region,) = before.changes(after)
    renewed = before.renewed(after, [region])
    assert np.abs(renewed.pixels.astype(int) - after.pixels).max() <= 1
