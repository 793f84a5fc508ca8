"""How sure the table must be before it believes, and what it takes for likely."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log
from typing import Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """What is taken for likely, each a chance of 0 to 1 and of one look unless it says otherwise."""

    missed: float = 0.02
    """A tile that lies there is not seen."""
    missed_again: float = 0.3
    """It is not seen in the next look either."""
    hidden: float = 0.15
    """Tiles that were not seen were all hidden together, and not missed one by one."""
    extra: float = 0.01
    """What is seen in a place is no tile."""
    extra_again: float = 0.1
    """It is seen in the next look too."""
    taken_back: float = 0.004
    """A tile was put down and taken back."""
    covered_place: float = 0.01
    """A tile is not seen though another one lies in its very place."""
    moved: float = 0.05
    """A tile of the row lies in another place under another key."""
    joker_discarded: float = 0.01
    """Somebody discards a joker."""
    gap_left: float = 0.2
    """Who takes tiles out of the row and discards leaves their place empty."""
    unlisted: float = 1e-5
    """The least that any face has of a reading."""
    surest: float = 0.997
    """The most that one look is believed."""
    old_looks: float = 0.5
    """What weight looks before this one keep: looks at a tile err together."""
    turn: float = 0.3
    """A turn was ended since the last look."""
    turn_at_once: float = 0.001
    """So was the next one, or it had begun with tiles put down, in less time than a turn takes."""
    turn_unseen: float = 0.1
    """The same with time enough."""
    row_unseen: float = 0.02
    """The row was not seen until several turns had ended, so that tiles lay there before any discard."""
    draw: float = 0.75
    """A turn begins at the wall."""
    take: float = 0.2
    """It begins with the last discard."""
    break_row: float = 0.05
    """It begins with an earlier one."""
    meld: float = 0.2
    """A meld is put down, or a tile is laid off."""
    longer: float = 0.15
    """A meld or a lay-off has one certain tile more than was ever seen."""
    reclaim: float = 0.1
    """A joker is reclaimed, or a run is opened inside."""
    loose: float = 0.02
    """Tiles lie there that are no meld yet."""
    illegal: float = 1e-4
    """Something against the rules is done."""
    elsewhere: float = 0.04
    """A meld is put down in front of somebody else."""
    racks_early: float = 0.0003
    """Racks are laid out though nobody has closed."""
    button_missed: float = 0.05
    """Who ended his turn did not press, or the press was lost."""
    button_early: float = 0.01
    """Who pressed has not ended his turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """How a table is followed."""

    commit: Literal["discard", "button"] = "discard"
    """What ends a turn: the discard alone, or the press of its player's button after it.

    A press that got lost does not hold the game up: the next turn ends the one before it.
    """
    buttons: bool = False
    """Whether there are buttons, so that a press is a hint, and so is its absence."""
    odds: float = 200.0
    """So much likelier than all else together must be what is committed; else it is asked."""
    looks: int = 2
    """So many looks must have seen a discard before its turn is committed."""
    ask_after: int = 3
    """A doubt that lasts so many looks is asked."""
    desync_after: int = 4
    """A difference that nothing explains is reported after so many looks."""
    hidden_seconds: float = 30.0
    """What lies over a zone for so long is reported: nothing is followed meanwhile."""
    turn_seconds: float = 6.0
    """Nobody discards, and the next player has drawn and put tiles down, in less than this."""
    places: tuple[int, ...] = ()
    """The place round the table (1, 2, ...) of each seat; empty: seat 0 sits at place 1, and so on."""
    hypotheses: int = 120
    """At most so many turns are judged to explain a look; what lies beyond is doubt."""
    turns: int = 6
    """At most so many turns may lie between two looks."""
    chances: Chances = field(default_factory=Chances)

    def place(self, seat: int) -> int:
        """The place round the table of a seat."""
        return self.places[seat] if seat < len(self.places) else seat + 1

    def seat(self, place: int, seats: int) -> int | None:
        """The seat at a place round the table; None where nobody sits."""
        return next((seat for seat in range(seats) if self.place(seat) == place), None)


def miss_cost(chances: Chances, looks: int) -> float:
    """The log chance that a tile that lies there was not seen in so many looks running."""
    return log(chances.missed) + max(0, min(looks, 6) - 1) * log(chances.missed_again)


def extra_cost(chances: Chances, looks: int) -> float:
    """The log chance that something seen so often is no tile."""
    return log(chances.extra) + max(0, min(looks, 6) - 1) * log(chances.extra_again)
