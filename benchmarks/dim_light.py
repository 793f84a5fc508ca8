"""What a camera's noise costs, and what is got back where the frames of a table at rest are taken together.

    python -m benchmarks.dim_light [--tables 12] [--first 9100] [--noise 3 5 7 9 12 16] [--gain 0.6]

Rendered tables with looks that no net was trained on, eight melds of four tiles on each. Noise is in grey
levels of 255, new in every frame; the gain is how bright the picture is. Counted are tiles of melds, atu and
discard row, of which at least nine tenths are in sight. Once the newest frame is read, once what
`vision.seeing.steady` makes of four; a first look each. A table goes to standard error, JSON to standard
output. Needs the fonts of `remi synth`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.eyes import SEEN, on_rack
from companion.tilesets import load_reader
from vision.seeing.ground import table_region, tile_widths
from vision.seeing.loop import BUSY_S
from vision.seeing.steady import MOST, Steady
from vision.sources.frames import Frame
from vision.virtual.setting import draw_setting
from vision.virtual.table import VirtualTable

if TYPE_CHECKING:
    from vision.pictures import Pixels
    from vision.reader import Reader

ZONES: Final = ("meld", "discard", "atu")
NEAR: Final = 0.4  # of a tile's width: a tile that was read lies so near to the true one


def played(seed: int, noise: float, gain: float) -> VirtualTable:
    """A table of a camera with such noise, two melds before each seat, and nothing that moves any more."""
    setting = draw_setting(seed, split="heldout")
    sensor = replace(setting.sensor, noise=noise, gain=gain, coarse=True)
    table = VirtualTable(replace(setting, sensor=sensor))
    table.deal()
    for seat in (1, 2, 3, 4):
        held = on_rack(table, seat)
        for at in (0, 4):
            table.put_down(seat, held[at : at + 4])
    table.frame(table.free_at)
    return table


def pictures(table: VirtualTable) -> tuple[Pixels, Pixels]:
    """The newest frame, and what is made of it and those before."""
    begun, steady = table.free_at + 1.0, Steady()
    for number in range(MOST):
        now = begun + number * BUSY_S
        steady = steady.seen(Frame(table.frame(now).copy(), now, number + 1), now)
    return steady.frames[-1][1].pixels, steady.picture(begun - BUSY_S)


def counted(reader: Reader, table: VirtualTable, picture: Pixels) -> Counter[str]:
    """Tiles by what came of them."""
    rig = table.rig()
    tiles = reader.read(picture, regions=[table_region(rig)], tile_px=tile_widths(rig)).tiles
    middles = np.asarray([np.mean(tile.quad, axis=0) for tile in tiles]).reshape(-1, 2)
    came: Counter[str] = Counter()
    for true in table.truth():
        if true.zone.kind not in ZONES or true.visible < SEEN:
            continue
        away = np.linalg.norm(middles - rig.to_px(np.asarray([true.centre]))[0], axis=1)
        if not len(away) or away.min() > NEAR * table.setting.tile_px:
            came["missed"] += 1
            continue
        read = str(tiles[int(away.argmin())].face)
        came["right" if read == true.face else "unread" if read == "?" else "wrong"] += 1
    return came


def main(argv: Sequence[str] | None = None) -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=12)
    parser.add_argument("--first", type=int, default=9100)
    parser.add_argument("--noise", type=float, nargs="+", default=[3.0, 5.0, 7.0, 9.0, 12.0, 16.0])
    parser.add_argument("--gain", type=float, default=0.6)
    given = parser.parse_args(argv)
    reader = load_reader(threads=1)
    lines = []
    for noise in given.noise:
        one, together = Counter[str](), Counter[str]()
        for seed in range(given.first, given.first + given.tables):
            table = played(seed, noise, given.gain)
            newest, steady = pictures(table)
            one += counted(reader, table, newest)
            together += counted(reader, table, steady)
        for name, came in (("one frame", one), ("together", together)):
            tiles = sum(came.values())
            lines.append({"noise": noise, "read": name, "tiles": tiles, **came})
            shares = ", ".join(f"{what} {100 * count / tiles:.2f} %" for what, count in came.most_common())
            print(f"noise {noise:g}, {name}: {tiles} tiles, {shares}", file=sys.stderr, flush=True)
    print(json.dumps({"gain": given.gain, "tables": given.tables, "lines": lines}, indent=1))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
