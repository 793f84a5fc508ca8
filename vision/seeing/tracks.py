"""Tiles followed from look to look: stable keys, hits and misses, faces voted; a pure fold over looks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from engine.readings import SeenTile
from engine.tiles import Mark
from vision.seeing.evidence import Evidence, doubted, verdict, with_look

if TYPE_CHECKING:
    from engine.readings import Quad

Floats = NDArray[np.float64]

SAME_MM: Final = 9.0
"""A tile that seems to have moved by less is the same: a third of its width, three times what corners
shake.
"""

SIZES_MM: Final = 8.0
"""Width and height of one tile may seem to differ by so much."""

MISSES: Final = 3
"""So often in a row a tile is missed, where nothing moved, until it is gone."""

CLEAR: Final = 0.95
"""One look as sure as this shows a new tile; else a second has to agree that there is one."""

SURE: Final = 0.9
"""What is less sure is looked at again."""

LOOKS_ENOUGH: Final = 4
"""After so many looks another says nothing new."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A tile in one look: as read, its middle and its width and height in mm.

    `fresh` says that it was read in this look, not carried over from the one before. `rejudged` is what a
    tile that was carried over would be read as by now, as more inks are known beside it.
    """

    tile: SeenTile
    place: tuple[float, float]
    size: tuple[float, float]
    fresh: bool = True
    rejudged: SeenTile | None = None


@dataclass(frozen=True, slots=True)
class Track:
    """A tile that is followed: where it lies, what was seen of it, how often it was read, and missed of late.

    `shown` is set once it is sure that there is a tile; `contested` while the last look says another face.
    """

    key: int
    place: tuple[float, float]
    size: tuple[float, float]
    quad: Quad
    evidence: Evidence
    looks: int = 1
    misses: int = 0
    shown: bool = False
    contested: bool = False
    taken: SeenTile | None = None
    """The last reading of it that was counted."""

    @property
    def tile(self) -> SeenTile:
        """The tile as all looks together say."""
        face, confidence, others = verdict(self.evidence)
        return SeenTile(face, self.quad, round(confidence, 4), others)

    @property
    def doubtful(self) -> bool:
        """Whether another look may help."""
        if self.misses or not self.shown:
            return True
        if self.looks >= LOOKS_ENOUGH:
            return False
        face, confidence, _ = verdict(self.evidence)
        return self.contested or face is Mark.UNREAD or confidence < SURE


@dataclass(frozen=True, slots=True)
class Tracks:
    """All tiles that are followed, by key, and the next key."""

    tracks: tuple[Track, ...] = ()
    next_key: int = 1

    @property
    def shown(self) -> tuple[Track, ...]:
        """Those of which it is sure that they are there."""
        return tuple(track for track in self.tracks if track.shown)


Where = Callable[["tuple[float, float]", "Quad"], bool]
"""Whether something is so at a place in mm, where a quad in pixels lies."""


def nowhere(_place: tuple[float, float], _quad: Quad) -> bool:
    """At no place."""
    return False


def followed(
    tracks: Tracks, sights: Sequence[Sight], *, changed: Where = nowhere, hidden: Where = nowhere
) -> Tracks:
    """The tracks after a look that shows `sights`, in any order.

    `changed` says where something moved since the look before: what was known there counts less. `hidden` is
    where this look could not see: tiles stay there as they were, and none appears.
    """
    open_ones = [track for track in tracks.tracks if not hidden(track.place, track.quad)]
    usable = sorted(
        (sight for sight in sights if not hidden(sight.place, sight.tile.quad)),
        key=lambda sight: (sight.place, sight.tile.quad),
    )
    pairs = dict(_pairs(open_ones, usable))
    after = [track for track in tracks.tracks if hidden(track.place, track.quad)]
    for at, track in enumerate(open_ones):
        moved = changed(track.place, track.quad)
        if at in pairs and moved and _is_another(track, usable[pairs[at]]):
            del pairs[at]
        elif at in pairs:
            after.append(_hit(track, usable[pairs[at]], moved=moved))
        elif not moved and track.misses + 1 < MISSES:
            after.append(replace(track, misses=track.misses + 1))
    taken, key = set(pairs.values()), tracks.next_key
    for at, sight in enumerate(usable):
        if at not in taken:
            after.append(_new(key, sight))
            key += 1
    return Tracks(tuple(sorted(after, key=lambda track: track.key)), key)


def _is_another(track: Track, sight: Sight) -> bool:
    """Whether another tile lies where this one lay: in a row that was pushed on by a tile's width, all do."""
    face, confidence, _ = verdict(track.evidence)
    was = face is not Mark.UNREAD and confidence >= SURE
    return (
        was and sight.fresh and sight.tile.face not in {face, Mark.UNREAD} and sight.tile.confidence >= CLEAR
    )


def _new(key: int, sight: Sight) -> Track:
    return Track(
        key,
        sight.place,
        sight.size,
        sight.tile.quad,
        with_look(Evidence(), sight.tile),
        shown=sight.tile.face is not Mark.UNREAD and sight.tile.confidence >= CLEAR,
        taken=sight.tile,
    )


def _hit(track: Track, sight: Sight, *, moved: bool) -> Track:
    # What was read while the tile was hidden is news too: it was read at the edge of what could be seen.
    missed = not sight.fresh and track.taken != sight.tile
    if not sight.fresh and not missed:
        return _carried(replace(track, misses=0) if track.misses else track, sight.rejudged)
    before = track.evidence
    says = sight.tile.face
    return replace(
        track,
        place=sight.place,
        size=sight.size,
        quad=sight.tile.quad,
        evidence=with_look(doubted(before) if moved or missed else before, sight.tile),
        looks=1 if moved or missed else track.looks + 1,
        misses=0,
        shown=True,
        contested=says is not Mark.UNREAD and says != before.best and before.best is not Mark.UNREAD,
        taken=sight.tile,
    )


def _carried(track: Track, rejudged: SeenTile | None) -> Track:
    """A tile that was not read anew: what was unsure of it is judged by the inks that are known by now.

    What was sure stays, as nothing was seen to change.
    """
    face, confidence, _ = verdict(track.evidence)
    if rejudged is None or (face is not Mark.UNREAD and confidence >= SURE):
        return track
    return replace(track, evidence=with_look(doubted(track.evidence), rejudged))


def _pairs(tracks: Sequence[Track], sights: Sequence[Sight]) -> list[tuple[int, int]]:
    """Which track each sight is of, by place and size: as near as possible all together."""
    if not tracks or not sights:
        return []
    from scipy.optimize import linear_sum_assignment

    first: Floats = np.asarray([track.place for track in tracks])
    second: Floats = np.asarray([sight.place for sight in sights])
    apart = np.linalg.norm(first[:, None] - second[None], axis=2)
    sizes = np.abs(
        np.asarray([track.size for track in tracks])[:, None]
        - np.asarray([sight.size for sight in sights])[None]
    ).max(axis=2)
    near = (apart <= SAME_MM) & (sizes <= SIZES_MM)
    far = 1000.0
    # A tile that went beyond its place is a new one: no chain of tiles in a row is shifted by one place.
    cost = np.where(near, apart, far)
    rows, columns = linear_sum_assignment(cost)
    return [(int(row), int(column)) for row, column in zip(rows, columns, strict=True) if near[row, column]]
