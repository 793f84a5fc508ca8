"""How surely a find is a tile: every kind of evidence counts, in its own place."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.chance import Chance, columns, like_other_backs
from vision.classes import BACK, NOTHING

F32 = NDArray[np.float32]

EVIDENCE = ("found", "first", "second", "fit", "nothing", "back", "joker")
AGAINST = ("nothing", "back", "joker")
WARY = Chance(back=-1.5, joker=-0.5)
SHARE = st.floats(0, 1, width=32)


def of(chance: Chance, **evidence: F32) -> F32:
    looks = (evidence["first"], evidence["second"])
    size = quads(len(evidence["fit"]))
    return chance.of(columns(evidence["found"], looks, evidence["fit"], number(evidence), quads=size))


def quads(count: int, width: float = 30.0) -> F32:
    corners = np.asarray([(0, 0), (1, 0), (1, 1.4), (0, 1.4)], np.float32) * width
    return np.repeat(corners[None], count, axis=0).astype(np.float32)


def number(evidence: dict[str, F32]) -> F32:
    """What the face net says: of other classes nothing, since they do not count."""
    table = np.zeros((len(evidence["fit"]), NOTHING + 1), np.float32)
    table[:, NOTHING], table[:, BACK], table[:, 0] = (evidence[name] for name in AGAINST)
    return table


def from_odds(odds: float) -> F32:
    return np.asarray([1 / (1 + np.exp(-odds))], np.float32)


@pytest.mark.parametrize("name", EVIDENCE)
@given(usual=st.fixed_dictionaries(dict.fromkeys(EVIDENCE, SHARE)))
def test_more_of_one_evidence_makes_a_tile_more_likely_and_no_tile_less(
    name: str, usual: dict[str, float]
) -> None:
    steps = np.linspace(0.01, 0.99, 21).astype(np.float32)
    evidence = {key: np.full(len(steps), value, np.float32) for key, value in usual.items()}
    chances = of(WARY, **{**evidence, name: steps})
    change = chances[-1] - chances[0]
    if name in AGAINST:
        chances, change = chances[::-1], -change
    assert (np.diff(chances) >= 0).all()
    assert change > 0


@given(usual=st.fixed_dictionaries(dict.fromkeys(EVIDENCE, st.sampled_from([0.0, 1.0]))))
def test_evidence_without_any_doubt_still_gives_a_chance(usual: dict[str, float]) -> None:
    (chance,) = of(Chance(), **{key: np.asarray([value], np.float32) for key, value in usual.items()})
    assert 0 < chance < 1


def test_agreement_is_a_tile_and_contradiction_is_none() -> None:
    shares = {
        "found": np.asarray([0.9, 0.15, 0.9], np.float32),
        "first": np.asarray([0.99, 0.3, 0.99], np.float32),
        "second": np.asarray([0.99, 0.2, 0.2], np.float32),
        "fit": np.asarray([0.95, 0.2, 0.3], np.float32),
        "nothing": np.asarray([0.01, 0.9, 0.95], np.float32),
        "back": np.zeros(3, np.float32),
        "joker": np.zeros(3, np.float32),
    }
    assert (of(Chance(), **shares) > 0.5).tolist() == [True, False, False]


def test_the_columns_stand_in_the_order_of_the_weights() -> None:
    said = {
        "fit": np.full(1, 0.4),
        "nothing": from_odds(-1.5),
        "back": np.full(1, 0.2),
        "joker": np.full(1, 0.1),
    }
    said = {name: value.astype(np.float32) for name, value in said.items()}
    rows = columns(from_odds(1), (from_odds(2), from_odds(3)), said["fit"], number(said), quads=quads(1))
    expected = {"bias": 1, "found": 1, "first": 2, "second": 3, "fit": 0.4, "nothing": -1.5, "back": 0.2}
    expected |= {"joker": 0.1, "odd": 0, "odd_back": 0, "company": 0, "back_company": 0}
    expected |= {"tint_back": 0, "shade_back": 0, "tint": 0, "line": 0, "line_back": 0}
    names = [field.name for field in fields(Chance)]
    assert rows[0] == pytest.approx([expected[name] for name in names], abs=1e-5)


def test_each_weight_is_that_of_its_evidence() -> None:
    none = dict.fromkeys((field.name for field in fields(Chance)), 0.0)
    evidence = {"found": 1.0, "first": 2.0, "second": 3.0, "nothing": -1.5}
    plain = {"fit": 0.4, "back": 0.2, "joker": 0.1}
    shares = {name: from_odds(odds) for name, odds in evidence.items()}
    shares |= {name: np.full(1, value, np.float32) for name, value in plain.items()}
    for name, value in (evidence | plain | {"bias": 1.0}).items():
        assert of(Chance(**(none | {name: 2.0})), **shares) == pytest.approx(from_odds(2 * value), abs=1e-5)


def test_no_finds_have_no_chances() -> None:
    assert of(Chance(), **dict.fromkeys(EVIDENCE, np.zeros(0, np.float32))).shape == (0,)


def test_where_tiles_are_surely_seen_a_back_of_another_size_stands_out() -> None:
    sure = np.full(5, 0.95, np.float32)
    told = np.zeros((5, NOTHING + 1), np.float32)
    told[:4, 7], told[4, BACK] = 0.97, 0.9
    sizes = np.concatenate([quads(4), quads(1, 60.0)])
    bodies = np.full((5, 3), 0.2, np.float32)
    bodies[3] = (0.2, 0.2, 0.5)
    bodies[4] = (-0.1, -0.2, 0.0)
    rows = columns(sure, (sure, sure), sure, told, quads=sizes, body=bodies)
    odd, odd_back, company, back_company, tint_back, shade_back, tint = rows[:, 8:15].T
    assert odd == pytest.approx([0, 0, 0, 0, np.log(2)], abs=1e-3)
    assert odd_back == pytest.approx([0, 0, 0, 0, 0.9 * np.log(2)], abs=1e-3)
    assert (company == 1).all()
    assert back_company == pytest.approx([0, 0, 0, 0, 0.9], abs=1e-6)
    assert tint_back == pytest.approx([0, 0, 0, 0, 0.9 * 0.4], abs=1e-6)
    assert shade_back == pytest.approx([0, 0, 0, 0, 0.9 * 0.3], abs=1e-6)
    assert tint == pytest.approx([0, 0, 0, 0.8, 0.1 * 0.4], abs=1e-6), "a number on something yellow"
    few = columns(sure[2:], (sure[2:], sure[2:]), sure[2:], told[2:], quads=sizes[2:], body=bodies[2:])
    assert (few[:, 8:] == 0).all(), "two tiles are no measure"


def test_what_stands_in_line_with_sure_tiles_has_that_said_of_it() -> None:
    sure = np.asarray([0.95, 0.95, 0.95, 0.95, 0.5, 0.5, 0.5], np.float32)
    told = np.zeros((7, NOTHING + 1), np.float32)
    told[:, 7] = 0.97
    told[5] = np.eye(NOTHING + 1)[BACK]
    row = quads(1) + np.arange(7)[:, None, None] * np.asarray([1.1 * np.ptp(quads(1)[0, :, 0]), 0.0])
    row = row.astype(np.float32)
    row[3, :, 1] += 300  # sure, but elsewhere
    row[6, :, 1] += 600
    rows = columns(sure, (sure, sure), sure, told, quads=row, body=None)
    line, line_back = rows[:, 15:].T
    assert line.tolist() == [1, 1, 1, 0, 1, 0.5, 0], "with two or more, with one, with none"
    assert line_back.tolist() == [0, 0, 0, 0, 0, 0.5, 0]


def bodies(*colours: tuple[float, float, float]) -> F32:
    """(n, 3): the logarithms of bodies' colours, blue, green, red."""
    return np.log(np.asarray(colours, np.float32) / 128)


