"""A virtual table as a camera: frames in their time, or as fast as they are read."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from vision.sources.frames import Setting as CameraSetting
from vision.sources.frames import SourceError
from vision.synth.fonts import FontsMissingError
from vision.synth.looks import STYLES
from vision.virtual.idle import Idle
from vision.virtual.setting import SIZES, draw_setting
from vision.virtual.table import VirtualTable

if TYPE_CHECKING:
    from vision.pictures import Pixels
    from vision.synth.fonts import Split

Script = Callable[[VirtualTable, float], None]
"""Called before every frame with its time: it plans what is to happen."""

RATE: Final = 15.0
"""Frames a second."""


class VirtualCapture:
    """Frames of a table, as a `Capture`; `rate` in frames a second.

    They come in real time unless `simulated`: then each is `1 / rate` seconds after the one before and comes
    at once. The table's time goes on from what it was.
    """

    def __init__(
        self,
        table: VirtualTable,
        *,
        rate: float = RATE,
        simulated: bool = False,
        script: Script | None = None,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        if rate <= 0:
            raise ValueError(f"a camera has more than {rate:g} frames a second")
        self.settings: tuple[CameraSetting, ...] = ()
        self._table = table
        self._step = 1.0 / rate
        self._simulated = simulated
        self._script = script
        self._clock = clock
        self._wait = wait
        self._from = table.now
        self._opened = clock()
        self._next = 0.0  # seconds after opening
        self._closed = False

    def read(self) -> Pixels | None:
        """The next frame in BGR; None once it is closed."""
        if self._closed:
            return None
        after = self._next
        if not self._simulated:
            passed = self._clock() - self._opened
            if passed < after:
                self._wait(after - passed)
            after = max(after, self._clock() - self._opened)
        self._next = after + self._step
        moment = self._from + after
        if self._script is not None:
            self._script(self._table, moment)
        return self._table.frame(moment)

    def close(self) -> None:
        """Ends it."""
        self._closed = True


@dataclass(frozen=True, slots=True)
class Options:
    """What an address says of a virtual table."""

    seed: int = 0
    seats: int = 4
    size: tuple[int, int] = SIZES["1080p"]
    split: Split = "train"
    style: str | None = None
    lean: float | None = None
    rate: float = RATE


def parse_options(text: str, *, seats: int = 4) -> Options:
    """The options of `seed=3,seats=4,size=1080p`; SourceError (`virtual_option`) names what is not one.

    `seats` holds where the text names none.
    """
    found: dict[str, str] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = part.partition("=")
        found[name.strip()] = value.strip()
    readers: dict[str, Callable[[str], object]] = {
        "seed": lambda value: _number(value, 0, 2**31 - 1),
        "seats": lambda value: _number(value, 2, 4),
        "size": _size,
        "split": lambda value: _one_of(value, ("train", "heldout")),
        "style": lambda value: _one_of(value, tuple(STYLES)),
        "lean": lambda value: float(_number(value, 20, 80)),
        "rate": lambda value: float(_number(value, 1, 60)),
    }
    given: dict[str, object] = {"seats": seats}
    for name, value in found.items():
        reader = readers.get(name)
        try:
            if reader is None:
                raise ValueError(", ".join(readers))
            given[name] = reader(value)
        except ValueError as error:
            raise _refused(f"{name}={value}" if reader else name, str(error)) from error
    return Options(**given)  # type: ignore[arg-type]


def open_table(text: str, *, seats: int = 4) -> tuple[VirtualTable, float]:
    """The table of an address's options, and its rate; SourceError (`no_fonts`) where fonts are missing.

    It has `seats` places where the text names no other number.
    """
    options = parse_options(text, seats=seats)
    try:
        setting = draw_setting(
            options.seed,
            seats=options.seats,
            size=options.size,
            split=options.split,
            style=options.style,
            lean=options.lean,
        )
        return VirtualTable(setting), options.rate
    except FontsMissingError as error:
        raise SourceError(
            "no_fonts",
            hint_en=f"The virtual table draws its tiles with fonts that are not installed. {error}",
            hint_ro="Masa virtuală desenează piesele cu fonturi care nu sunt instalate. Pe Debian se "
            f"instalează cu apt-get: {error}",
        ) from error


def capture_of(table: VirtualTable, *, rate: float = RATE, idle: bool = False) -> VirtualCapture:
    """A capture in real time; with `idle` the table plays by itself."""
    return VirtualCapture(table, rate=rate, script=Idle() if idle else None)


def _size(value: str) -> tuple[int, int]:
    if value.lower() in SIZES:
        return SIZES[value.lower()]
    sides = re.fullmatch(r"(\d+)x(\d+)", value)
    if sides is None:
        raise ValueError(f"{', '.join(SIZES)}, 1280x720")
    return _number(sides[1], 320, 7680), _number(sides[2], 180, 4320)


def _number(value: str, low: int, high: int) -> int:
    if not value.isdecimal() or not low <= int(value) <= high:
        raise ValueError(f"{low}–{high}")
    return int(value)


def _one_of(value: str, names: tuple[str, ...]) -> str:
    if value not in names:
        raise ValueError(", ".join(names))
    return value


def _refused(what: str, allowed: str) -> SourceError:
    return SourceError(
        "virtual_option",
        hint_en=f"virtual: does not understand {what}; it can be {allowed}. An example: "
        "virtual:seed=3,seats=4,size=1080p",
        hint_ro=f"virtual: nu înțelege {what}; poate fi {allowed}. Un exemplu: "
        "virtual:seed=3,seats=4,size=1080p",
    )
