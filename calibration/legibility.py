"""Which parts of a table a camera can read: digits in pixels, slant of racks, and what to change.

A digit on a rack is seen from above its face: the steeper the rack stands, the flatter its digit appears.
Height in pixels is measured along the digit, as the frame shows it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Pose, assumed_lens, make_pose
from calibration.markers import MarkerLayout
from calibration.rig import Provenance, Rig
from calibration.zones import RACK_DEEP_MM, Kind, Zone, Zones, outward

Floats = NDArray[np.float64]
Verdict = Literal["good", "doubtful", "no"]

DEFAULT_LEAN_DEG: Final = 60.0
"""How far the faces on usual racks lean from lying flat."""

RACK_OUT_MM: Final = 55.0
"""From the table's edge to the middle of a rack's tiles."""

RACK_HIGH_MM: Final = 25.0
TILE_TOP_MM: Final = 9.0

_LEANS_TRIED: Final = (55, 50, 45, 40, 35, 30, 25, 20, 15, 10, 0)
_HIGHER_TRIED: Final = (1.0, 1.15, 1.3, 1.5, 1.8)
_LARGER_TRIED: Final = (1.0, 1.34, 2.0, 3.0, 4.0)


@dataclass(frozen=True, slots=True)
class Limits:
    """Between what can be read and what cannot: digit height in pixels, and degrees from face to line of
    sight.

    At `good` and better a zone is read, at `least` and worse it is not, in between results are to be checked.
    """

    good_px: float = 10.0
    least_px: float = 6.5
    good_deg: float = 45.0
    least_deg: float = 62.0


@dataclass(frozen=True, slots=True)
class Tiles:
    """What is to be read: the height of a digit in millimetres, and how far racks lean from lying flat."""

    digit_mm: float = 12.0
    lean_deg: float = DEFAULT_LEAN_DEG


@dataclass(frozen=True, slots=True)
class Legibility:
    """Of a zone at its worst place: digit height in pixels, angle between the face's normal and the line of
    sight.

    `remedy` says in English and Romanian what makes it readable; empty where it is or nothing tried does.
    """

    kind: Kind
    seat: int | None
    digit_px: float
    angle_deg: float
    verdict: Verdict
    remedy: tuple[str, str] = ("", "")


DEFAULT_TILES: Final = Tiles()
DEFAULT_LIMITS: Final = Limits()


def planned_rig(
    table_mm: tuple[float, float], *, height_mm: float, size: tuple[int, int], view_deg: float
) -> Rig:
    """The rig of a camera that is yet to be hung: straight over the middle of the table."""
    pose = make_pose(np.diag([1.0, -1.0, -1.0]), [0.0, 0.0, height_mm])
    lens = assumed_lens(size, view_deg=view_deg)
    return Rig(size, MarkerLayout(table_mm), lens, pose, {}, 0.0, 0.0, Provenance("", "planned"))


def legibility_map(
    rig: Rig, zones: Zones, *, tiles: Tiles = DEFAULT_TILES, limits: Limits = DEFAULT_LIMITS
) -> list[Legibility]:
    """How well each zone can be read, in the order of the zones; racks that cannot come with a remedy."""
    out = []
    for zone in zones.zones:
        one = _legibility(zone, zones, rig, tiles, limits)
        if one.verdict != "good":
            one = replace(one, remedy=_remedy(zone, zones, rig, tiles, limits))
        out.append(one)
    return out


def with_at_end(zones: Zones, legible: Sequence[Legibility]) -> Zones:
    """The zones with the racks that cannot be read counted at the end, laid flat; `never` stays never."""
    seats = [
        one.seat
        for one in legible
        if one.kind == "rack"
        and one.seat is not None
        and one.verdict == "no"
        and zones.racks[one.seat] == "read"
    ]
    return zones.with_racks("at_end", seats=seats)


def digit_seen(rig: Rig, middles: Floats, up: Floats, *, digit_mm: float) -> tuple[Floats, Floats]:
    """Digits at `middles` (n, 3) mm whose upward direction is the unit vector `up` (3,) on a face facing up.

    Returns their heights in pixels (n,) and the angles between their faces' normals and the lines of sight
    (n,).
    """
    ends = np.stack([middles - up * digit_mm / 2, middles + up * digit_mm / 2], axis=1)
    seen = rig.to_px(ends)
    height: Floats = np.linalg.norm(seen[:, 1] - seen[:, 0], axis=1)
    # The face's other direction lies level in the table, across the digit.
    flat = np.hypot(up[0], up[1])
    across = np.asarray([up[1], -up[0], 0.0]) / flat
    normal = np.cross(across, up)
    sight = rig.pose.position - middles
    cosine = (sight @ normal) / np.linalg.norm(sight, axis=1)
    angle: Floats = np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0)))
    return height, angle


def _legibility(zone: Zone, zones: Zones, rig: Rig, tiles: Tiles, limits: Limits) -> Legibility:
    if zone.kind == "rack" and zone.seat is not None:
        places, ups = _rack_places(zones, zone.seat, tiles.lean_deg)
    else:
        inside = zone.middle + 0.9 * (zone.outline - zone.middle)
        spots = np.concatenate([inside, zone.middle[None]])
        places = np.column_stack([spots, np.full(len(spots), TILE_TOP_MM)])
        sides = {outward(zones.seats, seat) for seat in range(1, zones.seats + 1)}
        ups = np.asarray([(-x, -y, 0.0) for x, y in sorted(sides)])
    looks = [digit_seen(rig, places, up, digit_mm=tiles.digit_mm) for up in ups]
    digit = float(min(height.min() for height, _ in looks))
    angle = float(max(angles.max() for _, angles in looks))
    return Legibility(zone.kind, zone.seat, digit, angle, _verdict(digit, angle, limits))


def _verdict(digit_px: float, angle_deg: float, limits: Limits) -> Verdict:
    if digit_px < limits.least_px or angle_deg > limits.least_deg:
        return "no"
    return "good" if digit_px >= limits.good_px and angle_deg <= limits.good_deg else "doubtful"


def _rack_places(zones: Zones, seat: int, lean_deg: float) -> tuple[Floats, Floats]:
    """Along the rack of a seat: places (3, 3) of digits, and the direction (1, 3) in which they stand."""
    out = np.asarray(outward(zones.seats, seat))
    half = np.abs(out) @ np.asarray(zones.table_mm) / 2
    along = np.asarray([-out[1], out[0]])
    reach = np.abs(along) @ np.asarray(zones.table_mm) / 2 - RACK_DEEP_MM
    spots = [out * (half - RACK_OUT_MM) + along * share * reach for share in (-0.8, 0.0, 0.8)]
    lean = math.radians(lean_deg)
    # The face looks at its player: its upper edge is nearer to the table's middle and higher.
    up = np.asarray([*(-out * math.cos(lean)), math.sin(lean)])
    return np.asarray([(*spot, RACK_HIGH_MM) for spot in spots]), up[None]


def _remedy(zone: Zone, zones: Zones, rig: Rig, tiles: Tiles, limits: Limits) -> tuple[str, str]:
    """What makes the zone read well: a flatter rack, or another camera; both where neither is enough."""

    def reads(rig: Rig, tiles: Tiles) -> bool:
        return _legibility(zone, zones, rig, tiles, limits).verdict == "good"

    ways = []
    leans = [lean for lean in _LEANS_TRIED if lean < tiles.lean_deg] if zone.kind == "rack" else []
    flatter = next((lean for lean in leans if reads(rig, replace(tiles, lean_deg=lean))), None)
    if flatter is not None:
        ways.append(_flatter(flatter))
    cameras = product(_HIGHER_TRIED, _LARGER_TRIED)
    camera = next((way for way in cameras if reads(_larger(_higher(rig, way[0]), way[1]), tiles)), None)
    if camera is not None:
        ways.append(_better_camera(rig, *camera))
    if not ways:
        both = ((lean, large) for large in _LARGER_TRIED for lean in leans)
        found = next(
            (way for way in both if reads(_larger(rig, way[1]), replace(tiles, lean_deg=way[0]))), None
        )
        if found is not None:
            ways = [_and(_flatter(found[0]), _better_camera(rig, 1.0, found[1]))]
    return " or ".join(way[0] for way in ways), " sau ".join(way[1] for way in ways)


def _larger(rig: Rig, factor: float) -> Rig:
    """The same camera with more pixels on the same view."""
    lens = rig.lens
    scaled = replace(
        lens,
        focal=(lens.focal[0] * factor, lens.focal[1] * factor),
        centre=(lens.centre[0] * factor, lens.centre[1] * factor),
    )
    return replace(rig, lens=scaled, size=(round(rig.size[0] * factor), round(rig.size[1] * factor)))


def _higher(rig: Rig, factor: float) -> Rig:
    """The same camera further up."""
    position = rig.pose.position * (1.0, 1.0, factor)
    rotation = np.asarray(rig.pose.rotation)
    x, y, z = (float(value) for value in -rotation @ position)
    return replace(rig, pose=Pose(rig.pose.rotation, (x, y, z)))


def _flatter(lean: float) -> tuple[str, str]:
    return (
        f"lean the rack's tiles no more than {lean:g}° from lying flat",
        f"înclinați piesele de pe tablă cu cel mult {lean:g}° față de orizontală",
    )


def _better_camera(rig: Rig, higher: float, larger: float) -> tuple[str, str]:
    wide = math.ceil(rig.size[0] * larger / 10) * 10
    fine = (
        f"use a camera of {wide} pixels across or more",
        f"folosiți o cameră cu cel puțin {wide} de pixeli pe lățime",
    )
    if higher == 1.0:
        return fine
    metres = f"{round(rig.pose.position[2] * higher / 10) / 100:.2f} m"
    hung = f"hang the camera {metres} above the table", f"puneți camera la {metres} deasupra mesei"
    return hung if larger == 1.0 else _and(hung, fine)


def _and(first: tuple[str, str], second: tuple[str, str]) -> tuple[str, str]:
    return f"{first[0]} and {second[0]}", f"{first[1]} și {second[1]}"
