"""Finds where earlier nets took something for a tile that is none: counter-examples to train on."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finding import find_boxes
from vision.quads import box_corners, shared
from vision.reader import Reader
from vision.synth.dataset import HELD_BACK, read_labels

F32 = NDArray[np.float32]

FALSE = "false.jsonl"
NEAR = 0.15  # of a find on a labelled tile: above it, it is not a false one


@dataclass(frozen=True)
class FalseFinds:
    """Of one scene: rough boxes (n, 4) x0 y0 x1 y1 and cornered quads (m, 4, 2) where no tile is, in px."""

    boxes: F32
    quads: F32


NONE = FalseFinds(np.zeros((0, 4), np.float32), np.zeros((0, 4, 2), np.float32))


def mine(data: Path, models: Path, *, every: int = 4, progress: Callable[[str], None] = print) -> Path:
    """Writes `data/false.jsonl`: what the nets in `models` find wrongly in every fourth scene trained on."""
    reader = Reader.load(models, threads=1)
    entries = list(read_labels(data))[:-HELD_BACK]
    count = 0
    with (data / FALSE).open("w", encoding="utf-8") as file:
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
            quads = [quad for quad in reader.candidates(picture)[0].quads if not _on_a_tile(quad, tiles)]
            if boxes or quads:
                line = {
                    "image": entry["image"],
                    "boxes": [[round(float(v), 1) for v in box] for box in boxes],
                    "quads": [[[round(float(v), 1) for v in spot] for spot in quad] for quad in quads],
                }
                file.write(json.dumps(line) + "\n")
                count += len(boxes)
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


def _on_a_tile(quad: F32, tiles: list[F32]) -> bool:
    low, high = quad.min(axis=0), quad.max(axis=0)
    for tile in tiles:
        if (tile.max(axis=0) < low).any() or (tile.min(axis=0) > high).any():
            continue
        if shared(quad, tile) > NEAR:
            return True
    return False
