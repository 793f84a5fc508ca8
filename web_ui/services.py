"""What the page needs of the rest of the companion, handed to `create_app` as plain functions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.readings import PictureReading, Quad


@dataclass(frozen=True)
class ReadPicture:
    """A picture that was read: the reading and an upright JPEG of the same view for the browser."""

    reading: PictureReading
    jpeg: bytes


class PictureRefusedError(ValueError):
    """The picture can't be read; says why in both languages, for the person who chose it."""

    def __init__(self, code: str, *, message_ro: str, message_en: str) -> None:
        super().__init__(message_en)
        self.code = code
        self.message_ro = message_ro
        self.message_en = message_en


@dataclass(frozen=True)
class Services:
    """Functions that companion composes.

    `read_picture` takes the bytes of a picture file and raises PictureRefusedError; several threads may call
    it. `rows` takes quads in image pixels and returns rows of indexes, each row in reading order.
    `sample_picture` returns the bytes of a picture to try the page with; None where there is none.
    """

    read_picture: Callable[[bytes], ReadPicture]
    rows: Callable[[Sequence[Quad]], Sequence[Sequence[int]]]
    sample_picture: Callable[[], bytes] | None = None
    version: str = ""
