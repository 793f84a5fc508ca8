"""Small pictures of things that are no tiles, and how they are laid on a table with a soft shadow."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.synth.fonts import at_hand

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Colour = tuple[float, float, float]
Point = tuple[float, float]

MOST = 260  # pixels of a thing's longer side before it is laid
SHIFT = 4


@dataclass(frozen=True)
class Thing:
    """A thing seen from above: colour (h, w, 3 BGR), cover (h, w) 0..255; `wide`, `rise` in tile widths."""

    colour: U8
    cover: U8
    wide: float
    rise: float


Make = Callable[[np.random.Generator, float], Thing]


@dataclass(frozen=True)
class Sheet:
    """Paper for drawing a thing: x and y in tile widths from the top left."""

    colour: U8
    cover: U8
    wide: float
    tall: float
    unit: float  # pixels per tile width

    def poly(self, points: NDArray[np.float64] | list[Point], colour: Colour, *, solid: bool = False) -> None:
        """A filled shape; `solid` adds it to the thing's outline."""
        fixed = [self._fixed(points)]
        cv2.fillPoly(self.colour, fixed, colour, cv2.LINE_AA, SHIFT)
        if solid:
            cv2.fillPoly(self.cover, fixed, 255.0, cv2.LINE_AA, SHIFT)

    def line(self, points: list[Point], colour: Colour, wide: float, *, solid: bool = False) -> None:
        """A line `wide` tile widths thick."""
        thick, fixed = max(1, round(wide * self.unit)), [self._fixed(points)]
        cv2.polylines(self.colour, fixed, False, colour, thick, cv2.LINE_AA, SHIFT)
        if solid:
            cv2.polylines(self.cover, fixed, False, 255.0, thick, cv2.LINE_AA, SHIFT)

    def disc(self, x: float, y: float, radius: float, colour: Colour, *, solid: bool = False) -> None:
        """A filled circle."""
        centre = (round(x * self.unit * 16), round(y * self.unit * 16))
        pixels = max(8, round(radius * self.unit * 16))
        cv2.circle(self.colour, centre, pixels, colour, -1, cv2.LINE_AA, SHIFT)
        if solid:
            cv2.circle(self.cover, centre, pixels, 255.0, -1, cv2.LINE_AA, SHIFT)

    def ring(
        self, x: float, y: float, radius: float, colour: Colour, wide: float, *, solid: bool = False
    ) -> None:
        """A circle drawn `wide` tile widths thick."""
        angles = np.linspace(0, 2 * math.pi, 40)
        points = [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles]
        self.line(points, colour, wide, solid=solid)

    def box(
        self, x: float, y: float, wide: float, tall: float, colour: Colour, *, solid: bool = False
    ) -> None:
        """A filled rectangle from its top left."""
        self.poly([(x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall)], colour, solid=solid)

    def round_box(self, x: float, y: float, wide: float, tall: float, corner: float, colour: Colour) -> None:
        """A filled rectangle with round corners; part of the thing's outline."""
        steps = np.radians(np.arange(0, 360, 15))
        across, down = np.cos(steps), np.sin(steps)
        points = np.stack(
            [
                x + wide / 2 + np.sign(across) * (wide / 2 - corner) + corner * across,
                y + tall / 2 + np.sign(down) * (tall / 2 - corner) + corner * down,
            ],
            1,
        )
        self.poly(points, colour, solid=True)

    def scrawl(self, text: str, x: float, y: float, size: float, ink: Colour, *, font: int = 0) -> None:
        """Text by hand, about `size` high, its foot at (x, y)."""
        scale = size * self.unit / 21
        start = (round(x * self.unit), round(y * self.unit))
        cv2.putText(self.colour, text, start, font, scale, ink, max(1, round(scale * 2)), cv2.LINE_AA)

    def print(self, text: str, x: float, y: float, size: float, ink: Colour, *, font: Path) -> None:
        """Printed text, `size` high, about (x, y)."""
        mask = letters(font, text)
        scale = size * self.unit / mask.shape[0]
        wide, tall = max(1, round(mask.shape[1] * scale)), max(1, round(mask.shape[0] * scale))
        small = cv2.resize(mask, (wide, tall), interpolation=cv2.INTER_AREA)
        left, top = round(x * self.unit - wide / 2), round(y * self.unit - tall / 2)
        x0, y0 = max(0, left), max(0, top)
        view = self.colour[y0 : top + tall, x0 : left + wide] if top + tall > 0 and left + wide > 0 else None
        if view is None or not view.size:
            return
        cut = small[y0 - top : y0 - top + view.shape[0], x0 - left : x0 - left + view.shape[1], None]
        share = cut.astype(np.float32) / 255
        view[:] = (view * (1 - share) + np.asarray(ink, np.float32) * share).astype(np.uint8)

    def grain(self, rng: np.random.Generator, strength: float) -> None:
        """Uneven colour."""
        gain = 1 + strength * rng.standard_normal(self.cover.shape, dtype=np.float32)[..., None]
        self.colour[:] = np.clip(self.colour * gain, 0, 255).astype(np.uint8)

    def thing(self, rise: float) -> Thing:
        """The finished thing."""
        return Thing(self.colour, self.cover, self.wide, rise)

    def _fixed(self, points: NDArray[np.float64] | list[Point]) -> NDArray[np.int32]:
        return np.round(np.asarray(points) * self.unit * (1 << SHIFT)).astype(np.int32)


