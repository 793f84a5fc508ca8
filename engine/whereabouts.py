"""Where every tile of the set is, as far as it can be known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.bags import Bag
from engine.state import visible

if TYPE_CHECKING:
    from engine.state import State


@dataclass(frozen=True, slots=True)
class Place:
    """A place of the table: the tiles known to be there, and how many more lie there unseen."""

    name: str
    seat: int | None
    known: Bag
    hidden: int


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Every tile of a game; `unseen` are the faces of all hidden tiles together, whichever lies where."""

    places: tuple[Place, ...]
    unseen: Bag

    @property
    def tiles(self) -> int:
        """How many tiles all places hold: as many as the set has, after every command."""
        return sum(len(place.known) + place.hidden for place in self.places)


def whereabouts(state: State) -> Whereabouts:
    """The places of all tiles: wall, atu, row, melds, tiles shown, racks; before the deal all in the wall."""
    if state.phase == "deal":
        return Whereabouts((Place("wall", None, Bag(), len(state.full)),), state.full)
    here = state.atu_place in ("wall", "aside")
    atu = Bag([state.atu] if here and state.atu is not None else [])
    places = [
        Place("wall", None, Bag(), state.wall.drawable),
        Place("atu", None, atu, int(here and state.atu is None)),
        Place("row", None, Bag(state.row), 0),
        Place("shown", None, Bag(state.shown), 0),
        Place("astray", None, Bag(), state.astray),
    ]
    places += (
        Place(meld.id, meld.seat, Bag(piece.tile.face for piece in (*meld.pieces, *meld.beside)), 0)
        for meld in state.melds
    )
    places += (
        Place("rack", seat, player.hand.known, player.hand.hidden)
        for seat, player in enumerate(state.players)
    )
    return Whereabouts(tuple(places), state.full - visible(state))
