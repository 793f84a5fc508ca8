"""How a meld that lies there is laid anew: what stays keeps its place, the rest joins it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from vision.synth.geometry import Place
from vision.virtual.moves import Pieces, meld_tiles, put_down
from vision.virtual.pieces import Lie, Put
from vision.virtual.places import fits

if TYPE_CHECKING:
    import numpy as np

    from vision.virtual.pieces import Command
    from vision.virtual.setting import Setting

_CLEAR_MM: Final = 7.5
_OFF: Final = 0.3  # of a tile's width: a tile that is so near to where it belongs is left there


def laid(
    setting: Setting, pieces: Pieces, order: Sequence[int], group: int, rng: np.random.Generator
) -> list[Command]:
    """The commands that make a meld these tiles in this order, from left to right; elsewhere if need be."""
    old = meld_tiles(pieces, group)
    seat = pieces[old[0]].zone.seat
    kept = [at for at, tile in enumerate(order) if tile in old and isinstance(pieces[tile].at, Lie)]
    others = [piece for tile, piece in pieces.items() if tile not in order]
    places = _places(setting, pieces, order, kept, rng)
    moved = [place for tile, place in zip(order, places, strict=True) if pieces[tile].at != place]
    if not kept or not fits(setting, moved, others, _CLEAR_MM):
        return put_down(setting, pieces, order, seat, rng, group=group)
    return [
        Put(tile, place, Place("meld", seat, group, index), up=True)
        for index, (tile, place) in enumerate(zip(order, places, strict=True))
    ]


def _places(
    setting: Setting, pieces: Pieces, order: Sequence[int], kept: Sequence[int], rng: np.random.Generator
) -> list[Lie]:
    """A place for each tile: as many as can stay where they are."""
    width = setting.look.width_mm
    best: list[Lie] = []
    stays = -1
    for anchor in kept:
        start = pieces[order[anchor]].at
        if not isinstance(start, Lie):
            continue
        spots: dict[int, Lie] = {anchor: start}
        for side, ats in ((1, range(anchor + 1, len(order))), (-1, range(anchor - 1, -1, -1))):
            for at in ats:
                spot = _beside(setting, spots[at - side], side, rng)
                now = pieces[order[at]].at
                stays_there = at in kept and isinstance(now, Lie) and _near(now, spot, _OFF * width)
                spots[at] = now if stays_there and isinstance(now, Lie) else spot
        places = [spots[at] for at in range(len(order))]
        staying = sum(pieces[tile].at == place for tile, place in zip(order, places, strict=True))
        if staying > stays:
            best, stays = places, staying
    return best


def _beside(setting: Setting, beside: Lie, side: int, rng: np.random.Generator) -> Lie:
    """The place right (1) or left (-1) of a tile."""
    step = side * setting.look.width_mm * (1.005 + abs(float(rng.normal(0, setting.gap))))
    turn = float(rng.normal(0, setting.jitter))
    return replace(
        beside,
        x=beside.x + math.cos(beside.angle) * step,
        y=beside.y + math.sin(beside.angle) * step,
        angle=beside.angle + turn,
    )


def _near(one: Lie, other: Lie, mm: float) -> bool:
    return math.hypot(one.x - other.x, one.y - other.y) <= mm
