"""Looks at a scripted table: what lies there, and what a camera makes of it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import dist
from typing import TYPE_CHECKING, Final

from engine.readings import Candidate
from engine.sim.tabletop import TILE_MM
from engine.table_reading import Lying, LyingMeld, Stack, TableReading
from engine.tiles import HIGHEST, JOKER, TILE_COLOURS, Face, Mark

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from random import Random

    from engine.sim.tabletop import Lies, Place, Spread, Tabletop

_ALIKE: Final = {
    1: (7, 11), 2: (7, 3), 3: (8, 2), 4: (1, 11), 5: (6, 3), 6: (9, 5, 8), 7: (1, 2), 8: (3, 6, 13),
    9: (6, 8), 10: (11, 12), 11: (1, 10), 12: (13, 10, 2), 13: (12, 8, 3),
}  # fmt: skip
_TINTS: Final = {"r": ("y",), "y": ("r",), "b": ("k",), "k": ("b",)}
_STEADY_MM: Final = 12.0
_KEPT_LOOKS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """What goes wrong, as chances of one tile in one look, unless it says otherwise."""

    misread: float = 0.0
    missing: float = 0.0
    extra: float = 0.0
    doubtful: float = 0.0
    """Read right, and with little confidence."""
    covered: float = 0.0
    """Of one look: a hand is over the discard row."""
    moved: float = 0.0
    """Of one look: a meld was pushed to another place before it."""
    button_missed: float = 0.0
    """Of one press."""
    button_late: float = 0.0
    """Of one press: looks have seen the discard before it."""
    unseen_discard: float = 0.0
    """Of one turn: no look between its discard and the next turn's first deed."""
    row_late: float = 0.0
    """Of one game: the row is not seen before two to five tiles lie in it."""
    nobodys: float = 0.0
    """Of one meld: it cannot be said in front of whom it lies."""


CLEAN: Final = Noise()
ISSUED: Final = Noise(
    misread=0.02, missing=0.02, extra=0.01, doubtful=0.03, covered=0.03, moved=0.02, button_missed=0.05,
    unseen_discard=0.05,
)  # fmt: skip
"""What the scripted table of the acceptance test does."""

LATE: Final = replace(ISSUED, button_late=0.3)
"""The same with presses that come after the turn was seen, as people press."""

NOBODYS: Final = replace(ISSUED, row_late=1.0, nobodys=0.5)
"""A table whose row is found late, and of half its melds nobody can say in front of whom they lie."""


