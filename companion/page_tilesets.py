"""What the page needs to teach tile sets: censuses in memory, and the set that its reader reads with."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

from calibration import tilesets
from calibration.tilesets import TileSetError
from companion.tilesets import Draft, begin, keep, load_lesson, settle, weights_of
from web_ui.services import AskedTile, CensusLostError, CensusView, PictureRefusedError

if TYPE_CHECKING:
    from engine.tiles import Seen
    from vision.census import CensusError
    from vision.pictures import PictureError, Pixels
    from vision.reader import Reader

DRAFTS: Final = 4
"""Censuses kept in memory: crops and what the nets said of them, no pictures; the oldest goes first."""
SHOWN_SCALE: Final = 3
"""How much a tile in doubt is enlarged."""


class PageTileSets:
    """Teaches the page's reader; `reading` is held while the reader is at work or changed."""

    def __init__(
        self,
        reader: Reader,
        reading: threading.Lock,
        *,
        models: Path | None = None,
        folder: Path | None = None,
    ) -> None:
        self._reader = reader
        self._reading = reading
        self._models = models
        self._folder = folder
        self._used: str | None = None
        self._drafts: OrderedDict[str, Draft] = OrderedDict()
        self._lock = threading.Lock()

    def names(self) -> Sequence[str]:
        """The sets that were taught."""
        return tilesets.names(self._folder)

    def used(self) -> str | None:
        """The set that pictures are read with; None for any set."""
        return self._used

    def use(self, name: str | None) -> None:
        """Reads with a set from now on; raises PictureRefusedError."""
        try:
            lesson = None if name is None else load_lesson(name, self._models, self._folder)
        except TileSetError as error:
            raise _refused(error) from error
        with self._reading:
            self._reader.adapter = lesson
            self._used = name

    def forget(self, name: str) -> None:
        """Deletes what was learnt of a set; raises PictureRefusedError."""
        try:
            tilesets.forget(name, self._folder)
        except TileSetError as error:
            raise _refused(error) from error
        if name == self._used:
            self.use(None)

    def begin(self, name: str, pictures: Sequence[bytes]) -> CensusView:
        """Takes the census of picture files and keeps it for a while; raises PictureRefusedError."""
        from vision.census import CensusError
        from vision.pictures import PictureError

        try:
            with self._reading:
                draft = begin(self._reader, name, _opened(pictures))
        except (PictureError, CensusError, TileSetError) as error:
            raise _refused(error) from error
        token = secrets.token_urlsafe(24)
        with self._lock:
            self._drafts[token] = draft
            while len(self._drafts) > DRAFTS:
                self._drafts.popitem(last=False)
        return _view(token, draft)

    def census(self, token: str) -> CensusView:
        """A census in memory; raises CensusLostError."""
        return _view(token, self._draft(token))

    def settle(self, token: str, index: int, answer: Seen | None) -> CensusView:
        """Takes what a person says a tile is (None: no tile); raises CensusLostError, IndexError."""
        draft = settle(self._draft(token), index, answer)
        with self._lock:
            self._drafts[token] = draft
        return _view(token, draft)

    def keep(self, token: str) -> None:
        """Learns from a census, stores it, reads with it from now on; raises CensusLostError."""
        draft = self._draft(token)
        # The date of the machine's own zone: a label for people.
        today = date.today().isoformat()  # noqa: DTZ011
        with self._reading:
            keep(self._reader, draft, weights=weights_of(self._models), taught=today, folder=self._folder)
        with self._lock:
            self._drafts.pop(token, None)
        self.use(draft.name)

    def _draft(self, token: str) -> Draft:
        with self._lock:
            if token not in self._drafts:
                raise CensusLostError(token)
            return self._drafts[token]


def _opened(pictures: Sequence[bytes]) -> list[Pixels]:
    from vision.pictures import open_picture

    return [open_picture(data).pixels for data in pictures]


def _refused(error: PictureError | CensusError | TileSetError) -> PictureRefusedError:
    return PictureRefusedError(error.code, message_ro=error.hint_ro, message_en=error.hint_en)


def _view(token: str, draft: Draft) -> CensusView:
    from vision.tile_profile import faint

    census = draft.census
    asked = tuple(
        AskedTile(
            index=index,
            png=_png(draft, index),
            face=census.tiles[index].face,
            read_as=census.tiles[index].read_as,
            candidates=tuple(other.face for other in census.tiles[index].candidates),
        )
        for index in census.asked
    )
    return CensusView(
        token,
        draft.name,
        len(census.tiles),
        census.misread,
        census.missing,
        census.extra,
        asked,
        faint=bool(faint(census, draft.sighting)),
    )


def _png(draft: Draft, index: int) -> bytes:
    import cv2

    crop = draft.sighting.crops[index]
    large = cv2.resize(crop, None, fx=SHOWN_SCALE, fy=SHOWN_SCALE, interpolation=cv2.INTER_CUBIC)
    done, data = cv2.imencode(".png", large)
    if not done:
        raise RuntimeError("OpenCV could not encode the picture of a tile as PNG")
    return data.tobytes()
