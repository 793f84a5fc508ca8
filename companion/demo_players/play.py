"""A game as its players play it on the virtual table: moves, presses and words, each in its time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from companion.demo_players.hands import PlayersHands
from companion.demo_players.mishaps import mishap
from engine import commands as c

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from engine.players import Game
    from vision.virtual.table import VirtualTable

MISSED_PRESS: Final = 0.05
"""So often a player forgets to press the button."""

PUSHED: Final = 0.02
"""Of the turns begin with a meld being pushed by an elbow."""

_FIRST_S: Final = 3.0
_PATIENCE_S: Final = 90.0
"""So long the racks lie open at most, before the table is cleared."""


class Companion(Protocol):
    """What the players do to the companion, and see of it."""

    def press(self, seat: int) -> None:
        """The seat's button that ends its turn."""
        ...

    def turned(self, turns: int) -> None:
        """So many turns have been played."""
        ...

    def say(self, command: c.Command, turns: int) -> None:
        """What was said aloud after so many turns is tapped in."""
        ...

    def count(self) -> None:
        """The game is put down."""
        ...

    def counted(self) -> bool:
        """Whether all racks have been counted."""
        ...


class Play:
    """A script of the virtual table that plays one game; `done` once the table was cleared after it."""

    def __init__(
        self,
        table: VirtualTable,
        game: Game,
        random: Random,
        companion: Companion,
        *,
        places: Sequence[int],
        begins: float = 0.0,
        mishaps: Random | None = None,
    ) -> None:
        """`mishaps` is the chance by which things happen beside the game, none without it."""
        self.done = False
        self.turns = 0
        """Turns that have ended."""
        self.rested: list[float] = []
        """When the hand of each turn's discard had left."""
        self.shown_at: float | None = None
        """When all racks lay open."""
        self.wake = begins
        """When the players go on."""
        self._table, self._game, self._random, self._companion = table, game, random, companion
        self._places = tuple(places)
        self._hands = PlayersHands(table, game.history, places, random)
        self._now = begins
        self._mishaps = mishaps
        self._acts = self._played()

    def __call__(self, _table: VirtualTable, now: float) -> None:
        """Plans what comes next, once its time has come; to be called before every frame."""
        while not self.done and now >= self.wake:
            self._now = now
            pause = next(self._acts, None)
            if pause is None:
                self.done = True
                return
            self.wake = max(now, self._table.free_at) + pause

    def _between(self, least: float, most: float) -> float:
        return self._random.uniform(least, most)

    def _played(self) -> Iterator[float]:
        hands = self._hands
        for number, (command, _) in enumerate(self._game.history):
            match command:
                case c.Deal():
                    hands.happens(number, at=self._now)
                    yield _FIRST_S
                case c.Announce():
                    self._companion.say(command, self.turns)
                case c.SwapDoubles():
                    hands.happens(number, at=self._now)
                    yield self._between(0.5, 1.0)
                case c.Discard(seat=seat) | c.CloseTable(seat=seat):
                    self.rested.append(hands.happens(number, at=self._now))
                    yield self._between(0.2, 0.6)
                    self.turns += 1
                    self._companion.turned(self.turns)
                    if self._random.random() >= MISSED_PRESS:
                        self._companion.press(seat)
                    yield self._between(1.0, 2.2)
                case c.Racks():
                    yield from self._counting(number, command)
                case c.WallEmpty():
                    hands.happens(number, at=self._now)
                    yield self._between(1.0, 2.0)
                case _:
                    if isinstance(command, c.Draw | c.Take):
                        if self._mishaps is not None and mishap(self._table, self._mishaps, at=self._now):
                            yield self._between(1.0, 2.0)
                        yield from self._pushed()
                    hands.happens(number, at=self._now)
                    yield self._between(0.8, 2.0)
        waited = 0.0
        while not self._companion.counted() and waited < _PATIENCE_S:
            yield 0.5
            waited += 0.5
        yield 2.0
        hands.clear(at=self._now)
        yield 3.0

    def _counting(self, number: int, command: c.Racks) -> Iterator[float]:
        before = self._game.history[number - 1][1]
        yield 1.5
        if before.phase == "play":
            self._companion.count()
        for seat, _ in command.racks:
            self._hands.show_rack(seat, at=self._now)
            yield self._between(0.5, 1.5)
        self.shown_at = self._now

    def _pushed(self) -> Iterator[float]:
        melds = sorted(self._hands.melds)
        if melds and self._random.random() < PUSHED:
            tiles = self._hands.melds[self._random.choice(melds)]
            seat = self._random.choice(self._places)
            self._table.push(*tiles, mm=3.0, degrees=1.5, at=self._now, hand=seat)
            yield self._between(0.5, 1.0)
