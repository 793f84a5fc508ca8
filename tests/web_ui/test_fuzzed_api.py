"""Requests that schemathesis makes from the OpenAPI document: a running table answers none with a fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings

from companion.past import Past
from companion.sheets import SheetFile
from companion.table.config import parse_config
from companion.table.running import RunningTable
from engine.records import format_record
from tests.web_ui.conftest import JPEG, read_picture, rows_by_height
from tests.web_ui.test_history import played
from web_ui.app import create_app
from web_ui.services import PictureRefusedError, ReadPicture, Services

schemathesis = pytest.importorskip("schemathesis", reason="schemathesis is not installed")

PIN = "2580"
EXAMPLES = 15


def reads(data: bytes) -> ReadPicture:
    """Only what this test calls a picture is one: made-up bytes are refused as the true reader does it."""
    if data != JPEG:
        raise PictureRefusedError("not_a_picture", message_ro="Nu este o imagine.", message_en="No picture.")
    return read_picture(data)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    text = f"[players]\nnames = ['Ana', 'Dan', 'Ioana']\n[page]\npin = '{PIN}'\n"
    config = parse_config(text, folder=tmp_path_factory.mktemp("table"))
    with RunningTable(config) as table, SheetFile(None) as file:
        past = Past(config.journal, file)
        past.add(format_record(played()))
        file.begin({"name": "", "rules": "etalat", "players": ["Ana", "Dan"]})
        app = create_app(Services(reads, rows_by_height, game=table, history=past, sheets=file))
        app.config["PROPAGATE_EXCEPTIONS"] = False
        yield app


def operations(app: Flask) -> Iterator[object]:
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    for found in schema.get_all_operations():
        operation = found.ok()
        if not operation.path.endswith("/events"):  # a stream never ends
            yield operation


def test_no_request_that_fits_the_document_meets_a_fault(app: Flask) -> None:
    client = app.test_client()
    photo = client.post("/api/v1/photos", data=JPEG, content_type="image/jpeg").get_json()
    keys = {
        "/api/v1/history/{key}": client.get("/api/v1/history").get_json()["matches"][-1]["key"],
        "/api/v1/sheets/{key}": client.get("/api/v1/sheets").get_json()["sheets"][0]["id"],
    }
    asked: Counter[str] = Counter()
    for operation in operations(app):

        @given(case=operation.as_strategy())  # type: ignore[attr-defined]
        @settings(
            max_examples=EXAMPLES,
            derandomize=True,
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate],
        )
        def answered(case: object) -> None:
            if "token" in case.path_parameters:  # type: ignore[attr-defined]
                # A made-up token is never found: what lies behind a true one is to be tried.
                case.path_parameters["token"] = photo["id"]  # type: ignore[attr-defined]
            name = f"{case.method} {case.path}"  # type: ignore[attr-defined]
            if case.path in keys and asked[name] % 2:  # type: ignore[attr-defined]
                case.path_parameters["key"] = keys[case.path]  # type: ignore[attr-defined]
            answer = case.call(headers={"X-Remi-Pin": PIN})  # type: ignore[attr-defined]
            assert answer.status_code < 500, f"{name}: {answer.text}"
            asked[name] += 1

        if operation.method.upper() == "DELETE" and operation.path.endswith("{token}"):  # type: ignore[attr-defined]
            continue  # the photo is needed by the others
        answered()
    assert len(asked) > 12


@pytest.mark.parametrize(
    "fields",
    [{"event": "deal", "hands": [[1]]}, {"event": []}, {"event": "draw", "seat": 10**30}, {"target": 10**30}],
)
@pytest.mark.parametrize("what", ["command", "void", "amend", "rule", "answer", "ignore", "press", "rename"])
def test_what_is_asked_of_the_game_in_a_strange_way_is_answered(
    app: Flask, what: str, fields: object
) -> None:
    client = app.test_client()
    version = client.get("/api/v1/game").get_json()["version"]
    answer = client.post(
        "/api/v1/game",
        json={"what": what, "fields": fields, "version": version, "anyway": True},
        headers={"X-Remi-Pin": PIN},
    )
    assert answer.status_code < 500, answer.get_json()
