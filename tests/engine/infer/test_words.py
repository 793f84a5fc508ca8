"""What an answer to a question says: tiles as players say them, never a record's notation."""

from __future__ import annotations

from engine import commands as c
from engine.infer.outcomes import folded, told
from engine.infer.plans import Turned
from engine.notation import parse_face, parse_tiles
from tests.engine.games import play

OPENED = "deal 15 14 atu b13\n0 - k2\n1 + ?\n"


def test_a_turn_is_told_in_players_words() -> None:
    before = play("etalat", OPENED).state
    commands = (
        c.MeldDown(1, (parse_tiles("b9 b10 *=b11"), parse_tiles("r1 y1 k1")), ("m1", "m2")),
        c.LayOff(1, "m1", parse_tiles("b12"), end="high"),
        c.Discard(1, parse_face("k7")),
    )
    state, _ = folded(before, commands)
    english, romanian = told(Turned(2, commands, (), state, (), None))
    assert english == (
        "seat 2: puts down blue 9, blue 10, joker (blue 11) and red 1, yellow 1, black 1; "
        "lays blue 12 onto blue 9, blue 10, joker (blue 11); discards black 7"
    )
    assert romanian == (
        "locul 2: etalează 9 albastru, 10 albastru, joly (11 albastru) și 1 roșu, 1 galben, 1 negru; "
        "lipește 12 albastru la 9 albastru, 10 albastru, joly (11 albastru); aruncă 7 negru"
    )
