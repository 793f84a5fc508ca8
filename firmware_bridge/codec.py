"""Frames on the line and the messages in them; bytes in, messages out, no port anywhere.

    00 | L | COBS(message) | C0 C1 C2 | 00

The checksum covers the bytes as they go over the line: taken over the message, it would miss a few of the
flipped bits that hit a byte of the COBS code and so move a zero. protocol.toml says what L and C are.
"""

from __future__ import annotations

from binascii import crc_hqx
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from firmware_bridge.protocol import protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware_bridge.protocol import Message

CRC_START: Final = 0xFFFF
"""With polynomial 0x1021, as in `crc_hqx`, this is CRC-16/IBM-3740."""

Lamp = tuple[int, int, int]
"""Pattern, colour and level of one seat, as they go over the line."""
Value = int | tuple[int, ...] | tuple[Lamp, ...]
Values = dict[str, Value]


class MessageError(ValueError):
    """A message that this version does not know, or of another length than it should have."""


def cobs(message: bytes) -> bytes:
    """The message without a zero byte and one byte longer; for messages below 254 bytes.

    >>> cobs(bytes([1, 0, 2])).hex()
    '02010202'
    """
    if len(message) >= 254:
        raise ValueError(f"a message has at most 253 bytes, not {len(message)}")
    return b"".join(bytes([len(block) + 1]) + block for block in message.split(b"\0"))


def uncobs(body: bytes) -> bytes | None:
    """What `cobs` was given; None where these bytes cannot be its result."""
    blocks = []
    place = 0
    while place < len(body):
        length = body[place]
        if length == 0 or place + length > len(body):
            return None
        blocks.append(body[place + 1 : place + length])
        place += length
    return b"\0".join(blocks) if blocks else None


def frame(message: bytes) -> bytes:
    """The message as it goes over the line; ValueError where it is empty or too long."""
    longest = protocol().max_body - 1
    if not 1 <= len(message) <= longest:
        raise ValueError(f"a message has 1 to {longest} bytes, not {len(message)}")
    body = cobs(message)
    start = bytes([0x80 | (len(body) + 3)]) + body
    return b"\0" + start + _checksum(start) + b"\0"


def _checksum(data: bytes) -> bytes:
    crc = crc_hqx(data, CRC_START)
    return bytes([0x80 | crc & 0x7F, 0x80 | crc >> 7 & 0x7F, 0x80 | crc >> 14])


def unframe(data: bytes) -> bytes | None:
    """The message between two zero bytes; None where it is no frame."""
    if len(data) < 6 or data[0] != 0x80 | (len(data) - 1) or _checksum(data[:-3]) != data[-3:]:
        return None
    return uncobs(data[1:-3])


@dataclass(slots=True)
class Decoder:
    """Takes the line as it comes, in pieces of any size; `bad` counts what was no frame."""

    bad: int = 0
    _held: bytearray = field(default_factory=bytearray)
    _too_long: bool = False

    def take(self, data: bytes) -> list[bytes]:
        """The messages that these bytes complete."""
        longest = protocol().max_body + 4
        messages = []
        pieces = data.split(b"\0")
        for number, piece in enumerate(pieces):
            room = longest - len(self._held)
            self._too_long |= len(piece) > room
            self._held += piece[:room]
            if number == len(pieces) - 1:
                break  # no zero yet
            if self._held:
                message = None if self._too_long else unframe(bytes(self._held))
                if message is None:
                    self.bad += 1
                else:
                    messages.append(message)
            self._held.clear()
            self._too_long = False
        return messages


def pack(name: str, values: Mapping[str, Value]) -> bytes:
    """A message of that name as bytes; ValueError for missing, unknown or unfitting values.

    >>> pack("BEAT", {"ack": 7}).hex()
    '1307'
    """
    kind = protocol().messages[name]
    if set(values) != {known.name for known in kind.fields}:
        raise ValueError(
            f"{name} has the fields {', '.join(known.name for known in kind.fields)}, not {', '.join(values)}"
        )
    parts = [bytes([kind.type])]
    for known in kind.fields:
        value = values[known.name]
        many = value if isinstance(value, tuple) else (value,)
        if len(many) != max(1, known.times):
            raise ValueError(f"{name}.{known.name} has {max(1, known.times)} values, not {len(many)}")
        size = known.size // len(many)
        for one in many:
            parts.append(bytes(one) if isinstance(one, tuple) else one.to_bytes(size, "little"))
            if len(parts[-1]) != size:
                raise ValueError(f"{name}.{known.name}: {one} has not {size} parts")
    return b"".join(parts)


def unpack(message: bytes) -> tuple[str, Values]:
    """The name of a message and its values; MessageError where it is none of this version."""
    kind = next((known for known in protocol().messages.values() if known.type == message[0]), None)
    if kind is None:
        raise MessageError(f"no message begins with {message[0]}")
    if len(message) != kind.size:
        raise MessageError(f"{kind.name} has {kind.size} bytes, not {len(message)}")
    return kind.name, _values(kind, message)


def _values(kind: Message, message: bytes) -> Values:
    values: Values = {}
    place = 1
    for known in kind.fields:
        data = message[place : place + known.size]
        place += known.size
        if known.kind == "lamp":
            values[known.name] = tuple((data[i], data[i + 1], data[i + 2]) for i in range(0, len(data), 3))
        else:
            size = known.size // max(1, known.times)
            numbers = tuple(int.from_bytes(data[i : i + size], "little") for i in range(0, len(data), size))
            values[known.name] = numbers if known.times else numbers[0]
    return values


def hello_version(message: bytes) -> int | None:
    """The version in a HELLO of any version; None for another message."""
    hello = protocol().messages["HELLO"]
    return message[2] if len(message) > 2 and message[0] == hello.type else None
