"""Lays out a whole game on a table: racks, melds, discard row, wall, atu."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from vision.synth.geometry import F64, Place, Solid, flat_axes
from vision.synth.layouts import SLOTS, Free, Layout, row
from vision.synth.looks import Look
from vision.synth.racks import add_rack, draw_stand

SEAT_ANGLES = {2: (0, 180), 3: (0, 90, 180), 4: (0, 90, 180, 270)}
LEANS = (35.0, 75.0)  # degrees


@dataclass
class Table:
    """A game laid out: sizes in mm about the table's middle, x right, y away from seat 1."""

    width: float
    depth: float
    seats: int
    lean: float  # degrees, of the racks
    layout: Layout = field(default_factory=Layout)
    spots: list[F64] = field(default_factory=list)  # where there is something to see, (2,) mm


class Bag:
    """The 106 tiles of a set, drawn without putting back."""

    def __init__(self, rng: np.random.Generator) -> None:
        faces = [f"{slot}{number}" for slot in SLOTS for number in range(1, 14)] * 2 + ["*0", "*1"]
        self._left: list[str] = [faces[index] for index in rng.permutation(len(faces))]

    def __len__(self) -> int:
        return len(self._left)

    def draw(self) -> str:
        """Any tile."""
        return self._left.pop()

    def take(self, face: str) -> str | None:
        """That tile, if the bag still has one."""
        if face not in self._left:
            return None
        self._left.remove(face)
        return face

    def put_back(self, faces: list[str]) -> None:
        """Back into the bag, to be drawn last."""
        self._left[:0] = faces

    def joker(self) -> str | None:
        """A joker, if the bag still has one."""
        return self.take("*0") or self.take("*1")


def draw_table(
    look: Look, rng: np.random.Generator, *, seats: int | None = None, leans: tuple[float, float] = LEANS
) -> Table:
    """A game at some moment: what lies there is what 106 tiles allow."""
    count = seats or int(rng.choice([2, 3, 4], p=[0.25, 0.25, 0.5]))
    width = rng.uniform(800, 1100)
    depth = width * rng.uniform(0.85, 1.0)
    table = Table(width, depth, count, rng.uniform(*leans))
    bag, free = Bag(rng), Free()
    _racks(table, look, bag, free, rng)
    _discards(table, look, bag, free, rng)
    _wall(table, look, bag, free, rng)
    _melds(table, look, bag, free, rng)
    return table


def _racks(table: Table, look: Look, bag: Bag, free: Free, rng: np.random.Generator) -> None:
    back = rng.uniform(0.1, 0.6)
    for seat, degrees in enumerate(SEAT_ANGLES[table.seats], 1):
        facing = math.radians(degrees) - math.pi / 2  # seat 1 sits at the bottom
        front = np.asarray([math.cos(facing), math.sin(facing)])
        reach = abs(front[0]) * table.width / 2 + abs(front[1]) * table.depth / 2
        side = np.asarray([-front[1], front[0]])
        spot = front * (reach - rng.uniform(45, 110)) + side * rng.normal(0, 40)
        lean = math.radians(np.clip(table.lean + rng.normal(0, 2), 30, 78))
        length = look.width_mm * rng.uniform(8, 12)
        stand = draw_stand(
            rng, look, spot=(spot[0], spot[1]), facing=facing + rng.normal(0, 0.03), lean=lean, length=length
        )
        places = int(length / look.width_mm)
        count = 1 if rng.random() < 0.15 else 2 if rng.random() < 0.9 else 3
        tiers = [
            [None if rng.random() < back else bag.draw() for _ in range(places) if len(bag) > 40]
            for _ in range(count)
        ]
        add_rack(table.layout, look, stand, tiers, rng, seat=seat)
        line = np.linspace(-length / 2, length / 2, 5)[:, None] * side + spot
        free.claim(line, 75)
        table.spots.append(spot)


