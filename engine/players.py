"""Simulated players: whole legal games, the same for the same seed, that use what the rules offer."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Final

from engine import commands as c
from engine.bags import Bag, full_set
from engine.decide import decide, fold
from engine.judge_start import doubles
from engine.melds import read_meld
from engine.placing import frees_joker
from engine.refusals import Refusal
from engine.solver import solve
from engine.state import new_game
from engine.table_games import CLOSED
from engine.tiles import JOKER, Face, Tile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from random import Random

    from engine.melds import Meld
    from engine.rules import RuleSet
    from engine.state import State

LONGEST_GAME: Final = 400
"""Turns after which the players show their racks: a row may be turned into a new wall again and again."""


class Game:
    """A game with open cards: the referee's state, what lies face down, and every command with its state."""

    def __init__(
        self,
        rules: RuleSet,
        seats: int,
        random: Random,
        *,
        pack: str | None = None,
        first: Sequence[Face] = (),
        dealer: int | None = None,
    ) -> None:
        """Shuffles and deals; `first` are tiles the first player gets; the dealer may be named."""
        self.random = random
        drawn = random.randrange(seats)
        self.state = new_game(rules, seats, dealer=drawn if dealer is None else dealer, pack=pack)
        self.history: list[tuple[c.Command, State]] = []
        tiles = list(full_set(rules, pack=self.state.pack) - Bag(first))
        random.shuffle(tiles)
        atu = tiles.pop() if rules.wall_of_stacks else None
        taken = atu == JOKER and rules.joker_atu_taken
        begins = self.state.after(self.state.dealer)
        size = rules.pack(self.state.pack).hand_size(seats)
        hands: list[tuple[Face, ...]] = []
        for seat in range(seats):
            given = [*first, *([JOKER] if taken else [])] if seat == begins else []
            more = rules.first_player_extra if seat == begins and not taken else 0
            hands.append((*given, *(tiles.pop() for _ in range(size + more - len(given)))))
        turned = None if rules.wall_of_stacks else tiles.pop()
        self.face_down = tiles
        self.do(c.Deal(tuple(hands), atu, turned, random.choice(("left", "right"))))

    def do(self, command: c.Command) -> bool:
        """Does a command, unless it is refused."""
        answer = decide(self.state, command)
        if isinstance(answer, Refusal):
            return False
        self.state = fold(self.state, answer)
        self.history.append((command, self.state))
        return True

    def show_racks(self) -> bool:
        """Shows what is left on every rack, which ends the game."""
        racks = ((seat, tuple(player.hand.known)) for seat, player in enumerate(self.state.players))
        return self.do(c.Racks(tuple(racks)))

    @property
    def rack(self) -> list[Face]:
        """The tiles of the player on turn."""
        return list(self.state.players[self.state.turn.seat].hand.known)

    def chance(self, percent: int) -> bool:
        """Whether something of that likelihood comes about."""
        return self.random.randrange(100) < percent


def play_game(
    rules: RuleSet,
    seats: int,
    random: Random,
    *,
    pack: str | None = None,
    first: Sequence[Face] = (),
    dealer: int | None = None,
) -> Game:
    """A whole game, from the deal to the racks shown; the same for the same state of `random`."""
    game = Game(rules, seats, random, pack=pack, first=first, dealer=dealer)
    _before_play(game)
    turns = 0
    while game.state.phase == "play" and turns < LONGEST_GAME:
        turns += 1
        if _draw(game):
            _act(game)
            _discard(game)
    game.show_racks()
    return game


def _before_play(game: Game) -> None:
    """Announcements, and doubles that are swapped."""
    state = game.state
    for seat, player in enumerate(state.players):
        if state.atu is not None and state.atu in player.hand.known:
            game.do(c.Announce(seat, "atu"))
    holders = [seat for seat, player in enumerate(state.players) if doubles(player.hand)]
    if len(holders) > 1 and game.chance(50):
        one, other = holders[:2]
        gives, gets = doubles(state.players[one].hand)[0], doubles(state.players[other].hand)[0]
        game.do(c.Announce(one, "double"))
        game.do(c.SwapDoubles(one, other, gives, gets))


def _draw(game: Game) -> bool:
    """Begins a turn, with a tile of the row where it helps, else from the wall; false if the game ended."""
    state, seat = game.state, game.state.turn.seat
    if state.turn.drew:
        return True
    rules, opened = state.rules, state.players[seat].opened
    closes = (
        rules.atu_closes
        and state.atu is not None
        and state.atu_place in ("wall", "aside")
        and solve([*game.rack, state.atu], rules, opened=opened).closes
    )
    if closes and game.do(c.Draw(seat, source="atu")):
        return True
    if game.chance(70) and _take(game):
        return True
    if not state.wall.drawable:
        if len(state.row) == state.dead_first + 1 and rules.wall_end == "rebuild":
            # A wall of one tile would go round for ever: the players put the game down.
            return not game.show_racks()
        turned = list(state.row[state.dead_first :])
        game.do(c.WallEmpty())
        game.random.shuffle(turned)
        game.face_down = turned
        return game.state.phase == "play" and _draw(game)
    return game.do(c.Draw(seat, game.face_down.pop()))


def _take(game: Game) -> bool:
    """Takes a tile of the row with which the rack makes a meld, the latest such tile first."""
    state, seat = game.state, game.state.turn.seat
    rules, opened = state.rules, state.players[seat].opened
    for place in reversed(range(len(state.row))):
        face = state.row[place]
        taken = state.row[place:] if rules.break_row == "rest" else (face,)
        if opened:
            # After the meld of three a tile must stay for the discard.
            good = len(game.rack) + len(taken) > 3 and bool(_melds_with(game.rack, face, rules))
        else:
            best = solve([*game.rack, *taken], rules)
            good = any(tile.face == face for meld in best.melds for tile in meld.tiles)
        room = rules.rack_max is None or len(game.rack) + len(taken) - 4 <= rules.rack_max
        if good and room and game.do(c.Take(seat, place)):
            return True
        if len(state.row) - place > 5:
            return False
    return False


