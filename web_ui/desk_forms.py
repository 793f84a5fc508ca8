"""The forms of the desk: which fields each kind of entry has, and what was filled in as fields of a post."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from engine.entries import ANNOUNCEMENTS
from web_ui.languages import gettext

if TYPE_CHECKING:
    from collections.abc import Mapping

KINDS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "draw": (("seat", "seat"), ("source", "source")),
    "take": (("seat", "seat"), ("from", "row"), ("tiles", "tiles?")),
    "meld": (("seat", "seat"), ("melds", "lines")),
    "lay_off": (("seat", "seat"), ("meld", "meld"), ("tiles", "tiles"), ("end", "end?")),
    "reclaim": (("seat", "seat"), ("meld", "meld"), ("tiles", "tiles"), ("into", "tiles?")),
    "discard": (("seat", "seat"), ("tile", "tiles"), ("closes", "flag?")),
    "announce": (("seat", "seat"), ("what", "announcement"), ("kind", "word?")),
    "deal": (("hands", "hands"), ("atu", "tiles?")),
    "close_table": (("seat", "seat"), ("kind", "word"), ("melds", "lines"), ("tile", "tiles")),
    "wall_empty": (),
    "racks": (("racks", "racks"),),
    "rule": (("seat", "seat"), ("points", "whole"), ("reason", "word?"), ("replaces", "flag?")),
}
"""Name and type of each field of an entry; a type with ? may be left empty."""

HIDDEN: Final = frozenset({"hands", "racks"})
"""Types that say what is on racks: left empty in an amendment, that stays as it was."""

SIMPLE: Final = frozenset(
    {"undo", "count", "calls_done", "next_deal", "end_match", "new_match", "pause", "resume"}
)
"""Posts without fields."""


class FormError(ValueError):
    """A field that was filled in wrongly; the message says which, in the visitor's language."""


@dataclass(frozen=True)
class Input:
    """A field as a template draws it; `value` is what stands in it."""

    name: str
    kind: str
    label: str
    value: str
    optional: bool
    choices: tuple[tuple[str, str], ...] = ()


def inputs(kind: str, game: Mapping[str, Any], entry: Mapping[str, Any] | None = None) -> tuple[Input, ...]:
    """Return the fields of a form for a kind of entry, filled with those of an entry to amend."""
    found: list[Input] = []
    for name, said in KINDS[kind]:
        typed, optional = said.removesuffix("?"), said.endswith("?")
        if typed in HIDDEN:
            if entry is not None:
                continue
            for one in game["seats"]:
                label = f"{field_words(name)}: {one['name']}"
                found.append(Input(f"e-{name}-{one['seat']}", typed, label, "", optional=True))
            continue
        value = _default(typed, game) if entry is None else _filled(entry.get(name), typed)
        found.append(
            Input(f"e-{name}", typed, field_words(name), value, optional, _choices(typed, game, optional))
        )
    return tuple(found)


def command_fields(
    kind: str, form: Mapping[str, str], game: Mapping[str, Any], *, amends: bool = False
) -> dict[str, Any]:
    """Return the entry that was filled in; raises FormError."""
    if kind not in KINDS:
        raise FormError(gettext("There is no such kind of entry."))
    entry: dict[str, Any] = {"event": kind}
    for name, said in KINDS[kind]:
        typed, optional = said.removesuffix("?"), said.endswith("?")
        if typed in HIDDEN:
            if not amends:
                entry[name] = _by_seat(name, typed, form, game)
            continue
        text = form.get(f"e-{name}", "").strip()
        if not text:
            if typed == "flag" or optional:
                continue
            raise FormError(gettext("%(field)s is missing.", field=field_words(name)))
        entry[name] = _value(name, typed, text)
    return entry


