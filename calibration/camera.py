"""A pinhole camera over the table: its lens, where it hangs, and the way between pixels and millimetres.

Table: millimetres, origin in the middle of the table top, x to the right and y away from seat 1, z up.
Pixels: (0, 0) is the outer corner of the first pixel, so that its centre is (0.5, 0.5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

ASSUMED_VIEW_DEG: Final = 68.0
"""The horizontal angle of view of a lens that nobody measured: that of most webcams, give or take 12
degrees.
"""

LensSource = Literal["charuco", "height", "assumed", "given"]


@dataclass(frozen=True, slots=True)
class Lens:
    """Focal lengths and principal point in pixels, distortion (k1, k2, p1, p2, k3), and where they come
    from.
    """

    focal: tuple[float, float]
    centre: tuple[float, float]
    distortion: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0)
    source: LensSource = "assumed"
    rms_px: float = 0.0

    @property
    def matrix(self) -> Floats:
        """(3, 3): from rays to pixels."""
        return np.asarray(
            [[self.focal[0], 0.0, self.centre[0]], [0.0, self.focal[1], self.centre[1]], [0.0, 0.0, 1.0]]
        )


@dataclass(frozen=True, slots=True)
class Pose:
    """Where the camera is: a point p of the table is `rotation` p + `shift` for it (x right, y down, z
    ahead).
    """

    rotation: tuple[tuple[float, float, float], ...]
    shift: tuple[float, float, float]

    @property
    def position(self) -> Floats:
        """(3,): the camera in millimetres of the table."""
        turned: Floats = -np.asarray(self.rotation).T @ np.asarray(self.shift)
        return turned

    @property
    def tilt_deg(self) -> float:
        """How far the camera looks away from straight down."""
        return math.degrees(math.acos(min(1.0, max(-1.0, -self.rotation[2][2]))))


def assumed_lens(size: tuple[int, int], *, view_deg: float = ASSUMED_VIEW_DEG) -> Lens:
    """A lens without distortion for frames of `size` (width, height) in pixels, from its angle of view."""
    focal = size[0] / 2 / math.tan(math.radians(view_deg) / 2)
    return Lens((focal, focal), (size[0] / 2, size[1] / 2))


def make_pose(rotation: ArrayLike, shift: ArrayLike) -> Pose:
    """The pose of a rotation matrix (3, 3) or vector (3,) and a shift (3,) in millimetres."""
    import cv2

    turn = np.asarray(rotation, np.float64)
    if turn.size == 3:
        turn = np.asarray(cv2.Rodrigues(turn.reshape(3))[0], np.float64)
    x, y, z = (float(value) for value in np.asarray(shift, np.float64).reshape(3))
    rows = tuple((float(row[0]), float(row[1]), float(row[2])) for row in turn.reshape(3, 3))
    return Pose(rows, (x, y, z))


def to_px(points: ArrayLike, lens: Lens, pose: Pose) -> Floats:
    """Where the camera sees points (..., 3) of the table, in millimetres: (..., 2) in pixels."""
    import cv2

    at = np.asarray(points, np.float64)
    turn, _ = cv2.Rodrigues(np.asarray(pose.rotation))
    seen, _ = cv2.projectPoints(
        at.reshape(-1, 1, 3), turn, np.asarray(pose.shift), lens.matrix, np.asarray(lens.distortion)
    )
    return np.asarray(seen, np.float64).reshape(*at.shape[:-1], 2)


def to_mm(points: ArrayLike, lens: Lens, pose: Pose, *, height_mm: ArrayLike = 0.0) -> Floats:
    """Where lines of sight through pixels (..., 2) meet the plane `height_mm` over the table: (..., 2) in mm.

    `height_mm` is one height or one for each point. A pixel that looks at or over the horizon is NaN.
    """
    import cv2

    at = np.asarray(points, np.float64)
    if at.size == 0:
        return at.reshape(*at.shape[:-1], 2)
    flat = cv2.undistortPoints(at.reshape(-1, 1, 2), lens.matrix, np.asarray(lens.distortion)).reshape(-1, 2)
    rays = np.column_stack([flat, np.ones(len(flat))]) @ np.asarray(pose.rotation)
    height = np.broadcast_to(np.asarray(height_mm, np.float64), at.shape[:-1]).reshape(-1)
    down = np.where(rays[:, 2] < -1e-9, rays[:, 2], np.nan)
    along = (height - pose.position[2]) / down
    mm: Floats = (pose.position[:2] + rays[:, :2] * along[:, None]).reshape(*at.shape[:-1], 2)
    return mm
