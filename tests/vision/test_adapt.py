"""What the reader learns of a set: it reads that set better, and nothing else changes."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.tiles import JOKER
from tests.vision.censuses import INKS, CensusReader, sighting, whole_rows
from tests.vision.scripted import ScriptedNets, draw_tile, reader, square_corners, table
from vision.adapt import ROUNDS, Lesson, learn
from vision.census import take_census
from vision.classes import BACK, NOTHING
from vision.ink_scene import judge_inks, learn_inks
from vision.judging import Faces
from vision.known_inks import know_inks
from vision.reader import Reader
from vision.sightings import Sighting

ROWS = whole_rows()
FLAT = [face for row in ROWS for face in row]
NUMBERS = np.asarray([0 if face == "*" else int(face[1:]) for face in FLAT])
COLOURS = np.asarray([-1 if face == "*" else "rybk".index(face[0]) for face in FLAT])


def misread(face: str, index: int) -> tuple[int, float]:
    number = int(NUMBERS[index])
    return {1: 7, 6: 8}.get(number, number), 0.8


def faces_of(seen: Sighting) -> Faces:
    return Faces(seen.number, seen.colour, np.zeros(len(seen), np.bool_), np.full(len(seen), 0.5, np.float32))


def taught(seen: Sighting) -> Lesson:
    reader = cast("Reader", CensusReader(seen))
    return learn(reader, seen, take_census(seen))


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    return taught(sighting(ROWS, misread))


def test_numbers_always_misread_are_read_right_once_taught(lesson: Lesson) -> None:
    later = sighting(ROWS, misread, seed=0)  # the shapes of the set are those of the seed
    rng = np.random.default_rng(1)
    features = np.clip(later.hidden + rng.normal(0, 0.05, later.hidden.shape), 0, None).astype(np.float32)
    before = faces_of(later)
    after = lesson.adjust(before, features, later.inks)
    assert (before.number.argmax(axis=1) == NUMBERS).mean() < 0.9
    assert (after.number.argmax(axis=1) == NUMBERS).all()
    np.testing.assert_allclose(after.number.sum(axis=1), 1, atol=1e-5)


def test_backs_and_what_is_no_tile_are_as_likely_as_before(lesson: Lesson) -> None:
    seen = sighting(ROWS, lambda _face, index: (BACK if index % 2 else NOTHING, 0.95))
    before = faces_of(seen)
    after = lesson.adjust(before, seen.hidden, seen.inks)
    np.testing.assert_allclose(after.number[:, BACK:], before.number[:, BACK:], atol=1e-6)


def test_a_joker_that_looked_like_a_back_is_told_from_one() -> None:
    def read(face: str, index: int) -> tuple[int, float]:
        return (BACK, 0.9) if face == "*" else (int(NUMBERS[index]), 0.98)

    seen = sighting(ROWS, read)
    jokers = {index: JOKER for index, face in enumerate(FLAT) if face == "*"}
    lesson = learn(cast("Reader", CensusReader(seen)), seen, take_census(seen, jokers))
    assert lesson.backs
    after = lesson.adjust(faces_of(seen), seen.hidden, seen.inks)
    assert (after.number[list(jokers)].argmax(axis=1) == 0).all()


@pytest.mark.parametrize(
    ("ink", "strange", "back"),
    [
        ((-0.3, -0.9, -0.3), False, True),  # another hue
        ((-1.0, -1.0, -0.65), True, True),  # nearly the hue, and another shape
        ((-1.0, -1.0, -0.65), False, False),
        ((-0.5, -0.5, -0.5), True, False),  # thinner, and seen askew
    ],
)
def test_a_print_that_is_like_no_joker_of_the_set_is_a_back(
    lesson: Lesson, ink: tuple[float, float, float], strange: bool, back: bool
) -> None:
    seen = sighting(ROWS)
    jokers = [index for index, face in enumerate(FLAT) if face == "*"]
    before = faces_of(seen)
    number, features, inks = before.number.copy(), seen.hidden.copy(), seen.inks.copy()
    printed = [0, 1]
    number[printed] = number[jokers]
    features[printed] = features[jokers]
    if strange:
        features[printed] = np.random.default_rng(5).random((2, features.shape[1])) * seen.hidden.max()
    inks[printed, -6:-3] = ink
    after = lesson.adjust(replace(before, number=number), features, inks)
    assert (after.number[printed].argmax(axis=1) == (BACK if back else 0)).all()
    assert (after.number[printed, 0] > 0.05).all(), "it stays thinkable"
    assert (after.number[jokers].argmax(axis=1) == 0).all()
    np.testing.assert_allclose(after.number.sum(axis=1), 1, atol=1e-5)


def test_a_set_without_jokers_and_a_lesson_of_before_know_none(lesson: Lesson) -> None:
    rows = [[face for face in row if face != "*"] for row in ROWS]
    seen = sighting(rows)
    assert learn(cast("Reader", CensusReader(seen)), seen, take_census(seen)).jokers is None
    stored = {key: value for key, value in lesson.arrays().items() if not key.startswith("joker_")}
    assert Lesson.from_arrays(stored).jokers is None
    assert lesson.jokers is not None
    with pytest.raises(ValueError, match="lacks"):
        Lesson.from_arrays({**stored, "joker_looks": lesson.jokers.looks})
    with pytest.raises(ValueError, match="shapes"):
        Lesson.from_arrays({**lesson.arrays(), "joker_middle": np.zeros(4)})


def test_where_the_number_changes_the_look_that_says_less_no_longer_counts(lesson: Lesson) -> None:
    seen = sighting(ROWS, misread)
    before = faces_of(seen)
    after = lesson.adjust(before, seen.hidden, seen.inks)
    assert after.agree is not None
    changed = after.number.argmax(axis=1) != before.number.argmax(axis=1)
    assert changed.any()
    assert (after.agree[changed] > 0.5).all()
    unknown = lesson.adjust(replace(before, agree=None), seen.hidden, seen.inks)
    assert unknown.agree is None


def test_an_empty_picture_stays_empty(lesson: Lesson) -> None:
    none = Faces(np.zeros((0, 16), np.float32), np.zeros((0, 4), np.float32), np.zeros(0, np.bool_))
    assert lesson.adjust(none, np.zeros((0, 96), np.float32), np.zeros((0, 30), np.float32)) is none


def test_the_census_is_seen_in_many_lights_and_the_reader_left_as_it_was() -> None:
    seen = sighting(ROWS, misread)
    reader = CensusReader(seen)
    before = Lesson(np.zeros((14, 97), np.float32), 1.0, backs=False)
    reader.adapter = before
    learn(cast("Reader", reader), seen, take_census(seen))
    assert reader.pictures == ROUNDS
    assert reader.adapter is before


def test_the_same_census_teaches_the_same() -> None:
    seen = sighting(ROWS, misread)
    one, two = taught(seen).arrays(), taught(seen).arrays()
    assert set(one) == set(two)
    for key, value in one.items():
        np.testing.assert_array_equal(two[key], value)


def test_what_is_asked_teaches_nothing() -> None:
    seen = sighting(ROWS)
    census = take_census(seen)
    asked = replace(census, tiles=tuple(replace(tile, asked=True) for tile in census.tiles))
    with pytest.raises(ValueError, match="settle"):
        learn(cast("Reader", CensusReader(seen)), seen, asked)


def test_a_lesson_is_stored_and_read_again(lesson: Lesson) -> None:
    again = Lesson.from_arrays({**lesson.arrays(), "jokers": np.zeros((2, 64, 48, 3), np.uint8)})
    seen = sighting(ROWS, misread)
    one = lesson.adjust(faces_of(seen), seen.hidden, seen.inks)
    two = again.adjust(faces_of(seen), seen.hidden, seen.inks)
    np.testing.assert_array_equal(one.number, two.number)
    np.testing.assert_array_equal(one.colour, two.colour)


@pytest.mark.parametrize(("key", "value"), [("number", np.zeros((3, 97))), ("inks", np.zeros((2, 3)))])
def test_a_lesson_of_another_shape_is_refused(lesson: Lesson, key: str, value: np.ndarray) -> None:
    with pytest.raises(ValueError, match="shapes"):
        Lesson.from_arrays({**lesson.arrays(), key: value})
    with pytest.raises(ValueError, match="lacks"):
        Lesson.from_arrays({"scale": np.asarray(1.0)})


# ---- inks


def test_inks_are_told_apart_in_another_light() -> None:
    """All inks weaker and shifted alike, and the colours read evenly: the known set says which is which."""
    seen = sighting(ROWS)
    known = learn_inks(seen.measured, COLOURS)
    assert known is not None
    np.testing.assert_allclose(known[0], list(INKS.values()), atol=0.05)
    inked = COLOURS >= 0
    shown = seen.measured[inked].copy()
    shown[:, :3] = shown[:, :3] * 0.8 + (0.1, 0.0, -0.1)
    even = np.full((int(inked.sum()), 4), 0.25, np.float32)
    judged = judge_inks(even, shown, *known)
    assert (judged.argmax(axis=1) == COLOURS[inked]).all()
    assert len(judge_inks(even[:0], shown[:0], *known)) == 0


def test_a_colour_with_too_few_tiles_teaches_no_inks() -> None:
    seen = sighting(ROWS)
    few = np.where((COLOURS == 3) & (np.arange(len(COLOURS)) > 80), -1, COLOURS)
    assert learn_inks(seen.measured[few >= 0], few[few >= 0]) is None


# ---- inks as the table's own camera saw them


def test_inks_like_those_that_were_taught_are_told_apart() -> None:
    seen = sighting(ROWS)
    known = know_inks(seen.inks, COLOURS)
    assert known is not None
    assert len(known.rows) == (COLOURS >= 0).sum()
    inked = COLOURS >= 0
    even = np.full((int(inked.sum()), 4), 0.25, np.float32)
    judged = known.judge(even, seen.inks[inked])
    assert (judged.argmax(axis=1) == COLOURS[inked]).all()
    # What the ink net is sure of is not overruled.
    sure = np.tile(np.asarray([0.997, 0.001, 0.001, 0.001], np.float32), (len(even), 1))
    assert (known.judge(sure, seen.inks[inked]).argmax(axis=1) == 0).all()
    assert len(known.judge(even[:0], seen.inks[:0])) == 0
    few = np.where((COLOURS == 3) & (np.arange(len(COLOURS)) > 80), -1, COLOURS)
    assert know_inks(seen.inks, few) is None


def test_the_reader_judges_inks_among_those_of_its_own_camera(lesson: Lesson) -> None:
    class Inks(ScriptedNets):
        def inks(self, evidence: NDArray[np.float32]) -> NDArray[np.float32]:
            among.append(len(evidence))
            return super().inks(evidence)

    among: list[int] = []
    image = table(400, 300)
    draw_tile(image, square_corners(200, 150, width=58), 5)
    taught_reader = reader(nets=Inks())
    taught_reader.read(image)
    alone = list(among)
    taught_reader.adapter = lesson
    taught_reader.read(image)
    assert among[len(alone) :] == alone
    taught_reader.adapter = replace(lesson, here=True)
    among.clear()
    taught_reader.read(image)
    assert lesson.known is not None
    assert among == [count + len(lesson.known.rows) for count in alone]
