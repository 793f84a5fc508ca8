"""Entries of a game, lines of a score and signs of a lamp in words, for every page, in its language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.notation import NotationError, parse_tiles
from web_ui.faces import face_view
from web_ui.languages import gettext, ngettext

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Entry = dict[str, Any]


def entry_words(entry: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return what an entry says: `event` and its fields, as a record or a public document has them.

    `names` are those of the seats. An event that is not known is named as it stands. What an entry leaves out
    of a rack is not said.
    """
    event = str(entry.get("event"))
    seat = entry.get("seat")
    known = isinstance(seat, int) and 0 <= seat < len(names)
    name = names[int(str(seat))] if known else gettext("The table")
    said = _WORDS.get(event)
    return said(entry, name, names) if said else f"{name}: {event}"


def tiles_words(text: object) -> str:
    """Return the tiles of a text as people say them; the text itself where it can't be read."""
    try:
        tiles = parse_tiles(str(text or ""))
    except NotationError:
        return str(text)
    said = []
    for tile in tiles:
        name = face_view(tile.face).name
        said.append(f"{name} ({face_view(tile.stands_for).name})" if tile.stands_for else name)
    return ", ".join(said)


def _deal(entry: Mapping[str, Any], _name: str, _names: Sequence[str]) -> str:
    if entry.get("atu"):
        return gettext("The tiles are dealt; the atu is %(tile)s.", tile=tiles_words(entry["atu"]))
    return gettext("The tiles are dealt.")


def _announce(entry: Mapping[str, Any], name: str, _names: Sequence[str]) -> str:
    what = str(entry.get("what"))
    texts = {
        "atu": gettext("%(name)s announces the atu.", name=name),
        "double": gettext("%(name)s announces a double.", name=name),
        "few": gettext("%(name)s announces few tiles.", name=name),
        "table_game": gettext("%(name)s announces a table game.", name=name),
        "spoil": gettext("%(name)s spoils the deal.", name=name),
    }
    return texts.get(what, f"{name}: {what}")


def _swap(entry: Mapping[str, Any], name: str, names: Sequence[str]) -> str:
    other = entry.get("with")
    if isinstance(other, int) and 0 <= other < len(names):
        return gettext("%(name)s and %(other)s swap doubles.", name=name, other=names[other])
    return gettext("%(name)s swaps a double.", name=name)


def _draw(entry: Mapping[str, Any], name: str, _names: Sequence[str]) -> str:
    if entry.get("source") == "atu":
        return gettext("%(name)s draws the atu.", name=name)
    if entry.get("tile"):
        return gettext("%(name)s draws %(tile)s from the wall.", name=name, tile=tiles_words(entry["tile"]))
    return gettext("%(name)s draws from the wall.", name=name)


def _take(entry: Mapping[str, Any], name: str, _names: Sequence[str]) -> str:
    tiles = tiles_words(entry.get("tiles"))
    if not tiles:
        return gettext("%(name)s takes from the row.", name=name)
    return gettext("%(name)s takes %(tiles)s from the row.", name=name, tiles=tiles)


def _meld(entry: Mapping[str, Any], name: str, _names: Sequence[str]) -> str:
    melds = entry.get("melds") or []
    tiles = "; ".join(tiles_words(one) for one in melds)
    many = ngettext("%(num)d meld", "%(num)d melds", len(melds))
    return gettext("%(name)s lays down %(many)s: %(tiles)s.", name=name, many=many, tiles=tiles)


def _lay_off(entry: Mapping[str, Any], name: str, _names: Sequence[str]) -> str:
    tiles, meld = tiles_words(entry.get("tiles")), entry.get("meld")
    if meld is None:
        return gettext("%(name)s lays off %(tiles)s.", name=name, tiles=tiles)
    return gettext("%(name)s lays off %(tiles)s at meld %(meld)s.", name=name, tiles=tiles, meld=meld)


def _reclaim(entry: Mapping[str, Any], name: str, _names: Sequence[str]) -> str:
    tiles, meld = tiles_words(entry.get("tiles")), entry.get("meld")
    if meld is None:
        return gettext("%(name)s puts %(tiles)s in and takes the joker.", name=name, tiles=tiles)
    return gettext(
        "%(name)s puts %(tiles)s into meld %(meld)s and takes its joker.", name=name, tiles=tiles, meld=meld
    )


def _discard(entry: Mapping[str, Any], name: str, _names: Sequence[str]) -> str:
    tile = tiles_words(entry.get("tile"))
    if entry.get("closes"):
        return gettext("%(name)s discards %(tile)s and closes.", name=name, tile=tile)
    return gettext("%(name)s discards %(tile)s.", name=name, tile=tile)


