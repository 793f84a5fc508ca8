"""Faces, tiles and their text form."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.notation import (
    NotationError,
    format_seen,
    format_seen_row,
    format_tiles,
    parse_face,
    parse_seen,
    parse_seen_row,
    parse_tiles,
)
from engine.tiles import CARD_SUITS, JOKER, TILE_COLOURS, Face, Mark, Tile, face_order
from tests.engine.strategies import seen, tiles

ALL_FACES = [
    Face(colour, number) for colour, number in itertools.product((*TILE_COLOURS, *CARD_SUITS), range(1, 14))
] + [JOKER]


@pytest.mark.parametrize(
    ("colour", "number"), [("", 1), ("r", 0), ("r", 14), ("S", 0), ("g", 1), ("R", 1), ("rr", 1), ("*", 0)]
)
def test_no_such_face(colour: str, number: int) -> None:
    with pytest.raises(ValueError, match="must be"):
        Face(colour, number)


def test_only_a_joker_stands_for_a_tile() -> None:
    with pytest.raises(ValueError, match="only a joker"):
        Tile(Face("r", 7), Face("r", 8))
    with pytest.raises(ValueError, match="cannot stand for a joker"):
        Tile(JOKER, JOKER)


def test_what_a_tile_means() -> None:
    assert Tile(Face("r", 7)).means == Face("r", 7)
    assert Tile(JOKER).means is None
    assert Tile(JOKER, Face("r", 7)).means == Face("r", 7)
    assert [Tile(face).is_joker for face in (JOKER, Face("r", 1))] == [True, False]
    assert not JOKER.is_card
    assert Face("S", 1).is_card
    assert not Face("k", 1).is_card


def test_every_face_has_its_own_text_and_reads_back_in_either_case() -> None:
    texts = {str(face) for face in ALL_FACES}
    assert len(texts) == len(ALL_FACES) == 105
    for face in ALL_FACES:
        assert parse_face(str(face)) == parse_face(str(face).lower()) == parse_face(str(face).upper()) == face


def test_card_texts() -> None:
    assert [str(Face("S", number)) for number in range(1, 14)] == [
        "AS",
        "2S",
        "3S",
        "4S",
        "5S",
        "6S",
        "7S",
        "8S",
        "9S",
        "10S",
        "JS",
        "QS",
        "KS",
    ]


def test_order_of_faces() -> None:
    shuffled = sorted(ALL_FACES, key=str, reverse=True)
    assert sorted(shuffled, key=face_order) == ALL_FACES


@given(st.lists(tiles))
def test_tiles_round_trip(row: list[Tile]) -> None:
    text = format_tiles(row)
    assert parse_tiles(text) == parse_tiles(text.upper()) == parse_tiles(text.lower()) == tuple(row)
    assert format_tiles(parse_tiles(text)) == text


@given(st.lists(seen))
def test_what_is_seen_round_trips(row: list[Face | Mark]) -> None:
    assert parse_seen_row(format_seen_row(row)) == tuple(row)
    assert [parse_seen(format_seen(one)) for one in row] == row


def test_an_empty_line_has_no_tiles() -> None:
    assert parse_tiles("") == parse_tiles(" \n\t ") == ()


def test_marks_are_seen_but_no_tiles() -> None:
    assert parse_seen(" ? ") is Mark.UNREAD
    assert parse_seen_row("r7 # ?") == (Face("r", 7), Mark.FACE_DOWN, Mark.UNREAD)
    for text, word in (("r7 ?", "not read"), ("#", "face down")):
        with pytest.raises(NotationError, match=word):
            parse_tiles(text)


@pytest.mark.parametrize(
    "word",
    ["r0", "r14", "r07", "g7", "7r", "r", "7", "1S", "11S", "TS", "AX", "**", "*r7", "*=", "*=*", "r7=r8",
     "*=?", "*=r14", "=r7", "r\u0663", "K\u017f", "4\u017f", "\u212a4", "\u212aS", "joker", "-", "r-7",
     "r7,r8", "*=*=r7"],
)  # fmt: skip
def test_what_is_no_tile(word: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_tiles(f"r1 {word} r3")
    assert [(bad.position, bad.word) for bad in caught.value.problems] == [(2, word)]


def test_every_bad_word_is_named_at_once_in_both_languages() -> None:
    with pytest.raises(NotationError) as caught:
        parse_tiles("r5 x6 r7 r99 *=*")
    error = caught.value
    assert [(bad.position, bad.word) for bad in error.problems] == [(2, "x6"), (4, "r99"), (5, "*=*")]
    assert str(error) == error.hint_en
    for word in ("word 2, 'x6'", "word 4, 'r99'", "word 5", "r1 to r13", "*=r7"):
        assert word in error.hint_en
    for word in ("cuvântul 2, 'x6'", "cuvântul 5", "Scrieți", "*=r7"):
        assert word in error.hint_ro


def test_a_flood_of_bad_words_stays_readable() -> None:
    with pytest.raises(NotationError) as caught:
        parse_tiles(" ".join(["x" * 500] * 40))
    assert len(caught.value.problems) == 40
    assert "28 more" in caught.value.hint_en
    assert "încă 28" in caught.value.hint_ro
    assert len(str(caught.value)) < 1500


def test_tiles_or_cards_only() -> None:
    assert parse_tiles("r7 *", cards=False) == (Tile(Face("r", 7)), Tile(JOKER))
    assert parse_tiles("QH *=KH", cards=True) == (Tile(Face("H", 12)), Tile(JOKER, Face("H", 13)))
    with pytest.raises(NotationError, match="played with tiles") as tiles_only:
        parse_tiles("r7 QH", cards=False)
    with pytest.raises(NotationError, match="played with cards") as cards_only:
        parse_tiles("r7 QH *=b3", cards=True)
    assert "AS 2S" not in str(tiles_only.value)
    assert "r1 to r13" not in str(cards_only.value)
    assert [bad.position for bad in cards_only.value.problems] == [1, 3]
    assert "se joacă cu cărți" in cards_only.value.hint_ro


def test_bad_faces_and_bad_rows() -> None:
    with pytest.raises(NotationError, match="no such tile"):
        parse_face("r7 r8")
    with pytest.raises(NotationError, match="no such tile"):
        parse_seen("")
    with pytest.raises(NotationError) as caught:
        parse_seen_row("r7 ?? # *=r7")
    assert [bad.position for bad in caught.value.problems] == [2, 4]
