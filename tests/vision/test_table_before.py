"""What lay there before: keys stay, faces weigh, and what a hand covers is taken over."""

from __future__ import annotations

import pytest

from calibration.zones import Zone
from engine.readings import SeenTile
from engine.rules import RuleSet, rule_set
from engine.table_reading import TableReading
from tests.vision.tables import ETALAT, STEP, ZONES, codes, every, faces, look, melds, row, tile

WALL = row("# # #", -250, 60)
DISCARDS = row("# r9 k3 b12", -40, 20)
MELD = row("r5 r6 r7", 0, -200)
OTHER = row("b1 b2 b3 b4", 0, 230)


def zone(kind: str, seat: int | None = None) -> Zone:
    return next(one for one in ZONES.zones if (one.kind, one.seat) == (kind, seat))


def keys_of(reading: TableReading) -> dict[str, int]:
    """Keys of the melds by what they show."""
    return {faces(meld.tiles): meld.key for meld in reading.melds}


def test_tiles_and_melds_that_stay_keep_their_keys_and_new_ones_get_new_ones() -> None:
    first = look([*MELD, *OTHER, *DISCARDS, *WALL])
    grown = [*MELD, tile("r8", 3 * STEP, -200), *OTHER, *DISCARDS, tile("y1", -40 + 4 * STEP, 20), *WALL]
    second = look(grown, before=first, number=2)
    was = {one.place: one.key for one in every(first)}
    now = {one.place: one.key for one in every(second)}
    assert {place: now[place] for place in was} == was
    new = [key for place, key in now.items() if place not in was]
    assert len(new) == 2
    assert min(new) > max(was.values())
    assert keys_of(second) == {
        "r5 r6 r7 r8": keys_of(first)["r5 r6 r7"],
        "b1 b2 b3 b4": keys_of(first)["b1 b2 b3 b4"],
    }


def test_a_single_tile_keeps_its_key_and_the_meld_it_joins_keeps_its_own() -> None:
    single = look([tile("r8", 200, -200), *MELD, *WALL])
    again = look([tile("r8", 200, -200), *MELD, *WALL], before=single, number=2)
    assert keys_of(again) == keys_of(single)
    joined = look([tile("r8", 3 * STEP, -200), *MELD, *WALL], before=again, number=3)
    assert keys_of(joined) == {"r5 r6 r7 r8": keys_of(single)["r5 r6 r7"]}


def test_a_meld_pushed_aside_keeps_its_key_by_the_keys_of_its_tiles() -> None:
    first = look([*MELD, *OTHER], keys=range(7))
    second = look([*row("r5 r6 r7", 120, -170, turn=15), *OTHER], before=first, number=2, keys=range(7))
    assert keys_of(second) == keys_of(first)


def test_of_a_meld_split_in_two_the_larger_part_keeps_the_key() -> None:
    first = look(row("b1 b2 b3 b4 b5 b6 b7", 0, 230), keys=range(7))
    split = [*row("b1 b2 b3", 0, 230), *row("b4 b5 b6 b7", 150, 230)]
    second = look(split, before=first, number=2, keys=range(7))
    assert keys_of(second)["b4 b5 b6 b7"] == first.melds[0].key
    assert keys_of(second)["b1 b2 b3"] != first.melds[0].key


@pytest.mark.parametrize(
    ("now", "read"),
    [
        ("r8.6:r6=.3", "r6"),  # the earlier face is among what it may be
        ("?:r6=.4,r8=.35", "r6"),
        ("r8.6:b8=.3", "r8"),  # the reader does not name it
        ("?", "?"),  # nor here: unread stays unread
        ("r8", "r8"),  # a clear reading is never overruled
    ],
)
def test_a_tile_that_has_not_moved_is_rather_what_it_was(now: str, read: str) -> None:
    first = look([tile("r6", 200, 200), *OTHER, *WALL])
    second = look([tile(now, 201, 199), *OTHER, *WALL], before=first, number=2)
    assert melds(second) == sorted(["b1 b2 b3 b4", read])
    assert [repair.code for repair in second.repairs] == (["as_before"] if read == "r6" else [])


@pytest.mark.parametrize("moved", [tile("r8.6:r6=.3", 209, 200), tile("r8.6:r6=.3", 200, 200, turn=30)])
def test_a_tile_that_has_moved_may_be_another(moved: SeenTile) -> None:
    first = look([tile("r6", 200, 200), *OTHER, *WALL])
    assert melds(look([moved, *OTHER, *WALL], before=first, number=2)) == ["b1 b2 b3 b4", "r8"]


