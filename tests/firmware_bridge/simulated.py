"""A simulated board and a companion's link to it, in simulated time: it runs only as far as it is told."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

import serial

from engine.lamps import ButtonPressed
from firmware_bridge.link import Link, LinkState
from firmware_bridge.port import open_port

HZ = 16_000_000
MS = HZ // 1000
"""Cycles of a millisecond."""
PINS = ["D2", "D3", "D4", "D5", "D6", "D7", "C0", "C1", "C2", "C3", "C4", "C5"]
"""The buttons, seat by seat."""


@dataclass(frozen=True, slots=True)
class Strip:
    """What a seat's pixels took over: three bytes each, green, red, blue; times in cycles."""

    seat: int
    first: int
    last: int
    grb: bytes


@dataclass(slots=True)
class Watched:
    """What was seen on the pins since the last look."""

    strips: list[Strip] = field(default_factory=list)
    bad: list[str] = field(default_factory=list)
    highs: list[tuple[int, int, int]] = field(default_factory=list)
    """Seat, from, to: a plain LED that was on."""
    up: dict[int, int] = field(default_factory=dict)
    """Seat, since: a plain LED that is on."""
    inputs: list[tuple[str, int, int, int]] = field(default_factory=list)
    """Pin, level, cycle, nanoseconds of the monotonic clock."""
    buzzes: list[int] = field(default_factory=list)
    overruns: int = 0
    """Bytes lost in the board's receiver so far."""
    crossings: int = 0
    """Pictures so far that were written while a byte was on its way to the board."""

    @property
    def pictures(self) -> dict[int, bytes]:
        """The last picture of each seat."""
        return {strip.seat: strip.grb for strip in self.strips}


class SimulatedBoard:
    """The simulator with the board's program in it."""

    def __init__(self, simulator: Path, program: Path) -> None:
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [str(simulator), str(program), str(theirs.fileno())], pass_fds=[theirs.fileno()]
            )
        self._socket = ours
        ours.settimeout(30)
        self._lines = ours.makefile("r")
        self.cycle = 0
        self.sent = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._lines.close()
        self._socket.close()
        assert self._process.wait(timeout=10) == 0

    @property
    def now(self) -> int:
        """Milliseconds since the start."""
        return self.cycle // MS

    def plug(self) -> str:
        self.sent = 0
        return self._ask("plug")

    def unplug(self) -> None:
        self._ask("unplug")

    def reset(self) -> None:
        self._ask("reset")

    def power_cycle(self, seed: int) -> None:
        self._ask(f"power {seed}")

    def run(self, cycles: int, *, arrived: int = 0) -> None:
        """Once so many bytes have come over the line, runs so far at most, or to 1 ms after a frame."""
        words = self._ask(f"run {cycles} {arrived}").split()
        self.cycle, self.sent = int(words[1]), int(words[2])

    def run_ms(self, milliseconds: float) -> None:
        """Runs with nobody at the other end."""
        end = self.cycle + round(milliseconds * MS)
        while self.cycle < end:
            self.run(end - self.cycle)

    def free(self, percent: int = 100) -> None:
        """Runs by itself from now on, at so many percent of real time."""
        self._ask(f"free {percent}")

    def hold(self) -> None:
        words = self._ask("hold").split()
        self.cycle, self.sent = int(words[1]), int(words[2])

    def press(self, button: int, *, delay: int = 0, cycles: int = 20 * MS) -> None:
        """Presses a button so many cycles from now, for so many cycles."""
        pin = PINS[button]
        self._tell(f"pin {pin[0]} {pin[1]} 0 {delay}\npin {pin[0]} {pin[1]} 1 {delay + cycles}")

    def hold_button(self, button: int, *, down: bool) -> None:
        pin = PINS[button]
        self._tell(f"pin {pin[0]} {pin[1]} {int(not down)} 0")

    def watch(self) -> Watched:
        """What was seen on the pins since the last look."""
        self._tell("watch")
        seen = Watched()
        while True:
            kind, *words = self._lines.readline().split()
            match kind:
                case "strip":
                    seen.strips.append(
                        Strip(int(words[0]), int(words[1]), int(words[2]), bytes.fromhex(words[3]))
                    )
                case "high":
                    seen.highs.append((int(words[0]), int(words[1]), int(words[2])))
                case "up":
                    seen.up[int(words[0])] = int(words[1])
                case "input":
                    seen.inputs.append((words[0] + words[1], int(words[2]), int(words[3]), int(words[4])))
                case "buzz":
                    seen.buzzes.append(int(words[0]))
                case "bad":
                    seen.bad.append(" ".join(words))
                case "end":
                    self.cycle, seen.overruns, seen.crossings = map(int, words)
                    return seen
                case _:
                    raise AssertionError(f"the simulator says {kind}")

    def _tell(self, line: str) -> None:
        self._socket.sendall(f"{line}\n".encode())

    def _ask(self, line: str) -> str:
        self._tell(line)
        return self._lines.readline().strip()


class Host:
    """A link over a real pyserial port, moved on in the board's simulated time."""

    def __init__(self, board: SimulatedBoard) -> None:
        self.board = board
        self.link = Link()
        self.presses: list[tuple[int, ButtonPressed]] = []
        """Cycle and press."""
        self.delay_ms = 0
        """How slowly this host answers."""
        self._answers: list[tuple[int, bytes]] = []
        self._port: serial.Serial | None = None
        self._written = 0
        self._read = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._port is not None:
            self._port.close()

    @property
    def now(self) -> int:
        return self.board.now

    def plug(self) -> None:
        """Plugs the board in and opens its port."""
        self._port = open_port(self.board.plug())
        self._port.timeout = 5
        self._written = self._read = 0
        self._answers.clear()
        self.link.opened(self.now)

    def unplug(self) -> None:
        self.board.unplug()
        if self._port is not None:
            self._port.close()
        self._port = None
        self.link.closed()

    def send(self, data: bytes) -> None:
        """Puts bytes on the line that no link would send."""
        assert self._port is not None
        self._port.write(data)
        self._written += len(data)

    def step(self, milliseconds: float = 10) -> None:
        """Moves on so far at most, and lets the link do its part, 1 ms after each frame."""
        board = self.board
        if self._answers:
            milliseconds = min(milliseconds, max(0.1, self._answers[0][0] - self.now))
        board.run(round(milliseconds * MS), arrived=self._written)
        if self._port is None:
            self.link.tick(self.now)
            return
        data = self._port.read(board.sent - self._read)
        self._read += len(data)
        assert self._read == board.sent, "bytes were lost between the simulator and the port"
        for press in self.link.receive(data, self.now):
            self.presses.append((board.cycle, press))
        self.link.tick(self.now)
        answer = self.link.take_outgoing()
        if answer:
            self._answers.append((self.now + self.delay_ms, answer))
        while self._answers and self._answers[0][0] <= self.now:
            self.send(self._answers.pop(0)[1])

    def run_ms(self, milliseconds: float) -> None:
        end = self.board.cycle + round(milliseconds * MS)
        while self.board.cycle < end:
            self.step(min(10, (end - self.board.cycle) / MS))

    def until(self, done: Callable[[], bool], *, within_ms: int) -> None:
        """Runs until something is so; fails where it is not in time."""
        end = self.now + within_ms
        while not done():
            assert self.now < end, f"not within {within_ms} ms; the link says {self.link.report}"
            self.step(5)

    def greet(self) -> None:
        """Runs until the link is up and its lamps are shown."""
        self.until(lambda: self.link.report.state is LinkState.UP, within_ms=3000)
        self.run_ms(60)
