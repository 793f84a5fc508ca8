"""Sightings without pictures: each tile has features of its number and an ink of its colour."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.readings import PictureReading
from engine.tiles import TILE_COLOURS
from vision.judging import Faces, Finds, Thresholds, chances, judge
from vision.known_inks import ROWS
from vision.reader import Adapter
from vision.sightings import Sighting

F32 = NDArray[np.float32]

INKS = {"r": (-0.8, -1.2, -0.2), "y": (-1.5, -0.6, -0.1), "b": (-0.3, -0.9, -1.8), "k": (-2.0, -2.0, -2.0)}
FEATURES = 96


def whole_rows() -> list[list[str]]:
    """A set as people are told to lay it: each colour twice 1 to 13, the jokers at the end of two rows."""
    rows = [[f"{slot}{number}" for number in range(1, 14)] for slot in TILE_COLOURS for _ in range(2)]
    rows[5].append("*")
    rows[7].append("*")
    return rows


def without(rows: Sequence[Sequence[str]], face: str) -> list[list[str]]:
    """The rows with the first tile of that face taken away."""
    left = [list(row) for row in rows]
    next(row for row in left if face in row).remove(face)
    return left


def sighting(
    rows: Sequence[Sequence[str]],
    read: Callable[[str, int], tuple[int, float]] | None = None,
    *,
    colour: Callable[[str, int], tuple[str, float]] | None = None,
    seed: int = 0,
    width: float = 60.0,
) -> Sighting:
    """A census of these rows; `read` and `colour` say for a face and its index what is read, how surely."""
    rng = np.random.default_rng(seed)
    shapes = rng.random((15, FEATURES)) * (rng.random((15, FEATURES)) < 0.4)
    quads: list[NDArray[np.float64]] = []
    number, colours, hidden, inks = [], [], [], []
    codes = rng.normal(0, 1, (5, ROWS - 6))
    for line, row in enumerate(rows):
        for column, face in enumerate(row):
            index = len(quads)
            x, y = column * width, line * width * 1.6
            corners = np.asarray([(0, 0), (1, 0), (1, 1.4), (0, 1.4)]) * width * 0.97 + (x, y)
            quads.append(corners)
            true = 0 if face == "*" else int(face[1:])
            said, sure = (true, 0.98) if read is None else read(face, index)
            chances = np.full(16, (1 - sure) / 15)
            chances[said] = sure
            number.append(chances)
            slot, certain = ("r" if face == "*" else face[0], 0.98)
            if colour is not None and face != "*":
                slot, certain = colour(face, index)
            tint = np.full(4, (1 - certain) / 3)
            tint[TILE_COLOURS.index(slot)] = certain
            colours.append(tint)
            hidden.append(np.clip(shapes[true] + rng.normal(0, 0.03, FEATURES), 0, None))
            ink = (-1.0, -1.0, -1.0) if face == "*" else INKS[face[0]]
            code = codes[4 if face == "*" else TILE_COLOURS.index(face[0])] + rng.normal(0, 0.1, ROWS - 6)
            inks.append([*code, *(np.asarray(ink) + rng.normal(0, 0.04, 3)), 0.6, 0.6, 0.6])
    return Sighting(
        picture=np.zeros(len(quads), np.int64),
        quads=np.asarray(quads, np.float32).reshape(-1, 4, 2),
        crops=np.full((len(quads), 64, 48, 3), 200, np.uint8),
        number=np.asarray(number, np.float32).reshape(-1, 16),
        colour=np.asarray(colours, np.float32).reshape(-1, 4),
        hidden=np.asarray(hidden, np.float32).reshape(-1, FEATURES),
        inks=np.asarray(inks, np.float32).reshape(-1, ROWS),
        pictures=1,
    )


class Certain:
    """Takes every find for a tile."""

    def of(self, rows: NDArray[np.float64]) -> F32:
        return np.ones(len(rows), np.float32)


class CensusReader:
    """A reader that sees the tiles of a sighting in every picture, and gives an adapter what it needs."""

    def __init__(self, seen: Sighting) -> None:
        self.seen = seen
        self.adapter: Adapter | None = None
        self.chance = Certain()
        self.thresholds = Thresholds()
        self.pictures = 0

    def candidates(self, image: NDArray[np.uint8]) -> tuple[Finds, Faces]:
        count = len(self.seen)
        one = np.ones(count, np.float32)
        return Finds(self.seen.quads, one, one, one, one), self._faces(np.arange(count))

    def read_faces(self, crops: Sequence[NDArray[np.uint8]]) -> Faces:
        """The tiles that a census names, in their order, as other lights may show them."""
        self.pictures += 1
        assert all(crop.shape == (64, 48, 3) for crop in crops)
        return self._faces(np.arange(len(crops)))

    def read(self, image: NDArray[np.uint8]) -> PictureReading:
        finds, faces = self.candidates(image)
        real = chances(finds, faces, self.chance)  # type: ignore[arg-type]
        tiles = judge(finds, faces, real, self.thresholds)
        return PictureReading(image.shape[1], image.shape[0], tuple(tiles), {})

    def _faces(self, which: NDArray[np.int64]) -> Faces:
        faces = Faces(self.seen.number[which], self.seen.colour[which], np.zeros(len(which), np.bool_))
        if self.adapter is None:
            return faces
        return self.adapter.adjust(faces, self.seen.hidden[which], self.seen.inks[which])
