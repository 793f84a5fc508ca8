"""Temperatures, weights and threshold are found again from answers with known faults."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.readings import SeenTile
from vision.chance import Chance
from vision.classes import BACK, NOTHING
from vision.confidence import Confidence
from vision.judging import Faces, Finds, Thresholds, chances, judge
from vision.labelled import LabelledPicture, TrueTile
from vision.training.chance import Looked
from vision.training.confidence import LIMITS, Choice, choose, fit_confidence, temperature

F32 = NDArray[np.float32]
CERTAIN = Chance(bias=6.0, found=0, first=0, second=0, fit=0, nothing=0)


def judged(
    finds: Finds, faces: Faces, limits: Thresholds, confidence: Confidence | None = None
) -> list[SeenTile]:
    return judge(finds, faces, chances(finds, faces, CERTAIN), limits, confidence)


# ---- temperature


@pytest.mark.parametrize("heat", [0.5, 1.0, 2.5])
def test_a_known_temperature_is_found_again(heat: float) -> None:
    rng = np.random.default_rng(3)
    logits = rng.normal(0, 2, (20_000, 5))
    honest = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    codes = (honest.cumsum(axis=1) > rng.random((20_000, 1))).argmax(axis=1)
    said = np.exp(logits * heat) / np.exp(logits * heat).sum(axis=1, keepdims=True)
    assert temperature([(said.astype(np.float32), codes)]) == pytest.approx(heat, rel=0.06)


def test_what_is_not_asked_does_not_count() -> None:
    said = np.full((3, 4), 0.25, np.float32)
    assert temperature([(said, np.full(3, -1))]) == 1.0
    assert temperature([(np.zeros((0, 4), np.float32), np.zeros(0, np.int64))]) == 1.0


def test_answers_that_are_always_right_stay_finite() -> None:
    said = np.asarray([[0.9, 0.1]] * 50, np.float32)
    assert 0.1 < temperature([(said, np.zeros(50, np.int64))]) < 0.2
    assert temperature([(said, np.ones(50, np.int64))]) == pytest.approx(8, rel=0.01)


# ---- threshold


def of_faces(sure: F32, right: NDArray[np.float64], most: float = LIMITS[0]) -> Choice:
    return choose(sure, right, np.ones(len(sure), np.bool_), most=most)


def test_the_threshold_lets_so_few_wrong_pass_that_one_more_would_do() -> None:
    sure = np.linspace(1.0, 0.6, 10_001, dtype=np.float32)
    right = np.ones(len(sure))
    right[[5000, 7000, 8000, 8500, 9000]] = 0
    choice = of_faces(sure, right)
    # With a second wrong one named, 6001 would have to be named for a third to be allowed; 7999 are.
    assert (choice.wrong, choice.tiles) == (3, 10_001)
    assert (choice.wrong + 1) / (choice.named + 1) <= 1 / 2000
    assert sure[8500] < choice.read <= sure[8499] + 1e-4
    strict = of_faces(sure, right, 1 / 10_000)
    assert strict.wrong == 0


def test_of_too_few_tiles_nothing_wrong_passes() -> None:
    sure = np.asarray([0.99, 0.98, 0.97, 0.96], np.float32)
    choice = of_faces(sure, np.asarray([1.0, 1.0, 0.0, 1.0]))
    assert (choice.read, choice.named, choice.wrong) == (0.9701, 2, 0)
    assert of_faces(sure, np.zeros(4)).named == 0
    assert of_faces(sure, np.ones(4)).read == 0.5, "never under the half"


def test_equally_sure_tiles_are_named_together_or_not_at_all() -> None:
    sure = np.asarray([0.99, 0.9, 0.9], np.float32)
    choice = of_faces(sure, np.asarray([1.0, 1.0, 0.0]))
    assert (choice.named, choice.wrong) == (1, 0)
    assert 0.9 < choice.read <= 0.99


def test_the_threshold_is_compared_with_what_the_reader_says() -> None:
    sure = np.asarray([0.97904, 0.97898, 0.97897], np.float32)  # all said as 0.979
    assert of_faces(sure, np.asarray([1.0, 1.0, 0.0])).named == 0


def test_backs_have_a_threshold_of_their_own() -> None:
    sure = np.concatenate([np.linspace(1.0, 0.6, 2500), np.linspace(0.95, 0.55, 100)]).astype(np.float32)
    right, faces = np.ones(2600), np.arange(2600) < 2500
    right[2000] = 0
    choice = choose(sure, right, faces, most=LIMITS[0])
    assert choice.read == pytest.approx(sure[2000], abs=2e-4), "2500 faces are too few for a wrong one"
    assert (choice.back, choice.named, choice.wrong) == (0.5, 2100, 0), "backs need not be as sure"
    right[2550] = 0
    choice = choose(sure, right, faces, most=LIMITS[0])
    assert choice.back == pytest.approx(sure[2550], abs=2e-4), "unless they are faces"
    assert (choice.named, choice.wrong) == (2050, 0)
    sure = np.concatenate([np.full(8000, 0.99), sure]).astype(np.float32)
    more = choose(sure, np.append(np.ones(8000), right), np.append(np.ones(8000) > 0, faces), most=LIMITS[0])
    assert (more.named, more.wrong, more.back) == (10_600, 2, 0.5), "of more, some may be wrong"


def test_a_choice_says_how_sure_it_is() -> None:
    document = of_faces(np.full(4000, 0.9, np.float32), np.ones(4000)).to_json()
    assert (document["named"], document["wrong"]) == (1.0, 0)
    assert document["wrong_interval"] == [0.0, 0.00096]


# ---- the whole fit

SIDE = 40.0


def pictures(count: int, *, seed: int = 0, doubt: float = 0.15) -> list[Looked]:
    """Rows of tiles and a false find in some; of what the face net is unsure it is often wrong."""
    rng = np.random.default_rng(seed)
    looks = []
    for index in range(count):
        quads, tiles = [], []
        number = np.full((12, NOTHING + 1), 1e-4, np.float32)
        colour = np.full((12, 4), 1e-3, np.float32)
        for place in range(12):
            x = place * 50.0
            quad = np.asarray([(x, 0), (x + SIDE, 0), (x + SIDE, 56), (x, 56)], np.float32)
            value, ink, unsure = int(rng.integers(1, 14)), int(rng.integers(4)), rng.random() < doubt
            other = value % 13 + 1
            number[place, value], number[place, other] = (0.55, 0.44) if unsure else (0.97, 0.01)
            colour[place, ink] = 0.99
            if place < 11 or index % 4:
                shown = other if unsure and rng.random() < 0.4 else value
                tiles.append(TrueTile(f"{'rybk'[ink]}{shown}", quad, "melds"))
            quads.append(quad)
        half = np.full(12, 0.5, np.float32)
        number, colour = (table / table.sum(axis=1, keepdims=True) for table in (number, colour))
        finds = Finds(np.stack(quads), half, half, half, half)
        picture = LabelledPicture(Path(f"{index}.png"), "flat", tuple(tiles), backs=True)
        looks.append(Looked(picture, finds, Faces(number, colour, np.zeros(12, np.bool_), half)))
    return looks


def test_confidence_says_how_often_it_is_right() -> None:
    fitted = fit_confidence(pictures(100), CERTAIN, Thresholds())
    shares: dict[bool, list[tuple[float, bool]]] = {True: [], False: []}
    for look in pictures(60, seed=1):
        tiles = judged(look.finds, look.faces, Thresholds(read=0.0), fitted.confidence)
        truths = [tile.face for tile in look.picture.tiles]
        for at, tile in enumerate(tiles):
            unsure = bool(look.faces.number[at].max() < 0.7)
            right = at < len(truths) and str(tile.face) == truths[at]
            shares[unsure].append((tile.confidence, right))
    for answers in shares.values():
        confidence, right = np.asarray(answers).mean(axis=0)
        assert confidence == pytest.approx(right, abs=0.04)
    assert fitted.error < 0.04
    assert fitted.chosen.read >= fitted.others[0].read >= fitted.others[1].read, (
        "what is stricter names fewer"
    )


def test_the_same_pictures_give_the_same_fit() -> None:
    first, again = (fit_confidence(pictures(20), CERTAIN, Thresholds()) for _ in range(2))
    assert first == again


def test_backs_and_jokers_are_learnt_too() -> None:
    looks = pictures(30)
    for look in looks:
        look.faces.number[0] = 1e-4
        look.faces.number[0, BACK] = 0.99
        look.faces.number[1] = 1e-4
        look.faces.number[1, 0] = 0.99
        tiles = look.picture.tiles
        object.__setattr__(tiles[0], "face", "#")
        object.__setattr__(tiles[1], "face", "b5")
    confidence = fit_confidence(looks, CERTAIN, Thresholds()).confidence
    (back, joker, *_) = judged(looks[0].finds, looks[0].faces, Thresholds(read=0.0), confidence)
    assert (str(back.face), str(joker.face)) == ("#", "*")
    assert back.confidence > 0.9
    assert joker.confidence < 0.2, "the jokers of these pictures were none"


def test_without_any_find_it_is_said() -> None:
    with pytest.raises(ValueError, match="no tile was found"):
        fit_confidence(
            pictures(2), Chance(bias=-9.0, found=0, first=0, second=0, fit=0, nothing=0), Thresholds()
        )
