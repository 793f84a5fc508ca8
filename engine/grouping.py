"""From rows of touching tiles to melds and loose tiles, and from a whole picture to its count."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.bags import Bag, full_set
from engine.melds import MeldVerdict, Shape, loose_value, read_meld
from engine.rules import MELD_MIN_LENGTH
from engine.shapes import longest_run
from engine.tiles import Face, Mark, Tile

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from engine.readings import SeenTile
    from engine.rules import RuleSet
    from engine.tiles import Seen

DOUBT_BELOW: Final = 0.8
"""A tile read with less confidence than this is named as doubtful."""


@dataclass(frozen=True, slots=True)
class RowMeld:
    """A meld in a row: the tiles `start` to `stop` (not included), as they lie, and the verdict on them."""

    start: int
    stop: int
    verdict: MeldVerdict


@dataclass(frozen=True, slots=True)
class RowSplit:
    """A row cut into melds, in order, and loose places: each place of the row is in exactly one of them."""

    melds: tuple[RowMeld, ...]
    loose: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CountedMeld:
    """A meld found in a picture: indexes of its tiles as they lie, shape, final value, and the verdict.

    `verdict.points` is what it is worth when opening.
    """

    tiles: tuple[int, ...]
    shape: Shape
    points: int
    verdict: MeldVerdict


@dataclass(frozen=True, slots=True)
class LooseTile:
    """A tile in no meld: its index, what it shows, and what it takes off; None where that cannot be said.

    It cannot for a tile that was not read, lies face down, or does not belong to the rule set.
    """

    tile: int
    face: Seen
    value: int | None


@dataclass(frozen=True, slots=True)
class PhotoCount:
    """What lies in a picture and what it is worth at the end of a game.

    `total` is `total_melds - total_loose`; `total_opening` is the opening value of all melds. `doubts` are
    the indexes of tiles not read, read with little confidence or contradicted, `foreign` of tiles that the
    rule set is not played with, and `too_many` the faces seen more often than the set has them, each as often
    as it is too many: where any of these is not empty, someone should look before the total is written down.
    """

    melds: tuple[CountedMeld, ...]
    loose: tuple[LooseTile, ...]
    total_melds: int
    total_loose: int
    total: int
    total_opening: int
    doubts: tuple[int, ...]
    foreign: tuple[int, ...]
    too_many: tuple[Face, ...]


def split_row(faces: Sequence[Seen], rules: RuleSet) -> RowSplit:
    """The row of touching tiles, left to right, cut into melds and loose tiles.

    Of all ways to cut it, the one with fewest loose tiles; of those, with fewest melds; then with most final,
    most opening points; then with the leftmost, longest first meld. A run may lie falling too, as a player
    across the table may see it. What was not read or lies face down stays loose and is never taken for a
    joker.
    """
    # best[start]: the cost of the row from there on, and the melds that make it.
    nothing: tuple[_Cost, tuple[RowMeld, ...]] = ((0, 0, 0, 0), ())
    best = [nothing] * (len(faces) + 1)
    for start in range(len(faces) - 1, -1, -1):
        rest, melds = best[start + 1]
        choice = ((rest[0] + 1, *rest[1:]), melds)
        for meld in _melds_from(faces, start, rules):
            rest, melds = best[meld.stop]
            points, final = meld.verdict.points or 0, meld.verdict.final_points or 0
            cost = (rest[0], rest[1] + 1, rest[2] - final, rest[3] - points)
            # The shortest meld comes first: of equals the later, longer one stays.
            if cost <= choice[0]:
                choice = cost, (meld, *melds)
        best[start] = choice
    melds = best[0][1]
    covered = {place for meld in melds for place in range(meld.start, meld.stop)}
    return RowSplit(melds, tuple(place for place in range(len(faces)) if place not in covered))


_Cost = tuple[int, int, int, int]


def _melds_from(faces: Sequence[Seen], start: int, rules: RuleSet) -> list[RowMeld]:
    """The melds that begin at a place of the row, shortest first."""
    tiles: list[Tile] = []
    melds: list[RowMeld] = []
    for face in faces[start : start + max(longest_run(rules), len(rules.colours))]:
        if isinstance(face, Mark):
            break
        tiles.append(Tile(face))
        if len(tiles) >= MELD_MIN_LENGTH and (verdict := _as_laid(tiles, rules)) is not None:
            melds.append(RowMeld(start, start + len(tiles), verdict))
    return melds


def _as_laid(tiles: Sequence[Tile], rules: RuleSet) -> MeldVerdict | None:
    """The verdict on tiles that are a meld from left to right or from right to left; None for neither."""
    rising, falling = read_meld(tiles, rules), read_meld(tiles[::-1], rules)
    # A row that is a meld both ways (a group, or a single tile among jokers) reads as people read.
    meld = rising or falling
    if meld is None:
        return None
    stands_for = meld.stands_for if rising else meld.stands_for[::-1]
    return MeldVerdict(True, meld.shape, meld.points, meld.final_points, stands_for, ())


def count_tiles(
    rows: Sequence[Sequence[int]],
    tiles: Sequence[SeenTile],
    rules: RuleSet,
    *,
    doubt_below: float = DOUBT_BELOW,
    contradicted: Collection[int] = (),
) -> PhotoCount:
    """The count of a picture: `rows` are the indexes of its tiles, row by row and left to right.

    Final values of the rule set. A tile with a confidence under `doubt_below` counts as it was read and is
    named in `doubts`, and so is one of `contradicted`, however surely it was read. ValueError where the rows
    do not hold every tile exactly once.
    """
    listed = [index for row in rows for index in row]
    if sorted(listed) != list(range(len(tiles))):
        raise ValueError(f"rows must hold each of the {len(tiles)} tiles exactly once, not {listed}")
    melds: list[CountedMeld] = []
    loose: list[LooseTile] = []
    for row in rows:
        split = split_row([tiles[index].face for index in row], rules)
        for found in split.melds:
            verdict = found.verdict
            if verdict.shape is not None and verdict.final_points is not None:
                inside = tuple(row[found.start : found.stop])
                melds.append(CountedMeld(inside, verdict.shape, verdict.final_points, verdict))
        for place in split.loose:
            face = tiles[row[place]].face
            loose.append(LooseTile(row[place], face, _value(face, rules)))
    total_melds = sum(meld.points for meld in melds)
    total_loose = sum(tile.value for tile in loose if tile.value is not None)
    seen = Bag(tile.face for tile in tiles if isinstance(tile.face, Face) and _belongs(tile.face, rules))
    return PhotoCount(
        melds=tuple(melds),
        loose=tuple(loose),
        total_melds=total_melds,
        total_loose=total_loose,
        total=total_melds - total_loose,
        total_opening=sum(meld.verdict.points or 0 for meld in melds),
        doubts=tuple(
            index
            for index, tile in enumerate(tiles)
            if tile.face is Mark.UNREAD or tile.confidence < doubt_below or index in contradicted
        ),
        foreign=tuple(
            index
            for index, tile in enumerate(tiles)
            if isinstance(tile.face, Face) and not _belongs(tile.face, rules)
        ),
        too_many=tuple(seen.beyond(full_set(rules))),
    )


def _belongs(face: Face, rules: RuleSet) -> bool:
    return face.is_joker or face.colour in rules.colours


def _value(face: Seen, rules: RuleSet) -> int | None:
    return loose_value(face, rules) if isinstance(face, Face) and _belongs(face, rules) else None
