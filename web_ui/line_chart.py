"""A chart of running totals as plain values for an SVG: a line, a dash and a name for each player."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from web_ui.board_words import plain

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH: Final = 640.0
HEIGHT: Final = 260.0
_LEFT: Final = 52.0
_RIGHT: Final = 160.0
_TOP: Final = 14.0
_BOTTOM: Final = 24.0
_APART: Final = 20.0


@dataclass(frozen=True)
class Line:
    """One player's line, `slot` says its colour and dash; the label stands at its end."""

    slot: int
    name: str
    total: str
    points: str
    end_x: float
    end_y: float
    label_y: float


@dataclass(frozen=True)
class Chart:
    """Lines and scale; coordinates are those of a view box of WIDTH by HEIGHT."""

    lines: tuple[Line, ...]
    marks: tuple[tuple[float, str], ...]
    rounds: tuple[tuple[float, int], ...]


def chart(names: Sequence[str], running: Sequence[Sequence[int]]) -> Chart | None:
    """Return the chart of the totals after each round; None before the first."""
    if not running:
        return None
    rows = [[0] * len(names), *running]
    least, most = min(min(row) for row in rows), max(max(row) for row in rows)
    span = max(1, most - least)

    def x(at: int) -> float:
        return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * at / (len(rows) - 1), 1)

    def y(value: float) -> float:
        return round(_TOP + (HEIGHT - _TOP - _BOTTOM) * (most - value) / span, 1)

    labels = _apart([y(value) for value in rows[-1]])
    lines = tuple(
        Line(
            slot % 8, name, plain(rows[-1][slot]),
            " ".join(f"{x(at)},{y(row[slot])}" for at, row in enumerate(rows)),
            x(len(rows) - 1), y(rows[-1][slot]), labels[slot],
        )
        for slot, name in enumerate(names)
    )  # fmt: skip
    marks = tuple((y(value), plain(value)) for value in sorted({least, 0, most}))
    step = max(1, (len(rows) - 1) // 12 + 1)
    return Chart(lines, marks, tuple((x(at), at) for at in range(1, len(rows), step)))


def _apart(wanted: Sequence[float]) -> list[float]:
    """Return heights near those wanted, so far apart that names do not cover each other."""
    found = list(wanted)
    order = sorted(range(len(wanted)), key=lambda at: wanted[at])
    low = _TOP
    for at in order:
        found[at] = low = max(low, wanted[at])
        low += _APART
    high = HEIGHT - 8
    for at in reversed(order):
        found[at] = min(found[at], high)
        high = found[at] - _APART
    return found
