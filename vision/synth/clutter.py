"""Things that lie on tables and are no tiles: cups, paper, dice, cards, pens, hands."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
Colour = tuple[float, float, float]


def _colour(rng: np.random.Generator, low: int = 10, high: int = 245) -> Colour:
    value = rng.integers(low, high, 3)
    return (float(value[0]), float(value[1]), float(value[2]))


def _box(spot: NDArray[np.float64], wide: float, tall: float, angle: float) -> NDArray[np.int32]:
    corners = cv2.boxPoints(((float(spot[0]), float(spot[1])), (wide, tall), math.degrees(angle)))
    return np.asarray(corners.round(), np.int32)


def under(image: U8, rng: np.random.Generator, tile_px: float, count: int) -> None:
    """Draws `count` things on the table before the tiles: paper, cards, cups, dice, pens, markers, trays."""
    height, width = image.shape[:2]
    for _ in range(count):
        spot = rng.uniform(0, 1, 2) * (width, height)
        angle = rng.uniform(0, math.pi)
        kind = rng.integers(7)
        if kind == 0:  # a sheet with writing
            wide, tall = tile_px * rng.uniform(2, 8), tile_px * rng.uniform(2, 8)
            _sheet(image, rng, spot, (wide, tall), angle, lines=True)
        elif kind == 1:  # a playing card or a label, digits on it but much thinner and larger than a tile
            wide = tile_px * rng.uniform(1.8, 3.5)
            _sheet(image, rng, spot, (wide, wide * 1.45), angle, lines=False)
        elif kind == 2:  # cup or plate
            radius = int(tile_px * rng.uniform(0.8, 4))
            centre = (int(spot[0]), int(spot[1]))
            cv2.circle(image, centre, radius, _colour(rng), -1, cv2.LINE_AA)
            cv2.circle(image, centre, int(radius * rng.uniform(0.6, 0.9)), _colour(rng), -1, cv2.LINE_AA)
        elif kind == 3:  # die with pips
            side = tile_px * rng.uniform(0.4, 0.8)
            body = (240.0, 240.0, 240.0) if rng.random() < 0.6 else _colour(rng)
            box = _box(spot, side, side, angle)
            cv2.fillConvexPoly(image, box, body, cv2.LINE_AA)
            for _ in range(int(rng.integers(1, 7))):
                pip = spot + rng.uniform(-0.3, 0.3, 2) * side
                centre = (int(pip[0]), int(pip[1]))
                cv2.circle(image, centre, max(1, int(side * 0.09)), _colour(rng, 0, 80), -1, cv2.LINE_AA)
        elif kind == 4:  # pen or phone
            wide = tile_px * rng.uniform(3, 7)
            box = _box(spot, wide, wide * rng.choice([0.06, 0.5]), angle)
            cv2.fillConvexPoly(image, box, _colour(rng), cv2.LINE_AA)
        elif kind == 5:  # a black and white marker
            side = tile_px * rng.uniform(1, 2)
            paper = (245.0, 245.0, 245.0)
            cv2.fillConvexPoly(image, _box(spot, side * 1.4, side * 1.4, angle), paper, cv2.LINE_AA)
            cv2.fillConvexPoly(image, _box(spot, side, side, angle), (15.0, 15.0, 15.0), cv2.LINE_AA)
            for _ in range(int(rng.integers(3, 10))):
                cell = spot + (rng.integers(0, 4, 2) - 1.5) * side / 6
                cv2.fillConvexPoly(image, _box(cell, side / 6, side / 6, angle), paper)
        else:  # dark tray or box lid edge
            wide = tile_px * rng.uniform(2, 9)
            box = _box(spot, wide, wide * rng.uniform(0.3, 1), angle)
            cv2.polylines(image, [box], True, _colour(rng), max(2, int(tile_px * 0.15)), cv2.LINE_AA)


def _sheet(
    image: U8,
    rng: np.random.Generator,
    spot: NDArray[np.float64],
    size: tuple[float, float],
    angle: float,
    *,
    lines: bool,
) -> None:
    wide, tall = max(8, int(size[0])), max(8, int(size[1]))
    sheet = np.full((tall, wide, 3), rng.uniform(200, 252), np.uint8)
    ink = _colour(rng, 0, 120)
    if lines:
        step = max(5, tall // int(rng.integers(5, 12)))
        for y in range(step, tall, step):
            text = "".join(rng.choice(list("0123456789 abce-+")) for _ in range(12))
            cv2.putText(sheet, text, (2, y), cv2.FONT_HERSHEY_PLAIN, step / 16, ink, 1, cv2.LINE_AA)
    else:
        text = str(rng.choice(["A", "K", "Q", "J", "10", "7", "5", "2"]))
        font, thick = cv2.FONT_HERSHEY_SIMPLEX, max(1, wide // 40)
        cv2.putText(sheet, text, (2, tall // 4), font, wide / 90, ink, thick, cv2.LINE_AA)
        cv2.circle(sheet, (wide // 2, tall // 2), wide // 5, ink, -1, cv2.LINE_AA)
    matrix = cv2.getRotationMatrix2D((wide / 2, tall / 2), math.degrees(angle), 1.0)
    matrix[:, 2] += (spot[0] - wide / 2, spot[1] - tall / 2)
    whole = (image.shape[1], image.shape[0])
    cv2.warpAffine(sheet, matrix, whole, dst=image, borderMode=cv2.BORDER_TRANSPARENT)


def hand(image: U8, cover: U8, rng: np.random.Generator, tile_px: float) -> None:
    """A forearm, palm and fingers reach in from an edge, over all; `cover` (h, w) becomes 255 there."""
    height, width = image.shape[:2]
    side = rng.integers(4)
    along = rng.uniform(0.1, 0.9)
    above, below = (along * width, -tile_px), (along * width, height + tile_px)
    left, right = (-tile_px, along * height), (width + tile_px, along * height)
    start = np.asarray((above, below, left, right)[side])
    aim = np.asarray([width, height]) * rng.uniform(0.25, 0.75, 2)
    heading = (aim - start) / max(1.0, float(np.linalg.norm(aim - start)))
    reach = rng.uniform(0.5, 5) * tile_px
    palm = start + heading * reach
    tones = np.asarray([[150, 185, 235], [120, 160, 215], [90, 125, 180], [60, 85, 130], [40, 55, 85]], float)
    skin = np.clip(tones[rng.integers(len(tones))] + rng.normal(0, 8, 3), 0, 255)
    sleeve = _colour(rng)
    mask = np.zeros((height, width), np.uint8)
    arm = np.zeros_like(mask)
    thick = max(2, int(tile_px * rng.uniform(1.6, 2.6)))
    elbow, wrist = start - heading * tile_px * 4, palm - heading * tile_px
    cv2.line(arm, _point(elbow), _point(wrist), 255, thick, cv2.LINE_AA)
    cv2.circle(mask, _point(palm), int(thick * 0.62), 255, -1, cv2.LINE_AA)
    base = math.atan2(heading[1], heading[0])
    for finger in range(5):
        angle = base + (finger - 2) * rng.uniform(0.14, 0.3)
        length = tile_px * rng.uniform(1.3, 2.6) + thick * 0.5
        tip = palm + np.asarray([math.cos(angle), math.sin(angle)]) * length
        wide = max(2, int(tile_px * rng.uniform(0.5, 0.7)))
        cv2.line(mask, _point(palm), _point(tip), 255, wide, cv2.LINE_AA)
    shade = np.clip(cv2.GaussianBlur(mask, (0, 0), max(1.0, thick * 0.12)).astype(np.float32) / 255, 0.55, 1)
    for layer, colour in ((arm, np.asarray(sleeve)), (mask, skin)):
        alpha = (layer.astype(np.float32) / 255)[..., None]
        tint = colour * (shade[..., None] if layer is mask else 1.0)
        image[:] = np.clip(image * (1 - alpha) + tint * alpha, 0, 255).astype(np.uint8)
        np.maximum(cover, layer, out=cover)


def _point(value: NDArray[np.float64]) -> tuple[int, int]:
    return (round(float(value[0])), round(float(value[1])))
