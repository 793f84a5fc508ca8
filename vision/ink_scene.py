"""Judges the inks of a picture against those of a known set, with one light for all of them."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.odds import log_softmax, softmax

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

_LOOSE: Final = 4.0  # times the spread that inks had when they were learnt: pictures at play are worse
_FADE: Final = 0.3  # by how much glare and veils may weaken all inks of a picture
_SHIFT: Final = 0.3  # by how much its light may shift them, in logarithms of the ratio to the body
_ROUNDS: Final = 6
_LIMIT: Final = 4.0  # nats that the inks may say against a colour at most: the ink net has judged it too
_FLOOR: Final = 1e-6
_WIDTH: Final = 0.05  # of the spread at least
FEWEST: Final = 3
"""Tiles of each colour from which a set's inks are learnt."""


def learn_inks(measured: F32, colours: NDArray[np.int64]) -> tuple[F32, F32] | None:
    """The four inks (4, 3) and their spread (3, 3) from measured ones (n, 6) of known colours (n,) 0 to 3.

    In log ratios of ink to body. None where a colour has too few tiles.
    """
    ink = measured[:, :3].astype(np.float64)
    parts = [ink[colours == slot] for slot in range(4)]
    if min(map(len, parts)) < FEWEST:
        return None
    middles = [np.median(part, axis=0) for part in parts]
    apart = np.concatenate([part - middle for part, middle in zip(parts, middles, strict=True)])
    spread = apart.T @ apart / len(apart) + np.eye(3) * _WIDTH**2
    return np.asarray(middles, np.float32), np.asarray(spread, np.float32)


def judge_inks(colour: F32, measured: F32, inks: F32, spread: F32) -> F32:
    """Chances of the colours (n, 4) of one picture's tiles, given what was read (n, 4) and measured (n, 6).

    All tiles share how much the light weakens and shifts the inks; both are found together with the colours.
    """
    if len(colour) == 0:
        return colour
    seen = measured[:, :3].astype(np.float64)
    known = inks.astype(np.float64)
    inverse = np.linalg.inv(spread.astype(np.float64) * _LOOSE)
    read = np.log(colour.astype(np.float64) + _FLOOR)
    chance = colour.astype(np.float64)
    # The picture's light as (fade, shift in three channels), each ink seen as fade * ink + shift.
    forms = [np.column_stack([ink, np.eye(3)]) for ink in known]
    prior = np.diag([_FADE**-2, *[_SHIFT**-2] * 3])
    for _ in range(_ROUNDS):
        weight, sums = chance.sum(axis=0), chance.T @ seen
        squares = prior + sum(w * form.T @ inverse @ form for w, form in zip(weight, forms, strict=True))
        pull = prior @ np.asarray([1.0, 0, 0, 0])
        pull = pull + sum(form.T @ inverse @ total for total, form in zip(sums, forms, strict=True))
        fade, *shift = np.linalg.solve(squares, pull)
        away = seen[:, None] - (fade * known + np.asarray(shift))[None]
        likely = -0.5 * np.einsum("nci,ij,ncj->nc", away, inverse, away)
        likely = np.maximum(likely - likely.max(axis=1, keepdims=True), -_LIMIT)
        chance = np.exp(log_softmax((read + likely).astype(np.float32)).astype(np.float64))
    return softmax((read + likely).astype(np.float32))
