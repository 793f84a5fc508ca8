"""Reads the tiles of a picture: rough boxes, corners in two looks, faces both ways round, inks together."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.readings import PictureReading
from vision.abreast import abreast, are_tiles
from vision.answers import Answers
from vision.backends import open_backend
from vision.beside import ROUNDS, SURE, beside, bounds
from vision.chance import Chance
from vision.confidence import Confidence, shorter_sides
from vision.crops import (
    CORNER_REACH,
    CORNER_SIDE,
    Pyramid,
    apply_affines,
    cut_face,
    cut_square,
    invert_affines,
    square_matrices,
)
from vision.finding import OVERLAP, Area, Blobs, Boxes, find_boxes
from vision.inks import evidence, measure
from vision.judging import Faces, Finds, Thresholds, chances, joined, judge
from vision.layout import rows
from vision.odds import log_softmax, sigmoid, softmax
from vision.onnx_nets import CARD, ModelError, Nets, default_models, load_card
from vision.quads import SHARED_MOST, decode, distinct
from vision.regions import Region, areas, blanked, in_any
from vision.tiers import better_ways, straightened

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Bools = NDArray[np.bool_]

BATCH = 64
SMALLEST_SIDE = 8  # pixels
LEAST_INK = 12.0  # pixels of a face's shorter side: what is smaller tells nothing of other tiles' inks
SURELY_TILE = 0.9  # less surely one tells nothing either: one print of a cloth may turn all inks
HOPELESS = 0.1  # not centred in the first look: spared the second
LIKELY = 0.5  # how centred a find is in its looks, to say where others stand


class Adapter(Protocol):
    """Makes a reader fit a tile set that it was taught."""

    @property
    def context(self) -> F32 | None:
        """Evidence (m, 30) on inks of the set, among which those of a picture are judged; None for none."""

    def adjust(self, faces: Faces, features: F32, inks: F32) -> Faces:
        """What the faces of a picture are, given the face net's features (n, 96) of each standing upright and
        the evidence on its ink (n, 30) as `vision.inks.evidence` has it."""


class Reader:
    """Reads pictures with one set of weights. Not to be shared between threads that read at once."""

    def __init__(
        self,
        nets: Nets,
        thresholds: Thresholds,
        chance: Chance,
        *,
        confidence: Confidence | None = None,
        adapter: Adapter | None = None,
    ) -> None:
        self.nets = nets
        self.thresholds = thresholds
        self.chance = chance
        self.confidence = confidence
        self.adapter = adapter
        self._blobs = Blobs()

    @classmethod
    def load(
        cls,
        model_dir: Path | None = None,
        *,
        threads: int | None = None,
        backend: str = "onnxruntime",
        adapter: Adapter | None = None,
    ) -> Reader:
        """The reader with the weights in `model_dir`, by default those that come with the program.

        `backend` is one of `vision.backends.BACKENDS`. Raises ModelError when a file is missing or broken,
        the back end is not there, or there is an `adapter` and the weights do not tell what it needs.
        """
        folder = model_dir or default_models()
        card = load_card(folder)
        try:
            thresholds, chance = Thresholds(**card.thresholds), Chance(**card.chance)
            confidence = Confidence(**card.confidence) if card.confidence else None
        except TypeError as error:
            raise ModelError(f"{folder / CARD} has an unknown threshold or weight: {error}") from None
        nets = Nets(folder, card, threads, open_backend(backend, threads))
        if adapter is not None and not nets.tells_features:
            raise _no_features()
        return cls(nets, thresholds, chance, confidence=confidence, adapter=adapter)

    def read(
        self,
        image: U8,
        *,
        regions: Sequence[Region] | None = None,
        masks: Sequence[Region] = (),
        tile_px: tuple[float, float] | None = None,
    ) -> PictureReading:
        """All tiles of a picture (h, w, 3 BGR uint8), row by row as they lie; see engine.readings.

        With `regions` only tiles whose middle lies in one of them are looked for, at native resolution; what
        lies in `masks` is painted over before anything looks at it. `tile_px` may say how narrow and how wide
        the tiles are in pixels: of a large picture less is then looked at.
        """
        height, width = image.shape[:2]
        times: dict[str, float] = {}
        if min(height, width) < SMALLEST_SIDE:
            return PictureReading(width, height, (), times)
        image = blanked(image, masks)
        finds, answers = self.finds(image, times, regions=regions, tile_px=tile_px)
        clock = Clock(times)
        faces, real = self.weighed(answers, finds)
        tiles = judge(finds, faces, real, self.thresholds, self.confidence)
        clock.add("faces")
        times["total"] = round(sum(times.values()), 2)
        order = [index for row in rows([tile.quad for tile in tiles]) for index in row]
        return PictureReading(width, height, tuple(tiles[index] for index in order), times)

    def candidates(
        self, image: U8, times: dict[str, float] | None = None, *, boxes: Boxes | None = None
    ) -> tuple[Finds, Faces]:
        """All that may be tiles in a picture, and what their faces would be; `times` gets milliseconds.

        Who has its rough `boxes` already hands them over.
        """
        finds, answers = self.finds(image, {} if times is None else times, boxes=boxes)
        return finds, self.faces(answers, finds)

    def finds(
        self,
        image: U8,
        times: dict[str, float],
        *,
        regions: Sequence[Region] | None = None,
        tile_px: tuple[float, float] | None = None,
        boxes: Boxes | None = None,
    ) -> tuple[Finds, Answers]:
        """All that may be tiles in a picture or in regions of it, and what the face net says of each."""
        parts = None
        if regions is not None:
            margin = OVERLAP / 2 if tile_px is None else 2 * tile_px[1]
            size = (image.shape[1], image.shape[0])
            parts = areas([region.bounds() for region in regions], size, margin)
        finds, pyramid = self.cornered(image, times, parts=parts, tile_px=tile_px, boxes=boxes)
        if regions is not None:
            finds = finds.where(in_any(regions, finds.quads.mean(axis=1)))
        clock = Clock(times)
        finds, answers = self.in_line(pyramid, finds, self.answers(pyramid, finds.quads))
        clock.add("faces")
        return finds, answers

    def cornered(
        self,
        image: U8,
        times: dict[str, float],
        *,
        parts: Sequence[Area] | None = None,
        tile_px: tuple[float, float] | None = None,
        wanted: Callable[[F32], Bools] | None = None,
        pyramid: Pyramid | None = None,
        boxes: Boxes | None = None,
    ) -> tuple[Finds, Pyramid]:
        """What may be tiles in parts of a picture, and the picture in several sizes to cut from.

        `wanted` says which rough boxes (n, 4: x0 y0 x1 y1) are worth a closer look; a `pyramid` of the
        picture, and its rough `boxes`, are used on.
        """
        clock = Clock(times)
        if boxes is None:
            least, find, blobs = self.thresholds.find, self.nets.find, self._blobs
            boxes = find_boxes(image, find, threshold=least, parts=parts, tile_px=tile_px, blobs=blobs)
        take = np.ones(len(boxes.scores), np.bool_) if wanted is None else wanted(boxes.xyxy)
        clock.add("find")
        pyramid = pyramid or Pyramid(image)
        finds = self._corners(pyramid, boxes.xyxy[take], boxes.scores[take], wanted)
        clock.add("corners")
        return finds, pyramid

    def _corners(
        self, pyramid: Pyramid, xyxy: F32, scores: F32, wanted: Callable[[F32], Bools] | None
    ) -> Finds:
        """What may be tiles about the rough boxes (n, 4), cornered in two looks, doubles taken out."""
        sides = np.asarray((xyxy[:, 2:] - xyxy[:, :2]).max(axis=1, initial=1.0) * CORNER_REACH, np.float32)
        middles = np.asarray((xyxy[:, 2:] + xyxy[:, :2]) / 2, np.float32)
        first, fit, centred = self._look(pyramid, middles, sides, np.zeros(len(xyxy), np.float32))
        kept = centred >= HOPELESS
        first, fit, centred, found = first[kept], fit[kept], centred[kept], scores[kept]
        for _ in range(ROUNDS):
            places = beside(first, centred)
            if wanted is not None:
                places = places[wanted(bounds(places))]
            if len(places) == 0:
                break
            angles, sides = _stance(places)
            more, more_fit, more_centred = self._look(pyramid, places.mean(axis=1), sides, angles)
            real = more_centred >= SURE
            if not real.any():
                break
            first, fit = np.concatenate([first, more[real]]), np.concatenate([fit, more_fit[real]])
            centred = np.concatenate([centred, more_centred[real]])
            # The finder said nothing there, or too little.
            found = np.concatenate([found, np.full(int(real.sum()), self.thresholds.find, np.float32)])
        owners, places, usual = abreast(first, centred >= SURE)
        if len(owners) > 0:
            angles, sides = _stance(places)
            looks, looks_fit, at = self._look(pyramid, places.mean(axis=1), sides, angles)
            real = (at >= SURE) & are_tiles(looks, places, usual)
            kept = ~np.isin(np.arange(len(first)), owners[real])
            first = np.concatenate([first[kept], looks[real]])
            fit = np.concatenate([fit[kept], looks_fit[real]])
            centred = np.concatenate([centred[kept], at[real]])
            found = np.concatenate([found[kept], found[owners[real]]])
        angles, sides = _stance(first)
        second, again, still = self._look(pyramid, first.mean(axis=1), sides, angles)
        # A second look that leaves the tile is worse than the first one.
        wide = np.linalg.norm(first[:, 1] - first[:, 0], axis=1)
        moved = np.linalg.norm(second - first, axis=2).max(axis=1, initial=0) / np.maximum(wide, 1)
        take = (again >= fit * 0.7) & (moved < 0.8)
        quads = np.where(take[:, None, None], second, first)
        fit = np.where(take, again, fit)
        alone = distinct(quads, np.sqrt(centred * still) * (0.3 + fit) * (0.5 + found), SHARED_MOST)
        return Finds(quads[alone], found[alone], centred[alone], still[alone], fit[alone])

    def _look(self, pyramid: Pyramid, middles: F32, sides: F32, angles: F32) -> tuple[F32, F32, F32]:
        matrices = square_matrices(middles, sides, angles)
        quads, fits = [np.zeros((0, 4, 2), np.float32)], [np.zeros(0, np.float32)]
        centred = [np.zeros(0, np.float32)]
        for start in range(0, len(middles), BATCH):
            part = matrices[start : start + BATCH]
            heat, flags = self.nets.corners(np.stack([cut_square(pyramid, matrix) for matrix in part]))
            found, fit = decode(heat)
            quads.append(apply_affines(invert_affines(part), found))
            fits.append(fit)
            centred.append(sigmoid(flags[:, 0]))
        return np.concatenate(quads), np.concatenate(fits), np.concatenate(centred)

    def read_faces(self, faces: Sequence[U8]) -> Faces:
        """Reads rectified faces, each (64, 48, 3), both ways round, their inks judged together."""
        parts = [
            self._answers(np.stack(faces[start : start + BATCH])) for start in range(0, len(faces), BATCH)
        ]
        return self.faces(Answers.joined(parts or [Answers.none()]))

    def answers(self, pyramid: Pyramid, quads: F32) -> Answers:
        """What the face net says of the faces in the quads (n, 4, 2) of a picture."""
        parts = [
            self._answers(np.stack([cut_face(pyramid, quad) for quad in quads[start : start + BATCH]]))
            for start in range(0, len(quads), BATCH)
        ]
        return Answers.joined(parts or [Answers.none()])

    def in_line(
        self, pyramid: Pyramid, finds: Finds, answers: Answers, wanted: Bools | None = None
    ) -> tuple[Finds, Answers]:
        """The finds, some moved to where those beside them say that they stand, if their faces are read more
        surely so; those over two tiles come twice, the second time after all others.

        `wanted` (n,) may say which of them may be moved.
        """
        sure = np.sqrt(finds.first * finds.second) >= LIKELY
        places, quads = straightened(finds.quads, sure, wanted)
        if len(places) == 0:
            return finds, answers
        others = self.answers(pyramid, quads)
        better, beside = better_ways(places, quads, others.surest, answers.surest)
        at, twice = places[better], places[beside]
        moved = finds.quads.copy()
        moved[at] = quads[better]
        # A quad over two tiles becomes both.
        finds = joined(replace(finds, quads=moved), replace(finds.where(twice), quads=quads[beside]))
        return finds, Answers.joined([answers.put(at, others.where(better)), others.where(beside)])

    def weighed(self, answers: Answers, finds: Finds) -> tuple[Faces, F32]:
        """The faces of one picture's finds, and how surely each find (n,) is a tile."""
        real = chances(finds, _uncoloured(answers), self.chance)
        faces = self.faces(answers, finds, real)
        # Of what a taught set changes a find's chance depends on the numbers.
        return faces, real if self.adapter is None else chances(finds, faces, self.chance)

    def faces(self, answers: Answers, finds: Finds | None = None, real: F32 | None = None) -> Faces:
        """The faces of one picture's finds, their inks judged together, as the adapter knows the set.

        Inks are judged against those of finds that are surely tiles and not too small to show theirs: without
        `finds` of all. Whoever knows how surely the nets alone take each for a tile says so as `real` (n,).
        """
        if len(answers.turned) == 0:
            return Faces(np.exp(answers.log_number), answers.colour, answers.turned, answers.agree)
        plain = _uncoloured(answers)
        number, colour = plain.number, answers.colour.copy()
        inked = number[:, 1:14].sum(axis=1) > 0.5
        clear = inked
        if finds is not None:
            known = chances(finds, plain, self.chance) if real is None else real
            clear = inked & (known >= SURELY_TILE) & (shorter_sides(finds.quads) >= LEAST_INK)
        seen = evidence(answers.code, answers.measured)
        if clear.any():
            colour[clear] = self._inks(seen[clear])
        if (inked & ~clear).any():
            colour[inked & ~clear] = self._inks(seen[inked])[~clear[inked]]
        faces = replace(plain, colour=softmax(colour))
        if self.adapter is None:
            return faces
        if answers.hidden is None:
            raise _no_features()
        return self.adapter.adjust(faces, answers.hidden, seen)

    def _inks(self, seen: F32) -> F32:
        """Logits of the colours (n, 4) of a picture's inks, judged among those of the set that was taught."""
        context = None if self.adapter is None else self.adapter.context
        if context is None:
            return self.nets.inks(seen)
        return self.nets.inks(np.concatenate([seen, context]))[: len(seen)]

    def _answers(self, faces: U8) -> Answers:
        """The answers to faces (n, 64, 48, 3), from both ways round."""
        count = len(faces)
        number, colour, turned, code, *rest = self.nets.faces(np.concatenate([faces, faces[:, ::-1, ::-1]]))
        flip = turned[:count, 0] > turned[count:, 0]
        # The look in which the tile stands upright counts more: most of the training saw it so.
        share = np.where(flip, 0.35, 0.65)[:, None]
        first, second = log_softmax(number[:count]), log_softmax(number[count:])
        log_number = np.asarray(first * share + second * (1 - share), np.float32)
        likeliest = (np.arange(count), log_number.argmax(axis=1))
        hidden = rest[0] if rest else None
        return Answers(
            log_number,
            np.asarray((colour[:count] + colour[count:]) / 2, np.float32),
            np.asarray((code[:count] + code[count:]) / 2, np.float32),
            measure(faces),
            flip,
            np.exp(np.minimum(first[likeliest], second[likeliest])),
            None if hidden is None else np.where(flip[:, None], hidden[count:], hidden[:count]),
        )


