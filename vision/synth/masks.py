"""Masks of digits and symbols drawn from fonts, and how they are put on a face."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.synth.fonts import symbol_font
from vision.synth.looks import Look

F32 = NDArray[np.float32]


def text_mask(look: Look, text: str) -> F32:
    """A number as a tight mask 0..1 at a font size of 160, as bold and as slanted as the look says."""
    scale = 160
    font = ImageFont.truetype(str(look.font), scale)
    top, bottom = font.getbbox("8", anchor="ls")[1::2]
    cap = max(1, bottom - top)
    masks = []
    for char in text:
        left, _, right, _ = font.getbbox(char, anchor="ls")
        glyph = Image.new("L", (int(right - left) + 8, int(cap * 1.5) + 8))
        ImageDraw.Draw(glyph).text((4 - left, 4 + int(cap * 1.2)), char, font=font, fill=255, anchor="ls")
        masks.append(np.asarray(glyph))
    gap = int(scale * (0.06 + look.spacing * 0.6))
    width = sum(mask.shape[1] - 8 for mask in masks) + gap * (len(masks) - 1) + 8
    line = np.zeros((masks[0].shape[0], max(width, 12)), np.uint8)
    x = 0
    for mask in masks:
        span = line[:, x : x + mask.shape[1]]
        np.maximum(span, mask[:, : span.shape[1]], out=span)
        x += mask.shape[1] - 8 + gap
    grow = round(look.bold * scale)
    if grow:
        kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * abs(grow) + 1,) * 2)
        thinner = cv2.erode(line, kernel) if grow < 0 else cv2.dilate(line, kernel)
        if thinner.sum() > 0.55 * line.sum():  # a hairline font must not vanish
            line = np.asarray(thinner, np.uint8)
    if look.rounding:
        line = _rounded(line, look.rounding / 100 * cap)
    if look.outline == "hollow":
        line = _hollow(line, cap)
    rows, columns = np.nonzero(line > 64)
    line = line[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1]
    if look.shear:
        pad = int(abs(look.shear) * line.shape[0]) + 1
        line = np.pad(line, ((0, 0), (pad, pad)))
        matrix = np.asarray([[1, -look.shear, look.shear * line.shape[0] / 2], [0, 1, 0]], np.float32)
        line = np.asarray(cv2.warpAffine(line, matrix, (line.shape[1], line.shape[0])), np.uint8)
    return np.asarray(line.astype(np.float32) / 255, np.float32)


def _rounded(line: NDArray[np.uint8], radius: float) -> NDArray[np.uint8]:
    """The line with its corners and ends rounded, as a round cutter leaves them."""
    padded = np.pad(line, round(radius * 2) + 2)
    soft = cv2.GaussianBlur(padded, (0, 0), radius)
    round_line = np.asarray(np.clip((soft.astype(np.float32) - 112) * 8 + 128, 0, 255), np.uint8)
    # A hairline must not vanish.
    return round_line if round_line.sum() > 0.75 * padded.sum() else line


def _hollow(line: NDArray[np.uint8], cap: float) -> NDArray[np.uint8]:
    """The edge of strokes alone; bold digits only, or the strokes would close again when seen small."""
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * max(1, round(cap * 0.045)) + 1,) * 2)
    inner = np.asarray(cv2.erode(line, kernel), np.uint8)
    return np.asarray(cv2.subtract(line, inner), np.uint8) if inner.sum() > 0.3 * line.sum() else line


def paste_mask(target: F32, mask: F32, centre: tuple[float, float], size: tuple[int, int]) -> None:
    """Lays a mask over `target` in place: `size` (w, h) pixels about `centre`, cut at the edges."""
    small = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    x, y = round(centre[0] - size[0] / 2), round(centre[1] - size[1] / 2)
    left, top = max(0, x), max(0, y)
    right, bottom = min(target.shape[1], x + size[0]), min(target.shape[0], y + size[1])
    if right > left and bottom > top:
        view = target[top:bottom, left:right]
        np.maximum(view, small[top - y : bottom - y, left - x : right - x], out=view)


@cache
def glyph_mask(char: str) -> F32:
    """A symbol of DejaVu Sans as a tight mask 0..1; it is kept, so leave it as it is."""
    font = ImageFont.truetype(str(symbol_font()), 120)
    left, top, right, bottom = font.getbbox(char)
    image = Image.new("L", (int(right - left) + 2, int(bottom - top) + 2))
    ImageDraw.Draw(image).text((1 - left, 1 - top), char, font=font, fill=255)
    return np.asarray(np.asarray(image).astype(np.float32) / 255, np.float32)
