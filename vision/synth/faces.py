"""Draws the faces of a look as flat colour and height, in several sizes, ready to be lit."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from vision.synth.bodies import age, draw_back
from vision.synth.jokers import draw_joker
from vision.synth.looks import Look
from vision.synth.masks import glyph_mask, paste_mask, text_mask
from vision.synth.surfaces import noise

F32 = NDArray[np.float32]

BASE_WIDTH = 160  # pixels of the largest face texture
LEVELS = (160, 112, 80, 56, 40, 28, 20)
BACK = "#"


@dataclass(frozen=True)
class Texture:
    """A face at one size: BGR colour 0..1 (h, w, 3), unit normals (h, w, 3), coverage 0..1 (h, w).

    Normals are x right, y up, z out of the face.
    """

    colour: F32
    normal: F32
    cover: F32


@dataclass
class FaceFactory:
    """Keeps the textures of one look, made when first asked for."""

    look: Look
    _cache: dict[tuple[str, int], Texture] = field(default_factory=dict)
    _base: dict[str, tuple[F32, F32]] = field(default_factory=dict)

    def texture(self, face: str, pixels: float) -> Texture:
        """The face (`r7`, `*0`, `*1`, `#`) at the smallest level not below `pixels` of width."""
        level = min((size for size in LEVELS if size >= pixels), default=BASE_WIDTH)
        key = (face, level)
        if key not in self._cache:
            self._cache[key] = self._shrink(face, level)
        return self._cache[key]

    def _shrink(self, face: str, width: int) -> Texture:
        if face not in self._base:
            self._base[face] = _draw_face(self.look, face)
        colour, height = self._base[face]
        size = (width, round(width * self.look.height_mm / self.look.width_mm))
        colour = np.asarray(cv2.resize(colour, size, interpolation=cv2.INTER_AREA), np.float32)
        # In pixels of this level, as the slopes below are.
        height = np.asarray(cv2.resize(height, size, interpolation=cv2.INTER_AREA) * width, np.float32)
        grad_x = cv2.Sobel(height, cv2.CV_32F, 1, 0, ksize=3, borderType=cv2.BORDER_REPLICATE) / 8
        grad_y = cv2.Sobel(height, cv2.CV_32F, 0, 1, ksize=3, borderType=cv2.BORDER_REPLICATE) / 8
        normal = np.dstack([-grad_x, grad_y, np.ones_like(grad_x)])
        normal /= np.linalg.norm(normal, axis=2, keepdims=True)
        distance = _edge_distance(size[0], size[1], self.look.corner)
        cover = np.clip(distance * size[0] + 0.5, 0, 1)
        return Texture(colour.astype(np.float32), normal.astype(np.float32), cover.astype(np.float32))


def _edge_distance(width: int, height: int, corner: float) -> F32:
    """Distance to the rounded outline, positive inside, in tile widths."""
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    aspect = height / width
    px = np.abs((x + 0.5) / width - 0.5) - (0.5 - corner)
    py = np.abs((y + 0.5) / width - aspect / 2) - (aspect / 2 - corner)
    outside = np.hypot(np.maximum(px, 0), np.maximum(py, 0))
    inside = np.minimum(np.maximum(px, py), 0)
    return np.asarray(corner - outside - inside, np.float32)


def _draw_face(look: Look, face: str) -> tuple[F32, F32]:
    """BGR colour 0..1 and height (in tile widths) of a face at the base size."""
    width, height = BASE_WIDTH, round(BASE_WIDTH * look.height_mm / look.width_mm)
    rng = np.random.default_rng([look.seed, *face.encode()])
    colour = np.empty((height, width, 3), np.float32)
    colour[:] = _bgr(look.back if face == BACK else look.body)
    depth = np.zeros((height, width), np.float32)
    if look.bevel:
        rise = np.clip(_edge_distance(width, height, look.corner) / look.bevel, 0, 1)
        depth -= (1 - rise) ** 2 * look.bevel * 0.45
    if face == BACK:
        draw_back(look, colour, depth)
    else:
        if look.dish:
            _dish(depth, look)
        if look.emboss:
            _emboss(depth, look, np.random.default_rng(look.seed))
        _paint(look, face, colour, depth, rng)
    age(look, colour, rng)
    return colour, depth


def _bgr(rgb: tuple[float, float, float]) -> F32:
    return np.asarray(np.asarray(rgb[::-1]) / 255, np.float32)


def _paint(look: Look, face: str, colour: F32, depth: F32, rng: np.random.Generator) -> None:
    """The number or joker of a face, and the frame of a framed set."""
    height, width = depth.shape
    if face.startswith("*"):
        which = int(face[1:] or 0)
        kind = look.joker[which % len(look.joker)]
        inks = look.joker_inks[which % len(look.joker_inks)]
        for mask, slot in draw_joker(look, kind, inks, (width, height), rng):
            _ink(colour, depth, mask, look.inks[slot], look, rng)
    else:
        mask = _number_mask(look, face, (width, height))
        ink = look.inks[face[0]]
        if look.outline == "rim":
            # Black gets a pale rim: a darker one would not show.
            edge = (120.0, 112.0, 96.0) if max(ink) < 100 else (ink[0] * 0.5, ink[1] * 0.5, ink[2] * 0.5)
            _ink(colour, depth, np.asarray(cv2.dilate(mask, np.ones((5, 5))), np.float32), edge, look, rng)
        _ink(colour, depth, mask, ink, look, rng)
    if look.frame:
        frame = np.abs(_edge_distance(width, height, look.corner) - 0.1) < 0.012
        _ink(colour, depth, frame.astype(np.float32), look.inks["k"], look, rng)


def _number_mask(look: Look, face: str, size: tuple[int, int]) -> F32:
    width, height = size
    mask = np.zeros((height, width), np.float32)
    number = face[1:]
    text = text_mask(look, number)
    tall = look.digit_height * height
    wide = text.shape[1] * tall / text.shape[0] * look.stretch
    wide = min(wide, width * (0.72 if len(number) > 1 else 0.6))
    centre = (width / 2, look.digit_centre * height)
    paste_mask(mask, text, centre, (max(2, round(wide)), max(2, round(tall))))
    line = max(1, round(width * 0.022))
    if look.ring_around:
        radius = int(min(width * 0.42, max(tall * 0.72, wide * 0.62)))
        cv2.circle(mask, (width // 2, round(centre[1])), radius, 1.0, line, cv2.LINE_AA)
    if look.ornament and not look.ring_around:
        _ornament(mask, look, line)
    if look.mark_69 and number in ("6", "9"):
        y = round(centre[1] + tall / 2 + height * 0.05)
        if look.mark_69 == "dot":
            cv2.circle(mask, (width // 2, y), max(2, round(width * 0.035)), 1.0, -1)
        else:
            half = round(width * 0.12)
            cv2.rectangle(mask, (width // 2 - half, y - line), (width // 2 + half, y + line), 1.0, -1)
            if look.mark_69 == "dotted_bar":
                cv2.circle(mask, (width // 2, y + line * 4), max(2, round(width * 0.025)), 1.0, -1)
    return mask


def _ornament(mask: F32, look: Look, line: int) -> None:
    height, width = mask.shape
    bottom_edge = look.digit_centre + look.digit_height / 2
    y = max(look.ornament_centre, bottom_edge + 0.13)
    if y > 0.86:
        return
    centre = (width // 2, round(y * height))
    radius = round(min(0.17 * width, (y - bottom_edge - 0.02) * height, (0.96 - y) * height))
    glyphs = {
        "heart_ring": "♥",
        "spade_ring": "♠",
        "club_ring": "♣",
        "star": "★",
        "diamond": "♦",
        "flower": "✿",
    }
    kind = look.ornament or ""
    if kind.endswith("ring"):
        cv2.circle(mask, centre, radius if kind != "small_ring" else radius // 2, 1.0, line, cv2.LINE_AA)
    if kind == "double_ring":
        cv2.circle(mask, centre, radius // 2, 1.0, line, cv2.LINE_AA)
    if kind == "dot":
        cv2.circle(mask, centre, max(2, radius // 3), 1.0, -1, cv2.LINE_AA)
    if kind == "line":
        cv2.line(mask, (centre[0] - radius, centre[1]), (centre[0] + radius, centre[1]), 1.0, line * 2)
    if kind == "square":
        cv2.rectangle(
            mask,
            (centre[0] - radius, centre[1] - radius),
            (centre[0] + radius, centre[1] + radius),
            1.0,
            line,
        )
    if kind in glyphs:
        glyph = glyph_mask(glyphs[kind])
        side = max(4, round(radius * (1.15 if kind.endswith("ring") else 1.7)))
        paste_mask(mask, glyph, centre, (round(side * glyph.shape[1] / glyph.shape[0]), side))


def _dish(depth: F32, look: Look) -> None:
    height, width = depth.shape
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    radius = width * 0.38
    distance = np.hypot(x - width / 2, y - look.digit_centre * height) / radius
    depth -= np.clip(1 - distance**2, 0, 1) * 0.06


def _emboss(depth: F32, look: Look, rng: np.random.Generator) -> None:
    height, width = depth.shape
    words = ("Rummy", "REMI", "Tile", "Okey", "Play", "Game")
    font = ImageFont.truetype(str(look.font), 60)
    word = words[look.seed % len(words)]
    left, top, right, bottom = font.getbbox(word)
    image = Image.new("L", (int(right - left) + 2, int(bottom - top) + 2))
    ImageDraw.Draw(image).text((1 - left, 1 - top), word, font=font, fill=255)
    relief = np.zeros_like(depth)
    wide = round(width * rng.uniform(0.5, 0.66))
    tall = max(4, round(wide * image.height / image.width))
    tall = min(tall, round(height * 0.2))
    letters = np.asarray(np.asarray(image).astype(np.float32) / 255, np.float32)
    paste_mask(relief, letters, (width / 2, height * 0.84), (wide, tall))
    depth += np.asarray(cv2.GaussianBlur(relief, (0, 0), 1.0) * 0.012, np.float32)


def _ink(
    colour: F32, depth: F32, mask: F32, rgb: tuple[float, float, float], look: Look, rng: np.random.Generator
) -> None:
    cover = mask
    size = (mask.shape[1], mask.shape[0])
    if look.wear:
        fine = rng.standard_normal(mask.shape, dtype=np.float32) * 0.5
        cover = mask * np.clip(1.3 + (noise(rng, size, 6) + fine) * 0.5 - look.wear * 1.4, 0.12, 1)
    if look.missing:
        # Paint comes off in flakes; a rest stays in the grooves, so that the digit can still be read.
        flakes = noise(rng, size, 10) + 0.6 * noise(rng, size, 4)
        gone = np.clip((flakes - 1.5 + 2.2 * look.missing) * 4, 0, 1)
        cover = np.asarray(cover * (1 - gone * (0.75 if look.relief else 0.6)), np.float32)
    colour *= 1 - cover[..., None]
    colour += cover[..., None] * _bgr(rgb)
    if look.relief:
        blurred = cv2.GaussianBlur(mask, (0, 0), max(0.8, 1.6 * math.sqrt(look.relief)))
        depth -= blurred * 0.02 * look.relief
