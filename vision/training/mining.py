"""What earlier nets found in rendered scenes: what is no tile, and tiles with the nets' corners."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finding import find_boxes
from vision.labelled import overlap
from vision.quads import box_corners, shared
from vision.reader import Reader
from vision.synth.dataset import HELD_BACK, read_labels

F32 = NDArray[np.float32]

FALSE = "false.jsonl"
FOUND = "found.jsonl"
NEAR = 0.15  # of a find on a labelled tile: above it, it is not a false one
MOST = 1300  # scenes of a set that are looked at, about
SAME = 0.5  # how much a find and a labelled tile must overlap to be the same


@dataclass(frozen=True)
class FalseFinds:
    """Of one scene: rough boxes (n, 4) x0 y0 x1 y1 and cornered quads (m, 4, 2) where no tile is, in px."""

    boxes: F32
    quads: F32


NONE = FalseFinds(np.zeros((0, 4), np.float32), np.zeros((0, 4, 2), np.float32))


def mine(
    data: Path, models: Path, *, every: int | None = None, progress: Callable[[str], None] = print
) -> Path:
    """Writes what the nets in `models` find in scenes trained on; returns the file of false finds.

    It looks at each `every`-th scene, by default so that it is about `MOST` of them. `data/false.jsonl` has
    what is no tile, `data/found.jsonl` the tiles with the corners that the nets gave them: faces are read
    through those corners, so faces and inks are taught through them too.
    """
    reader = Reader.load(models, threads=1)
    entries = list(read_labels(data))[:-HELD_BACK]
    every = every or max(1, round(len(entries) / MOST))
    count = 0
    with (
        (data / FALSE).open("w", encoding="utf-8") as file,
        (data / FOUND).open("w", encoding="utf-8") as seen,
    ):
        for index in range(0, len(entries), every):
            entry = entries[index]
            image = cv2.imread(str(data / entry["image"]))
            if image is None:
                raise FileNotFoundError(data / entry["image"])
            tiles = [np.asarray(tile["quad"], np.float32) for tile in entry["tiles"]]
            picture = np.asarray(image, np.uint8)
            found = find_boxes(picture, reader.nets.find, threshold=reader.thresholds.find)
            corners = box_corners(found.xyxy)
            boxes = [
                box for box, quad in zip(found.xyxy, corners, strict=True) if not _on_a_tile(quad, tiles)
            ]
            candidates = reader.candidates(picture, boxes=found)[0].quads
            quads = [quad for quad in candidates if not _on_a_tile(quad, tiles)]
            if boxes or quads:
                line = {
                    "image": entry["image"],
                    "boxes": [[round(float(v), 1) for v in box] for box in boxes],
                    "quads": [[[round(float(v), 1) for v in spot] for spot in quad] for quad in quads],
                }
                file.write(json.dumps(line) + "\n")
                count += len(boxes)
            line = {"image": entry["image"], "quads": _as_found(tiles, candidates)}
            seen.write(json.dumps(line) + "\n")
            if index // every % 400 == 399:
                progress(f"false finds: {count} in {index // every + 1} scenes")
    return data / FALSE


def read_false(data: Path) -> dict[str, FalseFinds]:
    """The false finds by the name of the picture; empty where none were sought."""
    path = data / FALSE
    if not path.exists():
        return {}
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = json.loads(line)
        boxes = np.asarray(entry["boxes"], np.float32).reshape(-1, 4)
        found[entry["image"]] = FalseFinds(boxes, np.asarray(entry["quads"], np.float32).reshape(-1, 4, 2))
    return found


def read_found(data: Path) -> dict[str, dict[int, F32]]:
    """The quads (4, 2) that the nets gave to tiles, by picture and by the tile's place in its labels."""
    path = data / FOUND
    if not path.exists():
        return {}
    entries = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return {
        entry["image"]: {int(at): np.asarray(quad, np.float32) for at, quad in entry["quads"].items()}
        for entry in entries
    }


def _as_found(tiles: list[F32], quads: F32) -> dict[str, list[list[float]]]:
    """Of each tile that was found, by its place: the found corners, in the order of the labelled ones."""
    found = {}
    for at, tile in enumerate(tiles):
        near = np.flatnonzero(np.linalg.norm(quads.mean(axis=1) - tile.mean(axis=0), axis=1) < _size(tile))
        shares = [overlap(quads[index], tile) for index in near]
        if shares and max(shares) >= SAME:
            quad = quads[near[int(np.argmax(shares))]]
            turns = [np.roll(quad, turn, axis=0) for turn in range(4)]
            best = min(turns, key=lambda turned: float(np.abs(turned - tile).sum()))
            found[str(at)] = [[round(float(v), 1) for v in spot] for spot in best]
    return found


def _size(tile: F32) -> float:
    return float(np.linalg.norm(tile.max(axis=0) - tile.min(axis=0)))


def _on_a_tile(quad: F32, tiles: list[F32]) -> bool:
    low, high = quad.min(axis=0), quad.max(axis=0)
    for tile in tiles:
        if (tile.max(axis=0) < low).any() or (tile.min(axis=0) > high).any():
            continue
        if shared(quad, tile) > NEAR:
            return True
    return False
