"""The table at work: looks, presses and posts in order, the journal, what is shown, and resuming."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.table.clock import ClockSettings, Mode
from companion.table.core import Core, Setup, played
from companion.table.errors import JournalError
from companion.table.export import export, games_in, record_text
from companion.table.following import Told
from companion.table.history import fold
from companion.table.inputs import Answer, Looked, Part, Post, Pressed
from companion.table.journal import Journal, read_journal
from companion.table.thread import TableThread
from engine import commands as c
from engine.entries import write_command
from engine.infer.outcomes import Ambiguity
from engine.lamps import Button, ButtonPressed, Sign
from engine.records import Record, parse_record
from engine.replay import replay
from engine.table_reading import Lying
from engine.tiles import Face
from tests.companion.table.scripted import (
    NAMES,
    Scripted,
    ask,
    candidate,
    differing,
    final_scores,
    fold_commands,
    look,
    played_script,
    record_script,
    scripted_setup,
)

RECORDS = Path(__file__).resolve().parents[2] / "corpus" / "records"
WAIT_S = 60.0


class Now:
    """A clock that stands until it is set."""

    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@contextmanager
def table(path: Path, setup: Setup, now: Now | None = None, **more: Any) -> Iterator[TableThread]:
    with Journal(path) as journal:
        thread = TableThread(journal, setup, random=Random(1), clock=now or Now(), **more)
        try:
            yield thread
        finally:
            thread.close()


def post(thread: TableThread, what: str, /, **fields: Any) -> Answer:
    """A post's answer; everything handed over before has been handled then."""
    version, anyway = fields.pop("version", None), fields.pop("anyway", False)
    return thread.post(Post(what, fields, version, anyway)).result(WAIT_S)


def settle(thread: TableThread) -> Core:
    """The core after everything that was handed over."""
    post(thread, "resume")
    return thread.core


def see(thread: TableThread, *numbers: int) -> Core:
    for number in numbers:
        thread.looked(Looked(look(number)))
    return settle(thread)


def same_as_journal(path: Path, core: Core) -> None:
    """The journal folded anew is what the table holds."""
    history = fold(read_journal(path))
    assert history == core.history
    assert history.game is not None
    state, refused, _ = played(history.game.record)
    assert state == core.state
    assert refused == core.refused


def example(name: str) -> Record:
    return parse_record((RECORDS / f"{name}.remi.jsonl").read_text(encoding="utf-8"))


# ---- games


