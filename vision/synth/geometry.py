"""A pinhole camera over a table, and solid tiles placed in millimetres."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

F64 = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """World (mm: x right, y away, z up) to image pixels (x right, y down)."""

    position: F64  # (3,)
    axes: F64  # (3, 3): rows right, down, forward in world coordinates
    focal_px: float
    centre_px: tuple[float, float]
    k1: float = 0.0

    def project(self, points: F64) -> F64:
        """(n, 3) mm to (n, 2) pixels."""
        local = (points - self.position) @ self.axes.T
        depth = np.maximum(local[:, 2:3], 1.0)
        flat = local[:, :2] / depth
        if self.k1:
            flat = flat * (1 + self.k1 * (flat**2).sum(axis=1, keepdims=True))
        return np.asarray(flat * self.focal_px + np.asarray(self.centre_px))


def look_at(  # noqa: PLR0913 (a camera has as many degrees of freedom)
    *,
    target: F64,
    tilt: float,
    azimuth: float,
    roll: float,
    distance: float,
    focal_px: float,
    size: tuple[int, int],
    off_axis: tuple[float, float] = (0.0, 0.0),
    k1: float = 0.0,
) -> Camera:
    """A camera that sees `target` in the middle of a picture of `size`, `tilt` from straight down (radians).

    `off_axis` turns the optical axis away from the target (in distances to it), as for a piece cut from a
    wider frame.
    """
    from_target = np.asarray(
        [math.sin(tilt) * math.cos(azimuth), math.sin(tilt) * math.sin(azimuth), math.cos(tilt)]
    )
    position = target + from_target * distance
    aim = target + np.asarray([*off_axis, 0.0]) * distance
    forward = (aim - position) / np.linalg.norm(aim - position)
    up = np.asarray([math.sin(roll), math.cos(roll), 0.0]) if tilt < 0.35 else np.asarray([0.0, 0.0, 1.0])
    right = np.cross(forward, up)
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    if tilt >= 0.35 and roll:
        c, s = math.cos(roll), math.sin(roll)
        right, down = right * c + down * s, down * c - right * s
    axes = np.stack([right, down, forward])
    spot = Camera(position, axes, focal_px, (0.0, 0.0), k1).project(target[None])[0]
    centre = (size[0] / 2 - spot[0], size[1] / 2 - spot[1])
    return Camera(position, axes, focal_px, centre, k1)


@dataclass(frozen=True)
class Place:
    """Where a tile belongs on a table: its zone, whose, which group there and which place in the group."""

    kind: str  # rack, meld, discard, wall, atu
    seat: int = 0  # 0: nobody's
    group: int = 0  # number of the meld, tier of a rack, stack of the wall
    index: int = 0
    lean: float = 0.0  # degrees, of a tile on a rack


@dataclass(frozen=True)
class Solid:
    """A tile: its face's centre in mm and its axes (columns right, up, out of the face)."""

    face: str  # r1..k13, *0 or *1, # for a back
    centre: F64  # (3,)
    axes: F64  # (3, 3)
    layer: int = 0  # drawn after lower layers
    place: Place | None = None


def flat_axes(angle: float) -> F64:
    """Axes of a tile lying face up, its up direction turned by `angle` from +y."""
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def leaning_axes(facing: float, lean: float) -> F64:
    """Axes of a tile on a rack facing `facing`, leant by `lean` from the table (0 flat, pi/2 upright)."""
    front = np.asarray([math.cos(facing), math.sin(facing), 0.0])
    up = -front * math.cos(lean) + np.asarray([0.0, 0.0, math.sin(lean)])
    out = front * math.sin(lean) + np.asarray([0.0, 0.0, math.cos(lean)])
    return np.asarray(np.stack([np.cross(up, out), up, out], axis=1))


def box_points(solid: Solid, width: float, height: float, thickness: float, corner: float) -> tuple[F64, F64]:
    """The rounded outline of the face and of the back, (16, 3) each, in mm, clockwise seen on the face."""
    radius = corner * width
    points = []
    for cx, cy, start in ((1, 1, 90), (1, -1, 0), (-1, -1, -90), (-1, 1, -180)):
        for step in (0, 30, 60, 90):
            angle = math.radians(start - step)
            points.append(
                (
                    cx * (width / 2 - radius) + radius * math.cos(angle),
                    cy * (height / 2 - radius) + radius * math.sin(angle),
                )
            )
    outline = np.asarray(points)
    face = solid.centre + outline @ solid.axes[:, :2].T
    return face, face - solid.axes[:, 2] * thickness


def face_quad(solid: Solid, width: float, height: float) -> F64:
    """The face's four corners (4, 3) in mm, upright top left first, clockwise."""
    corners = np.asarray([(-0.5, 0.5), (0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)]) * (width, height)
    return np.asarray(solid.centre + corners @ solid.axes[:, :2].T)
