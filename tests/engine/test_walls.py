"""The wall as people build it: stacks, counting from either end, deal order, drawing order, the atu."""

from __future__ import annotations

import pytest

from engine.rules import rule_set, with_changes
from engine.tiles import JOKER, TILE_COLOURS, Face
from engine.walls import Stack, Wall, build_wall, rebuild_wall, stack_order, stock_pile
from engine.whereabouts import whereabouts
from tests.engine.games import play

LEFT = {2: 77, 3: 63, 4: 49}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("end", ["left", "right"])
@pytest.mark.parametrize("key", ["doizece", "etalat", "regulament"])
def test_every_atu_gives_its_wall(key: str, end: str, players: int) -> None:
    for number in range(1, 14):
        wall = build_wall(rule_set(key), Face("r", number), dealt=14 * players + 1, counted_from=end)
        assert wall.left == LEFT[players]
        assert wall.drawable == LEFT[players] - 1
        assert len(wall.stacks) == 15 - 2 * players
        at = number if end == "left" else 16 - number
        # The atu lies on its own stack, which is drawn last and has six tiles under it.
        assert wall.stacks[-1] == Stack(at, 6)
        step = 1 if end == "left" else -1
        dealt = [(at + step * ahead - 1) % 15 + 1 for ahead in range(1, 2 * players + 1)]
        assert set(dealt) == set(range(1, 16)) - {stack.number for stack in wall.stacks}
        assert wall.next_stack == Stack((at + step * (2 * players + 1) - 1) % 15 + 1, 7)


def test_counting_wraps_at_the_end_of_the_wall() -> None:
    assert stack_order(13, "left") == (14, 15, *range(1, 14))
    assert stack_order(13, None) == stack_order(13, "left")
    assert stack_order(13, "right") == (2, 1, *range(15, 2, -1))


@pytest.mark.parametrize("key", ["doizece", "regulament"])
def test_a_joker_as_atu_lies_on_the_last_stack(key: str) -> None:
    wall = build_wall(rule_set(key), JOKER, dealt=29)
    assert (wall.left, wall.stacks[-1]) == (77, Stack(15, 6))
    assert wall.next_stack == Stack(5, 7)


@pytest.mark.parametrize(("players", "left"), [(2, 78), (3, 64), (4, 50)])
def test_a_joker_as_atu_goes_to_the_first_player_of_etalat(players: int, left: int) -> None:
    wall = build_wall(rule_set("etalat"), JOKER, dealt=14 * players)
    assert (wall.left, wall.atu_on_last) == (left, False)
    # No stack of 8: the stack that is not wholly dealt is drawn first.
    assert wall.next_stack == Stack(2 * players, 1)


def test_the_literal_wall_of_regulament() -> None:
    literal = with_changes(rule_set("regulament"), {"atu_face_up": False})
    wall = build_wall(literal, Face("b", 3), dealt=29)
    assert (wall.left, wall.drawable, len(wall.stacks)) == (77, 77, 11)
    # The left-over tile makes stack 3 the one of 8, which is dealt first; 2 is drawn last.
    assert wall.next_stack == Stack(7, 7)
    assert wall.stacks[-1] == Stack(2, 7)


def test_an_atu_nobody_saw_leaves_the_stacks_unnumbered() -> None:
    wall = build_wall(rule_set("etalat"), None, dealt=29)
    assert (wall.left, wall.next_stack) == (77, Stack(None, 7))


@pytest.mark.parametrize("colour", TILE_COLOURS)
def test_the_atu_is_set_aside_before_its_stack_is_drawn(colour: str) -> None:
    wall = build_wall(rule_set("etalat"), Face(colour, 6), dealt=57)
    for draw in range(48):
        assert wall.atu_on_last == (draw < 42)
        assert wall.left == 49 - draw - (draw >= 42)
        wall = wall.after_draw()
    assert (wall.left, wall.next_stack) == (0, None)
    with pytest.raises(ValueError, match="cannot leave a wall of 0"):
        wall.after_draw()


def test_a_new_wall_of_the_row() -> None:
    assert [stack.tiles for stack in rebuild_wall(48).stacks] == [7] * 6 + [6]
    assert rebuild_wall(14).stacks == (Stack(1, 7), Stack(2, 7))
    assert stock_pile(26) == Wall((Stack(None, 26),))
    assert stock_pile(0) == Wall()


def test_where_everything_is_while_play_goes_on() -> None:
    played = play("etalat", "deal 15 14 atu b13\n0 - k2\n1 + k9\n1 m k9 r9 b9")
    places = {
        (place.name, place.seat): (str(place.known), place.hidden)
        for place in whereabouts(played.state).places
    }
    assert places[("wall", None)] == ("", 75)
    assert places[("atu", None)] == ("b13", 0)
    assert places[("row", None)] == ("k2", 0)
    assert places[("m1", 1)] == ("r9 b9 k9", 0)
    assert places[("rack", 0)] == ("", 14)
    assert places[("rack", 1)] == ("", 12)
    assert len(whereabouts(played.state).unseen) == 75 + 14 + 12
    unknown = play("etalat", "deal 15 14").state
    assert whereabouts(unknown).tiles == 106
    spoiled = play("etalat", "deal 15 14 atu b13\n0 say spoil").state
    assert spoiled.phase == "deal"
    assert whereabouts(spoiled).tiles == 106
