"""The tiles of one frame in millimetres: where each lies, how it is turned, and how large tiles are here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from engine.readings import Candidate, SeenTile
from engine.tiles import Face, Mark
from vision.placing import RACK_TOP_MM, TILE_TOP_MM, on_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from calibration.rig import Rig
    from calibration.zones import Zone, Zones
    from engine.tiles import Seen

Floats = NDArray[np.float64]

ASPECT: Final = 1.42
"""Height over width of a tile, where there are none to tell."""

LEANING: Final = 0.87
"""A face that seems less high than this share of a flat one leans; flat ones are measured within 6 %."""

_TURNED: Final = {6: 9, 9: 6}
_OTHER_WAY: Final = 0.45  # how likely it is the other one, where its place tells nothing
_WIDE_MM: Final = (20.0, 32.0)
_TWICE: Final = 0.22  # tile widths between the middles of what is one tile, found twice
_TWICE_TURNED: Final = np.cos(np.radians(12.0))


@dataclass(frozen=True, slots=True)
class TableTiles:
    """Of n tiles what a frame shows, in millimetres of the table.

    `middle` is the middle of each face (n, 2) as one that lies flat, `up` and `right` its directions as read
    upright (n, 2), `wide` and `high` its size (n,). `rack` is the seat on whose rack it would stand, by
    place alone, else None, and `standing` (n, 2) the middle of its face there; `on` the zone that it lies in
    if it lies flat. `tile_wide` and `tile_high`
    are those of a usual tile of this set.
    """

    seen: tuple[SeenTile, ...]
    middle: Floats
    standing: Floats
    up: Floats
    right: Floats
    wide: Floats
    high: Floats
    rack: tuple[int | None, ...]
    on: tuple[Zone, ...]
    tile_wide: float
    tile_high: float
    zones: Zones

    def __len__(self) -> int:
        return len(self.seen)

    def face(self, tile: int) -> Seen:
        """What a tile shows, as read."""
        return self.seen[tile].face

    def down(self, tile: int) -> bool:
        """Whether a tile lies face down, or was not read and is likelier that than any face."""
        seen = self.seen[tile]
        if seen.face is not Mark.UNREAD or not seen.alternatives:
            return seen.face is Mark.FACE_DOWN
        return max(seen.alternatives, key=lambda other: other.confidence).face is Mark.FACE_DOWN

    def surely_down(self, tile: int) -> bool:
        """Whether a tile was read as lying face down."""
        return self.seen[tile].face is Mark.FACE_DOWN

    def leans(self, tile: int) -> bool:
        """Whether a face is foreshortened, as those on a rack are."""
        return bool(self.high[tile] / self.wide[tile] < LEANING * self.tile_high / self.tile_wide)

    def zone(self, tile: int) -> Zone:
        """The zone that a tile lies in, if it lies flat."""
        return self.on[tile]

    def angle(self, tile: int) -> float:
        """The direction of its upright top, in radians counter-clockwise from +y."""
        return float(np.arctan2(-self.up[tile, 0], self.up[tile, 1]))


def cut_short(tiles: TableTiles, flat: Sequence[int]) -> TableTiles:
    """The tiles, those that lie `flat` and seem not as high as they are in doubt between 6 and 9.

    The edge of a hard shadow was taken for the tile's own. A digit is then not where it seems to be, and its
    place is what tells which way up a 6 or 9 stands.
    """
    seen = list(tiles.seen)
    for tile in flat:
        face = seen[tile].face
        if isinstance(face, Face) and face.number in _TURNED and tiles.leans(tile):
            other = Face(face.colour, _TURNED[face.number])
            seen[tile] = _either(seen[tile], other)
    return replace(tiles, seen=tuple(seen))


def _either(seen: SeenTile, other: Face) -> SeenTile:
    """What was seen, or `other`, nearly as likely; anything else as before."""
    rest = [candidate for candidate in seen.alternatives if candidate.face != other]
    told = seen.confidence + sum(one.confidence for one in seen.alternatives if one.face == other)
    turned = Candidate(other, _OTHER_WAY * told)
    return SeenTile(seen.face, seen.quad, (1 - _OTHER_WAY) * told, (turned, *rest))


def kept_tiles(seen: Sequence[SeenTile], rig: Rig) -> list[int]:
    """The indexes of finds that can be tiles of this table, each tile once, whatever their order.

    Of two finds in one place the surer one is kept.
    """
    quads = [np.asarray(tile.quad, np.float64) for tile in seen]
    here = [index for index, yes in enumerate(on_table(quads, rig)) if yes]
    if not here:
        return []
    mm = rig.to_mm(np.stack([quads[index] for index in here]), height_mm=TILE_TOP_MM)
    middle = mm.mean(axis=1)
    across = mm[:, [1, 2]].mean(axis=1) - mm[:, [0, 3]].mean(axis=1)
    wide = np.maximum(np.linalg.norm(across, axis=1), 1e-9)
    right = across / wide[:, None]
    order = sorted(
        range(len(here)),
        key=lambda at: (-seen[here[at]].confidence, middle[at, 1].round(6), middle[at, 0].round(6)),
    )
    kept: list[int] = []
    for at in order:
        near = np.linalg.norm(middle[kept] - middle[at], axis=1) < _TWICE * wide[at]
        same = np.abs(right[kept] @ right[at]) > _TWICE_TURNED
        if not (near & same).any():
            kept.append(at)
    return sorted(here[at] for at in kept)


def measure(seen: Sequence[SeenTile], rig: Rig, zones: Zones) -> TableTiles:
    """The tiles in millimetres; their quads are corners in pixels, upright top left first, clockwise."""
    if not seen:
        none = np.zeros((0, 2))
        wide = sum(_WIDE_MM) / 2
        return TableTiles(
            (), none, none, none, none, none[:, 0], none[:, 0], (), (), wide, ASPECT * wide, zones
        )
    quads = np.asarray([tile.quad for tile in seen], np.float64)
    flat = rig.to_mm(quads, height_mm=TILE_TOP_MM)
    standing = rig.to_mm(quads.mean(axis=1), height_mm=RACK_TOP_MM)
    tall = flat[:, [0, 1]].mean(axis=1) - flat[:, [2, 3]].mean(axis=1)
    across = flat[:, [1, 2]].mean(axis=1) - flat[:, [0, 3]].mean(axis=1)
    high = np.maximum(np.linalg.norm(tall, axis=1), 1e-9)
    wide = np.maximum(np.linalg.norm(across, axis=1), 1e-9)
    rack = tuple(zone.seat if zone.kind == "rack" else None for zone in zones.each_at(standing))
    middle = flat.mean(axis=1)
    tile_wide = float(np.clip(np.median(wide), *_WIDE_MM))
    open_table = np.asarray([seat is None for seat in rack])
    aspect = float(np.median((high / wide)[open_table])) if open_table.sum() >= 3 else ASPECT
    return TableTiles(
        seen=tuple(seen),
        middle=middle,
        standing=standing,
        up=tall / high[:, None],
        right=across / wide[:, None],
        wide=wide,
        high=high,
        rack=rack,
        on=tuple(zones.each_at(middle)),
        tile_wide=tile_wide,
        tile_high=tile_wide * float(np.clip(aspect, 1.2, 1.6)),
        zones=zones,
    )
