"""Measures the ink on a face against its own body, as evidence for judging the inks of a picture together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

FLOOR = 8.0  # grey levels added before a ratio, so that noise in the dark does not shout
_SHARE = 0.07  # of the face's pixels taken for ink: less than any digit covers


def measure(faces: U8) -> F32:
    """(n, 64, 48, 3) BGR faces to (n, 6): log ratio of ink to body (3), log of the body's colour (3)."""
    if len(faces) == 0:
        return np.zeros((0, 6), np.float32)
    inner = faces[:, 6:-6, 6:-6].reshape(len(faces), -1, 3).astype(np.float32)
    grey = inner.mean(axis=2)
    bright = grey >= np.quantile(grey, 0.6, axis=1, keepdims=True)
    body = np.stack([np.median(pixels[mask], axis=0) for pixels, mask in zip(inner, bright, strict=True)])
    ratio = np.log((inner + FLOOR) / (body[:, None] + FLOOR))
    away = np.abs(ratio).sum(axis=2)
    count = max(1, int(away.shape[1] * _SHARE))
    index = np.argpartition(-away, count, axis=1)[:, :count]
    ink = np.take_along_axis(ratio, index[..., None], axis=1).mean(axis=1)
    return np.concatenate([ink, np.log((body + FLOOR) / 128)], axis=1).astype(np.float32)


def evidence(code: F32, measured: F32) -> F32:
    """(n, 30) rows for the ink net: ink code (24), measured ink and body (6)."""
    return np.concatenate([code, measured], axis=1).astype(np.float32)
