"""Statistics of players, worked out by hand."""

from __future__ import annotations

from engine.statistics import GameResult, PlayerStatistics, player_key, statistics

GAMES = (
    GameResult(("Ana", "Dan"), (185, -100), (True, False), 0, (True, True), (True, False), (0, 2)),
    GameResult(("Dan", "ana "), (40, 40), (True, True), None, (False, False), (False, False), (1, 0)),
    GameResult(("Ana", "Dan"), (-30, 95), (True, True), 1, (False, False), (False, True), (0, 0)),
)


def test_by_hand() -> None:
    found = statistics(GAMES)
    # Ana: 185 + 40 - 30 = 195; first alone once, together once. Dan: -100 + 40 + 95 = 35.
    assert found["ana"] == PlayerStatistics("Ana", 3, 2, 195, 185, -30, 3, 1, 1, 1, 0)
    assert found["dan"] == PlayerStatistics("Dan", 3, 2, 35, 95, -100, 2, 1, 1, 1, 3)
    assert found["ana"].average == 65.0
    assert PlayerStatistics("Nobody").average == 0.0


def test_places_are_shared() -> None:
    assert [game.places for game in GAMES] == [(1, 2), (1, 1), (2, 1)]


def test_a_name_is_the_same_however_it_is_spaced() -> None:
    assert player_key("  Ana  Maria") == player_key("ana maria")
