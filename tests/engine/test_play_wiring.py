"""Every field of a rule set that is about play changes a verdict or a score: RULES.md, clause by clause."""

# ruff: noqa: E501  a case reads best on one line

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import pytest

from engine.matches import next_dealer
from engine.replay import Replay
from engine.rules import rule_set, with_changes
from engine.rules.changes import changeable_fields
from tests.engine import test_rules as values
from tests.engine.games import codes, play, totals

OPENED = """
    deal 15 14 atu b13
    0 - k2
    1 + ?
    1 - k9
    0 + ?
    0 m r5 r6 r7 r8 | y10 b10 k10
    0 - k11
    1 + ?
    1 m b9 b10 b11 b12 | y3 y4 y5 | k3 b3 r3
    1 - y13
"""
"""Both have opened, in two rounds; the row is k2 k9 k11 y13."""


class Case(NamedTuple):
    base: str
    value: Any
    game: str
    """Read with and without the change."""
    codes: tuple[str, ...] | None = None
    """What is refused without the change, None: nothing is asked."""
    changed: tuple[str, ...] | None = None
    """What is refused with it."""
    seats: int = 2
    pack: str | None = None


WIRING: dict[str, list[Case]] = {
    "first_player_extra": [Case("etalat", 0, "deal 14 14 atu b13\n0 + ?\n0 - k2", ("hand_size", "drew_already"), ())],
    "joker_atu_taken": [Case("etalat", False, "deal 14 14 atu *\n0 + ?", (), ("hand_size", "drew_already"))],
    "atu_face_up": [Case("regulament", False, "deal 15 14 atu b13")],
    "swap_doubles": [Case("doizece", False, "deal 15 14 atu b13\n0 say double", (), ("no_doubles",))],
    "key_doubles": [Case("etalat", False, "deal 15 14 atu b13\n0 say double key", (), ("no_key_double",))],
    "spoil_doubles": [
        Case("etalat", 0, "deal 15 14 atu b13\n0 say spoil\ndeal 15 14 atu b12", (), ("no_spoiling",)),
        Case(
            "etalat", 4, "deal [r2 r2 r3 r3 r4 r4 b1 b3 b5 b7 b9 k2 k4 k6 k8] 14 atu b13\n0 say spoil",
            (), ("spoil_needs_doubles",),
        ),
    ],
    "atu_bonus": [Case("etalat", 0, "deal 15 14 atu b13\n0 say atu", (), ("no_atu_bonus",))],
    "other_joker_is_atu": [Case("doizece", False, "deal 15 14 atu *\n0 say atu", (), ("atu_not_held",))],
    "rack_max": [Case("etalat", 13, OPENED)],
    "first_discard_dead": [
        Case("etalat", False, OPENED + "0 < 0 k2 k9 k11 y13", ("first_discard_dead",), ())
    ],
    "open_in_first_round": [
        Case("doizece", False, "deal 15 14 atu b13\n0 m r5 r6 r7 r8 | y10 b10 k10", (), ("first_round",)),
        Case("regulament", True, "deal 15 14 atu b13\n0 m r5 r6 r7 r8 | y10 b10 k10", ("first_round",), ()),
    ],
    "first_meld_points": [
        Case("etalat", 50, OPENED.replace("r7 r8", "r7"), (), ("first_meld_points",)),
        Case("doizece", 45, OPENED.replace("r7 r8", "r7"), ("first_meld_points",), ()),
    ],
    "first_meld_shape": [
        Case("doizece", "any", "deal 15 14 atu b13\n0 m r10 b10 k10 | r13 b13 k13", ("first_meld_run",), ()),
        Case("doizece", "run_or_ones", "deal 15 14 atu b13\n0 m r1 b1 k1", ("first_meld_run",), ()),
        Case("doizece", "run_and_group", "deal 15 14 atu b13\n0 m r9 r10 r11 r12 r13 | y2 y3 y4", (), ("first_meld_both",)),
        Case("doizece", "run_or_ones", "deal 15 14 atu b13\n0 m r1 b1 k1 | r10 b10 k10",
             ("first_meld_run",), ("first_meld_run_or_ones",)),
    ],
    "take_before_opening": [
        Case("doizece", "always", "deal 15 14 atu b13\n0 - k2\n1 + ?\n1 - k9\n0 < 1 k9\n0 - y2", ("owed_opening",), ())
    ],
    "take_in_first_round": [
        Case("doizece", False, "deal 15 14 14 atu b13\n0 - k2\n1 + ?\n1 - r8\n2 < 1 r8\n2 m r8 r9 r10 r11 r12 r13",
             (), ("take_in_first_round",), seats=3),
    ],
    "break_before_opening": [
        Case("regulament", False,
             "deal 15 14 atu b13\n0 - k2\n1 + ?\n1 - r8\n0 + ?\n0 - b2\n1 < 1 r8 b2\n1 m r8 r9 r10 r11 | k13 r13 b13",
             (), ("take_only_last",)),
    ],
    "table_game_takes": [
        Case("etalat", False,
             "deal 15 14 atu b13\n0 - k2\n1 + ?\n1 - k9\n0 say table_game\n0 < 1 k9\n0 - y2", (), ("owed_opening",))
    ],
    "taken_last_is_used": [
        Case("regulament", False, OPENED + "0 < 3 y13\n0 - k5", ("owed_table",), ()),
        Case("etalat", True, OPENED + "0 < 3 y13\n0 - k5", (), ("owed_table",)),
    ],
    "break_row": [
        Case("etalat", "one", OPENED + "0 < 2 k11", ("break_takes_rest",), ()),
        Case("etalat", "no", OPENED + "0 < 2 k11 y13", (), ("no_breaking",)),
        Case("doizece", "rest", OPENED + "0 < 2 k11", (), ("break_takes_rest",)),
    ],
    "break_rack_min": [Case("etalat", 8, OPENED + "0 < 2 k11 y13", (), ("break_few_tiles",))],
    "take_rack_min": [Case("etalat", 8, OPENED + "0 < 3 y13", (), ("take_few_tiles",))],
    "meld_rack_min": [Case("etalat", 8, OPENED + "0 + ?\n0 m b2 b3 b4", (), ("only_lay_offs",))],
    "lay_off_inside": [
        Case("doizece", False, OPENED + "0 + ?\n0 m k4 k5 k6 k7 k8\n0 l m6 k6 / k6 k7 k8", (), ("only_ends",))
    ],
    "joker_run_opens": [
        Case("etalat", True, OPENED + "0 + ?\n0 m k4 k5 k6 * k8\n0 l m6 k6 / k6 * k8", ("joker_run_closed",), ())
    ],
    "lay_off_in_opening_turn": [
        Case("doizece", True, "deal 15 14 atu b13\n0 m r5 r6 r7 r8 | y10 b10 k10\n0 l m1 r9", ("next_turn",), ()),
        Case("classic", False, "deal 13 13 turned 9C\n0 + ?\n0 m 10S JS QS\n0 l m1 KS", (), ("next_turn",), pack="52+1"),
    ],
    "joker_lay_off": [
        Case("etalat", "any", OPENED + "0 + ?\n0 l m3 *", ("joker_own_melds",), ()),
        Case("doizece", "own", OPENED + "0 + ?\n0 l m3 *", (), ("joker_own_melds",)),
    ],
    "reclaim_in_opening_turn": [
        Case("etalat", True, OPENED.replace("r5 r6 r7 r8", "r5 * r7 r8").replace("b9 b10 b11 b12 | y3 y4 y5 | k3 b3 r3\n",
             "b9 b10 b11 b12 | y3 y4 y5 | k3 b3 r3\n    1 j m1 r6 > b2 b3 *\n"), ("next_turn",), ()),
    ],
    "reclaim_melds_at_once": [
        Case("etalat", False, OPENED.replace("r5 r6 r7 r8", "r5 * r7 r8") + "0 + ?\n0 - k5\n1 + ?\n1 j m1 r6",
             ("joker_not_melded",), ()),
    ],
    "reclaims_max": [
        Case("etalat", 0, OPENED.replace("r5 r6 r7 r8", "r5 * r7 r8") + "0 + ?\n0 - k5\n1 + ?\n1 j m1 r6 > k6 k7 *",
             (), ("joker_too_often",)),
    ],
    "group_reclaim_needs_all": [
        Case("etalat", False, OPENED.replace("y10 b10 k10", "y10 b10 *=r10") + "0 + ?\n0 - k5\n1 + ?\n1 j m2 k10 > k6 k7 *",
             ("joker_needs_both_colours",), ()),
    ],
    "atu_closes": [
        Case("etalat", True, "deal 15 14 atu b13\n0 ^", ("drew_already", "atu_not_drawn"), ("drew_already",)),
    ],
}  # fmt: skip


