"""Rows cut into melds: nothing lost or invented, as good as brute force, and the count of a picture."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.grouping import DOUBT_BELOW, count_tiles, split_row
from engine.melds import check_meld
from engine.notation import format_seen_row, parse_face, parse_seen_row
from engine.readings import SeenTile
from engine.rules import RuleSet, rule_set
from engine.tiles import Face, Mark, Seen, Tile
from tests.engine.strategies import rule_sets, seen, table_rows, tile_rule_sets

Score = tuple[int, int, int, int]
WHOLE = "r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 r1"
SQUARE = ((0.0, 0.0), (30.0, 0.0), (30.0, 40.0), (0.0, 40.0))


def cut(row: str, rules: str = "etalat") -> tuple[list[str], str]:
    """The melds and the loose tiles of a row, as text."""
    faces = parse_seen_row(row)
    split = split_row(faces, rule_set(rules))
    melds = [format_seen_row(faces[meld.start : meld.stop]) for meld in split.melds]
    return melds, format_seen_row(faces[place] for place in split.loose)


@pytest.mark.parametrize(
    ("row", "melds", "loose"),
    [
        ("", [], ""),
        ("r7", [], "r7"),
        ("r5 r6 r7", ["r5 r6 r7"], ""),
        ("r5 r6 r7 r8 r9 r10", ["r5 r6 r7 r8 r9 r10"], ""),  # one meld rather than two
        ("r5 r6 r7 b7 y7 k7", ["r5 r6 r7", "b7 y7 k7"], ""),
        ("r5 r6 r7 b7 y7", ["r5 r6 r7"], "b7 y7"),  # of two equal cuts the left one
        ("r12 r13 r1 r2 r3", ["r12 r13 r1"], "r2 r3"),  # 30 rather than 15
        ("k3 r11 r12 r13 r1 y9", ["r11 r12 r13 r1"], "k3 y9"),
        ("r3 r4 r5 * b7 k7", ["r3 r4 r5", "* b7 k7"], ""),  # the joker goes where fewer stay loose
        ("r8 r7 r6 r5", ["r8 r7 r6 r5"], ""),  # as seen from across the table
        ("r8 * r6 b6 y2", ["r8 * r6"], "b6 y2"),
        ("r8 * r6 b6 y6", ["* r6 b6 y6"], "r8"),
        ("r5 ? r7", [], "r5 ? r7"),  # not read is no joker
        ("r5 r6 r7 ? r9 r10 r11", ["r5 r6 r7", "r9 r10 r11"], "?"),
        ("r5 # r7 r8", [], "r5 # r7 r8"),
        ("* *", [], "* *"),
        ("QH KH AH", [], "QH KH AH"),  # cards among tiles
        (WHOLE, [WHOLE], ""),
    ],
)  # fmt: skip
def test_rows(row: str, melds: list[str], loose: str) -> None:
    assert cut(row) == (melds, loose)


def test_rows_under_other_rules() -> None:
    assert cut("y3 * y5 * y7", "doizece") == (["y3 * y5"], "* y7")
    assert cut("QH KH AH 2H", "classic") == (["QH KH AH"], "2H")


def test_a_falling_run_names_its_jokers_as_they_lie() -> None:
    (meld,) = split_row(parse_seen_row("r9 * r7 *"), rule_set("etalat")).melds
    assert meld.verdict.stands_for == (Face("r", 8), Face("r", 6))
    (meld,) = split_row(parse_seen_row("* r13 r12"), rule_set("etalat")).melds
    assert meld.verdict.stands_for == (Face("r", 1),)


@given(st.one_of(table_rows(longest=30), st.lists(seen, max_size=12)), rule_sets)
def test_nothing_is_lost_or_invented(row: list[Seen], rules: RuleSet) -> None:
    split = split_row(row, rules)
    places = [place for meld in split.melds for place in range(meld.start, meld.stop)]
    assert sorted([*places, *split.loose]) == list(range(len(row)))
    assert places == sorted(places)
    assert list(split.loose) == sorted(split.loose)
    for meld in split.melds:
        laid = [Tile(face) for face in row[meld.start : meld.stop] if isinstance(face, Face)]
        assert len(laid) == meld.stop - meld.start
        directions = [check_meld(laid, rules), check_meld(laid[::-1], rules)]
        (said,) = [one for one in directions if one.meld][:1]
        assert (meld.verdict.meld, meld.verdict.shape, meld.verdict.points, meld.verdict.final_points) == (
            True, said.shape, said.points, said.final_points,
        )  # fmt: skip
    for place, face in enumerate(row):
        if isinstance(face, Mark):
            assert place in split.loose


def brute_force(row: list[Seen], rules: RuleSet) -> Score:
    """The best score of all ways to cut a row: loose tiles, melds, minus final, minus opening points."""

    def values(start: int, stop: int) -> tuple[int, int] | None:
        laid = [Tile(face) for face in row[start:stop] if isinstance(face, Face)]
        if len(laid) < stop - start:
            return None
        for direction in (laid, laid[::-1]):
            said = check_meld(direction, rules)
            if said.points is not None and said.final_points is not None:
                return said.final_points, said.points
        return None

    @cache
    def best(start: int) -> Score:
        if start == len(row):
            return 0, 0, 0, 0
        loose, melds, final, points = best(start + 1)
        scores = [(loose + 1, melds, final, points)]
        for stop in range(start + 1, len(row) + 1):
            if worth := values(start, stop):
                loose, melds, final, points = best(stop)
                scores.append((loose, melds + 1, final - worth[0], points - worth[1]))
        return min(scores)

    return best(0)


@settings(max_examples=60)
@given(table_rows(), tile_rule_sets)
def test_as_good_as_brute_force(row: list[Seen], rules: RuleSet) -> None:
    split = split_row(row, rules)
    score = (
        len(split.loose),
        len(split.melds),
        -sum(meld.verdict.final_points or 0 for meld in split.melds),
        -sum(meld.verdict.points or 0 for meld in split.melds),
    )
    assert score == brute_force(row, rules)


def picture(*rows: str, confidence: float = 0.99) -> tuple[list[list[int]], list[SeenTile]]:
    tiles: list[SeenTile] = []
    indexes: list[list[int]] = []
    for row in rows:
        faces = parse_seen_row(row)
        indexes.append(list(range(len(tiles), len(tiles) + len(faces))))
        tiles += [SeenTile(face, SQUARE, confidence) for face in faces]
    return indexes, tiles


def test_a_picture_is_counted() -> None:
    rows, tiles = picture("r5 r6 r7", "r1 b1 * k9", "* y13", "# ?")
    count = count_tiles(rows, tiles, rule_set("etalat"))
    assert [(meld.tiles, meld.shape, meld.points) for meld in count.melds] == [
        ((0, 1, 2), "run", 15),
        ((3, 4, 5), "group", 100),
    ]
    assert [(loose.tile, str(loose.face), loose.value) for loose in count.loose] == [
        (6, "k9", 5), (7, "*", 50), (8, "y13", 10), (9, "#", None), (10, "?", None),
    ]  # fmt: skip
    assert (count.total_melds, count.total_loose, count.total) == (115, 65, 50)
    assert count.total_opening == 15 + 75
    assert count.melds[1].verdict.points == 75
    assert (count.doubts, count.foreign, count.too_many) == ((10,), (), ())


def test_rows_may_name_the_tiles_in_any_order() -> None:
    _, tiles = picture("r7 k2 r5 r6")
    count = count_tiles([[1], [2, 3, 0]], tiles, rule_set("regulament"))
    assert [meld.tiles for meld in count.melds] == [(2, 3, 0)]
    assert [loose.tile for loose in count.loose] == [1]


def test_doubt_is_named_and_still_counted() -> None:
    rows, tiles = picture("r5 r6 r7", confidence=DOUBT_BELOW - 0.01)
    count = count_tiles(rows, tiles, rule_set("doizece"))
    assert count.doubts == (0, 1, 2)
    assert count.total == 15
    assert count_tiles(rows, tiles, rule_set("doizece"), doubt_below=0.5).doubts == ()


def test_what_does_not_belong_is_named_and_worth_nothing() -> None:
    rows, tiles = picture("r5 r6 r7", "QH")
    count = count_tiles(rows, tiles, rule_set("etalat"))
    assert count.foreign == (3,)
    assert [loose.value for loose in count.loose] == [None]
    assert count_tiles(rows, tiles, rule_set("classic")).foreign == (0, 1, 2)


def test_a_third_red_7_is_named() -> None:
    rows, tiles = picture("r7 r7 r7 r7", "* * *")
    count = count_tiles(rows, tiles, rule_set("etalat"))
    assert count.too_many == (parse_face("r7"), parse_face("r7"), parse_face("*"))


def test_melds_score_nothing_in_classic() -> None:
    rows, tiles = picture("QH KH AH", "AS *")
    count = count_tiles(rows, tiles, rule_set("classic"))
    assert (count.total_melds, count.total_opening, count.total_loose, count.total) == (0, 31, 31, -31)


def test_nothing_in_the_picture() -> None:
    count = count_tiles([], [], rule_set("etalat"))
    assert (count.melds, count.loose, count.total) == ((), (), 0)


@pytest.mark.parametrize("rows", [[], [[0]], [[0, 1, 1]], [[0, 1], [1]], [[0, 1, 2]]])
def test_rows_hold_every_tile_once(rows: list[list[int]]) -> None:
    _, tiles = picture("r5 r6")
    with pytest.raises(ValueError, match="each of the 2 tiles exactly once"):
        count_tiles(rows, tiles, rule_set("etalat"))
