"""What everyone may see of a reading: nothing that tells which faces a rack holds."""

from __future__ import annotations

from engine.public_reading import public_reading
from engine.table_reading import Lying, LyingMeld, Problem, TableReading, TableRepair
from engine.tiles import Face

TILES = {key: Lying(key, Face("r", key), 0.9, (0.0, 0.0), 0.0) for key in range(1, 7)}


def repair(key: int, *meld: int) -> TableRepair:
    return TableRepair(key, Face("r", 8), Face("r", key), 9.0, "run", "run", "why", "de ce", meld)


READING = TableReading(
    1,
    0.0,
    melds=(LyingMeld(1, 1, (TILES[1], TILES[2], TILES[3])),),
    row=(TILES[4],),
    racks={2: ((TILES[5],), (TILES[6],))},
    problems=(
        Problem("too_many", (1, 5), "red 1 lies there three times", "1 roșu apare de trei ori"),
        Problem("unread", (4,), "read it", "citiți-o"),
        Problem("hidden_zone", (), "take the hand away", "retrageți mâna"),
    ),
    repairs=(repair(2, 1, 2, 3), repair(6), repair(3, 3, 5)),
)


def test_racks_and_all_that_tells_of_them_are_left_out() -> None:
    seen = public_reading(READING)
    assert seen.racks == {}
    assert [problem.code for problem in seen.problems] == ["unread", "hidden_zone"]
    assert [one.key for one in seen.repairs] == [2]
    assert (seen.melds, seen.row) == (READING.melds, READING.row)


def test_what_is_public_stays_as_it_is() -> None:
    seen = public_reading(READING)
    assert public_reading(seen) == seen
