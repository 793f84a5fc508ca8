"""Measures the ink on a face against its own body, as evidence for judging the inks of a picture together."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

FLOOR = 8.0  # grey levels added before a ratio, so that noise in the dark does not shout
_DARKER = 0.6  # of the face's pixels: what is brighter is its body
_SHARE = 0.07  # of the face's pixels taken for ink: less than any digit covers


def measure(faces: U8) -> F32:
    """(n, 64, 48, 3) BGR faces to (n, 6): log ratio of ink to body (3), log of the body's colour (3)."""
    if len(faces) == 0:
        return np.zeros((0, 6), np.float32)
    inner = faces[:, 6:-6, 6:-6].reshape(len(faces), -1, 3)
    planes = np.ascontiguousarray(inner.transpose(0, 2, 1))
    grey = planes[:, 0].astype(np.uint16) + planes[:, 1] + planes[:, 2]
    place = math.ceil(_DARKER * (grey.shape[1] - 1))
    body = _medians(planes, grey >= np.partition(grey, place, axis=1)[:, place, None])
    ratio = np.log((planes + np.float32(FLOOR)) / (body[:, :, None] + np.float32(FLOOR)))
    blue, green, red = np.abs(ratio).transpose(1, 0, 2)
    away = blue + (green + red)
    count = max(1, int(away.shape[1] * _SHARE))
    index = np.argpartition(-away, count, axis=1)[:, :count]
    inked = np.take_along_axis(ratio, index[:, None], axis=2)
    ink = np.ascontiguousarray(inked.transpose(0, 2, 1)).mean(axis=1)
    return np.concatenate([ink, np.log((body + FLOOR) / 128)], axis=1).astype(np.float32)


def _medians(planes: U8, chosen: NDArray[np.bool_]) -> F32:
    """The median (n, 3) of the chosen (n, m) of each face's pixels (n, 3, m), by counting."""
    faces = len(planes)
    bins = np.arange(0, 768 * faces, 256).reshape(faces, 3, 1)
    values = np.where(chosen[:, None], planes + bins, 768 * faces)
    counts = np.bincount(values.ravel(), minlength=768 * faces + 1)[:-1].reshape(faces, 3, 256)
    below = counts.cumsum(axis=2)
    total = below[..., -1:]
    low, high = ((below > half).argmax(axis=2) for half in ((total - 1) // 2, total // 2))
    return np.asarray((low + high) / 2, np.float32)


def evidence(code: F32, measured: F32) -> F32:
    """(n, 30) rows for the ink net: ink code (24), measured ink and body (6)."""
    return np.concatenate([code, measured], axis=1).astype(np.float32)
