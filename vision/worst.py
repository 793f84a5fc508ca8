"""Draws the tiles that were read worst: enlarged, upright, with what they are and what was read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import Pyramid, apply_affine, cut_square, square_matrix
from vision.pictures import PictureError, load_picture
from vision.tally import Judged, str_of

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

CROP = 144  # pixels a side of a crop
REACH = 1.5  # what a crop shows, in longer sides of the tile
SHEET_CROP, SHEET_TEXT, SHEET_COLUMNS = 200, 40, 6
_TRUTH, _READ = (90, 220, 60), (255, 60, 220)  # BGR of the outlines on a crop


def crops(entries: Sequence[Judged], *, pixels: int = CROP) -> list[U8 | None]:
    """A crop (pixels, pixels, 3) of each, None where the picture is gone; one picture in memory at a time."""
    images: list[U8 | None] = [None] * len(entries)
    for path in sorted({entry.path for entry in entries}):
        try:
            pyramid = Pyramid(load_picture(path))
        except (OSError, PictureError):
            continue
        for index, entry in enumerate(entries):
            if entry.path == path:
                images[index] = _crop(pyramid, entry, pixels)
    return images


def words(entry: Judged) -> tuple[str, str]:
    """What a tile is, and what was read, how surely, what else it might be, what repair made of it."""
    truth = f"is {entry.truth.face}" if entry.truth else "no tile there"
    if entry.seen is None:
        return truth, "not found"
    others = [f"{other.face} {other.confidence:.2f}" for other in entry.seen.alternatives[:2]]
    read = f"read {str_of(entry.seen)} {entry.seen.confidence:.2f}"
    read += f" (else {', '.join(others)})" if others else ""
    if entry.mended is not None and entry.mended.face != entry.seen.face:
        read += f", repaired to {str_of(entry.mended)}"
    return truth, read


def write_sheet(entries: Sequence[Judged], path: Path) -> Path:
    """Writes one PNG with all of them, in the order given, words below each; returns its path."""
    columns = max(1, min(SHEET_COLUMNS, len(entries)))
    high = SHEET_CROP + SHEET_TEXT
    lines = max(1, -(-len(entries) // columns))
    sheet = np.full((lines * high, columns * SHEET_CROP, 3), 24, np.uint8)
    for index, (entry, crop) in enumerate(zip(entries, crops(entries, pixels=SHEET_CROP), strict=True)):
        y, x = index // columns * high, index % columns * SHEET_CROP
        if crop is not None:
            sheet[y : y + SHEET_CROP, x : x + SHEET_CROP] = crop
        truth, read = words(entry)
        for line, text in enumerate((f"{truth}, {read.split(' (')[0]}", entry.path.name[-26:])):
            spot = (x + 4, y + SHEET_CROP + 15 + 17 * line)
            cv2.putText(sheet, text, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.42, (235, 235, 235), 1, cv2.LINE_AA)
    done, data = cv2.imencode(".png", sheet)
    if not done:
        raise RuntimeError("the PNG encoder refused the sheet")
    path.write_bytes(data.tobytes())
    return path


def _crop(pyramid: Pyramid, entry: Judged, pixels: int) -> U8:
    """The tile upright (as found, else as labelled) with some of what is round it, outlines drawn in."""
    truth = None if entry.truth is None else entry.truth.outline
    read = None if entry.seen is None else np.asarray(entry.seen.quad, np.float32)
    outline = read if read is not None else truth
    if outline is None:
        raise ValueError("neither a tile nor a find")
    top = outline[1] - outline[0] if len(outline) == 4 else np.asarray([1.0, 0.0])
    everything = np.concatenate([points for points in (truth, read) if points is not None])
    low, high = everything.min(axis=0), everything.max(axis=0)
    side = max(8.0, float(np.linalg.norm(high - low)) / 1.2 * REACH)
    x, y = (low + high) / 2
    matrix = square_matrix((float(x), float(y)), side, -float(np.arctan2(top[1], top[0])), pixels=pixels)
    crop = np.ascontiguousarray(cut_square(pyramid, matrix, pixels=pixels))
    for points, colour in ((truth, _TRUTH), (read, _READ)):
        if points is not None:
            corners = np.round((apply_affine(matrix, points) - 0.5) * 16).astype(np.int32)
            cv2.polylines(crop, [corners.reshape(-1, 1, 2)], True, colour, 1, cv2.LINE_AA, 4)
    return crop
