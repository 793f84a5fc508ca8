"""What a tile may show, as log chances over all faces, and how looks at it add up."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log
from typing import TYPE_CHECKING, Final

from engine.tiles import Face, Mark

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.infer.settings import Chances
    from engine.table_reading import Lying

KINDS: Final = 53
"""Faces of a set: four colours of 13, and the joker."""

LOG_KINDS: Final = log(KINDS)
_NAMED_FROM: Final = -9.0
UNLIKE: Final = log(0.02)
"""A face that is less likely than this is not what lies there."""


@dataclass(frozen=True, slots=True)
class Belief:
    """Log chances that add up to 1: of the faces named, and of each other face `rest`."""

    logs: Mapping[Face, float]
    rest: float
    best: Face | None
    """The likeliest face; None where nothing was read."""

    def log(self, face: Face) -> float:
        """The log chance of a face."""
        return self.logs.get(face, self.rest)

    def gain(self, face: Face) -> float:
        """How much likelier this look is of that face than of no tile in particular, as a log."""
        return self.logs.get(face, self.rest) + LOG_KINDS

    def likely(self, least: float) -> list[Face]:
        """The faces with a log chance of at least `least`, likeliest first."""
        named = [face for face, value in self.logs.items() if value >= least]
        return sorted(named, key=lambda face: -self.logs[face])


FLAT: Final = Belief({}, -LOG_KINDS, None)


def belief_of(tile: Lying, chances: Chances) -> Belief:
    """What one look says of a tile; a tile face down or unread says nothing but its alternatives."""
    named: dict[Face, float] = {}
    if tile.face is Mark.FACE_DOWN:
        return FLAT
    for other in tile.alternatives:
        if isinstance(other.face, Face):
            named[other.face] = max(named.get(other.face, 0.0), other.confidence)
    if isinstance(tile.face, Face):
        named[tile.face] = max(named.get(tile.face, 0.0), tile.confidence)
    total = sum(named.values())
    if total <= 0:
        return FLAT
    if total > chances.surest:
        named = {face: value * chances.surest / total for face, value in named.items()}
        total = chances.surest
    rest = max((1.0 - total) / (KINDS - len(named)), chances.unlisted)
    logs = {face: log(max(value, rest)) for face, value in named.items()}
    best = max(logs, key=lambda face: logs[face])
    return Belief(logs, log(rest), best if logs[best] > log(rest) else None)


def added(old: Belief, new: Belief, weight: float) -> Belief:
    """What looks say together; `weight` is what the older ones keep."""
    if not new.logs:
        return old
    if not old.logs:
        return new
    faces = {**old.logs, **new.logs}
    sums = {face: weight * old.log(face) + new.log(face) for face in faces}
    rest = weight * old.rest + new.rest
    top = max(sums.values())
    total = sum(exp(value - top) for value in sums.values()) + (KINDS - len(sums)) * exp(rest - top)
    norm = top + log(total)
    rest = max(rest - norm, 2 * _NAMED_FROM)
    # A face that nothing speaks for any more is one of the rest.
    logs = {face: value - norm for face, value in sums.items() if value - norm > max(rest, _NAMED_FROM)}
    if not logs:
        return FLAT
    return Belief(logs, rest, max(logs, key=lambda face: logs[face]))


def sure(face: Face) -> Belief:
    """The belief in one face that somebody vouches for."""
    return Belief({face: 0.0}, 2 * _NAMED_FROM, face)


def contradicts(old: Belief, new: Belief) -> bool:
    """Whether these can hardly be looks at one tile."""
    if old.best is None or new.best is None or old.best == new.best:
        return False
    return new.log(old.best) < UNLIKE and old.log(new.best) < UNLIKE
