"""Draws the light of a scene: lamps, ambient light, sheen, and how the walls of tiles look in it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.synth.geometry import F64

F32 = NDArray[np.float32]
Bgr = tuple[float, float, float]

WHITE: Bgr = (1.0, 1.0, 1.0)
#: Wavelengths in metres for which a black body's blue, green and red are taken.
_WAVES = np.asarray([465e-9, 548e-9, 608e-9])


@dataclass(frozen=True)
class Lamp:
    """One source of direct light: a bulb, a panel, a window."""

    position: F64  # (3,) mm
    strength: float  # its share of the light on a flat tile in the middle of the table
    size_mm: float = 60.0  # how wide it is: shadows and highlights are softer the wider
    colour: Bgr = WHITE  # gains
    glare: float = 1.0  # how much brighter its reflection is than its strength says


@dataclass(frozen=True)
class Edges:
    """How the walls of tiles stand out from their faces."""

    gain: float = 1.0  # of a wall's brightness
    follow: float = 1.0  # how far walls follow the lamps, 0: as bright as the face whatever the lamps
    lowest: float = 0.4  # brightness of a wall relative to the face
    highest: float = 1.35
    bevel: float | None = None  # brightness of the line between face and wall, relative to the wall
    bevel_share: float = 0.1  # of the wall's height


@dataclass(frozen=True)
class Light:
    """Lamps over the table and the light from everywhere; on a flat tile they add up to about 1."""

    lamps: tuple[Lamp, ...]
    ambient: float
    tint: Bgr = WHITE  # of the ambient light
    sheen: float = 0.0  # reflection of a window or a bright room over whole faces, 0 to 0.35
    sheen_colour: Bgr = WHITE
    sheen_from: tuple[float, float, float] = (0.0, 0.0, 1.0)  # direction towards it
    sheen_power: float = 4.0
    edges: Edges = Edges()


def kelvin(temperature: float) -> Bgr:
    """The BGR gains of a black body's light, gamma-coded, with green at 1; `temperature` in kelvin."""
    power = 1 / (_WAVES**5 * np.expm1(0.014388 / (_WAVES * temperature)))
    daylight = 1 / (_WAVES**5 * np.expm1(0.014388 / (_WAVES * 6000.0)))
    gains = (power / daylight) ** (1 / 2.2)
    blue, green, red = (float(value) for value in gains)
    return (blue / green, 1.0, red / green)


def draw_light(rng: np.random.Generator, ceiling: bool = False) -> Light:
    """One to four lamps with colours of their own, seen by a camera that has balanced their mean.

    `ceiling`: lamps of a room, 0.8 to 2.2 m above the table; otherwise as at hand-held photos, where a lamp
    may also stand low beside the tiles.
    """
    odds = (0.25, 0.33, 0.25, 0.17) if ceiling else (0.5, 0.27, 0.14, 0.09)
    count = 1 + int(rng.choice(4, p=odds))
    ambient = rng.uniform(0.25, 0.75)
    shares = rng.dirichlet(np.full(count, 1.6)) * (1 - ambient)
    usual = rng.uniform(2700, 6500)
    mixed = rng.random() < 0.4
    drawn = []
    for share in shares:
        temperature = rng.uniform(2700, 6500) if mixed else usual + rng.normal(0, 150)
        drawn.append(_lamp(rng, float(share), float(np.clip(temperature, 2500, 7000)), ceiling=ceiling))
    tint = np.asarray(kelvin(rng.uniform(2700, 6500) if mixed else usual))
    tint = 0.5 + 0.5 * tint  # walls and ceiling mix what they throw back
    mean = sum((np.asarray(lamp.colour) * lamp.strength for lamp in drawn), tint * ambient)
    balance = np.asarray(mean) ** -rng.uniform(0.75, 1.0)
    lamps = tuple(
        Lamp(lamp.position, lamp.strength, lamp.size_mm, _bgr(np.asarray(lamp.colour) * balance), lamp.glare)
        for lamp in drawn
    )
    sheen, colour = _sheen(rng)
    elevation, azimuth = math.radians(rng.uniform(25, 90)), rng.uniform(0, 2 * math.pi)
    flat = math.cos(elevation)
    return Light(
        lamps=lamps,
        ambient=ambient,
        tint=_bgr(tint * balance),
        sheen=sheen,
        sheen_colour=colour,
        sheen_from=(flat * math.cos(azimuth), flat * math.sin(azimuth), math.sin(elevation)),
        sheen_power=float(np.exp(rng.uniform(math.log(1.5), math.log(20)))),
        edges=_edges(rng),
    )


def _lamp(rng: np.random.Generator, share: float, temperature: float, *, ceiling: bool) -> Lamp:
    kind = rng.choice(3, p=(0.5, 0.3, 0.2))
    angle = rng.uniform(0, 2 * math.pi)
    if kind == 2:  # a window: wide, low, far to the side, daylight
        height = rng.uniform(600, 1500)
        away = rng.uniform(0.7, 1.6) * height
        size, temperature = rng.uniform(700, 1800), float(rng.uniform(5000, 6800))
    else:
        height = rng.uniform(800, 2200) if ceiling else rng.uniform(350, 1900)
        away = rng.uniform(0, 1500) if ceiling else rng.uniform(0.05, 1.3) * height
        size = rng.uniform(25, 140) if kind == 0 else rng.uniform(200, 1200)
    position = np.asarray([away * math.cos(angle), away * math.sin(angle), height])
    glare = float(np.exp(rng.uniform(math.log(0.4), math.log(3.5))))
    return Lamp(position, share, float(size), kelvin(temperature), glare)


def _sheen(rng: np.random.Generator) -> tuple[float, Bgr]:
    """Bluish (the sky) in nearly two of three scenes that have it: it turns black ink blue-grey."""
    if rng.random() > 0.65:
        return 0.0, WHITE
    kind = rng.random()
    if kind < 0.6:
        colour = (rng.uniform(1.0, 1.15), rng.uniform(0.72, 0.98), rng.uniform(0.45, 0.88))
    elif kind < 0.85:
        colour = (rng.uniform(0.5, 0.85), rng.uniform(0.78, 0.95), 1.0)
    else:
        colour = WHITE
    return float(0.35 * rng.random() ** 1.3), colour


def _edges(rng: np.random.Generator) -> Edges:
    bevel = float(rng.choice([rng.uniform(0.6, 0.9), rng.uniform(1.1, 1.4)])) if rng.random() < 0.45 else None
    share = rng.uniform(0.05, 0.2)
    kind = rng.random()
    if kind < 0.35:  # face and wall hardly separable
        return Edges(rng.uniform(0.94, 1.05), rng.uniform(0, 0.25), 0.8, 1.1, bevel, share)
    if kind < 0.55:  # walls clearly brighter, whatever the lamps
        return Edges(rng.uniform(1.08, 1.35), rng.uniform(0, 0.4), 0.7, 1.4, bevel, share)
    return Edges(rng.uniform(0.8, 1.2), rng.uniform(0.5, 1.1), rng.uniform(0.4, 0.7), 1.35, bevel, share)


def _bgr(values: F64) -> Bgr:
    return (float(values[0]), float(values[1]), float(values[2]))
