"""Entries of a record in words, in the visitor's language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from web_ui.languages import gettext, ngettext

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def entry_words(event: str, fields: Mapping[str, Any], names: Sequence[str]) -> str:  # noqa: PLR0912
    """Return what an entry says happened; tiles stand in their notation."""
    seat = fields.get("seat")
    who = names[seat] if isinstance(seat, int) and 0 <= seat < len(names) else ""
    tiles = str(fields.get("tiles") or "")
    match event:
        case "deal":
            atu = fields.get("atu")
            if atu:
                return gettext("The tiles are dealt; the atu is %(tile)s.", tile=atu)
            return gettext("The tiles are dealt.")
        case "announce":
            return gettext("%(who)s announces: %(what)s.", who=who, what=_announced(str(fields.get("what"))))
        case "swap_doubles":
            other = fields.get("with")
            partner = names[other] if isinstance(other, int) and 0 <= other < len(names) else ""
            return gettext("%(who)s swaps a double with %(other)s.", who=who, other=partner)
        case "draw" if fields.get("source") == "atu":
            return gettext("%(who)s takes up the atu.", who=who)
        case "draw" if fields.get("tile"):
            return gettext("%(who)s draws %(tile)s.", who=who, tile=fields["tile"])
        case "draw":
            return gettext("%(who)s draws a tile.", who=who)
        case "take" if tiles:
            return gettext("%(who)s takes %(tiles)s from the discard row.", who=who, tiles=tiles)
        case "take":
            return gettext("%(who)s takes from the discard row.", who=who)
        case "meld":
            melds = " | ".join(map(str, fields.get("melds") or ()))
            return gettext("%(who)s melds %(tiles)s.", who=who, tiles=melds)
        case "lay_off":
            meld = fields.get("meld")
            return gettext("%(who)s lays %(tiles)s onto meld %(meld)s.", who=who, tiles=tiles, meld=meld)
        case "reclaim":
            meld = fields.get("meld")
            return gettext(
                "%(who)s frees a joker of meld %(meld)s with %(tiles)s.", who=who, meld=meld, tiles=tiles
            )
        case "discard" if fields.get("closes"):
            return gettext("%(who)s closes with %(tile)s.", who=who, tile=fields.get("tile"))
        case "discard":
            return gettext("%(who)s discards %(tile)s.", who=who, tile=fields.get("tile"))
        case "close_table":
            return gettext("%(who)s closes on the rack with %(tile)s.", who=who, tile=fields.get("tile"))
        case "wall_empty":
            return gettext("The wall is empty.")
        case "racks":
            return gettext("The racks are counted.")
        case "void":
            return gettext("Entry %(number)s did not happen.", number=fields.get("target"))
        case "amend":
            said = fields.get("entry") or {}
            instead = entry_words(str(said.get("event")), said, names)
            return gettext("Entry %(number)s instead: %(what)s", number=fields.get("target"), what=instead)
        case "rule":
            points = fields.get("points")
            words = gettext("The arbiter decides for %(who)s: %(points)s", who=who, points=points)
            return f"{words} ({fields['reason']})" if fields.get("reason") else words
        case _:
            return event


def _announced(what: str) -> str:
    words = {
        "atu": gettext("the atu"),
        "double": gettext("a double"),
        "few": gettext("few tiles left"),
        "table_game": gettext("a game on the rack"),
        "spoil": gettext("spoils the deal"),
    }
    return words.get(what, what)


def actor_words(actor: str | None) -> str:
    """Return who wrote an entry."""
    words = {
        "camera": gettext("camera"),
        "button": gettext("button"),
        "arbiter": gettext("arbiter"),
        "player": gettext("player"),
        "import": gettext("imported"),
    }
    return words.get(actor or "", "")


def games_words(count: int) -> str:
    """Return a number of games."""
    return ngettext("%(num)d game", "%(num)d games", count)
