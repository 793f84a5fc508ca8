"""A slow game without rules or end, so that a virtual table has something to show when nobody plays on it."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.virtual.moves import meld_tiles
from vision.virtual.pieces import MissingTileError, Stand
from vision.virtual.places import NoRoomError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from vision.virtual.pieces import Piece
    from vision.virtual.table import VirtualTable

PAUSE_S: Final = 2.5
"""Seconds between two moves."""

_PUSHED: Final = 0.15  # of the turns begin with a meld being pushed by an elbow


class Idle:
    """Plans what happens next on a table: deal, then draw, put down and discard, round after round."""

    def __init__(self, *, pause_s: float = PAUSE_S) -> None:
        self._pause = pause_s
        self._turn = 0

    def __call__(self, table: VirtualTable, now: float) -> None:
        """Plans the next turn where none is planned any more; to be called before every frame."""
        if table.free_at > now:
            return
        if not table.planned.pieces:
            table.deal(at=now)
        try:
            self._play(table, now)
        except (MissingTileError, NoRoomError):  # the wall is drawn, or the table full: the next game
            table.deal(at=table.free_at + self._pause)
            self._turn = 0

    def _play(self, table: VirtualTable, now: float) -> None:
        seat = self._turn % table.setting.seats + 1
        rng = np.random.default_rng([table.setting.seed, 311, self._turn, round(now * 1000)])
        groups = {piece.zone.group for piece in table.planned.pieces.values() if piece.zone.kind == "meld"}
        if groups and rng.random() < _PUSHED:
            group = int(rng.choice(sorted(groups)))
            table.push(*meld_tiles(table.planned.pieces, group), mm=2.0, degrees=1.0, hand=seat)
        if self._turn:  # the first player has been dealt a tile more
            table.draw(seat, at=table.free_at + self._pause)
        self._turn += 1
        rack = rack_tiles(table.planned.pieces, seat)
        meld = some_meld(rack, table.planned.pieces)
        if meld and len(rack) > len(meld):
            table.put_down(seat, meld, at=table.free_at + self._pause)
            rack = [tile for tile in rack if tile not in meld]
        table.discard(seat, int(rng.choice(rack)), at=table.free_at + self._pause)


def rack_tiles(pieces: Mapping[int, Piece], seat: int) -> list[int]:
    """The tiles on a seat's rack, tier by tier from left to right."""
    standing = [
        (piece.at.tier, piece.at.slot, tile)
        for tile, piece in pieces.items()
        if isinstance(piece.at, Stand) and piece.at.seat == seat
    ]
    return [tile for _, _, tile in sorted(standing)]


def some_meld(tiles: list[int], pieces: Mapping[int, Piece]) -> list[int]:
    """Three tiles of one number, or three that follow one another; none where there are none such."""
    by_face = {pieces[tile].face: tile for tile in tiles}
    numbers: dict[int, list[int]] = defaultdict(list)
    for face, tile in by_face.items():
        if face.startswith("*"):
            continue
        number = int(face[1:])
        numbers[number].append(tile)
        run = [by_face.get(f"{face[0]}{number + step}") for step in range(3)]
        found = [tile for tile in run if tile is not None]
        if len(found) == len(run):
            return found
    return next((alike[:3] for alike in numbers.values() if len(alike) >= 3), [])
