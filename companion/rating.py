"""How strong players are: a Plackett-Luce rating (openskill) over the places of their games, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.statistics import player_key
from web_ui.services import Rating

if TYPE_CHECKING:
    from collections.abc import Iterable

    from engine.statistics import GameResult


def ratings(results: Iterable[GameResult]) -> dict[str, Rating]:
    """The rating of each player by `player_key`; a game in which one name plays twice is left out."""
    from openskill.models import PlackettLuce, PlackettLuceRating

    model = PlackettLuce()
    found: dict[str, PlackettLuceRating] = {}
    for result in results:
        keys = [player_key(name) for name in result.names]
        if len(set(keys)) < len(keys) or len(keys) < 2:
            continue
        teams = [[found.get(key) or model.rating()] for key in keys]
        rated = model.rate(teams, ranks=[float(place) for place in result.places])
        found |= {key: team[0] for key, team in zip(keys, rated, strict=True)}
    return {key: Rating(one.mu, one.sigma, one.ordinal()) for key, one in found.items()}
