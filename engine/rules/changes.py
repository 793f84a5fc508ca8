"""House rules: a rule set with some of its fields set otherwise, every mistake named at once."""

from __future__ import annotations

from dataclasses import Field, fields, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from engine.rules.combinations import RuleProblem, combination_problems
from engine.rules.ruleset import Limits, RuleSet

if TYPE_CHECKING:
    from collections.abc import Mapping


class RuleError(ValueError):
    """Rules that cannot be played: `problems` has all of them, `hint_en` and `hint_ro` say it."""

    def __init__(self, problems: tuple[RuleProblem, ...]) -> None:
        self.problems = problems
        self.hint_en = "; ".join(f"{wrong.field} = {wrong.value!r}: {wrong.hint_en}" for wrong in problems)
        self.hint_ro = "; ".join(f"{wrong.field} = {wrong.value!r}: {wrong.hint_ro}" for wrong in problems)
        super().__init__(self.hint_en)


def changeable_fields() -> dict[str, Limits]:
    """The fields that house rules may set, with what they admit."""
    return {spec.name: spec.metadata["limits"] for spec in fields(RuleSet) if "limits" in spec.metadata}


def with_changes(base: RuleSet, changes: Mapping[str, object]) -> RuleSet:
    """The rule set `base` with these fields set otherwise.

    Lists may be given for tuples. RuleError names at once every field that does not exist or may not be
    changed, every value that does not fit its field, and every combination that cannot be played.
    """
    specs: dict[str, Field[Any]] = {spec.name: spec for spec in fields(RuleSet)}
    values: dict[str, Any] = {}
    problems: list[RuleProblem] = []
    for name, value in changes.items():
        if name not in specs or "limits" not in specs[name].metadata:
            problems.append(_unknown(name, value))
            continue
        given = tuple(value) if isinstance(value, list) else value
        if hint := _misfit(given, specs[name].metadata["limits"], switch=specs[name].type in (bool, "bool")):
            problems.append(RuleProblem(name, value, *hint))
        else:
            values[name] = given
    changed = replace(base, **values)
    if problems := [*problems, *combination_problems(changed)]:
        raise RuleError(tuple(problems))
    return changed


def _unknown(name: str, value: object) -> RuleProblem:
    known = list(changeable_fields())
    near = get_close_matches(str(name), known, n=1)
    choices = ", ".join(near or known)
    return RuleProblem(
        str(name),
        value,
        f"not a rule that can be changed; {'did you mean' if near else 'these can be'}: {choices}",
        f"nu este o regulă care se poate schimba; {'poate' if near else 'se pot schimba'}: {choices}",
    )


def _misfit(value: object, limits: Limits, *, switch: bool) -> tuple[str, str] | None:
    """What is wrong with a value (English, Romanian), None where it fits."""
    if switch:
        return None if isinstance(value, bool) else ("must be true or false", "trebuie să fie true sau false")
    if limits.choices:
        if value in limits.choices:
            return None
        choices = ", ".join(limits.choices)
        return f"must be one of {choices}", f"trebuie să fie una dintre {choices}"
    span_en, span_ro = f"from {limits.least} to {limits.most}", f"de la {limits.least} la {limits.most}"
    if limits.length is not None:
        if (
            isinstance(value, tuple)
            and len(value) == limits.length
            and all(_within(one, limits) for one in value)
        ):
            return None
        return (
            f"must be a list of {limits.length} whole numbers {span_en}",
            f"trebuie să fie o listă de {limits.length} numere întregi {span_ro}",
        )
    if _within(value, limits) or (limits.optional and value is None):
        return None
    none_en, none_ro = (", or nothing", ", sau nimic") if limits.optional else ("", "")
    return f"must be a whole number {span_en}{none_en}", f"trebuie să fie un număr întreg {span_ro}{none_ro}"


def _within(value: object, limits: Limits) -> bool:
    # A bool is an int to Python, but `true` is no number of points.
    return isinstance(value, int) and not isinstance(value, bool) and limits.least <= value <= limits.most


def resolved(rules: RuleSet) -> dict[str, object]:
    """Every field that may be changed with its value, as JSON has it; `with_changes` takes it back."""
    values = {name: getattr(rules, name) for name in changeable_fields()}
    return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}


def changes_from(base: RuleSet, rules: RuleSet) -> dict[str, object]:
    """The fields in which these rules differ from `base`, as `with_changes` takes them."""
    return {name: value for name, value in resolved(rules).items() if value != resolved(base)[name]}
