"""Every code of a refusal can be reached, says why in two languages, and stands on the page of rules."""

# ruff: noqa: E501  a case reads best on one line

from __future__ import annotations

from pathlib import Path

import pytest

from engine import commands as c
from engine.decide import decide
from engine.refusals import GAME_CODES, IMPOSSIBLE, Refusal, refuse
from engine.replay import replay
from tests.engine.games import codes, play, record
from tests.engine.test_play_wiring import EMPTY, OPENED, drained

RULES_PAGE = (Path(__file__).resolve().parents[2] / "docs" / "rule-fields.md").read_text(encoding="utf-8")
DEAL = "deal 15 14 atu b13\n"
KNOWN = "deal [r7 r2 r3 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12] [k1 k2 k3 k4 k5 k6 k7 k8 k9 k10 k11 k12 y1 y2] atu k1\n"
JOKER = OPENED.replace("r5 r6 r7 r8", "r5 r6 *=r7 r8")

CASES: dict[str, tuple[str, str]] = {
    "no_deal": ("etalat", "0 - k2"),
    "game_over": ("classic", "deal 13 13 turned 9C\nracks 0: AS\n0 + ?"),
    "wrong_hands": ("etalat", "deal 15 14 14 atu b13"),
    "more_than_the_set": ("etalat", DEAL + "0 - r7\n1 + r7\n1 - r7\n0 + r7"),
    "more_than_the_wall": ("etalat", "deal 60 60 atu b13"),
    "tile_not_there": ("etalat", KNOWN + "0 - y5"),
    "no_such_meld": ("etalat", OPENED + "0 + ?\n0 l m9 r9"),
    "no_joker_there": ("etalat", OPENED + "0 + ?\n0 j m1 r6 > b2 b3 *"),
    "no_tiles": ("etalat", OPENED + "0 + ?\n0 l m1"),
    "no_such_place": ("etalat", OPENED + "0 < 7"),
    "row_differs": ("etalat", OPENED + "0 < 1 k3"),
    "nothing_to_draw": ("etalat", EMPTY + "1 + ?"),
    "atu_not_there": ("classic", "deal 13 13 turned 9C\n0 ^"),
    "wall_not_empty": ("etalat", DEAL + "wall"),
    "no_double_there": ("etalat", KNOWN + "0 swap 1 r7 k1"),
    "no_such_entry": ("etalat", DEAL + "void 7"),
    "dealt_again": ("etalat", DEAL + DEAL),
    "hand_size": ("etalat", "deal 14 14 atu b13"),
    "not_your_turn": ("etalat", DEAL + "1 - k2"),
    "draw_first": ("etalat", DEAL + "0 - k2\n1 - k3"),
    "drew_already": ("etalat", DEAL + "0 + ?"),
    "too_late": ("etalat", DEAL + "0 - k2\n1 say atu"),
    "no_atu_bonus": ("regulament", DEAL + "0 say atu"),
    "atu_not_held": ("etalat", KNOWN + "0 say atu"),
    "no_doubles": ("regulament", DEAL + "0 swap 1 ? ?"),
    "no_key_double": ("doizece", DEAL + "0 say double key"),
    "double_not_held": ("etalat", KNOWN + "0 say double small"),
    "no_spoiling": ("doizece", DEAL + "0 say spoil"),
    "spoil_needs_doubles": ("etalat", KNOWN + "0 say spoil"),
    "no_table_games": ("doizece", DEAL + "0 say table_game"),
    "table_game_late": (
        "etalat",
        "deal 15 14 atu b12\n0 - r1\n" + drained(2, 5) + "0 - k8\n0 say table_game",
    ),
    "table_game_after_opening": ("etalat", OPENED + "0 say table_game"),
    "atu_not_drawn": ("etalat", DEAL + "0 - k2\n1 ^"),
    "atu_must_close": ("doizece", DEAL + "0 - k2\n1 ^\n1 - k3"),
    "wall_ended": ("etalat", EMPTY + "1 < 76"),
    "first_discard_dead": ("doizece", DEAL + "0 - k2\n1 < 0 k2"),
    "take_in_first_round": ("etalat", "deal 15 14 14 atu b13\n0 - k2\n1 + ?\n1 - k3\n2 < 1 k3"),
    "take_only_last": ("doizece", DEAL + "0 - k2\n1 + ?\n1 - k3\n0 + ?\n0 - k4\n1 < 1 k3"),
    "take_few_tiles": (
        "doizece",
        DEAL + "0 m r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13\n0 - k2\n1 + ?\n1 - k3\n0 < 1 k3",
    ),
    "no_breaking": ("classic", "deal 13 13 turned 9C\n0 + ?\n0 - 2C\n1 < 0 9C"),
    "break_few_tiles": (
        "etalat",
        OPENED.replace("r5 r6 r7 r8 | y10 b10 k10", "r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13") + "0 < 2 k11 y13",
    ),
    "break_takes_one": ("doizece", OPENED + "0 < 2 k11 y13"),
    "break_takes_rest": ("etalat", OPENED + "0 < 2 k11"),
    "owed_opening": ("doizece", DEAL + "0 - k2\n1 + ?\n1 - k3\n0 < 1 k3\n0 - k4"),
    "owed_meld": ("doizece", OPENED + "0 < 2 k11\n0 - k4"),
    "owed_table": ("regulament", OPENED + "0 < 3 y13\n0 - k4"),
    "first_round": ("etalat", DEAL + "0 m r5 r6 r7 | y10 b10 k10"),
    "first_meld_points": ("doizece", DEAL + "0 m r5 r6 r7 | y10 b10 k10"),
    "first_meld_run": ("doizece", DEAL + "0 m r11 b11 k11 | y10 b10 k10"),
    "first_meld_run_or_ones": ("etalat", DEAL + "0 m r11 b11 k11 | y10 b10 k10"),
    "first_meld_both": ("regulament", DEAL + "0 m r11 b11 k11 | y10 b10 k10"),
    "other_groups_wait": ("etalat", DEAL + "0 m r1 b1 k1\n0 m y10 b10 k10"),
    "table_game_stays": ("etalat", DEAL + "0 say table_game\n0 m r9 r10 r11 r12 r13"),
    "only_lay_offs": (
        "etalat",
        OPENED.replace("r5 r6 r7 r8 | y10 b10 k10", "r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13")
        + "0 + ?\n0 m k4 k5 k6",
    ),
    "no_tile_to_discard": (
        "etalat",
        OPENED.replace("r5 r6 r7 r8 | y10 b10 k10", "r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13")
        + "0 + ?\n0 m k4 k5 k6 k7",
    ),
    "not_opened": ("etalat", OPENED.replace("0 m r5 r6 r7 r8 | y10 b10 k10", "") + "0 + ?\n0 l m1 b13"),
    "next_turn": ("etalat", DEAL + "0 m r9 r10 r11 r12\n0 l m1 r13"),
    "joker_own_melds": ("etalat", OPENED + "0 + ?\n0 l m3 *"),
    "does_not_fit": ("etalat", OPENED + "0 + ?\n0 l m1 r12"),
    "only_ends": ("classic", "deal 13 13 13 turned 9C\n0 + ?\n0 m 4S 5S 6S 7S 8S\n0 l m1 6S / 6S 7S 8S"),
    "joker_run_closed": ("etalat", JOKER.replace("*=r7 r8", "*=r7 r8 r9") + "0 + ?\n0 l m1 r7 / r7 r8 r9"),
    "joker_needs_exact_tile": ("etalat", JOKER + "0 + ?\n0 j m1 r9 > b2 b3 *"),
    "joker_needs_both_colours": (
        "etalat",
        OPENED.replace("y10 b10 k10", "y10 b10 *") + "0 + ?\n0 j m2 r10 > b2 b3 *",
    ),
    "joker_not_melded": ("doizece", JOKER + "0 + ?\n0 j m1 r7"),
    "rack_too_full": ("etalat", DEAL + "0 + ?\n0 - k2"),
    "rack_not_empty": ("etalat", DEAL + "0 -! k2"),
    "no_such_table_game": ("doizece", DEAL + "0 t simple r1 r2 r3 / k4"),
    "table_game_not_announced": (
        "etalat",
        DEAL + "0 t simple r1 r2 r3 r4 r5 | y7 y8 y9 | k11 k12 k13 | r6 y6 b6 / k9",
    ),
    "not_this_table_game": (
        "etalat",
        DEAL + "0 say table_game\n0 t mozaic r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 r1 / k9",
    ),
    "rack_count": ("etalat", DEAL + "0 - k2\nracks 1: r1"),
    "rack_differs": ("etalat", KNOWN + "racks 0: r1 r2 r3 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12"),
    "atu_was_not_held": ("etalat", DEAL + "1 say atu\nracks 1: r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 y3 y4"),
}

