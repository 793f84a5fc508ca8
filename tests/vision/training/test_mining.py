"""What earlier nets found: false finds as counter-examples, tiles cut with the corners they were given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.finding import Boxes
from vision.reader import Reader
from vision.training import mining
from vision.training.mining import FalseFinds, mine, read_false, read_found

TILE = [[20, 20], [50, 20], [50, 62], [20, 62]]
AS_SEEN = [[52, 62], [20, 63], [20, 15], [52, 14]]  # the same upside down, and with its upper wall


class Scripted:
    """Finds the tile, and something at the lower right."""

    class nets:  # noqa: N801 -- stands where the reader keeps its nets
        find = None

    class thresholds:  # noqa: N801
        find = 0.1

    def candidates(self, image: Any, *, boxes: Boxes) -> tuple[Any, Any]:
        assert len(boxes.xyxy) == 2, "the finder's boxes are used on"

        class Finds:
            quads = np.asarray([AS_SEEN, [[90, 90], [110, 90], [110, 118], [90, 118]]], np.float32)

        return Finds(), None


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "images").mkdir()
    tile = {"face": "r7", "quad": TILE, "visible": 1.0, "slant": 1.0}
    with (tmp_path / "labels.jsonl").open("w") as file:
        for index in range(6):
            name = f"images/{index}.jpg"
            cv2.imwrite(str(tmp_path / name), np.full((128, 128, 3), 90, np.uint8))
            file.write(json.dumps({"image": name, "tiles": [tile]}) + "\n")
    boxes = np.asarray([[18, 22, 52, 60], [88, 88, 112, 120]], np.float32)
    found = Boxes(boxes, np.ones(2, np.float32), np.zeros(2, np.bool_))
    monkeypatch.setattr(Reader, "load", lambda _models, *, threads: Scripted())
    monkeypatch.setattr(mining, "find_boxes", lambda _image, _run, *, threshold: found)
    monkeypatch.setattr(mining, "HELD_BACK", 2)
    return tmp_path


def test_only_what_is_on_no_tile_is_kept(data: Path) -> None:
    assert mine(data, data, every=1) == data / mining.FALSE
    found = read_false(data)
    assert list(found) == [f"images/{index}.jpg" for index in range(4)], "scenes held back stay unseen"
    for finds in found.values():
        assert finds.boxes.tolist() == [[88, 88, 112, 120]]
        assert finds.quads.shape == (1, 4, 2)


def test_a_share_of_the_scenes_will_do(data: Path) -> None:
    mine(data, data, every=3)
    assert list(read_false(data)) == ["images/0.jpg", "images/3.jpg"]


def test_tiles_are_kept_with_the_corners_they_were_given_in_the_order_of_the_labels(data: Path) -> None:
    mine(data, data, every=2)
    found = read_found(data)
    assert list(found) == ["images/0.jpg", "images/2.jpg"]
    for quads in found.values():
        assert {at: quad.tolist() for at, quad in quads.items()} == {
            0: [[20, 15], [52, 14], [52, 62], [20, 63]]
        }


def test_a_tile_that_was_not_found_has_no_corners(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mining, "SAME", 0.99)
    mine(data, data, every=2)
    assert read_found(data) == {"images/0.jpg": {}, "images/2.jpg": {}}


def test_a_set_without_a_search_has_none(tmp_path: Path) -> None:
    assert read_false(tmp_path) == {}
    assert read_found(tmp_path) == {}


@pytest.mark.train
def test_false_finds_become_counter_examples() -> None:
    from vision.classes import NOTHING
    from vision.training.samples import Tiles, _corner_samples, _face_samples

    image = np.full((128, 128, 3), 90, np.uint8)
    cv2.rectangle(image, (90, 90), (110, 118), (240, 240, 240), -1)
    false = FalseFinds(
        np.asarray([[90, 90, 110, 118]], np.float32),
        np.asarray([[[90, 90], [110, 90], [110, 118], [90, 118]]], np.float32),
    )
    none = (np.zeros((0, 4, 2), np.float32), np.zeros(0, np.int64), np.zeros(0, np.int64))
    tiles = Tiles(*none, np.zeros(0, np.float32), false)
    rng = np.random.default_rng(1)
    squares = [square for square, _, centred, _ in _corner_samples(image, tiles, rng) if centred == 0.0]
    assert any(square[26:38, 26:38].mean() > 200 for square in squares), "the white block in the middle"
    faces = [face for face, number, _, _ in _face_samples(image, tiles, rng) if number == NOTHING]
    assert any(face.mean() > 200 for face in faces)


@pytest.mark.train
def test_faces_are_cut_with_found_corners_about_as_often_as_not() -> None:
    from vision.training.samples import AS_FOUND, Tiles, seen_quad

    quads = np.asarray([TILE, TILE], np.float32)
    above = np.asarray(TILE, np.float32) - (0, 12)
    tiles = Tiles(quads, np.ones(2, np.int64), np.ones(2, np.int64), np.ones(2, np.float32), found={0: above})
    rng = np.random.default_rng(1)
    higher = [seen_quad(tiles, 0, rng, worst=0.06).mean(axis=0)[1] < 35 for _ in range(400)]
    assert AS_FOUND - 0.1 < np.mean(higher) < AS_FOUND + 0.1
    other = [seen_quad(tiles, 1, rng, worst=0.06).mean(axis=0)[1] for _ in range(100)]
    assert min(other) > 35, "a tile that was not found is cut about its labelled corners"
