"""Drawn tables under a camera that looks straight down: tiles, arms, lamps, a camera that is pushed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import Lens
from calibration.markers import MarkerLayout, find_markers
from calibration.rig import Rig, calibrate
from calibration.zones import Zone, Zones, default_zones
from engine.readings import SeenTile
from engine.rules import RuleSet
from engine.table_reading import Lying, LyingMeld, TableReading
from tests.calibration.virtual import MADE, table_top
from tests.vision.scripted import GROUND, draw_tile

U8 = NDArray[np.uint8]
Spot = tuple[float, float]

TABLE = (600.0, 600.0)
SKIN = (60, 80, 140)
SLEEVE = (70, 30, 20)
NOISE = np.random.default_rng(3).normal(0, 2.0, (512, 512, 3)).astype(np.float32)


@dataclass(frozen=True)
class Scene:
    """A table of 600 mm with tiles (number by middle in mm), as a frame of `side` pixels a side shows it.

    `arms` are from-to lines in mm, the first end outside; `gain` is the light, `band` how much mains flicker
    adds to a part of the rows, `shift` pixels by which the camera was pushed.
    """

    mm_per_px: float = 1.2
    tiles: tuple[tuple[Spot, int], ...] = ()
    arms: tuple[tuple[Spot, Spot], ...] = ()
    shadows: tuple[Spot, ...] = ()
    gain: float = 1.0
    band: float = 0.0
    shift: tuple[float, float] = (0.0, 0.0)
    seed: int = 0
    arm_colour: tuple[int, int, int] = SLEEVE
    hand_colour: tuple[int, int, int] = SKIN

    @property
    def side(self) -> int:
        return round((TABLE[0] + 100) / self.mm_per_px)

    @cached_property
    def rig(self) -> Rig:
        focal = 1200.0 / self.mm_per_px
        lens = Lens((focal, focal), (self.side / 2, self.side / 2), source="given")
        bare = replace(self, tiles=(), arms=(), shift=(0.0, 0.0))
        return calibrate(
            find_markers(bare.frame()),
            size=(self.side, self.side),
            layout=MarkerLayout(TABLE),
            lens=lens,
            provenance=MADE,
        )

    def px(self, spot: Spot) -> tuple[float, float]:
        return self.side / 2 + spot[0] / self.mm_per_px, self.side / 2 - spot[1] / self.mm_per_px

    def quad(self, spot: Spot) -> NDArray[np.float32]:
        x, y = self.px(spot)
        half = np.asarray([(-13, -18), (13, -18), (13, 18), (-13, 18)]) / self.mm_per_px
        return np.asarray(half + np.asarray([x, y]), np.float32)

    def frame(self) -> U8:
        image = np.full((self.side, self.side, 3), 30, np.uint8)
        top = table_top(MarkerLayout(TABLE), px_per_mm=1 / self.mm_per_px)
        top[top == 110] = GROUND
        at = (self.side - top.shape[0]) // 2
        image[at : at + top.shape[0], at : at + top.shape[1]] = top[..., None]
        for spot, number in self.tiles:
            draw_tile(image, self.quad(spot), number)
        for begin, end in self.arms:
            first, last = (tuple(round(v) for v in self.px(spot)) for spot in (begin, end))
            wide = round(70 / self.mm_per_px)
            cv2.line(image, first, last, self.arm_colour, wide)
            cv2.circle(image, last, round(45 / self.mm_per_px), self.hand_colour, -1)
        lit = image.astype(np.float32) * self.gain
        if self.band:
            rows = np.arange(self.side)
            lit *= (1 + self.band * np.sin(rows / self.side * 9 + self.seed))[:, None, None].astype(
                np.float32
            )
        if any(self.shift):
            matrix = np.asarray([[1, 0, self.shift[0]], [0, 1, self.shift[1]]], np.float64)
            lit = np.asarray(cv2.warpAffine(lit, matrix, (self.side, self.side)), np.float32)
        times = -(-self.side // NOISE.shape[0])
        noise = np.roll(np.tile(NOISE, (times, times, 1)), (37 * self.seed, 91 * self.seed), axis=(0, 1))
        return np.asarray(np.clip(lit + noise[: self.side, : self.side], 0, 255), np.uint8)


def zones_of(racks: str = "never") -> Zones:
    zones = default_zones(TABLE, 2)
    return zones.with_racks("never") if racks == "never" else zones


def lay_out(
    tiles: Sequence[SeenTile],
    rig: Rig,
    zones: Zones,
    *,
    number: int,
    at: float,
    rules: RuleSet,
    before: TableReading | None = None,
    keys: Sequence[int] | None = None,
    ended: bool = False,
    covered: Sequence[Zone] = (),
) -> TableReading:
    """Every tile a meld of its own, from left to right."""
    lying: list[Any] = []
    for key, tile in zip(keys or range(1, len(tiles) + 1), tiles, strict=True):
        x, y = rig.to_mm(np.asarray(tile.quad).mean(axis=0), height_mm=9.0)
        one = Lying(key, tile.face, tile.confidence, (float(x), float(y)), 0.0, tile.quad, tile.alternatives)
        lying.append(LyingMeld(key, 1, (one,)))
    lying.sort(key=lambda meld: meld.tiles[0].place)
    return TableReading(number, at, tuple(lying), unseen=tuple(zone.name for zone in covered))
