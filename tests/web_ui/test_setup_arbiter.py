"""Set-up behind the arbiter's PIN: who is not logged in is led there and back; no form without its token."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from companion.table.config import load_config
from companion.table.running import RunningTable
from companion.table.setup_service import SetupService
from tests.web_ui.conftest import services
from tests.web_ui.test_setup import STEPS, stamp_of
from web_ui.app import create_app

PIN = "2580"


@dataclass
class Table:
    client: FlaskClient
    file: Path

    def log_in(self, back: str) -> str:
        answer = self.client.post("/arbiter/login", data={"pin": PIN, "next": back})
        assert answer.status_code == 303
        return answer.headers["Location"]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    file = tmp_path / "table.toml"
    file.write_text(
        f"[players]\nnames = ['Ana', 'Dan', 'Ioana']\n[page]\npin = '{PIN}'\n[board]\nport = 'sim'\n",
        encoding="utf-8",
    )
    with ExitStack() as stack:
        config = load_config(file)
        game = stack.enter_context(RunningTable(config))
        app = create_app(replace(services(), game=game, setup=SetupService(config, table=game)))
        client = app.test_client()
        client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
        yield Table(client, file)


def carried(html: str) -> dict[str, str]:
    token = re.search(r'name="csrf" value="([^"]+)"', html)
    assert token is not None
    return {"csrf": token[1], "stamp": stamp_of(html)}


@pytest.mark.parametrize("step", [*STEPS, "/picture.jpg", "/board/presses"])
def test_who_is_not_logged_in_is_led_to_the_desk_and_back(table: Table, step: str) -> None:
    asked = table.client.get(f"/setup{step}")
    assert asked.status_code == 303
    assert asked.headers["Location"] == f"/arbiter?next=/setup{step}"
    login = table.client.get(asked.headers["Location"])
    assert f'name="next" value="/setup{step}"' in login.text
    assert "Ioana" not in login.text
    assert table.log_in(f"/setup{step}") == f"/setup{step}"
    # The picture is that of a camera, which this table has not.
    assert table.client.get(f"/setup{step}").status_code == (404 if step == "/picture.jpg" else 200)


def test_the_way_back_leads_nowhere_else(table: Table) -> None:
    for elsewhere in ("https://example.org/", "//example.org/setup", "javascript:alert(1)"):
        assert "example" not in table.log_in(elsewhere)
        assert "javascript" not in table.log_in(elsewhere)


def test_a_form_is_taken_only_with_the_token_of_its_session(table: Table) -> None:
    before = table.file.read_bytes()
    players = {"players.names": ["Ana", "Vlad", "Ioana", ""], "players.dealer": "random",
               "turn.commit": "discard", "turn.clock": "off", "turn.limit_s": "90", "turn.warn_s": "20 10",
               "table": "Acasă", "match.games": "", "match.target": ""}  # fmt: skip
    assert table.client.post("/setup/players", data=players).status_code == 303  # to the desk
    assert table.file.read_bytes() == before
    table.log_in("/setup/players")
    form = carried(table.client.get("/setup/players").text)
    for wrong in ({}, {"csrf": ""}, {"csrf": form["csrf"][:-1] + "é"}):
        posted = {**players, "stamp": form["stamp"], **wrong}
        assert table.client.post("/setup/players", data=posted).status_code == 403
    for path in ("/setup/board/lamp", "/setup/board/buttons", "/setup/zones", "/setup/tiles", "/setup/rules"):
        assert table.client.post(path, data={"seat": "0"}).status_code == 403
    assert table.file.read_bytes() == before

    saved = table.client.post("/setup/players", data={**players, **form})
    assert saved.status_code == 303
    assert load_config(table.file).file.players.names == ("Ana", "Vlad", "Ioana")
    assert load_config(table.file).file.page.pin == PIN
    assert "Saved." in table.client.get(saved.headers["Location"]).text


def test_the_session_ends_the_set_up(table: Table) -> None:
    table.log_in("/setup/players")
    form = carried(table.client.get("/setup/players").text)
    table.client.post("/arbiter/logout", data=form)
    assert table.client.get("/setup/players").status_code == 303
    assert table.client.post("/setup/board/lamp", data={**form, "seat": "0"}).status_code == 303
    # Of another session, though of the same table.
    table.log_in("/setup/players")
    assert table.client.post("/setup/board/lamp", data={**form, "seat": "0"}).status_code == 403


def test_every_form_of_the_set_up_carries_the_token(table: Table) -> None:
    table.log_in("/setup")
    pages = {step: table.client.get(f"/setup{step}").text for step in STEPS}
    forms = [
        (step, form)
        for step, html in pages.items()
        for form in re.findall(r"<form.*?</form>", html, re.DOTALL)
        if re.match(r'<form[^>]*method="post"[^>]*action="/setup', form)
    ]
    assert len(forms) >= 6
    for step, form in forms:
        assert carried_token(form), (step, form[:200])


def carried_token(form: str) -> bool:
    return re.search(r'name="csrf" value="[^"]{20,}"', form) is not None
