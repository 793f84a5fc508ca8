"""What the looks so far say of each tile that lies there, and which tile of the state it is."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import dist
from typing import TYPE_CHECKING, Final

from engine.infer.belief import Belief, added, belief_of, contradicts, sure
from engine.infer.moving import moved

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from engine.infer.settings import Settings
    from engine.table_reading import Lying, TableReading
    from engine.tiles import Face

SAME_PLACE_MM: Final = 12.0
"""Two tiles cannot lie so near to each other."""

_EMPTY_LOOKS: Final = 2
"""A place in the row without a tile in so many looks was empty: what lies there then may be another tile."""

_GHOST_LOOKS: Final = 3
"""A tile that the game does not know is forgotten after so many looks without it."""

_SEEN_WELL: Final = 2
_LONG_LOOKS: Final = 15
"""One that so many looks saw is kept for so long: it may have been discarded and taken."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A tile that lay or lies somewhere, over all looks at it.

    `key` is the reading's; `zone` is `row`, `table`, `atu` or `rack`; `seat` the place round the table of
    its zone; `first` the look that saw it first, `first_at` its time, `gap` the seconds between that look and
    the one before; `hits` looks saw it, the last `misses` did not.
    """

    id: int
    key: int
    zone: str
    seat: int
    place: tuple[float, float]
    belief: Belief
    first: int
    first_at: float
    gap: float
    angle: float = 0.0
    hits: int = 1
    misses: int = 0
    fixed: bool = False
    """Whether somebody said what it is, so that no look says otherwise."""
    read: Belief | None = None
    """What the looks say of one that is fixed."""


@dataclass(frozen=True, slots=True)
class Group:
    """Slots that lie touching, in order; those of them that the last look missed where they lay."""

    key: int
    seat: int
    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """The tiles of all looks, and their links to the state: `row_links` parallel to the row of the state,
    `meld_links` by id of a meld parallel to its pieces and those beside it; None where a tile was never seen.
    """

    slots: Mapping[int, Slot] = field(default_factory=dict)
    row: tuple[int, ...] = ()
    groups: tuple[Group, ...] = ()
    racks: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    atu: int | None = None
    row_links: tuple[int | None, ...] = ()
    meld_links: Mapping[str, tuple[int | None, ...]] = field(default_factory=dict)
    by_key: Mapping[int, int] = field(default_factory=dict)
    next_id: int = 1
    number: int = 0
    at: float = 0.0
    hidden: Mapping[str, float] = field(default_factory=dict)
    """Zones that something was over in every look since a time, with that time."""
    ignored: frozenset[int] = frozenset()
    """Keys of what somebody said is no tile."""

    @property
    def covered(self) -> bool:
        """Whether a hand was over something in the last look."""
        return bool(self.hidden)

    def present(self, slot: int | None) -> bool:
        """Whether the last look saw it."""
        return slot is not None and slot in self.slots and not self.slots[slot].misses

    def linked(self) -> set[int]:
        """The slots that are tiles of the state."""
        found = {slot for slot in (*self.row_links, self.atu) if slot is not None}
        for links in self.meld_links.values():
            found.update(slot for slot in links if slot is not None)
        return found

    def crowded(self, slot: Slot) -> bool:
        """Whether another tile lies where this one lay."""
        return any(
            not other.misses
            and other.id != slot.id
            and other.zone == slot.zone
            and dist(other.place, slot.place) < SAME_PLACE_MM
            for other in self.slots.values()
        )


def _tiles(reading: TableReading) -> Iterator[tuple[str, int, int, Lying]]:
    """Zone, place round the table, key of the group, and tile, of every tile of a look but the wall's."""
    for tile in reading.row:
        yield "row", 0, 0, tile
    for meld in reading.melds:
        for tile in (*meld.tiles, *(tower for _, tower in meld.towers)):
            yield "table", meld.seat, meld.key, tile
    if reading.atu is not None:
        yield "atu", 0, 0, reading.atu
    for seat, tiers in reading.racks.items():
        for tier in tiers:
            for tile in tier:
                yield "rack", seat, 0, tile


def _hidden(zone: str, seat: int, unseen: Iterable[str]) -> bool:
    names = {"row": "discard", "table": f"meld {seat}", "atu": "atu", "rack": f"rack {seat}"}
    return names[zone] in unseen


