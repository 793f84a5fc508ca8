"""A rule set: what a house may set otherwise, each clause of RULES.md a field."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from engine.tiles import CARD_SUITS

MELD_MIN_LENGTH: Final = 3
"""No rule set knows a shorter meld (RULES.md, run and group)."""


@dataclass(frozen=True, slots=True)
class Pack:
    """What a game is played with: so many of each face, so many jokers, for so many players."""

    name: str
    copies: int
    jokers: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a field admits: whole numbers from `least` to `most`; None too where `optional`."""

    least: int
    most: int
    optional: bool = False
    length: int | None = None
    """Of a field that is a list: how many entries it has."""


def _count(least: int, most: int) -> Any:
    return field(metadata={"limits": Limits(least, most)})


def _points(*, optional: bool = False, length: int | None = None) -> Any:
    return field(metadata={"limits": Limits(0, 1000, optional=optional, length=length)})


def _switch() -> Any:
    return field(metadata={"limits": Limits(0, 1)})


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """One way to play. The first five fields say which; every other field is a rule that a house may change.

    Points are whole numbers. Nothing in the engine looks at `key`: two rule sets differ by their other fields
    only.
    """

    key: str
    name_en: str
    name_ro: str
    colours: tuple[str, ...]
    packs: tuple[Pack, ...]

    run_max_length: int = _count(MELD_MIN_LENGTH, 14)
    """RULES.md, run: 14 allows a 1 at each end of 1-2-...-13-1, 13 does not."""
    one_after_13: bool = _switch()
    """RULES.md, run: whether 12-13-1 (Q-K-A) is a run; 1-2-3 always is, 13-1-2 never."""
    meld_jokers_max: int = _count(0, 2)
    """RULES.md, jokers in a meld: at most so many."""
    meld_real_tiles_min: int = _count(1, 3)
    """RULES.md, jokers in a meld: at least so many tiles that are no jokers."""
    meld_real_tiles_per_joker: int = _count(0, 3)
    """RULES.md, jokers in a meld: at least so many other tiles for each joker; 0 sets no such limit."""

    number_points: tuple[int, ...] = _points(length=12)
    """RULES.md, meld values when opening: of 2, 3, ... 13, in this order."""
    one_low_points: int = _points()
    """RULES.md, meld values when opening: of the 1 in 1-2-3."""
    one_high_points: int = _points()
    """RULES.md, meld values when opening: of the 1 in 12-13-1."""
    one_group_points: int = _points()
    """RULES.md, meld values when opening: of each 1 in a group."""
    one_final_points: int | None = _points(optional=True)
    """RULES.md, final value of tiles: of a 1 in a meld; None: as when opening."""
    one_rack_points: int = _points()
    """RULES.md, final value of tiles: of a 1 left on the rack or in the hand."""
    joker_final_points: int | None = _points(optional=True)
    """RULES.md, joker, final value: in a meld; None: that of the tile it stands for."""
    joker_rack_points: int = _points()
    """RULES.md, joker, final value: left on the rack or in the hand."""
    melds_score: bool = _switch()
    """RULES.md, joker, final value: whether melds count at the end at all; in classic they score nothing."""

    @property
    def with_cards(self) -> bool:
        """Whether it is played with cards, not with tiles."""
        return self.colours == CARD_SUITS

    @property
    def players(self) -> tuple[int, int]:
        """Fewest and most players (RULES.md, players)."""
        numbers = [number for pack in self.packs for number in pack.players]
        return min(numbers), max(numbers)

    def pack(self, name: str | None = None) -> Pack:
        """The pack of that name, without a name the largest; ValueError for a name it does not have."""
        if name is None:
            return max(self.packs, key=lambda pack: (pack.copies, pack.jokers))
        for pack in self.packs:
            if pack.name == name:
                return pack
        known = ", ".join(pack.name for pack in self.packs)
        raise ValueError(f"no pack {name!r} in {self.name_en}; it is played with {known}")