def drained(seats: int, draws: int) -> str:
    """Turns of a draw and a discard, so many, by all seats in turn; the first player has discarded before."""
    faces = [f"{colour}{number}" for _ in range(2) for number in range(1, 14) for colour in "rybk"]
    faces.remove("b12")
    faces.remove("r1")
    turns = ((at + 1) % seats for at in range(draws))
    return "\n".join(f"{seat} + ?\n{seat} - {face}" for seat, face in zip(turns, faces, strict=False)) + "\n"


EMPTY = "deal 15 14 atu b12\n0 - r1\n" + drained(2, 76)
"""Two players draw all 76 tiles; the row is as long, and the first discard."""

CLOSED = """
    deal 15 14 atu b12
    0 - k2
    1 + ?
    1 - k9
    0 + ?
    0 m r3 r4 r5 r6 r7 | k3 k4 k5 k6 | b5 b6 *=b7 b8 b9
    0 -! y2
    racks 1: r2 y3 y4 y5 y6 y7 y8 y9 y10 y11 y12 y13 b2 b3
"""
"""Ana closes in one turn with 25 + 20 + 20 and a joker; Dan never opened, his rack is 90."""

ANNOUNCED = """
    deal 15 14 atu b12
    0 say atu
    0 - k2
    1 say table_game
    1 + ?
    1 - k9
    0 + ?
    0 m r3 r4 r5 r6 r7 | k3 k4 k5 k6 | b5 b6 b7 b8 b9
    0 -! b12
    racks 1: r2 y3 y4 y5 y6 y7 y8 y9 y10 y11 y12 y13 b2 b3
"""

