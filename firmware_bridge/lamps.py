"""From what the lamps say to the frame the board shows: patterns, colours, brightness, sound, quiet hours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import time
from typing import TYPE_CHECKING, Final

from engine.lamps import Button, LampSign, Sign
from firmware_bridge.messages import DARK
from firmware_bridge.protocol import protocol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from firmware_bridge.codec import Lamp

LOOKS: Final = {
    Sign.OFF: ("off", "white"),
    Sign.TURN: ("steady", "green"),
    Sign.HURRY: ("hurry", "amber"),
    Sign.ILLEGAL: ("flash", "vermilion"),
    Sign.DOUBT: ("alternate", "sky"),
    Sign.PAUSE: ("breathe", "white"),
    Sign.WINNER: ("chase", "green"),
    Sign.CALL: ("blink", "purple"),
}
"""Pattern and colour of each sign. No pattern stands for two of them: it is told without seeing colours."""

SOUNDS: Final = {Sign.TURN: "turn", Sign.ILLEGAL: "wrong", Sign.CALL: "call", Sign.WINNER: "winner"}
"""What is heard when a sign appears."""

_LOUDEST: Final = (Sign.WINNER, Sign.CALL, Sign.ILLEGAL, Sign.TURN)
"""Of several that appear at once, the first is heard."""

BUTTONS: Final = (Button.END_TURN, Button.ANNOUNCE, Button.CALL)
"""The buttons of a seat in the order of the board's pins."""


@dataclass(frozen=True, slots=True)
class QuietHours:
    """From when to when it is quiet, over midnight too; `begins` equal to `ends` is never."""

    begins: time = time(22)
    ends: time = time(8)

    def at(self, now: time) -> bool:
        """Whether it is quiet at this time of the day."""
        if self.begins <= self.ends:
            return self.begins <= now < self.ends
        return now >= self.begins or now < self.ends


@dataclass(frozen=True, slots=True)
class LampSettings:
    """How the board shows things; brightness is 0 to 255.

    `places` says at which place of the board each seat sits. 32 pixels at 64 of 255 are about what a USB port
    can feed.
    """

    brightness: int = 64
    quiet_brightness: int = 16
    sound: bool = True
    quiet: QuietHours = QuietHours(time(22), time(8))
    places: tuple[int, ...] = (0, 1, 2, 3)

    def __post_init__(self) -> None:
        for name in ("brightness", "quiet_brightness"):
            if not 0 <= getattr(self, name) <= 255:
                raise ValueError(f"{name} is 0 to 255, not {getattr(self, name)}")
        seats = protocol().seats
        if len(set(self.places)) != len(self.places) or not set(self.places) <= set(range(seats)):
            raise ValueError(f"places names each of 0 to {seats - 1} at most once, not {self.places}")


@dataclass(frozen=True, slots=True)
class Shown:
    """A whole picture for the board; the sound is played when `sound_seq` changes."""

    lamps: tuple[Lamp, ...] = (DARK,) * 4
    brightness: int = 64
    sound: int = 0
    sound_seq: int = 0


def picture(
    signs: Sequence[LampSign],
    before: Sequence[LampSign] = (),
    *,
    settings: LampSettings | None = None,
    now: time | None = None,
    last: Shown | None = None,
) -> Shown:
    """The picture for these signs; `before` are the last ones and `last` their picture: what is new is heard.

    `now` is the time of the day, without it there are no quiet hours. ValueError for more seats than places.
    """
    settings = settings or LampSettings()
    if len(signs) > len(settings.places):
        raise ValueError(f"{len(signs)} seats, but the board has places for {len(settings.places)}")
    quiet = now is not None and settings.quiet.at(now)
    lamps = [DARK] * protocol().seats
    for place, sign in zip(settings.places, signs, strict=False):
        lamps[place] = lamp(sign)
    shown = Shown(
        tuple(lamps),
        settings.quiet_brightness if quiet else settings.brightness,
        last.sound if last else 0,
        last.sound_seq if last else 0,
    )
    heard = _heard(signs, before)
    if heard is None or quiet or not settings.sound:
        return shown
    return replace(shown, sound=heard, sound_seq=(shown.sound_seq + 1) % 256)


def lamp(sign: LampSign) -> Lamp:
    """Pattern, colour and level of one sign."""
    table = protocol()
    pattern, colour = LOOKS[sign.sign]
    if sign.sign is Sign.TURN and sign.left is not None:
        pattern = "gauge"
    # Coarse, so that a clock that runs sends a new picture a few times a second at most.
    level = 255 if sign.left is None else min(255, round(sign.left * 64) * 4)
    return table.patterns[pattern], table.colour_number(colour), level


def _heard(signs: Sequence[LampSign], before: Sequence[LampSign]) -> int | None:
    """The number of the sound for what has newly appeared."""
    old = [sign.sign for sign in before] + [Sign.OFF] * len(signs)
    new = {sign.sign for sign, was in zip(signs, old, strict=False) if sign.sign is not was}
    if Sign.HURRY in old:
        # The clock was set right; nobody's turn has begun.
        new -= {Sign.TURN} if _turn_of(signs) == _turn_of(before) else set()
    loudest = next((sign for sign in _LOUDEST if sign in new), None)
    return None if loudest is None else protocol().sound_number(SOUNDS[loudest])


def _turn_of(signs: Sequence[LampSign]) -> int | None:
    return next((seat for seat, sign in enumerate(signs) if sign.sign in (Sign.TURN, Sign.HURRY)), None)
