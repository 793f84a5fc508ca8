"""What the face net says of faces, before a picture's inks are judged together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.classes import NOTHING

F32 = NDArray[np.float32]
I64 = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Answers:
    """What the face net says of n faces, before their inks are judged together.

    Log chances of numbers (n, 16), logits of colours (n, 4), ink code (n, 24), measured ink and body (n, 6),
    whether each stands upside down (n,), how likely its number is in the look that says less (n,), and the
    features (n, 96) of the upright look, if the weights tell them.
    """

    log_number: F32
    colour: F32
    code: F32
    measured: F32
    turned: Bools
    agree: F32
    hidden: F32 | None

    @classmethod
    def none(cls) -> Answers:
        """The answers to no face at all."""
        number, colour, code, measured, hidden = (
            np.zeros((0, width), np.float32) for width in (NOTHING + 1, 4, 24, 6, 96)
        )
        return cls(number, colour, code, measured, np.zeros(0, np.bool_), np.zeros(0, np.float32), hidden)

    @property
    def surest(self) -> F32:
        """How likely each face's (n,) likeliest number is, joker and back among them."""
        return np.asarray(np.exp(self.log_number[:, :NOTHING].max(axis=1)), np.float32)

    def where(self, chosen: Bools | I64) -> Answers:
        """Those of the chosen faces, by a mask (n,) or by their places."""
        return Answers(
            self.log_number[chosen],
            self.colour[chosen],
            self.code[chosen],
            self.measured[chosen],
            self.turned[chosen],
            self.agree[chosen],
            None if self.hidden is None else self.hidden[chosen],
        )

    @classmethod
    def joined(cls, parts: Sequence[Answers]) -> Answers:
        """Those of several batches of faces, in their order."""
        hidden = [part.hidden for part in parts if part.hidden is not None]
        return cls(
            np.concatenate([part.log_number for part in parts]),
            np.concatenate([part.colour for part in parts]),
            np.concatenate([part.code for part in parts]),
            np.concatenate([part.measured for part in parts]),
            np.concatenate([part.turned for part in parts]),
            np.concatenate([part.agree for part in parts]),
            np.concatenate(hidden) if len(hidden) == len(parts) else None,
        )

    def put(self, places: I64, others: Answers) -> Answers:
        """These, with those of other looks (m,) in the places (m,) of theirs."""

        def mixed(mine: NDArray[Any], theirs: NDArray[Any]) -> NDArray[Any]:
            both = mine.copy()
            both[places] = theirs
            return both

        told = self.hidden is not None and others.hidden is not None
        return Answers(
            mixed(self.log_number, others.log_number),
            mixed(self.colour, others.colour),
            mixed(self.code, others.code),
            mixed(self.measured, others.measured),
            mixed(self.turned, others.turned),
            mixed(self.agree, others.agree),
            mixed(np.asarray(self.hidden), np.asarray(others.hidden)) if told else None,
        )