GREEN, PALE, SHADED = (60.0, 110.0, 40.0), (190.0, 200.0, 215.0), (30.0, 55.0, 20.0)
WALL = (GREEN, (63.0, 113.0, 41.0), (58.0, 107.0, 39.0))


def as_backs(count: int, *, faces: int = 0) -> F32:
    table = np.zeros((count + faces, NOTHING + 1), np.float32)
    table[:count, BACK] = 0.95
    table[count:, 5] = 0.99
    return table


def test_a_pale_square_is_no_back_where_the_wall_is_green() -> None:
    real = np.asarray([0.99, 0.99, 0.99, 0.6, 0.6], np.float32)
    after = like_other_backs(real, as_backs(5), bodies(*WALL, PALE, SHADED))
    assert after[3] < 0.1
    assert after.tolist()[:3] == real.tolist()[:3]
    assert after[4] == real[4], "a back in the shade is as green"


def test_who_is_quite_sure_of_a_back_of_another_hue_may_be_right() -> None:
    real = np.asarray([0.99, 0.99, 0.99, 0.995], np.float32)
    number = as_backs(4)
    number[3, BACK] = 0.8
    assert like_other_backs(real, number, bodies(*WALL, PALE))[3] > 0.8


def test_hues_of_backs_say_nothing_of_faces_or_where_few_backs_are_sure() -> None:
    real = np.asarray([0.99, 0.99, 0.99, 0.6], np.float32)
    shown = as_backs(3, faces=1)
    assert (like_other_backs(real, shown, bodies(*WALL, PALE)) == real).all()
    few = np.asarray([0.99, 0.99, 0.6, 0.6], np.float32)
    assert (like_other_backs(few, as_backs(4), bodies(*WALL, PALE)) == few).all()
    assert (like_other_backs(real, as_backs(4), None) == real).all()


def test_where_sure_backs_differ_themselves_no_hue_is_foreign() -> None:
    real = np.asarray([0.99, 0.99, 0.99, 0.99, 0.6], np.float32)
    mixed = bodies(GREEN, PALE, (40.0, 60.0, 160.0), (150.0, 60.0, 60.0), (190.0, 150.0, 120.0))
    assert like_other_backs(real, as_backs(5), mixed)[4] == real[4]
