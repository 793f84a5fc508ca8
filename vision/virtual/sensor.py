"""From light to a frame: blur, vignette, exposure, flicker of the mains, noise new in every frame, JPEG."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from vision.virtual.pieces import Switches
    from vision.virtual.setting import Setting
    from vision.virtual.shading import Box

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

_FIELD: Final = 512  # pixels after which noise repeats within a frame
_ROOM: Final = 256  # pixels, each way, by which the field of noise is shifted from frame to frame
_TOP: Final = 1.25  # the gain that is stored as 255
_STRIPS: Final = 90  # of the frame, for gains that change from row to row
_READOUT_S: Final = 0.025  # from the first row to the last


class Sensor:
    """Makes frames of a setting's pictures, (h, w, 3) BGR."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._gain = _gain_map(setting)
        self._brighter, self._darker = _noise_fields(setting)

    def develop(self, picture: U8, into: U8, box: Box, *, blur_px: float) -> None:
        """What of a picture a box of the sensor gathers, written there; the same whatever the box."""
        left, top, right, bottom = box
        sigma = math.hypot(self._setting.sensor.blur_px, blur_px)
        gain = self._gain[top:bottom, left:right]
        view = picture[top:bottom, left:right]
        if sigma >= 0.15:
            pad, (height, width) = self.margin(blur_px), picture.shape[:2]
            x0, y0, x1, y1 = (
                max(0, left - pad),
                max(0, top - pad),
                min(width, right + pad),
                min(height, bottom + pad),
            )
            wide = cv2.GaussianBlur(picture[y0:y1, x0:x1], (2 * pad + 1, 2 * pad + 1), sigma)
            view = np.asarray(wide, np.uint8)[top - y0 : bottom - y0, left - x0 : right - x0]
        cv2.multiply(view, gain, dst=into[top:bottom, left:right], scale=_TOP / 255)

    def margin(self, blur_px: float) -> int:
        """By how many pixels the blur spreads what changed."""
        sigma = math.hypot(self._setting.sensor.blur_px, blur_px)
        return max(1, math.ceil(3 * sigma)) if sigma >= 0.15 else 0

    def frame(self, developed: U8, at: float, switches: Switches) -> U8:
        """A new frame (h, w, 3) of the moment, in seconds; the same moment gives the same frame."""
        shot = self._exposed(developed, at, switches)
        if switches.noise:
            rng = np.random.default_rng([self._setting.seed, 306, abs(round(at * 1e6))])
            height, width = shot.shape[:2]
            for field, change in ((self._brighter, cv2.add), (self._darker, cv2.subtract)):
                x, y = (int(value) for value in rng.integers(0, _ROOM, 2))
                change(shot, field[y : y + height, x : x + width], dst=shot)
        if switches.jpeg is not None:
            shot = _packed(shot, switches.jpeg)
        return shot

    def _exposed(self, developed: U8, at: float, switches: Switches) -> U8:
        sensor = self._setting.sensor
        gain = switches.exposure
        if switches.drift and sensor.drift:
            phase = self._setting.seed % 97
            gain *= 1 + sensor.drift * math.sin(2 * math.pi * at / sensor.drift_s + phase)
        if not switches.flicker or not sensor.flicker:
            if abs(gain - 1) < 1e-9:
                return developed.copy()
            return np.asarray(cv2.convertScaleAbs(developed, alpha=gain), np.uint8)
        shot = np.empty_like(developed)
        height = developed.shape[0]
        step = -(-height // _STRIPS)
        for top in range(0, height, step):
            moment = at + (top + step / 2) / height * _READOUT_S
            lamp = 1 + sensor.flicker * math.cos(4 * math.pi * sensor.mains_hz * moment)
            rows = slice(top, top + step)
            cv2.convertScaleAbs(developed[rows], dst=shot[rows], alpha=gain * lamp)
        return shot


def _gain_map(setting: Setting) -> U8:
    """(h, w, 3) gains of the sensor at each pixel, 255 for the highest."""
    width, height = setting.size
    sensor = setting.sensor
    x = (np.arange(width, dtype=np.float32) + 0.5) / width - 0.5
    y = (np.arange(height, dtype=np.float32) + 0.5) / height - 0.5
    away = (x[None] ** 2 + y[:, None] ** 2) * 2  # 1 in the corners
    fall = (1 - sensor.vignette * away)[..., None] * np.asarray(sensor.cast, np.float32) * sensor.gain
    return np.asarray(np.clip(np.rint(fall * (255 / _TOP)), 0, 255), np.uint8)


def _noise_fields(setting: Setting) -> tuple[U8, U8]:
    """What a frame's noise adds and what it takes away, larger than a frame."""
    rng = np.random.default_rng([setting.seed, 307])
    sensor = setting.sensor
    grain = rng.standard_normal((_FIELD, _FIELD, 3), dtype=np.float32)
    if sensor.coarse:  # as in vision.synth.post: demosaiced
        soft = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.7), np.float32) * 1.8
        grey = cv2.transform(soft, np.full((1, 3), 1 / 3, np.float32))
        grain = np.asarray(soft * 0.5 + np.asarray(grey)[..., None], np.float32)
    # Both fields are shifted on their own; each half of a normal distribution has 0.58 of its deviation.
    grain *= np.float32(sensor.noise * 1.21)
    times = tuple(-(-(side + _ROOM) // _FIELD) for side in (setting.size[1], setting.size[0]))
    fields = (np.maximum(grain, 0), np.maximum(-grain, 0))
    brighter, darker = (
        np.tile(np.clip(np.rint(field), 0, 255).astype(np.uint8), (*times, 1)) for field in fields
    )
    return brighter, darker


def _packed(frame: U8, quality: int) -> U8:
    done, data = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise RuntimeError("the JPEG encoder refused a rendered frame")
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
