"""Fits how surely a find is a tile, on scenes that no net was trained on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.chance import Chance
from vision.judging import Faces, Finds, evidence
from vision.labelled import LabelledPicture, overlap

F64 = NDArray[np.float64]

A_TILE, NO_TILE = 0.5, 0.25  # overlap with a labelled face from which on, up to which a find is one, is none
MOST_FALSE = 25.0  # finds
STIFFNESS = 0.05  # keeps weights small where the evidence tells nothing


@dataclass(frozen=True)
class Looked:
    """A labelled picture with all that may be tiles in it, and what their faces would be."""

    picture: LabelledPicture
    finds: Finds
    faces: Faces


def fit_chance(looked: Sequence[Looked]) -> Chance:
    """The weights with which the evidence of these pictures says best which find is a tile.

    All that is found wrongly in one picture counts as `MOST_FALSE` finds at most: a cloth with four hundred
    squares is one cloth.
    """
    tables, answers, counts = [], [], []
    for look in looked:
        answer = _answers(look.finds, look.picture)
        known = answer >= 0
        tables.append(evidence(look.finds, look.faces)[known])
        answers.append(answer[known])
        false = answer[known] == 0
        counts.append(np.where(false, min(1.0, MOST_FALSE / max(1, int(false.sum()))), 1.0))
    weights = logistic(np.concatenate(tables), np.concatenate(answers), np.concatenate(counts))
    return Chance(*(round(float(weight), 3) for weight in weights))


def _answers(finds: Finds, picture: LabelledPicture) -> F64:
    """Of each find: 1 for a tile, 0 for none, -1 for what is neither (a tile mostly hidden, half a tile)."""
    answers = np.full(len(finds.quads), -1.0)
    boxes = np.asarray([(*tile.outline.min(axis=0), *tile.outline.max(axis=0)) for tile in picture.tiles])
    for index, quad in enumerate(finds.quads):
        near: list[int] = []
        if len(boxes):
            apart = (boxes[:, :2] > quad.max(axis=0)) | (boxes[:, 2:] < quad.min(axis=0))
            near = np.flatnonzero(~apart.any(axis=1)).tolist()
        shares = ((overlap(picture.tiles[at].outline, quad), picture.tiles[at].counts) for at in near)
        best, counts = max(shares, default=(0.0, True))
        if best <= NO_TILE:
            answers[index] = 0.0
        elif best > A_TILE and counts:
            answers[index] = 1.0
    return answers


def logistic(rows: F64, answers: F64, counts: F64 | None = None) -> F64:
    """Weights (k,) of a logistic model for `rows` (n, k) and `answers` (n,) 0 or 1, by Newton's method.

    `counts` (n,) says how much each row counts, 1 without.
    """
    each = np.ones(len(rows)) if counts is None else counts
    weights = np.zeros(rows.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (each * (answers - chance)) - STIFFNESS * weights
        bend = (rows * (each * chance * (1 - chance))[:, None]).T @ rows + STIFFNESS * np.eye(rows.shape[1])
        weights = weights + np.linalg.solve(bend, slope)
    return np.asarray(weights, np.float64)
