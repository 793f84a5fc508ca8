"""The thread that looks: it waits for frames, steps, hands readings over, and says how it is."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from vision.closing import Closing
from vision.seeing.states import EyesStatus, Update
from vision.sources.health import NOTHING, Words

if TYPE_CHECKING:
    from calibration.rig import Rig
    from engine.table_reading import TableReading
    from vision.seeing.loop import Seeing
    from vision.seeing.states import State
    from vision.sources.frames import Frame, FrameSource, Status

WAIT_S: Final = 0.5

MOST_LOOKS: Final = 60
"""At the last picture of a folder, where something is never read."""

_CLOSE_PATIENCE_S: Final = 15.0
_AVERAGE: Final = 0.05  # what the newest look counts in averages
_BUSY_OVER_S: Final = 5.0


class Eyes(Closing):
    """Steps a `Seeing` through the frames of a source in one thread named `eyes`, until closed.

    `on_reading` is called in that thread with each reading, `on_rig` with a healed rig, `on_status` whenever
    state, reason or unseen zones changed; they must not wait. An OSError of `on_rig`, which saves the rig, is
    told among the notes. The source is not closed. `still` is for pictures from files: each stands until the
    next one comes, and is looked at until nothing is left to read.
    """

    def __init__(
        self,
        source: FrameSource,
        seeing: Seeing,
        *,
        on_reading: Callable[[TableReading], None],
        on_rig: Callable[[Rig], None] | None = None,
        on_status: Callable[[EyesStatus], None] | None = None,
        still: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._source, self._seeing, self._clock = source, seeing, clock
        self._on_reading, self._on_rig, self._on_status = on_reading, on_rig, on_status
        self._still = still
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._ended: bool | None = None
        self._status = EyesStatus(since=clock(), notes=tuple(seeing.notes.values()))
        self._busy = (clock(), 0.0)
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)
        self._thread.start()

    def status(self) -> EyesStatus:
        """How the eyes are now, and how the source is."""
        with self._lock:
            status = self._status
        return replace(status, source=self._source.status())

    def end(self, *, ended: bool = True) -> None:
        """As `Seeing.end`, from any thread."""
        with self._lock:
            self._ended = ended

    def join(self, timeout: float) -> bool:
        """Waits for the end of the source; whether it came in time."""
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def close(self) -> None:
        """Stops looking; RuntimeError where the thread does not end."""
        self._stop.set()
        self._thread.join(_CLOSE_PATIENCE_S)
        if self._thread.is_alive():
            raise RuntimeError("the thread eyes does not end: a callback or the reader hangs")

    def _run(self) -> None:
        last: Frame | None = None
        looks = 0
        while not self._stop.is_set():
            wait = 0.0 if self._still and last is not None else WAIT_S
            frame = self._source.wait(after=0 if last is None else last.number, timeout=wait)
            if self._stop.is_set():
                return
            source = self._source.status()
            looks = 0 if frame is not None else looks + 1
            if (
                frame is None
                and self._still
                and not (source.health.state == "ended" and (self._seeing.quiet or looks > MOST_LOOKS))
            ):
                frame = last
            if frame is None:
                if self._without(source):
                    return
                continue
            last = frame
            with self._lock:
                ended, self._ended = self._ended, None
            if ended is not None:
                self._seeing.end(ended=ended)
            begun = time.thread_time()
            now = self._clock()
            update = self._seeing.step(frame, now)
            self._take(update, source, now)
            self._count(time.thread_time() - begun, now)
            self._stop.wait(self._seeing.pause)

    def _without(self, source: Status) -> bool:
        """Says that no frame comes; whether none will."""
        health = source.health
        if health.state == "ended":
            self._note("ended", NOTHING, ())
            return True
        if health.state in ("stalled", "lost"):
            self._note("source", health.reason, self._status.unseen)
        return False

    def _take(self, update: Update, source: Status, now: float) -> None:
        if update.healed is not None:
            self._heal(update.healed)
        status = self._status
        if update.reading is not None and not update.repeated:
            done = self._clock()
            status = replace(
                status,
                readings=status.readings + 1,
                read_at=done,
                settled_ms=round(1000 * (update.waited_s + done - now), 1),
            )
        elif update.milliseconds:
            before = status.look_ms
            spent = update.spent_ms
            status = replace(
                status, look_ms=round(spent if before is None else before + _AVERAGE * (spent - before), 2)
            )
        with self._lock:
            self._status = status
        if source.health.state == "repeating":
            self._note("source", source.health.reason, update.unseen)
        else:
            self._note(update.state, update.reason, update.unseen)
        if update.reading is not None:
            self._on_reading(update.reading)

    def _heal(self, rig: Rig) -> None:
        notes = tuple(self._seeing.notes.values())
        if self._on_rig is not None:
            try:
                self._on_rig(rig)
            except OSError as error:
                notes += (
                    Words(
                        f"The healed rig could not be saved: {error}. Check the disk; it is used all the "
                        "same.",
                        f"Calibrarea corectată nu a putut fi salvată: {error}. Verificați discul; este "
                        "folosită oricum.",
                    ),
                )
        with self._lock:
            self._status = replace(self._status, healed=self._status.healed + 1, notes=notes)

    def _note(self, state: State, reason: Words, unseen: tuple[str, ...]) -> None:
        before = self._status
        if (before.state, before.reason, before.unseen) == (state, reason, unseen):
            return
        since = before.since if before.state == state else self._clock()
        status = replace(before, state=state, since=since, reason=reason, unseen=unseen)
        with self._lock:
            self._status = status
        if self._on_status is not None:
            self._on_status(status)

    def _count(self, spent: float, now: float) -> None:
        """Notes the share of a core that was used, every few seconds."""
        since, sum_of = self._busy
        sum_of += spent
        if now - since >= _BUSY_OVER_S:
            with self._lock:
                self._status = replace(self._status, busy=round(sum_of / (now - since), 4))
            since, sum_of = now, 0.0
        self._busy = (since, sum_of)
