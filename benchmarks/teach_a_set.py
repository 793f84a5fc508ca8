"""How much better a tile set is read once it was taught, and whether a missing tile is named.

    python -m benchmarks.teach_a_set [--models DIR] [--looks 3] [--split heldout|train]

Each rendered look is taught by a picture of all its tiles in rows; of a second one, in which a tile is
missing, that tile must be named. Then pictures of its tiles in several lights and sizes are read without
and with what was learnt. Fonts, ornaments and jokers of the looks are those kept for measuring; seeds are
fixed. The exit code is 1 where teaching did not help or a missing tile was not named. It needs the fonts of
`remi synth`, and PyAV.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.tiles import TILE_COLOURS, Mark
from vision.adapt import learn
from vision.census import take_census
from vision.sightings import sight
from vision.synth import layouts
from vision.synth.faces import FaceFactory
from vision.synth.geometry import look_at
from vision.synth.lamps import draw_light
from vision.synth.looks import Look, draw_look
from vision.synth.post import develop
from vision.synth.render import Painter, TileLabel
from vision.synth.surfaces import surface

if TYPE_CHECKING:
    from engine.readings import SeenTile
    from vision.reader import Reader
    from vision.synth.fonts import Split

U8 = NDArray[np.uint8]

SEED: Final = 41
STYLES: Final = ("engraved", "large_print", "classic", "romanian", "flat", "us")
WIDTHS: Final = (18, 24, 34, 50)
"""Pixels of a tile's width in the pictures that are read."""
LIGHTS: Final = 3
CENSUS_SIZE: Final = (1600, 1280)
CENSUS_PX: Final = 78.0
ROWS: Final = 8
IN_A_ROW: Final = 13
IN_SIGHT: Final = 0.75  # of a face, so that it counts


@dataclass
class Tally:
    """Tiles in sight, not found, read wrong (by number, by colour), wrong and accepted, unread."""

    tiles: int = 0
    lost: int = 0
    wrong: int = 0
    numbers: int = 0
    colours: int = 0
    accepted: int = 0
    unread: int = 0

    def add(self, other: Tally) -> None:
        """Adds another tally to this one."""
        for key, value in asdict(other).items():
            setattr(self, key, getattr(self, key) + value)

    @property
    def error(self) -> float:
        """Share of the tiles that were found whose likeliest face is not theirs."""
        return self.wrong / max(1, self.tiles - self.lost)


@dataclass
class Result:
    """What came of one look."""

    style: str
    seed: int
    found: int = 0
    misread: int = 0
    misnamed: int = 0
    asked: int = 0
    removed: str = ""
    named: list[str] = field(default_factory=list)
    seconds: float = 0.0
    before: dict[int, Tally] = field(default_factory=dict)
    after: dict[int, Tally] = field(default_factory=dict)

    @property
    def missing_named(self) -> bool:
        """Whether exactly the tile that was removed is missed."""
        return self.named == [self.removed]


def census_layout(look: Look, rng: np.random.Generator, removed: str | None = None) -> layouts.Layout:
    """All tiles in rows, each colour twice 1 to 13, the jokers at the end of two rows."""
    rows = [[f"{slot}{number}" for number in range(1, 14)] for slot in TILE_COLOURS for _ in range(2)]
    rows[5].append("*0")
    rows[7].append("*1")
    if removed is not None:
        next(row for row in rows if removed in row).remove(removed)
    return _laid(look, rows, rng)


def table_layout(look: Look, rng: np.random.Generator) -> layouts.Layout:
    """Tiles at random in rows."""
    return _laid(look, [[layouts.any_face(rng, 0.04) for _ in range(IN_A_ROW)] for _ in range(ROWS)], rng)


def _laid(look: Look, rows: Sequence[list[str]], rng: np.random.Generator) -> layouts.Layout:
    laid = layouts.Layout()
    pitch = look.height_mm * rng.uniform(1.08, 1.22)
    for index, faces in enumerate(rows):
        start = (-IN_A_ROW / 2 * look.width_mm, (len(rows) / 2 - index - 0.5) * pitch)
        layouts.row(laid, faces, start, 0.0, look, rng, gap=0.03)
    return laid


def shoot(
    look: Look,
    laid: layouts.Layout,
    rng: np.random.Generator,
    *,
    size: tuple[int, int],
    tile_px: float,
    factory: FaceFactory,
    roll: float,
) -> tuple[U8, list[TileLabel]]:
    """A picture of a layout from above, in a light of its own, and its labels."""
    focal = max(size) * rng.uniform(0.8, 1.1)
    camera = look_at(
        target=np.asarray([0.0, 0.0, 10.0]),
        tilt=abs(rng.normal(0, 0.12)),
        azimuth=rng.uniform(0, 2 * math.pi),
        roll=roll,
        distance=focal / tile_px * look.width_mm,
        focal_px=focal,
        size=size,
        k1=rng.normal(0, 0.02),
    )
    image = surface(rng, size, tile_px)
    painter = Painter(image, camera, draw_light(rng), factory)
    painter.paint(laid)
    return develop(image, rng, tile_px=tile_px), painter.labels(laid.solids)


