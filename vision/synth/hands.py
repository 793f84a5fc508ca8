"""Hands that reach in over a table: sleeve, forearm, palm, thumb and fingers in many poses and skins."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.surfaces import noise
from vision.synth.things import Thing, lay

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
Point = tuple[float, float]

#: Skins from light to dark, BGR.
SKINS = (
    (175, 200, 240), (150, 185, 235), (135, 172, 226), (120, 160, 215), (100, 140, 198), (90, 125, 180),
    (72, 104, 158), (60, 85, 130), (48, 66, 102), (40, 55, 85),
)  # fmt: skip
#: How far each finger is stretched, from the index on, and the thumb.
POSES: dict[str, tuple[float, ...]] = {
    "open": (1.0, 1.0, 1.0, 1.0, 1.0),
    "point": (1.0, 0.45, 0.4, 0.35, 0.8),
    "pinch": (0.85, 0.8, 0.6, 0.45, 1.15),
    "two": (0.95, 1.0, 0.45, 0.4, 0.7),
    "fist": (0.4, 0.42, 0.4, 0.35, 0.65),
    "loose": (0.75, 0.8, 0.75, 0.7, 0.9),
}
PALM = 3.3  # length and, nearly, width of a palm in tile widths
MOST = 400  # pixels of the longer side of a hand before it is laid over the picture


def hand(
    image: U8,
    cover: U8,
    rng: np.random.Generator,
    tile_px: float,
    *,
    start: Point | None = None,
    aim: Point | None = None,
    lamp: float | None = None,
) -> None:
    """A hand reaches in over all that is on `image` (h, w, 3); `cover` (h, w) becomes 255 where it is.

    It comes from `start`, pixels on or beyond the picture's edge, and its foremost fingertip reaches
    `aim`; its shadow, no part of `cover`, falls towards `lamp` (radians, y down). Each is drawn at random
    where it is not given.
    """
    height, width = image.shape[:2]
    begin = np.asarray(_entry(rng, width, height, tile_px) if start is None else start, np.float64)
    if aim is None:
        target = np.asarray([width, height]) * rng.uniform(0.25, 0.75, 2)
        away = max(1.0, float(np.linalg.norm(target - begin)))
        tips = begin + (target - begin) / away * min(away + 2 * tile_px, rng.uniform(2.5, 9) * tile_px)
    else:
        tips = np.asarray(aim, np.float64)
    heading = (tips - begin) / max(1.0, float(np.linalg.norm(tips - begin)))
    size = tile_px * rng.uniform(0.78, 1.05)
    # The arm goes on beyond the place where it enters, so that its end is never seen.
    arm = min(40.0, max(3.0, float(np.linalg.norm(tips - begin)) / size - PALM + 3))
    thing, tip = draw_hand(rng, arm, size)
    across = np.asarray([-heading[1], heading[0]])
    spot = tips - heading * (tip[0] - thing.wide / 2) * size - across * tip[1] * size
    angle = -math.atan2(heading[1], heading[0])
    fall = rng.uniform(0, 2 * math.pi) if lamp is None else lamp
    lay(image, thing, (float(spot[0]), float(spot[1])), angle, tile_px=size, lamp=fall, cover=cover)


def _entry(rng: np.random.Generator, width: int, height: int, tile_px: float) -> Point:
    along = rng.uniform(0.1, 0.9)
    above, below = (along * width, -tile_px), (along * width, height + tile_px)
    left, right = (-tile_px, along * height), (width + tile_px, along * height)
    return (above, below, left, right)[rng.integers(4)]


@dataclass(frozen=True)
class _Paper:
    colour: F32  # (h, w, 3) BGR
    cover: U8
    unit: float
    wrist: Point  # in tile widths
    varnish: F64 | None  # of the nails, BGR

    def pixels(self, points: F64) -> NDArray[np.int32]:
        return np.asarray(np.round((points + self.wrist) * self.unit * 16), np.int32)

    def part(self, mask: U8, tone: F32 | F64, *, soft: float) -> None:
        """Lays a rounded part of one colour; `soft` is how far its edge falls away, in tile widths."""
        x, y, wide, tall = cv2.boundingRect(mask)
        if not wide or not tall:
            return
        rows, columns = slice(max(0, y - 1), y + tall + 1), slice(max(0, x - 1), x + wide + 1)
        own = mask[rows, columns]
        depth = cv2.distanceTransform((own > 127).astype(np.uint8), cv2.DIST_L2, 3)
        inside = np.clip(depth / (soft * self.unit), 0, 1)
        light = 0.6 + 0.4 * np.sqrt(1 - (1 - inside) ** 2)
        share = (own.astype(np.float32) / 255)[..., None]
        view = self.colour[rows, columns]
        shaded = light[..., None] * (tone[rows, columns] if tone.ndim == 3 else tone)
        view += share * (shaded - view)
        np.maximum(self.cover[rows, columns], own, out=self.cover[rows, columns])

    def blank(self) -> U8:
        return np.zeros_like(self.cover)


def draw_hand(
    rng: np.random.Generator, arm: float, size: float, *, most: float = MOST
) -> tuple[Thing, Point]:
    """A hand that points right, and its foremost tip: tile widths from the left edge and the middle line.

    `arm` is how long the arm is in tile widths, `size` a tile's width in pixels; the hand is drawn no longer
    than `most` pixels.
    """
    whole, tall = arm + PALM + 3.4, 7.4
    unit = min(size, most / whole)
    paper = _Paper(
        np.zeros((round(tall * unit), round(whole * unit), 3), np.float32),
        np.zeros((round(tall * unit), round(whole * unit)), np.uint8),
        unit,
        (arm, tall / 2),
        rng.uniform(20, 220, 3) if rng.random() < 0.12 else None,
    )
    skin = np.clip(np.asarray(SKINS[rng.integers(len(SKINS))]) + rng.normal(0, 7, 3), 15, 250)
    uneven = 1 + 0.035 * noise(rng, paper.cover.shape[::-1], max(2.0, unit * 0.4))
    tone = np.asarray(skin * uneven[..., None], np.float32)
    _arm(paper, rng, tone, arm)
    names = list(POSES)
    pose = np.asarray(POSES[names[int(rng.integers(len(names)))]]) * rng.uniform(0.9, 1.08, 5)
    side = 1 if rng.random() < 0.5 else -1
    nails = rng.random() < 0.85
    half = PALM * rng.uniform(0.44, 0.5)
    mask = paper.blank()
    outline = np.asarray(
        [(-0.5, -half * 0.68), (0.8, -half * 0.95), (PALM, -half), (PALM + 0.25, 0), (PALM, half),
         (0.8, half * 0.95), (-0.5, half * 0.68)]
    )  # fmt: skip
    cv2.fillPoly(mask, [paper.pixels(outline)], 255.0, cv2.LINE_AA, 4)
    soft = max(1, round(unit * 0.5))
    blurred = cv2.blur(cv2.blur(mask, (soft, soft)), (soft, soft))
    round_palm = np.asarray(np.clip((blurred.astype(np.float32) - 100) * 5, 0, 255), np.uint8)
    spread, thumb_first = rng.uniform(0.02, 0.22), rng.random() < 0.5
    if thumb_first:
        _thumb(paper, rng, tone, half * side, pose[4], nails=nails)
    paper.part(round_palm, tone, soft=0.9)
    tip = (PALM, 0.0)
    for finger in (3, 2, 1, 0):
        length = (2.5, 2.85, 2.6, 2.0)[finger] * pose[finger]
        base = np.asarray([PALM - 0.35, side * half * (0.72 - 0.48 * finger)])
        angle = side * (1.5 - finger) * spread + rng.normal(0, 0.03)
        wide, nail = (0.74, 0.78, 0.74, 0.64)[finger], nails and pose[finger] > 0.55
        end = _finger(paper, rng, tone, base, angle=angle, length=length, wide=wide, nail=nail)
        tip = max(tip, end)
    if not thumb_first:
        _thumb(paper, rng, tone, half * side, pose[4], nails=nails)
    colour = np.clip(paper.colour, 0, 255).astype(np.uint8)
    return Thing(colour, paper.cover, paper.cover.shape[1] / unit, rng.uniform(0.3, 1.4)), (
        arm + tip[0],
        tip[1],
    )


def _thumb(
    paper: _Paper, rng: np.random.Generator, tone: F32, edge: float, share: float, *, nails: bool
) -> None:
    base = np.asarray([0.9, edge * 0.72])
    angle = math.copysign(rng.uniform(0.3, 0.95), edge)
    _finger(paper, rng, tone, base, angle=angle, length=2.5 * share, wide=0.88, nail=nails)


def _finger(
    paper: _Paper,
    rng: np.random.Generator,
    tone: F32,
    base: F64,
    *,
    angle: float,
    length: float,
    wide: float,
    nail: bool,
) -> Point:
    """One finger from its root on, with joints and a nail; returns its tip."""
    bends = angle + np.cumsum([0.0, rng.normal(0, 0.07), rng.normal(0, 0.07)]) * (1 - 0.4 * (length > 2))
    points = [base]
    for bend, share in zip(bends, (0.45, 0.3, 0.25), strict=True):
        points.append(points[-1] + np.asarray([math.cos(bend), math.sin(bend)]) * length * share)
    mask = paper.blank()
    for index, taper in enumerate((1.0, 0.94, 0.84)):
        thick = max(1, round(wide * taper * paper.unit))
        fixed = paper.pixels(np.asarray(points[index : index + 2]))
        cv2.polylines(mask, [fixed], False, 255.0, thick, cv2.LINE_AA, 4)
    paper.part(mask, tone, soft=wide * 0.42)
    dark = (tone[0, 0] * 0.72).tolist()
    for joint in (1, 2) if length > 1.4 else ():
        across = np.asarray([-math.sin(bends[joint]), math.cos(bends[joint])]) * wide * 0.22
        for shift in (-0.06, 0.08):
            crease = np.asarray([points[joint] - across, points[joint] + across]) + np.asarray([shift, 0])
            thin = max(1, round(0.035 * paper.unit))
            if paper.unit > 9:
                cv2.polylines(paper.colour, [paper.pixels(crease)], False, dark, thin, cv2.LINE_8, 4)
    if nail:
        middle = points[-1] + np.asarray([math.cos(bends[2]), math.sin(bends[2])]) * wide * 0.08
        colour = np.clip(tone[0, 0] * 0.75 + np.asarray([52, 50, 70]), 0, 255)
        if paper.varnish is not None:
            colour = paper.varnish
        t = np.linspace(0, 2 * math.pi, 14)
        ring = np.stack([np.cos(t) * wide * 0.3, np.sin(t) * wide * 0.25], 1)
        c, s = math.cos(bends[2]), math.sin(bends[2])
        outline = ring @ np.asarray([[c, s], [-s, c]]) + middle
        cv2.fillPoly(paper.colour, [paper.pixels(outline)], colour.tolist(), cv2.LINE_8, 4)
    tip = points[-1] + np.asarray([math.cos(bends[2]), math.sin(bends[2])]) * wide * 0.42
    return (float(tip[0]), float(tip[1]))


def _arm(paper: _Paper, rng: np.random.Generator, tone: F32, arm: float) -> None:
    """Forearm, then a sleeve up to a cuff somewhere, or a watch on a bare arm."""
    wrist, elbow = PALM * rng.uniform(0.31, 0.36), PALM * rng.uniform(0.4, 0.6)
    mask = paper.blank()
    outline = np.asarray([(-arm, -elbow), (0.4, -wrist), (0.4, wrist), (-arm, elbow)])
    cv2.fillPoly(mask, [paper.pixels(outline)], 255.0, cv2.LINE_AA, 4)
    paper.part(mask, tone, soft=wrist * 0.8)
    if rng.random() < 0.25:
        if rng.random() < 0.6:
            band = np.asarray(
                [(-0.9, -wrist * 1.15), (-0.2, -wrist * 1.1), (-0.2, wrist * 1.1), (-0.9, wrist * 1.15)]
            )
            strap = paper.blank()
            cv2.fillPoly(strap, [paper.pixels(band)], 255.0, cv2.LINE_AA, 4)
            paper.part(strap, rng.uniform(15, 220, 3), soft=0.4)
        return
    cuff = -rng.uniform(0.2, min(arm - 1.5, 4.0))
    wide = elbow * rng.uniform(1.1, 1.5)
    sleeve = paper.blank()
    near = wide * rng.uniform(0.85, 1.05)
    outline = np.asarray(
        [(-arm - 1, -wide * 1.2), (cuff, -near), (cuff + 0.1, 0), (cuff, near), (-arm - 1, wide * 1.2)]
    )
    cv2.fillPoly(sleeve, [paper.pixels(outline)], 255.0, cv2.LINE_AA, 4)
    size = paper.cover.shape[::-1]
    cloth = np.empty((*size[::-1], 3), np.float32)
    cloth[:] = rng.uniform(15, 245) + rng.normal(0, 45, 3)
    kind, columns = rng.integers(4), np.arange(size[0], dtype=np.float32) / paper.unit
    other = rng.uniform(15, 245, 3)
    pitch = rng.uniform(0.3, 1.4)
    if kind == 0:
        cloth[:, columns % pitch < pitch * 0.4] = other
    elif kind == 1:
        rows = np.arange(size[1]) / paper.unit
        cloth[rows % pitch < pitch * 0.4] = other
    # Folds run across the arm; threads are fine.
    folds = 0.12 * noise(rng, (size[1], size[0]), max(2.0, paper.unit * 0.5), 4).T
    thread = rng.standard_normal(size[::-1], dtype=np.float32) * np.float32(0.03)
    cloth *= (1 + folds + thread)[..., None]
    edge = (columns > arm + cuff - 0.35) & (columns < arm + cuff - 0.28)
    cloth[:, edge] *= 0.75
    paper.part(sleeve, np.clip(cloth, 5, 250).astype(np.float32), soft=wide * 0.7)
