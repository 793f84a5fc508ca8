"""Frames of a table at rest taken together: in dim light each has noise of its own, their mean has less.

A camera that has little light amplifies what it has. One frame then shows a leaning 8 as a 3 or as nothing,
four of them together what a lamp would show.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

if TYPE_CHECKING:
    from vision.pictures import Pixels
    from vision.sources.frames import Frame

MOST: Final = 4
"""Frames that are kept; at 4K each is 25 MB."""

NOISY: Final = 6.0
"""Grey levels by which the pixels of one frame vary where their mean is read: below, nothing is gained."""

_EVERY: Final = 16  # rows, of which one is enough to judge the noise
_DARK, _BRIGHT = 24, 231  # what is cut off at either end varies less than it would
_NORMAL: Final = 1.4826  # deviations of a normal distribution in its median distance from the middle


@dataclass(frozen=True)
class Steady:
    """The newest frames that were looked at, each with the time of its look in seconds, oldest first."""

    frames: tuple[tuple[float, Frame], ...] = ()

    def seen(self, frame: Frame, now: float) -> Steady:
        """With another one; a frame that is looked at again counts once."""
        if self.frames and self.frames[-1][1].pixels is frame.pixels:
            return self
        return Steady((*self.frames, (now, frame))[-MOST:])

    def picture(self, since: float) -> Pixels:
        """The newest frame (h, w, 3 BGR); if it is noisy, the mean of those that were looked at later than
        `since`, over which nothing may have moved.
        """
        still = [frame.pixels for at, frame in self.frames if at > since]
        newest = self.frames[-1][1].pixels
        if len(still) < 2 or noise_of(still[-2], newest) < NOISY:
            return newest
        mean = still[0]
        for count, pixels in enumerate(still[1:], 2):
            mean = np.asarray(cv2.addWeighted(mean, 1 - 1 / count, pixels, 1 / count, 0), np.uint8)
        mean.flags.writeable = False
        return mean


def noise_of(one: Pixels, other: Pixels) -> float:
    """By how many grey levels a pixel varies from frame to frame, from two (h, w, 3) of one scene; 0 for two
    that show nothing but black and white.
    """
    first, second = (np.asarray(picture[::_EVERY], np.int16) for picture in (one, other))
    graded = (first > _DARK) & (first < _BRIGHT)
    if not graded.any():
        return 0.0
    away = (second - first)[graded]
    return _NORMAL * float(np.median(np.abs(away - np.median(away)))) / 2**0.5
