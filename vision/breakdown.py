"""Sorts judged tiles by what may make them hard to read: zone, light, size, lean, angle."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from vision.tally import Judged, Tally

TITLES: Final[Mapping[str, str]] = {
    "zone": "zone",
    "light": "light",
    "picture": "picture, px",
    "digit": "digit height, px",
    "width": "tile width, px",
    "lean": "rack lean, degrees",
    "angle": "face to line of sight, degrees",
    "lean_digit": "rack lean and digit height",
}
LEANS: Final = (35, 45, 55, 65, 75)  # a rack at 45 belongs to 35-45
ANGLES: Final = (15, 30, 45, 55, 65)
DIGITS: Final = (6, 8, 10, 13, 18)  # a digit of 8 belongs to 8-10
WIDTHS: Final = (18, 25, 35, 50, 70, 100)
FLAT: Final = ("meld", "discard")
LOW: Final = 45.0  # degrees, of a rack
NO_TILE: Final = "(none)"


def breakdown(judged: Iterable[Judged]) -> dict[str, dict[str, Tally]]:
    """Tallies by dimension (a key of `TITLES`) and bucket, in order of size, as far as labels say them."""
    tables: dict[str, dict[tuple[int, str], Tally]] = {name: defaultdict(Tally) for name in TITLES}
    for entry in judged:
        for name, bucket in _buckets(entry).items():
            tables[name][bucket].add(entry)
    return {
        name: {label: table[order, label] for order, label in sorted(table)}
        for name, table in tables.items()
        if table and not (name == "zone" and len(table) == 1 and NO_TILE in next(iter(table)))
    }


def summary(judged: Iterable[Judged]) -> dict[str, Tally]:
    """What a set is judged by: flat tiles of melds and discard row, racks up to 45 degrees, backs."""
    tallies = {"melds and discard row": Tally(), "racks up to 45 degrees": Tally(), "face down": Tally()}
    for entry in judged:
        if entry.truth is None:
            continue
        spot = entry.truth.spot
        if spot.zone in FLAT:
            tallies["melds and discard row"].add(entry)
        if spot.zone == "rack" and spot.lean is not None and spot.lean <= LOW:
            tallies["racks up to 45 degrees"].add(entry)
        if entry.truth.face == "#":
            tallies["face down"].add(entry)
    return tallies


def _buckets(entry: Judged) -> dict[str, tuple[int, str]]:
    found: dict[str, tuple[int, str]] = {}
    if entry.picture is not None:
        if entry.picture.light is not None:
            found["light"] = (0, entry.picture.light)
        if entry.picture.size is not None:
            width, height = entry.picture.size
            found["picture"] = (width * height, f"{width}x{height}")
    if entry.truth is None:
        return found | {"zone": (0, NO_TILE)}
    spot = entry.truth.spot
    found["width"] = _from(entry.truth.wide, WIDTHS)
    if spot.zone is not None:
        found["zone"] = (0, spot.zone)
    if spot.digit is not None:
        found["digit"] = _from(spot.digit, DIGITS)
    if spot.angle is not None:
        found["angle"] = _up_to(spot.angle, ANGLES)
    if spot.lean is not None:
        found["lean"] = _up_to(spot.lean, LEANS)
        if spot.digit is not None:
            (lean, leans), (digit, digits) = found["lean"], found["digit"]
            found["lean_digit"] = (10 * lean + digit, f"{leans} at {digits}")
    return found


def _from(value: float, edges: tuple[int, ...]) -> tuple[int, str]:
    """The bucket of a value; one on an edge belongs to the upper."""
    return _named(bisect_right(edges, value), edges)


def _up_to(value: float, edges: tuple[int, ...]) -> tuple[int, str]:
    """The bucket of a value; one on an edge belongs to the lower, but for the first edge."""
    return _named(max(bisect_left(edges, value), value == edges[0]), edges)


def _named(place: int, edges: tuple[int, ...]) -> tuple[int, str]:
    if place == 0:
        return place, f"under {edges[0]}"
    return place, f"over {edges[-1]}" if place == len(edges) else f"{edges[place - 1]}-{edges[place]}"
