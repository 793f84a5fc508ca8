"""The rule sets as data: four that are built in, and house rules as changes to one of them."""

from engine.rules.builtin import RULE_KEYS, rule_set
from engine.rules.changes import RuleError, changes_from, resolved, with_changes
from engine.rules.combinations import RuleProblem
from engine.rules.house import HouseRules, parse_house_rules
from engine.rules.ruleset import MELD_MIN_LENGTH, Pack, RuleSet

__all__ = [
    "MELD_MIN_LENGTH",
    "RULE_KEYS",
    "HouseRules",
    "Pack",
    "RuleError",
    "RuleProblem",
    "RuleSet",
    "changes_from",
    "parse_house_rules",
    "resolved",
    "rule_set",
    "with_changes",
]
