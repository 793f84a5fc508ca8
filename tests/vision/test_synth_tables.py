"""Whole tables from the ceiling: what lies there is a game, and is labelled as such."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import pytest

from engine.melds import check_meld
from engine.notation import parse_tiles
from engine.rules import rule_set
from vision.synth.looks import draw_look
from vision.synth.overhead import ceiling_camera, overhead_view
from vision.synth.racks import random_rack
from vision.synth.render import TileLabel
from vision.synth.scene import CEILING_PX, Scene, draw_scene, draw_table_scene
from vision.synth.tabletop import Table, draw_table


def table(seed: int, **settings: object) -> Table:
    rng = np.random.default_rng([8, seed])
    return draw_table(draw_look(rng), rng, **settings)  # type: ignore[arg-type]


def whole(seed: int, **settings: object) -> Scene:
    rng = np.random.default_rng([9, seed])
    return draw_table_scene(rng, size=(960, 540), **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(12))
def test_a_table_holds_no_more_than_a_set(fonts: None, seed: int) -> None:
    faces = Counter(solid.face for solid in table(seed).layout.solids if solid.face != "#")
    assert faces
    assert all(count <= (1 if face[0] == "*" else 2) for face, count in faces.items())


@pytest.mark.parametrize("seed", range(12))
def test_melds_are_legal_and_in_order(fonts: None, seed: int) -> None:
    rules = rule_set("etalat")
    melds = defaultdict(list)
    for solid in table(seed).layout.solids:
        if solid.place and solid.place.kind == "meld":
            melds[solid.place.group].append((solid.place.index, solid.face))
    assert melds
    for tiles in melds.values():
        assert [index for index, _ in tiles] == list(range(len(tiles)))
        text = " ".join("*" if face[0] == "*" else face for _, face in tiles)
        assert check_meld(parse_tiles(text), rules).meld, text


@pytest.mark.parametrize("seed", range(12))
def test_the_first_discard_lies_reversed(fonts: None, seed: int) -> None:
    row = [s for s in table(seed).layout.solids if s.place and s.place.kind == "discard"]
    if len(row) < 2:
        return
    first, second = row[0], row[1]
    assert first.face == "#" or first.axes[:, 1] @ second.axes[:, 1] < -0.9


def test_racks_stand_at_their_seats_and_lean_as_asked(fonts: None) -> None:
    for seed in range(8):
        laid = table(seed, leans=(40.0, 50.0), seats=4)
        on_racks = [s for s in laid.layout.solids if s.place and s.place.kind == "rack"]
        assert {s.place.seat for s in on_racks if s.place} == {1, 2, 3, 4}
        for solid in on_racks:
            lean = np.degrees(np.arccos(solid.axes[2, 2]))
            assert 30 <= lean <= 58
            assert solid.place is not None
            assert lean == pytest.approx(solid.place.lean, abs=1.0)
            # The face looks away from the table's middle, towards its player.
            assert solid.axes[:2, 2] @ solid.centre[:2] > 0


def test_seats_sit_where_their_number_says(fonts: None) -> None:
    laid = table(3, seats=2)
    middles = {
        seat: np.mean([s.centre for s in laid.layout.solids if s.place and s.place.seat == seat
                       and s.place.kind == "rack"], axis=0)
        for seat in (1, 2)
    }  # fmt: skip
    assert middles[1][1] < 0 < middles[2][1]


def test_a_whole_table_is_in_the_frame(fonts: None) -> None:
    scene = whole(1, clean=True)
    assert scene.image.shape == (540, 960, 3)
    assert scene.layout == "table"
    kinds = Counter(tile.place.kind for tile in scene.tiles if tile.place)
    assert kinds["rack"] > 10
    assert kinds["meld"] > 5
    for tile in scene.tiles:
        quad = np.asarray(tile.quad)
        assert (quad.mean(axis=0) > 0).all()
        assert (quad.mean(axis=0) < (960, 540)).all()


def test_leaning_faces_are_seen_foreshortened(fonts: None) -> None:
    scene = whole(2, leans=(60.0, 60.0), clean=True)

    def shape(tile: TileLabel) -> float:
        quad = np.asarray(tile.quad)
        return float(np.linalg.norm(quad[3] - quad[0]) / np.linalg.norm(quad[1] - quad[0]))

    flat = [shape(tile) for tile in scene.tiles if tile.place and tile.place.kind == "meld"]
    leaning = [shape(tile) for tile in scene.tiles if tile.place and tile.place.kind == "rack"]
    assert np.median(leaning) < 0.75 * np.median(flat)


def test_a_piece_of_a_table_shows_something(fonts: None) -> None:
    counts = [
        len(draw_scene(np.random.default_rng([3, seed]), size=(320, 320), layout="table").tiles)
        for seed in range(6)
    ]
    assert np.median(counts) >= 5


def test_tiles_of_a_piece_have_the_size_of_a_ceiling_camera(fonts: None) -> None:
    for seed in range(4):
        scene = draw_scene(
            np.random.default_rng([3, seed]), size=(200, 200), layout="table", tile_px=(5, 300)
        )
        assert CEILING_PX[0] <= scene.tile_px <= CEILING_PX[1]


def test_the_same_seed_gives_the_same_table(fonts: None) -> None:
    one, two, other = whole(5), whole(5), whole(6)
    assert np.array_equal(one.image, two.image)
    assert one.tiles == two.tiles
    assert not np.array_equal(one.image, other.image)


def test_a_piece_is_cut_from_the_same_camera(fonts: None) -> None:
    rng = np.random.default_rng(1)
    laid = table(1)
    camera = ceiling_camera(rng, laid, (1920, 1080), 1.0)
    piece = overhead_view(rng, camera, laid, (448, 448))
    points = np.asarray([[0.0, 0, 0], [100, 50, 0], [-200, 100, 30]])
    steps = [np.diff(view.project(points), axis=0) for view in (camera, piece)]
    assert steps[0] == pytest.approx(steps[1])


def test_markers_can_be_read_by_their_numbers(fonts: None) -> None:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    found: Counter[int] = Counter()
    for seed in range(6):
        rng = np.random.default_rng([4, seed])
        scene = draw_table_scene(rng, size=(1600, 900), clean=True)
        numbers: Any = detector.detectMarkers(scene.image)[1]
        found.update([] if numbers is None else np.ravel(numbers).tolist())
    assert set(found) >= {0, 1, 2, 3}


def test_a_rack_alone_has_its_parts(fonts: None) -> None:
    rng = np.random.default_rng(6)
    layout = random_rack(draw_look(rng), 300, rng, lean=1.0, facing=-1.57)
    (rack,) = layout.racks
    assert sorted(index for tier in rack.tiers.values() for index in tier) == list(range(len(layout.solids)))
    assert {plate.role for plate in rack.plates} >= {"back", "ledge", "base"}
    for one, two in pairwise(rack.tiers[0]):
        gap = np.linalg.norm(layout.solids[one].centre - layout.solids[two].centre)
        assert gap > 20
