"""The four rule sets of RULES.md, as data."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from engine.rules.changes import RuleError, RuleProblem
from engine.rules.ruleset import Pack, RuleSet
from engine.tiles import CARD_SUITS, TILE_COLOURS

_TILES: Final = Pack("2x52+2", copies=2, jokers=2, players=(2, 3, 4))

_DOIZECE: Final = RuleSet(
    key="doizece",
    name_en="Rummy as on Doizece",
    name_ro="Rummy ca pe Doizece",
    colours=TILE_COLOURS,
    packs=(_TILES,),
    run_max_length=14,
    one_after_13=True,
    # "Both cannot be used in one meld": with one joker the factor of two always holds; if a house allows two
    # jokers, it decides.
    meld_jokers_max=1,
    meld_real_tiles_min=2,
    meld_real_tiles_per_joker=2,
    number_points=(5,) * 8 + (10,) * 4,
    one_low_points=5,
    one_high_points=10,
    one_group_points=25,
    one_final_points=None,
    one_rack_points=25,
    joker_final_points=50,
    joker_rack_points=50,
    melds_score=True,
)

_ETALAT: Final = replace(
    _DOIZECE,
    key="etalat",
    name_en="Remi etalat",
    name_ro="Remi etalat",
    meld_jokers_max=2,
    meld_real_tiles_per_joker=0,
    one_final_points=25,
)

_REGULAMENT: Final = replace(
    _ETALAT,
    key="regulament",
    name_en="Regulament remi",
    name_ro="Regulament remi",
    one_final_points=None,
    joker_final_points=None,
)

_CLASSIC: Final = RuleSet(
    key="classic",
    name_en="Classic Rummy (cards)",
    name_ro="Rummy clasic (cărți)",
    colours=CARD_SUITS,
    packs=(
        Pack("52+1", copies=1, jokers=1, players=(2,)),
        Pack("52", copies=1, jokers=0, players=(3, 4, 5, 6)),
        Pack("2x52+2", copies=2, jokers=2, players=(3, 4, 5, 6)),
    ),
    run_max_length=14,
    one_after_13=True,
    meld_jokers_max=2,
    meld_real_tiles_min=2,
    meld_real_tiles_per_joker=0,
    number_points=(2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10),
    one_low_points=1,
    one_high_points=11,
    one_group_points=11,
    one_final_points=None,
    one_rack_points=11,
    joker_final_points=None,
    joker_rack_points=20,
    melds_score=False,
)

_RULE_SETS: Final = {rules.key: rules for rules in (_DOIZECE, _ETALAT, _REGULAMENT, _CLASSIC)}

RULE_KEYS: Final = tuple(_RULE_SETS)
"""The keys that `rule_set` knows."""


def rule_set(key: str) -> RuleSet:
    """The built-in rule set of that key; RuleError, which names the four, for any other."""
    if key in _RULE_SETS:
        return _RULE_SETS[key]
    known = ", ".join(RULE_KEYS)
    raise RuleError(
        (
            RuleProblem(
                "rules",
                key,
                f"no rule set of this name; choose one of {known}",
                f"nu există un set de reguli cu acest nume; alegeți unul dintre {known}",
            ),
        )
    )