def post_fields(what: str, form: Mapping[str, str], game: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a post as they were filled in; raises FormError."""
    if what in SIMPLE:
        dealer = form.get("dealer", "")
        return {"dealer": whole("dealer", dealer)} if what == "next_deal" and dealer else {}
    reason = form.get("reason", "").strip()
    match what:
        case "command":
            return command_fields(form.get("kind_of_entry", ""), form, game)
        case "rule":
            entry = command_fields("rule", form, game)
            del entry["event"]
            return entry
        case "void":
            return {"target": whole("target", form.get("target", "")), "reason": reason, **_of_game(form)}
        case "amend":
            entry = command_fields(form.get("kind_of_entry", ""), form, game, amends=True)
            said = {"target": whole("target", form.get("target", "")), "entry": entry, **_of_game(form)}
            return {**said, "reason": form.get("why", "").strip(), "keep_racks": True}
        case "retile":
            face = form.get("face") or f"{form.get('colour', '')}{form.get('number', '')}"
            if not face:
                raise FormError(gettext("Choose a number, then a colour."))
            place: dict[str, Any] = {"at": whole("at", form.get("at", "")), "face": face, "reason": reason}
            return {**place, "meld": form["meld"]} if form.get("meld") else place
        case "rename":
            return {"seat": whole("seat", form.get("seat", "")), "name": form.get("name", "")}
        case "press":
            return {"seat": whole("seat", form.get("seat", ""))}
        case "ignore":
            return {"keys": [whole("key", form.get("key", ""))]}
        case "answer":
            choice = form.get("choice", "")
            number = whole("number", form.get("number", ""))
            return {"number": number, "choice": whole("choice", choice) if choice else None}
        case _:
            raise FormError(gettext("There is no such kind of entry."))


def _of_game(form: Mapping[str, str]) -> dict[str, int]:
    """The number of the game that is corrected, where it is an earlier one."""
    return {"game": whole("game", form["game"])} if form.get("game") else {}


def as_text(fields: Mapping[str, Any]) -> str:
    """Return the fields of a post as a form carries them from the question to the answer."""
    return json.dumps(fields, ensure_ascii=False)


def from_text(text: str) -> dict[str, Any]:
    """Return them again; raises FormError."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        raise FormError(gettext("There is no such kind of entry."))
    return found


def field_words(name: str) -> str:
    """Return the words for a field."""
    words = {
        "seat": gettext("Who"),
        "source": gettext("From where"),
        "from": gettext("First tile taken"),
        "tiles": gettext("Tiles"),
        "tile": gettext("Tile"),
        "melds": gettext("Melds, one a line"),
        "meld": gettext("Meld"),
        "end": gettext("End"),
        "into": gettext("New meld with the joker"),
        "closes": gettext("Closes the game"),
        "what": gettext("What"),
        "kind": gettext("Kind"),
        "hands": gettext("Tiles dealt"),
        "atu": gettext("Atu"),
        "racks": gettext("Rack"),
        "points": gettext("Points"),
        "reason": gettext("Reason"),
        "replaces": gettext("Instead of the points of the game"),
    }
    return words.get(name, name)


def whole(name: str, text: str) -> int:
    """Return a whole number; raises FormError."""
    try:
        return int(text.strip())
    except ValueError:
        raise FormError(gettext("%(field)s must be a whole number.", field=field_words(name))) from None


def _by_seat(name: str, typed: str, form: Mapping[str, str], game: Mapping[str, Any]) -> Any:
    said = {one["seat"]: form.get(f"e-{name}-{one['seat']}", "").strip() for one in game["seats"]}
    if typed == "racks":
        return {str(seat): text for seat, text in said.items() if text}
    return [int(text) if text.isdecimal() else text for text in said.values()]


def _value(name: str, typed: str, text: str) -> Any:
    if typed in {"seat", "row", "whole"}:
        return whole(name, text)
    if typed == "lines":
        return [line.strip() for line in text.splitlines() if line.strip()]
    return True if typed == "flag" else text


def _default(typed: str, game: Mapping[str, Any]) -> str:
    return str(game["turn"]) if typed == "seat" and game["turn"] is not None else ""


def _filled(value: object, typed: str) -> str:
    if value is None or value is False:
        return ""
    if isinstance(value, list):
        return "\n".join(map(str, value))
    return "1" if typed == "flag" else str(value)


def _choices(typed: str, game: Mapping[str, Any], optional: bool) -> tuple[tuple[str, str], ...]:
    found: dict[str, tuple[tuple[str, str], ...]] = {
        "seat": tuple((str(one["seat"]), str(one["name"])) for one in game["seats"]),
        "source": (("wall", gettext("Wall")), ("atu", gettext("Atu"))),
        "end": (("low", gettext("low end")), ("high", gettext("high end"))),
        "meld": tuple((str(one["id"]), f"{one['id']}: {one['tiles']}") for one in game["melds"]),
        "row": tuple((str(at), f"{at + 1}: {face}") for at, face in enumerate(game["row"])),
        "announcement": tuple((word, announcement_words(word)) for word in ANNOUNCEMENTS),
    }
    choices = found.get(typed, ())
    return (("", "–"), *choices) if choices and optional else choices


def announcement_words(word: str) -> str:
    """Return the words for an announcement."""
    words = {
        "atu": gettext("Atu"),
        "double": gettext("a double"),
        "few": gettext("few tiles"),
        "table_game": gettext("table game"),
        "spoil": gettext("spoils the deal"),
    }
    return words.get(word, word)
