"""The arbiter's desk with a real table behind it: log in, correct, see first what that changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from companion.past import Past
from companion.sheets import SheetFile
from companion.table.running import RunningTable
from engine.readings import Candidate
from engine.table_reading import LyingMeld, TableReading
from engine.tiles import Mark
from tests.companion.table.scripted import look
from tests.companion.table.test_retile_preview import UNSEEN
from tests.companion.table.test_running import running, until
from tests.web_ui.conftest import services
from tests.web_ui.test_table import NOW, ScriptedTable, lying
from web_ui.app import create_app
from web_ui.arbiters import IDLE_S, MOST, Arbiters
from web_ui.desk_view import doubts, game_places
from web_ui.pin import Gate
from web_ui.services import Services, TableNow

PIN = "2580"


class Camera(ScriptedTable):
    """A table that is seen, with crops."""

    def __init__(self, now: TableNow) -> None:
        super().__init__(now)
        self.open_jpeg = b"\xff\xd8\xff\xe0 open racks"
        self.tile_jpeg = b"\xff\xd8\xff\xe0 a tile"

    def arbiters_picture(self) -> bytes | None:
        return self.open_jpeg

    def crop(self, key: int) -> bytes | None:
        return self.tile_jpeg if key < 100 else None


def client_of(given: Services, *, language: str = "en") -> FlaskClient:
    app = create_app(given)
    app.testing = True
    client = app.test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = language
    return client


def reading_of(document: dict[str, Any]) -> TableReading:
    """A reading that agrees with a game but for the last tile of its row, which was not read."""
    row = [lying(at + 1, face) for at, face in enumerate(document["row"])]
    unread = replace(
        row[-1], face=Mark.UNREAD, confidence=0.2, doubtful=True,
        alternatives=(Candidate(lying(0, "r9").face, 0.5), Candidate(row[-1].face, 0.4)),
    )  # fmt: skip
    return TableReading(4, 4.0, row=(*row[:-1], unread))


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


class Desk:
    """A client at the desk of a running table."""

    def __init__(self, stack: ExitStack, folder: Path, *, pin: bool = True, looks: int = 40) -> None:
        more = f"[page]\npin = '{PIN}'\n" if pin else ""
        self.table: RunningTable
        self.table, self.sight = stack.enter_context(running(folder, more, script=UNSEEN))
        self.sight.see(look(looks))
        until(self.table, lambda shown: len(shown.public["entries"]) == min(40, looks))
        self.camera = Camera(replace(NOW, reading=reading_of(dict(self.table.document()))))
        self.client = client_of(replace(services(), game=self.table, table=self.camera))

    def log_in(self) -> str:
        done = self.client.post("/arbiter/login", data={"pin": PIN})
        assert done.status_code == 303
        return self.page()

    def page(self, path: str = "/arbiter") -> str:
        answer = self.client.get(path)
        assert answer.status_code == 200, answer.get_data(as_text=True)
        return answer.get_data(as_text=True)

    def post(self, path: str, page: str, **fields: Any) -> tuple[int, str]:
        carried = {"csrf": value_of(page, "csrf"), "version": value_of(page, "version")}
        answer = self.client.post(path, data={**carried, **fields})
        return answer.status_code, answer.get_data(as_text=True)

    def confirm(self, page: str, **more: Any) -> tuple[int, str]:
        names = [name for name in ("what", "fields", "anyway") if f'name="{name}"' in page]
        main = page[page.index("desk-check") :]
        return self.post("/arbiter/do", main, **{name: value_of(main, name) for name in names}, **more)


def value_of(page: str, name: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    assert found, name
    return unescape(found[1])


def but_time(document: Mapping[str, Any]) -> dict[str, Any]:
    """A document without the clock, which runs on."""
    return {name: value for name, value in document.items() if name != "clock"}


def test_nobody_sees_the_desk_without_the_pin(stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path)
    assert "Log in" in desk.page()
    assert "desk-entries" not in desk.page()
    for path in ("/arbiter/now", "/arbiter/picture.jpg", "/arbiter/crop/1.jpg", "/arbiter/entry/1"):
        assert desk.client.get(path).status_code == 401, path
    for path in ("/arbiter/check", "/arbiter/do"):
        assert desk.client.post(path, data={"what": "undo", "version": "1"}).status_code == 401
    assert desk.client.post("/arbiter/login", data={"pin": "1111"}).status_code == 403
    page = desk.log_in()
    assert "desk-entries" in page
    cookie = desk.client.get_cookie("remi-arbiter")
    assert cookie is not None
    assert cookie.http_only
    assert cookie.same_site == "Strict"
    desk.post("/arbiter/logout", page)
    assert "desk-entries" not in desk.page()


def test_ten_wrong_pins_lock(stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path)
    codes = [desk.client.post("/arbiter/login", data={"pin": str(1000 + n)}).status_code for n in range(10)]
    assert codes == [403] * 5 + [429] * 5
    assert desk.client.post("/arbiter/login", data={"pin": PIN}).status_code == 429


def test_the_gate_counts_by_address_and_in_all() -> None:
    gate = Gate()
    for host in range(10):
        assert gate.refusal(PIN, "0000", f"10.0.0.{host}", 0.0) == "pin_wrong"
    assert gate.refusal(PIN, PIN, "10.0.0.77", 1.0) == "pin_locked"
    assert gate.refusal(PIN, PIN, "10.0.0.77", 60.0) is None
    slow = Gate()
    for at in range(20):
        assert slow.refusal(PIN, "0000", "10.0.0.1", at * 100.0) == "pin_wrong"
    assert slow.refusal(PIN, PIN, "10.0.0.1", 2500.0) == "pin_locked"
    assert slow.refusal(PIN, PIN, "10.0.0.2", 2500.0) is None


def test_a_session_ends_when_it_is_idle_and_there_are_only_so_many() -> None:
    known = Arbiters()
    name = known.begin(0.0)
    assert known.form_token(name, IDLE_S - 1, acts=True)
    assert known.form_token(name, 2 * IDLE_S - 2, acts=False)
    assert known.form_token(name, 2 * IDLE_S, acts=False) is None
    names = [known.begin(float(at)) for at in range(MOST + 1)]
    assert known.form_token(names[0], 100.0, acts=False) is None
    assert known.form_token(names[1], 100.0, acts=False)
    assert known.form_token(None, 0.0, acts=True) is None


def test_a_form_without_its_token_does_nothing(stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path)
    desk.log_in()
    before = desk.table.document()
    for token in ("", "wrong"):
        data = {"what": "undo", "fields": "{}", "version": before["version"], "csrf": token}
        assert desk.client.post("/arbiter/do", data=data).status_code == 403
    assert but_time(desk.table.document()) == but_time(before)


def test_json_with_session_and_token_needs_no_pin(stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path)
    token = value_of(desk.log_in(), "csrf")
    body = {"what": "pause", "version": desk.table.document()["version"]}
    assert desk.client.post("/api/v1/game", json=body).status_code == 403
    assert desk.client.post("/api/v1/game", json=body, headers={"X-CSRF-Token": token}).status_code == 200
    assert desk.table.document()["paused"]


def test_without_a_pin_this_machine_alone_is_let_in(stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path, pin=False)
    assert "desk-entries" in desk.page()
    other = desk.client.get("/arbiter", environ_overrides={"REMOTE_ADDR": "10.0.0.9"})
    assert other.status_code == 403
    fresh = client_of(replace(services(), game=desk.table))
    assert fresh.get("/arbiter", headers={"Host": "evil.example"}).status_code == 403


def test_undo_shows_what_it_changes_and_then_does_it(stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path)
    page = desk.log_in()
    before = desk.table.document()
    status, shown = desk.post("/arbiter/check", page, what="undo")
    assert status == 200
    assert "desk-changes" in shown
    assert but_time(desk.table.document()) == but_time(before)
    status, _ = desk.confirm(shown)
    assert status == 303
    after = desk.table.document()
    assert len([one for one in after["entries"] if one["counts"]]) < len(before["entries"])


def test_a_penalty_shows_the_score_before_and_after(stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path)
    fields = {"what": "rule", "e-seat": "1", "e-points": "-50", "e-reason": "târziu"}
    _, shown = desk.post("/arbiter/check", desk.log_in(), **fields)
    assert "Score of Dan" in shown
    assert desk.confirm(shown)[0] == 303
    assert desk.table.document()["entries"][-1]["reason"] == "târziu"
    assert "târziu" in desk.page()


def test_a_doubtful_tile_is_corrected_in_two_taps(stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path)
    page = desk.log_in()
    assert "Doubtful tiles" in page
    assert 'name="face" value="r9"' in page
    row = desk.table.document()["row"]
    fields = {"what": "retile", "meld": "", "at": str(len(row) - 1), "face": "r9"}
    status, shown = desk.post("/arbiter/check", page, **fields)
    assert status == 200
    assert f"{row[-1]}" in shown
    assert "Confirm" in shown
    assert desk.confirm(shown)[0] == 303
    assert desk.table.document()["row"] == [*row[:-1], "r9"]


def test_a_stale_page_overwrites_nothing_and_shows_what_is_now(stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path)
    page = desk.log_in()
    _, shown = desk.post("/arbiter/check", page, what="rename", seat="0", name="Ștefan")
    desk.table.post("rule", {"seat": 2, "points": -10}, None, anyway=False)
    before = desk.table.document()
    status, again = desk.confirm(shown)
    assert status == 409
    assert "moved on" in again
    assert "Ana is called Ștefan" in again
    assert desk.table.document()["version"] == before["version"]
    assert desk.table.document()["seats"] == before["seats"]
    assert desk.confirm(again)[0] == 303
    assert desk.table.document()["seats"][0]["name"] == "Ștefan"


def test_what_the_rules_refuse_is_done_only_all_the_same(stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path)
    page = desk.log_in()
    turn = desk.table.document()["turn"]
    fields = {"what": "command", "kind_of_entry": "draw", "e-seat": str((turn + 1) % 3), "e-source": "wall"}
    status, shown = desk.post("/arbiter/check", page, **fields)
    assert status == 200
    assert "Do it all the same" in shown
    before = desk.table.document()["version"]
    assert desk.confirm(shown)[0] == 303
    assert desk.table.document()["version"] > before


def test_an_entry_is_voided_with_a_reason_or_amended(stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path)
    desk.log_in()
    last = next(one for one in reversed(desk.table.document()["entries"]) if one["event"] == "discard")
    page = desk.page(f"/arbiter/entry/{last['seq']}")
    fields = {"what": "amend", "target": str(last["seq"]), "kind_of_entry": "discard", "why": "misread"}
    said = {"e-seat": str(last["seat"]), "e-tile": "r9"}
    _, shown = desk.post("/arbiter/check", page, **fields, **said)
    assert desk.confirm(shown)[0] == 303
    assert "r9" in desk.table.document()["row"]
    void = {"what": "void", "target": str(last["seq"]), "reason": "nu a fost"}
    _, shown = desk.post("/arbiter/check", page, **void)
    assert desk.confirm(shown)[0] == 303
    assert desk.table.document()["entries"][-1]["reason"] == "nu a fost"


@pytest.mark.parametrize("kind", ["deal", "announce", "draw", "take", "meld", "lay_off", "reclaim", "discard",
                                  "close_table", "wall_empty", "racks", "rule"])  # fmt: skip
def test_every_kind_of_entry_has_a_form(kind: str, stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path)
    desk.log_in()
    page = desk.page(f"/arbiter/enter/{kind}")
    assert f'name="kind_of_entry" value="{kind}"' in page
    status, shown = desk.post("/arbiter/check", page, what="command", kind_of_entry=kind)
    assert status in {200, 400}
    assert "desk-check" in shown


def test_a_whole_game_is_begun_by_hand(stack: ExitStack, tmp_path: Path) -> None:
    from companion.table.running import RunningTable
    from tests.companion.table.test_running import config_of

    table = stack.enter_context(RunningTable(config_of(tmp_path)))
    client = client_of(replace(services(), game=table))
    desk = Desk.__new__(Desk)
    desk.table, desk.client = table, client
    deal = {"e-hands-0": "14", "e-hands-1": "15", "e-hands-2": "14", "e-atu": "r5"}
    for kind, said in (("deal", deal), ("discard", {"e-seat": "1", "e-tile": "b3"})):
        page = desk.page(f"/arbiter/enter/{kind}")
        status, shown = desk.post("/arbiter/check", page, what="command", kind_of_entry=kind, **said)
        assert status == 200, shown
        assert desk.confirm(shown)[0] == 303
    assert table.document()["row"] == ["b3"]


def test_every_entry_can_be_corrected_not_only_the_newest(stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path, looks=60)
    page = desk.log_in()
    shown = {entry["seq"] for entry in desk.table.document()["entries"]}
    assert 3 not in shown
    assert '/arbiter/entry/3"' in page
    assert 'name="e-tile"' in desk.page("/arbiter/entry/3")


def test_wrong_input_is_said_and_changes_nothing(stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path)
    page = desk.log_in()
    before = desk.table.document()
    for fields, words in (
        ({"what": "rule", "e-seat": "0", "e-points": "many"}, "Points must be a whole number"),
        ({"what": "retile", "at": "0"}, "Choose a number"),
        ({"what": "nonsense"}, "no such kind"),
    ):
        status, shown = desk.post("/arbiter/check", page, **fields)
        assert status == 400
        assert words in shown
    assert but_time(desk.table.document()) == but_time(before)


def test_crops_and_picture_are_for_the_session_alone(stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path)
    desk.log_in()
    picture = desk.client.get("/arbiter/picture.jpg")
    assert b"open racks" in picture.data
    assert "no-store" in picture.headers["Cache-Control"]
    assert desk.client.get("/arbiter/crop/3.jpg").data.endswith(b"a tile")
    assert desk.client.get("/arbiter/crop/103.jpg").status_code == 404
    assert b"open racks" not in desk.client.get("/table/picture.jpg").data


def test_without_a_game_there_is_no_desk() -> None:
    assert client_of(services()).get("/arbiter").status_code == 404


def test_tiles_of_a_reading_are_found_in_the_game() -> None:
    game = {
        "row": ["b9", "k3"],
        "melds": [{"id": "m1", "seat": 0, "tiles": "r5 r6 r7"}, {"id": "m2", "seat": 1, "tiles": "y1 b1 k1"}],
    }
    reading = TableReading(
        1, 0.0,
        melds=(LyingMeld(1, 2, (lying(11, "r7"), lying(12, "?", doubtful=True), lying(13, "r5"))),
               LyingMeld(2, 1, (lying(14, "k9"), lying(15, "k10")))),
        row=(lying(21, "b9"), lying(22, "k3"), lying(23, "r2", doubtful=True)),
    )  # fmt: skip
    places = game_places(reading, game)
    assert (places[12].meld, places[12].at, places[12].face.text) == ("m1", 1, "r6")
    assert places[11].at == 2
    assert places[22].at == 1
    assert not {14, 15, 23} & places.keys()


def test_what_is_face_down_or_sure_is_no_doubt(stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path)
    reading = desk.camera.here.reading
    assert reading is not None
    with desk.client.application.test_request_context():
        found = doubts(reading, desk.table.document())
    assert [one.key for one in found] == [len(reading.row)]
    assert [face.text for face in found[0].choices] == ["r9"]


def test_an_entry_of_an_earlier_game_is_corrected_from_the_history(stack: ExitStack, tmp_path: Path) -> None:
    desk = Desk(stack, tmp_path, looks=len(UNSEEN))
    until(desk.table, lambda shown: shown.state.phase == "over")
    fined = {"seat": 1, "points": -10, "reason": "spilt tea"}
    for what, fields in (("rule", fined), ("next_deal", {})):
        assert desk.table.post(what, fields, None, anyway=True)["status"] == "done"
    file = stack.enter_context(SheetFile(None))
    past = Past(tmp_path / "remi-journal.sqlite", file)
    desk.client = client_of(replace(services(), game=desk.table, table=desk.camera, history=past))
    seq, totals = len(UNSEEN) + 1, desk.table.document()["match"]["totals"]
    assert desk.table.document()["game"] == 2
    address = f"/arbiter/entry/{seq}?game=1"
    assert f'href="{address}"' not in desk.page("/history/1/1")
    assert desk.client.get(address).status_code == 401
    desk.log_in()
    assert f'href="{address}"' in desk.page("/history/1/1")
    page = desk.page(address)
    assert "Game 1 · Entry" in page
    assert "The arbiter gives Dan −10 points. Reason: spilt tea" in page
    status, check = desk.post("/arbiter/check", page, what="void", target=seq, game=1, reason="no tea")
    assert status == 200
    assert f"Game 1: Entry {seq} is void. Reason: no tea" in check
    assert f"<td>{totals[1]}</td><td>{totals[1] + 10}</td>" in check
    assert desk.table.document()["match"]["totals"] == totals, "a preview does nothing"
    assert desk.confirm(check)[0] == 303
    assert desk.table.document()["match"]["totals"] == [totals[0], totals[1] + 10, *totals[2:]]
    deal = desk.page("/arbiter/entry/1?game=1")
    assert 'name="kind_of_entry" value="deal"' in deal
    for wrong in ("/arbiter/entry/999?game=1", "/arbiter/entry/1?game=7", "/arbiter/entry/1?game=0"):
        assert desk.client.get(wrong).status_code == 404, wrong
