"""Training samples cut from rendered scenes, anew each time: squares for corners, upright faces."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.classes import BACK, COLOURS, NOTHING
from vision.crops import CORNER_REACH, CORNER_SIDE, Pyramid, apply_affine, cut_face, cut_square, square_matrix
from vision.quads import box_corners
from vision.synth.dataset import HELD_BACK, read_labels
from vision.training.mining import NONE, FalseFinds, read_false, read_found

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
I64 = NDArray[np.int64]
Sample = TypeVar("Sample")


@dataclass(frozen=True)
class Tiles:
    """The tiles of a scene: quads (n, 4, 2) px, numbers (n,) 0..14, colours (n,) 0..3 or -1, visible (n,).

    `false` are places that earlier nets took for tiles, `found` the quads (4, 2) they gave to some tiles.
    """

    quads: F32
    numbers: I64
    colours: I64
    visible: F32
    false: FalseFinds = NONE
    found: Mapping[int, F32] = field(default_factory=dict)


class Scenes:
    """One rendered set or several; pictures are decoded once into a file that is mapped, not read."""

    def __init__(self, *folders: Path, hold_out: int = HELD_BACK, validation: bool = False) -> None:
        self.tiles: list[Tiles] = []
        self._images: list[tuple[NDArray[np.uint8], int]] = []  # a set's pictures, and which of them
        for folder in folders:
            entries = list(read_labels(folder))
            kept = range(len(entries))[-hold_out:] if validation else range(len(entries))[:-hold_out]
            false, found = read_false(folder), read_found(folder)
            pixels = _mapped(folder, [entry["image"] for entry in entries])
            for index in kept:
                entry = entries[index]
                name = entry["image"]
                self.tiles.append(_tiles(entry["tiles"], false.get(name, NONE), found.get(name, {})))
                self._images.append((pixels, index))

    def __len__(self) -> int:
        return len(self.tiles)

    def image(self, index: int) -> U8:
        """The picture (h, w, 3) BGR of scene `index`."""
        pixels, at = self._images[index]
        return np.asarray(pixels[at])


def _tiles(entries: list[dict[str, object]], false: FalseFinds, found: Mapping[int, F32]) -> Tiles:
    quads = np.asarray([entry["quad"] for entry in entries], np.float32).reshape(-1, 4, 2)
    faces = [str(entry["face"]) for entry in entries]
    numbers = [0 if face == "*" else BACK if face == "#" else int(face[1:]) for face in faces]
    colours = [COLOURS.index(face[0]) if face[0] in COLOURS else -1 for face in faces]
    visible = np.asarray([entry["visible"] for entry in entries], np.float32)
    return Tiles(quads, np.asarray(numbers, np.int64), np.asarray(colours, np.int64), visible, false, found)


def _mapped(folder: Path, names: list[str]) -> NDArray[np.uint8]:
    path = folder / f"pixels-{len(names)}.npy"
    if not path.exists():
        first = cv2.imread(str(folder / names[0]))
        if first is None:
            raise FileNotFoundError(folder / names[0])
        # Corner net and face net may be trained side by side, and both need it at once.
        part = path.with_suffix(f".{os.getpid()}.part.npy")
        pixels = np.lib.format.open_memmap(part, mode="w+", dtype=np.uint8, shape=(len(names), *first.shape))
        for index, name in enumerate(names):
            pixels[index] = cv2.imread(str(folder / name))
        pixels.flush()
        part.replace(path)
    return np.asarray(np.load(path, mmap_mode="r"))


def _mixed(
    scenes: Scenes, batch: int, seed: int, cut: Callable[[U8, Tiles, np.random.Generator], list[Sample]]
) -> Iterator[list[Sample]]:
    """Endless lists of `batch` samples, several scenes mixed in each."""
    rng = np.random.default_rng(seed)
    pool: list[Sample] = []
    while True:
        while len(pool) < batch * 6:
            index = int(rng.integers(len(scenes)))
            pool += cut(scenes.image(index), scenes.tiles[index], rng)
        order = rng.permutation(len(pool))
        yield [pool[i] for i in order[:batch]]
        pool = [pool[i] for i in order[batch:]]


# --- corner net ---


@dataclass(frozen=True)
class CornerBatch:
    """Squares (b, 64, 64, 3), corners (b, 4, 2) in their pixels, centred (b,) 0/1, down (b,) 0/1 or -1."""

    squares: U8
    corners: F32
    centred: F32
    down: F32


def corner_batches(scenes: Scenes, batch: int, seed: int) -> Iterator[CornerBatch]:
    """Endless batches: rough boxes about tiles (jittered as a finder errs), and boxes about nothing."""
    for picked in _mixed(scenes, batch, seed, _corner_samples):
        squares, corners, centred, down = zip(*picked, strict=True)
        yield CornerBatch(
            np.stack(squares),
            np.stack(corners),
            np.asarray(centred, np.float32),
            np.asarray(down, np.float32),
        )


def _corner_samples(image: U8, tiles: Tiles, rng: np.random.Generator) -> list[tuple[U8, F32, float, float]]:
    pyramid = Pyramid(image)
    samples = []
    usable = np.flatnonzero(tiles.visible >= 0.4)
    for index in rng.permutation(usable)[:24]:
        quad = tiles.quads[index]
        # Half the squares are turned so that the tile stands nearly upright, as in the second look.
        top = quad[1] - quad[0]
        angle = (
            -math.atan2(float(top[1]), float(top[0])) + rng.normal(0, 0.12)
            if rng.random() < 0.4
            else rng.uniform(0, 2 * math.pi)
        )
        side, centre = _rough(quad, angle, rng, shift=0.14, scale=0.18)
        matrix = square_matrix(centre, side, angle)
        samples.append(
            (
                cut_square(pyramid, matrix),
                apply_affine(matrix, quad),
                1.0,
                float(tiles.numbers[index] == BACK),
            )
        )
    empty = [_empty_square(pyramid, image, tiles, rng) for _ in range(max(4, len(samples) // 6))]
    for corners in box_corners(rng.permutation(tiles.false.boxes)[:6]):
        angle = rng.uniform(0, 2 * math.pi)
        side, centre = _rough(corners, 0.0, rng, shift=0.08, scale=0.12)
        empty.append(cut_square(pyramid, square_matrix(centre, side, angle)))
    nowhere = np.zeros((4, 2), np.float32)
    return samples + [(square, nowhere, 0.0, -1.0) for square in empty if square is not None]


def _rough(
    quad: F32, angle: float, rng: np.random.Generator, *, shift: float, scale: float
) -> tuple[float, tuple[float, float]]:
    """Side (px) and centre of a square about a box that is wrong by `shift` of its size and `scale`."""
    turned = apply_affine(square_matrix((0.0, 0.0), CORNER_SIDE, angle), quad)
    size = turned.max(axis=0) - turned.min(axis=0)
    longer = float(size.max())
    middle = quad.mean(axis=0) + rng.uniform(-shift, shift, 2) * longer
    return longer * CORNER_REACH * float(np.exp(rng.uniform(-scale, scale))), (
        float(middle[0]),
        float(middle[1]),
    )


def _empty_square(pyramid: Pyramid, image: U8, tiles: Tiles, rng: np.random.Generator) -> U8 | None:
    """A square whose middle is no tile's middle: table, clutter, a seam between tiles, a corner of one."""
    height, width = image.shape[:2]
    if len(tiles.quads) and rng.random() < 0.6:
        quad = tiles.quads[rng.integers(len(tiles.quads))]
        longer = float((quad.max(axis=0) - quad.min(axis=0)).max())
        spot = quad.mean(axis=0) + np.asarray(
            [math.cos(a := rng.uniform(0, 2 * math.pi)), math.sin(a)]
        ) * longer * rng.uniform(0.4, 0.8)
        side = longer * CORNER_REACH * float(np.exp(rng.uniform(-0.5, 0.5)))
    else:
        spot = rng.uniform(0, 1, 2) * (width, height)
        side = float(np.exp(rng.uniform(math.log(40), math.log(300))))
    for quad in tiles.quads:
        short = min(float(np.linalg.norm(quad[1] - quad[0])), float(np.linalg.norm(quad[2] - quad[1])))
        if float(np.linalg.norm(quad.mean(axis=0) - spot)) < 0.42 * short:
            return None
    return cut_square(
        pyramid, square_matrix((float(spot[0]), float(spot[1])), side, rng.uniform(0, 2 * math.pi))
    )


