"""Lays tiles out as people do: melds, boards, scatters, discard rows, stacks, towers, racks."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np

from vision.synth.geometry import F64, Place, Solid, flat_axes
from vision.synth.looks import Look

SLOTS = "rybk"


@dataclass(frozen=True)
class Plate:
    """A flat part of a rack: corners (4, 3) in mm, and in which order it is drawn among its tier."""

    corners: F64
    order: int  # -1 behind the tiles of its tier, 1 before them
    tier: int
    shade: float
    role: str = "back"  # back, ledge; base: painted before the whole rack; side: a cap, painted after it


@dataclass
class Rack:
    """A rack's parts and which solids of the layout stand on each of its tiers."""

    plates: list[Plate] = field(default_factory=list)
    tiers: dict[int, list[int]] = field(default_factory=dict)  # tier -> indexes of solids
    kind: str = "wood"  # wood, black, plastic, pale, clear
    seed: int = 0


@dataclass
class Layout:
    """Tiles and racks, in mm around the origin; a tile on no rack lies on the table or on other tiles."""

    solids: list[Solid] = field(default_factory=list)
    racks: list[Rack] = field(default_factory=list)


def any_face(rng: np.random.Generator, joker: float = 0.06) -> str:
    """A face at random; jokers come more often than in a bag, so that they are learnt."""
    if rng.random() < joker:
        return f"*{rng.integers(2)}"
    return f"{SLOTS[rng.integers(4)]}{rng.integers(1, 14)}"


def meld_faces(rng: np.random.Generator) -> list[str]:
    """Faces of a run or a group, a joker now and then; sometimes no meld at all."""
    kind = rng.random()
    if kind < 0.25:
        number = rng.integers(1, 14)
        faces = [f"{slot}{number}" for slot in rng.permutation(list(SLOTS))[: rng.integers(3, 5)]]
    elif kind < 0.75:
        length = int(min(13, 3 + rng.geometric(0.35) - 1))
        start = int(rng.integers(1, 15 - length))
        slot = SLOTS[rng.integers(4)]
        faces = [f"{slot}{number}" for number in range(start, start + length)]
    else:
        faces = [any_face(rng) for _ in range(rng.integers(1, 8))]
    if rng.random() < 0.22:
        faces[rng.integers(len(faces))] = f"*{rng.integers(2)}"
    return faces


def row(  # noqa: PLR0913 -- a row has as many properties
    layout: Layout,
    faces: list[str],
    start: tuple[float, float],
    angle: float,
    look: Look,
    rng: np.random.Generator,
    *,
    gap: float,
    jitter: float = 0.02,
    place: Place | None = None,
) -> None:
    """Adds tiles side by side along `angle`, from `start` (mm); gaps and jitter in tile widths.

    `place` is that of the first tile; the next ones count on.
    """
    along = np.asarray([math.cos(angle), math.sin(angle)])
    across = np.asarray([-along[1], along[0]])
    spot = np.asarray(start, float)
    for index, face in enumerate(faces):
        lies = spot + across * rng.normal(0, jitter) * look.width_mm
        turn = angle + rng.normal(0, jitter * 1.6)
        centre = np.asarray([*lies, look.thickness_mm])
        mine = None if place is None else replace(place, index=place.index + index)
        layout.solids.append(Solid(face, centre, flat_axes(turn), place=mine))
        spot = spot + along * look.width_mm * (1.005 + abs(rng.normal(0, gap)))


class Free:
    """Keeps circles of taken ground, so that rows seldom run into each other."""

    def __init__(self) -> None:
        self._taken: list[tuple[float, float, float]] = []

    def claim(self, points: F64, radius: float) -> bool:
        """Takes the points (n, 2) if none comes near an earlier one."""
        for x, y, other in self._taken:
            if (np.hypot(points[:, 0] - x, points[:, 1] - y) < radius + other).any():
                return False
        self._taken += [(float(x), float(y), radius) for x, y in points]
        return True


def melds(look: Look, extent: float, rng: np.random.Generator, *, tries: int = 30) -> Layout:
    """Melds anywhere within `extent` mm, in any direction or all in one."""
    layout, free = Layout(), Free()
    common = rng.uniform(0, 2 * math.pi) if rng.random() < 0.5 else None
    gap = rng.choice([0.0, 0.02, 0.08])
    for _ in range(tries):
        faces = meld_faces(rng)
        angle = (
            rng.uniform(0, 2 * math.pi)
            if common is None
            else common + rng.normal(0, 0.06) + math.pi * rng.integers(2) * (rng.random() < 0.4)
        )
        start = rng.uniform(-extent / 2, extent / 2, 2)
        along = np.asarray([math.cos(angle), math.sin(angle)])
        steps = np.arange(len(faces))[:, None] * look.width_mm * along
        if free.claim(start + steps, look.height_mm * 0.62):
            row(layout, faces, (start[0], start[1]), angle, look, rng, gap=gap)
    return layout


