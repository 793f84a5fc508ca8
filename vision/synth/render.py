"""Draws a layout of solid tiles as a camera sees it, with exact labels."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.synth.faces import FaceFactory
from vision.synth.geometry import F64, Camera, Solid, box_points, face_quad
from vision.synth.layouts import Layout

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
SHIFT = 4  # fractional bits of polygon corners
MARGIN = 40  # pixels beyond the picture in which a tile is still drawn: its walls and shadow may show

#: Bodies of racks, BGR: black, woods, pink and cream plastic.
RACKS = (
    (28, 28, 30),
    (40, 70, 115),
    (70, 110, 160),
    (180, 150, 220),
    (190, 215, 230),
    (35, 35, 40),
    (60, 40, 30),
)


@dataclass(frozen=True)
class Light:
    """A lamp over the table, and the light from everywhere."""

    position: F64  # (3,) mm
    strength: float  # the lamp's share of the light; the rest is ambient
    ambient: float
    softness: float  # of shadows: mm of penumbra at tile height
    colour: tuple[float, float, float]  # BGR gains


@dataclass(frozen=True)
class TileLabel:
    """What is drawn where: the face (`r7`, `*`, `#`) and its corners in picture pixels."""

    face: str
    quad: tuple[tuple[float, float], ...]  # four (x, y), upright top left first, clockwise
    visible: float  # share of the face in sight, 0..1
    slant: float  # cosine between the face and the line of sight


def draw_light(rng: np.random.Generator) -> Light:
    """A lamp or window somewhere above the table."""
    height = rng.uniform(350, 1800)
    angle, away = rng.uniform(0, 2 * math.pi), rng.uniform(0.1, 1.3) * height
    ambient = rng.uniform(0.3, 0.75)
    warm = rng.normal(0, 0.035)
    return Light(
        position=np.asarray([away * math.cos(angle), away * math.sin(angle), height]),
        strength=1 - ambient,
        ambient=ambient,
        softness=float(np.exp(rng.uniform(math.log(0.4), math.log(8)))),
        colour=(1 - warm, 1.0, 1 + warm),
    )


def _fixed(points: F64) -> NDArray[np.int32]:
    return np.clip(np.round(points * (1 << SHIFT)), -(2**24), 2**24).astype(np.int32)


def _fill(image: U8, points: F64, colour: tuple[float, ...]) -> None:
    cv2.fillConvexPoly(image, _fixed(points), colour, cv2.LINE_AA, SHIFT)


def _hull(points: F64) -> F64:
    return np.asarray(cv2.convexHull(points.astype(np.float32)).reshape(-1, 2), np.float64)


class Painter:
    """Paints one layout into `image` (h, w, 3 BGR) and keeps who covers which pixel."""

    def __init__(self, image: U8, camera: Camera, light: Light, factory: FaceFactory) -> None:
        self.image = image
        self.camera = camera
        self.light = light
        self.factory = factory
        self.look = factory.look
        self.owner: NDArray[np.int32] = np.zeros(image.shape[:2], np.int32)
        self._quads: dict[int, F64] = {}

    def paint(self, layout: Layout) -> None:
        """Shadows first, then everything from far to near."""
        self._shadows(layout)
        if layout.tiers:
            self._paint_rack(layout)
            return
        solids = layout.solids
        for index in sorted(
            range(len(solids)), key=lambda i: (solids[i].layer, -self._distance(solids[i].centre))
        ):
            self._paint_solid(index, solids[index])

    def labels(self, solids: list[Solid], cover: U8 | None = None) -> list[TileLabel]:
        """Labels of the tiles whose face looks at the camera and reaches into the picture."""
        height, width = self.owner.shape
        owner = self.owner if cover is None else np.where(cover > 127, 0, self.owner)
        counts = np.bincount(owner.ravel(), minlength=len(solids) + 1)
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
            visible = round(min(1.0, counts[index + 1] / area), 3)
            found.append(TileLabel(face, corners, visible, round(slant, 3)))
        return found

    def _distance(self, point: F64) -> float:
        return float(np.linalg.norm(self.camera.position - point))

    def _shade(self, normal: F64, point: F64) -> float:
        ray = self.light.position - point
        ray = ray / np.linalg.norm(ray)
        # Scaled so that a flat face under the lamp has about its own colour.
        direct = max(0.0, float(normal @ ray)) / max(0.35, float(ray[2]))
        return float(self.light.ambient + self.light.strength * direct)

    def _shadows(self, layout: Layout) -> None:
        height, width = self.image.shape[:2]
        cast, contact = np.zeros((height, width), np.uint8), np.zeros((height, width), np.uint8)
        pixel = self._pixels_per_mm(np.zeros(3))
        for solid in layout.solids:
            if solid.layer > 2:
                continue
            face, back = self._outlines(solid)
            points = np.vstack([face, back])
            ray = points - self.light.position
            ground = points + ray * (points[:, 2:3] / np.maximum(-ray[:, 2:3], 1.0))
            ground[:, 2] = 0
            _fill(cast, _hull(self.camera.project(ground)), (255.0,))
            flat = back.copy()
            flat[:, 2] = 0
            _fill(contact, _hull(self.camera.project(flat)), (255.0,))
        soft = cv2.GaussianBlur(cast, (0, 0), max(0.4, self.light.softness * pixel * 0.5))
        near = cv2.GaussianBlur(contact, (0, 0), max(0.5, self.look.thickness_mm * 0.35 * pixel))
        dark = 1 - self.light.strength * 0.8 * (soft.astype(np.float32) / 255)
        dark *= 1 - 0.35 * (near.astype(np.float32) / 255)
        self.image[:] = (self.image * dark[..., None]).astype(np.uint8)

    def _pixels_per_mm(self, point: F64) -> float:
        return self.camera.focal_px / max(1.0, self._distance(point))

    def _outlines(self, solid: Solid) -> tuple[F64, F64]:
        look = self.look
        return box_points(solid, look.width_mm, look.height_mm, look.thickness_mm, look.corner)

    def _paint_rack(self, layout: Layout) -> None:
        colour = np.asarray(RACKS[self.look.seed % len(RACKS)], float)
        plates = {tier: [plate for plate in layout.plates if plate.tier == tier] for tier in layout.tiers}

        def away(tier: int) -> float:
            middle = np.mean([plate.corners.mean(axis=0) for plate in plates[tier]], axis=0)
            return self._distance(np.asarray(middle))

        for tier in sorted(layout.tiers, key=away, reverse=True):
            for plate in plates[tier]:
                if plate.order < 0:
                    self._plate(plate.corners, colour * plate.shade)
            for index in sorted(layout.tiers[tier], key=lambda i: -self._distance(layout.solids[i].centre)):
                self._paint_solid(index, layout.solids[index])
            for plate in plates[tier]:
                if plate.order > 0:
                    self._plate(plate.corners, colour * plate.shade)

    def _plate(self, corners: F64, colour: F64) -> None:
        normal = np.cross(corners[1] - corners[0], corners[0] - corners[3])
        normal = normal / max(1e-9, float(np.linalg.norm(normal)))
        shade = self._shade(normal, corners.mean(axis=0))
        points = self.camera.project(corners)
        _fill(self.image, points, _bgr(colour * shade))
        cv2.fillConvexPoly(self.owner, points.round().astype(np.int32), 0)

    def _paint_solid(self, index: int, solid: Solid) -> None:
        look = self.look
        quad = self.camera.project(face_quad(solid, look.width_mm, look.height_mm))
        height, width = self.owner.shape
        if (quad.max(axis=0) < -MARGIN).any() or (
            quad.min(axis=0) > np.asarray([width, height]) + MARGIN
        ).any():
            return
        face, back = self._outlines(solid)
        face_px, back_px = self.camera.project(face), self.camera.project(back)
        hull = _hull(np.vstack([face_px, back_px]))
        body = np.asarray(look.body[::-1]) * look.wall_tint * np.asarray(self.light.colour)
        sight = self.camera.position - solid.centre
        _fill(self.image, hull, _bgr(body * self._shade(solid.axes[:, 1], solid.centre)))
        # fillConvexPoly without smoothing for ownership: each pixel belongs to one thing.
        cv2.fillConvexPoly(self.owner, hull.round().astype(np.int32), 0)
        for axis, sign, start in ((1, 1, 15), (0, 1, 3), (1, -1, 7), (0, -1, 11)):
            normal = solid.axes[:, axis] * sign
            if float(normal @ sight) <= 0:
                continue
            i, j = start, (start + 1) % 16
            wall = np.stack([face_px[i], face_px[j], back_px[j], back_px[i]])
            _fill(self.image, wall, _bgr(body * self._shade(normal, solid.centre) * 0.97))
        if float(sight @ solid.axes[:, 2]) <= 0:
            return
        self._paint_face(solid, quad)
        self._quads[index] = quad
        cv2.fillConvexPoly(self.owner, quad.round().astype(np.int32), index + 1)

    def _paint_face(self, solid: Solid, quad: F64) -> None:
        left, top = np.floor(quad.min(axis=0)).astype(int) - 1
        right, bottom = np.ceil(quad.max(axis=0)).astype(int) + 2
        height, width = self.image.shape[:2]
        x0, y0, x1, y1 = max(0, left), max(0, top), min(width, right), min(height, bottom)
        if x1 <= x0 or y1 <= y0:
            return
        size = float(np.linalg.norm(quad[1] - quad[0]))
        texture = self.factory.texture(solid.face, size * 1.1)
        lit = self._lit(texture.colour, texture.normal, solid)
        rows, columns = texture.cover.shape
        premultiplied = np.dstack([lit * texture.cover[..., None], texture.cover]).astype(np.float32)
        corners = np.asarray([[0, 0], [columns, 0], [columns, rows], [0, rows]], np.float32) - 0.5
        matrix = cv2.getPerspectiveTransform(corners, (quad - (x0, y0) - 0.5).astype(np.float32))
        warped = cv2.warpPerspective(premultiplied, matrix, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
        view = self.image[y0:y1, x0:x1]
        mixed = view * (1 - warped[..., 3:]) + warped[..., :3] * 255
        view[:] = np.clip(mixed, 0, 255).astype(np.uint8)

    def _lit(self, colour: F32, normal: F32, solid: Solid) -> F32:
        """The texture under the lamp: soft light by the normals, and a highlight that moves over the face."""
        ray = self.light.position - solid.centre
        far = float(np.linalg.norm(ray))
        local = solid.axes.T @ (ray / far)
        facing = max(0.35, float(ray[2] / far))
        sun = np.clip(normal @ local.astype(np.float32), 0, None) / facing
        shade = self.light.ambient * (0.6 + 0.4 * normal[..., 2]) + self.light.strength * sun
        lit = colour * shade[..., None] * np.asarray(self.light.colour, np.float32)
        if self.look.gloss > 0:
            lit = lit + self._highlight(normal, solid)[..., None]
        return np.asarray(lit, np.float32)

    def _highlight(self, normal: F32, solid: Solid) -> F32:
        rows, columns = normal.shape[:2]
        corners = face_quad(solid, self.look.width_mm, self.look.height_mm)[[0, 1, 3, 2]]
        lamp, eye = self.light.position - corners, self.camera.position - corners
        half = lamp / np.linalg.norm(lamp, axis=1, keepdims=True)
        half = half + eye / np.linalg.norm(eye, axis=1, keepdims=True)
        local = (half @ solid.axes).astype(np.float32).reshape(2, 2, 3)
        spread = np.asarray(cv2.resize(local, (columns, rows), interpolation=cv2.INTER_LINEAR), np.float32)
        spread /= np.linalg.norm(spread, axis=2, keepdims=True)
        cosine = np.clip((normal * spread).sum(axis=2), 0, 1)
        return np.asarray(self.look.gloss * self.light.strength * cosine**self.look.gloss_power, np.float32)


def _bgr(colour: F64) -> tuple[float, ...]:
    return tuple(float(v) for v in np.clip(colour, 0, 255))
