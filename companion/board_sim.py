"""`remi firmware sim` in the terminal: the software board's lamps in colour, its buttons on the keys."""

from __future__ import annotations

import os
import select
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from companion.output import InputError
from firmware_bridge.protocol import protocol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from firmware_bridge.pty_board import PtyBoard
    from firmware_bridge.software_board import SoftwareBoard

KEYS: Final = "qweasdyxcrtz"
"""Button 0 to 11: three keys a seat, end of turn, announce, call."""
FULL: Final = 255


def run_sim() -> None:
    """Runs until Ctrl-C or the end of standard input; InputError where the system has no pseudo terminals."""
    from firmware_bridge.pty_board import PtyBoard

    try:
        board = PtyBoard()
    except (ImportError, OSError) as error:
        raise InputError(
            f"this system has no pseudo terminals ({error}); the software board needs one"
        ) from error
    with board:
        click.echo(f"The board hangs on {board.path} (Ctrl-C ends).")
        click.echo(_key_help())
        with _keys_one_by_one():
            try:
                _live(board)
            except KeyboardInterrupt:
                click.echo()


def _live(board: PtyBoard) -> None:
    shown = ""
    listens = True
    while True:
        board.turn_over()
        if listens and select.select([sys.stdin], [], [], 0)[0]:
            keys = os.read(sys.stdin.fileno(), 64).decode(errors="replace")
            if not keys:
                return
            for key in keys:
                if key.lower() in KEYS:
                    board.press(KEYS.index(key.lower()))
        now = lamps_line(board.board, board.now, colours=sys.stdout.isatty())
        if now != shown:
            shown = now
            # On one line in a terminal; one line for each change where it is written to a file.
            click.echo(f"\r{now}" if sys.stdout.isatty() else now, nl=not sys.stdout.isatty())


def lamps_line(board: SoftwareBoard, now: int, *, colours: bool) -> str:
    """The four lamps as they are, a character a pixel (`.` dark, `o` dim, `O` bright), host and buzzer."""
    seats = []
    for seat in range(protocol().seats):
        picture = board.picture(seat, now)
        pixels = [picture[i : i + 3] for i in range(0, len(picture), 3)]
        brightest = max(1, board.brightness)
        seats.append("".join(_pixel(pixel, brightest, colours=colours) for pixel in pixels))
    host = "host" if board.up else "no host"
    tone = board.tone(now)
    return f"{'  '.join(seats)}  {host}{f', {tone} Hz' if tone else ''}".ljust(60)


def _pixel(grb: bytes, brightest: int, *, colours: bool) -> str:
    green, red, blue = (min(FULL, value * FULL // brightest) for value in grb)
    strongest = max(green, red, blue)
    mark = "." if not strongest else "o" if strongest < FULL // 3 else "O"
    return click.style(mark, fg=(red, green, blue)) if colours and strongest else mark


def _key_help() -> str:
    buttons = protocol().buttons
    groups = [KEYS[i : i + buttons] for i in range(0, len(KEYS), buttons)]
    return "Keys (end turn, announce, call): " + ", ".join(
        f"seat {seat} {' '.join(keys)}" for seat, keys in enumerate(groups)
    )


@contextmanager
def _keys_one_by_one() -> Iterator[None]:
    """Lets keys come without Enter, and puts the terminal back; without a terminal nothing."""
    if not sys.stdin.isatty():
        yield
        return
    import termios
    import tty

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
