"""The inks of a set as the table's own camera saw them: the tiles of a look are judged among them.

Of another camera's pictures they say little: how inks look depends on how large and sharp tiles are, more
than on the lamp.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.ink_scene import FEWEST
from vision.odds import softmax

F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
I64 = NDArray[np.int64]

ROWS: Final = 30
"""Of evidence on one ink: code (24), measured ink and body (6); see `vision.inks.evidence`."""

_CODE: Final = 24
_LOOSE: Final = 4.0  # times the spread that inks had when they were learnt: pictures at play are worse
_RIDGE: Final = 0.5  # of the mean spread, in all directions
_LIMIT: Final = 2.0  # nats that likeness may say against a colour at most: the ink net has compared them too
_FLOOR: Final = 1e-6


@dataclass(frozen=True, eq=False)
class KnownInks:
    """Evidence (n, 30) on the inks of a set's tiles as they were taught, and their colours (n,) 0 to 3."""

    rows: F32
    colours: I64

    def __post_init__(self) -> None:
        if self.rows.ndim != 2 or self.rows.shape[1] != ROWS or self.colours.shape != (len(self.rows),):
            raise ValueError("known inks have other shapes")

    def judge(self, colour: F32, rows: F32) -> F32:
        """Chances of colours (n, 4), given those of the ink net (n, 4) for tiles with evidence (n, 30)."""
        if len(colour) == 0:
            return colour
        middles, inverse = self._spread
        away = rows[:, None, :_CODE].astype(np.float64) - middles[None]
        likely = -0.5 * np.einsum("nci,ij,ncj->nc", away, inverse, away)
        likely = np.maximum(likely - likely.max(axis=1, keepdims=True), -_LIMIT)
        return softmax((np.log(colour + _FLOOR) + likely).astype(np.float32))

    @cached_property
    def _spread(self) -> tuple[F64, F64]:
        """The middle code of each colour (4, 24), and the inverse of the spread of one colour (24, 24)."""
        codes = self.rows[:, :_CODE].astype(np.float64)
        middles = np.stack([codes[self.colours == slot].mean(axis=0) for slot in range(4)])
        apart = codes - middles[self.colours]
        spread = apart.T @ apart / len(apart) * _LOOSE
        spread += np.eye(_CODE) * (np.trace(spread) / _LOOSE / _CODE * _RIDGE + _FLOOR)
        return middles, np.linalg.inv(spread)


def know_inks(rows: F32, colours: I64) -> KnownInks | None:
    """The inks of tiles of known colours (n,) 0 to 3, -1 for none; None where a colour has too few tiles."""
    inked = colours >= 0
    if min(np.bincount(colours[inked], minlength=4)) < FEWEST:
        return None
    return KnownInks(np.ascontiguousarray(rows[inked], np.float32), colours[inked].astype(np.int64))
