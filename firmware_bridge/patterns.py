"""What a lamp looks like at a moment, the same as `firmware/core/patterns.cpp` to the bit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware_bridge.protocol import protocol

if TYPE_CHECKING:
    from firmware_bridge.codec import Lamp


def render(lamp: Lamp, milliseconds: int, *, brightness: int) -> bytes:
    """The pixels as they go to WS2812: green, red, blue of each, 0 to 255."""
    table = protocol()
    colours = list(table.colours.values())
    pattern, number, level = lamp
    red, green, blue = colours[number] if number < len(colours) else colours[0]
    pixels = bytearray()
    for pixel in range(table.pixels):
        by = _scaled(intensity(pattern, level, milliseconds, pixel=pixel), brightness)
        pixels += bytes((_scaled(green, by), _scaled(red, by), _scaled(blue, by)))
    return bytes(pixels)


def intensity(pattern: int, level: int, milliseconds: int, *, pixel: int) -> int:
    """How bright a pixel is, 0 to 255, so many milliseconds after its lamp was set."""
    table = protocol()
    second = milliseconds % 1000
    name = _names().get(pattern)
    match name:
        case "steady":
            return 255
        case "gauge":
            return _gauge(level, pixel)
        case "hurry":
            return 0 if second % 250 >= 125 else 255 if pixel == 0 else _gauge(level, pixel)
        case "flash":
            return 255 if _flashes(second) else 0
        case "alternate":
            return 0 if (second >= 500) != bool(pixel & 1) else 255
        case "breathe":
            place = milliseconds % 4096
            rise = (place if place < 2048 else 4095 - place) >> 3
            return 32 + (rise * 7 >> 3)
        case "chase":
            return 255 if (pixel - (milliseconds >> 7)) % table.pixels < 3 else 0
        case "blink":
            return 255 if second < 800 else 0
        case "no_host":
            return 64 if pixel == 0 and milliseconds % 2048 < 200 else 0
        case _:
            return 0


def plain_on(lamp: Lamp, milliseconds: int) -> bool:
    """Whether a plain LED is on: the same patterns told apart by their rhythm alone."""
    second = milliseconds % 1000
    match _names().get(lamp[0]):
        case "steady" | "gauge":
            return True
        case "hurry":
            return second % 250 < 125
        case "flash":
            return _flashes(second)
        case "alternate":
            return second < 500
        case "breathe":
            return milliseconds % 4096 < 2048
        case "chase":
            return second < 360 and second % 120 < 60
        case "blink":
            return second < 800
        case "no_host":
            return milliseconds % 2048 < 200
        case _:
            return False


def _names() -> dict[int, str]:
    return {number: name for name, number in protocol().patterns.items()}


def _gauge(level: int, pixel: int) -> int:
    return min(255, max(0, level * protocol().pixels - 255 * pixel))


def _scaled(value: int, by: int) -> int:
    return value * (by + 1) >> 8


def _flashes(second: int) -> bool:
    return second < 100 or 200 <= second < 300
