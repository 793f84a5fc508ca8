"""Table tops and floors: woods, stone, cloths, rugs, tiles, printed boards, as pictures in camera pixels."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

_WOODS = (
    (40, 62, 96),
    (70, 110, 150),
    (120, 160, 190),
    (25, 35, 60),
    (150, 175, 195),
    (60, 90, 160),
    (30, 70, 120),
)
_FELTS = (
    (50, 100, 20),
    (60, 110, 40),
    (120, 60, 20),
    (40, 30, 130),
    (60, 60, 60),
    (30, 30, 30),
    (90, 40, 90),
)
#: Full colours of chequered cloths, BGR.
_CLOTHS = (
    (40, 30, 190), (50, 45, 150), (160, 80, 30), (130, 60, 40), (70, 120, 40), (50, 90, 30), (40, 40, 40),
    (60, 180, 235), (40, 140, 230), (150, 110, 220), (60, 80, 120), (150, 150, 150), (190, 150, 60),
    (120, 40, 100),
)  # fmt: skip


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
    return _turned(rng, size, tile_px, KINDS)


def floor(rng: np.random.Generator, size: tuple[int, int], tile_px: float) -> U8:
    """A random floor seen beyond the table's edge, (h, w, 3) BGR: planks, tiles, carpet; a little dark."""
    image = _turned(rng, size, tile_px, _FLOORS)
    return np.asarray(cv2.convertScaleAbs(image, alpha=rng.uniform(0.45, 0.9)), np.uint8)


#: Draws a square (side, side, 3) BGR about 0..255; its grain is in proportion to a tile of so many pixels.
Draw = Callable[[np.random.Generator, int, float], F32]
Picture = Callable[[np.random.Generator, tuple[int, int], float], U8]


