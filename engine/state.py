"""The state of a game: hands as far as they are known, wall, atu, row, melds, whose turn, and who closed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from engine.bags import Bag, full_set
from engine.walls import Wall

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from engine.commands import Rule
    from engine.rules import RuleSet
    from engine.tiles import Face, Tile
    from engine.values import Shape

How = Literal["melded", "laid_off", "replaced_joker"]
Phase = Literal["deal", "play", "over"]
AtuPlace = Literal["none", "wall", "aside", "dealt", "drawn"]
Owes = Literal["opening", "meld", "table"]

EMPTY: Final = Bag()
NO_WALL: Final = Wall()


@dataclass(frozen=True, slots=True)
class Hand:
    """The tiles of a player: those that are known, and how many more are hidden."""

    known: Bag = EMPTY
    hidden: int = 0

    def __len__(self) -> int:
        return len(self.known) + self.hidden

    def plus(self, faces: Iterable[Face | None]) -> Hand:
        """The hand with these tiles more; None is a tile that nobody saw."""
        all_of_them = tuple(faces)
        seen = Bag(face for face in all_of_them if face is not None)
        return Hand(self.known + seen, self.hidden + len(all_of_them) - len(seen))

    def revealed_by(self, faces: Bag) -> Bag:
        """Those of these faces that only a hidden tile can be."""
        return faces.beyond(self.known)

    def minus(self, faces: Bag) -> Hand:
        """The hand without these tiles, the known ones first; ValueError where they cannot be in it."""
        revealed = self.revealed_by(faces)
        if len(revealed) > self.hidden:
            raise ValueError(f"{revealed} cannot be in this hand")
        return Hand(self.known.beyond(faces), self.hidden - len(revealed))


NO_HAND: Final = Hand()


@dataclass(frozen=True, slots=True)
class Piece:
    """A tile on the table: who put it down and how; of a joker who first used it, and its reclaims."""

    tile: Tile
    seat: int
    how: How
    credit: int | None = None
    reclaims: int = 0


@dataclass(frozen=True, slots=True)
class TableMeld:
    """A meld on the table; `shape` is None for tiles that lie together and are none."""

    id: str
    seat: int
    shape: Shape | None
    pieces: tuple[Piece, ...]
    beside: tuple[Piece, ...] = ()
    """Tiles that were laid at it and do not fit."""

    @property
    def tiles(self) -> tuple[Tile, ...]:
        """Its tiles in order, each joker with the face it stands for."""
        return tuple(piece.tile for piece in self.pieces)


@dataclass(frozen=True, slots=True)
class Player:
    """What the game knows of one seat."""

    hand: Hand = NO_HAND
    turns: int = 0
    """Turns ended."""
    opened: bool = False
    atu: bool = False
    """Whether an announcement of the atu counts."""
    few: bool = False
    table_game: bool = False
    parted_with_atu: bool = False
    """Whether a tile of the atu's face, or a double nobody saw, has left the rack other than to the table."""
    kept_jokers: tuple[Piece, ...] = ()
    """Jokers reclaimed and not yet melded again: whose credit they are, and how often they were reclaimed."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The turn that is on: what its player has done in it so far."""

    seat: int
    rack: int
    """Tiles on the rack when it began."""
    drew: bool = False
    from_atu: bool = False
    owed: Face | None = None
    """A tile taken from the row that must still be used, in the way that `owes` says."""
    owes: Owes | None = None
    opened: bool = False
    """Whether the player opened in this turn."""
    shapes: tuple[Shape, ...] = ()
    """The melds put down in this turn."""


NO_TURN: Final = Turn(0, 0)


@dataclass(frozen=True, slots=True)
class Closing:
    """How the game was closed."""

    seat: int
    tile: Face
    one_turn: bool
    table_game: str | None = None
    points: int = 0
    """Of a game closed on the rack: its fixed score, or the value of its tiles."""