@pytest.mark.parametrize("rules", ["etalat", "doizece", "regulament"])
def test_a_game_is_followed_written_and_exported(tmp_path: Path, rules: str) -> None:
    script = played_script(rules, 3)
    path = tmp_path / "j.sqlite"
    with table(path, scripted_setup([script], rules=rules)) as thread:
        core = see(thread, 1, len(script) // 3, len(script) // 2, len(script))
        same_as_journal(path, core)
        assert core.state == fold_commands(core.state.rules, 0, script)
        assert core.complete
        shown = thread.published.public
    (written,) = export(path, tmp_path / "records")
    record = parse_record(written.read_text(encoding="utf-8"))
    assert record.header.with_resolved
    assert [one["total"] for one in shown["scores"]] == final_scores(record)
    assert replay(record).state == core.state
    assert len(record.entries) == len(script)
    assert all(entry.actor == "camera" and entry.at for entry in record.entries)


@pytest.mark.parametrize(
    "name", ["etalat-01-close", "doizece-05-joker-credit", "regulament-01-close", "doizece-09-wall-rebuilt"]
)
def test_worked_games_survive_restarts_at_every_turn(tmp_path: Path, name: str) -> None:
    """A record followed with a restart after each few looks comes to the score that stands beside it."""
    record = example(name)
    script = record_script(record)
    setup = scripted_setup(
        [script], rules=record.header.base, names=record.header.seats, dealer=record.header.dealer
    )
    path = tmp_path / "j.sqlite"
    step = max(1, len(script) // 4)
    for upto in (*range(step, len(script), step), len(script)):
        with table(path, setup) as thread:
            core = see(thread, upto)
            before = core.history
            same_as_journal(path, core)
        with table(path, setup) as thread:
            assert thread.core.history == before
            same_as_journal(path, thread.core)
    (one,) = games_in(path)
    exported = parse_record(record_text(one[1]))
    assert final_scores(exported) == final_scores(record)
    assert [entry.event for entry in exported.entries] == [
        entry.event for entry in record.entries if entry.event not in ("void", "amend")
    ]


def test_the_next_game_begins_when_the_table_is_cleared_until_the_match_is_over(tmp_path: Path) -> None:
    scripts = [played_script("etalat", 5), played_script("etalat", 6)]
    path = tmp_path / "j.sqlite"
    dealers = {0: scripts[0]}

    def new_follower(state: Any, log: Any, *, commit: str) -> Scripted:
        script = dealers.setdefault(state.dealer, played_script("etalat", 7, dealer=state.dealer))
        return Scripted(script, state, tuple(log), commit)

    base = scripted_setup(scripts, games=2)
    setup = Setup(
        base.rules, "etalat", {}, NAMES, new_follower, dealer=0, games=2, commit="discard",
    )  # fmt: skip
    with table(path, setup) as thread:
        core = see(thread, 500, 501)
        assert core.game.number == 2
        first = core.results[0]
        core = see(thread, 500, 501, 502)
        assert core.game.number == 2
        match = thread.published.public["match"]
        assert match["over"]
        second = [one["total"] for one in thread.published.public["scores"]]
        assert match["totals"] == [a + b for a, b in zip(first or (), second, strict=True)]
        assert post(thread, "next_deal").status == "wrong"
        assert post(thread, "new_match").status == "done"
        assert thread.core.game.number == 1
        assert thread.published.public["match"]["totals"] == [0, 0, 0]
        same_as_journal(path, thread.core)
    assert [game.record.header.more["match"] for _, game in games_in(path)] == [1, 1, 2]
    assert [game.id for _, game in games_in(path)] == [1, 2, 3]
    with table(path, setup) as thread:
        assert thread.core.history.matches_before == 1
        assert thread.core.game.id == 3
        same_as_journal(path, thread.core)


def as_a_camera_sees(command: c.Command) -> c.Command:
    """A draw without its tile, a deal without the tiles dealt."""
    match command:
        case c.Draw():
            return replace(command, tile=None)
        case c.Deal(hands=hands):
            return replace(command, hands=tuple(h if isinstance(h, int) else len(h) for h in hands))
        case _:
            return command


def test_a_table_cleared_before_all_was_counted_goes_on_once_it_is(tmp_path: Path) -> None:
    *played_on, racks = map(as_a_camera_sees, played_script("etalat", 5))
    path, setup = tmp_path / "j.sqlite", scripted_setup([tuple(played_on)], games=2)
    with table(path, setup) as thread:
        core = see(thread, 500, 501)
        assert (core.game.number, core.state.phase, core.complete) == (1, "over", False)
        assert post(thread, "command", **write_command(racks)).status == "done"
        assert (thread.core.game.number, thread.core.state.phase) == (2, "deal")
        same_as_journal(path, thread.core)


def test_a_look_that_says_nothing_new_is_not_published(tmp_path: Path) -> None:
    with table(tmp_path / "j.sqlite", scripted_setup([played_script("etalat", 5)])) as thread:
        see(thread, 20)
        number = thread.published.number
        core = see(thread, 20, 20, 20)
        assert core.look == 20
        assert thread.published.number == number


def test_the_button_ends_a_turn(tmp_path: Path) -> None:
    script = played_script("etalat", 3)
    with table(tmp_path / "j.sqlite", scripted_setup([script], commit="button")) as thread:
        core = see(thread, 8)
        assert not core.game.record.entries
        thread.pressed(Pressed(ButtonPressed(0, Button.END_TURN, 1)))
        core = settle(thread)
        assert len(core.game.record.entries) == 8
        assert {entry.actor for entry in core.game.record.entries} == {"button"}
        thread.pressed(Pressed(ButtonPressed(9, Button.END_TURN, 1)))
        assert settle(thread).history == core.history


def test_a_call_lights_the_lamp_until_it_is_answered(tmp_path: Path) -> None:
    script = played_script("etalat", 3)
    with table(tmp_path / "j.sqlite", scripted_setup([script])) as thread:
        see(thread, 4)
        thread.pressed(Pressed(ButtonPressed(2, Button.CALL, 1)))
        settle(thread)
        assert thread.published.lamps[2].sign is Sign.CALL
        post(thread, "calls_done")
        assert thread.published.lamps[2].sign is not Sign.CALL


def test_an_announcement_by_button_is_taken_where_it_can_mean_one_thing(tmp_path: Path) -> None:
    script = played_script("etalat", 3)
    with table(tmp_path / "j.sqlite", scripted_setup([script])) as thread:
        see(thread, 1)
        thread.pressed(Pressed(ButtonPressed(1, Button.ANNOUNCE, 1)))
        core = settle(thread)
        if core.announcing is None:
            assert core.game.record.entries[-1].event == "announce"
        else:
            seat, may_mean = core.announcing
            assert seat == 1
            assert len(may_mean) != 1
            answer = post(thread, "command", event="announce", seat=1, what="atu", anyway=True)
            assert answer.status == "done"
            assert thread.core.announcing is None


# ---- posts


def test_a_stale_post_changes_nothing(tmp_path: Path) -> None:
    script = played_script("etalat", 3)
    with table(tmp_path / "j.sqlite", scripted_setup([script])) as thread:
        see(thread, 5)
        version = thread.published.version
        see(thread, 9)
        before = thread.core
        answer = post(thread, "undo", version=version)
        assert answer.status == "stale"
        assert answer.version == thread.published.version > version
        assert thread.core == before
        assert post(thread, "undo", version=thread.published.version).status == "done"


def test_undo_takes_back_what_was_written_together(tmp_path: Path) -> None:
    script = played_script("etalat", 3)
    path = tmp_path / "j.sqlite"
    with table(path, scripted_setup([script])) as thread:
        after_5 = see(thread, 5).state
        see(thread, 9)
        assert post(thread, "undo").status == "done"
        assert thread.core.state.players == after_5.players
        assert thread.core.state.row == after_5.row
        same_as_journal(path, thread.core)
        assert [entry.event for entry in thread.core.game.record.entries[9:]] == ["void"] * 4
        assert post(thread, "undo").status == "done"
        assert thread.core.state.phase == "deal"
        assert post(thread, "undo").status == "wrong"


def test_a_correction_that_upsets_later_entries_is_answered_with_them(tmp_path: Path) -> None:
    script = played_script("etalat", 3)
    path = tmp_path / "j.sqlite"
    with table(path, scripted_setup([script])) as thread:
        core = see(thread, 12)
        answer = post(thread, "void", target=1, reason="no deal")
        assert answer.status == "conflict"
        assert {refused.seq for refused in answer.upset} > {2}
        assert thread.core.history == core.history
        assert post(thread, "void", target=99).status == "conflict"
        discard = next(e for e in core.game.record.entries if e.event == "discard")
        amended = {"event": "discard", **discard.fields, "closes": False}
        answer = post(thread, "amend", target=discard.seq, entry=amended, reason="x")
        assert answer.status == "done"
        assert post(thread, "void", target=1, anyway=True).status == "done"
        same_as_journal(path, thread.core)
        assert post(thread, "amend", target=2, entry={"event": "draw"}).status == "wrong"


def test_a_command_by_hand_is_refused_with_reasons_unless_it_happened_all_the_same(tmp_path: Path) -> None:
    script = played_script("etalat", 3)
    path = tmp_path / "j.sqlite"
    with table(path, scripted_setup([script])) as thread:
        before = see(thread, 3)
        seat = (before.state.turn.seat + 1) % 3
        answer = post(thread, "command", event="draw", seat=seat, tile=None, source="wall")
        assert answer.status == "refused"
        assert "not_your_turn" in {reason.code for reason in answer.reasons}
        assert thread.core == before
        assert post(thread, "command", event="draw", seat=seat, source="wall", anyway=True).status == "done"
        assert thread.published.lamps[seat].sign is Sign.ILLEGAL
        same_as_journal(path, thread.core)
        assert post(thread, "command", event="draw", seat=7).status == "wrong"
        assert post(thread, "command", event="void", target=1).status == "wrong"
        assert post(thread, "dance").status == "wrong"


def test_rulings_names_and_pauses(tmp_path: Path) -> None:
    script = played_script("etalat", 3)
    path = tmp_path / "j.sqlite"
    setup = scripted_setup([script])
    with table(path, setup) as thread:
        see(thread, 5)
        assert post(thread, "rule", seat=1, points=-50, reason="late").status == "done"
        assert post(thread, "rename", seat=0, name=" Ștefania ").status == "done"
        assert post(thread, "rename", seat=0, name="\n").status == "wrong"
        assert post(thread, "pause").status == "done"
        thread.looked(Looked(look(20)))
        post(thread, "calls_done")
        assert len(thread.core.game.record.entries) == 6, "what is done with the tiles in a pause is nothing"
        assert {lamp.sign for lamp in thread.published.lamps} == {Sign.PAUSE}
    with table(path, setup) as thread:
        assert thread.core.history.paused
        assert thread.published.public["seats"][0]["name"] == "Ștefania"
        assert thread.published.public["scores"][1]["total"] == -50
        same_as_journal(path, thread.core)
    assert games_in(path)[0][1].record.header.seats == ("Ștefania", "Dan", "Ioana")


def test_an_earlier_game_can_still_be_corrected(tmp_path: Path) -> None:
    script = played_script("etalat", 3)
    path = tmp_path / "j.sqlite"
    with table(path, scripted_setup([script])) as thread:
        first = see(thread, len(script))
        totals = [one["total"] for one in thread.published.public["scores"]]
        assert post(thread, "next_deal", dealer=0).status == "done"
        assert post(thread, "rule", game=1, seat=2, points=30, reason="counted wrongly").status == "done"
        assert thread.core.results == ((totals[0], totals[1], totals[2] + 30),)
        assert post(thread, "void", game=1, target=len(script) + 1).status == "done"
        assert thread.core.results == (tuple(totals),)
        assert post(thread, "rule", game=9, seat=2, points=30).status == "wrong"
        assert first.game.number == 1
        assert post(thread, "next_deal").status == "wrong"
        assert post(thread, "next_deal", anyway=True).status == "done"
        assert list(thread.core.results)[1:] == [None]
        same_as_journal(path, thread.core)


# ---- the follower


def test_a_turn_that_was_something_else_is_voided_and_written_anew(tmp_path: Path) -> None:
    """Melds keep the numbers of the raw log, though the follower numbers them as if nothing had been."""
    script = played_script("etalat", 3)
    at = next(i for i, command in enumerate(script) if isinstance(command, c.MeldDown))
    meld = script[at]
    assert isinstance(meld, c.MeldDown)
    less = c.MeldDown(meld.seat, meld.melds[:1])
    path = tmp_path / "j.sqlite"
    setup = scripted_setup([script])

    def new_follower(state: Any, log: Any, *, commit: str) -> Scripted:
        return Scripted(script, state, tuple(log), commit, corrects=(at + 2, 1, (less,)))

    correcting = Setup(setup.rules, "etalat", {}, NAMES, new_follower, dealer=0, commit="discard")
    with table(path, correcting) as thread:
        see(thread, at + 1)
        assert [one.id for one in thread.core.state.melds] == [f"m{n + 1}" for n in range(len(meld.melds))]
        core = see(thread, at + 2)
        assert [entry.event for entry in core.game.record.entries[-2:]] == ["void", "meld"]
        assert [one.id for one in core.state.melds] == [f"m{len(meld.melds) + 1}"]
        assert core.follower.state == core.state
        same_as_journal(path, core)


class Asking(Scripted):
    """Asks at its first look, and does not agree with the table at its second."""

    def observe(self, reading: Any) -> Told:
        if reading.number == 1:
            options = (candidate("draws", "trage", 0.6), candidate("takes", "ia", 0.4))
            return self, (ask(1, Ambiguity("turn", options, (), "Which?", "Care?")),)
        return self, (differing(("missing", "row 1", "look", "priviți", None)),)


def test_questions_are_shown_and_answered_once(tmp_path: Path) -> None:
    setup = scripted_setup([()])

    def asking(state: Any, log: Any, *, commit: str) -> Asking:
        return Asking((), state, tuple(log), commit)

    asks = Setup(setup.rules, "etalat", {}, NAMES, asking, dealer=0)
    with table(tmp_path / "j.sqlite", asks) as thread:
        version = thread.published.version
        see(thread, 1)
        assert thread.published.version > version
        question = thread.published.public["question"]
        assert [option["text_ro"] for option in question["options"]] == ["trage", "ia"]
        assert post(thread, "answer", number=1, choice=5).status == "wrong"
        assert post(thread, "answer", number=2, choice=0).status == "stale"
        assert post(thread, "answer", number=1, choice=0).status == "done"
        assert thread.published.public["question"] is None
        assert post(thread, "answer", number=1, choice=0).status == "stale"
        see(thread, 2)
        assert thread.published.public["differences"][0]["hint_ro"] == "priviți"


# ---- what is shown


class AskingOfRacks(Scripted):
    """Asks for a tile on a rack."""

    def observe(self, reading: Any) -> Told:
        options = (candidate("it is r5", "este r5", 0.6, (7,)), candidate("it is r6", "este r6", 0.4, (7,)))
        asked = ask(1, Ambiguity("racks", options, (7,), "Which tile is this?", "Ce piesă este?"))
        return self, (asked, differing(("extra", "table", "look", "priviți", 7)))


@pytest.mark.parametrize("over", [False, True])
def test_a_question_never_shows_a_tile_of_a_rack_while_the_game_is_on(tmp_path: Path, over: bool) -> None:
    script = played_script("etalat", 5)

    def asking(state: Any, log: Any, *, commit: str) -> AskingOfRacks:
        return AskingOfRacks((), state, tuple(log), commit)

    base = scripted_setup([()])
    setup = Setup(base.rules, "etalat", {}, NAMES, asking, dealer=0)
    lying = Lying(7, Face("r", 5), 0.6, (1.0, 2.0), 0.0, ((0.0, 0.0), (9.0, 0.0), (9.0, 9.0), (0.0, 9.0)))
    with table(tmp_path / "j.sqlite", setup) as thread:
        for command in script if over else script[:3]:
            assert post(thread, "command", **write_command(command)).status == "done"
        thread.looked(Looked(replace(look(1), racks={1: ((lying,),)})))
        settle(thread)
        public = thread.published.public
        question, (difference,) = public["question"], public["differences"]
        if over:
            assert question["keys"] == [7]
            assert question["tiles"] == [
                {"key": 7, "zone": "rack 1", "outline": [list(c) for c in lying.quad]}
            ]
            assert [option["text"] for option in question["options"]] == ["it is r5", "it is r6"]
            assert difference["key"] == 7
        else:
            assert (question["keys"], question["tiles"], question["options"]) == ([], [], [])
            assert "r5" not in json.dumps([question, difference])
            assert (difference["key"], difference["tiles"]) == (None, [])


def test_nothing_of_a_rack_is_ever_shown(tmp_path: Path) -> None:
    """Two games that differ in hidden tiles alone are shown alike, whatever is in their journals."""
    script = played_script("etalat", 3)
    deal = script[0]
    assert isinstance(deal, c.Deal)
    hidden = (
        c.Deal(tuple(len(hand) if isinstance(hand, tuple) else hand for hand in deal.hands), deal.atu,
               deal.turned, deal.counted_from),
        *(c.Draw(one.seat, None, one.source) if isinstance(one, c.Draw) else one for one in script[1:40]),
    )  # fmt: skip
    shown = []
    for name, played_one in (("open", script[:40]), ("hidden", hidden)):
        with table(tmp_path / name, scripted_setup([tuple(played_one)]), time_of_day=lambda: "now") as thread:
            see(thread, 40)
            document = dict(thread.published.public)
            document.pop("version")
            shown.append(json.dumps(document, sort_keys=True))
    assert shown[0] == shown[1]


def test_published_states_are_waited_for(tmp_path: Path) -> None:
    script = played_script("etalat", 3)
    with table(tmp_path / "j.sqlite", scripted_setup([script])) as thread:
        first = thread.published
        assert thread.wait(after=first.number, timeout=0) is None
        waiter: list[Any] = []
        waits = threading.Thread(
            target=lambda: waiter.append(thread.wait(after=first.number, timeout=WAIT_S)), name="waiter"
        )
        waits.start()
        thread.said(Part("camera", "live", well=True))
        waits.join(WAIT_S)
        assert waiter[0].number > first.number
        assert waiter[0].version == first.version, "how the camera is makes no post stale"


def test_the_clock_makes_the_lamp_hurry_and_stands_in_a_pause(tmp_path: Path) -> None:
    now = Now()
    script = played_script("etalat", 3)
    setup = scripted_setup([script], clock=ClockSettings("limit", 60.0, (15.0,)))
    with table(tmp_path / "j.sqlite", setup, now) as thread:
        seat = see(thread, 3).state.turn.seat
        assert thread.published.lamps[seat].sign is Sign.TURN
        now.seconds += 40
        post(thread, "pause")
        now.seconds += 1000
        post(thread, "resume")
        assert thread.published.public["clock"]["left_s"] == 20
        assert thread.published.lamps[seat].sign is Sign.TURN
        number = thread.published.number
        now.seconds += 10
        while (later := thread.wait(after=number, timeout=WAIT_S)) is not None:
            number = later.number
            if later.lamps[seat].sign is Sign.HURRY:
                break
        assert later is not None
        assert later.public["clock"]["warnings"] == 1


@pytest.mark.parametrize("mode", ["off", "up", "limit"])
def test_who_looks_in_the_middle_of_a_turn_sees_its_time(tmp_path: Path, mode: Mode) -> None:
    now = Now()
    setup = scripted_setup([played_script("etalat", 3)], clock=ClockSettings(mode, 60.0, (15.0,)))
    with table(tmp_path / "j.sqlite", setup, now) as thread:
        see(thread, 3)
        then = thread.published
        now.seconds += 50
        for shown in (thread.document(), thread.document(then)):
            clock = shown["clock"]
            assert (clock["mode"], clock["spent_s"], clock["runs"]) == (mode, 50, True)
            assert (clock["left_s"], clock["warnings"]) == ((10, 1) if mode == "limit" else (None, 0))
        post(thread, "pause")
        now.seconds += 1000
        assert (thread.document()["clock"]["spent_s"], thread.document()["clock"]["runs"]) == (50, False)
        post(thread, "resume")
        now.seconds += 5
        assert thread.document()["clock"]["spent_s"] == 55
        assert {**thread.document(), "clock": None} == {**thread.published.public, "clock": None}


# ---- faults


def test_a_full_disk_is_shown_and_the_look_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = played_script("etalat", 3)
    path = tmp_path / "j.sqlite"
    full = JournalError("disk_full", hint_en="The disk is full", hint_ro="Discul este plin")
    monkeypatch.setattr("companion.table.thread._RETRY_S", 0.05)
    with table(path, scripted_setup([script])) as thread:
        see(thread, 4)
        works = Journal._write

        def fails(*_: object) -> None:
            raise full

        monkeypatch.setattr(Journal, "_write", fails)
        number = thread.published.number
        thread.looked(Looked(look(6)))
        thread.looked(Looked(look(9)))
        shown = thread.wait(after=number, timeout=WAIT_S)
        assert shown is not None
        assert shown.public["trouble"] == {"en": "The disk is full", "ro": "Discul este plin"}
        answer = post(thread, "undo")
        assert answer.status == "failed"
        assert answer.words.ro == "Discul este plin"
        assert len(thread.core.game.record.entries) == 4
        monkeypatch.setattr(Journal, "_write", works)
        while thread.published.public["trouble"] is not None:
            thread.wait(after=thread.published.number, timeout=0.1)
        assert len(thread.core.game.record.entries) == 9, "the newest look says all that the older one said"
        same_as_journal(path, thread.core)


class Broken(Scripted):
    """A follower with a fault."""

    def observe(self, reading: Any) -> Told:
        raise ZeroDivisionError("a fault")


def test_a_fault_of_the_program_is_shown_and_the_table_goes_on(tmp_path: Path) -> None:
    setup = scripted_setup([()])

    def broken(state: Any, log: Any, *, commit: str) -> Broken:
        return Broken((), state, tuple(log), commit)

    with table(tmp_path / "j.sqlite", Setup(setup.rules, "etalat", {}, NAMES, broken, dealer=0)) as thread:
        see(thread, 1)
        (part,) = thread.published.public["parts"]
        assert (part["name"], part["well"]) == ("table", False)
        assert "ZeroDivisionError" in part["why_ro"]
        assert post(thread, "pause").status == "done"
        thread.ended("eyes", "OSError: gone")
        settle(thread)
        assert thread.published.public["parts"][-1]["name"] == "thread eyes"


def test_a_listener_that_fails_is_shown_and_ends_nothing(tmp_path: Path) -> None:
    def fails(_: object) -> None:
        raise ValueError("no such lamp")

    with table(tmp_path / "j.sqlite", scripted_setup([()]), on_published=fails) as thread:
        assert post(thread, "pause").status == "done"
        assert post(thread, "resume").status == "done"
        assert "no such lamp" in thread.published.public["parts"][0]["why"]


def test_after_the_end_posts_are_answered(tmp_path: Path) -> None:
    with table(tmp_path / "j.sqlite", scripted_setup([()])) as thread:
        pass
    assert post(thread, "pause").status == "failed"
    assert thread.closed
    assert not any(one.name == "table" for one in threading.enumerate())


def test_a_match_of_other_rules_goes_on_and_says_so(tmp_path: Path) -> None:
    script = played_script("etalat", 3)
    path = tmp_path / "j.sqlite"
    with table(path, scripted_setup([script])) as thread:
        see(thread, 5)
    other = scripted_setup([script], rules="doizece")
    with table(path, other) as thread:
        assert thread.core.state.rules.key == "etalat"
        assert thread.published.public["parts"][0]["name"] == "match"
    fresh = tmp_path / "fresh.sqlite"
    with table(fresh, scripted_setup([script])):
        pass
    with table(fresh, other) as thread:
        assert thread.core.state.rules.key == "doizece", "nothing was played: the file counts"
