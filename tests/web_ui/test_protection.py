"""PINs that are tried out, and cookies, over the whole page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.web_ui.test_tilesets import VIEW
from tests.web_ui.whole_page import PIN, arbiter, linked_pages, whole_page


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    with whole_page(tmp_path) as app:
        yield app


class Clock:
    """Time that goes on when a test says so."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    for module in ("desk", "game_api", "sheets", "arbiters"):
        monkeypatch.setattr(f"web_ui.{module}.time", SimpleNamespace(monotonic=found.monotonic))
    return found


def by_interface(client: FlaskClient, pin: str) -> tuple[int, str]:
    version = client.get("/api/v1/game").get_json()["version"]
    answer = client.post(
        "/api/v1/game", json={"what": "pause", "version": version}, headers={"X-Remi-Pin": pin}
    )
    return answer.status_code, answer.get_json().get("error", {}).get("code", "done")


def by_login(client: FlaskClient, pin: str) -> tuple[int, str]:
    answer = client.post("/arbiter/login", data={"pin": pin})
    return answer.status_code, {303: "done", 403: "pin_wrong", 429: "pin_locked"}[answer.status_code]


@pytest.mark.parametrize("by", [by_interface, by_login])
def test_ten_wrong_pins_lock_every_way_in_for_a_while(app: Flask, clock: Clock, by: object) -> None:
    assert callable(by)
    client = app.test_client()
    said = [by(client, f"{number:04}")[1] for number in range(10)]
    assert said == ["pin_wrong"] * 5 + ["pin_locked"] * 5
    assert by_interface(client, PIN) == (403, "pin_locked")
    assert by_login(client, PIN) == (429, "pin_locked")
    photo = client.post("/api/v1/photos", data=b"a picture").get_json()["id"]
    racks = client.post(f"/photo/{photo}/racks", data={"pin": PIN, "seat": "0", "version": "1"})
    assert racks.status_code == 403
    assert client.get("/setup").status_code == 303, "to the login"
    clock.now += 61
    assert by_interface(client, PIN) == (200, "done")
    assert by_login(client, PIN) == (303, "done")


def test_every_cookie_is_hidden_from_scripts_and_other_sites(app: Flask) -> None:
    client = app.test_client()
    given = [
        client.post("/language", data={"lang": "ro"}),
        client.post("/look", data={"theme": "dark"}),
        client.post("/look", data={"type": "large"}),
        client.post("/arbiter/login", data={"pin": PIN}),
    ]
    cookies = [cookie for answer in given for cookie in answer.headers.getlist("Set-Cookie")]
    names = [cookie.partition("=")[0] for cookie in cookies]
    assert names == ["lang", "theme", "type", "remi-arbiter"]
    for cookie in cookies:
        attributes = {part.strip() for part in cookie.split(";")[1:]}
        assert "HttpOnly" in attributes, cookie
        assert attributes & {"SameSite=Lax", "SameSite=Strict"}, cookie
    assert "SameSite=Strict" in cookies[-1]


@pytest.mark.parametrize("logged_in", [False, True])
def test_looking_at_a_page_sets_no_cookie(app: Flask, logged_in: bool) -> None:
    client = arbiter(app) if logged_in else app.test_client()
    for address in linked_pages(app, client, f"/tilesets/census/{VIEW.token}").values():
        assert client.get(address).headers.getlist("Set-Cookie") == [], address
