"""What lies under everything: table top, corner cards, floor, as the camera sees them, and the lamps' pools.

Drawn once in millimetres, so that all of it stays where it is on the table when the camera is bumped.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.markers import INSET_MM, MARKER_IDS, MARKER_MM
from calibration.sheets import CARD_MM
from vision.synth.clutter import KINDS
from vision.synth.geometry import F64, Camera
from vision.synth.shadows import falloff
from vision.synth.surfaces import floor, surface
from vision.synth.things import lay
from vision.virtual.setting import Setting

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]

_FLOOR_MM: Final = -720.0
_CELL: Final = 16  # pixels between exact points, even ones between which the rest is taken
_SPARE_MM: Final = 40.0
_WIDEST_MM: Final = 75.0  # half of a thing that lies about: a larger one would lie in the way
_FINEST: Final = 1.5  # pixels a millimetre of the table top as drawn
_CARD_PX: Final = 6.0  # pixels a millimetre of a corner card as drawn
_FINE: Final = 3  # samples a pixel, each way, of corner cards
_GAMMA: Final = 2.2
_SIDES: Final = ((-1, 1), (1, 1), (1, -1), (-1, -1))  # of the cards, clockwise from the far left


@dataclass(frozen=True)
class Texture:
    """A horizontal plane as a picture: its pixel (0, 0) is at `corner` (x, y), rows go towards -y."""

    pixels: U8
    per_mm: float
    corner: tuple[float, float]
    height_mm: float


@dataclass(frozen=True)
class Ground:
    """The planes of a setting."""

    setting: Setting
    top: Texture
    under: Texture


def draw_ground(setting: Setting) -> Ground:
    """Table top with a few things beside the racks, and the floor; the same for the same setting."""
    rng = np.random.default_rng([setting.seed, 302])
    # Cloth and wood have no finer grain than this: what is beyond costs seconds and shows nothing.
    per_mm = min(setting.tile_px / setting.look.width_mm * 1.1, _FINEST)
    wide, deep = (side + 2 * _SPARE_MM for side in setting.table_mm)
    size = (math.ceil(wide * per_mm), math.ceil(deep * per_mm))
    pixels = surface(rng, size, setting.look.width_mm * per_mm)
    _things(rng, pixels, setting, per_mm)
    top = Texture(pixels, per_mm, (-wide / 2, deep / 2), 0.0)
    # Wide enough for all that a frame shows of it, also after bumps.
    reach = (
        1.3 * math.hypot(*setting.size) / setting.camera.focal_px * (setting.camera.position[2] - _FLOOR_MM)
    )
    coarse = per_mm * 0.5
    side = math.ceil(reach * coarse)
    under = floor(rng, (side, side), setting.look.width_mm * coarse)
    return Ground(setting, top, Texture(under, coarse, (-reach / 2, reach / 2), _FLOOR_MM))


class View:
    """The ground as a camera sees it; with the light of each lamp on it."""

    def __init__(self, ground: Ground, camera: Camera) -> None:
        self._ground = ground
        self._camera = camera
        self._size = ground.setting.size

    @cached_property
    def picture(self) -> U8:
        """(h, w, 3) BGR in even light."""
        top = _seen(self._ground.top, self._camera, self._size)
        inside = np.zeros((self._size[1], self._size[0]), np.uint8)
        edge = self._camera.project(_outline(self._ground.setting.table_mm))
        cv2.fillPoly(inside, [np.round((edge - 0.5) * 16).astype(np.int32)], 255.0, cv2.LINE_AA, 4)
        soft = max(1.0, self._ground.setting.tile_px * 0.6)
        shade = cv2.GaussianBlur(inside, (0, 0), soft).astype(np.float32) / 255
        under = _seen(self._ground.under, self._camera, self._size) * (1 - 0.5 * shade[..., None])
        share = (inside.astype(np.float32) / 255)[..., None]
        picture = (top * share + under * (1 - share)).astype(np.uint8)
        for marker in MARKER_IDS:
            _lay_card(picture, self._ground.setting.table_mm, marker, self._camera)
        return picture

    @cached_property
    def pools(self) -> list[NDArray[np.uint16]]:
        """How much of each lamp's light falls on the table at each pixel, (h, w) in 1/2**14."""
        mm = _nodes(self._camera, self._size, 0.0)
        points = np.dstack([mm, np.zeros(mm.shape[:2])]).reshape(-1, 3)
        pools = []
        for lamp in self._ground.setting.light.lamps:
            light = falloff(lamp, points).reshape(mm.shape[:2]).astype(np.float32)
            pools.append(np.asarray(np.rint(_spread(light, self._size) * 2**14), np.uint16))
        return pools


