"""The chances of all tiles of a census, by how tiles lie in rows and how often each face may occur."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.tiles import HIGHEST, TILE_COLOURS

if TYPE_CHECKING:
    from numpy.typing import NDArray

    F64 = NDArray[np.float64]

STATES: Final = len(TILE_COLOURS) * HIGHEST + 1
START: Final = np.asarray([0.30, 0.10, 0.12, 0.04, 0.10, 0.34])
"""How often neighbours are related so before any row was seen: next number, the one before, the same face,
two steps away, the same number in another colour, not at all. How these rows are laid is learnt from them."""
_PRIOR: Final = 6.0  # tiles that the start is worth when it is learnt anew
_STEPS: Final = 12
_PRESSURE: Final = 4.0  # nats that a face which occurs too often may lose at most
_JOKER: Final = 8.0  # times as often as another tile beside one that it is not related to
_UNRELATED: Final = 0.08  # neighbours that are not related, at least
_COPIES: Final = 2


@cache
def _relations() -> F64:
    """(6, 53, 53): for each relation the chances of the right neighbour, given the left one."""
    inked = STATES - 1
    colour, number = np.divmod(np.arange(inked), HIGHEST)
    same = colour[:, None] == colour[None]
    step = number[None] - number[:, None]
    alike = np.zeros((6, STATES, STATES))
    alike[0, :inked, :inked] = same & (step == 1)
    alike[1, :inked, :inked] = same & (step == -1)
    alike[2, :inked, :inked] = same & (step == 0)
    alike[3, :inked, :inked] = same & (abs(step) == 2)
    alike[4, :inked, :inked] = ~same & (step == 0)
    alike[5] = 1
    # A joker is related to nothing, and lies where rows are broken: at their ends, in gaps.
    alike[5, :inked, -1] = _JOKER
    # Whoever has no such neighbour (beyond 13, beside a joker) has any.
    alike[alike.sum(axis=2) == 0] = 1
    return np.asarray(alike / alike.sum(axis=2, keepdims=True))


def settle(
    evidence: F64, chains: Sequence[Sequence[int]], weights: F64, pressure: F64
) -> tuple[F64, F64, F64]:
    """Chances (n, 53) of all tiles by their log evidence (n, 53), their neighbours and the inventory.

    `chains` are rows of indexes from left to right, together every tile once. `weights` (6,) of the relations
    and `pressure` (53,), what each face loses where it would occur more than twice, go in as they were and
    come back as learnt.
    """
    chances = np.zeros_like(evidence)
    for _ in range(_STEPS):
        mixed = np.tensordot(weights, _relations(), axes=1)
        met = np.zeros(len(weights))
        likely = np.exp(evidence + pressure - (evidence + pressure).max(axis=1, keepdims=True))
        for chain in chains:
            rows, counted = _along(likely[list(chain)], mixed, weights)
            chances[list(chain)] = rows
            met += counted
        weights = (met + _PRIOR * START) / (met.sum() + _PRIOR)
        weights[5] = max(weights[5], _UNRELATED)
        weights = weights / weights.sum()
        count = chances.sum(axis=0)
        pressure = np.clip(pressure - 0.7 * np.log((count + 0.02) / _COPIES), -_PRESSURE, 0.0)
    return chances, weights, pressure


def _along(likely: F64, mixed: F64, weights: F64) -> tuple[F64, F64]:
    """Chances (m, 53) along one row, forward and backward, and how often each relation was met (6,)."""
    length = len(likely)
    ahead, back = np.ones_like(likely), np.ones_like(likely)
    ahead[0] = likely[0] / likely[0].sum()
    for at in range(1, length):
        ahead[at] = (ahead[at - 1] @ mixed) * likely[at]
        ahead[at] /= ahead[at].sum()
    for at in range(length - 2, -1, -1):
        back[at] = mixed @ (likely[at + 1] * back[at + 1])
        back[at] /= back[at].sum()
    chances = ahead * back
    chances /= chances.sum(axis=1, keepdims=True)
    met = np.zeros(len(weights))
    for at in range(1, length):
        here = likely[at] * back[at]
        parts = weights * np.einsum("i,kij,j->k", ahead[at - 1], _relations(), here)
        met += parts / parts.sum()
    return chances, met
