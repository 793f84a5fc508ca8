"""The table with its true follower: made-up looks become entries, over restarts and corrections."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from companion.table.core import Core, Setup
from companion.table.inferring import NewInferring
from companion.table.inputs import Answer, Looked, Post, Pressed
from companion.table.journal import Journal
from companion.table.thread import TableThread
from engine.lamps import Button, ButtonPressed, Sign
from engine.rules import rule_set
from tests.companion.table.test_table import same_as_journal
from tests.engine.infer.tables import Table

WAIT_S = 60.0


def setup_of(rules: str, commit: str = "discard") -> Setup:
    follower = NewInferring(buttons=commit == "button")
    return Setup(rule_set(rules), rules, {}, ("Ana", "Dan"), follower, dealer=1, commit=commit)


@contextmanager
def table(path: Path, setup: Setup) -> Iterator[TableThread]:
    with Journal(path) as journal, TableThread(journal, setup, random=Random(1)) as thread:
        yield thread


def post(thread: TableThread, what: str, /, **fields: object) -> Answer:
    return thread.post(Post(what, fields)).result(WAIT_S)


def see(thread: TableThread, lies: Table, count: int = 4) -> Core:
    """So many looks at what lies there."""
    for at in range(count):
        lies.number += 1
        lies.at += 1.0 if at else 6.0
        thread.looked(Looked(lies.reading()))
    assert post(thread, "resume").status == "done"
    assert all(part.well for part in thread.core.parts.values()), thread.core.parts
    return thread.core


def row_of(core: Core) -> list[str]:
    return [str(face) for face in core.state.row]


def opened(thread: TableThread) -> Table:
    """A game in which seat 0 has opened, and seat 1 is on turn."""
    lies = Table("doizece")
    see(thread, lies)
    for discard in ("k2", "r1"):
        lies.row.append(discard)
        see(thread, lies)
    lies.melds += [("b9 b10 b11 b12 b13", 1), ("r10 y10 k10", 1)]
    lies.row.append("y3")
    see(thread, lies)
    return lies


def test_looks_become_entries_and_a_restart_goes_on_without_a_seam(tmp_path: Path) -> None:
    path, setup = tmp_path / "j.sqlite", setup_of("doizece")
    with table(path, setup) as thread:
        lies = opened(thread)
        core = thread.core
        same_as_journal(path, core)
        assert row_of(core) == ["k2", "r1", "y3"]
        assert [meld.id for meld in core.state.melds] == ["m1", "m2"]
        entries = len(core.game.record.entries)
    with table(path, setup) as thread:
        core = see(thread, lies)
        assert len(core.game.record.entries) == entries, "what lay there before is nothing new"
        assert not core.differs
        lies.row.append("b7")
        core = see(thread, lies)
        assert [entry.event for entry in core.game.record.entries[entries:]] == ["draw", "discard"]
        same_as_journal(path, core)


def test_what_changed_while_nothing_ran_is_followed_at_the_next_look(tmp_path: Path) -> None:
    path, setup = tmp_path / "j.sqlite", setup_of("doizece")
    with table(path, setup) as thread:
        lies = opened(thread)
    lies.row += ["b7", "r4"]
    with table(path, setup) as thread:
        core = see(thread, lies, 14)
        assert row_of(core) == ["k2", "r1", "y3", "b7", "r4"]
        same_as_journal(path, core)


def test_the_button_commits_what_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with table(path, setup_of("doizece", "button")) as thread:
        lies = Table("doizece")
        see(thread, lies)
        lies.row.append("k2")
        core = see(thread, lies)
        assert row_of(core) == []
        thread.pressed(Pressed(ButtonPressed(0, Button.END_TURN, 1)))
        post(thread, "resume")
        assert row_of(thread.core) == ["k2"]
        assert thread.core.game.record.entries[-1].actor == "button"
        assert thread.published.lamps[1].sign is Sign.TURN


def test_a_turn_that_a_look_tells_is_the_cameras_though_its_player_pressed_before(tmp_path: Path) -> None:
    with table(tmp_path / "j.sqlite", setup_of("doizece", "button")) as thread:
        lies = Table("doizece")
        see(thread, lies)
        thread.pressed(Pressed(ButtonPressed(0, Button.END_TURN, 1)))
        lies.row.append("k2")
        core = see(thread, lies)
        assert row_of(core) == ["k2"]
        assert core.game.record.entries[-1].actor == "camera"


def test_a_doubtful_discard_is_asked_with_a_lamp_and_answered_on_the_page(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with table(path, setup_of("doizece")) as thread:
        lies = Table("doizece")
        see(thread, lies)
        lies.row.append("r8~r6")
        core = see(thread, lies, 12)
        assert core.question is not None
        assert thread.published.lamps[0].sign is Sign.DOUBT
        shown = thread.published.public["question"]
        (tile,) = lies.reading().row
        assert shown["keys"] == [tile.key]
        assert [(one["key"], one["zone"]) for one in shown["tiles"]] == [(tile.key, "discard")]
        assert all(option["keys"] == [tile.key] for option in shown["options"])
        choice = next(i for i, one in enumerate(core.question.options) if "red 6" in one.text_en)
        assert post(thread, "answer", number=core.question.number, choice=choice).status == "done"
        assert row_of(thread.core) == ["r6"]
        assert thread.core.game.record.entries[-1].actor == "arbiter"
        same_as_journal(path, see(thread, lies, 4))
        assert row_of(thread.core) == ["r6"], "what the arbiter said stands"


def test_after_a_correction_the_table_goes_on_with_the_melds_of_the_record(tmp_path: Path) -> None:
    """The numbers of melds go on in the raw log; what is laid off later goes to the right one."""
    path = tmp_path / "j.sqlite"
    with table(path, setup_of("doizece")) as thread:
        lies = opened(thread)
        core = thread.core
        meld = next(entry for entry in core.game.record.entries if entry.event == "meld")
        again = {"event": "meld", "seat": 0, "melds": list(meld.fields["melds"])}
        assert post(thread, "amend", target=meld.seq, entry=again, reason="looked at again").status == "done"
        see(thread, lies)
        lies.row.append("b7")
        see(thread, lies)
        lies.melds[1] = ("r10 y10 k10 b10", 1)
        lies.row.append("k5")
        core = see(thread, lies, 14)
        if (
            core.question is not None
        ):  # a lay-off seen together with its discard takes many looks, or is asked
            choice = next(i for i, one in enumerate(core.question.options) if "blue 10" in one.text_en)
            assert post(thread, "answer", number=core.question.number, choice=choice).status == "done"
            core = see(thread, lies, 4)
        same_as_journal(path, core)
        assert row_of(core)[-1] == "k5"
        laid = next(entry for entry in core.game.record.entries if entry.event == "lay_off")
        found = core.state.meld(laid.fields["meld"])
        assert found is not None
        assert len(found.pieces) == 4


def test_an_illegal_move_is_followed_and_shown(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with table(path, setup_of("doizece")) as thread:
        lies = opened(thread)
        lies.melds[0] = ("b8 b9 b10 b11 b12 b13", 1)
        see(thread, lies, 2)
        lies.row.append("k8")
        core = see(thread, lies, 14)
        if core.question is not None:  # so unlikely that it is asked
            choice = next(i for i, one in enumerate(core.question.options) if "onto" in one.text_en)
            assert post(thread, "answer", number=core.question.number, choice=choice).status == "done"
            core = thread.core
        assert row_of(core)[-1] == "k8"
        assert [refused.reason.code for refused in core.refused] == ["not_opened"]
        assert thread.published.public["refusals"][0]["hint_ro"]
        assert thread.published.lamps[1].sign is Sign.ILLEGAL
        same_as_journal(path, core)


def test_a_wrong_entry_is_voided_once_the_table_shows_otherwise(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with table(path, setup_of("doizece")) as thread:
        lies = opened(thread)
        lies.row.append("k9")
        core = see(thread, lies, 2)
        assert row_of(core)[-1] == "k9"
        lies.keys["row", 0, 3, "k6"] = lies.key("row", 0, 3, "k9")
        lies.row[-1] = "k6~~k9"
        core = see(thread, lies, 8)
        assert row_of(core)[-1] == "k6"
        assert [entry.event for entry in core.game.record.entries[-4:]] == ["void", "void", "draw", "discard"]
        same_as_journal(path, core)
