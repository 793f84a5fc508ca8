"""Faces as people read them: a label, the mark of the colour, and the name in the visitor's language."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.notation import format_seen
from engine.tiles import TILE_COLOURS, Face, Mark
from web_ui.languages import gettext, pgettext

if TYPE_CHECKING:
    from engine.tiles import Seen

_RANKS = {1: "A", 11: "J", 12: "Q", 13: "K"}


@dataclass(frozen=True)
class FaceView:
    """A face or mark for a template: `slot` names its ink and mark, `text` is its notation."""

    text: str
    slot: str  # r y b k, S H D C, joker, unread or down
    label: str
    name: str


@dataclass(frozen=True)
class ColourView:
    """A colour of the tiles to choose."""

    slot: str
    name: str


def colour_name(colour: str) -> str:
    """Return the name of a colour slot or suit."""
    names = {
        "r": pgettext("tile colour", "red"),
        "y": pgettext("tile colour", "yellow"),
        "b": pgettext("tile colour", "blue"),
        "k": pgettext("tile colour", "black"),
        "S": pgettext("suit", "spades"),
        "H": pgettext("suit", "hearts"),
        "D": pgettext("suit", "diamonds"),
        "C": pgettext("suit", "clubs"),
    }
    return names[colour]


def colours() -> tuple[ColourView, ...]:
    """Return the four colours of tiles, in the order people expect."""
    return tuple(ColourView(colour, colour_name(colour)) for colour in TILE_COLOURS)


def number_label(number: int, *, card: bool = False) -> str:
    """Return what is printed on a tile or card of that number."""
    return _RANKS.get(number, str(number)) if card else str(number)


def face_view(seen: Seen) -> FaceView:
    """Return the face or mark as a template shows it."""
    text = format_seen(seen)
    if seen is Mark.UNREAD:
        return FaceView(text, "unread", "", gettext("not read"))
    if seen is Mark.FACE_DOWN:
        return FaceView(text, "down", "", gettext("face down"))
    if not isinstance(seen, Face):
        raise TypeError(f"{seen!r} is neither a face nor a mark")
    if seen.is_joker:
        return FaceView(text, "joker", "", gettext("joker"))
    label = number_label(seen.number, card=seen.is_card)
    return FaceView(text, seen.colour, label, f"{label} {colour_name(seen.colour)}")
