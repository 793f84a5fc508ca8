"""Finds rough boxes of tiles in a picture of any size: at native resolution, and smaller for large tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

WINDOW = 1280  # pixels of the longest side that goes through the finder in one piece
OVERLAP = 256  # of neighbouring windows: more than a large tile at native size
WHOLE = 320  # pixels: a picture no longer than this is not looked at smaller
SHRINK = 2.5  # from one size to the next
MOST_SIZES = 5
GRID = 32  # the finder's coarsest stride
NMS_IOU = 0.55


@dataclass(frozen=True)
class Boxes:
    """Rough boxes (n, 4) x0 y0 x1 y1 in picture pixels, their scores (n,), whether face down (n,)."""

    xyxy: F32
    scores: F32
    down: NDArray[np.bool_]


def find_boxes(image: U8, run: Callable[[F32], F32], *, threshold: float) -> Boxes:
    """Boxes of everything that may be a tile, best first, in a picture (h, w, 3 BGR) of any size.

    `run` is the finder: (1, 3, h, w) RGB 0..1 to (n, 6): centre x, y, width, height in pixels, scores of face
    up and face down. Pictures over `WINDOW` are cut into overlapping windows at native resolution; large ones
    are also seen smaller, so that tiles too large for a window's overlap are found.
    """
    rows: list[F32] = []
    for size in _sizes(image.shape[1], image.shape[0]):
        seen = _resized(image, size)
        scale = np.asarray([size[0] / image.shape[1], size[1] / image.shape[0]] * 2)
        for x, y, width, height in windows(*size):
            found = run(_blob(seen[y : y + height, x : x + width]))
            found = found[found[:, 4:].max(axis=1) >= threshold]
            middle, half = found[:, :2], found[:, 2:4] / 2
            xyxy = np.concatenate([middle - half, middle + half], axis=1)
            whole = _whole(xyxy, (x, y, width, height), size)
            xyxy = (xyxy + np.asarray([x, y, x, y])) / scale
            rows.append(np.column_stack([xyxy, found[:, 4:]])[whole])
    table = np.concatenate(rows).astype(np.float32)
    table = table[suppress(table[:, :4], table[:, 4:].max(axis=1), NMS_IOU)]
    return Boxes(table[:, :4], table[:, 4:].max(axis=1), table[:, 5] > table[:, 4])


def _sizes(width: int, height: int) -> list[tuple[int, int]]:
    """The sizes (w, h) in which a picture is looked at: its own, and smaller until it is at most `WHOLE`."""
    scale, sizes = 1.0, [(width, height)]
    while max(width, height) * scale > WHOLE and len(sizes) < MOST_SIZES:
        scale /= SHRINK
        sizes.append((max(1, round(width * scale)), max(1, round(height * scale))))
    return sizes


def _resized(image: U8, size: tuple[int, int]) -> U8:
    if size == (image.shape[1], image.shape[0]):
        return image
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def windows(width: int, height: int) -> Iterator[tuple[int, int, int, int]]:
    """Windows (x, y, w, h) that cover a picture, overlapping by at least `OVERLAP`."""
    for y, tall in _spans(height):
        for x, wide in _spans(width):
            yield x, y, wide, tall


def _spans(length: int) -> list[tuple[int, int]]:
    """Starts and lengths of the fewest pieces up to `WINDOW`, alike in length, overlapping by `OVERLAP`."""
    if length <= WINDOW:
        return [(0, length)]
    count = -(-(length - OVERLAP) // (WINDOW - OVERLAP))
    piece = min(WINDOW, -(-(length + (count - 1) * OVERLAP) // count // GRID) * GRID)
    starts = np.linspace(0, length - piece, count).round().astype(int)
    return [(int(start), piece) for start in starts]


def _blob(piece: U8) -> F32:
    height, width = piece.shape[:2]
    padded = np.full((-(-height // GRID) * GRID, -(-width // GRID) * GRID, 3), 114, np.uint8)
    padded[:height, :width] = piece
    planes = padded[..., ::-1].transpose(2, 0, 1)[None]
    return np.ascontiguousarray(planes, dtype=np.float32) / np.float32(255)


def _whole(xyxy: F32, window: tuple[int, int, int, int], full: tuple[int, int]) -> NDArray[np.bool_]:
    """Which boxes are not cut by an inner edge of their window: the neighbour sees those whole."""
    x, y, width, height = window
    edge = 2.0
    ok = np.ones(len(xyxy), np.bool_)
    if x > 0:
        ok &= xyxy[:, 0] > edge
    if y > 0:
        ok &= xyxy[:, 1] > edge
    if x + width < full[0]:
        ok &= xyxy[:, 2] < width - edge
    if y + height < full[1]:
        ok &= xyxy[:, 3] < height - edge
    return ok


def suppress(xyxy: F32, scores: F32, limit: float) -> NDArray[np.int64]:
    """Indexes of the boxes that stay, best first: where two overlap (IoU) over `limit`, the better one."""
    order = np.argsort(-scores, kind="stable")
    kept: list[int] = []
    areas = (xyxy[:, 2] - xyxy[:, 0]) * (xyxy[:, 3] - xyxy[:, 1])
    while len(order):
        best, order = int(order[0]), order[1:]
        kept.append(best)
        if len(order) == 0:
            break
        low = np.maximum(xyxy[best, :2], xyxy[order, :2])
        high = np.minimum(xyxy[best, 2:], xyxy[order, 2:])
        inner = np.clip(high - low, 0, None).prod(axis=1)
        order = order[inner / (areas[best] + areas[order] - inner + 1e-6) <= limit]
    return np.asarray(kept, np.int64)
