"""What the lamps say: one sign a seat, the most urgent, and nothing that only one player may know."""

from __future__ import annotations

import dataclasses

import pytest

from engine.bags import Bag
from engine.lamps import DARK, HURRY_SHARE, LampSign, Notices, Sign, lamps
from engine.rules import RULE_KEYS, rule_set
from engine.state import Closing, State, new_game
from engine.tiles import Face
from tests.engine.games import play

DEAL = "deal 15 14 atu b13"


def state_after(text: str) -> State:
    return play("etalat", text).state


def signs(state: State, **notices: object) -> list[Sign]:
    return [lamp.sign for lamp in lamps(state, Notices(**notices))]  # type: ignore[arg-type]


def test_before_the_deal_every_lamp_is_off() -> None:
    for key in RULE_KEYS:
        assert set(lamps(new_game(rule_set(key), 2))) == {DARK}


def test_the_lamp_of_who_is_on_turn_is_lit_and_moves_on() -> None:
    assert signs(state_after(DEAL)) == [Sign.TURN, Sign.OFF]
    assert signs(state_after(DEAL + "\n0 - k2")) == [Sign.OFF, Sign.TURN]


@pytest.mark.parametrize(
    ("left", "sign"),
    [(None, Sign.TURN), (1.0, Sign.TURN), (HURRY_SHARE, Sign.HURRY), (0.0, Sign.HURRY), (-0.5, Sign.HURRY)],
)
def test_a_clock_is_shown_and_hurries_at_its_end(left: float | None, sign: Sign) -> None:
    shown = lamps(state_after(DEAL), Notices(left=left))[0]
    assert shown == LampSign(sign, None if left is None else max(0.0, left))


def test_the_most_urgent_sign_is_shown() -> None:
    state = state_after(DEAL)
    every = frozenset({0})
    assert signs(state, calls=every, illegal=every, doubts=every, paused=True) == [Sign.CALL, Sign.PAUSE]
    assert signs(state, illegal=every, doubts=every, paused=True) == [Sign.ILLEGAL, Sign.PAUSE]
    assert signs(state, doubts=every, paused=True) == [Sign.DOUBT, Sign.PAUSE]
    assert signs(state, paused=True) == [Sign.PAUSE, Sign.PAUSE]
    assert signs(state, doubts=frozenset({1})) == [Sign.TURN, Sign.DOUBT]


def test_who_has_closed_is_the_winner_and_nobody_is_on_turn() -> None:
    state = state_after(DEAL)
    closed = dataclasses.replace(state, phase="over", closing=Closing(1, Face("r", 1), one_turn=False))
    assert signs(closed) == [Sign.OFF, Sign.WINNER]


def test_lamps_say_nothing_of_hands() -> None:
    """The same game with other tiles on the racks has the same lamps."""
    state = state_after(DEAL)
    hand = dataclasses.replace(state.players[0].hand, known=Bag([Face("r", 1)]), hidden=14)
    assert lamps(state.with_player(0, hand=hand)) == lamps(state)
