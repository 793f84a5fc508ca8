"""Matches: results add up, by games or to a target, with places and ties."""

from __future__ import annotations

import pytest

from engine.matches import new_match, places
from engine.rules import RULE_KEYS, rule_set


@pytest.mark.parametrize("key", RULE_KEYS)
def test_a_match_of_games(key: str) -> None:
    match = new_match(rule_set(key), ["Ana", "Dan", "Ioana"], games=3)
    for result in ([100, 50, -100], [-50, 50, 300], [50, 0, 0]):
        assert not match.over
        assert match.winners == ()
        match = match.plus(result)
    assert (match.over, match.totals, match.places, match.winners) == (True, (100, 100, 200), (2, 2, 1), (2,))
    with pytest.raises(ValueError, match="over"):
        match.plus([0, 0, 0])


def test_a_match_to_a_target() -> None:
    match = new_match(rule_set("classic"), ["Ana", "Dan"], target=100)
    match = match.plus([59, -59]).plus([30, -30])
    assert not match.over
    assert match.plus([11, -11]).over
    tied = new_match(rule_set("etalat"), ["Ana", "Dan"], target=100).plus([100, 100])
    assert (tied.over, tied.winners) == (True, (0, 1))


def test_places_with_ties() -> None:
    assert places([5, 5, 5]) == (1, 1, 1)
    assert places([1, 2, 3, 2]) == (4, 2, 1, 2)


@pytest.mark.parametrize(
    "wanted",
    [{}, {"games": 1, "target": 1}, {"games": 0}, {"target": 0}],
    ids=["none", "both", "no game", "0"],
)
def test_a_match_needs_one_end(wanted: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="match has"):
        new_match(rule_set("etalat"), ["Ana", "Dan"], **wanted)


def test_a_match_needs_players_and_a_result_each() -> None:
    with pytest.raises(ValueError, match="2 to 4"):
        new_match(rule_set("etalat"), list("abcde"), games=1)
    with pytest.raises(ValueError, match="3 results for 2"):
        new_match(rule_set("etalat"), ["Ana", "Dan"], games=1).plus([1, 2, 3])
