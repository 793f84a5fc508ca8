"""The reader that commands and page are given: whole pictures in, faces and corners out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from companion.output import InputError
from engine.readings import PictureReading

if TYPE_CHECKING:
    from vision.pictures import Picture, Pixels

SMALLEST_SIDE: Final = 16
"""Pixels; a picture with a shorter side holds no tile that could be read."""


class PictureReader(Protocol):
    """Finds and reads the tiles of an upright BGR picture."""

    def read(self, image: Pixels) -> PictureReading:
        """The tiles with their corners in pixels of `image`."""


def load_reader(
    model_dir: Path | None = None, *, threads: int | None = None, backend: str = "onnxruntime"
) -> PictureReader:
    """The reader with the models of a folder, by default those that come with the program.

    `backend` is one of vision.backends.BACKENDS. Raises InputError where a model is missing or broken, or the
    back end is not installed.
    """
    from vision.onnx_nets import ModelError
    from vision.reader import Reader

    try:
        return Reader.load(model_dir, threads=threads, backend=backend)
    except ModelError as error:
        raise InputError(str(error)) from error


def read_photo(reader: PictureReader, picture: Picture) -> PictureReading:
    """The tiles of a picture, with corners in pixels of the whole picture even where it came reduced."""
    height, width = picture.pixels.shape[:2]
    if min(height, width) < SMALLEST_SIDE:
        return PictureReading(picture.width, picture.height, (), {})
    reading = reader.read(picture.pixels)
    across, down = picture.scale
    if across == down == 1:
        return reading
    tiles = tuple(
        replace(tile, quad=tuple((x * across, y * down) for x, y in tile.quad)) for tile in reading.tiles
    )
    return PictureReading(picture.width, picture.height, tiles, reading.milliseconds)
