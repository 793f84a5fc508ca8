"""The two shapes of a meld, by faces alone: which faces a row of tiles means as a run or as a group.

Joker limits and values are no matter here; `engine.melds` judges those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.rules import MELD_MIN_LENGTH, RuleSet
from engine.tiles import HIGHEST, JOKER, Face, Tile
from engine.values import opening_values

if TYPE_CHECKING:
    from collections.abc import Sequence

HIGH_ONE: Final = HIGHEST + 1
"""The place of a 1 after the 13, counted from 1 in a run."""


def longest_run(rules: RuleSet) -> int:
    """How many tiles a run may have (RULES.md, run)."""
    return min(rules.run_max_length, last_place(rules))


def last_place(rules: RuleSet) -> int:
    """The last place of a run: the 1 after the 13 where the rule set has it, else the 13."""
    return HIGH_ONE if rules.one_after_13 else HIGHEST


def face_at(colour: str, place: int) -> Face:
    """The face at a place of a run: 1 to 13, and the 1 again at place 14."""
    return Face(colour, 1 if place == HIGH_ONE else place)


def run_means(tiles: Sequence[Tile], rules: RuleSet) -> tuple[Face, ...] | None:
    """The faces that these tiles mean as a run in this order, jokers filled in; None for no run.

    Two places of known tiles settle it; where all known tiles are a single 1, so does its place, since no 1
    lies inside.
    """
    if not MELD_MIN_LENGTH <= len(tiles) <= longest_run(rules):
        return None
    known = [(place, face) for place, tile in enumerate(tiles) if (face := tile.means) is not None]
    if not known:
        return None
    colour = known[0][1].colour
    # A 1 is no guide unless it is all there is: it lies at either end.
    place, guide = next(((at, face) for at, face in known if face.number != 1), known[-1])
    first = HIGH_ONE - place if guide.number == 1 and place > 0 else guide.number - place
    if first < 1 or first + len(tiles) - 1 > last_place(rules):
        return None
    means = tuple(face_at(colour, first + at) for at in range(len(tiles)))
    return means if all(means[at] == face for at, face in known) else None


def group_means(tiles: Sequence[Tile], rules: RuleSet) -> tuple[Face, ...] | None:
    """The faces that these tiles mean as a group, jokers filled in; None where they are none.

    A bare joker of a group may be any colour that lacks; it is written as the first of them in the order of
    the rule set.
    """
    if not MELD_MIN_LENGTH <= len(tiles) <= len(rules.colours):
        return None
    known = [face for tile in tiles if (face := tile.means) is not None]
    if (
        not known
        or len({face.number for face in known}) > 1
        or len({face.colour for face in known}) < len(known)
    ):
        return None
    if any(face.colour not in rules.colours for face in known):
        return None
    lacking = iter(colour for colour in rules.colours if all(face.colour != colour for face in known))
    return tuple(tile.means or Face(next(lacking), known[0].number) for tile in tiles)


def run_order(tiles: Sequence[Tile], rules: RuleSet) -> tuple[Tile, ...] | None:
    """The order in which these tiles are a run, of several that of most opening points; None for no run."""
    if not MELD_MIN_LENGTH <= len(tiles) <= longest_run(rules):
        return None
    known = [tile for tile in tiles if tile.means is not None]
    colours = {tile.means.colour for tile in known if tile.means is not None}
    if len(colours) != 1:
        return None
    colour = colours.pop()
    best: tuple[int, int] | None = None
    order: tuple[Tile, ...] | None = None
    for first in range(1, last_place(rules) - len(tiles) + 2):
        means = [face_at(colour, first + at) for at in range(len(tiles))]
        fitted = _fit(known, means)
        worth = sum(opening_values("run", means, rules)), first
        if fitted is not None and (best is None or worth > best):
            best, order = worth, fitted
    return order


def _fit(known: Sequence[Tile], means: Sequence[Face]) -> tuple[Tile, ...] | None:
    """Known tiles laid on their places of a run and bare jokers on the others; None where one has no place.

    A 1 goes to the first free end.
    """
    places: list[Tile | None] = [None] * len(means)
    for tile in known:
        free = (at for at, face in enumerate(means) if face == tile.means and places[at] is None)
        at = next(free, None)
        if at is None:
            return None
        places[at] = tile
    return tuple(tile or Tile(JOKER) for tile in places)
