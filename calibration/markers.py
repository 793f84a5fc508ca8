"""The four corner markers of a table: where their sheets lie, and where a picture shows them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from cv2.aruco import ArucoDetector

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]

MARKER_IDS: Final = (0, 1, 2, 3)
"""Clockwise from the far left corner, as seat 1 sees the table."""

MARKER_MM: Final = 40.0
"""Side of the black square."""

INSET_MM: Final = 54.0
"""From either edge of the table to the middle of a marker whose card lies flush in the corner."""

NEEDED: Final = 3
"""Markers that must be in sight to tell where the camera is."""

_SIDES: Final = np.asarray([(-1.0, 1.0), (1.0, 1.0), (1.0, -1.0), (-1.0, -1.0)])
_AROUND: Final = 4.0  # side of the window in which a marker is looked for again, in sides of the marker
_MEAN_SQUARE_PX: Final = 12.0  # smaller than this a marker cannot be told from noise
_LOOKS: Final = 24  # places along an edge where its light is looked at
_LEAST_DEEP: Final = 25  # samples across the edge, at least one a pixel
_PIXEL_CENTRE: Final = 0.5  # OpenCV counts pixels from the centre of the first one


@dataclass(frozen=True, slots=True)
class MarkerLayout:
    """Where the markers lie on a table of `table_mm` (width along seat 1, depth)."""

    table_mm: tuple[float, float]
    marker_mm: float = MARKER_MM
    inset_mm: float = INSET_MM

    @property
    def centres(self) -> dict[int, tuple[float, float]]:
        """Middle of each marker in millimetres of the table."""
        across = self.table_mm[0] / 2 - self.inset_mm
        along = self.table_mm[1] / 2 - self.inset_mm
        return {
            marker: (float(x) * across, float(y) * along)
            for marker, (x, y) in zip(MARKER_IDS, _SIDES, strict=True)
        }

    def corners(self, marker: int, *, turned_rad: float = 0.0) -> Floats:
        """(4, 2) corners of a marker in millimetres, in its own order, the card turned on the spot."""
        cos, sin = np.cos(turned_rad), np.sin(turned_rad)
        square = _SIDES * self.marker_mm / 2 @ np.asarray([[cos, sin], [-sin, cos]])
        placed: Floats = square + self.centres[marker]
        return placed


def find_markers(
    pixels: Pixels, *, near: Mapping[int, Floats] | None = None, everywhere: bool = True
) -> dict[int, Floats]:
    """The corner markers in a BGR or grey picture: by id the corners (4, 2) in pixels, in the marker's order.

    `near` says where they were seen before: each is then looked for around that place first, which takes a
    fifth of the time, and the whole picture is searched, if `everywhere`, only where one is not found there.
    A marker that is seen twice is left out: one of the two is something else.
    """
    import cv2

    grey = pixels if pixels.ndim == 2 else cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    grey = np.asarray(grey, np.uint8)
    detector = _detector()
    found: dict[int, Floats] = {}
    for marker, corners in (near or {}).items():
        left, top, right, bottom = _window(corners, grey.shape)
        if right - left < _MEAN_SQUARE_PX or bottom - top < _MEAN_SQUARE_PX:
            continue
        window = np.ascontiguousarray(grey[top:bottom, left:right])
        seen = _detect(detector, window).get(marker)
        if seen is not None:
            found[marker] = seen + np.asarray([left, top])
    if everywhere and len(found) < len(MARKER_IDS):
        found = {**_detect(detector, grey), **found}
    return dict(sorted(found.items()))


def centre_of(corners: Floats) -> Floats:
    """Where the diagonals of the corners (4, 2) cross: the middle of the square, in any perspective."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners
    first, second = np.asarray([cx - ax, cy - ay]), np.asarray([dx - bx, dy - by])
    across = first[0] * second[1] - first[1] * second[0]
    share = ((bx - ax) * second[1] - (by - ay) * second[0]) / across
    middle: Floats = np.asarray([ax, ay]) + first * share
    return middle


