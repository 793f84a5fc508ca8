"""Measures how tables are laid out: zones, melds, discard row, atu, wall; with true tiles and as read."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from calibration.errors import CalibrationError
from calibration.markers import MarkerLayout, find_markers
from calibration.rig import Provenance, Rig, calibrate
from calibration.zones import default_zones
from engine.notation import parse_seen
from engine.readings import SeenTile
from vision.labelled import LabelError, Spot, TrueTile
from vision.matching import match
from vision.table_layout import lay_out
from vision.table_truth import TrueTable, load_tables

if TYPE_CHECKING:
    from calibration.zones import Kind
    from engine.rules import RuleSet
    from engine.table_reading import Lying, TableReading
    from vision.evaluate import PictureReader

MODES: Final = ("labels", "read")
"""With the tiles of the labels, which tests the layout alone, and with those that the reader finds."""

SEEN: Final = 0.5
"""Of a tile whose label shows less than this share nothing is expected, and it is not laid out."""

PARTS: Final = {
    "zone": "readable tiles in their zone",
    "zone_found": "of those found",
    "melds": "melds: all tiles in order, nothing else",
    "row": "discard rows in order",
    "reversed": "first discard seen reversed",
    "atu": "atu",
    "wall": "walls: every stack, nothing else",
    "tiers": "tiers of racks in order",
    "faces": "faces of melds, discard row, atu",
    "meld_faces": "melds with all faces right",
}
KINDS: Final[tuple[Kind, ...]] = ("meld", "discard", "atu", "wall", "rack")


@dataclass
class TableTally:
    """Counts of one mode: of each part how many there are and how many are right, and what went wrong."""

    asked: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    kinds_right: Counter[str] = field(default_factory=Counter)
    accepted: int = 0
    wrong_accepted: int = 0
    spurious: int = 0
    whole: int = 0
    tables: int = 0
    wrong: list[str] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)

    def add(self, part: str, right: bool, *, what: str = "") -> None:
        """Counts one thing of a part; where it is wrong, `what` says which."""
        self.asked[part] += 1
        self.right[part] += right
        if not right and what:
            self.wrong.append(what)

    def to_json(self) -> dict[str, Any]:
        """All counts as one document."""
        return {
            "tables": self.tables,
            "tables_right": self.whole,
            **{
                part: {"of": self.asked[part], "right": self.right[part]}
                for part in PARTS
                if self.asked[part]
            },
            "zones": {
                kind: {"of": self.kinds[kind], "right": self.kinds_right[kind]}
                for kind in KINDS
                if self.kinds[kind]
            },
            "accepted": self.accepted,
            "wrong_accepted": self.wrong_accepted,
            "spurious": self.spurious,
            "layout_milliseconds": round(float(np.median(self.milliseconds)), 1)
            if self.milliseconds
            else None,
            "wrong": self.wrong,
        }


@dataclass
class TableEvaluation:
    """The whole measurement of a set of tables."""

    data: Path
    markers: Counter[int] = field(default_factory=Counter)
    with_markers: int = 0
    calibrated: int = 0
    modes: dict[str, TableTally] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """One document with everything that `to_text` prints."""
        return {
            "data": self.data.name,
            "with_markers": self.with_markers,
            "markers_found": {str(count): self.markers[count] for count in sorted(self.markers)},
            "tables_found": self.calibrated,
            "modes": {mode: tally.to_json() for mode, tally in self.modes.items()},
        }

    def to_text(self) -> str:
        """Markers and tables, then a table by part and mode, and what went wrong."""
        found = ", ".join(f"{count} markers on {self.markers[count]}" for count in sorted(self.markers))
        head = f"tables with markers: {self.with_markers}; {found or 'no markers looked for'}"
        lines = [
            f"{head}; table found from them: {self.calibrated}",
            "",
            f"{'':<42}" + "".join(f"{mode:>20}" for mode in self.modes),
        ]
        lines.append(
            _line("tables with everything right", [(t.whole, t.tables) for t in self.modes.values()])
        )
        for part, name in PARTS.items():
            counts = [(tally.right[part], tally.asked[part]) for tally in self.modes.values()]
            if any(asked for _, asked in counts):
                lines.append(_line(name, counts))
        for kind in KINDS:
            counts = [(tally.kinds_right[kind], tally.kinds[kind]) for tally in self.modes.values()]
            if any(asked for _, asked in counts):
                lines.append(_line(f"  in their zone: {kind}", counts))
        for mode, tally in self.modes.items():
            time_ms = f", {np.median(tally.milliseconds):.0f} ms a table" if tally.milliseconds else ""
            lines.append(
                f"{mode}: {tally.wrong_accepted} of {tally.accepted} faces wrong and not flagged, "
                f"{tally.spurious} tiles laid out where none is{time_ms}"
            )
            lines += [f"  {line}" for line in tally.wrong]
        return "\n".join(lines)


def evaluate_tables(
    data: Path,
    reader: PictureReader | None,
    *,
    rules: RuleSet,
    progress: Callable[[int, int], None] | None = None,
) -> TableEvaluation:
    """Lays out every labelled table under `data`, with true tiles and, given a reader, as it reads them.

    The rig is made from the markers in the picture, where the label says that they lie there, else it is the
    camera of the label; zones are the default ones. Raises FileNotFoundError where there are no tables, and
    LabelError that names what is broken.
    """
    from vision.pictures import PictureError, load_picture

    tables = load_tables(data)
    result = TableEvaluation(data, modes={mode: TableTally() for mode in MODES[: 1 if reader is None else 2]})
    for done, table in enumerate(tables, 1):
        try:
            pixels = load_picture(table.picture)
        except PictureError as error:
            raise LabelError(f"{table.picture}: {error}") from error
        rig = _rig(table, pixels, result)
        judge_table(result.modes["labels"], table, true_tiles(table), rig, rules=rules)
        if reader is not None:
            judge_table(result.modes["read"], table, reader.read(pixels).tiles, rig, rules=rules)
        if progress:
            progress(done, len(tables))
    return result


def true_tiles(table: TrueTable) -> list[SeenTile]:
    """The labels as a perfect reading of what is mostly in sight."""
    return [SeenTile(parse_seen(tile.face), tile.quad, 0.999) for tile in table.tiles if tile.visible >= SEEN]


def judge_table(
    tally: TableTally, table: TrueTable, tiles: Sequence[SeenTile], rig: Rig, *, rules: RuleSet
) -> None:
    """Lays out one table and adds what is right and wrong of it."""
    start = time.perf_counter()
    reading = lay_out(tiles, rig, default_zones(table.table_mm, table.seats), number=1, at=0.0, rules=rules)
    tally.milliseconds.append(1000 * (time.perf_counter() - start))
    placed = _placed(reading)
    truths = [
        TrueTile(
            tile.face,
            np.asarray(tile.quad, np.float32),
            "table",
            tile.visible >= SEEN,
            Spot(tile.kind),
        )
        for tile in table.tiles
    ]
    mine, spare = match(truths, [tile.quad for tile, *_ in placed])
    truth_of = {placed[at][0].key: index for index, at in enumerate(mine) if at is not None}
    tally.spurious += len(spare)
    before = len(tally.wrong)
    for index, at in enumerate(mine):
        if table.tiles[index].readable:
            _judge_zone(tally, table, index, None if at is None else placed[at])
            if table.tiles[index].kind in ("meld", "discard", "atu"):
                _judge_face(tally, table, index, None if at is None else placed[at][0])
    _judge_groups(tally, table, reading, truth_of)
    tally.tables += 1
    tally.whole += len(tally.wrong) == before


def _rig(table: TrueTable, pixels: Any, result: TableEvaluation) -> Rig:
    if table.inset_mm is None:
        return table.camera
    result.with_markers += 1
    seen = find_markers(pixels)
    result.markers[len(seen)] += 1
    try:
        rig = calibrate(
            seen,
            size=table.size,
            layout=MarkerLayout(table.table_mm, inset_mm=table.inset_mm),
            provenance=Provenance("", "picture", (table.name,)),
        )
    except CalibrationError:
        return table.camera
    result.calibrated += 1
    return rig


_Placed = tuple["Lying", "Kind", "int | None"]


def _placed(reading: TableReading) -> list[_Placed]:
    """Every tile of a reading with its kind of zone and its seat."""
    found: list[_Placed] = []
    for meld in reading.melds:
        found += [(tile, "meld", meld.seat) for tile in (*meld.tiles, *(top for _, top in meld.towers))]
    found += [(tile, "discard", None) for tile in reading.row]
    found += [(stack.top, "wall", None) for stack in reading.wall]
    found += [(reading.atu, "atu", None)] if reading.atu is not None else []
    for seat, tiers in reading.racks.items():
        found += [(tile, "rack", seat) for tier in tiers for tile in tier]
    return found


def _judge_zone(tally: TableTally, table: TrueTable, index: int, placed: _Placed | None) -> None:
    tile = table.tiles[index]
    seated = tile.kind == "rack" or (tile.kind == "meld" and table.meld_seats)
    right = placed is not None and placed[1] == tile.kind and (not seated or placed[2] == tile.seat)
    tally.kinds[tile.kind] += 1
    tally.kinds_right[tile.kind] += right
    where = "not found" if placed is None else f"placed in {placed[1]} {placed[2] or ''}".rstrip()
    what = f"{table.name}: {tile.face} of {tile.kind} {tile.seat or ''}".rstrip()
    tally.add("zone", right, what=f"{what} {where}")
    if placed is not None:
        tally.add("zone_found", right)


def _judge_face(tally: TableTally, table: TrueTable, index: int, lying: Lying | None) -> None:
    right = lying is not None and str(lying.face) == table.tiles[index].face
    doubtful = lying is None or lying.doubtful
    said = "not found" if lying is None else f"read as {lying.face}{' (flagged)' if doubtful else ''}"
    what = f"{table.name}: {table.tiles[index].face} of {table.tiles[index].kind} {said}"
    tally.add("faces", right, what=what if lying is not None else "")
    if not doubtful:
        tally.accepted += 1
        tally.wrong_accepted += not right


def _judge_groups(
    tally: TableTally, table: TrueTable, reading: TableReading, truth_of: dict[int, int]
) -> None:
    readable = {index for index, tile in enumerate(table.tiles) if tile.readable}
    expected = {index for index, tile in enumerate(table.tiles) if tile.visible >= SEEN}

    def same(truth: Sequence[int], tiles: Sequence[Lying]) -> bool:
        """Whether the readable tiles lie there in order, and nothing that is not of them."""
        found = [truth_of.get(tile.key) for tile in tiles]
        if not set(found) <= set(truth):
            return False
        return [one for one in found if one in readable] == [one for one in truth if one in readable]

    def words(tiles: Sequence[Lying]) -> str:
        return " ".join(str(tile.face) for tile in tiles) or "nothing"

    def truly(truth: Sequence[int]) -> str:
        return " ".join(table.tiles[index].face for index in truth)

    for meld in table.melds():
        if not set(meld) <= readable:
            continue
        near = [one for one in reading.melds if {truth_of.get(tile.key) for tile in one.tiles} & set(meld)]
        right = len(near) == 1 and same(meld, near[0].tiles) and not near[0].towers
        shown = " | ".join(words(one.tiles) for one in near) or "nothing"
        tally.add("melds", right, what=f"{table.name}: meld {truly(meld)} laid out as {shown}")
        faces = right and words(near[0].tiles) == truly(meld)
        tally.add("meld_faces", faces)
    row = [index for index in table.of_kind("discard") if index in expected]
    if any(index in readable for index in row):
        tally.add(
            "row",
            same(row, reading.row),
            what=f"{table.name}: discard row {truly(row)} laid out as {words(reading.row)}",
        )
        if len(row) > 1 and row[0] in readable:
            tally.add(
                "reversed",
                reading.reversed_first is True,
                what=f"{table.name}: first discard not seen reversed",
            )
    elif not row and reading.row:
        tally.add("row", False, what=f"{table.name}: no discard row, but {words(reading.row)} taken for one")
    atu = [index for index in table.of_kind("atu") if index in readable]
    laid = truth_of.get(reading.atu.key) if reading.atu is not None else None
    if atu:
        shown = "nothing" if reading.atu is None else str(reading.atu.face)
        tally.add("atu", laid == atu[0], what=f"{table.name}: atu {truly(atu)} laid out as {shown}")
    wall = {index for index in table.of_kind("wall") if index in readable}
    tops = {truth_of.get(stack.top.key) for stack in reading.wall}
    if wall:
        other = tops - {index for index in table.of_kind("wall") if index in expected}
        tally.add(
            "wall",
            wall <= tops and not other,
            what=f"{table.name}: wall of {len(wall)} laid out as {len(tops)}",
        )
    tiers = [tier for tiers in reading.racks.values() for tier in tiers]
    for (seat, number), tier in table.tiers().items():
        if any(index in readable for index in tier):
            own = [
                tile for one in tiers if any(truth_of.get(tile.key) in tier for tile in one) for tile in one
            ]
            tally.add(
                "tiers",
                same(tier, own),
                what=f"{table.name}: tier {number} of rack {seat} {truly(tier)} laid out as {words(own)}",
            )


def _line(name: str, counts: Sequence[tuple[int, int]]) -> str:
    cells = [f"{right} of {asked} {100 * right / asked:6.2f} %" if asked else "" for right, asked in counts]
    return f"{name:<42}" + "".join(f"{cell:>20}" for cell in cells)
