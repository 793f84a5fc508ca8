"""The classes of the face net, shared by training and reading."""

from __future__ import annotations

from typing import Final

#: Colour slots in the order of the net's answers.
COLOURS: Final = "rybk"
#: Number classes beside 0 for the joker and 1 to 13.
BACK: Final = 14
NOTHING: Final = 15
