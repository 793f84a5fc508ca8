"""Looks at a table in short hand: rows of tiles at their places, as a camera would give them.

row("k2 r5")                 the discard row
meld("r5 r6 r7", seat=1)     tiles side by side in front of a place
Doubtful tiles: `r8~r6` is read as r8 with a confidence of 0.6, and may be r6; `r8~~r6` as r8 with 0.95.
"""

from __future__ import annotations

from engine.commands import Command
from engine.infer.follow import follow, observe
from engine.infer.follower import Committed, Follower, Outcome
from engine.infer.settings import Settings
from engine.notation import parse_face
from engine.readings import Candidate
from engine.records import Record
from engine.replay import replay
from engine.rules import rule_set
from engine.state import new_game
from engine.table_reading import Lying, LyingMeld, TableReading

TILE_MM = 28.0


def tile(text: str, key: int, place: tuple[float, float]) -> Lying:
    first, _, other = text.partition("~")
    if not other:
        return Lying(key, parse_face(first), 0.999, place, 0.0)
    sure, left = (0.95, 0.04) if other.startswith("~") else (0.6, 0.39)
    alternatives = (Candidate(parse_face(other.lstrip("~")), left),)
    return Lying(key, parse_face(first), sure, place, 0.0, (), alternatives)


class Table:
    """A table that a test changes; tiles keep their keys while they lie in one place."""

    def __init__(self, rules: str, *, seats: int = 2, settings: Settings | None = None) -> None:
        self.follower: Follower = follow(
            new_game(rule_set(rules), seats, dealer=seats - 1), settings or Settings(turn_seconds=4.0)
        )
        self.row: list[str] = []
        self.melds: list[tuple[str, int]] = []
        self.atu: str | None = "k13"
        self.number = 0
        self.at = 0.0
        self.keys: dict[tuple[str, int, int, str], int] = {}
        self.outcomes: list[Outcome] = []

    def key(self, zone: str, line: int, at: int, text: str) -> int:
        return self.keys.setdefault((zone, line, at, text.partition("~")[0]), len(self.keys) + 1)

    def reading(self) -> TableReading:
        row = tuple(
            tile(text, self.key("row", 0, at, text), (at * TILE_MM, 0.0))
            for at, text in enumerate(self.row)
            if text != "."
        )
        melds = []
        for line, (text, seat) in enumerate(self.melds):
            tiles = tuple(
                tile(word, self.key("meld", line, at, word), (at * TILE_MM, 200.0 + 60 * line))
                for at, word in enumerate(text.split())
                if word != "."
            )
            melds.append(LyingMeld(tiles[0].key, seat, tiles))
        atu = tile(self.atu, self.key("atu", 0, 0, self.atu), (-300.0, 0.0)) if self.atu else None
        return TableReading(self.number, self.at, tuple(melds), row, None, (), atu)

    def looks(self, count: int = 3, *, seconds: float = 1.0, first: float = 3.0) -> list[Outcome]:
        """So many looks at the table as it lies now; the first comes `first` seconds after the last."""
        found: list[Outcome] = []
        for at in range(count):
            self.number += 1
            self.at += seconds if at else first
            self.follower, more = observe(self.follower, self.reading())
            found += more
        self.outcomes += found
        return found

    def committed(self, count: int = 3) -> tuple[Command, ...]:
        """What so many looks commit."""
        return tuple(
            command for one in self.looks(count) if isinstance(one, Committed) for command in one.commands
        )


def state_of(record: Record) -> Follower:
    """A follower of a game that stands where a record ends."""
    return follow(replay(record).state)