def _discards(table: Table, look: Look, bag: Bag, free: Free, rng: np.random.Generator) -> None:
    faces = [bag.draw() for _ in range(int(rng.integers(0, 17)))]
    if not faces:
        return
    angle = rng.choice([0, math.pi / 2, math.pi, -math.pi / 2]) + rng.normal(0, 0.04)
    along = np.asarray([math.cos(angle), math.sin(angle)])
    start = rng.normal(0, 40, 2) - along * len(faces) * look.width_mm / 2
    first = len(table.layout.solids)
    row(table.layout, faces, (start[0], start[1]), angle, look, rng, gap=0.02, jitter=0.03,
        place=Place("discard"))  # fmt: skip
    solid = table.layout.solids[first]
    turned = Solid(solid.face, solid.centre, flat_axes(angle + math.pi), place=solid.place)
    if rng.random() < 0.6:  # the first one lies reversed: face down, or turned round
        turned = Solid("#", solid.centre, solid.axes, place=solid.place)
    table.layout.solids[first] = turned
    free.claim(start + np.arange(len(faces))[:, None] * look.width_mm * along, look.height_mm * 0.6)
    table.spots.append(start + along * len(faces) * look.width_mm / 2)


def _wall(table: Table, look: Look, bag: Bag, free: Free, rng: np.random.Generator) -> None:
    stacks = int(rng.integers(0, 10))
    angle = rng.choice([0, math.pi / 2]) + rng.normal(0, 0.06)
    along = np.asarray([math.cos(angle), math.sin(angle)])
    points = np.arange(max(1, stacks))[:, None] * look.width_mm * 1.04 * along
    start = _free_spot(table, points, look.height_mm * 0.62, free, rng)
    if start is None:
        return
    atu = bag.draw() if len(bag) and rng.random() < 0.8 else None
    for stack in range(stacks):
        high = int(rng.integers(1, 8))
        for level in range(high):
            shift = rng.normal(0, 0.5, 2)
            centre = np.asarray([*(start + points[stack] + shift), look.thickness_mm * (level + 1)])
            face, kind = "#", "wall"
            if atu and stack == stacks - 1 and level == high - 1:
                face, kind = atu, "atu"
            stance = flat_axes(angle + rng.normal(0, 0.03))
            table.layout.solids.append(Solid(face, centre, stance, level, Place(kind, 0, stack, level)))
    table.spots.append(start + points.mean(axis=0))


def _melds(table: Table, look: Look, bag: Bag, free: Free, rng: np.random.Generator) -> None:
    gap = rng.choice([0.0, 0.02, 0.06])
    wanted, number = int(rng.integers(2, 17)), 0
    for _ in range(wanted * 3):
        if number == wanted:
            break
        faces = _legal_meld(bag, rng)
        if not faces:
            continue
        seat = int(rng.integers(table.seats)) + 1
        facing = math.radians(SEAT_ANGLES[table.seats][seat - 1])
        angle = facing + rng.normal(0, 0.08)
        if rng.random() < 0.25:
            angle = rng.uniform(0, 2 * math.pi)
        along = np.asarray([math.cos(angle), math.sin(angle)])
        points = np.arange(len(faces))[:, None] * look.width_mm * along
        start = _free_spot(table, points, look.height_mm * 0.62, free, rng)
        if start is None:
            continue
        row(table.layout, faces, (start[0], start[1]), angle, look, rng, gap=gap,
            place=Place("meld", seat, number))  # fmt: skip
        number += 1
        table.spots.append(start + points.mean(axis=0))


def _legal_meld(bag: Bag, rng: np.random.Generator) -> list[str]:
    if rng.random() < 0.4:
        number = int(rng.integers(1, 14))
        wanted = [f"{slot}{number}" for slot in rng.permutation(list(SLOTS))[: rng.integers(3, 5)]]
    else:
        length = int(min(13, 3 + rng.geometric(0.4) - 1))
        first = int(rng.integers(1, 15 - length))
        slot = SLOTS[rng.integers(4)]
        wanted = [f"{slot}{number}" for number in range(first, first + length)]
    replaced = int(rng.integers(len(wanted))) if rng.random() < 0.18 else -1
    taken = [bag.joker() if index == replaced else bag.take(face) for index, face in enumerate(wanted)]
    kept = [face for face in taken if face]
    if len(kept) < len(wanted):
        bag.put_back(kept)
        return []
    return kept


def _free_spot(table: Table, points: F64, radius: float, free: Free, rng: np.random.Generator) -> F64 | None:
    """A start (2,) for a row of `points` (n, 2) on the table, clear of everything else."""
    reach = np.asarray([table.width, table.depth]) / 2 - 70
    for _ in range(40):
        start = rng.uniform(-reach, reach)
        spots = start + points
        if (np.abs(spots) < reach).all() and free.claim(spots, radius):
            return np.asarray(start)
    return None
