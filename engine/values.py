"""What tiles are worth: in a meld when opening, in a meld at the end, and left on the rack (RULES.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rules import RuleSet
    from engine.tiles import Face, Tile

Shape = Literal["run", "group"]


@dataclass(frozen=True, slots=True)
class MeldPoints:
    """The value of a meld when opening, and at the end of the game to the one who put all of it down."""

    opening: int
    final: int


def opening_values(shape: Shape, means: Sequence[Face], rules: RuleSet) -> tuple[int, ...]:
    """The opening value of each place of a meld, from the faces it means, in meld order (a joker: the face it
    stands for).

    RULES.md, meld values when opening. The 1 of a run is low in the first place and high in any other.
    """
    if shape == "group":
        return tuple(rules.one_group_points if face.number == 1 else _number(face, rules) for face in means)
    return tuple(
        (rules.one_high_points if place else rules.one_low_points)
        if face.number == 1
        else _number(face, rules)
        for place, face in enumerate(means)
    )


def meld_points(shape: Shape, tiles: Sequence[Tile], means: Sequence[Face], rules: RuleSet) -> MeldPoints:
    """The value of a meld; `tiles` and the faces they mean are parallel and in meld order.

    RULES.md, final value of tiles, and joker, final value. Where melds score nothing at the end, the final
    value is 0.
    """
    opening = opening_values(shape, means, rules)
    if not rules.melds_score:
        return MeldPoints(sum(opening), 0)
    final = 0
    for tile, face, value in zip(tiles, means, opening, strict=True):
        if tile.is_joker and rules.joker_final_points is not None:
            final += rules.joker_final_points
        elif face.number == 1 and rules.one_final_points is not None:
            final += rules.one_final_points
        else:
            final += value
    return MeldPoints(sum(opening), final)


def loose_value(face: Face, rules: RuleSet) -> int:
    """What a tile left on the rack (a card left in the hand) takes off at the end; RULES.md, final value of
    tiles.

    ValueError for a face that the rule set is not played with.

    >>> from engine.rules import rule_set
    >>> from engine.tiles import Face
    >>> [loose_value(Face("r", number), rule_set("etalat")) for number in (1, 9, 10)]
    [25, 5, 10]
    """
    if face.is_joker:
        return rules.joker_rack_points
    if face.colour not in rules.colours:
        raise ValueError(f"{face} is not played with in {rules.name_en}")
    return rules.one_rack_points if face.number == 1 else _number(face, rules)


def _number(face: Face, rules: RuleSet) -> int:
    return rules.number_points[face.number - 2]
