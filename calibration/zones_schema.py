"""What the file of zones must hold, in pydantic's terms; imported on demand, since pydantic takes long to
import.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from calibration.zones import OVERHANG_MM, TABLE_LIMITS_MM, Kind, RackMode

Side = Annotated[float, Field(ge=TABLE_LIMITS_MM[0], le=TABLE_LIMITS_MM[1])]
Seat = Annotated[int, Field(ge=1, le=4)]
Point = tuple[float, float]


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class ZonePart(_Part):
    """One zone: a convex outline in millimetres of the table."""

    kind: Kind
    seat: Seat | None = None
    corners_mm: Annotated[tuple[Point, ...], Field(min_length=3, max_length=12)]

    @model_validator(mode="after")
    def _sound(self) -> ZonePart:
        if (self.kind in ("rack", "meld")) != (self.seat is not None):
            raise ValueError(f"a zone of kind {self.kind} {'has no' if self.seat else 'needs a'} seat")
        around = [*self.corners_mm, *self.corners_mm[:2]]
        turns = [
            (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
            for ((ax, ay), (bx, by)), (_, (cx, cy)) in pairwise(pairwise(around))
        ]
        if not (all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns)):
            raise ValueError("the corners must go round a convex outline")
        return self


class ZonesDocument(_Part):
    """The zones of a table; what is not named is as by default."""

    format: Literal["remi-zones/1"]
    table_mm: tuple[Side, Side]
    seats: Literal[2, 3, 4]
    racks: RackMode | dict[Literal["1", "2", "3", "4"], RackMode] = "read"
    zones: tuple[ZonePart, ...] = ()

    @model_validator(mode="after")
    def _of_this_table(self) -> ZonesDocument:
        if isinstance(self.racks, dict) and any(int(seat) > self.seats for seat in self.racks):
            raise ValueError(f"racks names a seat that a table with {self.seats} seats does not have")
        named = [(zone.kind, zone.seat) for zone in self.zones]
        if len(set(named)) < len(named):
            raise ValueError("zones names the same zone twice")
        for zone in self.zones:
            if zone.seat is not None and zone.seat > self.seats:
                raise ValueError(f"zones names seat {zone.seat}, but the table has {self.seats} seats")
            if any(
                abs(value) > side / 2 + OVERHANG_MM
                for corner in zone.corners_mm
                for value, side in zip(corner, self.table_mm, strict=True)
            ):
                raise ValueError(f"the zone {zone.kind} lies more than {OVERHANG_MM:g} mm off the table")
        return self
