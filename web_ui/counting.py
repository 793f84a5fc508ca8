"""Counts a photo as it stands: its rows, with the tiles that a person moved, under one rule set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.grouping import PhotoCount, count_tiles, split_row
from engine.repair import Repaired, repair

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.readings import Quad
    from engine.rules import RuleSet
    from web_ui.photos import Photo, PhotoTile

    Rows = Callable[[Sequence[Quad]], Sequence[Sequence[int]]]


@dataclass(frozen=True)
class Counted:
    """A photo counted under a rule set; indexes in `rows`, `count`, `repaired` point into `photo.tiles`.

    The tiles of `photo` are repaired by what the rules know; `repaired` says which and why. What a person
    said is never repaired.
    """

    photo: Photo
    rules: RuleSet
    rows: tuple[tuple[int, ...], ...]
    count: PhotoCount
    repaired: Repaired


def count_photo(photo: Photo, rules: RuleSet, rows: Rows) -> Counted:
    """Return the photo counted under the rule set; `rows` orders quads into rows of touching tiles."""
    ordered = _rows(photo.tiles, rules, rows)
    repaired = repair([tile.seen for tile in photo.tiles], ordered, rules)
    tiles = tuple(replace(tile, seen=seen) for tile, seen in zip(photo.tiles, repaired.tiles, strict=True))
    count = count_tiles(ordered, repaired.tiles, rules, contradicted=repaired.doubts)
    return Counted(replace(photo, tiles=tiles), rules, ordered, count, repaired)


def _rows(tiles: Sequence[PhotoTile], rules: RuleSet, rows: Rows) -> tuple[tuple[int, ...], ...]:
    """Return the rows as they lie, with each tile that was moved put where its new row is worth most."""
    lying = [index for index, tile in enumerate(tiles) if tile.row_of is None]
    found = [[lying[place] for place in row] for row in rows([tiles[index].seen.quad for index in lying])]
    numbers = {tile.number: index for index, tile in enumerate(tiles)}
    moved = [index for index, tile in enumerate(tiles) if tile.row_of is not None]
    while moved:
        # A tile may join one that was moved itself: that one first.
        index, row = next(
            (
                (index, row)
                for index in moved
                for row in found
                if numbers.get(tiles[index].row_of or 0) in row
            ),
            (moved[0], None),
        )
        moved.remove(index)
        if row is None:
            found.append([index])
        else:
            row[:] = _best_insertion(row, index, tiles, rules)
    return tuple(tuple(row) for row in found)


def _best_insertion(row: list[int], index: int, tiles: Sequence[PhotoTile], rules: RuleSet) -> list[int]:
    def worth(choice: list[int]) -> tuple[int, int]:
        split = split_row([tiles[place].seen.face for place in choice], rules)
        return -len(split.loose), sum(meld.verdict.final_points or 0 for meld in split.melds)

    # The right end first: of equal places the one where people lay the next tile.
    return max(([*row[:place], index, *row[place:]] for place in range(len(row), -1, -1)), key=worth)
