"""Games closed on the rack: simple, mozaic, bicolor, monocolor, the closed game (RULES.md, table games)."""

from __future__ import annotations

from itertools import pairwise, product
from typing import TYPE_CHECKING, Final

from engine.melds import read_meld
from engine.tiles import HIGHEST, Face

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rules import RuleSet
    from engine.tiles import Tile

CLOSED: Final = "closed"
"""The kind of the game in which all tiles are in melds on the rack; it is not announced."""

TABLE_LENGTH: Final = 14
"""1-2-...-13-1 has as many tiles as a rack."""


def is_played(kind: str, rules: RuleSet) -> bool:
    """Whether these rules know this game on the rack."""
    if kind == CLOSED:
        return rules.closed_game
    return rules.table_points().get(kind) is not None


def is_table_game(kind: str, melds: Sequence[Sequence[Tile]], rules: RuleSet) -> bool:
    """Whether these tiles, as they stand on the rack, are the game of that kind.

    >>> from engine.notation import parse_tiles
    >>> from engine.rules import rule_set
    >>> rack = parse_tiles("r1 k2 r3 k4 r5 k6 r7 k8 r9 k10 r11 k12 r13 k1")
    >>> [kind for kind in ("mozaic", "bicolor") if is_table_game(kind, [rack], rule_set("etalat"))]
    ['bicolor']
    """
    tiles = [tile for meld in melds for tile in meld]
    if kind in _COLOURS_FIT:
        return _is_sequence(kind, tiles, rules)
    read = [read_meld(meld, rules) for meld in melds]
    if len(tiles) != TABLE_LENGTH or not all(read):
        return False
    return kind == CLOSED or any(meld is not None and meld.shape == "run" for meld in read)


def closed_value(melds: Sequence[Sequence[Tile]], rules: RuleSet) -> int:
    """The value of the tiles of a closed game."""
    return sum(meld.final_points for tiles in melds if (meld := read_meld(tiles, rules)))


def _is_sequence(kind: str, tiles: Sequence[Tile], rules: RuleSet) -> bool:
    """Whether the tiles are 1-2-...-13-1 in the colours of that kind; a joker may be any tile."""
    if len(tiles) != TABLE_LENGTH:
        return False
    choices: list[tuple[str, ...]] = []
    for place, tile in enumerate(tiles):
        face = tile.means
        if face is not None and face.number != place % HIGHEST + 1:
            return False
        choices.append((face.colour,) if face is not None else rules.colours)
    fits = _COLOURS_FIT[kind]
    return any(fits(colours) for colours in product(*choices))


def _no_neighbours(colours: Sequence[str]) -> bool:
    return all(one != other for one, other in pairwise(colours))


def _mozaic(colours: Sequence[str]) -> bool:
    return _no_neighbours(colours) and len(set(colours[:4])) == 4


def _bicolor(colours: Sequence[str]) -> bool:
    return _no_neighbours(colours) and len(set(colours)) == 2


def _monocolor(colours: Sequence[str]) -> bool:
    return len(set(colours)) == 1


_COLOURS_FIT: Final = {"mozaic": _mozaic, "bicolor": _bicolor, "monocolor": _monocolor}


def sequence_games(faces: Sequence[Face], rules: RuleSet) -> tuple[str, ...]:
    """Which of mozaic, bicolor and monocolor these 14 faces, in the best order, can be."""
    jokers = sum(face.is_joker for face in faces)
    by_number = {
        number: sorted({face.colour for face in faces if face.number == number})
        for number in range(1, HIGHEST + 1)
    }
    counts = [sum(face.number == number for face in faces) for number in range(1, HIGHEST + 1)]
    wanted = [2, *[1] * (HIGHEST - 1)]
    lacking = sum(max(0, want - have) for want, have in zip(wanted, counts, strict=True))
    if (
        len(faces) != TABLE_LENGTH
        or lacking != jokers
        or any(have > want for want, have in zip(wanted, counts, strict=True))
    ):
        return ()
    middle = [by_number[number] or list(rules.colours) for number in range(2, HIGHEST + 1)]
    ones = [face.colour for face in faces if face.number == 1]
    free = list(rules.colours)
    if len(ones) == 2:
        ends = [(ones[0], ones[1]), (ones[1], ones[0])]
    elif ones:
        ends = [(ones[0], other) for other in free] + [(other, ones[0]) for other in free]
    else:
        ends = [(one, other) for one in free for other in free]
    found = [
        kind
        for kind, fits in _COLOURS_FIT.items()
        if any(fits((first, *rest, last)) for first, last in ends for rest in product(*middle))
    ]
    return tuple(found)
