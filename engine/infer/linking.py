"""Which group of tiles on the table is which meld of the state: by what it was so far, then by content."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, dist, log, sin
from typing import TYPE_CHECKING, Final

from engine.infer.matching import match
from engine.infer.memory import SAME_PLACE_MM

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from engine.infer.memory import Group, Memory, Slot
    from engine.infer.settings import Chances
    from engine.state import State, TableMeld
    from engine.tiles import Face

_MAY_BE: Final = log(0.05)
_FRAGMENT_MM: Final = 75.0
_LINE_MM: Final = 14.0
"""Two groups so near to each other may be one meld with a tile between them that was not seen."""

_WHOLE: Final = 3
_FEWEST: Final = 2
"""A single tile is no sign that a meld lies there."""


@dataclass(frozen=True, slots=True)
class Part:
    """Melds of the state and groups of the table that belong together: often one of each.

    `slots` are those of the groups, group by group in order; `links` by meld, parallel to its tiles.
    """

    melds: tuple[TableMeld, ...]
    slots: tuple[Slot, ...]
    links: Mapping[str, tuple[int | None, ...]]
    groups: tuple[Group, ...]
    seat: int

    @property
    def faces(self) -> list[Face]:
        """The faces that should lie there."""
        return [face for meld in self.melds for face in faces_of(meld)]

    @property
    def flat_links(self) -> list[int | None]:
        """The links, parallel to `faces`."""
        return [link for meld in self.melds for link in self.links[meld.id]]


def faces_of(meld: TableMeld) -> list[Face]:
    """The faces of a meld and of what lies beside it."""
    return [piece.tile.face for piece in (*meld.pieces, *meld.beside)]


def parts_of(state: State, memory: Memory, chances: Chances) -> tuple[list[Part], Memory]:
    """The table in parts that have nothing to do with each other, and the memory with its links renewed."""
    slots = memory.slots
    links: dict[str, tuple[int | None, ...]] = {}
    owner: dict[int, str] = {}
    for meld in state.melds:
        old = memory.meld_links.get(meld.id, ())
        faces = faces_of(meld)
        links[meld.id] = old if len(old) == len(faces) else (None,) * len(faces)
        owner.update({slot: meld.id for slot in links[meld.id] if slot is not None and slot in slots})
    stale = _relink(state, memory, links, owner)
    groups = [
        replace(group, slots=tuple(slot for slot in group.slots if slot not in stale))
        for group in memory.groups
        if set(group.slots) - stale
    ]
    roots = _joined(groups, owner, slots)
    together: dict[int, list[int]] = {}
    for at in range(len(groups)):
        together.setdefault(roots[at], []).append(at)
    parts = []
    placed: set[str] = set()
    for inside in together.values():
        members = tuple(groups[at] for at in inside)
        mine = tuple(slots[slot] for group in members for slot in group.slots)
        names = {owner[slot.id] for slot in mine if slot.id in owner}
        placed |= names
        melds = tuple(meld for meld in state.melds if meld.id in names)
        parts.append(_part(melds, mine, links, members, chances, memory))
    # What is nowhere to be seen is a part of its own.
    parts += [_part((meld,), (), links, (), chances, memory) for meld in state.melds if meld.id not in placed]
    found = {name: part.links[name] for part in parts for name in part.links}
    kept = {slot: found_slot for slot, found_slot in slots.items() if slot not in stale}
    return parts, replace(memory, meld_links=found, slots=kept, groups=tuple(groups))


def _relink(
    state: State,
    memory: Memory,
    links: dict[str, tuple[int | None, ...]],
    owner: dict[int, str],
) -> set[int]:
    """Finds melds again that are new or lie in another place, wholly or in part; the slots that they were
    there are returned.
    """
    slots = memory.slots
    faces = {meld.id: faces_of(meld) for meld in state.melds}

    def found_in(lying: Sequence[int], name: str) -> dict[int, Slot]:
        """The tiles of a meld that are not seen where they lay, among strange ones that lie in a place."""
        free = [slots[slot] for slot in lying if slot not in owner and not slots[slot].misses]
        absent = [at for at, slot in enumerate(links[name]) if not memory.present(slot)]
        pairs = _pairs([faces[name][at] for at in absent], free)
        enough = max(_FEWEST, (len(absent) + 1) // 2)
        return {absent[at]: slot for at, slot in pairs.items()} if len(pairs) >= enough else {}

    places = _places(memory)
    ways = []
    for meld in state.melds:
        if sum(not memory.present(slot) for slot in links[meld.id]) >= _FEWEST:
            # Two groups are one meld only where it is not known at all where it lies.
            known = any(slot is not None for slot in links[meld.id])
            for at, lying in enumerate(places[: len(memory.groups)] if known else places):
                if found := found_in(lying, meld.id):
                    ways.append((-len(found), meld.id, at))
    stale: set[int] = set()
    for _, name, at in sorted(ways):
        renewed = list(links[name])
        for place, slot in found_in(places[at], name).items():
            old = renewed[place]
            if old is not None:
                stale.add(old)
                owner.pop(old, None)
            renewed[place] = slot.id
            owner[slot.id] = name
        links[name] = tuple(renewed)
    return stale


def _places(memory: Memory) -> list[tuple[int, ...]]:
    """Where a meld may lie: each group, and two groups in line, between which a tile may not be seen."""
    groups = memory.groups
    pairs = [
        (*one.slots, *other.slots)
        for at, one in enumerate(groups)
        for other in groups[at + 1 :]
        if _near(one, other, memory.slots)
    ]
    return [*(group.slots for group in groups), *pairs]


def _pairs(faces: Sequence[Face], slots: Iterable[Slot]) -> dict[int, Slot]:
    """The faces that these slots may be, each with its slot."""
    found: dict[int, Slot] = {}
    for slot in slots:
        fits = [at for at, face in enumerate(faces) if at not in found and slot.belief.log(face) > _MAY_BE]
        if fits:
            found[max(fits, key=lambda at: slot.belief.log(faces[at]))] = slot
    return found


def _joined(groups: Sequence[Group], owner: Mapping[int, str], slots: Mapping[int, Slot]) -> list[int]:
    """For each group the number of the part that it belongs to."""
    roots = list(range(len(groups)))

    def root(at: int) -> int:
        while roots[at] != at:
            at = roots[at]
        return at

    first: dict[str, int] = {}
    for at, group in enumerate(groups):
        for slot in group.slots:
            if slot in owner:
                roots[root(at)] = root(first.setdefault(owner[slot], at))
    new = [at for at, group in enumerate(groups) if not any(slot in owner for slot in group.slots)]
    for at in new:
        for other in new:
            small = min(len(groups[at].slots), len(groups[other].slots)) < _WHOLE
            if other < at and small and _near(groups[at], groups[other], slots):
                roots[root(at)] = root(other)
        for other, group in enumerate(groups):
            gap = any(slot in owner and slots[slot].misses for slot in group.slots)
            if gap and len(groups[at].slots) < _WHOLE and _near(groups[at], group, slots):
                # What lies in line with a meld, behind a tile that is not seen, may have come to it.
                roots[root(at)] = root(other)
    return [root(at) for at in range(len(groups))]


def _near(one: Group, other: Group, slots: Mapping[int, Slot]) -> bool:
    """Whether two groups lie in one line, with room for a tile or two between them."""
    seen = [[slots[slot] for slot in group.slots if not slots[slot].misses] for group in (one, other)]
    return any(_in_line(mine, theirs) for mine in seen[0] for theirs in seen[1])


def _in_line(one: Slot, other: Slot) -> bool:
    across, up = other.place[0] - one.place[0], other.place[1] - one.place[1]
    along = across * cos(one.angle) + up * sin(one.angle)
    aside = up * cos(one.angle) - across * sin(one.angle)
    return abs(along) < _FRAGMENT_MM and abs(aside) < _LINE_MM


def _part(
    melds: tuple[TableMeld, ...],
    slots: tuple[Slot, ...],
    links: Mapping[str, tuple[int | None, ...]],
    groups: tuple[Group, ...],
    chances: Chances,
    memory: Memory,
) -> Part:
    """The part, with its links as they match best."""
    seat = groups[0].seat if groups else 0
    part = Part(melds, slots, {meld.id: links[meld.id] for meld in melds}, groups, seat)
    if not melds:
        return part
    found = match(part.faces, slots, chances, links=part.flat_links)
    renewed: dict[str, tuple[int | None, ...]] = {}
    used = {pair.id for pair in found.pairs if pair is not None}
    at = 0
    for meld in melds:
        count = len(links[meld.id])
        old = links[meld.id]
        mine = tuple(
            _renewed(old[i], pair, used, memory) for i, pair in enumerate(found.pairs[at : at + count])
        )
        renewed[meld.id] = _jokers_in_order(meld, mine, groups)
        at += count
    return replace(part, links=renewed)


def _jokers_in_order(
    meld: TableMeld, links: tuple[int | None, ...], groups: tuple[Group, ...]
) -> tuple[int | None, ...]:
    """The links with the jokers of a run in the order in which they lie: by face each could be the other."""
    jokers = [at for at, piece in enumerate(meld.pieces) if piece.tile.is_joker]
    if meld.shape != "run" or len(jokers) < 2 or len(groups) != 1:
        return links
    order = {slot: at for at, slot in enumerate(groups[0].slots)}
    lying = [link for at in jokers if (link := links[at]) in order]
    others = [order[link] for at, link in enumerate(links) if at not in jokers and link in order]
    if len(lying) < len(jokers) or len(others) < 2:
        return links
    here = sorted(lying, key=lambda link: order[link or 0], reverse=others[0] > others[-1])
    renewed = list(links)
    for at, link in zip(jokers, here, strict=True):
        renewed[at] = link
    return tuple(renewed)


def _renewed(old: int | None, pair: Slot | None, used: AbstractSet[int], memory: Memory) -> int | None:
    """The link of a tile whose link was `old`, where `pair` matches it best."""
    if old is None or old in used or old not in memory.slots:
        return pair.id if pair is not None else None if old in used else old
    was = memory.slots[old]
    # A tile that is not seen keeps its link: it is missed there. So does one that was seen beside the other,
    # which thus is another tile, unless they were two finds of the same.
    beside = pair is not None and pair.first <= memory.number - was.misses
    if pair is None or (beside and dist(pair.place, was.place) >= SAME_PLACE_MM):
        return old
    return pair.id
