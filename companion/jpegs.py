"""Pictures as JPEG, for browsers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from vision.pictures import Pixels


def jpeg_of(pixels: Pixels, *, quality: int) -> bytes:
    """A picture (h, w, 3 BGR) as a JPEG file of this quality (0 to 100)."""
    import cv2

    height, width = pixels.shape[:2]
    done, encoded = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise RuntimeError(f"OpenCV could not encode a picture of {width} x {height} pixels as JPEG")
    return encoded.tobytes()
