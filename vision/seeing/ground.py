"""Where the zones of a table are in the reduced picture in which movement is looked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.zones import OVERHANG_MM, hides
from vision.masking import RACK_HIGH_MM, standing_outline
from vision.regions import Region
from vision.traces import Trace

if TYPE_CHECKING:
    from calibration.rig import Rig
    from calibration.zones import Zone, Zones
    from vision.pictures import Pixels

Bools = NDArray[np.bool_]
F32 = NDArray[np.float32]
Floats = NDArray[np.float64]

COARSE: Final = 7.0
"""Pixels of a tile's width, about, in the reduced picture."""

TILE_MM: Final = (26.0, 36.0)
FLAT_HIGH_MM: Final = 20.0
"""What lies flat, with a tile on a tile."""

NARROWEST_MM: Final = 18.0
WIDEST_MM: Final = 46.0
"""Widths of boxes round tiles: the smallest set upright, the largest askew."""

_RIM_IN_MM: Final = 12.0  # of the table's edge: an arm crosses it, and melds are not pushed as near


@dataclass(frozen=True)
class Ground:
    """Zones of a rig in its reduced picture (h, w): `masks` says for each of `zones` where it is, `table`
    what is looked at, `rim` where an arm comes in from, `depth` how far inside the table's edge in mm.

    `tile` is a tile's width and `tile_area` the area of a flat tile in reduced pixels. `zones` are those that
    are read now.
    """

    rig: Rig
    zones: tuple[Zone, ...]
    masks: tuple[Bools, ...]
    table: Bools
    rim: Bools
    depth: F32
    tile: float
    tile_area: float

    def trace(self, pixels: Pixels) -> Trace:
        """What is kept of a frame (h, w, 3 BGR)."""
        return Trace.of(pixels, TILE_MM[0] / self.rig.mm_per_px, fine=COARSE)


def survey(rig: Rig, zones: Zones, *, ended: bool) -> Ground:
    """The ground of a rig with the zones that may be looked at before or after the game has `ended`."""
    blank = np.zeros((rig.size[1], rig.size[0], 3), np.uint8)
    tile_px = TILE_MM[0] / rig.mm_per_px
    reduced = Trace.of(blank, tile_px, fine=COARSE)
    shape = (reduced.pixels.shape[0], reduced.pixels.shape[1])
    read = tuple(
        zone
        for zone in zones.zones
        if zone.kind != "rack" or zone.seat is None or not hides(zones.racks[zone.seat], ended=ended)
    )
    table = _filled(table_region(rig), reduced.shrink, shape)
    masks = []
    for zone in read:
        high = RACK_HIGH_MM if zone.kind == "rack" else FLAT_HIGH_MM
        outline = standing_outline(rig, zone, high_mm=high)
        masks.append(_filled(Region(tuple(map(tuple, outline))), reduced.shrink, shape) & table)
    depth = _depth(rig, reduced.shrink, shape)
    edge = np.ones(shape, np.bool_)
    edge[2:-2, 2:-2] = False
    return Ground(
        rig,
        read,
        tuple(masks),
        table,
        table & ((depth < _RIM_IN_MM) | edge),
        depth,
        reduced.tile,
        reduced.tile**2 * TILE_MM[1] / TILE_MM[0],
    )


def table_region(rig: Rig) -> Region:
    """The table with what stands over its edge on racks, in pixels."""
    half = np.asarray(rig.layout.table_mm) / 2 + OVERHANG_MM
    corners = np.asarray([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half
    outline = np.concatenate([rig.to_px(corners, height_mm=height) for height in (0.0, RACK_HIGH_MM)])
    hull = cv2.convexHull(outline.astype(np.float32)).reshape(-1, 2)
    low, high = np.zeros(2), np.asarray(rig.size, np.float64)
    return Region(tuple((float(x), float(y)) for x, y in np.clip(hull, low, high)))


def tile_widths(rig: Rig) -> tuple[float, float]:
    """How narrow and how wide boxes round tiles are in pixels."""
    return NARROWEST_MM / rig.mm_per_px, WIDEST_MM / rig.mm_per_px


def _filled(region: Region, shrink: int, shape: tuple[int, int]) -> Bools:
    mask = np.zeros(shape, np.uint8)
    outline = np.round(np.asarray(region.outline) / shrink - 0.5).astype(np.int32)
    cv2.fillPoly(mask, [outline], (1,))
    return mask.astype(np.bool_)


def _depth(rig: Rig, shrink: int, shape: tuple[int, int]) -> F32:
    """How far inside the table's edge each reduced pixel is, in mm."""
    step = 4  # between places that are reckoned; the edge is straight, the lens nearly so
    columns = np.arange(0, shape[1] + step, step)
    rows = np.arange(0, shape[0] + step, step)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    mm = rig.to_mm((grid + 0.5) * shrink)
    inside = (np.asarray(rig.layout.table_mm) / 2 - np.abs(mm)).min(axis=1)
    coarse = inside.reshape(len(rows), len(columns)).astype(np.float32)
    x, y = np.meshgrid(np.arange(shape[1]) / step, np.arange(shape[0]) / step)
    fine = cv2.remap(coarse, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    return np.asarray(fine, np.float32)
