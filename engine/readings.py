"""What a look at the table says: tiles, their corners and how sure each is, as plain numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.tiles import Seen

Quad = tuple[tuple[float, float], ...]
"""Four corners (x, y) in image pixels: upright top left first, then clockwise as seen upright."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One thing that a tile may show, with how sure that is (0 to 1)."""

    face: Seen
    confidence: float


@dataclass(frozen=True, slots=True)
class SeenTile:
    """A tile found in a picture: what it shows, where, how sure (0 to 1), and what else it may be."""

    face: Seen
    quad: Quad
    confidence: float
    alternatives: tuple[Candidate, ...] = ()


@dataclass(frozen=True, slots=True)
class PictureReading:
    """All tiles found in a picture of `width` x `height` pixels, and the milliseconds of each stage."""

    width: int
    height: int
    tiles: tuple[SeenTile, ...]
    milliseconds: Mapping[str, float]
