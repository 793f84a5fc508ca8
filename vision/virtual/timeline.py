"""What is planned on a virtual table: which commands are due when, and which hand is then over it."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from vision.virtual.gestures import Gesture
from vision.virtual.pieces import Command, Piece, Put, Remove, TurnOver, World, changed
from vision.virtual.solids import solid_of

if TYPE_CHECKING:
    from vision.virtual.setting import Setting

_PICK: Final = 0.3
_DROP: Final = 0.65
_TOUCH: Final = 0.45
"""Shares of a gesture's time: when a tile is taken up, laid down, or both at once."""

_ON_THE_SPOT: Final = 1.5  # tile widths: what moves by less is not taken up


class Timeline:
    """The world as it is at `now`, and as it is `planned` to be when all is done that is due."""

    def __init__(self, setting: Setting, world: World) -> None:
        self.world = self.planned = world
        self.now = 0.0
        self.free_at = 0.0
        self.gestures: list[Gesture] = []
        self._setting = setting
        self._due: list[tuple[float, int, tuple[Command, ...]]] = []
        self._counter = itertools.count()

    def chance(self) -> np.random.Generator:
        """Chance for the next thing that is planned."""
        return np.random.default_rng([self._setting.seed, 310, next(self._counter)])

    def at_once(self, commands: Sequence[Command], at: float | None) -> float:
        """Plans commands for a time, at the end of all else unless said; returns it."""
        begins = self.free_at if at is None else max(at, self.now)
        self._plan([(begins, commands)])
        self.free_at = max(self.free_at, begins)
        return begins

    def by_hand(self, commands: Sequence[Command], at: float | None, seat: int, seconds: float) -> float:
        """Plans commands that a hand of a seat carries out; returns when it is gone again.

        A tile that changes its place is off the table while the hand carries it.
        """
        if not 1 <= seat <= self._setting.seats:
            raise ValueError(f"there is no seat {seat} at a table of {self._setting.seats}")
        if seconds <= 0:
            raise ValueError(f"a hand needs more than {seconds:g} s; leave the hand out for a change at once")
        begins = self.free_at if at is None else max(at, self.now)
        before, after = self.planned.pieces, changed(self.planned, commands).pieces
        tiles = [command.tile for command in commands if isinstance(command, Put | TurnOver | Remove)]
        come = [self._spot(tile, before[tile]) for tile in tiles if tile in before]
        gone = [self._spot(tile, after[tile]) for tile in tiles if tile in after]
        first = np.mean(come or gone or [np.zeros(2)], axis=0)
        last = np.mean(gone or come or [np.zeros(2)], axis=0)
        if float(np.linalg.norm(first - last)) < self._setting.look.width_mm * _ON_THE_SPOT:
            self._plan([(begins + seconds * _TOUCH, commands)])
            spots = [(_TOUCH, last)]
        else:
            carried = [
                tile
                for tile in tiles
                if tile in before and tile in after and before[tile].at != after[tile].at
            ]
            laid = [_whole(command, after) for command in commands]
            self._plan(
                [
                    (begins + seconds * _PICK, [Remove(tile) for tile in carried]),
                    (begins + seconds * _DROP, laid),
                ]
            )
            spots = [(_PICK, first), (_DROP, last)]
        path = tuple((begins + seconds * share, float(x), float(y)) for share, (x, y) in spots)
        self.gestures.append(Gesture(next(self._counter), seat, begins, begins + seconds, path))
        self.free_at = max(self.free_at, begins + seconds)
        return begins + seconds

    def advance(self, moment: float) -> None:
        """Carries out what is due until a moment; time does not go back."""
        self.now = max(self.now, moment)
        self.free_at = max(self.free_at, self.now)
        count = sum(when <= self.now for when, _, _ in self._due)
        for _, _, commands in self._due[:count]:
            self.world = changed(self.world, commands)
        del self._due[:count]
        self.gestures = [gesture for gesture in self.gestures if gesture.ends > self.now]

    def _plan(self, steps: Sequence[tuple[float, Sequence[Command]]]) -> None:
        more = [(when, next(self._counter), tuple(commands)) for when, commands in steps]
        due = sorted([*self._due, *more], key=lambda step: step[:2])
        world = self.world
        for _, _, commands in due:
            world = changed(world, commands)
        self._due, self.planned = due, world

    def _spot(self, tile: int, piece: Piece) -> NDArray[np.float64]:
        return np.asarray(solid_of(self._setting, tile, piece).centre[:2])


def _whole(command: Command, after: Mapping[int, Piece]) -> Command:
    """A command to put a tile down that needs not know the tile as it lay before."""
    if not isinstance(command, Put):
        return command
    piece = after[command.tile]
    return Put(command.tile, piece.at, piece.zone, piece.up, piece.face)
