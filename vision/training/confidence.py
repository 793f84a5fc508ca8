"""Fits how surely a face was read, and chooses from which confidence on faces are named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import log

import numpy as np
from numpy.typing import NDArray

from vision.chance import Chance
from vision.classes import BACK, COLOURS
from vision.confidence import FIRST_FACE, JOKER, Confidence, heated
from vision.judging import PLACES, Thresholds, chances, taken, weigh
from vision.matching import match
from vision.odds import sigmoid
from vision.reliability import binned, calibration_error
from vision.tally import interval
from vision.training.chance import Looked, logistic

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]
Bools = NDArray[np.bool_]

LIMITS = (1 / 2000, 1 / 1000, 1 / 500)  # of what is named, wrong: the first is the one that is kept
LEAST = 0.5  # what is more likely wrong than right is never named
FOLDS = 5
NO_TILE = -1  # as the code of a true face
_HOTTEST = 8.0


@dataclass(frozen=True)
class Choice:
    """Thresholds and what they do to `tiles` finds: how many are named, how many of these wrongly."""

    read: float
    back: float
    tiles: int
    named: int
    wrong: int

    def to_json(self) -> dict[str, float | list[float]]:
        """With the share named and the 95 % interval of the share wrong."""
        low, high = interval(self.wrong, self.named)
        return {
            "read": self.read,
            "back": self.back,
            "tiles": self.tiles,
            "named": round(self.named / max(1, self.tiles), 4),
            "wrong": self.wrong,
            "wrong_interval": [round(low, 5), round(high, 5)],
        }


@dataclass(frozen=True)
class Fitted:
    """The model, the threshold chosen, what other limits would have cost, and the calibration error.

    The error is that of models fitted without the picture they are asked about.
    """

    confidence: Confidence
    chosen: Choice
    others: tuple[Choice, ...]
    error: float


def fit_confidence(looked: Sequence[Looked], chance: Chance, thresholds: Thresholds) -> Fitted:
    """Fits temperatures and weights on all finds that are taken for tiles.

    Right is a find on a labelled tile with its face; wrong is another face, and a find on no tile; but the
    thresholds do not mind if what is no tile is taken for one face down. Finds on tiles mostly hidden are
    left out, as in `remi evaluate`. Raises ValueError where nothing was found.
    """
    kept, truth, numbers, colours = [], [], [], []
    for look in looked:
        mine, codes = _truths(look, chance, thresholds)
        kept.append(mine)
        truth.append(codes)
    if not sum(len(mine) for mine in kept):
        raise ValueError("no tile was found in any of the scenes to fit on")
    for look, mine, codes in zip(looked, kept, truth, strict=True):
        numbers.append((look.faces.number[mine], _number(codes)))
        colours.append((look.faces.colour[mine], _colour(codes)))
    heat = Confidence(number_heat=temperature(numbers, classes=BACK + 1), colour_heat=temperature(colours))
    tables, named = [], []
    for look, mine in zip(looked, kept, strict=True):
        known = weigh(look.finds, look.faces, chances(look.finds, look.faces, chance), heat)
        tables.append(known.rows[mine])
        named.append(known.codes[mine, 0])
    rows, said, codes = (np.concatenate(parts) for parts in (tables, named, truth))
    right = (said == codes).astype(np.float64)
    weights = [round(float(weight), 3) for weight in logistic(rows, right)]
    confidence = Confidence(heat.number_heat, heat.colour_heat, *weights)
    sure = confidence.of(rows)
    # What is no tile and taken for face down is a false find, but no face that anyone would count.
    harmless = np.where((said == BACK) & (codes == NO_TILE), 1.0, right)
    chosen, *others = (choose(sure, harmless, said != BACK, most=most) for most in LIMITS)
    groups = np.concatenate([np.full(len(mine), index % FOLDS) for index, mine in enumerate(kept)])
    error = calibration_error(
        binned(zip(_crossed(rows, right, groups).tolist(), (right > 0).tolist(), strict=True))
    )
    return Fitted(confidence, chosen, tuple(others), round(error, 4))


def choose(sure: F32, right: F64, faces: Bools, *, most: float) -> Choice:
    """The least thresholds with which so few of the named are wrong that one more would still be allowed.

    `sure` (n,) are confidences, `right` (n,) 1 or 0, `faces` (n,) False for what was read as face down; for
    faces the threshold is sought first. Where there are too few finds to say that, the one which lets nothing
    wrong pass; never under `LEAST`.
    """
    said: F64 = np.asarray(np.round(sure.astype(np.float64), PLACES), np.float64)
    read, named, wrong = _line(said[faces], right[faces], most=most)
    back, named, wrong = _line(said[~faces], right[~faces], most=most, named=named, wrong=wrong)
    return Choice(read, back, len(said), named, wrong)


def _line(said: F64, right: F64, *, most: float, named: int = 0, wrong: int = 0) -> tuple[float, int, int]:
    """The threshold, and how many are named and wrong in all, `named` and `wrong` those of before."""
    order = np.argsort(-said, kind="stable")
    falling, errors = said[order], np.cumsum(1 - right[order])
    count = np.arange(1, len(order) + 1)
    # Finds that are equally sure are named together, or not at all.
    whole = np.append(falling[1:] < falling[:-1], True)[: len(order)]
    fine = (errors + wrong + 1) / (count + named + 1) <= most
    allowed = np.flatnonzero(whole & (fine | (errors == 0)))
    taken = int(count[allowed[-1]]) if len(allowed) else 0
    following = float(falling[taken]) if taken < len(falling) else 0.0
    # Just over the next find: everything as sure as those named is named too.
    threshold = max(LEAST, round(following + 10**-PLACES, PLACES))
    passed = said >= threshold
    return threshold, named + int(passed.sum()), wrong + int((1 - right[passed]).sum())


def temperature(answers: Sequence[tuple[F32, I64]], *, classes: int | None = None) -> float:
    """The temperature at which distributions (n, k) say best what is true (n,); -1 is not asked.

    `classes` is how many of the k are possible. 1 where nothing was asked.
    """
    asked = [(chances[codes >= 0, :classes], codes[codes >= 0]) for chances, codes in answers]
    distributions = np.concatenate([chances for chances, _ in asked])
    codes = np.concatenate([codes for _, codes in asked])
    if len(codes) == 0:
        return 1.0

    def surprise(heat: float) -> float:
        said = heated(distributions, np.exp(heat))[np.arange(len(codes)), codes]
        return float(-np.log(np.maximum(said, 1e-12)).mean())

    return round(float(np.exp(_lowest(surprise, -log(_HOTTEST), log(_HOTTEST)))), 3)


def _lowest(of: Callable[[float], float], low: float, high: float) -> float:
    """Where a function with one valley is lowest."""
    for _ in range(40):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, right) if of(left) < of(right) else (left, high)
    return (low + high) / 2


def _crossed(rows: F64, right: F64, groups: I64) -> F32:
    """The confidence of each row by a model that was fitted without its group."""
    sure = np.zeros(len(rows), np.float32)
    for group in np.unique(groups):
        own = groups == group
        rest = own if own.all() else ~own  # of a single picture there is no other to learn from
        sure[own] = sigmoid(rows[own] @ logistic(rows[rest], right[rest]))
    return sure


def _truths(look: Looked, chance: Chance, thresholds: Thresholds) -> tuple[I64, I64]:
    """The finds taken for tiles that count, as indexes (m,), and the codes (m,) of their true faces."""
    real = chances(look.finds, look.faces, chance)
    kept = taken(real, look.faces, thresholds)
    mine, spare = match(look.picture.tiles, [look.finds.quads[at].tolist() for at in kept])
    codes = {
        at: _code(truth.face)
        for truth, at in zip(look.picture.tiles, mine, strict=True)
        if truth.counts and at is not None
    }
    codes |= dict.fromkeys(spare, NO_TILE)
    chosen = sorted(codes)
    return kept[chosen], np.asarray([codes[at] for at in chosen], np.int64)


def _code(face: str) -> int:
    if face in "*#":
        return JOKER if face == "*" else BACK
    return FIRST_FACE + len(COLOURS) * int(face[1:]) + COLOURS.index(face[0])


def _number(codes: I64) -> I64:
    return np.where(codes >= FIRST_FACE, (codes - FIRST_FACE) // len(COLOURS), codes)


def _colour(codes: I64) -> I64:
    return np.where(codes >= FIRST_FACE, (codes - FIRST_FACE) % len(COLOURS), -1)