def sheet(wide: float, tall: float, tile_px: float, colour: Colour = (128.0, 128.0, 128.0)) -> Sheet:
    """An empty sheet of `wide` x `tall` tile widths, as fine as the picture needs it."""
    unit = min(max(tile_px, 6.0), MOST / max(wide, tall))
    size = (max(4, round(tall * unit)), max(4, round(wide * unit)))
    whole = np.empty((*size, 3), np.uint8)
    whole[:] = np.asarray(colour)
    return Sheet(whole, np.zeros(size, np.uint8), wide, tall, unit)


def tint(rng: np.random.Generator, low: int = 10, high: int = 245) -> Colour:
    """Any colour."""
    value = rng.integers(low, high, 3)
    return (float(value[0]), float(value[1]), float(value[2]))


def grey(rng: np.random.Generator, low: float, high: float, spread: float = 5) -> Colour:
    """A colour near grey between two brightnesses."""
    value = np.clip(rng.uniform(low, high) + rng.normal(0, spread, 3), 0, 255)
    return (float(value[0]), float(value[1]), float(value[2]))


def shade(colour: Colour, gain: float) -> Colour:
    """The colour lit `gain` times as much."""
    return (min(255.0, colour[0] * gain), min(255.0, colour[1] * gain), min(255.0, colour[2] * gain))


def any_font(rng: np.random.Generator) -> Path:
    """A font that digits on tiles have too: a number alone must not make a tile."""
    fonts = at_hand("train")
    return fonts[int(rng.integers(len(fonts)))][0].path


@cache
def letters(font: Path, text: str) -> U8:
    """Printed text as a tight mask 0..255; it is kept, so leave it as it is."""
    loaded = ImageFont.truetype(str(font), 40)
    left, top, right, bottom = loaded.getbbox(text)
    image = Image.new("L", (max(2, int(right - left) + 2), max(2, int(bottom - top) + 2)))
    ImageDraw.Draw(image).text((1 - left, 1 - top), text, font=loaded, fill=255)
    return np.asarray(image)


def lay(
    image: U8,
    thing: Thing,
    spot: Point,
    angle: float,
    *,
    tile_px: float,
    lamp: float,
    cover: U8 | None = None,
) -> None:
    """Puts a thing on `image` (h, w, 3) in place, its middle at `spot`, turned left by `angle` (radians).

    Its shadow falls towards `lamp` (radians, y down); `cover` (h, w) becomes 255 where the thing itself is.
    """
    unit = thing.colour.shape[1] / thing.wide
    pad = int(min(80.0, 1.2 * thing.rise * unit)) + 2
    premultiplied = cv2.merge(
        [cv2.multiply(thing.colour, cv2.merge([thing.cover] * 3), scale=1 / 255), thing.cover]
    )
    framed = cv2.copyMakeBorder(thing.cover, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0.0)
    sigma = max(0.6, 0.35 * thing.rise * unit)
    # A wide blur is drawn small: its edges are soft anyway, and it takes a tenth of the time.
    coarse = max(1.0, min(sigma / 1.5, min(framed.shape) / 8))
    small = (max(2, round(framed.shape[1] / coarse)), max(2, round(framed.shape[0] / coarse)))
    little = cv2.resize(framed, small, interpolation=cv2.INTER_AREA)
    shadow = np.asarray(cv2.GaussianBlur(little, (0, 0), sigma / coarse), np.uint8)
    scale = tile_px / unit
    away = thing.rise * tile_px * 0.45
    reach = math.hypot(*thing.cover.shape) / 2 * scale + pad * scale + away
    left, top = max(0, int(spot[0] - reach)), max(0, int(spot[1] - reach))
    right, bottom = (
        min(image.shape[1], int(spot[0] + reach) + 2),
        min(image.shape[0], int(spot[1] + reach) + 2),
    )
    if right <= left or bottom <= top:
        return
    view, size = image[top:bottom, left:right], (right - left, bottom - top)
    centre = (spot[0] - left, spot[1] - top)
    drop = (centre[0] + away * math.cos(lamp), centre[1] + away * math.sin(lamp))
    drawn = cv2.warpAffine(premultiplied, _matrix(thing.cover, centre, angle, scale), size)
    dark = cv2.warpAffine(shadow, _matrix(shadow, drop, angle, scale * framed.shape[1] / small[0]), size)
    keep = cv2.multiply(255 - drawn[..., 3], cv2.addWeighted(dark, -0.5, dark, 0.0, 255), scale=1 / 255)
    kept = cv2.multiply(view, cv2.merge([keep] * 3), scale=1 / 255)
    view[:] = cv2.add(kept, cv2.cvtColor(drawn, cv2.COLOR_BGRA2BGR))
    if cover is not None:
        np.maximum(cover[top:bottom, left:right], drawn[..., 3], out=cover[top:bottom, left:right])


def _matrix(mask: U8, centre: Point, angle: float, scale: float) -> NDArray[np.float64]:
    height, width = mask.shape[:2]
    matrix = np.asarray(
        cv2.getRotationMatrix2D((width / 2, height / 2), math.degrees(angle), scale), np.float64
    )
    matrix[:, 2] += (centre[0] - width / 2, centre[1] - height / 2)
    return matrix
