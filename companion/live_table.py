"""The live table of the page: a source, eyes on it, and what everyone may see of both."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from calibration.zones import all_racks, hides
from companion.jpegs import jpeg_of
from companion.table_documents import table_document
from engine.public_reading import public_reading
from vision.closing import Closing
from web_ui.services import BothLanguages, TableNow, TableZone

if TYPE_CHECKING:
    from calibration.rig import Rig
    from calibration.zones import Zone, Zones
    from engine.rules import RuleSet
    from engine.table_reading import Lying, TableReading
    from vision.pictures import Pixels
    from vision.seeing.loop import Seeing
    from vision.seeing.states import EyesStatus
    from vision.sources.frames import Frame, FrameSource

IN_SIGHT: Final = 2
"""So many markers must be where the rig says before a picture is shown: else the racks may be elsewhere than
what covers them.
"""

WATCHED_S: Final = 20.0
"""So long after the page was last asked for somebody is taken to be looking."""

QUALITY: Final = 80

CORNERS: Final = 4

STOPPED: Final = BothLanguages(
    ro="Urmărirea s-a oprit din cauza unei erori de program; fereastra din care a fost pornit spune mai "
    "mult. Porniți din nou și raportați problema.",
    en="The eyes stopped because of an error in the program; the window it was started from says more. Start "
    "again, and please report it.",
)


class Attention:
    """When somebody last asked for the table."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = clock()

    def pay(self) -> None:
        """Somebody asks."""
        self._until = self._clock() + WATCHED_S

    @property
    def paid(self) -> bool:
        """Whether somebody is looking."""
        return self._clock() < self._until


