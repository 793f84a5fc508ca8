"""The history: matches, players, a game step by step, files; nothing of a rack before a game is over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from flask.testing import FlaskClient

from companion.past import Past
from companion.sheets import SheetFile
from companion.table.journal import Journal
from companion.table.thread import TableThread
from engine.commands import Racks
from engine.players import play_game
from engine.public_record import public_record
from engine.records import Record, format_record, new_record, parse_record
from engine.replay import replay
from engine.rules import rule_set
from tests.web_ui.conftest import services
from web_ui.app import create_app

NAMES = ("Ana", "Ștefan", "Ioana")


def played(rules: str = "etalat", seed: int = 5) -> Record:
    game = play_game(rule_set(rules), 3, Random(seed))
    record = new_record(rules, NAMES, dealer=game.state.dealer, pack=game.state.pack)
    for command, _ in game.history:
        record = record.plus_command(command, actor="camera", at="2026-11-30T10:00:00Z")
    return record


@pytest.fixture
def file() -> Iterator[SheetFile]:
    with SheetFile(None) as opened:
        yield opened


def client_of(file: SheetFile, journal: Path | None = None) -> FlaskClient:
    app = create_app(replace(services(), sheets=file, history=Past(journal, file)))
    client = app.test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client


def send(client: FlaskClient, data: bytes, *, csrf: str = "") -> tuple[int, str, str]:
    token = f'--line\r\nContent-Disposition: form-data; name="csrf"\r\n\r\n{csrf}\r\n'.encode()
    body = token + b'--line\r\nContent-Disposition: form-data; name="record"; filename="a.jsonl"\r\n\r\n'
    answer = client.post(
        "/history/import", data=body + data + b"\r\n--line--\r\n",
        content_type="multipart/form-data; boundary=line",
    )  # fmt: skip
    return answer.status_code, answer.text, str(answer.headers.get("Location", ""))


@pytest.mark.parametrize("rules", ["etalat", "doizece", "regulament"])
def test_a_record_is_imported_and_every_step_shown(file: SheetFile, rules: str) -> None:
    record, client = played(rules), client_of(file)
    status, _, where = send(client, format_record(record).encode())
    assert status == 303
    path = where.partition("?")[0]
    for step in (*range(0, len(record.entries), 9), len(record.entries)):
        page = client.get(path, query_string={"step": step})
        assert page.status_code == 200
        assert f"{step} / {len(record.entries)}" in page.text
    totals = [one.total for one in replay(record).scores]
    document = client.get("/api/v1/history").get_json()
    assert document["matches"][0]["totals"] == totals
    assert {one["name"]: one["points"] for one in document["players"]} == dict(
        zip(NAMES, totals, strict=True)
    )
    saved = parse_record(client.get(f"{path}/record.remi.jsonl").text)
    assert saved.entries == record.entries
    assert client.get("/history").status_code == client.get("/history/i1").status_code == 200
    assert "Ștefan" in client.get("/history/players.csv").text
    assert client.get("/history/i1/scores.csv").text.splitlines()[1] == ",".join(["1", *map(str, totals)])
    # The same record again is the same game.
    assert send(client, format_record(record).encode())[2] == where
    assert len(client.get("/api/v1/history").get_json()["matches"]) == 1


@pytest.mark.parametrize(
    ("data", "status", "words"),
    [
        (b"", 400, "No record was chosen"),
        (b"{}", 422, "line 1, format"),
        (b"\x89PNG\xff\xfe", 422, "is no text"),
        (b"x" * (2**20 + 1), 413, "bigger than 1 MB"),
    ],
)
def test_what_is_no_record_is_answered_in_words(
    file: SheetFile, data: bytes, status: int, words: str
) -> None:
    client = client_of(file)
    found, text, _ = send(client, data)
    assert (found, words in text) == (status, True)
    assert client.get("/api/v1/history").get_json()["matches"] == []


def test_a_broken_line_is_named(file: SheetFile) -> None:
    lines = format_record(played()).splitlines()
    lines[4] = lines[4].replace('"seq": 4', '"seq": 9')
    status, text, _ = send(client_of(file), "\n".join(lines).encode())
    assert status == 422
    assert "line 5, seq" in text


def unfinished(record: Record) -> Record:
    """The record before it is over."""
    entries = record.entries
    while replay(replace(record, entries=entries)).state.phase == "over":
        entries = entries[:-1]
    return replace(record, entries=entries)


def tiles_shown(text: str) -> list[str]:
    return re.findall(r'<span class="shown-tile" role="img" aria-label="([^"]*)"', text)


@pytest.mark.parametrize("rules", ["etalat", "doizece", "regulament"])
def test_nothing_of_a_rack_is_shown_of_a_game_that_is_on(file: SheetFile, rules: str) -> None:
    record = unfinished(played(rules))
    public = public_record(record)
    dealt = replay(replace(record, entries=record.entries[:1])).state
    assert all(player.hand.known for player in dealt.players), "the record itself knows the racks"
    assert all(isinstance(hand, int) for hand in public.entries[0].fields["hands"])
    # What is public plays as before: the same table, the same points.
    before, after = replay(record), replay(public)
    assert [meld.tiles for meld in before.state.melds] == [meld.tiles for meld in after.state.melds]
    assert before.state.row == after.state.row
    client = client_of(file)
    _, _, where = send(client, format_record(record).encode())
    path = where.partition("?")[0]
    assert public.entries == parse_record(client.get(f"{path}/record.remi.jsonl").text).entries
    for step in range(0, len(record.entries) + 1, 4):
        page = client.get(path, query_string={"step": step}).text
        assert 'class="row rack-row"' not in page
        state = replay(replace(record, entries=record.entries[:step])).state
        on_table = len(state.row) + sum(len(m.pieces) + len(m.beside) for m in state.melds)
        assert len(tiles_shown(page)) == on_table + (state.atu is not None)
        assert not re.search(r"draws [rybk]\d", page)


def test_corrections_hide_what_they_correct() -> None:
    record = unfinished(played())
    draw = next(entry for entry in record.entries if entry.event == "draw" and entry.fields.get("tile"))
    said = {"event": "draw", "seat": draw.fields["seat"], "tile": "r1", "note": "r1 it was"}
    amended = record.plus("amend", {"target": draw.seq, "entry": said, "reason": "misread"}, actor="arbiter")
    fields = public_record(amended).entries[-1].fields
    assert fields["entry"] == {"event": "draw", "seat": said["seat"], "tile": None, "source": "wall"}
    early = record.plus_command(Racks(((0, ()),)))
    assert public_record(early).entries[-1].fields == {"racks": {}}


def test_the_journal_is_followed_while_it_is_written(file: SheetFile, tmp_path: Path) -> None:
    from companion.table.inputs import Looked, Post
    from tests.companion.table.scripted import look, played_script, scripted_setup

    path = tmp_path / "journal.sqlite"
    client = client_of(file, path)
    assert client.get("/api/v1/history").get_json()["matches"] == []
    script = played_script("etalat", 3)
    with (
        Journal(path) as journal,
        TableThread(journal, scripted_setup([script]), random=Random(1)) as table,
    ):
        table.looked(Looked(look(8)))
        assert table.wait(after=1, timeout=60) is not None
        (match,) = client.get("/api/v1/history").get_json()["matches"]
        assert [game["over"] for game in match["games"]] == [False]
        table.looked(Looked(look(len(script))))
        table.post(Post("pause", {}, None, anyway=False)).result(60)
        (match,) = client.get("/api/v1/history").get_json()["matches"]
        assert [game["over"] for game in match["games"]] == [True]
        assert match["games"][0]["entries"] == len(script)
        assert "rack-row" in client.get("/history/1/1?step=5").text, "the racks of a game that is over"
        table.post(Post("next_deal", {}, None, anyway=True)).result(60)
        (match,) = client.get("/api/v1/history").get_json()["matches"]
        assert len(match["games"]) == 2
        table.post(Post("resume", {}, None, anyway=False)).result(60)


@pytest.mark.parametrize("path", ["/history/9", "/history/i1/1", "/history/x/1", "/history/1/99"])
def test_what_is_not_there(file: SheetFile, path: str) -> None:
    assert client_of(file).get(path).status_code == 404


def test_beside_a_followed_table_only_its_arbiter_imports(tmp_path: Path, file: SheetFile) -> None:
    from companion.table.config import parse_config
    from companion.table.running import RunningTable

    text = "[players]\nnames = ['Ana', 'Dan', 'Ioana']\n[page]\npin = '2580'\n"
    sent = format_record(played()).encode()
    with RunningTable(parse_config(text, folder=tmp_path)) as table:
        app = create_app(replace(services(), sheets=file, history=Past(None, file), game=table))
        client = app.test_client()
        client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
        assert 'name="record"' not in client.get("/history").text
        status, said, _ = send(client, sent)
        assert (status, "Log in at the desk" in said) == (401, True)
        assert client.post("/arbiter/login", data={"pin": "2580"}).status_code == 303
        # A form of another page carries no token of this session.
        assert send(client, sent)[0] == 403
        assert file.records() == {}
        found = re.search(r'name="csrf" value="([^"]+)"', client.get("/history").text)
        assert found is not None
        assert send(client, sent, csrf=found[1])[0] == 303
        assert len(file.records()) == 1


@pytest.mark.parametrize(("host", "status"), [("127.0.0.1", 303), ("192.0.2.9", 401)])
def test_without_a_pin_only_this_machine_imports(
    tmp_path: Path, file: SheetFile, host: str, status: int
) -> None:
    from companion.table.config import parse_config
    from companion.table.running import RunningTable

    config = parse_config("[players]\nnames = ['Ana', 'Dan']\n", folder=tmp_path)
    with RunningTable(config) as table:
        client = create_app(
            replace(services(), sheets=file, history=Past(None, file), game=table)
        ).test_client()
        client.environ_base["REMOTE_ADDR"] = host
        assert send(client, format_record(played()).encode())[0] == status
