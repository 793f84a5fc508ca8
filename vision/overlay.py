"""What a rig makes of a picture, drawn on it: the table's edge, a grid of 100 mm, markers, zones."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from calibration.rig import Rig
    from calibration.zones import Zones
    from vision.pictures import Pixels

Floats = NDArray[np.float64]
Colour = tuple[int, int, int]

GRID_MM: Final = 100.0
# Blue, green, and red in BGR; the words beside the lines say the same.
TABLE: Final[Colour] = (178, 114, 0)
ZONE: Final[Colour] = (115, 158, 0)
MARKER: Final[Colour] = (0, 94, 213)
_DARK: Final[Colour] = (0, 0, 0)
_LIGHT: Final[Colour] = (255, 255, 255)
_STEPS: Final = 20  # a straight edge of the table is bent by the lens


def draw_rig(pixels: Pixels, rig: Rig, zones: Zones | None = None) -> Pixels:
    """A copy of the BGR picture with table, grid, markers and, if given, the zones drawn."""
    import cv2

    canvas = pixels.copy()
    thick = max(1, round(max(canvas.shape) / 1200))
    half = np.asarray(rig.layout.table_mm) / 2
    corners = np.asarray([(-half[0], half[1]), (half[0], half[1]), (half[0], -half[1]), (-half[0], -half[1])])
    across = np.arange(-np.floor(half[0] / GRID_MM), np.floor(half[0] / GRID_MM) + 1) * GRID_MM
    along = np.arange(-np.floor(half[1] / GRID_MM), np.floor(half[1] / GRID_MM) + 1) * GRID_MM
    for x, y in _whole(rig.to_px(np.stack(np.meshgrid(across, along), axis=-1).reshape(-1, 2))):
        cv2.circle(canvas, (int(x), int(y)), thick, _DARK, thick)
        cv2.circle(canvas, (int(x), int(y)), thick, TABLE, -1)
    _outline(canvas, rig, corners, TABLE, thick)
    for zone in zones.zones if zones else ():
        _outline(canvas, rig, zone.outline, ZONE, thick)
        words = zone.kind if zone.seat is None else f"{zone.kind} {zone.seat}"
        if zones and zone.kind == "rack" and zone.seat is not None and zones.racks[zone.seat] != "read":
            words += f" ({zones.racks[zone.seat]})"
        _label(canvas, rig.to_px(zone.middle), words, thick)
    for marker, seen in rig.markers().items():
        cv2.polylines(canvas, [_whole(seen)], True, MARKER, thick)
        _label(canvas, seen[0], str(marker), thick)
    return canvas


def outline_px(rig: Rig, corners: Floats) -> Floats:
    """Points (n, 2) in pixels along the edges of a part of the table (corners in mm), as the lens bends them.

    They begin at the first corner and go round once.
    """
    share = np.linspace(0.0, 1.0, _STEPS, endpoint=False)[None, :, None]
    edges = corners[:, None] * (1 - share) + np.roll(corners, -1, axis=0)[:, None] * share
    return np.asarray(rig.to_px(edges.reshape(-1, 2)), np.float64)


def _outline(canvas: Pixels, rig: Rig, corners: Floats, colour: Colour, thick: int) -> None:
    import cv2

    points = _whole(outline_px(rig, corners))
    cv2.polylines(canvas, [points], True, _DARK, 2 * thick + 1)
    cv2.polylines(canvas, [points], True, colour, thick)


def _label(canvas: Pixels, at: Floats, words: str, thick: int) -> None:
    import cv2

    size = 0.45 * thick
    (wide, high), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    x, y = (int(value) for value in _whole(at))
    place = (x - wide // 2, y + high // 2)
    cv2.putText(canvas, words, place, cv2.FONT_HERSHEY_SIMPLEX, size, _DARK, 3 * thick, cv2.LINE_AA)
    cv2.putText(canvas, words, place, cv2.FONT_HERSHEY_SIMPLEX, size, _LIGHT, thick, cv2.LINE_AA)


def _whole(points: Floats) -> NDArray[np.int32]:
    """Points as whole pixels that drawing can bear, however far outside the picture they lie."""
    return np.clip(np.nan_to_num(points), -20000, 20000).round().astype(np.int32)
