"""Melds: the corpus of clauses, an independent oracle, and properties."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.meld_reasons import MELD_CODES
from engine.melds import check_meld, loose_value, read_meld
from engine.notation import parse_tiles
from engine.rules import RuleSet, rule_set
from engine.shapes import run_order
from engine.tiles import JOKER, TILE_COLOURS, Face, Tile
from tests.engine import oracle
from tests.engine.strategies import card_faces, house, near_melds, rule_sets, tile_rule_sets, tiles

CORPUS = Path(__file__).parent.parent / "corpus" / "check"
CASES = [
    case
    for name in ("examples.json", "clauses.json")
    for case in json.loads((CORPUS / name).read_text(encoding="utf-8"))
]


def case_name(case: dict[str, Any]) -> str:
    return f"{case['rules']}: {case['tiles']}"


@pytest.mark.parametrize("case", CASES, ids=case_name)
def test_corpus(case: dict[str, Any]) -> None:
    said = check_meld(parse_tiles(case["tiles"]), rule_set(case["rules"]))
    stands_for = None if said.stands_for is None else [str(face) for face in said.stands_for]
    got = {
        "meld": said.meld,
        "shape": said.shape,
        "points": said.points,
        "final_points": said.final_points,
        "stands_for": stands_for,
        "codes": [reason.code for reason in said.reasons],
    }
    assert {name: got[name] for name in got if name in case} == {
        name: case[name] for name in got if name in case
    }


def test_the_corpus_has_every_reason_and_every_rule_set() -> None:
    assert {code for case in CASES for code in case.get("codes", ())} == MELD_CODES
    assert {case["rules"] for case in CASES if case["meld"]} == {"doizece", "etalat", "regulament", "classic"}


@pytest.mark.parametrize(
    ("rules", "text", "order"),
    [
        ("etalat", "r7 r6 r5", "r5 r6 r7"),
        ("etalat", "r13 r1 *", "* r13 r1"),
        ("etalat", "* r1 r2", "r1 r2 *"),
        ("etalat", "r6 * r5", "r5 r6 *"),
        ("etalat", "r9 r8 *", "r8 r9 *"),
        ("etalat", "r9 * r7 *=r8", "r7 *=r8 r9 *"),
        ("etalat", "r12 r13 r11 r1", "r11 r12 r13 r1"),
        ("classic", "KS AS QS", "QS KS AS"),
        ("classic", "2S AS 3S", "AS 2S 3S"),
    ],
)
def test_another_order_is_said(rules: str, text: str, order: str) -> None:
    said = check_meld(parse_tiles(text), rule_set(rules))
    assert [reason.code for reason in said.reasons] == ["wrong_order"]
    (reason,) = said.reasons
    assert reason.tiles == parse_tiles(order)
    assert order in reason.hint_en
    assert order in reason.hint_ro
    assert check_meld(reason.tiles, rule_set(rules)).meld


@pytest.mark.parametrize(
    ("text", "code", "clause", "concerned", "says"),
    [
        ("r5 r6 y8", "mixed_colours", "run", "y8", "y8"),
        ("r5 r6 y8", "gap", "run", "r5 r6 y8", "7"),
        ("r12 r13 * r9 r2", "gap", "run", "r12 r13 r9 r2", "3, 4, 5, 6, 7, 8, 10, 11"),
        ("r11 r1 b12", "gap", "run", "r11 r1 b12", "13"),
        ("r5 y5 b6", "mixed_numbers", "group", "b6", "b6"),
        ("r5 y5 r5", "colour_twice", "group", "r5 r5", "r5, r5"),
        ("r13 r1 r2", "one_inside_run", "run", "r1", "13-1-2"),
        ("y3 * * * y7", "too_many_jokers", "jokers in a meld", "* * *", "2"),
        ("r5 *=r8 r7", "joker_elsewhere", "what a joker stands for", "*=r8", "*=r6"),
        ("r7 y7", "too_few_tiles", "group", "r7 y7", "3"),
        ("r7 r8", "too_few_tiles", "run", "r7 r8", "3"),
        ("5S r6 r7", "not_in_set", "set", "5S", "5S"),
    ],
)
def test_reasons_name_clause_and_tiles(text: str, code: str, clause: str, concerned: str, says: str) -> None:
    reasons = check_meld(parse_tiles(text), rule_set("etalat")).reasons
    (reason,) = (reason for reason in reasons if reason.code == code)
    assert reason.clause == clause
    assert reason.tiles == parse_tiles(concerned)
    assert says in reason.hint_en
    assert says in reason.hint_ro


def test_hints_speak_of_cards_where_cards_are_played() -> None:
    cards, tiles_played = rule_set("classic"), rule_set("etalat")
    (few,) = check_meld(parse_tiles("AS"), cards).reasons
    assert "1 card;" in few.hint_en
    assert "o carte;" in few.hint_ro
    (none,) = check_meld((), cards).reasons
    assert "no cards;" in none.hint_en
    assert "nicio carte;" in none.hint_ro
    twenty = check_meld([Tile(Face("r", 1))] * 21, tiles_played).reasons
    assert any("21 de piese" in reason.hint_ro for reason in twenty)
    hundred = check_meld([Tile(Face("r", 1))] * 101, tiles_played).reasons
    assert any("101 piese" in reason.hint_ro for reason in hundred)


def test_a_1_after_the_13_where_a_house_has_none() -> None:
    low = house("etalat", one_after_13=False)
    assert check_meld(parse_tiles("r1 r2 r3"), low).meld
    (reason,) = check_meld(parse_tiles("r12 r13 r1"), low).reasons
    assert reason.code == "one_inside_run"
    assert "12-13-1" not in reason.hint_en
    assert [r.code for r in check_meld(parse_tiles("r12 r13 *"), low).reasons] == ["wrong_order"]


@pytest.mark.parametrize(
    ("text", "shape", "points", "stands_for"),
    [
        ("r9 * *", "run", 25, "r10 r11"),  # run 5+10+10 before group 15
        ("* r9 *", "run", 20, "r8 r10"),
        ("r1 * *", "group", 75, "y1 b1"),  # group 75 before run 15
        ("* r1 *", "group", 75, "y1 b1"),
        ("r5 * *", "run", 15, "r6 r7"),  # equal: the run, which a first meld asks for
        ("r12 * *", "run", 30, "r13 r1"),
        ("r13 * *", "group", 30, "y13 b13"),  # nothing follows the 1
    ],
)
def test_two_readings_the_most_points_count(text: str, shape: str, points: int, stands_for: str) -> None:
    said = check_meld(parse_tiles(text), house("etalat", meld_real_tiles_min=1))
    assert (said.shape, said.points) == (shape, points)
    assert said.stands_for == tuple(tile.face for tile in parse_tiles(stands_for))


@pytest.mark.parametrize(
    ("rules", "values"),
    [
        ("doizece", [25, *[5] * 8, *[10] * 4, 50]),
        ("etalat", [25, *[5] * 8, *[10] * 4, 50]),
        ("regulament", [25, *[5] * 8, *[10] * 4, 50]),
        ("classic", [11, *range(2, 11), 10, 10, 10, 20]),
    ],
)
def test_what_is_left_on_the_rack(rules: str, values: list[int]) -> None:
    chosen = rule_set(rules)
    for colour in chosen.colours:
        faces = [*(Face(colour, number) for number in range(1, 14)), JOKER]
        assert [loose_value(face, chosen) for face in faces] == values


def test_a_card_has_no_value_among_tiles() -> None:
    with pytest.raises(ValueError, match="QH is not played with in Remi etalat"):
        loose_value(Face("H", 12), rule_set("etalat"))


def as_oracle(laid: list[Tile]) -> list[oracle.Natural | None]:
    return [None if tile.means is None else (tile.means.colour, tile.means.number) for tile in laid]


def joker_limits_hold(laid: list[Tile], rules: RuleSet) -> bool:
    jokers = sum(tile.is_joker for tile in laid)
    real = len(laid) - jokers
    return jokers <= (1 if rules.key == "doizece" else 2) and real >= (2 if jokers else 0)


@settings(max_examples=150)
@given(st.one_of(near_melds(), st.lists(tiles, max_size=4)), tile_rule_sets)
def test_agrees_with_the_oracle(laid: list[Tile], rules: RuleSet) -> None:
    if sum(tile.means is None for tile in laid) > 2 or any(t.means and t.means.is_card for t in laid):
        return
    said = check_meld(laid, rules)
    readings = oracle.melds(as_oracle(laid)) if joker_limits_hold(laid, rules) else []
    assert said.meld == bool(readings)
    if said.meld and said.stands_for is not None:
        meant = iter(said.stands_for)
        filled = [next(meant) if tile.is_joker else tile.face for tile in laid]
        assert [(face.colour, face.number) for face in filled] in readings
        assert said.points == max(map(oracle.points, readings))
    else:
        assert said.reasons


@given(st.one_of(near_melds(), st.lists(tiles, max_size=20)), rule_sets)
def test_a_verdict_is_whole(laid: list[Tile], rules: RuleSet) -> None:
    said = check_meld(laid, rules)
    values = (said.shape, said.points, said.final_points, said.stands_for)
    assert said.meld == (not said.reasons)
    assert said.meld == all(value is not None for value in values)
    assert said.meld or values == (None,) * 4
    codes = [reason.code for reason in said.reasons]
    assert set(codes) <= MELD_CODES
    for reason in said.reasons:
        assert reason.hint_en
        assert reason.hint_ro
        assert reason.hint_en != reason.hint_ro
        assert all(tile in laid or reason.code == "wrong_order" for tile in reason.tiles)
    if said.stands_for is not None:
        assert len(said.stands_for) == sum(tile.is_joker for tile in laid)


@given(near_melds(), rule_sets)
def test_saying_what_the_jokers_stand_for_changes_nothing(laid: list[Tile], rules: RuleSet) -> None:
    meld = read_meld(laid, rules)
    if meld is not None:
        said = [
            Tile(tile.face, face if tile.is_joker else None)
            for tile, face in zip(laid, meld.means, strict=True)
        ]
        again = read_meld(said, rules)
        assert again is not None
        assert (again.means, again.points, again.final_points) == (meld.means, meld.points, meld.final_points)


@given(near_melds(jokers=0), st.data(), tile_rule_sets)
def test_a_joker_for_a_tile_keeps_a_meld_up_to_the_limits(
    laid: list[Tile], data: st.DataObject, rules: RuleSet
) -> None:
    before = check_meld(laid, rules)
    if not before.meld:
        return
    most = min(2, len(laid) - 2)
    places = data.draw(st.lists(st.integers(0, len(laid) - 1), max_size=most, unique=True))
    changed = [
        Tile(JOKER, tile.face if data.draw(st.booleans()) else None) if at in places else tile
        for at, tile in enumerate(laid)
    ]
    after = check_meld(changed, rules)
    assert after.meld == (len(places) <= rules.meld_jokers_max)
    if after.meld:
        assert (after.shape, after.points) == (before.shape, before.points)


@given(near_melds(), st.permutations(TILE_COLOURS), tile_rule_sets)
def test_colours_are_only_names(laid: list[Tile], renamed: list[str], rules: RuleSet) -> None:
    names = dict(zip(TILE_COLOURS, renamed, strict=True))

    def rename(face: Face) -> Face:
        return face if face.is_joker else Face(names[face.colour], face.number)

    other = [Tile(rename(tile.face), tile.stands_for and rename(tile.stands_for)) for tile in laid]
    one, two = check_meld(laid, rules), check_meld(other, rules)
    assert (one.meld, one.shape, one.points, one.final_points) == (
        two.meld,
        two.shape,
        two.points,
        two.final_points,
    )
    assert [reason.code for reason in one.reasons] == [reason.code for reason in two.reasons]


@given(near_melds(), st.randoms(use_true_random=False), rule_sets)
def test_order_inside_a_group_is_free_and_a_run_has_one(
    laid: list[Tile], random: Any, rules: RuleSet
) -> None:
    before = check_meld(laid, rules)
    if not before.meld:
        return
    shuffled = list(laid)
    random.shuffle(shuffled)
    after = check_meld(shuffled, rules)
    if before.shape == "group":
        assert (after.meld, after.points) == (True, before.points)
    elif not after.meld:
        assert [reason.code for reason in after.reasons] == ["wrong_order"]


@given(near_melds(jokers=0), near_melds(jokers=0))
def test_a_long_run_cuts_into_two(one: list[Tile], other: list[Tile]) -> None:
    rules = rule_set("etalat")
    laid = one if len(one) >= len(other) else other
    if check_meld(laid, rules).shape != "run":
        return
    cuts = [
        at
        for at in range(len(laid))
        if check_meld(laid[:at], rules).meld and check_meld(laid[at:], rules).meld
    ]
    assert len(cuts) == max(0, len(laid) - 5)


@given(st.lists(st.builds(Tile, card_faces), min_size=3, max_size=5))
def test_cards_and_tiles_have_the_same_shapes(laid: list[Tile]) -> None:
    slots = dict(zip("SHDC", TILE_COLOURS, strict=True))
    as_tiles = [Tile(Face(slots[tile.face.colour], tile.face.number)) for tile in laid]
    cards, same = check_meld(laid, rule_set("classic")), check_meld(as_tiles, rule_set("etalat"))
    assert (cards.meld, cards.shape) == (same.meld, same.shape)


@given(near_melds())
def test_an_order_that_is_said_is_made_of_the_same_tiles(laid: list[Tile]) -> None:
    order = run_order(laid, rule_set("etalat"))
    if order is not None:
        assert sorted(map(str, order)) == sorted(map(str, laid))
