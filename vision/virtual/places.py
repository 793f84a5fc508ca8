"""Where things go on a virtual table: stacks of the wall, discard row, free room for melds, rack slots."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.virtual.pieces import Lie, Piece, Piled, Stand

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from calibration.zones import Zone
    from vision.synth.geometry import F64
    from vision.virtual.setting import Setting

ATU_STACK: Final = -1
"""The number of the stack that the atu lies on."""

STACK_HIGH: Final = 7
_APART: Final = 1.12  # of a tile's width and height, between stacks
_ROW_APART: Final = 1.08  # of a tile's height, between lines of the discard row
_BEYOND: Final = 1  # lines of a very long row that lie beyond its zone
CLEAR_MM: Final = 11.0  # between melds
_STEP: Final = 0.5  # of a tile's width, between places that are tried for a meld


class NoRoomError(ValueError):
    """There is no free place left for what was to be put down."""


def stack_spot(setting: Setting, stack: int) -> Lie:
    """Where a stack of the wall stands: from the far left of its zone, that of the atu in the atu's zone."""
    zone = _zone(setting, "atu" if stack == ATU_STACK else "wall")
    if stack == ATU_STACK:
        x, y = zone.middle
        return Lie(float(x), float(y))
    look = setting.look
    low, high = zone.outline.min(axis=0), zone.outline.max(axis=0)
    across, along = look.width_mm * _APART, look.height_mm * _APART
    columns = max(1, int((high[0] - low[0]) // across))
    lines = max(1, int((high[1] - low[1]) // along))
    if not 0 <= stack < columns * lines:
        raise NoRoomError(
            f"the wall of this table has room for {columns * lines} stacks, there is no place {stack}"
        )
    line, column = divmod(stack, columns)
    x = low[0] + (high[0] - low[0]) / 2 + across * (column - (columns - 1) / 2)
    y = high[1] - along * (line + 0.5)
    return Lie(float(x), float(y))


def discard_spot(setting: Setting, index: int) -> Lie:
    """Where the tile of a number (from 0) of the discard row lies; lines of it follow towards seat 1.

    The last one may lie beyond the zone. NoRoomError where there is none left.
    """
    look, zone = setting.look, _zone(setting, "discard")
    low, high = zone.outline.min(axis=0), zone.outline.max(axis=0)
    step = look.width_mm * 1.03
    columns = max(1, int((high[0] - low[0] - 4) // step))
    line, column = divmod(index, columns)
    y = high[1] - look.height_mm * (0.55 + _ROW_APART * line)
    if y - look.height_mm / 2 < low[1] - 1 - _BEYOND * _ROW_APART * look.height_mm:
        raise NoRoomError(f"the discard row has no room for tile {index + 1}; take some from it first")
    return Lie(float(low[0] + 2 + step * (column + 0.5)), float(y))


def free_slot(setting: Setting, seat: int, pieces: Mapping[int, Piece], slots: int) -> Stand:
    """The first free slot of a seat's rack, the front tier first; NoRoomError for a full rack."""
    taken = {
        (piece.at.tier, piece.at.slot)
        for piece in pieces.values()
        if isinstance(piece.at, Stand) and piece.at.seat == seat
    }
    for tier in range(setting.tiers):
        for slot in range(slots):
            if (tier, slot) not in taken:
                return Stand(seat, tier, slot)
    raise NoRoomError(f"the rack of seat {seat} is full: it holds {setting.tiers * slots} tiles")


def row_of(setting: Setting, start: Lie, count: int, rng: np.random.Generator) -> list[Lie]:
    """Places of tiles side by side from the first one's, to the right as its reader sees it."""
    width = setting.look.width_mm
    along = np.asarray([math.cos(start.angle), math.sin(start.angle)])
    across = np.asarray([-along[1], along[0]])
    spot, places = np.asarray([start.x, start.y]), []
    for _ in range(count):
        lies = spot + across * rng.normal(0, setting.jitter) * width
        turn = start.angle + rng.normal(0, setting.jitter * 1.6)
        places.append(Lie(float(lies[0]), float(lies[1]), float(turn), start.level))
        spot = spot + along * width * (1.005 + abs(rng.normal(0, setting.gap)))
    return places


def room_for(setting: Setting, seat: int, count: int, pieces: Mapping[int, Piece]) -> Lie:
    """The first tile's place of a row of `count` tiles that touches nothing, in front of the seat if it can.

    Raises NoRoomError where there is no such place on the whole table.
    """
    taken = outlines(setting, pieces.values())
    seats = [seat, *(other for other in range(1, setting.seats + 1) if other != seat)]
    for angle in (setting.facing(seat), setting.facing(seat) + math.pi / 2):
        for other in seats:
            found = _fitting(setting, _zone(setting, "meld", other), angle, count, taken)
            if found is not None:
                return found
    raise NoRoomError(f"there is no room on the table for a row of {count} tiles")


def fits(setting: Setting, places: Sequence[Lie], pieces: Iterable[Piece], clear_mm: float) -> bool:
    """Whether tiles at these places lie in meld areas, and so far clear of others on all sides."""
    zones = setting.zones
    others = outlines(setting, pieces)
    for place in places:
        quad = outline(setting, place, clear_mm)
        if zones.at((place.x, place.y)).kind != "meld" or any(_overlap(quad, other) for other in others):
            return False
    return True


def outlines(setting: Setting, pieces: Iterable[Piece]) -> list[F64]:
    """The outlines (4, 2) in mm of what lies on the table."""
    return [
        outline(setting, piece.at if isinstance(piece.at, Lie) else stack_spot(setting, piece.at.stack), 0.0)
        for piece in pieces
        if isinstance(piece.at, Lie | Piled)
    ]


def outline(setting: Setting, place: Lie, clear_mm: float) -> F64:
    """The corners (4, 2) in mm of a tile at a place, with so much room on each side."""
    look = setting.look
    half = np.asarray([look.width_mm / 2 + clear_mm, look.height_mm / 2 + clear_mm])
    c, s = math.cos(place.angle), math.sin(place.angle)
    corners = np.asarray([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * half @ np.asarray([[c, s], [-s, c]])
    return np.asarray(corners + np.asarray([place.x, place.y]))


def _fitting(setting: Setting, zone: Zone, angle: float, count: int, taken: Sequence[F64]) -> Lie | None:
    """The first place in a zone where a row of tiles touches nothing: nearest, and most in the middle."""
    look = setting.look
    axes = np.asarray([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    local = zone.outline @ axes.T
    low, high = local.min(axis=0), local.max(axis=0)
    long = look.width_mm * (1.03 * count)
    clear = np.asarray([long, look.height_mm]) / 2 + CLEAR_MM
    sides = np.asarray([(-1, 1), (1, 1), (1, -1), (-1, -1)])
    near = [quad @ axes.T for quad in taken]
    for y in np.arange(low[1] + clear[1] + 1, high[1] - clear[1], look.height_mm * 0.3):
        columns = np.arange(low[0] + clear[0] + 1, high[0] - clear[0], look.width_mm * _STEP)
        for x in sorted(columns, key=lambda x: abs(x - (low[0] + high[0]) / 2)):
            box = sides * clear + (x, y)
            if (zone.outside_mm(box @ axes) > 0).any():
                continue
            if any(_overlap(box, other) for other in near):
                continue
            first = np.asarray([x - long / 2 + look.width_mm * 0.515, y]) @ axes
            return Lie(float(first[0]), float(first[1]), angle)
    return None


def _overlap(first: F64, second: F64) -> bool:
    """Whether two convex outlines (n, 2) share more than a border."""
    reach = np.ptp(first, axis=0).sum() + np.ptp(second, axis=0).sum()
    if np.abs(first[0] - second[0]).max() > reach:
        return False
    for shape in (first, second):
        sides = np.roll(shape, -1, axis=0) - shape
        normals = np.column_stack([-sides[:, 1], sides[:, 0]])
        one, other = normals @ first.T, normals @ second.T
        if ((one.max(axis=1) <= other.min(axis=1)) | (other.max(axis=1) <= one.min(axis=1))).any():
            return False
    return True


def _zone(setting: Setting, kind: str, seat: int | None = None) -> Zone:
    for zone in setting.zones.zones:
        if (zone.kind, zone.seat) == (kind, seat):
            return zone
    raise ValueError(f"the default zones have no {kind} {seat or ''}".rstrip())
