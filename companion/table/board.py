"""The board of a table, from its file: a port, a board made of software, or none."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Final

from companion.table.inputs import Part
from engine.lamps import LampSign, Sign
from firmware_bridge.lamps import LampSettings, QuietHours, Shown, picture
from firmware_bridge.link import LinkState, moved
from firmware_bridge.port import BoardPort, find_port
from vision.sources.health import Words

if TYPE_CHECKING:
    from companion.table.config_schema import BoardPart
    from companion.table.published import Published
    from engine.lamps import ButtonPressed
    from firmware_bridge.link import LinkReport
    from firmware_bridge.pty_board import PtyBoard

TEST_S: Final = 2.0
_MOST_HEARD: Final = 12


class TableBoard:
    """A board that shows what is published and gives presses by seats, in the thread `board`."""

    def __init__(
        self,
        part: BoardPart,
        seats: int,
        *,
        on_press: Callable[[ButtonPressed], None],
        on_part: Callable[[Part], None],
        clock: Callable[[], float] = time.monotonic,
        timer: Callable[[float, Callable[[], None]], threading.Timer] = threading.Timer,
    ) -> None:
        """Starts the threads; OSError where there are no pseudo terminals for a board made of software.

        `timer` makes what calls a function once so many seconds after its start.
        """
        places = part.places[:seats]
        self._settings = LampSettings(
            part.brightness,
            min(LampSettings().quiet_brightness, part.brightness),
            part.sound,
            QuietHours(*part.quiet),
            places,
        )
        self._seats = {place: seat for seat, place in enumerate(places)}
        self._signs: tuple[LampSign, ...] = ()
        self._shown = Shown()
        self._lock = threading.Lock()
        self._clock, self._timer = clock, timer
        self._test: threading.Timer | None = None
        self._tests = 0
        self._hears_until = 0.0
        self._heard: deque[ButtonPressed] = deque(maxlen=_MOST_HEARD)
        self._software = _Software() if part.port == "sim" else None
        software = self._software
        named = None if part.port in ("auto", "sim") else part.port
        self._port = BoardPort(
            (lambda: software.path) if software is not None else (lambda: find_port(named)),
            on_press=lambda press: self._press(press, on_press),
            on_state=lambda report: on_part(board_part(report)),
        )
        self._port.start()

    def _press(self, press: ButtonPressed, on_press: Callable[[ButtonPressed], None]) -> None:
        for one in moved([press], self._seats):
            self._heard.append(one)
            if self._clock() >= self._hears_until:
                on_press(one)

    def test_lamp(self, seat: int) -> None:
        """Lights the lamp of a seat (from 0) for two seconds; IndexError without it."""
        signs = [LampSign(Sign.OFF)] * len(self._seats)
        signs[seat] = LampSign(Sign.TURN)
        with self._lock:
            if self._test is not None:
                self._test.cancel()
            lit = picture(signs, settings=self._settings, last=self._shown)
            # In silence: a number of the sound that goes back would play it once more.
            shown = self._shown
            self._port.show(replace(lit, sound=shown.sound, sound_seq=shown.sound_seq))
            self._tests += 1
            number = self._tests
            self._test = self._timer(TEST_S, lambda: self._tested(number))
            self._test.name, self._test.daemon = "lamp-test", True
            self._test.start()

    def _tested(self, number: int) -> None:
        with self._lock:
            if self._test is not None and number == self._tests:
                self._test = None
                self._port.show(self._shown)

    def test_buttons(self, seconds: float) -> None:
        """Keeps presses from the game for so long: they are heard here alone."""
        self._heard.clear()
        self._hears_until = self._clock() + seconds

    @property
    def heard(self) -> tuple[ButtonPressed, ...]:
        """The newest presses, the last one last."""
        return tuple(self._heard)

    @property
    def testing_s(self) -> float:
        """How long presses are kept from the game yet, in seconds."""
        return max(0.0, self._hears_until - self._clock())

    def show(self, published: Published) -> None:
        """What the board is to show from now on; called by the table thread alone."""
        with self._lock:
            self._shown = picture(
                published.lamps,
                self._signs,
                settings=self._settings,
                now=datetime.now().time(),  # noqa: DTZ005  quiet hours are those of the clock on the wall
                last=self._shown,
            )
            self._signs = published.lamps
            if self._test is None:
                self._port.show(self._shown)

    def press(self, place: int, button: int) -> None:
        """Presses a button of a board made of software; ValueError where it is none."""
        if self._software is None:
            raise ValueError("this board is not made of software")
        self._software.press(place * 3 + button)

    @property
    def report(self) -> LinkReport:
        """How it stands with the board."""
        return self._port.report

    def close(self) -> None:
        """Ends the threads and lets go of the port."""
        with self._lock:
            test, self._test = self._test, None
        if test is not None:
            test.cancel()
            test.join()
        self._port.close()
        if self._software is not None:
            self._software.close()


class _Software:
    """A board made of software, alive in the thread `board-sim`."""

    def __init__(self) -> None:
        from firmware_bridge.pty_board import PtyBoard

        self._board: PtyBoard = PtyBoard()
        self.path = self._board.path
        self._lock = threading.Lock()
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="board-sim", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._ends.wait(0.002):
            with self._lock:
                self._board.turn_over()

    def press(self, button: int) -> None:
        with self._lock:
            self._board.press(button)

    def close(self) -> None:
        self._ends.set()
        self._thread.join()
        self._board.close()


def board_part(report: LinkReport) -> Part:
    """How the board is, in words."""
    well = report.state in (LinkState.UP, LinkState.WAITING)
    return Part("board", report.state.value, well=well, why=Words(report.hint_en, report.hint_ro))
