"""A drawing of several inks in free coordinates, and the parts that joker pictures are built of."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.masks import glyph_mask, paste_mask

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
SHIFT = 4  # fractional bits of corners
BARE = -1  # the "ink" that takes paint away


@dataclass(frozen=True)
class Drawing:
    """Layers of paint, one for each ink slot, seen through a move from free coordinates to pixels.

    Shapes are painted over one another: what a later shape covers is gone from the other layers.
    """

    size: tuple[int, int]  # (w, h) pixels
    inks: str
    style: str  # line, solid or tinted: how closed shapes are drawn
    line: float  # pixels
    matrix: F64  # (3, 3): x right, y down to pixels
    layers: dict[str, U8] = field(default_factory=dict)

    def moved(
        self, x: float, y: float, scale: float = 1.0, *, turn: float = 0.0, flip: bool = False
    ) -> Drawing:
        """The same paper with its own origin, scale and turn (radians); `flip` mirrors left and right."""
        c, s = math.cos(turn) * scale, math.sin(turn) * scale
        own = np.asarray([[-c if flip else c, -s, x], [-s if flip else s, c, y], [0, 0, 1]])
        matrix = self.matrix @ own
        return Drawing(self.size, self.inks, self.style, self.line, matrix, self.layers)

    @property
    def over(self) -> int:
        """The ink of details that lie on a closed shape."""
        if self.style == "line":
            return 1
        if self.style == "tinted" and len(set(self.inks)) > 1:
            return 0
        return BARE

    def fill(self, points: F64, ink: int = 0) -> None:
        """Fills a closed outline."""
        mask = np.zeros(self.size[::-1], np.uint8)
        cv2.fillPoly(mask, [self._fixed(points)], 255.0, cv2.LINE_AA, SHIFT)
        self.lay(mask, ink)

    def stroke(self, points: F64, ink: int = 0, wide: float = 1.0, *, closed: bool = False) -> None:
        """Draws along points, `wide` times the drawing's line."""
        mask = np.zeros(self.size[::-1], np.uint8)
        thick = max(1, round(self.line * wide))
        cv2.polylines(mask, [self._fixed(points)], closed, 255.0, thick, cv2.LINE_AA, SHIFT)
        self.lay(mask, ink)

    def shape(self, points: F64, ink: int = 0) -> None:
        """A closed shape in the drawing's style."""
        if self.style == "line":
            self.fill(points, BARE)
            self.stroke(points, ink, closed=True)
        elif self.style == "solid":
            self.fill(points, ink)
        else:
            self.fill(points, ink + 1)
            self.stroke(points, ink, closed=True)

    def glyph(self, char: str, x: float, y: float, size: float, ink: int = 0) -> None:
        """A symbol about (x, y), `size` high or wide; it stays upright whatever the turn."""
        self.lay_glyph(glyph_mask(char), x, y, size, ink)

    def lay_glyph(self, glyph: F32, x: float, y: float, size: float, ink: int = 0) -> None:
        """A mask 0..1 about (x, y), its longer side of `size`."""
        scale = float(np.hypot(*self.matrix[:2, 0])) * size / max(glyph.shape)
        mask = np.zeros(self.size[::-1], np.float32)
        spot = self.matrix[:2] @ (x, y, 1)
        pixels = (max(2, round(glyph.shape[1] * scale)), max(2, round(glyph.shape[0] * scale)))
        paste_mask(mask, glyph, (float(spot[0]), float(spot[1])), pixels)
        self.lay((mask * 255).astype(np.uint8), ink)

    def lay(self, mask: U8, ink: int) -> None:
        """Puts a mask (h, w) 0..255 of one ink over all."""
        slot = "" if ink == BARE else self.inks[ink % len(self.inks)]
        for other, layer in self.layers.items():
            if other != slot:
                cv2.subtract(layer, mask, dst=layer)
        if slot:
            own = self.layers.setdefault(slot, np.zeros_like(mask))
            np.maximum(own, mask, out=own)

    def _fixed(self, points: F64) -> NDArray[np.int32]:
        moved = points @ self.matrix[:2, :2].T + self.matrix[:2, 2]
        return np.asarray(np.round(moved * (1 << SHIFT)), np.int32)


