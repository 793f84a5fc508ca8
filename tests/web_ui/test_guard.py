"""What keeps the page safe: same origin, headers, and pictures in memory only."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.datastructures import Headers

import web_ui
from web_ui.guard import CONTENT_SECURITY_POLICY, may_change

FOLDER = Path(web_ui.__file__).parent


@pytest.mark.parametrize(
    ("headers", "allowed"),
    [
        ({}, True),  # no browser
        ({"Sec-Fetch-Site": "same-origin"}, True),
        ({"Sec-Fetch-Site": "none"}, True),
        ({"Sec-Fetch-Site": "cross-site"}, False),
        ({"Sec-Fetch-Site": "same-site", "Origin": "http://localhost"}, False),
        ({"Origin": "http://localhost"}, True),  # a phone on plain http
        ({"Origin": "http://localhost:81"}, False),
        ({"Origin": "http://localhost.evil.example"}, False),
        ({"Origin": "https://evil.example"}, False),
        ({"Origin": "null"}, False),
    ],
)
def test_only_this_page_may_change_anything(
    client: FlaskClient, open_photo: Callable[..., str], headers: dict[str, str], allowed: bool
) -> None:
    path = open_photo()
    for url in (f"{path}/undo", f"{path}/tiles/1", "/photo/sample", "/language"):
        answer = client.post(url, data={"face": "r1", "lang": "ro"}, headers=headers)
        assert answer.status_code == (303 if allowed else 403), url
    api = client.delete("/api/v1/photos/" + path.rsplit("/", 1)[1], headers=headers)
    assert api.status_code == (204 if allowed else 403)
    assert client.get("/photo", headers=headers).status_code == 200


def test_every_method_that_changes_is_guarded() -> None:
    elsewhere = Headers({"Origin": "https://evil.example"})
    assert not any(
        may_change(method, elsewhere, "localhost") for method in ("POST", "PUT", "PATCH", "DELETE")
    )
    assert all(may_change(method, elsewhere, "localhost") for method in ("GET", "HEAD", "OPTIONS"))


def test_no_get_changes_anything(client: FlaskClient, make_app: Callable[..., Flask]) -> None:
    changing = {"upload", "upload_sample", "correct", "move", "add", "undo", "forget", "set_language"}
    for rule in make_app().url_map.iter_rules():
        if rule.endpoint.rpartition(".")[2] in changing and rule.endpoint.startswith("pages."):
            assert rule.methods == {"POST", "OPTIONS"}


def test_headers_on_every_answer(client: FlaskClient, open_photo: Callable[..., str]) -> None:
    path = open_photo()
    for url in (
        "/",
        path,
        f"{path}/picture.jpg",
        f"{path}/tiles/1",
        "/nowhere",
        "/healthz",
        "/static/page.css",
    ):
        with client.get(url) as answer:
            headers = answer.headers
        assert headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Referrer-Policy"] == "same-origin"
        if not url.startswith("/static"):
            assert headers["Cache-Control"] == "no-store"
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert CONTENT_SECURITY_POLICY.startswith("default-src 'none'")


def test_pages_keep_to_the_policy(client: FlaskClient, open_photo: Callable[..., str]) -> None:
    path = open_photo()
    for url in ("/photo", path, f"{path}/tiles/10", f"{path}/add", "/nowhere"):
        page = client.get(url).text
        assert not re.search(r"\sstyle=|\son\w+=|<style|hx-on|javascript:|hx-vals=.js:", page)
        assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", page))
        # Nothing from the internet: every address is of this server.
        for address in re.findall(r'(?:src|href|action|hx-get|hx-post)="([^"]*)"', page):
            assert address.startswith(("/", "#")), address
            assert not address.startswith("//")


def test_stylesheet_and_script_load_nothing() -> None:
    for name in ("page.css", "page.js", "table.js", "icon.svg"):
        text = (FOLDER / "static" / name).read_text("utf-8").replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?://|@import|url\((?!#)", text), name


def test_what_is_vendored_is_what_the_note_says() -> None:
    from hashlib import sha256

    vendor = FOLDER / "static" / "vendor"
    note = (vendor / "README").read_text("utf-8")
    files = sorted(path.name for path in vendor.iterdir() if path.name != "README")
    assert files == ["htmx.LICENSE", "htmx.min.js"]
    assert sha256((vendor / "htmx.min.js").read_bytes()).hexdigest() in note
    version = re.search(r'version="(\d+\.\d+\.\d+)"', (vendor / "htmx.min.js").read_text("utf-8"))
    assert version is not None
    assert version[1] in note


def test_a_picture_is_never_written_to_a_disk(
    client: FlaskClient, multipart: Callable[..., tuple[bytes, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> object:
        raise AssertionError("a temporary file was opened")

    for name in ("TemporaryFile", "NamedTemporaryFile", "SpooledTemporaryFile", "mkstemp", "mkdtemp"):
        monkeypatch.setattr(tempfile, name, refuse)
    monkeypatch.setattr("werkzeug.formparser.SpooledTemporaryFile", refuse, raising=False)
    monkeypatch.setattr("werkzeug.formparser.TemporaryFile", refuse, raising=False)
    body, kind = multipart(b"\xff\xd8\xff\xe0 a picture" + b" " * 5 * 2**20)
    answer = client.post("/photo", data=body, content_type=kind)
    assert answer.status_code == 303
    assert client.get(answer.headers["Location"]).status_code == 200
    assert client.post("/api/v1/photos", data=b"\xff\xd8\xff\xe0 a picture").status_code == 201


def test_no_cookie_but_the_language(client: FlaskClient, open_photo: Callable[..., str]) -> None:
    path = open_photo()
    client.post(f"{path}/tiles/1", data={"face": "r1"})
    assert client.get(path).headers.getlist("Set-Cookie") == []
    cookies = client.post("/language", data={"lang": "ro"}).headers.getlist("Set-Cookie")
    assert len(cookies) == 1
    assert cookies[0].startswith("lang=ro;")
    assert "HttpOnly" in cookies[0]
    assert "SameSite=Lax" in cookies[0]
