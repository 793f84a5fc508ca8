"""Joker pictures of faces, people and animals, each drawn anew within about -1..1."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from vision.synth.joker_parts import (
    BARE,
    Drawing,
    blob,
    eyes,
    face,
    fool_hat,
    mouth,
    oval,
    poly,
    ruff,
    star,
)

Draw = Callable[[Drawing, np.random.Generator], None]


def smile(d: Drawing, rng: np.random.Generator) -> None:
    """A face, in a ring or free."""
    face(d, rng, outline=bool(rng.random() < 0.75))
    if rng.random() < 0.3:
        d.stroke(oval(0, 0, 1.15), 1, closed=True)


def jester(d: Drawing, rng: np.random.Generator) -> None:
    """A face with a fool's hat."""
    head = d.moved(0, 0.45, 0.62)
    if rng.random() < 0.5:
        ruff(head, rng, 0.95)
    face(head, rng)
    fool_hat(head, rng)


def jester_body(d: Drawing, rng: np.random.Generator) -> None:
    """A whole jester who dances."""
    hip = rng.uniform(0.3, 0.45)
    for side in (-1, 1):
        foot = (side * rng.uniform(0.2, 0.6), 1.1)
        knee = (side * rng.uniform(0.1, 0.5), 0.75)
        d.stroke(poly((side * 0.12, hip), knee, foot, (foot[0] + side * 0.15, 1.02)), side > 0, 2.2)
        hand = (side * rng.uniform(0.55, 0.9), rng.uniform(-0.6, 0.4))
        d.stroke(poly((side * 0.2, -0.15), (side * 0.5, 0.05), hand), side < 0, 2.0)
        if rng.random() < 0.5:
            d.shape(oval(*hand, 0.12), 1)
    d.shape(poly((-0.3, -0.25), (0.3, -0.25), (0.22, hip + 0.1), (-0.22, hip + 0.1)))
    if rng.random() < 0.6:
        for y in np.linspace(-0.1, 0.3, 3):
            d.fill(star(4, 0.6, 0.07, 0, float(y)), d.over)
    head = d.moved(0, -0.5, 0.27)
    face(head, rng)
    fool_hat(head, rng)


def half_faces(d: Drawing, rng: np.random.Generator) -> None:
    """Two halves turned against each other, as on cards."""
    seed = int(rng.integers(2**31))
    # Two bare filled heads would be an 8 from afar: those wear hats.
    kind = 2 if d.style == "solid" else int(rng.choice([0, 1, 2, 2]))
    bend = rng.uniform(-0.3, 0.3)
    for turn in (0.0, math.pi):
        own = np.random.default_rng(seed)
        half = d.moved(0, 0, turn=turn).moved(0, -0.62, 0.5)
        face(half, own, outline=kind > 0)
        if kind == 2:
            fool_hat(half, own)
    d.stroke(poly((-1, -bend), (-0.3, bend), (0.3, -bend), (1, bend)), 1)


def half_figures(d: Drawing, rng: np.random.Generator) -> None:
    """Two busts turned against each other."""
    seed = int(rng.integers(2**31))
    hat = rng.integers(2 if d.style == "solid" else 3)
    for turn in (0.0, math.pi):
        own = np.random.default_rng(seed)
        half = d.moved(0, 0, turn=turn)
        half.shape(poly((-0.7, 0), (-0.55, -0.3), (0, -0.42), (0.55, -0.3), (0.7, 0)))
        head = half.moved(0, -0.75, 0.36)
        face(head, own)
        if hat == 0:
            fool_hat(head, own)
        elif hat == 1:
            top_hat(head, own)
    d.stroke(poly((-0.9, 0), (0.9, 0)), 1)


def top_hat(d: Drawing, rng: np.random.Generator) -> None:
    """A hat with a brim on a head of radius 1."""
    tall, wide = rng.uniform(0.5, 1.2), rng.uniform(0.5, 0.75)
    d.shape(poly((-wide, -0.7), (-wide * 1.1, -0.7 - tall), (wide * 1.1, -0.7 - tall), (wide, -0.7)))
    d.shape(poly((-1.2, -0.55), (-1.2, -0.75), (1.2, -0.75), (1.2, -0.55)), 1)


