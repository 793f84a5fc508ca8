"""Where the camera is, from corner markers: a least-squares fit that leaves each card free to lie askew.

A card's middle is set by the table's corner, but people lay cards a degree or two askew. The turn of each
card is therefore fitted too; its corners then tell scale and perspective, which is what makes three markers
enough.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Lens, Pose, make_pose, to_px
from calibration.markers import MarkerLayout, centre_of

Floats = NDArray[np.float64]

_NOISE_PX: Final = 0.3  # what corners of a marker are usually off by
_FOCAL_SPREAD: Final = 0.2  # of a lens that nobody measured, relative
_HEIGHT_SPREAD_MM: Final = 10.0  # of a height taken with a tape measure
_ASKEW_RAD: Final = math.radians(5.0)  # how far cards usually lie askew


@dataclass(frozen=True, slots=True)
class Fit:
    """Lens and pose that explain the markers best, and by how many pixels their corners are off, by id."""

    lens: Lens
    pose: Pose
    off_px: Mapping[int, float]

    @property
    def rms_px(self) -> float:
        """Root of the mean square over all corners."""
        return math.sqrt(sum(off**2 for off in self.off_px.values()) / len(self.off_px))


def fit_camera(
    seen: Mapping[int, Floats],
    layout: MarkerLayout,
    lens: Lens,
    *,
    free_focal: bool = False,
    height_mm: float | None = None,
    start: Pose | None = None,
) -> Fit:
    """The camera that sees the markers where they are: `seen` are corners (4, 2) in pixels by id, at least 3.

    With `free_focal` the focal length of `lens` is a first guess and is fitted too; `height_mm`, the camera's
    height over the table as measured, then decides what a look straight down leaves open.
    """
    import cv2
    from scipy.optimize import least_squares

    markers = sorted(seen)
    corners_px = np.stack([seen[marker] for marker in markers])
    askew = [_askew(marker, seen, layout) for marker in markers]
    first = start or _first_pose(seen, layout, lens)

    def camera(values: Floats) -> tuple[Lens, Pose]:
        fitted = lens
        if free_focal:
            scale = math.exp(values[6 + len(markers)])
            fitted = replace(lens, focal=(lens.focal[0] * scale, lens.focal[1] * scale))
        return fitted, make_pose(values[:3], values[3:6])

    def residuals(values: Floats) -> Floats:
        fitted, pose = camera(values)
        turned = values[6 : 6 + len(markers)]
        points = np.stack(
            [layout.corners(marker, turned_rad=turn) for marker, turn in zip(markers, turned, strict=True)]
        )
        deep = np.concatenate([points, np.zeros((*points.shape[:-1], 1))], axis=-1)
        parts = [((to_px(deep, fitted, pose) - corners_px) / _NOISE_PX).ravel(), turned / _ASKEW_RAD]
        if free_focal:
            parts.append(values[-1:] / _FOCAL_SPREAD)
            if height_mm is not None:
                parts.append(np.asarray([(pose.position[2] - height_mm) / _HEIGHT_SPREAD_MM]))
        return np.concatenate(parts)

    turn = cv2.Rodrigues(np.asarray(first.rotation))[0].reshape(3)
    values = np.concatenate([turn, first.shift, askew, np.zeros(1 if free_focal else 0)])
    values = np.asarray(least_squares(residuals, values, method="lm", x_scale="jac").x, np.float64)
    fitted, pose = camera(values)
    errors = residuals(values)[: corners_px.size].reshape(corners_px.shape) * _NOISE_PX
    off = np.sqrt((errors**2).sum(axis=-1).mean(axis=-1))
    return Fit(fitted, pose, dict(zip(markers, off.tolist(), strict=True)))


def _first_pose(seen: Mapping[int, Floats], layout: MarkerLayout, lens: Lens) -> Pose:
    """A rough pose from the middles and corners of the markers as if all cards lay straight."""
    import cv2

    points = np.concatenate([layout.corners(marker) for marker in sorted(seen)])
    pixels = np.concatenate([seen[marker] for marker in sorted(seen)])
    deep = np.column_stack([points, np.zeros(len(points))])
    given = (deep, pixels, lens.matrix, np.asarray(lens.distortion))
    _, turns, shifts, _ = cv2.solvePnPGeneric(*given, flags=cv2.SOLVEPNP_IPPE)
    if not np.isfinite([*turns, *shifts]).all():
        # Of markers seen without any noise it comes, on some processors, to no number at all.
        _, turns, shifts, _ = cv2.solvePnPGeneric(*given, flags=cv2.SOLVEPNP_ITERATIVE)
    poses = [make_pose(turn, shift) for turn, shift in zip(turns, shifts, strict=True)]
    # Of the two that a flat thing allows, the camera over the table; the first has the smaller error.
    return next((pose for pose in poses if pose.position[2] > 0), poses[0])


def _askew(marker: int, seen: Mapping[int, Floats], layout: MarkerLayout) -> float:
    """A first guess of how a card is turned: its upper edge against the homography of the middles."""
    import cv2

    if len(seen) < 4:
        return 0.0
    centres = np.asarray([layout.centres[other] for other in sorted(seen)], np.float32)
    middles = np.asarray([centre_of(seen[other]) for other in sorted(seen)], np.float32)
    to_table = cv2.getPerspectiveTransform(middles, centres)
    corners = cv2.perspectiveTransform(seen[marker].reshape(1, 4, 2), to_table).reshape(4, 2)
    across = corners[1] - corners[0] + corners[2] - corners[3]
    return math.atan2(float(across[1]), float(across[0]))
