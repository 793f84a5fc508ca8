"""Hands and arms among what differs from the settled table: what comes in over its edge, and is no tile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.seeing.ground import Ground
    from vision.traces import Trace

Bools = NDArray[np.bool_]
U8 = NDArray[np.uint8]
Ints = NDArray[np.intp]

LARGE_TILES: Final = 3.0
"""Tiles' areas: what is smaller may be a tile or two, and is told from a hand by its moving alone."""

REACH_MM: Final = 150.0
"""An arm reaches further in than a rack is deep."""

MOST: Final = 0.6
"""Of the table: where as much differs, the light or the camera changed, and no arm is so large."""

_FAMILIAR: Final = 0.0004  # of the table: colours that are on less of it do not count as its own
_ALIKE: Final = 0.75  # share of a body's pixels that have colours of the table
_RIM_PIXELS: Final = 3
_CHROMA, _LUMA = 24, 10


@dataclass(frozen=True)
class Body:
    """Something large that was not there: its pixels (h, w), and whether it is all in colours of the table.

    `arm` says that it comes in over the table's edge, as only who plays does, `deep` that it reaches further
    in than a rack.
    """

    mask: Bools
    arm: bool
    familiar: bool
    deep: bool

    @property
    def shallow(self) -> bool:
        """Whether it may be a rack that tiles were taken from, or a hand over it of the tiles' colour."""
        return self.familiar and not self.deep


def bodies(ground: Ground, reference: Trace, now: Trace, away: Bools) -> list[Body]:
    """What of the difference (h, w) to the settled picture may be a hand or an arm; in colours of the table
    only what comes in over its edge.

    What was taken away, so that the table shows again, is none; neither is a change of the whole picture.
    """
    if np.count_nonzero(away) > MOST * np.count_nonzero(ground.table):
        return []
    reach = max(1, round(ground.tile / 4))
    closed = cv2.morphologyEx(
        away.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)
    )
    count, labels, stats, _ = cv2.connectedComponentsWithStats(closed)
    large = [at for at in range(1, count) if stats[at, cv2.CC_STAT_AREA] >= LARGE_TILES * ground.tile_area]
    if not large:
        return []
    own = _colours(reference, ground.table & ~away)
    found = []
    for at in large:
        mask = np.asarray(labels == at, np.bool_)
        solid = mask & away if np.count_nonzero(mask & away) else mask
        is_own, was_own = own.share(now.pixels[solid]), own.share(reference.pixels[solid])
        if is_own >= _ALIKE and was_own < is_own - 0.25:
            continue  # something foreign lay here, and the table shows again
        at_rim = np.count_nonzero(mask & ground.rim) >= _RIM_PIXELS
        deep = at_rim and float(ground.depth[mask].max()) >= REACH_MM
        familiar = is_own >= _ALIKE
        if at_rim or not familiar:
            found.append(Body(mask, bool(at_rim), familiar, bool(deep)))
    return found


@dataclass(frozen=True)
class _Own:
    """Which bins of colour the table has, and how bright its middle is."""

    known: Bools
    middle: float

    def share(self, pixels: U8) -> float:
        """How many of some pixels (n, 3) have colours of the table, 0 to 1."""
        return float(self.known[_bins(pixels, self.middle)].mean())


def _colours(trace: Trace, where: Bools) -> _Own:
    sample = np.s_[::2, ::2]  # enough to know which colours there are
    chosen = where[sample] if where[sample].any() else np.ones_like(where[sample])
    pixels = trace.pixels[sample][chosen]
    middle = max(1.0, float(np.median(pixels[:, 1])))
    counts = np.bincount(_bins(pixels, middle), minlength=_CHROMA * _CHROMA * _LUMA)
    known = (counts >= max(2.0, _FAMILIAR * len(pixels))).reshape(_LUMA, _CHROMA, _CHROMA)
    wide = np.stack([cv2.dilate(layer, np.ones((3, 3), np.uint8)) for layer in known.astype(np.uint8)])
    near = wide.astype(np.bool_)
    lighter, darker = near[:-1].copy(), near[1:].copy()
    near[1:] |= lighter
    near[:-1] |= darker
    return _Own(near.ravel(), middle)


def _bins(pixels: U8, middle: float) -> Ints:
    """(n,): the bin of each pixel (n, 3 BGR) by hue and by its brightness against the table's."""
    blue, green, red = (pixels[:, at].astype(np.float32) + 6 for at in range(3))
    total = (blue + green + red) / _CHROMA
    bright = 2 * np.log2(np.maximum(np.maximum(blue, green), red) / middle) + 0.6 * _LUMA
    light = np.clip(bright, 0, _LUMA - 1).astype(np.intp)
    first, second = (np.minimum(one / total, _CHROMA - 1).astype(np.intp) for one in (blue, green))
    return np.asarray((light * _CHROMA + first) * _CHROMA + second, np.intp)
