"""What the benchmark of lost tiles says of a face that was read wrongly, and of where a tile lies."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.lost_tiles import kind_of_error, place
from vision.labelled import Spot, TrueTile


@pytest.mark.parametrize(
    ("truth", "seen", "said"),
    [
        ("r7", "?", "unread"),
        ("*", "k4", "wrong: joker"),
        ("y6", "*", "wrong: joker"),
        ("#", "b1", "wrong: back"),
        ("b11", "b1", "wrong: number"),
        ("r11", "k1", "wrong: number"),
        ("k8", "b8", "wrong: ink k as b"),
    ],
)
def test_an_error_is_told_by_what_is_wrong(truth: str, seen: str, said: str) -> None:
    assert kind_of_error(truth, seen) == said


@pytest.mark.parametrize(
    ("face", "spot", "where"),
    [
        ("r7", Spot("rack", lean=45.0), "rack to 45"),
        ("#", Spot("rack", lean=60.0), "rack 45 to 60"),
        ("r7", Spot("rack", lean=71.0), "rack over 60"),
        ("#", Spot("discard"), "face down"),
        ("r7", Spot("meld"), "meld"),
        ("r7", Spot(), "anywhere"),
    ],
)
def test_tiles_are_counted_where_they_lie(face: str, spot: Spot, where: str) -> None:
    assert place(TrueTile(face, np.zeros((4, 2), np.float32), "flat", spot=spot)) == where
