"""Joker pictures that are patterns: rings, stars, mandalas, scribbles, each drawn anew within about -1..1."""

from __future__ import annotations

import math

import numpy as np

from vision.synth.joker_figures import Draw
from vision.synth.joker_parts import BARE, Drawing, blob, curve, face, oval, poly, star


def star_rings(d: Drawing, rng: np.random.Generator) -> None:
    """Rings with a star in the middle."""
    for share in (1.0, 0.8, 0.6)[: int(rng.integers(1, 4))]:
        d.stroke(oval(0, 0, share), 0, rng.uniform(0.7, 2), closed=True)
    d.fill(star(int(rng.integers(4, 9)), rng.uniform(0.35, 0.6), 0.45), 1)


def big_star(d: Drawing, rng: np.random.Generator) -> None:
    """One star, perhaps a face or a smaller star in it."""
    points = int(rng.integers(4, 10))
    d.shape(star(points, rng.uniform(0.35, 0.7)))
    if rng.random() < 0.4:
        d.shape(star(points, 0.5, 0.4), 1)
    elif rng.random() < 0.5:
        face(d.moved(0, 0.05, 0.4), rng, outline=False)


def chip(d: Drawing, rng: np.random.Generator) -> None:
    """A casino chip."""
    d.shape(oval(0, 0, 1.0))
    count = int(rng.integers(4, 10))
    for step in range(count):
        wedge = d.moved(0, 0, turn=2 * math.pi * step / count)
        wedge.fill(poly((0.7, -0.13), (1.0, -0.18), (1.0, 0.18), (0.7, 0.13)), d.over)
    d.fill(oval(0, 0, 0.65), BARE)
    d.stroke(oval(0, 0, 0.65), 1, closed=True)
    if rng.random() < 0.5:
        face(d.moved(0, 0, 0.5), rng, outline=False)
    else:
        d.glyph(str(rng.choice(list("★♠♥♦♣☺"))), 0, 0, 0.7, 1)


def mandala(d: Drawing, rng: np.random.Generator) -> None:
    """Rings of repeated shapes."""
    for reach in np.linspace(0.95, 0.25, int(rng.integers(2, 5))):
        count, kind, size = int(rng.integers(4, 14)), rng.integers(4), rng.uniform(0.1, 0.24)
        ink = int(rng.integers(4))
        for step in range(count):
            arm = d.moved(0, 0, turn=2 * math.pi * step / count)
            if kind == 0:
                arm.shape(oval(float(reach), 0, size), ink)
            elif kind == 1:
                arm.shape(poly((reach - size, 0), (reach, -size), (reach + size, 0), (reach, size)), ink)
            elif kind == 2:
                arm.stroke(oval(float(reach), 0, size, arc=(-90, 90)), ink)
            else:
                arm.stroke(poly((reach * 0.6, 0), (reach, 0)), ink)
        if rng.random() < 0.4:
            d.stroke(oval(0, 0, float(reach)), int(rng.integers(4)), 0.8, closed=True)


def polygons(d: Drawing, rng: np.random.Generator) -> None:
    """Random cornered shapes, mirrored or not."""
    mirrored = rng.random() < 0.5
    for _ in range(int(rng.integers(2, 6))):
        count = int(rng.integers(3, 7))
        angles = np.sort(rng.uniform(0, 2 * math.pi, count))
        reach = rng.uniform(0.2, 0.6, (count, 1))
        spot = rng.uniform(-0.6, 0.6, 2)
        corners = np.stack([np.cos(angles), np.sin(angles)], 1) * reach + spot
        ink = int(rng.integers(4))
        d.shape(corners, ink)
        if mirrored:
            d.moved(0, 0, flip=True).shape(corners, ink)


def blobs(d: Drawing, rng: np.random.Generator) -> None:
    """Random round shapes over one another."""
    for index in range(int(rng.integers(2, 5))):
        spot = rng.uniform(-0.45, 0.45, 2) * (index > 0)
        d.shape(blob(rng, 0.6, rng.uniform(0.25, 0.8 if index == 0 else 0.45)) + spot, int(rng.integers(4)))


