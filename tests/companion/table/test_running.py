"""A table put together from its file: a board of software, a sight that is told, or no camera."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.table.config import TableConfig, parse_config
from companion.table.errors import JournalError
from companion.table.inputs import Part, Post
from companion.table.journal import Journal, read_journal
from companion.table.published import Published
from companion.table.running import RunningTable
from companion.table.threads import THREADS, is_listed
from engine.lamps import Sign
from engine.rules import RuleSet
from engine.table_reading import TableReading
from tests.companion.table.scripted import look, played_script, scripted_setup

WAIT_S = 60.0


class Sight:
    """Looks when it is told to."""

    def __init__(self, on_reading: Callable[[TableReading], None], on_part: Callable[[Part], None]) -> None:
        self.see, self.say = on_reading, on_part
        self.ended: list[bool] = []
        self.closed = False

    def end(self, *, ended: bool) -> None:
        self.ended.append(ended)

    def close(self) -> None:
        self.closed = True


def config_of(folder: Path, more: str = "") -> TableConfig:
    text = "[players]\nnames = ['Ana', 'Dan', 'Ioana']\ndealer = 'Ana'\n[match]\ngames = 3\n" + more
    return parse_config(text, folder=folder)


@contextmanager
def running(
    folder: Path, more: str = "", *, script: Any = None, commit: str = "discard", new_follower: Any = None
) -> Iterator[tuple[RunningTable, Sight]]:
    sights: list[Sight] = []

    def open_sight(config: TableConfig, rules: RuleSet, **given: Any) -> Sight:
        sights.append(Sight(**given))
        return sights[-1]

    script = script or played_script("etalat", 3)
    follower = new_follower or scripted_setup([script], commit=commit).new_follower
    with RunningTable(config_of(folder, more), open_sight=open_sight, new_follower=follower) as table:
        yield table, sights[0]
    assert sights[0].closed


def until(table: RunningTable, holds: Callable[[Published], bool]) -> Published:
    published = table.table.published
    while not holds(published):
        later = table.table.wait(after=published.number, timeout=WAIT_S)
        assert later is not None, published.public
        published = later
    return published


def test_a_game_from_looks_to_lamps_with_a_board_of_software(tmp_path: Path) -> None:
    """A press at the software board goes over a pseudo terminal, the real link and the queue into a turn."""
    more = "[board]\nport = 'sim'\nplaces = [3, 0, 1]\n[turn]\ncommit = 'button'\n"
    # Those of a browser that other tests use are none of ours.
    others = set(threading.enumerate())
    with running(tmp_path, more, commit="button") as (table, sight):
        until(
            table,
            lambda shown: any(p["name"] == "board" and p["state"] == "up" for p in shown.public["parts"]),
        )
        assert table.board is not None
        sight.see(look(8))
        sight.say(Part("camera", "looking", well=True))
        until(table, lambda shown: any(part["name"] == "camera" for part in shown.public["parts"]))
        assert table.document()["phase"] == "deal"
        table.board.press(3, 0)
        shown = until(table, lambda shown: shown.state.phase == "play")
        assert len(shown.public["entries"]) == 8
        assert shown.lamps[shown.state.turn.seat].sign is Sign.TURN
        ours = set(threading.enumerate()) - others
        names = {thread.name for thread in ours if not thread.name.startswith("ThreadPool")}
        assert {"table", "board", "board-sim"} <= names
        assert all(is_listed(name) for name in names)
    assert not {"table", "board", "board-sim"} & {thread.name for thread in threading.enumerate()}
    Journal(tmp_path / "remi-journal.sqlite").close()


def test_racks_may_be_looked_at_once_the_game_is_over(tmp_path: Path) -> None:
    script = played_script("etalat", 3)
    with running(tmp_path, script=script) as (table, sight):
        assert sight.ended == [False]
        sight.see(look(len(script)))
        until(table, lambda shown: shown.state.phase == "over")
        assert sight.ended == [False, True]


def test_a_thread_that_breaks_off_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def fails() -> None:
        raise OSError("the driver is gone")

    before = threading.excepthook
    # pytest has a hook of its own, which would make a warning of it.
    threading.excepthook = lambda _: None
    try:
        with running(tmp_path) as (table, _):
            thread = threading.Thread(target=fails, name="eyes")
            thread.start()
            thread.join()
            shown = until(table, lambda shown: bool(shown.public["parts"]))
            (part,) = shown.public["parts"]
            assert (part["name"], part["well"]) == ("thread eyes", False)
            assert "the driver is gone" in part["why"]
            assert table.table.post(Post("pause")).result(WAIT_S).status == "done"
    finally:
        threading.excepthook = before


def test_what_cannot_start_leaves_nothing_running_and_nothing_locked(tmp_path: Path) -> None:
    def fails(*_: Any, **__: Any) -> Sight:
        raise OSError("no camera")

    with pytest.raises(OSError, match="no camera"):
        RunningTable(config_of(tmp_path), open_sight=fails, new_follower=scripted_setup([()]).new_follower)
    assert not any(thread.name == "table" for thread in threading.enumerate())
    with (
        Journal(tmp_path / "remi-journal.sqlite"),
        pytest.raises(JournalError, match="Another companion"),
    ):
        RunningTable(config_of(tmp_path))


def test_without_a_camera_the_game_is_entered_by_hand(tmp_path: Path) -> None:
    with RunningTable(config_of(tmp_path)) as table:
        version = table.document()["version"]
        done = table.post(
            "command", {"event": "deal", "hands": [14, 15, 14], "atu": "k6"}, version, anyway=False
        )
        assert done["status"] == "done"
        assert table.document()["phase"] == "play"
        stale = table.post("undo", {}, version, anyway=False)
        assert stale["status"] == "stale"
        assert "pagina" in stale["message"]["ro"]
        refused = table.post("command", {"event": "draw", "seat": 2}, None, anyway=False)
        assert refused["reasons"][0]["hint_ro"]
        upset = table.post("void", {"target": 9}, None, anyway=False)
        assert upset["conflicts"][0]["code"] == "no_such_entry"
    assert [row.event for row in read_journal(tmp_path / "remi-journal.sqlite")] == ["match", "game", "deal"]


def test_every_thread_has_a_line() -> None:
    assert all(THREADS.values())
    for name in ("table", "source usb:c920", "eyes", "board", "board-sim", "waitress-0", "MainThread"):
        assert is_listed(name)
    assert not is_listed("Thread-1")


def test_where_the_table_itself_breaks_off_the_process_is_told_to_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    told = threading.Event()
    table = RunningTable(config_of(tmp_path), on_dead=told.set)
    try:
        monkeypatch.setattr(table.table, "_take", None)
        table.table.said(Part("camera", "live", well=True))
        assert told.wait(WAIT_S)
        assert table.dead
        assert table.closed
        assert table.post("pause", {}, None, anyway=False)["status"] == "failed"
    finally:
        table.close()
    Journal(tmp_path / "remi-journal.sqlite").close()
