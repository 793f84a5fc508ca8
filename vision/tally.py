"""Counts of how tiles were read, raw and after repair, and the shares that follow from them."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from engine.readings import SeenTile
from engine.tiles import Mark
from vision.labelled import LabelledPicture, TrueTile

SURE = 1.96  # standard deviations of a 95 % interval


@dataclass(frozen=True)
class Judged:
    """One tile as it was and as it was read; `truth` None is a false find, `seen` None a miss.

    `mended` is the tile after repair, the same as `seen` where nothing was repaired.
    """

    path: Path
    truth: TrueTile | None
    seen: SeenTile | None
    mended: SeenTile | None = None
    picture: LabelledPicture | None = None


@dataclass
class Tally:
    """Counts over some tiles; shares are None where nothing was asked.

    `wrong` are tiles misread, `false_named` false finds that were given a face: both were accepted and wrong.
    `false_backs` are false finds that were taken for tiles face down, which count for nothing in a game.
    `mended` and `mended_wrong` are right, and accepted and wrong, after repair.
    """

    tiles: int = 0
    found: int = 0
    right: int = 0
    number: int = 0
    colour: int = 0
    unread: int = 0
    wrong: int = 0
    false_finds: int = 0
    false_named: int = 0
    false_backs: int = 0
    mended: int = 0
    mended_wrong: int = 0

    def add(self, entry: Judged) -> None:
        """Counts one tile or false find; of a reading that was not repaired, as if nothing needed repair."""
        seen, truth = entry.seen, entry.truth
        mended = entry.mended or seen
        if truth is None:
            if seen is None or mended is None:
                raise ValueError("neither a tile nor a find")
            self.false_finds += 1
            self.false_named += not isinstance(seen.face, Mark)
            self.false_backs += seen.face is Mark.FACE_DOWN
            self.mended_wrong += not isinstance(mended.face, Mark)
            return
        self.tiles += 1
        if seen is None or mended is None:
            return
        read = str_of(seen)
        self.found += 1
        self.right += read == truth.face
        self.unread += read == "?"
        self.wrong += read not in ("?", truth.face)
        # A joker and a back have no number beside themselves.
        self.number += (read[1:] or read) == (truth.face[1:] or truth.face)
        self.colour += read[0] == truth.face[0]
        self.mended += str_of(mended) == truth.face
        self.mended_wrong += str_of(mended) not in ("?", truth.face)

    @property
    def accepted(self) -> int:
        """How many were accepted: tiles read right or misread, and false finds given a face."""
        return self.right + self.wrong + self.false_named

    @property
    def wrong_accepted(self) -> int:
        """How many of them should not have been."""
        return self.wrong + self.false_named

    def to_json(self) -> dict[str, float | None]:
        """Counts, and shares: found, right, repaired of all tiles; number, colour of the found; precision of
        all finds; wrong_accepted of all that were given a face."""
        return {
            "tiles": self.tiles,
            "found": share(self.found, self.tiles),
            "precision": share(self.found, self.found + self.false_finds),
            "right": share(self.right, self.tiles),
            "repaired": share(self.mended, self.tiles),
            "number": share(self.number, self.found),
            "colour": share(self.colour, self.found),
            "unread": self.unread,
            "wrong": self.wrong,
            "missed": self.tiles - self.found,
            "false_finds": self.false_finds,
            "false_backs": self.false_backs,
            "accepted": self.accepted,
            "wrong_accepted": share(self.wrong_accepted, self.accepted),
            "wrong_repaired": self.mended_wrong,
        }


def str_of(tile: SeenTile) -> str:
    """The face in notation: `r7`, `*`, `?`, `#`."""
    return str(tile.face)


def share(part: int, whole: int) -> float | None:
    """A share to five places, None of nothing."""
    return round(part / whole, 5) if whole else None


def percent(value: float | None) -> str:
    """A share as text, `-` where nothing was asked."""
    return "-" if value is None else f"{100 * value:.2f} %"


def interval(part: int, whole: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share; 0 to 1 where nothing was asked.

    >>> tuple(round(bound, 5) for bound in interval(0, 4000))
    (0.0, 0.00096)
    """
    if whole == 0:
        return 0.0, 1.0
    rate, spread = part / whole, SURE**2 / whole
    middle = (rate + spread / 2) / (1 + spread)
    half = sqrt(rate * (1 - rate) * spread + spread**2 / 4) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)
