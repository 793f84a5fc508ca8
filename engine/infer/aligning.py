"""The discard row of the state laid along the tiles seen in it, in order, with gaps on either side."""

from __future__ import annotations

from dataclasses import dataclass
from math import dist, inf, log
from typing import TYPE_CHECKING

from engine.infer.belief import UNLIKE
from engine.infer.matching import no_tile
from engine.infer.memory import SAME_PLACE_MM
from engine.infer.settings import miss_cost

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.infer.memory import Memory, Slot
    from engine.infer.settings import Chances
    from engine.tiles import Face


@dataclass(frozen=True, slots=True)
class Alignment:
    """Log chances: `best[i][j]` is that of the first tiles `start + i` along the first slots `start + j`.

    Up to `start` each tile lies where it lay.
    """

    start: int
    best: tuple[tuple[float, ...], ...]
    back: tuple[tuple[int, ...], ...]
    links: tuple[int | None, ...]
    slots: tuple[Slot, ...]

    def score(self, tiles: int, slots: int) -> float:
        """The log chance of so many tiles along so many slots; -inf where that cannot be asked."""
        if tiles < self.start or slots < self.start:
            return -inf
        return self.best[tiles - self.start][slots - self.start]

    def links_of(self, tiles: int, slots: int) -> tuple[int | None, ...]:
        """The slot of each of so many tiles, along so many slots; a tile that is not seen keeps its own."""
        found: list[int | None] = list(self.links[:tiles])
        i, j = tiles - self.start, slots - self.start
        while i > 0 or j > 0:
            step = self.back[i][j]
            if step == 0:
                found[self.start + i - 1] = self.slots[self.start + j - 1].id
                i, j = i - 1, j - 1
            elif step == 1:
                i -= 1
            else:
                j -= 1
        return tuple(found)


def _strange(memory: Memory, link: int | None, chances: Chances) -> tuple[float, float, tuple[float, float]]:
    """The log chances that a tile of the row is one that was not known as it: in its old place, or elsewhere;
    and that place.
    """
    slot = memory.slots.get(link) if link is not None else None
    if slot is None:
        return 0.0, 0.0, (0.0, 0.0)
    # In its old place it was not seen for some looks, else it would be known.
    return miss_cost(chances, 2), log(chances.moved), slot.place


def lost(memory: Memory, link: int | None, chances: Chances) -> float:
    """The log chance that a tile of the row lies there and was not seen."""
    slot = memory.slots.get(link) if link is not None else None
    if slot is None:
        return miss_cost(chances, 2)
    cost = miss_cost(chances, slot.misses)
    return cost + log(chances.covered_place) if memory.crowded(slot) else cost


def align(
    faces: Sequence[Face],
    links: Sequence[int | None],
    slots: Sequence[Slot],
    memory: Memory,
    chances: Chances,
) -> Alignment:
    """The row laid along slots (those that are seen, in order); `links` are the slots of its tiles so far."""
    own = {link: at for at, link in enumerate(links) if link is not None}
    start, begun = 0, 0.0
    while (
        start < min(len(faces), len(slots))
        and links[start] == slots[start].id
        and slots[start].belief.log(faces[start]) > UNLIKE
    ):
        begun += slots[start].belief.gain(faces[start])
        start += 1
    n, m = len(faces) - start, len(slots) - start
    best = [[-inf] * (m + 1) for _ in range(n + 1)]
    back = [[0] * (m + 1) for _ in range(n + 1)]
    best[0][0] = begun
    strange = [_strange(memory, link, chances) for link in links]
    skips = [no_tile(slot, chances) for slot in slots[start:]]
    gone = [lost(memory, link, chances) for link in links[start:]]
    for i in range(n + 1):
        row, above = best[i], best[i - 1]
        for j in range(m + 1):
            if i == j == 0:
                continue
            top, step = -inf, 0
            if i and j:
                slot = slots[start + j - 1]
                at = own.get(slot.id)
                if at == start + i - 1 or (at is None and not slot.misses):
                    top = above[j - 1] + slot.belief.gain(faces[start + i - 1])
                    if at is None:
                        near, far, place = strange[start + i - 1]
                        top += near if dist(place, slot.place) < SAME_PLACE_MM else far
            if i and above[j] + gone[i - 1] > top:
                top, step = above[j] + gone[i - 1], 1
            if j and row[j - 1] + skips[j - 1] > top:
                top, step = row[j - 1] + skips[j - 1], 2
            row[j], back[i][j] = top, step
    return Alignment(start, tuple(map(tuple, best)), tuple(map(tuple, back)), tuple(links), tuple(slots))
