"""The census: whatever is misread, rows and inventory name the tiles, and what is doubtful is asked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.tiles import JOKER, Face, Mark
from tests.vision.censuses import sighting, whole_rows, without
from vision.census import FEWEST, CensusError, take_census
from vision.classes import BACK

ROWS = whole_rows()
FLAT = [face for row in ROWS for face in row]


def _number(face: str) -> int:
    return 0 if face == "*" else int(face[1:])


def named(census: object) -> list[str]:
    return [str(tile.face) for tile in census.tiles]  # type: ignore[attr-defined]


def test_a_set_read_well_is_complete() -> None:
    census = take_census(sighting(ROWS))
    assert named(census) == FLAT
    assert census.complete
    assert census.misread == 0


def test_a_number_that_is_always_misread_is_named_by_its_place() -> None:
    """The reader takes every 1 of this set for a 7, and every 6 for an 8, and is sure of it."""
    wrong = {1: 7, 6: 8}

    def read(face: str, _index: int) -> tuple[int, float]:
        number = 0 if face == "*" else int(face[1:])
        return wrong.get(number, number), 0.97

    census = take_census(sighting(ROWS, read))
    assert named(census) == FLAT
    assert census.misread == 16
    assert census.complete, "a reader that errs in the same way again and again needs no questions"


def test_a_third_of_all_tiles_read_at_random_is_named_by_rows_and_likeness() -> None:
    rng = np.random.default_rng(5)

    def read(face: str, _index: int) -> tuple[int, float]:
        number = 0 if face == "*" else int(face[1:])
        return (int(rng.integers(1, 14)), 0.6) if rng.random() < 0.33 else (number, 0.9)

    census = take_census(sighting(ROWS, read))
    assert named(census) == FLAT
    assert census.misread > 20
    assert not census.missing


@pytest.mark.parametrize("face", ["k7", "r1", "y13", "b10", "*"])
def test_a_missing_tile_is_named(face: str) -> None:
    census = take_census(sighting(without(ROWS, face)))
    assert [str(missing) for missing in census.missing] == [face]
    assert not census.extra
    assert not census.asked


def test_a_missing_tile_is_named_though_the_reader_errs() -> None:
    def read(face: str, _index: int) -> tuple[int, float]:
        number = 0 if face == "*" else int(face[1:])
        return {1: 7, 12: 2}.get(number, number), 0.95

    census = take_census(sighting(without(ROWS, "k7"), read))
    assert [str(face) for face in census.missing] == ["k7"]


def test_a_tile_too_many_is_asked_and_named() -> None:
    rows = without(ROWS, "k7")
    rows[0].append("r7")
    census = take_census(sighting(rows))
    assert [str(face) for face in census.missing] == ["k7"]
    assert [str(face) for face in census.extra] == ["r7"]
    assert {str(census.tiles[index].face) for index in census.asked} == {"r7"}


BY_NUMBER = [f"{slot}{number}" for number in range(1, 14) for slot in "rybk" for _ in range(2)] + ["*", "*"]


def test_rows_in_another_order_are_named_too() -> None:
    """By number, the colours beside each other: this is learnt from the rows themselves."""
    rng = np.random.default_rng(8)
    rows = [BY_NUMBER[start : start + 12] for start in range(0, len(BY_NUMBER), 12)]

    def read(face: str, _index: int) -> tuple[int, float]:
        return (int(rng.integers(1, 14)), 0.6) if rng.random() < 0.2 else (_number(face), 0.9)

    assert named(take_census(sighting(rows, read))) == BY_NUMBER


def test_what_cannot_be_known_is_asked() -> None:
    """Laid out by number, nothing says which of two numbers that read alike is which."""
    rows = [BY_NUMBER[start : start + 12] for start in range(0, len(BY_NUMBER), 12)]

    def read(face: str, _index: int) -> tuple[int, float]:
        number = 0 if face == "*" else int(face[1:])
        return {1: 7, 6: 8}.get(number, number), 0.9

    census = take_census(sighting(rows, read))
    wrong = [index for index, face in enumerate(BY_NUMBER) if str(census.tiles[index].face) != face]
    assert set(wrong) <= set(census.asked)


def test_rows_without_any_order_do_no_harm() -> None:
    faces = [str(face) for face in np.random.default_rng(3).permutation(FLAT)]
    rows = [faces[start : start + 13] for start in range(0, len(faces), 13)]
    census = take_census(sighting(rows))
    assert named(census) == faces
    assert not census.missing


def test_a_colour_misread_is_named() -> None:
    def colour(face: str, index: int) -> tuple[str, float]:
        return ("r", 0.7) if face[0] == "y" and index % 3 == 0 else (face[0], 0.95)

    assert named(take_census(sighting(ROWS, colour=colour))) == FLAT


def test_a_clear_reading_that_the_rows_overrule_once_is_asked() -> None:
    """One tile alone is read as another face, surely, though it looks like its own: a person decides."""
    at = FLAT.index("b5")
    census = take_census(
        sighting(ROWS, lambda face, index: (9, 0.999) if index == at else (_number(face), 0.99))
    )
    assert str(census.tiles[at].face) == "b5"
    assert census.asked == (at,)
    assert str(census.tiles[at].read_as) == "b9"


def test_what_a_person_says_is_taken_and_no_longer_asked() -> None:
    at = FLAT.index("b5")
    seen = sighting(ROWS, lambda face, index: (9, 0.999) if index == at else (_number(face), 0.99))
    settled = take_census(seen, {at: Face("b", 5)})
    assert settled.complete
    assert settled.tiles[at].settled
    other = take_census(seen, {at: Face("b", 9)})
    assert [str(face) for face in other.missing] == ["b5"]
    assert [str(face) for face in other.extra] == ["b9"]


def test_what_is_no_tile_counts_nowhere() -> None:
    census = take_census(sighting(ROWS), {0: None})
    assert census.tiles[0].face is Mark.UNREAD
    assert [str(face) for face in census.missing] == ["r1"]
    down = take_census(sighting(ROWS), {0: Mark.FACE_DOWN})
    assert down.tiles[0].face is Mark.FACE_DOWN
    assert [str(face) for face in down.missing] == ["r1"]


def test_a_joker_that_looks_like_a_back_is_named_and_asked() -> None:
    census = take_census(
        sighting(ROWS, lambda face, _: (BACK, 0.99) if face == "*" else (_number(face), 0.98))
    )
    jokers = [index for index, face in enumerate(FLAT) if face == "*"]
    assert [census.tiles[index].face for index in jokers] == [JOKER, JOKER]
    assert census.asked == tuple(jokers)
    assert not census.missing


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        (ROWS[:5], "too_few"),
        ([], "too_few"),
        (ROWS + ROWS[:3], "too_many"),
    ],
)
def test_what_is_no_census_is_refused(rows: list[list[str]], code: str) -> None:
    with pytest.raises(CensusError) as refused:
        take_census(sighting(rows))
    assert refused.value.code == code
    assert "106" in refused.value.hint_en
    assert "106" in refused.value.hint_ro


def test_tiles_too_small_or_face_down_are_refused() -> None:
    with pytest.raises(CensusError, match="pixels") as small:
        take_census(sighting(ROWS, width=12))
    assert small.value.code == "too_small"
    with pytest.raises(CensusError, match="face up") as down:
        take_census(sighting(ROWS, lambda face, index: (BACK if index < 30 else _number(face), 0.98)))
    assert down.value.code == "face_down"


def test_two_pictures_are_one_census() -> None:
    seen = sighting(ROWS)
    half = np.asarray([0] * 52 + [1] * (len(FLAT) - 52))
    census = take_census(replace(seen, picture=half, pictures=2))
    assert named(census) == FLAT
    assert census.complete


def test_the_fewest_tiles_are_enough() -> None:
    rows = [row[:10] for row in ROWS]
    assert sum(map(len, rows)) == FEWEST
    assert len(take_census(sighting(rows)).missing) == 106 - FEWEST
