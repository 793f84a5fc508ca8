"""Parts of a picture: zones, what is not to be seen, and which boxes to look at for them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.crops import BEYOND

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]
Box = tuple[int, int, int, int]
"""Pixels: x, y, width, height."""


@dataclass(frozen=True, slots=True)
class Region:
    """A part of a picture by its outline in pixels, three corners (x, y) at least."""

    outline: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        corners = np.asarray(self.outline, np.float64)
        if corners.ndim != 2 or corners.shape[0] < 3 or corners.shape[1] != 2:
            raise ValueError(f"a region needs three corners (x, y) at least, not {self.outline!r}")
        if not np.isfinite(corners).all():
            raise ValueError(f"corners of a region must be finite numbers of pixels, not {self.outline!r}")

    @classmethod
    def box(cls, x: float, y: float, width: float, height: float) -> Region:
        """The upright rectangle with its top left corner at (x, y)."""
        return cls(((x, y), (x + width, y), (x + width, y + height), (x, y + height)))

    @classmethod
    def whole(cls, image: U8) -> Region:
        """All of a picture."""
        return cls.box(0, 0, image.shape[1], image.shape[0])

    def bounds(self) -> tuple[float, float, float, float]:
        """The upright rectangle round it: x0, y0, x1, y1 in pixels."""
        across, down = zip(*self.outline, strict=True)
        return float(min(across)), float(min(down)), float(max(across)), float(max(down))

    def holds(self, points: ArrayLike) -> Bools:
        """Which of the points (n, 2) lie in it or on its edge."""
        outline = np.asarray(self.outline, np.float32)
        return np.asarray(
            [
                cv2.pointPolygonTest(outline, (float(x), float(y)), measureDist=False) >= 0
                for x, y in np.asarray(points, np.float64).reshape(-1, 2)
            ],
            np.bool_,
        )

    def touches(self, quads: ArrayLike) -> Bools:
        """Which of the convex quads (n, 4, 2) share a point with it."""
        return touching_any([self], quads)


def _crossed(begin: F64, ahead: F64, quads: F64) -> Bools:
    """Which of the quads (n, 4, 2) have a side that crosses one of k lines each, from `begin` on by `ahead`
    (n, k, 2)."""
    begin, ahead, quads = begin[:, :, None], ahead[:, :, None], quads[:, None]
    after = quads[:, :, [1, 2, 3, 0]]
    side = after - quads

    def turn(a: F64, b: F64) -> F64:
        return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])

    ours = turn(ahead, quads - begin) * turn(ahead, after - begin)
    theirs = turn(side, begin - quads) * turn(side, begin + ahead - quads)
    return np.asarray(((ours <= 0) & (theirs <= 0)).any(axis=(1, 2)), np.bool_)


def _edges(regions: Sequence[Region]) -> tuple[F64, F64]:
    """Where the k edges of each region begin (r, k, 2) and how far they go; fewer are filled up."""
    most = max(len(region.outline) for region in regions)
    begin, end = [], []
    for outline in (region.outline for region in regions):
        spare = most - len(outline)
        begin.append([*outline, *[outline[0]] * spare])
        end.append([*outline[1:], outline[0], *[outline[1]] * spare])
    return np.asarray(begin, np.float64), np.asarray(end, np.float64) - np.asarray(begin, np.float64)


def blanked(image: U8, masks: Iterable[Region]) -> U8:
    """The picture (h, w, 3) with the masks painted grey; the picture itself where there are none."""
    outlines = [np.round(np.asarray(mask.outline)).astype(np.int32) for mask in masks]
    if not outlines:
        return image
    painted = image.copy()
    for outline in outlines:
        cv2.fillPoly(painted, [outline], BEYOND)
    return painted


def in_any(regions: Sequence[Region], points: ArrayLike) -> Bools:
    """Which of the points (n, 2) lie in one of the regions."""
    points = np.asarray(points, np.float64).reshape(-1, 2)
    found = np.zeros(len(points), np.bool_)
    for region in regions:
        found |= region.holds(points)
    return found


def touching_any(regions: Sequence[Region], quads: ArrayLike) -> Bools:
    """Which of the quads (n, 4, 2) share a point with one of the regions."""
    quads = np.asarray(quads, np.float64).reshape(-1, 4, 2)
    found = np.zeros(len(quads), np.bool_)
    if not regions or len(quads) == 0:
        return found
    low, high = quads.min(axis=1), quads.max(axis=1)
    bounds = np.asarray([region.bounds() for region in regions])[:, None]
    near = (low <= bounds[..., 2:]).all(axis=2) & (high >= bounds[..., :2]).all(axis=2)
    region_at, quad_at = np.nonzero(near)
    begin, ahead = _edges(regions)
    crossed = _crossed(begin[region_at], ahead[region_at], quads[quad_at])
    found[quad_at[crossed]] = True
    # Where no edges meet, the one may still lie in the other.
    for one, at in zip(region_at[~crossed].tolist(), quad_at[~crossed].tolist(), strict=True):
        if not found[at]:
            region, quad = regions[one], quads[at]
            other = Region(tuple(map(tuple, quad)))
            found[at] = region.holds(quad[:1]).any() or other.holds(region.outline[:1]).any()
    return found


def areas(
    bounds: Iterable[tuple[float, float, float, float]], size: tuple[int, int], margin: float
) -> list[Box]:
    """The boxes to look at so that each of the bounds (x0, y0, x1, y1) is seen with `margin` pixels round it.

    They lie within a picture of `size` (w, h). Boxes that would cost less as one are one.
    """
    found: list[Box] = []
    for x0, y0, x1, y1 in bounds:
        left, top = max(0, math.floor(x0 - margin)), max(0, math.floor(y0 - margin))
        right, bottom = min(size[0], math.ceil(x1 + margin)), min(size[1], math.ceil(y1 + margin))
        if right > left and bottom > top:
            found.append((left, top, right - left, bottom - top))
    return _merged(found)


def _merged(boxes: list[Box]) -> list[Box]:
    boxes = list(boxes)
    again = True
    while again:
        again = False
        for first in range(len(boxes)):
            for second in range(first + 1, len(boxes)):
                union = _union(boxes[first], boxes[second])
                if union[2] * union[3] <= sum(box[2] * box[3] for box in (boxes[first], boxes[second])):
                    boxes = [box for at, box in enumerate(boxes) if at not in (first, second)] + [union]
                    again = True
                    break
            if again:
                break
    return boxes


def _union(one: Box, two: Box) -> Box:
    x, y = min(one[0], two[0]), min(one[1], two[1])
    return (
        x,
        y,
        max(one[0] + one[2], two[0] + two[2]) - x,
        max(one[1] + one[3], two[1] + two[3]) - y,
    )
