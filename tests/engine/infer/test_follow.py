"""A table followed look by look: what is committed, asked and reported."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import commands as c
from engine.infer import Settings, infer
from engine.infer.choosing import choices
from engine.infer.follow import adopt, answer, count, press, restart
from engine.infer.follower import Asked, Begun, Cleared, Committed, Corrected, Found, Lost, Withdrawn
from engine.infer.memory import remember, settled
from engine.infer.outcomes import Ambiguity, Proposal
from engine.infer.rows import row_stories
from engine.infer.weighing import weigh
from engine.notation import parse_face, parse_tiles
from tests.engine.infer.tables import Table


def face(text: str):  # type: ignore[no-untyped-def]
    return parse_face(text)


def opened(rules: str = "doizece") -> Table:
    """A game in which seat 0 has opened with b9 b10 b11 b12 b13 and it is the turn of seat 1."""
    table = Table(rules)
    table.looks()
    table.row = ["k2"]
    table.looks()
    table.row.append("r1")
    table.looks()
    table.melds.append(("b9 b10 b11 b12 b13 | r10 y10 k10".partition(" | ")[0], 1))
    table.melds.append(("r10 y10 k10", 1))
    table.row.append("y3")
    table.looks()
    assert table.follower.state.players[0].opened
    return table


def test_the_deal_and_the_first_discard() -> None:
    table = Table("etalat")
    assert table.committed() == (c.Deal((15, 14), face("k13")),)
    table.row = ["k2"]
    assert table.committed() == (c.Discard(0, face("k2")),)


def test_an_atu_in_doubt_waits_for_the_first_discard() -> None:
    table = Table("etalat")
    table.atu = "b6~k6"
    assert not table.looks(11)
    table.row = ["k2"]
    asked = next(one for one in table.looks(1) if isinstance(one, Asked))
    assert [str(one.commands[0].atu) for one in asked.question.about.candidates] == ["b6", "k6"]  # type: ignore[union-attr]
    # At an empty table it is asked in the end.
    table = Table("etalat")
    table.atu = "b6~k6"
    assert any(isinstance(one, Asked) for one in table.looks(14))


def test_a_deal_that_is_none_of_what_was_asked_is_reported_until_it_is_entered() -> None:
    table = Table("etalat")
    table.atu = "b6~k6"
    asked = next(one for one in table.looks(14) if isinstance(one, Asked))
    table.follower, _ = answer(table.follower, asked.question.number, None)
    lost = next(one for one in table.looks(14) if isinstance(one, Lost))
    assert [one.place for one in lost.desync.differences] == ["atu"]
    table.follower, _ = adopt(table.follower, c.Deal((15, 14), face("y6")))
    assert any(isinstance(one, Found) for one in table.looks(3))
    assert not table.follower.lost


def test_one_look_is_not_enough() -> None:
    table = Table("etalat")
    table.looks()
    table.row = ["k2"]
    assert not table.committed(1)
    assert table.committed(1) == (c.Discard(0, face("k2")),)


def test_a_draw_is_not_seen_and_a_discard_follows_it() -> None:
    table = Table("etalat")
    table.looks()
    table.row = ["k2"]
    table.looks()
    table.row.append("r5")
    assert table.committed() == (c.Draw(1), c.Discard(1, face("r5")))


def test_a_doubtful_discard_waits_and_is_asked() -> None:
    table = Table("etalat")
    table.looks()
    table.row = ["r8~r6"]
    outcomes = table.looks(12)
    asked = [one for one in outcomes if isinstance(one, Asked)]
    assert len(asked) == 1
    about = asked[0].question.about
    assert {candidate.commands[-1] for candidate in about.candidates if candidate.commands} == {
        c.Discard(0, face("r8")),
        c.Discard(0, face("r6")),
    }
    assert about.keys
    assert not [one for one in outcomes if isinstance(one, Committed)]
    at = next(i for i, one in enumerate(about.candidates) if one.commands == (c.Discard(0, face("r6")),))
    table.follower, done = answer(table.follower, asked[0].question.number, at)
    assert next(one for one in done if isinstance(one, Committed)).by == "arbiter"
    # What the arbiter said stands, whatever the camera reads.
    assert not [one for one in table.looks(8) if not isinstance(one, Begun)]
    assert table.follower.state.row == (face("r6"),)


def test_a_doubt_is_withdrawn_when_the_tile_is_read() -> None:
    table = Table("etalat")
    table.looks()
    table.row = ["r8~r6"]
    table.looks(8)
    table.row = ["r8"]
    outcomes = table.looks(4)
    assert any(isinstance(one, Withdrawn) for one in outcomes)
    assert table.follower.state.row == (face("r8"),)


def test_a_half_turn_is_followed_and_does_not_count() -> None:
    table = Table("doizece")
    table.looks()
    table.row = ["k2"]
    table.looks()
    table.melds.append(("b9 b10 b11 b12 b13", 2))
    outcomes = table.looks()
    assert [type(one) for one in outcomes] == [Begun]
    assert not table.follower.state.melds
    table.melds.clear()
    assert table.looks(6)[-1] == Begun(())
    table.row.append("r4")
    assert table.committed(4) == (c.Draw(1), c.Discard(1, face("r4")))


@pytest.mark.parametrize("lasts", [False, True])
def test_a_breach_that_a_turn_seems_to_begin_with_is_told_only_where_it_lasts(lasts: bool) -> None:
    table = nearly_over("etalat")
    row = list(table.row)
    # A hand passes over the row, or three tiles were taken by one who must not with so few on his rack.
    table.row = row[:-3]
    outcomes = [*table.looks(1), *table.looks(1, first=0.5)]
    assert not [one for one in outcomes if isinstance(one, Begun) and one.reasons]
    table.row = row[:-3] if lasts else row
    outcomes = table.looks(3, first=1.0)
    against = [reason.code for one in outcomes if isinstance(one, Begun) for reason in one.reasons]
    assert against == (["break_few_tiles"] if lasts else [])


def test_melds_and_a_discard() -> None:
    table = opened()
    state = table.follower.state
    assert [str(meld.shape) for meld in state.melds] == ["run", "group"]
    assert len(state.players[0].hand) == 14 - 8
    assert state.turn.seat == 1


def test_the_last_discard_is_taken_and_melded() -> None:
    table = opened()
    table.row[-1] = "r6"
    table.melds.append(("y1 y2 y3", 2))
    table.melds.append(("b5 y5 k5 r5", 2))
    table.melds.append(("r11 r12 r13", 2))
    done = table.committed(5)
    assert done[0] == c.Take(1, 2)
    assert done[-1] == c.Discard(1, face("r6"))


def test_a_lay_off_and_a_run_opened_inside() -> None:
    table = opened()
    table.row.append("k9")
    table.looks()
    table.melds[1] = ("r10 y10 k10 b10", 1)
    table.melds[0] = ("b9 b10 b11", 1)
    table.melds.append(("b11 b12 b13", 1))
    table.row.append("k8")
    done = table.committed(5)
    laid = [command for command in done if isinstance(command, c.LayOff)]
    assert sorted(str(tile) for command in laid for tile in command.tiles) == ["b10", "b11"]
    assert any(command.splits for command in laid)
    assert len(table.follower.state.melds) == 3


def test_soon_after_a_run_was_opened_its_upper_half_grows_by_the_next_player() -> None:
    table = Table("etalat")
    table.looks()
    table.row = ["k2"]
    table.looks()
    for place, melds, discard in (
        (2, ("b6 b7 b8 b9 b10", "r13 y13 b13"), "r1"),
        (1, ("y9 y10 y11 y12", "r12 b12 k12"), "y3"),
    ):
        table.melds += [(meld, place) for meld in melds]
        table.looks()
        table.row.append(discard)
        table.looks()
    table.melds[0] = ("b6 b7 b8", 2)
    table.melds.append(("b8 b9 b10", 2))
    table.looks()
    table.row.append("k8")
    assert table.committed()[1].splits  # type: ignore[union-attr]
    # So soon that it may have been done before the discard: the turns of both are thought of together.
    table.melds[-1] = ("b8 b9 b10 b11", 2)
    table.looks(1, first=1.0)
    table.row.append("r5")
    outcomes = table.looks(12)
    assert not [one for one in outcomes if isinstance(one, Asked | Corrected)]
    state = table.follower.state
    assert [str(tile) for tile in state.melds[-1].tiles] == ["b8", "b9", "b10", "b11"]
    assert state.row[-1] == face("r5")


def test_an_illegal_lay_off_is_followed_with_its_code() -> None:
    table = opened()
    table.melds[0] = ("b8 b9 b10 b11 b12 b13", 1)
    table.looks(6)
    table.row.append("k8")
    outcomes = table.looks(6)
    done = next(one for one in outcomes if isinstance(one, Committed))
    assert c.LayOff(1, "m1", parse_tiles("b8"), "low") in done.commands
    assert [reason.code for reason in done.reasons] == ["not_opened"]
    assert done.reasons[0].clause


def test_a_meld_that_is_moved_is_the_same_meld() -> None:
    table = opened()
    before = table.follower.state
    table.melds[1] = (". . . . . . r10 y10 k10", 1)
    assert not table.looks(6)
    assert table.follower.state == before


def test_a_meld_that_is_moved_on_by_a_tile_while_one_is_laid_off_is_the_same_meld() -> None:
    table = opened()
    links = table.follower.memory.meld_links["m1"]
    # It is read anew in two looks, and lies where other tiles of it lay.
    table.melds[0] = (". b9 b11 b12 b13", 1)
    table.looks(1)
    table.melds[0] = (". b9 b10 b11 b12 b13", 1)
    assert not [one for one in table.looks(2) if isinstance(one, Asked | Lost | Committed)]
    assert table.follower.memory.meld_links["m1"] == links
    table.melds[0] = (". b9 b10 b11 b12 b13", 1)
    table.row.append("y8")
    table.looks()
    table.melds[0] = ("b8 b9 b10 b11 b12 b13", 1)
    table.row.append("k5")
    assert c.LayOff(0, "m1", parse_tiles("b8"), "low") in table.committed(3)
    assert not table.looks(4)


def test_a_joker_that_is_put_down_beside_its_meld_is_not_moved_in_it() -> None:
    table = opened()
    table.melds[0] = ("b9 b10 b11 * b13", 1)
    table.row.append("y8")
    table.looks(8)
    memory = table.follower.memory
    table.melds[0] = ("b9 b10 b11 b12 b13 *", 1)
    table.looks(1)
    here = {
        slot.belief.best: slot.id for slot in table.follower.memory.slots.values() if slot.zone == "table"
    }
    assert here[face("*")] not in memory.slots


def test_a_misread_tile_of_a_meld_is_no_move() -> None:
    table = opened()
    before = table.follower.state
    table.melds[0] = ("b9 b10 b11 b13~b12 b13", 1)
    assert not table.looks(2)
    assert table.follower.state == before


def test_what_stays_inexplicable_is_reported_and_found_again() -> None:
    table = opened()
    table.melds[0] = ("b9 b10 . . .", 1)
    outcomes = table.looks(8)
    lost = next(one for one in outcomes if isinstance(one, Lost))
    assert {difference.code for difference in lost.desync.differences} == {"missing"}
    assert all(difference.hint_ro and difference.hint_en for difference in lost.desync.differences)
    table.melds[0] = ("b9 b10 b11 b12 b13", 1)
    assert any(isinstance(one, Found) for one in table.looks(3))


def test_two_turns_between_looks() -> None:
    table = opened()
    table.row += ["k9", "y8"]
    done = table.committed(4)
    assert [command for command in done if isinstance(command, c.Discard)] == [
        c.Discard(1, face("k9")),
        c.Discard(0, face("y8")),
    ]


@pytest.mark.parametrize("whose", [0, 1])
@pytest.mark.parametrize("apart", [False, True])
def test_melds_that_lay_there_before_the_row_was_seen_are_the_first_players_only_if_they_lie_there(
    whose: int, apart: bool
) -> None:
    """The row comes into sight with two discards, tiles lay on the table before: whose are they?"""
    for place in (0, whose + 1):  # in front of nobody, as far as can be seen, and in front of their player
        table = Table("doizece")
        table.looks()
        table.melds = [("b9 b10 b11 b12 b13", place), ("r10 y10 k10", place)]
        table.looks(4, first=20)
        table.row = ["y8"]
        outcomes = table.looks(1) if apart else []
        table.row.append("k8")
        outcomes += table.looks(14)
        down = [
            command.seat
            for one in outcomes
            if isinstance(one, Committed)
            for command in one.commands
            if isinstance(command, c.MeldDown)
        ]
        asked = [one.question.about for one in outcomes if isinstance(one, Asked)]
        if place:
            # Where two are not much likelier than one, it is asked too, and never said wrongly.
            assert down == [whose] or (asked and not down)
        if place == 0:
            assert down == []
            # Both are among the answers: that seat 0 discarded alone, and that he put them down first.
            kinds = [[type(command) for command in one.commands] for one in asked[0].candidates]
            assert [c.Discard] in kinds
            assert [c.MeldDown, c.Discard] in kinds


@pytest.mark.parametrize("seconds", [3.0, 10.0])
def test_a_discard_that_the_next_player_may_have_taken_before_any_look_is_asked(seconds: float) -> None:
    """Seat 0 discards r4, seat 1 takes it, puts down r3 r4 r5 and discards k7; a look sees what is left."""
    table = opened()
    table.melds += [("b1 b2 b3 b4", 2), ("y10 k10 r10", 2)]
    table.row.append("y4")
    table.looks(3, first=15)
    assert [player.opened for player in table.follower.state.players] == [True, True]
    row, length = table.follower.state.row, len(table.follower.log)
    table.melds.append(("r3 r4 r5", 2))
    table.row.append("k7")
    outcomes = table.looks(12, first=seconds)
    assert not [one for one in outcomes if isinstance(one, Committed)]
    about = next(one.question.about for one in outcomes if isinstance(one, Asked))
    seen = [candidate for candidate in about.candidates if "not seen" not in candidate.text_en]
    unseen = [candidate for candidate in about.candidates if "not seen" in candidate.text_en]
    assert seen
    if seconds < table.follower.settings.turn_seconds:
        # Nobody takes, puts down and discards in so short a time.
        assert unseen == []
        return
    # It may have been any of the three.
    assert {candidate.commands[1] for candidate in unseen} == {
        c.Discard(0, face(text)) for text in ("r3", "r4", "r5")
    }
    at = next(i for i, one in enumerate(about.candidates) if c.Discard(0, face("r4")) in one.commands)
    assert "nevăzută" in about.candidates[at].text_ro
    table.follower, _ = answer(table.follower, table.follower.question.number, at)  # type: ignore[union-attr]
    done = table.follower.log[length:]
    assert [type(command) for command in done] == [c.Draw, c.Discard, c.Take, c.MeldDown, c.Discard]
    assert table.follower.state.row == (*row, face("k7"))
    assert table.follower.state.turn.seat == 0
    # And the game goes on from there.
    assert not [one for one in table.looks(4) if isinstance(one, Asked | Lost | Committed)]
    table.row.append("y8")
    assert table.committed() == (c.Draw(0), c.Discard(0, face("y8")))


def test_a_button_commits_where_it_should() -> None:
    table = Table("etalat", settings=Settings(commit="button", buttons=True))
    table.looks()
    table.row = ["k2"]
    assert not table.committed(4)
    table.follower, done = press(table.follower, 0)
    assert [one.by for one in done if isinstance(one, Committed)] == ["button"]


def test_a_lost_press_does_not_hold_the_game_up() -> None:
    table = Table("etalat", settings=Settings(commit="button", buttons=True))
    table.looks()
    table.row = ["k2"]
    table.looks()
    table.row.append("r7")
    assert c.Discard(0, face("k2")) in table.committed(4)


def test_racks_laid_out_are_counted() -> None:
    table = opened()
    table.follower = count(table.follower)
    hand = "r2 r3 r4 r5 y5 y6 y7 y8 k1 k3 k4 k5 k6 k7"
    words = hand.split()
    table.melds += [(" ".join(words[:7]), 2), (" ".join(words[7:]), 2)]
    table.melds += [("b1 b2 b3 b4 b5 b6", 1)]
    done = table.committed(8)
    assert isinstance(done[-1], c.Racks)
    assert dict(done[-1].racks).keys() >= {0}
    assert table.follower.state.phase == "over"


def test_what_is_said_is_adopted() -> None:
    table = Table("doizece")
    table.looks()
    table.follower, done = adopt(table.follower, c.Announce(0, "atu"))
    assert isinstance(done[0], Committed)
    assert table.follower.state.players[0].atu


@pytest.mark.parametrize("sure", [True, False])
def test_one_look_alone(sure: bool) -> None:
    table = opened()
    table.row.append("k9" if sure else "k9~k6")
    table.number += 1
    table.at += 6
    found, memory = infer(
        table.follower.state, table.reading(), seen_before=table.follower.memory, settings=Settings(odds=20.0)
    )
    assert memory.number == table.number
    if sure:
        assert isinstance(found, Proposal)
        assert found.commands == (c.Draw(1), c.Discard(1, face("k9")))
    else:
        assert isinstance(found, Ambiguity)
        assert len(found.candidates) >= 2


def test_a_wrong_commit_is_corrected_by_what_is_seen_later() -> None:
    table = opened()
    table.row.append("k9")
    table.looks(2)
    assert table.follower.state.row[-1] == face("k9")
    key = table.key("row", 0, 3, "k9")
    table.keys["row", 0, 3, "k6"] = key
    table.row[-1] = "k6~~k9"
    outcomes = table.looks(8)
    corrected = next(one for one in outcomes if isinstance(one, Corrected))
    assert corrected.commands == (c.Draw(1), c.Discard(1, face("k6")))
    assert corrected.undo == 2
    assert table.follower.state.row[-1] == face("k6")


def nearly_over(rules: str = "doizece", *, opens: bool = False) -> Table:
    """A game of two: seat 0 holds 3 tiles and is on turn, seat 1 all his 14, or 7 if he has opened."""
    table = opened(rules)
    table.row.append("k9")
    table.looks()
    table.melds += [("r1 r2 r3", 1)]
    table.row.append("y8")
    table.looks()
    if opens:
        table.melds += [("r10 r11 r12 r13", 2), ("r5 y5 k5", 2)]
    table.row.append("k4")
    table.looks()
    assert [len(player.hand) for player in table.follower.state.players] == [3, 7 if opens else 14]
    return table


def shown() -> list[tuple[str, int]]:
    return [("r4 y6 b8 k10 r13 y1 b3", 2), ("k5 r7 y9 b5 k12 r2 y12", 2)]


def test_racks_laid_out_speak_for_a_turn_that_closed() -> None:
    table = nearly_over()
    # Its meld is seen a look after its discard, as if it were the next player's.
    table.row.append("k6")
    table.looks(1)
    table.melds.append(("y11 y12 y13", 1))
    table.melds += shown()
    asked = next(one for one in table.looks(5) if isinstance(one, Asked))
    likeliest = asked.question.about.candidates[0]
    assert likeliest.commands[1] == c.MeldDown(0, (parse_tiles("y11 y12 y13"),))
    assert likeliest.share > 0.98
    table.follower, _ = answer(table.follower, asked.question.number, 0)
    assert table.follower.state.phase == "over"


def test_a_discard_that_closed_and_was_overlooked_until_racks_lay_there_is_asked() -> None:
    table = nearly_over(opens=True)
    table.melds.append(("y11 y12 y13", 1))
    table.looks(2)
    table.melds += shown()[:1]
    table.looks(3, seconds=0.7)
    table.row.append("k6")
    asked = next(one for one in table.looks(8, first=1.0) if isinstance(one, Asked))
    table.follower, _ = answer(table.follower, asked.question.number, 0)
    assert table.follower.state.phase == "over"
    table.looks(4)
    assert isinstance(table.follower.log[-1], c.Racks)


def test_racks_that_lie_open_in_play_are_reported() -> None:
    table = nearly_over()
    table.melds += shown()
    outcomes = table.looks(8)
    lost = next(one for one in outcomes if isinstance(one, Lost))
    assert [difference.place for difference in lost.desync.differences] == ["rack 1"]
    assert "închi" in lost.desync.differences[0].hint_ro
    del table.melds[-2:]
    table.looks(8)
    assert not table.follower.lost


def test_tiles_put_down_to_think_are_no_rack() -> None:
    table = nearly_over()
    table.melds.append(("r5 y6", 1))
    assert not [one for one in table.looks(10) if isinstance(one, Lost)]


def test_tiles_left_lying_before_somebody_else_are_reported() -> None:
    table = nearly_over()
    table.melds.append(("r5 y6", 2))
    assert not [one for one in table.looks(6) if isinstance(one, Lost)]
    lost = next(one for one in table.looks(4) if isinstance(one, Lost))
    assert [(one.code, str(one.seen)) for one in lost.desync.differences] == [
        ("extra", "r5"),
        ("extra", "y6"),
    ]


def test_a_second_tile_laid_off_by_the_next_player_is_his() -> None:
    table = nearly_over(opens=True)
    table.melds[2] = ("r1 r2 r3 r4", 1)
    table.row.append("k6")
    table.looks(1)
    table.melds[2] = ("r1 r2 r3 r4 r5", 1)
    table.looks(1, first=8.0)
    table.row.append("y9")
    asked = next(one for one in table.looks(9) if isinstance(one, Asked))
    table.follower, _ = answer(table.follower, asked.question.number, 0)
    table.looks(4)
    laid = [command for command in table.follower.log if isinstance(command, c.LayOff)]
    assert [(one.seat, [str(tile) for tile in one.tiles]) for one in laid] == [(0, ["r4"]), (1, ["r5"])]


def test_a_misreading_of_a_tile_that_has_just_come_does_not_make_it_the_next_players() -> None:
    table = nearly_over("etalat", opens=True)
    table.melds[2] = ("r1 r2 r3 r5", 1)
    table.row.append("k6")
    table.looks(1)
    table.melds[2] = ("r1 r2 r3 r4", 1)
    done = table.committed(6)
    assert next(command for command in done if isinstance(command, c.LayOff)).seat == 0
    assert c.Discard(0, face("k6")) in done


def test_of_two_jokers_in_a_run_the_one_whose_place_was_filled_is_reclaimed() -> None:
    table = nearly_over("etalat", opens=True)
    table.melds[2] = ("r1 r2 r3 * *", 1)
    table.row.append("k6")
    laid = c.LayOff(0, "m3", parse_tiles("* *"), "high")
    table.follower, _ = adopt(table.follower, c.Draw(0), laid, c.Discard(0, face("k6")))
    table.looks(3)
    memory = table.follower.memory
    *known, one, other = memory.meld_links["m3"]
    swapped = {**memory.meld_links, "m3": (*known, other, one)}
    table.follower = replace(table.follower, memory=replace(memory, meld_links=swapped))
    table.looks(1)
    places = [
        table.follower.memory.slots[link or 0].place[0] for link in table.follower.memory.meld_links["m3"]
    ]
    assert places == sorted(places)


def test_what_lies_over_a_zone_for_long_is_reported() -> None:
    table = opened()
    seen = table.reading
    table.reading = lambda: replace(seen(), unseen=("meld 1",))  # type: ignore[method-assign]
    assert not [one for one in table.looks(20) if isinstance(one, Lost)]
    lost = next(one for one in table.looks(16) if isinstance(one, Lost))
    assert [(one.code, one.place) for one in lost.desync.differences] == [("hidden", "meld 1")]
    table.reading = seen  # type: ignore[method-assign]
    assert any(isinstance(one, Found) for one in table.looks(2))
    assert not table.follower.lost


def test_a_tile_in_doubt_at_the_end_of_a_run_is_what_belongs_there() -> None:
    table = nearly_over()
    table.melds[0] = ("b9 b10 b11 b12 b13 b8~b1", 1)
    table.row.append("k6")
    outcomes = table.looks(16)
    asked = [one.question.about.candidates[0].commands for one in outcomes if isinstance(one, Asked)]
    done = [one.commands for one in outcomes if isinstance(one, Committed)]
    laid = next(command for some in (*done, *asked) for command in some if isinstance(command, c.LayOff))
    assert [str(tile) for tile in laid.tiles] == ["b1"]


def test_many_stories_of_ghosts_in_the_row_do_not_crowd_out_that_a_tile_was_missed() -> None:
    table = nearly_over()
    row = list(table.row)
    table.row = [*row, "r7", "k8~k9", "b9~y9"]
    table.looks(1)
    table.row = [*row[:-1], ".", "r7"]
    table.number += 1
    table.at += 1.0
    memory = remember(table.follower.memory, table.reading(), table.follower.settings)
    stories = row_stories(table.follower.state, memory, table.follower.settings)
    told = [[(str(turn.face), turn.take) for turn in story.turns] for story in stories]
    assert [("r7", None)] in told


def over() -> Table:
    """A game that seat 0 has closed, with 7 tiles on the rack of seat 1."""
    table = nearly_over("etalat", opens=True)
    table.melds.append(("y11 y12 y13", 1))
    table.looks()
    table.row.append("k6")
    table.looks()
    assert table.follower.state.phase == "over"
    return table


def test_a_rack_that_is_not_laid_out_is_reported_and_then_counted() -> None:
    table = over()
    lost = next(one for one in table.looks(8) if isinstance(one, Lost))
    assert [(one.code, one.place) for one in lost.desync.differences] == [("missing", "rack 1")]
    table.melds += shown()[:1]
    outcomes = table.looks(4)
    assert any(isinstance(one, Found) for one in outcomes)
    assert isinstance(table.follower.log[-1], c.Racks)


def test_a_rack_with_a_tile_more_than_the_set_has_is_reported() -> None:
    table = over()
    # One k2 lies in the row and the set has two.
    table.melds += [("r4 y6 b8 k2 r13 k2 b3", 2)]
    lost = next(one for one in table.looks(9) if isinstance(one, Lost))
    assert [(one.place, str(one.seen)) for one in lost.desync.differences] == [("rack 1", "k2")]
    assert not table.follower.question


def test_racks_that_are_none_of_what_was_asked_are_reported_until_they_are_counted() -> None:
    table = over()
    # One tile of seven stays under a hand.
    table.melds += [("r4 y6 b8 k10 r13 y1", 2)]
    asked = next(one for one in table.looks(9) if isinstance(one, Asked))
    table.follower, _ = answer(table.follower, asked.question.number, None)
    outcomes = table.looks(9)
    assert [one.desync.differences[0].place for one in outcomes if isinstance(one, Lost)] == ["rack 1"]
    assert not [one for one in outcomes if isinstance(one, Found)]
    table.melds[-1] = shown()[0]
    outcomes = table.looks(4)
    assert any(isinstance(one, Found) for one in outcomes)
    assert isinstance(table.follower.log[-1], c.Racks)


def test_a_cleared_table_is_a_new_game_though_racks_were_never_seen() -> None:
    table = over()
    table.looks(8)
    table.row, table.melds = [], []
    assert any(isinstance(one, Cleared) for one in table.looks(4))


def test_who_closes_with_the_atu_frees_it_for_no_rack() -> None:
    table = nearly_over()
    table.atu = None
    table.melds.append(("y11 y12 y13", 1))
    table.looks()
    table.row.append("k13")
    table.looks(6)
    assert table.follower.state.phase == "over"
    assert c.Draw(0, source="atu") in table.follower.log


def test_whether_a_game_was_closed_with_the_atu_is_asked_where_another_tile_lies_in_its_place() -> None:
    table = nearly_over()
    # The stack that the atu lay on, whose back has a print: it is taken for a joker.
    table.atu = "*"
    table.melds.append(("y11 y12 y13", 1))
    table.looks()
    table.row.append("k13")
    outcomes = table.looks(12)
    assert not [one for one in outcomes if isinstance(one, Committed)]
    asked = next(one for one in outcomes if isinstance(one, Asked))
    draws = [one.commands[0] for one in asked.question.about.candidates]
    assert draws == [c.Draw(0, source="atu"), c.Draw(0)]
    table.follower, _ = answer(table.follower, asked.question.number, 0)
    assert table.follower.state.phase == "over"
    assert c.Draw(0, source="atu") in table.follower.log


def test_a_corrected_record_tells_no_turn_again() -> None:
    table = opened()
    before = table.follower
    table.follower = restart(before, before.state, before.log)
    assert table.follower.memory.row_links == before.memory.row_links
    assert not table.looks(6)
    # A row that differs from its last tile on is linked up to there.
    other = replace(before.state, row=(*before.state.row[:-1], face("k7")))
    assert restart(before, other, before.log).memory.row_links == before.memory.row_links[:-1]


def test_several_turns_without_a_press_are_asked() -> None:
    table = opened()
    table.follower = replace(table.follower, settings=replace(table.follower.settings, buttons=True))
    table.row += ["k9", "y8"]
    outcomes = table.looks(5)
    assert not [one for one in outcomes if isinstance(one, Committed)]
    asked = next(one for one in outcomes if isinstance(one, Asked))
    assert asked.question.about.candidates[0].commands == (c.Draw(1), c.Discard(1, face("k9")))
    table.follower, _ = answer(table.follower, asked.question.number, 0)
    assert c.Discard(0, face("y8")) in table.committed(3)


def test_several_turns_with_a_press_are_told() -> None:
    table = opened()
    table.follower = replace(table.follower, settings=replace(table.follower.settings, buttons=True))
    table.row += ["k9", "y8"]
    table.follower, _ = press(table.follower, 0)
    done = table.committed(4)
    assert [command.tile for command in done if isinstance(command, c.Discard)] == [face("k9"), face("y8")]


def test_a_press_that_comes_after_its_turn_counted_says_nothing_of_the_next() -> None:
    table = opened()
    table.follower = replace(table.follower, settings=replace(table.follower.settings, buttons=True))
    table.row.append("k9")
    assert c.Discard(1, face("k9")) in table.committed(3)
    table.follower, _ = press(table.follower, 1)
    assert not table.follower.pressed
    table.row.append("y8")
    assert c.Discard(0, face("y8")) in table.committed(3)
    # What is pressed once more is no press of that turn.
    table.follower, _ = press(table.follower, 1)
    assert table.follower.pressed == {1}


def test_a_press_without_a_discard_in_sight_is_reported_and_the_next_tile_asked() -> None:
    table = opened()
    table.follower = replace(table.follower, settings=replace(table.follower.settings, buttons=True))
    table.follower, _ = press(table.follower, 1)
    lost = next(one for one in table.looks(5) if isinstance(one, Lost))
    assert [(one.code, one.place) for one in lost.desync.differences] == [("unseen", "row")]
    assert "seat 1" in lost.desync.differences[0].hint_en
    # It may be the next player's tile that comes then.
    table.row.append("k9")
    outcomes = table.looks(4)
    assert not [one for one in outcomes if isinstance(one, Committed)]
    asked = next(one for one in outcomes if isinstance(one, Asked))
    table.follower, done = answer(table.follower, asked.question.number, 0)
    assert [one.by for one in done if isinstance(one, Committed)] == ["arbiter"]
    assert any(isinstance(one, Found) for one in table.looks(2))
    table.row.append("y8")
    assert c.Discard(0, face("y8")) in table.committed(3)


def test_what_somebody_enters_holds_against_a_tile_that_is_misread() -> None:
    table = opened()
    table.melds.append(("r5 r6 b7", 2))
    table.looks(3)
    down = c.MeldDown(1, (parse_tiles("r5 r6 r7"),))
    table.follower, _ = adopt(table.follower, c.Draw(1), down)
    assert not [one for one in table.looks(8) if isinstance(one, Lost | Asked)]
    memory = table.follower.memory
    held = [memory.slots[link or 0] for link in memory.meld_links["m3"]]
    assert [(str(slot.belief.best), slot.fixed) for slot in held] == [
        ("r5", False),
        ("r6", False),
        ("r7", True),
    ]


def test_a_meld_that_was_entered_is_known_with_a_tile_unseen_in_its_middle() -> None:
    table = opened()
    table.melds.append(("y5 . y7", 2))
    table.looks(3)
    down = c.MeldDown(1, (parse_tiles("y5 *=y6 y7"),))
    table.follower, _ = adopt(table.follower, c.Draw(1), down)
    table.looks(3)
    links = table.follower.memory.meld_links["m3"]
    assert [link is None for link in links] == [False, True, False]


def test_another_tile_in_the_place_of_one_that_was_asked_is_seen() -> None:
    table = opened()
    memory = table.follower.memory
    asked = memory.slots[memory.row_links[-1] or 0]
    table.follower = replace(table.follower, memory=settled(memory, {asked.id: face("y3")}))
    table.row[-1] = "y3"
    table.looks(2)
    key = table.key("row", 0, 2, "y3")
    table.keys["row", 0, 2, "k5"] = key
    table.row[-1] = "k5"
    table.looks(2)
    last = table.follower.memory.slots[table.follower.memory.by_key[key]]
    assert (last.belief.best, last.fixed) == (face("k5"), False)


def test_a_press_while_a_question_is_open_is_not_lost_with_its_answer() -> None:
    table = Table("etalat", settings=Settings(commit="button", buttons=True))
    table.looks()
    table.row = ["r8~r6"]
    asked = next(one for one in table.looks(12) if isinstance(one, Asked))
    table.row.append("k4")
    table.looks(1)
    table.follower, _ = press(table.follower, 1)
    table.follower, _ = answer(table.follower, asked.question.number, 0)
    assert c.Discard(1, face("k4")) in table.committed(3)


def test_a_turn_that_leaves_a_tile_or_two_waits_for_a_look_more() -> None:
    table = nearly_over("etalat")
    table.melds[-1] = ("r1 r2 r3 r4", 1)
    table.row.append("k6")
    assert not table.committed(2)
    assert table.committed(1)[-1] == c.Discard(0, face("k6"))
    assert len(table.follower.state.players[0].hand) == 2


def test_a_search_that_is_cut_short_leaves_doubt() -> None:
    table = opened()
    table.row.append("k9~k6")
    table.melds.append(("r5 r6 y1~b1", 2))
    table.looks(1)
    now = table.follower
    whole = weigh(now.state, now.memory, now.settings)
    short = weigh(now.state, now.memory, replace(now.settings, hypotheses=1))
    assert whole.beyond is None
    assert short.beyond is not None
    assert choices(short)[0].share < choices(whole)[0].share