class LiveTable(Closing):
    """Eyes on a running source, and what a page shows of them; asked from any thread, until it is closed.

    The racks are covered in every picture and left out of every reading, whatever the eyes may read. Where a
    rack was in this game stays covered until the next one, whatever its place is used for since: the rack may
    stand there still. Pictures are made when they are asked for, and of each frame once. The source is closed
    too.

    `on_reading` gets every reading, racks and all, `on_rig` a healed rig, `on_status` what the eyes say of
    themselves, all in the thread `eyes`.
    """

    def __init__(
        self,
        source: FrameSource,
        seeing: Seeing,
        *,
        attention: Attention | None = None,
        on_reading: Callable[[TableReading], None] | None = None,
        on_rig: Callable[[Rig], None] | None = None,
        on_status: Callable[[EyesStatus], None] | None = None,
    ) -> None:
        from vision.seeing.eyes import Eyes

        self._on_reading, self._on_rig = on_reading, on_rig
        self._source = source
        self._attention = attention or Attention()
        self._seeing, self._zones = seeing, seeing.zones
        self._former: tuple[Zone, ...] = ()
        self._keep: Callable[[tuple[Zone, ...]], None] = _kept_nowhere
        self._rig = seeing.rig
        self._reading: TableReading | None = None
        self._lock = threading.Lock()
        self._number = 0
        self._jpeg: bytes | None = None
        self._ended = False
        self._eyes = Eyes(source, seeing, on_reading=self._take, on_rig=self._heal, on_status=on_status)

    def now(self) -> TableNow:
        """The table at this moment."""
        from vision.overlay import outline_px

        self._attention.pay()
        status = self._eyes.status()
        state, reason = str(status.state), _reason(status)
        if state != "ended" and self._eyes.join(0):
            state, reason = "stopped", STOPPED
        frame, rig, reading = self._source.latest(), self._rig, self._reading
        return TableNow(
            state=state,
            reason=reason,
            covered=status.unseen if state == "hand" else (),
            size=None if frame is None else frame.size,
            picture=0 if frame is None else frame.number,
            zones=tuple(
                TableZone(
                    zone.kind,
                    zone.seat,
                    tuple((float(x), float(y)) for x, y in outline_px(rig, zone.outline)),
                )
                for zone in self._zones.zones
            ),
            reading=reading,
            read_ms=status.settled_ms,
            drawn=self._source.status().address.startswith("virtual:"),
        )

    def picture(self) -> bytes | None:
        """The newest picture that everyone may see, as JPEG; None before the first."""
        self._attention.pay()
        with self._lock:
            frame = self._source.latest()
            if frame is not None and frame.number != self._number:
                self._number = frame.number
                shown = self._shown(frame)
                if shown is not None:
                    self._jpeg = jpeg_of(shown, quality=QUALITY)
            return self._jpeg

    def arbiters_picture(self) -> bytes | None:
        """The newest picture for the arbiter, as JPEG; racks that must not be read now are covered.

        None before the first, and where the camera may be elsewhere than the rig says.
        """
        self._attention.pay()
        frame = self._source.latest()
        shown = None if frame is None else self._shown(frame, arbiters=True)
        return None if shown is None else jpeg_of(shown, quality=QUALITY)

    def crop(self, key: int) -> bytes | None:
        """The tile of that key in the newest public reading, as JPEG, cut upright from the newest picture."""
        from companion.tile_crops import upright_crop

        self._attention.pay()
        frame, reading = self._source.latest(), self._reading
        if frame is None or reading is None:
            return None
        quad = next((tile.quad for tile in _lying(reading) if tile.key == key), ())
        if len(quad) != CORNERS:
            return None
        shown = self._shown(frame)
        return None if shown is None else jpeg_of(upright_crop(shown, quad), quality=QUALITY)

    @property
    def rig(self) -> Rig:
        """The rig as it is now, healed or not."""
        return self._rig

    def covered(self) -> tuple[Frame, Pixels, Rig] | None:
        """The newest frame, its pixels with the racks covered, the rig; None where it may not be shown."""
        self._attention.pay()
        rig, frame = self._rig, self._source.latest()
        shown = None if frame is None else self._shown(frame)
        return None if frame is None or shown is None else (frame, shown, rig)

    def use(self, *, zones: Zones | None = None, rules: RuleSet | None = None) -> None:
        """Other zones, or rules, from now on."""
        with self._lock:
            if zones is not None:
                self._former = self._places()
                self._zones = zones
                self._jpeg, self._number = None, 0
                self._keep(self._places())
        self._eyes.use(zones=zones, rules=rules)

    def document(self, reading: TableReading) -> dict[str, Any]:
        """A reading as the JSON of `remi watch`."""
        return table_document(reading)

    def end(self, *, ended: bool) -> None:
        """Says whether the game is over: racks that are counted at the end are read then.

        Where racks were in a game before may be seen once the next one has begun.
        """
        with self._lock:
            if self._ended and not ended:
                self._former = ()
                self._jpeg, self._number = None, 0
            self._ended = ended
            self._keep(self._places())
        self._eyes.end(ended=ended)

    def remember(self, racks: Sequence[Zone], keep: Callable[[tuple[Zone, ...]], None]) -> None:
        """Covers where racks stood in this game before the companion was started anew.

        `keep` gets every place that stays covered until the next game: now, at each change, and whenever it
        is said whether the game is over. It must not raise, and not ask this table for anything.
        """
        with self._lock:
            self._former = tuple(dict.fromkeys((*racks, *self._former)))
            self._jpeg, self._number = None, 0
            self._keep = keep
            keep(self._places())

    def close(self) -> None:
        """Ends the eyes, then the source; RuntimeError where a thread does not end."""
        try:
            self._eyes.close()
        finally:
            self._source.close()

    def _take(self, reading: TableReading) -> None:
        public, before = public_reading(reading), self._reading
        # One that only says the same again is no news to the page.
        if before is None or replace(public, number=before.number, at=before.at) != before:
            self._reading = public
        if self._on_reading is not None:
            self._on_reading(reading)

    def _places(self) -> tuple[Zone, ...]:
        """Where racks stand or stood in this game, in the order in which it came to be known."""
        return tuple(dict.fromkeys((*self._former, *all_racks(self._zones))))

    def _heal(self, rig: Rig) -> None:
        self._rig = rig
        if self._on_rig is not None:
            self._on_rig(rig)

    def _shown(self, frame: Frame, *, arbiters: bool = False) -> Pixels | None:
        """The frame with all racks covered, the `arbiters` only without those that may not be read now.

        None where the camera may be elsewhere than the rig says.
        """
        from calibration.markers import find_markers
        from calibration.watch import moved_markers
        from vision.masking import cover_racks, hide_racks

        rig = self._rig
        if frame.size != rig.size:
            return None
        seen = find_markers(frame.pixels, near=rig.markers(), everywhere=False)
        if len(seen) - len(moved_markers(rig, seen)) < IN_SIGHT:
            return None
        if arbiters:
            # As the eyes use the racks: those that this camera cannot read are left until the end.
            racks, ended = self._seeing.zones.racks, self._ended
            shown = hide_racks(frame.pixels, rig, replace(self._zones, racks=racks), ended=ended)
            former = [
                one
                for one in self._former
                if one.seat is not None and hides(racks.get(one.seat, "never"), ended=ended)
            ]
            return cover_racks(shown, rig, former)
        return cover_racks(frame.pixels, rig, self._places())


def _kept_nowhere(_: tuple[Zone, ...]) -> None:
    """Of a table that nothing outlasts."""


def _lying(reading: TableReading) -> Iterator[Lying]:
    """Every tile that lies on the table; those on racks are none."""
    for meld in reading.melds:
        yield from meld.tiles
        yield from (top for _, top in meld.towers)
    yield from reading.row
    yield from (stack.top for stack in reading.wall)
    if reading.atu is not None:
        yield reading.atu


def _reason(status: EyesStatus) -> BothLanguages | None:
    return BothLanguages(ro=status.reason.ro, en=status.reason.en) if status.reason.en else None
