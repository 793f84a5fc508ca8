"""The scoreboard: words, views, pages, and what every page shows around its content."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from markupsafe import escape
from PIL import Image

import web_ui
from engine.entries import EVENTS
from engine.lamps import Sign
from engine.records import Record
from engine.replay import replay
from engine.scores import LINES
from firmware_bridge.lamps import LOOKS
from tests.web_ui.board_game import NAMES, ShownGame, document, documents
from tests.web_ui.conftest import services
from tests.web_ui.test_history import played, unfinished
from web_ui.app import create_app
from web_ui.board import ICONS, lan_address
from web_ui.board_chart import HEIGHT, chart
from web_ui.board_view import LAMPS, board_view, stacks
from web_ui.board_words import entry_words, line_words, sign_words
from web_ui.services import PlayedMatch, StoreError


def client_of(shown: dict[str, Any], language: str = "en", **more: Any) -> FlaskClient:
    app = create_app(replace(services(), game=ShownGame(shown), **more))
    app.testing = True
    client = app.test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    return client


@pytest.mark.parametrize("language", ["ro", "en"])
def test_whole_games_are_shown_at_every_moment(language: str) -> None:
    app = create_app(replace(services(), game=ShownGame(document())))
    seen = set()
    with app.test_request_context(headers={"Accept-Language": language}):
        for shown in documents():
            view = board_view(shown)
            assert [seat.name for seat in view.seats] == list(NAMES)
            assert sum(view.stacks) == view.wall
            assert sum(len(seat.melds) for seat in view.seats) == len(shown["melds"])
            for entry in shown["entries"]:
                words = entry_words(entry, NAMES)
                assert f": {entry['event']}" not in words
                seen.add(entry["event"])
    assert {"deal", "draw", "meld", "discard", "racks"} <= seen


def test_every_event_line_and_sign_has_words_in_both_languages() -> None:
    for language in ("ro", "en"):
        with create_app(services()).test_request_context(headers={"Accept-Language": language}):
            for event in EVENTS:
                assert event not in entry_words({"event": event, "seat": 0}, NAMES).split(": ")
            for line in LINES:
                assert line_words(line) != line
            for sign in Sign:
                assert bool(sign_words(sign.value)) == (sign is not Sign.OFF)


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ({"event": "discard", "seat": 0, "tile": "r7"}, "Ștefan discards 7 red."),
        ({"event": "discard", "seat": 1, "tile": "*", "closes": True},
         "Ana-Maria discards joker and closes."),
        ({"event": "meld", "seat": 2, "melds": ["r5 r6 *=r7"]},
         "Ioana lays down 1 meld: 5 red, 6 red, joker (7 red)."),
        ({"event": "rule", "seat": 1, "points": -50, "reason": "late"},
         "The arbiter gives Ana-Maria −50 points. Reason: late"),
        ({"event": "amend", "target": 4, "entry": {"event": "discard", "seat": 0, "tile": "k9"}},
         "Entry 4 is corrected. Ștefan discards 9 black."),
        ({"event": "draw", "seat": 1, "tile": "b4"}, "Ana-Maria draws 4 blue from the wall."),
        ({"event": "lay_off", "seat": 0, "tiles": "b4", "meld": "m2"},
         "Ștefan lays off 4 blue at meld m2."),
        ({"event": "reclaim", "seat": 2, "tiles": "b4", "meld": "m1"},
         "Ioana puts 4 blue into meld m1 and takes its joker."),
        ({"event": "close_table", "seat": 2, "tile": "r1"},
         "Ioana closes with a table game and discards 1 red."),
        ({"event": "rule", "seat": 1, "points": -50, "reason": "late", "replaces": True},
         "The arbiter sets the game of Ana-Maria to −50 points. Reason: late"),
        ({"event": "something", "seat": 9}, "The table: something"),
    ],
)  # fmt: skip
def test_entries_in_words(entry: dict[str, Any], words: str) -> None:
    with create_app(services()).test_request_context(headers={"Accept-Language": "en"}):
        assert entry_words(entry, NAMES) == words


def test_the_scoreboard_does_not_name_melds_as_records_do() -> None:
    entry = {"seq": 9, "event": "lay_off", "seat": 0, "tiles": "b4", "meld": "m2", "counts": True}
    with create_app(services()).test_request_context(headers={"Accept-Language": "en"}):
        assert board_view(document(entries=[entry])).last == "Ștefan lays off 4 blue."


def test_lamps_look_as_the_boards_do() -> None:
    assert {sign.value: look for sign, look in LOOKS.items()} == LAMPS
    style = (Path(web_ui.__file__).parent / "static" / "board.css").read_text("utf-8")
    for pattern, colour in LAMPS.values():
        assert f".lamp-{colour} " in style
        assert pattern == "steady" or f".pattern-{pattern}" in style


def test_alerts_name_the_clause_and_who_is_asked() -> None:
    shown = document(
        refusals=[{"seq": 9, "code": "x", "clause": "etalat 4", "hint": "13-1-2 is not a run",
                   "hint_ro": "13-1-2 nu este suită"}],
        question={"number": 1, "kind": "k", "seat": 2, "text": "Is it 6?",
                  "text_ro": "Este 6?", "options": []},
        parts=[{"name": "camera", "state": "lost", "well": False, "why": "unplugged", "why_ro": "scoasă"}],
    )  # fmt: skip
    page = client_of(shown).get("/").text
    assert "13-1-2 is not a run" in page
    assert "Clause: etalat 4" in page
    assert "Ioana: Is it 6?" in page
    assert "Camera: unplugged" in page
    romanian = client_of(shown, "ro").get("/").text
    assert "13-1-2 nu este suită" in romanian
    assert "Cameră: scoasă" in romanian


def test_the_time_of_a_turn() -> None:
    clock = {"mode": "up", "spent_s": 75.9, "left_s": None, "warnings": 0, "runs": True}
    page = client_of(document(clock=clock, phase="play", turn=1)).get("/").text
    assert 'data-runs="yes" data-spent="75.9">' in page
    assert ">1:15</span>" in page
    clock = {**clock, "mode": "limit", "left_s": 14.1, "runs": False}
    page = client_of(document(clock=clock, phase="play", turn=1)).get("/").text
    assert 'data-runs="no" data-spent="75.9" data-left="14.1">' in page
    assert ">0:14</span>" in page
    for none in (None, {**clock, "mode": "off", "left_s": None, "runs": True}):
        page = client_of(document(clock=none, phase="play", turn=1)).get("/").text
        assert "board-clock" not in page
        assert 'role="timer"' not in page


def test_stacks_and_chart() -> None:
    assert stacks(0) == ()
    assert stacks(49) == (7,) * 7
    assert chart(NAMES, []) is None
    drawn = chart(NAMES, [(10, 10, 10), (-400, -400, -390)])
    assert drawn is not None
    assert [line.total for line in drawn.lines] == [-390, -390, -380]
    places = sorted(line.name_y for line in drawn.lines)
    assert all(after - before >= 17.9 for before, after in pairwise(places))
    assert places[-1] <= HEIGHT
    levels = [level for level, _ in drawn.levels]
    assert levels[0] <= -390
    assert levels[-1] >= 10
    assert 3 <= len(levels) <= 8


class Kept:
    """A history of one match; it cannot be read where there is none."""

    def __init__(self, match: PlayedMatch | None) -> None:
        self._match = match

    def matches(self) -> tuple[PlayedMatch, ...]:
        if self._match is None:
            raise StoreError(hint_en="The journal is broken.", hint_ro="Jurnalul este stricat.")
        return (self._match,)

    def ratings(self, results: Any) -> dict[str, Any]:
        raise AssertionError("nobody is rated here")

    def add(self, text: str) -> str:
        raise AssertionError("nothing is kept here")


def kept(shown: dict[str, Any], *records: Record) -> Kept:
    return Kept(PlayedMatch("1", NAMES, records, shown["match"]["number"]))


def test_the_sheet_has_the_lines_of_every_game_and_the_racks_of_those_that_are_over() -> None:
    shown = document(phase="play")
    first, second = played(seed=5), unfinished(played(seed=6))
    first = first.plus("rule", {"seat": 1, "points": -10, "reason": "spilt tea"})
    page = client_of(shown, history=kept(shown, first, second)).get("/sheet").text
    assert page.count('<section class="sheet-game"') == 2
    before, now = re.findall(r'<section class="sheet-game".*?</section>', page, re.DOTALL)
    done = replay(first)
    for one in done.scores:
        assert f"<td>{str(one.total).replace('-', '−')}</td>" in before
        for line in one.lines:
            assert f'<th scope="row">{escape(line_words(line.what))}</th>' in before
    assert "Ana-Maria: −10, spilt tea" in before
    assert before.count('<svg class="tile') == sum(len(player.hand) for player in done.state.players) > 0
    assert 'class="tile' not in now
    assert "not over yet" in now
    for score in shown["scores"]:
        assert f"<td>{str(score['total']).replace('-', '−')}</td>" in now
    over = document(-1)
    page = client_of(over, history=kept(over, first, played(seed=6))).get("/sheet").text
    assert page.count('class="sheet-racks"') == 2
    assert "not over yet" not in page
    for result in over["match"]["results"]:
        assert all(f"<td>{str(points).replace('-', '−')}</td>" in page for points in result)


def test_the_sheet_without_a_history_has_the_game_that_is_on() -> None:
    shown = document(phase="play")
    for history in (None, Kept(None)):
        page = client_of(shown, history=history).get("/sheet").text
        assert page.count('<section class="sheet-game"') == 1
        assert ("The journal is broken." in page) == (history is not None)


def test_without_a_game_the_start_is_the_photo(client: FlaskClient) -> None:
    answer = client.get("/", query_string={"rules": "doizece"})
    assert (answer.status_code, answer.headers["Location"]) == (302, "/photo?rules=doizece")
    assert client.get("/board/now").status_code == 404
    assert client.get("/sheet").status_code == 404
    assert 'class="places"' not in client.get("/photo").text


def test_the_look_is_kept_and_only_a_known_one() -> None:
    client = client_of(document())
    assert "data-theme" not in client.get("/").text
    answer = client.post("/look", data={"theme": "dark", "next": "/sheet"})
    assert (answer.status_code, answer.headers["Location"]) == (303, "/sheet")
    assert "HttpOnly" in answer.headers["Set-Cookie"]
    assert "SameSite=Lax" in answer.headers["Set-Cookie"]
    client.post("/look", data={"type": "large"})
    assert ' data-theme="dark" data-type="large">' in client.get("/").text
    for wrong in ({}, {"theme": "pink"}, {"type": "huge"}):
        assert client.post("/look", data=wrong).status_code == 400
    assert client.post("/look", data={"theme": "auto", "next": "//evil.example"}).headers["Location"] == "/"


def test_it_can_be_installed() -> None:
    client = client_of(document())
    manifest = client.get("/manifest.webmanifest")
    assert manifest.mimetype == "application/manifest+json"
    assert manifest.get_json()["start_url"] == "/"
    for (name, size, _), icon in zip(ICONS, manifest.get_json()["icons"], strict=True):
        with client.get(icon["src"]) as got, Image.open(BytesIO(got.data)) as picture:
            assert (name.endswith(".png"), f"{picture.width}x{picture.height}") == (True, size)
    worker = client.get("/sw.js")
    assert worker.mimetype == "text/javascript"
    assert "/api" not in worker.text
    assert "does not answer" in client.get("/offline").text


def test_the_code_leads_to_the_address_for_phones() -> None:
    near = client_of(document(), addresses=lambda: ["http://127.0.0.1:8000/", "http://192.168.1.5:8000/"])
    assert "http://192.168.1.5:8000/" in near.get("/qr").text
    code = near.get("/qr.svg")
    assert code.mimetype == "image/svg+xml"
    assert b"style=" not in code.data
    alone = client_of(document(), addresses=lambda: ["http://127.0.0.1:8000/"])
    assert alone.get("/qr.svg").status_code == 404
    assert "[page]" in alone.get("/qr").text
    assert lan_address(None) is None
