"""Draws scenes of what reading finds hard: racks as bright as tiles, stacks in the shade, look-alikes."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.synth import clutter, layouts, print_things
from vision.synth.fonts import Split
from vision.synth.geometry import F64
from vision.synth.lamps import Edges, Light, draw_light
from vision.synth.looks import HARD_JOKERS, HARD_PATTERNS, Look, draw_look
from vision.synth.overhead import ceiling_camera, overhead_view
from vision.synth.scene import Scene, ceiling_scene, clear_scene, painted, scene_camera
from vision.synth.surfaces import surface
from vision.synth.tabletop import Table, draw_table

U8 = NDArray[np.uint8]

#: How often each kind is drawn.
KINDS: dict[str, float] = {"rack": 0.36, "wall": 0.27, "print": 0.2, "jokers": 0.17}
RACKS = {"pale": 0.4, "clear": 0.2, "wood": 0.2, "black": 0.2}
LEANS = (33.0, 60.0)  # degrees: a face that leans more is not read from above anyway
PIXELS = (22.0, 75.0)  # the width of a flat tile
_TRIES = 12


def draw_hard_scene(
    rng: np.random.Generator,
    *,
    split: Split = "train",
    size: tuple[int, int] = (448, 448),
    kind: str | None = None,
) -> Scene:
    """A random scene of one of `KINDS` in `size` (w, h) pixels; the same generator state gives the same one.

    The kind is drawn where it is not given; raises ValueError for one that there is not.
    """
    if kind is not None and kind not in KINDS:
        raise ValueError(f"kind {kind!r} must be one of {', '.join(KINDS)}")

    def draw() -> Scene:
        chosen = kind or str(rng.choice(list(KINDS), p=list(KINDS.values())))
        look = hard_look(rng, split)
        pixels = float(np.exp(rng.uniform(*np.log(PIXELS))))
        if chosen in ("rack", "wall"):
            return _at_a_table(rng, look, size, pixels, chosen)
        return _on_a_table(rng, look, size, pixels, chosen)

    return clear_scene(draw)


def hard_look(rng: np.random.Generator, split: Split) -> Look:
    """A tile set of a split, often with jokers like numbers and with patterned backs."""
    look = draw_look(rng, split)
    if split == "heldout":
        return look
    if rng.random() < 0.6:
        look = replace(look, joker=tuple(str(name) for name in rng.choice(HARD_JOKERS, 2)))
    if rng.random() < 0.3:
        look = replace(look, back_style=str(rng.choice(HARD_PATTERNS)))
    return look


def _at_a_table(
    rng: np.random.Generator, look: Look, size: tuple[int, int], pixels: float, kind: str
) -> Scene:
    """A piece of a table about a rack or about the wall."""
    table = draw_table(look, rng, leans=LEANS)
    spots = wall_spots(table)
    for _ in range(_TRIES):
        if kind != "wall" or spots:
            break
        table = draw_table(look, rng, leans=LEANS)
        spots = wall_spots(table)
    for rack in table.layout.racks:
        rack.kind = str(rng.choice(list(RACKS), p=list(RACKS.values())))
    camera = ceiling_camera(rng, table, size, pixels / look.width_mm)
    chosen = spots if kind == "wall" and spots else table.spots[: table.seats]
    about = chosen[int(rng.integers(len(chosen)))]
    camera = overhead_view(rng, camera, table, size, about=about)
    light = _shadowy(rng) if kind == "wall" else _wallless(rng)
    return ceiling_scene(rng, look, table, camera, size, pixels, hand=0.1, light=light)


def wall_spots(table: Table) -> list[F64]:
    """Where the stacks of a table stand, (2,) mm each."""
    return [
        solid.centre[:2]
        for solid in table.layout.solids
        if solid.place is not None and solid.place.kind in ("wall", "atu") and solid.layer == 0
    ]


def _shadowy(rng: np.random.Generator) -> Light:
    """A light with clear shadows: little of it comes from everywhere."""
    return _drawn(rng, lambda light: light.ambient < 0.42)


def _wallless(rng: np.random.Generator) -> Light:
    """A light in which the walls of tiles are mostly as bright as their faces."""
    light = draw_light(rng, True)
    if rng.random() < 0.3:
        return light
    bevel = (
        float(rng.choice([rng.uniform(0.8, 0.95), rng.uniform(1.05, 1.2)])) if rng.random() < 0.35 else None
    )
    edges = Edges(rng.uniform(0.95, 1.06), rng.uniform(0, 0.2), 0.85, 1.12, bevel, rng.uniform(0.05, 0.15))
    return replace(light, edges=edges)


def _drawn(rng: np.random.Generator, wanted: Callable[[Light], bool]) -> Light:
    light = draw_light(rng, True)
    for _ in range(_TRIES):
        if wanted(light):
            break
        light = draw_light(rng, True)
    return light


def _on_a_table(
    rng: np.random.Generator, look: Look, size: tuple[int, int], pixels: float, kind: str
) -> Scene:
    """Tiles that lie flat: few among print, or melds with many jokers."""
    extent = max(size) / pixels * look.width_mm * 1.15
    camera = scene_camera(rng, kind, size, pixels / look.width_mm, rng.uniform(0, 2 * math.pi))
    image = surface(rng, size, pixels)
    if kind == "print":
        room = size[0] * size[1] / (pixels**2 * 40)
        count = int(rng.integers(2, 4 + min(10, int(room))))
        clutter.under(image, rng, pixels, count, kinds=print_things.KINDS)
        laid = layouts.melds(look, min(extent, look.width_mm * 24), rng, tries=int(rng.integers(0, 7)))
    else:
        if rng.random() < 0.4:
            clutter.under(image, rng, pixels, int(rng.integers(1, 5)), kinds=print_things.KINDS)
        laid = layouts.melds(look, min(extent, look.width_mm * 24), rng, tries=40)
        laid.solids[:] = [
            replace(solid, face=f"*{rng.integers(2)}") if rng.random() < 0.25 else solid
            for solid in laid.solids
        ]
    return painted(rng, look, laid, camera, image, kind, pixels, hand=0.08)