def hat_man(d: Drawing, rng: np.random.Generator) -> None:
    """A face under a hat, perhaps with a moustache or a bow."""
    head = d.moved(0, 0.25, 0.65)
    face(head, rng)
    top_hat(head, rng)
    if rng.random() < 0.5:
        for side in (-1, 1):
            head.shape(poly((0, 0.2), (side * 0.6, 0.05), (side * 0.55, 0.4)), 1)
    else:
        for side in (-1, 1):
            head.shape(poly((0, 1.15), (side * 0.6, 0.9), (side * 0.6, 1.4)), 1)


def clown(d: Drawing, rng: np.random.Generator) -> None:
    """A clown: tufts of hair, a red nose, a big mouth."""
    for side in (-1, 1):
        for _ in range(int(rng.integers(2, 5))):
            d.shape(oval(side * rng.uniform(0.65, 0.95), rng.uniform(-0.6, 0.1), rng.uniform(0.2, 0.34)), 1)
    d.shape(oval(0, 0.05, 0.72, 0.85))
    head = d.moved(0, 0.05, 0.75)
    eyes(head, rng, d.over)
    head.shape(oval(0, 0.1, 0.2), 1)
    head.shape(oval(0, 0.45, rng.uniform(0.35, 0.55), 0.22), 1)
    head.stroke(oval(0, 0.4, 0.35, 0.15, arc=(10, 170)), d.over)
    if rng.random() < 0.6:
        d.shape(poly((-0.3, -0.72), (0, -1.35), (0.3, -0.72)), 1)


def devil(d: Drawing, rng: np.random.Generator) -> None:
    """A horned face, perhaps with a beard."""
    long = rng.uniform(0.3, 0.7)
    for side in (-1, 1):
        d.shape(poly((side * 0.25, -0.6), (side * 0.55, -0.75 - long), (side * 0.75, -0.35)), 1)
    d.shape(
        poly((-0.7, -0.5), (0.7, -0.5), (0.75, 0.1), (0, 1.0), (-0.75, 0.1))
        if rng.random() < 0.5
        else oval(0, 0, 0.8)
    )
    inner = d.moved(0, -0.05, 0.8)
    eyes(inner, rng, d.over)
    mouth(inner, rng, d.over)


def cat(d: Drawing, rng: np.random.Generator) -> None:
    """The head of a cat, with whiskers."""
    tall = rng.uniform(0.25, 0.5)
    for side in (-1, 1):
        d.shape(poly((side * 0.2, -0.6), (side * 0.7, -0.7 - tall), (side * 0.85, -0.15)))
    d.shape(oval(0, 0, rng.uniform(0.8, 0.95), rng.uniform(0.7, 0.85)))
    eyes(d, rng, d.over)
    d.fill(poly((-0.12, 0.1), (0.12, 0.1), (0, 0.25)), d.over)
    d.stroke(oval(-0.15, 0.28, 0.15, arc=(0, 150)), d.over)
    d.stroke(oval(0.15, 0.28, 0.15, arc=(30, 180)), d.over)
    for side in (-1, 1):
        for step in (-0.12, 0.02, 0.16):
            d.stroke(poly((side * 0.4, 0.25 + step * 0.4), (side * 1.15, 0.2 + step * 1.8)), 1, 0.7)


def dog(d: Drawing, rng: np.random.Generator) -> None:
    """The head of a dog or bear."""
    long = rng.uniform(0.25, 0.7)
    for side in (-1, 1):
        d.shape(oval(side * 0.75, -0.55 + long * 0.5, 0.28, 0.2 + long * 0.6), 1)
    d.shape(oval(0, 0, 0.78, 0.85))
    eyes(d, rng, d.over)
    d.shape(oval(0, 0.4, 0.4, 0.32), 1)
    d.fill(oval(0, 0.22, 0.15, 0.1), d.over)
    d.stroke(poly((0, 0.3), (0, 0.5), (-0.2, 0.58)), d.over)


