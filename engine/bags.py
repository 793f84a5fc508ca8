"""Bags: how many of each face, in no order, as nobody can tell two red 7s apart."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from engine.notation import parse_tiles
from engine.tiles import HIGHEST, JOKER, Face, face_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from engine.rules import RuleSet


class BagError(ValueError):
    """Taking out of a bag what is not in it; `missing` is the bag of faces that lack."""

    def __init__(self, missing: Bag) -> None:
        self.missing = missing
        super().__init__(f"not in the bag: {missing}")


class Bag:
    """An immutable multiset of faces; equal by content, hashable, iterated in the order people expect.

    >>> bag = Bag.parse("r7 * r7")
    >>> str(bag), bag.count(Face("r", 7)), len(bag), str(bag - Bag.parse("r7"))
    ('r7 r7 *', 2, 3, 'r7 *')
    """

    __slots__ = ("_counts", "_hash")
    _counts: dict[Face, int]
    _hash: int

    def __init__(self, faces: Iterable[Face] = ()) -> None:
        self._fill(Counter(faces))

    def _fill(self, counts: Mapping[Face, int]) -> None:
        self._counts = {face: counts[face] for face in sorted(counts, key=face_order) if counts[face] > 0}
        self._hash = hash(frozenset(self._counts.items()))

    @classmethod
    def of(cls, counts: Mapping[Face, int]) -> Bag:
        """The bag with so many of each face; ValueError for a count below 0."""
        if wrong := [f"{face}: {count}" for face, count in counts.items() if count < 0]:
            raise ValueError(f"a bag holds no fewer than 0 of a face, not {', '.join(wrong)}")
        bag = cls()
        bag._fill(counts)
        return bag

    @classmethod
    def parse(cls, text: str) -> Bag:
        """The bag written as a line of tiles (a joker is a joker); NotationError as in `parse_tiles`."""
        return cls(tile.face for tile in parse_tiles(text))

    def count(self, face: Face) -> int:
        """How many of this face are in the bag."""
        return self._counts.get(face, 0)

    def items(self) -> Iterator[tuple[Face, int]]:
        """Each different face with its count (at least 1), in order."""
        return iter(self._counts.items())

    def __add__(self, other: Bag) -> Bag:
        if not other._counts:
            return self
        return Bag.of(Counter(self._counts) + Counter(other._counts))

    def __sub__(self, other: Bag) -> Bag:
        """What is left; BagError with all that lacks where `other` is not wholly in this bag."""
        if missing := Counter(other._counts) - Counter(self._counts):
            raise BagError(Bag.of(missing))
        return Bag.of(Counter(self._counts) - Counter(other._counts))

    def beyond(self, other: Bag) -> Bag:
        """What this bag holds more than `other` does: its difference, never below nothing."""
        if not other._counts or not self._counts:
            return self
        return Bag.of(Counter(self._counts) - Counter(other._counts))

    def __le__(self, other: Bag) -> bool:
        return all(count <= other.count(face) for face, count in self._counts.items())

    def __eq__(self, other: object) -> bool:
        return self._counts == other._counts if isinstance(other, Bag) else NotImplemented

    def __hash__(self) -> int:
        return self._hash

    def __contains__(self, face: object) -> bool:
        return face in self._counts

    def __iter__(self) -> Iterator[Face]:
        return (face for face, count in self._counts.items() for _ in range(count))

    def __len__(self) -> int:
        return sum(self._counts.values())

    def __str__(self) -> str:
        return " ".join(map(str, self))

    def __repr__(self) -> str:
        return f"Bag.parse({str(self)!r})"


def full_set(rules: RuleSet, *, pack: str | None = None) -> Bag:
    """Every tile or card that is in play (RULES.md, set).

    `pack` names one of the packs of the rule set (classic has `52+1`, `52`, `2x52+2`); without it, the
    largest. ValueError for a pack it does not have.

    >>> from engine.rules import rule_set
    >>> len(full_set(rule_set("etalat"))), len(full_set(rule_set("classic"), pack="52+1"))
    (106, 53)
    """
    chosen = rules.pack(pack)
    counts = {
        Face(colour, number): chosen.copies for colour in rules.colours for number in range(1, HIGHEST + 1)
    }
    return Bag.of({**counts, JOKER: chosen.jokers})