def remember(memory: Memory, reading: TableReading, settings: Settings) -> Memory:
    """The memory with one look more; what it saw of a covered zone is no new evidence."""
    weight = settings.chances.old_looks
    slots = dict(memory.slots)
    by_key = dict(memory.by_key)
    taken: dict[int, int] = {}
    waiting: list[tuple[str, int, Lying, Belief]] = []
    for zone, seat, _, tile in _tiles(reading):
        if tile.key in memory.ignored:
            continue
        look = belief_of(tile, settings.chances)
        slot = slots.get(by_key.get(tile.key, 0))
        if slot is None or slot.zone != zone or slot.id in taken or _other(slot, look):
            waiting.append((zone, seat, tile, look))
            continue
        taken[slot.id] = tile.key
        if not _hidden(zone, seat, reading.unseen):
            slots[slot.id] = _again(slot, tile, seat, look, weight)
    next_id = memory.next_id
    gap = reading.at - memory.at if memory.number else 0.0
    for zone, seat, tile, look in waiting:
        old = _where_it_lay(slots.values(), taken, zone, tile, look)
        if old is not None:
            slots[old.id] = _again(old, tile, seat, look, weight)
        else:
            old = Slot(
                next_id, tile.key, zone, seat, tile.place, look, reading.number, reading.at, gap, tile.angle
            )
            if (was := _misread(slots.values(), taken, old)) is not None:
                old = replace(old, first=was.first, first_at=was.first_at, gap=was.gap)
                del slots[was.id]
            slots[next_id] = old
            next_id += 1
        taken[old.id] = tile.key
        by_key[tile.key] = old.id
    linked = memory.linked()
    for slot in list(slots.values()):
        if slot.id in taken or _hidden(slot.zone, slot.seat, reading.unseen):
            continue
        kept = _GHOST_LOOKS if slot.hits < _SEEN_WELL else _LONG_LOOKS
        if slot.id not in linked and slot.misses >= kept:
            del slots[slot.id]
            continue
        slots[slot.id] = replace(slot, misses=slot.misses + 1)
    by_key = {key: slot for key, slot in by_key.items() if slot in slots}
    return _arranged(
        replace(
            memory,
            slots=slots,
            by_key=by_key,
            next_id=next_id,
            number=reading.number,
            at=reading.at,
            hidden={
                name: memory.hidden.get(name, reading.at)
                for name in reading.unseen
                if not name.startswith("rack")
            },
        ),
        reading,
    )


def _other(slot: Slot, look: Belief) -> bool:
    """Whether this is another tile than lay there: another face, or a place in the row that was empty."""
    if slot.zone == "row" and slot.misses >= _EMPTY_LOOKS:
        return True
    if not slot.fixed:
        return contradicts(slot.belief, look)
    # Where looks and answer agreed, looks that say otherwise see another tile, such as one for a joker.
    agreed = slot.read is not None and slot.read.best == slot.belief.best
    return agreed and slot.read is not None and contradicts(slot.read, look)


def _again(slot: Slot, tile: Lying, seat: int, look: Belief, weight: float) -> Slot:
    return replace(
        slot,
        key=tile.key,
        seat=seat,
        place=tile.place,
        angle=tile.angle,
        belief=slot.belief if slot.fixed else added(slot.belief, look, weight),
        read=added(slot.read, look, weight) if slot.read is not None else None,
        hits=slot.hits + 1,
        misses=0,
    )


def _where_it_lay(
    slots: Iterable[Slot], taken: Mapping[int, int], zone: str, tile: Lying, look: Belief
) -> Slot | None:
    """The tile that lay in this place and has not been seen yet in this look."""
    near = [
        (dist(slot.place, tile.place), slot.id, slot)
        for slot in slots
        if slot.zone == zone
        and slot.id not in taken
        and dist(slot.place, tile.place) < SAME_PLACE_MM
        and not _other(slot, look)
    ]
    return min(near)[2] if near else None


def _misread(slots: Iterable[Slot], taken: Mapping[int, int], tile: Slot) -> Slot | None:
    """The tile that only the look before this one saw in the same place, as something else: it came then."""
    return next(
        (
            slot
            for slot in slots
            if slot.zone == tile.zone == "table"
            and slot.id not in taken
            and (slot.hits, slot.misses, slot.fixed) == (1, 0, False)
            and dist(slot.place, tile.place) < SAME_PLACE_MM
        ),
        None,
    )


