"""The table that `remi demo` shows, or what to install so that it can be drawn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from web_ui.services import BothLanguages

if TYPE_CHECKING:
    from companion.demo_players.live import DemoTable
    from engine.rules import RuleSet
    from vision.reader import Reader

SIZE: Final = (1920, 1080)


def open_demo_table(
    reader: Reader,
    rules: RuleSet,
    *,
    seed: int,
    journal: Path,
    seats: int = 4,
    size: tuple[int, int] = SIZE,
    taught: bool = True,
) -> DemoTable | BothLanguages:
    """The running table of a seed, or why there is none: without fonts its tiles cannot be drawn.

    `reader` is for the eyes alone, and `taught` the set before the first look. JournalError where the
    journal cannot be used.
    """
    from companion.demo_players.live import open_demo
    from vision.synth.fonts import FontsMissingError

    try:
        return open_demo(
            reader,
            rules,
            seed=seed,
            journal=journal,
            seats=seats,
            size=size,
            board=pseudo_terminals(),
            taught=taught,
        )
    except FontsMissingError:
        return fonts_missing()


def pseudo_terminals() -> bool:
    """Whether this system has them: the board made of software hangs on one."""
    try:
        from firmware_bridge.pty_board import PtyBoard

        PtyBoard().close()
    except (ImportError, OSError):
        return False
    return True


def fonts_missing() -> BothLanguages:
    """What to install, so that tiles can be drawn."""
    from vision.synth.fonts import packages

    install = f"apt-get install --no-install-recommends {' '.join(packages())}"
    return BothLanguages(
        ro="Piesele se desenează cu fonturi care nu sunt instalate. Pe Debian, ca administrator: " + install,
        en="The tiles are drawn with fonts that are not installed. On Debian, as root: " + install,
    )
