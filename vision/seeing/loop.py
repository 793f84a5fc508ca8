"""One look after another at a table: still or not, camera in place or not, what changed, what it says now.

starting --first reading--> looking <--a hand, something moves--> hand
   any of them --markers elsewhere--> moving --healed--> looking, or --2 s--> paused --markers back--> looking
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.legibility import DEFAULT_TILES, legibility_map, with_at_end
from calibration.rig import refuse_other_size
from calibration.watch import Watch as RigWatch
from engine.table_reading import Problem
from vision.masking import hidden_outlines
from vision.regions import Region
from vision.seeing.camera import CameraWatch, looked
from vision.seeing.gate import STILL_S, Gate, ZoneState, accepted, new_gate, watched
from vision.seeing.ground import survey, table_region, tile_widths
from vision.seeing.looks import View, alike, composed, doubts, in_view, parts_of, shifted, sights, taken_by
from vision.seeing.states import Update, rack_notes
from vision.seeing.steady import Steady
from vision.seeing.tracks import Tracks, followed, nowhere
from vision.sources.health import NOTHING, Words
from vision.table_layout import lay_out
from vision.watch import Watch

if TYPE_CHECKING:
    from calibration.legibility import Tiles
    from calibration.rig import Rig
    from calibration.zones import Zone, Zones
    from engine.readings import PictureReading
    from engine.rules import RuleSet
    from engine.table_reading import TableReading
    from vision.pictures import Pixels
    from vision.reader import Reader
    from vision.seeing.states import State
    from vision.sources.frames import Frame

Bools = NDArray[np.bool_]

IDLE_S: Final = 0.16
BUSY_S: Final = 0.07
"""Between looks at a table on which nothing moves, and at one where something does."""

AGAIN: Final = 3
"""So often doubtful tiles are looked at again in the still frames that follow, then they rest."""

AGAIN_EVERY_S: Final = 0.15

SECOND_S: Final = 0.6
"""What changed is read a second time once it has lain still for so long."""

TOGETHER_S: Final = 0.25
"""So long a zone that can be read waits for others that come to rest."""


class Seeing:
    """The table as one camera sees it, frame by frame. Not to be shared between threads.

    `zones` say which racks are read; those that cannot be from this camera are left until the game has
    `ended` (`notes` say why). `tiles` are their digit height and how far racks lean. `repeats` are seconds:
    so long after a reading it is given once more while nothing moves, and then every so often; None for
    never. That costs nothing: how long things lie there is news to who follows the game.
    """

    _gate: Gate
    _watch: Watch
    _base: Pixels | None
    _seen: PictureReading | None
    _steady: Steady
    _left: int
    _again_at: float
    _owed: bool
    _changed: tuple[Region, ...]
    _second_at: float
    _still_since: float
    _repeat_at: float

    def __init__(
        self,
        reader: Reader,
        rig: Rig,
        zones: Zones,
        *,
        rules: RuleSet,
        ended: bool = False,
        tiles: Tiles = DEFAULT_TILES,
        repeats: tuple[float, float] | None = None,
        clock: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._tiles = tiles
        self._place(rig, zones)
        self._reader, self._rules, self._clock = reader, rules, clock
        self._ended = ended
        self._repeats = repeats
        self._camera = CameraWatch(RigWatch(rig))
        self._tracks = Tracks()
        self.reading: TableReading | None = None
        """The last one."""
        self._numbered = 0
        self._begin(0.0)

    def _place(self, rig: Rig, zones: Zones) -> None:
        legible = legibility_map(rig, zones, tiles=self._tiles)
        self.notes = rack_notes(legible, zones)
        self.zones = with_at_end(zones, legible)

    def use(self, *, zones: Zones | None = None, rules: RuleSet | None = None) -> None:
        """Other zones, or rules, from the next look on; the whole table is then read anew."""
        if rules is not None:
            self._rules = rules
        if zones is not None:
            self._place(self.rig, zones)
        self._begin(self._gate.now)

    @property
    def rig(self) -> Rig:
        """The rig as it is now, healed or not."""
        return self._camera.rig

    @property
    def quiet(self) -> bool:
        """Whether nothing moves, and all that there is to read has been read."""
        return self._gate.idle and not self._left and self._camera.trusted

    @property
    def repeats_at(self) -> float:
        """When the last reading is given once more, should nothing move until then; infinity for never."""
        return self._repeat_at

    @property
    def pause(self) -> float:
        """Seconds from one look to the next that are soon enough."""
        return IDLE_S if self.quiet else BUSY_S

    @property
    def picture(self) -> Pixels | None:
        """What was read last (h, w, 3 BGR), zones under hands as they were before, racks painted over."""
        from vision.masking import hide_racks

        if self._base is None:
            return None
        return hide_racks(self._base, self.rig, self.zones, ended=self._ended)

    def end(self, *, ended: bool = True) -> None:
        """The game has ended, or begun anew: racks that are counted at the end are looked at, or no more."""
        if ended != self._ended:
            self._ended = ended
            self._begin(self._gate.now)

    def step(self, frame: Frame, now: float) -> Update:
        """What a frame says at a time in seconds that never goes back."""
        times: dict[str, float] = {}
        try:
            refuse_other_size(self.rig, frame.size)
        except CalibrationError as error:
            return Update("paused", Words(error.hint_en, error.hint_ro))
        healed = self._watch_camera(frame, now, times) if self._camera.due(now) else None
        if not self._in_place():
            return self._untrusted(now, times)
        begun = self._clock()
        self._steady = self._steady.seen(frame, now)
        self._gate = watched(self._gate, self._gate.ground.trace(frame.pixels), now)
        times["gate"] = 1000 * (self._clock() - begun)
        due = self._due(now)
        again = (
            not due
            and not any(self._gate.due)
            and (((self._left > 0 or self._owed) and now >= self._again_at) or self._second_due(now))
        )
        reading, waited = None, 0.0
        if due or again:
            # Nothing is read of a frame in which the markers are not where they should be.
            if self._camera.looked_at != now:
                healed = self._watch_camera(frame, now, times) or healed
                if not self._in_place():
                    return self._untrusted(now, times)
            if healed is None:
                if due:
                    self._still_since = self._due_since(now)
                waited = now - self._still_since
                reading = self._read(frame, now, times, moved=due)
        if self.quiet and not self._changed:
            self._steady = Steady()  # nothing is to be read soon: their memory is given back
        state: State = "starting" if self.reading is None else "looking"
        unseen = self._unseen()
        if unseen and self.reading is not None:
            state = "hand"
        names = tuple(zone.name for zone in unseen)
        repeated = None if reading is not None else self._repeated(frame, now, names)
        return Update(
            state, NOTHING, reading or repeated, healed, names, waited, repeated is not None,
            tuple(times.items()),
        )  # fmt: skip

    def _repeated(self, frame: Frame, now: float, unseen: tuple[str, ...]) -> TableReading | None:
        """The last reading once more, where it is time for that and only hands at rest lie over the table."""
        if self._repeats is None or self.reading is None or now < self._repeat_at or not self._at_rest:
            return None
        self._repeat_at = now + self._repeats[1]
        self._numbered += 1
        self.reading = replace(self.reading, number=self._numbered, at=frame.time, unseen=unseen)
        return self.reading

    @property
    def _at_rest(self) -> bool:
        zones = zip(self._gate.settled, self._gate.zones, strict=True)
        calm = [zone.looks > 0 if zone.covered else settled and not zone.changed for settled, zone in zones]
        return all(calm) and any(self._gate.settled) and not self._left and not self._owed

    def _second_due(self, now: float) -> bool:
        """Whether what changed has lain still for long enough to be read once more."""
        return bool(self._changed) and now >= self._second_at

    def _due(self, now: float) -> bool:
        """Whether what changed is to be read in this look: not while more is about to come to rest."""
        since = max((zone.since for zone, due in self._due_zones() if due), default=None)
        if since is None:
            return False
        return not self._gate.settling or now - since >= STILL_S + TOGETHER_S

    def _due_zones(self) -> list[tuple[ZoneState, bool]]:
        return list(zip(self._gate.zones, self._gate.due, strict=True))

    def _begin(self, now: float) -> None:
        """Everything that hangs on rig and zones, anew; tiles stay known by their places."""
        rig = self.rig
        masks = [
            Region(tuple(map(tuple, outline)))
            for outline in hidden_outlines(rig, self.zones, ended=self._ended)
        ]
        self._gate = new_gate(survey(rig, self.zones, ended=self._ended), now)
        self._watch = Watch(self._reader, zones=[table_region(rig)], masks=masks, tile_px=tile_widths(rig))
        self._base = None
        self._seen = None
        self._steady = Steady()
        self._left, self._again_at, self._owed, self._still_since = 0, now, False, now
        self._changed, self._second_at = (), now
        self._repeat_at = float("inf")  # nothing has been read since

    def _in_place(self) -> bool:
        return self._camera.trusted

    def _watch_camera(self, frame: Frame, now: float, times: dict[str, float]) -> Rig | None:
        """Looks for the markers; the new rig where the camera was bumped and has come to rest."""
        begun = self._clock()
        self._camera = looked(self._camera, frame.pixels, now)
        times["markers"] = times.get("markers", 0.0) + 1000 * (self._clock() - begun)
        if not self._camera.watch.healed:
            return None
        self._begin(now)
        return self.rig

    def _untrusted(self, now: float, times: dict[str, float]) -> Update:
        """Nothing is read; once the camera is back, the table has to stand still first."""
        watch = self._camera.watch
        self._gate = new_gate(self._gate.ground, now)
        self._steady = Steady()
        reason = NOTHING if watch.reason is None else Words(watch.reason.hint_en, watch.reason.hint_ro)
        state: State = "paused" if watch.state == "paused" else "moving"
        names = tuple(zone.name for zone in self._gate.ground.zones)
        return Update(state, reason, unseen=names, milliseconds=tuple(times.items()))

    def _unseen(self) -> list[Zone]:
        gate = self._gate
        return [zone for zone, settled in zip(gate.ground.zones, gate.settled, strict=True) if not settled]

    @property
    def _still_from(self) -> float:
        """Since when nothing has moved in what can be read now, nor anywhere else."""
        zones = zip(self._gate.settled, self._gate.zones, strict=True)
        return max([self._gate.moved_at, *(zone.since for settled, zone in zones if settled)])

    def _due_since(self, now: float) -> float:
        """Since when all that is due has been still."""
        return max((zone.since for zone, due in self._due_zones() if due), default=now)

    def _read(self, frame: Frame, now: float, times: dict[str, float], *, moved: bool) -> TableReading | None:
        """The reading of a frame in which zones are due (`moved`), or doubtful tiles are looked at again."""
        begun = self._clock()
        view = in_view(self._gate)
        again = doubts(self._tracks.tracks, view, new=moved)
        second = not moved and self._second_due(now)
        if second:
            again += shifted(self._changed)
            self._changed = ()
        if moved or again:
            self._look(composed(self._steady.picture(self._still_from), self._base, view), view, again)
        if moved:
            self._changed = (*self._changed, *parts_of(self._watch.changes, frame.size))
            self._second_at = now + SECOND_S
        self._left = AGAIN if moved or second else self._left - 1
        self._again_at = now + AGAIN_EVERY_S
        if not doubts(self._tracks.tracks, view):
            self._left = 0
        times["read"] = 1000 * (self._clock() - begun)
        owed, self._owed = self._owed, False
        if moved and not owed and len(self._tracks.shown) < len(self._tracks.tracks):
            # Something new that may be a tile: the next frame says, before a reading does without it.
            self._owed, self._again_at = True, now
            return None
        begun = self._clock()
        reading = self._laid_out(frame.time)
        times["lay out"] = 1000 * (self._clock() - begun)
        if self._repeats is not None:
            self._repeat_at = now + self._repeats[0]
        if not (moved or owed) and self.reading is not None and alike(self.reading, reading):
            return None
        self.reading, self._numbered = reading, reading.number
        return reading

    def _look(self, picture: Pixels, view: View, again: Sequence[Region]) -> None:
        """Reads what changed in a picture, and some regions again, and follows the tiles."""
        before = self._seen
        self._seen = self._watch.read(picture, again=again)
        # A camera that was pushed makes another picture, and leaves the tiles where they lie.
        same_table = before is None and self._tracks.tracks
        self._tracks = followed(
            self._tracks,
            sights(
                self._seen.tiles,
                self.rig,
                known=() if before is None else before.tiles,
                rejudged=self._watch.rejudged,
            ),
            changed=nowhere if same_table else taken_by(self._watch.changes),
            hidden=view.hides,
        )
        self._base = picture
        settled = self._gate.settled
        self._gate = accepted(self._gate, [at for at, is_one in enumerate(settled) if is_one])

    def _laid_out(self, at: float) -> TableReading:
        shown = self._tracks.shown
        reading = lay_out(
            [track.tile for track in shown],
            self.rig,
            self.zones,
            number=self._numbered + 1,
            at=at,
            rules=self._rules,
            before=self.reading,
            keys=[track.key for track in shown],
            ended=self._ended,
            covered=self._unseen(),
        )
        said = {problem.hint_en for problem in reading.problems}
        missing = [] if self._ended else [note for note in self.notes.values() if note.en not in said]
        problems = tuple(Problem("rack_not_read", (), note.en, note.ro) for note in missing)
        return replace(reading, problems=(*reading.problems, *problems)) if problems else reading
