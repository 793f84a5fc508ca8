"""The set-up of a table: kept in its file, refused at the field, taken over by the table that runs."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calibration.legibility import planned_rig
from calibration.rig import Provenance
from calibration.rig_file import save_rig
from calibration.zones_file import load_zones
from companion.table.config import load_config
from companion.table.inputs import Post
from companion.table.options import example
from companion.table.running import RunningTable
from companion.table.setup_service import SetupService
from companion.table.writing import table_text, values_of
from engine.lamps import Button
from engine.rules import resolved
from tests.waiting import until
from web_ui.services import BothLanguages
from web_ui.setup_needs import SetupZones


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "table.toml"
    file.write_text("[players]\nnames = ['Ana', 'Dan', 'Ioana']\n[page]\npin = '2580'\n", encoding="utf-8")
    return file


def with_rig(path: Path) -> None:
    rig = planned_rig((900.0, 900.0), height_mm=1200.0, size=(1920, 1080), view_deg=70.0)
    save_rig(replace(rig, provenance=Provenance("2026-01-01", "a test")), path.parent / "rig.toml")
    path.write_text(path.read_text() + "[camera]\nrig = 'rig.toml'\n", encoding="utf-8")


def service(path: Path, table: RunningTable | None = None) -> SetupService:
    return SetupService(load_config(path), table=table)


def save(setup: SetupService, **values: Any) -> Any:
    named = {key.replace("__", "."): value for key, value in values.items()}
    return setup.save(named, setup.now().stamp)


@pytest.mark.parametrize("romanian", [False, True])
def test_what_is_written_is_read_back(tmp_path: Path, romanian: bool) -> None:
    path = tmp_path / "table.toml"
    path.write_text(example(romanian=romanian), encoding="utf-8")
    file = load_config(path).file
    assert table_text(values_of(file), name="table.toml", romanian=romanian) == path.read_text(
        "utf-8"
    ).replace("{name}", "table.toml")


def test_changes_are_kept_and_the_rest_stays(path: Path) -> None:
    setup = service(path)
    assert save(setup, players__names=["Țuțu", "Dan"], match__games=5).status == "saved"
    kept = load_config(path).file
    assert (kept.players.names, kept.match.games, kept.page.pin) == (("Țuțu", "Dan"), 5, "2580")
    assert save(setup, page__pin="1111").status == "saved"
    assert load_config(path).file.page.pin == "2580"  # not to be changed from the page
    assert "page.pin" not in setup.now().values
    assert not list(path.parent.glob(".*.new"))


def test_a_rule_may_become_nothing(path: Path) -> None:
    assert (
        save(service(path), rules__changes={"one_final_points": None, "number_points": [5] * 12}).status
        == "saved"
    )
    rules = load_config(path).rules
    assert rules.one_final_points is None
    assert resolved(rules)["number_points"] == [5] * 12


def test_what_is_wrong_is_said_at_its_field_and_nothing_is_written(path: Path) -> None:
    setup, before = service(path), path.read_bytes()
    answer = save(
        setup,
        rules__changes={"few_fine": 500, "announce_few_at": 0, "atu_bonus": "many"},
        players__names=["Ana", "Ana"],
        turn__limit_s=-1,
    )
    assert answer.status == "wrong"
    fields = {one.field for one in answer.wrong}
    assert {"rules.changes.few_fine", "rules.changes.atu_bonus", "players.names", "turn.limit_s"} <= fields
    assert all(one.words.ro and one.words.en for one in answer.wrong)
    assert path.read_bytes() == before


def test_a_set_up_that_was_changed_meanwhile_is_not_overwritten(path: Path) -> None:
    setup = service(path)
    stamp = setup.now().stamp
    path.write_text(path.read_text() + "[match]\ngames = 9\n", encoding="utf-8")  # by hand
    assert setup.save({"match.games": 3}, stamp).status == "stale"
    assert load_config(path).file.match.games == 9
    assert save(setup, match__games=3).status == "saved"


def test_a_file_that_cannot_be_written_is_left_as_it_was(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    setup, before = service(path), path.read_bytes()
    stamp = setup.now().stamp
    monkeypatch.setattr("os.fsync", full)
    answer = setup.save({"match.games": 3}, stamp)
    assert answer.status == "failed"
    assert "No space left" in answer.wrong[0].words.en
    assert path.read_bytes() == before
    assert setup.now().values["match.games"] is None


def test_a_broken_file_is_said(path: Path) -> None:
    setup = service(path)
    path.write_text("[players\n", encoding="utf-8")
    now = setup.now()
    assert now.broken is not None
    assert now.values["players.names"] == ["Ana", "Dan", "Ioana"]
    assert save(setup, match__games=4).status == "saved"
    assert load_config(path).file.match.games == 4


def test_before_anything_was_played_it_holds_at_once(path: Path) -> None:
    config = load_config(path)
    with RunningTable(config) as table:
        setup = SetupService(config, table=table)
        answer = save(
            setup, players__names=["Ana", "Vlad", "Ioana"], rules__changes={"first_meld_points": 50}
        )
        assert "at once" in answer.effects[0].en
        header = table.table.core.game.record.header
        assert header.seats == ("Ana", "Vlad", "Ioana")
        assert table.table.core.state.rules.first_meld_points == 50
    with RunningTable(load_config(path)) as table:  # and after a restart
        assert table.table.core.game.record.header.seats == ("Ana", "Vlad", "Ioana")


def test_a_match_that_was_begun_goes_on_as_it_began(path: Path) -> None:
    config = load_config(path)
    with RunningTable(config) as table:
        setup = SetupService(config, table=table)
        said = table.post("command", {"event": "penalty", "seat": 0, "points": 5}, None, anyway=True)
        rows = table.table.core.game.record.entries
        if not rows:
            said = table.post("rule", {"seat": 0, "points": -5, "note": "late"}, None, anyway=True)
        if not table.table.core.game.record.entries:
            pytest.fail(str(said))
        answer = save(setup, players__names=["Ana", "Vlad", "Ioana"])
        assert "next match" in answer.effects[0].en
        assert table.table.core.game.record.header.seats == ("Ana", "Dan", "Ioana")
        table.table.post(Post("new_match", {}, None, anyway=True)).result(30)
        assert table.table.core.game.record.header.seats == ("Ana", "Vlad", "Ioana")


def test_another_number_of_players_waits_for_the_next_start(path: Path) -> None:
    config = load_config(path)
    with RunningTable(config) as table:
        answer = save(SetupService(config, table=table), players__names=["Ana", "Dan"])
        assert "next start" in answer.effects[0].en
        assert len(table.table.core.game.record.header.seats) == 3


def test_zones_are_kept_beside_the_table_file(path: Path) -> None:
    with_rig(path)
    setup = service(path)
    zones = setup.zones()
    assert isinstance(zones, SetupZones)
    assert {zone.verdict for zone in zones.zones} <= {"good", "doubtful", "no"}
    outlines = [zone.outline for zone in zones.zones]
    moved = [tuple((x + 5, y) for x, y in outlines[0]), *outlines[1:]]
    assert setup.save_zones(moved, zones.stamp).status == "saved"
    assert load_config(path).file.camera.zones == "zones.toml"
    kept = load_zones(path.parent / "zones.toml")
    assert kept.zones[0].corners == moved[0]
    assert setup.save_zones(outlines, zones.stamp).status == "stale"
    again = setup.zones()
    assert isinstance(again, SetupZones)
    bent = [((0.0, 0.0), (100.0, 0.0), (20.0, 10.0), (0.0, 100.0)), *outlines[1:]]
    answer = setup.save_zones(bent, again.stamp)
    assert (answer.status, answer.wrong[0].field) == ("wrong", "zones.0")


def test_without_a_camera_it_is_said_what_to_do(path: Path) -> None:
    missing = service(path).zones()
    assert isinstance(missing, BothLanguages)
    assert "remi calibrate" in missing.en
    assert "remi calibrate" in missing.ro


def test_without_a_file_it_is_kept_in_memory(path: Path, tmp_path: Path) -> None:
    before = sorted(tmp_path.iterdir())
    setup = SetupService(replace(load_config(path), path=None))
    now = setup.now()
    assert now.file is None
    assert save(setup, match__games=7).status == "saved"
    assert setup.save({"match.games": 8}, now.stamp).status == "stale"
    assert setup.now().values["match.games"] == 7
    assert sorted(tmp_path.iterdir()) == before


def test_lamps_and_buttons_are_tried_without_the_game(path: Path) -> None:
    path.write_text(path.read_text() + "[board]\nport = 'sim'\n", encoding="utf-8")
    config = load_config(path)
    with RunningTable(config) as table:
        setup = SetupService(config, table=table)
        assert until(lambda: setup.board().well)
        assert setup.test_lamp(1)
        assert not setup.test_lamp(3)
        assert setup.test_buttons()
        before = table.table.core.history.last
        board = table.board
        assert board is not None
        board.press(2, 2)
        assert until(lambda: setup.board().presses == ((2, Button.CALL.value),))
        assert setup.board().testing_s > 0
        assert table.table.core.history.last == before
        assert not table.table.core.calls


def test_the_check_asks_the_board_that_runs(path: Path) -> None:
    path.write_text(path.read_text() + "[board]\nport = 'sim'\n", encoding="utf-8")
    config = load_config(path)
    with RunningTable(config) as table:
        setup = SetupService(config, table=table)
        assert until(lambda: setup.board().well)
        found = {one.name: one.verdict for one in setup.checks()}
    assert found == {
        "table file": "ok", "journal": "ok", "disk": found["disk"], "model": "ok", "camera": "note",
        "board": "ok", "page": "ok",
    }  # fmt: skip


def test_the_file_stays_toml(path: Path) -> None:
    assert save(service(path), table='A "quoted" \\ name', players__dealer="Dan").status == "saved"
    assert tomllib.loads(path.read_text("utf-8"))["table"] == 'A "quoted" \\ name'
