"""The companion's end of the link: bytes and time in, presses and answers out; no port and no clock.

The board speaks first, each time; this end answers with one frame, or is silent. So the board knows when
nothing can be on its way to it, and that is when it writes its pixels.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from engine.lamps import ButtonPressed
from firmware_bridge.codec import Decoder, MessageError, hello_version
from firmware_bridge.lamps import BUTTONS, Shown
from firmware_bridge.messages import Ask, Beat, Hello, Lamps, Status, Welcome, read, write
from firmware_bridge.protocol import protocol

PATIENCE_MS: Final = 5000
"""How long an open line may be without a HELLO until it is said: a board takes two seconds to start."""


class LinkState(Enum):
    """How it stands with the board."""

    ABSENT = "absent"
    REFUSED = "refused"
    WAITING = "waiting"
    UP = "up"
    SILENT = "silent"
    WRONG_VERSION = "wrong_version"
    WRONG_BOARD = "wrong_board"


_HINTS: Final = {
    LinkState.ABSENT: (
        "Placa nu este conectată; jocul continuă de pe pagină. Verificați cablul USB.",
        "The board is not connected; the game goes on by hand on the page. Check the USB cable.",
    ),
    LinkState.REFUSED: (
        "Portul plăcii nu poate fi deschis ({why}). Îl ține alt program, sau vă lipsește grupul dialout.",
        "The board's port cannot be opened ({why}). Another program holds it, or you lack the group dialout.",
    ),
    LinkState.SILENT: (
        "Placa nu răspunde; scoateți cablul și puneți-l la loc. Pentru o placă nouă: remi firmware flash",
        "The board does not answer; unplug it and plug it in again. Program a new one: remi firmware flash",
    ),
    LinkState.WRONG_VERSION: (
        "Placa are protocolul {theirs}, programul protocolul {ours}. Reprogramați placa: remi firmware flash",
        "The board has protocol {theirs}, this program {ours}. Program the board anew: remi firmware flash",
    ),
    LinkState.WRONG_BOARD: (
        "Placa are alt număr de locuri sau de butoane. Reprogramați placa: remi firmware flash",
        "The board has another number of seats or buttons. Program it anew: remi firmware flash",
    ),
}


@dataclass(frozen=True, slots=True)
class LinkReport:
    """How it stands with the board, for the page; the hints say what to do, empty where all is well."""

    state: LinkState
    hint_ro: str = ""
    hint_en: str = ""
    board: Hello | None = None
    bad_frames: int = 0
    """Stretches on the line that were no frame, since the line was opened."""


class Link:
    """A companion's link to its board, however often the line is opened; times in ms."""

    def __init__(self) -> None:
        self._state = LinkState.ABSENT
        self._decoder = Decoder()
        self._heard = 0
        self._hello: Hello | None = None
        self._other_version = 0
        self._why = ""
        self._epoch: int | None = None
        self._seen: tuple[int, ...] = ()
        self._numbers = [0] * (protocol().seats * protocol().buttons)
        self._wanted: Shown | None = None
        self._seq = 0
        self._outgoing = b""

    @property
    def report(self) -> LinkReport:
        """How it stands now."""
        hint_ro, hint_en = self._hints()
        return LinkReport(self._state, hint_ro, hint_en, self._hello, self._decoder.bad)

    def opened(self, now: int) -> None:
        """The line was opened; who is at its other end is not known until it says HELLO."""
        self._state = LinkState.WAITING
        self._decoder = Decoder()
        self._heard = now
        self._hello = None
        self._outgoing = b""

    def closed(self) -> None:
        """The line is gone. What was counted is remembered for when it comes back."""
        self._state = LinkState.ABSENT
        self._hello = None
        self._outgoing = b""

    def refused(self, why: str) -> None:
        """The line is there, and could not be opened."""
        self.closed()
        self._state = LinkState.REFUSED
        self._why = why

    def show(self, shown: Shown) -> None:
        """What the board is to show from now on; it is sent until the board says that it shows it."""
        if shown == self._wanted:
            return
        self._wanted = shown
        self._seq = self._seq % 255 + 1

    def tick(self, now: int) -> None:
        """Notices silence."""
        patience = protocol().times["board_lost"] if self._state is LinkState.UP else PATIENCE_MS
        if self._state in (LinkState.UP, LinkState.WAITING) and now - self._heard >= patience:
            self._state = LinkState.SILENT
            self._outgoing = b""

    def receive(self, data: bytes, now: int) -> list[ButtonPressed]:
        """Takes what came over the line, of any length; `take_outgoing` then has the answer."""
        presses: list[ButtonPressed] = []
        for raw in self._decoder.take(data):
            version = hello_version(raw)
            if version is not None and version != protocol().version:
                self._state = LinkState.WRONG_VERSION
                self._other_version = version
                self._hello = None
                self._outgoing = b""
                continue
            try:
                message = read(raw)
            except MessageError:
                continue
            if isinstance(message, Hello):
                presses += self._greeted(message, now)
            elif isinstance(message, Status):
                presses += self._told(message, now)
        return presses

    def take_outgoing(self) -> bytes:
        """The answer to what the board said last; empty when there is none, or it was taken before."""
        outgoing = self._outgoing
        self._outgoing = b""
        return outgoing

    def _greeted(self, hello: Hello, now: int) -> list[ButtonPressed]:
        table = protocol()
        self._hello = hello
        self._heard = now
        if (hello.seats, hello.buttons) != (table.seats, table.buttons):
            self._state = LinkState.WRONG_BOARD
            return []
        if hello.epoch != self._epoch:
            # Counters that began anew, or a board not met before: what no companion has taken over is new.
            self._epoch = hello.epoch
            self._seen = hello.acked
        self._state = LinkState.UP
        self._outgoing = write(Welcome(hello.seq, table.version))
        return self._count(hello.counts, late=True)

    def _told(self, status: Status, now: int) -> list[ButtonPressed]:
        if self._state is LinkState.WRONG_VERSION or self._state is LinkState.WRONG_BOARD:
            return []
        if self._hello is None:
            # The board goes on from before this companion was started.
            self._outgoing = write(Ask())
            return []
        self._state = LinkState.UP
        self._heard = now
        if self._wanted is None or status.lamps == self._seq:
            self._outgoing = write(Beat(status.seq))
        else:
            wanted = self._wanted
            self._outgoing = write(
                Lamps(status.seq, self._seq, wanted.brightness, wanted.sound, wanted.sound_seq, wanted.lamps)
            )
        return self._count(status.counts, late=False)

    def _count(self, counts: tuple[int, ...], *, late: bool) -> list[ButtonPressed]:
        """The presses between what was seen and these counts."""
        buttons = len(BUTTONS)
        presses = []
        for place, (count, seen) in enumerate(zip(counts, self._seen, strict=True)):
            for _ in range((count - seen) % 256):
                self._numbers[place] += 1
                presses.append(
                    ButtonPressed(place // buttons, BUTTONS[place % buttons], self._numbers[place], late)
                )
        self._seen = counts
        return presses

    def _hints(self) -> tuple[str, str]:
        hints = _HINTS.get(self._state, ("", ""))
        facts = {"theirs": self._other_version, "ours": protocol().version, "why": self._why}
        return hints[0].format(**facts), hints[1].format(**facts)


def moved(presses: list[ButtonPressed], seats: dict[int, int]) -> list[ButtonPressed]:
    """The presses by seats of the game instead of places of the board, without those at unused places."""
    return [replace(press, seat=seats[press.seat]) for press in presses if press.seat in seats]
