"""Tiles side by side that were taken for one are seen one by one."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.scripted import ScriptedNets, draw_tile, parts, reader, square_corners, table
from vision.abreast import FEWEST, abreast, are_tiles

F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]


def row(*wide: float, degrees: float = 0.0) -> F32:
    """Quads of so many widths of 60 pixels, one after the other."""
    turn = np.radians(degrees)
    along, across = np.asarray([np.cos(turn), np.sin(turn)]), np.asarray([-np.sin(turn), np.cos(turn)])
    quads, at = [], 0.0
    for count in wide:
        ends = 300 + along * 60 * at, 300 + along * 60 * (at + count)
        quads.append(
            [ends[0] - across * 42, ends[1] - across * 42, ends[1] + across * 42, ends[0] + across * 42]
        )
        at += count + 0.5
    return np.asarray(quads, np.float32)


def sure(quads: F32) -> NDArray[np.bool_]:
    return np.ones(len(quads), np.bool_)


@pytest.mark.parametrize("count", [2, 3])
@pytest.mark.parametrize("degrees", [0.0, 130.0])
def test_a_find_several_tiles_wide_is_sought_in_parts(count: int, degrees: float) -> None:
    quads = row(*[1.0] * FEWEST, count + 0.1, degrees=degrees)
    owners, places, usual = abreast(quads, sure(quads))
    assert owners.tolist() == [FEWEST] * count
    assert usual == pytest.approx([60.0] * count, rel=1e-3)
    whole = quads[-1]
    assert np.allclose(places[0][[0, 3]], whole[[0, 3]], atol=1e-3)
    assert np.allclose(places[-1][[1, 2]], whole[[1, 2]], atol=1e-3)
    assert np.allclose(places.mean(axis=(0, 1)), whole.mean(axis=0), atol=1e-3)


def test_what_is_as_wide_as_the_others_or_far_too_wide_stays_whole() -> None:
    quads = row(*[1.0] * FEWEST, 1.4, 4.5)
    assert len(abreast(quads, sure(quads))[0]) == 0


def test_a_few_tiles_do_not_say_how_wide_one_is() -> None:
    quads = row(*[1.0] * (FEWEST - 1), 2.0)
    known = sure(quads)
    known[-1] = False
    assert len(abreast(quads, known)[0]) == 0


def test_near_tiles_are_wider_than_far_ones_in_a_slanted_picture() -> None:
    far, near = row(*[0.5] * 12), row(*[1.0] * 12)
    quads = np.concatenate([far, near + np.asarray([0, 900], np.float32)])
    assert len(abreast(quads, sure(quads))[0]) == 0


def test_a_part_is_a_tile_if_one_is_seen_there_as_wide_as_the_others() -> None:
    places = row(1.0, 1.0, 1.0)
    looks = places.copy()
    looks[1] += np.asarray([30, 0], np.float32)  # beside its place
    looks[2] = row(2.0)[0] + places[2].mean(axis=0) - row(2.0)[0].mean(axis=0)  # two again
    assert are_tiles(looks, places, np.full(3, 60, np.float32)).tolist() == [True, False, False]


class Seamless(ScriptedNets):
    """Boxes two tiles with a narrow gap as one, and takes the middle between them for the middle of one."""

    def find(self, blob: F32) -> F32:
        rows = super().find(blob)
        last = rows[np.argsort(rows[:, 1] * 1e4 + rows[:, 0])[-2:]]
        both = last.mean(axis=0)
        both[0] -= 0.08 * 44  # what every box is beside its tile
        both[2] = last[:, 2].sum()
        return np.asarray(
            [*(one for one in rows if one[:4].tolist() not in last[:, :4].tolist()), both], np.float32
        )

    def _quad(self, square: U8) -> F32 | None:
        quad = super()._quad(square)
        if quad is not None:
            return quad
        labels, _ = parts(square)
        left, right = labels[32, 26], labels[32, 38]
        if not left or not right or left == right:
            return None
        y, x = np.nonzero((labels == left) | (labels == right))
        x0, x1, y0, y1 = x.min(), x.max() + 1, y.min(), y.max() + 1
        return np.asarray([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], np.float32)


def test_two_tiles_in_one_box_are_both_read() -> None:
    image = table()
    for place in range(FEWEST):
        draw_tile(image, square_corners(60 + 130 * (place % 4), 60 + 110 * (place // 4), width=44), place + 1)
    for at, number in enumerate((12, 13)):
        draw_tile(image, square_corners(200 + 50 * at, 320, width=44), number, blue=True)
    read = sorted(str(tile.face) for tile in reader(nets=Seamless()).read(image).tiles)
    assert read == sorted([*(f"r{number}" for number in range(1, FEWEST + 1)), "b12", "b13"])
