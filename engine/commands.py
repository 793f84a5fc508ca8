"""What can be done in a game: the commands, which are the entries of a record without their numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.tiles import Face, Tile


@dataclass(frozen=True, slots=True)
class Deal:
    """The deal: each hand as faces, or as a number where it is hidden.

    `turned` is the card that starts the pile; `counted_from` the end of the wall from which the atu counted.
    """

    hands: tuple[tuple[Face, ...] | int, ...]
    atu: Face | None = None
    turned: Face | None = None
    counted_from: str | None = None


@dataclass(frozen=True, slots=True)
class Announce:
    """Something said aloud: `atu`, `double`, `few`, `table_game` or `spoil`."""

    seat: int
    what: str
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class SwapDoubles:
    """Two players swap a double for a double; a face stands for its pair, None for a pair nobody else saw."""

    seat: int
    partner: int
    gives: Face | None = None
    gets: Face | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """A tile is drawn from the `wall`, or the `atu` is taken up; the face is None where nobody saw it."""

    seat: int
    tile: Face | None = None
    source: str = "wall"


@dataclass(frozen=True, slots=True)
class Take:
    """Tiles are taken out of the discard row, from a place of it on (0 is the first discard)."""

    seat: int
    start: int
    tiles: tuple[Face, ...] = ()
    """What was taken; empty for what the rule set takes from there."""


@dataclass(frozen=True, slots=True)
class MeldDown:
    """Melds are put down, all in one go; `ids` names them, else they are numbered on."""

    seat: int
    melds: tuple[tuple[Tile, ...], ...]
    ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LayOff:
    """Tiles are laid onto a meld: at its ends, or inside a run, which splits in two."""

    seat: int
    meld: str
    tiles: tuple[Tile, ...]
    end: str | None = None
    splits: bool = False
    new_meld: tuple[Tile, ...] = ()
    new_id: str | None = None


@dataclass(frozen=True, slots=True)
class Reclaim:
    """A joker is taken out of a meld for the tiles put in, and melded anew (`into`), or kept (empty)."""

    seat: int
    meld: str
    tiles: tuple[Tile, ...]
    into: tuple[Tile, ...] = ()
    joker: int | None = None
    new_id: str | None = None


@dataclass(frozen=True, slots=True)
class Discard:
    """A tile is laid at the end of the row, which ends the turn; `closes` is what was said of it."""

    seat: int
    tile: Face
    closes: bool | None = None


@dataclass(frozen=True, slots=True)
class CloseTable:
    """A table game is closed: the melds on the rack are shown and the closing tile is discarded."""

    seat: int
    kind: str
    melds: tuple[tuple[Tile, ...], ...]
    tile: Face


@dataclass(frozen=True, slots=True)
class WallEmpty:
    """No tile is left to draw."""


@dataclass(frozen=True, slots=True)
class Racks:
    """What is left on the racks at the end, as counted."""

    racks: tuple[tuple[int, tuple[Face, ...]], ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """An arbiter's decision: points that are added, or that stand instead of the whole result."""

    seat: int
    points: int
    reason: str = ""
    replaces: bool = False


Command = (
    Deal
    | Announce
    | SwapDoubles
    | Draw
    | Take
    | MeldDown
    | LayOff
    | Reclaim
    | Discard
    | CloseTable
    | WallEmpty
    | Racks
    | Rule
)
