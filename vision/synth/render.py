"""Draws a layout of solid tiles as a camera sees it, with exact labels."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.faces import FaceFactory
from vision.synth.geometry import F64, Camera, Place, Solid, box_points, face_quad
from vision.synth.lamps import Lamp, Light, draw_light
from vision.synth.layouts import Layout, Plate, Rack
from vision.synth.patches import Bools, Patch, Sprite, blend
from vision.synth.rackpaint import (
    FRACTION,
    RackLook,
    board_middle,
    board_normal,
    board_patch,
    fixed,
    paint_order,
    rack_look,
)
from vision.synth.shadows import Caster, plane_shade, table_light

__all__ = ["Lamp", "Light", "Painter", "TileLabel", "draw_light"]

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
MARGIN = 40  # pixels beyond the picture in which a tile is still drawn: its walls and shadow may show
#: Walls of a tile: the face's axis that they look along, its sign, and where they start in the outline.
_WALLS = ((1, 1, 15), (0, 1, 3), (1, -1, 7), (0, -1, 11))
_LUMA = np.asarray([0.114, 0.587, 0.299])


@dataclass(frozen=True)
class TileLabel:
    """What is drawn where: the face (`r7`, `*`, `#`) and its corners in picture pixels."""

    face: str
    quad: tuple[tuple[float, float], ...]  # four (x, y), upright top left first, clockwise
    visible: float  # share of the face in sight, 0..1
    slant: float  # cosine between the face and the line of sight
    place: Place | None = None  # where it belongs on a whole table
    contrast: float | None = None  # grey levels between ink and body, of a face with a number
    noise: float | None = None  # of its body, in grey levels


class Painter:
    """Paints one layout into `image` (h, w, 3 BGR) and keeps who covers which pixel."""

    def __init__(self, image: U8, camera: Camera, light: Light, factory: FaceFactory) -> None:
        self.image = image
        self.camera = camera
        self.light = light
        self.factory = factory
        self.look = factory.look
        self.owner: NDArray[np.int32] = np.zeros(image.shape[:2], np.int32)
        self._level: U8 = np.zeros(image.shape[:2], np.uint8)  # 1 + layer of a tile that lies flat
        self._quads: dict[int, F64] = {}
        self._painted: dict[int, int] = {}  # pixels of a face within the picture
        look = self.look
        upright = Solid("#", np.zeros(3), np.eye(3))
        face, _ = box_points(upright, look.width_mm, look.height_mm, look.thickness_mm, look.corner)
        self._outline = face[:, :2]
        self._walls = self._draw_walls()
        self._places = np.asarray([lamp.position for lamp in light.lamps]).reshape(-1, 3)
        self._colours = np.asarray([lamp.colour for lamp in light.lamps]).reshape(-1, 3)
        self._strengths = np.asarray([lamp.strength for lamp in light.lamps])
        squared = (self._places**2).sum(axis=1)
        self._reach = squared**1.5 / np.maximum(self._places[:, 2], 1.0)
        self._ambient = np.asarray(light.tint) * light.ambient

    def paint(self, layout: Layout) -> None:
        """Light and shadows on the table first, then what lies on it, then racks, each from far to near."""
        solids = layout.solids
        racked = {index for rack in layout.racks for tier in rack.tiers.values() for index in tier}
        flat = [index for index in range(len(solids)) if index not in racked]
        casters = [Caster(self._box(solid)) for solid in solids if self._near(solid)]
        casters += [Caster(plate.corners) for rack in layout.racks for plate in rack.plates]
        deep = self.look.thickness_mm
        gains = table_light(self.camera, self.light, casters, self.owner.shape, deep=deep)
        cv2.multiply(self.image, gains, dst=self.image, dtype=cv2.CV_8U)
        for layer in sorted({solids[index].layer for index in flat}):
            here = [index for index in flat if solids[index].layer == layer]
            for index in sorted(here, key=lambda i: -self._distance(solids[i].centre)):
                self._paint_solid(index, solids[index])
            self._shade_layer(layer, casters)
        for rack in sorted(layout.racks, key=lambda r: -self._distance(board_middle(r.plates))):
            self._paint_rack(rack, solids)

    def labels(self, solids: list[Solid], cover: U8 | None = None) -> list[TileLabel]:
        """Labels of the tiles whose face looks at the camera and reaches into the picture."""
        height, width = self.owner.shape
        owner = self.owner if cover is None else np.where(cover > 127, 0, self.owner)
        counts = np.bincount(owner.ravel(), minlength=len(solids) + 1)
        frame = np.asarray([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
        found = []
        for index, solid in enumerate(solids):
            quad = self._quads.get(index)
            if quad is None:
                continue
            area = abs(float(cv2.contourArea(quad.astype(np.float32))))
            inside = (quad.max(axis=0) > 0).all() and quad[:, 0].min() < width and quad[:, 1].min() < height
            if area < 4 or not inside:
                continue
            sight = self.camera.position - solid.centre
            slant = float(sight @ solid.axes[:, 2] / np.linalg.norm(sight))
            face = solid.face[0] if solid.face[0] in "*#" else solid.face
            corners = tuple((round(float(x), 2), round(float(y), 2)) for x, y in quad)
            share = 1.0
            if (quad < 0).any() or (quad > (width, height)).any():
                share = float(cv2.intersectConvexConvex(quad.astype(np.float32), frame)[0]) / area
            visible = share * counts[index + 1] / max(1, self._painted[index])
            shown = round(min(1.0, float(visible)), 3)
            found.append(TileLabel(face, corners, shown, round(slant, 3), solid.place))
        return found

    def _distance(self, point: F64) -> float:
        return float(np.linalg.norm(self.camera.position - point))

    def _near(self, solid: Solid) -> bool:
        """Whether the tile's shadow may reach into the picture."""
        height, width = self.owner.shape
        x, y = self.camera.project(solid.centre[None])[0]
        reach = 4 * self.look.height_mm * self.camera.focal_px / max(1.0, self._distance(solid.centre))
        return bool(-reach < x < width + reach and -reach < y < height + reach)

    def _box(self, solid: Solid) -> F64:
        """The eight corners of the tile."""
        face = face_quad(solid, self.look.width_mm, self.look.height_mm)
        return np.vstack([face, face - solid.axes[:, 2] * self.look.thickness_mm])

    def _draw_walls(self) -> F32:
        """Brightness of the four walls over what the lamps say: no wall is cut quite like another."""
        rng = np.random.default_rng([self.look.seed, 5])
        return np.asarray(self.light.edges.gain * (1 + rng.normal(0, 0.025, 4)), np.float32)

    def _lamps_at(self, point: F64) -> tuple[F64, F64]:
        """The directions to the lamps (n, 3), each as long as its light on ground there; their distances."""
        ray = self._places - point
        squared = (ray**2).sum(axis=1)
        far = np.sqrt(squared)
        here = np.clip(ray[:, 2] / (squared * far) * self._reach, 0.35, 1.8) * self._strengths
        return ray / far[:, None] * (here / np.maximum(0.45, ray[:, 2] / far))[:, None], far

    def _shades(self, normals: F64, point: F64) -> F64:
        """Light (n, 3) BGR on surfaces (n, 3); 1 on a flat face in the middle of the table."""
        direct, _ = self._lamps_at(point)
        return np.asarray(np.maximum(0, normals @ direct.T) @ self._colours + self._ambient)

    def _shade_layer(self, layer: int, casters: list[Caster]) -> None:
        """Shadows of stacks and racks on the tiles that lie in a layer."""
        deep = self.look.thickness_mm
        plane = deep * (layer + 1)
        high = [caster for caster in casters if caster.top > plane + deep * 0.5]
        if not high or layer > 2:
            return
        place = self._level == layer + 1
        if not place.any():
            return
        gains = plane_shade(self.camera, self.light, high, self.owner.shape, plane=plane, deep=deep)
        self.image[place] = (self.image[place] * gains[place]).astype(np.uint8)

    def _paint_rack(self, rack: Rack, solids: list[Solid]) -> None:
        look = rack_look(rack.kind, rack.seed)
        for part in paint_order(rack, solids, self.camera.position):
            if isinstance(part, Plate):
                self._plate(part, look)
            else:
                self._paint_solid(part, solids[part])

    def _plate(self, plate: Plate, look: RackLook) -> None:
        patch = self.board(plate, look)
        if patch is not None:
            blend(self.image[patch.rows, patch.columns], patch.colour, patch.cover)
            self.owner[patch.rows, patch.columns][patch.owned] = 0
            self._level[patch.rows, patch.columns][patch.owned] = 0

    def board(self, plate: Plate, look: RackLook) -> Patch | None:
        """A board of a rack as drawn; None where nothing of it is in the picture."""
        middle = plate.corners.mean(axis=0)
        normal = board_normal(plate.corners)
        sight = self.camera.position - middle
        if float(normal @ sight) < 0:
            normal = -normal
        sheen = 0.0
        for lamp in self.light.lamps:
            sheen += lamp.strength * look.gloss * self._mirrored(lamp.position - middle, sight, normal) ** 20
        points = self.camera.project(plate.corners)
        shade = self._shades(normal[None], middle)[0] * plate.shade
        scale = self.camera.focal_px / max(1.0, self._distance(middle))
        return board_patch(
            self.owner.shape, points, look, shade.astype(np.float32), sheen=sheen, rim_px=1.2 * scale
        )

    @staticmethod
    def _mirrored(lamp: F64, eye: F64, normal: F64) -> float:
        half = lamp / np.linalg.norm(lamp) + eye / np.linalg.norm(eye)
        return max(0.0, float(normal @ half / np.linalg.norm(half)))

    def _paint_solid(self, index: int, solid: Solid) -> None:
        sprite = self.sprite(index, solid)
        if sprite is None:
            return
        if sprite.body is not None:
            patch = sprite.body
            blend(self.image[patch.rows, patch.columns], patch.colour, patch.cover)
            self.owner[patch.rows, patch.columns][patch.owned] = 0
            self._level[patch.rows, patch.columns][patch.owned] = sprite.level
        if sprite.face is not None:
            patch = sprite.face
            blend(self.image[patch.rows, patch.columns], patch.colour, patch.cover)
        if sprite.quad is None:
            return
        self._quads[index] = sprite.quad
        self._painted[index] = sprite.painted
        if sprite.inside is not None:
            rows, columns, inside = sprite.inside
            self.owner[rows, columns][inside] = index + 1

    def sprite(self, index: int, solid: Solid) -> Sprite | None:
        """A tile as drawn; None where it is not in the picture. The number `index` makes its face its own."""
        look = self.look
        quad = self.camera.project(face_quad(solid, look.width_mm, look.height_mm))
        height, width = self.owner.shape
        if (quad.max(axis=0) < -MARGIN).any() or (quad.min(axis=0) > (width + MARGIN, height + MARGIN)).any():
            return None
        face = solid.centre + self._outline @ solid.axes[:, :2].T
        both = self.camera.project(np.vstack([face, face - solid.axes[:, 2] * look.thickness_mm]))
        sight = self.camera.position - solid.centre
        body = self._body(solid, both[:16], both[16:], sight)
        level = solid.layer + 1 if solid.axes[2, 2] > 0.99 else 0
        if float(sight @ solid.axes[:, 2]) <= 0:
            return Sprite(body, None, level, None, None)
        inside = self._face_pixels(quad)
        painted = 0 if inside is None else int(inside[2].sum())
        return Sprite(body, self._face(index, solid, quad), level, quad, inside, painted)

    def _body(self, solid: Solid, face: F64, back: F64, sight: F64) -> Patch | None:
        """The outline of the whole tile and its walls in sight, smoothed once for all."""
        both = np.vstack([face, back])
        height, width = self.owner.shape
        left, top = np.floor(np.maximum(both.min(axis=0), 0)).astype(int)
        right, bottom = np.ceil(np.minimum(both.max(axis=0), (width, height))).astype(int)
        if right <= left or bottom <= top:
            return None
        size = (int(right - left), int(bottom - top))
        scale = 4 if max(size) <= 100 else 2
        face, back = (face - (left, top)) * scale, (back - (left, top)) * scale
        patch = np.zeros((size[1] * scale, size[0] * scale, 4), np.uint8)
        hull = cv2.convexHull(np.vstack([face, back]).astype(np.float32)).reshape(-1, 2).astype(np.float64)
        body = np.asarray(self.look.body[::-1]) * self.look.wall_tint
        normals = np.stack([solid.axes[:, axis] * sign for axis, sign, _ in _WALLS])
        shades = self._shades(np.vstack([normals, solid.axes[:, 2]]), solid.centre)
        colours = body * self._wall_light(shades[:4], shades[4])
        facing = normals @ sight
        _fill(patch, hull, colours[int(np.argmax(facing))])
        bevel, share = self.light.edges.bevel, self.light.edges.bevel_share
        for number, (_, _, start) in enumerate(_WALLS):
            if facing[number] <= 0:
                continue
            i, j = start, (start + 1) % 16
            _fill(patch, np.stack([face[i], face[j], back[j], back[i]]), colours[number])
            if bevel is not None:
                inner = _between(face[[j, i]], back[[j, i]], share)
                line = np.vstack([face[[i, j]], inner])
                _fill(patch, line, colours[number] * bevel)
        small = np.asarray(cv2.resize(patch, size, interpolation=cv2.INTER_AREA), np.float32)
        cover = np.asarray(small[..., 3:] / 255, np.float32)
        rows, columns = slice(int(top), int(bottom)), slice(int(left), int(right))
        return Patch(rows, columns, small[..., :3], cover, small[..., 3] > 127)

    def _wall_light(self, shades: F64, on_face: F64) -> F64:
        """Light (4, 3) on walls: of the lamps' tone, its brightness kept to what is seen beside faces."""
        edges = self.light.edges
        ratio = np.maximum(1e-3, shades @ _LUMA) / max(1e-3, float(on_face @ _LUMA))
        wanted = np.clip(ratio**edges.follow * self._walls, edges.lowest, edges.highest)
        return np.asarray(0.5 * on_face * wanted[:, None] + 0.5 * shades * (wanted / ratio)[:, None])

    def _face_pixels(self, quad: F64) -> tuple[slice, slice, Bools] | None:
        """The pixels whose middles lie in the face: rows, columns, and which of them."""
        height, width = self.owner.shape
        left, top = np.floor(np.maximum(quad.min(axis=0), 0)).astype(int)
        right, bottom = np.ceil(np.minimum(quad.max(axis=0), (width, height))).astype(int)
        if right <= left or bottom <= top:
            return None
        x = np.arange(left, right, dtype=np.float32) + np.float32(0.5)
        y = (np.arange(top, bottom, dtype=np.float32) + np.float32(0.5))[:, None]
        inside = np.ones((bottom - top, right - left), np.bool_)
        for (x0, y0), (x1, y1) in zip(quad, np.roll(quad, -1, axis=0), strict=True):
            inside &= np.float32(x1 - x0) * (y - np.float32(y0)) >= np.float32(y1 - y0) * (x - np.float32(x0))
        return slice(int(top), int(bottom)), slice(int(left), int(right)), inside

    def _face(self, index: int, solid: Solid, quad: F64) -> Patch | None:
        left, top = np.floor(quad.min(axis=0)).astype(int) - 1
        right, bottom = np.ceil(quad.max(axis=0)).astype(int) + 2
        height, width = self.owner.shape
        x0, y0, x1, y1 = (
            int(value) for value in (max(0, left), max(0, top), min(width, right), min(height, bottom))
        )
        if x1 <= x0 or y1 <= y0:
            return None
        size = float(np.linalg.norm(quad[1] - quad[0]))
        texture = self.factory.texture(solid.face, size * 1.1)
        lit = self._lit(index, texture.colour, texture.normal, solid)
        rows, columns = texture.cover.shape
        premultiplied = np.dstack([lit * texture.cover[..., None], texture.cover]).astype(np.float32)
        corners = np.asarray([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(corners, (quad - (x0, y0) - 0.5).astype(np.float32))
        warped = np.asarray(
            cv2.warpPerspective(premultiplied, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR), np.float32
        )
        colour, cover = warped[..., :3] * np.float32(255), warped[..., 3:]
        return Patch(slice(y0, y1), slice(x0, x1), colour, cover, cover[..., 0] > 0.5)

    def _lit(self, index: int, colour: F32, normal: F32, solid: Solid) -> F32:
        """The texture under the lamps: soft light by the normals, highlights that move over the face."""
        light, gloss = self.light, self.look.gloss
        direct, far = self._lamps_at(solid.centre)
        rows, columns = normal.shape[:2]
        # What each lamp gives, and in the last channel what comes from everywhere.
        local = np.vstack([direct @ solid.axes, (0, 0, 0.4)]).astype(np.float32)
        given = np.maximum(cv2.transform(normal, local), 0).reshape(rows, columns, -1)
        given[..., -1] += 0.6
        if solid.axes[2, 2] < 0.98:  # on a rack: dimmer down at the ledge
            up = (rows - np.arange(rows, dtype=np.float32)) / (0.12 * rows)
            given *= (1 - 0.25 * np.exp(-up))[:, None, None]
        tones = np.vstack([self._colours, self._ambient]).astype(np.float32)
        lit = colour * cv2.transform(given, np.ascontiguousarray(tones.T))
        tilt = np.random.default_rng([self.look.seed, index]).normal(0, 0.02, 2)  # no tile lies quite flat
        if light.sheen > 0:
            share = light.sheen * (0.4 if gloss <= 0 else 1.0)
            far_off = solid.centre + np.asarray(light.sheen_from) * 1e5
            veil = self._highlight(normal, solid, far_off, light.sheen_power, tilt)
            veil = share * (0.45 + 0.55 * veil)
            lit = lit * (1 - veil) + veil * np.asarray(light.sheen_colour, np.float32)
        if gloss > 0:
            for lamp, distance in zip(light.lamps, far, strict=True):
                power = 1 / (1 / self.look.gloss_power + (lamp.size_mm / float(distance)) ** 2 / 8)
                spot = self._highlight(normal, solid, lamp.position, power, tilt)
                lit += spot * (np.asarray(lamp.colour, np.float32) * (gloss * lamp.strength * lamp.glare))
        return np.asarray(lit, np.float32)

    def _highlight(self, normal: F32, solid: Solid, source: F64, power: float, tilt: F64) -> F32:
        """How much of a source the face throws at the camera, 0..1 (h, w, 1)."""
        rows, columns = normal.shape[:2]
        corners = face_quad(solid, self.look.width_mm, self.look.height_mm)[[0, 1, 3, 2]]
        lamp, eye = source - corners, self.camera.position - corners
        half = lamp / np.linalg.norm(lamp, axis=1, keepdims=True)
        half = half + eye / np.linalg.norm(eye, axis=1, keepdims=True)
        half = half / np.linalg.norm(half, axis=1, keepdims=True)
        local = half @ solid.axes
        local[:, :2] += tilt
        grid = local.astype(np.float32).reshape(2, 2, 3)
        spread = np.asarray(cv2.resize(grid, (columns, rows), interpolation=cv2.INTER_LINEAR), np.float32)
        cosine = cv2.transform(cv2.multiply(normal, spread), np.ones((1, 3), np.float32))
        # The cosine's power, all but exactly near its peak, and many times faster.
        bright = cv2.exp(np.minimum(cosine - 1, 0) * np.float32(power))
        return np.asarray(bright, np.float32).reshape(rows, columns, 1)


def _fill(patch: U8, points: F64, colour: F64) -> None:
    blue, green, red = (float(value) for value in np.clip(colour, 0, 255))
    cv2.fillConvexPoly(patch, fixed(points), (blue, green, red, 255.0), cv2.LINE_8, FRACTION)


def _between(start: F64, end: F64, share: float) -> F64:
    return np.asarray(start + (end - start) * share)
