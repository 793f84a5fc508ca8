"""Draws joker faces of many kinds; every real set has its own."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.looks import Look
from vision.synth.masks import glyph_mask, paste_mask

F32 = NDArray[np.float32]
Layer = tuple[F32, str]


def draw_joker(
    look: Look, kind: str, inks: str, size: tuple[int, int], rng: np.random.Generator
) -> list[Layer]:
    """Masks 0..1 (h, w) with the ink slot of each; `inks` of two letters uses two colours."""
    width, height = size
    first, second = inks[0], inks[-1]
    main: F32 = np.zeros((height, width), np.float32)
    extra: F32 = np.zeros((height, width), np.float32)
    middle = rng.random() < 0.4
    centre = (width // 2, round(height * (0.5 if middle else look.digit_centre + rng.uniform(0, 0.06))))
    radius = round(width * rng.uniform(0.26, 0.36))
    line = max(1, round(width * rng.uniform(0.018, 0.035)))
    if kind in ("glyph", "word", "letter_j", "crown", "big_star"):
        _glyphs(main, kind, centre, radius, rng)
    elif kind == "star_rings":
        for share in (1.0, 0.78, 0.5)[: int(rng.integers(1, 4))]:
            cv2.circle(main, centre, round(radius * share), 1.0, line, cv2.LINE_AA)
        cv2.fillPoly(extra, [_star(centre, radius * 0.42, 5, 0.45)], 1.0, cv2.LINE_AA)
    elif kind == "chip":
        cv2.circle(main, centre, radius, 1.0, line * 3, cv2.LINE_AA)
        for step in range(8):
            angle = step * math.pi / 4
            cv2.line(extra, centre, _ray(centre, radius, angle), 1.0, line * 2, cv2.LINE_AA)
        cv2.circle(extra, centre, round(radius * 0.55), 0.0, -1, cv2.LINE_AA)
        _smile(main, centre, round(radius * 0.5), line, rng)
    elif kind == "sun":
        cv2.circle(main, centre, round(radius * 0.6), 1.0, line, cv2.LINE_AA)
        for step in range(12):
            angle = step * math.pi / 6
            cv2.line(
                extra, _ray(centre, radius * 0.7, angle), _ray(centre, radius, angle), 1.0, line, cv2.LINE_AA
            )
        _smile(main, centre, round(radius * 0.5), line, rng)
    elif kind == "spiral":
        turns = np.linspace(0, 5 * math.pi, 90)
        reach = radius * turns / turns[-1]
        points = np.stack([centre[0] + reach * np.cos(turns), centre[1] + reach * np.sin(turns)], 1)
        cv2.polylines(main, [points.round().astype(np.int32)], False, 1.0, line * 2, cv2.LINE_AA)
    elif kind == "half_faces":
        _smile(main, (centre[0], round(height * 0.3)), round(radius * 0.8), line, rng)
        top = main[: height // 2]
        # The lower half is the upper one turned by 180 degrees, as on cards.
        main[height - top.shape[0] :] = np.maximum(main[height - top.shape[0] :], top[::-1, ::-1])
        cv2.line(extra, (round(width * 0.2), height // 2), (round(width * 0.8), height // 2), 1.0, line)
    else:  # smile and jester
        if rng.random() < 0.7:
            cv2.circle(main, centre, radius, 1.0, line, cv2.LINE_AA)
        _smile(main, centre, round(radius * 0.8), line, rng)
        if kind == "jester":
            _hat(extra, centre, radius, line)
    return [(main, first)] + ([(extra, second)] if extra.any() else [])


def _ray(centre: tuple[int, int], reach: float, angle: float) -> tuple[int, int]:
    return (round(centre[0] + reach * math.cos(angle)), round(centre[1] + reach * math.sin(angle)))


def _smile(mask: F32, centre: tuple[int, int], radius: int, line: int, rng: np.random.Generator) -> None:
    x, y = centre
    eye = max(1, round(radius * rng.uniform(0.08, 0.16)))
    apart, up = round(radius * 0.38), round(radius * 0.28)
    for side in (-1, 1):
        axes = (eye, round(eye * rng.uniform(1, 1.7)))
        cv2.ellipse(mask, (x + side * apart, y - up), axes, 0, 0, 360, 1.0, -1, cv2.LINE_AA)
    wide = round(radius * rng.uniform(0.45, 0.7))
    open_mouth = rng.random() < 0.3
    axes = (wide, round(wide * rng.uniform(0.6, 1)))
    thick = -1 if open_mouth else line
    cv2.ellipse(mask, (x, y + round(radius * 0.1)), axes, 0, 15, 165, 1.0, thick, cv2.LINE_AA)
    if rng.random() < 0.4:
        cv2.line(mask, (x, y - round(radius * 0.1)), (x, y + round(radius * 0.15)), 1.0, line, cv2.LINE_AA)
    if rng.random() < 0.4:
        cv2.circle(mask, centre, radius, 1.0, line, cv2.LINE_AA)


def _hat(mask: F32, centre: tuple[int, int], radius: int, line: int) -> None:
    x, y = centre
    brim = y - round(radius * 0.55)
    out, high = round(radius * 1.1), y - round(radius * 1.25)
    near, dip = round(radius * 0.35), brim - round(radius * 0.2)
    tips = ((x - out, high), (x, y - round(radius * 1.5)), (x + out, high))
    points = [
        (x - radius, brim),
        tips[0],
        (x - near, dip),
        tips[1],
        (x + near, dip),
        tips[2],
        (x + radius, brim),
    ]
    cv2.polylines(mask, [np.asarray(points, np.int32)], True, 1.0, line, cv2.LINE_AA)
    for tip in tips:
        cv2.circle(mask, tip, max(2, line * 2), 1.0, -1, cv2.LINE_AA)


def _star(centre: tuple[int, int], radius: float, points: int, inner: float) -> NDArray[np.int32]:
    angles = -math.pi / 2 + np.arange(2 * points) * math.pi / points
    radii = np.where(np.arange(2 * points) % 2 == 0, radius, radius * inner)
    corners = np.stack([centre[0] + radii * np.cos(angles), centre[1] + radii * np.sin(angles)], 1)
    return corners.round().astype(np.int32)


def _glyphs(mask: F32, kind: str, centre: tuple[int, int], radius: int, rng: np.random.Generator) -> None:
    if kind == "word":
        text = str(rng.choice(["JOKER", "JOLLY", "JOKER", "Joker", "JOLY"]))
        glyphs = [glyph_mask(char) for char in text]
        upright = rng.random() < 0.5
        step = round(radius * (0.42 if upright else 0.6))
        for index, glyph in enumerate(glyphs):
            shift = round((index - (len(text) - 1) / 2) * step)
            spot = (centre[0] + shift, centre[1]) if upright else (centre[0], mask.shape[0] // 2 + shift)
            tall = round(step * (0.9 if glyph.shape[0] > glyph.shape[1] * 0.5 else 0.5))
            paste_mask(mask, glyph, spot, (max(3, round(step * 0.75)), max(3, tall)))
        return
    symbol = str(rng.choice(list("☺☻★☆♛✪✶☀✹❂")))
    glyph = glyph_mask({"glyph": symbol, "letter_j": "J", "crown": "♛", "big_star": "★"}[kind])
    side = round(radius * 2 * rng.uniform(0.8, 1.1))
    paste_mask(mask, glyph, centre, (side, round(side * glyph.shape[0] / glyph.shape[1])))
