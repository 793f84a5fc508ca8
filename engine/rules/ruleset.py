"""A rule set: what a house may set otherwise, each clause of RULES.md a field."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from engine.tiles import CARD_SUITS

MELD_MIN_LENGTH: Final = 3
"""No rule set knows a shorter meld (RULES.md, run and group)."""


@dataclass(frozen=True, slots=True)
class Pack:
    """What a game is played with: so many of each face, so many jokers, for so many players."""

    name: str
    copies: int
    jokers: int
    players: tuple[int, ...]
    hands: tuple[int, ...]
    """How many tiles each player gets, parallel to `players` (the first player's extra one not counted)."""

    def hand_size(self, players: int) -> int:
        """The hand of each player; ValueError for a number of players that the pack is not for."""
        return self.hands[self.players.index(players)]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a field admits: `choices`, or whole numbers from `least` to `most`; None where `optional`."""

    least: int
    most: int
    optional: bool = False
    length: int | None = None
    """Of a field that is a list: how many entries it has."""
    choices: tuple[str, ...] = ()


def _count(least: int, most: int, *, optional: bool = False) -> Any:
    return field(metadata={"limits": Limits(least, most, optional=optional)})


def _points(*, optional: bool = False, length: int | None = None) -> Any:
    return field(metadata={"limits": Limits(0, 1000, optional=optional, length=length)})


def _table_points() -> Any:
    return field(metadata={"limits": Limits(0, 10_000, optional=True)})


def _switch() -> Any:
    return field(metadata={"limits": Limits(0, 1)})


def _choice(*choices: str) -> Any:
    return field(metadata={"limits": Limits(0, 0, choices=choices)})


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """One way to play. The first six fields say which; every other field is a rule that a house may change.

    Points are whole numbers. Nothing in the engine looks at `key`: two rule sets differ by their other fields
    only.
    """

    key: str
    name_en: str
    name_ro: str
    colours: tuple[str, ...]
    packs: tuple[Pack, ...]
    wall_of_stacks: bool
    """Whether the tiles are built into a wall with an atu (RULES.md, wall); else they are a stock pile."""

    run_max_length: int = _count(MELD_MIN_LENGTH, 14)
    """RULES.md, run: 14 allows a 1 at each end of 1-2-...-13-1, 13 does not."""
    one_after_13: bool = _switch()
    """RULES.md, run: whether 12-13-1 (Q-K-A) is a run; 1-2-3 always is, 13-1-2 never."""
    meld_jokers_max: int = _count(0, 2)
    """RULES.md, jokers in a meld: at most so many."""
    meld_real_tiles_min: int = _count(1, 3)
    """RULES.md, jokers in a meld: at least so many tiles that are no jokers."""
    meld_real_tiles_per_joker: int = _count(0, 3)
    """RULES.md, jokers in a meld: at least so many other tiles for each joker; 0 sets no such limit."""

    number_points: tuple[int, ...] = _points(length=12)
    """RULES.md, meld values when opening: of 2, 3, ... 13, in this order."""
    one_low_points: int = _points()
    """RULES.md, meld values when opening: of the 1 in 1-2-3."""
    one_high_points: int = _points()
    """RULES.md, meld values when opening: of the 1 in 12-13-1."""
    one_group_points: int = _points()
    """RULES.md, meld values when opening: of each 1 in a group."""
    one_final_points: int | None = _points(optional=True)
    """RULES.md, final value of tiles: of a 1 in a meld; None: as when opening."""
    one_rack_points: int = _points()
    """RULES.md, final value of tiles: of a 1 left on the rack or in the hand."""
    joker_final_points: int | None = _points(optional=True)
    """RULES.md, joker, final value: in a meld; None: that of the tile it stands for."""
    joker_rack_points: int = _points()
    """RULES.md, joker, final value: left on the rack or in the hand."""
    melds_score: bool = _switch()
    """RULES.md, joker, final value: whether melds count at the end at all; in classic they score nothing."""

    next_dealer: str = _choice("random", "right")
    """RULES.md, dealer: of the games after the first; `right` is the player to the last dealer's right."""
    order_of_play: str = _choice("counter-clockwise", "clockwise")
    """RULES.md, order of play: on which side of a player the next one sits."""
    first_player_extra: int = _count(0, 1)
    """RULES.md, hand: what the first player gets more; he then opens with a discard, without drawing."""
    joker_atu_taken: bool = _switch()
    """RULES.md, hand: an atu that is a joker goes to the first player, who gets one tile less, and draws."""
    atu_face_up: bool = _switch()
    """RULES.md, wall: the left-over tile lies face up on its stack; else it makes the stack of 8 itself."""
    swap_doubles: bool = _switch()
    """RULES.md, doubles: may be swapped before play."""
    key_doubles: bool = _switch()
    """RULES.md, doubles: a double of 1s is announced as a kind of its own, the key."""
    spoil_doubles: int = _count(0, 7)
    """RULES.md, doubles: who holds so many may spoil the deal; 0: nobody may."""
    atu_bonus: int = _points()
    """RULES.md, atu bonus: to who holds the same face and announces it before the first turn; 0: none."""
    other_joker_is_atu: bool = _switch()
    """RULES.md, atu bonus: whether the other joker counts as the same face as an atu that is a joker."""
    rack_max: int | None = _count(1, 106, optional=True)
    """RULES.md, tiles on the rack after a turn: at most so many."""
    first_discard_dead: bool = _switch()
    """RULES.md, first discard: can never be used."""
    open_in_first_round: bool = _switch()
    """RULES.md, may open in the first round."""
    first_meld_points: int = _points()
    """RULES.md, first meld, points: at least so many."""
    first_meld_shape: str = _choice("any", "run", "run_or_ones", "run_and_group")
    """RULES.md, first meld, shape; `run_or_ones`: at least a run, or a group of 1s alone."""
    take_before_opening: str = _choice("to_open", "always")
    """RULES.md, taking the last discard before having opened: to open in that turn, or freely."""
    take_in_first_round: bool = _switch()
    """RULES.md, taking the last discard before having opened: also in the first round."""
    break_before_opening: bool = _switch()
    """RULES.md, taking the last discard before having opened: then the row may be broken further back too."""
    table_game_takes: bool = _switch()
    """RULES.md, taking the last discard before having opened: free to who announces a table game."""
    taken_last_is_used: bool = _switch()
    """RULES.md, after opening, last discard: it must be melded or laid off that turn."""
    break_row: str = _choice("no", "one", "rest")
    """RULES.md, break the row further back: never, that tile alone, or all later tiles with it."""
    break_rack_min: int = _count(0, 14)
    """RULES.md, break the row further back: needs at least so many tiles on the rack."""
    take_rack_min: int = _count(0, 14)
    """RULES.md, tiles left restrict taking: with fewer, he must draw from the wall."""
    meld_rack_min: int = _count(0, 14)
    """RULES.md, tiles left restrict taking: who began his turn with fewer may only lay off."""
    lay_off_inside: bool = _switch()
    """RULES.md, lay off inside a run: it becomes two runs; else its ends only."""
    joker_run_opens: bool = _switch()
    """RULES.md, run with a joker: whether it may be opened inside too."""
    lay_off_in_opening_turn: bool = _switch()
    """RULES.md, lay off: already in the turn in which he opens."""
    joker_lay_off: str = _choice("any", "own")
    """RULES.md, joker laid off: onto any meld, or only onto one of its own player."""
    reclaim_in_opening_turn: bool = _switch()
    """RULES.md, reclaim a joker: already in the turn in which he opens."""
    reclaim_melds_at_once: bool = _switch()
    """RULES.md, reclaim a joker: must be melded at once with at least two tiles of the rack."""
    reclaims_max: int | None = _count(0, 9, optional=True)
    """RULES.md, reclaim a joker: how often the same one may be; None: as often as you like."""
    group_reclaim_needs_all: bool = _switch()
    """RULES.md, reclaim a joker from a group of 2 tiles + joker: needs both missing colours."""
    announce_few_at: int = _count(0, 14)
    """RULES.md, announce few tiles: at so many or fewer; 0: never."""
    few_fine: int = _points()
    """RULES.md, announce few tiles: the result, below nothing, that an arbiter may set for failing to."""
    atu_closes: bool = _switch()
    """RULES.md, close: the atu may be the drawn tile of the turn that closes."""
    wall_end: str = _choice("rebuild", "end")
    """RULES.md, wall empty: the row becomes a new wall, or the game ends."""
    closing_bonus: int = _points()
    """RULES.md, closing bonus."""
    closing_takes_hands: bool = _switch()
    """RULES.md, closing bonus: the sum of all the others' hands."""
    one_turn_bonus: int = _points()
    """RULES.md, closed all 14 in one turn: so much more."""
    never_opened_points: int | None = _points(optional=True)
    """RULES.md, never opened: taken off, the rack not counted; None: the rack counts as for anyone."""
    atu_doubles: bool = _switch()
    """RULES.md, doubling: an atu that is a 1 or a joker makes a double game."""
    closing_tile_doubles: bool = _switch()
    """RULES.md, doubling: closing with a 1 or a joker doubles the closer's result."""
    joker_credit_first: bool = _switch()
    """RULES.md, joker, final value: goes to who first melded it, whoever reclaims it later."""
    table_game_turns: int = _count(1, 99)
    """RULES.md, table games: announced within so many first turns of one's own."""
    table_simple_points: int | None = _table_points()
    """RULES.md, table games: simple; None: not played."""
    table_mozaic_points: int | None = _table_points()
    """RULES.md, table games: mozaic; None: not played."""
    table_bicolor_points: int | None = _table_points()
    """RULES.md, table games: bicolor; None: not played."""
    table_monocolor_points: int | None = _table_points()
    """RULES.md, table games: monocolor; None: not played."""
    table_game_failed_points: int = _points()
    """RULES.md, nobody closed: taken off who announced a table game and did not finish it."""
    closed_game: bool = _switch()
    """RULES.md, table games: all 14 tiles in melds on the rack close, for the bonus and their value."""

    @property
    def with_cards(self) -> bool:
        """Whether it is played with cards, not with tiles."""
        return self.colours == CARD_SUITS

    @property
    def players(self) -> tuple[int, int]:
        """Fewest and most players (RULES.md, players)."""
        numbers = [number for pack in self.packs for number in pack.players]
        return min(numbers), max(numbers)

    @property
    def has_table_games(self) -> bool:
        """Whether any table game that is announced is played."""
        return any(points is not None for points in self.table_points().values())

    def table_points(self) -> dict[str, int | None]:
        """The fixed score of each table game by its kind; None for one that is not played."""
        return {
            "simple": self.table_simple_points,
            "mozaic": self.table_mozaic_points,
            "bicolor": self.table_bicolor_points,
            "monocolor": self.table_monocolor_points,
        }

    def pack(self, name: str | None = None) -> Pack:
        """The pack of that name, without a name the largest; ValueError for a name it does not have."""
        if name is None:
            return max(self.packs, key=lambda pack: (pack.copies, pack.jokers))
        for pack in self.packs:
            if pack.name == name:
                return pack
        known = ", ".join(pack.name for pack in self.packs)
        raise ValueError(f"no pack {name!r} in {self.name_en}; it is played with {known}")
