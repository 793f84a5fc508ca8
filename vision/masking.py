"""Racks that must not be looked at are painted over before anything is found, read, drawn or saved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from calibration.rig import Rig
    from calibration.zones import Zones
    from vision.pictures import Pixels

RACK_HIGH_MM: Final = 80.0
"""Up to this height tiles on a rack of two tiers are covered."""

_PAINT: Final = 96


def hide_racks(pixels: Pixels, rig: Rig, zones: Zones, *, ended: bool) -> Pixels:
    """The BGR picture with the racks painted grey that are never read, or only once the game has `ended`.

    The picture itself where there is none such; else a copy.
    """
    import cv2

    hidden = zones.hidden(ended=ended)
    if not hidden:
        return pixels
    covered = pixels.copy()
    for zone in hidden:
        bodies = [rig.to_px(zone.outline, height_mm=height) for height in (0.0, RACK_HIGH_MM)]
        hull = cv2.convexHull(np.concatenate(bodies).astype(np.float32))
        cv2.fillConvexPoly(covered, np.round(hull).astype(np.int32), (_PAINT, _PAINT, _PAINT))
    return covered
