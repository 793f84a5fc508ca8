"""Textures the boards of racks: wood grain, black, pink and cream plastic, with rims that catch light."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.geometry import F64, Solid
from vision.synth.layouts import Plate, Rack
from vision.synth.patches import Patch

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

#: Body colours, BGR.
COLOURS: dict[str, tuple[tuple[int, int, int], ...]] = {
    "wood": (
        (40, 70, 115),
        (70, 110, 160),
        (60, 40, 30),
        (95, 140, 190),
        (35, 52, 84),
        (120, 165, 205),
        (50, 85, 150),
    ),
    "black": ((28, 28, 30), (35, 35, 40), (18, 18, 18), (48, 46, 45)),
    "plastic": (
        (180, 150, 220),
        (190, 215, 230),
        (200, 225, 238),
        (150, 120, 200),
        (215, 222, 226),
        (70, 90, 60),
    ),
    "pale": (  # as bright as the tiles on it
        (214, 232, 240),
        (236, 240, 244),
        (200, 222, 234),
        (226, 226, 228),
        (178, 205, 224),
        (240, 246, 250),
    ),
    "clear": ((206, 204, 200), (228, 226, 220), (190, 196, 196)),
}
#: What of a board is in the way of what lies behind it; 1 where it is not named.
OPAQUE: dict[str, float] = {"clear": 0.3}
_TEXTURE = (320, 40)  # pixels (w, h) of a board
_NEAREST = 1e5  # pixels: a board that reaches beyond lies partly behind the camera


@dataclass(frozen=True)
class RackLook:
    """One rack's material: colour BGR 0..255, grain (h, w) about 1, how bright its rims are, its gloss."""

    colour: F32
    grain: F32
    rim: float
    gloss: float
    opaque: float = 1.0


def rack_look(kind: str, seed: int) -> RackLook:
    """The material of a rack of a kind (wood, black, plastic, pale, clear); the same for the same seed."""
    if kind not in COLOURS:
        raise ValueError(f"rack kind {kind!r} must be one of {', '.join(COLOURS)}")
    rng = np.random.default_rng([seed, 77])
    pool = COLOURS[kind]
    colour = np.asarray(pool[rng.integers(len(pool))], np.float32)
    colour = np.clip(colour * rng.uniform(0.8, 1.2) + rng.normal(0, 3, 3), 8, 250).astype(np.float32)
    width, height = _TEXTURE
    grain = np.ones((height, width), np.float32)
    if kind == "wood":
        strength = rng.uniform(0.03, 0.16)
        for rows, columns, share in ((40, 10, 0.6), (14, 6, 0.8), (4, 5, 0.4)):
            lumps = rng.normal(0, 1, (rows, columns)).astype(np.float32)
            lumps = np.asarray(cv2.resize(lumps, _TEXTURE, interpolation=cv2.INTER_CUBIC), np.float32)
            grain += strength * share * lumps
    else:
        grain += rng.normal(0, 0.012, grain.shape).astype(np.float32)
    rim = float(rng.choice([rng.uniform(0.7, 0.95), rng.uniform(1.1, 1.6)]))
    gloss = rng.uniform(0, 0.35) if kind != "wood" else rng.uniform(0, 0.12)
    grain = np.clip(grain, 0.3, 1.7).astype(np.float32)
    return RackLook(colour, grain, rim, float(gloss), OPAQUE.get(kind, 1.0))


def paint_order(rack: Rack, solids: Sequence[Solid] | Mapping[int, Solid], eye: F64) -> list[Plate | int]:
    """The boards of a rack and the indexes of its tiles, each before what hides it from `eye` (3,) mm."""

    def away(point: F64) -> float:
        return float(np.linalg.norm(eye - point))

    middle = away(board_middle(rack.plates))
    sides = [plate for plate in rack.plates if plate.role == "side"]
    boards = [plate for plate in rack.plates if plate.role != "side"]
    loose = [plate for plate in boards if plate.tier not in rack.tiers]
    tiers = {tier: [plate for plate in boards if plate.tier == tier] for tier in rack.tiers}
    order: list[Plate | int] = [plate for plate in loose if plate.order < 0]
    order += [plate for plate in sides if away(plate.corners.mean(axis=0)) >= middle]
    for tier in sorted(tiers, key=lambda t: away(board_middle(tiers[t])), reverse=True):
        shown = [
            bool(board_normal(plate.corners) @ (eye - plate.corners.mean(axis=0)) > 0)
            for plate in tiers[tier]
        ]
        # Seen from behind, the board that tiles lean on hides them.
        front = [(plate.order > 0) == towards for plate, towards in zip(tiers[tier], shown, strict=True)]
        order += [plate for plate, before in zip(tiers[tier], front, strict=True) if not before]
        tiles: list[int] = sorted(rack.tiers[tier], key=lambda i: -away(solids[i].centre))
        order += tiles
        order += [plate for plate, before in zip(tiers[tier], front, strict=True) if before]
    order += [plate for plate in loose if plate.order > 0]
    return order + [plate for plate in sides if away(plate.corners.mean(axis=0)) < middle]


