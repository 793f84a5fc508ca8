"""What has happened in a game: events, which `engine.evolve` folds into the state without asking again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.commands import Deal, Racks, Rule, SwapDoubles
    from engine.state import Closing, Owes, Piece, TableMeld
    from engine.tiles import Face, Tile


@dataclass(frozen=True, slots=True)
class Dealt:
    """The tiles were dealt."""

    deal: Deal


@dataclass(frozen=True, slots=True)
class Announced:
    """Something was said; `counts` is false where saying it had no effect."""

    seat: int
    what: str
    counts: bool


@dataclass(frozen=True, slots=True)
class DoublesSwapped:
    """A double went each way."""

    swap: SwapDoubles


@dataclass(frozen=True, slots=True)
class Drawn:
    """A tile came onto a rack, from the wall or as the atu."""

    seat: int
    tile: Face | None
    from_atu: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """Tiles of the row came onto a rack; the first of them may have to be used this turn."""

    seat: int
    places: tuple[int, ...]
    owes: Owes | None


@dataclass(frozen=True, slots=True)
class Melded:
    """Melds came from a rack onto the table."""

    seat: int
    melds: tuple[TableMeld, ...]
    opens: bool
    kept_jokers_used: int = 0


@dataclass(frozen=True, slots=True)
class LaidOff:
    """Tiles came from a rack onto a meld, which now lies as `meld`, and as `second` where it split."""

    seat: int
    tiles: tuple[Tile, ...]
    meld: TableMeld
    second: TableMeld | None = None
    kept_jokers_used: int = 0


@dataclass(frozen=True, slots=True)
class JokerReclaimed:
    """Tiles went into a meld for its joker, which was melded anew as `into`, or came onto the rack."""

    seat: int
    tiles: tuple[Tile, ...]
    meld: TableMeld
    joker: Piece
    into: TableMeld | None


@dataclass(frozen=True, slots=True)
class Discarded:
    """A tile came to the end of the row; the turn is over, and the game too where `closing` says so."""

    seat: int
    tile: Face
    closing: Closing | None = None


@dataclass(frozen=True, slots=True)
class TableShown:
    """A rack was shown and a tile discarded; without `closing` it was no table game, and play goes on."""

    seat: int
    tiles: tuple[Face, ...]
    tile: Face
    closing: Closing | None


@dataclass(frozen=True, slots=True)
class WallRebuilt:
    """The row, except a first tile that is never used, was turned into a new wall."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """Nothing is left to draw, and nobody closed."""


@dataclass(frozen=True, slots=True)
class RacksShown:
    """The racks were shown and counted; the game is over."""

    racks: Racks
    false_atu: tuple[int, ...] = ()
    """Seats whose announcement of the atu turned out to be false."""


@dataclass(frozen=True, slots=True)
class Ruled:
    """An arbiter decided."""

    rule: Rule


Event = (
    Dealt
    | Announced
    | DoublesSwapped
    | Drawn
    | Taken
    | Melded
    | LaidOff
    | JokerReclaimed
    | Discarded
    | TableShown
    | WallRebuilt
    | GameEnded
    | RacksShown
    | Ruled
)