def judge(tiles: Sequence[SeenTile], labels: Sequence[TileLabel]) -> Tally:
    """How tiles were read that lie where the labels say."""
    tally = Tally()
    centres = np.asarray([np.mean(tile.quad, axis=0) for tile in tiles]).reshape(-1, 2)
    for label in labels:
        if label.visible < IN_SIGHT:
            continue
        tally.tiles += 1
        quad = np.asarray(label.quad)
        away = np.linalg.norm(centres - quad.mean(axis=0), axis=1)
        if len(away) == 0 or away.min() > 0.35 * np.linalg.norm(quad[1] - quad[0]):
            tally.lost += 1
            continue
        tile = tiles[int(away.argmin())]
        unread = tile.face is Mark.UNREAD
        best = str(tile.alternatives[0].face) if unread else str(tile.face)
        tally.unread += unread
        tally.wrong += best != label.face
        tally.numbers += best[1:] != label.face[1:]
        tally.colours += best[:1] != label.face[:1] and best[1:] == label.face[1:]
        tally.accepted += best != label.face and not unread
    return tally


def teach_and_measure(reader: Reader, split: Split, style: str, seed: int) -> Result:
    """One look, taught and read."""
    rng = np.random.default_rng([SEED, seed])
    look = draw_look(rng, split, style)
    factory = FaceFactory(look)
    result = Result(style, seed)

    def census_picture(removed: str | None = None) -> tuple[U8, list[TileLabel]]:
        laid = census_layout(look, rng, removed)
        turn = rng.normal(0, 0.05)
        return shoot(look, laid, rng, size=CENSUS_SIZE, tile_px=CENSUS_PX, factory=factory, roll=turn)

    image, labels = census_picture()
    start = time.process_time()
    sighting = sight(reader, [image])
    census = take_census(sighting)
    lesson = learn(reader, sighting, census)
    result.seconds = round(time.process_time() - start, 2)
    result.found, result.misread, result.asked = len(census.tiles), census.misread, len(census.asked)
    for tile in census.tiles:
        middle = np.mean(tile.quad, axis=0)
        near = min(labels, key=lambda label: float(np.linalg.norm(np.mean(label.quad, axis=0) - middle)))
        result.misnamed += str(tile.face) != near.face
    result.removed = f"{TILE_COLOURS[int(rng.integers(4))]}{int(rng.integers(1, 14))}"
    lacking = take_census(sight(reader, [census_picture(result.removed)[0]]))
    result.named = [str(face) for face in lacking.missing] + [f"+{face}" for face in lacking.extra]
    for width in WIDTHS:
        result.before[width], result.after[width] = Tally(), Tally()
        for _ in range(LIGHTS):
            side = width * 19
            image, labels = shoot(
                look,
                table_layout(look, rng),
                rng,
                size=(side, side),
                tile_px=width,
                factory=factory,
                roll=rng.uniform(0, 2 * math.pi),
            )
            for adapter, tallies in ((None, result.before), (lesson, result.after)):
                reader.adapter = adapter
                tallies[width].add(judge(reader.read(image).tiles, labels))
            reader.adapter = None
    return result


def summed(tallies: dict[int, Tally]) -> Tally:
    """All sizes together."""
    whole = Tally()
    for tally in tallies.values():
        whole.add(tally)
    return whole


def print_table(results: Sequence[Result]) -> None:
    """The figures for people, on standard error."""
    from rich.console import Console
    from rich.table import Table

    console = Console(stderr=True, width=150)
    census = Table(title="Census: one picture of the whole set, one with a tile missing")
    for column in (
        "look",
        "found",
        "misread",
        "misnamed",
        "asked",
        "taught in (CPU)",
        "removed",
        "named as missing",
    ):
        census.add_column(column)
    for result in results:
        counts = (result.found, result.misread, result.misnamed, result.asked)
        named = " ".join(result.named) or "none"
        census.add_row(result.style, *map(str, counts), f"{result.seconds:.1f} s", result.removed, named)
    console.print(census)
    table = Table(title="Reading errors, % of the tiles found: untaught > taught")
    table.add_column("look")
    table.add_column("tiles")
    for width in WIDTHS:
        table.add_column(f"{width} px")
    for column in ("all", "numbers", "colours", "wrong, accepted", "unread"):
        table.add_column(column)
    for result in results:
        before, after = summed(result.before), summed(result.after)
        pairs = [(result.before[width], result.after[width]) for width in WIDTHS] + [(before, after)]
        table.add_row(
            result.style,
            str(before.tiles - before.lost),
            *(f"{100 * one.error:.2f} > {100 * two.error:.2f}" for one, two in pairs),
            f"{before.numbers} > {after.numbers}",
            f"{before.colours} > {after.colours}",
            f"{before.accepted} > {after.accepted}",
            f"{before.unread} > {after.unread}",
        )
    console.print(table)


def main() -> None:
    """Measures and prints."""
    from vision.reader import Reader

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--models", type=Path)
    parser.add_argument("--looks", type=int, default=3)
    parser.add_argument("--first", type=int, default=0, help="seed of the first look")
    parser.add_argument("--split", choices=("heldout", "train"), default="heldout")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(options.threads)
    reader = Reader.load(options.models, threads=options.threads)
    results = []
    for seed in range(options.first, options.first + options.looks):
        results.append(teach_and_measure(reader, options.split, STYLES[seed % len(STYLES)], seed))
        print(f"{results[-1].style}: done", file=sys.stderr)
    print_table(results)
    before, after = Tally(), Tally()
    for result in results:
        before.add(summed(result.before))
        after.add(summed(result.after))
    print(json.dumps({"looks": [asdict(result) for result in results]}, indent=1))
    better = after.error < before.error or before.wrong == 0
    sys.exit(0 if better and all(result.missing_named for result in results) else 1)


if __name__ == "__main__":
    main()
