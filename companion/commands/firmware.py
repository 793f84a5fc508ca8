"""`remi firmware`: the program of the board at the table."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from companion.output import InputError, note

DEFAULT_HEX: Final = Path("build") / "remi-board.hex"
BOARDS: Final = ("uno", "nano", "nano-old")


@click.group()
def firmware() -> None:
    """Build the board's program, write it onto a board, or try it without one."""


@firmware.command()
@click.argument("out", type=click.Path(dir_okay=False, path_type=Path), default=DEFAULT_HEX)
@click.option(
    "--lamps",
    type=click.Choice(("pixels", "plain")),
    default="pixels",
    help="WS2812 pixels, or one plain LED at each seat.",
)
def build(*, out: Path, lamps: str) -> None:
    """Build the board's program into the file OUT (needs avr-gcc)."""
    from firmware_bridge.build import ToolError, build_hex

    try:
        size = build_hex(out, plain=lamps == "plain")
    except ToolError as error:
        raise InputError(str(error)) from error
    click.echo(f"{out}: {size} bytes")


@firmware.command()
@click.argument(
    "hex_file", metavar="[HEX]", type=click.Path(exists=True, dir_okay=False, path_type=Path), required=False
)
@click.option("--port", help="The board's port; found where there is only one.")
@click.option(
    "--board", type=click.Choice(BOARDS), default="uno", help="nano-old is a Nano with the older boot loader."
)
def flash(*, hex_file: Path | None, port: str | None, board: str) -> None:
    """Write the program HEX onto the board (needs avrdude); without HEX it is built first."""
    from firmware_bridge.build import ToolError, build_hex
    from firmware_bridge.build import flash as write
    from firmware_bridge.port import PortError, find_port

    try:
        found = find_port(port)
        if hex_file is None:
            hex_file = DEFAULT_HEX
            build_hex(hex_file)
        note(f"Writing {hex_file} onto {found} ...")
        write(hex_file, found, board=board)
    except (ToolError, PortError) as error:
        raise InputError(str(error)) from error
    click.echo(f"{found}: done")


@firmware.command()
def sim() -> None:
    """Run a board made of software; the page opens it like a real one. Keys press its buttons."""
    from companion.board_sim import run_sim

    run_sim()
