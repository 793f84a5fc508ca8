"""Finds rough boxes of tiles in a picture of any size: at native resolution, and smaller for large tiles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import BEYOND

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

WINDOW = 1280  # pixels of the longest side that goes through the finder in one piece
OVERLAP = 256  # of neighbouring windows: more than a large tile at native size
WHOLE = 320  # pixels: a picture no longer than this is not looked at smaller
SHRINK = 2.5  # from one size to the next
MOST_SIZES = 5
EDGE = 2.0  # pixels: a box that comes as near to an inner edge is cut by it
GRID = 32  # the finder's coarsest stride
NMS_IOU = 0.55
EASY = 32  # pixels of a tile's width that the finder boxes without trouble
LARGEST = 128  # pixels of a tile's width that it was trained on
_WHITE = np.float32(1 / 255)

Area = tuple[int, int, int, int]
"""A part of the picture in pixels: x, y, width, height."""


@dataclass(frozen=True)
class Boxes:
    """Rough boxes (n, 4) x0 y0 x1 y1 in picture pixels, their scores (n,), whether face down (n,)."""

    xyxy: F32
    scores: F32
    down: NDArray[np.bool_]


def find_boxes(
    image: U8,
    run: Callable[[F32], F32],
    *,
    threshold: float,
    parts: Sequence[Area] | None = None,
    tile_px: tuple[float, float] | None = None,
    blobs: Blobs | None = None,
) -> Boxes:
    """Boxes of everything that may be a tile, best first, in a picture (h, w, 3 BGR) of any size.

    `run` is the finder: (1, 3, h, w) RGB 0..1 to (n, 6): centre x, y, width, height in pixels, scores of face
    up and face down. Pictures over `WINDOW` are cut into overlapping windows at native resolution; large ones
    are also seen smaller, so that tiles too large for a window's overlap are found. With `parts` only those
    are looked at, each like a picture of its own, and what their edges cut is left out. `tile_px` says how
    narrow and how wide the tiles are in pixels: looks that no such tile needs are spared. Whoever looks often
    hands over the same `blobs`.
    """
    blobs = blobs or Blobs()
    height, width = image.shape[:2]
    rows = [
        _found(image, part, lambda piece: run(blobs.of(piece)), threshold=threshold, tile_px=tile_px)
        for part in ([(0, 0, width, height)] if parts is None else _aligned(parts, width, height))
    ]
    table = np.concatenate([np.zeros((0, 6)), *rows]).astype(np.float32)
    table = table[suppress(table[:, :4], table[:, 4:].max(axis=1), NMS_IOU)]
    return Boxes(table[:, :4], table[:, 4:].max(axis=1), table[:, 5] > table[:, 4])


def _found(
    image: U8,
    part: Area,
    run: Callable[[U8], F32],
    *,
    threshold: float,
    tile_px: tuple[float, float] | None,
) -> NDArray[np.floating]:
    """Rows (n, 6) of what lies in a part: x0 y0 x1 y1 in pixels of the whole picture, two scores."""
    left, top, wide, tall = part
    seen = image[top : top + tall, left : left + wide]
    # The picture goes on beyond the part's edges, unlike beyond its own.
    cut = (left > 0, top > 0, left + wide < image.shape[1], top + tall < image.shape[0])
    rows = []
    for size in _sizes(wide, tall, tile_px):
        look = _resized(seen, size)
        scale = np.asarray([size[0] / wide, size[1] / tall] * 2)
        for x, y, width, height in windows(*size):
            found = run(look[y : y + height, x : x + width])
            found = found[found[:, 4:].max(axis=1) >= threshold]
            middle, half = found[:, :2], found[:, 2:4] / 2
            xyxy = np.concatenate([middle - half, middle + half], axis=1)
            whole = _whole(xyxy, (x, y, width, height), size, cut)
            xyxy = (xyxy + np.asarray([x, y, x, y])) / scale + np.asarray([left, top, left, top])
            rows.append(np.column_stack([xyxy, found[:, 4:]])[whole])
    return np.concatenate(rows)


def _aligned(parts: Sequence[Area], width: int, height: int) -> list[Area]:
    """The parts grown to what the finder's stride would pad; the whole picture where they are most of it."""
    grown = []
    for x, y, wide, tall in parts:
        left, across = _grown(x, wide, width)
        top, down = _grown(y, tall, height)
        grown.append((left, top, across, down))
    if sum(wide * tall for _, _, wide, tall in grown) > width * height:
        return [(0, 0, width, height)]
    return grown


