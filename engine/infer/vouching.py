"""What somebody entered holds against the camera: tiles of it that are misread are what was entered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.infer.belief import UNLIKE
from engine.infer.linking import faces_of
from engine.infer.memory import settled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.infer.memory import Memory
    from engine.state import State
    from engine.tiles import Face


LOOKS: Final = 4
"""So many looks after it was entered the tiles of an entry are found by."""


@dataclass(frozen=True, slots=True)
class Vouched:
    """What was entered: melds by id, the place in the row from which on; and after which look."""

    melds: frozenset[str]
    row_from: int
    at: int


def vouched_by(
    vouched: Vouched | None, before: State, after: State, *, row_from: int, at: int
) -> Vouched | None:
    """What was entered after look `at`, an entry that made a state another included.

    `row_from` is how many tiles of the row stayed.
    """
    were = {meld.id: meld for meld in before.melds}
    melds = frozenset(meld.id for meld in after.melds if were.get(meld.id) != meld)
    if not melds and row_from == len(after.row):
        return vouched
    if vouched is not None and vouched.at == at:
        return Vouched(melds | vouched.melds, min(row_from, vouched.row_from), at)
    return Vouched(melds, row_from, at)


def held(memory: Memory, state: State, vouched: Vouched) -> Memory:
    """The memory with the tiles of an entry as it has them, where they lay there when it was made."""
    faces = {}
    for link, face in _entered_tiles(memory, state, vouched):
        slot = memory.slots.get(link or 0)
        if slot is None or slot.fixed or slot.misses or slot.first > vouched.at:
            continue
        if slot.belief.log(face) < UNLIKE:
            faces[slot.id] = face
    return settled(memory, faces) if faces else memory


def _entered_tiles(memory: Memory, state: State, vouched: Vouched) -> Iterator[tuple[int | None, Face]]:
    for meld in state.melds:
        if meld.id in vouched.melds:
            yield from zip(memory.meld_links.get(meld.id, ()), faces_of(meld), strict=False)
    start = vouched.row_from
    yield from zip(memory.row_links[start:], state.row[start:], strict=False)