@dataclass(slots=True)
class Camera:
    """Gives looks; a tile keeps its key while it is seen in one place, for a look or two without it too."""

    random: Random
    noise: Noise
    number: int = 0
    next_key: int = 1
    tracks: list[tuple[int, str, Place, int]] = field(default_factory=list)
    last: TableReading | None = None
    row_from: int | None = None
    """So many tiles lie in the row before it is seen."""
    places: dict[str, int] = field(default_factory=dict)
    """In front of which place each meld is seen, 0 for none."""

    def look(self, table: Tabletop, at: float, *, ended: bool = False) -> TableReading:
        """A settled look; `ended` shows the racks that were laid out."""
        self.number += 1
        if self.noise.moved and table.melds and self.random.random() < self.noise.moved:
            table.move(self.random.choice(sorted(table.melds)))
        now: list[tuple[int, str, Place, int]] = []
        row: tuple[Lying, ...] = ()
        if self._sees_row(table):
            row = self._tiles("row", table.row, now, stray=table.row_place(len(table.row)))
        melds: list[LyingMeld] = []
        placed = [(self._place(name, spread), spread) for name, spread in table.melds.items()]
        placed += ((spread.seat, spread) for spread in (*table.loose, *(table.racks if ended else [])))
        for place, spread in placed:
            x, y = spread.tiles[-1].place
            seen = self._tiles("table", spread.tiles, now, stray=(x + TILE_MM, y))
            melds += (LyingMeld(run[0].key, place, run) for run in _touching(seen))
        atu = self._tiles("atu", [table.atu], now) if table.atu else ()
        forgotten = [track for track in self.tracks if track[0] not in {one[0] for one in now}]
        self.tracks = now + [track for track in forgotten if track[3] >= self.number - _KEPT_LOOKS]
        stacks = tuple(Stack(self._down(at)) for at in range(-(-table.wall // 7)))
        reading = TableReading(
            self.number, at, tuple(melds), row, False if row else None, stacks, atu[0] if atu else None
        )
        if self.last is not None and self.random.random() < self.noise.covered:
            reading = replace(reading, row=self.last.row, unseen=("discard",))
        self.last = reading
        return reading

    def _sees_row(self, table: Tabletop) -> bool:
        if not self.noise.row_late:
            return True
        if self.row_from is None:
            self.row_from = self.random.randint(2, 5) if self.random.random() < self.noise.row_late else 0
        if len(table.row) >= self.row_from:
            self.row_from = 0  # once it is known where it lies, it stays known
        return self.row_from == 0

    def _place(self, name: str, spread: Spread) -> int:
        if not self.noise.nobodys:
            return spread.seat
        if name not in self.places:
            self.places[name] = 0 if self.random.random() < self.noise.nobodys else spread.seat
        return self.places[name]

    def _down(self, at: int) -> Lying:
        return Lying(-1 - at, Mark.FACE_DOWN, 0.99, (-900.0, 45.0 * at), 0.0)

    def _tiles(
        self,
        zone: str,
        tiles: Iterable[Lies],
        now: list[tuple[int, str, Place, int]],
        *,
        stray: Place | None = None,
    ) -> tuple[Lying, ...]:
        seen = []
        noise, random = self.noise, self.random
        for tile in tiles:
            if random.random() >= noise.missing:
                seen.append(self._lying(zone, tile.place, self._read(tile.face), now))
            if stray is not None and random.random() < noise.extra:
                x, y = stray if random.random() < 0.5 else tile.place
                place = (
                    (x, y) if (x, y) == stray else (x + random.uniform(15, 200), y + random.uniform(-60, 60))
                )
                seen.append(self._lying(zone, place, self._read(self._any_face(), sure=False), now))
        return tuple(seen)

    def _lying(
        self,
        zone: str,
        place: Place,
        read: tuple[Face, float, tuple[Candidate, ...]],
        now: list[tuple[int, str, Place, int]],
    ) -> Lying:
        x, y = place[0] + self.random.uniform(-1, 1), place[1] + self.random.uniform(-1, 1)
        used = {one[0] for one in now}
        key = next(
            (
                known
                for known, kind, old, _ in self.tracks
                if known not in used and kind == zone and dist(old, (x, y)) < _STEADY_MM
            ),
            None,
        )
        if key is None:
            key = self.next_key
            self.next_key += 1
        now.append((key, zone, (x, y), self.number))
        face, confidence, alternatives = read
        return Lying(key, face, confidence, (x, y), 0.0, (), alternatives, confidence < 0.8)

    def _any_face(self) -> Face:
        return Face(self.random.choice(TILE_COLOURS), self.random.randint(1, HIGHEST))

    def _read(self, face: Face, *, sure: bool = True) -> tuple[Face, float, tuple[Candidate, ...]]:
        """What is read of a tile: face, confidence, alternatives."""
        random, noise = self.random, self.noise
        others = self._others(face)
        chance = random.random()
        if not sure or chance < noise.misread:
            wrong = face if not sure else random.choice(others)
            loud = random.random() < 0.3
            confidence = random.uniform(0.9, 0.99) if loud else random.uniform(0.35, 0.9)
            left = (1 - confidence) * random.uniform(0.5, 0.95)
            listed = random.random() < 0.9
            truth = face if sure else random.choice(others)
            return wrong, confidence, (Candidate(truth, left),) if listed else ()
        if chance < noise.misread + noise.doubtful:
            confidence = random.uniform(0.5, 0.9)
            return face, confidence, (Candidate(random.choice(others), (1 - confidence) * 0.8),)
        confidence = 1 - 10 ** random.uniform(-4, -1.3)
        return face, confidence, (Candidate(random.choice(others), (1 - confidence) * 0.6),)

    def _others(self, face: Face) -> Sequence[Face]:
        """What a tile is taken for."""
        if face.is_joker:
            return [self._any_face()]
        numbers = [Face(face.colour, number) for number in _ALIKE[face.number]]
        tints = [Face(colour, face.number) for colour in _TINTS[face.colour]]
        return [*numbers, *tints, *([JOKER] if self.random.random() < 0.1 else [])]


def _touching(tiles: Sequence[Lying]) -> list[tuple[Lying, ...]]:
    """Tiles in groups that touch: a tile not seen leaves a gap."""
    groups: list[list[Lying]] = []
    for tile in tiles:
        home = next(
            (group for group in groups if any(dist(one.place, tile.place) < 1.4 * TILE_MM for one in group)),
            None,
        )
        if home is None:
            groups.append([tile])
        else:
            home.append(tile)
    return [tuple(sorted(group, key=lambda tile: tile.place[0])) for group in groups]
