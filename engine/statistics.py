"""What players have done over many games: games, wins, points, openings, closings, by name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.matches import places

if TYPE_CHECKING:
    from engine.replay import Replay


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game that was played to its end: names, points, and what each seat did; lists are by seat."""

    names: tuple[str, ...]
    points: tuple[int, ...]
    opened: tuple[bool, ...]
    closer: int | None = None
    doubled: tuple[bool, ...] = ()
    atus: tuple[bool, ...] = ()
    breaches: tuple[int, ...] = ()

    @property
    def places(self) -> tuple[int, ...]:
        """The place of each seat; equal points share one."""
        return places(self.points)


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """What one player has done; `average` is points a game."""

    name: str
    games: int = 0
    wins: int = 0
    points: int = 0
    best: int | None = None
    worst: int | None = None
    openings: int = 0
    closings: int = 0
    doubles: int = 0
    """Games whose result was doubled."""
    atus: int = 0
    breaches: int = 0

    @property
    def average(self) -> float:
        """Points a game; 0 before the first."""
        return self.points / self.games if self.games else 0.0


def game_result(played: Replay) -> GameResult | None:
    """What a game came to; None where it was not played to its end, or a rack was never counted."""
    scores, state = played.scores, played.state
    if state.phase != "over" or not all(one.complete for one in scores):
        return None
    breaches = [0] * state.seats
    by_seq = {entry.seq: entry for entry in played.record.entries}
    for refused in {(one.seq, one.reason.code): one for one in played.refusals}.values():
        seat = by_seq[refused.seq].fields.get("seat")
        if isinstance(seat, int) and 0 <= seat < state.seats:
            breaches[seat] += 1
    return GameResult(
        played.record.header.seats,
        tuple(one.total for one in scores),
        tuple(player.opened for player in state.players),
        None if state.closing is None else state.closing.seat,
        tuple(any(line.what == "doubling" for line in one.lines) for one in scores),
        tuple(player.atu for player in state.players),
        tuple(breaches),
    )


def player_key(name: str) -> str:
    """What two ways of writing a player's name have in common."""
    return " ".join(name.split()).casefold()


def statistics(results: Iterable[GameResult]) -> dict[str, PlayerStatistics]:
    """What each player has done, by `player_key`, shown under the name that was written last."""
    found: dict[str, PlayerStatistics] = {}
    for result in results:
        for seat, (name, points) in enumerate(zip(result.names, result.points, strict=True)):
            was = found.get(player_key(name), PlayerStatistics(name))
            found[player_key(name)] = replace(
                was,
                name=name,
                games=was.games + 1,
                wins=was.wins + (result.places[seat] == 1),
                points=was.points + points,
                best=points if was.best is None else max(was.best, points),
                worst=points if was.worst is None else min(was.worst, points),
                openings=was.openings + result.opened[seat],
                closings=was.closings + (result.closer == seat),
                doubles=was.doubles + (seat < len(result.doubled) and result.doubled[seat]),
                atus=was.atus + (seat < len(result.atus) and result.atus[seat]),
                breaches=was.breaches + (result.breaches[seat] if result.breaches else 0),
            )
    return found
