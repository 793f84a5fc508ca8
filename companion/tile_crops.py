"""One tile cut out of a picture, upright, with a little of what lies around it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from engine.readings import Quad
    from vision.pictures import Pixels

AROUND: Final = 1.5
"""How much larger than the tile the part is that is shown."""

SIZE: Final = (144, 192)
"""Width and height in pixels."""


def upright_crop(pixels: Pixels, quad: Quad) -> Pixels:
    """The part of a BGR picture around a tile with these corners (from its upper left one, clockwise)."""
    import cv2
    import numpy as np

    corners = np.asarray(quad, np.float32).reshape(4, 2)
    middle = corners.mean(axis=0)
    wide, high = SIZE
    whole = np.asarray([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    matrix = cv2.getPerspectiveTransform(middle + (corners - middle) * AROUND, whole)
    cut = cv2.warpPerspective(pixels, matrix, SIZE, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT)
    return np.asarray(cut, np.uint8)
