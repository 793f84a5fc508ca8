"""Joker pictures of signs, things and words, each drawn anew within about -1..1."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.joker_figures import Draw
from vision.synth.joker_parts import Drawing, blob, face, heart, oval, poly, star
from vision.synth.masks import glyph_mask

#: Signs of DejaVu Sans that are no number, no suit of a ring, and near none of the held-out kinds.
GLYPHS = "☺☻★✪✶☀✹❂☹☼☾☽☂☃☄☎☏☕☘☙☠☢☣☥☪☭☮☯♞♘♝♗♜♖♪♫♬♲♻⚒⚓⚔⚖⚗⚙⚚⚛⚜⚡✂✈✉✌✍✎✒✚✠✡✤✥✦✧✩✰✱✲✳✴✵✸✺✻✼✽✾✿❀❁❄❅❆❇❈❉❊❋❖"
LETTERS = "ACEFHKMNPQRTUVWXY?!&@"
WORDS = (
    "JOKER",
    "JOLLY",
    "Joker",
    "joker",
    "JOLY",
    "JOCKER",
    "JOLKER",
    "WILD",
    "REMI",
    "FREE",
    "OKEY",
    "Jolly",
)


def glyph(d: Drawing, rng: np.random.Generator) -> None:
    """A sign of a font, perhaps in a ring."""
    ringed = rng.random() < 0.4
    d.glyph(str(rng.choice(list(GLYPHS))), 0, 0, 1.3 if ringed else 2.0)
    if ringed:
        d.stroke(oval(0, 0, 1.05), 1, closed=True)


def spell(d: Drawing, text: str, *, size: float, turn: float, stacked: bool) -> None:
    """A word of letters of `size`, written along `turn` or, stacked, from top to bottom."""
    glyphs = [glyph_mask(char) for char in text]
    step = size * (1.15 if stacked else 0.92)
    for index, one in enumerate(glyphs):
        away = (index - (len(text) - 1) / 2) * step
        x, y = (0.0, away) if stacked else (away * math.cos(turn), away * math.sin(turn))
        tilted = one if not turn else _turned(one, turn)
        d.lay_glyph(tilted, x, y, size * (1 if not turn else 1.2), 0)


def _turned(mask: NDArray[np.float32], turn: float) -> NDArray[np.float32]:
    side = int(math.hypot(*mask.shape)) + 1
    matrix = cv2.getRotationMatrix2D((mask.shape[1] / 2, mask.shape[0] / 2), -math.degrees(turn), 1.0)
    matrix[:, 2] += (side / 2 - mask.shape[1] / 2, side / 2 - mask.shape[0] / 2)
    return np.asarray(cv2.warpAffine(mask, matrix, (side, side)), np.float32)


def word(d: Drawing, rng: np.random.Generator) -> None:
    """JOKER or the like across or downwards."""
    text = str(rng.choice(WORDS))
    stacked = bool(rng.random() < 0.4)
    spell(d, text, size=2.0 / len(text) * (1.05 if stacked else 1.0), turn=0.0, stacked=stacked)
    if not stacked and rng.random() < 0.4:
        d.stroke(poly((-1.1, 0.4), (1.1, 0.4)), 1)
        d.stroke(poly((-1.1, -0.4), (1.1, -0.4)), 1)


def word_angle(d: Drawing, rng: np.random.Generator) -> None:
    """A word on a slant, with a star or a line."""
    text = str(rng.choice(WORDS))
    turn = float(rng.choice([-1, 1])) * rng.uniform(0.3, 1.1)
    spell(d, text, size=2.3 / len(text), turn=turn, stacked=False)
    if rng.random() < 0.5:
        for side in (-1, 1):
            d.fill(star(5, 0.45, 0.25, side * -math.sin(turn) * 0.75, side * math.cos(turn) * 0.75), 1)


def letter_ring(d: Drawing, rng: np.random.Generator) -> None:
    """One letter in a ring, square or star."""
    frame = rng.integers(3)
    if frame == 0:
        d.stroke(oval(0, 0, 1.0), 1, 1.3, closed=True)
    elif frame == 1:
        d.stroke(poly((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)), 1, 1.3, closed=True)
    else:
        d.stroke(star(int(rng.integers(8, 16)), 0.8, 1.1), 1, 1.0, closed=True)
    d.glyph(str(rng.choice(list(LETTERS))), 0, 0, rng.uniform(0.9, 1.25))


def word_ring(d: Drawing, rng: np.random.Generator) -> None:
    """Letters round a circle with a sign in the middle."""
    text = str(rng.choice(("JOKER", "JOKER*", "JOLLYJOKER", "JOKERJOKER", "REMI*")))
    for index, char in enumerate(text):
        angle = 2 * math.pi * index / len(text) - math.pi / 2
        turned = _turned(glyph_mask(char), angle + math.pi / 2)
        d.lay_glyph(turned, math.cos(angle) * 0.82, math.sin(angle) * 0.82, 3.2 / max(8, len(text)))
    if rng.random() < 0.5:
        d.stroke(oval(0, 0, 1.1), 1, closed=True)
    d.fill(star(int(rng.integers(4, 8)), rng.uniform(0.3, 0.6), 0.4), 1)


def sun(d: Drawing, rng: np.random.Generator) -> None:
    """A sun with rays and perhaps a face."""
    rays, kind = int(rng.integers(6, 18)), rng.integers(3)
    for step in range(rays):
        ray = d.moved(0, 0, turn=2 * math.pi * step / rays)
        if kind == 0:
            ray.stroke(poly((0.7, 0), (1.1, 0)), 1)
        elif kind == 1:
            ray.shape(poly((0.62, -0.12), (1.1, 0), (0.62, 0.12)), 1)
        else:
            ray.stroke(poly((0.65, 0.05), (0.8, -0.05), (0.95, 0.05), (1.1, -0.05)), 1)
    d.shape(oval(0, 0, 0.6))
    if rng.random() < 0.7:
        face(d.moved(0, 0, 0.55), rng, outline=False) if d.style == "line" else _cut_face(d, rng)


def _cut_face(d: Drawing, rng: np.random.Generator) -> None:
    for side in (-1, 1):
        d.fill(oval(side * 0.2, -0.12, 0.07, 0.1), d.over)
    d.stroke(oval(0, 0.1, 0.28, rng.uniform(0.15, 0.3), arc=(15, 165)), d.over)


def moon(d: Drawing, rng: np.random.Generator) -> None:
    """A crescent with a face or stars."""
    inner = rng.uniform(0.3, 0.6)
    outside, inside = oval(0, 0, 1.0, arc=(60, 300)), oval(inner, 0, 0.9, arc=(285, 75))
    d.shape(np.vstack([outside, inside]))
    for _ in range(int(rng.integers(0, 4))):
        d.fill(star(5, 0.45, rng.uniform(0.12, 0.3), rng.uniform(0.3, 1), rng.uniform(-0.8, 0.8)), 1)
    d.fill(oval(-0.6, -0.2, 0.07), d.over)


def flower(d: Drawing, rng: np.random.Generator) -> None:
    """Petals about a middle, perhaps on a stem."""
    petals, stem = int(rng.integers(4, 11)), rng.random() < 0.4
    head = d.moved(0, -0.4, 0.65) if stem else d
    if stem:
        d.stroke(poly((0, 0), (0.05, 0.5), (0, 1.1)), 1, 1.5)
        d.shape(oval(0.3, 0.6, 0.25, 0.12), 1)
    wide = rng.uniform(0.15, 0.35)
    for step in range(petals):
        head.moved(0, 0, turn=2 * math.pi * step / petals).shape(oval(0.65, 0, 0.4, wide))
    head.shape(oval(0, 0, 0.28), 1)


def dice(d: Drawing, rng: np.random.Generator) -> None:
    """One die or two, askew."""
    for x, y in ((0.0, 0.0),) if rng.random() < 0.4 else ((-0.4, -0.35), (0.4, 0.4)):
        one = d.moved(x, y, 0.75 if not x else 0.48, turn=rng.uniform(-0.7, 0.7))
        one.shape(poly((-1, -1), (1, -1), (1, 1), (-1, 1)))
        spots: list[tuple[float, float]] = [(0, 0), (-0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (0.5, -0.5)]
        for index in rng.permutation(5)[: int(rng.integers(2, 6))]:
            across, down = spots[int(index)]
            one.fill(oval(across, down, 0.2), d.over)


def bell(d: Drawing, rng: np.random.Generator) -> None:
    """A bell."""
    wide = rng.uniform(0.7, 0.95)
    d.shape(oval(0, 0.75, 0.18), 1)
    d.shape(poly((-0.25, -0.8), (0.25, -0.8), (0.5, 0.2), (wide, 0.65), (-wide, 0.65), (-0.5, 0.2)))
    d.stroke(oval(0, -0.95, 0.15), 1, closed=True)
    d.stroke(poly((-0.6, 0.4), (0.6, 0.4)), d.over)


def hearts(d: Drawing, rng: np.random.Generator) -> None:
    """A heart or several, one within another."""
    d.shape(heart(1.0))
    if rng.random() < 0.5:
        d.shape(heart(0.55), 1)
    else:
        d.stroke(poly((-1.1, 0.7), (1.1, -0.7)), d.over, 1.5)


def tree(d: Drawing, rng: np.random.Generator) -> None:
    """A fir, a palm or a round tree."""
    d.shape(poly((-0.12, 0.4), (0.12, 0.4), (0.14, 1.1), (-0.14, 1.1)), 1)
    kind = rng.integers(3)
    if kind == 0:
        for y in (0.5, 0.0, -0.5):
            d.shape(poly((-0.75 + y * -0.3, y), (0, y - 0.65), (0.75 + y * 0.3, y)))
    elif kind == 1:
        d.shape(blob(rng, 0.3, 0.75) - (0, 0.3))
    else:
        for angle in np.linspace(-2.9, -0.2, 6):
            end = (math.cos(angle), 0.2 + math.sin(angle) * 0.7)
            d.stroke(poly((0, 0.4), (end[0] * 0.6, end[1] - 0.3), end), 0, 2)


def emblem(d: Drawing, rng: np.random.Generator) -> None:
    """A shield with a charge."""
    d.shape(
        poly((-0.8, -0.9), (0, -0.75 - rng.uniform(0, 0.4)), (0.8, -0.9), (0.75, 0.1), (0, 1.1), (-0.75, 0.1))
    )
    kind = rng.integers(4)
    if kind == 0:
        d.fill(star(5, 0.45, 0.5, 0, -0.1), d.over)
    elif kind == 1:
        d.fill(poly((-0.8, -0.5), (-0.5, -0.85), (0.65, 0.35), (0.4, 0.65)), d.over)
    elif kind == 2:
        d.fill(heart(0.45, 0, -0.1), d.over)
    else:
        d.stroke(poly((0, -0.9), (0, 1.0)), d.over, 2)
        d.stroke(poly((-0.75, -0.1), (0.75, -0.1)), d.over, 2)


def landscape(d: Drawing, rng: np.random.Generator) -> None:
    """A small picture in a frame: hills, a sun, a house or boat."""
    d.shape(oval(rng.uniform(-0.6, 0.6), -0.6, rng.uniform(0.2, 0.35)), 1)
    peak = rng.uniform(-0.5, 0.5)
    d.shape(poly((-1, 0.5), (peak - 0.3, -0.4), (peak + 0.2, 0.1), (peak + 0.5, -0.2), (1, 0.5)), 2)
    d.shape(poly((-1, 0.5), (1, 0.5), (1, 0.95), (-1, 0.95)), 3)
    if rng.random() < 0.6:
        x = rng.uniform(-0.5, 0.5)
        d.shape(poly((x - 0.25, 0.2), (x + 0.25, 0.2), (x + 0.25, 0.6), (x - 0.25, 0.6)), 0)
        d.shape(poly((x - 0.35, 0.2), (x, -0.1), (x + 0.35, 0.2)), 1)
    d.stroke(poly((-1, -1), (1, -1), (1, 1), (-1, 1)), 0, closed=True)


def bolt(d: Drawing, rng: np.random.Generator) -> None:
    """A flash, an arrow or a cross of arrows, perhaps on a disc."""
    if rng.random() < 0.4:
        d.stroke(oval(0, 0, 1.05), 1, 1.3, closed=True)
    if rng.random() < 0.5:
        d.shape(poly((0.2, -1), (-0.55, 0.15), (-0.05, 0.15), (-0.25, 1), (0.55, -0.25), (0.05, -0.25)))
        return
    count = int(rng.integers(2, 5))
    for step in range(count):
        arm = d.moved(0, 0, turn=2 * math.pi * step / count)
        arm.shape(
            poly((0.15, -0.1), (0.55, -0.1), (0.55, -0.3), (0.95, 0), (0.55, 0.3), (0.55, 0.1), (0.15, 0.1)),
            step,
        )


def bottle(d: Drawing, rng: np.random.Generator) -> None:
    """A goblet, a bottle or a balloon."""
    kind = rng.integers(3)
    if kind == 0:
        d.shape(np.vstack([oval(0, -0.6, 0.6, 0.75, arc=(0, 180))]))
        d.stroke(poly((0, 0.1), (0, 0.9)), 0, 2)
        d.stroke(poly((-0.45, 0.95), (0.45, 0.95)), 1, 2)
    elif kind == 1:
        d.shape(
            poly(
                (-0.15, -1),
                (0.15, -1),
                (0.17, -0.4),
                (0.45, -0.1),
                (0.45, 1),
                (-0.45, 1),
                (-0.45, -0.1),
                (-0.17, -0.4),
            )
        )
        d.fill(poly((-0.35, 0.1), (0.35, 0.1), (0.35, 0.6), (-0.35, 0.6)), d.over)
    else:
        d.shape(oval(0, -0.25, 0.65, 0.8))
        d.stroke(oval(0, -0.25, 0.25, 0.8), d.over, closed=True)
        d.shape(poly((-0.2, 0.8), (0.2, 0.8), (0.16, 1.1), (-0.16, 1.1)), 1)


def crown(d: Drawing, rng: np.random.Generator) -> None:
    """A crown (held out)."""
    if rng.random() < 0.5:
        d.glyph(str(rng.choice(list("♛♕♚♔"))), 0, 0, 2.0)
        return
    tips = int(rng.integers(3, 6))
    xs = np.linspace(-0.95, 0.95, 2 * tips - 1)
    ys = np.where(np.arange(len(xs)) % 2 == 0, -0.7, 0.0)
    d.shape(np.vstack([np.stack([xs, ys], 1), poly((0.75, 0.75), (-0.75, 0.75))]))
    for x in xs[::2]:
        d.shape(oval(float(x), -0.8, 0.12), 1)
    d.stroke(poly((-0.75, 0.45), (0.75, 0.45)), d.over)


def letter_j(d: Drawing, rng: np.random.Generator) -> None:
    """The letter J alone or in a ring (held out)."""
    ringed = rng.random() < 0.4
    d.glyph("J", 0, 0, 1.2 if ringed else 2.0)
    if ringed:
        d.stroke(oval(0, 0, 1.05), 1, closed=True)


def ship_wheel(d: Drawing, rng: np.random.Generator) -> None:
    """A ship's wheel (held out)."""
    spokes = int(rng.choice([6, 8]))
    for step in range(spokes):
        d.moved(0, 0, turn=2 * math.pi * step / spokes).stroke(poly((0.2, 0), (1.1, 0)), 1, 1.6)
    d.stroke(oval(0, 0, 0.75), 0, 2.5, closed=True)
    d.stroke(oval(0, 0, 0.25), 0, 1.5, closed=True)


def guitar(d: Drawing, rng: np.random.Generator) -> None:
    """A guitar (held out)."""
    own = d.moved(0, 0, turn=rng.uniform(-0.6, 0.6))
    own.shape(poly((-0.08, -1.1), (0.08, -1.1), (0.08, 0.2), (-0.08, 0.2)), 1)
    own.shape(oval(0, 0.2, 0.38, 0.33))
    own.shape(oval(0, 0.7, 0.52, 0.42))
    own.fill(oval(0, 0.42, 0.16), own.over)


TRAINED: dict[str, Draw] = {
    "glyph": glyph,
    "word": word,
    "word_angle": word_angle,
    "word_ring": word_ring,
    "letter_ring": letter_ring,
    "sun": sun,
    "moon": moon,
    "flower": flower,
    "dice": dice,
    "bell": bell,
    "hearts": hearts,
    "tree": tree,
    "emblem": emblem,
    "landscape": landscape,
    "bolt": bolt,
    "bottle": bottle,
}
HELD_OUT: dict[str, Draw] = {
    "crown": crown,
    "letter_j": letter_j,
    "ship_wheel": ship_wheel,
    "guitar": guitar,
}
