"""Pieces of a picture that are drawn once and can be laid over it again and again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Patch:
    """What is laid at `rows` and `columns` of a picture, and which of the pixels are then its own."""

    rows: slice
    columns: slice
    colour: F32  # (h, w, 3) BGR 0..255, times the cover
    cover: F32  # (h, w, 1) 0..1
    owned: Bools  # (h, w)

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right and bottom in pixels."""
        return (self.columns.start, self.rows.start, self.columns.stop, self.rows.stop)


@dataclass(frozen=True)
class Sprite:
    """A solid tile as drawn: its body, its face where that is in sight, and who is where."""

    body: Patch | None
    face: Patch | None
    level: int  # 1 + layer of a tile that lies flat, 0 of another
    quad: NDArray[np.float64] | None  # (4, 2) corners of the face in sight, pixels
    inside: tuple[slice, slice, Bools] | None  # the pixels whose middles lie in the face
    painted: int = 0  # how many these are


def blend(view: U8, colour: F32, cover: F32) -> None:
    """Lays colour (h, w, 3) with cover (h, w, 1) over a part of a picture, in place."""
    mixed = view * (1 - cover) + colour
    view[:] = np.clip(mixed, 0, 255).astype(np.uint8)
