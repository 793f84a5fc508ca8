"""Fits how surely a find is a tile, on scenes that no net was trained on."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chance import Chance, columns
from vision.classes import NOTHING
from vision.labelled import LabelledPicture, load_labelled, overlap
from vision.onnx_nets import CARD
from vision.reader import Finds, Reader
from vision.synth.dataset import HELD_BACK

F64 = NDArray[np.float64]

A_TILE, NO_TILE = 0.5, 0.25  # overlap with a labelled face from which on, up to which a find is one, is none
STIFFNESS = 0.05  # keeps weights small where the evidence tells nothing


def fit_chance(models: Path, data: Path, progress: Callable[[int, int], None] | None = None) -> Chance:
    """Fits on the held-back scenes of the rendered set `data`, and writes the weights into the card."""
    import tomli_w

    reader = Reader.load(models)
    tables, answers = [], []
    pictures = load_labelled(data)[-HELD_BACK:]
    for index, picture in enumerate(pictures):
        image = cv2.imread(str(picture.path))
        if image is None:
            raise FileNotFoundError(picture.path)
        finds, faces = reader.candidates(np.asarray(image, np.uint8))
        answer = _answers(finds, picture)
        table = columns(finds.found, (finds.first, finds.second), finds.fit, faces.number[:, NOTHING])
        tables.append(table[answer >= 0])
        answers.append(answer[answer >= 0])
        if progress:
            progress(index + 1, len(pictures))
    weights = logistic(np.concatenate(tables), np.concatenate(answers))
    chance = Chance(*(round(float(weight), 3) for weight in weights))
    card = tomllib.loads((models / CARD).read_text(encoding="utf-8"))
    card["chance"] = asdict(chance)
    (models / CARD).write_text(tomli_w.dumps(card), encoding="utf-8")
    return chance


def _answers(finds: Finds, picture: LabelledPicture) -> F64:
    """Of each find: 1 for a tile, 0 for none, -1 for what is neither (a tile mostly hidden, half a tile)."""
    answers = np.full(len(finds.quads), -1.0)
    for index, quad in enumerate(finds.quads):
        shares = ((overlap(tile.outline, quad), tile.counts) for tile in picture.tiles)
        best, counts = max(shares, default=(0.0, True))
        if best <= NO_TILE:
            answers[index] = 0.0
        elif best > A_TILE and counts:
            answers[index] = 1.0
    return answers


def logistic(rows: F64, answers: F64) -> F64:
    """Weights (k,) of a logistic model for `rows` (n, k) and `answers` (n,) 0 or 1, by Newton's method."""
    weights = np.zeros(rows.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (answers - chance) - STIFFNESS * weights
        bend = (rows * (chance * (1 - chance))[:, None]).T @ rows + STIFFNESS * np.eye(rows.shape[1])
        weights = weights + np.linalg.solve(bend, slope)
    return np.asarray(weights, np.float64)
