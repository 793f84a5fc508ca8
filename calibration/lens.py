"""The lens of a camera from pictures of a ChArUco board held at many angles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from calibration.camera import Lens
from calibration.errors import CalibrationError

if TYPE_CHECKING:
    from cv2.aruco import CharucoBoard

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]

BOARD_SQUARES: Final = (8, 11)
"""Columns and rows."""

SQUARE_MM: Final = 22.0
BOARD_MARKER_MM: Final = 16.0

BOARDS_NEEDED: Final = 6
"""Pictures of the board, at different angles and places, that a lens is measured from."""

_CORNERS_NEEDED: Final = 12
_COVERED_NEEDED: Final = 0.35  # of the frame, by all corners together
LENS_LIMIT: Final = 0.0006
"""The error of a lens, in widths of the frame, over which it is refused: 1.2 pixels at 1920."""

_PIXEL_CENTRE: Final = 0.5


@dataclass(frozen=True, slots=True)
class BoardView:
    """Corners of the board seen in one picture: (n, 3) millimetres on the board, (n, 2) pixels."""

    board_mm: Floats
    pixels: Floats


def board() -> CharucoBoard:
    """The board of the sheet: 8 x 11 squares of 22 mm, with markers of a family of its own (DICT_5X5_100)."""
    import cv2

    family = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_100)
    return cv2.aruco.CharucoBoard(BOARD_SQUARES, SQUARE_MM, BOARD_MARKER_MM, family)


def find_board(pixels: Pixels) -> BoardView | None:
    """The corners of the board in a BGR or grey picture; None where too little of it is in sight."""
    import cv2

    grey = np.asarray(pixels if pixels.ndim == 2 else cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY), np.uint8)
    sheet = board()
    found: tuple[Any, ...] = cv2.aruco.CharucoDetector(sheet).detectBoard(grey)
    corners, ids = found[:2]
    if ids is None or len(ids) < _CORNERS_NEEDED:
        return None
    places = np.asarray(sheet.getChessboardCorners(), np.float64)[ids.reshape(-1)]
    return BoardView(places, np.asarray(corners, np.float64).reshape(-1, 2) + _PIXEL_CENTRE)


def measure_lens(views: Sequence[BoardView], size: tuple[int, int]) -> Lens:
    """The lens of frames of `size` (width, height) from at least six views of the board.

    Raises CalibrationError: `few_boards`, `board_cover` (the corners leave most of the frame untouched) or
    `lens_rms` (the pictures do not agree with one lens).
    """
    import cv2

    if len(views) < BOARDS_NEEDED:
        raise CalibrationError(
            "few_boards",
            hint_en=f"The ChArUco board was found in {len(views)} pictures; a lens needs {BOARDS_NEEDED} or "
            "more. Take more, tilted to each side, near each corner of the frame, sharp and without glare.",
            hint_ro=f"Planșa ChArUco a fost găsită în {len(views)} imagini; pentru obiectiv sunt necesare "
            f"cel puțin {BOARDS_NEEDED}. Mai faceți poze, cu planșa înclinată în fiecare parte și aproape de "
            "fiecare colț al imaginii, clare și fără reflexii.",
        )
    everywhere = np.concatenate([view.pixels for view in views]).astype(np.float32)
    covered = cv2.contourArea(cv2.convexHull(everywhere)) / (size[0] * size[1])
    if covered < _COVERED_NEEDED:
        raise CalibrationError(
            "board_cover",
            hint_en=f"The board was shown in {covered:.0%} of the frame only, so the lens is unknown at the "
            "edges. Take pictures with it near each corner of the frame.",
            hint_ro=f"Planșa a apărut doar în {covered:.0%} din imagine, deci obiectivul nu este cunoscut la "
            "margini. Faceți poze cu planșa aproape de fiecare colț al imaginii.",
        )
    rms, matrix, distortion, _, _ = cv2.calibrateCamera(
        [view.board_mm.astype(np.float32) for view in views],
        [view.pixels.astype(np.float32) for view in views],
        size,
        np.eye(3),
        np.zeros(5),
        flags=cv2.CALIB_FIX_K3,  # six views do not tell a fifth term from noise
    )
    if rms > LENS_LIMIT * size[0]:
        raise CalibrationError(
            "lens_rms",
            hint_en=f"The pictures of the board are {rms:.1f} pixels off one lens; "
            f"{LENS_LIMIT * size[0]:.1f} is allowed. Keep focus and zoom fixed, the board flat and still, "
            "and leave blurred pictures out.",
            hint_ro=f"Pozele planșei se abat cu {rms:.1f} pixeli de la un singur obiectiv; se acceptă "
            f"{LENS_LIMIT * size[0]:.1f}. Fixați focalizarea și zoomul, țineți planșa plată și nemișcată și "
            "renunțați la pozele neclare.",
        )
    k1, k2, p1, p2, k3 = (float(value) for value in np.asarray(distortion).reshape(-1)[:5])
    return Lens(
        (float(matrix[0, 0]), float(matrix[1, 1])),
        (float(matrix[0, 2]), float(matrix[1, 2])),
        (k1, k2, p1, p2, k3),
        "charuco",
        float(rms),
    )
