"""Measures a reader on labelled pictures: found, read right, false finds, by group, with confusions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.readings import PictureReading, SeenTile
from engine.tiles import Mark
from vision.labelled import LabelError, LabelledPicture, TrueTile, load_labelled, overlap

MATCH_IOU = 0.5  # of outlines; a find below it is a false one
HIDDEN_IOU = 0.25  # a spare find that overlaps a hidden tile by more is not held against the reader
SHARES = ("found", "precision", "right", "number", "colour")


class PictureReader(Protocol):
    """Anything that reads a BGR picture (h, w, 3 uint8)."""

    def read(self, image: NDArray[np.uint8]) -> PictureReading:
        """The tiles with their corners in pixels of `image`."""


@dataclass
class Tally:
    """Counts over some tiles; shares are None where nothing was asked."""

    tiles: int = 0
    found: int = 0
    right: int = 0
    number: int = 0
    colour: int = 0
    unread: int = 0
    wrong: int = 0
    false_finds: int = 0

    def to_json(self) -> dict[str, float | None]:
        """Counts, and shares: found, right of all tiles; number, colour of the found; precision of finds."""
        return {
            "tiles": self.tiles,
            "found": _share(self.found, self.tiles),
            "precision": _share(self.found, self.found + self.false_finds),
            "right": _share(self.right, self.tiles),
            "number": _share(self.number, self.found),
            "colour": _share(self.colour, self.found),
            "unread": self.unread,
            "wrong": self.wrong,
            "missed": self.tiles - self.found,
            "false_finds": self.false_finds,
        }


@dataclass(frozen=True)
class Judged:
    """One tile as it was and as it was read; `truth` None is a false find, `seen` None a miss."""

    path: Path
    truth: TrueTile | None
    seen: SeenTile | None


@dataclass
class Evaluation:
    """The whole measurement."""

    data: Path
    total: Tally = field(default_factory=Tally)
    groups: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    pictures: int = 0
    pictures_right: int = 0
    milliseconds: list[float] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """One document with everything that `to_text` prints."""
        times = self.milliseconds
        return {
            "data": self.data.name,
            "pictures": self.pictures,
            "pictures_right": self.pictures_right,
            "total": self.total.to_json(),
            "groups": {name: self.groups[name].to_json() for name in sorted(self.groups)},
            "confusions": [
                {"truth": truth, "read": read, "count": count}
                for (truth, read), count in self.most_confused()
            ],
            "milliseconds": {"median": round(_median(times), 1), "p95": round(_p95(times), 1)}
            if times
            else None,
        }

    def to_text(self) -> str:
        """A table by group, then confusions and times."""
        head = f"{'group':<22}{'tiles':>7}" + "".join(f"{name:>11}" for name in SHARES)
        lines = [f"{self.pictures} pictures, {self.pictures_right} entirely right"]
        lines.append(head + "".join(f"{name:>8}" for name in ("unread", "wrong", "false")))
        for name, tally in [("all", self.total), *sorted(self.groups.items())]:
            row = tally.to_json()
            shares = "".join(f"{percent(row[key]):>11}" for key in SHARES)
            counts = f"{tally.unread:>8}{tally.wrong:>8}{tally.false_finds:>8}"
            lines.append(f"{name:<22}{tally.tiles:>7}{shares}{counts}")
        if self.confusions:
            most = [f"{truth} as {read} x{count}" for (truth, read), count in self.most_confused()[:25]]
            lines.append("confusions (truth as read): " + ", ".join(most))
        if self.milliseconds:
            median, p95 = _median(self.milliseconds), _p95(self.milliseconds)
            lines.append(f"milliseconds a picture: median {median:.0f}, p95 {p95:.0f}")
        return "\n".join(lines)

    def most_confused(self) -> list[tuple[tuple[str, str], int]]:
        """(truth, read) with how often, most often first, then in alphabetical order."""
        return sorted(self.confusions.items(), key=lambda pair: (-pair[1], pair[0]))

    def write_report(self, folder: Path) -> Path:
        """An HTML page with tables, reliability plot, confusions and the worst crops; returns its path."""
        from vision.report import write_report

        return write_report(self, folder)


def evaluate(
    data: Path,
    reader: PictureReader,
    *,
    only: str = "eval",
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Reads every labelled picture under `data` and compares.

    Raises FileNotFoundError where there is none, and LabelError that names what is broken.
    """
    from vision.pictures import PictureError, load_picture

    result = Evaluation(data)
    labelled = load_labelled(data, only=only)
    for index, picture in enumerate(labelled):
        try:
            pixels = load_picture(picture.path)
        except PictureError as error:
            raise LabelError(f"{picture.path}: {error}") from error
        judge(result, picture, reader.read(pixels))
        if progress:
            progress(index + 1, len(labelled))
    return result


