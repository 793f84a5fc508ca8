"""Draws one random scene: a look, a layout, a camera, light, clutter, and the labels."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.synth import clutter, layouts
from vision.synth.faces import FaceFactory
from vision.synth.fonts import Split
from vision.synth.geometry import Camera, look_at
from vision.synth.looks import Look, draw_look
from vision.synth.post import develop
from vision.synth.render import Painter, TileLabel, draw_light
from vision.synth.surfaces import surface

U8 = NDArray[np.uint8]

#: How often each layout is drawn.
LAYOUTS: dict[str, float] = {
    "melds": 0.24,
    "board": 0.14,
    "scatter": 0.16,
    "discard": 0.08,
    "stacks": 0.05,
    "towers": 0.05,
    "rack": 0.22,
    "down": 0.03,
    "empty": 0.03,
}


@dataclass(frozen=True)
class Scene:
    """A picture (h, w, 3 BGR), its labels, and what it was made of."""

    image: U8
    tiles: tuple[TileLabel, ...]
    style: str
    layout: str
    tile_px: float


def draw_scene(
    rng: np.random.Generator,
    *,
    split: Split = "train",
    size: tuple[int, int] = (448, 448),
    style: str | None = None,
    layout: str | None = None,
    tile_px: tuple[float, float] = (15, 130),
    clean: bool = False,
) -> Scene:
    """A random scene of `size` (w, h) pixels; the same generator state gives the same picture.

    `tile_px` bounds the width of a flat tile in pixels (drawn evenly in its logarithm; stacks and towers are
    not drawn below 20); `style` and `layout` are drawn by STYLES and LAYOUTS where not given; `clean` leaves
    out the hand.
    """
    if layout is not None and layout not in LAYOUTS:
        raise ValueError(f"layout {layout!r} must be one of {', '.join(LAYOUTS)}")
    look = draw_look(rng, split, style)
    kind = layout or str(rng.choice(list(LAYOUTS), p=np.asarray(list(LAYOUTS.values()))))
    pixels = float(np.exp(rng.uniform(math.log(tile_px[0]), math.log(tile_px[1]))))
    if kind in ("stacks", "towers"):
        pixels = max(pixels, 20.0)
    extent = max(size) / pixels * look.width_mm * 1.15
    facing = -math.pi / 2 if rng.random() < 0.5 else rng.uniform(0, 2 * math.pi)
    lean = math.radians(rng.uniform(35, 78))
    camera = _camera(rng, kind, size, pixels / look.width_mm, facing)
    image = surface(rng, size, pixels)
    if rng.random() < 0.45:
        clutter.under(image, rng, pixels, int(rng.integers(1, 5)))
    cover = np.zeros(image.shape[:2], np.uint8)
    laid = _layout(rng, kind, look, min(extent, look.width_mm * 24), lean, facing)
    painter = Painter(image, camera, draw_light(rng), FaceFactory(look))
    painter.paint(laid)
    if not clean and rng.random() < 0.12:
        clutter.hand(image, cover, rng, pixels)
    labels = painter.labels(laid.solids, cover)
    return Scene(develop(image, rng, tile_px=pixels), tuple(labels), look.style, kind, pixels)


def _layout(
    rng: np.random.Generator, kind: str, look: Look, extent: float, lean: float, facing: float
) -> layouts.Layout:
    if kind == "melds":
        return layouts.melds(look, extent, rng, tries=60)
    if kind == "board":
        return layouts.board(look, extent, rng)
    if kind == "scatter":
        return layouts.scatter(
            look, extent, rng, down=rng.choice([0.0, 0.15, 0.4]), crowd=rng.uniform(0.2, 0.8)
        )
    if kind == "discard":
        return layouts.discard_row(look, extent, rng)
    if kind == "stacks":
        return layouts.stacks(look, extent * 0.8, rng)
    if kind == "towers":
        return layouts.towers(look, extent, rng)
    if kind == "rack":
        return layouts.rack(look, extent * 0.9, rng, lean=lean, facing=facing)
    if kind == "down":
        return layouts.scatter(look, extent, rng, down=1.0, crowd=0.6)
    return layouts.Layout()


def _camera(
    rng: np.random.Generator, kind: str, size: tuple[int, int], scale: float, facing: float
) -> Camera:
    """`scale` is in pixels per mm at the target."""
    # The width of the whole frame that this picture is cut from.
    frame = float(np.exp(rng.uniform(math.log(900), math.log(4000))))
    focal = frame * rng.uniform(0.7, 1.15)
    distance = focal / scale
    if kind == "rack" and rng.random() < 0.6:  # a photo of the rack from its player's side
        tilt, azimuth = math.radians(rng.uniform(15, 68)), facing + rng.normal(0, 0.25)
        roll = rng.normal(0, 0.12)
    else:
        tilt, azimuth = abs(rng.normal(0, 0.28)), rng.uniform(0, 2 * math.pi)
        tilt = min(tilt, 0.9)
        roll = rng.uniform(0, 2 * math.pi) if tilt < 0.35 or rng.random() < 0.3 else rng.normal(0, 0.15)
    off = rng.uniform(-0.45, 0.45, 2) * (1 - max(size) / (frame + max(size)))
    return look_at(
        target=np.asarray([0.0, 0.0, 10.0]),
        tilt=tilt,
        azimuth=azimuth,
        roll=roll,
        distance=distance,
        focal_px=focal,
        size=size,
        off_axis=(float(off[0]), float(off[1])),
        k1=rng.normal(0, 0.03),
    )