def _uncoloured(answers: Answers) -> Faces:
    """The faces as the face net alone has them, before their inks are judged."""
    number, body = softmax(answers.log_number), answers.measured[:, 3:]
    return Faces(number, answers.colour, answers.turned, answers.agree, body)


def _no_features() -> ModelError:
    return ModelError(
        "these weights do not tell the features that a taught tile set needs (faces.onnx has no output "
        "`hidden`): export them anew with `remi export`, or read without the tile set"
    )


def _stance(quads: F32) -> tuple[F32, F32]:
    """How far each tile (n, 4, 2) must be turned to stand upright (radians), and its square's side."""
    top = quads[:, 1] - quads[:, 0] + quads[:, 2] - quads[:, 3]
    angles = -np.arctan2(top[:, 1], top[:, 0])
    still = np.zeros((len(quads), 2), np.float32)
    turned = apply_affines(square_matrices(still, np.full(len(quads), CORNER_SIDE), angles), quads)
    sides = (turned.max(axis=1) - turned.min(axis=1)).max(axis=1) * CORNER_REACH
    return angles.astype(np.float32), np.maximum(sides, 4.0).astype(np.float32)


class Clock:
    """Adds to a table of times the milliseconds since it was started or last asked."""

    def __init__(self, times: dict[str, float]) -> None:
        self._times = times
        self._last = time.perf_counter()

    def add(self, name: str) -> None:
        """Books the time under a name."""
        now = time.perf_counter()
        self._times[name] = round(self._times.get(name, 0.0) + (now - self._last) * 1000, 2)
        self._last = now