# --- face net ---

AS_FOUND = 0.5  # how often a tile is cut with the corners that earlier nets gave it, where they are known


@dataclass(frozen=True)
class FaceBatch:
    """Faces (b, 64, 48, 3), numbers (b,) 0..15, colours (b,) 0..3, turned (b,) 0/1; -1: no meaning."""

    faces: U8
    numbers: I64
    colours: I64
    turned: I64


def face_batches(scenes: Scenes, batch: int, seed: int) -> Iterator[FaceBatch]:
    """Endless batches of faces cut with corners as wrong as the corner net's; some upside down, some none."""
    for picked in _mixed(scenes, batch, seed, _face_samples):
        faces, numbers, colours, turned = zip(*picked, strict=True)
        yield FaceBatch(
            np.stack(faces),
            np.asarray(numbers, np.int64),
            np.asarray(colours, np.int64),
            np.asarray(turned, np.int64),
        )


def noisy_quad(quad: F32, rng: np.random.Generator, *, spread: float) -> F32:
    """Corners moved by about `spread` of the face's width, together and each for itself."""
    wide = float(np.linalg.norm(quad[1] - quad[0]))
    own = rng.normal(0, spread, (4, 2)) * wide
    common = rng.normal(0, spread * 0.5, (1, 2)) * wide
    grow = 1 + rng.normal(0, spread)
    middle = quad.mean(axis=0, keepdims=True)
    return np.asarray((quad - middle) * grow + middle + own + common, np.float32)


