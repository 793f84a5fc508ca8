"""The protocol as declared in `protocol.toml`: its messages, times, patterns, colours and sounds."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

Sender = Literal["board", "host"]
Rgb = tuple[int, int, int]
Tone = tuple[int, int]
"""Hertz (0 is silence) and milliseconds."""

SIZES: Final = {"u8": 1, "u16": 2, "u32": 4, "lamp": 3}
"""Bytes of each kind of field."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a message; `times` is how many stand one after the other, 0 for a single value."""

    name: str
    kind: str
    times: int = 0
    doc: str = ""

    @property
    def size(self) -> int:
        """Its bytes."""
        return SIZES[self.kind] * max(1, self.times)


@dataclass(frozen=True, slots=True)
class Message:
    """A kind of message: the byte it begins with, who sends it, its fields in order."""

    name: str
    type: int
    sender: Sender
    doc: str
    fields: tuple[Field, ...]

    @property
    def size(self) -> int:
        """Its bytes, the one for its type included."""
        return 1 + sum(field.size for field in self.fields)


@dataclass(frozen=True, slots=True)
class Protocol:
    """Everything that `protocol.toml` declares; times are in milliseconds."""

    version: int
    baud: int
    max_body: int
    seats: int
    buttons: int
    pixels: int
    times: Mapping[str, int]
    capabilities: Mapping[str, int]
    flags: Mapping[str, int]
    messages: Mapping[str, Message]
    patterns: Mapping[str, int]
    colours: Mapping[str, Rgb]
    sounds: Mapping[str, tuple[Tone, ...]]

    def colour_number(self, name: str) -> int:
        """The number by which a colour goes over the line."""
        return list(self.colours).index(name)

    def sound_number(self, name: str) -> int:
        """The number by which a sound goes over the line."""
        return list(self.sounds).index(name)


@cache
def protocol() -> Protocol:
    """The protocol of this version."""
    text = (files("firmware_bridge") / "protocol.toml").read_text(encoding="utf-8")
    return read_protocol(tomllib.loads(text))


def read_protocol(table: Mapping[str, Any]) -> Protocol:
    """The protocol that a table declares; ValueError names what is wrong in it."""
    messages = {entry["name"]: _message(entry) for entry in table["message"]}
    if len({message.type for message in messages.values()}) != len(table["message"]):
        raise ValueError("protocol.toml: two messages have the same type or name; each needs its own")
    for message in messages.values():
        if message.size >= table["max_body"]:
            raise ValueError(
                f"protocol.toml: {message.name} has {message.size} bytes, which with its COBS byte is more "
                f"than max_body ({table['max_body']})"
            )
    return Protocol(
        version=table["version"],
        baud=table["baud"],
        max_body=table["max_body"],
        seats=table["seats"],
        buttons=table["buttons"],
        pixels=table["pixels"],
        times=table["times"],
        capabilities=table["capabilities"],
        flags=table["flags"],
        messages=messages,
        patterns=table["patterns"],
        colours={name: (red, green, blue) for name, (red, green, blue) in table["colours"].items()},
        sounds={
            name: tuple((hertz, milliseconds) for hertz, milliseconds in tones)
            for name, tones in table["sounds"].items()
        },
    )


def _message(entry: Mapping[str, Any]) -> Message:
    fields = tuple(Field(**field) for field in entry["fields"])
    for field in fields:
        if field.kind not in SIZES:
            raise ValueError(
                f"protocol.toml: {entry['name']}.{field.name} is of kind {field.kind!r}; "
                f"known are {', '.join(SIZES)}"
            )
    return Message(entry["name"], entry["type"], entry["from"], entry["doc"], fields)
