"""How the jokers of a taught set look, so that the print on its backs is taken for none of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.classes import BACK

F32 = NDArray[np.float32]
Bools = NDArray[np.bool_]

OTHER_HUE: Final = 0.95
"""Cosine of the logarithms of ink over body, of a joker and of what lies there, below which it is another
thing: a thinner line or another lamp changes the three channels alike."""

NEAR_HUE: Final = 0.985
UNLIKE: Final = 0.5
"""Cosine of their features, below which it is one too if the inks are not nearer than that. Alone it would
not do: one joker of twenty is unlike what the census saw of it."""

_JOKER = 0
_LEFT = 0.1  # of the chance of a joker: seen half under a hand it may be unlike itself
_LEAST = 1e-3


@dataclass(frozen=True)
class JokerLooks:
    """The face net's features of a set's jokers in many lights (k, d), of length 1 in the set's own measure.

    `middle` and `spread` (d,) are those of the features of all its tiles; `inks` (j, 3) the directions of the
    jokers' inks as `vision.inks.measure` has them against the body, of length 1.
    """

    looks: F32
    middle: F32
    spread: F32
    inks: F32

    @classmethod
    def of(cls, features: F32, jokers: Bools, seen: F32, inks: F32) -> JokerLooks | None:
        """From the features of all looks (m, d), which of them are jokers (m,), and features (n, d) and inks
        (n, 3) of the tiles as the census saw them, with which the looks begin; None for a set without jokers.
        """
        if not jokers.any():
            return None
        middle, spread = seen.mean(axis=0), np.maximum(seen.std(axis=0), _LEAST)
        looks = _unit((features[jokers] - middle) / spread)
        return cls(looks, middle, spread, _unit(inks[jokers[: len(inks)]]))

    def likeness(self, features: F32) -> F32:
        """How like the likest joker each of the faces (n, d) is, -1 to 1."""
        return np.asarray(
            (_unit((features - self.middle) / self.spread) @ self.looks.T).max(axis=1), np.float32
        )

    def judge(self, number: F32, features: F32, inks: F32) -> F32:
        """The numbers (n, 16) of faces with these features and inks (n, 3): a joker unlike all is a back.

        A print on the backs of a set, a name say, is like no number, so the face net takes it for a joker.
        """
        judged = number.copy()
        hue = (_unit(inks) @ self.inks.T).max(axis=1)
        other = (hue < OTHER_HUE) | ((hue < NEAR_HUE) & (self.likeness(features) < UNLIKE))
        strange = (number.argmax(axis=1) == _JOKER) & other
        judged[strange, BACK] += (1 - _LEFT) * number[strange, _JOKER]
        judged[strange, _JOKER] *= _LEFT
        return judged

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """To store."""
        return {
            "joker_looks": self.looks,
            "joker_middle": self.middle,
            "joker_spread": self.spread,
            "joker_inks": self.inks,
        }


def _unit(rows: F32) -> F32:
    return np.asarray(rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9), np.float32)
