"""The tiles and racks of a virtual table as solid things in millimetres."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.synth.geometry import F64, Place, Solid, face_quad, flat_axes, leaning_axes
from vision.synth.layouts import Layout, Rack
from vision.synth.racks import add_rack, tier_middle
from vision.virtual.pieces import Lie, Piece, Piled, Stand
from vision.virtual.places import stack_spot
from vision.virtual.shading import Blocker

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vision.virtual.setting import Setting

SLOT: Final = 1.02  # of a tile's width, from slot to slot of a rack
Key = tuple[str, int]


def solid_of(setting: Setting, tile: int, piece: Piece) -> Solid:
    """The tile where it is; each lies a little crooked in its own way."""
    look, at = setting.look, piece.at
    own = np.random.default_rng([setting.seed, 303, tile])
    face = piece.face if piece.up else "#"
    if isinstance(at, Stand):
        stand = setting.stands[at.seat - 1]
        axes = leaning_axes(stand.facing, stand.lean)
        right, up, out = axes[:, 0], axes[:, 1], axes[:, 2]
        turn = own.normal(0, 0.01) + (math.pi if at.turned else 0.0)
        c, s = math.cos(turn), math.sin(turn)
        stance = np.stack([right * c + up * s, up * c - right * s, out], axis=1)
        x = -stand.length / 2 + look.width_mm * (0.5 + SLOT * at.slot)
        lift = up * abs(own.normal(0, 0.008)) * look.height_mm
        centre = tier_middle(stand, look, at.tier, setting.tiers) + right * x + lift
        place = Place(piece.zone.kind, piece.zone.seat, at.tier, at.slot, math.degrees(stand.lean))
        return Solid(face, centre, stance, place=place)
    lie = lying(setting, tile, piece)
    centre = np.asarray([lie.x, lie.y, look.thickness_mm * (lie.level + 1)])
    return Solid(face, centre, flat_axes(lie.angle), lie.level, piece.zone)


def lying(setting: Setting, tile: int, piece: Piece) -> Lie:
    """Where a tile that stands on no rack lies; ValueError for one that does."""
    at = piece.at
    if isinstance(at, Lie):
        return at
    if isinstance(at, Piled):
        spot = stack_spot(setting, at.stack)
        own = np.random.default_rng([setting.seed, 304, tile])
        x, y = own.normal(0, 0.4, 2)
        return Lie(spot.x + x, spot.y + y, spot.angle + own.normal(0, 0.02), at.level)
    raise ValueError(f"tile {tile} stands on the rack of seat {at.seat} and does not lie")


def racks_of(setting: Setting) -> list[Rack]:
    """The racks by seat, empty."""
    layout = Layout()
    rng = np.random.default_rng([setting.seed, 305])
    for seat, stand in enumerate(setting.stands, 1):
        add_rack(layout, setting.look, stand, [[] for _ in range(setting.tiers)], rng, seat=seat)
    return layout.racks


def filled(rack: Rack, seat: int, pieces: Mapping[int, Piece]) -> Rack:
    """The rack with the numbers of the tiles that stand on it."""
    tiers: dict[int, list[int]] = {tier: [] for tier in rack.tiers}
    for tile, piece in pieces.items():
        if isinstance(piece.at, Stand) and piece.at.seat == seat:
            tiers[piece.at.tier].append(tile)
    return Rack(rack.plates, tiers, rack.kind, rack.seed)


def key_of(tile: int, piece: Piece) -> Key:
    """Which things stand in the light as one with the tile: its rack, its stack, or it alone."""
    if isinstance(piece.at, Stand):
        return "rack", piece.at.seat
    if isinstance(piece.at, Piled):
        return "stack", piece.at.stack
    return "tile", tile


def blocker_of(setting: Setting, key: Key, solids: Sequence[Solid], racks: Sequence[Rack]) -> Blocker | None:
    """What stands in the light: a tile, a stack by its top tile down to the table, a rack and its tiles."""
    look = setting.look
    parts: list[F64] = []
    if key[0] == "rack":
        parts = [plate.corners for plate in racks[key[1] - 1].plates]
    if key[0] == "stack":
        top = max(solids, key=lambda solid: solid.layer, default=None)
        solids = [top] if top is not None else []
    for solid in solids:
        face = face_quad(solid, look.width_mm, look.height_mm)
        down = look.thickness_mm * (solid.layer + 1 if key[0] == "stack" else 1)
        parts.append(np.vstack([face, face - solid.axes[:, 2] * down]))
    if not parts:
        return None
    return Blocker(tuple(parts), max(float(part[:, 2].max()) for part in parts))