CASES["joker_too_often"] = (
    "etalat",
    JOKER.replace(" | k3 b3 r3", "") + "0 + ?\n0 - k4\n1 + ?\n1 j m1 r7 > k6 k7 *=k8\n1 - b1\n0 + ?\n0 j m5 k8 > y7 y8 *=y9\n0 - b2\n"
    "1 + ?\n1 j m6 y9 > y11 *=y12 y13",
)  # fmt: skip

LIVE_ONLY = {"no_such_seat"}
"""A record with such an entry is not read at all."""


def test_every_code_has_a_case() -> None:
    assert set(CASES) | LIVE_ONLY == GAME_CODES


@pytest.mark.parametrize("code", CASES)
def test_a_code_is_reached(code: str) -> None:
    base, game = CASES[code]
    seats = 3 if code in ("take_in_first_round", "only_ends") else 2
    written = record(base, game, seats=seats)
    played = replay(written)
    reasons = [refused for refused in played.refusals if refused.reason.code == code]
    assert reasons, codes(played)
    # What cannot have happened has no effect: the same game without it comes to the same state.
    if code in IMPOSSIBLE - {"no_such_entry"}:
        seq = reasons[-1].seq
        assert replay(written.plus("void", {"target": seq})).state == played.state
    reason = reasons[0].reason
    assert reason.hint_en != reason.hint_ro
    assert "{" not in reason.clause + reason.hint_en + reason.hint_ro


@pytest.mark.parametrize("code", sorted(GAME_CODES))
def test_a_code_is_on_the_page_of_rules(code: str) -> None:
    assert f"`{code}`" in RULES_PAGE


def test_a_live_command_of_no_seat() -> None:
    state = play("etalat", DEAL).state
    for command in (c.Discard(7, next(iter(state.full))), c.Rule(9, 5), c.Racks(((5, ()),))):
        answer = decide(state, command)
        assert isinstance(answer, Refusal)
        assert [reason.code for reason in answer.reasons] == ["no_such_seat"]


def test_all_that_is_wrong_is_said_at_once() -> None:
    played = play("etalat", DEAL + "1 m r5 r6 y7 | y10 b10 k10 k11")
    assert [code for _, code in codes(played)] == [
        "not_your_turn", "draw_first", "mixed_colours", "mixed_numbers", "colour_twice", "first_round",
        "first_meld_points", "first_meld_run_or_ones",
    ]  # fmt: skip
    assert refuse("rack_too_full", left=15, most=14).hint_ro == "rămân 15 piese pe tablă; cel mult 14"
