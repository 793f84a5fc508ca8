"""A logistic model finds its weights; a find's chance is learnt from finds that are clear."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.classes import BACK, NOTHING
from vision.judging import Faces, Finds, chances, evidence
from vision.labelled import LabelledPicture, TrueTile
from vision.training.chance import MOST_FALSE, Looked, fit_chance, logistic

F64 = NDArray[np.float64]

QUAD = np.asarray([(20, 20), (50, 20), (50, 62), (20, 62)], np.float32)
HIDDEN = QUAD + np.asarray((0, 100), np.float32)
HALF, NOWHERE = (QUAD + np.asarray(shift, np.float32) for shift in ((16, 0), (100, 0)))

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


def looked(index: int) -> Looked:
    """A tile, nothing, half the tile and a hidden one, with evidence of their own, worse by `index`."""
    quads = np.stack([QUAD, NOWHERE, HALF, HIDDEN])
    said = np.asarray([0.9, 0.3, 0.6, 0.1], np.float32) - np.float32(0.02 * index)
    number = np.zeros((4, NOTHING + 1), np.float32)
    number[:, NOTHING] = (0.02, 0.7, 0.3, 0.99)
    number[:, BACK] = (0.1, 0.3, 0.5, 0.0)
    finds = Finds(quads, said, said + np.float32(0.05), said, said**2)
    faces = Faces(number, np.full((4, 4), 0.25, np.float32), np.zeros(4, np.bool_))
    tiles = (TrueTile("r5", QUAD, "melds"), TrueTile("b7", HIDDEN, "melds", counts=False))
    return Looked(LabelledPicture(Path(f"{index}.png"), "flat", tiles, backs=True), finds, faces)


def told(look: Looked) -> F64:
    """Rows of the tile and of nothing, which are all that is clear."""
    return evidence(look.finds, look.faces)[:2]


def test_the_fit_learns_from_finds_that_are_clear() -> None:
    looks = [looked(index) for index in range(3)]
    chance = fit_chance(looks)
    # Half a tile and a tile mostly hidden are neither: the fit is that of the other two finds alone.
    expected = logistic(np.concatenate([told(look) for look in looks]), np.asarray([1.0, 0.0] * 3))
    assert list(asdict(chance).values()) == pytest.approx(expected, abs=0.0005)
    assert all(round(weight, 3) == weight for weight in asdict(chance).values())


def test_what_was_fitted_tells_tiles_from_nothing() -> None:
    looks = [looked(index) for index in range(3)]
    found = chances(looks[0].finds, looks[0].faces, fit_chance(looks))
    assert found[0] > 0.8
    assert found[1] < 0.2


def test_a_picture_without_tiles_shows_what_is_none() -> None:
    look = looked(0)
    empty = Looked(LabelledPicture(Path("e.png"), "flat", (), backs=True), look.finds, look.faces)
    found = chances(look.finds, look.faces, fit_chance([looked(1), *[empty] * 3]))
    assert found[0] < 0.5, "all finds of an empty picture are false"


def test_a_picture_full_of_what_is_none_counts_as_one_picture() -> None:
    many = looked(0)
    times = 41
    away = [NOWHERE[None] + np.float32(100 * n) for n in range(1, times)]
    quads = np.concatenate([many.finds.quads[:1], *away]).astype(np.float32)
    finds = many.finds
    spread = [
        np.concatenate([one[:1], np.full(times - 1, 0.5, np.float32)])
        for one in (finds.found, finds.first, finds.second, finds.fit)
    ]
    number = np.repeat(many.faces.number[1:2], times, axis=0)
    colour = np.full((times, 4), 0.25, np.float32)
    cloth = Looked(many.picture, Finds(quads, *spread), Faces(number, colour, np.zeros(times, np.bool_)))
    looks = [looked(index) for index in range(3)]
    expected = logistic(
        np.concatenate([*map(told, looks), evidence(cloth.finds, cloth.faces)]),
        np.concatenate([[1.0, 0.0] * 3, [1.0], np.zeros(times - 1)]),
        np.concatenate([np.ones(7), np.full(times - 1, MOST_FALSE / (times - 1))]),
    )
    assert list(asdict(fit_chance([*looks, cloth])).values()) == pytest.approx(expected, abs=0.0005)
