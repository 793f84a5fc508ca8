"""Matches: several games whose results add up, for a number of games or to a target; places and ties."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from engine.rules import RuleSet


@dataclass(frozen=True, slots=True)
class Match:
    """A match under way: `games` to play or a `target` to reach (one of the two), and the results so far.

    >>> from engine.rules import rule_set
    >>> match = new_match(rule_set("etalat"), ["Ana", "Dan", "Ioana"], games=2)
    >>> match = match.plus([185, 15, -100]).plus([-100, 270, 285])
    >>> match.totals, match.places, match.over
    ((85, 285, 185), (3, 1, 2), True)
    """

    rules: RuleSet
    seats: tuple[str, ...]
    games: int | None = None
    target: int | None = None
    results: tuple[tuple[int, ...], ...] = ()

    def plus(self, result: Sequence[int]) -> Match:
        """The match with the result of one game more; ValueError once it is over, or for other seats."""
        if self.over:
            raise ValueError("the match is over")
        if len(result) != len(self.seats):
            raise ValueError(f"{len(result)} results for {len(self.seats)} players")
        return replace(self, results=(*self.results, tuple(result)))

    @property
    def totals(self) -> tuple[int, ...]:
        """The sum of each seat's results."""
        return tuple(sum(result[seat] for result in self.results) for seat in range(len(self.seats)))

    @property
    def over(self) -> bool:
        """Whether all games are played, or somebody has reached the target."""
        if self.games is not None:
            return len(self.results) >= self.games
        return bool(self.results) and self.target is not None and max(self.totals) >= self.target

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat; who has the same total shares a place, and the next ones are left out."""
        return places(self.totals)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in the first place of a match that is over."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1) if self.over else ()


def places(totals: Sequence[int]) -> tuple[int, ...]:
    """The place of each total, the highest first; the same total has the same place.

    >>> places([10, 30, 30, -5])
    (3, 1, 1, 4)
    """
    return tuple(1 + sum(other > total for other in totals) for total in totals)


def new_match(
    rules: RuleSet, seats: Sequence[str], *, games: int | None = None, target: int | None = None
) -> Match:
    """A match before its first game; ValueError unless it has either a number of games or a target."""
    least, most = rules.players
    if not least <= len(seats) <= most:
        raise ValueError(f"{rules.name_en} is for {least} to {most} players, not {len(seats)}")
    if (games is None) == (target is None):
        raise ValueError("a match has either a number of games or a target")
    if (games is not None and games < 1) or (target is not None and target < 1):
        raise ValueError("a match has at least one game, or a target above 0")
    return Match(rules, tuple(seats), games, target)


def next_dealer(rules: RuleSet, seats: int, last: int | None, random: Random) -> int:
    """The dealer of the next game (RULES.md, dealer): drawn for the first, then as the rule set says.

    Seats are in order of play: where that runs to the right, the player to a dealer's right is the next seat,
    where it runs clockwise, the one before.
    """
    if last is None or rules.next_dealer == "random":
        return random.randrange(seats)
    step = 1 if rules.order_of_play == "counter-clockwise" else -1
    return (last + step) % seats
