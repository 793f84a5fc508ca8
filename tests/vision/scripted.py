"""Tiles that are easily drawn, and nets that see them without any training."""

from __future__ import annotations

import math
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.chance import Chance
from vision.judging import Thresholds
from vision.onnx_nets import FaceAnswers, Nets
from vision.quads import CELL
from vision.reader import Adapter, Reader

F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]

GROUND, BODY = 40, 250
INKS = np.asarray([(30, 30, 220), (30, 200, 30), (220, 60, 30), (30, 210, 230)])  # corners in upright order
NUMBER_STEP = 12  # the middle of a scripted tile says its number by its green, its colour by blue and red
NOTHING, BACK = 15, 14


def square_corners(x: float, y: float, *, width: float = 60, degrees: float = 0) -> F32:
    """Corners of a tile about (x, y), upright top left first, turned clockwise."""
    angle = math.radians(degrees)
    turn = np.asarray([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    corners = np.asarray([(-0.5, -0.7), (0.5, -0.7), (0.5, 0.7), (-0.5, 0.7)]) * width
    return np.asarray(corners @ turn + (x, y), np.float32)


def draw_tile(image: U8, quad: F32, number: int, *, blue: bool = False) -> None:
    """A tile that the scripted nets can read: corners in four inks, number and colour in the middle."""
    flat = np.full((140, 100, 3), BODY, np.uint8)
    for (x, y), ink in zip(((0, 0), (75, 0), (75, 115), (0, 115)), INKS, strict=True):
        flat[y : y + 25, x : x + 25] = ink
    middle = (200, NUMBER_STEP * (number + 1), 100) if blue else (100, NUMBER_STEP * (number + 1), 200)
    flat[40:100, 25:75] = middle
    corners = np.asarray([(0, 0), (100, 0), (100, 140), (0, 140)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), (quad - 0.5).astype(np.float32))
    size = (image.shape[1], image.shape[0])
    smooth = cv2.INTER_AREA if cv2.contourArea(quad) < 6000 else cv2.INTER_LINEAR
    cv2.warpPerspective(flat, matrix, size, dst=image, flags=smooth, borderMode=cv2.BORDER_TRANSPARENT)


def table(width: int = 600, height: int = 400) -> U8:
    return np.full((height, width, 3), GROUND, np.uint8)


def parts(image: U8) -> tuple[NDArray[np.int32], int]:
    count, labels = cv2.connectedComponents((image.max(axis=2) > GROUND + 50).astype(np.uint8))
    return np.asarray(labels, np.int32), count


class ScriptedNets:
    """Sees what `draw_tile` drew, and errs as it is told to."""

    def __init__(
        self,
        *,
        upside_down: bool = False,
        twice: bool = False,
        sure: float = 6.0,
        classes: dict[int, int] | None = None,
        features: bool = True,
    ) -> None:
        self.upside_down = upside_down  # the corner net takes every tile for one turned by half
        self.twice = twice  # the finder says everything twice
        self.sure = sure  # logit of what the face net says
        self.classes = classes or {}  # numbers that the face net takes for another class
        self.features = features  # the face net tells them
        self.evidence: list[F32] = []
        self.looked: list[tuple[int, int]] = []  # widths and heights that the finder saw

    def find(self, blob: F32) -> F32:
        self.looked.append((blob.shape[3], blob.shape[2]))
        image = (blob[0].transpose(1, 2, 0)[..., ::-1] * 255).round().astype(np.uint8)
        image[(image == 114).all(axis=2)] = GROUND
        labels, count = parts(image)
        rows = []
        for part in range(1, count):
            y, x = np.nonzero(labels == part)
            wide, tall = float(np.ptp(x)) + 1, float(np.ptp(y)) + 1
            if not 15 <= max(wide, tall) <= 300:
                continue
            middle = (float(x.min()) + wide / 2, float(y.min()) + tall / 2)
            rows.append(
                (middle[0] + 0.08 * wide, middle[1] - 0.08 * tall, wide * 1.1, tall * 0.95, 0.9, 0.05)
            )
            if self.twice:
                rows.append((middle[0] - 0.3 * wide, middle[1], wide, tall, 0.8, 0.05))
        return np.asarray(rows, np.float32).reshape(-1, 6)

    def corners(self, squares: U8) -> tuple[F32, F32]:
        heat = np.zeros((len(squares), 4, 32, 32), np.float32)
        flags = np.full((len(squares), 2), -6, np.float32)
        for index, square in enumerate(squares):
            quad = self._quad(square)
            if quad is None:
                continue
            flags[index, 0] = 6
            cells = np.arange(32) + 0.5
            for corner, (x, y) in enumerate(np.roll(quad, 2, axis=0) if self.upside_down else quad):
                away = (cells[:, None] - y / CELL) ** 2 + (cells[None] - x / CELL) ** 2
                heat[index, corner] = -away / (2 * 0.9**2)
        return heat, flags

    def _quad(self, square: U8) -> F32 | None:
        """The corners of the tile in the middle of a square, by the inks nearest to them."""
        square = square.copy()
        square[(square == 114).all(axis=2)] = GROUND
        labels, _ = parts(square)
        part = int(labels[32, 32])
        if part == 0:
            return None
        points = np.argwhere(labels == part)[:, ::-1].astype(np.float32)
        box = cv2.boxPoints(cv2.minAreaRect(points)) + 0.5
        box += (box - box.mean(axis=0)) / np.linalg.norm(box - box.mean(axis=0), axis=1, keepdims=True) * 0.7
        quad = []
        for ink in INKS:
            alike = np.abs(square.astype(int) - ink).max(axis=2) < 60
            spots = np.argwhere(alike & (labels == part))[:, ::-1]
            if len(spots) == 0:
                return None
            quad.append(box[np.linalg.norm(box - spots.mean(axis=0), axis=1).argmin()])
        return np.asarray(quad, np.float32)

    def faces(self, faces: U8) -> FaceAnswers:
        count = len(faces)
        number, colour = np.zeros((count, 16), np.float32), np.zeros((count, 4), np.float32)
        turned = np.zeros((count, 1), np.float32)
        for index, face in enumerate(faces):
            blue, green, red = face[26:38, 18:30].reshape(-1, 3).mean(axis=0)
            value = min(round(float(green) / NUMBER_STEP) - 1, NOTHING)
            number[index, self.classes.get(value, value)] = self.sure
            colour[index, 2 if blue > red else 0] = 6
            top_left = face[5:11, 4:9].reshape(-1, 3).mean(axis=0)
            turned[index] = 4 if np.abs(top_left - INKS[2]).sum() < np.abs(top_left - INKS[0]).sum() else -4
        # Half of the features say how far the face stands upside down, the rest its number.
        hidden = np.repeat(np.concatenate([turned, number.argmax(axis=1)[:, None]], axis=1), 48, axis=1)
        code = np.pad(colour, ((0, 0), (0, 20)))  # the inks are the colours
        return FaceAnswers(number, colour, turned, code, hidden.astype(np.float32) if self.features else None)

    def inks(self, evidence: F32) -> F32:
        self.evidence.append(evidence)
        return evidence[:, :4]


def reader(
    thresholds: Thresholds | None = None, nets: ScriptedNets | None = None, adapter: Adapter | None = None
) -> Reader:
    scripted = cast("Nets", nets or ScriptedNets())
    return Reader(scripted, thresholds or Thresholds(), Chance(), adapter=adapter)
