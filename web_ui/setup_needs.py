"""What the set-up pages need of the companion: the table's settings, its zones, its board, its checks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from web_ui.services import BothLanguages

Outline = tuple[tuple[float, float], ...]
"""Corners (x, y) in millimetres from the middle of the table; y grows towards the far side."""


@dataclass(frozen=True)
class SetupNow:
    """The settings as they are kept: `values` by dotted name, as in the table file (`players.names`).

    `stamp` is another one after each change; `file` is None where they live in memory only; `broken` says
    why the file cannot be read (the values are then those that the table runs with). `seats` play now.
    """

    stamp: str
    file: str | None
    values: Mapping[str, Any]
    seats: int
    broken: BothLanguages | None = None


@dataclass(frozen=True)
class Wrong:
    """What is wrong with a setting: its dotted name (`rules.changes.atu_bonus`), `zones.3` of a zone."""

    field: str
    words: BothLanguages


@dataclass(frozen=True)
class Saved:
    """What became of a change: nothing is kept unless `saved`. `effects` say from when it holds."""

    status: Literal["saved", "stale", "wrong", "failed"]
    wrong: tuple[Wrong, ...] = ()
    effects: tuple[BothLanguages, ...] = ()


@dataclass(frozen=True)
class SetupZone:
    """A zone with its outline, and how well it can be read: `good`, `doubtful`, `no`; None unknown.

    `digit_px` and `angle_deg` are those of its worst place; `remedy` says what makes it readable.
    """

    kind: str
    seat: int | None
    outline: Outline
    verdict: str | None = None
    digit_px: float = 0.0
    angle_deg: float = 0.0
    remedy: BothLanguages | None = None


@dataclass(frozen=True)
class SetupZones:
    """The zones of the table; `live` says whether a camera's picture can be had, `mm` the table's size.

    `margin_mm` is what the picture shows beyond the table's edges.
    """

    stamp: str
    mm: tuple[float, float]
    margin_mm: float
    zones: tuple[SetupZone, ...]
    live: bool


@dataclass(frozen=True)
class BoardNow:
    """The board: how it is, in words; the newest presses as (seat from 0, button), the last one last.

    `testing_s` are the seconds for which presses are kept from the game yet.
    """

    state: str
    well: bool
    words: BothLanguages
    presses: tuple[tuple[int, str], ...] = ()
    testing_s: float = 0.0
    there: bool = True


@dataclass(frozen=True)
class Checked:
    """One thing that was looked at: `ok`, `note` (it works, but) or `wrong`."""

    name: str
    verdict: str
    words: BothLanguages


class TableSetup(Protocol):
    """The settings of a table; several threads may ask."""

    def now(self) -> SetupNow:
        """The settings as they are kept."""

    def check(self, values: Mapping[str, Any]) -> tuple[Wrong, ...]:
        """Everything that would be wrong with the settings once these values were changed."""

    def save(self, values: Mapping[str, Any], stamp: str) -> Saved:
        """Keeps these values, unless others were kept since `stamp`, or something is wrong."""

    def zones(self) -> SetupZones | BothLanguages:
        """The zones with their legibility; or why there are none, and what to do."""

    def save_zones(self, outlines: Sequence[Outline], stamp: str) -> Saved:
        """Keeps other outlines, in the order of `zones`."""

    def picture(self) -> bytes | None:
        """The table from straight above, a JPEG with the racks covered; None where it can't be shown."""

    def board(self) -> BoardNow:
        """The board as it is now."""

    def test_lamp(self, seat: int) -> bool:
        """Lights a lamp (seats from 0) for two seconds; False where there is no such lamp."""

    def test_buttons(self) -> bool:
        """Keeps presses from the game for half a minute and shows them; False without a board."""

    def checks(self) -> Sequence[Checked]:
        """Looks at everything that the table needs; takes some seconds."""
