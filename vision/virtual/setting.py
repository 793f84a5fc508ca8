"""What of a virtual table is drawn once by a seed: tiles, table, racks, light, camera, sensor."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import cv2
import numpy as np

from calibration.camera import Lens, make_pose
from calibration.markers import MARKER_IDS, MarkerLayout
from calibration.rig import Provenance, Rig
from calibration.zones import Zones, default_zones
from vision.synth.fonts import SPARE, Split, at_hand
from vision.synth.geometry import F64, Camera, look_at
from vision.synth.lamps import Light, draw_light
from vision.synth.looks import Look, draw_look
from vision.synth.racks import Stand as RackStand
from vision.synth.racks import draw_stand
from vision.synth.tabletop import SEAT_ANGLES
from vision.virtual.pieces import Bump

SIZES: Final[dict[str, tuple[int, int]]] = {
    "360p": (640, 360), "540p": (960, 540), "720p": (1280, 720), "1080p": (1920, 1080), "4k": (3840, 2160),
}  # fmt: skip
LEANS: Final = (30.0, 60.0)  # degrees of the racks, where none is said
RACK_SLOTS: Final = 12  # tiles of a tier
_FROM_EDGE_MM: Final = 64.0  # from the table's edge to the middle of a rack


@dataclass(frozen=True)
class Sensor:
    """What lens and sensor add, as drawn; gains are of stored values, lengths in pixels."""

    noise: float  # deviation in 1/255
    coarse: bool  # noise of neighbours is alike, and partly grey
    vignette: float  # share of the light that is lost in the corners
    cast: tuple[float, float, float]  # BGR gains
    gain: float
    blur_px: float
    mains_hz: float
    flicker: float  # share of the light
    drift: float  # share of the light, slowly up and down
    drift_s: float


@dataclass(frozen=True)
class Setting:
    """A table with its seats, racks, tile set, light and camera; lengths in mm."""

    seed: int
    split: Split
    seats: int
    table_mm: tuple[float, float]
    size: tuple[int, int]
    look: Look
    light: Light
    camera: Camera
    stands: tuple[RackStand, ...]  # by seat
    tiers: int
    things: int  # that lie about beside the racks
    gap: float  # between tiles laid side by side, in their widths
    jitter: float  # how crooked they lie
    sensor: Sensor

    @property
    def tile_px(self) -> float:
        """A tile's width in pixels in the middle of the table."""
        away = float(np.linalg.norm(self.camera.position))
        return self.look.width_mm * self.camera.focal_px / away

    @property
    def layout(self) -> MarkerLayout:
        """Where the corner markers lie."""
        return MarkerLayout(self.table_mm)

    @cached_property
    def zones(self) -> Zones:
        """The zones that moves lay tiles in."""
        return default_zones(self.table_mm, self.seats)

    def facing(self, seat: int) -> float:
        """How a seat's upright is turned from seat 1's, radians counter-clockwise."""
        return math.radians(SEAT_ANGLES[self.seats][seat - 1])


def draw_setting(
    seed: int,
    *,
    seats: int = 4,
    table_mm: tuple[float, float] | None = None,
    split: Split = "train",
    size: tuple[int, int] = (1920, 1080),
    lean: float | None = None,
    tiers: int = 2,
    style: str | None = None,
) -> Setting:
    """A setting by its seed; `lean` of the racks in degrees and `table_mm` are drawn where not given.

    Without the renderer's fonts the tiles are drawn with the one that comes with the program. Raises
    ValueError for seats, tiers or sizes that no table has, FontsMissingError without fonts.
    """
    if seats not in SEAT_ANGLES:
        raise ValueError(f"a table has 2, 3 or 4 seats, not {seats}")
    if tiers not in (1, 2, 3):
        raise ValueError(f"a rack has 1, 2 or 3 tiers, not {tiers}")
    if min(size) < 120:
        raise ValueError(f"a frame of {size[0]}x{size[1]} pixels is too small for a table; 640x360 will do")
    rng = np.random.default_rng([seed, 301])
    fonts = at_hand(split)
    look = draw_look(rng, split, style, fonts=fonts)
    if fonts[0][0].family is SPARE:  # which has no suits and stars
        look = replace(look, ornament=None, joker=("smile",), back_style="blank", back=look.body)
    wide = round(rng.uniform(800, 1100))
    table = (float(wide), float(round(wide * rng.uniform(0.85, 1.0)))) if table_mm is None else table_mm
    leaning = float(rng.uniform(*LEANS))
    leaning = leaning if lean is None else lean
    stands = tuple(_stand(rng, look, table, angle, leaning) for angle in SEAT_ANGLES[seats])
    light = draw_light(rng, ceiling=True)
    camera = _camera(rng, table, size)
    return Setting(
        seed=seed,
        split=split,
        seats=seats,
        table_mm=table,
        size=size,
        look=look,
        light=light,
        camera=camera,
        stands=stands,
        tiers=tiers,
        things=int(rng.integers(0, 4)),
        gap=float(rng.choice([0.0, 0.01, 0.03])),
        jitter=float(rng.uniform(0.005, 0.025)),
        sensor=_sensor(rng, size),
    )


