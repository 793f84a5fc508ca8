"""The table that `remi demo` shows: rendered, playing by itself while somebody looks, seen by the eyes."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Final

from companion.live_table import Attention, LiveTable
from web_ui.services import BothLanguages

if TYPE_CHECKING:
    from engine.rules import RuleSet
    from vision.reader import Reader
    from vision.virtual.capture import Script
    from vision.virtual.table import VirtualTable

RATE: Final = 10.0
"""Frames a second: about as often as the eyes look."""

SIZE: Final = (1920, 1080)


def open_demo_table(
    reader: Reader, rules: RuleSet, *, seed: int, seats: int = 4, size: tuple[int, int] = SIZE
) -> LiveTable | BothLanguages:
    """The running table of a seed, or why there is none: without fonts its tiles cannot be drawn.

    `reader` is for the eyes alone.
    """
    from vision.seeing.loop import Seeing
    from vision.sources.live import LiveSource
    from vision.synth.fonts import FontsMissingError
    from vision.virtual.capture import VirtualCapture
    from vision.virtual.idle import Idle
    from vision.virtual.setting import draw_setting, true_rig
    from vision.virtual.table import VirtualTable

    try:
        setting = draw_setting(seed, seats=seats, size=size)
    except FontsMissingError:
        return fonts_missing()
    # Drawn in the source's thread, when it opens: the page need not wait for it.
    drawn = cache(lambda: VirtualTable(setting))
    attention = Attention()
    game = while_watched(Idle(), lambda: attention.paid)
    rig = true_rig(setting, setting.camera)
    seeing = Seeing(reader, rig, setting.zones.with_racks("never"), rules=rules)
    source = LiveSource(
        lambda: VirtualCapture(drawn(), rate=RATE, script=game), f"virtual:seed={seed}", live=True
    )
    return LiveTable(source, seeing, attention=attention)


def fonts_missing() -> BothLanguages:
    """What to install, so that tiles can be drawn."""
    from vision.synth.fonts import packages

    install = f"apt-get install --no-install-recommends {' '.join(packages())}"
    return BothLanguages(
        ro="Piesele se desenează cu fonturi care nu sunt instalate. Pe Debian, ca administrator: " + install,
        en="The tiles are drawn with fonts that are not installed. On Debian, as root: " + install,
    )


def while_watched(game: Script, watched: Callable[[], bool]) -> Script:
    """The game, dealt at once and then played on only while somebody looks."""

    def script(table: VirtualTable, now: float) -> None:
        if watched() or not table.planned.pieces:
            game(table, now)

    return script
