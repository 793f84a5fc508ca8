"""What lies where: tiles put into zones by place, and by sense where people lay them elsewhere.

Millimetres say which rack a tile stands on. On the open table people lay things where there is room, so that
what touches what, which way up and face down or not says more than the zones: tiles face down are the wall, a
face beside it is the atu, a row that begins with a reversed tile is the discard row, and a meld is a meld
wherever it lies between the racks. What sense leaves open is decided by the zone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from calibration.zones import OVERHANG_MM, outward
from engine.tiles import Face, Mark
from vision.layout import rows

if TYPE_CHECKING:
    from calibration.rig import Rig
    from calibration.zones import Kind, Zone, Zones
    from engine.tiles import Seen

Floats = NDArray[np.float64]

TILE_TOP_MM: Final = 9.0
"""Height of a flat tile's face over the table."""

RACK_TOP_MM: Final = 25.0
"""Height of the middle of a leaning tile over the table."""

TILE_WIDE_MM: Final = (16.0, 38.0)
TILE_HIGH_MM: Final = 54.0
"""Sets have tiles from 20 to 30 mm wide and up to 43 mm high; the rest is for loose corners."""

_BESIDE_WALL: Final = 2.2  # tile widths from the middle of a wall's tile to that of the atu
_LEANING: Final = 1.2  # height over width of a face that is seen foreshortened; flat tiles have 1.35 to 1.45
_TOWARDS: Final = np.cos(np.radians(40.0))  # a tile that is turned to a seat, or away from it, by less
_TURNED: Final = np.cos(np.radians(60.0))  # a tile that looks another way than its row by more is turned


@dataclass(frozen=True, slots=True)
class Lying:
    """A tile as seen: its face, and its quad (4, 2) in pixels, upright top left first, then clockwise."""

    face: Seen
    quad: Floats


@dataclass(frozen=True, slots=True)
class Place:
    """Where a tile belongs: kind of zone, seat of racks and melds, `group` of touching tiles, `order`
    within.
    """

    kind: Kind
    seat: int | None
    group: int
    order: int


_Sensed = tuple["Kind", "int | None", "list[int]"]
"""What a row is, whose it is, its tiles in order."""


@dataclass(frozen=True, slots=True)
class _Table:
    """Of n tiles: quads (n, 4, 2) in pixels; middles, standing places and unit vectors up (n, 2) in mm;
    aspects (n,).

    `down` says which lie face down, `zone` where each would stand on a rack.
    """

    quads: Floats
    middle: Floats
    up: Floats
    aspect: Floats
    faces: Sequence[Seen]
    down: Sequence[bool]
    zone: Sequence[Zone]
    zones: Zones


def on_table(quads: Sequence[Floats], rig: Rig) -> list[bool]:
    """Which finds can be tiles of this table: on it, or over its edge on a rack, and of a tile's size.

    `quads` are corners (4, 2) in pixels, upright top left first. A leaning tile is as wide as any; its height
    is foreshortened.
    """
    if not quads:
        return []
    mm = rig.to_mm(np.stack(list(quads)), height_mm=TILE_TOP_MM)
    half = np.asarray(rig.layout.table_mm) / 2 + OVERHANG_MM
    inside = (np.abs(mm.mean(axis=1)) <= half).all(axis=1)
    wide = np.linalg.norm(mm[:, [1, 2]].mean(axis=1) - mm[:, [0, 3]].mean(axis=1), axis=1)
    high = np.linalg.norm(mm[:, [0, 1]].mean(axis=1) - mm[:, [2, 3]].mean(axis=1), axis=1)
    sized = (wide >= TILE_WIDE_MM[0]) & (wide <= TILE_WIDE_MM[1]) & (high <= TILE_HIGH_MM)
    return [bool(yes) for yes in inside & sized]


def place_tiles(tiles: Sequence[Lying], rig: Rig, zones: Zones) -> list[Place]:
    """The place of each tile, in the order of `tiles`; groups are numbered as `vision.layout.rows` has
    them.
    """
    if not tiles:
        return []
    table = _measure(tiles, rig, zones)
    found = rows(table.quads)
    walls = [number for number, row in enumerate(found) if all(table.down[tile] for tile in row)]
    senses = [
        _sense(row, table, other_walls=any(wall != number for wall in walls))
        for number, row in enumerate(found)
    ]
    places: dict[int, Place] = {}
    for number, (kind, seat, ordered) in enumerate(_one_discard_row(senses, table)):
        places.update({tile: Place(kind, seat, number, order) for order, tile in enumerate(ordered)})
    return _with_atu([places[tile] for tile in range(len(tiles))], table)


def _measure(tiles: Sequence[Lying], rig: Rig, zones: Zones) -> _Table:
    quads = np.stack([tile.quad for tile in tiles])
    flat = rig.to_mm(quads, height_mm=TILE_TOP_MM)
    standing = rig.to_mm(quads.mean(axis=1), height_mm=RACK_TOP_MM)
    up = flat[:, [0, 1]].mean(axis=1) - flat[:, [2, 3]].mean(axis=1)
    across = flat[:, [1, 2]].mean(axis=1) - flat[:, [0, 3]].mean(axis=1)
    high, wide = np.linalg.norm(up, axis=1), np.linalg.norm(across, axis=1)
    return _Table(
        quads=quads,
        middle=flat.mean(axis=1),
        up=up / np.maximum(high, 1e-9)[:, None],
        aspect=high / np.maximum(wide, 1e-9),
        faces=[tile.face for tile in tiles],
        down=[tile.face is Mark.FACE_DOWN for tile in tiles],
        zone=[zones.at(place) for place in standing],
        zones=zones,
    )


