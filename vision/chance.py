"""How surely a find is a tile: what finder, corner net and face net say of it, weighed together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from vision.classes import BACK, NOTHING
from vision.odds import sigmoid

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

_SMALLEST = 1e-4  # of a probability, before its log-odds


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

    def of(self, found: F32, centred: Sequence[F32], fit: F32, number: F32) -> F32:
        """The probability (n,) that finds are tiles.

        `found` is the finder's score, `centred` what the corner net's two looks say, `fit` how well the
        corners agree, all (n,) 0 to 1; `number` (n, 16) what the face net says.
        """
        return sigmoid(columns(found, centred, fit, number) @ np.asarray(astuple(self)))


def columns(found: F32, centred: Sequence[F32], fit: F32, number: F32) -> F64:
    """The evidence as the rows (n, 8) of the logistic model, in the order of `Chance`'s fields.

    Backs and jokers have their own: a pale square of cloth is like a back, a card like a joker.
    """
    first, second = centred
    odds = (_odds(found), _odds(first), _odds(second), fit.astype(np.float64), _odds(number[:, NOTHING]))
    return np.column_stack([np.ones(len(fit)), *odds, number[:, BACK], number[:, 0]]).astype(np.float64)


def _odds(chance: F32) -> F64:
    bounded = np.clip(chance.astype(np.float64), _SMALLEST, 1 - _SMALLEST)
    return np.asarray(np.log(bounded / (1 - bounded)), np.float64)
