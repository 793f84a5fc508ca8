"""Tiles of a meld that lie in another place than before, known again there: pushed, or laid anew for room."""

from __future__ import annotations

from dataclasses import replace
from math import dist
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from engine.infer.memory import Group, Slot

_LOOKS: Final = 4
"""Tiles that were moved are read again within so many looks, not all of them in the same one."""

_FEWEST: Final = 2
_SHARE: Final = 0.6
"""So many, and so great a share of the tiles that are gone, are known again wherever they were pushed to."""

_NEAR_MM: Final = 110.0
"""Within a meld whose other tiles are known, each is known again by itself as near as this: some tiles on."""


def moved(
    slots: Mapping[int, Slot],
    by_key: Mapping[int, int],
    before: Sequence[Group],
    groups: list[tuple[int, int, list[int]]],
    number: int,
    linked: AbstractSet[int],
) -> tuple[dict[int, Slot], dict[int, int]]:
    """The slots, and the keys by which they are known, with tiles that were moved known again.

    `before` are the groups of the look before, `groups` (key, seat, slots) those of look `number`, which are
    changed with them; slots that are `linked` to the state already are no new places of other tiles.
    """
    slots, by_key = dict(slots), dict(by_key)
    for old in before:
        for _, _, inside in groups:
            gone = [slot for slot in old.slots if slot in slots and 1 <= slots[slot].misses <= _LOOKS]
            pairs = _pairs(slots, gone, [slot for slot in inside if slot not in linked], number)
            if not pairs:
                continue
            whole = len(pairs) >= max(_FEWEST, _SHARE * len(gone))
            if not whole and not _within(
                slots, pairs, [slot for slot in inside if slot in old.slots], linked
            ):
                continue
            for slot, new in pairs:
                there = slots.pop(new)
                slots[slot] = replace(
                    slots[slot],
                    key=there.key,
                    seat=there.seat,
                    place=there.place,
                    angle=there.angle,
                    hits=slots[slot].hits + there.hits,
                    misses=0,
                )
                by_key[there.key] = slot
                inside[inside.index(new)] = slot
    return slots, by_key


def _pairs(
    slots: Mapping[int, Slot], gone: Sequence[int], there: Sequence[int], number: int
) -> list[tuple[int, int]]:
    """Tiles that are gone, each with the nearest that shows the same and came when it went."""
    fresh = [slot for slot in there if not slots[slot].misses and slot not in gone]
    pairs: list[tuple[int, int]] = []
    for slot in gone:
        was = slots[slot]
        last_seen = number - was.misses
        same = [
            (dist(slots[new].place, was.place), new)
            for new in fresh
            if slots[new].first > last_seen and slots[new].belief.best == was.belief.best is not None
        ]
        if same:
            _, new = min(same)
            pairs.append((slot, new))
            fresh.remove(new)
    return pairs


def _within(
    slots: Mapping[int, Slot], pairs: Sequence[tuple[int, int]], here: Sequence[int], linked: AbstractSet[int]
) -> bool:
    """Whether tiles lie a little further on in the meld that they lay in.

    A joker alone may have been reclaimed and put down anew.
    """
    if not any(slot in linked for slot in here):
        return False
    faces = [slots[slot].belief.best for slot, _ in pairs]
    if all(face is not None and face.is_joker for face in faces):
        return False
    return all(dist(slots[slot].place, slots[new].place) <= _NEAR_MM for slot, new in pairs)
