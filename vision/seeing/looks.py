"""Between gate, watch and tracks: what of a frame may be looked at, tiles in mm, tiles to look at again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crops import BEYOND
from vision.placing import TILE_TOP_MM, on_table
from vision.regions import Region, touching_any
from vision.seeing.tracks import Sight, Track

if TYPE_CHECKING:
    from calibration.rig import Rig
    from engine.readings import Quad, SeenTile
    from engine.table_reading import Lying, TableReading
    from vision.pictures import Pixels
    from vision.seeing.gate import Gate

Bools = NDArray[np.bool_]

SMALL_PART: Final = 0.25
"""Of the picture: a change that is larger is that of the light or of the camera."""

SHIFT_PX: Final = 20.0
"""As far is a second look's window from that of the first: no multiple of the finder's strides."""

MOST_AGAIN: Final = 16
"""As many doubtful tiles are looked at again in one look."""


@dataclass(frozen=True)
class View:
    """What of the reduced picture (h, w) may be read: `clear`; each of its pixels is `shrink` wide."""

    clear: Bools
    shrink: int

    @property
    def whole(self) -> bool:
        """Whether that is all."""
        return bool(self.clear.all())

    def hides(self, _place: tuple[float, float], quad: Quad) -> bool:
        """Whether some of a tile is where nothing may be read."""
        height, width = self.clear.shape
        corners = np.asarray(quad) / self.shrink
        left, top = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, (width - 1, height - 1))
        right, bottom = np.clip(np.ceil(corners.max(axis=0)).astype(int), 1, (width, height))
        return not bool(self.clear[top : max(bottom, top + 1), left : max(right, left + 1)].all())


def in_view(gate: Gate) -> View:
    """What is settled and free of hands now: zones that are, less what belongs to others too."""
    ground = gate.ground
    shrink = 1 if gate.seen is None else gate.seen.shrink
    if all(gate.settled):
        return View(np.ones(ground.table.shape, np.bool_), shrink)
    clear = np.zeros(ground.table.shape, np.bool_)
    for mask, settled in zip(ground.masks, gate.settled, strict=True):
        clear |= mask if settled else False
    for mask, settled in zip(ground.masks, gate.settled, strict=True):
        clear &= True if settled else ~mask
    if gate.covers is not None:
        clear &= ~gate.covers
    return View(clear, shrink)


def composed(pixels: Pixels, before: Pixels | None, view: View) -> Pixels:
    """The frame (h, w, 3) where it may be read, elsewhere what was read `before`: grey at the beginning."""
    if view.whole:
        return pixels
    height, width = pixels.shape[:2]
    small = view.clear.astype(np.uint8)
    wide = cv2.resize(
        small, (small.shape[1] * view.shrink, small.shape[0] * view.shrink), interpolation=cv2.INTER_NEAREST
    )
    spare = (height - wide.shape[0], width - wide.shape[1])
    mask = cv2.copyMakeBorder(wide, 0, max(0, spare[0]), 0, max(0, spare[1]), cv2.BORDER_REPLICATE)
    picture = np.full_like(pixels, BEYOND[0]) if before is None else before.copy()
    cv2.copyTo(pixels, mask[:height, :width], picture)
    return picture


def sights(
    tiles: Sequence[SeenTile], rig: Rig, *, known: Iterable[SeenTile], rejudged: Sequence[SeenTile] = ()
) -> list[Sight]:
    """The tiles of the table, with place and size in mm; those `known` from the look before are not fresh.

    `rejudged` are the same tiles in the same order as they would be read by now.
    """
    if not tiles:
        return []
    quads = [np.asarray(tile.quad, np.float64) for tile in tiles]
    carried = {id(tile) for tile in known}
    now: Sequence[SeenTile | None] = rejudged or [None] * len(tiles)
    mm = rig.to_mm(np.stack(quads), height_mm=TILE_TOP_MM)
    sides = np.linalg.norm(mm - np.roll(mm, -1, axis=1), axis=2)
    return [
        Sight(
            tile,
            (float(middle[0]), float(middle[1])),
            (float(side[0] + side[2]) / 2, float(side[1] + side[3]) / 2),
            fresh=id(tile) not in carried,
            rejudged=by_now,
        )
        for tile, by_now, middle, side, is_one in zip(
            tiles, now, mm.mean(axis=1), sides, on_table(quads, rig), strict=True
        )
        if is_one
    ]


def taken_by(regions: Sequence[Region]) -> Callable[[tuple[float, float], Quad], bool]:
    """Whether one of the regions touches a tile."""

    def touched(_place: tuple[float, float], quad: Quad) -> bool:
        return bool(touching_any(regions, [quad])[0])

    return touched


def doubts(tracks: Sequence[Track], view: View, *, new: bool = False) -> list[Region]:
    """The places of tiles that another look may make clearer, those looked at least first.

    With `new` only of those of which it is not yet sure that they are there.
    """
    unclear = (track for track in tracks if track.doubtful and not (new and track.shown))
    found = sorted(
        (track for track in unclear if not view.hides(track.place, track.quad)),
        key=lambda track: (track.looks, track.key),
    )
    return [Region(track.quad) for track in found[:MOST_AGAIN]]


def parts_of(changes: Sequence[Region], size: tuple[int, int]) -> list[Region]:
    """The changes that are small parts of a picture (w, h): all of it need not be read once more."""
    most = SMALL_PART * size[0] * size[1]
    bounds = [(region, region.bounds()) for region in changes]
    return [region for region, (x0, y0, x1, y1) in bounds if (x1 - x0) * (y1 - y0) <= most]


def shifted(regions: Sequence[Region]) -> list[Region]:
    """Larger regions about these, so that the finder's window about a tile begins at another place.

    A tile half in the shade that it overlooks in one window it finds in the next.
    """
    bounds = [region.bounds() for region in regions]
    return [
        Region.box(x0 - SHIFT_PX, y0 - SHIFT_PX, x1 - x0 + 2 * SHIFT_PX, y1 - y0 + 2 * SHIFT_PX)
        for x0, y0, x1, y1 in bounds
    ]


def alike(first: TableReading, second: TableReading) -> bool:
    """Whether two readings say the same of the table: faces, keys, order and what is in doubt."""
    return _plain(first) == _plain(second)


def _plain(reading: TableReading) -> TableReading:
    def bare(tile: Lying) -> Lying:
        return replace(tile, confidence=0.0, alternatives=(), quad=(), place=(0.0, 0.0), angle=0.0)

    return replace(
        reading,
        number=0,
        at=0.0,
        melds=tuple(
            replace(
                meld,
                tiles=tuple(map(bare, meld.tiles)),
                towers=tuple((at, bare(tile)) for at, tile in meld.towers),
            )
            for meld in reading.melds
        ),
        row=tuple(map(bare, reading.row)),
        wall=tuple(replace(stack, top=bare(stack.top)) for stack in reading.wall),
        atu=None if reading.atu is None else bare(reading.atu),
        racks={
            seat: tuple(tuple(map(bare, tier)) for tier in tiers) for seat, tiers in reading.racks.items()
        },
        repairs=tuple(replace(repair, odds=0.0) for repair in reading.repairs),
    )
