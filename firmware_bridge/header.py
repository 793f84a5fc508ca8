"""The C++ header of the protocol, made from `protocol.toml`: `python -m firmware_bridge.header` writes it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware_bridge.protocol import Field, Message, Protocol, protocol

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

HEADER: Final = Path(__file__).resolve().parent / "firmware" / "core" / "protocol.h"

_TYPES: Final = {"u8": "uint8_t", "u16": "uint16_t", "u32": "uint32_t", "lamp": "Lamp"}


def header(table: Protocol) -> str:
    """The text of `protocol.h`."""
    return "\n".join(_lines(table)) + "\n"


def _lines(table: Protocol) -> Iterator[str]:
    yield from (
        "// Made from protocol.toml by `python -m firmware_bridge.header`; change it there.",
        "#ifndef REMI_PROTOCOL_H",
        "#define REMI_PROTOCOL_H",
        "",
        "#include <stdint.h>",
        "",
        "namespace remi {",
        "",
        "#ifndef REMI_VERSION  // a test builds a board of another version",
        f"#define REMI_VERSION {table.version}",
        "#endif",
        "",
        "constexpr uint8_t kVersion = REMI_VERSION;",
        f"constexpr uint32_t kBaud = {table.baud};",
        f"constexpr uint8_t kMaxBody = {table.max_body};",
        f"constexpr uint8_t kSeats = {table.seats};",
        f"constexpr uint8_t kButtons = {table.buttons};",
        f"constexpr uint8_t kPixels = {table.pixels};",
        "",
    )
    yield from (
        f"constexpr uint16_t k{_camel(name)}Ms = {milliseconds};"
        for name, milliseconds in table.times.items()
    )
    for prefix, values in (
        ("Capability", table.capabilities),
        ("Flag", table.flags),
        ("Pattern", table.patterns),
    ):
        yield ""
        yield from _constants(prefix, values)
    yield from (
        "",
        "struct Lamp {",
        "  uint8_t pattern;",
        "  uint8_t colour;",
        "  uint8_t level;",
        "};",
        "",
        f"constexpr uint8_t kColours = {len(table.colours)};",
        "constexpr uint8_t kRgb[kColours][3] = {",
        *(
            f"    {{{red}, {green}, {blue}}},  // {name}"
            for name, (red, green, blue) in table.colours.items()
        ),
        "};",
        "",
        "struct Tone {",
        "  uint16_t hertz;",
        "  uint16_t ms;",
        "};",
        "",
    )
    longest = max(len(tones) for tones in table.sounds.values())
    yield f"constexpr uint8_t kSounds = {len(table.sounds)};"
    yield f"constexpr uint8_t kTones = {longest};"
    yield "constexpr Tone kSound[kSounds][kTones] = {"
    for name, tones in table.sounds.items():
        written = [f"{{{hertz}, {ms}}}" for hertz, ms in tones] or ["{0, 0}"]
        yield f"    {{{', '.join(written)}}},  // {name}"
    yield "};"
    for message in table.messages.values():
        yield ""
        yield from _message(message)
    yield from ("", "}  // namespace remi", "", "#endif")


def _constants(prefix: str, values: Mapping[str, int]) -> Iterator[str]:
    yield from (f"constexpr uint8_t k{prefix}{_camel(name)} = {value};" for name, value in values.items())


def _message(message: Message) -> Iterator[str]:
    """A struct with its type and size, and the functions that write and read its bytes."""
    name = _camel(message.name.lower())
    yield f"// {message.doc}"
    yield f"struct {name} {{"
    yield f"  static constexpr uint8_t kType = {message.type};"
    yield f"  static constexpr uint8_t kSize = {message.size};"
    for field in message.fields:
        size = f"[{field.times}]" if field.times else ""
        note = f"  // {field.doc}" if field.doc else ""
        yield f"  {_TYPES[field.kind]} {field.name}{size};{note}"
    yield ""
    yield "  void write(uint8_t* to) const {"
    yield "    *to++ = kType;"
    for field in message.fields:
        yield from _each(field, write=True)
    if not message.fields:
        yield "    (void)to;"
    yield "  }"
    yield ""
    yield "  // False where these bytes are no such message."
    yield "  bool read(const uint8_t* from, uint8_t size) {"
    yield "    if (size != kSize || *from++ != kType) return false;"
    for field in message.fields:
        yield from _each(field, write=False)
    yield "    return true;"
    yield "  }"
    yield "};"


def _each(field: Field, *, write: bool) -> Iterator[str]:
    where = f"{field.name}[i]" if field.times else field.name
    if field.kind == "lamp":
        steps = [
            f"*to++ = {where}.{part};" if write else f"{where}.{part} = *from++;"
            for part in ("pattern", "colour", "level")
        ]
    else:
        wide = {"u8": 1, "u16": 2, "u32": 4}[field.kind]
        kind = _TYPES[field.kind]
        steps = [] if write or wide == 1 else [f"{where} = 0;"]
        for byte in range(wide):
            shift = 8 * byte
            if write:
                steps.append(f"*to++ = {where};" if wide == 1 else f"*to++ = uint8_t({where} >> {shift});")
            else:
                steps.append(
                    f"{where} = *from++;" if wide == 1 else f"{where} |= {kind}({kind}(*from++) << {shift});"
                )
    if field.times:
        yield f"    for (uint8_t i = 0; i < {field.times}; i++) {{"
        yield from (f"      {step}" for step in steps)
        yield "    }"
    else:
        yield from (f"    {step}" for step in steps)


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


if __name__ == "__main__":
    HEADER.write_text(header(protocol()), encoding="utf-8")
