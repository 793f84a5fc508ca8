"""Hands over a virtual table: one comes from its seat's side, reaches a spot, and goes back the same way."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.hands import draw_hand

if TYPE_CHECKING:
    from vision.synth.geometry import F64, Camera
    from vision.synth.things import Thing
    from vision.virtual.setting import Setting
    from vision.virtual.shading import Box

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

HAND_MM: Final = 35.0  # over the table
_BEYOND: Final = 1.5  # tile widths by which the fingertips reach over the spot: the fingers lie on it
_FRAME_SPARE: Final = 2.5  # tile widths beyond the frame where a hand begins and ends
_SIZE: Final = 1.05  # of a tile's width: hands in tile widths are drawn for a middling hand
_DARK: Final = 0.5  # of the light, in the middle of the shadow
_PAD: Final = 1.5  # tile widths round a hand for its shadow


@dataclass(frozen=True, slots=True)
class Gesture:
    """A hand of a seat from one time to another, over spots (time, x, y) in mm on the way."""

    number: int
    seat: int
    begins: float
    ends: float
    spots: tuple[tuple[float, float, float], ...]


@dataclass(frozen=True)
class Overlay:
    """A hand with its shadow as laid over a picture: `add` to what `keep` leaves, cover of the hand alone.

    All are (h, w[, 3]); the fingertip is at `tip` (x, y).
    """

    keep: U8
    add: U8
    cover: U8
    tip: tuple[float, float]

    def box(self, at: F64, size: tuple[int, int]) -> Box | None:
        """Where it lies in a frame of `size` with its tip at pixels (x, y); None where nothing of it does."""
        left, top = round(float(at[0] - self.tip[0])), round(float(at[1] - self.tip[1]))
        height, width = self.cover.shape
        box = (max(0, left), max(0, top), min(size[0], left + width), min(size[1], top + height))
        return box if box[0] < box[2] and box[1] < box[3] else None

    def lay(self, picture: U8, at: F64, corner: tuple[int, int]) -> None:
        """Lays it over a picture whose first pixel is at `corner` of the frame, in place."""
        cut = self._cut(picture.shape, at, corner)
        if cut is not None:
            there, own = cut
            kept = cv2.multiply(picture[there], self.keep[own], scale=1 / 255)
            picture[there] = cv2.add(kept, self.add[own])

    def lay_cover(self, cover: U8, at: F64) -> None:
        """Raises a cover (h, w) of the whole frame to 255 where the hand is, in place."""
        cut = self._cut(cover.shape, at, (0, 0))
        if cut is not None:
            there, own = cut
            np.maximum(cover[there], self.cover[own], out=cover[there])

    def _cut(
        self, shape: tuple[int, ...], at: F64, corner: tuple[int, int]
    ) -> tuple[tuple[slice, slice], tuple[slice, slice]] | None:
        left = round(float(at[0] - self.tip[0])) - corner[0]
        top = round(float(at[1] - self.tip[1])) - corner[1]
        height, width = self.cover.shape
        x0, y0, x1, y1 = max(0, left), max(0, top), min(shape[1], left + width), min(shape[0], top + height)
        if x0 >= x1 or y0 >= y1:
            return None
        return (slice(y0, y1), slice(x0, x1)), (
            slice(y0 - top, y1 - top),
            slice(x0 - left, x1 - left),
        )


class Hands:
    """The hands of the players of a setting as a camera sees them; each is drawn when first needed."""

    def __init__(self, setting: Setting, camera: Camera) -> None:
        self._setting = setting
        self._camera = camera
        self._drawn: dict[int, tuple[Thing, tuple[float, float]]] = {}
        self._laid: dict[Gesture, Overlay] = {}

    def at(self, gesture: Gesture, moment: float) -> tuple[Overlay, F64] | None:
        """The hand of a gesture and where its tip is, in pixels; None before and after it."""
        if not gesture.begins < moment < gesture.ends:
            return None
        if gesture not in self._laid:
            self._laid = {kept: overlay for kept, overlay in self._laid.items() if kept.ends > moment}
            self._laid[gesture] = self._overlay(gesture)
        return self._laid[gesture], self._tip(gesture, moment)

    def _tip(self, gesture: Gesture, moment: float) -> F64:
        start, heading = self._way(gesture)
        beyond = heading * _BEYOND * self._tile_px
        points = [(gesture.begins, start)]
        points += [(when, self._project(x, y) + beyond) for when, x, y in gesture.spots]
        points.append((gesture.ends, start))
        for (before, first), (after, second) in pairwise(points):
            if moment <= after:
                share = (moment - before) / max(1e-9, after - before)
                eased = share * share * (3 - 2 * share)
                return np.asarray(first + (second - first) * eased)
        return start

    def _way(self, gesture: Gesture) -> tuple[F64, F64]:
        """Where the tip is when the hand is just out of the frame, and the direction in which it comes."""
        setting = self._setting
        facing = setting.facing(gesture.seat)
        right = np.asarray([math.cos(facing), math.sin(facing)])
        out = np.asarray([right[1], -right[0]])
        half = np.asarray(setting.table_mm) / 2
        own = np.random.default_rng([setting.seed, 308, gesture.number])
        aside = right * float(own.normal(60, 50))  # most people use their right hand
        body = out * (float(np.abs(out) @ half) + 250.0) + aside
        goal = self._project(*gesture.spots[0][1:]) if gesture.spots else self._project(0.0, 0.0)
        start = self._project(float(body[0]), float(body[1]))
        heading = (goal - start) / max(1.0, float(np.linalg.norm(goal - start)))
        # Backwards from the body until out of the frame.
        spare = _FRAME_SPARE * self._tile_px
        backwards = [
            ((side + spare if step < 0 else -spare) - place) / step
            for place, step, side in zip(start, heading, setting.size, strict=True)
            if abs(step) > 1e-6
        ]
        return np.asarray(start + heading * min(0.0, max(backwards))), np.asarray(heading)

    def _overlay(self, gesture: Gesture) -> Overlay:
        start, heading = self._way(gesture)
        thing, tip = self._hand(gesture.seat)
        size = self._tile_px * _SIZE
        scale = size * thing.wide / thing.colour.shape[1]
        # Rotation and scale about the tip, and room round it all.
        height, width = thing.cover.shape
        source = (tip[0] * width / thing.wide, height / 2 + tip[1] * width / thing.wide)
        c, s = heading * scale
        turn = np.asarray([[c, -s], [s, c]])
        corners = (np.asarray([(0, 0), (width, 0), (width, height), (0, height)]) - source) @ turn.T
        # What would lie beyond where the hand comes from is never seen.
        reach = max((math.dist(self._project(x, y), start) for _, x, y in gesture.spots), default=0.0)
        corners = np.clip(corners, -(reach + 6 * size), reach + 6 * size)
        pad = math.ceil(_PAD * size)
        least = np.floor(corners.min(axis=0)).astype(int) - pad
        most = np.ceil(corners.max(axis=0)).astype(int) + pad
        wide, high = (int(value) for value in most - least)
        shift = -turn @ np.asarray(source) - least
        matrix = np.column_stack([turn, shift])
        premultiplied = cv2.multiply(thing.colour, cv2.merge([thing.cover] * 3), scale=1 / 255)
        add = cv2.warpAffine(premultiplied, matrix, (wide, high), flags=cv2.INTER_LINEAR)
        cover = cv2.warpAffine(thing.cover, matrix, (wide, high), flags=cv2.INTER_LINEAR)
        keep = (255 - np.asarray(cover, np.float32)) * (1 - _DARK * self._shadow(np.asarray(cover, np.uint8)))
        kept = np.asarray(np.rint(keep), np.uint8)
        tip_at = (float(-least[0]), float(-least[1]))
        return Overlay(np.dstack([kept] * 3), np.asarray(add, np.uint8), np.asarray(cover, np.uint8), tip_at)

    def _shadow(self, cover: U8) -> F32:
        """The hand's shadow under it (h, w) 0..1, away from the strongest lamp."""
        lamps = self._setting.light.lamps
        strongest = max(lamps, key=lambda lamp: lamp.strength, default=None)
        fall = np.zeros(2)
        if strongest is not None:
            ends = np.asarray([[0.0, 0.0, HAND_MM], [0.0, 0.0, HAND_MM]])
            ray = ends[0] - strongest.position
            ends[1] += ray * (HAND_MM / max(-ray[2], 1.0))
            seen = self._camera.project(ends)
            fall = np.clip(seen[1] - seen[0], -_PAD * 0.6 * self._tile_px, _PAD * 0.6 * self._tile_px)
        coarse = max(1, round(self._tile_px / 12))
        small = cv2.resize(cover, None, fx=1 / coarse, fy=1 / coarse, interpolation=cv2.INTER_AREA)
        soft = cv2.GaussianBlur(small, (0, 0), max(0.6, 0.3 * self._tile_px / coarse))
        size = (cover.shape[1], cover.shape[0])
        wide = cv2.resize(soft, size, interpolation=cv2.INTER_LINEAR)
        move = np.asarray([[1.0, 0.0, fall[0]], [0.0, 1.0, fall[1]]])
        return np.asarray(cv2.warpAffine(wide, move, size), np.float32) / np.float32(255)

    def _hand(self, seat: int) -> tuple[Thing, tuple[float, float]]:
        """The hand of a seat's player, pointing right, and its tip in tile widths; the arm is long enough."""
        if seat not in self._drawn:
            size = self._tile_px * _SIZE
            rng = np.random.default_rng([self._setting.seed, 309, seat])
            arm = float(np.hypot(*self._setting.size)) / size
            thing, tip = draw_hand(rng, arm, size, most=2 * float(np.hypot(*self._setting.size)))
            self._drawn[seat] = (thing, tip)
        return self._drawn[seat]

    @property
    def _tile_px(self) -> float:
        return self._setting.tile_px

    def _project(self, x: float, y: float) -> F64:
        return np.asarray(self._camera.project(np.asarray([[x, y, HAND_MM]]))[0])
