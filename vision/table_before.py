"""What the look before says of the tiles of now: their keys, what they were, and what lies under a hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.readings import Candidate, SeenTile
from engine.table_reading import LyingMeld, Stack
from engine.tiles import Face
from vision.table_rows import place_order
from vision.table_sense import Before

if TYPE_CHECKING:
    from calibration.zones import Zone
    from engine.table_reading import Lying, TableReading
    from vision.table_tiles import TableTiles

_SAME_TILE: Final = 0.5  # tile widths: the tile that was seen at this place before
_UNMOVED: Final = 0.25  # and so near and no more turned than `_UNTURNED` it has not moved
_UNTURNED: Final = np.radians(12.0)
_UNDER: Final = 0.6  # tile widths from what lies under a hand: that is it
_CLEARLY: Final = 0.98  # what lay under a hand without doubt is as good as read


@dataclass(frozen=True, slots=True)
class Memory:
    """Of the tiles of now: their keys, where they lay before, and as which face each that has not moved.

    `lay_in` has the key of the meld, maybe of a single tile, that each lay in; `melds` are those by key.
    """

    keys: tuple[int, ...]
    before: Before
    priors: Mapping[int, Candidate]
    lay_in: Mapping[int, int]
    melds: Mapping[int, LyingMeld]

    def meld_keys(self, parts: Sequence[Sequence[int]]) -> list[int]:
        """A key for each meld: that of the meld before in which most of its tiles lay, each once; else a new
        one, that of one of its tiles.
        """
        shared = []
        for number, part in enumerate(parts):
            counts = Counter(self.lay_in[tile] for tile in part if tile in self.lay_in)
            for key, count in counts.items():
                # Most of the meld that was must be here, or most of what is here must be from it.
                if 2 * count > len(part) or 2 * count > len(self.melds[key].tiles):
                    shared.append((-count, key, number))
        found: dict[int, int] = {}
        for _, key, number in sorted(shared):
            if number not in found and key not in found.values():
                found[number] = key
        taken = {*found.values(), *self.melds}
        for number, part in enumerate(parts):
            if number in found:
                continue
            own = sorted(self.keys[tile] for tile in part)
            found[number] = next((key for key in own if key not in taken), max([*taken, *self.keys]) + 1)
            taken.add(found[number])
        return [found[number] for number in range(len(parts))]


@dataclass(frozen=True, slots=True)
class Covered:
    """Zones that a hand covers, and of the look before what lies in them, melds and the discard row whole."""

    zones: tuple[Zone, ...]
    before: TableReading | None
    melds: tuple[LyingMeld, ...] = ()
    row: tuple[Lying, ...] = ()
    wall: tuple[Lying, ...] = ()
    atu: Lying | None = None
    racks: Mapping[int, tuple[tuple[Lying, ...], ...]] | None = None

    @classmethod
    def of(cls, zones: Sequence[Zone], before: TableReading | None) -> Covered:
        """What is covered; nothing lies there where nothing was seen before."""
        if before is None or not zones:
            return cls(tuple(zones), before)

        def under(tile: Lying) -> bool:
            return any(float(zone.outside_mm(tile.place)) <= 0 for zone in zones)

        seats = {zone.seat for zone in zones if zone.kind == "rack"}
        return cls(
            tuple(zones),
            before,
            tuple(meld for meld in before.melds if any(map(under, meld.tiles))),
            before.row if any(map(under, before.row)) else (),
            tuple(stack.top for stack in before.wall if under(stack.top)),
            before.atu if before.atu is not None and under(before.atu) else None,
            {seat: tiers for seat, tiers in before.racks.items() if seat in seats},
        )

    def lying(self) -> list[Lying]:
        """The tiles that lie under what is covered."""
        tiles = [tile for meld in self.melds for tile in (*meld.tiles, *(top for _, top in meld.towers))]
        tiles += [*self.row, *self.wall, *([self.atu] if self.atu is not None else [])]
        return tiles + [tile for tiers in (self.racks or {}).values() for tier in tiers for tile in tier]

    def tiles(self) -> list[SeenTile]:
        """The same as read before; what was read without doubt is clear."""
        return [
            SeenTile(
                tile.face,
                tile.quad,
                tile.confidence if tile.doubtful else max(tile.confidence, _CLEARLY),
                tile.alternatives,
            )
            for tile in self.lying()
        ]

    def holds(self, tiles: TableTiles, tile: int, key: int | None) -> bool:
        """Whether a find of now lies in a covered zone, or is one of the tiles taken over."""
        place = tiles.middle[tile]
        if any(float(zone.outside_mm(place)) <= 0 for zone in self.zones if zone.kind != "rack"):
            return True
        if any(zone.kind == "rack" and zone.seat == tiles.rack[tile] for zone in self.zones):
            return True
        under = self.lying()
        if key is not None and any(one.key == key for one in under):
            return True
        reach = _UNDER * tiles.tile_wide
        return any(float(np.hypot(*(place - np.asarray(one.place)))) < reach for one in under)

    def filled(self, reading: TableReading) -> TableReading:
        """The reading with what lies under the covered zones."""
        if not self.zones:
            return reading
        named = tuple(zone.name for zone in self.zones)
        hidden_racks = {zone.seat for zone in self.zones if zone.kind == "rack"}
        racks = {seat: tiers for seat, tiers in reading.racks.items() if seat not in hidden_racks}
        row = reading.row if not self.row else self.row
        first = reading.reversed_first
        if self.row and self.before is not None:
            first = self.before.reversed_first
        loose = reading.melds
        if self.row and reading.row:  # what is seen of another row cannot be: it lies loose
            loose = (*loose, *_as_melds(reading.row, (meld.key for meld in (*self.melds, *loose))))
        return replace(
            reading,
            melds=tuple(sorted((*self.melds, *loose), key=lambda meld: meld.key)),
            row=row,
            reversed_first=first,
            wall=(*map(Stack, self.wall), *reading.wall),
            atu=self.atu or reading.atu,
            racks=racks | dict(self.racks or {}),
            unseen=named,
        )


def recall(
    tiles: TableTiles,
    before: TableReading | None,
    keys: Sequence[int] | None,
    covering: Covered,
) -> Memory:
    """What is known of the tiles from the look before; without `keys` they are matched by place."""
    earlier = _all_lying(before) if before is not None else []
    mine = _matched(tiles, earlier) if keys is None else dict(enumerate(keys))
    if keys is None:
        under = [tile.key for tile in covering.lying()]
        following = max([0, *(tile.key for tile in earlier), *under]) + 1
        for tile in sorted(range(len(tiles)), key=lambda one: place_order(tiles, one)):
            if tile not in mine:
                mine[tile] = following
                following += 1
    was = {tile.key: tile for tile in earlier}
    priors = {}
    for tile, key in mine.items():
        one = was.get(key)
        if one is not None and isinstance(one.face, Face) and not one.doubtful and _unmoved(tiles, tile, one):
            priors[tile] = Candidate(one.face, one.confidence)
    key_of = {key: tile for tile, key in mine.items()}
    melds = {} if before is None else {meld.key: meld for meld in before.melds}
    lay_in = {
        key_of[tile.key]: meld.key
        for meld in melds.values()
        for tile in (*meld.tiles, *(top for _, top in meld.towers))
        if tile.key in key_of
    }
    row = before.row if before is not None else ()
    atu = before.atu if before is not None else None
    wall = before.wall if before is not None else ()
    return Memory(
        keys=tuple(mine[tile] for tile in range(len(tiles))),
        before=Before(
            meld={tile: key for tile, key in lay_in.items() if len(melds[key].tiles) > 1},
            row={key_of[tile.key]: place for place, tile in enumerate(row) if tile.key in key_of},
            atu=key_of.get(atu.key) if atu is not None else None,
            wall=frozenset(key_of[stack.top.key] for stack in wall if stack.top.key in key_of),
            begun=before is not None and before.reversed_first is True,
            first=before is None,
        ),
        priors=priors,
        lay_in=lay_in,
        melds=melds,
    )


def _all_lying(reading: TableReading) -> list[Lying]:
    tiles = [tile for meld in reading.melds for tile in (*meld.tiles, *(top for _, top in meld.towers))]
    tiles += [*reading.row, *(stack.top for stack in reading.wall)]
    tiles += [reading.atu] if reading.atu is not None else []
    return tiles + [tile for tiers in reading.racks.values() for tier in tiers for tile in tier]


def _matched(tiles: TableTiles, earlier: Sequence[Lying]) -> dict[int, int]:
    """Keys of tiles by place, nearest pairs first."""
    if not earlier or not len(tiles):
        return {}
    places = np.asarray([tile.place for tile in earlier])
    away = np.linalg.norm(tiles.middle[:, None] - places[None], axis=2)
    near = np.argwhere(away < _SAME_TILE * tiles.tile_wide).tolist()
    found: dict[int, int] = {}
    for tile, other in sorted(near, key=lambda pair: (away[pair[0], pair[1]], earlier[pair[1]].key)):
        key = earlier[other].key
        if tile not in found and key not in found.values():
            found[tile] = key
    return found


def _unmoved(tiles: TableTiles, tile: int, was: Lying) -> bool:
    away = float(np.hypot(*(tiles.middle[tile] - np.asarray(was.place))))
    turned = abs((tiles.angle(tile) - was.angle + np.pi) % (2 * np.pi) - np.pi)
    return away < _UNMOVED * tiles.tile_wide and bool(turned < _UNTURNED)


def _as_melds(row: Sequence[Lying], taken: Iterable[int]) -> list[LyingMeld]:
    used = set(taken)
    found = []
    for tile in row:
        key = tile.key if tile.key not in used else max(used) + 1
        used.add(key)
        found.append(LyingMeld(key, 1, (tile,)))
    return found
