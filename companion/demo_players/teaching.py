"""The demo's set is taught as at a real table: all its tiles in rows under the camera, in one picture."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from vision.virtual.pieces import SET, Lie, Put

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from companion.tilesets import Draft
    from vision.adapt import Lesson
    from vision.reader import Reader
    from vision.virtual.setting import Setting
    from vision.virtual.table import Truth

ROWS: Final = 8
IN_A_ROW: Final = 13
_APART: Final = 1.12
"""From one row to the next, in heights of a tile."""
_AT_S: Final = 1.0
_MOST_ASKED: Final = 106


@dataclass(frozen=True, slots=True)
class Taught:
    """What the reader learnt of the set, and how many of its tiles a person had to name."""

    lesson: Lesson
    asked: int


def teach(reader: Reader, setting: Setting) -> Taught | None:
    """Teaches the set of a virtual table by one frame of its camera; who plays there names what is asked.

    None where the picture is none that can teach: too few tiles are found, say. Then the set is played untaught.
    """
    from companion.tilesets import begin
    from vision.adapt import learn
    from vision.census import CensusError
    from vision.virtual.table import VirtualTable

    table = VirtualTable(setting)
    table.do(*rows_of_set(setting), at=0.0)
    pixels = table.frame(_AT_S)
    try:
        draft, asked = _settled(begin(reader, "demo", [pixels]), table.truth())
    except CensusError:
        return None
    lesson = learn(reader, draft.sighting, draft.census)
    return Taught(replace(lesson, here=draft.table_px == setting.size), asked)


def rows_of_set(setting: Setting) -> list[Put]:
    """The whole set in rows about the middle of the table: each colour 1 to 13, twice; jokers at row ends."""
    look = setting.look
    step, down = look.width_mm * (1 + setting.gap), look.height_mm * _APART
    placed = []
    for tile in SET:
        # The jokers, the last two of the set, end the first two rows.
        joker = tile - ROWS * IN_A_ROW
        row, column = divmod(tile - 1, IN_A_ROW) if joker <= 0 else (joker - 1, IN_A_ROW)
        x = (column - (IN_A_ROW - 1) / 2) * step
        y = ((ROWS - 1) / 2 - row) * down
        placed.append(Put(tile, Lie(x, y), up=True))
    return placed


def _settled(draft: Draft, truth: list[Truth]) -> tuple[Draft, int]:
    """The draft without a tile in doubt, each named by somebody who sees it; and how many were asked."""
    from companion.tilesets import settle
    from engine.notation import parse_seen

    asked = 0
    while asked < _MOST_ASKED:
        doubt = next((at for at, tile in enumerate(draft.census.tiles) if tile.asked), None)
        if doubt is None:
            break
        face = _at(np.asarray(draft.census.tiles[doubt].quad), truth)
        draft = settle(draft, doubt, None if face is None else parse_seen(face))
        asked += 1
    return draft, asked


def _at(quad: NDArray[np.float64], truth: list[Truth]) -> str | None:
    """What lies there in truth; None where no tile does."""
    middle, size = quad.mean(axis=0), float(np.linalg.norm(quad[2] - quad[0]))
    near = [
        (float(np.linalg.norm(np.mean(one.quad, axis=0) - middle)), one.face) for one in truth if one.quad
    ]
    away, face = min(near, default=(size, ""))
    return face if away < size / 4 else None
