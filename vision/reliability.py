"""Says how far the confidence of faces can be trusted: bins, their error, what went wrong first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.grouping import DOUBT_BELOW
from engine.tiles import Mark
from vision.tally import Judged, Tally, str_of

BINS = 20  # of confidence, 0 to 1
WORST = 60


@dataclass(frozen=True)
class Bin:
    """Accepted tiles whose confidence lies in one part of the scale: how many, how sure, how many right."""

    low: float
    high: float
    tiles: int
    confidence: float  # mean
    right: int


def accepted(judged: Iterable[Judged]) -> list[tuple[float, bool]]:
    """Confidence of what was read as a face or back, and whether it is right; a false find never is."""
    return [
        (entry.seen.confidence, entry.truth is not None and str_of(entry.seen) == entry.truth.face)
        for entry in judged
        if entry.seen is not None and entry.seen.face is not Mark.UNREAD
    ]


def not_in_doubt(judged: Iterable[Judged]) -> Tally:
    """What was accepted so surely that no page marks it as doubtful, counted."""
    found = Tally()
    for entry in judged:
        if entry.seen is not None and entry.seen.confidence >= DOUBT_BELOW:
            found.add(entry)
    return found


def guesses(judged: Iterable[Judged]) -> list[tuple[float, bool]]:
    """The same of all finds: what was not accepted counts with its best guess."""
    found = []
    for entry in judged:
        if entry.seen is None:
            continue
        guess = str_of(entry.seen)
        if entry.seen.face is Mark.UNREAD and entry.seen.alternatives:
            guess = str(entry.seen.alternatives[0].face)
        found.append((entry.seen.confidence, entry.truth is not None and guess == entry.truth.face))
    return found


def binned(sure: Iterable[tuple[float, bool]], bins: int = BINS) -> list[Bin]:
    """The bins that hold something."""
    found: dict[int, list[tuple[float, bool]]] = {}
    for confidence, right in sure:
        found.setdefault(min(bins - 1, int(confidence * bins)), []).append((confidence, right))
    return [
        Bin(
            index / bins,
            (index + 1) / bins,
            len(members),
            sum(confidence for confidence, _ in members) / len(members),
            sum(right for _, right in members),
        )
        for index, members in sorted(found.items())
    ]


def calibration_error(bins: Sequence[Bin]) -> float:
    """The expected calibration error: mean distance of confidence and share right, each bin by its tiles."""
    total = sum(part.tiles for part in bins)
    return sum(abs(part.confidence * part.tiles - part.right) for part in bins) / total if total else 0.0


def worst(judged: Iterable[Judged], limit: int = WORST) -> list[Judged]:
    """What went wrong, worst first: accepted and wrong (surest first), missed (largest first), unread.

    One picture gives an eighth of them, and more only where others have no more.
    """
    ranked = [(_rank(entry), entry) for entry in judged]
    bad = [(rank, entry) for rank, entry in ranked if rank is not None]
    # Sorting keeps the order of reading among equals, so that the same readings give the same page.
    ordered = [entry for _, entry in sorted(bad, key=lambda pair: pair[0])]
    taken: Counter[Path] = Counter()
    places = []
    for place, entry in enumerate(ordered):
        taken[entry.path] += 1
        places.append((taken[entry.path] > max(3, limit // 8), place))
    return [ordered[place] for _, place in sorted(sorted(places)[:limit], key=lambda pair: pair[1])]


def _rank(entry: Judged) -> tuple[int, float] | None:
    if entry.seen is None:
        return (1, 0.0 if entry.truth is None else -entry.truth.wide)
    if entry.seen.face is Mark.UNREAD:
        return (2, -entry.seen.confidence)
    if entry.truth is not None and str_of(entry.seen) == entry.truth.face:
        return None
    return (0, -entry.seen.confidence)
