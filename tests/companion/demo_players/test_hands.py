"""What lies on the virtual table is what the game says, after every command of whole games."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.demo_players.dealing import dealt, face_name
from companion.demo_players.hands import PlayersHands
from companion.demo_players.headless import game_of
from engine import commands as c
from engine.state import State
from vision.virtual import moves
from vision.virtual.setting import draw_setting
from vision.virtual.table import VirtualTable

RULES = ("etalat", "doizece", "regulament")


def new_table(seats: int, seed: int = 1) -> VirtualTable:
    return VirtualTable(draw_setting(seed, seats=seats, size=(320, 180)))


def row_of(table: VirtualTable) -> list[str]:
    return [face_name(tile) for tile in moves.row_tiles(table.planned.pieces)]


def melds_of(table: VirtualTable) -> Counter[tuple[str, ...]]:
    pieces = table.planned.pieces
    groups = {piece.zone.group for piece in pieces.values() if piece.zone.kind == "meld"}
    return Counter(tuple(face_name(tile) for tile in moves.meld_tiles(pieces, group)) for group in groups)


def melds_in(state: State) -> Counter[tuple[str, ...]]:
    return Counter(
        tuple(str(piece.tile.face) for piece in (*meld.pieces, *meld.beside)) for meld in state.melds
    )


@pytest.mark.parametrize("key", RULES)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_table_follows_a_whole_game(key: str, seed: int) -> None:
    game, random = game_of(key, seed)
    seats = game.state.seats
    table = new_table(seats)
    hands = PlayersHands(table, game.history, range(1, seats + 1), random)
    for number, (command, state) in enumerate(game.history):
        hands.happens(number, at=table.free_at)
        assert row_of(table) == [str(face) for face in state.row]
        if not isinstance(command, c.CloseTable) and state.closing is None:
            assert melds_of(table) == melds_in(state)
        if not isinstance(command, c.Racks):
            racks = [sorted(face_name(tile) for tile in rack) for rack in hands.racks]
            assert racks == [sorted(map(str, player.hand.known)) for player in state.players]
        wall = [piece for piece in table.planned.pieces.values() if piece.zone.kind == "wall"]
        if state.phase == "play":
            assert len(wall) == state.wall.drawable


def test_racks_are_laid_out_and_the_table_is_cleared() -> None:
    game, random = game_of("etalat", 3)
    table = new_table(game.state.seats)
    hands = PlayersHands(table, game.history, range(1, game.state.seats + 1), random)
    for number in range(len(game.history)):
        hands.happens(number, at=table.free_at)
    left = [len(rack) for rack in hands.racks]
    for seat in range(game.state.seats):
        hands.show_rack(seat, at=table.free_at)
    on_racks = [piece for piece in table.planned.pieces.values() if piece.zone.kind == "rack"]
    assert (sum(left), len(on_racks)) == (5, 0)
    hands.clear(at=table.free_at)
    assert not table.planned.pieces


def test_a_deal_has_each_tile_once() -> None:
    game, _ = game_of("doizece", 4)
    found = dealt(game.history, range(1, game.state.seats + 1))
    deal = found.deal
    tiles = [
        *(tile for hand in deal.hands.values() for tile in hand),
        *(tile for stack in deal.wall for tile in stack),
        *deal.atu_stack,
        *([] if deal.atu is None else [deal.atu]),
    ]
    assert sorted(tiles) == list(range(1, 107))


def test_the_same_seed_plays_the_same_game() -> None:
    assert game_of("regulament", 5)[0].history == game_of("regulament", 5)[0].history
