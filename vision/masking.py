"""Racks that must not be looked at are painted over before anything is found, read, drawn or saved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calibration.rig import Rig
    from calibration.zones import Zone, Zones
    from vision.pictures import Pixels

Floats = NDArray[np.float64]

RACK_HIGH_MM: Final = 80.0
"""Up to this height tiles on a rack of two tiers are covered."""

_PAINT: Final = 96


def hide_racks(pixels: Pixels, rig: Rig, zones: Zones, *, ended: bool) -> Pixels:
    """The BGR picture with the racks painted grey that are never read, or only once the game has `ended`.

    The picture itself where there is none such; else a copy.
    """
    return _painted(pixels, hidden_outlines(rig, zones, ended=ended))


def cover_racks(pixels: Pixels, rig: Rig, racks: Sequence[Zone]) -> Pixels:
    """A copy of the BGR picture with these racks, and the tiles on them, painted grey."""
    return _painted(pixels, [standing_outline(rig, zone, high_mm=RACK_HIGH_MM) for zone in racks])


def _painted(pixels: Pixels, outlines: Sequence[Floats]) -> Pixels:
    import cv2

    if not outlines:
        return pixels
    covered = pixels.copy()
    for outline in outlines:
        cv2.fillConvexPoly(covered, np.round(outline).astype(np.int32), (_PAINT, _PAINT, _PAINT))
    return covered


def hidden_outlines(rig: Rig, zones: Zones, *, ended: bool) -> list[Floats]:
    """Where (n, 2 in pixels) the racks appear, with the tiles on them, that must not be looked at now."""
    return [standing_outline(rig, zone, high_mm=RACK_HIGH_MM) for zone in zones.hidden(ended=ended)]


def standing_outline(rig: Rig, zone: Zone, *, high_mm: float) -> Floats:
    """The convex outline (n, 2) in pixels of a zone and of what stands on it up to a height."""
    import cv2

    bodies = [rig.to_px(zone.outline, height_mm=height) for height in (0.0, high_mm)]
    hull = cv2.convexHull(np.concatenate(bodies).astype(np.float32))
    return np.asarray(hull, np.float64).reshape(-1, 2)
