"""What lens, sensor and codec do to a picture: colour cast, fall-off, blur, sharpening, noise, JPEG."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.surfaces import noise

U8 = NDArray[np.uint8]


def develop(image: U8, rng: np.random.Generator, *, tile_px: float) -> U8:
    """The camera's picture of a rendered scene, (h, w, 3) BGR in and out."""
    height, width = image.shape[:2]
    out = np.asarray(image.astype(np.float32) / 255, np.float32)
    out *= _light_map(rng, (width, height), tile_px)[..., None]
    warm = rng.normal(0.01, 0.065)
    cast = np.asarray([1 - warm * 1.3, 1 + rng.normal(0, 0.02), 1 + warm], np.float32)
    out *= cast * _exposure(rng)
    if rng.random() < 0.3:  # veiling light
        veil = rng.uniform(0, 0.12)
        out = out * (1 - veil) + veil
    gamma = float(np.exp(rng.normal(0, 0.16)))
    out = np.power(np.clip(out, 0, 1), gamma)
    if rng.random() < 0.5:
        grey = out.mean(axis=2, keepdims=True)
        out = np.asarray(grey + (out - grey) * rng.uniform(0.6, 1.3), np.float32)
    if rng.random() < 0.4:  # contrast about the middle
        out = (out - 0.5) * rng.uniform(0.8, 1.2) + 0.5
    out = _blur(out, rng, tile_px)
    if rng.random() < 0.35:
        soft = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.8, 2.0))
        out = out + (out - soft) * rng.uniform(0.3, 1.5)
    strength = float(np.exp(rng.uniform(math.log(0.002), math.log(0.045))))
    grain = rng.standard_normal((height, width, 3), dtype=np.float32)
    if rng.random() < 0.5:  # demosaiced noise is coarse and partly grey
        grain = cv2.GaussianBlur(grain, (0, 0), 0.7) * 1.8
        grain = grain * 0.5 + grain.mean(axis=2, keepdims=True)
    out += grain * strength * np.sqrt(np.clip(out, 0.05, 1))
    result = (np.clip(out, 0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.75:
        result = _codec(result, rng)
    return result


def _exposure(rng: np.random.Generator) -> float:
    return float(rng.uniform(0.45, 0.8)) if rng.random() < 0.2 else float(rng.uniform(0.8, 1.12))


def _light_map(rng: np.random.Generator, size: tuple[int, int], tile_px: float) -> NDArray[np.float32]:
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


def _blur(out: NDArray[np.float32], rng: np.random.Generator, tile_px: float) -> NDArray[np.float32]:
    # Defocus in proportion to the tile: a blur that a big tile bears would erase a small one.
    limit = min(2.4, 0.03 * tile_px)
    draw = rng.random()
    if draw < 0.6:
        return np.asarray(cv2.GaussianBlur(out, (0, 0), max(0.25, limit * rng.random() ** 1.5)), np.float32)
    if draw < 0.7:
        length = max(2, int(limit * 2.2))
        kernel = np.zeros((length, length), np.float32)
        tip = (length - 1) / 2 * np.asarray([math.cos(a := rng.uniform(0, math.pi)), math.sin(a)])
        middle = (length - 1) / 2
        cv2.line(
            kernel,
            (round(middle - tip[0]), round(middle - tip[1])),
            (round(middle + tip[0]), round(middle + tip[1])),
            1.0,
            1,
        )
        return np.asarray(cv2.filter2D(out, -1, kernel / kernel.sum()), np.float32)
    if draw < 0.8:  # seen small, enlarged by the device
        share = rng.uniform(0.5, 0.9)
        if tile_px * share < 14:
            return out
        height, width = out.shape[:2]
        small = cv2.resize(out, (int(width * share), int(height * share)), interpolation=cv2.INTER_AREA)
        return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    return out


def _codec(image: U8, rng: np.random.Generator) -> U8:
    quality = int(rng.integers(35, 97))
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise RuntimeError("the JPEG encoder refused a rendered picture")
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
