"""The sample picture can be rendered anew, and its labels are the melds that the page counts."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np

from vision.onnx_nets import default_models


def test_the_sample_is_the_same_on_every_call(tmp_path: Path, fonts: None) -> None:
    from vision.synth.sample import SIZE, write_sample

    (tmp_path / "again").mkdir()
    first, again = write_sample(tmp_path), write_sample(tmp_path / "again")
    assert first.read_bytes() == again.read_bytes()
    assert (tmp_path / "sample.json").read_bytes() == (tmp_path / "again" / "sample.json").read_bytes()
    image = cv2.imread(str(first))
    assert image is not None
    assert image.shape == (SIZE[1], SIZE[0], 3)


def test_the_sample_that_comes_along_shows_every_tile_whole() -> None:
    labels = json.loads((default_models() / "sample.json").read_text(encoding="utf-8"))
    image = cv2.imread(str(default_models() / "sample.jpg"))
    assert image is not None
    height, width = image.shape[:2]
    faces = [tile["face"] for tile in labels["tiles"]]
    assert faces[:4] == ["r5", "r6", "r7", "r8"], "in meld order"
    assert "*" in faces
    for tile in labels["tiles"]:
        quad = np.asarray(tile["quad"])
        assert tile["visible"] > 0.9
        assert quad.min() > 0
        assert (quad.max(axis=0) < (width, height)).all()
