"""What a settled look at a table says, in millimetres and zones: the engine's only view of the camera."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.readings import Candidate, Quad
    from engine.repair_reasons import Repair
    from engine.tiles import Face, Seen

ProblemCode = Literal[
    "unread", "doubtful", "too_many", "no_meld", "gap", "stray", "hidden_zone", "rack_not_read", "not_proven"
]
"""What a problem is about; docs/seeing.md says when each is named."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A tile where it lies.

    `face` is what it shows, a face, UNREAD or FACE_DOWN, `confidence` (0 to 1) how sure that is, and
    `alternatives` what else it may be, likeliest first. `place` (x, y) is its middle on the table in mm, x to
    the right and y away from seat 1; `angle` the direction of its upright top, in radians counter-clockwise
    from +y. `key` stays the same from look to look while the tile lies there; `quad` are its corners in the
    picture in pixels. `doubtful` is set where the face is not to be relied on without asking.
    """

    key: int
    face: Seen
    confidence: float
    place: tuple[float, float]
    angle: float
    quad: Quad = ()
    alternatives: tuple[Candidate, ...] = ()
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class LyingMeld:
    """Touching tiles in order, as seen by who reads most of them upright: a meld, or what may become one.

    `key` stays the same while most of its tiles lie there. `seat` is the place (1, 2, ...) round the table
    that they are laid to be read from, else that they lie in front of, and says nothing of whose they are.
    `towers` are tiles that lie on top of a tile of the meld: position in `tiles` and tile.
    """

    key: int
    seat: int
    tiles: tuple[Lying, ...]
    towers: tuple[tuple[int, Lying], ...] = ()


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack of the wall by its topmost tile; how many lie under it no camera sees."""

    top: Lying


@dataclass(frozen=True, slots=True)
class Problem:
    """What in a reading is not as it should be: a code, the keys of the tiles, and what to do about it."""

    code: ProblemCode
    keys: tuple[int, ...]
    hint_en: str
    hint_ro: str


@dataclass(frozen=True, slots=True)
class TableRepair:
    """One tile whose face knowledge changed: a `Repair` of the table, with keys of tiles for its indexes.

    `meld` has the keys of the tiles that speak for it, and is empty where the number of tiles does, or what
    lay there before.
    """

    key: int
    was: Seen
    now: Face
    odds: float
    code: str
    clause: str
    hint_en: str
    hint_ro: str
    meld: tuple[int, ...] = ()

    def __str__(self) -> str:
        return self.hint_en


def repair_by_key(repair: Repair, keys: Sequence[int]) -> TableRepair:
    """The repair of a tile by its key; `keys` are those of the tiles that were repaired, by index."""
    return TableRepair(
        keys[repair.index],
        repair.was,
        repair.now,
        repair.odds,
        repair.code,
        repair.clause,
        repair.hint_en,
        repair.hint_ro,
        tuple(keys[index] for index in repair.meld if index < len(keys)),
    )


@dataclass(frozen=True, slots=True)
class TableReading:
    """One settled look: immutable, complete, with its problems named.

    `number` counts looks from 1, `at` is the time of the frame in seconds. A tile lies in exactly one of
    `melds` (single tiles on the table are melds of one), `row` (the discard row, first one first), `wall`,
    `atu` and `racks`. `racks` has the tiers of each seat (1, 2, ...) that was looked at, front one first,
    each from left to right as its player sees it; a seat that is not read is absent. `reversed_first` says
    whether the first tile of the row lies face down or turned round, None without a row. `unseen` names the
    zones ("meld 2", "discard") that a hand covered, so that what they hold is what lay there before.
    """

    number: int
    at: float
    melds: tuple[LyingMeld, ...] = ()
    row: tuple[Lying, ...] = ()
    reversed_first: bool | None = None
    wall: tuple[Stack, ...] = ()
    atu: Lying | None = None
    racks: Mapping[int, tuple[tuple[Lying, ...], ...]] = field(default_factory=dict)
    repairs: tuple[TableRepair, ...] = ()
    problems: tuple[Problem, ...] = ()
    unseen: tuple[str, ...] = ()
