"""How many tiles of the ceiling tables get their zone, with the default zones and the labels' faces and
quads.

    python -m benchmarks.zone_share [DATA]
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.rig_error import MODES, measure
from calibration.zones import Zone, default_zones
from engine.notation import parse_seen
from vision.placing import RACK_TOP_MM, TILE_TOP_MM, Lying, on_table, place_tiles


@dataclass(frozen=True)
class Shares:
    """Of one table: by kind of zone how many tiles there are, and how many are placed right."""

    name: str
    all: Counter[str]
    by_zone: Counter[str]
    by_sense: Counter[str]
    wrong: tuple[str, ...]


def shares(label: Path) -> Shares:
    """Places the labelled tiles with a rig made from the picture's markers alone."""
    entry = json.loads(label.read_text(encoding="utf-8"))
    rig = measure(label, MODES[2]).rig
    zones = default_zones(rig.layout.table_mm, len(entry["seats"]))
    tiles = [Lying(parse_seen(tile["face"]), np.asarray(tile["quad"], np.float64)) for tile in entry["tiles"]]
    every: Counter[str] = Counter()
    by_zone: Counter[str] = Counter()
    by_sense: Counter[str] = Counter()
    wrong = []
    for tile, labelled, place in zip(tiles, entry["tiles"], place_tiles(tiles, rig, zones), strict=True):
        kind, seat = labelled["zone"]["kind"], labelled["zone"].get("seat")
        every[kind] += 1
        height = RACK_TOP_MM if kind == "rack" else TILE_TOP_MM
        zone: Zone = zones.of_quad(rig.to_mm(tile.quad, height_mm=height))
        by_zone[kind] += (zone.kind, zone.seat) == (kind, seat)
        by_sense[kind] += (place.kind, place.seat) == (kind, seat)
        if (place.kind, place.seat) != (kind, seat):
            wrong.append(f"{tile.face} of {kind} {seat or ''} placed in {place.kind} {place.seat or ''}")
    return Shares(label.stem, every, by_zone, by_sense, tuple(wrong))


def shares_as_read(label: Path) -> Shares:
    """The same with the faces and quads of the reader; only tiles that it finds are counted."""
    from vision.labelled import overlap
    from vision.pictures import load_picture
    from vision.reader import Reader

    entry = json.loads(label.read_text(encoding="utf-8"))
    rig = measure(label, MODES[2]).rig
    zones = default_zones(rig.layout.table_mm, len(entry["seats"]))
    found = Reader.load().read(load_picture(label.parent.parent / "images" / f"{label.stem}.jpg")).tiles
    seen = [Lying(tile.face, np.asarray(tile.quad, np.float64)) for tile in found]
    seen = [tile for tile, kept in zip(seen, on_table([one.quad for one in seen], rig), strict=True) if kept]
    places = place_tiles(seen, rig, zones)
    every: Counter[str] = Counter()
    by_sense: Counter[str] = Counter()
    wrong = []
    for labelled in entry["tiles"]:
        near = [overlap(labelled["quad"], tile.quad.tolist()) for tile in seen]
        best = int(np.argmax(near)) if near else 0
        if not near or near[best] < 0.5:
            continue
        kind, seat, place = labelled["zone"]["kind"], labelled["zone"].get("seat"), places[best]
        every[kind] += 1
        by_sense[kind] += (place.kind, place.seat) == (kind, seat)
        if (place.kind, place.seat) != (kind, seat):
            face = f"{labelled['face']}, read {seen[best].face},"
            wrong.append(f"{face} of {kind} {seat or ''} placed in {place.kind} {place.seat or ''}")
    print(f"{label.stem}: {len(found)} finds, {len(seen)} can be tiles of this table")
    return Shares(label.stem, every, by_sense, by_sense, tuple(wrong))


def main() -> None:
    """Prints the shares by kind, and every tile that is placed wrong."""
    named = [argument for argument in sys.argv[1:] if not argument.startswith("--")]
    data = Path(named[0]) if named else Path("../shared/data/ceiling")
    measured = shares_as_read if "--read" in sys.argv else shares
    tables = [measured(label) for label in sorted((data / "labels").glob("*.json"))]
    every: Counter[str] = sum((table.all for table in tables), Counter())
    for kind, count in sorted(every.items()):
        place = sum(table.by_zone[kind] for table in tables)
        sense = sum(table.by_sense[kind] for table in tables)
        print(f"{kind:8} {count:4} tiles: {place / count:.1%} by zone alone, {sense / count:.1%} by sense")
    for table in tables:
        for line in table.wrong:
            print(f"  {table.name}: {line}")


if __name__ == "__main__":
    main()
