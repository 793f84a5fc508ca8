"""Which tiles are a meld, what its jokers stand for, what it is worth, and if it is none, why (RULES.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.meld_reasons import joker_reasons, meld_reasons, set_reasons
from engine.shapes import group_means, run_means
from engine.values import Shape, loose_value, meld_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.reasons import Reason
    from engine.rules import RuleSet
    from engine.tiles import Face, Tile

__all__ = ["Meld", "MeldVerdict", "Shape", "check_meld", "loose_value", "read_meld"]


@dataclass(frozen=True, slots=True)
class Meld:
    """A legal meld in order: shape, tiles, the face each of them means, opening and final value."""

    shape: Shape
    tiles: tuple[Tile, ...]
    means: tuple[Face, ...]
    points: int
    final_points: int

    @property
    def stands_for(self) -> tuple[Face, ...]:
        """What its jokers stand for, in order."""
        return tuple(face for tile, face in zip(self.tiles, self.means, strict=True) if tile.is_joker)


@dataclass(frozen=True, slots=True)
class MeldVerdict:
    """The answer of `check_meld`: where it is no meld, the values are None and `reasons` says why."""

    meld: bool
    shape: Shape | None
    points: int | None
    final_points: int | None
    stands_for: tuple[Face, ...] | None
    reasons: tuple[Reason, ...]


def read_meld(tiles: Sequence[Tile], rules: RuleSet) -> Meld | None:
    """These tiles, in this order, as the legal meld they are; None where they are none.

    A run lies in rising order, the order inside a group is free. Where both shapes fit (one real tile, if a
    house allows that), the reading of most opening points counts, and the run of two that are worth the same.
    A bare joker of a run stands for the face of its place; a bare joker of a group for the first colour that
    lacks.
    """
    if joker_reasons(tiles, rules) or set_reasons(tiles, rules):
        return None
    best: Meld | None = None
    for shape, means in (("run", run_means(tiles, rules)), ("group", group_means(tiles, rules))):
        if means is None:
            continue
        named: Shape = "run" if shape == "run" else "group"
        points = meld_points(named, tiles, means, rules)
        if best is None or points.opening > best.points:
            best = Meld(named, tuple(tiles), means, points.opening, points.final)
    return best


def check_meld(tiles: Sequence[Tile], rules: RuleSet) -> MeldVerdict:
    """Whether these tiles, in this order, are a meld, with its values, or all that is against it.

    `points` is the opening value, `final_points` what the meld brings at the end to a player who put all of
    it down (in classic 0: melds score nothing there). `stands_for` has the faces of its jokers in order.
    Ambiguity is settled as in `read_meld`. Where only another order makes a meld, that is the reason given,
    with the order.

    >>> from engine.notation import parse_tiles
    >>> from engine.rules import rule_set
    >>> check_meld(parse_tiles("r12 * r1"), rule_set("etalat")).points
    30
    """
    meld = read_meld(tiles, rules)
    if meld is None:
        return MeldVerdict(False, None, None, None, None, meld_reasons(tiles, rules))
    return MeldVerdict(True, meld.shape, meld.points, meld.final_points, meld.stands_for, ())