def test_what_was_doubtful_before_says_nothing_now() -> None:
    first = look([tile("r6.7:r8=.2", 200, 200), *WALL])
    assert melds(look([tile("r8.6:r6=.3", 200, 200), *WALL], before=first, number=2)) == ["r8"]


def test_a_covered_zone_holds_what_it_held_and_says_so() -> None:
    first = look([*MELD, *OTHER, *DISCARDS, *WALL, *row("k1 k9", -100, -440, lean=50)])
    hand = [tile("y5.4", 20, -190), *OTHER, *DISCARDS, *WALL]
    second = look(hand, before=first, number=2, covered=[zone("meld", 1), zone("rack", 1)])
    assert second.unseen == ("meld 1", "rack 1")
    assert second.melds == first.melds
    assert second.racks == first.racks
    assert codes(second) == ["hidden_zone", "hidden_zone"]


def test_the_discard_row_under_a_hand_stays_whole() -> None:
    first = look([*DISCARDS, *MELD, *WALL])
    second = look([DISCARDS[0], *MELD, *WALL], before=first, number=2, covered=[zone("discard")])
    assert second.row == first.row
    assert second.reversed_first is True
    assert len(every(second)) == len(every(first))


def test_a_covered_zone_of_which_nothing_is_known_is_empty() -> None:
    reading = look([*MELD, *OTHER], covered=[zone("meld", 1)])
    assert melds(reading) == ["b1 b2 b3 b4"]
    assert reading.unseen == ("meld 1",)


def test_what_lies_under_a_hand_counts_for_the_set() -> None:
    first = look([*row("r6 b6 k6", 0, -200), *row("r5 r6 r7", 0, 230)])
    hand = [*row("r5 r6 r7", 0, 230), tile("r6.6:r8=.39", 330, 330)]
    second = look(hand, before=first, number=2, covered=[zone("meld", 1)])
    assert melds(second) == ["r5 r6 r7", "r6 b6 k6", "r8"]
    assert [repair.code for repair in second.repairs] == ["more_than_the_set"]


REGULAMENT = rule_set("regulament")
GROWN = row("y9 y13 r2 y6", -40, 20)
LAID = (-40 + 4 * STEP, 20)


def turned(text: str, place: int) -> SeenTile:
    return tile(text, -40 + place * STEP, 20, turn=180)


@pytest.mark.parametrize("rules", [ETALAT, REGULAMENT])
def test_a_discard_laid_the_other_way_round_does_not_turn_the_row(rules: RuleSet) -> None:
    first = look([*GROWN, *WALL], rules=rules)
    second = look([*GROWN, turned("r9", 4), *WALL], before=first, number=2, rules=rules)
    assert faces(second.row) == "y9 y13 r2 y6 r9"


def test_a_discard_that_seems_turned_round_for_a_look_does_not_turn_the_row() -> None:
    laid = [*GROWN, tile("r9", *LAID)]
    first = look([*laid, *WALL], rules=REGULAMENT)
    flicker = look([*GROWN, turned("r9", 4), *WALL], before=first, number=2, rules=REGULAMENT)
    assert faces(flicker.row) == "y9 y13 r2 y6 r9"
    assert faces(look([*laid, *WALL], before=flicker, number=3, rules=REGULAMENT).row) == "y9 y13 r2 y6 r9"


def test_a_row_that_began_reversed_begins_there_still() -> None:
    first = look([*DISCARDS, *WALL])
    assert first.reversed_first is True
    shown = [tile("y4", -40, 20), *DISCARDS[1:3], turned("b12", 3)]  # what lay face down is seen as a face
    assert faces(look([*shown, *WALL], before=first, number=2).row) == "y4 r9 k3 b12"


def test_a_first_discard_that_is_seen_reversed_late_turns_the_row() -> None:
    first = look([*row("k3 b12 y1", -40, 20), *WALL])
    late = look([*row("k3 b12", -40, 20), turned("y1", 2), *WALL], before=first, number=2)
    assert faces(late.row) == "y1 b12 k3"
    shut = look([*row("k3 b12 #", -40, 20), *WALL], before=first, number=2, rules=REGULAMENT)
    assert faces(shut.row) == "# b12 k3"


@pytest.mark.parametrize("side", [-1, 1])
def test_the_second_discard_comes_after_the_first_on_either_side(side: int) -> None:
    first = look([tile("y9", -40, 20), *WALL])
    second = look([tile("y9", -40, 20), tile("k3", -40 + side * STEP, 20), *WALL], before=first, number=2)
    assert faces(second.row) == "y9 k3"
