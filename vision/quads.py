"""From corner heat to quads: peaks, and the choice of four that make a tile."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

F32 = NDArray[np.float32]

PEAKS = 2  # candidates kept for each corner
SHARED_MOST = 0.4  # of the smaller of two tiles: even a tile put on another leaves more of it in sight
REACH = 2  # cells about a peak that belong to it
CELL = 2.0  # pixels of the square to one heat cell
_NEXT = [1, 2, 3, 0]
_COMBOS = np.asarray(list(product(range(PEAKS), repeat=4)))


def decode(heat: F32) -> tuple[F32, F32]:
    """Heat logits (n, 4, 32, 32) to quads (n, 4, 2) in square pixels and their scores (n,) 0..1.

    Of two peaks a corner, the four are taken that lie clockwise and look most like a tile in perspective; a
    score says how much of the heat agrees, so that a doubtful quad is seen to be one.
    """
    count, _, rows, columns = heat.shape
    if count == 0:
        return np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32)
    flat = heat.reshape(count * 4, -1).astype(np.float32)
    flat -= flat.max(axis=1, keepdims=True)
    np.exp(flat, out=flat)
    whole = flat.sum(axis=1)
    maps = np.zeros((count * 4, rows + 2 * REACH, columns + 2 * REACH), np.float32)
    maps[:, REACH:-REACH, REACH:-REACH] = flat.reshape(-1, rows, columns)
    peaks = [_take_peak(maps, whole) for _ in range(PEAKS)]
    spots = np.stack([point for point, _ in peaks], 1).reshape(count, 4, PEAKS, 2)
    weights = np.stack([mass for _, mass in peaks], 1).reshape(count, 4, PEAKS)
    corner = np.arange(4)
    quads, support = spots[:, corner, _COMBOS], weights[:, corner, _COMBOS]  # (n, 16, 4, 2), (n, 16, 4)
    shapes = shape_cost(quads)
    best = (-np.log(support + 1e-6).sum(axis=2) + shapes).argmin(axis=1)
    index = np.arange(count)
    # The weakest corner decides: three sure corners and a guess are no quad.
    score = support[index, best].min(axis=1) * np.exp(-shapes[index, best])
    return (quads[index, best] * CELL).astype(np.float32), score.astype(np.float32)


def _take_peak(maps: F32, whole: F32) -> tuple[F32, F32]:
    """Of each map the strongest peak (m, 2) in cells, as a local mean, and its share of the `whole` (m,).

    The maps (m, h, w) have a rim of `REACH` cells; the peak is taken out of them.
    """
    count, _, wide = maps.shape
    top = maps.reshape(count, -1).argmax(axis=1)
    # Where nothing is left any cell will do, but one of the rim.
    y, x = np.maximum(top // wide - REACH, 0), np.maximum(top % wide - REACH, 0)
    offsets = np.arange(2 * REACH + 1)
    rows_at, columns_at = y[:, None] + offsets, x[:, None] + offsets
    place = (np.arange(count)[:, None, None], rows_at[:, :, None], columns_at[:, None, :])
    window = maps[place] / whole[:, None, None]
    maps[place] = 0
    mass = window.sum(axis=(1, 2)) + 1e-9
    mean_x = (window.sum(axis=1) * (columns_at - REACH)).sum(axis=1) / mass + 0.5
    mean_y = (window.sum(axis=2) * (rows_at - REACH)).sum(axis=1) / mass + 0.5
    return np.stack([mean_x, mean_y], 1).astype(np.float32), mass.astype(np.float32)


def box_corners(xyxy: F32) -> F32:
    """The corners (n, 4, 2) of upright boxes (n, 4) x0 y0 x1 y1, from the top left clockwise."""
    return np.asarray(xyxy[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2), np.float32)


def shape_cost(quads: F32) -> F32:
    """0 for a tile in perspective, growing with what makes a quad (..., 4, 2) unlike one."""
    sides = quads[..., _NEXT, :] - quads
    after = sides[..., _NEXT, :]
    turn = sides[..., 0] * after[..., 1] - sides[..., 1] * after[..., 0]
    lengths = np.linalg.norm(sides, axis=-1) + 1e-6
    wrong = np.clip(0.15 - turn / (lengths * lengths[..., _NEXT]), 0, None).sum(axis=-1) * 8
    middle = np.abs(quads[..., 0, :] + quads[..., 2, :] - quads[..., 1, :] - quads[..., 3, :]).sum(
        axis=-1
    ) / lengths.sum(axis=-1)
    across = np.abs(np.log(lengths[..., 0] / lengths[..., 2])) + np.abs(
        np.log(lengths[..., 1] / lengths[..., 3])
    )
    aspect = (lengths[..., 1] + lengths[..., 3]) / (lengths[..., 0] + lengths[..., 2])
    odd = np.clip(np.log(aspect / 1.9), 0, None) + np.clip(np.log(0.3 / aspect), 0, None)
    return np.asarray(
        wrong + np.clip(middle - 0.06, 0, None) * 6 + np.clip(across - 0.5, 0, None) * 2 + odd * 4, np.float32
    )


def longer_sides(quads: NDArray[np.floating]) -> F32:
    """The longer side of each quad (n, 4, 2) in pixels."""
    sides = np.linalg.norm(quads[:, _NEXT] - quads, axis=2)
    return np.asarray(sides.max(axis=1, initial=0), np.float32)


def inner_area(first: ArrayLike, second: ArrayLike) -> tuple[float, float, float]:
    """The area that the convex hulls of two outlines (n, 2) share, and the area of each, in square pixels."""
    # Clipped here: OpenCV's intersectConvexConvex takes edges on one line for the whole outline now and then.
    a, b = (
        cv2.convexHull(np.asarray(outline, np.float32).reshape(-1, 1, 2))[:, 0].astype(np.float64)
        for outline in (first, second)
    )
    origin = a[0].copy()
    ours, other = ((hull - origin).tolist() for hull in (a, b))
    whole, part = _area(ours), _area(other)
    if whole == 0 or part == 0:
        return 0.0, abs(whole), abs(part)
    edges = other if part > 0 else other[::-1]
    for begin, end in zip(edges, edges[1:] + edges[:1], strict=True):
        ours = _clipped(ours, begin, end)
    return abs(_area(ours)), abs(whole), abs(part)


def _clipped(outline: list[list[float]], begin: list[float], end: list[float]) -> list[list[float]]:
    """What of a convex outline lies on the inner side of an edge (of an outline with positive area)."""
    (x, y), dx, dy = begin, end[0] - begin[0], end[1] - begin[1]
    away = [dx * (point[1] - y) - dy * (point[0] - x) for point in outline]
    kept = []
    for at, point in enumerate(outline):
        before, was, now = outline[at - 1], away[at - 1], away[at]
        if (was < 0) != (now < 0):
            share = was / (was - now)
            kept.append([before[axis] + share * (point[axis] - before[axis]) for axis in (0, 1)])
        if now >= 0:
            kept.append(point)
    return kept


def _area(outline: list[list[float]]) -> float:
    """Positive or negative by the direction in which the points go round."""
    pairs = zip(outline, outline[1:] + outline[:1], strict=True)
    return sum(one[0] * two[1] - one[1] * two[0] for one, two in pairs) / 2


def shared(first: ArrayLike, second: ArrayLike) -> float:
    """How much of the smaller of two outlines lies in the other, 0 to 1; 1 where one has no area."""
    inner, *areas = inner_area(first, second)
    return min(1.0, inner / min(areas)) if min(areas) > 0 else 1.0


def distinct(quads: F32, worth: F32, most: float) -> list[int]:
    """Indexes of the quads (n, 4, 2) that stay, best first: of two that share over `most`, the better one."""
    low, high = quads.min(axis=1), quads.max(axis=1)
    reach = np.linalg.norm(high - low, axis=1)
    middles = quads.mean(axis=1)
    near = np.linalg.norm(middles[:, None] - middles[None], axis=2) < (reach[:, None] + reach[None]) / 2
    near &= ((low[:, None] <= high[None]) & (high[:, None] >= low[None])).all(axis=2)
    kept: list[int] = []
    for index in np.argsort(-worth, kind="stable"):
        rivals = (other for other in kept if near[index, other])
        if not any(shared(quads[index], quads[other]) > most for other in rivals):
            kept.append(int(index))
    return kept
