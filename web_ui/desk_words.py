"""Kinds of entries, and what an arbiter asks for, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from web_ui.board_words import entry_words
from web_ui.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Mapping


def kind_words(kind: str) -> str:
    """Return the words for a kind of entry."""
    words = {
        "deal": gettext("Deal"),
        "announce": gettext("Announcement"),
        "swap_doubles": gettext("Swap of doubles"),
        "draw": gettext("Draw"),
        "take": gettext("Take from the row"),
        "meld": gettext("Meld"),
        "lay_off": gettext("Lay off"),
        "reclaim": gettext("Joker taken back"),
        "discard": gettext("Discard"),
        "close_table": gettext("Closing with a table game"),
        "wall_empty": gettext("Wall used up"),
        "racks": gettext("Racks counted"),
        "rule": gettext("Arbiter's decision"),
        "void": gettext("Void entry"),
        "amend": gettext("Corrected entry"),
    }
    return words.get(kind, kind)


def name_of(game: Mapping[str, Any], seat: object) -> str:
    """Return the name of a seat."""
    names = {one["seat"]: str(one["name"]) for one in game["seats"]}
    return names.get(seat, str(seat))


def names_of(game: Mapping[str, Any]) -> list[str]:
    """Return the names by seat."""
    return [name_of(game, seat) for seat in range(len(game["seats"]))]


def post_words(what: str, fields: Mapping[str, Any], game: Mapping[str, Any]) -> str:
    """Return what an arbiter asks for in words."""
    if what == "command":
        return gettext("Enter: %(entry)s", entry=entry_words(fields, names_of(game)))
    if what == "rule":
        return gettext("Enter: %(entry)s", entry=entry_words({"event": "rule", **fields}, names_of(game)))
    if what in {"void", "amend"}:
        said = entry_words({"event": what, **fields}, names_of(game))
        number = fields.get("game")
        return said if number is None else f"{gettext('Game %(number)s', number=number)}: {said}"
    if what == "retile":
        return gettext("This tile is %(face)s", face=str(fields.get("face")))
    if what == "rename":
        return gettext(
            "%(old)s is called %(new)s", old=name_of(game, fields.get("seat")), new=str(fields.get("name"))
        )
    words = {
        "undo": gettext("Undo what was entered last"),
        "press": gettext("End the turn"),
        "count": gettext("Count the racks: the game is put down"),
        "calls_done": gettext("Calls are answered"),
        "next_deal": gettext("Next deal"),
        "end_match": gettext("End the match"),
        "new_match": gettext("New match"),
        "pause": gettext("Pause"),
        "resume": gettext("Go on"),
        "ignore": gettext("Not a tile"),
        "answer": gettext("Answer"),
    }
    return words.get(what, what)
