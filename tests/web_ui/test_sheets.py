"""Score sheets as people use them: rounds typed and by photo, corrections, several phones, files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.past import Past
from companion.sheets import SheetFile
from tests.web_ui.conftest import JPEG, services
from web_ui.app import create_app


class Waiting:
    """A followed game that is over and waits for the rack of seat 1."""

    pin = "4711"
    closed = False

    def __init__(self) -> None:
        self.asked: list[tuple[str, Mapping[str, Any], int | None]] = []
        self.status = "done"

    def document(self) -> Mapping[str, Any]:
        return {
            "version": 70, "number": 7, "phase": "over",
            "seats": [{"seat": 0, "name": "Ana"}, {"seat": 1, "name": "Ștefan"}],
            "scores": [{"seat": 0, "complete": True}, {"seat": 1, "complete": False}],
        }  # fmt: skip

    def wait(self, after: int, timeout: float) -> Mapping[str, Any] | None:
        return None

    def post(
        self, what: str, fields: Mapping[str, Any], version: int | None, *, anyway: bool
    ) -> Mapping[str, Any]:
        self.asked.append((what, fields, version))
        return {"status": self.status, "message": {"en": "moved on", "ro": "s-a schimbat"}, "reasons": []}


def client_of(file: SheetFile, game: Any = None) -> FlaskClient:
    app = create_app(replace(services(), sheets=file, history=Past(None, file), game=game))
    client = app.test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client


@pytest.fixture
def file() -> Iterator[SheetFile]:
    with SheetFile(None) as opened:
        yield opened


@pytest.fixture
def client(file: SheetFile) -> FlaskClient:
    return client_of(file)


def begin(client: FlaskClient, *names: str, rules: str = "etalat") -> str:
    names = names or ("Ana", "Ștefan")
    answer = client.post("/sheets", data={"player": [*names, ""], "rules": rules, "name": ""})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["Location"])


def write(client: FlaskClient, path: str, version: int, *points: object) -> Any:
    typed = {f"points-{at}": value for at, value in enumerate(points)}
    return client.post(f"{path}/rounds", data={"version": version, **typed})


def document(client: FlaskClient, path: str) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"/api/v1{path}").get_json()
    return found


def test_rounds_add_up_and_a_correction_keeps_what_was(client: FlaskClient) -> None:
    path = begin(client)
    assert write(client, path, 1, 70, "−15").status_code == 303
    assert write(client, path, 2, "-100", 205).status_code == 303
    assert document(client, path)["totals"] == [-30, 190]
    answer = client.post(f"{path}/rounds/1", data={"version": 3, "points-0": 75, "points-1": -15})
    assert answer.status_code == 303
    now = document(client, path)
    assert now["totals"] == [-25, 190]
    assert now["running"] == [[75, -15], [-25, 190]]
    assert now["rounds"][0]["before"] == [[70, -15]]
    assert [entry["event"] for entry in now["entries"]] == ["begin", "round", "round", "correct"]
    assert "70" in client.get(f"{path}/rounds/1").text
    client.post(f"{path}/rounds/2", data={"version": 4, "strike": 1})
    assert document(client, path)["totals"] == [75, -15]
    client.post(f"{path}/end", data={"version": 5})
    assert document(client, path)["winners"] == ["Ana"]
    assert "Won by Ana" in client.get(path).text
    assert write(client, path, 6, 1, 1).status_code == 422


def test_a_phone_that_is_late_gets_the_sheet_as_it_is(client: FlaskClient) -> None:
    path = begin(client)
    write(client, path, 1, 10, 20)
    late = write(client, path, 1, 33, 44)
    assert late.status_code == 409
    assert "Somebody else" in late.text
    assert 'value="33"' in late.text, "what was typed is not lost"
    assert document(client, path)["totals"] == [10, 20]


@pytest.mark.parametrize("points", [("", 1), ("x", 1), ("1.5", 1), ("1234567", 1), ("٣", 1)])
def test_points_that_are_none_are_answered_with_the_name(
    client: FlaskClient, points: tuple[Any, ...]
) -> None:
    path = begin(client)
    answer = write(client, path, 1, *points)
    assert answer.status_code == 422
    assert "Ana: " in answer.text
    assert document(client, path)["version"] == 1


@pytest.mark.parametrize("names", [("Ana",), ("Ana", "ana"), ("Ana", "x" * 41)])
def test_players_that_cannot_be(client: FlaskClient, names: tuple[str, ...]) -> None:
    answer = client.post("/sheets", data={"player": list(names), "rules": "etalat"})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text


def photo_of(client: FlaskClient, multipart: Callable[[bytes], tuple[bytes, str]], text: str) -> str:
    body, kind = multipart(JPEG + text.encode())
    answer = client.post("/photo", data=body, content_type=kind, query_string={"rules": "etalat"})
    return str(answer.headers["Location"]).partition("?")[0]


def test_photos_of_several_players_make_a_round(
    client: FlaskClient, multipart: Callable[[bytes], tuple[bytes, str]]
) -> None:
    path = begin(client)
    key = path.rpartition("/")[2]
    first = photo_of(client, multipart, "r5 r6 r7")
    second = photo_of(client, multipart, "r1 y1 b1")
    other = photo_of(client, multipart, "k9")
    assert f'value="{key}:1">Ștefan' in client.get(first).text
    for photo, seat in ((first, 0), (second, 0), (other, 1)):
        assert client.post(f"{photo}/sheet", data={"to": f"{key}:{seat}"}).status_code == 303
    page = client.get(path).text
    assert 'id="points-0"' in page
    typed = re.findall(r'id="points-\d"[^>]*value="([^"]*)"', page)
    assert typed == ["90", "-5"]
    assert "It counts for Ana" in client.get(first).text
    # A correction of the photo is followed; a photo left out counts no more.
    client.post(f"{other}/tiles/1", data={"face": "*"})
    client.post(f"{path}/photo/{second.rpartition('/')[2]}/drop")
    typed = re.findall(r'id="points-\d"[^>]*value="([^"]*)"', client.get(path).text)
    assert typed == ["15", "-50"]
    write(client, path, 1, *typed)
    assert document(client, path)["rounds"][0]["source"] == "photo"
    assert 'value="15"' not in client.get(path).text


def test_files(client: FlaskClient) -> None:
    path = begin(client, "=cmd()", "Ștefan")
    write(client, path, 1, 5, -7)
    answer = client.get(f"{path}/sheet.csv")
    assert answer.data.decode("utf-8-sig").splitlines() == [
        "round,'=cmd(),Ștefan,note",
        "1,5,-7,",
        "total,5,-7,",
    ]
    assert client.get("/api/v1/sheets").get_json()["sheets"][0]["totals"] == [5, -7]


def test_a_rack_is_entered_into_the_running_game(
    file: SheetFile, multipart: Callable[[bytes], tuple[bytes, str]]
) -> None:
    game = Waiting()
    client = client_of(file, game)
    photo = photo_of(client, multipart, "k9 r3 *")
    page = client.get(photo).text
    assert 'value="1">Ștefan' in page
    assert 'value="0">Ana' not in page
    form = {"seat": "1", "version": "70"}
    assert client.post(f"{photo}/racks", data={**form, "pin": "1"}).status_code == 403
    assert game.asked == []
    assert client.post(f"{photo}/racks", data={**form, "pin": "4711"}).status_code == 303
    assert game.asked == [("command", {"event": "racks", "racks": {"1": "k9 r3 *"}}, 70)]
    game.status = "stale"
    stale = client.post(f"{photo}/racks", data={**form, "pin": "4711"})
    assert stale.status_code == 409
    assert "moved on" in stale.text
    unread = photo_of(client, multipart, "?=0.2,b8,0.4")
    assert client.post(f"{unread}/racks", data={**form, "pin": "4711"}).status_code == 422


def test_without_sheets_there_are_none(tmp_path: Path) -> None:
    client = create_app(services()).test_client()
    for path in ("/sheets", "/history", "/api/v1/sheets", "/api/v1/history", "/history/players.csv"):
        assert client.get(path).status_code == 404


def test_sheets_outlive_the_companion(tmp_path: Path) -> None:
    path = tmp_path / "remi-sheets.sqlite"
    with SheetFile(path) as file:
        where = begin(client_of(file))
        write(client_of(file), where, 1, 5, 6)
    with SheetFile(path) as file:
        assert document(client_of(file), where)["totals"] == [5, 6]
        assert write(client_of(file), where, 2, 1, 1).status_code == 303
