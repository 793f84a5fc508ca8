"""How many melds there are, for 0, 1 and 2 jokers: the validator, a second enumerator, known counts.

A layout is the faces a meld means with the places of its jokers; a multiset is its tiles in no order.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product

import pytest

from engine.melds import read_meld
from engine.rules import RuleSet
from engine.shapes import group_means, run_means, run_order
from engine.tiles import JOKER, TILE_COLOURS, Face, Tile
from tests.engine import oracle
from tests.engine.strategies import house

Multiset = tuple[str, ...]


@cache
def circle_rows(colour: str) -> list[tuple[Tile, ...]]:
    """More rows than any rule set allows: pieces of a circle of numbers, up to two of them jokers."""
    rows = []
    for start, length in product(range(1, 14), range(1, 16)):
        faces = [Face(colour, (start + at - 1) % 13 + 1) for at in range(length)]
        for jokers in (0, 1, 2):
            rows += [
                tuple(Tile(JOKER if at in places else face) for at, face in enumerate(faces))
                for places in combinations(range(length), jokers)
            ]
    return rows


def group_rows() -> Iterator[tuple[Tile, ...]]:
    """Groups and what is nearly one, each multiset once: colours may repeat, up to two jokers."""
    for number, jokers, real in product(range(1, 14), (0, 1, 2), range(6)):
        for colours in combinations([*TILE_COLOURS, *TILE_COLOURS], real):
            yield (*(Tile(Face(colour, number)) for colour in colours), *[Tile(JOKER)] * jokers)


def multiset(tiles: tuple[Tile, ...]) -> Multiset:
    return tuple(sorted(str(tile.face) for tile in tiles))


def by_jokers(multisets: set[Multiset]) -> tuple[int, ...]:
    return tuple(sum(one.count("*") == jokers for one in multisets) for jokers in (0, 1, 2))


def open_rules(**changes: object) -> RuleSet:
    return house("etalat", **{"meld_real_tiles_min": 1, **changes})


RUN_COUNTS = [
    # changes, layouts, multisets
    ({"run_max_length": 13}, (308, 2024, 6864), (304, 1708, 5144)),
    ({"run_max_length": 14}, (312, 2080, 7228), (308, 1760, 5460)),
    ({"one_after_13": False}, (264, 1672, 5412), (264, 1452, 4312)),
    ({"one_after_13": False, "run_max_length": 5}, (120, 472, 732), (120, 364, 416)),
    ({"run_max_length": 5}, (132, 520, 808), (132, 400, 452)),
]


@pytest.mark.parametrize(("changes", "layouts", "multisets"), RUN_COUNTS)
def test_runs(changes: dict[str, object], layouts: tuple[int, ...], multisets: tuple[int, ...]) -> None:
    rules = open_rules(**changes)
    legal = [
        (row, means)
        for colour in TILE_COLOURS
        for row in circle_rows(colour)
        if (means := run_means(row, rules))
    ]
    seen = {(means, tuple(tile.is_joker for tile in row)) for row, means in legal}
    assert tuple(sum(sum(mask) == jokers for _, mask in seen) for jokers in (0, 1, 2)) == layouts
    assert by_jokers({multiset(row) for row, _ in legal}) == multisets


@pytest.mark.parametrize(("changes", "multisets"), [(changes, sets) for changes, _, sets in RUN_COUNTS[1:3]])
def test_runs_by_an_independent_enumerator(changes: dict[str, object], multisets: tuple[int, ...]) -> None:
    """Every set of numbers of one colour (the 1 once or twice) with every number of jokers, both ways."""
    rules = open_rules(**changes)
    longest, last = (
        int(str(changes.get("run_max_length", 14))),
        13 if changes.get("one_after_13") is False else 14,
    )
    line = oracle.CIRCLE[:last]
    pieces = [
        line[start : start + length]
        for length in range(3, longest + 1)
        for start in range(len(line) - length + 1)
    ]
    wanted: set[Multiset] = set()
    for piece in pieces:
        for jokers in (0, 1, 2):
            for places in combinations(range(len(piece)), jokers):
                row = ["*" if at in places else f"r{number}" for at, number in enumerate(piece)]
                wanted.add(tuple(sorted(row)))
    accepted: set[Multiset] = set()
    without_ones = [row for count in range(13) for row in combinations(range(2, 14), count)]
    for low, ones in product(without_ones, ((), (1,), (1, 1))):
        numbers = (*low, *ones)
        for jokers in (0, 1, 2):
            row_of_tiles = (*(Tile(Face("r", number)) for number in numbers), *[Tile(JOKER)] * jokers)
            if run_order(row_of_tiles, rules) is not None:
                accepted.add(multiset(row_of_tiles))
    assert accepted == {row for row in wanted if set(row) != {"*"}}
    assert tuple(4 * count for count in by_jokers(accepted)) == multisets


def test_groups() -> None:
    rules = open_rules()
    legal = {multiset(row) for row in group_rows() if group_means(row, rules)}
    assert by_jokers(legal) == (65, 130, 130)
    wanted = set()
    for number, size in product(range(1, 14), (3, 4)):
        for colours in combinations("rybk", size):
            for jokers in (0, 1, 2):
                for left in combinations(colours, size - jokers):
                    wanted.add(tuple(sorted([*(f"{colour}{number}" for colour in left), *["*"] * jokers])))
    assert legal == wanted


@pytest.mark.parametrize(
    ("rules", "counts"),
    [
        (open_rules(run_max_length=13), (369, 1838, 5222)),
        (open_rules(run_max_length=13, meld_real_tiles_min=2), (369, 1838, 5170)),
        (open_rules(), (373, 1890, 5538)),
        (house("etalat"), (373, 1890, 5486)),
        (house("regulament"), (373, 1890, 5486)),
        (house("doizece"), (373, 1890, 0)),
        (open_rules(one_after_13=False), (329, 1582, 4390)),
        (open_rules(one_after_13=False, meld_real_tiles_min=2), (329, 1582, 4338)),
        (open_rules(one_after_13=False, run_max_length=5), (185, 494, 494)),
        (open_rules(run_max_length=5), (197, 530, 530)),
    ],
)  # fmt: skip
def test_runs_and_groups_together(rules: RuleSet, counts: tuple[int, ...]) -> None:
    rows = [*group_rows(), *(row for colour in TILE_COLOURS for row in circle_rows(colour))]
    assert by_jokers({multiset(row) for row in rows if read_meld(row, rules)}) == counts
