"""Cuts the small pictures that the nets see: a square about a rough box, and a face made upright."""

from __future__ import annotations

import math
from math import dist

import cv2
import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]

CORNER_SIDE = 64  # pixels of the corner net's square
CORNER_REACH = 1.7  # its side, in longer sides of the rough box
FACE_SIZE = (48, 64)  # (w, h) pixels of the face net's picture
FACE_MARGIN = 0.06  # of the picture's width and height, left round the face
BEYOND = (114, 114, 114)  # grey where there is no picture


class Pyramid:
    """An image and its halvings, so that a crop is never cut from much finer pixels than it has."""

    def __init__(self, image: U8) -> None:
        self.levels: list[U8] = [image]

    def level(self, shrink: float) -> tuple[U8, F64]:
        """The level to cut from when `shrink` source pixels fall on one, and its scale in x and y (2,)."""
        image = self.halved(max(0, math.floor(math.log2(max(shrink, 1e-6)) + 0.35)))
        whole = self.levels[0]
        # Odd sides lose a pixel when halved, so the two scales may differ a little.
        return image, np.asarray([image.shape[1] / whole.shape[1], image.shape[0] / whole.shape[0]])

    def halved(self, steps: int) -> U8:
        """The image halved so many times, or as often as something is left of it."""
        while len(self.levels) <= steps and min(self.levels[-1].shape[:2]) >= 16:
            height, width = self.levels[-1].shape[:2]
            half = cv2.resize(self.levels[-1], (width // 2, height // 2), interpolation=cv2.INTER_AREA)
            self.levels.append(np.asarray(half, np.uint8))
        return self.levels[min(steps, len(self.levels) - 1)]


def square_matrix(
    centre: tuple[float, float], side: float, angle: float = 0.0, *, pixels: int = CORNER_SIDE
) -> F32:
    """(2, 3) from source pixels to a square of `pixels` a side that shows `side` of them about `centre`.

    `angle` (radians) turns the picture clockwise by it.
    """
    scale = pixels / side
    c, s = math.cos(angle) * scale, math.sin(angle) * scale
    x, y = centre
    middle = pixels / 2
    return np.asarray([[c, -s, middle - c * x + s * y], [s, c, middle - s * x - c * y]], np.float32)


def square_matrices(centres: F32, sides: F32, angles: F32, *, pixels: int = CORNER_SIDE) -> F32:
    """`square_matrix` of each centre (n, 2), side (n,) and angle (n,): (n, 2, 3)."""
    scale = pixels / sides.astype(np.float64)
    c, s = np.cos(angles.astype(np.float64)) * scale, np.sin(angles.astype(np.float64)) * scale
    x, y = centres.astype(np.float64).T
    middle = pixels / 2
    rows = [[c, -s, middle - c * x + s * y], [s, c, middle - s * x - c * y]]
    return np.asarray(np.moveaxis(np.asarray(rows), 2, 0), np.float32)


def cut_square(pyramid: Pyramid, matrix: F32, *, pixels: int = CORNER_SIDE) -> U8:
    """The (pixels, pixels, 3) square of `square_matrix`; grey beyond the picture's edge."""
    (a, b, x), (c, d, y) = matrix.tolist()
    image, (across, down) = pyramid.level(1 / max(1e-6, math.hypot(a, c)))
    a, b, c, d = a / across, b / down, c / across, d / down
    # Coordinates are continuous (pixel i spans i to i + 1); OpenCV's are pixel centres.
    local = np.asarray([[a, b, x + ((a + b) * 0.5 - 0.5)], [c, d, y + ((c + d) * 0.5 - 0.5)]])
    size = (pixels, pixels)
    square = cv2.warpAffine(image, local, size, borderMode=cv2.BORDER_CONSTANT, borderValue=BEYOND)
    return np.asarray(square, np.uint8)


def cut_face(pyramid: Pyramid, quad: F32) -> U8:
    """The face within `quad` (4, 2: upright top left first, clockwise) as (64, 48, 3) with a small margin."""
    width, height = FACE_SIZE
    one, two, three, four = quad.tolist()
    wide, tall = max(dist(one, two), dist(three, four)), max(dist(one, four), dist(two, three))
    image, scale = pyramid.level(min(wide / width, tall / height))
    left, top = width * FACE_MARGIN, height * FACE_MARGIN
    right, bottom = width - left, height - top
    target = np.asarray([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32) - 0.5
    source = (quad * scale - 0.5).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source, target.astype(np.float32))
    face = cv2.warpPerspective(image, matrix, FACE_SIZE, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(face, np.uint8)


def apply_affines(matrices: F32, points: F32) -> F32:
    """Each of the points (n, k, 2) through its own of the matrices (n, 2, 3)."""
    turned = points @ matrices[:, :, :2].transpose(0, 2, 1)
    return np.asarray(turned + matrices[:, None, :, 2], np.float32)


def invert_affines(matrices: F32) -> F32:
    """The way back through each of the matrices (n, 2, 3)."""
    wide = matrices.astype(np.float64)
    back = np.linalg.inv(wide[:, :, :2])
    return np.asarray(np.concatenate([back, -back @ wide[:, :, 2:]], axis=2), np.float32)


def apply_affine(matrix: F32, points: F32) -> F32:
    """(n, 2) points through a (2, 3) matrix."""
    return np.asarray(points @ matrix[:, :2].T + matrix[:, 2], np.float32)


def invert_affine(matrix: F32) -> F32:
    """The way back through a (2, 3) matrix."""
    return np.asarray(cv2.invertAffineTransform(matrix.astype(np.float64)), np.float32)
