"""The camera on the ceiling, and the picture of table and floor before anything lies there."""

from __future__ import annotations

import math
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.geometry import F64, Camera, look_at
from vision.synth.surfaces import floor, surface
from vision.synth.tabletop import Table

U8 = NDArray[np.uint8]

MARKER_MM = 40.0
_SHIFT = 4


def ceiling_camera(rng: np.random.Generator, table: Table, size: tuple[int, int], scale: float) -> Camera:
    """A camera 1 to 2 m above the table that sees its middle, `scale` in pixels per mm on the table."""
    height = rng.uniform(1000, 2000)
    off = rng.normal(0, 0.03, 2) * (table.width, table.depth)
    return look_at(
        target=np.asarray([off[0], off[1], 0.0]),
        tilt=min(0.3, abs(rng.normal(0, 0.08))),
        azimuth=rng.uniform(0, 2 * math.pi),
        roll=float(rng.choice([0, 0, 0.5, 1, 1.5])) * math.pi + rng.normal(0, 0.05),
        distance=height,
        focal_px=scale * height,
        size=size,
        k1=float(np.clip(rng.normal(-0.02, 0.04), -0.12, 0.06)),
    )


def overhead_view(
    rng: np.random.Generator,
    camera: Camera,
    table: Table,
    size: tuple[int, int],
    *,
    about: F64 | None = None,
) -> Camera:
    """The same camera, of whose frame only a piece of `size` about something on the table is kept.

    `about` (2,) mm says about what; it is drawn at random where it is not given.
    """
    spot = _something(rng, table) if about is None else about
    at = camera.project(np.asarray([[spot[0], spot[1], 10.0]]))[0]
    shift = np.asarray(size) * (0.5 + rng.normal(0, 0.12, 2)) - at
    return replace(camera, centre_px=(camera.centre_px[0] + shift[0], camera.centre_px[1] + shift[1]))


def _something(rng: np.random.Generator, table: Table) -> F64:
    racks = table.spots[: table.seats]
    others = table.spots[table.seats :]
    chosen = racks if not others or rng.random() < 0.55 else others
    spot = chosen[int(rng.integers(len(chosen)))]
    if rng.random() < 0.06:
        spot = rng.uniform(-0.5, 0.5, 2) * (table.width, table.depth)
    return spot


def tabletop_picture(
    rng: np.random.Generator, table: Table, camera: Camera, size: tuple[int, int], pixels: float
) -> tuple[U8, float | None]:
    """Table top (h, w, 3 BGR) with the floor and chairs beyond its edge, maybe with markers at its corners.

    And from either edge of the table to the middle of a marker in mm, None without markers.
    """
    top = surface(rng, size, pixels)
    edge = camera.project(_outline(table))
    inside = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillPoly(inside, [_fixed(edge)], 255, cv2.LINE_AA, _SHIFT)
    if inside.min() < 255:
        ground = floor(rng, size, pixels)
        _chairs(rng, ground, table, camera)
        shade = cv2.GaussianBlur(inside, (0, 0), max(1.0, pixels * 0.6)).astype(np.float32) / 255
        ground = (ground * (1 - 0.5 * shade[..., None])).astype(np.uint8)
        share = (inside.astype(np.float32) / 255)[..., None]
        top = (top * share + ground * (1 - share)).astype(np.uint8)
    inset = _markers(rng, top, table, camera) if rng.random() < 0.6 else None
    return np.asarray(top, np.uint8), inset


def _outline(table: Table) -> F64:
    """The table's edge with rounded corners, (n, 3) mm."""
    radius, points = 25.0, []
    for sx, sy, start in ((1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270)):
        for step in (0, 30, 60, 90):
            angle = math.radians(start + step)
            x = sx * (table.width / 2 - radius) + radius * math.cos(angle)
            y = sy * (table.depth / 2 - radius) + radius * math.sin(angle)
            points.append((x, y, 0.0))
    return np.asarray(points)


def _chairs(rng: np.random.Generator, ground: U8, table: Table, camera: Camera) -> None:
    colour = tuple(float(value) for value in rng.uniform(15, 130, 3))
    for side in ((0, -1), (1, 0), (0, 1), (-1, 0)):
        if rng.random() < 0.4:
            continue
        away = np.asarray(side) * (table.width / 2, table.depth / 2) * rng.uniform(1.15, 1.4)
        box = cv2.boxPoints(((0.0, 0.0), (420.0, 420.0), float(rng.normal(0, 6)))).astype(np.float64)
        corners = np.column_stack([box + away, np.full(4, -300.0)])
        cv2.fillPoly(ground, [_fixed(camera.project(corners))], colour, cv2.LINE_AA, _SHIFT)


def _markers(rng: np.random.Generator, image: U8, table: Table, camera: Camera) -> float:
    """The four calibration markers at the corners of the table, each on its white paper; their inset in
    mm.
    """
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    away = float(rng.uniform(45, 70))
    for number, (sx, sy) in enumerate(((-1, 1), (1, 1), (1, -1), (-1, -1))):
        centre = np.asarray([sx * (table.width / 2 - away), sy * (table.depth / 2 - away)])
        sheet = np.full((80, 80, 3), rng.uniform(225, 250), np.uint8)
        sheet[10:70, 10:70] = cv2.aruco.generateImageMarker(book, number, 60)[..., None]
        half = MARKER_MM / 2 * 80 / 60
        angle = rng.normal(0, 0.02)
        c, s = math.cos(angle), math.sin(angle)
        square = np.asarray([(-half, half), (half, half), (half, -half), (-half, -half)])
        corners = np.column_stack([square @ np.asarray([[c, s], [-s, c]]) + centre, np.full(4, 0.3)])
        target = (camera.project(corners) - 0.5).astype(np.float32)
        source = np.asarray([(0, 0), (80, 0), (80, 80), (0, 80)], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(source, target)
        whole = (image.shape[1], image.shape[0])
        cv2.warpPerspective(
            sheet, matrix, whole, dst=image, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_TRANSPARENT
        )
    return away


def _fixed(points: F64) -> NDArray[np.int32]:
    # OpenCV's coordinates are pixel centres, ours count from the corner of the first pixel.
    return np.clip(np.round((points - 0.5) * (1 << _SHIFT)), -(2**24), 2**24).astype(np.int32)
