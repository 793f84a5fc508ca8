"""Rule sets as data: every field does something, nothing else decides, and mistakes are named all at once."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.melds import check_meld, loose_value
from engine.notation import parse_tiles
from engine.rules import RULE_KEYS, RuleError, RuleSet, rule_set, with_changes
from engine.rules.changes import changeable_fields
from engine.tiles import JOKER, Face

ENGINE = Path(engine.__file__).parent
TABLE = (5,) * 8 + (10,) * 4


def verdict(rules: RuleSet, text: str) -> tuple[object, ...]:
    said = check_meld(parse_tiles(text), rules)
    return said.meld, said.shape, said.points, said.final_points, said.stands_for


def rack(rules: RuleSet, face: Face) -> int:
    return loose_value(face, rules)


WIRING: dict[str, tuple[str, Any, Any]] = {
    # field: base, changed value, what is asked
    "run_max_length": ("etalat", 13, "r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 r1"),
    "one_after_13": ("etalat", False, "r12 r13 r1"),
    "meld_jokers_max": ("etalat", 1, "r3 * r5 *"),
    "meld_real_tiles_min": ("etalat", 1, "r3 * *"),
    "meld_real_tiles_per_joker": ("etalat", 2, "r3 * r5 *"),
    "number_points": ("etalat", (*TABLE[:-1], 13), "r11 r12 r13"),
    "one_low_points": ("etalat", 1, "r1 r2 r3"),
    "one_high_points": ("etalat", 25, "r12 r13 r1"),
    "one_group_points": ("etalat", 10, "r1 b1 k1"),
    "one_final_points": ("etalat", None, "r1 r2 r3"),
    "one_rack_points": ("etalat", 5, Face("r", 1)),
    "joker_final_points": ("etalat", None, "r3 * r5"),
    "joker_rack_points": ("etalat", 30, JOKER),
    "melds_score": ("etalat", False, "r3 r4 r5"),
}


def test_the_wiring_table_has_every_field_of_melds_and_values() -> None:
    # The fields of play are in test_play_wiring.py, which checks that no field is in neither.
    assert set(WIRING) < set(changeable_fields())


@pytest.mark.parametrize("field", WIRING)
def test_every_field_changes_a_verdict_or_a_value(field: str) -> None:
    base_key, value, asked = WIRING[field]
    base = rule_set(base_key)
    changed = with_changes(base, {field: value})
    if isinstance(asked, str):
        assert verdict(base, asked) != verdict(changed, asked)
    else:
        assert rack(base, asked) != rack(changed, asked)
    assert with_changes(changed, {field: getattr(base, field)}) == base


def test_doizece_text_on_jokers_where_a_house_allows_both() -> None:
    # RULES.md, jokers in a meld: at least twice as many tiles as jokers.
    both = with_changes(rule_set("doizece"), {"meld_jokers_max": 2})
    assert not check_meld(parse_tiles("y3 * y5 * y7"), both).meld
    assert check_meld(parse_tiles("y3 * y5 * y7 y8"), both).meld


def of_rules(node: ast.Attribute) -> bool:
    """Whether an attribute is one of a rule set: tiles and melds on a table have keys of their own."""
    owner = node.value
    name = owner.id if isinstance(owner, ast.Name) else owner.attr if isinstance(owner, ast.Attribute) else ""
    return name in {"rules", "base", "rule_set"}


def test_nothing_compares_the_name_of_a_rule_set() -> None:
    """Outside the file that defines them, no rule set's key occurs in code, and nothing reads its `key`."""
    for path in sorted(ENGINE.rglob("*.py")):
        if path.name == "builtin.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            where = f"{path.relative_to(ENGINE)}:{getattr(node, 'lineno', 0)}"
            assert not (isinstance(node, ast.Constant) and node.value in RULE_KEYS), where
            assert not (isinstance(node, ast.Attribute) and node.attr == "key" and of_rules(node)), where
    defines = ast.parse((ENGINE / "rules" / "builtin.py").read_text(encoding="utf-8"))
    for node in ast.walk(defines):
        if isinstance(node, ast.Compare):
            # The only question asked of a key there: whether the registry has it.
            assert all(isinstance(operator, ast.In) for operator in node.ops), ast.unparse(node)


def test_four_rule_sets() -> None:
    assert RULE_KEYS == ("doizece", "etalat", "regulament", "classic")
    sets = [rule_set(key) for key in RULE_KEYS]
    assert [rules.key for rules in sets] == list(RULE_KEYS)
    assert len({rules.name_en for rules in sets}) == len({rules.name_ro for rules in sets}) == 4
    assert [rules.with_cards for rules in sets] == [False, False, False, True]


@pytest.mark.parametrize("key", ["rummikub", "", "ETALAT"])
def test_an_unknown_rule_set_is_answered_with_the_four(key: str) -> None:
    with pytest.raises(RuleError) as caught:
        rule_set(key)
    for known in RULE_KEYS:
        assert known in caught.value.hint_en
        assert known in caught.value.hint_ro
    assert str(caught.value) == caught.value.hint_en


def test_all_mistakes_of_a_house_at_once() -> None:
    with pytest.raises(RuleError) as caught:
        with_changes(
            rule_set("etalat"),
            {
                "one_low_point": 1,  # misspelt
                "key": "mine",  # says which rule set it is, no rule
                "run_max_length": 15,
                "melds_score": 1,
                "one_rack_points": True,
                "joker_final_points": "50",
                "number_points": [5, 5],
                "one_low_points": None,
                "xyzzy": 1,
            },
        )
    problems = {problem.field: problem for problem in caught.value.problems}
    assert list(problems) == [
        "one_low_point", "key", "run_max_length", "melds_score", "one_rack_points", "joker_final_points",
        "number_points", "one_low_points", "xyzzy",
    ]  # fmt: skip
    assert "one_low_points" in problems["one_low_point"].hint_en
    assert "from 3 to 14" in problems["run_max_length"].hint_en
    assert "de la 3 la 14" in problems["run_max_length"].hint_ro
    assert "true or false" in problems["melds_score"].hint_en
    assert "or nothing" in problems["joker_final_points"].hint_en
    assert "or nothing" not in problems["one_low_points"].hint_en
    assert "list of 12" in problems["number_points"].hint_en
    assert "run_max_length" in problems["xyzzy"].hint_en
    for problem in problems.values():
        assert f"{problem.field} = {problem.value!r}" in caught.value.hint_en
        assert problem.hint_ro != problem.hint_en


def test_changes_that_fit() -> None:
    base = rule_set("etalat")
    changed = with_changes(base, {"number_points": list(range(2, 14)), "joker_final_points": None})
    assert changed.number_points == tuple(range(2, 14))
    assert changed.key == base.key
    assert with_changes(base, {}) == base
    assert rule_set("etalat") is base


@pytest.mark.parametrize("value", [(5,) * 11, (5,) * 13, (5,) * 11 + (-1,), (5,) * 11 + (True,), 5, "5" * 12])
def test_points_of_numbers_are_twelve(value: object) -> None:
    with pytest.raises(RuleError, match="12 whole numbers"):
        with_changes(rule_set("etalat"), {"number_points": value})
