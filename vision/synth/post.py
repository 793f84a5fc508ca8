"""What lens, sensor and codec do to a picture: colour cast, blur, sharpening, noise, JPEG, video."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.h264 import streamed
from vision.synth.surfaces import noise

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
_SMALL = 40.0  # pixels of a tile's width: digits of 12 to 16 pixels
#: What encoders do to colour: how many pixels share one.
_SAMPLING = (0x411111, 0x221111, 0x211111, 0x111111)  # 4:1:1, 4:2:0, 4:2:2, none


def develop(image: U8, rng: np.random.Generator, *, tile_px: float, ceiling: bool = False) -> U8:
    """The camera's picture of a rendered scene, (h, w, 3) BGR in and out.

    `ceiling`: a small fixed camera that streams, with more noise, dimmer light and video artefacts. Raises
    CodecMissingError where a picture is to pass through H.264 and PyAV is not installed.
    """
    height, width = image.shape[:2]
    out = np.asarray(image.astype(np.float32) / 255, np.float32)
    out *= _light_map(rng, (width, height), tile_px)[..., None]
    warm = rng.normal(0.01, 0.065)
    cast = np.asarray([1 - warm * 1.3, 1 + rng.normal(0, 0.02), 1 + warm], np.float32)
    dim = rng.random() < (0.35 if ceiling else 0.2)
    out *= cast * np.float32(rng.uniform(0.4, 0.8) if dim else rng.uniform(0.8, 1.12))
    if rng.random() < 0.3:  # veiling light
        veil = rng.uniform(0, 0.12)
        out = out * (1 - veil) + veil
    gamma = float(np.exp(rng.normal(0, 0.16)))
    out = np.power(np.clip(out, 0, 1), np.float32(gamma))
    if rng.random() < 0.5:
        grey = out.mean(axis=2, keepdims=True)
        out = np.asarray(grey + (out - grey) * np.float32(rng.uniform(0.6, 1.3)), np.float32)
    if rng.random() < 0.4:  # contrast about the middle
        out = (out - np.float32(0.5)) * np.float32(rng.uniform(0.8, 1.2)) + np.float32(0.5)
    out = _blur(out, rng, tile_px)
    if rng.random() < 0.03:
        out = _smear(out, rng.uniform(0, math.pi), min(9.0, 0.12 * tile_px) * rng.uniform(0.3, 1))
    gain = 1.6 if dim else 1.0  # short exposures in little light are amplified
    halo = rng.random() < (0.45 if ceiling else 0.35)
    late = rng.random() < 0.5  # cameras sharpen after the sensor's noise, phones remove it first
    if halo and not late:
        out = _sharpen(out, rng)
    _noise(out, rng, gain, ceiling=ceiling)
    if halo and late:
        out = _sharpen(out, rng)
    result = (np.clip(out, 0, 1) * 255).astype(np.uint8)
    if rng.random() < (0.25 if ceiling else 0.15):
        # Beyond it an encoder makes other digits out of small ones, which nobody can read as they were.
        result = streamed(result, rng, crf=int(rng.integers(23, 39 if tile_px > _SMALL else 34)))
    if rng.random() < 0.75:
        result = _codec(result, rng, worst=35 if tile_px > _SMALL else 45)
    return result


def _sharpen(out: F32, rng: np.random.Generator) -> F32:
    soft = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.8, 2.4))
    return np.asarray(out + (out - soft) * np.float32(rng.uniform(0.3, 1.7)), np.float32)


def _noise(out: F32, rng: np.random.Generator, gain: float, *, ceiling: bool) -> None:
    """Adds the sensor's noise in place: grain, and now and then stripes and stuck pixels."""
    height, width = out.shape[:2]
    low, high = (0.005, 0.05) if ceiling else (0.002, 0.045)
    strength = min(0.065, gain * float(np.exp(rng.uniform(math.log(low), math.log(high)))))
    grain = rng.standard_normal((height, width, 3), dtype=np.float32)
    if rng.random() < 0.5:  # demosaiced noise is coarse and partly grey
        grain = np.asarray(cv2.GaussianBlur(grain, (0, 0), 0.7) * 1.8, np.float32)
        grain = grain * np.float32(0.5) + cv2.transform(grain, np.full((1, 3), 1 / 3, np.float32))[..., None]
    out += grain * np.float32(strength) * np.sqrt(np.clip(out, 0.05, 1))
    if rng.random() < (0.35 if ceiling else 0.12):
        stripes = np.float32(strength * rng.uniform(0.1, 0.45))
        out += stripes * rng.standard_normal((height, 1, 1), dtype=np.float32)
        out += stripes * rng.standard_normal((1, width, 1), dtype=np.float32)
        hot = int(rng.integers(0, max(2, height * width // 20000)))
        out[rng.integers(0, height, hot), rng.integers(0, width, hot), rng.integers(0, 3, hot)] += 0.4


def _smear(out: F32, angle: float, length: float) -> F32:
    """The picture while the camera or the table moved by `length` pixels."""
    side = max(3, int(length) + 2) | 1
    middle = (side - 1) / 2
    kernel = np.zeros((side, side), np.float32)
    for step in np.linspace(-length / 2, length / 2, side * 4):
        x, y = middle + step * math.cos(angle), middle + step * math.sin(angle)
        kernel[round(y), round(x)] += 1
    return np.asarray(cv2.filter2D(out, -1, kernel / kernel.sum()), np.float32)


def _disc(radius: float) -> F32:
    """The kernel of a lens out of focus: a disc of `radius` pixels with a soft rim."""
    half = math.ceil(radius)
    y, x = np.mgrid[-half : half + 1, -half : half + 1].astype(np.float32)
    kernel = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)
    return np.asarray(kernel / kernel.sum(), np.float32)


def _light_map(rng: np.random.Generator, size: tuple[int, int], tile_px: float) -> F32:
    width, height = size
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    angle = rng.uniform(0, 2 * math.pi)
    slope = ((x / width - 0.5) * math.cos(angle) + (y / height - 0.5) * math.sin(angle)) * rng.uniform(
        0, 0.45
    )
    light = 1 + slope + 0.05 * rng.random() * noise(rng, size, max(width, height) / 3)
    if rng.random() < 0.25:  # the edge of a shadow, of a head or a lamp shade, over tiles and table alike
        line = (x - rng.uniform(0, width)) * math.cos(angle) + (y - rng.uniform(0, height)) * math.sin(angle)
        soft = tile_px * rng.uniform(0.05, 2)
        light *= 1 - rng.uniform(0.15, 0.5) / (1 + np.exp(-np.clip(line / soft, -30, 30)))
    if rng.random() < 0.12:  # a patch of glare
        spot = rng.uniform(0, 1, 2) * (width, height)
        radius = tile_px * rng.uniform(1, 5)
        light += rng.uniform(0.1, 0.6) * np.exp(-(((x - spot[0]) ** 2 + (y - spot[1]) ** 2) / radius**2))
    return np.asarray(light, np.float32)


def _blur(out: F32, rng: np.random.Generator, tile_px: float) -> F32:
    # Defocus in proportion to the tile: a blur that a big tile bears would erase a small one.
    limit = min(2.4, 0.03 * tile_px)
    draw = rng.random()
    if draw < 0.42:
        return np.asarray(cv2.GaussianBlur(out, (0, 0), max(0.25, limit * rng.random() ** 1.5)), np.float32)
    if draw < 0.6:
        # A disc blurs about as much as a Gaussian of half its radius.
        return np.asarray(cv2.filter2D(out, -1, _disc(max(0.5, 2 * limit * rng.random() ** 1.5))), np.float32)
    if draw < 0.7:
        return _smear(out, rng.uniform(0, math.pi), max(1.0, limit * 2.2 * rng.random()))
    if draw < 0.8:  # seen small, enlarged by the device
        share = rng.uniform(0.5, 0.9)
        if tile_px * share < 14:
            return out
        height, width = out.shape[:2]
        small = cv2.resize(out, (int(width * share), int(height * share)), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    return out


def _codec(image: U8, rng: np.random.Generator, *, worst: int) -> U8:
    quality = int(rng.integers(worst, 97))
    sampling = int(rng.choice(_SAMPLING, p=[0.1, 0.5, 0.2, 0.2]))
    options = [cv2.IMWRITE_JPEG_QUALITY, quality, cv2.IMWRITE_JPEG_SAMPLING_FACTOR, sampling]
    done, data = cv2.imencode(".jpg", image, options)
    if not done:
        raise RuntimeError("the JPEG encoder refused a rendered picture")
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
