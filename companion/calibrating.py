"""A rig from picture files, and what a camera can read, in the words of `remi calibrate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.output import InputError

if TYPE_CHECKING:
    from calibration.camera import Floats, Lens
    from calibration.legibility import Legibility
    from calibration.lens import BoardView
    from calibration.rig import Rig
    from vision.pictures import Pixels

AGREE_PX: Final = 3.0
"""Between pictures of one calibration a marker may seem to move by so much, a cheap camera's shiver."""

VERDICTS: Final[Mapping[str, tuple[str, str]]] = {
    "good": ("readable", "se citește"),
    "doubtful": ("doubtful", "nesigur"),
    "no": ("not readable", "nu se citește"),
}
KINDS: Final[Mapping[str, tuple[str, str]]] = {
    "rack": ("rack", "tablă"),
    "meld": ("melds", "formații"),
    "discard": ("discard row", "șir"),
    "wall": ("wall", "zid"),
    "atu": ("atu", "atu"),
}


@dataclass(frozen=True, slots=True)
class Shown:
    """What pictures show: their common size, views of the board, markers by id, and the last with markers."""

    size: tuple[int, int]
    boards: tuple[BoardView, ...]
    markers: Mapping[int, Floats]
    table: Pixels | None


def look_at(paths: Sequence[Path]) -> Shown:
    """The boards and markers in picture files of one camera; InputError where they do not belong together."""
    from calibration.lens import find_board
    from calibration.markers import find_markers
    from vision.pictures import PictureError, load_picture

    size: tuple[int, int] | None = None
    boards: list[BoardView] = []
    sightings: list[dict[int, Floats]] = []
    table: Pixels | None = None
    for path in paths:
        try:
            pixels = load_picture(path)
        except PictureError as error:
            raise InputError(f"{path}: {error.hint_en}\n{path}: {error.hint_ro}") from error
        this = (pixels.shape[1], pixels.shape[0])
        if size is not None and this != size:
            raise InputError(
                f"{path} is {this[0]}x{this[1]}, {paths[0]} {size[0]}x{size[1]}: take all pictures with one "
                f"camera in one size\n{path} are {this[0]}x{this[1]}, {paths[0]} {size[0]}x{size[1]}: faceți "
                "toate pozele cu aceeași cameră, la aceeași rezoluție"
            )
        size = this
        board = find_board(pixels)
        if board is not None:
            boards.append(board)
        markers = find_markers(pixels)
        if markers:
            sightings.append(markers)
            table = pixels
    return Shown(size or (0, 0), tuple(boards), _agreed(sightings), table)


def _agreed(sightings: Sequence[Mapping[int, Floats]]) -> dict[int, Floats]:
    """Each marker in the middle of where the pictures show it; InputError where they disagree."""
    import numpy as np

    agreed: dict[int, Floats] = {}
    for marker in sorted({marker for seen in sightings for marker in seen}):
        places = np.stack([seen[marker] for seen in sightings if marker in seen])
        middle = np.median(places, axis=0)
        if np.abs(places - middle).max() > AGREE_PX:
            raise InputError(
                f"marker {marker} is at different places in the pictures: take them without moving camera or "
                f"cards, or name the newest alone\nmarcajul {marker} apare în locuri diferite: faceți pozele "
                "fără a mișca aparatul sau cartonașele, ori dați-o doar pe cea mai nouă"
            )
        agreed[marker] = middle
    return agreed


def measured_lens(shown: Shown) -> Lens | None:
    """The lens from the pictures of the board; None where there are none."""
    from calibration.lens import measure_lens

    return measure_lens(shown.boards, shown.size) if shown.boards else None


def rig_document(rig: Rig) -> dict[str, Any]:
    """A rig as the JSON of `remi calibrate` (docs/formats.md)."""
    return {
        "markers": sorted(rig.marks),
        "frame": list(rig.size),
        "table_mm": list(rig.layout.table_mm),
        "rms_px": round(rig.rms_px, 3),
        "rms_mm": round(rig.rms_mm, 3),
        "mm_per_px": round(rig.mm_per_px, 3),
        "camera_height_mm": round(float(rig.pose.position[2]), 1),
        "tilt_deg": round(rig.pose.tilt_deg, 2),
        "lens": rig.lens.source,
    }


def legibility_document(legible: Sequence[Legibility]) -> list[dict[str, Any]]:
    """A legibility map as the JSON of `remi calibrate --legibility` (docs/formats.md)."""
    return [
        {
            "zone": one.kind,
            "seat": one.seat,
            "digit_px": round(one.digit_px, 1),
            "angle_deg": round(one.angle_deg, 1),
            "verdict": one.verdict,
            "remedy": one.remedy[0],
            "remedy_ro": one.remedy[1],
        }
        for one in legible
    ]


def legibility_lines(legible: Sequence[Legibility], *, romanian: bool) -> list[str]:
    """What is to be done about zones that are not readable, each in a sentence."""
    lines = []
    for one in legible:
        if one.verdict == "good":
            continue
        name = zone_name(one.kind, one.seat, romanian=romanian)
        verdict = VERDICTS[one.verdict][romanian]
        remedy = one.remedy[romanian]
        line = f"{name}: {verdict}"
        if remedy:
            line += f"; {remedy}"
        if one.kind == "rack" and one.verdict == "no":
            line += (
                ". Până atunci piesele locului se așază la sfârșit pe masă și se numără atunci (at_end)"
                if romanian
                else ". Until then this seat's tiles are laid flat at the end and counted then (at_end)"
            )
        lines.append(line)
    return lines


def zone_name(kind: str, seat: int | None, *, romanian: bool) -> str:
    """A zone in the words of players."""
    name = KINDS[kind][romanian]
    return name if seat is None else f"{name} {seat}"