def board_normal(corners: F64) -> F64:
    """The unit normal (3,) of a board with corners (4, 3), towards the side from which they run clockwise."""
    normal = np.cross(corners[1] - corners[0], corners[0] - corners[3])
    return np.asarray(normal / max(1e-9, float(np.linalg.norm(normal))))


def board_middle(plates: list[Plate]) -> F64:
    """The middle (3,) of some boards."""
    return np.asarray(np.mean([plate.corners.mean(axis=0) for plate in plates], axis=0))


def board_patch(
    shape: tuple[int, ...], corners: F64, look: RackLook, shade: F32, *, sheen: float, rim_px: float
) -> Patch | None:
    """A board as drawn in a picture of `shape` (h, w); None where nothing of it is in the picture.

    `corners` (4, 2) in pixels, its top edge first; `shade` (3,) BGR gains; `sheen` 0..1 is how much of a lamp
    it throws back; `rim_px` how thick its top edge is.
    """
    height, width = shape
    if not np.isfinite(corners).all() or np.abs(corners).max() > _NEAREST:
        return None
    left, top = np.floor(np.maximum(corners.min(axis=0) - 1, 0)).astype(int)
    right, bottom = np.ceil(np.minimum(corners.max(axis=0) + 1, (width, height))).astype(int)
    if right <= left or bottom <= top or abs(cv2.contourArea(corners.astype(np.float32))) < 1:
        return None
    size = (int(right - left), int(bottom - top))
    columns, rows = _TEXTURE
    texture = look.grain[..., None] * look.colour * shade
    tall = float(np.linalg.norm(corners[3] - corners[0]) + np.linalg.norm(corners[2] - corners[1])) / 2
    rim = int(np.clip(round(rows * rim_px / max(tall, 1.0)), 0, rows // 3))
    texture[:rim] *= look.rim
    if sheen > 0:  # a streak along the board, as long smooth edges show it
        across = (np.arange(rows, dtype=np.float32) / rows - 0.25) / 0.18
        texture += (sheen * 255 * np.exp(-(across**2)))[:, None, None] * np.ones(3, np.float32)
    source = np.asarray([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
    target = (corners - (left, top) - 0.5).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, target)
    drawn = cv2.warpPerspective(
        texture.astype(np.float32), matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    cover = polygon_cover(corners - (left, top), size)
    rows_at, columns_at = slice(int(top), int(bottom)), slice(int(left), int(right))
    owned = cover > 0.5
    if look.opaque < 1:  # what lies behind stays in sight, and is whose it was
        cover, owned = np.asarray(cover * np.float32(look.opaque), np.float32), np.zeros_like(owned)
    colour = np.asarray(drawn * cover[..., None], np.float32)
    return Patch(rows_at, columns_at, colour, cover[..., None], owned)


def polygon_cover(points: F64, size: tuple[int, int]) -> F32:
    """How much of each pixel a convex polygon (n, 2) covers, 0..1 (h, w), true to a tenth of a pixel."""
    scale = 4 if max(size) < 500 else 2
    mask = np.zeros((size[1] * scale, size[0] * scale), np.uint8)
    cv2.fillConvexPoly(mask, fixed(points * scale), 255, cv2.LINE_8, FRACTION)
    return np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA).astype(np.float32) / 255)


FRACTION = 4  # fractional bits of polygon corners


def fixed(points: F64) -> NDArray[np.int32]:
    """Picture positions, whose whole numbers are the borders of pixels, as what cv2 draws.

    Its whole numbers are the middles of pixels, and it paints every pixel that an edge touches: corners are
    drawn in by half a pixel to make up for it.
    """
    points = np.clip(points, -30000, 30000)
    sides = np.roll(points, -1, axis=0) - points
    sides = sides / np.maximum(np.hypot(sides[:, 0], sides[:, 1]), 1e-9)[:, None]
    after = np.roll(points, -1, axis=0)
    clockwise = float((points[:, 0] * after[:, 1] - after[:, 0] * points[:, 1]).sum()) > 0
    inward = np.stack([-sides[:, 1], sides[:, 0]], axis=1) * (0.5 if clockwise else -0.5)
    before = np.roll(inward, 1, axis=0)
    turn = 1 + 4 * (inward * before).sum(axis=1, keepdims=True)
    moved = points + (inward + before) / np.maximum(turn, 0.3)
    return np.asarray(np.round((moved - 0.5) * 2**FRACTION), np.int32)
