"""How surely the face of a tile was read: temperatures of the face net, and what its doubts weigh."""

from __future__ import annotations

from dataclasses import astuple, dataclass

import numpy as np
from numpy.typing import NDArray

from vision.classes import BACK, COLOURS
from vision.odds import sigmoid

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

JOKER = 0  # the code of a joker, as BACK is that of a back
FIRST_FACE = 16  # code of a face: 16 + 4 * number + colour
MOST_NUMBERS = 4  # of a tile, that are thought possible at all
OPTIONS = 2 + MOST_NUMBERS * len(COLOURS)  # with joker and back
FARTHEST = 9.0  # log-odds beyond which evidence says nothing more
WIDEST = 64.0  # pixels: a larger tile is read no better
_SMALLEST = 1e-9
_HALVINGS = 30


@dataclass(frozen=True)
class Confidence:
    """Temperatures of number and colour, and the weights of a logistic model of "this face is right".

    Fitted when weights are exported, kept in their card. It weighs: the log-odds of number, colour and being
    a tile all together, for a sure number makes up for no doubtful ink; those of the number in that of the
    two looks which says less; how well the corners agree; the size (log of the shorter side over 64 px); and
    whether a back or a joker was read, which have no colour.
    """

    number_heat: float = 1.0
    colour_heat: float = 1.0
    bias: float = 0.0
    whole: float = 1.0
    agree: float = 0.0
    fit: float = 0.0
    size: float = 0.0
    back: float = 0.0
    joker: float = 0.0

    def of(self, evidence: F64) -> F32:
        """The probability (n,) that the faces read are right, from the rows (n, 7) of `columns`."""
        return sigmoid(evidence @ np.asarray(astuple(self)[2:]))


def heated(chances: F32, temperature: float) -> F64:
    """Distributions (n, k) made flatter by a temperature over 1, sharper by one under it."""
    logs = np.log(np.maximum(chances.astype(np.float64), _SMALLEST)) / temperature
    shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True), np.float64)


def options(number: F64, colour: F64) -> tuple[I64, F64]:
    """What each tile may show, best first: codes (n, 18), and how likely each is (n, 18), at most 1 in all.

    `number` (n, 16) and `colour` (n, 4) are probabilities; "no tile" is no option. A code is 0 for a joker,
    14 for a back, and 16 + 4 * number + colour for a face.
    """
    count = len(number)
    likely = np.argsort(-number[:, 1:BACK], axis=1, kind="stable")[:, :MOST_NUMBERS] + 1
    faces = np.take_along_axis(number, likely, axis=1)[:, :, None] * colour[:, None, :]
    codes = FIRST_FACE + len(COLOURS) * likely[:, :, None] + np.arange(len(COLOURS))
    plain = np.broadcast_to(np.asarray([JOKER, BACK]), (count, 2))
    every = np.concatenate([plain, codes.reshape(count, OPTIONS - 2)], axis=1)
    shares = np.concatenate([number[:, [JOKER, BACK]], faces.reshape(count, OPTIONS - 2)], axis=1)
    order = np.argsort(-shares, axis=1, kind="stable")
    return (
        np.asarray(np.take_along_axis(every, order, axis=1), np.int64),
        np.asarray(np.take_along_axis(shares, order, axis=1), np.float64),
    )


def columns(codes: I64, number: F64, colour: F64, *, finds: tuple[F32, F32, F32, F32]) -> F64:
    """The evidence about the faces `codes` (n,) as rows (n, 7), in the order of `Confidence`'s weights.

    `finds` are of each find (n,): the chance that it is a tile, the number's chance in the look that says
    less, how well the corners agree (all 0 to 1), and the shorter side in pixels.
    """
    real, agree, fit, short = finds
    face = codes >= FIRST_FACE
    value = np.where(face, (codes - FIRST_FACE) // len(COLOURS), codes)
    each = np.arange(len(codes))
    tint = np.where(face, (codes - FIRST_FACE) % len(COLOURS), 0)
    ink = np.where(face, colour[each, tint], 1.0)
    table = (
        np.ones(len(codes)),
        _odds(number[each, value] * ink * real),
        _odds(agree),
        fit,
        np.log(np.clip(short.astype(np.float64), 4.0, WIDEST) / WIDEST),
        codes == BACK,
        codes == JOKER,
    )
    return np.column_stack(table).astype(np.float64)


def spread(shares: F64, best: F32) -> F64:
    """The shares (n, k), best first, each row raised to such a power that the first is `best` (n,) of it all.

    So the alternatives keep their order, are as doubtful as the face is, and all together make 1.
    """
    count, width = shares.shape
    shares = np.maximum(shares, _SMALLEST)
    wanted = np.clip(best.astype(np.float64), 1.0 / width, 1 - 1e-6)
    logs = np.log(shares / shares[:, :1])
    low, high = np.full(count, -9.0), np.full(count, 6.0)  # logs of the power
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        flat = 1 / np.exp(logs * np.exp(middle)[:, None]).sum(axis=1) < wanted
        low, high = np.where(flat, middle, low), np.where(flat, high, middle)
    powered = np.exp(logs * np.exp(high)[:, None])
    return np.asarray(powered / powered.sum(axis=1, keepdims=True), np.float64)


def shorter_sides(quads: F32) -> F32:
    """The shorter side of quads (n, 4, 2) in pixels, opposite ones taken together."""
    sides = np.linalg.norm(quads[:, [1, 2, 3, 0]] - quads, axis=2)
    return np.asarray(np.minimum(sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]) / 2, np.float32)


def _odds(chance: NDArray[np.floating]) -> F64:
    bounded = np.clip(chance.astype(np.float64), 1e-9, 1 - 1e-9)
    return np.asarray(np.clip(np.log(bounded / (1 - bounded)), -FARTHEST, FARTHEST), np.float64)