def refine_square(grey: Pixels, corners: Floats) -> Floats:
    """The corners (4, 2) of a dark square on white in sub-pixels: where lines along its four edges cross.

    Edges are taken where the light, not the stored value, is half way: blur mixes light, so that on the
    stored scale white grows into black, by half a pixel in usual pictures. Corners that cannot be told stay
    as given.
    """
    import cv2

    reach = 0.13 * float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())
    along = np.linspace(0.12, 0.88, _LOOKS)
    out = np.linspace(-reach, reach, max(_LEAST_DEEP, int(2 * reach) | 1))
    lines = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        ahead = (end - start) / max(1e-9, float(np.linalg.norm(end - start)))
        outward = np.asarray([ahead[1], -ahead[0]])  # corners run clockwise in the picture
        feet = start + along[:, None] * (end - start)
        places = (feet[:, None] + out[:, None] * outward - _PIXEL_CENTRE).astype(np.float32)
        values = cv2.remap(
            grey, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
        crossings = _half_light(np.asarray(values, np.float64), out)
        sound = np.isfinite(crossings)
        if sound.sum() < _LOOKS // 2:
            return corners
        points = feet[sound] + crossings[sound, None] * outward
        fitted = cv2.fitLine(points.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01).reshape(4)
        lines.append(
            np.asarray([fitted[1], -fitted[0], fitted[0] * fitted[3] - fitted[1] * fitted[2]], np.float64)
        )
    crossed = np.stack([np.cross(lines[side - 1], lines[side]) for side in range(4)])
    if np.abs(crossed[:, 2]).min() < 1e-6:
        return corners
    refined: Floats = crossed[:, :2] / crossed[:, 2:]
    return refined if np.linalg.norm(refined - corners, axis=1).max() <= 2 * reach else corners


def _half_light(values: Floats, out: Floats) -> Floats:
    """(n,): how far out each profile (n, m), dark to bright, reaches half its light; NaN where it never
    does.
    """
    light = (values / 255.0) ** 2.2
    ends = values.shape[1] // 6
    dark, bright = np.median(light[:, :ends]), np.median(light[:, -ends:])
    if bright - dark < 0.02:
        return np.full(len(values), np.nan)
    level = (dark + bright) / 2
    above = light >= level
    rises = above[:, 1:] & ~above[:, :-1]
    rows = np.arange(len(values))
    at = np.argmax(rises, axis=1)
    low, high = light[rows, at], light[rows, at + 1]
    share = (level - low) / np.where(high > low, high - low, 1.0)
    crossing = out[at] + share * (out[at + 1] - out[at])
    once: Floats = np.where(rises.sum(axis=1) == 1, crossing, np.nan)
    return once


def _detector() -> ArucoDetector:
    import cv2

    settings = cv2.aruco.DetectorParameters()
    # No code is repaired: a chance pattern on a tablecloth that nearly is a marker is none.
    settings.errorCorrectionRate = 0.0
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), settings)


def _detect(detector: ArucoDetector, grey: Pixels) -> dict[int, Floats]:
    corners, ids, _ = detector.detectMarkers(grey)
    found: dict[int, Floats] = {}
    twice: set[int] = set()
    for quad, marker in zip(corners, np.ravel(ids) if corners else (), strict=True):
        if int(marker) in MARKER_IDS:
            twice |= {int(marker)} & found.keys()
            found[int(marker)] = refine_square(
                grey, np.asarray(quad, np.float64).reshape(4, 2) + _PIXEL_CENTRE
            )
    return {marker: quad for marker, quad in found.items() if marker not in twice}


def _window(corners: Floats, shape: tuple[int, ...]) -> tuple[int, int, int, int]:
    middle = corners.mean(axis=0)
    reach = np.ptp(corners, axis=0).max() * _AROUND / 2
    left, top = np.maximum(np.floor(middle - reach), 0).astype(int)
    right, bottom = np.minimum(np.ceil(middle + reach), (shape[1], shape[0])).astype(int)
    return int(left), int(top), int(right), int(bottom)
