"""Measures how far the digits of a rendered picture stand out, as a person would have to see them."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.faces import FaceFactory

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

_WIDE = 28  # pixels of the width at which a face is looked at
_INKED = 0.12  # difference from the body, 0 to 1, from which a pixel of the face's texture is ink
_RIM = 0.1  # of the width, that the edge of a face may be bright or dark by itself


def ink_contrast(
    picture: U8, quad: NDArray[np.floating], face: str, factory: FaceFactory
) -> tuple[float, float]:
    """Grey levels (0 to 255) between ink and body of a face as a picture (h, w, 3) shows it, and the noise.

    `quad` (4, 2) are its corners in pixels, upright top left first. Of the colour channel in which ink and
    body differ most, averaged over all ink; noise is the deviation of the bare body in that channel. Zeros
    for a face without ink.
    """
    drawn = factory.texture(face, _WIDE).colour
    tall = round(_WIDE * drawn.shape[0] / drawn.shape[1])
    drawn = np.asarray(cv2.resize(drawn, (_WIDE, tall), interpolation=cv2.INTER_AREA), np.float32)
    edge = round(_RIM * _WIDE)
    inner = np.zeros((tall, _WIDE), np.bool_)
    inner[edge:-edge, edge:-edge] = True
    away = np.abs(drawn - np.median(drawn[inner], axis=0)).max(axis=2)
    ink = np.where(inner & (away > _INKED), away, 0.0).astype(np.float32)
    bare = inner & (cv2.dilate(ink, np.ones((5, 5), np.uint8)) == 0)
    if ink.sum() == 0 or not bare.any():
        return 0.0, 0.0
    corners = np.asarray([(0, 0), (_WIDE, 0), (_WIDE, tall), (0, tall)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform((np.asarray(quad, np.float32) - 0.5), corners.astype(np.float32))
    seen = cv2.warpPerspective(picture, matrix, (_WIDE, tall), flags=cv2.INTER_LINEAR).astype(np.float32)
    inked = (seen * ink[..., None]).sum(axis=(0, 1)) / ink.sum()
    away = np.abs(inked - seen[bare].mean(axis=0))
    channel = int(away.argmax())
    return float(away[channel]), float(seen[bare][:, channel].std())
