"""Where a picture shows something else than one before: by traces, which are what is kept of each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from weakref import ReferenceType, ref

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import Pyramid
from vision.regions import Box, Region, areas

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Bools = NDArray[np.bool_]

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


@dataclass(frozen=True)
class Trace:
    """What is kept of a picture to tell later what changed: its reduced pixels, how many times smaller they
    are, how many of them a tile is wide, and the picture's size (w, h)."""

    pixels: U8
    shrink: int
    tile: float
    size: tuple[int, int]
    _lit: list[tuple[ReferenceType[Trace], F32]] = field(default_factory=list, repr=False, compare=False)
    """The trace that the light was last judged against, and that light; it is not kept alive by that."""

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
        # What changed is told by it, and then taken over in it.
        if self._lit and self._lit[0][0]() is later:
            return self._lit[0][1]
        ratio = np.log((later.cells + DARK) / (self.cells + DARK))
        middle = np.median(ratio.reshape(-1, 3), axis=0).astype(np.float32)
        planes = [cv2.medianBlur(np.ascontiguousarray(ratio[..., at]), 5) for at in range(3)]
        local = np.clip(np.dstack(planes) - middle, -LOCAL_LIGHT, LOCAL_LIGHT) + middle
        light = np.asarray(np.exp(local), np.float32)
        self._lit[:] = [(ref(later), light)]
        return light

    def renewed(self, later: Trace, regions: Sequence[Region]) -> Trace:
        """This trace, in the regions as `later` shows them, in this one's light."""
        pixels = self.pixels.copy()
        for x, y, wide, tall in areas([region.bounds() for region in regions], self.size, 0):
            left, top = x // self.shrink, y // self.shrink
            right, foot = -(-(x + wide) // self.shrink), -(-(y + tall) // self.shrink)
            part = np.s_[top:foot, left:right]
            pixels[part] = self._as_lit_here(later, part)
        return Trace(pixels, self.shrink, self.tile, self.size)

    def renewed_where(self, later: Trace, where: Bools) -> Trace:
        """This trace, where a mask (h, w) of its reduced pixels says so as `later` shows it, in this one's
        light.
        """
        pixels = self.pixels.copy()
        rows, columns = np.flatnonzero(where.any(axis=1)), np.flatnonzero(where.any(axis=0))
        if len(rows):
            part = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
            chosen = where[part]
            pixels[part][chosen] = self._as_lit_here(later, part)[chosen]
        return Trace(pixels, self.shrink, self.tile, self.size)

    def _as_lit_here(self, later: Trace, part: tuple[slice, slice]) -> U8:
        """A part of the pixels of `later` in this one's light."""
        seen = later.pixels[part]
        box = (int(part[1].start), int(part[0].start), seen.shape[1], seen.shape[0])
        here = _light_at(self.light(later), box, self.pixels.shape)
        return np.asarray(np.clip(np.round(seen / here), 0, 255), np.uint8)

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
        side = max(3, round(self.tile))
        found = np.zeros(mask.shape, np.bool_)
        # Further away than a side no place counts what lies in another one.
        for part in _around(_clusters(mask, side), side, mask.shape):
            dense = cv2.boxFilter(mask[part].view(np.uint8), cv2.CV_16U, (side, side), normalize=False)
            found[part] |= mask[part] & (dense.reshape(mask[part].shape) >= LEAST_SHARE * self.tile**2)
        return found

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
    light = first.light(second)
    expected = before
    if float(np.abs(light - 1).max()) * 255 >= 0.5:  # else no grey level would become another
        shaded = cv2.resize(light, (width, height), interpolation=cv2.INTER_LINEAR)
        lit = cv2.multiply(before, shaded.reshape(before.shape), dtype=cv2.CV_8U)
        expected = np.asarray(lit, np.uint8).reshape(before.shape)
    away = np.asarray(cv2.absdiff(after, expected), np.uint8).reshape(before.shape)
    noise = 1.4826 * max(_median(away[::5, ::5]), 0.5)
    step = max(LEAST_STEP, NOISES * noise)
    mask = np.zeros((height, width), np.bool_)
    # Most of the picture is as it was: only where it differs at all is a shift thought of.
    blue, green, red = cv2.split(away)
    most = cv2.max(cv2.max(blue, green), red)
    hits = np.asarray(most, np.uint8).reshape(height, width) > step
    for part in _around(_clusters(hits, tile / 3), 2, hits.shape):
        one, two = expected[part], after[part]
        # White in a shade that has gone over it: how bright it was no picture says.
        bright = np.where(before[part] >= WHITE, np.uint8(255), one).astype(np.uint8)
        darker = cv2.max(_below(one, two), _above(two, one))
        brighter = cv2.max(_above(bright, two), _below(two, bright))
        least = step + np.float32(GLARE) * one
        mask[part] |= (cv2.max(darker, brighter).reshape(one.shape) > least).any(axis=2)
    return mask


_REACH = np.ones((3, 3), np.uint8)


def _above(one: U8, two: U8) -> U8:
    """How far `two` lies above all that `one` shows within a pixel's reach; 0 where it does not."""
    return np.asarray(cv2.subtract(two, cv2.dilate(one, _REACH)), np.uint8)


def _below(one: U8, two: U8) -> U8:
    """How far `two` lies below all that `one` shows within a pixel's reach; 0 where it does not."""
    return np.asarray(cv2.subtract(cv2.erode(one, _REACH), two), np.uint8)


def _median(levels: U8) -> float:
    """The middle one of grey levels, by counting; of two that are in the middle the lower one."""
    counts = np.bincount(levels.ravel(), minlength=256).cumsum()
    return float(np.searchsorted(counts, (counts[-1] + 1) // 2))


def _around(boxes: Iterable[Box], reach: int, shape: tuple[int, ...]) -> list[tuple[slice, slice]]:
    """The rows and columns of boxes with `reach` pixels round each, within a picture of `shape` (h, w)."""
    return [
        np.s_[
            max(0, y - reach) : min(shape[0], y + tall + reach),
            max(0, x - reach) : min(shape[1], x + wide + reach),
        ]
        for x, y, wide, tall in boxes
    ]


def _clusters(mask: Bools, reach: float) -> list[Box]:
    """The boxes of what lies together in a mask (h, w), across gaps of up to twice `reach` pixels."""
    lines = [np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0)]
    if not len(lines[0]):
        return []
    side = 2 * max(1, int(reach)) + 1
    # Most of a picture is as it was: what is empty is left out, but for gaps that keep apart what is.
    kept = [_near(line, side, size) for line, size in zip(lines, mask.shape, strict=True)]
    small = mask[np.ix_(*kept)]
    near = cv2.dilate(small.astype(np.uint8), np.ones((side, side), np.uint8))
    count, labels = cv2.connectedComponents(near)
    rows, columns = np.nonzero(small)
    which = np.asarray(labels[rows, columns], np.int64) - 1
    low, high = np.full((2, count - 1), max(mask.shape)), np.zeros((2, count - 1), np.int64)
    for axis, values in enumerate((kept[1][columns], kept[0][rows])):
        np.minimum.at(low[axis], which, values)
        np.maximum.at(high[axis], which, values + 1)
    return [(x, y, right - x, foot - y) for x, y, right, foot in np.concatenate([low, high]).T.tolist()]


def _near(places: NDArray[np.intp], reach: int, size: int) -> NDArray[np.intp]:
    """Which of the lines 0 to `size` are at most `reach` from one of the places."""
    steps = np.zeros(size + 1, np.int64)
    np.add.at(steps, np.maximum(places - reach, 0), 1)
    np.add.at(steps, np.minimum(places + reach + 1, size), -1)
    return np.flatnonzero(np.cumsum(steps[:-1]) > 0)
