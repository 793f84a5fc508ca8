"""What is sent in place of a picture: 50 MB, a text, a decompression bomb, nothing; all are told clearly."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from flask.testing import FlaskClient

from companion.demo import page_services
from companion.page_tilesets import PageTileSets
from companion.past import Past
from companion.sheets import SheetFile
from tests.vision.test_pictures import bomb
from web_ui.app import create_app

MEGABYTE = 2**20
SENT = {"big": b"\xff\xd8\xff\xe0" + b"x" * 50 * MEGABYTE, "text": b"no picture at all", "empty": b"",
        "bomb": bomb(60_000, 60_000)}  # fmt: skip
WORDS = {
    "big": {"ro": "mai mare de 40 MB", "en": "bigger than 40 MB"},
    "text": {"ro": "nu este o imagine", "en": "not a picture"},
    "bomb": {"ro": "120", "en": "120"},
}
STATUS = {"big": 413, "text": 422, "empty": 400, "bomb": 422}


class NoReader:
    """What is refused must not reach the reader."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"the reader was asked for {name}")


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    reader = cast("Any", NoReader())
    with SheetFile(None) as file:
        file.begin({"name": "", "rules": "etalat", "players": ["Ana", "Dan"]})
        services = replace(
            page_services(reader),
            sheets=file,
            history=Past(None, file),
            tile_sets=PageTileSets(reader, threading.Lock(), folder=tmp_path),
        )
        app = create_app(services)
        app.config["PROPAGATE_EXCEPTIONS"] = False
        yield app.test_client()


def form(field: str, data: bytes, **more: str) -> tuple[bytes, str]:
    parts = [f'--line\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()
             for name, value in more.items()]  # fmt: skip
    head = f'--line\r\nContent-Disposition: form-data; name="{field}"; filename="a.jpg"\r\n\r\n'.encode()
    return b"".join([*parts, head, data, b"\r\n--line--\r\n"]), "multipart/form-data; boundary=line"


def to_photo(client: FlaskClient, data: bytes, language: str) -> Any:
    body, kind = form("picture", data, rules="etalat")
    return client.post("/photo", data=body, content_type=kind, headers={"Accept-Language": language})


def to_sheet(client: FlaskClient, data: bytes, language: str) -> Any:
    key = client.get("/api/v1/sheets").get_json()["sheets"][0]["id"]
    body, kind = form("picture", data, player="0")
    path = f"/sheets/{key}/photo"
    return client.post(path, data=body, content_type=kind, headers={"Accept-Language": language})


def to_set(client: FlaskClient, data: bytes, language: str) -> Any:
    body, kind = form("pictures", data, name="Bunica")
    return client.post("/tilesets", data=body, content_type=kind, headers={"Accept-Language": language})


def to_interface(client: FlaskClient, data: bytes, language: str) -> Any:
    return client.post("/api/v1/photos", data=data, content_type="image/jpeg")


def to_interface_as_form(client: FlaskClient, data: bytes, language: str) -> Any:
    body, kind = form("picture", data)
    return client.post("/api/v1/photos", data=body, content_type=kind)


@pytest.mark.parametrize("language", ["ro", "en"])
@pytest.mark.parametrize("sent", SENT)
@pytest.mark.parametrize("send", [to_photo, to_sheet, to_set, to_interface, to_interface_as_form])
def test_what_is_no_picture_is_told_clearly(
    client: FlaskClient, send: Callable[[FlaskClient, bytes, str], Any], sent: str, language: str
) -> None:
    answer = send(client, SENT[sent], language)
    assert answer.status_code == STATUS[sent], answer.get_data(as_text=True)[:400]
    if answer.is_json:
        assert set(answer.get_json()["error"]["message"]) == {"ro", "en"}
        said = answer.get_json()["error"]["message"][language]
    else:
        said = answer.get_data(as_text=True)
        assert f'<html lang="{language}"' in said
    if sent in WORDS:
        assert WORDS[sent][language] in said
    assert client.get("/healthz").get_json()["photos"] == 0


@pytest.mark.parametrize("sent", SENT)
def test_what_is_no_record_is_told_clearly(client: FlaskClient, sent: str) -> None:
    body, kind = form("record", SENT[sent])
    answer = client.post("/history/import", data=body, content_type=kind)
    assert answer.status_code == STATUS[sent]
    assert client.get("/api/v1/history").get_json()["matches"] == []
