"""What lay there before: keys stay, faces weigh, and what a hand covers is taken over."""

from __future__ import annotations

import pytest

from calibration.zones import Zone
from engine.readings import SeenTile
from engine.table_reading import TableReading
from tests.vision.tables import STEP, ZONES, codes, every, faces, look, melds, row, tile

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
