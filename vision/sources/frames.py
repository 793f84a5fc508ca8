"""What every source of frames gives: frames with time and number, and how it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, Self

from calibration.errors import HintedError

if TYPE_CHECKING:
    from types import TracebackType

    from vision.pictures import Pixels
    from vision.sources.health import Health


class SourceError(HintedError):
    """A source that cannot be used: `code`, and what is wrong and what helps, in English and Romanian."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture of a source: BGR pixels that must not be written to, seconds on a monotonic clock, number
    from 1.

    Numbers go up by one with each frame that the source gave, also across a reopening.
    """

    pixels: Pixels
    time: float
    number: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.pixels.shape[1], self.pixels.shape[0]


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting of a camera that is to stay as it is: what was asked for, what was read back, whether it
    holds.
    """

    name: str
    wanted: float | None
    got: float | None
    locked: bool


@dataclass(frozen=True, slots=True)
class Status:
    """How a source is: frame size (None before the first frame), frames a second as measured, health,
    settings.
    """

    address: str
    size: tuple[int, int] | None
    rate: float
    health: Health
    settings: tuple[Setting, ...] = ()


class FrameSource(Protocol):
    """A running source of frames; used in a `with` statement, or closed by hand."""

    def status(self) -> Status:
        """How the source is now."""
        ...

    def latest(self) -> Frame | None:
        """The newest frame, at once; None before the first."""
        ...

    def wait(self, *, after: int, timeout: float) -> Frame | None:
        """The newest frame with a number over `after`, waiting for it up to `timeout` seconds; None
        without.
        """
        ...

    def close(self) -> None:
        """Stops the source and waits for its thread to end."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class Capture(Protocol):
    """An open device, stream or file, at the one seam where pictures come in from outside."""

    settings: tuple[Setting, ...]
    """What was locked when it was opened."""

    def read(self) -> Pixels | None:
        """The next picture; None at the end, or where none came in time."""
        ...

    def close(self) -> None:
        """Lets go of the device."""
        ...