def plane_mm(camera: Camera, pixels: F64, height_mm: float) -> F64:
    """Where lines of sight through pixels (n, 2) meet a horizontal plane, (n, 2) in mm."""
    matrix = np.asarray(
        [[camera.focal_px, 0, camera.centre_px[0]], [0, camera.focal_px, camera.centre_px[1]], [0, 0, 1]]
    )
    flat = cv2.undistortPoints(pixels.reshape(-1, 1, 2), matrix, np.asarray([camera.k1, 0, 0, 0, 0.0]))
    rays = np.column_stack([flat.reshape(-1, 2), np.ones(len(flat))]) @ camera.axes
    along = (height_mm - camera.position[2]) / np.minimum(rays[:, 2], -0.05)
    return np.asarray(camera.position[:2] + rays[:, :2] * along[:, None])


def _nodes(camera: Camera, size: tuple[int, int], height_mm: float) -> F64:
    """The plane's mm (rows, columns, 2) under the middles of cells of pixels, one more at each side."""
    columns, rows = (np.arange(-1, -(-side // _CELL) + 1) * _CELL + _CELL / 2 for side in size)
    x, y = np.meshgrid(columns, rows)
    mm = plane_mm(camera, np.stack([x, y], axis=-1).reshape(-1, 2), height_mm)
    return mm.reshape(len(rows), len(columns), 2)


def _spread(nodes: F32, size: tuple[int, int]) -> F32:
    """Values (rows, columns[, n]) of the cells' middles for every pixel."""
    full = cv2.resize(nodes, None, fx=_CELL, fy=_CELL, interpolation=cv2.INTER_LINEAR)
    return np.asarray(full[_CELL : _CELL + size[1], _CELL : _CELL + size[0]], np.float32)


def _seen(texture: Texture, camera: Camera, size: tuple[int, int]) -> U8:
    nodes = (_nodes(camera, size, texture.height_mm) - texture.corner) * (texture.per_mm, -texture.per_mm)
    places = _spread((nodes - 0.5).astype(np.float32), size)
    picture = cv2.remap(
        texture.pixels, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    return np.asarray(picture, np.uint8)


def _outline(table_mm: tuple[float, float]) -> F64:
    """The table's edge with rounded corners, (n, 3) mm."""
    radius, points = 8.0, []
    for sx, sy, start in ((1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270)):
        for step in (0, 30, 60, 90):
            angle = math.radians(start + step)
            x = sx * (table_mm[0] / 2 - radius) + radius * math.cos(angle)
            y = sy * (table_mm[1] / 2 - radius) + radius * math.sin(angle)
            points.append((x, y, 0.0))
    return np.asarray(points)


def _things(rng: np.random.Generator, pixels: U8, setting: Setting, per_mm: float) -> None:
    """Things that are no tiles, beside the racks and out of everybody's way."""
    makes, weights = list(KINDS), np.asarray(list(KINDS.values()))
    unit = setting.look.width_mm * per_mm
    for _ in range(setting.things):
        thing = makes[int(rng.choice(len(makes), p=weights / weights.sum()))](rng, unit)
        radius = (
            thing.wide
            / 2
            * math.hypot(1.0, thing.cover.shape[0] / thing.cover.shape[1])
            * setting.look.width_mm
        )
        if radius > _WIDEST_MM:
            continue
        side = int(rng.integers(4))
        half = np.asarray(setting.table_mm) / 2
        along = float(rng.choice([-1.0, 1.0])) * rng.uniform(200, 290) * min(setting.table_mm) / 900
        away = half[1 - side % 2] - max(radius + 3, rng.uniform(35, 75))
        x, y = ((along, -away), (away, along), (along, away), (-away, along))[side]
        spot = ((x + half[0] + _SPARE_MM) * per_mm, (half[1] + _SPARE_MM - y) * per_mm)
        lay(pixels, thing, spot, rng.uniform(0, 2 * math.pi), tile_px=unit, lamp=rng.uniform(0, 2 * math.pi))


def _lay_card(picture: U8, table_mm: tuple[float, float], marker: int, camera: Camera) -> None:
    """A corner card, sampled finely in true light: calibration is after tenths of a pixel."""
    sx, sy = _SIDES[marker]
    middle = np.asarray([sx * (table_mm[0] - CARD_MM) / 2, sy * (table_mm[1] - CARD_MM) / 2])
    half = np.asarray([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * CARD_MM / 2
    corners = camera.project(np.column_stack([middle + half, np.zeros(4)]))
    height, width = picture.shape[:2]
    left, top = np.maximum(np.floor(corners.min(axis=0)) - 1, 0).astype(int)
    right, bottom = np.minimum(np.ceil(corners.max(axis=0)) + 1, (width, height)).astype(int)
    if right - left < 2 or bottom - top < 2:
        return
    fine_x, fine_y = (
        np.arange((end - start) * _FINE) / _FINE + start + 0.5 / _FINE
        for start, end in ((left, right), (top, bottom))
    )
    x, y = np.meshgrid(fine_x, fine_y)
    mm = plane_mm(camera, np.stack([x, y], axis=-1).reshape(-1, 2), 0.0).reshape(*x.shape, 2)
    at = ((mm - middle) * (1, -1) + CARD_MM / 2) * _CARD_PX - 0.5
    card, places = _card(marker), at.astype(np.float32)
    light = cv2.remap(card, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    inside = (np.abs(mm - middle) <= CARD_MM / 2).all(axis=-1).astype(np.float32)
    size = (int(right - left), int(bottom - top))
    cover = np.asarray(cv2.resize(inside, size, interpolation=cv2.INTER_AREA), np.float32)[..., None]
    mean = cv2.resize(np.asarray(light) * inside, size, interpolation=cv2.INTER_AREA)
    view = picture[top:bottom, left:right]
    below = (view.astype(np.float32) / 255) ** _GAMMA * (1 - cover)
    view[:] = np.rint((below + np.asarray(mean)[..., None]) ** (1 / _GAMMA) * 255).astype(np.uint8)


def _card(marker: int) -> F32:
    """The card of a marker in true light, 0..1, its upper edge towards +y; its flush edges are outside."""
    sx, sy = _SIDES[marker]
    side = round(CARD_MM * _CARD_PX)
    card = np.full((side, side), (238 / 255) ** _GAMMA, np.float32)
    book = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    wide = round(MARKER_MM * _CARD_PX)
    code = cv2.aruco.generateImageMarker(book, marker, wide)
    # The marker's middle lies so far inside from the card's.
    off = INSET_MM - CARD_MM / 2
    left = round((CARD_MM / 2 - sx * off - MARKER_MM / 2) * _CARD_PX)
    top = round((CARD_MM / 2 + sy * off - MARKER_MM / 2) * _CARD_PX)
    card[top : top + wide, left : left + wide] = np.where(
        code > 0, (238 / 255) ** _GAMMA, (28 / 255) ** _GAMMA
    )
    return card
