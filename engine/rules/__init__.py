"""The rule sets as data: four that are built in, and house rules as changes to one of them."""

from engine.rules.builtin import RULE_KEYS, rule_set
from engine.rules.changes import RuleError, RuleProblem, with_changes
from engine.rules.ruleset import MELD_MIN_LENGTH, Pack, RuleSet

__all__ = [
    "MELD_MIN_LENGTH",
    "RULE_KEYS",
    "Pack",
    "RuleError",
    "RuleProblem",
    "RuleSet",
    "rule_set",
    "with_changes",
]
