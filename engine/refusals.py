"""Why a command is refused: every code with its clause of RULES.md and what to do, in two languages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.breaches import BREACHES
from engine.notation import format_tiles
from engine.reasons import Reason
from engine.tiles import Face, Tile

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, slots=True)
class Refusal:
    """The answer to a command that the rules or the tiles do not allow: all that is against it."""

    reasons: tuple[Reason, ...]


_IMPOSSIBLE: Final[dict[str, tuple[str, str, str]]] = {
    # code: clause, English, Romanian
    "no_deal": (
        "deal",
        "the tiles have not been dealt; record the deal first",
        "piesele nu au fost împărțite; notați întâi împărțirea",
    ),
    "game_over": (
        "close",
        "the game is over; nothing more is played in it",
        "jocul s-a terminat; nu se mai joacă nimic în el",
    ),
    "wrong_hands": (
        "players",
        "the deal has {given} hands for {seats} players",
        "împărțirea are {given} mâini pentru {seats} jucători",
    ),
    "more_than_the_set": (
        "set",
        "more of {tiles} than the set has; look again at what lies there",
        "mai multe {tiles} decât are setul; mai priviți o dată piesele",
    ),
    "more_than_the_wall": (
        "deal",
        "more tiles dealt than there are",
        "s-au împărțit mai multe piese decât sunt",
    ),
    "tile_not_there": (
        "tiles on the rack after a turn",
        "{tiles} cannot be on this rack",
        "pe această tablă nu pot fi {tiles}",
    ),
    "no_such_meld": ("lay off", "there is no meld {meld} on the table", "pe masă nu există formația {meld}"),
    "no_joker_there": (
        "reclaim a joker",
        "no joker lies there in {meld}",
        "în {meld} nu este niciun joly acolo",
    ),
    "no_tiles": ("lay off", "no tile is named; say which tiles", "nu este numită nicio piesă; spuneți care"),
    "no_such_place": (
        "break the row",
        "the row has no place {place}; it has {length} tiles from 0 on",
        "șirul nu are locul {place}; are {length} piese, de la 0",
    ),
    "row_differs": (
        "break the row",
        "from place {place} on the row shows {row}, not {tiles}",
        "de la locul {place} șirul arată {row}, nu {tiles}",
    ),
    "nothing_to_draw": ("wall left", "no tile is left to draw", "nu mai este nicio piesă de tras"),
    "atu_not_there": ("drawing order", "no atu lies there to be taken", "nu este niciun atu de luat"),
    "wall_not_empty": ("wall empty", "{left} tiles can still be drawn", "se mai pot trage {left} piese"),
    "no_double_there": (
        "doubles",
        "a double goes between two players, and both must hold one",
        "dubla se schimbă între doi jucători, iar fiecare trebuie să aibă una",
    ),
    "no_such_entry": (
        "record",
        "there is no earlier entry {target} to correct",
        "nu există o înregistrare anterioară {target} de corectat",
    ),
    "no_such_seat": ("players", "there is no seat {seat}", "nu există locul {seat}"),
}

IMPOSSIBLE: Final = frozenset(_IMPOSSIBLE)
"""The codes of what cannot have happened: in a record such an entry has no effect."""

GAME_CODES: Final = frozenset({*_IMPOSSIBLE, *BREACHES})
"""Every code of a refused command besides those of a meld (`engine.meld_reasons`)."""


def refuse(code: str, tiles: Iterable[Tile | Face] = (), **values: object) -> Reason:
    """The reason of that code; `values` fill its text, and so do the tiles it is about.

    >>> refuse("rack_too_full", left=15, most=14).hint_en
    '15 tiles stay on the rack; 14 at most'
    """
    clause, english, romanian = _IMPOSSIBLE.get(code) or BREACHES[code]
    about = tuple(Tile(tile) if isinstance(tile, Face) else tile for tile in tiles)
    filled: dict[str, object] = {"tiles": format_tiles(about), **values}
    return Reason(code, clause.format(**filled), english.format(**filled), romanian.format(**filled), about)
