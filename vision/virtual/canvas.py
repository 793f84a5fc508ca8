"""The picture of a virtual table without hands, of which only what changed is painted again.

Every tile, board and shadow is kept as it was drawn. A changed part is laid anew from these in the order of
depth, which gives, pixel for pixel, what painting the whole picture gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from vision.synth.faces import FaceFactory
from vision.synth.patches import Patch, Sprite, blend
from vision.synth.rackpaint import board_middle, paint_order, rack_look
from vision.synth.render import Painter
from vision.virtual.ground import View
from vision.virtual.shading import Blocker, Box, Stage, meets, table_gains, tile_gains
from vision.virtual.solids import Key, blocker_of, filled, key_of, racks_of, solid_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from vision.synth.geometry import Camera, Solid
    from vision.synth.layouts import Plate, Rack
    from vision.virtual.ground import Ground
    from vision.virtual.pieces import Piece
    from vision.virtual.setting import Setting

U8 = NDArray[np.uint8]

_BLOCK: Final = 480  # pixels a side: so much is painted at a time
_MERGE: Final = 1.3  # boxes are made one where that makes at most so much more to paint
_SHADED_LAYERS: Final = 3  # as vision.synth.render


@dataclass(frozen=True)
class _Tile:
    piece: Piece
    solid: Solid
    sprite: Sprite | None


class Canvas:
    """Paints the tiles of a setting as a camera sees them; `picture` (h, w, 3 BGR) is what is painted."""

    def __init__(self, setting: Setting, ground: Ground, camera: Camera, factory: FaceFactory) -> None:
        width, height = setting.size
        self.picture: U8 = np.zeros((height, width, 3), np.uint8)
        self._painter = Painter(self.picture, camera, setting.light, factory)
        self._setting = setting
        self._view = View(ground, camera)
        self._stage = Stage(camera, setting.light, (height, width), setting.look.thickness_mm)
        self._tiles: dict[int, _Tile] = {}
        self._racks: list[Rack] = racks_of(setting)
        self._boards: dict[int, Patch | None] = {}
        for rack in self._racks:
            look = rack_look(rack.kind, rack.seed)
            for plate in rack.plates:
                self._boards[id(plate)] = self._painter.board(plate, look)
        self._blockers: dict[Key, Blocker] = {}
        for seat in range(1, setting.seats + 1):
            self._block(("rack", seat))
        self.everything()

    @property
    def camera(self) -> Camera:
        """The camera that sees it so."""
        return self._stage.camera

    def update(self, pieces: Mapping[int, Piece]) -> list[Box]:
        """Paints what is other than before; the boxes that were painted."""
        now = {tile: held.piece for tile, held in self._tiles.items()}
        tiles = [tile for tile in now.keys() | pieces.keys() if now.get(tile) != pieces.get(tile)]
        if not tiles:
            return []
        keys = {key_of(tile, side[tile]) for side in (now, pieces) for tile in tiles if tile in side}
        boxes = [box for tile in tiles for box in self._reach(tile)]
        boxes += [box for key in keys for box in self._dark(key)]
        for tile in tiles:
            piece = pieces.get(tile)
            if piece is None:
                del self._tiles[tile]
            else:
                solid = solid_of(self._setting, tile, piece)
                self._tiles[tile] = _Tile(piece, solid, self._painter.sprite(tile - 1, solid))
        for key in keys:
            self._block(key)
        boxes += [box for tile in tiles for box in self._reach(tile)]
        boxes += [box for key in keys for box in self._dark(key)]
        merged = _merged(boxes)
        self._paint(merged)
        return merged

    def everything(self) -> None:
        """Paints all of the picture."""
        height, width = self.picture.shape[:2]
        self._paint(
            [
                (left, top, min(left + _BLOCK, width), min(top + _BLOCK, height))
                for top in range(0, height, _BLOCK)
                for left in range(0, width, _BLOCK)
            ]
        )

    def solid(self, tile: int) -> Solid:
        """A tile as it lies; KeyError for one that does not."""
        return self._tiles[tile].solid

    def quad(self, tile: int) -> NDArray[np.float64] | None:
        """The corners (4, 2) in pixels of what a tile shows; None where that is not in the picture."""
        sprite = self._tiles[tile].sprite
        return None if sprite is None else sprite.quad

    def in_sight(self, tile: int, cover: U8 | None) -> float:
        """The share of what a tile shows that is in sight, 0..1; `cover` (h, w) is over 127 under hands."""
        sprite = self._tiles[tile].sprite
        if sprite is None or sprite.inside is None or not sprite.painted:
            return 0.0
        rows, columns, _ = sprite.inside
        seen = self._painter.owner[rows, columns] == tile
        if cover is not None:
            seen &= cover[rows, columns] <= 127
        return float(seen.sum()) / sprite.painted

    def _block(self, key: Key) -> None:
        # In the order of their numbers: a mask of several outlines depends on which was drawn first.
        tiles = sorted(tile for tile, held in self._tiles.items() if key_of(tile, held.piece) == key)
        solids = [self._tiles[tile].solid for tile in tiles]
        blocker = blocker_of(self._setting, key, solids, self._racks)
        if blocker is None:
            self._blockers.pop(key, None)
        else:
            self._blockers[key] = blocker

    def _reach(self, tile: int) -> list[Box]:
        held = self._tiles.get(tile)
        if held is None or held.sprite is None:
            return []
        return [patch.box for patch in (held.sprite.body, held.sprite.face) if patch is not None]

    def _dark(self, key: Key) -> list[Box]:
        """Where the shadows of what stands as one fall, on the table and on tiles."""
        blocker = self._blockers.get(key)
        if blocker is None:
            return []
        planes = [0, *(layer + 1 for layer in self._layers() if layer < _SHADED_LAYERS)]
        stamps = [stamp for plane in planes for stamp in blocker.shadows(self._stage, plane)]
        return [stamp.box for stamp in stamps if stamp is not None]

    def _layers(self) -> list[int]:
        return sorted({held.solid.layer for held in self._tiles.values() if held.sprite is not None})

    def _paint(self, boxes: Iterable[Box]) -> None:
        racks = self._rack_order()
        flat = self._flat_order({part for parts in racks for part in parts if isinstance(part, int)})
        for box in boxes:
            self._paint_box(box, flat, racks)

    def _flat_order(self, racked: set[int]) -> dict[int, list[int]]:
        """The tiles on the table by layer, from far to near."""
        eye = self.camera.position
        away = {
            tile: (-float(np.linalg.norm(eye - held.solid.centre)), tile)
            for tile, held in self._tiles.items()
            if tile not in racked
        }
        layers: dict[int, list[int]] = {}
        for tile in sorted(away, key=lambda one: away[one]):
            layers.setdefault(self._tiles[tile].solid.layer, []).append(tile)
        return layers

    def _rack_order(self) -> list[list[Plate | int]]:
        """The parts of each rack, each before what hides it, the farthest rack first."""
        eye = self.camera.position
        pieces = {tile: held.piece for tile, held in self._tiles.items()}
        solids = {tile: held.solid for tile, held in self._tiles.items()}
        racks = [filled(rack, seat, pieces) for seat, rack in enumerate(self._racks, 1)]
        racks.sort(key=lambda rack: -float(np.linalg.norm(eye - board_middle(rack.plates))))
        return [paint_order(rack, solids, eye) for rack in racks]

    def _paint_box(self, box: Box, flat: dict[int, list[int]], racks: list[list[Plate | int]]) -> None:
        left, top, right, bottom = box
        view, owner = self.picture[top:bottom, left:right], self._painter.owner[top:bottom, left:right]
        level = np.zeros(owner.shape, np.uint8)
        blockers = list(self._blockers.values())
        gains = table_gains(self._stage, blockers, self._view.pools, box)
        ground = self._view.picture[top:bottom, left:right]
        view[:] = np.clip(np.rint(ground * gains), 0, 255).astype(np.uint8)
        owner[:] = 0
        for layer in sorted(flat):
            for tile in flat[layer]:
                self._lay_tile(tile, box, level)
            here = level == layer + 1
            if layer >= _SHADED_LAYERS or not here.any():
                continue
            shade = tile_gains(self._stage, blockers, layer + 1, box)
            if shade is not None:
                # Rounded: a gain that is 1 but for its last digit changes nothing.
                view[here] = np.rint(np.minimum(view[here] * shade[here], 255)).astype(np.uint8)
        for parts in racks:
            for part in parts:
                if isinstance(part, int):
                    self._lay_tile(part, box, level)
                elif (board := self._boards[id(part)]) is not None:
                    self._lay(board, box, level, 0)

    def _lay_tile(self, tile: int, box: Box, level: U8) -> None:
        sprite = self._tiles[tile].sprite
        if sprite is None:
            return
        if sprite.body is not None:
            self._lay(sprite.body, box, level, sprite.level)
        if sprite.face is not None:
            self._lay(sprite.face, box, None, 0)
        if sprite.inside is not None:
            rows, columns, inside = sprite.inside
            cut = _cut((columns.start, rows.start, columns.stop, rows.stop), box)
            if cut is not None:
                (y0, y1, x0, x1), there = cut
                self._painter.owner[y0:y1, x0:x1][inside[there]] = tile

    def _lay(self, patch: Patch, box: Box, level: U8 | None, value: int) -> None:
        """Lays a patch as far as it is in the box; a body (with `level`) takes the pixels of faces below."""
        cut = _cut(patch.box, box)
        if cut is None:
            return
        (y0, y1, x0, x1), there = cut
        blend(self.picture[y0:y1, x0:x1], patch.colour[there], patch.cover[there])
        if level is not None:
            owned = patch.owned[there]
            self._painter.owner[y0:y1, x0:x1][owned] = 0
            level[y0 - box[1] : y1 - box[1], x0 - box[0] : x1 - box[0]][owned] = value


def _cut(own: Box, box: Box) -> tuple[tuple[int, int, int, int], tuple[slice, slice]] | None:
    """Where a patch lies within a box: rows and columns of the frame, and of the patch."""
    if not meets(own, box):
        return None
    x0, y0, x1, y1 = max(own[0], box[0]), max(own[1], box[1]), min(own[2], box[2]), min(own[3], box[3])
    return (y0, y1, x0, x1), (slice(y0 - own[1], y1 - own[1]), slice(x0 - own[0], x1 - own[0]))


def _merged(boxes: Iterable[Box]) -> list[Box]:
    """Boxes that cover the same pixels, those that nearly are one made one."""
    left: list[Box] = []
    for box in sorted(set(boxes)):
        merging = True
        while merging:
            merging = False
            for other in left:
                both = (
                    min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3])
                )  # fmt: skip
                if _area(both) <= _MERGE * (_area(box) + _area(other)):
                    left.remove(other)
                    box, merging = both, True  # noqa: PLW2901
                    break
        left.append(box)
    return left


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])
