"""Readings of a table as JSON and as lines for people, in the words of docs/formats.md."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.table_reading import Lying, TableReading


def table_document(reading: TableReading) -> dict[str, Any]:
    """A reading as the JSON of `remi watch`."""
    return {
        "number": reading.number,
        "at": round(reading.at, 3),
        "melds": [
            {
                "key": meld.key,
                "seat": meld.seat,
                "tiles": [_tile(tile) for tile in meld.tiles],
                "towers": [{"on": on, "tile": _tile(tile)} for on, tile in meld.towers],
            }
            for meld in reading.melds
        ],
        "row": [_tile(tile) for tile in reading.row],
        "reversed_first": reading.reversed_first,
        "wall": [_tile(stack.top) for stack in reading.wall],
        "atu": None if reading.atu is None else _tile(reading.atu),
        "racks": {
            str(seat): [[_tile(tile) for tile in tier] for tier in tiers]
            for seat, tiers in sorted(reading.racks.items())
        },
        "repairs": [
            {
                "key": repair.key,
                "was": str(repair.was),
                "now": str(repair.now),
                "odds": repair.odds if math.isfinite(repair.odds) else None,
                "code": repair.code,
                "clause": repair.clause,
                "why": repair.hint_en,
                "why_ro": repair.hint_ro,
            }
            for repair in reading.repairs
        ],
        "problems": [
            {
                "code": problem.code,
                "keys": list(problem.keys),
                "hint": problem.hint_en,
                "hint_ro": problem.hint_ro,
            }
            for problem in reading.problems
        ],
        "unseen": list(reading.unseen),
    }


def table_line(reading: TableReading, *, romanian: bool) -> str:
    """A reading in one line; tiles in doubt have a question mark after them."""
    words = _ROMANIAN if romanian else _ENGLISH
    parts = []
    if reading.melds:
        parts.append(f"{words['melds']} {' | '.join(_faces(meld.tiles) for meld in reading.melds)}")
    if reading.row:
        parts.append(f"{words['row']} {_faces(reading.row)}")
    if reading.wall:
        parts.append(f"{words['wall']} {len(reading.wall)}")
    if reading.atu is not None:
        parts.append(f"{words['atu']} {_faces([reading.atu])}")
    for seat, tiers in sorted(reading.racks.items()):
        parts.append(f"{words['rack']} {seat} {' / '.join(_faces(tier) for tier in tiers)}")
    if reading.unseen:
        parts.append(f"{words['unseen']} {', '.join(reading.unseen)}")
    return f"{reading.number}: {'; '.join(parts) or words['nothing']}"


_ENGLISH = {
    "melds": "melds",
    "row": "discard row",
    "wall": "stacks of the wall",
    "atu": "atu",
    "rack": "rack",
    "unseen": "not seen:",
    "nothing": "nothing lies on the table",
}
_ROMANIAN = {
    "melds": "formații",
    "row": "șir",
    "wall": "stive în zid",
    "atu": "atu",
    "rack": "tablă",
    "unseen": "nu se văd:",
    "nothing": "pe masă nu este nimic",
}


def _tile(tile: Lying) -> dict[str, Any]:
    return {
        "key": tile.key,
        "face": str(tile.face),
        "confidence": round(tile.confidence, 4),
        "place": [round(value, 1) for value in tile.place],
        "angle": round(tile.angle, 3),
        "quad": [[round(x, 1), round(y, 1)] for x, y in tile.quad],
        "alternatives": [
            {"face": str(other.face), "confidence": round(other.confidence, 6)} for other in tile.alternatives
        ],
        "doubtful": tile.doubtful,
    }


def _faces(tiles: Iterable[Lying]) -> str:
    return " ".join(f"{tile.face}{'?' if tile.doubtful and str(tile.face) != '?' else ''}" for tile in tiles)
