"""What of touching tiles can be a meld, and where a row of them is cut in two."""

from __future__ import annotations

import pytest

from engine.notation import parse_seen
from engine.rules import rule_set
from engine.tiles import Face, Mark
from vision.table_melds import Options, can_be_meld, cut, missing_face, one_wrong

ETALAT = rule_set("etalat")


def row(text: str) -> list[Options]:
    """`r5` is that face, `r5/r6` one of both, `?` anything, `#` a tile face down."""
    found: list[Options] = []
    for word in text.split():
        seen = [parse_seen(one) for one in word.split("/")]
        faces = frozenset(one for one in seen if isinstance(one, Face))
        found.append(None if seen == [Mark.UNREAD] else faces)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "r5 r6 r7",
        "r7 r6 r5",
        "r12 r13 r1",
        "r5 b5 k5",
        "r5 * r7",
        "* b5 k5 y5",
        "r5 ? r7",
        "? ? r7",
        "r5/r8 r6 r7",
    ],
)
def test_what_can_be_a_meld(text: str) -> None:
    assert can_be_meld(row(text), ETALAT)


@pytest.mark.parametrize(
    "text",
    ["r5 r6", "r5 r6 b7", "r5 r5 b5", "r13 r1 r2", "# r6 r7", "* * *", "? ? ?", "r5/b9 r7 r8", "r5 ? r8", ""],
)
def test_what_cannot(text: str) -> None:
    assert not can_be_meld(row(text), ETALAT)


def test_the_rules_bound_the_jokers() -> None:
    two = row("r5 * * r8")
    assert can_be_meld(two, rule_set("etalat"))
    assert not can_be_meld(two, rule_set("doizece"))


def test_one_tile_that_does_not_fit() -> None:
    assert one_wrong(row("r5 r6 k9 r8"), ETALAT)
    assert not one_wrong(row("r5 b6 k9 r8"), ETALAT)
    assert not one_wrong(row("r5 r6 k9"), ETALAT)  # of three tiles any two would do


@pytest.mark.parametrize(
    ("text", "lengths"),
    [
        ("r5 r6 r7 b1 b2 b3", [3, 3]),
        ("r5 r6 r7 r8 r9 r10", [6]),
        ("r5 r6 r7 k9 b1 b2 b3", [3, 1, 3]),
        ("r5 r6 r7 k9", [4]),
        ("r5 k9 b2 y7 y11 r1", [6]),
        ("r1 r2 r3 r3 b3 k3 b1 b2 b3", [3, 3, 3]),
    ],
)
def test_a_row_is_cut_where_melds_meet(text: str, lengths: list[int]) -> None:
    tiles = row(text)
    parts = cut(tiles, [0.0] * (len(tiles) - 1), [None] * len(tiles), ETALAT)
    assert [len(part) for part in parts] == lengths
    assert [place for part in parts for place in part] == list(range(len(tiles)))


def test_a_gap_cuts_only_where_it_stands_out() -> None:
    run = row("r1 r2 r3 r4 r5 r6")
    nothing = [None] * 6
    assert len(cut(run, [0.02, 0.02, 0.3, 0.02, 0.02], nothing, ETALAT)) == 2
    assert len(cut(run, [0.25, 0.24, 0.3, 0.26, 0.25], nothing, ETALAT)) == 1  # all of them lie loosely
    assert len(cut(run, [0.02, 0.3, 0.02, 0.02, 0.02], nothing, ETALAT)) == 1  # two tiles are no meld


def test_the_face_that_lies_unseen() -> None:
    assert missing_face(row("r5 r6 ? r8"), 2, ETALAT) == Face("r", 7)
    assert missing_face(row("r5 ? b5"), 1, ETALAT) is None
