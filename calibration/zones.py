"""The parts of a table in millimetres: racks and meld areas of the seats, discard row, wall, atu.

+--------------------------+      far side: seat 2 of two, 3 of three and four
|  card   rack 3     card  |
|        melds 3           |      the sides turn counter-clockwise from seat 1 at the near side,
| r   +---------------+  r |      seat 2 is at the right where three or four play
| a   | wall  discard |  a |
| c 4 | atu   row     | 2c |      what lies where its kind does not belong is put right later, by sense;
| k   +---------------+  k |      here every place is in exactly one zone
|        melds 1           |
|  card   rack 1     card  |
+--------------------------+
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Kind = Literal["rack", "meld", "discard", "wall", "atu"]
RackMode = Literal["read", "at_end", "never"]
Point = tuple[float, float]

KINDS: Final[tuple[Kind, ...]] = ("rack", "meld", "discard", "wall", "atu")
RACK_MODES: Final[tuple[RackMode, ...]] = ("read", "at_end", "never")

RACK_DEEP_MM: Final = 130.0
"""From the table's edge: a rack of two tiers and the room in front of it for the hand that pushes it."""

MIDDLE_MM: Final = (400.0, 240.0)
"""The default middle: room for 15 tiles in a row beside the wall, while 120 mm are left for melds at 80
cm.
"""

OVERHANG_MM: Final = 60.0
"""By so much a rack's tiles may seem to lie outside the table: they stand higher than its top."""

_EDGE_MM: Final = 1.0
_SLIVER_MM2: Final = 1.0

TABLE_LIMITS_MM: Final = (600.0, 1600.0)

_SIDES: Final[Mapping[int, tuple[int, ...]]] = {2: (0, 2), 3: (0, 1, 2), 4: (0, 1, 2, 3)}
_OUTWARD: Final = ((0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0))  # near, right, far, left


@dataclass(frozen=True, slots=True)
class Zone:
    """A convex part of the table: `corners` (x, y) in mm, either way round; `seat` 1 to 4 of racks and
    melds.
    """

    kind: Kind
    seat: int | None
    corners: tuple[Point, ...]

    @property
    def name(self) -> str:
        """As readings name it: its kind, and the seat of racks and melds."""
        return self.kind if self.seat is None else f"{self.kind} {self.seat}"

    @property
    def outline(self) -> Floats:
        """(n, 2) corners in millimetres."""
        return np.asarray(self.corners, np.float64)

    @property
    def middle(self) -> Floats:
        """(2,): the mean of the corners."""
        mean: Floats = self.outline.mean(axis=0)
        return mean

    def outside_mm(self, points: ArrayLike) -> Floats:
        """How far points (..., 2) lie outside: (...,) in mm, 0 on the edge, negative inside."""
        corners, outward = self.outline, self._outward()
        off = ((np.asarray(points, np.float64)[..., None, :] - corners) * outward).sum(axis=-1)
        furthest: Floats = off.max(axis=-1)
        return furthest

    def edges(self) -> list[tuple[Floats, float]]:
        """Each edge as its outward normal (2,) of length 1 and its distance from (0, 0) along it, in mm."""
        outward = self._outward()
        return list(zip(outward, (self.outline * outward).sum(axis=1).tolist(), strict=True))

    def _outward(self) -> Floats:
        """(n, 2): the outward normal of each edge."""
        corners = self.outline
        ahead = np.roll(corners, -1, axis=0) - corners
        outward = np.stack([ahead[:, 1], -ahead[:, 0]], axis=1)
        if ((self.middle - corners) * outward).sum() > 0:  # the corners go round clockwise
            outward = -outward
        outward /= np.linalg.norm(outward, axis=1, keepdims=True)
        normals: Floats = outward
        return normals


