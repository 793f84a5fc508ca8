"""The solver against a search that tries every set of melds, and what it must say of whole racks."""

from __future__ import annotations

from functools import lru_cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bags import Bag, full_set
from engine.legal import layouts
from engine.melds import Meld, read_meld
from engine.notation import parse_tiles
from engine.rules import RULE_KEYS, RuleSet, rule_set, with_changes
from engine.solver import Best, RackError, could_have_opened, solve
from engine.tiles import Face


@lru_cache(maxsize=8)
def all_melds(rules: RuleSet) -> list[tuple[Bag, Meld]]:
    laid = layouts(rules, jokers=min(2, rules.meld_jokers_max))
    return [(Bag(t.face for t in tiles), m) for tiles in laid if (m := read_meld(tiles, rules))]


def brute(rack: list[Face], rules: RuleSet, *, opened: bool) -> tuple[int, int, bool]:
    """Most points, fewest left, whether it closes: by trying every set of melds."""
    whole = Bag(rack)
    found = [(bag, meld) for bag, meld in all_melds(rules) if bag <= whole]
    best, fewest, closes = 0, len(rack), False

    def judge(chosen: list[Meld], rest: Bag) -> None:
        nonlocal best, fewest, closes
        points = sum(meld.points for meld in chosen)
        shapes: set[str] = {meld.shape for meld in chosen}
        all_in = rules.closed_game and not opened and len(rack) == 15 and len(rest) == 1
        may = opened or (points >= rules.first_meld_points and shape_opens(chosen, shapes, rules))
        if chosen and len(rest) >= 1 and (may or all_in):
            closes = closes or len(rest) == 1
            if may:
                best, fewest = max(best, points), min(fewest, len(rest))

    def search(start: int, chosen: list[Meld], rest: Bag) -> None:
        judge(chosen, rest)
        for at in range(start, len(found)):
            bag, meld = found[at]
            if bag <= rest:
                search(at, [*chosen, meld], rest - bag)

    search(0, [], whole)
    return best, fewest, closes


def shape_opens(melds: list[Meld], shapes: set[str], rules: RuleSet) -> bool:
    wanted = rules.first_meld_shape
    if wanted == "any":
        return True
    if wanted == "run_and_group":
        return shapes == {"run", "group"}
    alone = len(melds) == 1 and melds[0].shape == "group" and melds[0].means[0].number == 1
    return "run" in shapes or (wanted == "run_or_ones" and alone)


def check(rack: list[Face], rules: RuleSet, *, opened: bool) -> Best:
    best = solve(rack, rules, opened=opened)
    assert (best.points, best.fewest_left, best.closes) == brute(rack, rules, opened=opened)
    for melds, left in ((best.melds, best.left), (best.closing, None)):
        used = Bag(tile.face for meld in melds for tile in meld.tiles)
        assert used <= Bag(rack)
        assert left is None or used + left == Bag(rack)
        assert all(read_meld(meld.tiles, rules) == meld for meld in melds)
    assert best.points == sum(meld.points for meld in best.melds)
    assert best.opens == bool(best.melds)
    if best.closes:
        assert sum(len(meld.tiles) for meld in best.closing) == len(rack) - 1
    return best


@st.composite
def racks(draw: st.DrawFn, rules: RuleSet) -> list[Face]:
    """Racks that are full of melds: faces near to each other, jokers often."""
    colours = rules.colours[: draw(st.integers(2, 4))]
    low = draw(st.integers(1, 10))
    numbers = [*range(low, low + 4), *([1] if draw(st.booleans()) else [])]
    pool = [Face(colour, number) for colour in colours for number in numbers] * 2
    size = draw(st.integers(3, 8))
    jokers = draw(st.integers(0, 2))
    picked = draw(st.lists(st.sampled_from(pool), min_size=size, max_size=size))
    bag = Bag(picked)
    return [*(face for face, n in bag.items() for _ in range(min(n, 2))), *[Face("", 0)] * jokers]


@pytest.mark.parametrize("key", RULE_KEYS)
@settings(max_examples=60)
@given(data=st.data())
def test_the_solver_is_exact(key: str, data: st.DataObject) -> None:
    rules = rule_set(key)
    check(data.draw(racks(rules)), rules, opened=data.draw(st.booleans()))


