"""House rules from TOML: a base and what a house plays otherwise, every mistake named at once."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.rules.builtin import rule_set
from engine.rules.changes import RuleError, with_changes
from engine.rules.combinations import RuleProblem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The rules of a house: the key of the base, the changes as they were written, and what they come to."""

    base: str
    changes: Mapping[str, object]
    rules: RuleSet


def parse_house_rules(text: str) -> HouseRules:
    """The house rules in a TOML text; RuleError with everything that is wrong.

    >>> house = parse_house_rules('base = "etalat"\\n[changes]\\nfirst_meld_points = 50')
    >>> house.rules.first_meld_points, house.base
    (50, 'etalat')
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise RuleError(
            (_problem("TOML", text[:40], f"is no TOML: {wrong}", f"nu este TOML: {wrong}"),)
        ) from wrong
    base, changes = document.get("base"), document.get("changes", {})
    problems = [
        _problem(
            key,
            document[key],
            "is not known here; changes go under [changes]",
            "nu este cunoscut; schimbările stau sub [changes]",
        )
        for key in document
        if key not in ("base", "changes")
    ]
    if not isinstance(changes, dict):
        problems.append(
            _problem("changes", changes, "must be a table: [changes]", "trebuie un tabel: [changes]")
        )
        changes = {}
    try:
        chosen = rule_set(base if isinstance(base, str) else "")
    except RuleError as wrong:
        raise RuleError((*problems, *(_named_base(one, base) for one in wrong.problems))) from wrong
    try:
        rules = with_changes(chosen, changes)
    except RuleError as wrong:
        raise RuleError((*problems, *wrong.problems)) from wrong
    if problems:
        raise RuleError(tuple(problems))
    return HouseRules(str(base), changes, rules)


def _problem(field: str, value: object, hint_en: str, hint_ro: str) -> RuleProblem:
    return RuleProblem(field, value, hint_en, hint_ro)


def _named_base(problem: RuleProblem, value: object) -> RuleProblem:
    return RuleProblem("base", value, problem.hint_en, problem.hint_ro)
