"""Whole simulated games: every tile accounted for after every command, and records that say the same."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from functools import lru_cache
from random import Random

import pytest

from engine.corrections import effective
from engine.players import Game, play_game
from engine.records import Record, format_record, new_record, parse_record
from engine.replay import replay
from engine.rules import RULE_KEYS, rule_set
from engine.scores import LINES
from engine.state import new_game, visible
from engine.walls import STACK_SIZE
from engine.whereabouts import whereabouts

GAMES = 12
"""Games of each rule set in every run; `REMI_GAMES` says how many in the long one."""


@lru_cache(maxsize=32)
def simulated(key: str, seed: int) -> tuple[Game, Record]:
    """A game and its record, the same for the same seed."""
    return new_simulated(key, seed)


def new_simulated(key: str, seed: int) -> tuple[Game, Record]:
    rules, random = rule_set(key), Random(f"{key} {seed}")
    least, most = rules.players
    seats = least + seed % (most - least + 1)
    packs = [pack.name for pack in rules.packs if seats in pack.players]
    game = play_game(rules, seats, random, pack=packs[seed // 5 % len(packs)])
    record = new_record(
        key, [f"P{seat}" for seat in range(seats)], dealer=game.state.dealer, pack=game.state.pack
    )
    for command, _ in game.history:
        record = record.plus_command(command, actor="import")
    return game, record


@pytest.mark.parametrize("seed", range(GAMES))
@pytest.mark.parametrize("key", RULE_KEYS)
def test_a_simulated_game(key: str, seed: int) -> None:
    check(*simulated(key, seed))


@pytest.mark.long
@pytest.mark.parametrize("key", RULE_KEYS)
def test_thousands_of_games(key: str) -> None:
    for seed in range(int(os.environ["REMI_GAMES"])):
        check(*new_simulated(key, 1000 + seed))


def check(game: Game, record: Record) -> None:
    """Every invariant of a game that is over."""
    before = new_game(game.state.rules, game.state.seats, dealer=game.state.dealer, pack=game.state.pack)
    assert whereabouts(before).tiles == len(before.full)
    for command, state in game.history:
        found = whereabouts(state)
        assert found.tiles == len(state.full), command
        assert visible(state) <= state.full
        assert len(found.unseen) == sum(place.hidden for place in found.places)
        assert (
            state.rules.rack_max is None
            or state.turn.drew
            or all(
                len(player.hand) <= state.rules.rack_max + state.rules.first_player_extra
                for player in state.players
            )
        )
        assert all(stack.tiles <= STACK_SIZE for stack in state.wall.stacks if stack.number is not None)
    played = replay(record)
    assert played.state == game.state
    assert not played.refusals
    assert played.state.phase == "over"
    assert replay(parse_record(format_record(record))).state == game.state
    for score in played.scores:
        assert score.complete
        assert {line.what for line in score.lines} <= set(LINES)
    if not game.state.rules.melds_score and game.state.closing is not None:
        # Classic moves points from hands to the closer; only the bonus comes from nowhere.
        bonus = game.state.rules.one_turn_bonus if game.state.closing.one_turn else 0
        assert sum(score.total for score in played.scores) == bonus


@pytest.mark.parametrize("key", RULE_KEYS)
def test_the_same_seed_is_the_same_game(key: str) -> None:
    assert new_simulated(key, 3)[1] == simulated(key, 3)[1]


@pytest.mark.parametrize("key", RULE_KEYS)
def test_hands_only_counted_come_to_the_same_score(key: str) -> None:
    """A camera sees no hand and no draw, but what comes onto the table, and the racks in the end."""
    game, record = simulated(key, 1)
    blind = Record(record.header)
    for entry in record.entries:
        fields = dict(entry.fields)
        if entry.event == "deal":
            fields["hands"] = [len(hand.split()) for hand in fields["hands"]]
        if entry.event == "draw":
            fields["tile"] = None
        if entry.event == "swap_doubles":
            fields |= {"gives": None, "gets": None}
        blind = blind.plus(entry.event, fields)
    played = replay(blind)
    assert not played.refusals
    assert [score.total for score in played.scores] == [score.total for score in replay(record).scores]
    assert whereabouts(played.state).tiles == len(game.state.full)


@pytest.mark.parametrize("key", RULE_KEYS)
def test_any_void_of_the_last_entry_is_its_absence(key: str) -> None:
    _, record = simulated(key, 2)
    for length in range(2, len(record.entries), 5):
        cut = Record(record.header, record.entries[:length])
        undone = cut.plus("void", {"target": length, "reason": ""})
        absent = Record(record.header, record.entries[: length - 1])
        # But for the numbers of melds to come, which go on in the raw log (RECORD.md, `lay_off`).
        left = replace(replay(undone).state, next_meld=0)
        assert left == replace(replay(absent).state, next_meld=0)


@pytest.mark.parametrize("key", RULE_KEYS)
def test_amend_with_itself_is_nothing(key: str) -> None:
    _, record = simulated(key, 4)
    for entry in record.entries[::7]:
        same = record.plus("amend", {"target": entry.seq, "entry": {"event": entry.event, **entry.fields}})
        assert effective(same).entries == effective(record).entries
        assert replay(same).state == replay(record).state


@pytest.mark.parametrize("key", ["doizece", "etalat", "regulament"])
def test_colours_are_only_names(key: str) -> None:
    """Colours renamed everywhere, the atu too, change no score."""
    for seed in range(3):
        _, record = simulated(key, seed)
        names = str.maketrans("rybk", "".join(Random(seed).sample("rybk", 4)))

        def renamed(value: object, names: dict[int, int] = names) -> object:
            if isinstance(value, str):
                return re.sub(r"[rybk](?=\d)", lambda face: face[0].translate(names), value)
            if isinstance(value, list):
                return [renamed(one) for one in value]
            return {seat: renamed(one) for seat, one in value.items()} if isinstance(value, dict) else value

        other = Record(record.header)
        for entry in record.entries:
            fields = {name: renamed(value) for name, value in entry.fields.items() if name != "what"}
            fields |= {name: value for name, value in entry.fields.items() if name == "what"}
            other = other.plus(entry.event, fields)
        assert [score.lines for score in replay(other).scores] == [
            score.lines for score in replay(record).scores
        ]
