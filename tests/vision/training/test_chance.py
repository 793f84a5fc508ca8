"""The weights of a find's chance are fitted on the held-back scenes alone, and land in the card."""

from __future__ import annotations

import json
import tomllib
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.chance import columns
from vision.classes import NOTHING
from vision.onnx_nets import load_card
from vision.reader import Faces, Finds, Reader
from vision.synth import dataset
from vision.training import chance as fitting
from vision.training.chance import fit_chance, logistic

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]

HELD_BACK = 3
SCENES = 5
QUAD = np.asarray([(20, 20), (50, 20), (50, 62), (20, 62)], np.float32)
HIDDEN = QUAD + np.asarray((0, 100), np.float32)
HALF, NOWHERE = (QUAD + np.asarray(shift, np.float32) for shift in ((16, 0), (100, 0)))
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


# ---- the model


@pytest.mark.parametrize("weights", [(-3.0, 0.6, 1.2, -0.5), (0.5, -1.0, 0.0, 0.3)])
def test_known_weights_are_found_again(weights: tuple[float, ...]) -> None:
    rng = np.random.default_rng(4)
    rows = np.column_stack([np.ones(20_000), rng.normal(1, 2, (20_000, 3))])
    real = 1 / (1 + np.exp(-rows @ np.asarray(weights)))
    answers = (rng.random(20_000) < real).astype(np.float64)
    assert logistic(rows, answers) == pytest.approx(np.asarray(weights), abs=0.12)


@pytest.mark.parametrize("answer", [0.0, 1.0])
def test_answers_that_never_differ_give_finite_weights(answer: float) -> None:
    rows = np.column_stack([np.ones(40), np.linspace(-3, 3, 40)])
    weights = logistic(rows, np.full(40, answer))
    assert np.isfinite(weights).all()
    assert np.sign(weights[0]) == (1 if answer else -1)


def test_evidence_that_divides_without_error_gives_finite_weights() -> None:
    rows = np.column_stack([np.ones(40), np.linspace(-3, 3, 40)])
    answers = (rows[:, 1] > 0).astype(np.float64)
    weights = logistic(rows, answers)
    assert np.isfinite(weights).all()
    assert ((rows @ weights > 0) == (answers > 0)).all()


def test_a_column_that_tells_nothing_weighs_nothing() -> None:
    rows = np.column_stack([np.ones(40), np.zeros(40)])
    assert logistic(rows, np.tile([0.0, 1.0], 20)) == pytest.approx([0, 0], abs=1e-6)


# ---- the fit


class ScriptedReader:
    """Finds in each picture the tile, nothing, half the tile and a hidden one, with evidence of its own."""

    def __init__(self) -> None:
        self.read: list[int] = []

    def candidates(self, image: U8) -> tuple[Finds, Faces]:
        index = int(image[0, 0, 0])
        self.read.append(index)
        quads = np.stack([QUAD, NOWHERE, HALF, HIDDEN])
        drift = 0.02 * index
        said = np.asarray([0.9, 0.3, 0.6, 0.1], np.float32) - np.float32(drift)
        number = np.zeros((4, NOTHING + 1), np.float32)
        number[:, NOTHING] = (0.02, 0.7, 0.3, 0.99)
        finds = Finds(quads, said, said + np.float32(0.05), said, said**2)
        return finds, Faces(number, np.full((4, 4), 0.25, np.float32), np.zeros(4, np.bool_))


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> ScriptedReader:
    """Stands in the place of the reader that the models would give, and of 150 scenes stand three."""
    scripted = ScriptedReader()
    monkeypatch.setattr(Reader, "load", lambda _models: scripted)
    monkeypatch.setattr(fitting, "HELD_BACK", HELD_BACK)
    return scripted


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Scenes with a tile in sight, one mostly hidden; the first pixel of a picture says its index."""
    folder = tmp_path / "scenes"
    (folder / "images").mkdir(parents=True)
    tiles = [
        {"face": "r5", "quad": QUAD.tolist(), "visible": 1.0, "slant": 0.0},
        {"face": "b7", "quad": HIDDEN.tolist(), "visible": 0.2, "slant": 0.0},
    ]
    lines = []
    for index in range(SCENES):
        name = f"images/{index}.png"
        assert cv2.imwrite(str(folder / name), np.full((180, 180, 3), index, np.uint8))
        lines.append(json.dumps({"image": name, "style": "flat", "layout": "scatter", "tiles": tiles}))
    (folder / dataset.LABELS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


@pytest.fixture
def models(tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "model.toml").write_text(CARD, encoding="utf-8")
    return folder


def evidence(*indexes: int) -> F64:
    """Rows of the tile and of nothing, as the scripted reader tells them of these pictures."""
    rows = []
    for index in indexes:
        finds, faces = ScriptedReader().candidates(np.full((1, 1, 3), index, np.uint8))
        told = (finds.found, (finds.first, finds.second), finds.fit, faces.number[:, NOTHING])
        rows.append(columns(*told)[:2])
    return np.concatenate(rows)


def test_the_fit_learns_from_scenes_held_back_and_from_finds_that_are_clear(
    reader: ScriptedReader, data: Path, models: Path
) -> None:
    steps: list[tuple[int, int]] = []
    chance = fit_chance(models, data, lambda done, total: steps.append((done, total)))
    assert reader.read == [2, 3, 4]
    assert steps == [(1, 3), (2, 3), (3, 3)]
    # Half a tile and a tile mostly hidden are neither: the fit is that of the other two finds alone.
    expected = logistic(evidence(2, 3, 4), np.asarray([1.0, 0.0] * 3))
    assert list(asdict(chance).values()) == pytest.approx(expected, abs=0.0005)
    assert all(round(weight, 3) == weight for weight in asdict(chance).values())


def test_what_was_fitted_tells_tiles_from_nothing(reader: ScriptedReader, data: Path, models: Path) -> None:
    chance = fit_chance(models, data)
    finds, faces = reader.candidates(np.full((1, 1, 3), 0, np.uint8))
    found = chance.of(finds.found, (finds.first, finds.second), finds.fit, faces.number[:, NOTHING])
    assert found[0] > 0.8
    assert found[1] < 0.2


def test_the_card_gets_the_weights_and_keeps_the_rest(
    reader: ScriptedReader, data: Path, models: Path
) -> None:
    chance = fit_chance(models, data)
    assert load_card(models).chance == asdict(chance)
    before = tomllib.loads(CARD)
    after = tomllib.loads((models / "model.toml").read_text(encoding="utf-8"))
    assert before.pop("chance") != after.pop("chance")
    assert before == after


def test_a_picture_that_is_gone_is_named_and_the_card_stays(
    reader: ScriptedReader, data: Path, models: Path
) -> None:
    (data / "images" / "3.png").unlink()
    with pytest.raises(FileNotFoundError, match=r"3\.png"):
        fit_chance(models, data)
    assert (models / "model.toml").read_text(encoding="utf-8") == CARD
