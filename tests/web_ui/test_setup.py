"""The set-up pages: every rule has its field and words, nothing typed is lost, only who may comes in."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from calibration.legibility import planned_rig
from calibration.rig import Provenance
from calibration.rig_file import save_rig
from companion.table.config import load_config
from companion.table.setup_service import SetupService
from engine.rules.changes import changeable_fields
from tests.web_ui.conftest import services
from web_ui.app import create_app
from web_ui.setup_words import CHOICES, FIELDS, GROUPS

TABLE = "[players]\nnames = ['Ana', 'Dan', 'Ioana']\n[camera]\nrig = 'rig.toml'\n"
STEPS = ("", "/rules", "/players", "/camera", "/board", "/tiles", "/check")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    rig = planned_rig((900.0, 900.0), height_mm=1200.0, size=(1920, 1080), view_deg=70.0)
    save_rig(replace(rig, provenance=Provenance("2026-01-01", "a test")), tmp_path / "rig.toml")
    file = tmp_path / "table.toml"
    file.write_text(TABLE, encoding="utf-8")
    return file


@pytest.fixture
def client(path: Path) -> FlaskClient:
    app = create_app(replace(services(), setup=SetupService(load_config(path))))
    found = app.test_client()
    found.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
    return found


def stamp_of(html: str) -> str:
    found = re.search(r'name="stamp" value="([^"]+)"', html)
    assert found is not None
    return found[1]


def rules_form(client: FlaskClient, base: str = "etalat") -> dict[str, str]:
    html = client.get(f"/setup/rules?base={base}").text
    form = {"stamp": stamp_of(html), "base": base}
    for name in changeable_fields():
        field = re.search(rf'id="field-{name}" name="{name}"(.*?)(?:</select>|>\n)', html, re.DOTALL)
        assert field is not None, name
        chosen = re.search(r'value="([^"]*)" selected', field[1]) or re.search(r'value="([^"]*)"', field[1])
        assert chosen is not None, name
        form[name] = chosen[1]
    return form


def test_every_rule_that_can_be_changed_has_a_field_and_words() -> None:
    known = changeable_fields()
    assert [name for _, names in GROUPS for name in names] == list(dict.fromkeys(
        name for _, names in GROUPS for name in names
    ))  # fmt: skip
    assert {name for _, names in GROUPS for name in names} == set(FIELDS) == set(known)
    for name, limits in known.items():
        assert all(FIELDS[name][0]), name
        assert all(FIELDS[name][1]), name
        for choice in limits.choices:
            assert f"{name}.{choice}" in CHOICES or choice in CHOICES


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("language", ["ro", "en"])
def test_every_step_is_there_in_both_languages(client: FlaskClient, step: str, language: str) -> None:
    answer = client.get(f"/setup{step}", headers={"Accept-Language": language})
    assert answer.status_code == 200
    assert f'<html lang="{language}">' in answer.text


def test_who_is_elsewhere_does_not_come_in(client: FlaskClient) -> None:
    for step in STEPS:
        answer = client.get(f"/setup{step}", environ_base={"REMOTE_ADDR": "192.0.2.7"})
        assert answer.status_code == 403
        assert "[page] pin" in answer.text
    refused = client.post("/setup/players", environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert refused.status_code == 403


@pytest.mark.parametrize("base", ["doizece", "etalat", "regulament"])
def test_the_form_as_it_stands_changes_nothing(client: FlaskClient, path: Path, base: str) -> None:
    assert client.post("/setup/rules", data=rules_form(client, base)).status_code == 303
    file = load_config(path).file
    assert (file.rules.base, file.rules.changes) == (base, {})


def test_house_rules_are_kept_marked_and_summed_up(client: FlaskClient, path: Path) -> None:
    form = {
        **rules_form(client),
        "first_meld_points": "50",
        "one_final_points": "",
        "open_in_first_round": "yes",
    }
    answer = client.post("/setup/rules", data=form)
    assert answer.status_code == 303
    kept = load_config(path).file.rules.changes
    assert kept == {"first_meld_points": 50, "one_final_points": None, "open_in_first_round": True}
    html = client.get(answer.headers["Location"]).text
    assert "Saved." in html
    differs = html[html.index('id="differs"') : html.index("<form method", html.index('id="differs"'))]
    assert "Points to open" in differs
    assert "base: 45" in differs
    assert differs.count("<li>") == 3


def test_what_is_wrong_stands_at_its_field_and_nothing_typed_is_lost(client: FlaskClient, path: Path) -> None:
    before = path.read_bytes()
    form = {**rules_form(client), "first_meld_points": "fifty", "announce_few_at": "0", "wall_end": "rebuild"}
    answer = client.post("/setup/rules", data=form)
    assert answer.status_code == 422
    assert 'value="fifty"' in answer.text
    assert 'id="wrong-first_meld_points">must be a whole number from 0 to 1000' in answer.text
    assert 'id="wrong-few_fine">needs announce_few_at above 0' in answer.text
    assert re.search(r'value="rebuild" selected', answer.text)
    assert path.read_bytes() == before


def test_players_are_kept_or_refused_with_what_was_typed(client: FlaskClient, path: Path) -> None:
    stamp = stamp_of(client.get("/setup/players").text)
    form = {
        "stamp": stamp, "table": "Acasă", "players.names": ["Ana", "Ana", "", ""], "players.dealer": "random",
        "match.games": "x", "match.target": "", "turn.commit": "discard", "turn.clock": "limit",
        "turn.limit_s": "90", "turn.warn_s": "20 10",
    }  # fmt: skip
    refused = client.post("/setup/players", data=form)
    assert refused.status_code == 422
    assert "two players have the same name" in refused.text
    assert 'name="match.games" value="x"' in refused.text
    assert 'value="Acasă"' in refused.text
    form |= {"players.names": ["Ana", "Vlad", "", ""], "match.games": "6"}
    assert client.post("/setup/players", data=form).status_code == 303
    file = load_config(path).file
    assert (file.players.names, file.match.games, file.turn.warn_s) == (("Ana", "Vlad"), 6, (20.0, 10.0))


def test_a_stale_page_is_told_and_keeps_what_was_typed(client: FlaskClient, path: Path) -> None:
    form = {**rules_form(client), "first_meld_points": "60"}
    path.write_text(TABLE + "[match]\ngames = 2\n", encoding="utf-8")
    answer = client.post("/setup/rules", data=form)
    assert answer.status_code == 409
    assert 'id="stale"' in answer.text
    assert 'value="60"' in answer.text
    assert load_config(path).file.rules.changes == {}


def test_zones_are_typed_in_millimetres(client: FlaskClient, path: Path) -> None:
    html = client.get("/setup/camera").text
    form_html = html[html.index('id="zones-form"') :]
    form = dict(re.findall(r'name="(z\d+-\d+-[xy])" value="([^"]*)"', form_html))
    form["stamp"] = stamp_of(form_html)
    wrong = client.post("/setup/zones", data={**form, "z0-0-x": "4000"})
    assert wrong.status_code == 422
    assert 'name="z0-0-x" value="4000"' in wrong.text
    moved = {**form, "z0-0-x": str(float(form["z0-0-x"]) + 5)}
    assert client.post("/setup/zones", data=moved).status_code == 303
    assert (path.parent / "zones.toml").is_file()


@pytest.mark.parametrize("typed", ["south", "", "nan", "inf"])
def test_a_corner_that_is_no_number_is_said_at_its_field_and_the_others_stay(
    client: FlaskClient, path: Path, typed: str
) -> None:
    html = client.get("/setup/camera").text
    form_html = html[html.index('id="zones-form"') :]
    form = dict(re.findall(r'name="(z\d+-\d+-[xy])" value="([^"]*)"', form_html))
    form |= {"stamp": stamp_of(form_html), "z1-2-y": typed, "z3-0-x": "-121,5"}
    answer = client.post("/setup/zones", data=form)
    assert answer.status_code == 422
    kept = dict(re.findall(r'name="(z\d+-\d+-[xy])" value="([^"]*)"', answer.text))
    assert kept == {name: text for name, text in form.items() if name != "stamp"}
    marked = re.findall(
        r'<input name="([^"]+)"[^>]*aria-invalid="true" aria-describedby="([^"]+)"', answer.text
    )
    assert marked == [("z1-2-y", "zone-1-wrong")]
    said = re.search(r'id="zone-1-wrong">([^<]+)<', answer.text)
    assert said is not None
    assert "corner 3, y: enter a number" in said[1]
    assert answer.text.count("<details") == answer.text.count("<details name") > 4
    assert re.findall(r'data-zone="(\d+)" data-name="[^"]*" open', answer.text) == ["1"]
    assert not (path.parent / "zones.toml").exists()


def test_the_board_and_the_check_say_what_to_do(client: FlaskClient) -> None:
    assert "runs without a board" in client.get("/setup/board").text
    assert client.post("/setup/board/lamp", data={"seat": "0"}).status_code == 404
    assert client.post("/setup/board/buttons").status_code == 404
    found = client.get("/setup/check?run=1").text
    assert "no camera is named under [camera]" in found
    assert 'class="wrong"' not in found
