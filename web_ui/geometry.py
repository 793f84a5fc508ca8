"""Small plane geometry for drawing on a photo: hulls, centres and places for labels, in image pixels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.readings import Quad

Point = tuple[float, float]


def distance(a: Point, b: Point) -> float:
    """Return the distance of two points."""
    return math.hypot(a[0] - b[0], a[1] - b[1])


def centre(quad: Sequence[Point]) -> Point:
    """Return the mean of the corners."""
    return sum(x for x, _ in quad) / len(quad), sum(y for _, y in quad) / len(quad)


def between(a: Point, b: Point, share: float = 0.5) -> Point:
    """Return the point that lies `share` of the way from `a` to `b`."""
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def moved(quad: Quad, to: Point) -> Quad:
    """Return the quad with its centre at `to`."""
    mid = centre(quad)
    return tuple((x - mid[0] + to[0], y - mid[1] + to[1]) for x, y in quad)


def turn_degrees(quad: Quad) -> float:
    """Return by how much the tile is turned clockwise from upright."""
    left, right = between(quad[0], quad[3]), between(quad[1], quad[2])
    return math.degrees(math.atan2(right[1] - left[1], right[0] - left[0]))


def lower_part(quad: Quad) -> Point:
    """Return a point in the lower third of the face, where no digit stands, so that a label hides none."""
    return between(between(quad[0], quad[1]), between(quad[3], quad[2]), 0.8)


def hull(points: Iterable[Point]) -> list[Point]:
    """Return the corners of the convex hull (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return _half_hull(ordered)[:-1] + _half_hull(ordered[::-1])[:-1]


def _half_hull(points: Sequence[Point]) -> list[Point]:
    chain: list[Point] = []
    for point in points:
        while len(chain) >= 2 and _turn(chain[-2], chain[-1], point) <= 0:
            chain.pop()
        chain.append(point)
    return chain


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def svg_points(points: Iterable[Point]) -> str:
    """Return the points as the attribute of an SVG polygon, to a tenth of a pixel."""
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
