"""Reads labelled pictures: rendered scenes, photos with YOLO polygons, tables seen from a ceiling."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.quads import inner_area

F32 = NDArray[np.float32]

ENOUGH_IN_SIGHT = 0.75  # a tile with less of its face in sight is neither asked for nor counted against
_SLOTS = {"red": "r", "blue": "b", "orange": "y", "yellow": "y", "green": "y", "black": "k"}


class LabelError(ValueError):
    """A label or picture does not hold what its kind of set does; the message names file and line."""


@dataclass(frozen=True)
class Spot:
    """Where and how a tile lies, as far as its label says it.

    `zone` is `meld`, `discard`, `rack`, `wall` or `atu`; `lean` what a rack leans back by, `angle` what lies
    between face and line of sight (both degrees); `digit` the height of the digit in pixels.
    """

    zone: str | None = None
    lean: float | None = None
    angle: float | None = None
    digit: float | None = None


@dataclass(frozen=True)
class TrueTile:
    """A labelled tile: face in notation (`#` for a back), outline (n, 2) in pixels, whether it counts."""

    face: str
    outline: F32
    group: str
    counts: bool = True
    spot: Spot = field(default_factory=Spot)

    @property
    def wide(self) -> float:
        """The width in pixels: the mean of top and bottom edge, or of a polygon its narrower side."""
        if len(self.outline) == 4:
            sides = np.linalg.norm(np.roll(self.outline, -1, axis=0) - self.outline, axis=1)
            return float(sides[0] + sides[2]) / 2
        return float(min(cv2.minAreaRect(self.outline)[1]))


@dataclass(frozen=True)
class LabelledPicture:
    """A picture on disk and all that lies on it; `backs` says whether face-down tiles are labelled too.

    `light` is the kind of light and `size` the picture's (w, h) in pixels, where the labels say them.
    """

    path: Path
    group: str
    tiles: tuple[TrueTile, ...]
    backs: bool
    light: str | None = None
    size: tuple[int, int] | None = None


def load_labelled(data: Path, *, only: str = "eval") -> list[LabelledPicture]:
    """The labelled pictures under `data`, whichever of the three kinds it is.

    `only` names the list (`eval.txt` or `train.txt`) of a set of photos that has such lists.
    Raises FileNotFoundError that says what was looked for, and LabelError that names the broken label.
    """
    if (data / "labels.jsonl").exists():
        return _scenes(data)
    if (data / "labels_poly").is_dir():
        return _photos(data, only)
    if (data / "labels").is_dir() and any((data / "labels").glob("*.json")):
        return _ceiling(data)
    raise FileNotFoundError(
        f"{data} holds no labelled pictures: looked for labels.jsonl (rendered scenes), labels_poly/ with "
        "classes.txt (photos) and labels/*.json (tables from a ceiling)"
    )


def _scenes(data: Path) -> list[LabelledPicture]:
    pictures = []
    path = data / "labels.jsonl"
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        with in_file(f"{path}:{number}"):
            entry = json.loads(line)
            tiles = tuple(_scene_tile(tile, entry["layout"]) for tile in entry["tiles"])
            pictures.append(
                LabelledPicture(
                    data / entry["image"],
                    entry["style"],
                    tiles,
                    backs=True,
                    light=_kind(entry.get("light")),
                    size=_size(entry["size"]) if "size" in entry else None,
                )
            )
    return pictures


def _photos(data: Path, only: str) -> list[LabelledPicture]:
    names_of_classes = (data / "classes.txt").read_text(encoding="utf-8").splitlines()
    with in_file(str(data / "classes.txt")):
        classes = [_face(name.strip()) for name in names_of_classes if name.strip()]
    pictures = []
    for name in _photo_names(data, only):
        path = data / "images" / name
        size = _upright_size(path)
        label = data / "labels_poly" / f"{path.stem}.txt"
        lines = label.read_text(encoding="utf-8").splitlines() if label.exists() else []
        tiles = []
        for number, line in enumerate(lines, 1):
            with in_file(f"{label}:{number}"):
                kind, *numbers = line.split()
                points = np.asarray([float(value) for value in numbers], np.float32).reshape(-1, 2)
                if len(points) < 3:
                    raise ValueError(f"an outline needs three points, here are {len(points)}")
                tiles.append(TrueTile(classes[int(kind)], points * size, "photo"))
        pictures.append(LabelledPicture(path, path.stem.split("-")[0], tuple(tiles), backs=False))
    return pictures


def _photo_names(data: Path, only: str) -> list[str]:
    listed = data / f"{only}.txt"
    if listed.exists():
        return [name for name in listed.read_text(encoding="utf-8").splitlines() if name.strip()]
    lists = sorted(path.name for path in data.glob("*.txt") if path.name != "classes.txt")
    if lists:  # all pictures instead of a misspelt list would mix what was trained on with what was not
        raise FileNotFoundError(f"{listed} is missing; {data} has {', '.join(lists)}")
    return sorted(path.name for path in (data / "images").iterdir())


def _ceiling(data: Path) -> list[LabelledPicture]:
    pictures = []
    for label in sorted((data / "labels").glob("*.json")):
        with in_file(str(label)):
            entry = json.loads(label.read_text(encoding="utf-8"))
            leans = {seat.get("seat"): seat.get("lean") for seat in entry.get("seats", ())}
            leans.setdefault(None, entry.get("rack_lean_deg"))
            tiles = tuple(_ceiling_tile(tile, leans) for tile in entry["tiles"])
            group = f"{entry['width']}px"
            light = _kind(entry.get("lighting"))
            size = _size((entry["width"], entry["height"])) if "height" in entry else None
        images = sorted((data / "images").glob(f"{label.stem}.*"))
        if not images:
            raise FileNotFoundError(f"{label} has no picture {label.stem}.* in {data / 'images'}")
        pictures.append(LabelledPicture(images[0], group, tiles, backs=True, light=light, size=size))
    return pictures


def _scene_tile(tile: dict[str, Any], layout: str) -> TrueTile:
    zone = tile.get("zone") or {}
    spot = Spot(
        zone.get("kind"),
        _number(zone.get("lean")) if zone.get("kind") == "rack" else None,
        math.degrees(math.acos(min(1.0, max(-1.0, float(tile["slant"]))))) if "slant" in tile else None,
        _number(tile.get("digit_px")),
    )
    return _quad_tile(tile, layout, spot)


def _ceiling_tile(tile: dict[str, Any], leans: dict[Any, Any]) -> TrueTile:
    zone = tile["zone"]
    lean = leans.get(zone.get("seat"), leans.get(None)) if zone["kind"] == "rack" else None
    digit = _number(tile.get("digit_height_px"))
    return _quad_tile(
        tile, zone["kind"], Spot(zone["kind"], _number(lean), _number(tile.get("angle_deg")), digit)
    )


def _quad_tile(tile: dict[str, Any], group: str, spot: Spot) -> TrueTile:
    quad = np.asarray(tile["quad"], np.float32).reshape(4, 2)
    return TrueTile(str(tile["face"]), quad, group, bool(tile["visible"] >= ENOUGH_IN_SIGHT), spot)


def _kind(light: Any) -> str | None:
    """The kind of light, said by itself or as one of several things known of it."""
    return str(light["kind"]) if isinstance(light, dict) else None if light is None else str(light)


def _number(value: Any) -> float | None:
    return None if value is None else float(value)


def _size(values: Sequence[Any]) -> tuple[int, int]:
    width, height = values
    return int(width), int(height)


def _face(name: str) -> str:
    if name == "joker":
        return "*"
    colour, _, number = name.partition("_")
    return f"{_SLOTS[colour]}{int(number)}"


@contextmanager
def in_file(place: str) -> Iterator[None]:
    """Says in which file (and line) an entry is that cannot be understood."""
    try:
        yield
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise LabelError(f"{place}: not a label as expected ({type(error).__name__}: {error})") from error


def _upright_size(path: Path) -> F32:
    """(w, h) in pixels of the picture as it is read: turned as its EXIF orientation says."""
    from PIL import Image

    with Image.open(path) as image:
        width, height = image.size
        sideways = image.getexif().get(0x0112, 1) >= 5
    return np.asarray((height, width) if sideways else (width, height), np.float32)


def overlap(first: Sequence[Sequence[float]] | F32, second: Sequence[Sequence[float]] | F32) -> float:
    """Intersection over union of two outlines' convex hulls."""
    inner, *areas = inner_area(first, second)
    union = sum(areas) - inner
    return inner / union if union > 0 else 0.0
