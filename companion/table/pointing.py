"""Where the tiles lie that a question or a difference is about; nothing of a rack while a game is on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.table_reading import Lying, TableReading


def _lying(reading: TableReading) -> Iterator[tuple[str, Lying]]:
    for tile in reading.row:
        yield "discard", tile
    for meld in reading.melds:
        for tile in (*meld.tiles, *(tower for _, tower in meld.towers)):
            yield f"meld {meld.seat}", tile
    for stack in reading.wall:
        yield "wall", stack.top
    if reading.atu is not None:
        yield "atu", reading.atu
    for seat, tiers in reading.racks.items():
        for tile in (tile for tier in tiers for tile in tier):
            yield f"rack {seat}", tile


def on_racks(reading: TableReading | None) -> frozenset[int]:
    """The keys of the tiles that are seen on racks."""
    if reading is None:
        return frozenset()
    return frozenset(tile.key for zone, tile in _lying(reading) if zone.startswith("rack"))


def pointed(reading: TableReading | None, keys: Iterable[int]) -> list[dict[str, Any]]:
    """Those of some tiles that the last look saw: key, zone, and corners in the picture in pixels."""
    if reading is None:
        return []
    wanted = set(keys)
    return [
        {
            "key": tile.key,
            "zone": zone,
            "outline": [[round(float(x), 1), round(float(y), 1)] for x, y in tile.quad],
        }
        for zone, tile in _lying(reading)
        if tile.key in wanted
    ]
