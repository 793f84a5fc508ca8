"""How surely a find is a tile: what finder, corner net and face net say of it, weighed together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from vision.classes import BACK, NOTHING
from vision.odds import sigmoid
from vision.tiers import company

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

_SMALLEST = 1e-4  # of a probability, before its log-odds
_SURE = 0.9  # of what looks, number and corners say, to be a measure for others
_FEWEST = 3  # sure tiles, from which a picture's tiles have a size
_EITHER = 0.5  # of the face net: rather a back than anything else
_SURE_BACK = 0.97  # that it is a tile, to say how the backs of the set look
_HUE = 0.3  # as `unlikeness` has it: backs of one set under one light are nearer to each other
_FOREIGN = 3.0  # of log-odds, against a back of another hue: who is quite sure of it may be right
_ODDEST = 1.0  # in logarithms of size: beyond it a find fits the others no less


@dataclass(frozen=True)
class Chance:
    """Weights of a logistic model over the evidence; fitted when weights are exported, kept in their card."""

    bias: float = -6.7
    found: float = 0.6
    first: float = 0.25
    second: float = 0.3
    fit: float = 2.7
    nothing: float = -0.55
    back: float = 0.0
    joker: float = 0.0
    odd: float = 0.0
    odd_back: float = 0.0
    company: float = 0.0
    back_company: float = 0.0
    tint_back: float = 0.0
    shade_back: float = 0.0
    tint: float = 0.0
    line: float = 0.0
    line_back: float = 0.0

    def of(self, rows: F64) -> F32:
        """The probability (n,) that finds are tiles, from the rows (n, 17) of `columns`."""
        return sigmoid(rows @ np.asarray(astuple(self)))


def columns(
    found: F32, centred: Sequence[F32], fit: F32, number: F32, *, quads: F32, body: F32 | None = None
) -> F64:
    """The evidence as the rows (n, 17) of the logistic model, in the order of `Chance`'s fields.

    `found` is the finder's score, `centred` what the corner net's two looks say, `fit` how well the corners
    agree, all (n,) 0 to 1; `number` (n, 16) what the face net says; `quads` (n, 4, 2) in pixels; `body`
    (n, 3) the logarithms of the bodies' colours. Backs and jokers have weights of their own: a pale square of
    cloth is like a back, a card like a joker. Where numbers are surely read, size and colour of their tiles
    are known: a blank square of another is hardly a back, a number on something of another hue hardly a tile.
    What stands in line with tiles, as in a rack, a row, a meld, the wall, is rather one.
    """
    first, second = centred
    odds = (_odds(found), _odds(first), _odds(second), fit.astype(np.float64), _odds(number[:, NOTHING]))
    back = number[:, BACK].astype(np.float64)
    seen = (first > _SURE) & (second > _SURE)
    sure = seen & (number[:, 1:BACK].max(axis=1, initial=0) > _SURE)
    known = float(sure.sum() >= _FEWEST)
    odd = oddness(quads, sure) * known
    tint, shade = (value * known for value in unlikeness(body, sure))
    many = np.full(len(fit), known)
    line = company(quads, seen & (number[:, :NOTHING].max(axis=1, initial=0) > _SURE)) * known
    rows = (
        *(np.ones(len(fit)), *odds, back, number[:, 0], odd, odd * back, many, known * back),
        *(tint * back, shade * back, tint * (1 - back)),
        *(line, line * back),
    )
    return np.column_stack(rows).astype(np.float64)


def like_other_backs(real: F32, number: F32, body: F32 | None) -> F32:
    """The chances (n,) that finds are tiles, those of backs small whose hue is not that of the sure ones.

    All tiles of a set have one back. Where at least three backs are surely seen, in the wall say, a blank
    square of another hue is a piece of the table between two melds, or of a cloth.
    """
    if body is None:
        return real
    back = number[:, BACK]
    sure = (real > _SURE_BACK) & (back > _SURE)
    if sure.sum() < _FEWEST:
        return real
    tint, _ = unlikeness(body, sure)
    loose = max(_HUE, 3 * float(np.median(tint[sure])))
    foreign = (back > _EITHER) & ~sure & (tint > loose)
    return np.where(foreign, sigmoid(_odds(real) - _FOREIGN), real)


def oddness(quads: F32, sure: NDArray[np.bool_]) -> F64:
    """How far the width of each quad (n, 4, 2) is from that of the sure ones, in logarithms, at most 1."""
    if not sure.any():
        return np.zeros(len(quads))
    top, foot = quads[:, 1] - quads[:, 0], quads[:, 2] - quads[:, 3]
    width = np.log((np.linalg.norm(top, axis=1) + np.linalg.norm(foot, axis=1)) / 2 + 1e-3)
    return np.asarray(np.minimum(np.abs(width - np.median(width[sure])), _ODDEST), np.float64)


def unlikeness(body: F32 | None, sure: NDArray[np.bool_]) -> tuple[F64, F64]:
    """How far each body's colour (n, 3, in logarithms) is from that of the sure ones: in hue, in brightness.

    Each (n,), at most 1; zeros where the colours are not known.
    """
    if body is None or not sure.any():
        return np.zeros(len(sure)), np.zeros(len(sure))
    away = body.astype(np.float64) - np.median(body[sure], axis=0)
    shade = away.mean(axis=1)
    tint = np.abs(away - shade[:, None]).sum(axis=1)
    return np.minimum(tint * 2, _ODDEST), np.minimum(np.abs(shade), _ODDEST)


def _odds(chance: F32) -> F64:
    bounded = np.clip(chance.astype(np.float64), _SMALLEST, 1 - _SMALLEST)
    return np.asarray(np.log(bounded / (1 - bounded)), np.float64)