RECLAIMED = """
    deal 15 14 atu b12
    0 - k2
    1 + ?
    1 m b9 b10 b11 *=b12 | y10 k10 r10
    1 - k9
    0 + ?
    0 m r10 r11 r12 r13 | y2 y3 y4 y5
    0 - y6
    1 + ?
    1 - y7
    0 + ?
    0 j m1 b12 > k5 k6 *=k7
    0 - y8
"""
"""Dan first uses the joker, Ana reclaims it; the first round is over for neither."""


def table(kind: str, tiles: str) -> str:
    return f"""
        deal 15 14 atu b12
        0 - k2
        1 say table_game
        1 + ?
        1 - k9
        0 + ?
        0 - y5
        1 + ?
        1 t {kind} {tiles} / k9
        racks 0: r12 b2 b3 b4 b5 b7 b8 b9 b10 b11 b13 k1 k2 r13
    """


ROW = [*range(1, 14), 1]
MONO = " ".join(f"y{number}" for number in ROW)
BI = " ".join(f"{'ry'[at % 2]}{number}" for at, number in enumerate(ROW))
MOSAIC = " ".join(f"{'ryb'[at % 3] if at != 3 else 'k'}{number}" for at, number in enumerate(ROW))
SIMPLE = "r1 r2 r3 r4 r5 | y7 y8 y9 | k11 k12 k13 | r6 y6 b6"
CLOSED_GAME = "y1 r1 k1 | y7 y8 y9 y10 | k11 k12 k13 | r6 y6 b6 k6"

SCORES: dict[str, list[tuple[str, Any, str, list[int], list[int]]]] = {
    # field: base, changed value, game, totals without the change, totals with it
    "never_opened_points": [("doizece", 150, CLOSED, [315, -200], [315, -150])],
    "closing_bonus": [("etalat", 50, CLOSED, [215, -100], [165, -100])],
    "one_turn_bonus": [("doizece", 0, CLOSED, [315, -200], [215, -200])],
    "atu_doubles": [("etalat", False, CLOSED.replace("b12", "b1"), [430, -200], [215, -100])],
    "closing_tile_doubles": [
        ("etalat", False, CLOSED.replace("y2", "y1"), [430, -100], [215, -100]),
        ("doizece", True, CLOSED.replace("-! y2", "-! *"), [315, -200], [630, -200]),
    ],
    "atu_bonus": [("etalat", 30, ANNOUNCED, [220, -200], [200, -200])],
    "table_game_failed_points": [("etalat", 300, ANNOUNCED, [220, -200], [220, -300])],
    "joker_credit_first": [("doizece", False, RECLAIMED, [80, 105], [130, 55])],
    "table_simple_points": [("etalat", 500, table("simple", SIMPLE), [-100, 400], [-100, 500])],
    "table_mozaic_points": [("etalat", 900, table("mozaic", MOSAIC), [-100, 800], [-100, 900])],
    "table_bicolor_points": [("etalat", 900, table("bicolor", BI), [-100, 1600], [-100, 900])],
    "table_monocolor_points": [("etalat", None, table("monocolor", MONO), [-100, 3200], [-100, -200])],
}


@pytest.mark.parametrize(
    ("field", "case"), [(field, case) for field, cases in SCORES.items() for case in cases]
)
def test_a_field_changes_a_score(field: str, case: tuple[str, Any, str, list[int], list[int]]) -> None:
    base, value, game, plain, changed = case
    assert totals(play(base, game)) == plain
    assert totals(play(base, game, **{field: value})) == changed


