"""The motion gate: which zones are still and free of hands, so that they may be read; a fold over looks.

moving --still for 3 looks and 0.2 s--> settled --something moves--> moving
                                           |
   a hand over it: covered, however still it lies; let go once it has left, or not stirred for two minutes
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.seeing.foreign import Body, bodies

if TYPE_CHECKING:
    from vision.seeing.ground import Ground
    from vision.traces import Trace

Bools = NDArray[np.bool_]

STILL_LOOKS: Final = 3
STILL_S: Final = 0.2
FIRST_STILL_S: Final = 0.6
"""The first look, which nothing can be compared with, waits longer for a hand to stir."""

ISLAND_S: Final = 3.0
"""Something foreign in the middle of the table, a glass say, is waited for so long, then lives there."""

FAMILIAR_S: Final = 15.0
ARM_S: Final = 120.0
"""An arm that has not stirred for so long is none; one in colours of the table sooner."""

SHALLOW_S: Final = 1.5
"""What lies over a rack in colours of the table belongs to the table once nothing has stirred for so long."""

RENEW_S: Final = 10.0
"""A table on which nothing differs is remembered anew so often, as the light moves on."""

_LEAST_PIXELS: Final = 3
_SPECK: Final = 0.1  # of a tile's area: less is glare, noise, an edge that shivers
_OVER: Final = 0.3  # of a tile's area: where a hand covers as much of a zone, it covers it


@dataclass(frozen=True, slots=True)
class ZoneState:
    """How a zone is: still since `since` for so many looks; `changed` since it was read; under a hand."""

    since: float
    looks: int = 0
    changed: bool = True
    covered: bool = False


@dataclass(frozen=True)
class Gate:
    """What is known after a look. `reference` is the settled table, `anchor` what showed when it last stood
    still, `seen` the newest picture, `covers` where (h, w) hands are; `shallow` where something is that may
    be a hand over a rack or the rack itself, None where nothing is.
    """

    ground: Ground
    zones: tuple[ZoneState, ...]
    reference: Trace | None = None
    anchor: Trace | None = None
    seen: Trace | None = None
    covers: Bools | None = None
    shallow: Bools | None = None
    moved_at: float = 0.0
    renewed_at: float = 0.0
    now: float = 0.0

    @property
    def settled(self) -> tuple[bool, ...]:
        """Which zones are still and free."""
        wait = STILL_S if self.reference is not None else FIRST_STILL_S
        return tuple(
            not zone.covered and zone.looks >= STILL_LOOKS and self.now - zone.since >= wait
            for zone in self.zones
        )

    @property
    def due(self) -> tuple[bool, ...]:
        """Which of them have changed since they were read."""
        pairs = zip(self.settled, self.zones, strict=True)
        return tuple(settled and zone.changed for settled, zone in pairs)

    @property
    def settling(self) -> bool:
        """Whether a free zone has come to rest and only has to prove it: soon more can be read at once."""
        pairs = zip(self.settled, self.zones, strict=True)
        return any(not settled and not zone.covered and zone.looks > 0 for settled, zone in pairs)

    @property
    def idle(self) -> bool:
        """Whether nothing moves, lies over the table, or waits to be read."""
        pairs = zip(self.settled, self.zones, strict=True)
        return all(settled and not zone.changed for settled, zone in pairs)


def new_gate(ground: Ground, now: float) -> Gate:
    """A gate that has seen nothing yet: every zone is to be read."""
    return Gate(ground, tuple(ZoneState(now) for _ in ground.zones), now=now)


def watched(gate: Gate, trace: Trace, now: float) -> Gate:
    """The gate after a look at a reduced picture, `Ground.trace` of a frame."""
    gate = replace(gate, now=now)
    if gate.anchor is None:
        return replace(gate, anchor=trace, seen=trace, zones=tuple(ZoneState(now) for _ in gate.zones))
    ground = gate.ground
    moving = _speckless(gate.anchor.differs(trace), ground)
    away, found = moving, list[Body]()
    if gate.reference is not None:
        # While nothing happens the anchor is the reference: one comparison does for both.
        if gate.reference is not gate.anchor:
            away = _speckless(gate.reference.differs(trace), ground)
        found = bodies(ground, gate.reference, trace, away) if away.any() else []
    moved_at = now if moving.any() else gate.moved_at
    shallow = None
    if now - moved_at < SHALLOW_S:
        masks = [body.mask for body in found if body.shallow]
        shallow = np.logical_or.reduce(masks) if masks else None
    found = [body for body in found if not body.shallow]
    if shallow is not None:
        away = away & ~shallow
    covers = np.zeros(ground.table.shape, np.bool_)
    zones = []
    for zone, mask in zip(gate.zones, ground.masks, strict=True):
        zones.append(_zone(zone, mask, moving, away, now))
    for body in found:
        touched = [np.count_nonzero(body.mask & mask) >= _OVER * ground.tile_area for mask in ground.masks]
        since = max((zone.since for zone, is_one in zip(zones, touched, strict=True) if is_one), default=now)
        if now - since < _patience(body):
            covers |= body.mask
    zones = [
        replace(zone, covered=bool(np.count_nonzero(covers & mask) >= _OVER * ground.tile_area))
        for zone, mask in zip(zones, ground.masks, strict=True)
    ]
    anchor = gate.anchor
    if moving.any():
        anchor = _pasted(anchor, trace, _spread(moving, ground))
    after = replace(
        gate, zones=tuple(zones), anchor=anchor, seen=trace, covers=covers, shallow=shallow, moved_at=moved_at
    )
    calm = after.idle and not moving.any() and not found and shallow is None
    # What changed where nothing is read, a rack say, would look like a hand some day.
    if calm and (away.any() or now - gate.renewed_at >= RENEW_S):
        after = replace(after, reference=trace, anchor=trace, renewed_at=now)
    return after


def accepted(gate: Gate, read: Collection[int]) -> Gate:
    """The gate after the zones of some indexes were read as the newest picture shows them."""
    seen, reference = gate.seen, gate.reference
    if seen is None:
        return gate
    zones = tuple(replace(zone, changed=False) if at in read else zone for at, zone in enumerate(gate.zones))
    gate = replace(gate, zones=zones)
    if reference is None or (gate.idle and gate.shallow is None):
        return replace(gate, reference=seen, anchor=seen, renewed_at=gate.now)
    where = np.zeros(gate.ground.table.shape, np.bool_)
    for at in read:
        where |= gate.ground.masks[at]
    if all(gate.settled):
        where |= gate.ground.table
    for hand in (gate.covers, gate.shallow):
        if hand is not None:
            where &= ~hand
    return replace(gate, reference=reference.renewed_where(seen, where))


def _zone(zone: ZoneState, mask: Bools, moving: Bools, away: Bools, now: float) -> ZoneState:
    """The zone by what moves in it and what differs in it from when it was read."""
    if np.count_nonzero(moving & mask) >= _LEAST_PIXELS:
        return ZoneState(now, 0, changed=True)
    changed = zone.changed or bool(np.count_nonzero(away & mask) >= _LEAST_PIXELS)
    return ZoneState(zone.since, zone.looks + 1, changed=changed)


def _patience(body: Body) -> float:
    """Seconds for which something that does not stir is taken for a hand."""
    if not body.arm:
        return ISLAND_S
    return FAMILIAR_S if body.familiar else ARM_S


def _speckless(mask: Bools, ground: Ground) -> Bools:
    """The mask (h, w) on the table, without what is much smaller than a tile."""
    mask = mask & ground.table
    if not mask.any():
        return mask
    _, labels, stats, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
    large = stats[:, cv2.CC_STAT_AREA] >= max(_LEAST_PIXELS, _SPECK * ground.tile_area)
    large[0] = False
    return np.asarray(large[labels], np.bool_)


def _spread(mask: Bools, ground: Ground) -> Bools:
    side = 2 * max(1, round(ground.tile / 2)) + 1
    return cv2.dilate(mask.astype(np.uint8), np.ones((side, side), np.uint8)).astype(np.bool_)


def _pasted(before: Trace, later: Trace, where: Bools) -> Trace:
    """`before` with the pixels of `later` in its light where a mask says so; all of it where that is most."""
    return later if np.count_nonzero(where) > 0.5 * where.size else before.renewed_where(later, where)
