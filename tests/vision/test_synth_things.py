"""Table tops, clutter and hands are drawn where they should be, quickly enough, and the same every time."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.synth import clutter, print_things, surfaces
from vision.synth.hands import POSES, hand
from vision.synth.things import Thing, lay, sheet

SIZE = (160, 120)
U8 = NDArray[np.uint8]


def rng(seed: int) -> np.random.Generator:
    return np.random.default_rng([23, seed])


def table() -> tuple[U8, U8]:
    return np.full((240, 320, 3), 128, np.uint8), np.zeros((240, 320), np.uint8)


@pytest.mark.parametrize("draw", [surfaces.surface, surfaces.floor], ids=["surface", "floor"])
def test_tables_and_floors_are_pictures_of_the_size_asked_for(draw: surfaces.Picture) -> None:
    seen = []
    for seed in range(40):
        image = draw(rng(seed), SIZE, 30.0)
        assert image.shape == (SIZE[1], SIZE[0], 3)
        assert image.dtype == np.uint8
        assert image.max() > 3, seed
        assert (image == draw(rng(seed), SIZE, 30.0)).all()
        seen.append(image)
    assert np.std([image.mean() for image in seen]) > 15


@pytest.mark.parametrize("kind", surfaces.KINDS, ids=lambda draw: draw.__name__.strip("_"))
@pytest.mark.parametrize("tile", [8.0, 30.0, 130.0])
def test_every_kind_of_table_can_be_drawn_at_every_scale(kind: surfaces.Draw, tile: float) -> None:
    image = kind(rng(1), 90, tile)
    assert image.shape == (90, 90, 3)
    assert np.isfinite(image).all()


def test_chequered_cloths_are_common_and_have_cells_of_about_a_tile() -> None:
    share = surfaces.KINDS[surfaces.chequered] / sum(surfaces.KINDS.values())
    assert 0.1 < share < 0.15
    changes = []
    for seed in range(30):
        row = surfaces.chequered(rng(seed), 600, 30.0).mean(axis=(0, 2))
        steps = np.abs(np.diff(np.convolve(row, np.ones(5) / 5, mode="valid"))) > np.ptp(row) * 0.08
        changes.append(float((np.diff(np.nonzero(steps)[0]) > 3).sum()))
    # 600 pixels are 20 tiles: from 6 to 33 cells, and as many edges.
    assert 5 < np.median(changes) < 40


@pytest.mark.parametrize("make", clutter.KINDS | print_things.KINDS, ids=lambda make: make.__name__)
def test_every_thing_has_an_outline_and_its_own_looks(fonts: None, make: clutter.Make) -> None:
    for tile in (8.0, 40.0, 130.0):
        thing = make(rng(4), tile)
        assert thing.colour.shape == (*thing.cover.shape, 3)
        assert max(thing.cover.shape) <= 262
        assert (thing.cover > 200).mean() > 0.006
        assert thing.wide > 0
        assert thing.rise > 0
    assert (make(rng(4), 40.0).colour == make(rng(4), 40.0).colour).all()
    pictures = [make(rng(seed), 40.0).colour for seed in range(3)]
    assert any(one.shape != pictures[0].shape or (one != pictures[0]).any() for one in pictures[1:])


def test_no_blank_block_has_a_tiles_shape(fonts: None) -> None:
    from vision.synth.solid_things import block

    for seed in range(60):
        thing = block(rng(seed), 60.0)
        long, short = sorted(np.subtract(thing.cover.shape, round(0.4 * 60)), reverse=True)
        assert not 1.25 < long / short < 1.7, seed


def test_things_cast_a_soft_shadow_and_cover_what_lies_under_them() -> None:
    image, cover = table()
    paper = sheet(2.0, 1.0, 20.0, (0.0, 0.0, 255.0))
    paper.cover[:] = 255
    lay(image, paper.thing(0.5), (100, 100), 0.0, tile_px=20, lamp=0.0, cover=cover)
    assert image[100, 100].tolist() == [0, 0, 255]
    assert image[100, 124].max() < 110  # the shadow falls to the right
    assert image[100, 60].min() > 120
    assert (cover[100, 82:118] == 255).all()
    assert cover.sum() == pytest.approx(255 * 40 * 20, rel=0.05)
    assert image[10, 10].tolist() == [128] * 3


def test_a_thing_is_turned_to_the_left_and_cut_at_the_edge() -> None:
    image, cover = table()
    thing = Thing(np.full((10, 40, 3), 250, np.uint8), np.full((10, 40), 255, np.uint8), 4.0, 0.1)
    lay(image, thing, (100, 100), math.pi / 4, tile_px=10, lamp=0.0, cover=cover)
    assert cover[90, 110] == 255
    assert cover[110, 110] == 0
    for spot in ((0, 0), (319, 239), (-500, 50), (5000, 5000)):
        lay(image, thing, spot, 1.0, tile_px=10, lamp=0.0, cover=cover)


def test_clutter_is_the_same_for_the_same_state_and_changes_the_table(fonts: None) -> None:
    for seed in range(12):
        images = [table()[0] for _ in range(2)]
        for image in images:
            clutter.under(image, rng(seed), 30.0, 4, lamp=1.0)
        assert (images[0] == images[1]).all()
        assert (images[0] != 128).any(axis=2).mean() > 0.002, seed


def test_a_chair_is_large() -> None:
    image = table()[0]
    clutter.chair(image, rng(1), (160, 120), 10.0, angle=0.0)
    assert (image != 128).any(axis=2).mean() > 0.2


@pytest.mark.parametrize("tile", [12.0, 30.0, 60.0])
def test_a_hand_reaches_what_it_aims_at(tile: float) -> None:
    for seed in range(12):
        image, cover = table()
        hand(image, cover, rng(seed), tile, start=(0.0, 200.0), aim=(200.0, 90.0), lamp=0.5)
        rows, columns = np.nonzero(cover > 127)
        forward = (columns * 200 - rows * 110) / math.hypot(200, 110)
        reached = (200 * 200 - 90 * 110) / math.hypot(200, 110)
        assert forward.max() == pytest.approx(reached, abs=2 + tile * 0.15), seed
        near = np.hypot(columns - 200, rows - 90).min()
        assert near < 2 + tile * 0.2, seed
        assert cover[:, 0].max() == 255  # the arm goes on to the edge
        # Where no hand is nothing but its shadow changed, and that only darkens.
        assert (image[cover == 0] <= 128).all()
        assert (image[cover == 255] != 128).any(axis=1).mean() > 0.9


def test_hands_come_from_all_sides_in_all_skins_and_the_same_again() -> None:
    sides: set[int] = set()
    tones = []
    for seed in range(40):
        (image, cover), (again, covered) = table(), table()
        hand(image, cover, rng(seed), 25.0)
        hand(again, covered, rng(seed), 25.0)
        assert (image == again).all()
        assert (cover == covered).all()
        for side, edge in enumerate((cover[0], cover[-1], cover[:, 0], cover[:, -1])):
            if edge.max() > 127:
                sides.add(side)
        if (cover == 255).any():
            tones.append(float(image[cover == 255].mean()))
    assert sides == {0, 1, 2, 3}
    assert np.ptp(tones) > 80
    assert len(POSES) >= 5
