"""Draws joker faces of many kinds; every real set has its own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.synth import joker_figures, joker_look_alikes, joker_patterns, joker_signs
from vision.synth.joker_parts import Drawing
from vision.synth.looks import Look

F32 = NDArray[np.float32]
Layer = tuple[F32, str]

KINDS = {
    name: draw
    for module in (joker_figures, joker_patterns, joker_signs)
    for name, draw in (module.TRAINED | module.HELD_OUT).items()
} | joker_look_alikes.HARD


def draw_joker(
    look: Look, kind: str, inks: str, size: tuple[int, int], rng: np.random.Generator
) -> list[Layer]:
    """Masks 0..1 (h, w) with the ink slot of each; `inks` names one to four slots.

    Raises KeyError for a kind that is not in KINDS.
    """
    width, height = size
    middle = rng.random() < 0.45
    at = 0.5 if middle else look.digit_centre + rng.uniform(0, 0.06)
    radius = width * (rng.uniform(0.24, 0.42) if rng.random() < 0.85 else rng.uniform(0.18, 0.24))
    if kind.startswith(("word", "half", "print_word")):
        radius = max(radius, width * rng.uniform(0.34, 0.44))  # their parts are small
    # Pictures reach a little beyond their radius; they must stay on the face.
    at = min(max(at, radius * 1.35 / height), 1 - radius * 1.25 / height)
    drawing = Drawing(
        size,
        inks,
        style=str(rng.choice(["line", "solid", "tinted"], p=[0.4, 0.3, 0.3])),
        line=max(1.0, width * rng.uniform(0.014, 0.034)),
        matrix=np.asarray([[radius, 0, width / 2], [0, radius, at * height], [0, 0, 1]]),
    )
    KINDS[kind](drawing, rng)
    if rng.random() < 0.16 and not kind.startswith("word"):
        _caption(drawing, at * height / radius, height / radius, rng)
    return [(np.asarray(layer / np.float32(255), np.float32), slot) for slot, layer in drawing.layers.items()]


def _caption(drawing: Drawing, at: float, tall: float, rng: np.random.Generator) -> None:
    """A word under the picture, or over it where there is more room; lengths in radii."""
    below = tall - at > at
    room = (tall - at if below else at) - 1.15
    if room < 0.25:
        return
    y = (1.15 + room * 0.4) * (1 if below else -1)
    text = str(rng.choice(joker_signs.WORDS))
    size = min(room * 0.7, 2.0 / len(text))
    joker_signs.spell(drawing.moved(0, y), text, size=size, turn=0.0, stacked=False)
