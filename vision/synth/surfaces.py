"""Table tops: woods, stone, cloths, rugs, metal, as pictures in camera pixels."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

# How often each kind is drawn.
_KINDS = {
    "wood": 0.2,
    "planks": 0.1,
    "marble": 0.12,
    "felt": 0.1,
    "chequered": 0.07,
    "rug": 0.1,
    "plain": 0.12,
    "knit": 0.09,
    "pattern": 0.06,
    "print": 0.04,
}
_WOODS = ((40, 62, 96), (70, 110, 150), (120, 160, 190), (25, 35, 60), (150, 175, 195), (60, 90, 160))
_FELTS = (
    (50, 100, 20),
    (60, 110, 40),
    (120, 60, 20),
    (40, 30, 130),
    (60, 60, 60),
    (30, 30, 30),
    (90, 40, 90),
)


def noise(rng: np.random.Generator, size: tuple[int, int], cell: float, stretch: float = 1.0) -> F32:
    """Smooth noise about 0 with deviation about 1, (h, w) for a `size` of (w, h).

    Lumps are of `cell` pixels, longer along x by `stretch`.
    """
    width, height = size
    columns = max(2, int(width / (cell * stretch)) + 2)
    rows = max(2, int(height / cell) + 2)
    small = rng.normal(0, 1.25, (rows, columns)).astype(np.float32)
    return np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)


def surface(rng: np.random.Generator, size: tuple[int, int], tile_px: float) -> U8:
    """A random table top, (h, w, 3) BGR, its grain in proportion to a tile of `tile_px` width."""
    side = int(math.hypot(*size)) + 2  # drawn square, then turned and cut
    weights = np.asarray(list(_KINDS.values()))
    kind = str(rng.choice(list(_KINDS), p=weights / weights.sum()))
    image = _draw(kind, rng, side, max(tile_px, 8.0))
    matrix = cv2.getRotationMatrix2D((side / 2, side / 2), rng.uniform(0, 360), 1.0)
    matrix[:, 2] += np.asarray([size[0] / 2 - side / 2, size[1] / 2 - side / 2])
    turned = cv2.warpAffine(image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.clip(turned, 0, 255).astype(np.uint8)


def _draw(kind: str, rng: np.random.Generator, side: int, tile: float) -> F32:
    if kind in ("wood", "planks"):
        return _wood(rng, side, tile, planks=kind == "planks")
    if kind == "marble":
        return _marble(rng, side, tile)
    if kind == "felt":
        base = rng.choice(np.asarray(_FELTS)).astype(np.float32)
        fuzz = rng.normal(0, 1, (side, side)).astype(np.float32)
        return np.asarray(base * (1 + 0.06 * fuzz + 0.05 * noise(rng, (side, side), tile))[..., None])
    if kind == "chequered":
        return _chequered(rng, side, tile)
    if kind in ("rug", "knit"):
        return _woven(rng, side, tile, stretch=5 if kind == "rug" else 1.8)
    if kind == "pattern":
        return _pattern(rng, side, tile)
    if kind == "print":
        return _print(rng, side, tile)
    base = _colour(rng, 25, 245, 0.75)
    lumps = rng.uniform(0, 0.03) * noise(rng, (side, side), tile)[..., None]
    return np.asarray(base * (1 + lumps + rng.uniform(0, 0.03) * _fuzz(rng, side)))


def _colour(rng: np.random.Generator, low: float, high: float, grey: float) -> F32:
    base = rng.uniform(low, high)
    spread = (1 - grey) * 70
    return np.asarray(np.clip(base + rng.normal(0, spread, 3), 5, 250), np.float32)


def _flat(rng: np.random.Generator, side: int, low: float, high: float, grey: float) -> F32:
    image = np.empty((side, side, 3), np.float32)
    image[:] = _colour(rng, low, high, grey)
    return image


def _fuzz(rng: np.random.Generator, side: int) -> F32:
    return np.asarray(rng.normal(0, 1, (side, side, 1)), np.float32)


def _wood(rng: np.random.Generator, side: int, tile: float, *, planks: bool) -> F32:
    size = (side, side)
    tone = rng.choice(np.asarray(_WOODS)).astype(np.float32)
    fine, middle = noise(rng, size, tile * 0.08, 14), noise(rng, size, tile * 0.3, 20)
    grain = fine * 0.5 + middle * 0.7 + noise(rng, size, tile * 2, 3) * 0.5
    image = np.asarray(tone * (1 + rng.uniform(0.04, 0.2) * grain[..., None]), np.float32)
    if planks:
        wide = int(tile * rng.uniform(2, 6)) + 2
        for index, y in enumerate(range(0, side, wide)):
            image[y : y + wide] *= 1 + 0.1 * math.sin(index * 2.4 + rng.uniform(0, 1))
            image[y : y + max(1, int(tile * 0.05))] *= 0.5
    return image


def _marble(rng: np.random.Generator, side: int, tile: float) -> F32:
    size = (side, side)
    base = _colour(rng, 150, 235, 0.9)
    veins = np.abs(noise(rng, size, tile * 4) + 0.4 * noise(rng, size, tile))
    vein = np.exp(-((veins / rng.uniform(0.03, 0.12)) ** 2))[..., None]
    veined = base * (1 - 0.4 * vein * rng.uniform(0.3, 1))
    return np.asarray(veined * (1 + 0.03 * noise(rng, size, tile * 0.6)[..., None]))


def _chequered(rng: np.random.Generator, side: int, tile: float) -> F32:
    cell = tile * rng.uniform(0.5, 3)
    y, x = np.mgrid[0:side, 0:side].astype(np.float32)
    down, across = ((x // cell) % 2)[..., None], ((y // cell) % 2)[..., None]
    first, second = _colour(rng, 200, 245, 0.9), _colour(rng, 20, 160, 0.0)
    mix = (down + across) / 2 if rng.random() < 0.6 else np.abs(down - across)
    return np.asarray((first * (1 - mix) + second * mix) * (1 + 0.04 * _fuzz(rng, side)))


def _woven(rng: np.random.Generator, side: int, tile: float, *, stretch: float) -> F32:
    """Rugs and knitted cloth: two colours in threads and bands."""
    base, other = _colour(rng, 60, 210, 0.8), _colour(rng, 30, 220, 0.6)
    cell = max(2.0, tile * rng.uniform(0.06, 0.25))
    threads = noise(rng, (side, side), cell, stretch)
    bands = np.sign(noise(rng, (side, side), cell * 1.5, 60)) * 0.3
    mix = (1 / (1 + np.exp(-(threads + bands) * 2.5)))[..., None]
    return np.asarray((base * (1 - mix) + other * mix) * (1 + 0.1 * _fuzz(rng, side)))


def _pattern(rng: np.random.Generator, side: int, tile: float) -> F32:
    """Oilcloth: blobs and flowers."""
    image = _flat(rng, side, 90, 245, 0.7)
    for _ in range(int(rng.integers(10, 60))):
        x, y = (int(value) for value in rng.integers(0, side, 2))
        radius = max(2, int(tile * rng.uniform(0.1, 1)))
        colour = tuple(float(value) for value in _colour(rng, 20, 240, 0.0))
        angle = float(rng.uniform(0, 180))
        line = -1 if rng.random() < 0.6 else 2
        cv2.ellipse(image, (x, y), (radius, max(1, radius // 2)), angle, 0, 360, colour, line)
    return image


def _print(rng: np.random.Generator, side: int, tile: float) -> F32:
    """Paper with numbers: marks like text near tiles must not be taken for faces."""
    image = _flat(rng, side, 190, 250, 0.95)
    scale = tile / 30 * rng.uniform(0.3, 0.9)
    ink = tuple(float(value) for value in _colour(rng, 5, 90, 0.5))
    step, thick = max(6, int(scale * 30)), max(1, int(scale * 1.5))
    for y in range(step, side, step):
        text = " ".join(str(rng.integers(0, 2000)) for _ in range(14))
        start = (int(rng.integers(0, 20)), y)
        cv2.putText(image, text, start, cv2.FONT_HERSHEY_SIMPLEX, scale, ink, thick, cv2.LINE_AA)
    return image