def _stand(
    rng: np.random.Generator, look: Look, table: tuple[float, float], degrees: float, lean: float
) -> RackStand:
    facing = math.radians(degrees) - math.pi / 2  # seat 1 sits at the bottom
    front = np.asarray([math.cos(facing), math.sin(facing)])
    reach = float(np.abs(front) @ np.asarray(table)) / 2
    side = np.asarray([-front[1], front[0]])
    spot = front * (reach - _FROM_EDGE_MM) + side * float(np.clip(rng.normal(0, 15), -25, 25))
    leant = math.radians(float(np.clip(lean + rng.normal(0, 1.5), 20, 80)))
    length = look.width_mm * RACK_SLOTS * 1.03
    turned = facing + float(rng.normal(0, 0.015))
    return draw_stand(rng, look, spot=(spot[0], spot[1]), facing=turned, lean=leant, length=length)


def _camera(rng: np.random.Generator, table: tuple[float, float], size: tuple[int, int]) -> Camera:
    """Over the middle of the table, with room round it for the camera to be bumped."""
    height = float(rng.uniform(1250, 1700))
    scale = min(size[0] / table[0], size[1] / table[1]) * float(rng.uniform(0.84, 0.9))
    off = rng.normal(0, 0.008, 2) * table
    return look_at(
        target=np.asarray([off[0], off[1], 0.0]),
        tilt=min(0.12, abs(float(rng.normal(0, 0.05)))),
        azimuth=float(rng.uniform(0, 2 * math.pi)),
        roll=float(rng.choice([0, 0, 0, math.pi])) + float(rng.normal(0, 0.02)),
        distance=height,
        focal_px=scale * height,
        size=size,
        k1=float(np.clip(rng.normal(-0.03, 0.04), -0.12, 0.05)),
    )


def _sensor(rng: np.random.Generator, size: tuple[int, int]) -> Sensor:
    warm = float(rng.normal(0.01, 0.045))
    cast = (1 - warm * 1.3, 1 + float(rng.normal(0, 0.015)), 1 + warm)
    return Sensor(
        noise=float(np.exp(rng.uniform(math.log(1.2), math.log(5.0)))),
        coarse=bool(rng.random() < 0.5),
        vignette=float(rng.uniform(0.0, 0.25)),
        cast=cast,
        gain=float(rng.uniform(0.8, 1.05)),
        blur_px=float(rng.uniform(0.0, 0.45)) * size[0] / 1920,
        mains_hz=float(rng.choice([50.0, 60.0])),
        flicker=float(rng.uniform(0.0, 0.03)) if rng.random() < 0.6 else 0.0,
        drift=float(rng.uniform(0.0, 0.05)),
        drift_s=float(rng.uniform(40, 300)),
    )


def bumped(camera: Camera, bump: Bump) -> Camera:
    """The camera after a bump."""
    axis = np.asarray(bump.axis, np.float64)
    length = float(np.linalg.norm(axis))
    if length == 0:
        raise ValueError("the axis of a bump has no direction; (0, 0, 1) is that of sight")
    turn = np.asarray(cv2.Rodrigues(axis / length * math.radians(bump.degrees))[0], np.float64)
    position = camera.position + np.asarray([bump.dx_mm, bump.dy_mm, 0.0])
    return Camera(position, turn @ camera.axes, camera.focal_px, camera.centre_px, camera.k1)


def true_rig(setting: Setting, camera: Camera) -> Rig:
    """The rig that a faultless calibration of this camera would give."""
    lens = Lens(
        (camera.focal_px, camera.focal_px), camera.centre_px, (camera.k1, 0.0, 0.0, 0.0, 0.0), "given"
    )
    pose = make_pose(camera.axes, -camera.axes @ camera.position)
    layout = setting.layout
    marks = {}
    for marker in MARKER_IDS:
        corners: F64 = np.column_stack([layout.corners(marker), np.zeros(4)])
        marks[marker] = tuple((float(x), float(y)) for x, y in camera.project(corners))
    made = Provenance("2026-01-01", "virtual", (f"seed {setting.seed}",))
    return Rig(setting.size, layout, lens, pose, marks, 0.0, 0.0, made)