@pytest.mark.parametrize(
    "changes",
    [
        {"run_max_length": 4}, {"meld_jokers_max": 1}, {"meld_real_tiles_min": 1}, {"one_after_13": False},
        {"meld_real_tiles_per_joker": 2}, {"run_max_length": 13}, {"meld_jokers_max": 0},
    ],
    ids=str,
)  # fmt: skip
@settings(max_examples=30)
@given(data=st.data())
def test_the_solver_is_exact_with_house_rules(changes: dict[str, object], data: st.DataObject) -> None:
    rules = with_changes(rule_set("etalat"), changes)
    check(data.draw(racks(rules)), rules, opened=True)


@pytest.mark.parametrize("jokers", [0, 1])
def test_whole_racks_agree_with_the_search(jokers: int) -> None:
    random = Random(7)
    for key in ("doizece", "etalat", "regulament"):
        rules = rule_set(key)
        real = [face for face in full_set(rules) if not face.is_joker]
        for _ in range(4):
            rack = random.sample(real, 15 - jokers) + [Face("", 0)] * jokers
            check(rack, rules, opened=random.random() < 0.5)


def faces(text: str) -> list[Face]:
    return [tile.face for tile in parse_tiles(text)]


def test_opening_with_a_group_of_ones_alone() -> None:
    # RULES.md, first meld, shape, etalat: the other groups stay on the rack that turn.
    rack = faces("r1 b1 k1 r10 b10 k10 y2")
    assert str(solve(rack, rule_set("etalat")).left) == "r10 y2 b10 k10"
    assert solve(rack, rule_set("doizece")).points == 0
    assert solve(faces("r1 b1 * y2"), rule_set("etalat")).points == 75
    assert solve(faces("r1 b1 y1 k1 *"), rule_set("etalat")).points == 100
    assert solve(faces("r1 b1 k1"), rule_set("etalat")).points == 0  # nothing would stay to discard


def test_table_games() -> None:
    etalat = rule_set("etalat")
    numbers = [*range(1, 14), 1]
    mono = " ".join(f"y{n}" for n in numbers)
    two = " ".join(f"{'ry'[at % 2]}{n}" for at, n in enumerate(numbers))
    four = " ".join(f"{'rybk'[at % 4]}{n}" for at, n in enumerate(numbers))
    assert solve(faces(mono + " k5"), etalat).table_games == ("simple", "monocolor")
    assert solve(faces(two + " k5"), etalat).table_games == ("bicolor",)
    assert solve(faces(four + " k5"), etalat).table_games == ("mozaic",)
    assert solve(faces(four.replace("k4", "*") + " k5"), etalat).table_games == ("mozaic",)
    assert solve(faces(four.replace("r1", "*", 1) + " k5"), etalat).table_games == ("mozaic",)
    assert solve(faces(four.replace("r1 ", "* ", 1).removesuffix("y1") + "* r1"), etalat).table_games
    assert solve(faces(mono), etalat).table_games == ()
    assert solve(faces(mono + " k5"), rule_set("regulament")).table_games == ("closed",)
    closed = solve(faces("y1 r1 k1 y7 y8 y9 y10 k11 k12 k13 r6 y6 b6 k6 b2"), rule_set("regulament"))
    assert closed.closes
    # All 14 in groups: no etalare, but the closed game closes (RULES.md, close).
    groups = faces("y1 r1 k1 y7 r7 k7 b7 b9 r9 k9 r6 y6 b6 k6 b2")
    assert solve(groups, rule_set("regulament")).closes
    assert not solve(groups, rule_set("regulament"), opened=False).opens
    assert not solve(groups, rule_set("doizece")).closes


def test_racks_that_cannot_be() -> None:
    with pytest.raises(RackError, match="r7") as caught:
        solve(faces("r7 r7 r7"), rule_set("etalat"))
    assert "r7" in caught.value.hint_ro
    with pytest.raises(RackError):
        solve(faces("7H 8H 9H"), rule_set("etalat"))
    assert solve([], rule_set("etalat")).points == 0


def test_could_have_opened() -> None:
    assert could_have_opened(faces("r5 r6 r7 y10 b10 k10 b2"), rule_set("etalat"))
    assert not could_have_opened(faces("r5 r6 r7 y10 b10 k10 b2"), rule_set("doizece"))
