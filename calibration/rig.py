"""A rig: one camera over one table, as calibrated; millimetres for pixels and pixels for millimetres."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration import camera
from calibration.camera import Lens, Pose
from calibration.errors import CalibrationError
from calibration.markers import NEEDED, MarkerLayout, centre_of
from calibration.solving import Fit, fit_camera

Floats = NDArray[np.float64]

RMS_LIMIT_MM: Final = 1.5
"""A rig that explains its markers worse than this is refused: a tile's width is 25 mm, the gap of two melds
10.
"""

SIZE_SPREAD: Final = 0.04
"""By how much a table may seem larger or smaller than was said before it is refused, relative."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """How a rig came about: the day (ISO 8601), the sheet, the pictures used, and how often it was healed."""

    made: str
    sheet: str
    pictures: tuple[str, ...] = ()
    healed: int = 0


@dataclass(frozen=True, slots=True)
class Rig:
    """A calibrated camera: frames of `size` (width, height) in pixels over the table of `layout`.

    `marks` are the corners (four of x, y in pixels) of the markers by id as they were seen then, `rms_px` and
    `rms_mm` how far the rig is from explaining them.
    """

    size: tuple[int, int]
    layout: MarkerLayout
    lens: Lens
    pose: Pose
    marks: Mapping[int, tuple[tuple[float, float], ...]]
    rms_px: float
    rms_mm: float
    provenance: Provenance

    def to_mm(self, points: ArrayLike, *, height_mm: ArrayLike = 0.0) -> Floats:
        """Points (..., 2) in pixels of the frame on the plane `height_mm` over the table: (..., 2) in mm.

        The top of a flat tile is as high as the tile is thick, about 9 mm: 500 mm from under a camera 1.2 m
        up this is 4 mm beside what a height of 0 gives.
        """
        return camera.to_mm(points, self.lens, self.pose, height_mm=height_mm)

    def to_px(self, points: ArrayLike, *, height_mm: ArrayLike = 0.0) -> Floats:
        """Where the frame shows points (..., 2) at a height, or (..., 3), in millimetres: (..., 2) in
        pixels.
        """
        at = np.asarray(points, np.float64)
        if at.shape[-1] == 2:
            height = np.broadcast_to(np.asarray(height_mm, np.float64), at.shape[:-1])
            at = np.concatenate([at, height[..., None]], axis=-1)
        return camera.to_px(at, self.lens, self.pose)

    @property
    def mm_per_px(self) -> float:
        """In the middle of the table, on its top."""
        return _mm_per_px(self.lens, self.pose)

    def markers(self) -> dict[int, Floats]:
        """The corners (4, 2) of the markers in pixels, by id."""
        return {marker: np.asarray(corners, np.float64) for marker, corners in self.marks.items()}


def calibrate(
    seen: Mapping[int, Floats],
    *,
    size: tuple[int, int],
    layout: MarkerLayout,
    lens: Lens | None = None,
    height_mm: float | None = None,
    provenance: Provenance,
) -> Rig:
    """The rig of a camera that sees the markers at `seen` (by id (4, 2) in pixels), in frames of `size`.

    Without a measured `lens` one is assumed and its focal length fitted to the markers and to `height_mm`,
    the height of the camera over the table, where it is given. Raises CalibrationError with the code
    `no_markers`, `few_markers`, `table_size` or `rms`.
    """
    refuse_too_few(seen)
    given = lens or camera.assumed_lens(size)
    fit = fit_camera(seen, layout, given, free_focal=lens is None, height_mm=height_mm)
    if lens is None:
        fit = Fit(_sourced(fit.lens, height_mm), fit.pose, fit.off_px)
    rig = make_rig(fit, seen, size=size, layout=layout, provenance=provenance)
    _refuse_other_table(seen, layout, rig)
    refuse_loose(rig)
    return rig


def make_rig(
    fit: Fit,
    seen: Mapping[int, Floats],
    *,
    size: tuple[int, int],
    layout: MarkerLayout,
    provenance: Provenance,
) -> Rig:
    """A rig of a fit, whatever its error."""
    marks = {
        marker: tuple((float(x), float(y)) for x, y in corners) for marker, corners in sorted(seen.items())
    }
    rms_mm = fit.rms_px * _mm_per_px(fit.lens, fit.pose)
    return Rig(size, layout, fit.lens, fit.pose, marks, fit.rms_px, rms_mm, provenance)


def refuse_too_few(seen: Mapping[int, Floats]) -> None:
    """CalibrationError where fewer than three markers are in sight."""
    if not seen:
        raise CalibrationError(
            "no_markers",
            hint_en="No corner marker is in the picture. Print the cards (remi calibrate --print DIR), lay "
            "one in each corner of the table, and take the picture again with all corners in view.",
            hint_ro="Niciun marcaj de colț nu este în imagine. Tipăriți cartonașele (remi calibrate --print "
            "DIR), puneți câte unul în fiecare colț al mesei și refaceți poza cu toate colțurile vizibile.",
        )
    if len(seen) < NEEDED:
        here = ", ".join(str(marker) for marker in sorted(seen))
        raise CalibrationError(
            "few_markers",
            hint_en=f"Only the corner markers {here} are in sight; three of the four are needed. Uncover the "
            "others, or move the camera so that it sees them.",
            hint_ro=f"Se văd doar marcajele de colț {here}; sunt necesare trei din patru. Descoperiți-le pe "
            "celelalte sau mutați camera astfel încât să le vadă.",
        )


def refuse_loose(rig: Rig) -> None:
    """CalibrationError where the rig is further than the limit from explaining its markers."""
    if rig.rms_mm > RMS_LIMIT_MM:
        raise CalibrationError(
            "rms",
            hint_en=f"The markers do not lie where a table of {_by(rig.layout.table_mm)} mm has its corners: "
            f"they are {rig.rms_mm:.1f} mm off, at most {RMS_LIMIT_MM} mm is allowed. Push each card flush "
            "into its corner, check that the sheet was printed in true size (the line on it is 100 mm), and "
            "that the cards 0 to 3 lie clockwise from the far left.",
            hint_ro=f"Marcajele nu sunt unde o masă de {_by(rig.layout.table_mm)} mm își are colțurile: "
            f"abaterea este de {rig.rms_mm:.1f} mm, se acceptă cel mult {RMS_LIMIT_MM} mm. Împingeți fiecare "
            "cartonaș în colțul lui, verificați că foaia a fost tipărită la mărime reală (linia de pe ea are "
            "100 mm) și că foile 0–3 sunt așezate în sensul acelor de ceas, începând din stânga departe.",
        )


def refuse_other_size(rig: Rig, size: tuple[int, int]) -> None:
    """CalibrationError where frames are of another `size` (width, height) than those the rig was made for."""
    if rig.size != size:
        raise CalibrationError(
            "frame_size",
            hint_en=f"The rig was made for frames of {_by(rig.size)} pixels, these have {_by(size)}. Set the "
            "camera to that size, or calibrate again with it as it is now (remi calibrate PICTURE --out "
            "RIG).",
            hint_ro=f"Calibrarea a fost făcută pentru imagini de {_by(rig.size)} pixeli, acestea au "
            f"{_by(size)}. Setați camera la acea rezoluție sau calibrați din nou (remi calibrate POZĂ --out "
            "FIȘIER).",
        )


def _refuse_other_table(seen: Mapping[int, Floats], layout: MarkerLayout, rig: Rig) -> None:
    """CalibrationError where the sides of the markers say that the table has another size."""
    if rig.rms_mm <= RMS_LIMIT_MM:
        return
    apart = markers_apart(seen)
    if apart is None:
        return
    scale = layout.marker_mm
    looks = tuple(round((side * scale + 2 * layout.inset_mm) / 10) * 10 for side in apart)
    if all(abs(is_ - said) <= SIZE_SPREAD * said for is_, said in zip(looks, layout.table_mm, strict=True)):
        return
    raise CalibrationError(
        "table_size",
        hint_en=f"The markers lie as on a table of about {_by(looks)} mm, not of {_by(layout.table_mm)}. "
        f"Measure the table top and say its size, for example --table {looks[0]} {looks[1]} (width along "
        "seat 1 first).",
        hint_ro=f"Marcajele sunt așezate ca pe o masă de aproximativ {_by(looks)} mm, nu de "
        f"{_by(layout.table_mm)}. Măsurați masa și indicați mărimea, de exemplu --table {looks[0]} "
        f"{looks[1]} (întâi lățimea de-a lungul locului 1).",
    )


def markers_apart(seen: Mapping[int, Floats]) -> tuple[float, float] | None:
    """How far the markers lie apart, across and along, in sides of a marker; None with fewer than three.

    Each is held against the sides of the two markers it lies between, so that perspective hardly matters.
    """
    across, along = [], []
    for first, second in combinations(sorted(seen), 2):
        pair = (first, second)
        if pair in ((0, 1), (2, 3)):
            across.append(_apart(seen[first], seen[second]))
        elif pair in ((1, 2), (0, 3)):
            along.append(_apart(seen[first], seen[second]))
    if not across or not along:
        return None
    return sum(across) / len(across), sum(along) / len(along)


def _apart(first: Floats, second: Floats) -> float:
    sides = [
        float(np.linalg.norm(np.roll(corners, 1, axis=0) - corners, axis=1).mean())
        for corners in (first, second)
    ]
    return float(np.linalg.norm(centre_of(first) - centre_of(second))) / (sum(sides) / 2)


def _mm_per_px(lens: Lens, pose: Pose) -> float:
    shift = np.asarray(pose.shift)
    return float(np.linalg.norm(shift) / math.sqrt(lens.focal[0] * lens.focal[1]))


def _sourced(lens: Lens, height_mm: float | None) -> Lens:
    from dataclasses import replace

    return replace(lens, source="assumed" if height_mm is None else "height")


def _by(sides: Sequence[float]) -> str:
    return "x".join(f"{side:g}" for side in sides)