def scribble(d: Drawing, rng: np.random.Generator) -> None:
    """Random lines and shapes, mirrored or turned into themselves: no picture of anything."""
    turns = int(rng.choice([1, 1, 2, 3, 4, 5, 6, 8]))
    mirrored = turns == 1 or rng.random() < 0.4
    small = 1.0 if turns < 3 else 0.6
    for _ in range(int(rng.integers(2, 6 if turns < 3 else 4))):
        spot = rng.uniform(-0.3, 0.3, 2) + np.asarray([0.35 * (turns > 2), 0])
        kind, ink, wide = rng.integers(3), int(rng.integers(4)), rng.uniform(0.7, 2.5)
        points = curve(rng, int(rng.integers(3, 7)), 0.8 * small) if kind else blob(rng, 0.7, 0.3 * small)
        for step in range(turns):
            for flip in (False, True) if mirrored else (False,):
                own = d.moved(0, 0, turn=2 * math.pi * step / turns, flip=flip)
                if kind == 1:
                    own.stroke(points + spot, ink, wide)
                else:
                    own.shape(points + spot, ink)


def sectors(d: Drawing, rng: np.random.Generator) -> None:
    """A disc, square or star of sectors in all the inks."""
    count = int(rng.choice([4, 4, 6, 8, 12]))
    first = rng.uniform(0, 360)
    for step in range(count):
        edge = oval(0, 0, 1.0, arc=(first + 360 * step / count, first + 360 * (step + 0.92) / count))
        d.fill(np.vstack([poly((0, 0)), edge]), step) if step % 2 == 0 or len(set(d.inks)) > 1 else d.stroke(
            edge, step
        )
    if rng.random() < 0.6:
        d.fill(oval(0, 0, rng.uniform(0.3, 0.6)), BARE)
        d.fill(star(5, 0.5, 0.3), int(rng.integers(4)))


def pinwheel(d: Drawing, rng: np.random.Generator) -> None:
    """Blades that turn about the middle."""
    count = int(rng.integers(3, 9))
    lean = rng.uniform(0.3, 0.9)
    for step in range(count):
        blade = d.moved(0, 0, turn=2 * math.pi * step / count)
        blade.shape(poly((0, 0), (0.9, -0.1), (0.8, lean * 0.6)), step)
    d.shape(oval(0, 0, 0.15), 1)


def lattice(d: Drawing, rng: np.random.Generator) -> None:
    """A chequer, lozenges or bars in a frame."""
    cells, kind = int(rng.integers(3, 6)), rng.integers(3)
    for row in range(cells):
        for column in range(cells):
            if (row + column) % 2:
                continue
            x, y = (column + 0.5) * 2 / cells - 1, (row + 0.5) * 2 / cells - 1
            half = 0.9 / cells
            d.fill(
                star(2, 1, half * 1.3, x, y)
                if kind == 0
                else poly(
                    (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)
                ),
                row + column // 2,
            )
    if kind != 1:
        d.stroke(poly((-1.05, -1.05), (1.05, -1.05), (1.05, 1.05), (-1.05, 1.05)), 1, closed=True)


def spiral(d: Drawing, rng: np.random.Generator) -> None:
    """A spiral (held out)."""
    turns = np.linspace(0, rng.uniform(4, 7) * math.pi, 120)
    reach = turns / turns[-1]
    d.stroke(np.stack([reach * np.cos(turns), reach * np.sin(turns)], 1), 0, rng.uniform(1, 2.2))


TRAINED: dict[str, Draw] = {
    "star_rings": star_rings,
    "big_star": big_star,
    "chip": chip,
    "mandala": mandala,
    "polygons": polygons,
    "blobs": blobs,
    "scribble": scribble,
    "sectors": sectors,
    "pinwheel": pinwheel,
    "lattice": lattice,
}
HELD_OUT: dict[str, Draw] = {"spiral": spiral}
