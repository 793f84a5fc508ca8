"""Which tile of a meld is which tile that was seen, whatever order they lie in."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING, Final

from engine.infer.settings import extra_cost, miss_cost

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.infer.memory import Slot
    from engine.infer.settings import Chances
    from engine.tiles import Face

_MAY_BE: Final = log(0.05)


@dataclass(frozen=True, slots=True)
class Matched:
    """The best match: log chance, the slot of each face (None: not seen), and the slots that are no tile."""

    score: float
    pairs: tuple[Slot | None, ...]
    extra: tuple[Slot, ...]


def hit(slot: Slot, face: Face, chances: Chances) -> float:
    """The log chance of all looks at a tile, if it is of that face and still lies there."""
    gain = slot.belief.gain(face)
    return gain + miss_cost(chances, slot.misses) if slot.misses else gain


def no_tile(slot: Slot, chances: Chances) -> float:
    """The log chance of all looks at it, if no tile lies there (any more)."""
    never = extra_cost(chances, slot.hits)
    if not slot.misses or slot.belief.best is None:
        return never
    return max(never, slot.belief.gain(slot.belief.best) + log(chances.taken_back))


def match(
    faces: Sequence[Face],
    slots: Sequence[Slot],
    chances: Chances,
    *,
    links: Sequence[int | None] = (),
    looks: int = 1,
) -> Matched:
    """The likeliest match of these faces and these slots.

    `links` are the slots that the first faces were so far; a face without any slot was missed in `looks`
    looks.
    """
    pairs: list[Slot | None] = [None] * len(faces)
    free = {slot.id: slot for slot in slots}
    linked = set(links)
    strange = {slot.belief.best for slot in slots if not slot.misses and slot.id not in linked}
    for at, link in enumerate(links):
        slot = free.get(link) if link is not None else None
        # A tile that is not seen in its place may be one that is seen beside it.
        elsewhere = slot is not None and slot.misses and faces[at] in strange
        if slot is not None and not elsewhere and slot.belief.log(faces[at]) > _MAY_BE:
            pairs[at] = free.pop(slot.id)
    open_faces: dict[Face, list[int]] = {}
    for at, face in enumerate(faces):
        if pairs[at] is None:
            open_faces.setdefault(face, []).append(at)
    sure = [slot for slot in free.values() if slot.belief.best in open_faces]
    for slot in sorted(sure, key=lambda slot: (slot.misses > 0, -max(slot.belief.logs.values()))):
        best = slot.belief.best
        if best is not None and open_faces.get(best):
            pairs[open_faces[best].pop(0)] = free.pop(slot.id)
    missed = miss_cost(chances, looks)
    rest = [
        (hit(slot, faces[at], chances) - missed - no_tile(slot, chances), at, slot.id)
        for at in range(len(faces))
        if pairs[at] is None
        for slot in free.values()
    ]
    for worth, at, name in sorted(rest, reverse=True):
        if worth > 0 and pairs[at] is None and name in free:
            pairs[at] = free.pop(name)
    score = sum(
        missed if slot is None else hit(slot, face, chances) for face, slot in zip(faces, pairs, strict=True)
    )
    score += sum(no_tile(slot, chances) for slot in free.values())
    return Matched(score, tuple(pairs), tuple(free.values()))
