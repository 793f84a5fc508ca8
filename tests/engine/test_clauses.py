"""Clauses that no field and no worked game shows, each from the words of RULES.md."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from engine import commands as c
from engine import players
from engine.bags import Bag
from engine.decide import decide
from engine.entries import FieldError, FieldReader, read_command, write_command
from engine.evolve import evolve
from engine.legal import legal_commands
from engine.notation import parse_tiles
from engine.placing import frees_joker, split_run
from engine.players import play_game
from engine.refusals import Refusal
from engine.rules import RULE_KEYS, rule_set
from engine.state import Hand, new_game
from engine.table_games import is_table_game
from engine.tiles import Face
from engine.walls import Wall
from engine.whereabouts import whereabouts
from tests.engine.games import codes, play, totals
from tests.engine.test_games import simulated
from tests.engine.test_play_wiring import CLOSED_GAME, OPENED, SIMPLE

DEAL = "deal 15 14 atu b13\n"


def faces(text: str) -> tuple[Face, ...]:
    return tuple(tile.face for tile in parse_tiles(text))


def test_swapped_doubles_may_be_unseen() -> None:
    # RULES.md, doubles: swapped face down.
    known = "deal [r7 r7 r3 r3 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11] 14 atu k1\n"
    state = play("etalat", known + "0 swap 1 ? ?").state
    # Nobody knows which double went, so none is known any more; all other tiles are.
    assert str(state.players[0].hand.known) == "b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11"
    assert (state.players[0].hand.hidden, len(state.players[1].hand)) == (4, 14)
    seen = play("etalat", known + "0 swap 1 r7 k9").state
    assert seen.players[0].hand.known.count(Face("k", 9)) == 2
    assert str(seen.players[1].hand.known) == "r7 r7"
    assert codes(play("etalat", known + "0 swap 0 r7 r3")) == [(2, "no_double_there")]
    assert codes(play("etalat", known + "1 swap 0 r7 r3")) == [(2, "more_than_the_set")]


def test_a_deal_with_more_of_a_tile_than_the_set_has_is_impossible() -> None:
    # Two red 7s in a hand leave none to be the atu (RULES.md, set).
    hand = "[r7 r7 r2 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12]"
    played = play("etalat", f"deal {hand} 14 atu r7")
    assert codes(played) == [(1, "more_than_the_set")]
    assert played.state.phase == play("etalat", "").state.phase, "nothing was dealt"
    assert codes(play("etalat", f"deal {hand} 14 atu k7")) == []


def test_a_swapped_atu_is_no_false_announcement() -> None:
    game = DEAL + "1 say atu\n0 swap 1 r7 ?\nracks 1: r7 r7 r3 r4 r5 r6 r8 r9 r10 r11 r12 y3 y4 y5"
    assert codes(play("etalat", game)) == []


def test_kinds_of_doubles() -> None:
    ones = "deal [r1 r1 r2 r3 r4 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10] 14 atu k1\n"
    assert codes(play("doizece", ones + "0 say double small")) == []
    assert codes(play("etalat", ones + "0 say double small")) == [(2, "double_not_held")]
    assert codes(play("etalat", ones + "0 say double key")) == []
    assert codes(play("etalat", ones + "0 say double big")) == [(2, "double_not_held")]


def test_a_table_game_of_another_name() -> None:
    assert codes(play("etalat", DEAL + "0 say table_game patience")) == [(2, "no_such_table_game")]


def test_a_spoiled_deal_is_dealt_again() -> None:
    game = "deal [r2 r2 r3 r3 r4 r4 b1 b3 b5 b7 b9 k2 k4 k6 k8] 14 atu b13\n0 say spoil\n"
    assert codes(play("etalat", game + "0 - r2")) == [(3, "no_deal")]
    again = play("etalat", game + DEAL + "0 - k2")
    assert codes(again) == []
    assert whereabouts(again.state).tiles == 106


def test_closing_without_having_opened() -> None:
    # Only possible by breaches: fourteen tiles laid off.
    game = OPENED.replace("m r5 r6 r7 r8 | y10 b10 k10", "m r5 r6 y8 r9 r10 y12 y13 k1 k2 k3 k4 k5 b7")
    played = play("doizece", game + "0 + ?\n0 l m2 b13\n0 -! b1")
    assert (13, "not_opened") in codes(played)
    assert played.state.closing is not None
    assert (
        played.scores[0].total
        == 100
        + 10
        + sum({"r5": 5, "r6": 5, "y8": 5, "r9": 5, "r10": 10, "y12": 10, "y13": 10, "k1": 25}.values())
        + 4 * 5
        + 5
    )


def test_a_game_on_the_rack_needs_all_its_tiles_and_no_opening() -> None:
    opened = play("etalat", OPENED + f"0 + ?\n0 t simple {SIMPLE} / k9")
    assert codes(opened)[-1][1] == "tile_not_there"
    few = play("regulament", OPENED.replace("r5 r6 r7 r8", "r5 * r7 r8") + "0 + ?\n0 t closed r1 y1 k1 / k6")
    assert {"table_game_after_opening"} <= {code for _, code in codes(few)}
    assert few.state.closing is None
    drew_twice = play("etalat", DEAL + f"0 say table_game\n0 + ?\n0 t simple {SIMPLE} / k9")
    assert codes(drew_twice) == [(3, "drew_already"), (4, "rack_not_empty")]
    assert drew_twice.state.phase == "play"


def test_a_tile_taken_for_a_closed_game() -> None:
    # RULES.md, regulament: take the last discard only when opening; a closed game uses it as well.
    game = "deal 15 14 atu b13\n0 - k2\n1 + ?\n1 - k9\n0 + ?\n"
    used = game + f"0 - k13\n1 < 2 k13\n1 t closed {CLOSED_GAME} / b2"
    assert codes(play("regulament", used)) == []
    missed = game + f"0 - b2\n1 < 2 b2\n1 t closed {CLOSED_GAME} / b2"
    assert codes(play("regulament", missed)) == [(8, "owed_opening")]


def test_racks_that_cannot_be() -> None:
    assert codes(play("etalat", "racks 0: r1")) == [(1, "no_deal")]
    assert codes(play("etalat", DEAL + "racks 0: r1 r1 r1")) == [(2, "more_than_the_set")]
    full = "deal [r7 r2 r3 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12] 14 atu k1\n"
    more = play("etalat", full + "racks 0: r7 r2 r3 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 y5")
    assert codes(more) == [(2, "rack_count")]
    # The tile too many can only have been drawn unseen.
    assert more.state.wall.drawable == 75
    fewer = play("etalat", full + "racks 0: r7 r2 r3 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11")
    assert fewer.state.astray == 1
    assert whereabouts(fewer.state).tiles == 106


def test_racks_hold_no_more_than_was_drawn() -> None:
    from tests.engine.test_play_wiring import EMPTY

    hand = "y1 y1 b1 b1 k1 k1 r13 r13 y13 y13 b13 b13 k13 k13 r12 r12"
    assert (155, "more_than_the_set") in codes(play("etalat", EMPTY + f"racks 0: {hand}"))
    rest = "* r13 y13 b13 k13 r12 y12 k12 r11 y11 b11 k11 r10 y10 b10"
    assert codes(play("etalat", EMPTY + f"racks 0: {rest}")) == [(155, "more_than_the_wall")]


def test_a_joker_kept_in_the_hand_stays_the_credit_of_who_first_used_it() -> None:
    # A house that lets a reclaimed joker wait (RULES.md, reclaim a joker, as classic plays it).
    joker = OPENED.replace("r5 r6 r7 r8", "r5 r6 *=r7 r8").replace(" | k3 b3 r3", "")
    game = joker + "0 + ?\n0 - k4\n1 + ?\n1 j m1 r7\n1 - b1\n0 + ?\n0 - b2\n1 + ?\n1 m k6 *=k7 k8\n1 - y1"
    played = play("doizece", game, reclaim_melds_at_once=False)
    assert codes(played) == []
    first, second = played.scores
    assert {line.what: line.points for line in first.lines}["joker"] == 50
    assert "joker" not in {line.what for line in second.lines}
    assert played.state.melds[-1].pieces[1].reclaims == 1
    laid = game.replace("1 m k6 *=k7 k8", "1 l m3 * high")
    first, second = play("doizece", laid, reclaim_melds_at_once=False).scores
    assert {line.what: line.points for line in first.lines}["joker"] == 50
    assert "joker" not in {line.what for line in second.lines}


def test_reclaims_that_are_wrong() -> None:
    joker = OPENED.replace("r5 r6 r7 r8", "r5 r6 *=r7 r8")
    assert codes(play("doizece", joker + "0 + ?\n0 j m1 > b2 b3 *"))[-1][1] == "no_tiles"
    unmelded = play("doizece", joker + "0 + ?\n0 j m1 r7 > b2 b3 b4")
    assert (12, "joker_not_melded") in codes(unmelded)
    assert unmelded.state.players[0].hand.known.count(Face("", 0)) == 1
    broken = play("doizece", joker + "0 + ?\n0 j m1 r7 > b2 b9 *")
    assert {"mixed_colours", "gap"} & {code for _, code in codes(broken)}
    not_opened = play(
        "doizece", joker.replace("1 m b9", "1 - b9 #").split("1 - b9")[0] + "1 j m1 r7 > k6 k7 *"
    )
    assert "not_opened" in {code for _, code in codes(not_opened)}
    assert codes(play("doizece", joker + "0 + ?\n0 j m9 r7 > b2 b3 *")) == [(12, "no_such_meld")]
    joker_for_joker = play("etalat", joker + "0 + ?\n0 j m1 * > b2 b3 *")
    assert "joker_needs_exact_tile" in {code for _, code in codes(joker_for_joker)}
    twice = play("etalat", OPENED.replace("y10 b10 k10", "y10 b10 *") + "0 + ?\n0 j m2 k10 k10 > b2 b3 *")
    assert "joker_needs_exact_tile" in {code for _, code in codes(twice)}


def test_splitting_what_does_not_split() -> None:
    game = OPENED + "0 + ?\n"
    for lay_off in ("l m2 y10 / y10 b10", "l m1 r6 / k6 r7 r8", "l m1 r6 / r6 r7 r8"):
        played = play("doizece", game + "0 " + lay_off)
        assert codes(played) == [(12, "does_not_fit")]
        assert played.state.melds[0].shape == "run"
        assert len(played.state.melds[0].beside) + len(played.state.melds[1].beside) == 1
    meld = played.state.melds[1]
    assert split_run(meld, [], rule_set("doizece"), second=(), name="m9") is None


def test_laid_off_beside_counts_for_who_laid_it() -> None:
    played = play("doizece", OPENED + "0 + ?\n0 l m1 r9 y12\n0 - k5\nracks 0: k6; 1: k7")
    assert codes(played)[0] == (12, "does_not_fit")
    lines = {line.what: line.points for line in played.scores[0].lines}
    assert lines["laid_off"] == 5 + 10
    # The r9 fitted, so a later r10 does too.
    assert codes(play("doizece", OPENED + "0 + ?\n0 l m1 r9 y12\n0 - k5\n1 + ?\n1 l m1 r10"))[1:] == []


def test_a_joker_in_a_group_gives_way() -> None:
    # RULES.md, reclaim a joker from a group of 2 tiles + joker: one missing tile may be laid off, the joker
    # stays; whoever adds the fourth may take it.
    game = OPENED.replace("y10 b10 k10", "y10 b10 *=k10") + "0 + ?\n0 l m2 k10\n0 - k4\n"
    state = play("etalat", game).state
    assert " ".join(map(str, state.melds[1].tiles)) == "y10 b10 *=r10 k10"
    assert codes(play("etalat", game + "1 + ?\n1 j m2 r10 > k6 k7 *")) == []
    full = state.melds[1]
    assert frees_joker(full, 2, parse_tiles("y10"), rule_set("etalat")) == "joker_needs_exact_tile"


def test_results_wait_for_racks() -> None:
    game = """
        deal 13 13 turned 9C
        0 + ?
        0 m AS 2S 3S 4S 5S | KD KH KS | 7D 7H 7C | QH QD
        0 -! 2D
    """
    open_end = play("classic", game, pack="52+1")
    assert [score.complete for score in open_end.scores] == [False, False]
    assert totals(open_end) == [25, 0]


def test_tiles_that_are_no_meld_count_as_loose_ones() -> None:
    played = play(
        "doizece", DEAL + "0 m r1 r5 y7 * | y9 y10 y11 y12 y13\n0 - k2\nracks 0: r2 r3 r4 r6 r7; 1: k5"
    )
    lines = {line.what: line.points for line in played.scores[0].lines}
    assert lines == {"melded": 25 + 5 + 5 + 45, "joker": 50, "rack": -25}


def test_a_table_game_is_of_fourteen_tiles_in_order() -> None:
    etalat = rule_set("etalat")
    assert not is_table_game("mozaic", [parse_tiles("r1 y2 b3")], etalat)
    numbers = [*range(1, 14), 1]
    wrong = parse_tiles(" ".join(f"{'ry'[at % 2]}{number}" for at, number in enumerate(reversed(numbers))))
    assert is_table_game("bicolor", [wrong[::-1]], etalat)
    shifted = (*wrong[::-1][1:], wrong[::-1][0])
    assert not is_table_game("bicolor", [shifted], etalat)
    assert not is_table_game("simple", [parse_tiles("r1 r2 r3")], etalat)
    groups = [parse_tiles(f"r{n} y{n} b{n} k{n}") for n in (2, 3)] + [
        parse_tiles(f"r{n} y{n} b{n}") for n in (4, 5)
    ]
    assert not is_table_game("simple", groups, etalat)
    assert is_table_game("closed", groups, rule_set("regulament"))


def test_values_that_refuse_nonsense() -> None:
    with pytest.raises(ValueError, match="cannot be in this hand"):
        Hand(Bag(faces("r7")), 0).minus(Bag(faces("r8")))
    with pytest.raises(ValueError, match="for 3, 4, 5, 6 players, not 2"):
        new_game(rule_set("classic"), 2, pack="52")
    with pytest.raises(TypeError, match="no event"):
        evolve("rain", new_game(rule_set("etalat"), 2))  # type: ignore[arg-type]
    with pytest.raises(AssertionError):
        decide(new_game(rule_set("etalat"), 2), "rain")  # type: ignore[arg-type]
    with pytest.raises(FieldError, match="plays nothing"):
        read_command("void", FieldReader({}, seats=2, cards=False))


@pytest.mark.parametrize(
    "command",
    [
        c.LayOff(0, "m1", parse_tiles("*"), "low"),
        c.CloseTable(1, "mozaic", (parse_tiles("r1 y2"), parse_tiles("b3")), Face("k", 2)),
        c.Rule(0, -500, "late", replaces=True),
        c.Rule(0, 5),
        c.Deal((14, faces("r1 *")), None, None, "right"),
        c.Reclaim(0, "m1", parse_tiles("r7"), (), 2),
        c.SwapDoubles(0, 1, None, Face("r", 7)),
        c.Announce(0, "double", "key"),
        c.Take(0, 3),
        c.Discard(0, Face("r", 7)),
        c.Racks(((1, faces("r1 r2")),)),
        c.WallEmpty(),
    ],
    ids=lambda command: type(command).__name__,
)
def test_a_command_comes_back_from_its_entry(command: c.Command) -> None:
    fields = write_command(command)
    event = fields.pop("event")
    assert read_command(event, FieldReader(fields, seats=2, cards=False)) == command


def test_closing_on_the_rack_is_listed() -> None:
    hand = " ".join(CLOSED_GAME.replace("|", " ").split())
    state = play("regulament", f"deal [{hand} b2] 14 atu b13").state
    listed = [one for one in legal_commands(state) if isinstance(one, c.CloseTable)]
    assert {(one.kind, str(one.tile)) for one in listed} == {("closed", "b2")}
    hidden = play("regulament", DEAL).state
    answer = decide(hidden, c.CloseTable(0, "closed", (), Face("r", 1)))
    assert isinstance(answer, Refusal)


@pytest.mark.parametrize(("key", "kind"), [("etalat", "simple"), ("regulament", "closed")])
def test_simulated_players_close_on_the_rack(key: str, kind: str) -> None:
    tiles = faces(SIMPLE.replace("|", " "))
    game = play_game(rule_set(key), 2, Random(3), first=tiles)
    assert game.state.closing is not None
    assert game.state.closing.table_game == kind


def test_simulated_players_know_no_mosaic() -> None:
    tiles = faces(" ".join(f"{'rybk'[at % 4]}{number}" for at, number in enumerate([*range(1, 14), 1])))
    game = play_game(rule_set("etalat"), 2, Random(5), first=tiles)
    assert game.state.phase == "over"


def test_simulated_games_use_what_the_rules_offer() -> None:
    """Takes, broken rows, lay-offs inside, reclaims and swaps occur, or nothing behind them is tested."""
    done = {
        key: [command for seed in range(8) for command, _ in simulated(key, seed)[0].history]
        for key in RULE_KEYS
    }
    for key, commands in done.items():
        kinds = {type(command) for command in commands}
        wanted = {c.Take, c.LayOff, c.MeldDown, c.Discard, c.Racks}
        assert wanted <= kinds, key
    every = [command for commands in done.values() for command in commands]
    assert any(isinstance(command, c.Reclaim) for command in every)
    assert any(isinstance(command, c.LayOff) and command.splits for command in every)
    assert any(isinstance(command, c.SwapDoubles) for command in every)
    assert any(isinstance(command, c.Take) and len(command.tiles) != 1 for command in every)


def test_who_is_not_on_turn() -> None:
    # A tile drawn out of turn does not take the turn from who has it.
    start = "deal 15 14 14 atu b13\n0 - k2\n"
    waits = play("etalat", start + "0 + ?\n1 + ?\n1 - k3\n2 + ?", seats=3)
    assert codes(waits) == [(3, "not_your_turn")]
    assert (waits.state.turn.seat, len(waits.state.players[0].hand)) == (2, 15)
    # A discard does: play goes on with the seat after.
    skipped = play("etalat", start + "2 + ?\n2 - k3\n0 + ?\n0 - k4\n1 + ?", seats=3)
    assert codes(skipped) == [(3, "not_your_turn"), (4, "not_your_turn")]
    # Who is next has begun already, and need not draw again.
    early = play("etalat", start + "1 + ?\n0 - k5\n1 - k3", seats=3)
    assert {seq for seq, _ in codes(early)} == {4}


def test_a_player_without_tiles_keeps_nobody_waiting() -> None:
    few = OPENED.replace("r5 r6 r7 r8 | y10 b10 k10", "r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13")
    played = play("etalat", few + "0 + ?\n0 m k4 k5 k6 k7\n1 + ?\n1 - k8")
    assert codes(played) == [(12, "no_tile_to_discard")]


def test_a_closed_game_may_be_announced() -> None:
    assert codes(play("regulament", DEAL + "0 say table_game closed")) == []


def test_simulated_players_put_down_a_game_that_goes_round() -> None:
    # A new wall of one tile would be drawn and thrown for ever.
    game = players.Game(rule_set("doizece"), 2, Random(1))
    while not game.state.row or game.state.turn.drew:
        players._discard(game)
    game.do(c.Draw(game.state.turn.seat, game.face_down.pop()))
    players._discard(game)
    state = game.state
    game.state = replace(state, wall=Wall(), astray=state.wall.left)
    assert len(state.row) == 2
    assert players._draw(game) is False
    assert game.state.phase == "over"


def test_a_simulated_player_that_is_stuck_says_so() -> None:
    game = players.Game(rule_set("regulament"), 2, Random(1))
    game.state = replace(game.state, turn=replace(game.state.turn, owed=Face("r", 1), owes="opening"))
    with pytest.raises(RuntimeError, match="stuck"):
        players._discard(game)


def test_a_simulated_player_keeps_a_joker_where_that_is_allowed() -> None:
    games = (play_game(rule_set("classic"), 2, Random(seed)) for seed in range(60))
    kept = (command for game in games for command, _ in game.history if isinstance(command, c.Reclaim))
    assert any(not command.into for command in kept)


def test_the_atu_that_is_a_joker_is_held_by_who_has_either_joker() -> None:
    # RULES.md, atu bonus: the other joker counts as the same face; the first player has the atu itself.
    deal = "deal 14 14 atu *\n0 say atu\n1 say atu\n0 + ?\n0 - k2\n1 + ?\n1 - k9\n"
    first = "* r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 b1"
    racks = f"racks 0: {first}; 1: {{}} b3 b4 b5 b6 b7 b8 b9 b10 b11 b12 b13 y1 y2"
    assert totals(play("etalat", deal + racks.format("*"))) == [-100, -100]
    false = play("etalat", deal + racks.format("b2"))
    assert (codes(false), totals(false)) == ([(8, "atu_was_not_held")], [-100, -200])


def test_the_closer_had_the_atu_or_not() -> None:
    from tests.engine.test_play_wiring import CLOSED

    closed = CLOSED.replace("0 - k2", "0 say atu\n    0 - k2", 1)
    assert codes(play("etalat", closed)) == [(9, "atu_was_not_held")]
    assert totals(play("etalat", closed.replace("atu b12", "atu b9"))) == [215 + 50, -100]
    assert totals(play("etalat", closed.replace("-! y2", "-! b12"))) == [215 + 50, -100]
