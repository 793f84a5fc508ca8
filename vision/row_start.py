"""Where the discard row begins: at the tile that lies reversed, or at the one that has lain there longest."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from engine.grouping import DOUBT_BELOW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rules import RuleSet
    from vision.table_sense import Before
    from vision.table_tiles import TableTiles

_TURNED: Final = np.cos(np.radians(120.0))  # a tile turned round against its row by more


def lies_reversed(tiles: TableTiles, tile: int, row: Sequence[int]) -> bool:
    """Whether a tile of a row lies face down, or turned round against most of the others."""
    if tiles.down(tile):
        return True
    others = [other for other in row if other != tile and not tiles.down(other)]
    # Of two tiles that look opposite ways either may be the one that is turned.
    enough = len(others) >= min(2, len(row) - 1) > 0
    return enough and bool(np.median(tiles.up[others] @ tiles.up[tile]) < _TURNED)


def directed(tiles: TableTiles, part: Sequence[int], rules: RuleSet, before: Before) -> list[int]:
    """The row from its first tile on: the one that lies reversed, where that may be it; else as it was
    before, else as it is read.
    """
    line = list(part)
    first, last = (_begins(tiles, tile, line, rules, before) for tile in (line[0], line[-1]))
    if first != last:
        return line if first else line[::-1]
    clearly = [_clearly_down(tiles, tile) for tile in (line[0], line[-1])]
    if first and clearly[0] != clearly[1]:
        return line if clearly[0] else line[::-1]
    if first and tiles.down(line[0]) != tiles.down(line[-1]):  # rather the turned one than what may be a face
        return line[::-1] if tiles.down(line[0]) else line
    return line[::-1] if _falls(line, before) else line


def _begins(tiles: TableTiles, tile: int, line: Sequence[int], rules: RuleSet, before: Before) -> bool:
    """Whether the tile at an end of a line says by how it lies that the row begins with it.

    A clear back does. A tile turned round is one that the first player laid so only where the rules want
    that (`first_discard_dead`): who sits opposite lays all of them so, and a 6 or 9 is now and then taken for
    one. What was laid later than others is not the first, nor is another one once the first was seen.
    """
    if not lies_reversed(tiles, tile, line):
        return False
    if _clearly_down(tiles, tile):
        return True
    if before.row:
        return rules.first_discard_dead and tile in before.row and not before.begun
    return rules.first_discard_dead or tiles.down(tile)


def _falls(line: Sequence[int], before: Before) -> bool:
    """Whether most of the tiles that lay there before come in the opposite order; a first one alone, last."""
    places = [before.row[tile] for tile in line if tile in before.row]
    if len(places) == 1:
        return len(line) > 1 and before.row.get(line[-1]) == 0
    falling = sum(after < one for one, after in pairwise(places))
    return len(places) > 1 and falling * 2 > len(places) - 1


def _clearly_down(tiles: TableTiles, tile: int) -> bool:
    return tiles.surely_down(tile) and tiles.seen[tile].confidence >= DOUBT_BELOW