def _sense(row: Sequence[int], table: _Table, *, other_walls: bool) -> _Sensed:
    """What a row is, whose it is, and its tiles in order."""
    down = [table.down[tile] for tile in row]
    faces = len(row) - sum(down)
    if len(row) == 1 and down[0] and other_walls and table.zones.at(table.middle[row[0]]).kind == "discard":
        return "discard", None, list(row)
    if faces == 0 or (faces == 1 and len(row) > 1 and not (len(row) == 2 and other_walls)):
        return "wall", None, list(row)
    seat = _rack_of(row, table)
    if seat is not None:
        return "rack", seat, list(row)
    first, last = (_reversed(tile, row, table) for tile in (row[0], row[-1]))
    if len(row) > 1 and first != last and sum(down) <= 1:
        return "discard", None, list(row) if first else list(row)[::-1]
    kind = _by_zone([table.zones.at(table.middle[tile]).kind for tile in row])
    return kind, _owner(row, table) if kind == "meld" else None, list(row)


def _one_discard_row(senses: Sequence[_Sensed], table: _Table) -> list[_Sensed]:
    """What the rows are, with one discard row at most: a pattern taken for a back makes none of a meld."""
    rivals = [number for number, (kind, _, row) in enumerate(senses) if kind == "discard" and len(row) > 1]
    if len(rivals) < 2:
        return list(senses)
    best = max(rivals, key=lambda number: (not _is_meld(senses[number][2], table), len(senses[number][2])))
    others: dict[int, _Sensed] = {}
    for number in rivals:
        row = senses[number][2]
        if number != best:
            # A back and one face are the wall with its atu.
            wall = sum(not table.down[tile] for tile in row) == 1
            others[number] = ("wall", None, row) if wall else ("meld", _owner(row, table), row)
    return [others.get(number, sensed) for number, sensed in enumerate(senses)]


def _is_meld(row: Sequence[int], table: _Table) -> bool:
    """Whether the faces of a row can be a run or a group; what was not read may be anything."""
    faces = [(place, table.faces[tile]) for place, tile in enumerate(row)]
    known = [(place, face) for place, face in faces if isinstance(face, Face) and not face.is_joker]
    numbers = {face.number for _, face in known}
    colours = {face.colour for _, face in known}
    if len(numbers) <= 1:
        return len(colours) == len(known)
    up, down = ({face.number - sign * place for place, face in known} for sign in (1, -1))
    return len(colours) == 1 and (len(up) == 1 or len(down) == 1)


def _rack_of(row: Sequence[int], table: _Table) -> int | None:
    """The seat whose rack a row stands on: most of it in the rack's strip, and leaning or turned to that
    seat.
    """
    seats = Counter(table.zone[tile].seat for tile in row if table.zone[tile].kind == "rack")
    if sum(seats.values()) <= len(row) / 2:
        return None
    seat = seats.most_common(1)[0][0]
    if seat is None:
        return None
    along = np.abs(table.up[list(row)] @ np.asarray(outward(table.zones.seats, seat)))
    leaning = float(np.median(table.aspect[list(row)])) < _LEANING
    return seat if leaning or float(np.median(along)) > _TOWARDS else None


def _owner(row: Sequence[int], table: _Table) -> int:
    """Whose meld it is: people lay melds to be read from their own seat; else that in front of which it
    lies.
    """
    up = np.median(table.up[list(row)], axis=0)
    for seat in range(1, table.zones.seats + 1):
        if -float(up @ np.asarray(outward(table.zones.seats, seat))) > _TOWARDS:
            return seat
    return table.zones.seat_at(table.middle[list(row)].mean(axis=0))


def _reversed(tile: int, row: Sequence[int], table: _Table) -> bool:
    """Whether a tile of a row lies face down, or looks another way than most of the others."""
    if table.down[tile]:
        return True
    others = [other for other in row if other != tile and not table.down[other]]
    return len(others) >= 2 and bool(np.median(table.up[others] @ table.up[tile]) < _TURNED)


def _by_zone(kinds: Sequence[Kind]) -> Kind:
    """Three and more in a row are a meld wherever they lie; fewer are what the zone is for."""
    if len(kinds) >= 3:
        return "meld"
    most = Counter(kinds).most_common(1)[0][0]
    return "discard" if most == "discard" else "meld"


def _with_atu(places: list[Place], table: _Table) -> list[Place]:
    """The places with the one face that touches the wall, or lies alone beside it, as the atu."""
    wall = [index for index, place in enumerate(places) if place.kind == "wall"]
    faces = [index for index in wall if not table.down[index]]
    if not faces:
        sizes = Counter(place.group for place in places)
        faces = [
            index
            for index, place in enumerate(places)
            if sizes[place.group] == 1 and place.kind not in ("wall", "rack")
        ]
    backs = [index for index in wall if table.down[index]]
    if not backs or not faces:
        return places
    middle = table.quads.mean(axis=1)
    width = np.linalg.norm(table.quads[:, 1] - table.quads[:, 0], axis=1)
    away = {
        index: min(float(np.linalg.norm(middle[index] - middle[back])) for back in backs) / width[index]
        for index in faces
    }
    nearest = min(away, key=lambda index: away[index])
    if away[nearest] > _BESIDE_WALL:
        return places
    changed = replace(places[nearest], kind="atu", seat=None)
    return [changed if index == nearest else place for index, place in enumerate(places)]
