"""A table set up otherwise while it runs: at once where nothing was played, else from the next match."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.table.clock import ClockSettings
from companion.table.errors import JournalError
from companion.table.history import fold
from companion.table.journal import Journal, read_journal
from companion.table.thread import TableThread
from engine.rules import rule_set
from tests.companion.table.scripted import played_script, scripted_setup
from tests.companion.table.test_table import WAIT_S, Now, post, same_as_journal, see, settle, table

SCRIPT = played_script("etalat", 3)
SETUP = scripted_setup([SCRIPT])
OTHER = replace(
    SETUP,
    rules=replace(rule_set("etalat"), first_meld_points=60),
    changes={"first_meld_points": 60},
    names=("Ana", "Vlad", "Ioana"),
    clock=ClockSettings("limit", 60.0, (10.0,)),
)


def test_where_nothing_was_played_the_match_begins_anew_with_it(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with table(path, SETUP) as thread:
        before = thread.core
        assert thread.set_up(OTHER).result(WAIT_S) is True
        core = settle(thread)
        assert core.game.record.header.seats == OTHER.names
        assert core.state.rules.first_meld_points == 60
        assert core.version > before.version
        assert thread.published.public["seats"][1]["name"] == "Vlad"
        assert thread.setup is OTHER
        assert "match" not in core.parts
        same_as_journal(path, core)
    # It is in the journal, and not only in the memory.
    with table(path, OTHER) as thread:
        assert thread.core.game.record.header.seats == OTHER.names
        assert "match" not in thread.core.parts


def test_a_match_in_which_was_played_goes_on_and_the_next_one_has_it(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with table(path, SETUP) as thread:
        before = see(thread, 1)
        assert before.game.record.entries
        rows = read_journal(path)
        assert thread.set_up(OTHER).result(WAIT_S) is False
        core = settle(thread)
        assert read_journal(path) == rows
        assert core.game.record == before.game.record
        assert core.parts["match"].well
        assert "next match" in core.parts["match"].why.en
        # And it goes on being followed by its own rules.
        assert len(see(thread, 4).game.record.entries) > len(before.game.record.entries)
        assert thread.core.state.rules.first_meld_points != 60
        post(thread, "new_match", anyway=True)
        core = settle(thread)
        assert core.game.record.header.seats == OTHER.names
        assert core.state.rules.first_meld_points == 60
        same_as_journal(path, core)


def clock_of(thread: TableThread) -> Any:
    """The clock of what is published."""
    return thread.published.public["clock"]


def test_the_clock_holds_at_once(tmp_path: Path) -> None:
    now = Now()
    with table(tmp_path / "j.sqlite", SETUP, now) as thread:
        see(thread, 4)
        assert clock_of(thread)["mode"] == "off"
        assert thread.set_up(OTHER).result(WAIT_S) is False
        assert clock_of(thread)["mode"] == "limit"


def test_the_same_again_begins_nothing(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with table(path, SETUP) as thread:
        rows = read_journal(path)
        assert thread.set_up(replace(SETUP)).result(WAIT_S) is False
        assert read_journal(path) == rows
        assert "match" not in thread.core.parts


def test_what_cannot_be_written_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "j.sqlite"
    with table(path, SETUP) as thread:
        append = Journal.append

        def full(journal: Journal, rows: Any) -> None:
            if rows:
                raise JournalError("full", hint_en="The disk is full.", hint_ro="Discul este plin.")
            append(journal, rows)

        monkeypatch.setattr(Journal, "append", full)
        with pytest.raises(JournalError, match="full"):
            thread.set_up(OTHER).result(WAIT_S)
        assert thread.setup is SETUP
        assert thread.core.game.record.header.seats == SETUP.names
        monkeypatch.setattr(Journal, "append", append)
        assert thread.set_up(OTHER).result(WAIT_S) is True
        assert fold(read_journal(path)).game == thread.core.history.game


def test_a_table_that_has_ended_takes_nothing_more(tmp_path: Path) -> None:
    with table(tmp_path / "j.sqlite", SETUP) as thread:
        pass
    assert thread.set_up(OTHER).result(WAIT_S) is False