def bird(d: Drawing, rng: np.random.Generator) -> None:
    """A bird or duck from the side."""
    d.shape(oval(0, 0.2, 0.75, rng.uniform(0.4, 0.55)))
    d.shape(oval(-0.5, -0.45, 0.33))
    d.shape(poly((-0.78, -0.5), (-1.15, -0.38), (-0.78, -0.3)), 1)
    d.fill(oval(-0.55, -0.5, 0.07), d.over)
    d.shape(poly((-0.2, 0.1), (0.65, -0.15), (0.45, 0.4)), 1)
    d.shape(poly((0.65, 0.05), (1.15, rng.uniform(-0.5, 0.1)), (0.95, 0.35)))
    for x in (-0.15, 0.15):
        d.stroke(poly((x, 0.65), (x, 1.0), (x - 0.15, 1.02)), 1)


def fish(d: Drawing, rng: np.random.Generator) -> None:
    """A fish with scales."""
    d.shape(poly((0.55, 0), (1.1, -0.5), (0.95, 0), (1.1, 0.5)), 1)
    d.shape(oval(-0.15, 0, 0.85, rng.uniform(0.4, 0.6)))
    d.fill(oval(-0.6, -0.12, 0.08), d.over)
    for x in np.linspace(-0.3, 0.4, int(rng.integers(2, 5))):
        d.stroke(oval(float(x), 0, 0.15, 0.3, arc=(-80, 80)), d.over, 0.7)


def butterfly(d: Drawing, rng: np.random.Generator) -> None:
    """Wings left and right."""
    wings = [blob(rng, 0.2, 0.5) for _ in range(2)]
    for flip in (False, True):
        half = d.moved(0, 0, flip=flip)
        half.shape(wings[0] + (0.58, -0.4))
        half.shape(wings[1] * 0.75 + (0.45, 0.45), 1)
        half.fill(oval(0.6, -0.42, 0.16), d.over)
        half.stroke(poly((0, -0.5), (0.25, -1.0)), 0, 0.7)
    d.fill(oval(0, 0, 0.1, 0.6))


def robot(d: Drawing, rng: np.random.Generator) -> None:
    """A head of boxes."""
    wide, tall = rng.uniform(0.55, 0.85), rng.uniform(0.5, 0.75)
    d.stroke(poly((0, -tall), (0, -tall - 0.35)))
    d.shape(oval(0, -tall - 0.4, 0.12), 1)
    d.shape(poly((-wide, -tall), (wide, -tall), (wide, tall), (-wide, tall)))
    for side in (-1, 1):
        x = side * wide * 0.45
        d.fill(poly((x - 0.15, -0.3), (x + 0.15, -0.3), (x + 0.15, -0.05), (x - 0.15, -0.05)), d.over)
        d.shape(
            poly(
                (side * wide, -0.2),
                (side * (wide + 0.2), -0.2),
                (side * (wide + 0.2), 0.2),
                (side * wide, 0.2),
            ),
            1,
        )
    for x in np.linspace(-0.35, 0.35, 5):
        d.stroke(poly((float(x), 0.2), (float(x), 0.4)), d.over)


def skull(d: Drawing, rng: np.random.Generator) -> None:
    """A skull, perhaps over crossed bones."""
    if rng.random() < 0.5:
        for side in (-1, 1):
            d.stroke(poly((-side, 0.4), (side, 1.05)), 1, 3)
    d.shape(poly((-0.4, 0.3), (0.4, 0.3), (0.35, 0.85), (-0.35, 0.85)))
    d.shape(oval(0, -0.15, 0.72, 0.65))
    for side in (-1, 1):
        d.fill(oval(side * 0.3, -0.1, 0.18, 0.2), d.over)
    d.fill(poly((0, 0.12), (-0.1, 0.32), (0.1, 0.32)), d.over)
    for x in (-0.2, 0.0, 0.2):
        d.stroke(poly((x, 0.55), (x, 0.85)), d.over, 0.8)


