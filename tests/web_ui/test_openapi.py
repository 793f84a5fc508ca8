"""The OpenAPI document: nothing under /api/v1 is missing in it, it is one, and true answers fit it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from flask import Flask
from flask.testing import FlaskClient

from companion.past import Past
from companion.sheets import SheetFile
from companion.table.config import parse_config
from companion.table.running import RunningTable
from companion.table_documents import table_document
from engine.records import format_record
from tests.web_ui.conftest import JPEG, read_picture, rows_by_height, services
from tests.web_ui.test_history import played, unfinished
from tests.web_ui.test_table import NOW, ScriptedTable
from web_ui.app import create_app
from web_ui.openapi import api_routes, openapi_document
from web_ui.services import PlayedMatch, Services, StoreError

PIN = {"X-Remi-Pin": "2580"}


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    text = "[players]\nnames = ['Ana', 'Dan', 'Ioana']\ndealer = 'Ana'\n[page]\npin = '2580'\n"
    with RunningTable(parse_config(text, folder=tmp_path)) as table:
        app = create_app(
            Services(read_picture, rows_by_height, version="9.9", table=ScriptedTable(NOW), game=table)
        )
        app.config["PROPAGATE_EXCEPTIONS"] = False
        yield app


def test_every_route_of_the_interface_is_described(app: Flask) -> None:
    paths = openapi_document(app, "9.9")["paths"]
    described = {(path, method) for path, methods in paths.items() for method in methods}
    routes = {(path, method) for path, method, _ in api_routes(app)}
    assert described == routes, f"add to web_ui/openapi_operations.py: {sorted(routes - described)}"


def test_every_reference_leads_somewhere_and_every_operation_has_a_name_of_its_own(app: Flask) -> None:
    document = openapi_document(app, "9.9")
    assert document["openapi"] == "3.1.0"
    found = set(re.findall(r"#/components/schemas/(\w+)", str(document)))
    assert found <= set(document["components"]["schemas"])
    for schema in document["components"]["schemas"].values():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
    names = [one["operationId"] for methods in document["paths"].values() for one in methods.values()]
    assert len(names) == len(set(names))


def fits(app: Flask, path: str, method: str, answer: Any) -> dict[str, Any]:
    """The answer's JSON, which must be as the document says."""
    document = openapi_document(app, "9.9")
    described = document["paths"][path][method]["responses"][str(answer.status_code)]
    schema = {**described["content"]["application/json"]["schema"], "components": document["components"]}
    found: dict[str, Any] = answer.get_json()
    jsonschema_rs.validate(schema, found)
    return found


def test_true_answers_fit(app: Flask) -> None:
    client = app.test_client()
    for path in ("/api/v1/rules", "/api/v1/game", "/api/v1/table", "/api/v1/openapi.json"):
        fits(app, path, "get", client.get(path))
    sent = client.post("/api/v1/photos?rules=etalat", data=JPEG, content_type="image/jpeg")
    photo = fits(app, "/api/v1/photos", "post", sent)
    assert sent.status_code == 201
    assert photo["melds"]
    path, one = f"/api/v1/photos/{photo['id']}", "/api/v1/photos/{token}"
    fits(app, one, "get", client.get(path))
    assert client.get(f"{path}?rules=whist").status_code == 400
    fits(app, one, "get", client.get(f"{path}?rules=whist"))
    added = client.post(f"{path}/tiles", json={"face": "r5", "x": 400, "y": 400.5, "row_of": "alone"})
    assert added.status_code == 201
    fits(app, f"{one}/tiles", "post", added)
    tile = f"{one}/tiles/{{number}}"
    fits(app, tile, "patch", client.patch(f"{path}/tiles/10", json={"face": "k6"}))
    fits(app, tile, "patch", client.patch(f"{path}/tiles/10", json={"face": "purple"}))
    fits(app, tile, "delete", client.delete(f"{path}/tiles/999"))
    fits(app, tile, "delete", client.delete(f"{path}/tiles/10"))
    fits(app, f"{one}/undo", "post", client.post(f"{path}/undo"))
    fits(app, one, "get", client.get("/api/v1/photos/none"))


