"""A camera for tests: photographs of a flat picture in true perspective, through a lens with distortion."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Floats, Lens, Pose, make_pose, to_mm
from calibration.lens import board
from calibration.markers import MarkerLayout
from calibration.rig import Provenance, Rig, calibrate
from calibration.sheets import board_rects, marker_cells

Pixels = NDArray[np.uint8]
SIZE = (1280, 720)
LENS = Lens((1000.0, 1000.0), (640.0, 360.0), source="given")
MADE = Provenance("2026-11-29", "remi-sheets/1")


def over(
    x: float = 0.0,
    y: float = 0.0,
    z: float = 1300.0,
    *,
    tilt: float = 0.0,
    roll: float = 0.0,
    yaw: float = 0.0,
) -> Pose:
    """A camera at (x, y, z) mm that looks down, turned by degrees about its x, y and viewing axis."""
    down = np.diag([1.0, -1.0, -1.0])
    turns = [cv2.Rodrigues(np.radians(np.asarray(v)))[0] for v in ((tilt, 0, 0), (0, roll, 0), (0, 0, yaw))]
    rotation = turns[0] @ turns[1] @ turns[2] @ down
    return make_pose(rotation, -rotation @ np.asarray([x, y, z]))


def aimed(x: float, y: float, distance: float, *, tilt: float, roll: float, yaw: float) -> Pose:
    """A camera that looks at (x, y) on the table from a distance in mm, turned as `over` does."""
    rotation = np.asarray(over(tilt=tilt, roll=roll, yaw=yaw).rotation)
    position = np.asarray([x, y, 0.0]) - distance * rotation[2]
    return make_pose(rotation, -rotation @ position)


def bumped(pose: Pose, *, by_mm: tuple[float, float, float], by_deg: tuple[float, float, float]) -> Pose:
    """The camera pushed and turned."""
    turn = cv2.Rodrigues(np.radians(np.asarray(by_deg)))[0]
    rotation = turn @ np.asarray(pose.rotation)
    return make_pose(rotation, -rotation @ (pose.position + np.asarray(by_mm)))


def photograph(
    plane: Pixels,
    px_per_mm: float,
    *,
    pose: Pose,
    lens: Lens = LENS,
    size: tuple[int, int] = SIZE,
    blur_mm: float = 0.75,
) -> Pixels:
    """A grey frame of `plane`, whose middle is the table's and whose upper edge is the far one."""
    columns, rows = np.meshgrid(np.arange(size[0]) + 0.5, np.arange(size[1]) + 0.5)
    mm = to_mm(np.stack([columns, rows], axis=-1).reshape(-1, 2), lens, pose).reshape(size[1], size[0], 2)
    x = mm[..., 0] * px_per_mm + plane.shape[1] / 2 - 0.5
    y = -mm[..., 1] * px_per_mm + plane.shape[0] / 2 - 0.5
    # Blur mixes light, not stored values; that of the plane keeps fine edges from being sampled too coarsely.
    light = cv2.GaussianBlur((plane / np.float32(255)) ** np.float32(2.2), (0, 0), blur_mm * px_per_mm)
    seen = cv2.remap(
        light, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(np.round(255 * np.asarray(seen) ** (1 / 2.2)), np.uint8)


def table_top(layout: MarkerLayout, *, px_per_mm: float = 1.5, without: tuple[int, ...] = ()) -> Pixels:
    """A grey table with its corner cards."""
    wide, high = (round(side * px_per_mm) for side in layout.table_mm)
    plane = np.full((high, wide), 110, np.uint8)
    for marker, (x, y) in layout.centres.items():
        if marker in without:
            continue
        middle = np.asarray([wide / 2 + x * px_per_mm, high / 2 - y * px_per_mm])
        _fill(plane, middle - 30 * px_per_mm, 60 * px_per_mm, 245)
        cell = layout.marker_mm * px_per_mm / 6
        for column, row in marker_cells(marker):
            _fill(plane, middle + cell * (np.asarray([column, row]) - 3), cell, 12)
    return plane


def board_picture(*, px_per_mm: float = 3.0) -> Pixels:
    """The ChArUco sheet with a white edge."""
    columns, rows = board().getChessboardSize()
    edge = 10.0
    wide, high = ((side * 22.0 + 2 * edge) * px_per_mm for side in (columns, rows))
    plane = np.full((round(high), round(wide)), 245, np.uint8)
    for x, y, width, _ in board_rects():
        _fill(plane, (np.asarray([x, y]) + edge) * px_per_mm, width * px_per_mm, 12)
    return plane


def markers_seen(layout: MarkerLayout, lens: Lens, pose: Pose, *, noise_px: float = 0.0) -> dict[int, Floats]:
    """Where the camera sees the corners of all markers, with noise from a fixed seed."""
    rig = bare_rig(layout, lens, pose)
    chance = np.random.default_rng(5)
    return {
        marker: rig.to_px(layout.corners(marker)) + chance.normal(0, noise_px, (4, 2))
        for marker in layout.centres
    }


def bare_rig(layout: MarkerLayout, lens: Lens, pose: Pose) -> Rig:
    """The truth as a rig, with no markers noted."""
    return Rig(SIZE, layout, lens, pose, {}, 0.0, 0.0, MADE)


def calibrated(layout: MarkerLayout, pose: Pose, *, lens: Lens = LENS) -> Rig:
    """A rig made from noisy markers with the lens known."""
    seen = markers_seen(layout, lens, pose, noise_px=0.15)
    return calibrate(seen, size=SIZE, layout=layout, lens=lens, provenance=MADE)


def _fill(plane: Pixels, corner: Floats, side: float, value: int) -> None:
    (left, top), (right, bottom) = np.round(corner).astype(int), np.round(corner + side).astype(int)
    plane[top:bottom, left:right] = value
