"""How surely a face was read: temperatures, evidence, and alternatives that stay a distribution."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.readings import SeenTile
from vision.chance import Chance
from vision.classes import BACK, NOTHING
from vision.confidence import JOKER, OPTIONS, Confidence, columns, heated, options, shorter_sides, spread
from vision.judging import ALTERNATIVES, Faces, Finds, Thresholds, chances, judge, taken

F32 = NDArray[np.float32]
CERTAIN = Chance(bias=9.0, found=0, first=0, second=0, fit=0, nothing=0)  # of any find to be a tile
QUAD = np.asarray([(20, 20), (50, 20), (50, 62), (20, 62)], np.float32)


def judged(
    finds: Finds, faces: Faces, limits: Thresholds, confidence: Confidence | None = None
) -> list[SeenTile]:
    return judge(finds, faces, chances(finds, faces, CERTAIN), limits, confidence)


def numbers(said: dict[int, float]) -> F32:
    """One row of chances by class: 0 the joker, 1 to 13, then back and no tile."""
    row = np.zeros((1, NOTHING + 1), np.float32)
    for kind, chance in said.items():
        row[0, kind] = chance
    return row


RED = np.asarray([(0.9, 0.07, 0.02, 0.01)], np.float32)


def finds(count: int = 1) -> Finds:
    half = np.full(count, 0.5, np.float32)
    return Finds(np.stack([QUAD] * count), half, half, half, half)


def faces(number: F32, colour: F32 = RED, agree: float = 0.5) -> Faces:
    return Faces(number, colour, np.zeros(len(number), np.bool_), np.full(len(number), agree, np.float32))


# ---- temperature


@given(st.lists(st.floats(1e-6, 1), min_size=2, max_size=16), st.floats(0.2, 5))
def test_heat_keeps_the_order_and_makes_a_distribution(weights: list[float], heat: float) -> None:
    row = np.asarray([weights], np.float32)
    warm = heated(row / row.sum(), heat)
    assert warm.sum() == pytest.approx(1)
    assert (np.diff(warm[0][np.argsort(weights)]) >= -1e-9).all()


def test_heat_flattens_and_cold_sharpens() -> None:
    row = np.asarray([(0.8, 0.15, 0.05)], np.float32)
    assert heated(row, 1.0) == pytest.approx(row, abs=1e-6)
    assert heated(row, 2.0).max() < 0.8 < heated(row, 0.5).max()
    assert np.isfinite(heated(np.asarray([(1.0, 0.0)], np.float32), 0.3)).all()


# ---- options


def test_options_are_best_first_with_joker_and_back() -> None:
    number = numbers({7: 0.6, 1: 0.2, JOKER: 0.15, BACK: 0.05})
    codes, shares = options(number.astype(float), RED.astype(float))
    assert codes.shape == shares.shape == (1, OPTIONS)
    assert codes[0, :4].tolist() == [16 + 4 * 7, 16 + 4 * 1, 0, BACK]
    assert shares[0, :4] == pytest.approx([0.54, 0.18, 0.15, 0.05], abs=1e-6)
    assert (np.diff(shares[0]) <= 0).all()
    assert len(set(codes[0].tolist())) == OPTIONS, "each once"


def test_no_finds_have_no_options() -> None:
    codes, shares = options(np.zeros((0, 16)), np.zeros((0, 4)))
    assert codes.shape == shares.shape == (0, OPTIONS)


# ---- evidence


def test_each_weight_is_that_of_its_evidence() -> None:
    number, colour = numbers({7: 0.8, 1: 0.2}).astype(float), RED.astype(float)
    real, agree, fit, short = (np.asarray([value], np.float32) for value in (0.6, 0.7, 0.4, 32.0))
    rows = columns(np.asarray([16 + 4 * 7]), number, colour, finds=(real, agree, fit, short))
    all_right = 0.8 * 0.9 * 0.6
    expected = [1, np.log(all_right / (1 - all_right)), np.log(0.7 / 0.3), 0.4, np.log(0.5), 0, 0]
    assert rows[0] == pytest.approx(expected, abs=1e-4)
    names = [field.name for field in fields(Confidence)][2:]
    for name, value in zip(names, expected, strict=True):
        weights = dict.fromkeys(names, 0.0) | {name: 1.5}
        assert Confidence(**weights).of(rows) == pytest.approx(1 / (1 + np.exp(-1.5 * value)), abs=1e-4)


@pytest.mark.parametrize(("code", "place"), [(BACK, 5), (0, 6)])
def test_a_back_and_a_joker_have_no_colour(code: int, place: int) -> None:
    number = numbers({JOKER: 0.5, BACK: 0.5}).astype(float)
    one = np.asarray([0.9], np.float32)
    (row,) = columns(np.asarray([code]), number, RED.astype(float), finds=(one, one, one, one))
    assert row[1] == pytest.approx(np.log(0.45 / 0.55), abs=1e-4), "0.5 of its number times 0.9 to be a tile"
    assert row[5:].tolist() == [float(place == 5), float(place == 6)]


def test_nothing_sure_makes_up_for_a_doubtful_ink() -> None:
    sure = np.asarray([0.9999], np.float32)
    number, colour = numbers({7: 0.9999}).astype(float), np.asarray([(0.51, 0.49, 0.0, 0.0)])
    rows = columns(np.asarray([16 + 4 * 7]), number, colour, finds=(sure, sure, sure, sure))
    assert Confidence().of(rows) == pytest.approx(0.51, abs=1e-3)


def test_a_tile_is_as_small_as_its_shorter_side() -> None:
    leaning = np.asarray([(0, 0), (40, 0), (42, 14), (2, 14)], np.float32)
    assert shorter_sides(np.stack([QUAD, leaning])) == pytest.approx([30, np.hypot(2, 14)], abs=1e-4)


# ---- alternatives


@given(
    st.lists(st.floats(1e-6, 1), min_size=OPTIONS, max_size=OPTIONS),
    st.floats(0.06, 0.9999),
)
def test_alternatives_keep_their_order_and_make_one(weights: list[float], best: float) -> None:
    shares = np.sort(np.asarray([weights]))[:, ::-1]
    if shares[0, 0] / shares[0, 1] < 1.01:
        shares[0, 0] = shares[0, 1] * 1.2
    given = spread(shares, np.asarray([best], np.float32))
    assert given.sum() == pytest.approx(1)
    assert given[0, 0] == pytest.approx(best, abs=1e-3)
    assert (np.diff(given[0]) <= 1e-12).all()


# ---- judged


def test_without_a_fit_the_confidence_is_the_share_of_the_face() -> None:
    (tile,) = judged(finds(), faces(numbers({7: 0.8, 1: 0.2})), Thresholds())
    assert str(tile.face) == "r7"
    assert tile.confidence == pytest.approx(0.72, abs=1e-3)


def test_a_tile_face_down_has_its_own_threshold() -> None:
    number = np.concatenate([numbers({BACK: 0.8, 7: 0.2}), numbers({7: 0.8, BACK: 0.2})])
    for limits, read in ((Thresholds(read=0.9, back=0.5), "#?"), (Thresholds(read=0.5, back=0.9), "?r7")):
        tiles = judged(finds(2), faces(number, np.repeat(RED, 2, axis=0)), limits)
        assert "".join(str(tile.face) for tile in tiles) == read


@pytest.mark.parametrize("read", [0.5, 0.999])
def test_confidence_and_alternatives_are_one_distribution(read: float) -> None:
    fitted = Confidence(number_heat=0.7, bias=-0.5, agree=0.5, whole=0.9)
    number = np.concatenate(
        [numbers({7: 0.8, 1: 0.2}), numbers({JOKER: 0.6, 3: 0.4}), numbers({BACK: 0.9, 9: 0.1})]
    )
    colour = np.repeat(RED, 3, axis=0)
    tiles = judged(finds(3), faces(number, colour), Thresholds(read=read, back=read), fitted)
    assert [str(tile.face) for tile in tiles] == (["r7", "*", "#"] if read == 0.5 else ["?"] * 3)
    for tile in tiles:
        chances = [other.confidence for other in tile.alternatives]
        assert len(chances) == ALTERNATIVES
        assert chances == sorted(chances, reverse=True)
        listed = sum(chances) + (tile.confidence if str(tile.face) != "?" else 0)
        assert listed <= 1.0001, "rounded to four places"
        if str(tile.face) == "?":
            assert chances[0] == pytest.approx(tile.confidence, abs=1e-4), (
                "the best guess is as sure as the tile"
            )
        else:
            assert chances[0] < tile.confidence


def test_a_small_tile_is_less_sure_where_size_counts() -> None:
    both = finds(2)
    both.quads[1] *= 0.4
    number, colour = (np.repeat(row, 2, axis=0) for row in (numbers({7: 0.9, 1: 0.1}), RED))
    fitted = Confidence(size=1.0)
    large, small = judged(both, faces(number, colour), Thresholds(read=0.0), fitted)
    assert large.confidence > small.confidence + 0.05
    assert small.alternatives[0].confidence > large.alternatives[0].confidence, "and so are its alternatives"


def test_a_look_that_disagrees_makes_it_less_sure() -> None:
    fitted, surely = Confidence(whole=0.5, agree=1.0), []
    for agree in (0.9, 0.2):
        said = faces(numbers({7: 0.9, 1: 0.1}), agree=agree)
        (tile,) = judged(finds(), said, Thresholds(read=0.0), fitted)
        surely.append(tile.confidence)
    assert surely[0] > surely[1] + 0.1


def test_what_is_no_tile_is_not_judged() -> None:
    never = Chance(bias=-9.0, found=0, first=0, second=0, fit=0, nothing=0)
    sure = faces(numbers({7: 1.0}))
    assert judge(finds(), sure, chances(finds(), sure, never), Thresholds(), Confidence()) == []
    none = Faces(np.zeros((0, 16), np.float32), np.zeros((0, 4), np.float32), np.zeros(0, np.bool_))
    empty = np.zeros(0, np.float32)
    nowhere = Finds(np.zeros((0, 4, 2), np.float32), empty, empty, empty, empty)
    assert judged(nowhere, none, Thresholds()) == []


def test_what_may_be_a_back_is_kept_sooner_than_what_may_be_a_face() -> None:
    number = np.concatenate([numbers({7: 0.9}), numbers({BACK: 0.9}), numbers({BACK: 0.9})])
    real = np.asarray([0.4, 0.4, 0.3], np.float32)
    said = faces(number, np.repeat(RED, 3, axis=0))
    assert taken(real, said, Thresholds()).tolist() == [1]
    assert taken(real, said, Thresholds(down=0.2)).tolist() == [1, 2]
    assert taken(real, said, Thresholds(tile=0.3, down=0.5)).tolist() == [0]
