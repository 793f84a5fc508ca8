"""Things that lie on tables and are no tiles, and hands that reach over them."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from vision.synth import paper_things, solid_things
from vision.synth.hands import hand
from vision.synth.things import Make, lay

__all__ = ["KINDS", "Make", "chair", "hand", "under"]

U8 = NDArray[np.uint8]

KINDS = paper_things.KINDS | solid_things.KINDS


HEAPED = (solid_things.block, solid_things.domino, solid_things.die, paper_things.card)


def under(
    image: U8,
    rng: np.random.Generator,
    tile_px: float,
    count: int,
    *,
    lamp: float | None = None,
    kinds: Mapping[Make, float] = KINDS,
) -> None:
    """Draws `count` things on the table before the tiles, each with its shadow: paper, blocks, cups, phones.

    Shadows fall towards `lamp` (radians, y down), at random where it is not given. `kinds` says how
    often each kind is drawn.
    """
    height, width = image.shape[:2]
    makes, weights = list(kinds), np.asarray(list(kinds.values()))
    fall = rng.uniform(0, 2 * math.pi) if lamp is None else lamp
    for _ in range(count):
        make = makes[int(rng.choice(len(makes), p=weights / weights.sum()))]
        spot = (rng.uniform(0, width), rng.uniform(0, height))
        # Blocks, dice and cards often lie in a row.
        more = int(rng.integers(2, 5)) if make in HEAPED and rng.random() < 0.35 else 1
        angle = rng.uniform(0, 2 * math.pi)
        for index in range(more):
            thing = make(rng, tile_px)
            step = (thing.wide + 0.15) * tile_px * index
            at = (spot[0] + step * math.cos(angle), spot[1] - step * math.sin(angle))
            lay(image, thing, at, angle + rng.normal(0, 0.15) * (more > 1), tile_px=tile_px, lamp=fall)


def chair(
    image: U8,
    rng: np.random.Generator,
    spot: tuple[float, float],
    tile_px: float,
    *,
    angle: float | None = None,
) -> None:
    """A chair from above at `spot` (pixels), its back turned by `angle` (radians, to the left) from up."""
    thing = solid_things.seat(rng, tile_px)
    turn = rng.uniform(0, 2 * math.pi) if angle is None else angle
    lay(image, thing, spot, turn, tile_px=tile_px, lamp=rng.uniform(0, 2 * math.pi))
