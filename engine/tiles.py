"""What lies on the table: faces of tiles and cards, marks for no face, jokers that stand for one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

TILE_COLOURS: Final = ("r", "y", "b", "k")
"""Colour slots of the 106 tiles: red, yellow (orange or green on some sets), blue, black."""

CARD_SUITS: Final = ("S", "H", "D", "C")
"""Suits of playing cards: spades, hearts, diamonds, clubs."""

HIGHEST: Final = 13
"""The highest number of a tile, and the king of cards."""

_RANK_NAMES: Final = {1: "A", 11: "J", 12: "Q", 13: "K"}
_COLOUR_ORDER: Final = {colour: place for place, colour in enumerate((*TILE_COLOURS, *CARD_SUITS, ""))}


@dataclass(frozen=True, order=True, slots=True)
class Face:
    """The face of a tile (`r7`), of a card (`QH`) or of the joker (`*`).

    `colour` is one of `r y b k`, of `S H D C`, or empty for the joker; `number` is 1 to 13 (ace 1, J Q K 11
    12 13), 0 for the joker. Anything else raises ValueError.

    >>> str(Face("r", 7)), str(Face("H", 12)), str(JOKER)
    ('r7', 'QH', '*')
    """

    colour: str
    number: int

    def __post_init__(self) -> None:
        if self.colour == "" and self.number == 0:
            return
        if self.colour not in TILE_COLOURS and self.colour not in CARD_SUITS:
            raise ValueError(
                f"colour {self.colour!r} must be one of r y b k, S H D C, or empty for the joker"
            )
        if not 1 <= self.number <= HIGHEST:
            raise ValueError(
                f"number {self.number!r} must be 1 to {HIGHEST} (0 with an empty colour is the joker)"
            )

    @property
    def is_joker(self) -> bool:
        """Whether this is the joker."""
        return self.number == 0

    @property
    def is_card(self) -> bool:
        """Whether this is the face of a card; the joker, which tiles have too, is not."""
        return self.colour in CARD_SUITS

    def __str__(self) -> str:
        if self.is_joker:
            return "*"
        if self.is_card:
            return f"{_RANK_NAMES.get(self.number, self.number)}{self.colour}"
        return f"{self.colour}{self.number}"


JOKER: Final = Face("", 0)


class Mark(Enum):
    """What a look at the table says where it sees no face; never a game value, and never a joker."""

    UNREAD = "?"
    FACE_DOWN = "#"

    def __str__(self) -> str:
        return self.value


Seen = Face | Mark
"""What a place on the table shows: a face, or a mark."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile in play: its face and, for a joker whose player has said so, the face it stands for.

    >>> str(Tile(Face("r", 7))), str(Tile(JOKER)), str(Tile(JOKER, Face("r", 7)))
    ('r7', '*', '*=r7')
    """

    face: Face
    stands_for: Face | None = None

    def __post_init__(self) -> None:
        if self.stands_for is None:
            return
        if not self.face.is_joker:
            raise ValueError(
                f"{self.face} cannot stand for {self.stands_for}: only a joker stands for another face"
            )
        if self.stands_for.is_joker:
            raise ValueError(
                "a joker cannot stand for a joker; name the tile it stands for, for example *=r7"
            )

    @property
    def is_joker(self) -> bool:
        """Whether the tile itself is a joker, whatever it stands for."""
        return self.face.is_joker

    @property
    def means(self) -> Face | None:
        """The face it counts as: its own, or the one a joker stands for; None for a joker that may be
        anything.
        """
        return self.stands_for if self.face.is_joker else self.face

    def __str__(self) -> str:
        return f"{self.face}={self.stands_for}" if self.stands_for is not None else str(self.face)


def face_order(face: Face) -> tuple[int, int]:
    """The sorting key people expect: red, yellow, blue, black (spades, hearts, diamonds, clubs), 1 to 13,
    jokers last.

    >>> [str(face) for face in sorted([JOKER, Face("b", 1), Face("r", 13)], key=face_order)]
    ['r13', 'b1', '*']
    """
    return _COLOUR_ORDER[face.colour], face.number