def poly(*points: tuple[float, float]) -> F64:
    """Corners as an array (n, 2)."""
    return np.asarray(points, np.float64)


def oval(
    x: float, y: float, wide: float, tall: float | None = None, *, arc: tuple[float, float] = (0, 360)
) -> F64:
    """Points of an ellipse of half axes `wide` and `tall`, or of its arc between two angles (degrees)."""
    angles = np.radians(np.linspace(*arc, 33))
    return np.stack([x + wide * np.cos(angles), y + (wide if tall is None else tall) * np.sin(angles)], 1)


def star(points: int, inner: float, radius: float = 1.0, x: float = 0.0, y: float = 0.0) -> F64:
    """A star with its first point up; `inner` is the share of the radius between the points."""
    angles = -math.pi / 2 + np.arange(2 * points) * math.pi / points
    reach = np.where(np.arange(2 * points) % 2 == 0, radius, radius * inner)
    return np.stack([x + reach * np.cos(angles), y + reach * np.sin(angles)], 1)


def blob(rng: np.random.Generator, rough: float, radius: float = 1.0) -> F64:
    """A smooth closed outline about the origin."""
    angles = np.linspace(0, 2 * math.pi, 60, endpoint=False)
    reach = np.ones_like(angles)
    for wave in range(2, 7):
        reach += rough / wave * rng.normal() * np.cos(wave * angles + rng.uniform(0, 2 * math.pi))
    reach = np.clip(reach, 0.35, 1.5) * radius
    return np.stack([reach * np.cos(angles), reach * np.sin(angles)], 1)


def curve(rng: np.random.Generator, knots: int, reach: float = 1.0) -> F64:
    """A smooth open line through random places within `reach`."""
    places = rng.uniform(-reach, reach, (knots, 2))
    steps, whole = np.arange(knots), np.linspace(0, knots - 1, knots * 8)
    rough = np.stack([np.interp(whole, steps, places[:, axis]) for axis in (0, 1)], 1)
    kernel = np.ones(7) / 7
    ends = np.pad(rough, ((3, 3), (0, 0)), mode="edge")
    return np.stack([np.convolve(ends[:, axis], kernel, mode="valid") for axis in (0, 1)], 1)


def heart(radius: float = 1.0, x: float = 0.0, y: float = 0.0) -> F64:
    """The outline of a heart."""
    t = np.linspace(0, 2 * math.pi, 40, endpoint=False)
    across = np.sin(t) ** 3
    down = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t)) / 16
    return np.stack([x + radius * across, y + radius * down], 1)


def eyes(d: Drawing, rng: np.random.Generator, ink: int) -> None:
    """A pair of eyes in a face of radius 1."""
    apart, up, size = rng.uniform(0.28, 0.45), rng.uniform(0.15, 0.35), rng.uniform(0.08, 0.2)
    tall, kind = size * rng.uniform(0.8, 1.8), rng.integers(5)
    for side in (-1, 1):
        x = side * apart
        if kind == 0:
            d.stroke(oval(x, -up, size, tall, arc=(190, 350)), ink)
        elif kind == 1:
            d.stroke(oval(x, -up, size * 1.3, tall), ink, 0.8, closed=True)
            d.fill(oval(x, -up + tall * 0.2, size * 0.5), ink)
        elif kind == 2:
            d.stroke(poly((x - size, -up - size), (x + size, -up + size)), ink)
            d.stroke(poly((x - size, -up + size), (x + size, -up - size)), ink)
        elif kind == 3:
            d.fill(star(4, 0.3, size * 1.7, x, -up), ink)
        else:
            d.fill(oval(x, -up, size, tall), ink)
        if rng.random() < 0.3:
            slope = side * rng.uniform(-0.12, 0.12)
            brow = -up - tall - 0.14
            d.stroke(poly((x - size * 1.4, brow - slope), (x + size * 1.4, brow + slope)), ink)


