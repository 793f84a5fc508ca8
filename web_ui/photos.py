"""Photos being counted: values, the corrections a person makes to them, and the bounded store in memory."""

from __future__ import annotations

import secrets
import statistics
import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.readings import Candidate, SeenTile
from web_ui.geometry import centre, distance, moved

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from engine.readings import Quad
    from engine.tiles import Seen
    from web_ui.services import ReadPicture

UNDO_STEPS = 100


class PhotoLostError(LookupError):
    """The photo is no longer (or never was) in memory."""


class TileLostError(LookupError):
    """The photo has no such tile (any more)."""


@dataclass(frozen=True)
class PhotoTile:
    """One tile on a photo; `number` names it for as long as the photo lives."""

    number: int
    seen: SeenTile
    added: bool = False  # by the person, not by the reader
    checked: bool = False  # the person said what it is
    row_of: int | None = None  # moved by the person: into the row of that tile; its own number: alone


@dataclass(frozen=True)
class Photo:
    """A photo with its tiles as they stand now, and as they stood before each correction."""

    token: str
    jpeg: bytes
    width: int
    height: int
    tiles: tuple[PhotoTile, ...]
    milliseconds: Mapping[str, float]
    next_number: int
    version: int = 1
    history: tuple[tuple[PhotoTile, ...], ...] = ()

    def tile(self, number: int) -> PhotoTile:
        """Return the tile of that number; TileLostError where there is none."""
        for tile in self.tiles:
            if tile.number == number:
                return tile
        raise TileLostError(number)


def new_photo(read: ReadPicture) -> Photo:
    """Return a photo under an unguessable token, its tiles numbered from 1 as they were read."""
    reading = read.reading
    return Photo(
        token=secrets.token_urlsafe(24),
        jpeg=read.jpeg,
        width=reading.width,
        height=reading.height,
        tiles=tuple(PhotoTile(number, seen) for number, seen in enumerate(reading.tiles, start=1)),
        milliseconds=dict(reading.milliseconds),
        next_number=len(reading.tiles) + 1,
    )


def with_face(photo: Photo, number: int, face: Seen) -> Photo:
    """Return the photo with what a person says this tile shows; what was read stays a candidate."""
    tile = photo.tile(number)
    seen = tile.seen
    others = tuple(c for c in (Candidate(seen.face, seen.confidence), *seen.alternatives) if c.face != face)
    corrected = replace(seen, face=face, confidence=1.0, alternatives=others)
    return _changed(photo, tile, replace(tile, seen=corrected, checked=True))


def with_row(photo: Photo, number: int, row_of: int | None) -> Photo:
    """Return the photo with this tile counted in the row of `row_of` (itself: alone; None: as it lies)."""
    tile = photo.tile(number)
    if row_of is not None:
        photo.tile(row_of)
    return _changed(photo, tile, replace(tile, row_of=row_of))


def without_tile(photo: Photo, number: int) -> Photo:
    """Return the photo without this tile: what was found there is no tile."""
    return _changed(photo, photo.tile(number), None)


def with_new_tile(photo: Photo, face: Seen, *, at: tuple[float, float] | None, row_of: int | None) -> Photo:
    """Return the photo with a tile that the reader missed, at the point in image pixels or beside `row_of`.

    `row_of` is the number of a tile in the row it belongs to, `next_number` (its own) for alone, None for
    as it lies.
    """
    alone = row_of == photo.next_number
    if row_of is not None and not alone:
        photo.tile(row_of)
    quad = _quad_at(photo, at) if at is not None else _free_quad(photo, None if alone else row_of)
    tile = PhotoTile(
        photo.next_number,
        SeenTile(face=face, quad=quad, confidence=1.0, alternatives=()),
        added=True,
        checked=True,
        row_of=row_of,
    )
    tiles = (*photo.tiles, tile)
    return replace(_remembered(photo), tiles=tiles, next_number=photo.next_number + 1)


