"""Reads the tiles of a picture: rough boxes, corners in two looks, faces both ways round, inks together."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.readings import Candidate, PictureReading, SeenTile
from engine.tiles import JOKER, Face, Mark, Seen
from vision.chance import Chance
from vision.classes import BACK, COLOURS, NOTHING
from vision.crops import (
    CORNER_REACH,
    CORNER_SIDE,
    Pyramid,
    apply_affine,
    cut_face,
    cut_square,
    invert_affine,
    square_matrix,
)
from vision.finding import find_boxes
from vision.inks import evidence, measure
from vision.layout import rows
from vision.odds import log_softmax, sigmoid, softmax
from vision.onnx_nets import CARD, ModelError, Nets, default_models, load_card
from vision.quads import decode, shared

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

ALTERNATIVES = 5
BATCH = 64
SMALLEST_SIDE = 8  # pixels
HOPELESS = 0.1  # not centred in the first look: spared the second
SHARED_MOST = 0.4  # of the smaller of two tiles: even a tile put on another leaves more of it in sight


@dataclass(frozen=True)
class Thresholds:
    """Where the reader draws its lines; the card of the weights says them."""

    find: float = 0.1  # a box below it is not looked at
    tile: float = 0.5  # chance that a find is a tile: below it there is none
    read: float = 0.5  # below it a face stays unread


class Reader:
    """Reads pictures with one set of weights. Not to be shared between threads that read at once."""

    def __init__(self, nets: Nets, thresholds: Thresholds, chance: Chance) -> None:
        self.nets = nets
        self.thresholds = thresholds
        self.chance = chance

    @classmethod
    def load(cls, model_dir: Path | None = None, *, threads: int | None = None) -> Reader:
        """The reader with the weights in `model_dir`, by default those that come with the program.

        Raises ModelError when a file is missing or broken.
        """
        folder = model_dir or default_models()
        card = load_card(folder)
        try:
            thresholds, chance = Thresholds(**card.thresholds), Chance(**card.chance)
        except TypeError as error:
            raise ModelError(f"{folder / CARD} has an unknown threshold or weight: {error}") from None
        return cls(Nets(folder, card, threads), thresholds, chance)

    def read(self, image: U8) -> PictureReading:
        """All tiles of a picture (h, w, 3 BGR uint8), row by row as they lie; see engine.readings."""
        height, width = image.shape[:2]
        times: dict[str, float] = {}
        if min(height, width) < SMALLEST_SIDE:
            return PictureReading(width, height, (), times)
        tiles = self._tiles(*self.candidates(image, times))
        times["total"] = round(sum(times.values()), 2)
        order = [index for row in rows([tile.quad for tile in tiles]) for index in row]
        return PictureReading(width, height, tuple(tiles[index] for index in order), times)

    def candidates(self, image: U8, times: dict[str, float] | None = None) -> tuple[Finds, Faces]:
        """All that may be tiles in a picture, and what their faces would be; `times` gets milliseconds."""
        clock = _Clock({} if times is None else times)
        boxes = find_boxes(image, self.nets.find, threshold=self.thresholds.find)
        clock.stop("find")
        pyramid = Pyramid(image)
        finds = self._corners(pyramid, boxes.xyxy, boxes.scores)
        clock.stop("corners")
        faces = self.read_faces([cut_face(pyramid, quad) for quad in finds.quads])
        clock.stop("faces")
        return finds, faces

    def _corners(self, pyramid: Pyramid, xyxy: F32, scores: F32) -> Finds:
        """What may be tiles about the rough boxes (n, 4), cornered in two looks, doubles taken out."""
        sides = np.asarray((xyxy[:, 2:] - xyxy[:, :2]).max(axis=1, initial=1.0) * CORNER_REACH, np.float32)
        middles = np.asarray((xyxy[:, 2:] + xyxy[:, :2]) / 2, np.float32)
        first, fit, centred = self._look(pyramid, middles, sides, np.zeros(len(xyxy), np.float32))
        kept = centred >= HOPELESS
        first, fit, centred, found = first[kept], fit[kept], centred[kept], scores[kept]
        angles, sides = _stance(first)
        second, again, still = self._look(pyramid, first.mean(axis=1), sides, angles)
        # A second look that leaves the tile is worse than the first one.
        wide = np.linalg.norm(first[:, 1] - first[:, 0], axis=1)
        moved = np.linalg.norm(second - first, axis=2).max(axis=1, initial=0) / np.maximum(wide, 1)
        take = (again >= fit * 0.7) & (moved < 0.8)
        quads = np.where(take[:, None, None], second, first)
        fit = np.where(take, again, fit)
        alone = _distinct(quads, np.sqrt(centred * still) * (0.3 + fit) * (0.5 + found))
        return Finds(quads[alone], found[alone], centred[alone], still[alone], fit[alone])

    def _look(self, pyramid: Pyramid, middles: F32, sides: F32, angles: F32) -> tuple[F32, F32, F32]:
        quads, fits, centred = [], [], []
        for start in range(0, len(middles), BATCH):
            part = slice(start, start + BATCH)
            matrices = [
                square_matrix((float(x), float(y)), float(side), float(angle))
                for (x, y), side, angle in zip(middles[part], sides[part], angles[part], strict=True)
            ]
            heat, flags = self.nets.corners(np.stack([cut_square(pyramid, matrix) for matrix in matrices]))
            found, fit = decode(heat)
            quads += [
                apply_affine(invert_affine(matrix), quad)
                for matrix, quad in zip(matrices, found, strict=True)
            ]
            fits.append(fit)
            centred.append(sigmoid(flags[:, 0]))
        if not quads:
            return np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32), np.zeros(0, np.float32)
        return np.stack(quads), np.concatenate(fits), np.concatenate(centred)

    def _tiles(self, finds: Finds, faces: Faces) -> list[SeenTile]:
        tiles = []
        for index, real in enumerate(self.chances(finds, faces)):
            if real < self.thresholds.tile:
                continue
            quad = finds.quads[index]
            upright = np.roll(quad, 2, axis=0) if faces.turned[index] else quad
            seen = (faces.number[index], faces.colour[index])
            tiles.append(_seen_tile(upright, *seen, real=float(real), threshold=self.thresholds.read))
        return tiles

    def chances(self, finds: Finds, faces: Faces) -> F32:
        """How surely each find (n,) is a tile, 0 to 1."""
        return self.chance.of(finds.found, (finds.first, finds.second), finds.fit, faces.number[:, NOTHING])

    def read_faces(self, faces: Sequence[U8]) -> Faces:
        """Reads rectified faces, each (64, 48, 3), both ways round, their inks judged together."""
        if not faces:
            none = (np.zeros((0, NOTHING + 1), np.float32), np.zeros((0, 4), np.float32))
            return Faces(*none, np.zeros(0, np.bool_))
        stack = np.stack(faces)
        parts = [self._read_part(stack[start : start + BATCH]) for start in range(0, len(stack), BATCH)]
        log_number, colour_logits, code, turned = map(np.concatenate, zip(*parts, strict=True))
        number = softmax(log_number)
        inked = np.flatnonzero(number[:, 1:14].sum(axis=1) > 0.5)
        if len(inked):
            seen = evidence(colour_logits[inked], code[inked], measure(stack[inked]))
            colour_logits[inked] = self.nets.inks(seen)
        return Faces(number, softmax(colour_logits), turned)

    def _read_part(self, faces: U8) -> tuple[F32, F32, F32, NDArray[np.bool_]]:
        """Log of number (n, 16), colour logits (n, 4), ink code (n, 8), turned (n,), from both ways round."""
        count = len(faces)
        number, colour, turned, code = self.nets.faces(np.concatenate([faces, faces[:, ::-1, ::-1]]))
        flip = turned[:count, 0] > turned[count:, 0]
        # The look in which the tile stands upright counts more: most of the training saw it so.
        share = np.where(flip, 0.35, 0.65)[:, None]
        log_number = log_softmax(number[:count]) * share + log_softmax(number[count:]) * (1 - share)
        return (
            np.asarray(log_number, np.float32),
            np.asarray((colour[:count] + colour[count:]) / 2, np.float32),
            np.asarray((code[:count] + code[count:]) / 2, np.float32),
            flip,
        )


@dataclass(frozen=True)
class Finds:
    """What may be tiles: quads (n, 4, 2) px, and all (n,) 0 to 1: the finder's score, how centred in the
    first and the second look, how well the corners agree."""

    quads: F32
    found: F32
    first: F32
    second: F32
    fit: F32


@dataclass(frozen=True)
class Faces:
    """Probabilities of faces: number (n, 16), colour (n, 4); and whether each stands upside down (n,)."""

    number: F32
    colour: F32
    turned: NDArray[np.bool_]


def _seen_tile(quad: F32, number: F32, colour: F32, *, real: float, threshold: float) -> SeenTile:
    chances: list[tuple[float, Seen]] = [(float(number[0]), JOKER), (float(number[BACK]), Mark.FACE_DOWN)]
    for value in np.argsort(-number[1:14])[:4] + 1:
        chances += [
            (float(number[value] * colour[i]), Face(slot, int(value))) for i, slot in enumerate(COLOURS)
        ]
    chances.sort(key=lambda chance: -chance[0])
    share = 1 / max(1e-6, 1 - float(number[NOTHING]))
    options = tuple(
        Candidate(face, round(min(1.0, chance * share), 4)) for chance, face in chances[: ALTERNATIVES + 1]
    )
    best = options[0]
    corners = tuple((round(float(x), 2), round(float(y), 2)) for x, y in quad)
    confidence = round(best.confidence * real, 4)
    if confidence < threshold:
        return SeenTile(Mark.UNREAD, corners, confidence, options[:ALTERNATIVES])
    return SeenTile(best.face, corners, confidence, options[1:])


def _stance(quads: F32) -> tuple[F32, F32]:
    """How far each tile (n, 4, 2) must be turned to stand upright (radians), and its square's side."""
    if len(quads) == 0:
        return np.zeros(0, np.float32), np.zeros(0, np.float32)
    top = quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]
    angles = -np.arctan2(top[:, 1], top[:, 0])
    sides = []
    for quad, angle in zip(quads, angles, strict=True):
        turned = apply_affine(square_matrix((0.0, 0.0), CORNER_SIDE, float(angle)), quad)
        sides.append(float((turned.max(axis=0) - turned.min(axis=0)).max()) * CORNER_REACH)
    return angles.astype(np.float32), np.maximum(np.asarray(sides, np.float32), 4.0)


def _distinct(quads: F32, worth: F32) -> list[int]:
    """Indexes of the quads that stay: of two that share too much of a tile, the better one."""
    reach = np.linalg.norm(quads.max(axis=1) - quads.min(axis=1), axis=1)
    middles = quads.mean(axis=1)
    near = np.linalg.norm(middles[:, None] - middles[None], axis=2) < (reach[:, None] + reach[None]) / 2
    kept: list[int] = []
    for index in np.argsort(-worth, kind="stable"):
        rivals = (other for other in kept if near[index, other])
        if not any(shared(quads[index], quads[other]) > SHARED_MOST for other in rivals):
            kept.append(int(index))
    return kept


class _Clock:
    def __init__(self, times: dict[str, float]) -> None:
        self._times = times
        self._last = time.perf_counter()

    def stop(self, name: str) -> None:
        now = time.perf_counter()
        self._times[name] = round((now - self._last) * 1000, 2)
        self._last = now
