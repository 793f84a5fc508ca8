"""Light and shadow over a horizontal plane: pools of lamps, cast shadows, darkness beside things."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.geometry import F64, Camera
from vision.synth.lamps import Lamp, Light

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
SHIFT = 4  # fractional bits of polygon corners


@dataclass(frozen=True)
class Caster:
    """A convex thing that throws a shadow: its points (n, 3) in mm."""

    points: F64

    @property
    def top(self) -> float:
        """Height of its highest point above the table, mm."""
        return float(self.points[:, 2].max())


def falloff(lamp: Lamp, points: F64) -> F64:
    """How much of the lamp's light reaches horizontal ground at `points` (n, 3), 1 in the middle (n,)."""
    ray = lamp.position - points
    squared = (ray**2).sum(axis=1)
    here = np.maximum(ray[:, 2], 1.0) / squared**1.5
    middle = lamp.position[2] / float((lamp.position**2).sum()) ** 1.5
    return np.asarray(np.clip(here / middle, 0.35, 1.8))


def table_light(
    camera: Camera, light: Light, casters: Sequence[Caster], shape: tuple[int, int], *, deep: float
) -> F32:
    """The light on the table at each pixel, (h, w, 3) BGR gains; `deep` is a flat tile's thickness in mm."""
    height, width = shape
    near = contact(camera, casters, shape, plane=0.0, reach=deep * 0.35)
    given = [1 - 0.45 * near]
    ground = _ground(camera, shape)
    for lamp in light.lamps:
        pool = falloff(lamp, ground.reshape(-1, 3)).reshape(ground.shape[:2]).astype(np.float32)
        lit = np.asarray(cv2.resize(pool, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)
        lit *= 1 - 0.9 * cast(camera, lamp, casters, shape, plane=0.0, deep=deep)
        lit *= 1 - 0.25 * near
        given.append(lit)
    tones = [np.asarray(light.tint) * light.ambient]
    tones += [np.asarray(lamp.colour) * lamp.strength for lamp in light.lamps]
    return _mixed(given, tones)


def plane_shade(
    camera: Camera,
    light: Light,
    casters: Sequence[Caster],
    shape: tuple[int, int],
    *,
    plane: float,
    deep: float,
) -> F32:
    """Gains (h, w, 3) that things above a plane at the height `plane` (mm) leave to what lies in it."""
    tones = [np.asarray(light.tint) * light.ambient]
    tones += [np.asarray(lamp.colour) * lamp.strength for lamp in light.lamps]
    whole = np.maximum(np.sum(tones, axis=0), 1e-3)
    given = [1 - 0.4 * contact(camera, casters, shape, plane=plane, reach=deep * 0.5)]
    given += [1 - 0.9 * cast(camera, lamp, casters, shape, plane=plane, deep=deep) for lamp in light.lamps]
    return _mixed(given, [tone / whole for tone in tones])


def _mixed(given: Sequence[F32], tones: Sequence[F64]) -> F32:
    """The sum of maps (h, w), each in its tone (3,) BGR."""
    return np.asarray(cv2.transform(np.dstack(given), np.asarray(tones, np.float32).T.copy()), np.float32)


def cast(
    camera: Camera,
    lamp: Lamp,
    casters: Sequence[Caster],
    shape: tuple[int, int],
    *,
    plane: float,
    deep: float,
) -> F32:
    """How much of the lamp is hidden by things above the plane, 0 to 1 (h, w); softer where they are high."""
    low = [caster for caster in casters if caster.top <= plane + deep * 1.6]
    high = [caster for caster in casters if caster.top > plane + deep * 1.6]
    hidden: F32 = np.zeros(shape, np.float32)
    for group in (low, high):
        if not group:
            continue
        mask = np.zeros(shape, np.uint8)
        for caster in group:
            points = caster.points.copy()
            points[:, 2] = np.maximum(points[:, 2], plane)
            ray = points - lamp.position
            points += ray * ((points[:, 2:3] - plane) / np.maximum(-ray[:, 2:3], 1.0))
            fill_hull(mask, camera.project(points))
        rise = 0.6 * float(np.mean([caster.top for caster in group])) - plane
        blur = lamp.size_mm * max(rise, 1.0) / max(lamp.position[2] - rise, 1.0) * 0.35
        hidden = np.maximum(hidden, soft(mask, blur * _scale(camera, plane)))
    return hidden


def contact(
    camera: Camera, casters: Sequence[Caster], shape: tuple[int, int], *, plane: float, reach: float
) -> F32:
    """How near things stand on the plane, 0 to 1 (h, w): light from everywhere is dimmer beside them."""
    mask = np.zeros(shape, np.uint8)
    for caster in casters:
        points = caster.points.copy()
        points[:, 2] = plane
        fill_hull(mask, camera.project(points))
    return soft(mask, max(0.5, reach * _scale(camera, plane)))


def soft(mask: U8, sigma: float) -> F32:
    """The mask as 0 to 1, blurred by `sigma` pixels; wide blurs are made small and enlarged."""
    height, width = mask.shape
    shrink = 2 ** max(0, int(math.log2(max(sigma, 1.0) / 2.5)))
    small = mask
    if shrink > 1:
        size = (max(2, -(-width // shrink)), max(2, -(-height // shrink)))
        small = np.asarray(cv2.resize(mask, size, interpolation=cv2.INTER_AREA), np.uint8)
    blurred = cv2.GaussianBlur(small, (0, 0), max(0.4, sigma / shrink)).astype(np.float32) / 255
    if shrink > 1:
        blurred = np.asarray(cv2.resize(blurred, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)
    return np.asarray(blurred, np.float32)


def fill_hull(mask: U8, points: F64) -> None:
    """Sets the mask to 255 within the convex hull of the pixel positions (n, 2)."""
    bounded = np.clip(points, -8000, 8000)
    hull = np.asarray(cv2.convexHull(bounded.astype(np.float32)).reshape(-1, 2), np.float64)
    cv2.fillConvexPoly(mask, np.round((hull - 0.5) * 2**SHIFT).astype(np.int32), 255, cv2.LINE_AA, SHIFT)


def _scale(camera: Camera, plane: float) -> float:
    """Pixels a millimetre in the middle of the plane."""
    middle = np.asarray([0.0, 0.0, plane])
    return camera.focal_px / max(1.0, float(np.linalg.norm(camera.position - middle)))


def _ground(camera: Camera, shape: tuple[int, int], cells: int = 17) -> F64:
    """Points of the table (cells, cells, 3) under an even grid of pixels, at most 4 m off the camera."""
    height, width = shape
    x, y = np.meshgrid(np.linspace(0, width, cells), np.linspace(0, height, cells))
    local = np.stack([x - camera.centre_px[0], y - camera.centre_px[1], np.full_like(x, camera.focal_px)], 2)
    ray = local @ camera.axes
    ray /= np.linalg.norm(ray, axis=2, keepdims=True)
    reach = np.clip(camera.position[2] / np.maximum(-ray[..., 2:], 1e-3), 0, 4000)
    ground = camera.position + ray * reach
    ground[..., 2] = 0
    return np.asarray(ground)
