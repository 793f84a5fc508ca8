"""Joker pictures that are like numbers at a glance: letters, and round or jagged things on stems."""

from __future__ import annotations

import math

import numpy as np

from vision.synth.joker_figures import Draw
from vision.synth.joker_parts import Drawing, oval, poly, star
from vision.synth.joker_signs import WORDS
from vision.synth.things import any_font, letters

#: Letters that no player takes for a number, without the held-out J.
LETTERS = "ACEFHKLMNPRTUVWXYacdefhkmnprtuvwx?&@"


def _spelt(d: Drawing, rng: np.random.Generator, text: str, size: float, y: float = 0.0) -> None:
    """Letters of a font that digits have too, `size` high."""
    mask = np.asarray(letters(any_font(rng), text).astype(np.float32) / 255, np.float32)
    d.lay_glyph(mask, 0, y, size, 0)


def letter(d: Drawing, rng: np.random.Generator) -> None:
    """One letter as large as a digit, alone or with a dot or line below it."""
    _spelt(d, rng, str(rng.choice(list(LETTERS))), rng.uniform(1.4, 2.1), -0.1)
    kind = rng.random()
    if kind < 0.15:
        d.fill(oval(0, 1.25, 0.14), 1)
    elif kind < 0.25:
        d.stroke(poly((-0.4, 1.25), (0.4, 1.25)), 1, 1.5)


def letter_sign(d: Drawing, rng: np.random.Generator) -> None:
    """A letter with a star, ring or frame of its own."""
    kind = rng.integers(3)
    _spelt(d, rng, str(rng.choice(list(LETTERS))), 1.2, -0.2 if kind == 0 else 0.0)
    if kind == 0:
        d.fill(star(int(rng.integers(4, 8)), 0.45, 0.35, 0, 0.85), 1)
    elif kind == 1:
        d.stroke(oval(0, 0, 1.05), 1, 1.2, closed=True)
    else:
        d.stroke(poly((-0.8, -1), (0.8, -1), (0.8, 1), (-0.8, 1)), 1, 1.2, closed=True)


def print_word(d: Drawing, rng: np.random.Generator) -> None:
    """A word in print, straight or in two lines."""
    text = str(rng.choice(WORDS))
    if rng.random() < 0.3:
        half = len(text) // 2
        _spelt(d, rng, text[:half], 0.8, -0.5)
        _spelt(d, rng, text[half:], 0.8, 0.5)
    else:
        _spelt(d, rng, text, 3.2 / len(text))


def key(d: Drawing, rng: np.random.Generator) -> None:
    """A key: a ring on a shaft with teeth."""
    own = d.moved(0, 0, turn=rng.uniform(-0.5, 0.5) + math.pi * rng.integers(2))
    own.stroke(oval(0, -0.65, rng.uniform(0.3, 0.42)), 0, 2.5, closed=True)
    own.shape(poly((-0.08, -0.3), (0.08, -0.3), (0.08, 1.05), (-0.08, 1.05)))
    for y in (0.6, 0.85)[: int(rng.integers(1, 3))]:
        own.shape(poly((0.05, y), (0.4, y), (0.4, y + 0.12), (0.05, y + 0.12)))


def spoon(d: Drawing, rng: np.random.Generator) -> None:
    """A spoon or racket."""
    own = d.moved(0, 0, turn=rng.uniform(-0.6, 0.6) + math.pi * rng.integers(2))
    bowl = oval(0, -0.6, rng.uniform(0.28, 0.45), rng.uniform(0.4, 0.5))
    if rng.random() < 0.5:
        own.shape(bowl)
    else:
        own.stroke(bowl, 0, 2, closed=True)
    own.shape(poly((-0.06, -0.15), (0.06, -0.15), (0.1, 1.05), (-0.1, 1.05)), 1)


def cherries(d: Drawing, rng: np.random.Generator) -> None:
    """One cherry, or two on one stalk."""
    count = int(rng.integers(1, 3))
    for side in (-1, 1)[:count]:
        x = side * 0.45 if count == 2 else 0.0
        d.shape(oval(x, 0.55, 0.38))
        d.stroke(poly((x, 0.2), (x * 0.6, -0.3), (0.2, -0.95)), 1, 1.5)
    d.shape(oval(0.5, -0.85, 0.35, 0.15), 1)


def hammer(d: Drawing, rng: np.random.Generator) -> None:
    """A hammer or axe."""
    own = d.moved(0, 0, turn=rng.uniform(-0.7, 0.7))
    own.shape(poly((-0.08, -0.7), (0.08, -0.7), (0.1, 1.05), (-0.1, 1.05)), 1)
    if rng.random() < 0.5:
        own.shape(poly((-0.55, -1), (0.55, -1), (0.55, -0.6), (-0.55, -0.6)))
    else:
        own.shape(poly((0, -0.95), (0.7, -1.05), (0.75, -0.3), (0, -0.5)))


def umbrella(d: Drawing, rng: np.random.Generator) -> None:
    """An open umbrella."""
    d.shape(np.vstack([oval(0, -0.1, 0.95, 0.85, arc=(180, 360))]))
    d.stroke(poly((0, -0.1), (0, 0.8)), 1, 2)
    d.stroke(oval(-0.16, 0.8, 0.16, 0.2, arc=(0, 180)), 1, 2)
    if rng.random() < 0.5:
        d.stroke(poly((-0.3, -0.12), (0, -0.9), (0.3, -0.12)), d.over)


