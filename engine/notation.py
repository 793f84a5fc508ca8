"""The text form of faces and tiles: `r5 r6 *=r7`, `QH`, `*`, and `?` and `#` where no face is seen."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.tiles import JOKER, Face, Mark, Seen, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable

_TILE: Final = re.compile(r"([rybk])(1[0-3]|[1-9])")
_CARD: Final = re.compile(r"(10|[2-9ajqk])([shdc])")
_RANKS: Final = {"a": 1, "j": 11, "q": 12, "k": 13}
_SHOWN_WORDS: Final = 12
_SHOWN_LETTERS: Final = 24


@dataclass(frozen=True, slots=True)
class BadWord:
    """One word that is no tile: its place in the line (from 1), and what is wrong in two languages."""

    position: int
    word: str
    hint_en: str
    hint_ro: str


class NotationError(ValueError):
    """A text that names no tiles; `problems` has every bad word, `hint_en` and `hint_ro` say it to people."""

    def __init__(self, problems: tuple[BadWord, ...], *, cards: bool | None = None) -> None:
        self.problems = problems
        shown = problems[:_SHOWN_WORDS]
        more = len(problems) - len(shown)
        self.hint_en = (
            "; ".join(f"word {bad.position}, {_quoted(bad.word)}: {bad.hint_en}" for bad in shown)
            + (f"; and {more} more" if more else "")
            + f". Write {_forms(cards)[0]}, with spaces in between."
        )
        self.hint_ro = (
            "; ".join(f"cuvântul {bad.position}, {_quoted(bad.word)}: {bad.hint_ro}" for bad in shown)
            + (f"; și încă {more}" if more else "")
            + f". Scrieți {_forms(cards)[1]}, cu spații între ele."
        )
        super().__init__(self.hint_en)


def _quoted(word: str) -> str:
    return repr(word if len(word) <= _SHOWN_LETTERS else word[:_SHOWN_LETTERS] + "…")


def _forms(cards: bool | None) -> tuple[str, str]:
    """The allowed forms, in English and Romanian, for tiles (False), cards (True) or either (None)."""
    tiles = ("r1 to r13, also y, b or k for r", "r1 până la r13, la fel cu y, b sau k în loc de r")
    suits = ("AS 2S … 10S JS QS KS (suits S H D C)", "AS 2S … 10S JS QS KS (culori S H D C)")
    joker = (
        "* for a joker, {} for a joker that stands for a {}",
        "* pentru un joly, {} pentru un joly care ține locul unei {}",
    )
    if cards is None:
        english, romanian = f"{tiles[0]}, or cards {suits[0]}", f"{tiles[1]}, sau cărți {suits[1]}"
    else:
        english, romanian = suits if cards else tiles
    example, noun = ("*=QH", ("card", "cărți")) if cards else ("*=r7", ("tile", "piese"))
    return (
        f"{english}, {joker[0].format(example, noun[0])}",
        f"{romanian}, {joker[1].format(example, noun[1])}",
    )


def _face(word: str) -> Face | None:
    # Only ASCII: 'ſ' and the Kelvin sign would turn into s and k when their case is changed.
    if not word.isascii():
        return None
    lower = word.lower()
    if lower == "*":
        return JOKER
    if tile := _TILE.fullmatch(lower):
        return Face(tile[1], int(tile[2]))
    if card := _CARD.fullmatch(lower):
        return Face(card[2].upper(), _RANKS.get(card[1]) or int(card[1]))
    return None


def _read_face(word: str, cards: bool | None) -> Face | tuple[str, str]:
    """The face a word names, or what is wrong with it (English, Romanian)."""
    if word == "?":
        return (
            "a tile that was not read is no tile to play with",
            "o piesă necitită nu se poate folosi ca piesă",
        )
    if word == "#":
        return (
            "a tile lying face down is no tile to play with",
            "o piesă cu fața în jos nu se poate folosi ca piesă",
        )
    face = _face(word)
    if face is None:
        return "no such tile or card", "nu există o astfel de piesă sau carte"
    if cards is True and not face.is_card and not face.is_joker:
        return "a tile, but this is played with cards", "este o piesă, dar aici se joacă cu cărți"
    if cards is False and face.is_card:
        return "a card, but this is played with tiles", "este o carte, dar aici se joacă cu piese"
    return face


def _read_tile(word: str, cards: bool | None) -> Tile | tuple[str, str]:
    own, equals, meant = word.partition("=")
    if not equals:
        face = _read_face(word, cards)
        return Tile(face) if isinstance(face, Face) else face
    if own != "*":
        return (
            "only a joker stands for another face, for example *=r7",
            "doar un joly ține locul altei piese, de exemplu *=r7",
        )
    if meant == "*":
        return "a joker cannot stand for a joker", "un joly nu poate ține locul unui joly"
    face = _read_face(meant, cards)
    return Tile(JOKER, face) if isinstance(face, Face) else face


def parse_face(text: str) -> Face:
    """The face written in `text`, in either case; NotationError where it is none.

    >>> parse_face("R7"), parse_face("10s"), parse_face("*") == JOKER
    (Face(colour='r', number=7), Face(colour='S', number=10), True)
    """
    word = text.strip()
    read = _read_face(word, None)
    if not isinstance(read, Face):
        raise NotationError((BadWord(1, word, *read),))
    return read


def parse_tiles(text: str, *, cards: bool | None = None) -> tuple[Tile, ...]:
    """The tiles written in a line, in order; an empty line has none.

    `cards` True or False admits only cards or only tiles (jokers always), None both. A line with anything
    else raises NotationError, which names every bad word at once.

    >>> [str(tile) for tile in parse_tiles("R5 r6 *=R7")]
    ['r5', 'r6', '*=r7']
    """
    tiles: list[Tile] = []
    problems: list[BadWord] = []
    for position, word in enumerate(text.split(), start=1):
        read = _read_tile(word, cards)
        if isinstance(read, Tile):
            tiles.append(read)
        else:
            problems.append(BadWord(position, word, *read))
    if problems:
        raise NotationError(tuple(problems), cards=cards)
    return tuple(tiles)


def format_tiles(tiles: Iterable[Tile]) -> str:
    """The line that `parse_tiles` reads back as these tiles."""
    return " ".join(str(tile) for tile in tiles)


def parse_seen(text: str) -> Seen:
    """The face or the mark (`?` not read, `#` face down) in `text`; NotationError for neither."""
    word = text.strip()
    return Mark(word) if word in ("?", "#") else parse_face(word)


def format_seen(seen: Seen) -> str:
    """The text that `parse_seen` reads back as this face or mark."""
    return str(seen)


def parse_seen_row(text: str) -> tuple[Seen, ...]:
    """The faces and marks written in a line, in order; NotationError names every bad word at once."""
    row: list[Seen] = []
    problems: list[BadWord] = []
    for position, word in enumerate(text.split(), start=1):
        try:
            row.append(parse_seen(word))
        except NotationError as wrong:
            row.append(Mark.UNREAD)
            problems.append(BadWord(position, word, wrong.problems[0].hint_en, wrong.problems[0].hint_ro))
    if problems:
        raise NotationError(tuple(problems))
    return tuple(row)


def format_seen_row(row: Iterable[Seen]) -> str:
    """The line that `parse_seen_row` reads back as this row."""
    return " ".join(str(seen) for seen in row)