def judge(result: Evaluation, picture: LabelledPicture, reading: PictureReading) -> None:
    """Adds one picture's tiles to the result."""
    pairs, spare = _match(picture.tiles, reading.tiles)
    clean = True
    by_zone = len({tile.group for tile in picture.tiles}) > 1
    for truth, seen in pairs:
        if not truth.counts:
            continue
        group = result.groups[f"{picture.group} {truth.group}" if by_zone else picture.group]
        for tally in (result.total, group):
            _count(tally, truth, seen)
        clean &= seen is not None and str_of(seen) == truth.face
        if seen is not None and str_of(seen) != truth.face:
            result.confusions[truth.face, str_of(seen)] += 1
        result.judged.append(Judged(picture.path, truth, seen))
    for seen in spare:
        if seen.face is Mark.FACE_DOWN and not picture.backs:
            continue  # backs are not labelled in these photos
        for tally in (result.total, result.groups[f"{picture.group} (none)" if by_zone else picture.group]):
            tally.false_finds += 1
        clean = False
        result.judged.append(Judged(picture.path, None, seen))
    result.pictures += 1
    result.pictures_right += clean
    if "total" in reading.milliseconds:
        result.milliseconds.append(reading.milliseconds["total"])


def str_of(tile: SeenTile) -> str:
    """The face in notation: `r7`, `*`, `?`, `#`."""
    return str(tile.face)


def _match(
    truths: Sequence[TrueTile], seen: Sequence[SeenTile]
) -> tuple[list[tuple[TrueTile, SeenTile | None]], list[SeenTile]]:
    """Each true tile with what was seen there, and what was seen where none is."""
    middles = np.asarray([np.mean(tile.quad, axis=0) for tile in seen]).reshape(-1, 2)
    scored: list[tuple[bool, float, int, int]] = []
    for i, truth in enumerate(truths):
        reach = float(np.linalg.norm(truth.outline.max(axis=0) - truth.outline.min(axis=0)))
        away = np.linalg.norm(middles - truth.outline.mean(axis=0), axis=1)
        for j in np.flatnonzero(away < reach).tolist():
            iou = overlap(truth.outline, seen[j].quad)
            if iou >= MATCH_IOU:
                scored.append((truth.counts, iou, i, j))
    # Tiles that count choose first: of a tower, the tile on top is the one that was seen.
    scored.sort(reverse=True)
    mine: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, i, j in scored:
        if i not in mine and j not in taken:
            mine[i] = j
            taken.add(j)
    pairs = [(truth, seen[mine[i]] if i in mine else None) for i, truth in enumerate(truths)]
    # A find on a tile that does not count (mostly hidden) is neither right nor wrong.
    hidden = [truth.outline for truth in truths if not truth.counts]
    spare = [
        tile
        for j, tile in enumerate(seen)
        if j not in taken and not any(overlap(outline, tile.quad) > HIDDEN_IOU for outline in hidden)
    ]
    return pairs, spare


def _count(tally: Tally, truth: TrueTile, seen: SeenTile | None) -> None:
    tally.tiles += 1
    if seen is None:
        return
    read = str_of(seen)
    tally.found += 1
    tally.right += read == truth.face
    tally.unread += read == "?"
    tally.wrong += read not in ("?", truth.face)
    # A joker and a back have no number beside themselves.
    tally.number += (read[1:] or read) == (truth.face[1:] or truth.face)
    tally.colour += read[0] == truth.face[0]


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 5) if whole else None


def _median(times: list[float]) -> float:
    return float(np.median(times))


def _p95(times: list[float]) -> float:
    return float(np.quantile(times, 0.95))


def percent(share: float | None) -> str:
    """A share as text, `-` where nothing was asked."""
    return "-" if share is None else f"{100 * share:.2f} %"