def mouth(d: Drawing, rng: np.random.Generator, ink: int) -> None:
    """A mouth and perhaps a nose and cheeks in a face of radius 1."""
    wide, drop, kind = rng.uniform(0.3, 0.65), rng.uniform(0.1, 0.3), rng.integers(5)
    if kind <= 1:
        d.stroke(oval(0, drop, wide, wide * rng.uniform(0.5, 1), arc=(15, 165)), ink)
    elif kind == 2:
        d.fill(np.vstack([oval(0, drop, wide, wide * 0.9, arc=(0, 180))]), ink)
    elif kind == 3:
        d.stroke(poly((-wide, drop + 0.2), (wide, drop + rng.uniform(0.05, 0.35))), ink)
    else:
        d.stroke(oval(0, drop + wide, wide, wide * 0.6, arc=(200, 340)), ink)
    nose = rng.integers(5)
    if nose == 0:
        d.stroke(poly((0, -0.15), (-0.12, 0.12), (0.08, 0.14)), ink)
    elif nose == 1:
        d.fill(oval(0, 0.03, rng.uniform(0.1, 0.2)), ink + 1 if ink >= 0 else ink)
    elif nose == 2:
        d.stroke(poly((0, -0.1), (0, 0.15)), ink)
    if rng.random() < 0.25:
        for side in (-1, 1):
            d.fill(oval(side * 0.6, 0.15, 0.13), ink + 1 if ink >= 0 else ink)


def face(d: Drawing, rng: np.random.Generator, *, outline: bool = True) -> None:
    """A face of radius 1 about the origin."""
    if outline:
        d.shape(oval(0, 0, rng.uniform(0.8, 1), rng.uniform(0.9, 1.05)))
    ink = d.over if outline else int(rng.integers(2))
    eyes(d, rng, ink)
    mouth(d, rng, ink)


def fool_hat(d: Drawing, rng: np.random.Generator) -> None:
    """A jester's hat with bells on a head of radius 1 about the origin; it reaches up to y = -2."""
    tails = int(rng.integers(2, 5))
    brim, reach = -0.45, rng.uniform(1.0, 1.5)
    angles = np.linspace(-1, 1, tails) * rng.uniform(1.2, 1.7)
    bell, droop = rng.uniform(0.12, 0.22), rng.uniform(0.2, 0.7)
    for index in np.argsort(np.abs(angles)):
        # Each tail rises from the head and falls over to its side: stiff points would be a crown.
        angle, side = float(angles[index]), float(np.sign(angles[index]) or rng.choice([-1, 1]))
        root = 0.9 * (2 * (index + 0.5) / tails - 1)
        top = (math.sin(angle) * reach * 0.7, brim - math.cos(angle) * reach * 0.5 - 0.55)
        tip = (top[0] + side * 0.55, top[1] + droop)
        t = np.linspace(0, 1, 9)[:, None]
        spine = (
            (1 - t) ** 2 * (root, brim)
            + 2 * t * (1 - t) * np.asarray(top) * (1, 1.15)
            + t**2 * np.asarray(tip)
        )
        wide = (1 - t) * (1.0 / tails + 0.1) + 0.02
        tail = np.vstack([spine - wide * (0.9, -0.3 * side), (spine + wide * (0.9, -0.3 * side))[::-1]])
        d.shape(tail, int(index % 2))
        d.shape(oval(*tip, bell), 1)
    if rng.random() < 0.6:
        d.shape(poly((-1, brim - 0.1), (1, brim - 0.1), (1, brim + 0.1), (-1, brim + 0.1)), 1)


def ruff(d: Drawing, rng: np.random.Generator, y: float) -> None:
    """A zigzag collar about (0, y)."""
    teeth = int(rng.integers(4, 8))
    xs = np.linspace(-1.1, 1.1, 2 * teeth + 1)
    low = y + np.where(np.arange(len(xs)) % 2 == 0, 0.1, 0.5)
    d.shape(np.vstack([np.stack([xs, low], 1), poly((0.7, y - 0.15), (-0.7, y - 0.15))]), 1)
