"""A table of tiles that a program plays on, seen by a camera: what a frame of it shows at any moment.

program --commands, at a time, with a hand or without--> timeline --> tiles --> picture --> frame
                                                          truth <-----+           ^ hands, light, sensor
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from vision.synth.faces import FaceFactory
from vision.virtual import moves
from vision.virtual.canvas import Canvas
from vision.virtual.gestures import Hands, Overlay
from vision.virtual.ground import draw_ground
from vision.virtual.moves import Deal, Reversed
from vision.virtual.pieces import (
    Bump,
    Command,
    Lie,
    Piece,
    Put,
    Remove,
    Switch,
    Switches,
    TurnOver,
    World,
)
from vision.virtual.sensor import Sensor
from vision.virtual.setting import Setting, bumped, draw_setting, true_rig
from vision.virtual.timeline import Timeline

if TYPE_CHECKING:
    from calibration.rig import Rig
    from calibration.zones import Zone, Zones
    from vision.synth.geometry import Place
    from vision.virtual.shading import Box

U8 = NDArray[np.uint8]

HAND_S: Final = 1.4
"""How long a hand is about a move unless said otherwise."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A tile as it is: number, what it shows (`r7`, `*`, `#`), its zone, and where.

    `centre` (x, y, z) of what it shows in mm, `angle` of its upright top in radians counter-clockwise from
    +y; `quad` its corners in pixels, upright top left first, clockwise, empty out of the frame; `visible`
    the share in sight, 0 to 1.
    """

    tile: int
    face: str
    zone: Place
    centre: tuple[float, float, float]
    angle: float
    quad: tuple[tuple[float, float], ...]
    visible: float


class VirtualTable:
    """Tiles on a table, changed by commands and seen in frames; all of it may be used from several threads.

    Times are seconds, and go forward only: an earlier one than the latest is taken as the latest. The same
    seed and the same commands at the same times give the same frames. With a `clock` a frame without a time
    is one of the clock's time.
    """

    def __init__(
        self,
        setting: Setting | None = None,
        *,
        seed: int = 0,
        seats: int = 4,
        size: tuple[int, int] = (1920, 1080),
        switches: Switches | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.setting = setting or draw_setting(seed, seats=seats, size=size)
        self._lock = threading.RLock()
        self._clock = clock
        self._timeline = Timeline(self.setting, World(switches=switches or Switches()))
        self._ground = draw_ground(self.setting)
        self._factory = FaceFactory(self.setting.look)
        self._sensor = Sensor(self.setting)
        self._stale: list[Box] = []
        self._hand_boxes: list[Box] = []
        self._see(self._timeline.world)

    @property
    def now(self) -> float:
        """The latest time that was asked for."""
        return self._timeline.now

    @property
    def free_at(self) -> float:
        """When all that is planned is done."""
        with self._lock:
            return self._timeline.free_at

    @property
    def planned(self) -> World:
        """The tiles as they will be when all that is planned is done."""
        with self._lock:
            return self._timeline.planned

    @property
    def zones(self) -> Zones:
        """The zones that moves lay tiles in."""
        return self.setting.zones

    def rig(self) -> Rig:
        """The true rig of the camera as it is now."""
        with self._lock:
            return true_rig(self.setting, self._canvas.camera)

    def frame(self, at: float | None = None) -> U8:
        """A new frame (h, w, 3 BGR) of the moment `at`, the caller's to keep."""
        with self._lock:
            self._advance(at)
            self._expose()
            return self._sensor.frame(self._developed, self.now, self._timeline.world.switches)

    def truth(self, at: float | None = None) -> list[Truth]:
        """The tiles on the table by number, those that a hand has taken up left out."""
        with self._lock:
            self._advance(at)
            cover = self._cover()
            pieces = self._timeline.world.pieces
            return [self._true(tile, pieces[tile], cover) for tile in sorted(pieces)]

    def hand_zones(self, at: float | None = None) -> tuple[Zone, ...]:
        """The zones of which a hand or an arm hides some part."""
        import cv2

        with self._lock:
            self._advance(at)
            cover = self._cover()
            if cover is None:
                return ()
            hidden, rig = [], self.rig()
            for zone in self.zones.zones:
                mask = np.zeros(cover.shape, np.uint8)
                cv2.fillPoly(mask, [np.round(rig.to_px(zone.outline)).astype(np.int32)], 1.0)
                if (mask.astype(bool) & (cover > 127)).any():
                    hidden.append(zone)
            return tuple(hidden)

    def do(
        self,
        *commands: Command,
        at: float | None = None,
        hand: int | None = None,
        seconds: float = HAND_S,
    ) -> float:
        """Plans commands for a time, at the end of what is planned unless said; returns when they are done.

        Without a `hand` they happen at once; with one, a hand of that seat comes from its side, takes what
        is to be moved, lays it down and leaves, in so many seconds. Raises MissingTileError and ValueError
        for what cannot be done, before anything is planned.
        """
        with self._lock:
            if hand is None:
                return self._timeline.at_once(commands, at)
            return self._timeline.by_hand(commands, at, hand, seconds)

    def place(self, tile: int, where: Lie, *, at: float | None = None, hand: int | None = None) -> float:
        """Puts or moves one tile to a place on the table."""
        return self.do(Put(tile, where), at=at, hand=hand)

    def turn_over(self, tile: int, *, at: float | None = None, hand: int | None = None) -> float:
        """Turns a tile on the spot."""
        return self.do(TurnOver(tile), at=at, hand=hand)

    def remove(self, *tiles: int, at: float | None = None, hand: int | None = None) -> float:
        """Takes tiles off the table."""
        return self.do(*(Remove(tile) for tile in tiles), at=at, hand=hand)

    def deal(self, dealt: Deal | None = None, *, at: float | None = None, first: int = 1) -> Deal:
        """Lays a deal out at once, a shuffled one unless given; returns it."""
        with self._lock:
            chosen = dealt or moves.shuffled(self.setting.seats, self._timeline.chance(), first=first)
            self.do(*moves.deal(self.setting, self._timeline.planned.pieces, chosen), at=at)
            return chosen

    def draw(
        self,
        seat: int,
        *,
        at: float | None = None,
        seconds: float = HAND_S,
        to: tuple[int, int] | None = None,
    ) -> int:
        """The seat draws from the wall into its rack, to a tier and slot if said; returns the tile."""
        with self._lock:
            tile = moves.next_of_wall(self._timeline.planned.pieces)
            self.to_rack(seat, tile, at=at, seconds=seconds, to=to)
            return tile

    def to_rack(
        self,
        seat: int,
        *tiles: int,
        at: float | None = None,
        seconds: float = HAND_S,
        to: tuple[int, int] | None = None,
    ) -> float:
        """The seat takes tiles from anywhere to its rack."""
        with self._lock:
            commands = moves.to_rack(self.setting, self._timeline.planned.pieces, tiles, seat, to=to)
            return self.do(*commands, at=at, hand=seat, seconds=seconds)

    def take(
        self, seat: int, count: int = 1, *, at: float | None = None, seconds: float = HAND_S
    ) -> list[int]:
        """The seat takes the last tiles of the discard row to its rack; returns them."""
        with self._lock:
            row = moves.row_tiles(self._timeline.planned.pieces)
            if not 1 <= count <= len(row):
                raise ValueError(f"the discard row has {len(row)} tiles, {count} cannot be taken")
            self.to_rack(seat, *row[-count:], at=at, seconds=seconds)
            return row[-count:]

    def discard(
        self,
        seat: int,
        tile: int,
        *,
        at: float | None = None,
        seconds: float = HAND_S,
        first: Reversed = "down",
    ) -> float:
        """The seat lays a tile at the end of the discard row; the first one lies face down or turned."""
        with self._lock:
            commands = moves.discard(
                self.setting, self._timeline.planned.pieces, tile, self._timeline.chance(), first=first
            )
            return self.do(*commands, at=at, hand=seat, seconds=seconds)

    def put_down(
        self, seat: int, tiles: Sequence[int], *, at: float | None = None, seconds: float = HAND_S
    ) -> int:
        """The seat lays a meld in front of it, left to right as it sees it; returns the meld's number."""
        with self._lock:
            pieces = self._timeline.planned.pieces
            group = moves.next_group(pieces)
            commands = moves.put_down(self.setting, pieces, tiles, seat, self._timeline.chance())
            self.do(*commands, at=at, hand=seat, seconds=seconds)
            return group

    def lay_off(
        self,
        seat: int,
        tile: int,
        group: int,
        *,
        index: int | None = None,
        at: float | None = None,
        seconds: float = HAND_S,
    ) -> float:
        """The seat adds a tile to a meld, at its right end or so that it is at `index` there."""
        with self._lock:
            pieces = self._timeline.planned.pieces
            place = len(moves.meld_tiles(pieces, group)) if index is None else index
            commands = moves.lay_off(self.setting, pieces, tile, group, self._timeline.chance(), index=place)
            return self.do(*commands, at=at, hand=seat, seconds=seconds)

    def push(
        self,
        *tiles: int,
        mm: float = 4.0,
        degrees: float = 2.0,
        at: float | None = None,
        hand: int | None = None,
    ) -> float:
        """Tiles are pushed together, and a little apart, by about so much."""
        with self._lock:
            commands = moves.push(
                self._timeline.planned.pieces, tiles, self._timeline.chance(), mm=mm, degrees=degrees
            )
            return self.do(*commands, at=at, hand=hand)

    def bump(
        self,
        dx_mm: float,
        dy_mm: float,
        degrees: float,
        *,
        axis: tuple[float, float, float] = (0.0, 0.0, 1.0),
        at: float | None = None,
    ) -> float:
        """The camera is pushed by mm and turned about an axis of its own (right, down, ahead)."""
        return self.do(Bump(dx_mm, dy_mm, degrees, axis), at=at)

    def switch(self, switches: Switches, *, at: float | None = None) -> float:
        """Exposure, noise, flicker, drift, blur and JPEG are other from then on."""
        return self.do(Switch(switches), at=at)

    def _advance(self, at: float | None) -> None:
        before = self._timeline.world
        self._timeline.advance(at if at is not None else self._clock() if self._clock else self.now)
        world = self._timeline.world
        if world.bumps != before.bumps:
            self._see(world)
        if world.switches.blur_px != before.switches.blur_px:
            self._stale = [self._whole]
        if world is not before:
            self._stale += self._canvas.update(world.pieces)

    def _see(self, world: World) -> None:
        """Paints everything as the camera sees it now."""
        camera = self.setting.camera
        for bump in world.bumps:
            camera = bumped(camera, bump)
        self._canvas = Canvas(self.setting, self._ground, camera, self._factory)
        self._hands = Hands(self.setting, camera)
        self._canvas.update(world.pieces)
        self._lit = self._canvas.picture.copy()
        self._developed = np.empty_like(self._lit)
        self._stale, self._hand_boxes = [self._whole], []

    @property
    def _whole(self) -> Box:
        return 0, 0, self.setting.size[0], self.setting.size[1]

    def _expose(self) -> None:
        """Brings what the sensor gathers up to date, as far as it is other than in the frame before."""
        hands = self._hands_now()
        boxes = [box for overlay, tip in hands if (box := overlay.box(tip, self.setting.size))]
        other = _joined([*self._stale, *self._hand_boxes, *boxes])
        for left, top, right, bottom in other:
            self._lit[top:bottom, left:right] = self._canvas.picture[top:bottom, left:right]
        for overlay, tip in hands:
            overlay.lay(self._lit, tip, (0, 0))
        blur = self._timeline.world.switches.blur_px
        pad, (width, height) = self._sensor.margin(blur), self.setting.size
        for left, top, right, bottom in other:
            box = (max(0, left - pad), max(0, top - pad), min(width, right + pad), min(height, bottom + pad))
            self._sensor.develop(self._lit, self._developed, box, blur_px=blur)
        self._stale, self._hand_boxes = [], boxes

    def _hands_now(self) -> list[tuple[Overlay, NDArray[np.float64]]]:
        gestures = self._timeline.gestures
        return [hand for gesture in gestures if (hand := self._hands.at(gesture, self.now))]

    def _cover(self) -> U8 | None:
        """(h, w), 255 where a hand is; None without one."""
        hands = self._hands_now()
        if not hands:
            return None
        cover = np.zeros((self.setting.size[1], self.setting.size[0]), np.uint8)
        for overlay, tip in hands:
            overlay.lay_cover(cover, tip)
        return cover

    def _true(self, tile: int, piece: Piece, cover: U8 | None) -> Truth:
        solid = self._canvas.solid(tile)
        quad = self._canvas.quad(tile)
        x, y, z = (float(value) for value in solid.centre)
        return Truth(
            tile=tile,
            face=piece.shown,
            zone=piece.zone,
            centre=(x, y, z),
            angle=float(np.arctan2(-solid.axes[0, 1], solid.axes[1, 1])),
            quad=() if quad is None else tuple((float(px), float(py)) for px, py in quad),
            visible=self._canvas.in_sight(tile, cover),
        )


def _joined(boxes: Sequence[Box]) -> list[Box]:
    """The boxes, those that overlap made one."""
    done: list[Box] = []
    for box in boxes:
        for other in [other for other in done if _overlap(box, other)]:
            done.remove(other)
            box = (  # noqa: PLW2901
                min(box[0], other[0]), min(box[1], other[1]), max(box[2], other[2]), max(box[3], other[3])
            )  # fmt: skip
        done.append(box)
    return done


def _overlap(first: Box, second: Box) -> bool:
    return first[0] < second[2] and second[0] < first[2] and first[1] < second[3] and second[1] < first[3]
