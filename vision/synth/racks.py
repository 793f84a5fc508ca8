"""Puts racks on the table: one to three tiers of leaning tiles with what they lean and stand on."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vision.synth.geometry import F64, Place, Solid, leaning_axes
from vision.synth.layouts import Layout, Plate, Rack, any_face
from vision.synth.looks import Look

KINDS = ("wood", "black", "plastic")


@dataclass(frozen=True)
class Stand:
    """Where a rack stands and how it is built; lengths in mm, angles in radians."""

    spot: tuple[float, float]
    facing: float  # the direction from the rack to its player
    lean: float  # of the tiles from the table: 0 flat, pi/2 upright
    length: float
    back: float  # how far a tier lies behind the one before it
    rise: float  # how far above it
    kind: str
    seed: int


def draw_stand(
    rng: np.random.Generator,
    look: Look,
    *,
    spot: tuple[float, float],
    facing: float,
    lean: float,
    length: float,
) -> Stand:
    """A rack at random: its tiers far apart like stairs, or one close behind the other."""
    back = look.height_mm * math.cos(lean) * rng.uniform(0.8, 1.5) + look.thickness_mm * math.sin(
        lean
    ) * rng.uniform(0.4, 1.3)
    rise = look.height_mm * math.sin(lean) * rng.uniform(0.15, 1.0)
    kind = str(rng.choice(KINDS, p=[0.5, 0.3, 0.2]))
    return Stand(spot, facing, lean, length, back, rise, kind, int(rng.integers(2**31)))


def random_rack(look: Look, extent: float, rng: np.random.Generator, *, lean: float, facing: float) -> Layout:
    """One rack of one to three tiers about the origin, its tiles in groups, some upside down."""
    layout = Layout()
    length = max(extent, look.width_mm * 4)
    filled = rng.uniform(0.3, 0.95)
    count = int(rng.choice([1, 2, 3], p=[0.25, 0.6, 0.15]))
    places = int(length / look.width_mm)
    tiers = [[any_face(rng) if rng.random() < filled else None for _ in range(places)] for _ in range(count)]
    add_rack(
        layout, look, draw_stand(rng, look, spot=(0, 0), facing=facing, lean=lean, length=length), tiers, rng
    )
    return layout


def add_rack(
    layout: Layout,
    look: Look,
    stand: Stand,
    tiers: list[list[str | None]],
    rng: np.random.Generator,
    *,
    seat: int = 0,
) -> None:
    """Adds a rack with the faces of its tiers, the nearest to the player first; None leaves a place free."""
    axes = leaning_axes(stand.facing, stand.lean)
    right, up, out = axes[:, 0], axes[:, 1], axes[:, 2]
    behind = np.asarray([-math.cos(stand.facing), -math.sin(stand.facing), 0.0])
    rack = Rack(kind=stand.kind, seed=stand.seed)
    middle = np.asarray([*stand.spot, 0.0])
    own = np.random.default_rng(stand.seed)
    lip = look.height_mm * own.choice([0.0, 0.04, 0.1])
    backing = look.height_mm * own.uniform(-0.1, 0.6)
    rack.plates.append(_base(middle, axes, behind, stand, look, len(tiers)))
    for tier, faces in enumerate(tiers):
        base = tier_middle(stand, look, tier, len(tiers))
        rack.plates += _plates(base, axes, stand.length, look, tier, backing=backing, lip=lip)
        rack.tiers[tier] = []
        x = -stand.length / 2 + look.width_mm / 2
        for index, face in enumerate(faces):
            if face is not None:
                turn = rng.normal(0, 0.012) + (math.pi if rng.random() < 0.05 else 0.0)
                c, s = math.cos(turn), math.sin(turn)
                stance = np.stack([right * c + up * s, up * c - right * s, out], axis=1)
                centre = base + right * x + up * abs(rng.normal(0, 0.01)) * look.height_mm
                rack.tiers[tier].append(len(layout.solids))
                place = Place("rack", seat, tier, index, math.degrees(stand.lean))
                layout.solids.append(Solid(face, centre, stance, place=place))
            gap = abs(rng.normal(0, 0.02)) if rng.random() < 0.85 else rng.uniform(0.05, 0.5)
            x += look.width_mm * (1.003 + gap)
            if x > stand.length / 2 - look.width_mm / 2:
                break
    if own.random() < 0.5:
        rack.plates += _caps(middle, axes, behind, stand, look, len(tiers))
    layout.racks.append(rack)


def tier_middle(stand: Stand, look: Look, tier: int, tiers: int) -> F64:
    """Where the middle (3,) of the face of a tile in the middle of a tier is, of a rack of so many tiers."""
    half_up = look.height_mm / 2 * math.sin(stand.lean) + look.thickness_mm * math.cos(stand.lean)
    behind = np.asarray([-math.cos(stand.facing), -math.sin(stand.facing), 0.0])
    lift = np.asarray([0, 0, half_up + 4 + stand.rise * tier])
    return np.asarray(np.asarray([*stand.spot, 0.0]) + behind * stand.back * (tier - (tiers - 1) / 2) + lift)


def _plates(
    base: F64, axes: F64, length: float, look: Look, tier: int, *, backing: float, lip: float
) -> list[Plate]:
    """The plate that the tiles of a tier lean on, and the ledge that they stand on."""
    right, up, out = axes[:, 0], axes[:, 1], axes[:, 2]
    half = right * (length / 2 + 6)
    back = base - out * look.thickness_mm
    low, high = -up * look.height_mm * 0.52, up * backing
    behind = np.stack([back - half + high, back + half + high, back + half + low, back - half + low])
    front = base - up * look.height_mm * 0.5 + out * 1.5
    foot = -up * look.height_mm * 0.12
    rim = up * lip
    ledge = np.stack([front - half + rim, front + half + rim, front + half + foot, front - half + foot])
    return [Plate(behind, -1, tier, 0.9), Plate(ledge, 1, tier, 1.0, "ledge")]


def _base(middle: F64, axes: F64, behind: F64, stand: Stand, look: Look, tiers: int) -> Plate:
    """What is seen of the rack's body from above, under and between the tiers."""
    half = axes[:, 0] * (stand.length / 2 + 6)
    deep = (
        stand.back * (tiers - 1) / 2
        + look.height_mm * math.cos(stand.lean) * 0.55
        + look.thickness_mm * math.sin(stand.lean)
    )
    lift = np.asarray([0, 0, 4.0])
    far, near = middle + behind * deep + lift, middle - behind * deep + lift
    return Plate(np.stack([far - half, far + half, near + half, near - half]), -1, -1, 1.0, "base")


def _caps(middle: F64, axes: F64, behind: F64, stand: Stand, look: Look, tiers: int) -> list[Plate]:
    """Boards at both ends, seen as the narrow tops of theirs."""
    right = axes[:, 0]
    deep = stand.back * (tiers - 1) / 2 + look.height_mm * math.cos(stand.lean) * 0.55
    top = look.height_mm * math.sin(stand.lean) * 0.9 + stand.rise * (tiers - 1)
    caps = []
    for side in (-1, 1):
        inner = middle + right * side * (stand.length / 2 + 4)
        outer = inner + right * side * 7
        far = behind * deep + np.asarray([0, 0, top])
        near = -behind * deep + np.asarray([0, 0, max(8.0, top - stand.rise * (tiers - 1))])
        corners = [inner + far, outer + far, outer + near, inner + near]
        caps.append(Plate(np.stack(corners), 1, tiers - 1, 1.1, "side"))
    return caps
