"""The live table: time from rest to reading, what an idle table costs, what is read wrong, memory over hours.

    python -m benchmarks.eyes [--size 1080p] [--size 4k] [--changes 20] [--bumps 2] [--seed 4]
    python -m benchmarks.eyes --hours 1
    python -m benchmarks.eyes --source ADDRESS --rig RIG.toml [--seconds 60]

Without a source a virtual table is played in simulated time: a hand lays three tiles down or takes them
back, the camera is bumped by up to 30 mm and 3 degrees. What is measured is the work of the eyes alone, not
that of rendering; a time from rest to reading is the simulated wait plus the work. With `--source` frames
come in real time from an address, as with `remi watch`, and somebody has to move something. Where the system
allows it, only two cores are used. A table goes to standard error, JSON to standard output.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from benchmarks.read_speed import CORES, Measured, keep_to_two_cores, print_table

if TYPE_CHECKING:
    from engine.table_reading import Lying, TableReading
    from vision.seeing.loop import Seeing
    from vision.seeing.states import Update
    from vision.virtual import VirtualTable

REST_LIMIT_MS: Final = 500.0
IDLE_LIMIT: Final = 15.0
SIZES: Final = {"1080p": (1920, 1080), "4k": (3840, 2160)}
SAME_MM: Final = 9.0
SEEN: Final = 0.9  # of a tile in sight, to count what was read of it


@dataclass
class Tally:
    """What came of a run: times in ms (idle looks: of all cores together), and the tiles of melds and row by
    what was read of them.
    """

    rest_ms: list[float] = field(default_factory=list)
    read_ms: list[float] = field(default_factory=list)
    idle_ms: list[float] = field(default_factory=list)
    readings: int = 0
    right: int = 0
    wrong: int = 0
    unflagged: int = 0
    missing: int = 0
    under_a_hand: int = 0
    healed: int = 0


class Evening:
    """A virtual table that is played in simulated time before eyes."""

    def __init__(self, size: tuple[int, int], seed: int) -> None:
        from companion.readers import load_reader
        from engine.rules import rule_set
        from vision.reader import Reader
        from vision.seeing.loop import Seeing
        from vision.virtual import VirtualTable

        reader = load_reader(threads=CORES)
        assert isinstance(reader, Reader)
        self.table: VirtualTable = VirtualTable(seed=seed, seats=4, size=size)
        self.table.deal()
        self.seeing: Seeing = Seeing(reader, self.table.rig(), self.table.zones, rules=rule_set("etalat"))
        self.chance = np.random.default_rng(seed)
        self.now, self.number, self.tally = 0.0, 0, Tally()
        self._down: list[tuple[int, list[int]]] = []

    def run(self, seconds: float) -> None:
        """So many simulated seconds of looks."""
        end = self.now + seconds
        while self.now < end:
            self._look()

    def until_read(self, *, most: float = 12.0) -> None:
        """Until what is planned is done and the table has been read and is quiet again."""
        end = self.table.free_at + most
        while self.now < self.table.free_at or not (self.seeing.quiet or self.now > end):
            self._look()

    def change(self) -> None:
        """A hand lays three tiles down in front of a seat, or takes those laid down first to its rack."""
        if len(self._down) >= 6 or (self._down and self.chance.random() < 0.4):
            seat, tiles = self._down.pop(0)
            self.table.to_rack(seat, *tiles, at=self.now + 0.2)
            return
        seat = int(self.chance.integers(1, 5))
        tiles = on_rack(self.table, seat)[:3]
        self.table.put_down(seat, tiles, at=self.now + 0.2)
        self._down.append((seat, tiles))

    def bump(self) -> None:
        """The camera is pushed and turned."""
        way = self.chance.uniform(0, 2 * math.pi)
        far, turned = self.chance.uniform(5, 30), self.chance.uniform(-3, 3)
        self.table.bump(far * math.cos(way), far * math.sin(way), turned, at=self.now + 0.2)

    def _look(self) -> None:
        from vision.sources.frames import Frame

        pixels = self.table.frame(self.now)
        pixels.flags.writeable = False
        self.number += 1
        begun, used = time.perf_counter(), time.process_time()
        update = self.seeing.step(Frame(pixels, self.now, self.number), self.now)
        spent, used = 1000 * (time.perf_counter() - begun), 1000 * (time.process_time() - used)
        self._note(update, spent, used)
        self.now += max(self.seeing.pause, spent / 1000)

    def _note(self, update: Update, spent: float, used: float) -> None:
        tally = self.tally
        tally.healed += update.healed is not None
        if update.reading is None:
            if self.seeing.quiet and not any(name == "read" for name, _ in update.milliseconds):
                tally.idle_ms.append(used)
            return
        tally.readings += 1
        tally.rest_ms.append(1000 * update.waited_s + spent)
        tally.read_ms.append(spent)
        self._compare(update.reading)

    def _compare(self, reading: TableReading) -> None:
        """Counts what a reading says against what lies there."""
        tally = self.tally
        hands = {zone.name for zone in self.table.hand_zones() if zone.kind != "rack"}
        changed = hands - set(reading.unseen)
        tally.under_a_hand += bool(changed and self.table.now < self.table.free_at - 0.3)
        lying = [tile for meld in reading.melds for tile in meld.tiles] + list(reading.row)
        for true in self.table.truth():
            if true.zone.kind not in ("meld", "discard") or true.visible < SEEN:
                continue
            if self._hidden(true.centre, reading):
                continue
            seen = _nearest(lying, true.centre)
            if seen is None:
                tally.missing += 1
            elif str(seen.face) == true.face:
                tally.right += 1
            else:
                tally.wrong += 1
                tally.unflagged += not seen.doubtful

    def _hidden(self, centre: tuple[float, float, float], reading: TableReading) -> bool:
        return self.seeing.zones.at(centre[:2]).name in reading.unseen


def on_rack(table: VirtualTable, seat: int) -> list[int]:
    """The tiles that stand on a seat's rack once all that is planned is done."""
    return [
        tile
        for tile, piece in table.planned.pieces.items()
        if piece.zone.kind == "rack" and piece.zone.seat == seat
    ]


