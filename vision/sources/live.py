"""A source as it runs: one named thread that reads frames, keeps the newest, and opens again what was
lost.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.closing import Closing
from vision.sources import health as states
from vision.sources.frames import Capture, Frame, Setting, SourceError, Status
from vision.sources.health import Words

if TYPE_CHECKING:
    from vision.pictures import Pixels
    from vision.sources.health import Health

_RATE_OVER_S: Final = 2.0
_CLOSE_PATIENCE_S: Final = 12.0  # a camera's driver gives up waiting for a frame after 10 s


class LiveSource(Closing):
    """Frames of whatever `connect` opens, as they come; a `FrameSource`.

    `live` is false for files and folders, which end and may show the same picture twice; with `every` seconds
    their pictures are given one by one. The thread starts at once; nothing else opens, reads or closes
    captures.
    """

    def __init__(
        self,
        connect: Callable[[], Capture],
        address: str,
        *,
        live: bool,
        every: float = 0.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._connect = connect
        self._address = address
        self._live = live
        self._every = every
        self._clock = clock
        self._changed = threading.Condition()
        self._stop = threading.Event()
        self._health: Health = states.opening(clock())
        self._frame: Frame | None = None
        self._times: deque[float] = deque()
        self._settings: tuple[Setting, ...] = ()
        self._thread = threading.Thread(target=self._run, name=f"source {address}", daemon=True)
        self._thread.start()

    @property
    def thread_name(self) -> str:
        """The name of the one thread that this source runs."""
        return self._thread.name

    def status(self) -> Status:
        """How the source is now; a reader that hangs is noticed here too, since only time is asked."""
        now = self._clock()
        with self._changed:
            times = [moment for moment in self._times if now - moment <= _RATE_OVER_S]
            health = states.at(self._health, now) if self._live else self._health
            frame, settings = self._frame, self._settings
        span = now - times[0] if times else 0.0
        rate = (len(times) - 1) / span if len(times) > 1 and span > 0 else 0.0
        return Status(self._address, frame.size if frame else None, rate, health, settings)

    def latest(self) -> Frame | None:
        """The newest frame; None before the first."""
        with self._changed:
            return self._frame

    def wait(self, *, after: int, timeout: float) -> Frame | None:
        """The newest frame with a number over `after`; None when none came in `timeout` seconds, or will
        come.
        """

        def done() -> bool:
            newer = self._frame is not None and self._frame.number > after
            return newer or self._health.state == "ended" or self._stop.is_set()

        with self._changed:
            self._changed.wait_for(done, timeout)
            return self._frame if self._frame is not None and self._frame.number > after else None

    def close(self) -> None:
        """Stops reading and waits for the thread; RuntimeError where the driver does not let go of it."""
        self._stop.set()
        with self._changed:
            self._changed.notify_all()
        self._thread.join(_CLOSE_PATIENCE_S)
        if self._thread.is_alive():
            raise RuntimeError(f"{self.thread_name} does not end: its driver hangs")

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                capture = self._connect()
            except SourceError as error:
                self._fail(Words(error.hint_en, error.hint_ro))
                continue
            try:
                with self._changed:
                    self._settings = capture.settings
                why = self._read(capture)
            finally:
                capture.close()
            if self._health.state == "ended":
                return
            if not self._stop.is_set():
                self._fail(why)

    def _read(self, capture: Capture) -> Words:
        """Reads until the capture ends, fails or is to be given up; says why."""
        last: Pixels | None = None
        while not self._stop.is_set():
            pixels = capture.read()
            now = self._clock()
            if pixels is None:
                if self._live:
                    stalled = states.at(self._health, now).state == "stalled"
                    return states.STALLED if stalled else states.BROKE_OFF
                self._note(states.on_end(self._health, now))
                return states.NOTHING
            repeated = self._live and last is not None and _same(last, pixels)
            last = pixels
            pixels.flags.writeable = False
            self._take(pixels, now, repeated=repeated)
            why = states.must_reopen(self._health, now) if self._live else states.NOTHING
            if why.en:
                return why
            if self._every:
                self._stop.wait(self._every)
        return states.NOTHING

    def _take(self, pixels: Pixels, now: float, *, repeated: bool) -> None:
        with self._changed:
            self._frame = Frame(pixels, now, self._frame.number + 1 if self._frame else 1)
            self._health = states.on_frame(self._health, now, repeated=repeated)
            self._times.append(now)
            while now - self._times[0] > _RATE_OVER_S:
                self._times.popleft()
            self._changed.notify_all()

    def _note(self, health: Health) -> None:
        with self._changed:
            self._health = health
            self._changed.notify_all()

    def _fail(self, why: Words) -> None:
        """Says that the source is lost, and waits until it is to be opened again."""
        failed = states.on_failure(self._health, self._clock(), why)
        self._note(failed)
        self._stop.wait(states.pause(failed.failures))


def _same(first: Pixels, second: Pixels) -> bool:
    """Whether two frames are alike pixel for pixel; a sample tells nearly all that are not."""
    return (
        first.shape == second.shape
        and np.array_equal(first[::16, ::16], second[::16, ::16])
        and np.array_equal(first, second)
    )
