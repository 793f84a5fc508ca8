"""Choices of rules that do not go together: each field fits, but the game they describe cannot be played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.rules.ruleset import RuleSet


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """One thing wrong with a choice of rules: the field, the value, and what to do in two languages."""

    field: str
    value: object
    hint_en: str
    hint_ro: str


def combination_problems(rules: RuleSet) -> list[RuleProblem]:
    """Every combination of these rules that would leave one of them without effect, or without sense."""
    no_atu = (
        "needs an atu face up on a wall; set atu_face_up, in a game with a wall",
        "cere un atu cu fața în sus pe zid; puneți atu_face_up, la un joc cu zid",
    )
    no_break = (
        "needs break_row other than no: else the row is never broken further back",
        "cere break_row diferit de no: altfel șirul nu se rupe mai în urmă",
    )
    no_wall = (
        "needs a wall of stacks; this game has a stock pile",
        "cere un zid din turnulețe; acest joc are un teanc",
    )
    no_fine = (
        "needs announce_few_at above 0: else nobody has to announce",
        "cere announce_few_at peste 0: altfel nimeni nu are de anunțat",
    )
    no_table = (
        "needs a table game with points: else there is none to announce",
        "cere un joc pe tablă cu puncte: altfel nu este ce anunța",
    )
    melds_too = (
        "cannot be together with melds_score: the winner has either his melds or the others' hands",
        "nu merge împreună cu melds_score: câștigătorul are ori formațiile lui, ori cărțile celorlalți",
    )
    dead_pile = (
        "needs first_player_extra: a game that begins with a turned card has no first discard to mark",
        "cere first_player_extra: un joc care începe cu o carte întoarsă nu are o primă piesă aruncată",
    )
    atu = rules.wall_of_stacks and rules.atu_face_up
    checks = (
        ("atu_face_up", rules.atu_face_up and not rules.wall_of_stacks, no_wall),
        ("joker_atu_taken", rules.joker_atu_taken and not atu, no_atu),
        ("atu_bonus", rules.atu_bonus > 0 and not atu, no_atu),
        ("atu_closes", rules.atu_closes and not atu, no_atu),
        ("atu_doubles", rules.atu_doubles and not atu, no_atu),
        ("break_before_opening", rules.break_before_opening and rules.break_row == "no", no_break),
        ("few_fine", rules.few_fine > 0 and rules.announce_few_at == 0, no_fine),
        ("table_game_takes", rules.table_game_takes and not rules.has_table_games, no_table),
        ("closing_takes_hands", rules.closing_takes_hands and rules.melds_score, melds_too),
        ("first_player_extra", rules.first_player_extra > 0 and not rules.wall_of_stacks, no_wall),
        ("first_discard_dead", rules.first_discard_dead and not rules.wall_of_stacks, dead_pile),
    )
    return [RuleProblem(name, getattr(rules, name), *hint) for name, wrong, hint in checks if wrong]