def _nearest(lying: list[Lying], centre: tuple[float, float, float]) -> Lying | None:
    near = [(math.dist(tile.place, centre[:2]), at) for at, tile in enumerate(lying)]
    distance, at = min(near, default=(math.inf, -1))
    return lying[at] if distance <= SAME_MM else None


def measure(size: str, *, changes: int, bumps: int, seed: int) -> tuple[list[Measured], Tally]:
    """The figures of one frame size."""
    from vision.seeing.loop import IDLE_S

    evening = Evening(SIZES[size], seed)
    evening.until_read()
    evening.tally = Tally()
    at_bumps = {round((at + 1) * changes / (bumps + 1)) for at in range(bumps)}
    for number in range(changes):
        evening.change()
        evening.until_read()
        evening.run(1.0)
        if number in at_bumps:
            times = evening.tally.rest_ms, evening.tally.read_ms
            evening.tally.rest_ms, evening.tally.read_ms = [], []
            evening.bump()
            evening.run(1.0)
            evening.until_read()
            evening.tally.rest_ms, evening.tally.read_ms = times  # all is read anew: no change of three tiles
    tally = evening.tally
    share = 100 * statistics.mean(tally.idle_ms) / 1000 / IDLE_S
    rest, read = _p95(tally.rest_ms), _p95(tally.read_ms)
    return [
        Measured(f"{size}, rest to reading", "ms", statistics.median(tally.rest_ms), rest, REST_LIMIT_MS),
        Measured(f"{size}, reading alone", "ms", statistics.median(tally.read_ms), read, REST_LIMIT_MS),
        Measured(f"{size}, idle, % of a core", "%", share, share, IDLE_LIMIT),
    ], tally


def _p95(values: list[float]) -> float:
    return float(np.quantile(values, 0.95))


