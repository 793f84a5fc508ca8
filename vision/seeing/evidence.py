"""What several looks at one tile say together: their log chances averaged, with forgetting.

Looks at a tile that nobody touched show nearly the same pixels under the same light, so what misled one look
misleads the next: thirty equal looks say no more than one. Looks that differ do: what one of them thought
possible and another did not falls behind.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from engine.readings import Candidate
from engine.tiles import Mark

if TYPE_CHECKING:
    from engine.readings import SeenTile
    from engine.tiles import Seen

KEEP: Final = 0.95
"""Of its weight a look keeps so much with each further one."""

CHANGED_WEIGHT: Final = 0.4
"""Looks from before a change was seen at a tile weigh as much as this part of one, all together."""

FLOOR: Final = 1e-4
"""No look says less of a face: so sure one look can be that something is wrong."""

READ_LEAST: Final = 0.5
"""A face that is less likely stays unread."""

LISTED: Final = 5

_OTHERS: Final = 50.0  # faces over which a look's rest is spread


@dataclass(frozen=True, slots=True)
class Evidence:
    """Sums of log chances: `logs` by face, `rest` of any face that no look named, and the weight of the
    looks.
    """

    logs: Mapping[Seen, float] = field(default_factory=dict)
    rest: float = 0.0
    weight: float = 0.0

    @property
    def best(self) -> Seen:
        """The likeliest face, UNREAD where none is likely."""
        return verdict(self)[0]


def chances_of(tile: SeenTile) -> dict[Seen, float]:
    """What one look says a tile may show, with the chance of each."""
    told: dict[Seen, float] = {} if tile.face is Mark.UNREAD else {tile.face: tile.confidence}
    for other in tile.alternatives:
        told.setdefault(other.face, other.confidence)
    total = sum(told.values())
    return {face: chance / total for face, chance in told.items()} if total > 1 else told


def with_look(evidence: Evidence, tile: SeenTile) -> Evidence:
    """The evidence after another look at the tile."""
    told = chances_of(tile)
    left = math.log(max(FLOOR, 1 - sum(told.values())) / _OTHERS)
    floor = math.log(FLOOR)
    unnamed = max(evidence.rest, floor * evidence.weight)
    logs = {face: KEEP * log + max(floor, left) for face, log in evidence.logs.items()}
    for face, chance in told.items():
        logs[face] = KEEP * evidence.logs.get(face, unnamed) + math.log(max(FLOOR, chance))
    return Evidence(logs, KEEP * evidence.rest + left, KEEP * evidence.weight + 1)


def doubted(evidence: Evidence) -> Evidence:
    """The evidence once something changed at the tile: it may be another one now."""
    if evidence.weight <= CHANGED_WEIGHT:
        return evidence
    share = CHANGED_WEIGHT / evidence.weight
    logs = {face: share * log for face, log in evidence.logs.items()}
    return Evidence(logs, share * evidence.rest, CHANGED_WEIGHT)


def verdict(evidence: Evidence) -> tuple[Seen, float, tuple[Candidate, ...]]:
    """The face with its confidence, and what else it may be, likeliest first."""
    if not evidence.logs:
        return Mark.UNREAD, 0.0, ()
    scores = {face: log / evidence.weight for face, log in evidence.logs.items()}
    top = max(scores.values())
    # What no look named is possible too, spread over many faces.
    others = max(0.0, _OTHERS - len(scores)) * math.exp(evidence.rest / evidence.weight - top)
    shares = {face: math.exp(score - top) for face, score in scores.items()}
    total = sum(shares.values()) + others
    ranked = sorted(
        (Candidate(face, share / total) for face, share in shares.items()),
        key=lambda one: (-one.confidence, str(one.face)),
    )
    best = ranked[0]
    if best.confidence < READ_LEAST:
        return Mark.UNREAD, best.confidence, tuple(ranked[:LISTED])
    return best.face, best.confidence, tuple(ranked[1 : LISTED + 1])