def test_what_an_arbiter_is_answered_fits(app: Flask) -> None:
    client = app.test_client()
    version = client.get("/api/v1/game").get_json()["version"]
    statuses = []
    for what, fields, seen in (
        ("command", {"event": "announce", "seat": 0, "what": "nothing"}, version),
        ("command", {"event": "draw", "seat": 0}, version),
        ("pause", {}, 1),
        ("pause", {}, version),
    ):
        answer = client.post(
            "/api/v1/game", json={"what": what, "fields": fields, "version": seen}, headers=PIN
        )
        fits(app, "/api/v1/game", "post", answer)
        statuses.append(answer.status_code)
    assert statuses == [400, 422, 409, 200]
    assert client.get("/api/v1/game").get_json()["paused"] is True
    refused = client.post("/api/v1/game", json={"what": "undo", "version": 1})
    fits(app, "/api/v1/game", "post", refused)


def test_a_reading_as_the_camera_gives_it_fits(app: Flask) -> None:
    reading = app.test_client().get("/api/v1/table").get_json()["reading"]
    assert "racks" not in reading
    assert NOW.reading is not None
    assert set(reading) == set(table_document(NOW.reading)) - {"racks"}


def test_history_and_sheets_fit() -> None:
    with SheetFile(None) as file:
        app = create_app(replace(services(), sheets=file, history=Past(None, file)))
        client = app.test_client()
        for path in ("/api/v1/history", "/api/v1/sheets"):
            fits(app, path, "get", client.get(path))
        Past(None, file).add(format_record(played()))
        key = Past(None, file).add(format_record(unfinished(played(seed=7))))
        history = fits(app, "/api/v1/history", "get", client.get("/api/v1/history"))
        assert [game["over"] for match in history["matches"] for game in match["games"]] == [True, False]
        assert [player["games"] for player in history["players"]] == [1, 1, 1]
        match = fits(app, "/api/v1/history/{key}", "get", client.get(f"/api/v1/history/{key}"))
        assert client.get(match["games"][0]["record"]).status_code == 200
        sheet = file.begin({"name": "Joi", "rules": "etalat", "players": ["Ana", "Dan"]})
        for event, fields in (
            ("round", {"points": [70, -15], "note": "", "source": "typed"}),
            ("correct", {"round": 1, "points": [75, -15], "note": "the joker"}),
            ("round", {"points": [5, 10], "note": "", "source": "photo"}),
            ("strike", {"round": 2}),
            ("end", {}),
        ):
            sheet = file.write(sheet.id, event, fields, version=sheet.version)
        one = fits(app, "/api/v1/sheets/{key}", "get", client.get(f"/api/v1/sheets/{sheet.id}"))
        assert [entry["event"] for entry in one["entries"]] == [
            "begin", "round", "correct", "round", "strike", "end",
        ]  # fmt: skip
        assert (one["totals"], one["winners"]) == ([75, -15], ["Ana"])
        assert fits(app, "/api/v1/sheets", "get", client.get("/api/v1/sheets"))["sheets"][0]["totals"] == [
            75,
            -15,
        ]
        for path in ("/api/v1/history/{key}", "/api/v1/sheets/{key}"):
            fits(app, path, "get", client.get(path.replace("{key}", "none")))


class BrokenHistory(Past):
    """A journal that cannot be read."""

    def matches(self) -> Sequence[PlayedMatch]:
        raise StoreError(hint_en="The disk is gone.", hint_ro="Discul a dispărut.")


def test_what_cannot_be_read_is_said_as_json_and_as_a_page() -> None:
    with SheetFile(None) as file:
        app = create_app(replace(services(), sheets=file, history=BrokenHistory(None, file)))
        client = app.test_client()
        told = client.get("/api/v1/history")
        assert told.status_code == 503
        problem = fits(app, "/api/v1/history", "get", told)
        assert problem["error"]["message"] == {"ro": "Discul a dispărut.", "en": "The disk is gone."}
        page = client.get("/history", headers={"Accept-Language": "ro"})
        assert (page.status_code, page.mimetype) == (503, "text/html")
        assert "Discul a dispărut." in page.text


@pytest.mark.parametrize("language", ["en", "ro"])
def test_the_document_can_be_read_as_a_page(app: Flask, language: str) -> None:
    client: FlaskClient = app.test_client()
    text = client.get("/api/v1/docs", headers={"Accept-Language": language}).get_data(as_text=True)
    assert "/api/v1/photos/{token}/tiles/{number}" in text
    assert {"en": "The interface for programs", "ro": "Interfața pentru programe"}[language] in text
