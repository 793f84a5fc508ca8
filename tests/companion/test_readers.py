"""The reader is found with its models, or the command says what is missing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from vision.pictures import Picture, Pixels

from companion.output import InputError
from companion.readers import SMALLEST_SIDE, load_reader, read_photo
from engine.readings import PictureReading


class CountingReader:
    """Finds nothing, and counts how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def read(self, image: Pixels) -> PictureReading:
        self.asked += 1
        return PictureReading(image.shape[1], image.shape[0], (), {"find": 1.0})


def test_missing_models_are_told_with_exit_code_1(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_reader(tmp_path)
    assert caught.value.exit_code == 1
    assert str(tmp_path) in caught.value.message


@pytest.mark.parametrize(("side", "asked"), [(1, 0), (SMALLEST_SIDE - 1, 0), (SMALLEST_SIDE, 1)])
def test_only_pictures_with_room_for_a_tile_are_searched(side: int, asked: int) -> None:
    reader = CountingReader()
    reading = read_photo(reader, Picture(np.zeros((side, 40, 3), np.uint8), 40, side))
    assert (reading.width, reading.height, reading.tiles) == (40, side, ())
    assert reader.asked == asked
