"""What years and makers do to a tile's body: grain, yellowing, stains, scratches, and all kinds of backs."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.synth.looks import Look, Rgb
from vision.synth.masks import glyph_mask, paste_mask
from vision.synth.surfaces import noise

F32 = NDArray[np.float32]

_WORDS = ("REMI", "Rummy", "OKEY", "RUMMY", "Tile", "Joc", "Play")
_SIGNS = "★♠♥♣♦✿❖♞☀"


def age(look: Look, colour: F32, rng: np.random.Generator) -> None:
    """Grain, yellowing, stains and scratches, in place over the colour (h, w, 3) 0..1 of a face."""
    size = (colour.shape[1], colour.shape[0])
    if look.grain:
        colour *= 1 + look.grain * 0.8 * noise(rng, size, 4)[..., None]
    if look.yellowing:
        uneven = np.clip(0.6 + 0.4 * noise(rng, size, size[0] / 2), 0, 1.3) * look.yellowing
        colour *= 1 - uneven[..., None] * np.asarray([0.4, 0.16, 0.06], np.float32)
    for _ in range(int(rng.poisson(look.stains)) if look.stains else 0):
        _stain(colour, rng)
    for _ in range(int(rng.poisson(look.scratches)) if look.scratches else 0):
        start = rng.uniform(0, 1, 2) * size
        end = start + rng.normal(0, size[0] * 0.35, 2)
        tone = float(rng.choice([0.55, 0.75, 1.0]))
        tint = (0.9 * tone, 0.97 * tone, tone)
        ends = [(round(float(x)), round(float(y))) for x, y in (start, end)]
        cv2.line(colour, ends[0], ends[1], tint, int(rng.integers(1, 3)))


def _stain(colour: F32, rng: np.random.Generator) -> None:
    height, width = colour.shape[:2]
    x, y, radius = rng.uniform(0, width), rng.uniform(0, height), width * rng.uniform(0.04, 0.2)
    rows, columns = np.mgrid[0:height, 0:width].astype(np.float32)
    lumpy = np.hypot(columns - x, rows - y) + radius * 0.25 * noise(rng, (width, height), radius)
    inside = 1 / (1 + np.exp(np.clip((lumpy - radius) / (radius * 0.15 + 1), -30, 30)))
    tint = np.asarray(
        rng.choice(np.asarray([[0.55, 0.36, 0.24], [0.3, 0.3, 0.3], [0.45, 0.32, 0.28]])), np.float32
    )
    colour *= 1 - inside[..., None] * tint * rng.uniform(0.3, 0.9)


def draw_back(look: Look, colour: F32, depth: F32) -> None:
    """What a back shows besides its colour, in place over colour (h, w, 3) and height (h, w)."""
    if look.back_style == "blank":
        return
    rng = np.random.default_rng([look.seed, 1])
    height, width = depth.shape
    mask = np.zeros((height, width), np.float32)
    if look.back_style == "two_tone":
        inset = round(width * rng.uniform(0.08, 0.22))
        mask[inset:-inset, inset:-inset] = 1
        depth -= np.asarray(cv2.GaussianBlur(mask, (0, 0), 1.5), np.float32) * rng.uniform(-0.03, 0.03)
    elif look.back_style == "logo":
        _logo(mask, rng)
    elif look.back_style == "text":
        _text(mask, look, rng)
    else:
        _pattern(mask, look.back_style, rng)
    engraved = look.back_style in ("logo", "text") and rng.random() < 0.65
    if look.back_style != "two_tone" and (engraved or rng.random() < 0.3):
        depth -= np.asarray(cv2.GaussianBlur(mask, (0, 0), 1.3), np.float32) * rng.uniform(0.01, 0.035)
    if not engraved:
        _colour(colour, mask * rng.uniform(0.5, 1), look.back_second)


def _colour(colour: F32, mask: F32, rgb: Rgb) -> None:
    colour *= 1 - mask[..., None]
    colour += mask[..., None] * (np.asarray(rgb[::-1], np.float32) / 255)


def _logo(mask: F32, rng: np.random.Generator) -> None:
    height, width = mask.shape
    centre, radius = (width // 2, height // 2), round(width * rng.uniform(0.2, 0.36))
    line = max(2, round(width * rng.uniform(0.015, 0.04)))
    if rng.random() < 0.7:
        cv2.circle(mask, centre, radius, 1.0, line)
    if rng.random() < 0.3:
        cv2.circle(mask, centre, round(radius * 0.75), 1.0, line)
    sign = glyph_mask(str(rng.choice(list(_SIGNS))))
    side = radius * 1.1 / max(sign.shape)
    paste_mask(mask, sign, centre, (max(3, round(sign.shape[1] * side)), max(3, round(sign.shape[0] * side))))


def _text(mask: F32, look: Look, rng: np.random.Generator) -> None:
    height, width = mask.shape
    font = ImageFont.truetype(str(look.font), 60)
    word = str(rng.choice(_WORDS))
    left, top, right, bottom = font.getbbox(word)
    image = Image.new("L", (int(right - left) + 2, int(bottom - top) + 2))
    ImageDraw.Draw(image).text((1 - left, 1 - top), word, font=font, fill=255)
    letters = np.asarray(np.asarray(image).astype(np.float32) / 255, np.float32)
    if rng.random() < 0.4:
        letters = np.ascontiguousarray(np.rot90(letters))
    scale = min(width * 0.75 / letters.shape[1], height * 0.75 / letters.shape[0]) * rng.uniform(0.6, 1)
    size = (max(3, round(letters.shape[1] * scale)), max(3, round(letters.shape[0] * scale)))
    paste_mask(mask, letters, (width / 2, height * rng.uniform(0.4, 0.6)), size)


def _pattern(mask: F32, style: str, rng: np.random.Generator) -> None:
    height, width = mask.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / width
    step = rng.uniform(0.08, 0.25)
    if style == "chequer":
        drawn = (x // step + y // step) % 2 == 0
    elif style == "stripes":
        angle = rng.uniform(0, math.pi)
        drawn = (x * math.cos(angle) + y * math.sin(angle)) % step < step * rng.uniform(0.2, 0.6)
    elif style == "lattice":
        share = rng.uniform(0.12, 0.3)
        drawn = ((x + y) % step < step * share) | ((x - y) % step < step * share)
    elif style == "dots":
        drawn = np.hypot(x % step - step / 2, y % step - step / 2) < step * rng.uniform(0.15, 0.4)
    elif style == "bricks":
        shifted = x + (y // step % 2) * step
        drawn = (y % step < step * 0.15) | (shifted % (2 * step) < step * 0.15)
    elif style == "crosses":
        across, down = np.abs(x % step - step / 2), np.abs(y % step - step / 2)
        drawn = (np.minimum(across, down) < step * 0.1) & (np.maximum(across, down) < step * 0.35)
    elif style == "triangles":
        drawn = (y % step) > np.abs(x % step - step / 2) * 2
    elif style == "waves":
        drawn = (y + 0.25 * step * np.sin(x / step * 5)) % step < step * 0.4
    else:  # rings
        drawn = np.hypot(x - 0.5, y - height / width / 2) % step < step * 0.35
    inset = round(width * rng.uniform(0, 0.14))
    mask[inset : height - inset, inset : width - inset] = drawn[inset : height - inset, inset : width - inset]
