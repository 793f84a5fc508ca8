"""What everyone may see of a reading of the table: all but the racks, and nothing that tells of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.table_reading import TableReading


def public_reading(reading: TableReading) -> TableReading:
    """The reading without racks, and without the problems and repairs that speak of a tile on one.

    Too many of a face, or a tile that must be another one, would tell which faces a rack holds.
    """
    held = {tile.key for tiers in reading.racks.values() for tier in tiers for tile in tier}
    return replace(
        reading,
        racks={},
        problems=tuple(problem for problem in reading.problems if held.isdisjoint(problem.keys)),
        repairs=tuple(
            repair for repair in reading.repairs if repair.key not in held and held.isdisjoint(repair.meld)
        ),
    )
