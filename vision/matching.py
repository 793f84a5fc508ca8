"""Says which find is which labelled tile of a picture, and which finds are on no tile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from vision.labelled import TrueTile, overlap

if TYPE_CHECKING:
    from engine.readings import Quad

MATCH_IOU = 0.5  # of outlines; a find below it is a false one
HIDDEN_IOU = 0.25  # a spare find that overlaps a hidden tile by more is not held against the reader


def match(truths: Sequence[TrueTile], quads: Sequence[Quad]) -> tuple[list[int | None], list[int]]:
    """For each labelled tile the index of its find, or None; and the finds on no tile.

    A find on a tile that does not count (mostly hidden) is neither.
    """
    middles = np.asarray([np.mean(quad, axis=0) for quad in quads]).reshape(-1, 2)
    scored: list[tuple[bool, float, int, int]] = []
    for i, truth in enumerate(truths):
        reach = float(np.linalg.norm(truth.outline.max(axis=0) - truth.outline.min(axis=0)))
        away = np.linalg.norm(middles - truth.outline.mean(axis=0), axis=1)
        for j in np.flatnonzero(away < reach).tolist():
            iou = overlap(truth.outline, quads[j])
            if iou >= MATCH_IOU:
                scored.append((truth.counts, iou, i, j))
    # Tiles that count choose first: of a tower, the tile on top is the one that was seen.
    scored.sort(reverse=True)
    mine: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, i, j in scored:
        if i not in mine and j not in taken:
            mine[i] = j
            taken.add(j)
    hidden = [truth.outline for truth in truths if not truth.counts]
    spare = [
        j
        for j, quad in enumerate(quads)
        if j not in taken and not any(overlap(outline, quad) > HIDDEN_IOU for outline in hidden)
    ]
    return [mine.get(i) for i in range(len(truths))], spare