def _arranged(memory: Memory, reading: TableReading) -> Memory:
    """The memory with rows, groups and racks as the look has them, and what it missed in its old place."""

    def ids(tiles: Iterable[Lying]) -> list[int]:
        return [memory.by_key[tile.key] for tile in tiles if tile.key in memory.by_key]

    row = _merged([slot for slot in memory.row if slot in memory.slots], ids(reading.row))
    groups: list[tuple[int, int, list[int]]] = []
    for meld in reading.melds:
        inside = ids((*meld.tiles, *(tower for _, tower in meld.towers)))
        if inside:
            groups.append((meld.key, meld.seat, inside))
    slots, by_key = moved(memory.slots, memory.by_key, memory.groups, groups, memory.number, memory.linked())
    home = {slot: at for at, (_, _, inside) in enumerate(groups) for slot in inside}
    for old in memory.groups:
        kept = [slot for slot in old.slots if slot in slots and slots[slot].zone == "table"]
        absent = [slot for slot in kept if slot not in home]
        if not absent:
            continue
        near = [home[slot] for slot in kept if slot in home]
        if near:
            at = max(set(near), key=near.count)
            key, seat, inside = groups[at]
            groups[at] = key, seat, _merged([s for s in kept if s in absent or s in inside], inside)
        else:
            groups.append((old.key, old.seat, absent))
            at = len(groups) - 1
        home.update(dict.fromkeys(absent, at))
    racks = {
        seat: tuple(ids(tile for tier in tiers for tile in tier)) for seat, tiers in reading.racks.items()
    }
    atu = memory.by_key.get(reading.atu.key) if reading.atu is not None else memory.atu
    return replace(
        memory,
        row=tuple(row),
        groups=tuple(Group(key, seat, tuple(inside)) for key, seat, inside in groups),
        racks=racks,
        atu=atu if atu in slots else None,
        slots=slots,
        by_key=by_key,
    )


def _merged(before: Sequence[int], now: Sequence[int]) -> list[int]:
    """What is there now in its order, and what was before, each after the one that it lay behind."""
    merged = list(now)
    here = set(now)
    last: int | None = None
    for slot in before:
        if slot not in here:
            merged.insert(merged.index(last) + 1 if last is not None else 0, slot)
            here.add(slot)
        last = slot
    return merged


def relinked(memory: Memory, links: tuple[int | None, ...]) -> Memory:
    """The memory with the row of the state linked anew; a tile that is seen again, where it lay or pushed up
    the row, was there all the time.
    """
    slots = dict(memory.slots)
    gone = set()
    for old, new in zip(memory.row_links, links, strict=False):
        if old is None or new is None or old == new or old not in slots or new not in slots:
            continue
        was = slots[old]
        slots[new] = replace(slots[new], first=was.first, first_at=was.first_at, gap=was.gap)
        if dist(was.place, slots[new].place) < SAME_PLACE_MM:
            gone.add(old)
            del slots[old]
    row = tuple(slot for slot in memory.row if slot not in gone)
    return replace(memory, slots=slots, row=row, row_links=links)


def settled(memory: Memory, faces: Mapping[int, Face]) -> Memory:
    """The memory after somebody said what these slots are."""
    slots = dict(memory.slots)
    for slot, face in faces.items():
        if slot in slots:
            seen = slots[slot].read or slots[slot].belief
            slots[slot] = replace(slots[slot], belief=sure(face), fixed=True, read=seen)
    return replace(memory, slots=slots)


def forgotten(memory: Memory, keys: Iterable[int]) -> Memory:
    """The memory without these keys: what lies there is no tile."""
    gone = frozenset(keys)
    out = {slot.id for slot in memory.slots.values() if slot.key in gone}
    return replace(without(memory, out), ignored=memory.ignored | gone)


def without(memory: Memory, out: AbstractSet[int]) -> Memory:
    """The memory without these slots."""
    return replace(
        memory,
        slots={slot: found for slot, found in memory.slots.items() if slot not in out},
        row=tuple(slot for slot in memory.row if slot not in out),
        groups=tuple(
            replace(group, slots=tuple(slot for slot in group.slots if slot not in out))
            for group in memory.groups
            if set(group.slots) - out
        ),
        row_links=tuple(None if slot in out else slot for slot in memory.row_links),
        meld_links={
            meld: tuple(None if slot in out else slot for slot in links)
            for meld, links in memory.meld_links.items()
        },
    )