def _melds_with(rack: Sequence[Face], face: Face, rules: RuleSet) -> list[Meld]:
    """The melds of three that a tile makes with two of the rack."""
    trios = ((face, *pair) for pair in combinations(sorted(rack), 2))
    return [meld for trio in trios if (meld := _meld_of(trio, rules))]


def _meld_of(faces: Sequence[Face], rules: RuleSet) -> Meld | None:
    """These faces as a meld, in whatever order they are one."""
    from engine.shapes import run_order

    tiles = tuple(Tile(face) for face in faces)
    return read_meld(tiles, rules) or read_meld(run_order(tiles, rules) or (), rules)


def _act(game: Game) -> None:
    """Puts down, lays off and reclaims what the player likes to."""
    state, seat = game.state, game.state.turn.seat
    rules, player = state.rules, state.players[seat]
    owed = state.turn.owed
    best = solve(game.rack, rules, opened=player.opened)
    if best.table_games and not player.opened and _close_on_rack(game):
        return
    if owed is not None and player.opened:
        _use(game, owed)
        best = solve(game.rack, rules, opened=True)
    in_closing = any(tile.face == owed for meld in best.closing for tile in meld.tiles)
    if best.closes and (game.state.turn.owed is None or in_closing):
        game.do(c.MeldDown(seat, tuple(meld.tiles for meld in best.closing)))
    elif best.melds and (owed is not None or game.chance(80)):
        game.do(c.MeldDown(seat, tuple(meld.tiles for meld in best.melds)))
    if game.state.players[seat].opened:
        for step in _table_steps(game):
            game.do(step)


def _use(game: Game, owed: Face) -> None:
    """Melds a tile that was taken from the row."""
    rack = game.rack
    rack.remove(owed)
    for meld in _melds_with(rack, owed, game.state.rules):
        if game.do(c.MeldDown(game.state.turn.seat, (meld.tiles,))):
            return


def _close_on_rack(game: Game) -> bool:
    """Closes a simple or closed game on the rack."""
    state, seat = game.state, game.state.turn.seat
    best = solve(game.rack, state.rules, opened=True)
    tiles = tuple(meld.tiles for meld in best.closing)
    if best.closing_tile is None:
        # A mozaic or a bicolor: these players do not know how to lay it.
        return False
    if state.rules.has_table_games and not state.players[seat].table_game:
        game.do(c.Announce(seat, "table_game"))
    kinds = (CLOSED, "simple")
    return any(game.do(c.CloseTable(seat, kind, tiles, best.closing_tile)) for kind in kinds)


def _table_steps(game: Game) -> Iterator[c.Command]:
    """Reclaims and lay-offs to try, one after the other, each from the rack as it is then."""
    seat, rules = game.state.turn.seat, game.state.rules
    for meld in game.state.melds:
        for place, piece in enumerate(meld.pieces):
            if piece.tile.is_joker and game.chance(90):
                yield from _reclaims(game, meld.id, place)
    for face in game.rack:
        for meld in game.state.melds:
            if face not in game.rack or len(game.rack) < 2 or (face.is_joker and not game.chance(20)):
                break
            tile = Tile(face)
            yield c.LayOff(seat, meld.id, (tile,))
            inside = meld.shape == "run" and tile.means in [other.means for other in meld.tiles]
            if inside and face in game.rack and rules.lay_off_inside:
                yield c.LayOff(seat, meld.id, (tile,), splits=True)


def _reclaims(game: Game, name: str, place: int) -> Iterator[c.Command]:
    """The ways to take this joker and meld it at once, or to keep it where that is allowed."""
    seat, rules = game.state.turn.seat, game.state.rules
    meld = game.state.meld(name)
    real = [Tile(face) for face in sorted(set(game.rack)) if not face.is_joker]
    puts = [(tile,) for tile in real] + list(combinations(real, 2))
    for put in puts:
        if meld is None or frees_joker(meld, place, put, rules) is not None:
            continue
        rest = Bag(game.rack) - Bag(tile.face for tile in put)
        for pair in combinations(sorted(rest), 2):
            into = _meld_of((*pair, JOKER), rules)
            if into is not None:
                yield c.Reclaim(seat, name, put, into.tiles, place)
                if game.state.meld(name) != meld:
                    return
        if not rules.reclaim_melds_at_once:
            yield c.Reclaim(seat, name, put, joker=place)
            return


def _discard(game: Game) -> None:
    """Ends the turn with the tile that seems of least use; a table game may be announced before."""
    if game.state.phase != "play":
        return
    seat, rules = game.state.turn.seat, game.state.rules
    rack = game.rack
    game.random.shuffle(rack)

    def use(face: Face) -> int:
        if face.is_joker:
            return 9
        near = (abs(other.number - face.number) <= 2 and other.colour == face.colour for other in rack)
        return sum(near) + sum(other.number == face.number for other in rack)

    if rules.has_table_games and not game.state.players[seat].turns and game.chance(4):
        game.do(c.Announce(seat, "table_game"))
    for face in sorted(rack, key=use):
        if game.do(c.Discard(seat, face)):
            break
    else:
        raise RuntimeError("a player is stuck: no tile may be discarded")
    if len(game.state.players[seat].hand) <= rules.announce_few_at and game.state.phase == "play":
        game.do(c.Announce(seat, "few"))
