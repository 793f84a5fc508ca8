"""The software board at the end of a pseudo terminal, so that a program can open it like a real port."""

from __future__ import annotations

import os
import select
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Self

from firmware_bridge.software_board import SoftwareBoard

if TYPE_CHECKING:
    from types import TracebackType


class PtyBoard:
    """A software board and the pseudo terminal that it hangs on; `path` is what a program opens."""

    def __init__(self, board: SoftwareBoard | None = None) -> None:
        """Opens the pseudo terminal; OSError where the system has none."""
        import pty
        import tty

        self.board = board or SoftwareBoard()
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)
        self._start = time.monotonic_ns()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Unplugs the board."""
        for descriptor in (self._master, self._slave):
            if descriptor >= 0:
                os.close(descriptor)
        self._master = self._slave = -1

    @property
    def now(self) -> int:
        """Milliseconds since the board was started."""
        return (time.monotonic_ns() - self._start) // 1_000_000

    def press(self, button: int) -> None:
        """Presses a button, 0 to 11."""
        self.board.press(button, self.now)

    def turn_over(self, seconds: float = 0.005) -> None:
        """Lets the board live for a moment: takes what has come, and says what it has to say."""
        ready, _, _ = select.select([self._master], [], [], seconds)
        if ready:
            self.board.receive(os.read(self._master, 4096), self.now)
        self.board.tick(self.now)
        spoken = self.board.speak(self.now)
        if spoken:
            with suppress(BlockingIOError):  # nobody reads: lost, as on a real line
                os.write(self._master, spoken)
