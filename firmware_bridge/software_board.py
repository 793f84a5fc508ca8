"""A board made of software, to try things without one: it does what `firmware/core/board.cpp` does."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from firmware_bridge.codec import Decoder, MessageError
from firmware_bridge.messages import DARK, Ask, Beat, Hello, Lamps, Status, Welcome, read, write
from firmware_bridge.patterns import plain_on, render
from firmware_bridge.protocol import protocol

if TYPE_CHECKING:
    from firmware_bridge.codec import Lamp

FIRMWARE: Final = 1
_REMEMBERED: Final = 8
"""Reports whose answer is still taken."""
_BUTTONS: Final = 12
_FIRST_BRIGHTNESS: Final = 32


@dataclass(slots=True)
class Counters:
    """What outlives a reset."""

    epoch: int = 1
    held: int = 0
    resets: int = 0
    counts: list[int] = field(default_factory=lambda: [0] * _BUTTONS)
    acked: list[int] = field(default_factory=lambda: [0] * _BUTTONS)


class SoftwareBoard:
    """The board. Times are milliseconds since its start; `seats` are its four places."""

    def __init__(
        self, counters: Counters | None = None, *, version: int | None = None, pixels: bool = True
    ) -> None:
        """Starts with the counters that an earlier run has left, or with new ones."""
        table = protocol()
        self.counters = counters or Counters()
        self.up = False
        self._version = table.version if version is None else version
        capabilities = table.capabilities
        self._capabilities = capabilities["buzzer"] | (capabilities["pixels"] if pixels else 0)
        self._decoder = Decoder()
        self._lost_before = False
        self._speak_now = True
        self._hello_asked = False
        self._awaiting = False
        self._spoke = self._heard = self._brisk_until = 0
        self._seq = self._acked_seq = 0
        self._reported = [[0] * _BUTTONS for _ in range(_REMEMBERED)]
        self._lamps_seq = 0
        self.brightness = _FIRST_BRIGHTNESS
        self._lamps: list[Lamp] = [DARK] * table.seats
        self._since = [0] * table.seats
        self._no_host_since = 0
        self._press_at: dict[int, int] = {}
        self._sound_seq: int | None = None
        self._sound = 0
        self._sound_since: int | None = None

    def tick(self, now: int) -> None:
        """Once a millisecond, or as often as may be."""
        times = protocol().times
        if self._awaiting and now - self._spoke >= times["answer"]:
            self._awaiting = False
        if self.up and now - self._heard >= times["host_lost"]:
            self.up = False
            self._lost_before = self._speak_now = True
            self._awaiting = False
            self._no_host_since = now
        for seat, at in list(self._press_at.items()):
            if now - at >= times["press_shown"]:
                del self._press_at[seat]

    def receive(self, data: bytes, now: int) -> None:
        """Takes what the companion sends."""
        for raw in self._decoder.take(data):
            try:
                message = read(raw)
            except MessageError:
                continue
            match message:
                case Ask():
                    self._hello_asked = self._speak_now = True
                    self._awaiting = False
                case Welcome(version=self._version):
                    self._acknowledge(message.ack)
                    self._heard = now
                    self._speak_now = self.up = True
                    self._lamps_seq = 0
                    self._sound_seq = None
                case Lamps() if self.up:
                    self._acknowledge(message.ack)
                    self._heard = now
                    self._show(message, now)
                case Beat() if self.up:
                    self._acknowledge(message.ack)
                    self._heard = now
                case _:
                    pass

    def press(self, button: int, now: int) -> None:
        """A button has gone down, 0 to 11, seat by seat."""
        times = protocol().times
        self._press_at[button // protocol().buttons] = now
        counters = self.counters
        if (counters.counts[button] - counters.acked[button]) % 256 == 255:
            return
        counters.counts[button] = (counters.counts[button] + 1) % 256
        if self.up:
            self._speak_now = True
            self._brisk_until = now + times["brisk_for"]

    def speak(self, now: int) -> bytes:
        """The frame that is to be sent now; empty for none."""
        times = protocol().times
        pause = times["hello"]
        if self.up:
            pause = times["brisk"] if now < self._brisk_until else times["status"]
        if self._awaiting or (not self._speak_now and now - self._spoke < pause):
            return b""
        counters = self.counters
        self._seq = (self._seq + 1) % 256
        self._reported[self._seq % _REMEMBERED] = list(counters.counts)
        self._spoke = now
        self._speak_now = False
        self._awaiting = True
        counts = tuple(counters.counts)
        if self.up and not self._hello_asked:
            flags = protocol().flags["host_was_lost"] if self._lost_before else 0
            self._lost_before = False
            return write(Status(self._seq, self._lamps_seq, flags, self._decoder.bad % 256, counts))
        self._hello_asked = False
        self._acked_seq = (self._seq - 1) % 256
        table = protocol()
        return write(
            Hello(
                self._seq,
                self._version,
                FIRMWARE,
                self._capabilities,
                table.seats,
                table.buttons,
                table.pixels if self._capabilities & table.capabilities["pixels"] else 1,
                counters.epoch,
                counters.resets,
                counts,
                tuple(counters.acked),
            )
        )

    def lamp(self, seat: int) -> Lamp:
        """What the seat's lamp shows, a press or a lost host included."""
        table = protocol()
        white, amber = table.colour_number("white"), table.colour_number("amber")
        if seat in self._press_at:
            return table.patterns["steady"], amber if self.up and self._lamps[seat][1] == white else white, 0
        return self._lamps[seat] if self.up else (table.patterns["no_host"], white, 0)

    def picture(self, seat: int, now: int) -> bytes:
        """The seat's pixels: green, red, blue of each."""
        return render(self.lamp(seat), self._shown_for(seat, now), brightness=self.brightness)

    def plain(self, seat: int, now: int) -> bool:
        """Whether the seat's plain LED is on."""
        return plain_on(self.lamp(seat), self._shown_for(seat, now))

    def tone(self, now: int) -> int:
        """The tone of the buzzer in hertz, 0 for silence."""
        if self._sound_since is None:
            return 0
        begins = self._sound_since
        for hertz, milliseconds in list(protocol().sounds.values())[self._sound]:
            if now - begins < milliseconds:
                return hertz
            begins += milliseconds
        self._sound_since = None
        return 0

    def _shown_for(self, seat: int, now: int) -> int:
        return now - (self._since[seat] if self.up else self._no_host_since)

    def _acknowledge(self, seq: int) -> None:
        if seq == self._seq:
            self._awaiting = False
        if (self._seq - seq) % 256 >= _REMEMBERED or (seq - self._acked_seq) % 256 >= 128:
            return
        self._acked_seq = seq
        self.counters.acked = list(self._reported[seq % _REMEMBERED])

    def _show(self, message: Lamps, now: int) -> None:
        if message.seq == self._lamps_seq:
            return
        self._lamps_seq = message.seq
        self.brightness = message.brightness
        for seat, lamp in enumerate(message.lamps):
            if self._lamps[seat][0] != lamp[0]:
                self._since[seat] = now
            self._lamps[seat] = lamp
        known = self._sound_seq is not None and message.sound < len(protocol().sounds)
        if known and message.sound_seq != self._sound_seq:
            self._sound = message.sound
            self._sound_since = now
        self._sound_seq = message.sound_seq
