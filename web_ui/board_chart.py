"""The scores over a match as a drawing: a line for each seat, told apart by its dashes too."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH: Final = 600
HEIGHT: Final = 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 56, 96, 14, 26
_STEPS: Final = (1, 2, 5)
_NAMES_APART: Final = 18.0


@dataclass(frozen=True)
class Line:
    """The line of a seat: its points in the drawing, its total, and where its name stands."""

    seat: int
    name: str
    points: tuple[tuple[float, float], ...]
    total: int
    name_y: float

    @property
    def path(self) -> str:
        """The points as an SVG polyline has them."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.points)


@dataclass(frozen=True)
class Chart:
    """Lines, and the marks of both axes with their places."""

    lines: tuple[Line, ...]
    levels: tuple[tuple[int, float], ...]
    games: tuple[tuple[int, float], ...]


def chart(names: Sequence[str], results: Sequence[Sequence[int]]) -> Chart | None:
    """Return the totals after each game of a match; None before the first game is over."""
    if not results:
        return None
    totals = [[0, *accumulate(result[seat] for result in results)] for seat in range(len(names))]
    low, high = min(map(min, totals)), max(map(max, totals))
    step = _step(max(1, high - low))
    bottom, top = low // step * step, -(-high // step) * step
    top = top if top > bottom else bottom + step

    def x_of(game: int) -> float:
        return round(_LEFT + game * (WIDTH - _LEFT - _RIGHT) / len(results), 1)

    def y_of(points: float) -> float:
        return round(_TOP + (top - points) * (HEIGHT - _TOP - _BOTTOM) / (top - bottom), 1)

    name_y = _apart([y_of(line[-1]) for line in totals])
    every = max(1, -(-len(results) // 10))
    return Chart(
        tuple(
            Line(
                seat,
                names[seat],
                tuple((x_of(n), y_of(v)) for n, v in enumerate(line)),
                line[-1],
                name_y[seat],
            )
            for seat, line in enumerate(totals)
        ),
        tuple((level, y_of(level)) for level in range(bottom, top + 1, step)),
        tuple((game, x_of(game)) for game in range(0, len(results) + 1, every)),
    )


def _step(span: int) -> int:
    """A round step that gives three to six marks."""
    scale = 1
    while True:
        for step in _STEPS:
            if span / (step * scale) <= 5:
                return step * scale
        scale *= 10


def _apart(ys: Sequence[float]) -> list[float]:
    """Places of names near those of their lines, so far apart that each can be read, inside the drawing."""
    found = list(ys)
    below = float("-inf")
    order = sorted(range(len(ys)), key=lambda index: ys[index])
    for index in order:
        below = found[index] = max(ys[index], below + _NAMES_APART)
    over = below - (HEIGHT - 6)
    limit = float("inf")
    for index in reversed(order) if over > 0 else ():
        limit = found[index] = min(
            found[index], HEIGHT - 6 if limit == float("inf") else limit - _NAMES_APART
        )
    return found
