"""Finds meet their tiles, are counted, and sorted by what makes tiles hard to read."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.notation import parse_seen
from engine.readings import SeenTile
from vision.breakdown import NO_TILE, breakdown
from vision.labelled import LabelledPicture, Spot, TrueTile
from vision.matching import match
from vision.tally import Judged, Tally, interval, percent, share


def box(x: float, wide: float = 20) -> list[tuple[float, float]]:
    return [(x, 0.0), (x + wide, 0.0), (x + wide, 28.0), (x, 28.0)]


def true(
    face: str = "r7", x: float = 0, *, counts: bool = True, wide: float = 20, **spot: object
) -> TrueTile:
    place = Spot(**spot)  # type: ignore[arg-type]
    return TrueTile(face, np.asarray(box(x, wide), np.float32), "melds", counts, place)


def seen(face: str, x: float = 0) -> SeenTile:
    return SeenTile(parse_seen(face), tuple(box(x)), 0.9)


# ---- matching


def test_each_tile_meets_its_find() -> None:
    truths = [true("r7", 0), true("r8", 8), true("k1", 200)]
    assert match(truths, [tuple(box(7)), tuple(box(1)), tuple(box(300))]) == ([1, 0, None], [2])
    assert match([], [tuple(box(0))]) == ([], [0])
    assert match(truths, []) == ([None] * 3, [])


def test_a_find_on_a_hidden_tile_is_spare_nowhere() -> None:
    hidden = true(counts=False)
    assert match([hidden], [tuple(box(0)), tuple(box(9))]) == ([0], [])
    assert match([hidden, true("k4", 1)], [tuple(box(0))]) == ([None, 0], []), (
        "the one that counts chooses first"
    )


# ---- counting


def test_what_is_accepted_and_wrong() -> None:
    tally = Tally()
    for truth, read in (
        ("r7", "r7"),
        ("r7", "r8"),
        ("r7", "?"),
        ("#", "#"),
        (None, "k1"),
        (None, "#"),
        (None, "?"),
    ):
        tally.add(Judged(Path(), None if truth is None else true(truth), seen(read)))
    tally.add(Judged(Path(), true(), None))
    assert (tally.tiles, tally.found, tally.right, tally.unread, tally.false_finds) == (5, 4, 2, 1, 3)
    assert (tally.accepted, tally.wrong_accepted, tally.false_backs) == (4, 2, 1)
    assert tally.to_json()["wrong_accepted"] == 0.5
    assert (tally.mended, tally.mended_wrong) == (tally.right, tally.wrong_accepted), (
        "as if nothing was repaired"
    )


def test_what_repair_made_of_it() -> None:
    tally = Tally()
    tally.add(Judged(Path(), true("r7"), seen("?"), seen("r7")))
    tally.add(Judged(Path(), true("r8"), seen("r8"), seen("r7")))
    assert (tally.right, tally.wrong, tally.mended, tally.mended_wrong) == (1, 0, 1, 1)


def test_neither_a_tile_nor_a_find_is_an_error() -> None:
    with pytest.raises(ValueError, match="neither"):
        Tally().add(Judged(Path(), None, None))


def test_shares_of_nothing() -> None:
    assert share(0, 0) is None
    assert percent(None) == "-"
    assert percent(0.98765) == "98.77 %"  # rounded half to even of 98.765
    assert interval(0, 0) == (0.0, 1.0)


@given(whole=st.integers(1, 100_000), part=st.floats(0, 1))
def test_the_interval_holds_the_share_and_narrows(whole: int, part: float) -> None:
    wrong = round(part * whole)
    low, high = interval(wrong, whole)
    assert 0 <= low <= wrong / whole + 1e-12
    assert wrong / whole - 1e-12 <= high <= 1
    more = interval(4 * wrong, 4 * whole)
    assert more[1] - more[0] < high - low


# ---- kinds


def buckets(
    *truths: TrueTile, light: str | None = None, size: tuple[int, int] | None = None
) -> dict[str, list[str]]:
    picture = LabelledPicture(Path(), "flat", truths, backs=True, light=light, size=size)
    judged = [Judged(Path(), truth, None, None, picture) for truth in truths]
    return {name: list(table) for name, table in breakdown(judged).items()}


@pytest.mark.parametrize(
    ("lean", "bucket"),
    [
        (20, "under 35"),
        (35, "35-45"),
        (45, "35-45"),
        (45.1, "45-55"),
        (65, "55-65"),
        (75, "65-75"),
        (76, "over 75"),
    ],
)
def test_a_rack_of_45_degrees_is_one_up_to_45(lean: float, bucket: str) -> None:
    assert buckets(true(zone="rack", lean=lean))["lean"] == [bucket]


@pytest.mark.parametrize(
    ("digit", "bucket"), [(5.9, "under 6"), (6, "6-8"), (8, "8-10"), (12.9, "10-13"), (18, "over 18")]
)
def test_a_digit_of_6_pixels_is_not_under_6(digit: float, bucket: str) -> None:
    assert buckets(true(digit=digit))["digit"] == [bucket]


def test_buckets_stand_in_order_of_size() -> None:
    tables = buckets(
        *(
            true(wide=wide, angle=angle, zone="rack", lean=40, digit=7)
            for wide, angle in ((120, 5), (20, 80), (40, 40))
        ),
        light="warm",
        size=(1920, 1080),
    )
    assert tables["width"] == ["18-25", "35-50", "over 100"]
    assert tables["angle"] == ["under 15", "30-45", "over 65"]
    assert tables["lean_digit"] == ["35-45 at 6-8"]
    assert (tables["light"], tables["picture"], tables["zone"]) == (["warm"], ["1920x1080"], ["rack"])


def test_what_no_label_says_is_no_table() -> None:
    assert set(buckets(true())) == {"width"}
    false = Judged(Path(), None, seen("r7"))
    assert breakdown([false]) == {}, "false finds alone are no zones"
    both = breakdown([false, Judged(Path(), true(zone="meld"), None)])
    assert both["zone"][NO_TILE].false_finds == 1
    assert both["zone"]["meld"].tiles == 1
