"""Confidence against what was right, and what went wrong worst."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine.notation import parse_seen
from engine.readings import Candidate, SeenTile
from vision.labelled import TrueTile
from vision.reliability import Bin, accepted, binned, calibration_error, guesses, worst
from vision.tally import Judged


def entry(
    truth: str | None, read: str | None, confidence: float = 0.9, *, path: str = "p.png", wide: float = 20
) -> Judged:
    box = [(10.0, 20.0), (10 + wide, 20.0), (10 + wide, 48.0), (10.0, 48.0)]
    label = None if truth is None else TrueTile(truth, np.asarray(box, np.float32), "melds")
    others = (Candidate(parse_seen("b3"), 0.05),)
    tile = None if read is None else SeenTile(parse_seen(read), tuple(box), confidence, others)
    return Judged(Path(path), label, tile)


def test_worst_are_the_accepted_and_wrong_then_the_missed_then_the_unread() -> None:
    judged = [
        entry("r1", "r1", 1.0),
        entry("r1", "?", 0.3),
        entry("r1", "?", 0.4),
        entry(None, "r2", 0.6),
        entry(None, "r2", 0.9),
        entry("r3", None),
        entry("r1", "r4", 0.7),
        entry("r1", "r5", 0.99),
    ]
    assert worst(judged) == [judged[at] for at in (7, 4, 6, 3, 5, 2, 1)]
    assert worst(judged, 2) == [judged[7], judged[4]]
    assert worst(judged[:1]) == []


def test_bins_hold_what_was_accepted_and_nothing_else() -> None:
    judged = [
        entry("r1", "r1", 0.96),
        entry("r1", "r2", 0.98),
        entry("#", "#", 1.0),
        entry(None, "r1", 0.52),
        entry("r1", "?", 0.97),
        entry("r1", None),
    ]
    low, high = binned(accepted(judged), bins=10)
    assert (low.low, low.high, low.tiles, low.right) == (0.5, 0.6, 1, 0)
    assert (high.low, high.high, high.tiles, high.right) == (0.9, 1.0, 3, 2)
    assert (low.confidence, high.confidence) == pytest.approx((0.52, 0.98))


def test_the_calibration_error_is_the_mean_distance_from_the_truth() -> None:
    assert calibration_error([]) == 0
    assert calibration_error([Bin(0.8, 0.9, 10, 0.85, 8)]) == pytest.approx(0.05)
    bins = [Bin(0.5, 0.6, 1, 0.52, 0), Bin(0.9, 1.0, 3, 0.98, 2)]
    assert calibration_error(bins) == pytest.approx((0.52 + abs(0.98 * 3 - 2)) / 4)


def test_what_stayed_unread_is_judged_by_its_likeliest_face() -> None:
    judged = [entry("b3", "?", 0.4), entry("r3", "?", 0.3), entry(None, "?", 0.2), entry("b3", "b3", 0.9)]
    assert guesses([*judged, entry("r1", None)]) == [(0.4, True), (0.3, False), (0.2, False), (0.9, True)]
    assert guesses([Judged(Path(), None, SeenTile(parse_seen("?"), (), 0.1))]) == [(0.1, False)]


def test_of_the_missed_the_largest_are_the_worst() -> None:
    judged = [entry("r1", None, wide=wide) for wide in (12, 60, 30)]
    assert worst(judged) == [judged[1], judged[2], judged[0]]


def test_one_bad_picture_leaves_room_for_others() -> None:
    bad = [entry("r1", "r2", 0.99 - place / 100, path="bad.png") for place in range(20)]
    other = [entry("r1", None, path="other.png")]
    chosen = worst(bad + other, 8)
    assert chosen == [*bad[:7], *other], "three of each picture, filled up with the worst"
    assert worst(bad, 8) == bad[:8]