def board(look: Look, extent: float, rng: np.random.Generator) -> Layout:
    """Lines of tiles close above each other, as on a crowded table or in a census."""
    layout = Layout()
    turn = rng.uniform(0, 2 * math.pi)
    c, s = math.cos(turn), math.sin(turn)
    pitch = look.height_mm * rng.uniform(1.02, 1.4)
    y = -extent / 2
    while y < extent / 2:
        x = -extent / 2 + rng.uniform(0, look.width_mm * 2)
        while x < extent / 2:
            faces = meld_faces(rng)
            angle = turn + (math.pi if rng.random() < 0.1 else 0)
            # A row seen upside down starts at its other end.
            x0 = x + (len(faces) - 1) * look.width_mm if angle > turn else x
            row(layout, faces, (c * x0 - s * y, s * x0 + c * y), angle, look, rng, gap=0.015)
            x += (len(faces) + rng.uniform(0.3, 2)) * look.width_mm
        y += pitch
    return layout


def scatter(
    look: Look, extent: float, rng: np.random.Generator, *, down: float = 0.1, crowd: float = 0.5
) -> Layout:
    """Loose tiles in any direction, some face down, some touching."""
    layout, free = Layout(), Free()
    count = int(crowd * extent**2 / (look.width_mm * look.height_mm))
    radius = look.height_mm * rng.choice([0.36, 0.45, 0.52, 0.62])
    for _ in range(min(count, 90) * 2):
        spot = rng.uniform(-extent / 2, extent / 2, 2)
        if free.claim(spot[None], radius):
            face = "#" if rng.random() < down else any_face(rng)
            axes = flat_axes(rng.uniform(0, 2 * math.pi))
            layout.solids.append(Solid(face, np.asarray([*spot, look.thickness_mm]), axes))
    return layout


def discard_row(look: Look, extent: float, rng: np.random.Generator) -> Layout:
    """A long row whose first tile is reversed, melds near it."""
    layout = melds(look, extent, rng, tries=8) if rng.random() < 0.5 else Layout()
    kept = [solid for solid in layout.solids if abs(solid.centre[1]) > look.height_mm * 1.3]
    layout.solids[:] = kept
    faces = [any_face(rng) for _ in range(max(1, int(extent / look.width_mm)))]
    angle = rng.normal(0, 0.05)
    row(layout, faces, (-extent / 2, 0), angle, look, rng, gap=0.02, jitter=0.03)
    first = len(kept)
    solid = layout.solids[first]
    if rng.random() < 0.5:
        layout.solids[first] = Solid("#", solid.centre, solid.axes)
    else:
        layout.solids[first] = Solid(solid.face, solid.centre, flat_axes(angle + math.pi))
    return layout


def stacks(look: Look, extent: float, rng: np.random.Generator) -> Layout:
    """The wall: stacks of up to seven backs in a line, an atu face up on one."""
    layout = Layout()
    angle = rng.uniform(0, 2 * math.pi)
    along = np.asarray([math.cos(angle), math.sin(angle)])
    count = max(2, int(extent / look.width_mm))
    spot = -along * count / 2 * look.width_mm
    for _ in range(count):
        spot = spot + along * look.width_mm * rng.uniform(1.01, 1.2)
        high = int(rng.integers(1, 8))
        for level in range(high):
            face = "#" if level < high - 1 or rng.random() < 0.8 else any_face(rng)
            shift = rng.normal(0, 0.5, 2)
            centre = np.asarray([*(spot + shift), look.thickness_mm * (level + 1)])
            layout.solids.append(Solid(face, centre, flat_axes(angle + rng.normal(0, 0.03)), level))
    return layout


def towers(look: Look, extent: float, rng: np.random.Generator) -> Layout:
    """Melds with tiles put on top of others, straight or askew."""
    layout = melds(look, extent, rng, tries=20)
    for solid in list(layout.solids):
        if rng.random() < 0.15:
            shift = np.asarray([*rng.normal(0, look.width_mm * 0.2, 2), look.thickness_mm])
            turn = solid.axes if rng.random() < 0.6 else flat_axes(rng.uniform(0, 2 * math.pi))
            layout.solids.append(Solid(any_face(rng), solid.centre + shift, turn, 1))
    return layout
