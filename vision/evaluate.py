"""Measures a reader on labelled pictures: found, read right raw and after repair, false finds, by kind."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.readings import PictureReading, SeenTile
from engine.tiles import Mark
from vision.breakdown import TITLES, breakdown, summary
from vision.labelled import LabelError, LabelledPicture, load_labelled
from vision.matching import match
from vision.reliability import binned, calibration_error, guesses, not_in_doubt
from vision.tally import Judged, Tally, interval, percent, share, str_of

if TYPE_CHECKING:
    from engine.rules import RuleSet

SHARES = ("found", "precision", "right", "repaired", "number", "colour")
PARTS = ("tiles", "found", "right", "repaired", "unread", "wrong", "wrong_repaired")


class PictureReader(Protocol):
    """Anything that reads a BGR picture (h, w, 3 uint8)."""

    def read(self, image: NDArray[np.uint8]) -> PictureReading:
        """The tiles with their corners in pixels of `image`."""


@dataclass
class Evaluation:
    """The whole measurement."""

    data: Path
    total: Tally = field(default_factory=Tally)
    groups: dict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)
    pictures: int = 0
    pictures_right: int = 0
    pictures_mended: int = 0
    milliseconds: list[float] = field(default_factory=list)
    mending: list[float] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """One document with everything that `to_text` prints."""
        low, high = interval(self.total.wrong_accepted, self.total.accepted)
        bins = binned(guesses(self.judged))
        sure = not_in_doubt(self.judged)
        return {
            "data": self.data.name,
            "pictures": self.pictures,
            "pictures_right": self.pictures_right,
            "pictures_right_repaired": self.pictures_mended,
            "total": self.total.to_json(),
            "wrong_accepted_interval": [round(low, 5), round(high, 5)],
            "not_in_doubt": {"accepted": sure.accepted, "wrong": sure.wrong_accepted},
            "summary": {name: _part(tally) for name, tally in summary(self.judged).items() if tally.tiles},
            "groups": {name: self.groups[name].to_json() for name in sorted(self.groups)},
            "by": {
                name: {bucket: _part(tally) for bucket, tally in table.items()}
                for name, table in breakdown(self.judged).items()
            },
            "calibration_error": round(calibration_error(bins), 5),
            "reliability": [
                {
                    "from": part.low,
                    "tiles": part.tiles,
                    "confidence": round(part.confidence, 4),
                    "right": part.right,
                }
                for part in bins
            ],
            "confusions": [
                {"truth": truth, "read": read, "count": count}
                for (truth, read), count in self.most_confused()
            ],
            "milliseconds": _times(self.milliseconds),
            "repair_milliseconds": _times(self.mending),
        }

    def to_text(self) -> str:
        """What a set is judged by, a table by group and by kind, then reliability, confusions and times."""
        right = f"{self.pictures_right} entirely right, {self.pictures_mended} after repair"
        lines = [
            f"{self.pictures} pictures, {right}",
            *self._summary(),
            "",
            *_table("group", [("all", self.total), *sorted(self.groups.items())]),
        ]
        for name, table in breakdown(self.judged).items():
            lines += ["", *_table(TITLES[name], table.items())]
        bins = binned(guesses(self.judged))
        if bins:
            lines += ["", f"{'confidence':<32}{'tiles':>7}{'mean':>8}{'right':>11}"]
            for part in bins:
                span = f"{part.low:.2f}-{part.high:.2f}"
                right = percent(part.right / part.tiles)
                lines.append(f"{span:<32}{part.tiles:>7}{part.confidence:>8.3f}{right:>11}")
            lines.append(f"expected calibration error: {100 * calibration_error(bins):.2f} %")
        if self.confusions:
            most = [f"{truth} as {read} x{count}" for (truth, read), count in self.most_confused()[:25]]
            lines.append("confusions (truth as read): " + ", ".join(most))
        for about, times in (("a picture", self.milliseconds), ("of repair", self.mending)):
            if times:
                lines.append(f"milliseconds {about}: median {_median(times):.0f}, p95 {_p95(times):.0f}")
        return "\n".join(lines)

    def _summary(self) -> list[str]:
        lines = []
        for name, tally in summary(self.judged).items():
            if not tally.tiles:
                continue
            said = f"{percent(share(tally.right, tally.tiles))} of {tally.tiles} read right"
            if name == "face down":
                said = f"{percent(share(tally.found, tally.tiles))} of {tally.tiles} found, " + said
            lines.append(f"{name}: {said}, {percent(share(tally.mended, tally.tiles))} after repair")
        total = self.total
        if total.accepted:
            low, high = interval(total.wrong_accepted, total.accepted)
            lines.append(
                f"wrong and accepted: {total.wrong_accepted} of {total.accepted}, "
                f"{percent(share(total.wrong_accepted, total.accepted))} (95 % interval {percent(low)} to "
                f"{percent(high)}), {total.mended_wrong} after repair; {total.unread} unread"
            )
            sure = not_in_doubt(self.judged)
            lines.append(
                f"wrong and not marked as doubtful: {sure.wrong_accepted} of {sure.accepted}, "
                f"{percent(share(sure.wrong_accepted, sure.accepted))}"
            )
        if total.false_finds:
            lines.append(
                f"finds on no tile: {total.false_finds}, of them {total.false_named} given a face and "
                f"{total.false_backs} taken for face down"
            )
        return lines

    def most_confused(self) -> list[tuple[tuple[str, str], int]]:
        """(truth, read) with how often, most often first, then in alphabetical order."""
        return sorted(self.confusions.items(), key=lambda pair: (-pair[1], pair[0]))

    def write_report(self, folder: Path, *, worst: int | None = None) -> Path:
        """An HTML page with tables, reliability plot, confusions and the worst crops; returns its path.

        With `worst`, so many of them, and as one picture `worst.png` too.
        """
        from vision.report import write_report

        return write_report(self, folder, limit=worst)


def evaluate(
    data: Path,
    reader: PictureReader,
    *,
    only: str = "eval",
    rules: RuleSet | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Evaluation:
    """Reads every labelled picture under `data` and compares; with `rules` also what repair makes of it.

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
        judge(result, picture, reader.read(pixels), rules=rules)
        if progress:
            progress(index + 1, len(labelled))
    return result


