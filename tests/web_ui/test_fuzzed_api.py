"""Requests that schemathesis makes from the OpenAPI document: a running table answers none with a fault."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from hypothesis import HealthCheck, Phase, given, settings

from companion.table.config import parse_config
from companion.table.running import RunningTable
from tests.web_ui.conftest import JPEG, read_picture, rows_by_height
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
    with RunningTable(parse_config(text, folder=tmp_path_factory.mktemp("table"))) as table:
        app = create_app(Services(reads, rows_by_height, game=table))
        app.config["PROPAGATE_EXCEPTIONS"] = False
        yield app


def operations(app: Flask) -> Iterator[object]:
    schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", app)
    for found in schema.get_all_operations():
        operation = found.ok()
        if not operation.path.endswith("/events"):  # a stream never ends
            yield operation


def test_no_request_that_fits_the_document_meets_a_fault(app: Flask) -> None:
    photo = app.test_client().post("/api/v1/photos", data=JPEG, content_type="image/jpeg").get_json()
    asked: set[str] = set()
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
            answer = case.call(headers={"X-Remi-Pin": PIN})  # type: ignore[attr-defined]
            assert answer.status_code < 500, f"{case.method} {case.path}: {answer.text}"  # type: ignore[attr-defined]
            asked.add(f"{case.method} {case.path}")  # type: ignore[attr-defined]

        if operation.method.upper() == "DELETE" and operation.path.endswith("{token}"):  # type: ignore[attr-defined]
            continue  # the photo is needed by the others
        answered()
    assert len(asked) > 8


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