def theatre_mask(d: Drawing, rng: np.random.Generator) -> None:
    """A theatre mask, or two of them."""
    for x, turn in ((0.0, 0.0),) if rng.random() < 0.5 else ((-0.4, -0.25), (0.4, 0.25)):
        own = d.moved(x, 0.1 if x else 0, 0.95 if not x else 0.6, turn=turn)
        own.shape(poly((-0.85, -0.85), (0, -0.7), (0.85, -0.85), (0.75, 0.2), (0, 1.05), (-0.75, 0.2)))
        for side in (-1, 1):
            own.fill(oval(side * 0.38, -0.25, 0.22, 0.13), d.over)
        happy = x <= 0
        own.stroke(
            oval(0, 0.25 if happy else 0.6, 0.4, 0.3, arc=(10, 170) if happy else (190, 350)), d.over, 1.6
        )


def eye_mask(d: Drawing, rng: np.random.Generator) -> None:
    """A carnival mask with feathers or ribbons."""
    for step in np.linspace(-1, 1, int(rng.integers(3, 8))):
        d.shape(poly((step * 0.5, -0.3), (step * 1.0, -1.1 + 0.3 * abs(step)), (step * 0.5 + 0.2, -0.3)), 1)
    d.shape(np.vstack([oval(-0.5, 0, 0.55, 0.42, arc=(60, 300)), oval(0.5, 0, 0.55, 0.42, arc=(-120, 120))]))
    for side in (-1, 1):
        d.fill(oval(side * 0.48, 0, 0.27, rng.uniform(0.12, 0.22)), d.over)


def stick_man(d: Drawing, rng: np.random.Generator) -> None:
    """A figure of lines who juggles, jumps or walks."""
    d.shape(oval(0, -0.7, rng.uniform(0.2, 0.3)))
    d.stroke(poly((0, -0.45), (0, 0.35)), 0, 1.5)
    for side in (-1, 1):
        d.stroke(poly((0, -0.25), (side * rng.uniform(0.3, 0.8), rng.uniform(-0.7, 0.3))), 0, 1.5)
        d.stroke(poly((0, 0.35), (side * rng.uniform(0.2, 0.6), 1.05)), 0, 1.5)
    for _ in range(int(rng.integers(0, 5))):
        d.shape(oval(rng.uniform(-1, 1), rng.uniform(-1.1, -0.4), 0.1), 1)


def owl(d: Drawing, rng: np.random.Generator) -> None:
    """An owl from the front (held out)."""
    d.shape(oval(0, 0.15, 0.75, 0.95))
    for side in (-1, 1):
        d.shape(poly((side * 0.2, -0.65), (side * 0.7, -1.1), (side * 0.7, -0.4)))
        d.shape(oval(side * 0.33, -0.3, 0.3), 1)
        d.fill(oval(side * 0.33, -0.3, rng.uniform(0.1, 0.2)), 0 if d.style != "solid" else BARE)
    d.fill(poly((-0.1, -0.15), (0.1, -0.15), (0, 0.12)), d.over)
    for row in range(3):
        for x in np.linspace(-0.35, 0.35, 4 - row):
            d.stroke(oval(float(x), 0.3 + row * 0.22, 0.1, arc=(0, 180)), d.over, 0.8)


TRAINED: dict[str, Draw] = {
    "smile": smile,
    "jester": jester,
    "jester_body": jester_body,
    "half_faces": half_faces,
    "half_figures": half_figures,
    "hat_man": hat_man,
    "clown": clown,
    "devil": devil,
    "cat": cat,
    "dog": dog,
    "bird": bird,
    "fish": fish,
    "butterfly": butterfly,
    "robot": robot,
    "skull": skull,
    "theatre_mask": theatre_mask,
    "eye_mask": eye_mask,
    "stick_man": stick_man,
}
HELD_OUT: dict[str, Draw] = {"owl": owl}
