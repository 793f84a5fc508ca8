"""False finds of earlier nets: sought where no tile is, kept by picture, cut as counter-examples."""

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
from vision.training.mining import FalseFinds, mine, read_false

TILE = [[20, 20], [50, 20], [50, 62], [20, 62]]


class Scripted:
    """Finds the tile, and something at the lower right."""

    class nets:  # noqa: N801 -- stands where the reader keeps its nets
        find = None

    class thresholds:  # noqa: N801
        find = 0.1

    def candidates(self, image: Any) -> tuple[Any, Any]:
        class Finds:
            quads = np.asarray([TILE, [[90, 90], [110, 90], [110, 118], [90, 118]]], np.float32)

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


def test_a_set_without_a_search_has_none(tmp_path: Path) -> None:
    assert read_false(tmp_path) == {}


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
