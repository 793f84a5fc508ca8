"""House rules: TOML over a base, all mistakes at once, combinations that cannot be played."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.rules import (
    RULE_KEYS,
    RuleError,
    changes_from,
    parse_house_rules,
    resolved,
    rule_set,
    with_changes,
)
from engine.rules.changes import changeable_fields


def test_a_house_that_asks_fifty_points() -> None:
    house = parse_house_rules('base = "etalat"\n[changes]\nfirst_meld_points = 50\nbreak_row = "one"\n')
    assert house.rules == with_changes(rule_set("etalat"), {"first_meld_points": 50, "break_row": "one"})
    assert (house.base, dict(house.changes)) == ("etalat", {"first_meld_points": 50, "break_row": "one"})
    assert changes_from(rule_set("etalat"), house.rules) == house.changes


@pytest.mark.parametrize("key", RULE_KEYS)
def test_resolved_rules_are_the_rules(key: str) -> None:
    rules = rule_set(key)
    assert with_changes(rules, resolved(rules)) == rules
    assert not changes_from(rules, rules)


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        ("base = ", ["TOML"]),
        ("", ["base"]),
        ('base = "rummikub"', ["base"]),
        ('base = "etalat"\nchanges = 3', ["changes"]),
        ('base = "etalat"\nfirst_meld_points = 50', ["first_meld_points"]),
        (
            'base = "etalat"\nname = "x"\n[changes]\nbreak_row = "two"\nrack_max = 0\nfoo = 1',
            ["name", "break_row", "rack_max", "foo"],
        ),
        ('base = "classic"\n[changes]\natu_bonus = 25\nrack_max = "x"', ["rack_max", "atu_bonus"]),
        ('base = "classic"\n[changes]\natu_bonus = 25\natu_closes = true', ["atu_bonus", "atu_closes"]),
    ],
)
def test_mistakes_are_named_together(text: str, fields: list[str]) -> None:
    with pytest.raises(RuleError) as caught:
        parse_house_rules(text)
    assert [problem.field for problem in caught.value.problems] == fields
    assert caught.value.hint_ro != caught.value.hint_en


@pytest.mark.parametrize(
    ("base", "changes"),
    [
        ("classic", {"atu_face_up": True}),
        ("etalat", {"atu_face_up": False}),
        ("regulament", {"break_row": "no"}),
        ("etalat", {"announce_few_at": 0}),
        ("doizece", {"table_game_takes": True}),
        ("classic", {"melds_score": True}),
        ("classic", {"first_player_extra": 1}),
        ("classic", {"first_discard_dead": True}),
        ("classic", {"joker_atu_taken": True}),
        ("classic", {"atu_doubles": True}),
    ],
)
def test_rules_that_do_not_go_together(base: str, changes: dict[str, object]) -> None:
    with pytest.raises(RuleError, match=r"needs|cannot be together"):
        with_changes(rule_set(base), changes)


def test_every_field_is_on_the_page_of_rules_with_its_values() -> None:
    page = Path(__file__).resolve().parents[2] / "docs" / "rule-fields.md"
    lines = page.read_text(encoding="utf-8").splitlines()
    for field in changeable_fields():
        row = next(line for line in lines if line.startswith(f"| `{field}` |"))
        shown = [cell.strip() for cell in row.split("|")[2:6]]
        for key, cell in zip(RULE_KEYS, shown, strict=True):
            value = getattr(rule_set(key), field)
            if value is None or isinstance(value, bool):
                shown_as = {True: "yes", False: "no", None: "none"}[value]
            else:
                shown_as = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
            assert cell == shown_as, field