@dataclass(frozen=True, slots=True)
class State:
    """One game. Immutable; `engine.decide` says what may come next, `engine.evolve` what comes of it."""

    rules: RuleSet
    pack: str
    dealer: int
    players: tuple[Player, ...]
    full: Bag
    """Every tile of the set."""
    phase: Phase = "deal"
    wall: Wall = NO_WALL
    atu: Face | None = None
    atu_place: AtuPlace = "none"
    row: tuple[Face, ...] = ()
    dead_first: bool = False
    """Whether the first tile of the row is the one that can never be used."""
    melds: tuple[TableMeld, ...] = ()
    shown: tuple[Face, ...] = ()
    """Tiles shown in a game closed on the rack."""
    astray: int = 0
    """Tiles that were expected on racks and not found there."""
    next_meld: int = 1
    turn: Turn = NO_TURN
    aside: Turn | None = None
    """What somebody does who is not on turn, until a discard passes the turn on."""
    started: bool = False
    """Whether the first turn has begun."""
    redeal: bool = False
    """Whether the deal was spoiled, so that a new one follows."""
    closing: Closing | None = None
    rulings: tuple[Rule, ...] = ()

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.players)

    def meld(self, name: str) -> TableMeld | None:
        """The meld of that id, None where there is none."""
        return next((meld for meld in self.melds if meld.id == name), None)

    def after(self, seat: int) -> int:
        """The seat whose turn comes next; seats are in order of play."""
        return (seat + 1) % self.seats

    def with_player(self, seat: int, **changes: object) -> State:
        """The state with one player changed."""
        players = list(self.players)
        players[seat] = replace(players[seat], **changes)  # type: ignore[arg-type]
        return replace(self, players=tuple(players))

    def turn_of(self, seat: int) -> Turn:
        """What this seat does, on turn or not: the game follows the tiles."""
        if self.turn.seat == seat:
            return self.turn
        if self.aside is not None and self.aside.seat == seat:
            return self.aside
        return Turn(seat, len(self.players[seat].hand))

    def with_turn(self, turn: Turn) -> State:
        """The state with what a seat has done so far, on turn or not."""
        return replace(self, turn=turn) if turn.seat == self.turn.seat else replace(self, aside=turn)


def new_game(rules: RuleSet, seats: int, *, dealer: int = 0, pack: str | None = None) -> State:
    """A game before its deal; ValueError for a number of seats or a pack that the rule set does not have."""
    if pack is None:
        fitting = [known for known in rules.packs if seats in known.players]
        if not fitting:
            least, most = rules.players
            raise ValueError(f"{rules.name_en} is for {least} to {most} players, not {seats}")
        # Of several, the largest: the text names it first, and it is for any number of players.
        pack = max(fitting, key=lambda known: known.copies).name
    chosen = rules.pack(pack)
    if seats not in chosen.players:
        numbers = ", ".join(map(str, chosen.players))
        raise ValueError(f"the pack {pack} of {rules.name_en} is for {numbers} players, not {seats}")
    if not 0 <= dealer < seats:
        raise ValueError(f"dealer {dealer} is no seat; seats are 0 to {seats - 1}")
    return State(rules, pack, dealer, tuple(Player() for _ in range(seats)), full_set(rules, pack=pack))


def on_table(state: State) -> Iterator[Face]:
    """The faces that lie open: melds, row, tiles shown, and an atu that is not on a rack."""
    for meld in state.melds:
        yield from (piece.tile.face for piece in (*meld.pieces, *meld.beside))
    yield from state.row
    yield from state.shown
    if state.atu is not None and state.atu_place in ("wall", "aside"):
        yield state.atu


def all_seen(state: State) -> Iterator[Face]:
    """The faces that are known: on the table and in hands."""
    yield from on_table(state)
    for player in state.players:
        yield from player.hand.known


def visible(state: State) -> Bag:
    """Every tile whose face is known: on the table and in hands."""
    return Bag(all_seen(state))