def seen_quad(tiles: Tiles, index: int, rng: np.random.Generator, *, worst: float) -> F32:
    """Corners (4, 2) px of a tile as a reader would have them: half of them as one had, else moved at random.

    `worst` is the spread of every fifth of those moved, in widths of the face; the others have 0.03. A reader
    errs in ways of its own, such as taking a bright wall for a part of the face.
    """
    if index in tiles.found and rng.random() < AS_FOUND:
        return noisy_quad(tiles.found[index], rng, spread=0.015)
    return noisy_quad(tiles.quads[index], rng, spread=0.03 if rng.random() < 0.8 else worst)


def _face_samples(image: U8, tiles: Tiles, rng: np.random.Generator) -> list[tuple[U8, int, int, int]]:
    pyramid = Pyramid(image)
    samples = []
    for index in rng.permutation(np.flatnonzero(tiles.visible >= 0.55))[:28]:
        number = int(tiles.numbers[index])
        quad = seen_quad(tiles, int(index), rng, worst=0.06)
        turned = int(rng.random() < 0.35)
        if turned:
            quad = np.roll(quad, 2, axis=0)
        samples.append(
            (cut_face(pyramid, quad), number, int(tiles.colours[index]), turned if number != BACK else -1)
        )
    empty = [_no_face(image, tiles, rng) for _ in range(max(2, len(samples) // 12))]
    empty += [noisy_quad(quad, rng, spread=0.05) for quad in rng.permutation(tiles.false.quads)[:4]]
    samples += [(cut_face(pyramid, quad), NOTHING, -1, -1) for quad in empty if quad is not None]
    return samples


def _no_face(image: U8, tiles: Tiles, rng: np.random.Generator) -> F32 | None:
    """A tile-shaped quad that is no tile: between tiles, across a seam, on a wall, on clutter."""
    height, width = image.shape[:2]
    angle = rng.uniform(0, 2 * math.pi)
    if len(tiles.quads) and rng.random() < 0.7:
        base = tiles.quads[rng.integers(len(tiles.quads))]
        shift = (
            np.asarray([math.cos(angle), math.sin(angle)])
            * float(np.linalg.norm(base[1] - base[0]))
            * rng.uniform(0.6, 1.2)
        )
        quad = (base + shift).astype(np.float32)
    else:
        wide = float(np.exp(rng.uniform(math.log(14), math.log(120))))
        spot = rng.uniform(0, 1, 2) * (width, height)
        c, s = math.cos(angle), math.sin(angle)
        corners = np.asarray([(-0.5, -0.7), (0.5, -0.7), (0.5, 0.7), (-0.5, 0.7)]) * wide
        quad = (corners @ np.asarray([[c, s], [-s, c]]) + spot).astype(np.float32)
    middle = quad.mean(axis=0)
    for other in tiles.quads:
        if float(np.linalg.norm(other.mean(axis=0) - middle)) < 0.5 * float(
            np.linalg.norm(other[1] - other[0])
        ):
            return None
    return quad
