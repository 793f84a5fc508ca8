"""Draws one random scene: a look, a layout, a camera, light, clutter, and the labels."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from vision.synth import clutter, layouts
from vision.synth.contrast import ink_contrast
from vision.synth.faces import FaceFactory
from vision.synth.fonts import Split
from vision.synth.geometry import Camera, look_at
from vision.synth.lamps import Light, draw_light
from vision.synth.looks import Look, draw_look
from vision.synth.overhead import ceiling_camera, overhead_view, tabletop_picture
from vision.synth.post import develop
from vision.synth.racks import random_rack
from vision.synth.render import Painter, TileLabel
from vision.synth.surfaces import surface
from vision.synth.tabletop import LEANS, Table, draw_table

U8 = NDArray[np.uint8]

Spot = tuple[float, float]  # pixels

CEILING_PX = (22.0, 95.0)  # the width of a flat tile under a camera on the ceiling

#: How often each layout is drawn.
LAYOUTS: dict[str, float] = {
    "melds": 0.13,
    "board": 0.10,
    "scatter": 0.09,
    "discard": 0.05,
    "stacks": 0.05,
    "towers": 0.03,
    "rack": 0.12,
    "down": 0.03,
    "empty": 0.04,
    "table": 0.36,  # a piece of a whole game as seen from the ceiling
}


@dataclass(frozen=True)
class Overhead:
    """The camera over a whole table: table in mm, seats, and how far from the edges the markers' middles are.

    `inset_mm` is None where no markers lie there.
    """

    camera: Camera
    table_mm: tuple[float, float]
    seats: int
    inset_mm: float | None


@dataclass(frozen=True)
class Scene:
    """A picture (h, w, 3 BGR), its labels, and what it was made of."""

    image: U8
    tiles: tuple[TileLabel, ...]
    style: str
    layout: str
    tile_px: float
    light: str
    digit: float  # height of the digits as a share of the face's height
    overhead: Overhead | None = None  # where a whole table or a piece of one is seen


#: What a person can just read: a quarter of the flat digits in sight may be fainter than this.
FAINTEST = (12.0, 3.0)  # grey levels between ink and body, and as many times the noise
_TRIES = 6
_READABLE = 18.0  # pixels of a tile's width: what is smaller nobody reads anyway


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

    A picture whose digits nobody could read is drawn anew (see `FAINTEST`). `tile_px` bounds the width of a
    flat tile in pixels (drawn evenly in its logarithm; stacks and towers are not drawn below 20); `style` and
    `layout` are drawn by STYLES and LAYOUTS where not given; `clean` leaves out the hand.
    """
    if layout is not None and layout not in LAYOUTS:
        raise ValueError(f"layout {layout!r} must be one of {', '.join(LAYOUTS)}")
    return clear_scene(lambda: _any_scene(rng, split, size, style, layout, tile_px, clean=clean))


def _any_scene(
    rng: np.random.Generator,
    split: Split,
    size: tuple[int, int],
    style: str | None,
    layout: str | None,
    tile_px: tuple[float, float],
    *,
    clean: bool,
) -> Scene:
    look = draw_look(rng, split, style)
    kind = layout or str(rng.choice(list(LAYOUTS), p=np.asarray(list(LAYOUTS.values()))))
    pixels = float(np.exp(rng.uniform(math.log(tile_px[0]), math.log(tile_px[1]))))
    if kind == "table":
        pixels = min(max(pixels, CEILING_PX[0]), CEILING_PX[1])
        table = draw_table(look, rng)
        camera = ceiling_camera(rng, table, size, pixels / look.width_mm)
        camera = overhead_view(rng, camera, table, size)
        return ceiling_scene(rng, look, table, camera, size, pixels, hand=0.0 if clean else 0.2)
    if kind in ("stacks", "towers"):
        pixels = max(pixels, 20.0)
    extent = max(size) / pixels * look.width_mm * 1.15
    facing = -math.pi / 2 if rng.random() < 0.5 else rng.uniform(0, 2 * math.pi)
    lean = math.radians(rng.uniform(35, 78))
    camera = scene_camera(rng, kind, size, pixels / look.width_mm, facing)
    image = surface(rng, size, pixels)
    if rng.random() < 0.5:
        clutter.under(image, rng, pixels, int(rng.integers(1, 6)))
    laid = _layout(rng, kind, look, min(extent, look.width_mm * 24), lean, facing)
    return painted(rng, look, laid, camera, image, kind, pixels, hand=0.0 if clean else 0.12)


