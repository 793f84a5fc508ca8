"""The messages as values with names, for the two ends of the line."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from firmware_bridge.codec import Lamp, frame, pack, unpack

if TYPE_CHECKING:
    from typing import Any

DARK: Lamp = (0, 0, 0)


@dataclass(frozen=True, slots=True)
class Hello:
    """Who the board is, and what it has counted."""

    seq: int
    version: int
    firmware: int
    capabilities: int
    seats: int
    buttons: int
    pixels: int
    epoch: int
    resets: int
    counts: tuple[int, ...]
    acked: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Status:
    """What the board knows; also its heartbeat."""

    seq: int
    lamps: int
    flags: int
    bad_frames: int
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Welcome:
    """The answer to HELLO."""

    ack: int
    version: int


@dataclass(frozen=True, slots=True)
class Lamps:
    """Everything the board is to show."""

    ack: int
    seq: int
    brightness: int
    sound: int
    sound_seq: int
    lamps: tuple[Lamp, ...]


@dataclass(frozen=True, slots=True)
class Beat:
    """The answer where nothing is to be changed."""

    ack: int


@dataclass(frozen=True, slots=True)
class Ask:
    """Asks for HELLO."""


AnyMessage = Hello | Status | Welcome | Lamps | Beat | Ask
_KINDS: dict[str, type[AnyMessage]] = {
    "HELLO": Hello,
    "STATUS": Status,
    "WELCOME": Welcome,
    "LAMPS": Lamps,
    "BEAT": Beat,
    "ASK": Ask,
}


def write(message: AnyMessage) -> bytes:
    """The message as a frame on the line."""
    return frame(pack(type(message).__name__.upper(), asdict(message)))


def read(data: bytes) -> AnyMessage:
    """The message in these bytes; MessageError where they are none of this version."""
    name, values = unpack(data)
    fields: dict[str, Any] = values
    return _KINDS[name](**fields)