def undone(photo: Photo) -> Photo:
    """Return the photo as it was before the last correction; the same one where there was none."""
    if not photo.history:
        return photo
    return replace(photo, tiles=photo.history[-1], history=photo.history[:-1], version=photo.version + 1)


def tile_size(photo: Photo) -> tuple[float, float]:
    """Return the median width and height of a tile in image pixels (a guess where there is no tile)."""
    quads = [tile.seen.quad for tile in photo.tiles]
    if not quads:
        width = min(photo.width, photo.height) / 12
        return width, width * 1.4
    return (
        statistics.median(distance(quad[0], quad[1]) for quad in quads),
        statistics.median(distance(quad[1], quad[2]) for quad in quads),
    )


def _changed(photo: Photo, old: PhotoTile, new: PhotoTile | None) -> Photo:
    tiles = tuple(new if tile is old else tile for tile in photo.tiles)
    return replace(_remembered(photo), tiles=tuple(tile for tile in tiles if tile is not None))


def _remembered(photo: Photo) -> Photo:
    history = (*photo.history, photo.tiles)[-UNDO_STEPS:]
    return replace(photo, history=history, version=photo.version + 1)


def _quad_at(photo: Photo, at: tuple[float, float]) -> Quad:
    # Shaped and turned like its nearest neighbour: a row of leaning tiles must stay one row.
    if not photo.tiles:
        width, height = tile_size(photo)
        half_w, half_h = width / 2, height / 2
        x, y = at
        return (
            (x - half_w, y - half_h),
            (x + half_w, y - half_h),
            (x + half_w, y + half_h),
            (x - half_w, y + half_h),
        )
    model = min((tile.seen.quad for tile in photo.tiles), key=lambda quad: distance(centre(quad), at))
    return moved(model, at)


def _free_quad(photo: Photo, row_of: int | None) -> Quad:
    """Return a place for a tile nobody pointed at: right of the tile it joins, else the lower left corner."""
    width, height = tile_size(photo)
    if row_of is None:
        return _quad_at(photo, (width, photo.height - height))
    quad = photo.tile(row_of).seen.quad
    x, y = centre(quad)
    return _quad_at(photo, (x + quad[1][0] - quad[0][0], y + quad[1][1] - quad[0][1]))


class PhotoStore:
    """Photos in memory only: so many, so many bytes, so long; the one not used for longest goes first."""

    def __init__(
        self,
        *,
        max_photos: int = 24,
        max_bytes: int = 64 * 2**20,
        max_idle_s: float = 6 * 3600,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_photos = max_photos
        self._max_bytes = max_bytes
        self._max_idle_s = max_idle_s
        self._now = now
        self._photos: OrderedDict[str, tuple[float, Photo]] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        with self._lock:
            self._drop_old()
            return len(self._photos)

    def add(self, photo: Photo) -> None:
        """Keep the photo, dropping the ones used longest ago where there is no room."""
        with self._lock:
            self._photos[photo.token] = (self._now(), photo)
            self._drop_old()

    def get(self, token: str) -> Photo:
        """Return the photo; PhotoLostError where it is gone."""
        return self.update(token, lambda photo: photo)

    def update(self, token: str, change: Callable[[Photo], Photo]) -> Photo:
        """Replace the photo by `change(photo)` and return that; nobody else changes it meanwhile."""
        with self._lock:
            self._drop_old()
            if token not in self._photos:
                raise PhotoLostError(token)
            photo = change(self._photos[token][1])
            self._photos[token] = (self._now(), photo)
            self._photos.move_to_end(token)
            return photo

    def forget(self, token: str) -> None:
        """Drop the photo at once; nothing happens where it is gone already."""
        with self._lock:
            self._photos.pop(token, None)

    def _drop_old(self) -> None:
        deadline = self._now() - self._max_idle_s
        while self._photos:
            used, _ = next(iter(self._photos.values()))
            size = sum(len(photo.jpeg) for _, photo in self._photos.values())
            crowded = len(self._photos) > self._max_photos or (
                size > self._max_bytes and len(self._photos) > 1
            )
            if used >= deadline and not crowded:
                return
            self._photos.popitem(last=False)
