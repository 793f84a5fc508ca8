"""Parts of a picture: zones, what is not to be seen, and where a picture changed since another one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from vision.crops import BEYOND, Pyramid

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Bools = NDArray[np.bool_]
Box = tuple[int, int, int, int]
"""Pixels: x, y, width, height."""

FINE = (
    14  # pixels of a tile's width, about, when two pictures are compared: a digit's stroke is then one to two
)
LEAST_STEP = 10.0  # grey levels: less is never a change
NOISES = 6.0  # a change is as many times stronger than the picture's noise
WHITE = 250  # grey levels: what is as bright may be brighter than a picture can say
GLARE = 0.04  # of the brightness: what the correction of the light may be wrong by
LOCAL_LIGHT = 0.25  # most that one place may grow brighter than the rest, as a logarithm, and be mere light
LEAST_SHARE = 0.02  # of a square tile that must have changed
DARK = 8  # grey levels added before a ratio, so that noise in the dark does not count as light
PAD = 0.5  # tile widths round what changed


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


@dataclass(frozen=True)
class Trace:
    """What is kept of a picture to tell later what changed: its reduced pixels, how many times smaller they
    are, how many of them a tile is wide, and the picture's size (w, h)."""

    pixels: U8
    shrink: int
    tile: float
    size: tuple[int, int]

    @classmethod
    def of(cls, image: U8, tile_px: float, pyramid: Pyramid | None = None, *, fine: float = FINE) -> Trace:
        """Of a picture (h, w, 3) in which a tile is about `tile_px` wide, and about `fine` in the trace; a
        `pyramid` of it is used on.
        """
        if not tile_px > 0:
            raise ValueError(f"a tile is over 0 pixels wide, not {tile_px}")
        height, width = image.shape[:2]
        small = (pyramid or Pyramid(image)).halved(max(0, round(math.log2(tile_px / fine))))
        shrink = 2 ** round(math.log2(width / small.shape[1]))
        return cls(small, shrink, tile_px / shrink, (width, height))

    @cached_property
    def cells(self) -> F32:
        """The mean colours (h, w, 3) of cells of two tiles' width, by which the light is judged."""
        height, width = self.pixels.shape[:2]
        size = (max(1, round(width / (2 * self.tile))), max(1, round(height / (2 * self.tile))))
        # Halving is many times faster than weighing pixels, so little is left to weigh.
        halves = max(0, math.floor(math.log2(2 * self.tile)) - 1)
        small = cv2.resize(Pyramid(self.pixels).halved(halves), size, interpolation=cv2.INTER_AREA)
        return np.asarray(small.reshape(size[1], size[0], 3), np.float32)

    def light(self, later: Trace) -> F32:
        """How many times brighter each of the cells is lit in `later`, judged over ten tiles round it."""
        ratio = np.log((later.cells + DARK) / (self.cells + DARK))
        middle = np.median(ratio.reshape(-1, 3), axis=0).astype(np.float32)
        planes = [cv2.medianBlur(np.ascontiguousarray(ratio[..., at]), 5) for at in range(3)]
        local = np.clip(np.dstack(planes) - middle, -LOCAL_LIGHT, LOCAL_LIGHT) + middle
        return np.asarray(np.exp(local), np.float32)

    def renewed(self, later: Trace, regions: Sequence[Region]) -> Trace:
        """This trace, in the regions as `later` shows them, in this one's light."""
        where = np.zeros(self.pixels.shape[:2], np.bool_)
        for x, y, wide, tall in areas([region.bounds() for region in regions], self.size, 0):
            left, top = x // self.shrink, y // self.shrink
            where[top : -(-(y + tall) // self.shrink), left : -(-(x + wide) // self.shrink)] = True
        return self.renewed_where(later, where)

    def renewed_where(self, later: Trace, where: Bools) -> Trace:
        """This trace, where a mask (h, w) of its reduced pixels says so as `later` shows it, in this one's
        light.
        """
        pixels = self.pixels.copy()
        rows, columns = np.flatnonzero(where.any(axis=1)), np.flatnonzero(where.any(axis=0))
        if len(rows):
            part = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            seen, chosen = later.pixels[part], where[part]
            box = (int(columns[0]), int(rows[0]), seen.shape[1], seen.shape[0])
            here = _light_at(self.light(later), box, pixels.shape)
            pixels[part][chosen] = np.clip(np.round(seen / here), 0, 255)[chosen]
        return Trace(pixels, self.shrink, self.tile, self.size)

    def differs(self, later: Trace) -> Bools:
        """Where (h, w) of the reduced pixels `later` shows something else.

        Noise, another exposure, light that moves slowly over the table and a shake of a fraction of a pixel
        do not count.

        ValueError for pictures of two sizes, or in which a tile is not as wide.
        """
        if self.size != later.size or self.shrink != later.shrink:
            raise ValueError(f"only pictures of one size are compared, not {self.size} and {later.size}")
        if self.tile != later.tile:
            raise ValueError(f"only tiles of one width are compared, not {self.tile} and {later.tile} pixels")
        mask = _differs(self, later)
        if mask.any():
            side = max(3, round(self.tile))
            dense = cv2.boxFilter(mask.view(np.uint8), cv2.CV_16U, (side, side), normalize=False)
            mask &= dense >= LEAST_SHARE * self.tile**2
        return mask

    def changes(self, later: Trace, *, pad: float = PAD) -> list[Region]:
        """The rectangles in which `later` shows something else; see `changed`."""
        mask = self.differs(later)
        found = []
        around = pad * self.tile
        for x, y, width, height in _clusters(mask, self.tile / 3):
            if max(width, height) >= self.tile / 3:
                grown = (x - around, y - around, x + width + around, y + height + around)
                left, top, right, bottom = (value * self.shrink for value in grown)
                found.append((left, top, right, bottom))
        return [Region.box(*box) for box in areas(found, self.size, 0)]


def changed(before: U8, after: U8, *, tile_px: float, pad: float = PAD) -> list[Region]:
    """The rectangles in which a picture (h, w, 3) shows something else than the one before.

    `tile_px` is the width of a tile in pixels. What reaches over less than a third of it is no change, and
    neither is noise, another exposure, light that moves slowly over the table, or a shake of a fraction of a
    pixel. Each rectangle has `pad` tile widths round what changed. ValueError for pictures of two sizes.
    """
    return Trace.of(before, tile_px).changes(Trace.of(after, tile_px), pad=pad)


def _light_at(light: F32, part: Box, shape: tuple[int, ...]) -> F32:
    """The light (h, w, 3) over a part of a picture of `shape`, between its cells."""
    x, y, width, height = part
    step_x, step_y = light.shape[1] / shape[1], light.shape[0] / shape[0]
    matrix = np.asarray(
        [[step_x, 0, (x + 0.5) * step_x - 0.5], [0, step_y, (y + 0.5) * step_y - 0.5]], np.float64
    )
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(
        cv2.warpAffine(light, matrix, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE),
        np.float32,
    )


def _differs(first: Trace, second: Trace) -> Bools:
    """Where (h, w) the pictures differ by more than light, noise and a pixel's shift."""
    before, after, tile = first.pixels, second.pixels, first.tile
    height, width = before.shape[:2]
    shaded = cv2.resize(first.light(second), (width, height), interpolation=cv2.INTER_LINEAR).reshape(
        height, width, 3
    )
    expected = cv2.multiply(before, shaded, dtype=cv2.CV_8U).reshape(height, width, 3)
    away = cv2.absdiff(after, expected).reshape(height, width, 3)
    noise = 1.4826 * max(float(np.median(away[::5, ::5])), 0.5)
    step = max(LEAST_STEP, NOISES * noise)
    mask = np.zeros((height, width), np.bool_)
    # Most of the picture is as it was: only where it differs at all is a shift thought of.
    blue, green, red = cv2.split(away)
    most = cv2.max(cv2.max(blue, green), red)
    hits = np.asarray(most, np.uint8).reshape(height, width) > step
    for x, y, wide, tall in _clusters(hits, tile / 3):
        part = np.s_[max(0, y - 2) : y + tall + 2, max(0, x - 2) : x + wide + 2]
        one, two = expected[part].astype(np.float32), after[part].astype(np.float32)
        least = step + GLARE * one
        # White in a shade that has gone over it: how bright it was no picture says.
        bright = np.where(before[part] >= WHITE, np.float32(255), one)
        darker = np.maximum(_below(one, two), _above(two, one))
        brighter = np.maximum(_above(bright, two), _below(two, bright))
        mask[part] |= (np.maximum(darker, brighter) > least).any(axis=2)
    return mask


_REACH = np.ones((3, 3), np.uint8)


def _above(one: F32, two: F32) -> F32:
    """How far `two` lies above all that `one` shows within a pixel's reach."""
    return np.asarray(two - cv2.dilate(one, _REACH), np.float32)


def _below(one: F32, two: F32) -> F32:
    """How far `two` lies below all that `one` shows within a pixel's reach."""
    return np.asarray(cv2.erode(one, _REACH) - two, np.float32)


def _clusters(mask: Bools, reach: float) -> list[Box]:
    """The boxes of what lies together in a mask (h, w), across gaps of up to twice `reach` pixels."""
    if not mask.any():
        return []
    side = 2 * max(1, int(reach)) + 1
    near = cv2.dilate(mask.astype(np.uint8), np.ones((side, side), np.uint8))
    count, labels = cv2.connectedComponents(near)
    rows, columns = np.divmod(np.flatnonzero(mask), mask.shape[1])
    which = np.asarray(labels[rows, columns], np.int64) - 1
    low, high = np.full((2, count - 1), max(mask.shape)), np.zeros((2, count - 1), np.int64)
    for axis, values in enumerate((columns, rows)):
        np.minimum.at(low[axis], which, values)
        np.maximum.at(high[axis], which, values + 1)
    return [(x, y, right - x, foot - y) for x, y, right, foot in np.concatenate([low, high]).T.tolist()]
