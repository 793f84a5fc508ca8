"""What is fitted on held-back scenes and on extra sets lands in the card, and nothing else changes."""

from __future__ import annotations

import json
import tomllib
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.classes import NOTHING
from vision.judging import Faces, Finds, Thresholds
from vision.onnx_nets import load_card
from vision.reader import Reader
from vision.synth import dataset
from vision.training import calibrate as fitting
from vision.training.calibrate import calibrate

U8 = NDArray[np.uint8]

HELD_BACK, SCENES, EXTRA = 3, 5, 2
QUAD = np.asarray([(20, 20), (50, 20), (50, 62), (20, 62)], np.float32)
NOWHERE = QUAD + np.asarray((100, 0), np.float32)
CARD = """
name = "remi-tiles"
[thresholds]
find = 0.3
tile = 0.5
read = 0.6
[chance]
bias = 9.0
[nets]
finder.file = "finder.onnx"
corners.file = "corners.onnx"
faces.file = "faces.onnx"
inks.file = "inks.onnx"
[measured.real]
pictures = 2
"""


class ScriptedReader:
    """Finds in each picture the tile, surely, and something where there is none."""

    thresholds = Thresholds()

    def __init__(self) -> None:
        self.read: list[int] = []

    def candidates(self, image: U8) -> tuple[Finds, Faces]:
        self.read.append(int(image[0, 0, 0]))
        said = np.asarray([0.9, 0.2], np.float32)
        number = np.full((2, NOTHING + 1), 0.001, np.float32)
        number[0, 5], number[1, NOTHING] = 0.98, 0.9
        colour = np.asarray([(0.97, 0.01, 0.01, 0.01)] * 2, np.float32)
        finds = Finds(np.stack([QUAD, NOWHERE]), said, said, said, said)
        return finds, Faces(number, colour, np.zeros(2, np.bool_), said)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> ScriptedReader:
    """Stands in the place of the reader that the models would give, and of 150 scenes stand three."""
    scripted = ScriptedReader()
    monkeypatch.setattr(Reader, "load", lambda _models: scripted)
    monkeypatch.setattr(fitting, "HELD_BACK", HELD_BACK)
    return scripted


def scenes(folder: Path, count: int, *, first: int = 0) -> Path:
    """Scenes with one tile; the first pixel of a picture says its index."""
    (folder / "images").mkdir(parents=True)
    tile = {"face": "r5", "quad": QUAD.tolist(), "visible": 1.0, "slant": 1.0}
    lines = []
    for index in range(count):
        name = f"images/{index}.png"
        assert cv2.imwrite(str(folder / name), np.full((180, 180, 3), first + index, np.uint8))
        lines.append(json.dumps({"image": name, "style": "flat", "layout": "scatter", "tiles": [tile]}))
    (folder / dataset.LABELS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def models(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "model.toml").write_text(CARD, encoding="utf-8")
    return folder


def test_only_scenes_that_no_net_was_trained_on_are_read(
    reader: ScriptedReader, models: Path, tmp_path: Path
) -> None:
    steps: list[tuple[int, int]] = []
    data, extra = scenes(tmp_path / "a", SCENES), scenes(tmp_path / "b", EXTRA, first=50)
    calibrate(models, [data, data], extra=[extra], progress=lambda done, total: steps.append((done, total)))
    told = "the last of each training set, and all of the extra set"
    assert reader.read == [2, 3, 4, 2, 3, 4, 50, 51], told
    assert steps[-1] == (8, 8)


def test_the_card_gets_what_was_fitted_and_keeps_the_rest(
    reader: ScriptedReader, models: Path, tmp_path: Path
) -> None:
    fitted = calibrate(models, [scenes(tmp_path / "a", SCENES)])
    card = load_card(models)
    assert card.confidence == asdict(fitted.confidence)
    assert card.thresholds == {"find": 0.3, "tile": 0.5, "read": fitted.chosen.read, "back": 0.5}
    before = tomllib.loads(CARD)
    after = tomllib.loads((models / "model.toml").read_text(encoding="utf-8"))
    assert after["calibration"]["kept"] is True
    assert after["calibration"]["scenes"] == HELD_BACK
    assert after["calibration"]["chosen"]["wrong"] == 0
    assert after["chance"] != before["chance"]
    for name in ("name", "nets", "measured"):
        assert after[name] == before[name]


def test_thresholds_that_leave_too_much_unread_are_told_and_not_taken(
    reader: ScriptedReader, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fitting, "LEAST_NAMED", 1.1)
    calibrate(models, [scenes(tmp_path / "a", SCENES)])
    assert load_card(models).thresholds == {"find": 0.3, "tile": 0.5, **fitting.LIKELY}
    after = tomllib.loads((models / "model.toml").read_text(encoding="utf-8"))
    assert after["calibration"]["kept"] is False
    assert after["calibration"]["chosen"]["read"] > 0


def test_a_picture_that_is_gone_is_named_and_the_card_stays(
    reader: ScriptedReader, models: Path, tmp_path: Path
) -> None:
    data = scenes(tmp_path / "a", SCENES)
    (data / "images" / "3.png").unlink()
    with pytest.raises(FileNotFoundError, match=r"3\.png"):
        calibrate(models, [data])
    assert (models / "model.toml").read_text(encoding="utf-8") == CARD
