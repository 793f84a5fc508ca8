"""What is seen of a set laid out: the tiles of all pictures, doubtful finds by their size."""

from __future__ import annotations

from typing import cast

import numpy as np

from tests.vision.censuses import CensusReader, sighting, whole_rows
from vision.reader import Reader
from vision.sightings import sight

ROWS = whole_rows()
PICTURE = np.full((800, 900, 3), 90, np.uint8)


class Doubting:
    """Is unsure of some finds."""

    def __init__(self, chances: dict[int, float]) -> None:
        self.chances = chances

    def of(self, found: np.ndarray, *_others: object) -> np.ndarray:
        return np.asarray([self.chances.get(index, 0.9) for index in range(len(found))], np.float32)


def test_pictures_are_put_together_row_by_row() -> None:
    seen = sighting(ROWS[:2])
    reader = CensusReader(seen)
    both = sight(cast("Reader", reader), [PICTURE, PICTURE])
    assert both.pictures == 2
    assert both.picture.tolist() == [0] * 26 + [1] * 26
    np.testing.assert_array_equal(both.quads[:26], seen.quads)
    np.testing.assert_array_equal(both.hidden[26:], seen.hidden)
    np.testing.assert_array_equal(both.measured[26:], seen.measured)
    assert both.crops.shape == (52, 64, 48, 3)
    assert abs(both.width_px - 58.2) < 0.1
    assert reader.adapter is None


def test_a_doubtful_find_is_a_tile_if_it_is_as_large_as_the_others() -> None:
    seen = sighting(ROWS[:2])
    seen.quads[5] = seen.quads[5].mean(axis=0) + (seen.quads[5] - seen.quads[5].mean(axis=0)) * 0.5
    reader = CensusReader(seen)
    reader.chance = Doubting({4: 0.2, 5: 0.2, 6: 0.05})  # type: ignore[assignment]
    found = sight(cast("Reader", reader), [PICTURE])
    assert len(found) == 24
    np.testing.assert_array_equal(found.quads[4], seen.quads[4])


def test_an_empty_table_is_seen_as_one() -> None:
    none = sight(cast("Reader", CensusReader(sighting([]))), [PICTURE])
    assert len(none) == 0
    assert none.width_px == 0
    assert none.crops.shape == (0, 64, 48, 3)