@dataclass(frozen=True, slots=True)
class Zones:
    """The zones of a table of `table_mm` with `seats` players, and how each seat's rack is used.

    Where zones overlap, the one that comes first counts.
    """

    table_mm: tuple[float, float]
    seats: int
    zones: tuple[Zone, ...]
    racks: Mapping[int, RackMode]

    def at(self, point: ArrayLike) -> Zone:
        """The one zone that a place (x, y) in millimetres is in; the nearest for a place that is in none."""
        return self.each_at(np.asarray(point, np.float64)[None])[0]

    def each_at(self, points: ArrayLike) -> list[Zone]:
        """The same for many places (n, 2) at once."""
        places = np.asarray(points, np.float64).reshape(-1, 2)
        outside = np.stack([zone.outside_mm(places) for zone in self.zones])  # (zones, n)
        inside = outside <= 0
        chosen = np.where(inside.any(axis=0), inside.argmax(axis=0), outside.argmin(axis=0))
        return [self.zones[int(number)] for number in chosen]

    def of_quad(self, quad: ArrayLike) -> Zone:
        """The zone of a tile by the middle of its corners (4, 2) in millimetres."""
        return self.at(np.asarray(quad, np.float64).mean(axis=0))

    def seat_at(self, point: ArrayLike) -> int:
        """The seat in front of which a place lies: that whose side of the table is nearest."""
        away = [side_distance(self.table_mm, side, point) for side in _SIDES[self.seats]]
        return int(np.argmin(away)) + 1

    def find(self, kind: Kind, seat: int | None = None) -> Zone | None:
        """The zone of a kind, for racks and melds of a seat; None where there is none."""
        return next((zone for zone in self.zones if (zone.kind, zone.seat) == (kind, seat)), None)

    def hidden(self, *, ended: bool) -> tuple[Zone, ...]:
        """The racks that must not be looked at now: those never read, and those read at the end until
        then.
        """
        return tuple(
            zone
            for zone in self.zones
            if zone.kind == "rack" and zone.seat is not None and hides(self.racks[zone.seat], ended=ended)
        )

    def with_racks(self, mode: RackMode, *, seats: Iterable[int] | None = None) -> Zones:
        """The same zones with the racks of some seats, or of all, used in another way."""
        changed = set(seats if seats is not None else self.racks)
        return replace(
            self, racks={seat: mode if seat in changed else before for seat, before in self.racks.items()}
        )


def hides(mode: RackMode, *, ended: bool) -> bool:
    """Whether a rack used in this way is out of bounds, before and after the game has `ended`."""
    return mode == "never" or (mode == "at_end" and not ended)


def side_distance(table_mm: tuple[float, float], side: int, point: ArrayLike) -> float:
    """How far a place lies inside from a side of the table (0 near, 1 right, 2 far, 3 left), in mm."""
    half = table_mm[1] / 2 if side % 2 == 0 else table_mm[0] / 2
    return float(half - np.asarray(point, np.float64) @ np.asarray(_OUTWARD[side]))


def outward(seats: int, seat: int) -> Point:
    """The direction (x, y) from the middle of the table to a seat."""
    return _OUTWARD[_SIDES[seats][seat - 1]]


def default_zones(table_mm: tuple[float, float], seats: int) -> Zones:
    """The zones that fit most tables without touching anything; ValueError for other than 2, 3 or 4 seats."""
    if seats not in _SIDES:
        raise ValueError(f"a table has 2, 3 or 4 seats, not {seats}")
    low, high = TABLE_LIMITS_MM
    if not all(low <= side <= high for side in table_mm):
        raise ValueError(f"a table's sides are {low:g} to {high:g} mm, not {table_mm[0]:g} x {table_mm[1]:g}")
    sides = _SIDES[seats]
    racks = [Zone("rack", seat, _rack(table_mm, side)) for seat, side in enumerate(sides, 1)]
    melds = [Zone("meld", seat, _in_front(table_mm, side, sides)) for seat, side in enumerate(sides, 1)]
    every = (*racks, *_middle(table_mm), *melds)
    return Zones(table_mm, seats, every, dict.fromkeys(range(1, seats + 1), "read"))


def all_racks(zones: Zones) -> tuple[Zone, ...]:
    """What must be covered for everybody: the racks, however they are used, and `spare_racks`."""
    return (*(zone for zone in zones.zones if zone.kind == "rack"), *spare_racks(zones))


def spare_racks(zones: Zones) -> tuple[Zone, ...]:
    """The parts of the usual places of racks, on all four sides, that are in no zone, as racks of nobody.

    There is a rack still where its zone was moved away, or where the table has more places than players. A
    side along which melds may lie up to the edge has none.
    """
    spare: list[Zone] = []
    for side in range(4):
        parts: list[Sequence[Point]] = [_rack(zones.table_mm, side)]
        for zone in zones.zones:
            parts = [rest for part in parts for rest in _without(part, zone)]
        inside = [side_distance(zones.table_mm, side, corner) > _EDGE_MM for part in parts for corner in part]
        if any(inside):
            spare += [Zone("rack", None, tuple(part)) for part in parts]
    return tuple(spare)