def refused(played: Replay) -> list[str]:
    return [code for _, code in codes(played)]


@pytest.mark.parametrize(
    ("field", "case"), [(field, case) for field, cases in WIRING.items() for case in cases]
)
def test_a_field_changes_what_is_refused_or_how_it_stands(field: str, case: Case) -> None:
    plain = play(case.base, case.game, seats=case.seats, pack=case.pack)
    changed = play(case.base, case.game, seats=case.seats, pack=case.pack, **{field: case.value})
    if case.codes is not None:
        assert refused(plain) == list(case.codes)
        assert refused(changed) == list(case.changed or ())
    else:
        assert (refused(plain), plain.state.wall, totals(plain)) != (
            refused(changed), changed.state.wall, totals(changed)
        )  # fmt: skip


def test_announce_few_at_and_few_fine() -> None:
    game = OPENED + "0 + ?\n0 l m3 b13 b8\n0 l m1 r9 r4\n0 - k5\n1 + ?\n1 - k6\n0 + ?"
    remarks = play("etalat", game, announce_few_at=3).remarks
    assert [(remark.seq, remark.seat, remark.fine) for remark in remarks] == [(17, 0, 500)]
    assert [remark.fine for remark in play("etalat", game, few_fine=300).remarks] == [300]
    assert not play("etalat", game, announce_few_at=2).remarks
    assert not play("etalat", game.replace("0 - k5", "0 - k5\n0 say few")).remarks


def test_wall_end() -> None:
    ended = play("etalat", EMPTY + "wall")
    assert (codes(ended), ended.state.phase, len(ended.state.row)) == ([], "over", 77)
    rebuilt = play("etalat", EMPTY + "wall", wall_end="rebuild")
    assert (codes(rebuilt), rebuilt.state.phase, len(rebuilt.state.row)) == ([], "play", 1)
    assert rebuilt.state.wall.drawable == 76
    assert play("doizece", EMPTY + "wall").state.wall.drawable == 76


def test_who_plays_on_past_an_empty_wall() -> None:
    # RULES.md, wall empty: in etalat the game ends with it.
    assert codes(play("etalat", EMPTY + "1 < 76")) == [(155, "wall_ended")]
    assert not codes(play("doizece", EMPTY + "1 < 76"))


def test_closing_takes_hands() -> None:
    game = """
        deal 13 13 turned 9C
        0 + ?
        0 m AS 2S 3S 4S 5S | KD KH KS | 7D 7H 7C | QH QS
        0 -! 2D
        racks 1: AD AC KC 10H * 2H 6D 9H 5C 5D 5H 8C 8D
    """
    hand = 11 + 11 + 10 + 10 + 20 + 2 + 6 + 9 + 5 + 5 + 5 + 8 + 8
    for takes, more in ((True, hand), (False, 0)):
        played = play("classic", game, pack="52+1", closing_takes_hands=takes)
        assert totals(played) == [25 + more, -hand]
        assert codes(played) == [(3, "too_few_tiles"), (3, "too_few_tiles")][:1]


def test_table_game_turns() -> None:
    game = "deal 15 14 atu b12\n0 - r1\n" + drained(2, 4) + "1 say table_game"
    assert codes(play("etalat", game)) == []
    assert codes(play("etalat", game, table_game_turns=1)) == [(11, "table_game_late")]


def test_closed_game() -> None:
    game = table("closed", CLOSED_GAME).replace("1 say table_game", "")
    assert totals(play("regulament", game)) == [-100, 75 + 25 + 30 + 20 + 100]
    assert codes(play("regulament", game, closed_game=False)) == [(8, "no_such_table_game")]


def test_next_dealer_and_order_of_play() -> None:
    etalat = rule_set("etalat")
    assert next_dealer(etalat, 4, 3, Random(1)) == 0
    clockwise = with_changes(etalat, {"order_of_play": "clockwise"})
    assert next_dealer(clockwise, 4, 3, Random(1)) == 2
    drawn = with_changes(etalat, {"next_dealer": "random"})
    assert {next_dealer(drawn, 4, 3, Random(seed)) for seed in range(30)} == {0, 1, 2, 3}
    assert {next_dealer(etalat, 4, None, Random(seed)) for seed in range(30)} == {0, 1, 2, 3}


OTHERS = {
    "announce_few_at", "few_fine", "wall_end", "closing_takes_hands", "table_game_turns", "closed_game",
    "next_dealer", "order_of_play",
}  # fmt: skip
"""Fields with a test of their own above."""


def test_every_field_of_play_has_its_case() -> None:
    assert set(WIRING) | set(SCORES) | OTHERS == set(changeable_fields()) - set(values.WIRING)
