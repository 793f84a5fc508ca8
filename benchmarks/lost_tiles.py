"""Who loses the tiles that are not read right: the finder, the corners, the weighing, or what names the face.

    python -m benchmarks.lost_tiles DATA [MODELS]

DATA is any labelled set that `remi evaluate` reads. A tile that was not taken had no rough box (`no box`), or
no quad that shares half with it (`corners`), or too small a chance to be a tile (`chance`); one that was
taken is unread, or wrong: in its number, in its ink, or by being taken for a joker or a back.
"""

from __future__ import annotations

import sys
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from vision.finding import find_boxes
from vision.judging import chances, judge
from vision.labelled import LabelledPicture, TrueTile, load_labelled, overlap
from vision.matching import MATCH_IOU, match
from vision.pictures import load_picture
from vision.quads import box_corners
from vision.reader import Reader

NEAR = 0.35  # overlap of a rough box with the box of a tile, from which on it is about that tile
LEANS = (45.0, 60.0)  # degrees


def place(tile: TrueTile) -> str:
    """Where a tile lies, racks by how far they lean back."""
    lean = tile.spot.lean
    if tile.spot.zone == "rack" and lean is not None:
        step = sum(lean > limit for limit in LEANS)
        return f"rack {('to 45', '45 to 60', 'over 60')[step]}"
    return "face down" if tile.face == "#" else tile.spot.zone or "anywhere"


def kind_of_error(truth: str, seen: str) -> str:
    """What is wrong about a face that was read."""
    if seen == "?":
        return "unread"
    for mark, name in (("*", "joker"), ("#", "back")):
        if mark in (truth, seen):
            return f"wrong: {name}"
    return "wrong: number" if truth[1:] != seen[1:] else f"wrong: ink {truth[0]} as {seen[0]}"


def lost(reader: Reader, picture: LabelledPicture, tally: dict[str, Counter[str]]) -> None:
    """Adds to the tally, by place, what became of each tile of a picture, and of finds where none is."""
    image = load_picture(picture.path)
    finds, faces = reader.candidates(image)
    real = chances(finds, faces, reader.chance)
    tiles = judge(finds, faces, real, reader.thresholds, reader.confidence)
    boxes = find_boxes(image, reader.nets.find, threshold=reader.thresholds.find)
    rough = box_corners(boxes.xyxy)
    pairs, spare = match(picture.tiles, [tile.quad for tile in tiles])
    for truth, at in zip(picture.tiles, pairs, strict=True):
        if not truth.counts:
            continue
        where = tally[place(truth)]
        where["tiles"] += 1
        if at is not None:
            seen = str(tiles[at].face)
            where["right" if seen == truth.face else kind_of_error(truth.face, seen)] += 1
        elif any(overlap(truth.outline, quad) >= MATCH_IOU for quad in finds.quads):
            where["lost: chance"] += 1
        else:
            low, high = truth.outline.min(axis=0), truth.outline.max(axis=0)
            about = box_corners(np.asarray([[*low, *high]], np.float32))[0]
            boxed = any(overlap(about, quad) >= NEAR for quad in rough)
            where["lost: corners" if boxed else "lost: no box"] += 1
    for at in spare:
        seen = str(tiles[at].face)
        tally["no tile"][{"?": "unread", "#": "taken for a back"}.get(seen, "given a face")] += 1


def main(arguments: list[str]) -> None:
    """Prints a line for each place."""
    reader = Reader.load(Path(arguments[1]) if len(arguments) > 1 else None, threads=1)
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    for picture in load_labelled(Path(arguments[0])):
        lost(reader, picture, tally)
    for name, counts in sorted(tally.items()):
        print(f"{name}: {', '.join(f'{count} {what}' for what, count in counts.most_common())}")


if __name__ == "__main__":
    main(sys.argv[1:])
