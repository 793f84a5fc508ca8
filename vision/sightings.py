"""What the reader sees of a set laid out in one or more pictures, with all that its nets say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from vision.crops import FACE_SIZE, Pyramid, cut_face
from vision.judging import Faces, Finds, chances, taken
from vision.known_inks import ROWS
from vision.layout import rows

if TYPE_CHECKING:
    from vision.reader import Reader

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

MAYBE: Final = 0.1
"""Chance below which a find is no tile, however much it looks like the others in size."""
ALIKE: Final = 0.3
"""By how much a find in doubt may differ in size from the middle tile, as a natural logarithm."""


@dataclass(frozen=True)
class Sighting:
    """All tiles of a census (n), row by row.

    `picture` (n,) says in which picture each lies, `quads` (n, 4, 2) where, in pixels, upright top left
    first; `crops` (n, 64, 48, 3) are the faces, `number` (n, 16) and `colour` (n, 4) their chances, `hidden`
    (n, 96) the face net's features, `inks` (n, 30) evidence on the inks (vision.inks).
    """

    picture: NDArray[np.int64]
    quads: F32
    crops: U8
    number: F32
    colour: F32
    hidden: F32
    inks: F32
    pictures: int

    def __len__(self) -> int:
        return len(self.quads)

    @property
    def measured(self) -> F32:
        """(n, 6): ink and body of each tile as `vision.inks.measure` says them."""
        return self.inks[:, -6:]

    @property
    def width_px(self) -> float:
        """The median width of a tile in pixels; 0 without tiles."""
        if len(self) == 0:
            return 0.0
        return float(np.median(np.linalg.norm(self.quads[:, 1] - self.quads[:, 0], axis=1)))


class Listener:
    """Stands in the reader where an adapter would, changes nothing, and keeps what the nets said."""

    def __init__(self) -> None:
        self.faces: Faces | None = None
        self.hidden: F32 = np.zeros((0, 96), np.float32)
        self.inks: F32 = np.zeros((0, ROWS), np.float32)

    @property
    def context(self) -> None:
        """No tiles beside those of the picture."""
        return

    def adjust(self, faces: Faces, features: F32, inks: F32) -> Faces:
        """The same faces."""
        self.faces, self.hidden, self.inks = faces, features, inks
        return faces


def sight(reader: Reader, pictures: Sequence[U8]) -> Sighting:
    """Reads the pictures (h, w, 3 BGR) of a census as the nets do without any set taught."""
    before = reader.adapter
    parts = []
    try:
        for index, image in enumerate(pictures):
            listener = Listener()
            reader.adapter = listener
            parts.append(_picture(reader, image, index, listener))
    finally:
        reader.adapter = before
    return Sighting(
        picture=np.concatenate([part.picture for part in parts]),
        quads=np.concatenate([part.quads for part in parts]),
        crops=np.concatenate([part.crops for part in parts]),
        number=np.concatenate([part.number for part in parts]),
        colour=np.concatenate([part.colour for part in parts]),
        hidden=np.concatenate([part.hidden for part in parts]),
        inks=np.concatenate([part.inks for part in parts]),
        pictures=len(pictures),
    )


def _picture(reader: Reader, image: U8, index: int, listener: Listener) -> Sighting:
    """The tiles of one picture, row by row."""
    finds, faces = reader.candidates(image)
    upright = np.where(faces.turned[:, None, None], np.roll(finds.quads, 2, axis=1), finds.quads)
    chosen = _tiles(finds, faces, reader)
    order = np.asarray([chosen[at] for row in rows(upright[chosen]) for at in row], np.int64)
    pyramid = Pyramid(image)
    crops = [cut_face(pyramid, upright[at]) for at in order]
    return Sighting(
        picture=np.full(len(order), index, np.int64),
        quads=np.asarray(upright[order], np.float32),
        crops=np.asarray(crops, np.uint8).reshape(-1, FACE_SIZE[1], FACE_SIZE[0], 3),
        number=faces.number[order],
        colour=faces.colour[order],
        hidden=listener.hidden[order],
        inks=listener.inks[order],
        pictures=1,
    )


def _tiles(finds: Finds, faces: Faces, reader: Reader) -> NDArray[np.int64]:
    """Which finds are tiles: those that surely are, and doubtful ones of the same size."""
    real = chances(finds, faces, reader.chance)
    surely = np.zeros(len(real), np.bool_)
    surely[taken(real, faces, reader.thresholds)] = True
    if not surely.any():
        return np.zeros(0, np.int64)
    size = np.log(np.linalg.norm(finds.quads[:, 2] - finds.quads[:, 0], axis=1) + 1e-6)
    alike = np.abs(size - np.median(size[surely])) < ALIKE
    return np.flatnonzero(surely | ((real >= MAYBE) & alike))