def hours(count: float, size: str, seed: int) -> None:
    """Plays for simulated hours, with a line for each minute; memory is in MiB."""
    import psutil

    evening, process = Evening(SIZES[size], seed), psutil.Process()
    evening.until_read()
    for minute in range(1, round(60 * count) + 1):
        while evening.now < 60 * minute:
            evening.change()
            evening.until_read()
            evening.run(15.0)
        if minute % 10 == 0:
            evening.bump()
            evening.run(1.0)
            evening.until_read()
        tally = evening.tally
        memory = process.memory_info().rss / 2**20
        print(
            f"minute {minute}: {memory:.0f} MiB, {tally.readings} readings, {evening.number} looks, idle "
            f"{statistics.mean(tally.idle_ms[-300:]):.1f} ms a look, healed {tally.healed}; tiles right "
            f"{tally.right}, wrong {tally.wrong}, unflagged {tally.unflagged}, missing {tally.missing}",
            flush=True,
        )
        del tally.idle_ms[:-300], tally.rest_ms[:-300], tally.read_ms[:-300]


def live(source: str, rig_file: Path, seconds: float) -> list[Measured]:
    """The figures of a source in real time: they need somebody, or something, that moves tiles."""
    from calibration.rig_file import load_rig
    from calibration.zones import default_zones
    from companion.readers import load_reader
    from engine.rules import rule_set
    from vision.reader import Reader
    from vision.seeing.eyes import Eyes
    from vision.seeing.loop import Seeing
    from vision.sources.addresses import open_source, parse_address

    rig, reader = load_rig(rig_file), load_reader(threads=CORES)
    assert isinstance(reader, Reader)
    zones = default_zones(rig.layout.table_mm, 4)
    seeing = Seeing(reader, rig, zones, rules=rule_set("etalat"))
    times: list[float] = []
    busy: list[float] = []
    with (
        open_source(parse_address(source)) as running,
        Eyes(running, seeing, on_reading=lambda _: None) as eyes,
    ):
        end, count = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            time.sleep(0.05)
            status = eyes.status()
            if status.readings > count and status.settled_ms is not None:
                count = status.readings
                times.append(status.settled_ms)
            if status.state == "looking":
                busy.append(100 * status.busy)
    if not times or not busy:
        raise SystemExit(f"no reading in {seconds:g} s: {eyes.status().state} {eyes.status().reason.en}")
    median = statistics.median(times)
    # The quietest tenth: averages over 5 s in which nothing was read.
    idle = float(np.quantile(busy, 0.1))
    return [
        Measured("rest to reading", "ms", median, _p95(times), REST_LIMIT_MS),
        Measured("idle, % of a core, without decoding", "%", idle, max(busy), IDLE_LIMIT),
    ]


def main() -> None:
    """Measures and prints; exit code 1 where a limit is not kept."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--size", action="append", choices=sorted(SIZES))
    parser.add_argument("--changes", type=int, default=20)
    parser.add_argument("--bumps", type=int, default=0)
    parser.add_argument("--seed", type=int, default=4)
    parser.add_argument("--hours", type=float)
    parser.add_argument("--source")
    parser.add_argument("--rig", type=Path)
    parser.add_argument("--seconds", type=float, default=60.0)
    options = parser.parse_args()
    if options.source is not None and options.rig is None:
        parser.error("--source needs --rig RIG.toml")
    machine = keep_to_two_cores()
    sizes = options.size or ["1080p", "4k"]
    if options.hours is not None:
        hours(options.hours, sizes[0], options.seed)
        return
    figures: list[Measured] = []
    tiles = {}
    if options.source is not None:
        figures = live(options.source, options.rig, options.seconds)
    for size in sizes if options.source is None else ():
        found, tally = measure(size, changes=options.changes, bumps=options.bumps, seed=options.seed)
        figures += found
        names = ("readings", "right", "wrong", "unflagged", "missing", "under_a_hand", "healed")
        tiles[size] = {name: getattr(tally, name) for name in names}
    print_table(figures, machine)
    rows = [
        {"what": one.what, "unit": one.unit, "median": one.median, "p95": one.worst, "limit": one.limit}
        for one in figures
    ]
    print(json.dumps({"machine": machine, "figures": rows, "tiles": tiles}, indent=1))
    sys.exit(0 if all(figure.kept for figure in figures) else 1)


if __name__ == "__main__":
    main()
