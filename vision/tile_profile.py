"""What a census says of a set's look: body, inks, proportions, the digit's place, the jokers' faces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from calibration import tilesets
from calibration.tilesets import Rgb, TileSet
from engine.tiles import TILE_COLOURS, Face
from vision.crops import FACE_MARGIN
from vision.inks import FLOOR

if TYPE_CHECKING:
    from vision.census import Census
    from vision.sightings import Sighting

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]

_INK: Final = 0.35  # of the darkest line's ink: less is wear, noise or a small ornament


def profile(
    census: Census,
    sighting: Sighting,
    *,
    name: str,
    taught: str,
    weights: str,
    width_mm: float | None = None,
    table_px: tuple[int, int] | None = None,
) -> TileSet:
    """The profile of a set; `taught` is a date, `weights` the SHA-256 of the face net that saw it.

    `table_px` is the size of its picture if the table's camera took it.
    """
    faces = [tile.face for tile in census.tiles]
    named = _named(census)
    quads = sighting.quads[named].astype(np.float64)
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    wide, tall = sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]
    centre, height = _digit(
        sighting.crops[[i for i in named if isinstance(face := faces[i], Face) and not face.is_joker]]
    )
    return TileSet(
        name=name,
        taught=taught,
        tiles=len(named),
        missing=tuple(map(str, census.missing)),
        extra=tuple(map(str, census.extra)),
        misread=census.misread,
        width_px=round(sighting.width_px, 1),
        width_mm=width_mm,
        aspect=round(float(np.median(tall / np.maximum(wide, 1e-6))), 3),
        body=_rgb(_body(sighting, named)),
        inks=_inks(census, sighting),
        digit_centre=centre,
        digit_height=height,
        weights=weights,
        table_px=table_px,
    )


def faint(census: Census, sighting: Sighting) -> dict[str, int]:
    """The inks that hardly stand out in the pictures of a census; see `calibration.tilesets.faint`."""
    inks = _inks(census, sighting)
    return tilesets.faint(_rgb(_body(sighting, _named(census))), inks) if inks else {}


def joker_faces(census: Census, sighting: Sighting) -> U8:
    """The faces of the jokers (k, 64, 48, 3 BGR), kept with the profile: every set has its own."""
    return sighting.crops[[i for i, tile in enumerate(census.tiles) if tile.face == Face("", 0)]]


def _named(census: Census) -> list[int]:
    return [index for index, tile in enumerate(census.tiles) if isinstance(tile.face, Face)]


def _inks(census: Census, sighting: Sighting) -> dict[str, Rgb]:
    """The colours of those inks of which there are tiles."""
    coloured = [(index, tile.face) for index, tile in enumerate(census.tiles) if isinstance(tile.face, Face)]
    inks = {slot: _ink(sighting, [i for i, face in coloured if face.colour == slot]) for slot in TILE_COLOURS}
    return {slot: ink for slot, ink in inks.items() if ink is not None}


def _body(sighting: Sighting, indexes: list[int]) -> F64:
    """The colour of the bodies (3,), BGR 0 to 255."""
    logs = np.median(sighting.measured[indexes, 3:], axis=0).astype(np.float64)
    return np.asarray(np.exp(logs) * 128 - FLOOR)


def _ink(sighting: Sighting, indexes: list[int]) -> Rgb | None:
    if not indexes:
        return None
    ratio = np.median(sighting.measured[indexes, :3], axis=0).astype(np.float64)
    return _rgb((_body(sighting, indexes) + FLOOR) * np.exp(ratio) - FLOOR)


def _rgb(bgr: F64) -> Rgb:
    blue, green, red = (round(float(value)) for value in np.clip(bgr, 0, 255))
    return red, green, blue


def _digit(crops: U8) -> tuple[float, float]:
    """Where the digit's middle is (from the top) and how high it is, both as shares of the face's height."""
    if len(crops) == 0:
        return 0.0, 0.0
    grey = crops.astype(np.float64).mean(axis=3)
    rows = grey.shape[1]
    edge = round(rows * FACE_MARGIN) + 3
    inner = grey[:, edge:-edge, 6:-6]
    dark = np.clip(np.median(inner, axis=(1, 2), keepdims=True) - inner, 0, None)
    lines = np.median(dark.mean(axis=2), axis=0)
    inked = lines > lines.max() * _INK
    first = last = int(lines.argmax())
    while first > 0 and inked[first - 1]:
        first -= 1
    while last + 1 < len(inked) and inked[last + 1]:
        last += 1
    face = rows * (1 - 2 * FACE_MARGIN)
    top = (first + edge - rows * FACE_MARGIN) / face
    bottom = (last + 1 + edge - rows * FACE_MARGIN) / face
    return round((top + bottom) / 2, 3), round(bottom - top, 3)
