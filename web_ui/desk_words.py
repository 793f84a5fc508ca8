"""Entries of a game, and what an arbiter asks for, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

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
        "close_table": gettext("Closing on the table"),
        "wall_empty": gettext("Wall used up"),
        "racks": gettext("Racks counted"),
        "rule": gettext("Penalty"),
        "void": gettext("Entry voided"),
        "amend": gettext("Entry amended"),
    }
    return words.get(kind, kind)


def name_of(game: Mapping[str, Any], seat: object) -> str:
    """Return the name of a seat."""
    names = {one["seat"]: str(one["name"]) for one in game["seats"]}
    return names.get(seat, str(seat))


def entry_words(entry: Mapping[str, Any], game: Mapping[str, Any]) -> str:
    """Return an entry in words: who did what, with the tiles in notation."""
    event = str(entry["event"])
    words = kind_words(event)
    if event in {"void", "amend"}:
        text = gettext("%(what)s: no. %(number)s", what=words, number=entry.get("target"))
        inner = entry.get("entry")
        if isinstance(inner, dict):
            text += " → " + entry_words(inner, game)
        return f"{text} ({entry['reason']})" if entry.get("reason") else text
    parts = []
    for key in ("tiles", "tile", "melds", "into", "what", "kind", "meld", "atu", "points", "reason"):
        value = entry.get(key)
        if value not in (None, "", []):
            parts.append(" | ".join(map(str, value)) if isinstance(value, list) else str(value))
    if entry.get("source") == "atu":
        parts.append(gettext("the atu"))
    if entry.get("from") is not None:
        parts.append(gettext("from place %(at)d", at=int(entry["from"]) + 1))
    if entry.get("closes"):
        parts.append(gettext("closes the game"))
    who = f"{name_of(game, entry['seat'])}: " if entry.get("seat") is not None else ""
    return f"{who}{words} {' · '.join(parts)}".strip()


def post_words(what: str, fields: Mapping[str, Any], game: Mapping[str, Any]) -> str:
    """Return what an arbiter asks for in words."""
    if what == "command":
        return gettext("Enter: %(entry)s", entry=entry_words(fields, game))
    if what == "rule":
        return gettext("Enter: %(entry)s", entry=entry_words({"event": "rule", **fields}, game))
    if what in {"void", "amend"}:
        return entry_words({"event": what, **fields}, game)
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
