"""Legal commands: refused ones change nothing, all that are listed may be done, and counts of small games."""

# ruff: noqa: E501  one strategy a line

from __future__ import annotations

from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import commands as c
from engine.bags import Bag
from engine.decide import decide, fold
from engine.events import Event
from engine.legal import is_legal, legal_commands, possible_faces
from engine.notation import parse_tiles
from engine.refusals import Refusal
from engine.rules import RULE_KEYS, rule_set
from engine.scores import score
from engine.state import Hand, State, visible
from engine.tiles import JOKER
from engine.whereabouts import whereabouts
from tests.engine.games import play
from tests.engine.strategies import faces, tiles
from tests.engine.test_games import simulated

seats = st.integers(-1, 4)
some_faces = st.lists(faces, max_size=4).map(tuple)
some_tiles = st.lists(tiles, max_size=5).map(tuple)
names = st.sampled_from(["m1", "m2", "m3", "m9"])
commands = st.one_of(
    st.builds(c.Deal, st.lists(st.one_of(some_faces, st.integers(0, 60)), max_size=4).map(tuple), st.none() | faces),
    st.builds(c.Announce, seats, st.sampled_from(["atu", "double", "few", "table_game", "spoil"]),
              st.none() | st.sampled_from(["small", "key", "simple", "closed"])),
    st.builds(c.SwapDoubles, seats, seats, st.none() | faces, st.none() | faces),
    st.builds(c.Draw, seats, st.none() | faces, st.sampled_from(["wall", "atu"])),
    st.builds(c.Take, seats, st.integers(-1, 9), some_faces),
    st.builds(c.MeldDown, seats, st.lists(some_tiles, max_size=3).map(tuple)),
    st.builds(c.LayOff, seats, names, some_tiles, st.sampled_from([None, "low", "high"]), st.booleans(), some_tiles),
    st.builds(c.Reclaim, seats, names, some_tiles, some_tiles, st.none() | st.integers(0, 3)),
    st.builds(c.Discard, seats, faces, st.none() | st.booleans()),
    st.builds(c.CloseTable, seats, st.sampled_from(["simple", "mozaic", "closed", "x"]),
              st.lists(some_tiles, max_size=3).map(tuple), faces),
    st.just(c.WallEmpty()),
    st.builds(c.Racks, st.lists(st.tuples(seats, some_faces), max_size=3).map(tuple)),
    st.builds(c.Rule, seats, st.integers(-500, 500), st.just(""), st.booleans()),
)  # fmt: skip


@pytest.mark.parametrize("key", RULE_KEYS)
@settings(max_examples=60)
@given(data=st.data())
def test_any_command_at_any_moment(key: str, data: st.DataObject) -> None:
    """`decide` always answers; a refusal says why, in both languages; what is not refused conserves the tiles."""
    game, _ = simulated(key, data.draw(st.integers(0, 3)))
    _, state = game.history[data.draw(st.integers(0, len(game.history) - 1))]
    command = data.draw(commands)
    before = replace(state)
    answer = decide(state, command)
    assert state == before
    if isinstance(answer, Refusal):
        assert answer.reasons
        for reason in answer.reasons:
            assert reason.hint_en != reason.hint_ro
            assert not set("{}şţŞŢ") & set(reason.hint_en + reason.hint_ro + reason.clause)
        return
    after = fold(state, answer)
    assert whereabouts(after).tiles == len(state.full)
    assert visible(after) <= state.full
    score(after)


@pytest.mark.parametrize("key", RULE_KEYS)
@settings(max_examples=60)
@given(data=st.data())
def test_what_has_happened_conserves_the_tiles_allowed_or_not(key: str, data: st.DataObject) -> None:
    from engine.decide import happened

    game, _ = simulated(key, data.draw(st.integers(0, 3)))
    _, state = game.history[data.draw(st.integers(0, len(game.history) - 1))]
    for command in data.draw(st.lists(commands, min_size=1, max_size=6)):
        state, _ = happened(state, command)
        assert whereabouts(state).tiles == len(state.full)
        assert visible(state) <= state.full
        score(state)


