"""The live table: picture, words and JSON of a table that a test makes up; never a rack."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po
from flask.testing import FlaskClient

import web_ui
from companion.table_documents import table_document
from engine.notation import parse_seen
from engine.table_reading import Lying, LyingMeld, Problem, Stack, TableReading
from engine.tiles import Mark
from tests.web_ui.conftest import services
from web_ui.app import create_app
from web_ui.services import BothLanguages, TableNow, TableZone

FOLDER = Path(web_ui.__file__).parent
JPEG = b"\xff\xd8\xff\xe0 a table"
HELD = ("k11", "k12")


def lying(key: int, face: str, *, doubtful: bool = False) -> Lying:
    x = 100.0 + 40 * key
    quad = ((x, 100.0), (x + 30, 100.0), (x + 30, 142.0), (x, 142.0))
    return Lying(key, parse_seen(face), 0.9, (x, 0.0), 0.0, quad, doubtful=doubtful)


READING = TableReading(
    7,
    12.0,
    melds=(
        LyingMeld(
            1, 2, (lying(1, "r5"), lying(2, "r6", doubtful=True), lying(3, "r7")), ((1, lying(4, "*")),)
        ),
        LyingMeld(2, 1, (lying(5, "?"),)),
    ),
    row=(lying(6, "#"), lying(7, "b9")),
    reversed_first=True,
    wall=(Stack(lying(8, "#")), Stack(lying(9, "y1"))),
    atu=lying(10, "k4"),
    racks={1: ((lying(11, HELD[0]), lying(12, HELD[1])), ())},
    problems=(
        Problem("doubtful", (2,), "Look at red 6.", "Priviți 6 roșu."),
        Problem("too_many", (3, 11), "Black 11 is there three times.", "11 negru apare de trei ori."),
    ),
)
ZONES = (
    TableZone("meld", 2, ((400.0, 50.0), (900.0, 50.0), (900.0, 600.0), (400.0, 600.0))),
    TableZone("rack", 1, ((100.0, 50.0), (400.0, 50.0), (400.0, 600.0), (100.0, 600.0))),
    TableZone("discard", None, ((500.0, 200.0), (700.0, 200.0), (700.0, 300.0), (500.0, 300.0))),
)
NOW = TableNow(
    "hand",
    covered=("discard", "meld 2"),
    size=(1000, 700),
    picture=31,
    zones=ZONES,
    reading=READING,
    read_ms=312.4,
)


class ScriptedTable:
    """Says what it is told."""

    def __init__(self, now: TableNow = NOW, *, jpeg: bytes | None = JPEG) -> None:
        self.here = now
        self.jpeg = jpeg

    def now(self) -> TableNow:
        return self.here

    def picture(self) -> bytes | None:
        return self.jpeg

    def arbiters_picture(self) -> bytes | None:
        return self.jpeg

    def crop(self, key: int) -> bytes | None:
        return self.jpeg

    def document(self, reading: TableReading) -> dict[str, Any]:
        return table_document(reading)


def client_of(
    table: ScriptedTable | None, *, missing: BothLanguages | None = None, language: str = "en"
) -> FlaskClient:
    app = create_app(replace(services(), table=table, no_table=missing))
    client = app.test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    return client


@pytest.fixture
def table() -> ScriptedTable:
    return ScriptedTable()


@pytest.fixture
def watching(table: ScriptedTable) -> FlaskClient:
    return client_of(table)


def visible(page: str) -> str:
    """What stands there for those who do not see the drawings."""
    page = re.sub(r"<svg.*?</svg>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", page)))


def test_all_that_is_read_stands_there_in_words(watching: FlaskClient) -> None:
    words = visible(watching.get("/table").text)
    for text in (
        "A hand is over the table",
        "Not read now: Discard row, Seat 2",
        "Reading 7 · read 312 ms after the table came to rest",
        "5 red, 6 red, doubtful, 7 red",
        "On 6 red, doubtful lies joker.",
        "not read",
        "face down 9 blue The first one",
        "The first one lies face down or turned round, as it should.",
        "2 stacks in the wall.",
        "On top of stacks: 1 yellow",
        "Atu: 4 black",
        "Look at red 6.",
    ):
        assert text in words
    # By seat, in their order.
    assert words.index("Seat 1 not read") < words.index("Seat 2 5 red")


def test_zones_and_tiles_are_drawn_on_the_picture(watching: FlaskClient, table: ScriptedTable) -> None:
    page = watching.get("/table").text
    # What is shown is the table with a margin; the floor is not.
    assert 'viewBox="80 30 840 590"' in page
    assert 'href="/table/picture.jpg?n=31" width="1000" height="700"' in page
    assert page.count('<polygon class="zone ') == len(ZONES)
    assert 'class="zone meld covered"' in page
    assert 'class="zone rack"' in page
    drawn = re.findall(r'<g class="lies ([^"]*)">\s*<title>([^<]*)</title>', page)
    assert len(drawn) == 10
    assert ("doubtful r", "6 red, doubtful") in drawn
    assert ("unread", "not read") in drawn
    assert re.findall(r'class="sign number"[^>]*><circle[^>]*/><text[^>]*>([^<]*)</text>', page) == ["1"]
    answer = watching.get("/table/picture.jpg")
    assert (answer.data, answer.mimetype) == (JPEG, "image/jpeg")
    assert answer.headers["Cache-Control"] == "no-store"


def test_racks_are_nowhere(watching: FlaskClient) -> None:
    told = [watching.get(path).text for path in ("/table", "/table/now", "/api/v1/table")]
    for answer in told:
        for word in (*HELD, "11 black", "12 black", "Black 11", "11 negru"):
            assert word not in answer
    document = watching.get("/api/v1/table").get_json()
    assert "racks" not in document["reading"]
    assert [problem["code"] for problem in document["reading"]["problems"]] == ["doubtful"]


def test_the_same_as_json(watching: FlaskClient) -> None:
    document = watching.get("/api/v1/table").get_json()
    assert (document["state"], document["reason"]) == ("hand", None)
    assert document["covered"] == ["discard", "meld 2"]
    assert (document["read_ms"], document["size"]) == (312.4, [1000, 700])
    assert watching.get(document["picture"]).data == JPEG
    reading = document["reading"]
    assert [tile["face"] for tile in reading["melds"][0]["tiles"]] == ["r5", "r6", "r7"]
    assert [tile["face"] for tile in reading["row"]] == ["#", "b9"]
    assert reading["atu"]["face"] == "k4"


def test_the_parts_that_change_are_those_of_the_page(watching: FlaskClient) -> None:
    page, parts = watching.get("/table").text, watching.get("/table/now").text
    assert "<html" not in parts
    for part in ("table-stage", "table-state", "table-words"):
        assert page.count(f'id="{part}"') == parts.count(f'id="{part}"') == 1
    assert "2 stacks in the wall." in parts
    # Without the script a link does the same.
    assert re.search(r'<a class="quiet-button" href="/table">Refresh</a>', page)
    assert '<script src="/static/table.js" defer></script>' in page
    assert 'data-now="/table/now"' in page


def test_before_anything_was_seen(table: ScriptedTable, watching: FlaskClient) -> None:
    table.here, table.jpeg = TableNow("starting"), None
    words = visible(watching.get("/table").text)
    assert "There is no picture yet" in words
    assert "Nothing has been read yet." in words
    assert watching.get("/table/picture.jpg").status_code == 404
    document = watching.get("/api/v1/table").get_json()
    assert (document["picture"], document["size"], document["reading"]) == (None, None, None)


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("looking", "Looking at the table"),
        ("moving", "The camera has moved"),
        ("paused", "Paused"),
        ("source", "No picture from the camera"),
        ("ended", "The pictures have ended"),
        ("stopped", "The eyes have stopped"),
    ],
)
def test_the_state_is_said_with_its_reason(
    table: ScriptedTable, watching: FlaskClient, state: str, words: str
) -> None:
    table.here = TableNow(state, BothLanguages(ro="Aprindeți lumina.", en="Turn on the light."))
    assert f"{words} Turn on the light." in visible(watching.get("/table").text)
    assert f'class="state {state}">' in watching.get("/table").text
    assert watching.get("/api/v1/table").get_json()["reason"]["ro"] == "Aprindeți lumina."


def test_an_empty_table_is_said(table: ScriptedTable, watching: FlaskClient) -> None:
    table.here = replace(NOW, reading=TableReading(1, 0.0))
    words = visible(watching.get("/table").text)
    for text in ("No melds on the table.", "Nothing was discarded.", "No wall on the table.", "No atu"):
        assert text in words
    assert "Look at this" not in words


def test_in_romanian(table: ScriptedTable) -> None:
    words = visible(client_of(table, language="ro").get("/table").text)
    for text in (
        "Masa în direct",
        "O mână este deasupra mesei",
        "Șirul pieselor aruncate",
        "Locul 2",
        "6 roșu, nesigură",
    ):
        assert text in words
    assert "2 stive în zid." in words
    assert "Priviți 6 roșu." in words


def test_it_is_reached_from_the_start_and_from_everywhere(watching: FlaskClient) -> None:
    start = watching.get("/photo").text
    assert start.count('href="/table"') == 2
    assert '<a href="/table" aria-current="page">' in watching.get("/table").text
    assert 'href="/table"' in watching.get("/nowhere").text


def test_without_a_table_there_is_no_page(client: FlaskClient) -> None:
    assert "/table" not in client.get("/photo").text
    for path in ("/table", "/table/now", "/table/picture.jpg", "/api/v1/table"):
        assert client.get(path).status_code == 404


def test_what_to_install_is_said_in_both_languages() -> None:
    missing = BothLanguages(ro="Instalați fonturile: apt-get x", en="Install the fonts: apt-get x")
    for language, text in (("en", missing.en), ("ro", missing.ro)):
        client = client_of(None, missing=missing, language=language)
        answer = client.get("/table")
        assert (answer.status_code, text in answer.text) == (200, True)
        assert 'href="/table"' in client.get("/photo").text
        told = client.get("/api/v1/table")
        assert told.status_code == 503
        assert told.get_json()["error"] == {
            "code": "no_table",
            "message": {"ro": missing.ro, "en": missing.en},
        }
        assert client.get("/table/now").status_code == 404


def test_a_face_down_tile_has_no_label(watching: FlaskClient) -> None:
    page = watching.get("/table").text
    down = re.findall(r'<g class="lies down">(.*?)</g>', page, re.DOTALL)
    assert len(down) == sum(
        str(one.face) == str(Mark.FACE_DOWN) for one in (*READING.row, READING.wall[0].top)
    )
    assert all("chip" not in one for one in down)


def test_the_page_keeps_to_the_policy_and_is_all_in_romanian(table: ScriptedTable) -> None:
    page = client_of(table, language="ro").get("/table").text
    assert not re.search(r"\sstyle=|\son\w+=|<style|javascript:", page)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", page))
    messages = FOLDER / "translations" / "ro" / "LC_MESSAGES" / "messages.po"
    shown = visible(page)
    for message in read_po(BytesIO(messages.read_bytes())):
        english = message.id if isinstance(message.id, str) else message.id[0]
        if len(english) > 8 and "%" not in english and message.string != english:
            assert english not in shown