def _grown(start: int, length: int, whole: int) -> tuple[int, int]:
    wanted = min(whole, -(-length // GRID) * GRID)
    return max(0, min(start - (wanted - length) // 2, whole - wanted)), wanted


def _sizes(width: int, height: int, tile_px: tuple[float, float] | None = None) -> list[tuple[int, int]]:
    """The sizes (w, h) in which a picture is looked at: its own, and smaller until it is at most `WHOLE`.

    Where the widths of tiles are known, only as large as the narrowest and as small as the widest needs.
    """
    narrowest, widest = tile_px or (0.0, float("inf"))
    scale = min(1.0, EASY / narrowest) if narrowest > 0 else 1.0
    sizes = [(max(1, round(width * scale)), max(1, round(height * scale)))]
    while max(width, height) * scale > WHOLE and len(sizes) < MOST_SIZES and widest * scale > LARGEST:
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


class Blobs:
    """Makes what the finder is given, each time in the same memory: new memory costs more than filling it.

    What one call gives is overwritten by the next.
    """

    def __init__(self) -> None:
        self._room = np.empty(0, np.float32)

    def of(self, piece: U8) -> F32:
        """A piece (h, w, 3 BGR) as (1, 3, h', w') RGB 0..1, its sides made multiples of `GRID` with grey."""
        below, beside = -piece.shape[0] % GRID, -piece.shape[1] % GRID
        if below or beside:
            piece = np.asarray(
                cv2.copyMakeBorder(piece, 0, below, 0, beside, cv2.BORDER_CONSTANT, value=BEYOND), np.uint8
            )
        if self._room.size < piece.size:
            self._room = np.empty(piece.size, np.float32)
        blob = self._room[: piece.size].reshape(1, 3, *piece.shape[:2])
        for channel, plane in zip((2, 1, 0), cv2.split(piece), strict=True):
            np.multiply(plane, _WHITE, out=blob[0, channel])
        return blob


def _whole(
    xyxy: NDArray[np.floating], window: Area, full: tuple[int, int], cut: tuple[bool, bool, bool, bool]
) -> NDArray[np.bool_]:
    """Which boxes are not cut by an inner edge of their window: the neighbour sees those whole.

    `cut` says which edges of the whole look (left, top, right, bottom) are inner ones too.
    """
    x, y, width, height = window
    ok = np.ones(len(xyxy), np.bool_)
    if x > 0 or cut[0]:
        ok &= xyxy[:, 0] > EDGE
    if y > 0 or cut[1]:
        ok &= xyxy[:, 1] > EDGE
    if x + width < full[0] or cut[2]:
        ok &= xyxy[:, 2] < width - EDGE
    if y + height < full[1] or cut[3]:
        ok &= xyxy[:, 3] < height - EDGE
    return ok


def suppress(xyxy: F32, scores: F32, limit: float) -> NDArray[np.int64]:
    """Indexes of the boxes that stay, best first: where two overlap (IoU) over `limit`, the better one."""
    order = np.argsort(-scores, kind="stable")
    sized = xyxy[order].astype(np.float64)
    sized[:, 2:] -= sized[:, :2]
    # By rank, for OpenCV takes no score of 0.
    ranks = np.arange(len(order), 0, -1, dtype=np.float32)
    kept = cv2.dnn.NMSBoxes(sized.tolist(), ranks.tolist(), 0.0, limit)
    return np.asarray(order[np.asarray(kept, np.int64).reshape(-1)], np.int64)
