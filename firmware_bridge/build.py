"""Builds the board's program with avr-gcc, and writes it onto a board with avrdude."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

SOURCES: Final = Path(__file__).resolve().parent / "firmware"
HEX_NAME: Final = "remi-board.hex"
FLASH_BYTES: Final = 30 * 1024
"""What the ATmega328P has beside the older, larger boot loader of the Nano."""

PACKAGES: Final = ("gcc-avr", "avr-libc", "binutils-avr", "avrdude")
"""Debian's packages for building and flashing."""

BOOT_BAUD: Final = {"uno": 115200, "nano": 115200, "nano-old": 57600}
"""How fast the boot loaders talk."""

_FLAGS: Final = (
    *("-std=c++14", "-Os", "-flto", "-Wall", "-Wextra", "-Werror"),
    *("-mmcu=atmega328p", "-DF_CPU=16000000UL"),
    *("-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics"),
    *("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections"),
)


class ToolError(ValueError):
    """A tool is missing or has failed; the message says which, and what to do."""


def build_hex(out: Path, *, plain: bool = False, defines: Sequence[str] = ()) -> int:
    """Builds the program into the file `out` and returns its bytes; `plain` for LEDs without pixels.

    ToolError where avr-gcc is missing or fails.
    """
    out.parent.mkdir(parents=True, exist_ok=True)
    elf = out.with_suffix(".elf")
    sources = [str(path) for path in sorted(SOURCES.glob("core/*.cpp")) + sorted(SOURCES.glob("avr/*.cpp"))]
    named = [f"-D{define}" for define in (*defines, *(["REMI_PLAIN_LEDS"] if plain else []))]
    _run(["avr-g++", *_FLAGS, *named, "-o", str(elf), *sources])
    _run(["avr-objcopy", "-O", "ihex", "-R", ".eeprom", str(elf), str(out)])
    size = hex_bytes(out)
    if size > FLASH_BYTES:
        raise ToolError(f"the program has {size} bytes, the board holds {FLASH_BYTES}")
    return size


def hex_bytes(path: Path) -> int:
    """How many bytes an Intel HEX file writes into the board; ToolError for another file."""
    total = 0
    for number, line in enumerate(path.read_text(encoding="ascii", errors="replace").split(), start=1):
        try:
            record = bytes.fromhex(line.removeprefix(":"))
        except ValueError:
            record = b""
        if not line.startswith(":") or not record or sum(record) % 256:
            raise ToolError(f"{path}, line {number}: no Intel HEX file; build one: remi firmware build")
        if record[3] == 0:
            total += record[0]
    if total == 0:
        raise ToolError(f"{path}: no Intel HEX file; build one: remi firmware build")
    return total


def flash_command(hex_file: Path, port: str, *, board: str) -> list[str]:
    """The call of avrdude that writes the program onto a board of that kind."""
    return [
        "avrdude",
        *("-p", "atmega328p", "-c", "arduino", "-P", port, "-b", str(BOOT_BAUD[board]), "-D"),
        *("-U", f"flash:w:{hex_file}:i"),
    ]


def flash(hex_file: Path, port: str, *, board: str) -> None:
    """Writes the program onto the board; ToolError where avrdude is missing or fails."""
    hex_bytes(hex_file)
    _run(flash_command(hex_file, port, board=board), quiet=False)


def _run(command: Sequence[str], *, quiet: bool = True) -> None:
    tool = shutil.which(command[0])
    if tool is None:
        raise ToolError(
            f"{command[0]} is not installed; on Debian: apt-get install --no-install-recommends "
            + " ".join(PACKAGES)
        )
    done = subprocess.run(  # noqa: S603  a list of our own words, no shell
        [tool, *command[1:]], capture_output=quiet, text=True, check=False
    )
    if done.returncode:
        said = f":\n{done.stderr.strip()}" if quiet else "; what it said stands above"
        raise ToolError(f"{command[0]} failed with exit code {done.returncode}{said}")