def judge(
    result: Evaluation, picture: LabelledPicture, reading: PictureReading, *, rules: RuleSet | None = None
) -> None:
    """Adds one picture's tiles to the result, as read and as repaired by what `rules` know."""
    tiles = reading.tiles
    mended = tiles if rules is None else _mended(result, tiles, rules)
    mine, spare = match(picture.tiles, [tile.quad for tile in tiles])
    entries = [
        Judged(
            picture.path,
            truth,
            None if at is None else tiles[at],
            None if at is None else mended[at],
            picture,
        )
        for truth, at in zip(picture.tiles, mine, strict=True)
        if truth.counts
    ]
    for at in spare:
        if tiles[at].face is Mark.FACE_DOWN and not picture.backs:
            continue  # backs are not labelled in these photos
        entries.append(Judged(picture.path, None, tiles[at], mended[at], picture))
    for entry in entries:
        for tally in (result.total, result.groups[picture.group]):
            tally.add(entry)
        if entry.truth is not None and entry.seen is not None and not _right(entry.truth.face, entry.seen):
            result.confusions[entry.truth.face, str_of(entry.seen)] += 1
    result.judged += entries
    result.pictures += 1
    faces = [(None if entry.truth is None else entry.truth.face, entry) for entry in entries]
    result.pictures_right += all(_right(face, entry.seen) for face, entry in faces)
    result.pictures_mended += all(_right(face, entry.mended) for face, entry in faces)
    if "total" in reading.milliseconds:
        result.milliseconds.append(reading.milliseconds["total"])


def _mended(result: Evaluation, tiles: tuple[SeenTile, ...], rules: RuleSet) -> tuple[SeenTile, ...]:
    from engine.repair import repair
    from vision.layout import rows

    start = time.perf_counter()
    repaired = repair(tiles, rows([tile.quad for tile in tiles]), rules).tiles
    result.mending.append(1000 * (time.perf_counter() - start))
    return repaired


def _right(face: str | None, seen: SeenTile | None) -> bool:
    return seen is not None and str_of(seen) == face


def _part(tally: Tally) -> dict[str, float | None]:
    values = tally.to_json()
    return {name: values[name] for name in (*PARTS, "false_finds") if values[name] or name != "false_finds"}


def _table(title: str, rows: Any) -> list[str]:
    head = f"{title:<32}{'tiles':>7}" + "".join(f"{name:>11}" for name in SHARES)
    lines = [head + "".join(f"{name:>8}" for name in ("unread", "wrong", "false"))]
    for name, tally in rows:
        values = tally.to_json()
        shares = "".join(f"{percent(values[key]):>11}" for key in SHARES)
        lines.append(
            f"{name:<32}{tally.tiles:>7}{shares}{tally.unread:>8}{tally.wrong:>8}{tally.false_finds:>8}"
        )
    return lines


def _times(times: list[float]) -> dict[str, float] | None:
    return {"median": round(_median(times), 1), "p95": round(_p95(times), 1)} if times else None


def _median(times: list[float]) -> float:
    return float(np.median(times))


def _p95(times: list[float]) -> float:
    return float(np.quantile(times, 0.95))