def draw_table_scene(
    rng: np.random.Generator,
    *,
    split: Split = "train",
    size: tuple[int, int] = (1920, 1080),
    style: str | None = None,
    leans: tuple[float, float] = LEANS,
    clean: bool = False,
) -> Scene:
    """A whole table in a frame of `size` (w, h) pixels, as a camera on the ceiling sees it.

    `leans` bounds the lean of the racks in degrees; `clean` leaves out the hand. A picture whose digits
    nobody could read is drawn anew.
    """

    def draw() -> Scene:
        look = draw_look(rng, split, style)
        table = draw_table(look, rng, leans=leans)
        scale = min(size[0] / table.width, size[1] / table.depth) * rng.uniform(0.84, 0.96)
        camera = ceiling_camera(rng, table, size, scale)
        pixels = scale * look.width_mm
        return ceiling_scene(rng, look, table, camera, size, pixels, hand=0.0 if clean else 0.4)

    return clear_scene(draw)


def clear_scene(draw: Callable[[], Scene]) -> Scene:
    """The first scene that is not faint, or too small to read anyway; after several tries the last one."""
    scene = draw()
    for _ in range(_TRIES):
        if scene.tile_px < _READABLE or not faint(scene.tiles):
            break
        scene = draw()
    return scene


def faint(tiles: Sequence[TileLabel]) -> bool:
    """Whether over a quarter of the flat digits in full sight are fainter than `FAINTEST`."""
    flat = [
        tile for tile in tiles if tile.contrast is not None and tile.visible >= 0.75 and tile.slant >= 0.8
    ]
    if not flat:
        return False
    least, times = FAINTEST
    poor = [
        tile.contrast is not None
        and (tile.contrast < least or tile.contrast < times * ((tile.noise or 0.0) + 1))
        for tile in flat
    ]
    return sum(poor) > 0.25 * len(poor)


def ceiling_scene(
    rng: np.random.Generator,
    look: Look,
    table: Table,
    camera: Camera,
    size: tuple[int, int],
    pixels: float,
    *,
    hand: float,
    light: Light | None = None,
) -> Scene:
    """What a camera over a table sees, with things, hands (as often as `hand` says) and any light."""
    image, inset = tabletop_picture(rng, table, camera, size, pixels)
    things = 2 + 10 * min(1.0, size[0] * size[1] / (pixels**2 * 1500))
    clutter.under(image, rng, pixels, int(rng.integers(0, max(1, int(things)))))
    # A hand comes from a player's side of the table and reaches for something on it.
    seat = table.spots[int(rng.integers(table.seats))]
    goal = table.spots[int(rng.integers(len(table.spots)))] + rng.normal(0, 40, 2)
    ends = camera.project(np.asarray([[*(seat * 1.5), 60.0], [*goal, 40.0]]))
    start, aim = ((float(x), float(y)) for x, y in ends)
    reach = (start, aim)
    scene = painted(
        rng,
        look,
        table.layout,
        camera,
        image,
        "table",
        pixels,
        hand=hand,
        reach=reach,
        ceiling=True,
        light=light,
    )
    return replace(scene, overhead=Overhead(camera, (table.width, table.depth), table.seats, inset))


def painted(  # noqa: PLR0913 -- all that makes a picture
    rng: np.random.Generator,
    look: Look,
    laid: layouts.Layout,
    camera: Camera,
    image: U8,
    kind: str,
    pixels: float,
    *,
    hand: float,
    reach: tuple[Spot, Spot] | None = None,
    ceiling: bool = False,
    light: Light | None = None,
) -> Scene:
    """The picture of a layout on the table in `image`, developed, and its labels."""
    light = light or draw_light(rng, ceiling)
    factory = FaceFactory(look)
    painter = Painter(image, camera, light, factory)
    painter.paint(laid)
    cover = np.zeros(image.shape[:2], np.uint8)
    if rng.random() < hand:
        start, aim = reach or (None, None)
        clutter.hand(image, cover, rng, pixels, start=start, aim=aim)
    labels = painter.labels(laid.solids, cover)
    picture = develop(image, rng, tile_px=pixels, ceiling=ceiling)
    measured = tuple(_measured(label, picture, factory) for label in labels)
    return Scene(picture, measured, look.style, kind, pixels, name_light(light), look.digit_height)


def _measured(label: TileLabel, picture: U8, factory: FaceFactory) -> TileLabel:
    """The label with how far its number stands out in the picture."""
    if label.face in "*#":
        return label
    contrast, noise = ink_contrast(picture, np.asarray(label.quad), label.face, factory)
    return replace(label, contrast=round(contrast, 1), noise=round(noise, 1))


def name_light(light: Light) -> str:
    """The kind of light for tables of measurements: glare, mixed, warm, cold or even."""
    if light.sheen > 0.12:
        return "glare"
    warmth = [lamp.colour[2] / lamp.colour[0] for lamp in light.lamps if lamp.strength > 0.1]
    if warmth and max(warmth) / min(warmth) > 1.35:
        return "mixed"
    mean = sum(warmth) / len(warmth) if warmth else 1.0
    return "warm" if mean > 1.15 else "cold" if mean < 0.87 else "even"


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
        return random_rack(look, extent * 0.9, rng, lean=lean, facing=facing)
    if kind == "down":
        return layouts.scatter(look, extent, rng, down=1.0, crowd=0.6)
    return layouts.Layout()


def scene_camera(
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
