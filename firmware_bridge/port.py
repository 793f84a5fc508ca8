"""The serial port: finding it, opening it, and the one thread that keeps the link to the board alive."""

from __future__ import annotations

import platform
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware_bridge.link import Link, LinkReport
from firmware_bridge.protocol import protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    import serial

    from engine.lamps import ButtonPressed
    from firmware_bridge.lamps import Shown

BY_ID: Final = Path("/dev/serial/by-id")
"""Where Linux names serial ports by what hangs on them, so that a board keeps its name at another socket."""

RETRY_SECONDS: Final = 0.5
READ_SECONDS: Final = 0.05
WRITE_SECONDS: Final = 0.5

KNOWN_VENDORS: Final = {0x2341, 0x2A03, 0x1A86, 0x0403, 0x10C4}
"""USB vendors of such boards: Arduino (two), and the makers of the serial chips CH340, FT232, CP210x."""


class PortError(ValueError):
    """No port, or more than one, where one is needed; the message says what to do."""


class LinkLost(Exception):  # noqa: N818  the house's name for lost hardware
    """The line is gone while it was in use."""


def find_ports(by_id: Path = BY_ID) -> list[str]:
    """The ports at which a board may hang, by their lasting names where the system has them."""
    if by_id.is_dir():
        return sorted(str(path) for path in by_id.iterdir())
    if platform.system() == "Linux":
        return []  # the folder comes and goes with the first port
    from serial.tools import list_ports

    return sorted(port.device for port in list_ports.comports() if port.vid in KNOWN_VENDORS)


def find_port(wanted: str | None = None, by_id: Path = BY_ID) -> str:
    """The port named, or the only one there is; PortError where that is not clear."""
    if wanted is not None:
        return wanted
    ports = find_ports(by_id)
    if not ports:
        raise PortError("no board was found: plug it in, or name its port with --port")
    if len(ports) > 1:
        raise PortError(f"several ports were found; name one with --port: {', '.join(ports)}")
    return ports[0]


def open_port(path: str) -> serial.Serial:
    """The port, open, exclusively ours; LinkLost where it cannot be opened."""
    import serial

    try:
        port = serial.Serial(
            path,
            protocol().baud,
            timeout=READ_SECONDS,
            write_timeout=WRITE_SECONDS,
            exclusive=True if sys.platform != "win32" else None,
        )
    except _vendor_errors() as error:
        raise LinkLost(str(error)) from error
    if sys.platform.startswith("linux"):
        # FTDI chips hold bytes back for 16 ms otherwise; others lack the switch, and do not need it.
        with suppress(*_vendor_errors(), ValueError):
            port.set_low_latency_mode(True)
    return port


def receive(port: serial.Serial) -> bytes:
    """What has come, after a short wait for a first byte; LinkLost where the line is gone."""
    try:
        data: bytes = port.read(max(1, port.in_waiting))
    except _vendor_errors() as error:
        raise LinkLost(str(error)) from error
    return data


def send(port: serial.Serial, data: bytes) -> None:
    """Sends all of it; LinkLost where the line is gone, or takes nothing."""
    try:
        port.write(data)
    except _vendor_errors() as error:
        raise LinkLost(str(error)) from error


def _vendor_errors() -> tuple[type[Exception], ...]:
    """What pyserial lets through when a port vanishes; on POSIX termios has an error of its own."""
    import serial

    if sys.platform == "win32":
        return serial.SerialException, OSError
    import termios

    return serial.SerialException, OSError, termios.error


class BoardPort:
    """Keeps the link: one thread named `board` finds the port and opens it, and does so anew when it is gone.

    `find` gives the port or raises PortError; `on_press` and `on_state` are called in that thread, and must
    not block.
    """

    def __init__(
        self,
        find: Callable[[], str],
        *,
        on_press: Callable[[ButtonPressed], None],
        on_state: Callable[[LinkReport], None],
        retry_seconds: float = RETRY_SECONDS,
    ) -> None:
        self._find = find
        self._on_press = on_press
        self._on_state = on_state
        self._retry_seconds = retry_seconds
        self._link = Link()
        self._lock = threading.Lock()
        self._ends = threading.Event()
        self._told: LinkReport | None = None
        self._thread = threading.Thread(target=self._run, name="board", daemon=True)

    def start(self) -> None:
        """Starts the thread."""
        self._thread.start()

    def show(self, shown: Shown) -> None:
        """What the board is to show from now on; from any thread."""
        with self._lock:
            self._link.show(shown)

    @property
    def report(self) -> LinkReport:
        """How it stands with the board; from any thread."""
        with self._lock:
            return self._link.report

    def close(self) -> None:
        """Ends the thread and waits for it."""
        self._ends.set()
        if self._thread.is_alive():
            self._thread.join()

    def _run(self) -> None:
        self._tell()
        while not self._ends.is_set():
            try:
                port = open_port(self._find())
            except (PortError, LinkLost) as error:
                with self._lock:
                    if isinstance(error, LinkLost):
                        self._link.refused(str(error))
                    else:
                        self._link.closed()
                self._tell()
                self._ends.wait(self._retry_seconds)
                continue
            try:
                self._talk(port)
            except LinkLost:
                self._ends.wait(self._retry_seconds)
            finally:
                _close(port)
                with self._lock:
                    self._link.closed()
                self._tell()

    def _talk(self, port: serial.Serial) -> None:
        with self._lock:
            self._link.opened(_now())
        self._tell()
        while not self._ends.is_set():
            data = receive(port)
            with self._lock:
                now = _now()
                presses = self._link.receive(data, now)
                self._link.tick(now)
                answer = self._link.take_outgoing()
            if answer:
                send(port, answer)
            for press in presses:
                self._on_press(press)
            self._tell()

    def _tell(self) -> None:
        """Tells how it stands where that has changed."""
        report = self.report
        told = self._told
        if told is None or (report.state, report.hint_en, report.board) != (
            told.state,
            told.hint_en,
            told.board,
        ):
            self._told = report
            self._on_state(report)


def _now() -> int:
    return time.monotonic_ns() // 1_000_000


def _close(port: serial.Serial) -> None:
    with suppress(*_vendor_errors()):  # it may be gone already
        port.close()