@pytest.mark.parametrize("key", RULE_KEYS)
def test_any_split_of_the_events_folds_to_the_same_state(key: str) -> None:
    game, record = simulated(key, 1)
    state: State = record.header.new_game()
    events: list[Event] = []
    for command, _ in game.history:
        answer = decide(state, command)
        assert not isinstance(answer, Refusal)
        events += answer
        state = fold(state, answer)
    for cut in range(0, len(events), 9):
        assert fold(fold(record.header.new_game(), events[:cut]), events[cut:]) == state == game.state


@pytest.mark.parametrize("key", RULE_KEYS)
def test_what_is_listed_may_be_done_and_what_was_done_is_listed(key: str) -> None:
    game, _ = simulated(key, 2)
    for (_, state), (command, _) in list(zip(game.history, game.history[1:], strict=False))[1::6]:
        listed = list(islice(legal_commands(state), 3000))
        assert len(set(listed)) == len(listed)
        assert all(is_legal(state, one) for one in listed[:200])
        if isinstance(command, c.Discard):
            assert c.Discard(command.seat, command.tile) in listed
        if isinstance(command, c.Draw):
            assert c.Draw(command.seat) in listed


def test_hidden_tiles_may_be_any_that_is_unseen() -> None:
    state = play("etalat", "deal 15 14 atu b13\n0 - k2\n1 + k2").state
    choices = [str(face) for face in possible_faces(state, 1)]
    assert len(choices) == 53
    full = play("etalat", "deal 15 14 atu b13\n0 - k2\n1 + ?\n1 - k2\n0 + ?").state
    assert "k2" not in [str(face) for face in possible_faces(full, 0)]
    first = list(islice(legal_commands(full), 60))
    assert first[0] == c.Announce(0, "table_game")
    assert c.Discard(0, JOKER) in first


def test_nothing_is_legal_before_the_deal_or_after_the_end() -> None:
    game, record = simulated("etalat", 0)
    assert list(legal_commands(record.header.new_game())) == []
    assert list(legal_commands(game.state)) == []


def toy(key: str, hands: list[str], row: str, pile: int) -> State:
    """A game of few tiles, all of them known, both players having opened."""
    start = play(
        key, "deal 15 14 atu b13\n0 - k2" if rule_set(key).wall_of_stacks else "deal 13 13 turned 9C"
    ).state
    players = tuple(
        replace(player, hand=Hand(Bag(t.face for t in parse_tiles(hand))), opened=True, turns=2)
        for player, hand in zip(start.players, hands, strict=True)
    )
    wall = start.wall.without(start.wall.drawable - pile)
    turn = replace(start.turn, seat=0, rack=len(players[0].hand), drew=False)
    laid = tuple(tile.face for tile in parse_tiles(row))
    return replace(start, players=players, wall=wall, turn=turn, row=laid, started=True)


def perft(state: State, depth: int) -> int:
    """How many ways there are to go on for so many commands."""
    if depth == 0:
        return 1
    total = 0
    for command in legal_commands(state):
        answer = decide(state, command)
        assert not isinstance(answer, Refusal)
        total += perft(fold(state, answer), depth - 1)
    return total


@pytest.mark.parametrize(
    ("key", "counts"),
    [
        ("doizece", [3, 96, 496]),
        ("etalat", [2, 93, 435]),
        ("regulament", [3, 97, 492]),
        ("classic", [2, 79, 326]),
    ],
)
def test_counts_of_a_small_game(key: str, counts: list[int]) -> None:
    """Two players with five and four tiles: so many command sequences of each length (STYLE.md, perft)."""
    cards = key == "classic"
    state = toy(
        key,
        ["3S 4S 5S 6S 6H", "6D 6C 9D 9H"] if cards else ["r3 r4 r5 r6 y6", "b6 k6 y9 b9"],
        "2S 7S" if cards else "r2 r7",
        3,
    )
    assert [perft(state, depth) for depth in range(1, len(counts) + 1)] == counts
