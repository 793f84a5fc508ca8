"""Made-up tables for tests: tiles in millimetres as a camera over the table would see them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from calibration.legibility import planned_rig
from calibration.zones import default_zones
from engine.notation import parse_seen
from engine.readings import Candidate, SeenTile
from engine.rules import rule_set
from engine.table_reading import Lying, TableReading
from vision.placing import TILE_TOP_MM
from vision.table_layout import lay_out

TABLE = (1000.0, 1000.0)
RIG = planned_rig(TABLE, height_mm=1400, size=(1920, 1080), view_deg=68)
ZONES = default_zones(TABLE, 4)
WIDTH, HEIGHT = 26.0, 37.0
STEP = WIDTH + 0.6
ETALAT = rule_set("etalat")


def tile(
    text: str, x: float, y: float, *, turn: float = 0.0, lean: float = 0.0, high: float = 0.0
) -> SeenTile:
    """A tile with its middle at (x, y) mm, turned counter-clockwise by degrees, leaning back at its lower
    edge, lifted by `high` mm.

    `r5` is read clearly; `r8.6:r6=.35,*=.01` with 0.6, and what else it may be.
    """
    shown, _, others = text.partition(":")
    word, dot, sure = shown.partition(".")
    listed = [other.split("=") for other in others.split(",")] if others else []
    candidates = tuple(Candidate(parse_seen(face), float(chance)) for face, chance in listed)
    confidence = float(f".{sure}") if dot else 0.3 if word == "?" else 0.995
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    flat = math.cos(math.radians(lean)) * HEIGHT / 2
    up = math.sin(math.radians(lean)) * HEIGHT
    corners = []
    for across, along, lifted in (
        (-WIDTH / 2, flat, up),
        (WIDTH / 2, flat, up),
        (WIDTH / 2, -flat, 0.0),
        (-WIDTH / 2, -flat, 0.0),
    ):
        spot = x + cos * across - sin * along, y + sin * across + cos * along
        corners.append((*spot, TILE_TOP_MM + high + lifted))
    quad = tuple((float(u), float(v)) for u, v in RIG.to_px(corners))
    return SeenTile(parse_seen(word), quad, confidence, candidates)


def row(texts: str, x: float, y: float, *, turn: float = 0.0, lean: float = 0.0) -> list[SeenTile]:
    """Tiles side by side, from the left one's middle on, to the right as they are read; `_` leaves a place
    free.
    """
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return [
        tile(text, x + cos * STEP * place, y + sin * STEP * place, turn=turn, lean=lean)
        for place, text in enumerate(texts.split())
        if text != "_"
    ]


def rotated(tiles: Sequence[SeenTile], degrees: float) -> list[SeenTile]:
    """The tiles as they are seen once the whole table is turned about its middle; for flat ones."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    turned = []
    for one in tiles:
        mm = RIG.to_mm(np.asarray(one.quad), height_mm=TILE_TOP_MM) @ np.asarray([[cos, sin], [-sin, cos]])
        quad = tuple((float(u), float(v)) for u, v in RIG.to_px(mm, height_mm=TILE_TOP_MM))
        turned.append(SeenTile(one.face, quad, one.confidence, one.alternatives))
    return turned


def shaken(tiles: Sequence[SeenTile], rng: np.random.Generator, mm: float) -> list[SeenTile]:
    """The tiles with every corner found so far off, at most, in any direction."""
    px = mm / RIG.mm_per_px
    found = []
    for one in tiles:
        away = rng.uniform(-px, px, (4, 2)) / math.sqrt(2)
        quad = tuple((float(u), float(v)) for u, v in np.asarray(one.quad) + away)
        found.append(SeenTile(one.face, quad, one.confidence, one.alternatives))
    return found


def look(tiles: Sequence[SeenTile], **changes: Any) -> TableReading:
    """The reading of these tiles."""
    values: dict[str, Any] = {"number": 1, "at": 0.0, "rules": ETALAT, "zones": ZONES} | changes
    zones = values.pop("zones")
    return lay_out(tiles, RIG, zones, **values)


def faces(tiles: Sequence[Lying]) -> str:
    """What tiles show, in order."""
    return " ".join(str(one.face) for one in tiles)


def melds(reading: TableReading) -> list[str]:
    """What the melds and single tiles show, in alphabetical order."""
    return sorted(faces(meld.tiles) for meld in reading.melds)


def codes(reading: TableReading) -> list[str]:
    """The codes of the problems, in order."""
    return [problem.code for problem in reading.problems]


def outline(reading: TableReading) -> dict[str, Any]:
    """All that a reading says but keys, places and problems, whatever the order of melds and stacks."""
    return {
        "melds": sorted((meld.seat, faces(meld.tiles), len(meld.towers)) for meld in reading.melds),
        "row": faces(reading.row),
        "reversed": reading.reversed_first,
        "wall": len(reading.wall),
        "atu": None if reading.atu is None else str(reading.atu.face),
        "racks": {seat: [faces(tier) for tier in tiers] for seat, tiers in reading.racks.items()},
    }


def every(reading: TableReading) -> list[Lying]:
    """Every tile of a reading, as often as it stands there."""
    found = [one for meld in reading.melds for one in (*meld.tiles, *(top for _, top in meld.towers))]
    found += [*reading.row, *(stack.top for stack in reading.wall)]
    found += [reading.atu] if reading.atu is not None else []
    return found + [one for tiers in reading.racks.values() for tier in tiers for one in tier]
