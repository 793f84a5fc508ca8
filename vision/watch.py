"""Watches one table: after a first look only what changed is read anew."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.readings import PictureReading, SeenTile
from engine.tiles import Mark
from vision.answers import Answers
from vision.crops import Pyramid
from vision.finding import OVERLAP
from vision.judging import Finds, joined, judge_at, taken
from vision.layout import rows
from vision.pushed import beside, pushed
from vision.quads import SHARED_MOST, box_corners, longer_sides, shared
from vision.reader import SMALLEST_SIDE, Clock, Reader
from vision.regions import Region, areas, blanked, in_any, touching_any
from vision.traces import Trace

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Bools = NDArray[np.bool_]

UNKNOWN_TILE = 45.0  # pixels of a tile's width, until one is seen: a table a metre wide in 1920 pixels
LOOSE = 0.15  # of a rough box: as much may a tile reach out of it
SETTLED = 0.95  # how surely a tile that stays was read, not to be judged again by new inks
MOSTLY = 0.6  # of the picture: where as much changed, all of it is read


@dataclass(frozen=True)
class Look:
    """A reading and what the nets said for it, from which a later look goes on."""

    reading: PictureReading
    finds: Finds
    answers: Answers
    places: tuple[int, ...]
    """Which of the finds each tile of the reading is."""
    rejudged: tuple[SeenTile, ...] = ()
    """The tiles of the reading, those that stayed too, as all inks that are known now say: what was sure
    already as it was."""


def look(
    reader: Reader,
    image: U8,
    *,
    regions: Sequence[Region] | None = None,
    tile_px: tuple[float, float] | None = None,
) -> Look:
    """The first look at a picture (h, w, 3 BGR); its reading is that of `Reader.read`."""
    times: dict[str, float] = {}
    finds, answers = reader.finds(image, times, regions=regions, tile_px=tile_px)
    return _judged(reader, image, finds, answers, times=times, kept={})


def reread(
    reader: Reader,
    previous: Look,
    image: U8,
    regions: Sequence[Region],
    *,
    zones: Sequence[Region] | None = None,
    tile_px: tuple[float, float] | None = None,
    pyramid: Pyramid | None = None,
) -> Look:
    """The next look at a table on which only the regions changed.

    Tiles that touch none of them stay as they are, the same objects; what touches one is found and read anew,
    its ink judged with all that is known of the tiles that stay. `zones` and `tile_px` as in `Reader.read`;
    a `pyramid` of the picture, if there is one, is used on.
    """
    times: dict[str, float] = {}
    stays = ~touching_any(regions, previous.finds.quads)
    kept = {
        place: tile
        for place, tile in zip(previous.places, previous.reading.tiles, strict=True)
        if stays[place]
    }
    gone = [place for place in previous.places if not stays[place]]
    sizes = longer_sides(previous.finds.quads[list(previous.places)])
    margin = 0.75 * float(np.quantile(sizes, 0.9)) if len(sizes) else OVERLAP / 2
    bounds = [region.bounds() for region in regions]
    for quad in previous.finds.quads[gone]:
        (x0, y0), (x1, y1) = quad.min(axis=0), quad.max(axis=0)
        bounds.append((float(x0), float(y0), float(x1), float(y1)))
    parts = areas(bounds, (image.shape[1], image.shape[0]), margin)
    fresh, pyramid = reader.cornered(
        image,
        times,
        parts=parts,
        tile_px=tile_px,
        wanted=lambda xyxy: touching_any(regions, _outlines(xyxy)),
        pyramid=pyramid,
    )
    take = touching_any(regions, fresh.quads)
    if zones is not None:
        take &= in_any(zones, fresh.quads.mean(axis=1))
    take &= ~_doubles(fresh.quads, previous.finds.quads[list(kept)])
    fresh = fresh.where(take)
    clock = Clock(times)
    answers = Answers.joined([previous.answers.where(stays), reader.answers(pyramid, fresh.quads)])
    finds = joined(previous.finds.where(stays), fresh)
    new = np.arange(len(finds.quads)) >= int(stays.sum())
    finds, answers = reader.in_line(pyramid, finds, answers, new)
    clock.add("faces")
    number_of = np.cumsum(stays) - 1
    kept = {int(number_of[place]): tile for place, tile in kept.items()}
    return _judged(reader, image, finds, answers, times=times, kept=kept, fresh_from=int(stays.sum()))


def _judged(
    reader: Reader,
    image: U8,
    finds: Finds,
    answers: Answers,
    *,
    times: dict[str, float],
    kept: dict[int, SeenTile],
    fresh_from: int = 0,
) -> Look:
    """The look with its finds judged together: `kept` tiles stay, those of finds from a place on are new."""
    clock = Clock(times)
    faces, real = reader.weighed(answers, finds)
    tiles, now = dict(kept), dict(kept)
    wanted = [
        place
        for place in taken(real, faces, reader.thresholds).tolist()
        if place >= fresh_from or (place in kept and not _settled(kept[place]))
    ]
    judged = judge_at(np.asarray(wanted, np.int64), finds, faces, real, reader.thresholds, reader.confidence)
    for place, tile in zip(wanted, judged, strict=True):
        now[place] = tile
        if place >= fresh_from:
            tiles[place] = tile
    places = list(tiles)
    order = [index for row in rows([tiles[place].quad for place in places]) for index in row]
    clock.add("faces")
    times["total"] = round(sum(times.values()), 2)
    found = tuple(places[index] for index in order)
    reading = PictureReading(image.shape[1], image.shape[0], tuple(tiles[place] for place in found), times)
    return Look(reading, finds, answers, found, tuple(now[place] for place in found))


def _settled(tile: SeenTile) -> bool:
    """Whether a tile that stays was read so surely that no other inks would make another of it."""
    return tile.face is not Mark.UNREAD and tile.confidence >= SETTLED


def _outlines(xyxy: F32) -> F32:
    """The corners (n, 4, 2) of rough boxes (n, 4), a little larger, as a tile may reach out of its box."""
    room = LOOSE * (xyxy[:, 2:] - xyxy[:, :2])
    return box_corners(np.concatenate([xyxy[:, :2] - room, xyxy[:, 2:] + room], axis=1))


def _doubles(quads: F32, kept: F32) -> Bools:
    """Which of the quads (n, 4, 2) are a tile that is kept already."""
    found = np.zeros(len(quads), np.bool_)
    low, high = kept.min(axis=1), kept.max(axis=1)
    for index, quad in enumerate(quads):
        near = np.flatnonzero(((low <= quad.max(axis=0)) & (high >= quad.min(axis=0))).all(axis=1))
        found[index] = any(shared(quad, kept[other]) > SHARED_MOST for other in near)
    return found


class Watch:
    """Reads the frames of one camera, each only where it changed. Not to be shared between threads.

    `zones` are all that is looked at, `masks` are painted over before anything looks, `tile_px` says how
    narrow and how wide the tiles are; as in `Reader.read`.
    """

    def __init__(
        self,
        reader: Reader,
        *,
        zones: Sequence[Region] | None = None,
        masks: Sequence[Region] = (),
        tile_px: tuple[float, float] | None = None,
    ) -> None:
        self._reader = reader
        self._zones = zones
        self._masks = masks
        self._tile_px = tile_px
        self._last: tuple[Look, Trace, float] | None = None
        self.regions: tuple[Region, ...] = ()
        """What of the last frame was read anew."""
        self.changes: tuple[Region, ...] = ()
        """The part of it in which the frame showed something else than the one before."""
        self.rejudged: tuple[SeenTile, ...] = ()
        """The tiles of the last frame, the unchanged and unsure too as all inks that were known then say."""

    def forget(self) -> None:
        """The next frame is read whole, as after the camera was moved."""
        self._last = None

    def read(self, frame: U8, *, again: Sequence[Region] = ()) -> PictureReading:
        """All tiles of a frame (h, w, 3 BGR), those unchanged since the frame before as the same objects.

        What touches the regions to be read `again` is read anew although nothing changed there.
        """
        if min(frame.shape[:2]) < SMALLEST_SIDE:
            self.forget()
            return self._reader.read(frame)
        frame = blanked(frame, self._masks)
        if self._last is None or self._last[1].size != (frame.shape[1], frame.shape[0]):
            return self._read_whole(frame)
        previous, before, tile = self._last
        times: dict[str, float] = {}
        clock = Clock(times)
        pyramid = Pyramid(frame)
        now = Trace.of(frame, tile, pyramid)
        regions = before.changes(now)
        if self._zones is not None:
            regions = [region for region in regions if _meets_any(region, self._zones)]
        visibly = tuple(regions)
        regions += beside(regions, [one.quad for one in previous.reading.tiles])
        self.changes = tuple(regions)
        regions = [*regions, *again]
        clock.add("changes")
        self.regions = tuple(regions)
        if not regions:
            times["total"] = times["changes"]
            return replace(previous.reading, milliseconds=times)
        if sum(map(_extent, regions)) > MOSTLY * frame.shape[0] * frame.shape[1]:
            return self._read_whole(frame)
        next_look = self._reread(previous, frame, regions, pyramid)
        looks = [next_look]
        more = pushed(previous.reading.tiles, next_look.reading.tiles, visibly)
        if more:
            self.changes, self.regions = (*self.changes, *more), (*self.regions, *more)
            regions = [*regions, *more]
            next_look = self._reread(next_look, frame, more, pyramid)
            looks.append(next_look)
        self._last = (next_look, before.renewed(now, regions), tile)
        self.rejudged = next_look.rejudged
        for one in looks:
            for name, spent in one.reading.milliseconds.items():
                if name != "total":
                    times[name] = round(times.get(name, 0.0) + spent, 2)
        times["total"] = round(sum(times.values()), 2)
        return replace(next_look.reading, milliseconds=times)

    def _reread(self, previous: Look, frame: U8, regions: Sequence[Region], pyramid: Pyramid) -> Look:
        return reread(
            self._reader,
            previous,
            frame,
            regions,
            zones=self._zones,
            tile_px=self._tile_px,
            pyramid=pyramid,
        )

    def _read_whole(self, frame: U8) -> PictureReading:
        first = look(self._reader, frame, regions=self._zones, tile_px=self._tile_px)
        quads = np.asarray([tile.quad for tile in first.reading.tiles], np.float32).reshape(-1, 4, 2)
        widths = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)
        if self._tile_px is not None:
            # On a table that is nearly empty the middle one may be a card, a marker, a calendar.
            narrow, wide = self._tile_px
            widths = widths[(widths >= narrow) & (widths <= wide)]
        tile = max(float(np.median(widths)), 1.0) if len(widths) else self._usual_width()
        self._last = (first, Trace.of(frame, tile), tile)
        self.rejudged = first.rejudged
        self.regions = self.changes = (Region.whole(frame),)
        return first.reading

    def _usual_width(self) -> float:
        return UNKNOWN_TILE if self._tile_px is None else math.sqrt(self._tile_px[0] * self._tile_px[1])


def _meets_any(region: Region, zones: Sequence[Region]) -> bool:
    """Whether a box shares a point with one of the zones."""
    return any(bool(zone.touches([region.outline])[0]) for zone in zones)


def _extent(region: Region) -> float:
    x0, y0, x1, y1 = region.bounds()
    return (x1 - x0) * (y1 - y0)
