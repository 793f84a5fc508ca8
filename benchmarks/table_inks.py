"""How often the colour of a few tiles on a table is judged wrong: untaught, taught by a photo, taught there.

    python -m benchmarks.table_inks [--sets 6] [--first 300] [--frames 14]

Each rendered table has a set, a camera and a lamp of its own. The set is taught by one frame of that camera.
Then one to nine of its tiles lie on the table, in that light brighter or darker, and in that of another lamp.
Counted are tiles found that show a number. Needs the fonts of `remi synth`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from companion.demo_players.teaching import teach
from companion.tilesets import load_reader
from engine.tiles import TILE_COLOURS
from vision.seeing.ground import table_region, tile_widths
from vision.synth.lamps import draw_light
from vision.virtual.pieces import Lie, Put, Remove, Switches
from vision.virtual.setting import Setting, draw_setting
from vision.virtual.table import VirtualTable

if TYPE_CHECKING:
    from vision.adapt import Lesson
    from vision.reader import Reader

COUNTS = (1, 1, 2, 2, 3, 4, 6, 9)
EXPOSURES = (1.0, 1.0, 0.75, 0.85, 1.1, 1.2)


def frames(setting: Setting, count: int, rng: np.random.Generator) -> Iterator[VirtualTable]:
    """A table with a few tiles, again and again."""
    table = VirtualTable(setting)
    for at in range(count):
        table.do(*(Remove(tile) for tile in table.planned.pieces), at=float(at))
        many = int(rng.choice(COUNTS))
        places = rng.choice(70, many, replace=False)
        for tile, place in zip(rng.choice(np.arange(1, 105), many, replace=False), places, strict=True):
            down, across = divmod(int(place), 10)
            lie = Lie((across - 4.5) * 60.0, (down - 3) * 70.0, float(rng.normal(0, 0.05)))
            table.do(Put(int(tile), lie, up=True), at=float(at))
        table.switch(Switches(exposure=float(rng.choice(EXPOSURES))), at=float(at))
        yield table


def wrong_colours(reader: Reader, table: VirtualTable, lesson: Lesson) -> Counter[str]:
    """How many tiles were found, and in how many of them each way to judge gives another colour."""
    rig = table.rig()
    found, answers = reader.finds(table.frame(), {}, regions=[table_region(rig)], tile_px=tile_widths(rig))
    shown = [one for one in table.truth() if one.quad and one.face[0] in TILE_COLOURS]
    told: Counter[str] = Counter()
    ways = {"untaught": None, "photo": replace(lesson, here=False), "here": lesson}
    judged = {}
    for name, adapter in ways.items():
        reader.adapter = adapter
        judged[name] = reader.faces(answers, found).colour.argmax(axis=1)
    reader.adapter = None
    middles = found.quads.mean(axis=1)
    for one in shown:
        away = np.linalg.norm(middles - np.mean(one.quad, axis=0), axis=1)
        if len(away) == 0 or away.min() > table.setting.tile_px / 3:
            continue
        told["tiles"] += 1
        for name, colours in judged.items():
            told[name] += TILE_COLOURS[int(colours[away.argmin()])] != one.face[0]
    return told


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", type=int, default=6)
    parser.add_argument("--first", type=int, default=300)
    parser.add_argument("--frames", type=int, default=14)
    given = parser.parse_args()
    reader = load_reader(threads=1)
    total: dict[str, Counter[str]] = {"same lamp": Counter(), "other lamps": Counter()}
    for seed in range(given.first, given.first + given.sets):
        rng = np.random.default_rng([seed, 17])
        setting = draw_setting(seed, seats=3)
        taught = teach(reader, setting)
        if taught is None:
            print(f"set {seed}: could not be taught", file=sys.stderr)
            continue
        lesson = taught.lesson
        lamp = replace(setting, light=draw_light(rng, ceiling=True))
        for name, shown in (("same lamp", setting), ("other lamps", lamp)):
            for table in frames(shown, given.frames, rng):
                total[name] += wrong_colours(reader, table, lesson)
        print(f"set {seed}: {json.dumps(total)}", file=sys.stderr)
    ways = ("tiles", "untaught", "photo", "here")
    figures = {name: {way: counted[way] for way in ways} for name, counted in total.items()}
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