def _close(entry: Mapping[str, Any], name: str, _names: Sequence[str]) -> str:
    if entry.get("tile"):
        tile = tiles_words(entry["tile"])
        return gettext("%(name)s closes with a table game and discards %(tile)s.", name=name, tile=tile)
    return gettext("%(name)s closes with a table game.", name=name)


def _wall(_entry: Mapping[str, Any], _name: str, _names: Sequence[str]) -> str:
    return gettext("The wall is empty.")


def _racks(_entry: Mapping[str, Any], _name: str, _names: Sequence[str]) -> str:
    return gettext("The racks are counted.")


def _void(entry: Mapping[str, Any], _name: str, _names: Sequence[str]) -> str:
    said = gettext("Entry %(number)s is void.", number=entry.get("target"))
    return _with_reason(said, entry)


def _amend(entry: Mapping[str, Any], _name: str, names: Sequence[str]) -> str:
    inner = entry.get("entry")
    said = gettext("Entry %(number)s is corrected.", number=entry.get("target"))
    if isinstance(inner, dict) and inner.get("event") not in (None, "amend"):
        said = f"{said} {entry_words(inner, names)}"
    return _with_reason(said, entry)


def _rule(entry: Mapping[str, Any], name: str, _names: Sequence[str]) -> str:
    points = entry.get("points")
    if not isinstance(points, int):
        return _with_reason(gettext("The arbiter decides about %(name)s.", name=name), entry)
    if entry.get("replaces"):
        said = gettext(
            "The arbiter sets the game of %(name)s to %(points)s points.", name=name, points=signed(points)
        )
        return _with_reason(said, entry)
    said = gettext("The arbiter gives %(name)s %(points)s points.", name=name, points=signed(points))
    return _with_reason(said, entry)


def _with_reason(said: str, entry: Mapping[str, Any]) -> str:
    reason = entry.get("reason")
    return gettext("%(said)s Reason: %(reason)s", said=said, reason=reason) if reason else said


_WORDS = {
    "deal": _deal,
    "announce": _announce,
    "swap_doubles": _swap,
    "draw": _draw,
    "take": _take,
    "meld": _meld,
    "lay_off": _lay_off,
    "reclaim": _reclaim,
    "discard": _discard,
    "close_table": _close,
    "wall_empty": _wall,
    "racks": _racks,
    "void": _void,
    "amend": _amend,
    "rule": _rule,
}


def signed(points: int) -> str:
    """Return points with their sign, a true minus.

    >>> signed(5), signed(0), signed(-5)
    ('+5', '0', '−5')
    """
    return f"+{points}" if points > 0 else str(points).replace("-", "−")


def plain(points: float | str) -> str:
    """Return points, below zero with a true minus."""
    return str(points).replace("-", "−")


def line_words(what: str) -> str:
    """Return the name of a line of a score; a name that is not known as it stands."""
    texts = {
        "melded": gettext("Laid down"),
        "laid_off": gettext("Laid off"),
        "joker": gettext("Joker"),
        "replaced_joker": gettext("Tile in the joker's place"),
        "rack": gettext("Left on the rack"),
        "hand": gettext("Left in hand"),
        "others_hands": gettext("Hands of the others"),
        "never_opened": gettext("Never opened"),
        "table_game_failed": gettext("Table game failed"),
        "table_game": gettext("Table game"),
        "closing": gettext("Closing"),
        "closed_in_one_turn": gettext("Closed in one turn"),
        "atu": gettext("Atu"),
        "doubling": gettext("Doubling"),
        "fine": gettext("Fine"),
        "ruling": gettext("Arbiter's decision"),
    }
    return texts.get(what, what)


def sign_words(sign: str) -> str:
    """Return what a lamp says; nothing for one that is off."""
    texts = {
        "turn": gettext("On turn"),
        "hurry": gettext("Hurry"),
        "illegal": gettext("Not allowed"),
        "doubt": gettext("Question"),
        "pause": gettext("Pause"),
        "winner": gettext("Won"),
        "call": gettext("Calls the arbiter"),
    }
    return texts.get(sign, "")


def place_words(part: str) -> str:
    """Return the name of a part of the companion; one that is not known as it stands."""
    texts = {"camera": gettext("Camera"), "board": gettext("Board"), "page": gettext("Page")}
    return texts.get(part, part)


def actor_words(actor: object) -> str:
    """Return who wrote an entry; nothing where that is not known."""
    texts = {
        "camera": gettext("camera"),
        "button": gettext("button"),
        "arbiter": gettext("arbiter"),
        "player": gettext("player"),
        "import": gettext("imported"),
    }
    return texts.get(str(actor), "")
