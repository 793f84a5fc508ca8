"""The running table on /api/v1/game: as it is, as events, and what an arbiter asks for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.web_ui.conftest import read_picture, rows_by_height
from web_ui.app import create_app
from web_ui.game_api import STATUS
from web_ui.pin import Gate
from web_ui.services import Services
from web_ui.shared import EXTENSION
from web_ui.streams import MOST_STREAMS


class Table:
    """A table that changes when it is waited for, and ends after three changes."""

    def __init__(self, pin: str | None = None) -> None:
        self.pin = pin
        self.number = 7
        self.asked: list[tuple[Any, ...]] = []
        self.status = "done"

    @property
    def closed(self) -> bool:
        return self.number >= 10

    def document(self) -> Mapping[str, Any]:
        return {"version": 70, "number": self.number, "seats": [{"name": "Ștefan"}]}

    def wait(self, after: int, timeout: float) -> Mapping[str, Any] | None:
        if after >= self.number:
            self.number += 1
        return self.document()

    def entries(self) -> list[Mapping[str, Any]]:
        return []

    def preview(
        self, what: str, fields: Mapping[str, Any], version: int | None, *, anyway: bool
    ) -> Mapping[str, Any]:
        return {"status": self.status, "version": 70}

    def since(self, after: int, timeout: float) -> tuple[Mapping[str, Any], ...]:
        document = self.wait(after, timeout)
        return () if document is None else (document,)

    def post(
        self, what: str, fields: Mapping[str, Any], version: int | None, *, anyway: bool
    ) -> Mapping[str, Any]:
        self.asked.append((what, dict(fields), version, anyway))
        return {"status": self.status, "version": 71}


def client_of(table: Table | None) -> FlaskClient:
    app = create_app(Services(read_picture, rows_by_height, game=table))
    app.testing = True
    return app.test_client()


def test_the_table_as_it_is_and_unchanged() -> None:
    client = client_of(Table())
    answer = client.get("/api/v1/game")
    assert answer.get_json()["seats"][0]["name"] == "Ștefan"
    again = client.get("/api/v1/game", headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_without_a_table_there_is_none() -> None:
    client = client_of(None)
    for path in ("/api/v1/game", "/api/v1/game/events"):
        assert client.get(path).status_code == 404
    assert client.post("/api/v1/game", json={"what": "undo", "version": 1}).status_code == 404


def events(text: str) -> list[tuple[int, dict[str, Any]]]:
    found = []
    for block in text.split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "data" in lines:
            assert lines["event"] == "game"
            found.append((int(lines["id"].partition("-")[2]), json.loads(lines["data"])))
    return found


@pytest.mark.parametrize(
    ("last", "first"),
    [("", 7), ("RUN-6", 7), ("RUN-7", 8), ("7", 7), ("otherrun-7", 7), ("RUN-x", 7), ("RUN-²", 7)],
)
def test_events_begin_with_what_the_reader_does_not_know(last: str, first: int) -> None:
    client = client_of(Table())
    run = client.application.extensions[EXTENSION].streams.run
    headers = {"Last-Event-ID": last.replace("RUN", run)} if last else {}
    answer = client.get("/api/v1/game/events", headers=headers)
    assert answer.mimetype == "text/event-stream"
    found = events(answer.get_data(as_text=True))
    assert [number for number, _ in found] == list(range(first, 11))
    assert found[0][1]["seats"][0]["name"] == "Ștefan"


def test_streams_are_counted() -> None:
    table = Table()
    client = client_of(table)
    open_streams = [client.get("/api/v1/game/events", buffered=False) for _ in range(MOST_STREAMS)]
    refused = client.get("/api/v1/game/events")
    assert refused.status_code == 503
    assert "secunde" in refused.get_json()["error"]["message"]["ro"]
    for stream in open_streams:
        stream.close()
    again = client.get("/api/v1/game/events")
    assert again.status_code == 200
    again.close()


@pytest.mark.parametrize(("status", "code"), STATUS.items())
def test_an_arbiter_asks_and_is_told_what_became_of_it(status: str, code: int) -> None:
    table = Table(pin="2580")
    table.status = status
    answer = client_of(table).post(
        "/api/v1/game",
        json={"what": "void", "fields": {"target": 3}, "version": 70, "anyway": True},
        headers={"X-Remi-Pin": "2580"},
    )
    assert answer.status_code == code
    assert answer.get_json()["game"]["version"] == 70
    assert table.asked == [("void", {"target": 3}, 70, True)]


@pytest.mark.parametrize(
    "body", [None, [], {}, {"what": 3, "version": 1}, {"what": "undo"}, {"what": "undo", "version": True},
             {"what": "undo", "version": 1, "fields": []}],
)  # fmt: skip
def test_what_is_no_request_is_refused(body: Any) -> None:
    table = Table()
    assert client_of(table).post("/api/v1/game", json=body).status_code == 400
    assert not table.asked


def test_who_does_not_know_the_pin_changes_nothing() -> None:
    table = Table(pin="2580")
    client = client_of(table)
    for headers in ({}, {"X-Remi-Pin": "1234"}, {"X-Remi-Pin": "șase"}):
        answer = client.post("/api/v1/game", json={"what": "undo", "version": 1}, headers=headers)
        assert answer.status_code == 403
        assert answer.get_json()["error"]["code"] == "pin_wrong"
    other = client.post(
        "/api/v1/game",
        json={"what": "undo", "version": 1},
        headers={"X-Remi-Pin": "2580", "Sec-Fetch-Site": "cross-site"},
    )
    assert other.status_code == 403
    assert not table.asked


def test_five_wrong_pins_lock_for_a_minute_and_missing_ones_do_not() -> None:
    gate = Gate()
    for _ in range(20):
        assert gate.refusal("2580", None, "10.0.0.2", 0.0) == "pin_wrong"
    for _ in range(5):
        assert gate.refusal("2580", "1111", "10.0.0.2", 0.0) == "pin_wrong"
    assert gate.refusal("2580", "2580", "10.0.0.2", 59.0) == "pin_locked"
    assert gate.refusal("2580", "2580", "10.0.0.2", 60.0) is None


def test_without_a_pin_this_machine_alone_may_change_something() -> None:
    gate = Gate()
    assert gate.refusal(None, None, "127.0.0.1", 0.0) is None
    assert gate.refusal(None, None, "::1", 0.0) is None
    for address in ("10.0.0.2", None, "", "unix"):
        assert gate.refusal(None, None, address, 0.0) == "this_machine_only"
