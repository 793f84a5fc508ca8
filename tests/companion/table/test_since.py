"""What a reader who was cut off is given again: by the table thread, and over the page after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.table.config import parse_config
from companion.table.inputs import Post
from companion.table.running import RunningTable
from tests.web_ui.conftest import read_picture, rows_by_height
from tests.web_ui.test_game_api import events
from web_ui.app import create_app
from web_ui.services import Services

TEXT = "[players]\nnames = ['Ana', 'Dan', 'Ioana']\ndealer = 'Ana'\n"
WAIT_S = 30.0


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RunningTable]:
    with RunningTable(parse_config(TEXT, folder=tmp_path)) as opened:
        yield opened


def change(table: RunningTable, times: int) -> None:
    for _ in range(times):
        what = "resume" if table.document()["paused"] else "pause"
        assert table.table.post(Post(what, {}, None)).result(WAIT_S).status == "done"


def numbers(table: RunningTable, after: int) -> list[int]:
    return [one.number for one in table.table.since(after=after, timeout=0.0)]


def test_everything_since_comes_once_and_in_order(table: RunningTable) -> None:
    first = table.table.published.number
    change(table, 20)
    last = table.table.published.number
    assert last == first + 20
    for after in range(first, last + 1):
        assert numbers(table, after) == list(range(after + 1, last + 1))
    found = table.table.since(after=first, timeout=0.0)
    assert [one.public["paused"] for one in found] == [True, False] * 10
    assert found[-1] is table.table.published


def test_who_knows_nothing_or_too_little_gets_the_newest_alone(table: RunningTable) -> None:
    change(table, 140)
    last = table.table.published.number
    assert numbers(table, 0) == numbers(table, 1) == [last]
    assert numbers(table, last - 128) == list(range(last - 127, last + 1))
    assert numbers(table, last - 129) == [last]


def test_a_reader_who_waits_is_woken_by_a_change_and_by_the_end(table: RunningTable) -> None:
    after = table.table.published.number
    done = table.table.post(Post("pause", {}, None))
    assert [one.number for one in table.table.since(after=after, timeout=WAIT_S)] == [after + 1]
    assert done.result(WAIT_S).status == "done"
    table.table.close()
    assert table.table.since(after=table.table.published.number, timeout=WAIT_S) == ()


def app_of(table: RunningTable) -> Flask:
    return create_app(Services(read_picture, rows_by_height, game=table))


def read(app: Flask, last_id: str, chunks: int) -> tuple[str, list[tuple[int, dict[str, Any]]]]:
    """The newest id and the events of so many chunks of the stream, the first of which has none."""
    headers = {"Last-Event-ID": last_id} if last_id else {}
    answer = app.test_client().get("/api/v1/game/events", headers=headers, buffered=False)
    text = "".join(
        part.decode() if isinstance(part, bytes) else str(part) for part in islice(answer.response, chunks)
    )
    answer.close()
    ids = [line.removeprefix("id: ") for line in text.splitlines() if line.startswith("id: ")]
    return ids[-1], events(text)


def test_a_reader_who_comes_back_misses_nothing(table: RunningTable) -> None:
    app = app_of(table)
    last_id, found = read(app, "", 2)
    assert len(found) == 1
    change(table, 7)
    again, missed = read(app, last_id, 2)
    first = found[0][0]
    assert [number for number, _ in missed] == list(range(first + 1, first + 8))
    change(table, 1)
    assert [number for number, _ in read(app, again, 2)[1]] == [first + 8]


def test_after_a_restart_a_reader_gets_the_table_as_it_is(tmp_path: Path) -> None:
    config = parse_config(TEXT, folder=tmp_path)
    with RunningTable(config) as table:
        change(table, 5)
        app = app_of(table)
        last_id, ((number, before),) = read(app, "", 2)
    with RunningTable(config) as table:
        # The numbers begin anew: those of the reader lie ahead of them, and he would wait for long.
        assert table.table.published.number < number
        other = app_of(table)
        new_id, ((_, after),) = read(other, last_id, 2)
        assert new_id.partition("-")[0] != last_id.partition("-")[0]
        assert (after["paused"], after["number"]) == (True, table.table.published.number)
        assert after["version"] > before["version"]
        change(table, 1)
        assert [document["paused"] for _, document in read(other, new_id, 2)[1]] == [False]