def _without(area: Sequence[Point], zone: Zone) -> list[Sequence[Point]]:
    """The convex parts of an area that are not in a zone."""
    rest: list[Sequence[Point]] = []
    for normal, limit in zone.edges():
        outside = _cut(area, -normal, -limit)
        if _area_mm2(outside) > _SLIVER_MM2:
            rest.append(outside)
        area = _cut(area, normal, limit)
        if _area_mm2(area) <= _SLIVER_MM2:
            break
    return rest


def _area_mm2(corners: Sequence[Point]) -> float:
    pairs = zip(corners, (*corners[1:], *corners[:1]), strict=True)
    return abs(sum(ax * by - bx * ay for (ax, ay), (bx, by) in pairs)) / 2


def _rack(table_mm: tuple[float, float], side: int) -> tuple[Point, ...]:
    half_long = (table_mm[0] if side % 2 == 0 else table_mm[1]) / 2 - RACK_DEEP_MM
    half_deep = (table_mm[1] if side % 2 == 0 else table_mm[0]) / 2
    return tuple(
        _from_side(side, along, out)
        for along, out in (
            (-half_long, half_deep + OVERHANG_MM),
            (half_long, half_deep + OVERHANG_MM),
            (half_long, half_deep - RACK_DEEP_MM),
            (-half_long, half_deep - RACK_DEEP_MM),
        )
    )


def _from_side(side: int, along: float, out: float) -> Point:
    """A place `out` mm towards a side and `along` mm to the right of who sits there."""
    x, y = _OUTWARD[side]
    return x * out - y * along, y * out + x * along


def _middle(table_mm: tuple[float, float]) -> list[Zone]:
    """Wall and atu in the left third of the middle, the discard row in the rest."""
    spare = [side - 2 * (RACK_DEEP_MM + 120.0) for side in table_mm]
    wide, high = (min(most, max(150.0, room)) for most, room in zip(MIDDLE_MM, spare, strict=True))
    left, split, right = -wide / 2, -wide / 6, wide / 2
    low, atu, top = -high / 2, -high / 6, high / 2
    return [
        Zone("wall", None, _box(left, atu, split, top)),
        Zone("atu", None, _box(left, low, split, atu)),
        Zone("discard", None, _box(split, low, right, top)),
    ]


def _box(left: float, low: float, right: float, top: float) -> tuple[Point, ...]:
    return (left, low), (right, low), (right, top), (left, top)


def _in_front(table_mm: tuple[float, float], side: int, sides: Sequence[int]) -> tuple[Point, ...]:
    """The part of the table that is nearer to this side than to others where someone sits, less the racks."""
    half = np.asarray(table_mm) / 2
    area: list[Point] = list(_box(-half[0], -half[1], half[0], half[1]))
    out = np.asarray(_OUTWARD[side])
    deep = float(np.abs(out) @ half)
    area = _cut(area, out, deep - RACK_DEEP_MM)
    for other in sides:
        if other != side:
            other_out = np.asarray(_OUTWARD[other])
            other_deep = float(np.abs(other_out) @ half)
            # Nearer to this side: deep - out.p <= other_deep - other_out.p
            area = _cut(area, other_out - out, other_deep - deep)
            area = _cut(area, other_out, other_deep - RACK_DEEP_MM)
    return tuple(area)


def _cut(area: Sequence[Point], normal: Floats, limit: float) -> list[Point]:
    """The part of a convex area where normal . p <= limit."""
    kept: list[Point] = []
    for start, end in zip(area, (*area[1:], area[0]), strict=True):
        before, after = float(normal @ start) - limit, float(normal @ end) - limit
        if before <= 0:
            kept.append((float(start[0]), float(start[1])))
        if before * after < 0:
            share = before / (before - after)
            kept.append((start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])))
    before_it = (kept[-1:] + kept)[:-1]
    apart = [math.dist(corner, last) > 1e-6 for corner, last in zip(kept, before_it, strict=True)]
    return [corner for corner, is_new in zip(kept, apart, strict=True) if is_new]