def _turned(rng: np.random.Generator, size: tuple[int, int], tile_px: float, kinds: dict[Draw, float]) -> U8:
    side = int(math.hypot(*size)) + 2  # drawn square, then turned and cut
    weights = np.asarray(list(kinds.values()))
    draw = list(kinds)[int(rng.choice(len(kinds), p=weights / weights.sum()))]
    image = np.clip(draw(rng, side, max(tile_px, 8.0)), 0, 255).astype(np.uint8)
    angle = (
        float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 4) if rng.random() < 0.4 else rng.uniform(0, 360)
    )
    matrix = cv2.getRotationMatrix2D((side / 2, side / 2), angle, 1.0)
    matrix[:, 2] += np.asarray([size[0] / 2 - side / 2, size[1] / 2 - side / 2])
    turned = cv2.warpAffine(image, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    return np.asarray(turned, np.uint8)


def _colour(rng: np.random.Generator, low: float, high: float, grey: float) -> F32:
    base = rng.uniform(low, high)
    spread = (1 - grey) * 70
    return np.asarray(np.clip(base + rng.normal(0, spread, 3), 5, 250), np.float32)


def _pick(rng: np.random.Generator, pool: tuple[tuple[int, int, int], ...], spread: float) -> F32:
    return np.asarray(
        np.clip(np.asarray(pool[rng.integers(len(pool))]) + rng.normal(0, spread, 3), 5, 250), np.float32
    )


def _flat(colour: F32, side: int) -> F32:
    image = np.empty((side, side, 3), np.float32)
    image[:] = colour
    return image


def _fuzz(rng: np.random.Generator, side: int, strength: float) -> F32:
    """Gains (side, side, 1) of fine grain, the same in squares far apart: nobody sees it, and it is quick."""
    patch = rng.standard_normal((256, 256), dtype=np.float32) * np.float32(strength) + 1
    times = side // 256 + 1
    return np.asarray(np.tile(patch, (times, times))[:side, :side, None], np.float32)


def _mix(first: F32, second: F32, share: F32) -> F32:
    """Two colours mixed by a map (h, w) 0..1."""
    return np.asarray(first + share[..., None] * (second - first), np.float32)


def _line(side: int) -> F32:
    return np.arange(side, dtype=np.float32)


def _soft_step(values: F32) -> F32:
    """0 or 1 with an edge of a pixel, for values that are positive inside."""
    return np.asarray(np.clip(values + 0.5, 0, 1), np.float32)


def _wood(rng: np.random.Generator, side: int, tile: float) -> F32:
    size = (side, side)
    tone = _pick(rng, _WOODS, 8)
    fine, middle = noise(rng, size, tile * 0.08, 14), noise(rng, size, tile * 0.3, 20)
    grain = fine * 0.5 + middle * 0.7 + noise(rng, size, tile * 2, 3) * 0.5
    return np.asarray(tone * (1 + rng.uniform(0.04, 0.2) * grain[..., None]), np.float32)


def _planks(rng: np.random.Generator, side: int, tile: float) -> F32:
    image = _wood(rng, side, tile)
    wide, gap = int(tile * rng.uniform(1.2, 6)) + 2, max(1, int(tile * rng.uniform(0.02, 0.08)))
    long = int(wide * rng.uniform(3, 12))
    for y in range(0, side, wide):
        start = -int(rng.integers(0, long))
        for x in range(start, side, long):
            image[y : y + wide, max(0, x) : x + long] *= rng.uniform(0.8, 1.15)
            image[y : y + wide, max(0, x) : max(0, x + gap)] *= 0.55
        image[y : y + gap] *= 0.5
    return image


def _blocks(rng: np.random.Generator, side: int, tile: float) -> F32:
    """Parquet and butcher's block: wooden pieces of a tile's measure in every direction."""
    wood = [_wood(rng, side, tile) * f for f in (1.0, rng.uniform(0.75, 1.2))]
    wide = max(4, int(tile * rng.uniform(0.7, 2.5)))
    long = int(wide * rng.choice([1, 1.4, 2, 3]))
    image = wood[0]
    turned = rng.random() < 0.5
    for row, y in enumerate(range(0, side, wide)):
        for column, x in enumerate(range(-(row % 2) * long // 2, side, long)):
            part = image[y : y + wide, max(0, x) : x + long]
            if turned and (row + column) % 2:
                part[:] = wood[1].transpose(1, 0, 2)[y : y + wide, max(0, x) : x + long]
            part *= rng.uniform(0.75, 1.2)
            part[:1] *= 0.6
            part[:, :1] *= 0.6
    return image


def _marble(rng: np.random.Generator, side: int, tile: float) -> F32:
    size = (side, side)
    base = _colour(rng, 150, 235, 0.9) if rng.random() < 0.8 else _colour(rng, 30, 90, 0.8)
    veins = np.abs(noise(rng, size, tile * 4) + 0.4 * noise(rng, size, tile)) / rng.uniform(0.03, 0.12)
    vein = 1 / (1 + veins**4)
    gain = (1 - 0.4 * rng.uniform(0.3, 1) * vein) * (1 + 0.03 * noise(rng, size, tile * 0.6))
    return np.asarray(base * gain[..., None], np.float32)


def _felt(rng: np.random.Generator, side: int, tile: float) -> F32:
    lumps = 1 + 0.05 * noise(rng, (side, side), tile)
    return np.asarray(_pick(rng, _FELTS, 6) * (_fuzz(rng, side, 0.06) * lumps[..., None]), np.float32)


def _plain(rng: np.random.Generator, side: int, tile: float) -> F32:
    lumps = 1 + rng.uniform(0, 0.03) * noise(rng, (side, side), tile)
    grain = _fuzz(rng, side, rng.uniform(0, 0.03))
    return np.asarray(_colour(rng, 25, 245, 0.75) * (grain * lumps[..., None]), np.float32)


def folds(rng: np.random.Generator, side: int, tile: float) -> F32:
    """Gains (side, side) of a cloth that does not lie flat: waves, and creases of its folding."""
    gain = 1 + rng.uniform(0, 0.09) * noise(rng, (side, side), tile * rng.uniform(1.5, 5), rng.uniform(1, 3))
    if rng.random() < 0.5:
        steps, strength = _line(side), rng.uniform(0.04, 0.16)
        pitch, soft = tile * rng.uniform(5, 14), max(1.0, tile * rng.uniform(0.05, 0.25))
        for axis in (0, 1):
            away = (steps + rng.uniform(0, pitch)) % pitch - pitch / 2
            # Light on one side of a crease, dark on the other.
            crease = 1 - strength * np.tanh(away / soft) * np.exp(-np.abs(away) / (soft * 4))
            gain *= crease[:, None] if axis else crease[None]
    return np.asarray(gain, np.float32)


def chequered(rng: np.random.Generator, side: int, tile: float) -> F32:
    """Gingham and chequers: squares of about a tile, in two or three tones."""
    cell = tile * float(np.exp(rng.uniform(math.log(0.6), math.log(2.0))))
    tall = cell * (1.0 if rng.random() < 0.7 else rng.uniform(0.7, 1.4))
    if rng.random() < 0.2:
        cell, tall = cell * 1.6, tall * 1.6
    first = _colour(rng, 205, 248, 0.93) if rng.random() < 0.85 else _pick(rng, _CLOTHS, 12)
    second = _pick(rng, _CLOTHS, 12)
    share = rng.choice([0.5, 0.5, 0.5, rng.uniform(0.2, 0.7)])
    steps = _line(side) + rng.uniform(0, cell)
    across = _soft_step(cell * share - np.abs(steps % (2 * cell) - cell * share))
    down = _soft_step(tall * share - np.abs(steps % (2 * tall) - tall * share))
    kind = rng.random()
    if kind < 0.7:  # gingham: white, middle, full colour
        half = rng.uniform(0.4, 0.62)
        mix = half * (across[None] + down[:, None]) + (1 - 2 * half) * across[None] * down[:, None]
    elif kind < 0.85:
        mix = np.abs(across[None] - down[:, None])
    else:  # windowpane: thin lines
        thin = max(1.0, tile * rng.uniform(0.03, 0.15))
        mix = np.maximum(
            _soft_step(thin - np.abs(steps % cell - cell / 2))[None],
            _soft_step(thin - np.abs(steps % tall - tall / 2))[:, None],
        )
    image = _mix(first, second, np.asarray(mix, np.float32))
    gain = folds(rng, side, tile)[..., None] * _fuzz(rng, side, rng.uniform(0.01, 0.07))
    if tile > 25 and rng.random() < 0.5:
        thread = max(2.0, tile * rng.uniform(0.03, 0.07))
        gain *= (1 + 0.07 * np.sin(_line(side) * (2 * math.pi / thread)))[:, None, None]
    return np.asarray(image * gain, np.float32)


def _cloth(rng: np.random.Generator, side: int, tile: float) -> F32:
    """A plain or striped cloth with folds and creases."""
    image = _flat(_colour(rng, 60, 248, rng.choice([0.4, 0.9])), side)
    if rng.random() < 0.4:
        pitch = tile * rng.uniform(0.3, 4)
        stripe = _soft_step(pitch * rng.uniform(0.1, 0.5) - np.abs(_line(side) % pitch - pitch / 2))
        image += stripe[:, None, None] * (_colour(rng, 20, 220, 0.2) - image)
    gain = folds(rng, side, tile) * folds(rng, side, tile * 0.6)
    return np.asarray(image * (gain[..., None] * _fuzz(rng, side, 0.03)), np.float32)


def _woven(rng: np.random.Generator, side: int, tile: float, stretch: float) -> F32:
    base, other = _colour(rng, 60, 210, 0.8), _colour(rng, 30, 220, 0.6)
    cell = max(2.0, tile * rng.uniform(0.06, 0.25))
    threads = noise(rng, (side, side), cell, stretch)
    bands = np.sign(noise(rng, (side, side), cell * 1.5, 60)) * 0.3
    mix = np.asarray(np.clip(0.5 + (threads + bands) * 0.55, 0, 1), np.float32)
    return _mix(base, other, mix) * _fuzz(rng, side, 0.1)


def _rug(rng: np.random.Generator, side: int, tile: float) -> F32:
    return _woven(rng, side, tile, 5)


def _knit(rng: np.random.Generator, side: int, tile: float) -> F32:
    return _woven(rng, side, tile, 1.8)


def _pattern(rng: np.random.Generator, side: int, tile: float) -> F32:
    """Oilcloth: blobs and flowers."""
    image = _flat(_colour(rng, 90, 245, 0.7), side)
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
    image = _flat(_colour(rng, 190, 250, 0.95), side)
    scale = tile / 30 * rng.uniform(0.3, 0.9)
    ink = tuple(float(value) for value in _colour(rng, 5, 90, 0.5))
    step, thick = max(6, int(scale * 30)), max(1, int(scale * 1.5))
    for y in range(step, side, step):
        text = " ".join(str(rng.integers(0, 2000)) for _ in range(14))
        start = (int(rng.integers(0, 20)), y)
        cv2.putText(image, text, start, cv2.FONT_HERSHEY_SIMPLEX, scale, ink, thick, cv2.LINE_AA)
    return image


def _cells(rng: np.random.Generator, side: int, tile: float) -> F32:
    """Crosswords, calendars and game boards: ruled cells, some filled, some with a number or letter."""
    image = _flat(_colour(rng, 170, 250, 0.9), side)
    wide = max(6, int(tile * rng.uniform(0.6, 2.2)))
    tall = wide if rng.random() < 0.6 else int(wide * rng.uniform(0.7, 1.45))
    line = max(1, int(tile * rng.uniform(0.02, 0.1)))
    dark = [tuple(float(v) for v in _colour(rng, 5, 110, 0.6 if i else 0.95)) for i in range(4)]
    fills = [_colour(rng, 20, 230, 0.1) for _ in range(int(rng.integers(1, 5)))]
    filled, written = rng.choice([0.0, 0.2, 0.5, 0.95]), rng.choice([0.0, 0.1, 0.5, 0.9])
    scale = wide / 30 * rng.uniform(0.3, 0.9)
    for y in range(0, side, tall):
        for x in range(0, side, wide):
            if rng.random() < filled:
                image[y : y + tall, x : x + wide] = fills[rng.integers(len(fills))]
            if rng.random() < written and wide > 10:
                text = str(rng.integers(1, 40)) if rng.random() < 0.7 else "ABCDEKMR"[rng.integers(8)]
                spot = (x + line + int(wide * 0.1), y + int(tall * rng.uniform(0.4, 0.85)))
                ink = dark[rng.integers(4)]
                cv2.putText(image, text, spot, 0, scale, ink, max(1, int(scale * 2)), cv2.LINE_AA)
    for y in range(0, side, tall):
        image[y : y + line] = dark[0]
    for x in range(0, side, wide):
        image[:, x : x + line] = dark[0]
    return image


def _tiled(rng: np.random.Generator, side: int, tile: float, *, brick: bool = False) -> F32:
    """Ceramic tiles and mosaics with joints, or bricks."""
    wide = max(5, int(tile * rng.choice([rng.uniform(0.6, 2), rng.uniform(2, 8)])))
    tall = int(wide * (rng.uniform(0.3, 0.5) if brick else rng.choice([1.0, 1.0, 1.4])))
    joint = max(1, int(tile * rng.uniform(0.03, 0.15)))
    body = (
        _colour(rng, 70, 240, 0.75)
        if not brick
        else _pick(rng, ((60, 80, 160), (70, 95, 140), (120, 130, 150)), 10)
    )
    gain = 1 + 0.05 * noise(rng, (side, side), tile * 0.5)
    seam = np.zeros((side, side), np.float32)
    spread, second = rng.uniform(0.02, 0.15), rng.uniform(0.5, 1) if rng.random() < 0.3 else 1.0
    for row, y in enumerate(range(0, side, max(3, tall))):
        for column, x in enumerate(range(-(row % 2) * (wide // 2) * brick, side, wide)):
            part = gain[y : y + tall, max(0, x) : x + wide]
            part *= (1 + spread * rng.normal()) * (second if (row + column) % 2 else 1.0)
            seam[y : y + tall, max(0, x) : max(0, x + joint)] = 1
        seam[y : y + joint] = 1
    return _mix(body, _colour(rng, 40, 220, 0.95), seam) * gain[..., None]


def _brick(rng: np.random.Generator, side: int, tile: float) -> F32:
    return _tiled(rng, side, tile, brick=True)


def _lace(rng: np.random.Generator, side: int, tile: float) -> F32:
    """A white net of rings and threads over a darker table."""
    under = _wood(rng, side, tile) if rng.random() < 0.6 else _flat(_colour(rng, 20, 160, 0.4), side)
    step = max(10, int(tile * rng.uniform(0.7, 2.5)))
    cell = np.zeros((step, step), np.uint8)
    thread, middle = max(1, step // 14), (step // 2, step // 2)
    for share in rng.uniform(0.15, 0.5, int(rng.integers(1, 4))):
        cv2.circle(cell, middle, max(1, int(step * share)), 255, thread, cv2.LINE_AA)
    for angle in np.arange(int(rng.integers(3, 9))) * 2.4:
        end = (int(middle[0] + step * math.cos(angle)), int(middle[1] + step * math.sin(angle)))
        cv2.line(cell, middle, end, 255, thread, cv2.LINE_AA)
    net = np.tile(cell, (side // step + 1,) * 2)[:side, :side].astype(np.float32) / 255
    return under + net[..., None] * (_colour(rng, 215, 250, 0.95) - under)


def _carpet(rng: np.random.Generator, side: int, tile: float) -> F32:
    base = _colour(rng, 40, 180, 0.6)
    return np.asarray(
        base * (_fuzz(rng, side, 0.12) * (1 + 0.1 * noise(rng, (side, side), tile))[..., None]), np.float32
    )


# How often each kind is drawn.
KINDS: dict[Draw, float] = {
    _wood: 0.16,
    _planks: 0.08,
    _blocks: 0.03,
    _marble: 0.08,
    _felt: 0.09,
    chequered: 0.12,
    _cloth: 0.06,
    _rug: 0.06,
    _knit: 0.06,
    _plain: 0.10,
    _pattern: 0.04,
    _print: 0.03,
    _cells: 0.04,
    _tiled: 0.05,
    _brick: 0.01,
    _lace: 0.03,
}
_FLOORS: dict[Draw, float] = {
    _planks: 0.35,
    _tiled: 0.25,
    _carpet: 0.2,
    _rug: 0.08,
    _blocks: 0.06,
    _plain: 0.06,
}
