"""Shadows of things on the table, each kept as it was drawn, so that any part of a picture can be shaded.

A thing's shadows do not depend on what else lies there; where several fall on a pixel they add up to black.
Seams between tiles that touch stay as dark as under one thing, as they should.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from vision.synth.shadows import fill_hull, soft

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from vision.synth.geometry import F64, Camera
    from vision.synth.lamps import Lamp, Light

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
Box = tuple[int, int, int, int]  # left, top, right, bottom in pixels


@dataclass(frozen=True)
class Stamp:
    """A soft mask (h, w) 0..255 whose upper left pixel is at (left, top) of the frame."""

    left: int
    top: int
    mask: U8

    @property
    def box(self) -> Box:
        """Where it reaches."""
        return self.left, self.top, self.left + self.mask.shape[1], self.top + self.mask.shape[0]


@dataclass(frozen=True, eq=False)
class Blocker:
    """What stands in the light as one: convex parts, points (n, 3) in mm each."""

    parts: tuple[F64, ...]
    top: float
    _kept: dict[int, tuple[Stamp | None, ...]] = field(default_factory=dict)

    def shadows(self, stage: Stage, plane: int) -> tuple[Stamp | None, ...]:
        """On the plane of a number: darkness beside it, then what each lamp cannot reach."""
        if plane not in self._kept:
            height, deep = stage.deep * plane, stage.deep
            if plane and self.top <= height + deep * 0.5:
                self._kept[plane] = ()
            else:
                beside = _stamp(stage, _dropped(self.parts, height), deep * (0.5 if plane else 0.35), height)
                cast = [self._cast(stage, lamp, height) for lamp in stage.light.lamps]
                self._kept[plane] = (beside, *cast)
        return self._kept[plane]

    def _cast(self, stage: Stage, lamp: Lamp, height: float) -> Stamp | None:
        thrown = []
        for part in self.parts:
            points = part.copy()
            points[:, 2] = np.maximum(points[:, 2], height)
            ray = points - lamp.position
            thrown.append(points + ray * ((points[:, 2:3] - height) / np.maximum(-ray[:, 2:3], 1.0)))
        rise = max(1.0, 0.6 * float(np.mean([part[:, 2].max() for part in self.parts])) - height)
        blur = lamp.size_mm * rise / max(float(lamp.position[2]) - rise, 1.0) * 0.35
        return _stamp(stage, thrown, blur, height)


@dataclass(frozen=True)
class Stage:
    """Camera and light over planes one tile's thickness (`deep`, mm) apart, seen in frames of (h, w)."""

    camera: Camera
    light: Light
    shape: tuple[int, int]
    deep: float

    @property
    def tones(self) -> list[F64]:
        """(3,) BGR of the light from everywhere, then of each lamp."""
        light = self.light
        return [
            np.asarray(light.tint) * light.ambient,
            *(np.asarray(lamp.colour) * lamp.strength for lamp in light.lamps),
        ]


def table_gains(
    stage: Stage, blockers: Iterable[Blocker], pools: Sequence[NDArray[np.uint16]], box: Box
) -> F32:
    """The light on the table in a box, (h, w, 3) BGR gains."""
    beside, hidden = _fields(stage, blockers, 0, box)
    rows, columns = slice(box[1], box[3]), slice(box[0], box[2])
    tones = [tone.astype(np.float32) for tone in stage.tones]
    gains = (1 - np.float32(0.45) * beside)[..., None] * tones[0]
    near = 1 - np.float32(0.25) * beside
    for tone, pool, dark in zip(tones[1:], pools, hidden, strict=True):
        lit = pool[rows, columns].astype(np.float32) * np.float32(2**-14)
        lit *= (1 - np.float32(0.9) * dark) * near
        gains += lit[..., None] * tone
    return np.asarray(gains, np.float32)


def tile_gains(stage: Stage, blockers: Iterable[Blocker], plane: int, box: Box) -> F32 | None:
    """Gains (h, w, 3) that higher things leave to tiles with faces in a plane; None where all is left."""
    high = [blocker for blocker in blockers if any(_touches(stage, blocker, plane, box))]
    if not high:
        return None
    beside, hidden = _fields(stage, high, plane, box)
    whole = np.maximum(np.sum(stage.tones, axis=0), 1e-3)
    tones = [(tone / whole).astype(np.float32) for tone in stage.tones]
    gains = (1 - np.float32(0.4) * beside)[..., None] * tones[0]
    for tone, dark in zip(tones[1:], hidden, strict=True):
        gains += (1 - np.float32(0.9) * dark)[..., None] * tone
    return np.asarray(gains, np.float32)


def meets(first: Box, second: Box) -> bool:
    """Whether two boxes share a pixel."""
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]


def _touches(stage: Stage, blocker: Blocker, plane: int, box: Box) -> list[bool]:
    return [stamp is not None and meets(stamp.box, box) for stamp in blocker.shadows(stage, plane)]


def _fields(stage: Stage, blockers: Iterable[Blocker], plane: int, box: Box) -> tuple[F32, list[F32]]:
    """How dark it is beside things, and for each lamp, (h, w) 0..1 in the box."""
    shape = (box[3] - box[1], box[2] - box[0])
    sums = [np.zeros(shape, np.uint16) for _ in range(len(stage.light.lamps) + 1)]
    for blocker in blockers:
        for total, stamp in zip(sums, blocker.shadows(stage, plane) or (), strict=False):
            if stamp is None or not meets(stamp.box, box):
                continue
            left, top = max(stamp.left, box[0]), max(stamp.top, box[1])
            right, bottom = min(stamp.box[2], box[2]), min(stamp.box[3], box[3])
            part = stamp.mask[top - stamp.top : bottom - stamp.top, left - stamp.left : right - stamp.left]
            total[top - box[1] : bottom - box[1], left - box[0] : right - box[0]] += part
    dark = [np.minimum(total, 255).astype(np.float32) * np.float32(1 / 255) for total in sums]
    return dark[0], dark[1:]


def _dropped(parts: Sequence[F64], height: float) -> list[F64]:
    """The parts seen from straight above, in the plane."""
    return [np.column_stack([part[:, :2], np.full(len(part), height)]) for part in parts]


def _stamp(stage: Stage, parts: Sequence[F64], blur_mm: float, height: float) -> Stamp | None:
    """Parts in the plane as a mask, blurred; None where it reaches no pixel of the frame."""
    camera = stage.camera
    away = float(np.linalg.norm(camera.position - np.asarray([0.0, 0.0, height])))
    sigma = max(0.5, blur_mm * camera.focal_px / max(1.0, away))
    outlines = [camera.project(part) for part in parts]
    every = np.concatenate(outlines)
    pad = int(3 * sigma) + 3
    least = np.maximum(np.floor(every.min(axis=0)).astype(int) - pad, -pad)
    most = np.minimum(
        np.ceil(every.max(axis=0)).astype(int) + pad, (stage.shape[1] + pad, stage.shape[0] + pad)
    )
    if (most - least <= 2).any():
        return None
    mask = np.zeros((int(most[1] - least[1]), int(most[0] - least[0])), np.uint8)
    for outline in outlines:
        fill_hull(mask, outline - least)
    drawn = np.asarray(np.rint(soft(mask, sigma) * 255), np.uint8)
    left, top = max(0, int(least[0])), max(0, int(least[1]))
    right, bottom = min(stage.shape[1], int(most[0])), min(stage.shape[0], int(most[1]))
    if right <= left or bottom <= top:
        return None
    cut = drawn[top - least[1] : bottom - least[1], left - least[0] : right - least[0]]
    return Stamp(left, top, np.ascontiguousarray(cut))