def balloon(d: Drawing, rng: np.random.Generator) -> None:
    """A balloon on a string, a lollipop or a pin."""
    if rng.random() < 0.5:
        d.shape(oval(0, -0.4, 0.55, 0.65))
        d.stroke(poly((0, 0.25), (0.12, 0.6), (-0.08, 0.85), (0.05, 1.1)), 1, 1.2)
    else:
        d.shape(oval(0, -0.5, 0.5))
        d.stroke(poly((0, 0), (0, 1.1)), 1, 2)
        d.stroke(oval(0, -0.5, 0.25, arc=(0, 250)), d.over)


def mushroom(d: Drawing, rng: np.random.Generator) -> None:
    """A mushroom."""
    d.shape(poly((-0.25, 0), (0.25, 0), (rng.uniform(0.2, 0.4), 1), (-0.3, 1)), 1)
    d.shape(np.vstack([oval(0, 0.1, rng.uniform(0.7, 0.95), 1.0, arc=(180, 360))]))
    for x, y in ((-0.4, -0.2), (0.1, -0.5), (0.45, -0.1)):
        d.fill(oval(x, y, 0.12), d.over)


def castle(d: Drawing, rng: np.random.Generator) -> None:
    """A tower with battlements."""
    xs = np.linspace(-0.7, 0.7, 2 * int(rng.integers(3, 5)))
    top = [
        (float(x), -0.8 if index // 2 % 2 == 0 else -0.5) for index, x in enumerate(np.repeat(xs, 2)[1:-1])
    ]
    d.shape(np.vstack([poly(*top), poly((0.7, 0.95), (-0.7, 0.95))]))
    d.fill(poly((-0.18, 0.95), (-0.18, 0.4), (0.18, 0.4), (0.18, 0.95)), d.over)


def tulip(d: Drawing, rng: np.random.Generator) -> None:
    """A tulip."""
    d.shape(
        poly(
            (-0.5, -0.9),
            (-0.2, -0.5),
            (0, -1),
            (0.2, -0.5),
            (0.5, -0.9),
            (0.45, -0.1),
            (0, 0.15),
            (-0.45, -0.1),
        )
    )
    d.stroke(poly((0, 0.1), (rng.uniform(-0.1, 0.1), 1.05)), 1, 2)
    d.shape(poly((0, 0.9), (0.5, 0.2), (0.3, 0.75)), 1)


def comb(d: Drawing, rng: np.random.Generator) -> None:
    """A comb or hand: a bar with teeth."""
    own = d.moved(0, 0, turn=math.pi * rng.integers(2))
    teeth = int(rng.integers(4, 8))
    own.shape(poly((-0.9, 0.1), (0.9, 0.1), (0.9, 0.7), (-0.9, 0.7)))
    for x in np.linspace(-0.8, 0.8, teeth):
        own.shape(
            poly(
                (float(x) - 0.08, -0.8),
                (float(x) + 0.08, -0.8),
                (float(x) + 0.08, 0.2),
                (float(x) - 0.08, 0.2),
            )
        )


def anchor(d: Drawing, rng: np.random.Generator) -> None:
    """An anchor."""
    d.stroke(oval(0, -0.85, 0.18), 1, 1.5, closed=True)
    d.stroke(poly((0, -0.65), (0, 0.9)), 0, 2.5)
    d.stroke(poly((-0.4, -0.4), (0.4, -0.4)), 0, 2)
    d.stroke(oval(0, rng.uniform(0.1, 0.3), 0.8, 0.7, arc=(20, 160)), 0, 2.5)


def lens(d: Drawing, rng: np.random.Generator) -> None:
    """A magnifying glass."""
    own = d.moved(0, 0, turn=rng.uniform(0, 2 * math.pi))
    own.stroke(oval(0, -0.4, rng.uniform(0.45, 0.6)), 0, rng.uniform(1.5, 3), closed=True)
    own.shape(poly((-0.1, 0.2), (0.1, 0.2), (0.12, 1.1), (-0.12, 1.1)), 1)


def apple(d: Drawing, rng: np.random.Generator) -> None:
    """An apple or pear with its stalk."""
    d.shape(oval(0, 0.3, rng.uniform(0.55, 0.75), 0.65))
    if rng.random() < 0.5:
        d.shape(oval(0, -0.3, 0.32, 0.5))
    d.stroke(poly((0, -0.5), (0.15, -1.05)), 1, 1.8)
    d.shape(oval(0.4, -0.85, 0.28, 0.13), 1)


HARD: dict[str, Draw] = {
    "letter": letter,
    "letter_sign": letter_sign,
    "print_word": print_word,
    "key": key,
    "spoon": spoon,
    "cherries": cherries,
    "hammer": hammer,
    "umbrella": umbrella,
    "balloon": balloon,
    "mushroom": mushroom,
    "castle": castle,
    "tulip": tulip,
    "comb": comb,
    "anchor": anchor,
    "lens": lens,
    "apple": apple,
}
