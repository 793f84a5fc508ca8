"""A simulated game as it passes before a camera: looks, presses and words, in the order of time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine import commands as c
from engine.sim.looks import Camera, Noise
from engine.sim.tabletop import Tabletop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from engine.players import Game
    from engine.state import State
    from engine.table_reading import TableReading

_STILL_SECONDS: Final = 1.0


@dataclass(frozen=True, slots=True)
class Look:
    """A settled look."""

    reading: TableReading


@dataclass(frozen=True, slots=True)
class Press:
    """A seat's button."""

    seat: int


@dataclass(frozen=True, slots=True)
class Said:
    """What was said aloud, and somebody tapped."""

    command: c.Command


@dataclass(frozen=True, slots=True)
class PutDown:
    """The players put the game down: racks are counted."""


@dataclass(frozen=True, slots=True)
class Ended:
    """A turn has ended, seen or not: for who compares."""


Step = Look | Press | Said | PutDown | Ended


class _Stage:
    """The table with its camera and a clock."""

    def __init__(self, random: Random, noise: Noise) -> None:
        self.random, self.noise = random, noise
        self.table = Tabletop(random)
        self.camera = Camera(random, noise)
        self.now = 0.0

    def looks(self, least: int, most: int, *, ended: bool = False) -> Iterator[Look]:
        """The table lies still for some looks."""
        for _ in range(self.random.randint(least, most)):
            self.now += _STILL_SECONDS
            yield Look(self.camera.look(self.table, self.now, ended=ended))

    def busy(self, least: float, most: float) -> None:
        """Hands are over the table."""
        self.now += self.random.uniform(least, most)


def script(game: Game, random: Random, noise: Noise, *, places: Sequence[int]) -> Iterator[Step]:
    """The game from the deal to the racks laid out; `places` is where each seat sits round the table."""
    stage = _Stage(random, noise)
    (deal, before), *rest = game.history
    stage.table.happens(deal, before, before, places=places)
    yield from stage.looks(3, 5)
    # Whether the last discard has not been seen yet: then the next look sees more than it.
    unseen = False
    for command, after in rest:
        states = before, after
        if isinstance(command, c.Announce):
            yield Said(command)
        elif isinstance(command, c.Racks):
            yield from _racks(stage, command, states, places)
        elif isinstance(command, c.Discard | c.CloseTable):
            unseen = after.phase == "play" and random.random() < noise.unseen_discard
            yield from _discard(stage, command, states, places, unseen=unseen)
        elif isinstance(command, c.MeldDown):
            yield from _melding(stage, command, states, places, quiet=unseen)
            unseen = False
        elif not isinstance(command, c.SwapDoubles):
            stage.busy(2, 4)
            stage.table.happens(command, *states, places=places)
            # After a draw its player looks at his rack, and no hand is over the table.
            chance = 0.9 if isinstance(command, c.Draw) else 0.5
            if not unseen and random.random() < chance:
                yield from stage.looks(1, 2)
            unseen = unseen and isinstance(command, c.Draw | c.Take | c.WallEmpty)
        before = after
    yield from stage.looks(3, 3, ended=True)


def _racks(
    stage: _Stage, command: c.Racks, states: tuple[State, State], places: Sequence[int]
) -> Iterator[Step]:
    """Racks are laid out, one after the other."""
    if states[0].phase == "play":
        yield PutDown()
    for seat, rack in command.racks:
        stage.busy(2, 4)
        stage.table.show(places[seat], rack)
        if stage.random.random() < 0.5:
            yield from stage.looks(1, 1, ended=True)
    yield from stage.looks(10, 10, ended=True)


def _discard(
    stage: _Stage,
    command: c.Discard | c.CloseTable,
    states: tuple[State, State],
    places: Sequence[int],
    *,
    unseen: bool,
) -> Iterator[Step]:
    """A turn ends with a discard and a press, seen or not."""
    stage.busy(1, 3)
    stage.table.happens(command, *states, places=places)
    yield Ended()
    pressed = stage.random.random() >= stage.noise.button_missed
    late = stage.noise.button_late > 0 and stage.random.random() < stage.noise.button_late
    if pressed and not late:
        yield Press(command.seat)
    if not unseen:
        yield from stage.looks(2, 4)
    if pressed and late:
        yield Press(command.seat)


def _melding(
    stage: _Stage, command: c.MeldDown, states: tuple[State, State], places: Sequence[int], *, quiet: bool
) -> Iterator[Step]:
    """Melds come down, perhaps with a look at half of it, or after other tiles that are taken back."""
    random, table = stage.random, stage.table
    seat = places[command.seat]
    stage.busy(2, 4)
    if not quiet and random.random() < 0.1:
        meld = random.choice(command.melds)
        table.loose = [table.lay([tile.face for tile in meld[: random.randint(1, len(meld))]], seat)]
        yield from stage.looks(1, 2)
        table.loose = []
        stage.busy(1, 2)
    table.happens(command, *states, places=places)
    new = [name for name in table.melds if name not in {meld.id for meld in states[0].melds}]
    if not quiet and len(new) > 1 and random.random() < 0.3:
        whole = table.melds
        table.melds = {name: spread for name, spread in whole.items() if name != new[-1]}
        yield from stage.looks(1, 2)
        table.melds = whole
        stage.busy(1, 2)
    if random.random() < 0.6:
        yield from stage.looks(1, 3)
