"""`remi setup`, `doctor`, `run`, `games` as people use them."""

from __future__ import annotations

import json
import signal
import socket
import sqlite3
import subprocess
import sys
import urllib.request
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.table import doctor
from companion.table.config import parse_config
from companion.table.inputs import Looked, Post
from companion.table.journal import Journal
from companion.table.thread import TableThread
from engine.records import parse_record
from tests.companion.table.scripted import final_scores, look, played_script, scripted_setup

WAIT_S = 120.0


def remi(*arguments: object, **environment: str) -> Result:
    clean = {"LC_ALL": "C.UTF-8", "LC_MESSAGES": "", "LANG": ""} | environment
    return CliRunner(env=clean).invoke(main, [str(argument) for argument in arguments])


@pytest.fixture(autouse=True)
def no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model is loaded by the reader's own tests."""
    monkeypatch.setattr("companion.tilesets.load_reader", lambda *_, **__: None)


def test_setup_writes_a_file_that_can_be_used_and_never_over_another(tmp_path: Path) -> None:
    path = tmp_path / "masa.toml"
    done = remi("setup", "--write", path, LC_ALL="ro_RO.UTF-8")
    assert done.exit_code == 0
    assert "remi doctor" in done.output
    text = path.read_text(encoding="utf-8")
    assert "O masă Remi Companion. Se pornește cu: remi run masa.toml" in text
    parse_config(text)
    again = remi("setup", "--write", path)
    assert again.exit_code == 1
    assert "is there already" in again.output
    assert path.read_text(encoding="utf-8") == text


def test_doctor_says_each_thing_with_a_verdict(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[page]\nport = 0\n[board]\nport = 'sim'\n")
    done = remi("doctor", path, "--json")
    assert done.exit_code == 0, done.output
    checks = {one["name"]: one for one in json.loads(done.stdout)["checks"]}
    assert {name: one["verdict"] for name, one in checks.items()} == {
        "table file": "ok", "journal": "ok", "disk": checks["disk"]["verdict"], "model": "ok",
        "camera": "note", "board": "ok", "page": "ok",
    }  # fmt: skip
    assert all(one["message"] != one["message_ro"] for one in checks.values())
    romanian = remi("doctor", path, LC_ALL="ro_RO.UTF-8").output
    assert "✓ fișierul mesei" in romanian
    assert not (tmp_path / "remi-journal.sqlite").exists(), "a doctor leaves nothing behind"


@pytest.mark.parametrize(
    ("text", "name", "words"),
    [
        ("[pgae]\nport = 1", "table file", "did you mean page?"),
        ("[camera]\nsource = '/dev/video77'\nrig = 'rig.toml'", "camera", "rig.toml"),
        ("[camera]\nsource = 'nothing-there'\nrig = 'rig.toml'", "camera", "is no source"),
        ("[board]\nport = '/dev/serial/by-id/gone'", "board", "cannot be opened"),
        ("[journal]\npath = 'notes.txt'", "journal", "is no journal"),
        ("[journal]\npath = 'nowhere/j.sqlite'", "disk", "make the folder"),
        ("[page]\nhost = '203.0.113.7'", "page", "is no address of this machine"),
        ("[camera]\ntileset = 'Bunica'", "model", "Bunica"),
    ],
)
def test_doctor_says_what_is_wrong_and_ends_with_1(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, name: str, words: str
) -> None:
    from companion.output import InputError

    def load_reader(tileset: str | None = None, *_: Any, **__: Any) -> None:
        if tileset is not None:
            raise InputError(f"there is no set {tileset}")

    monkeypatch.setattr("companion.tilesets.load_reader", load_reader)
    monkeypatch.setattr(doctor, "_BOARD_S", 0.3)
    (tmp_path / "notes.txt").write_text("milk, bread\n" * 50)
    path = tmp_path / "table.toml"
    path.write_text(text)
    done = remi("doctor", path, "--json")
    assert done.exit_code == 1
    wrong = [one for one in json.loads(done.stdout)["checks"] if one["verdict"] == "wrong"]
    assert [one["name"] for one in wrong] == [name]
    assert words in wrong[0]["message"]


def test_doctor_sees_a_companion_that_runs_and_a_port_that_is_taken(tmp_path: Path) -> None:
    with socket.socket() as taken, Journal(tmp_path / "remi-journal.sqlite"):
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        path = tmp_path / "table.toml"
        path.write_text(f"[page]\nport = {taken.getsockname()[1]}\n")
        done = remi("doctor", path)
    assert done.exit_code == 0
    assert "• journal: Another companion writes" in done.output
    assert "• page: port" in done.output


def test_doctor_without_a_file_looks_at_what_every_table_needs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert [check.name for check in doctor.examine(None)] == ["model", "disk"]
    assert remi("doctor").exit_code == 0


def test_doctor_says_when_the_disk_is_nearly_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def usage(free: int) -> Any:
        return lambda _: type("Usage", (), {"free": free * 2**20})()

    verdicts = []
    for free in (10, 100, 10_000):
        monkeypatch.setattr("shutil.disk_usage", usage(free))
        verdicts.append(doctor.check_disk(tmp_path).verdict)
    assert verdicts == ["wrong", "note", "ok"]


def test_games_are_listed_and_written_as_records(tmp_path: Path) -> None:
    script = played_script("etalat", 3)
    with Journal(tmp_path / "remi-journal.sqlite") as journal:
        with TableThread(journal, scripted_setup([script]), random=Random(1)) as thread:
            thread.looked(Looked(look(len(script))))
            thread.post(Post("next_deal")).result(WAIT_S)
        path = tmp_path / "table.toml"
        path.write_text("")
        listed = json.loads(remi("games", path, "--json", "--out", tmp_path / "records").stdout)
    assert [(one["match"], one["game"], one["phase"]) for one in listed["games"]] == [
        (1, 1, "over"),
        (1, 2, "deal"),
    ]
    record = parse_record((tmp_path / "records" / listed["games"][0]["record"]).read_text(encoding="utf-8"))
    assert [one["total"] for one in listed["games"][0]["scores"]] == final_scores(record)
    played = remi("replay", tmp_path / "records" / listed["games"][0]["record"], "--json")
    assert [one["total"] for one in json.loads(played.stdout)["scores"]] == final_scores(record)
    assert "Ana" in remi("games", path).output


def test_games_of_a_journal_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("")
    done = remi("games", path, LC_ALL="ro_RO.UTF-8")
    assert done.exit_code == 1
    assert "Se creează la prima pornire" in done.output


def test_run_refuses_a_wrong_file_and_a_second_companion(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[page]\nprot = 1\n")
    done = remi("run", path)
    assert done.exit_code == 1
    assert "did you mean port?" in done.output
    path.write_text("")
    with Journal(tmp_path / "remi-journal.sqlite"):
        done = remi("run", path, "--no-page", LC_ALL="ro_RO.UTF-8")
    assert done.exit_code == 1
    assert "Alt program Remi scrie" in done.output
    assert "Traceback" not in done.output


@pytest.mark.parametrize("language", ["en_US.UTF-8", "ro_RO.UTF-8"])
def test_run_says_in_one_message_what_to_do_about_a_rig_that_cannot_be_used(
    tmp_path: Path, language: str
) -> None:
    (tmp_path / "pictures").mkdir()
    path, rig = tmp_path / "table.toml", tmp_path / "rig.toml"
    path.write_text(f"[camera]\nsource = '{tmp_path / 'pictures'}'\nrig = 'rig.toml'\n")
    for text in (None, "format = 'nonsense'\n", "size = [1920"):
        if text is not None:
            rig.write_text(text)
        done = remi("run", path, "--no-page", LC_ALL=language)
        assert done.exit_code == 1
        assert "rig.toml" in done.output
        assert "remi calibrate" in done.output
        assert "Traceback" not in done.output
        assert len(done.output.strip().splitlines()) == 1
        assert any(sign in done.output for sign in "ăîșț") == language.startswith("ro")
    Journal(tmp_path / "remi-journal.sqlite").close()


def test_run_refuses_a_journal_of_a_newer_version_and_leaves_it_as_it_is(tmp_path: Path) -> None:
    path, journal = tmp_path / "table.toml", tmp_path / "remi-journal.sqlite"
    path.write_text("")
    Journal(journal).close()
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = journal.read_bytes()
    for language, words in (("en_US.UTF-8", "Update the program"), ("ro_RO.UTF-8", "Actualizați programul")):
        done = remi("run", path, "--no-page", LC_ALL=language)
        assert done.exit_code == 1
        assert words in done.output
        assert "Traceback" not in done.output
    assert journal.read_bytes() == before


def test_a_camera_that_is_not_there_is_shown_and_the_game_goes_on_by_hand(tmp_path: Path) -> None:
    from calibration.markers import MarkerLayout
    from calibration.rig_file import save_rig
    from companion.table.running import RunningTable
    from tests.calibration.virtual import calibrated, over

    save_rig(calibrated(MarkerLayout((900.0, 900.0)), over()), tmp_path / "rig.toml")
    text = "[camera]\nsource = '/dev/video97'\nrig = 'rig.toml'\n"
    with RunningTable(parse_config(text, folder=tmp_path)) as table:
        published = table.table.published
        while not any(part["name"] == "camera" and not part["well"] for part in published.public["parts"]):
            later = table.table.wait(after=published.number, timeout=60.0)
            assert later is not None, published.public["parts"]
            published = later
        (camera,) = (part for part in published.public["parts"] if part["name"] == "camera")
        assert camera["why"]
        assert camera["why_ro"] != camera["why"]
        deal = {"event": "deal", "hands": [14, 15, 14], "atu": "k6"}
        assert table.post("command", deal, None, anyway=True)["status"] == "done"


def test_a_table_runs_with_its_page_until_it_is_told_to_end(tmp_path: Path) -> None:
    """A process of its own: page, journal, SIGTERM; started again it has the same game."""
    path = tmp_path / "table.toml"
    path.write_text("[page]\nport = 0\n[players]\nnames = ['Ștefan', 'Ana']\n")
    versions = []
    for _ in range(2):
        process = subprocess.Popen(
            [sys.executable, "-m", "companion", "run", str(path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=Path(__file__).resolve().parents[3],
            env={"PATH": "/usr/bin:/bin", "PYTHONUNBUFFERED": "1", "OMP_NUM_THREADS": "1"},
        )
        try:
            assert process.stdout is not None
            line = ""
            while "http://" not in line:
                line = process.stdout.readline()
                assert line, "it ended"
            address = next(word for word in line.split() if word.startswith("http://"))
            with urllib.request.urlopen(f"{address}api/v1/game", timeout=WAIT_S) as answer:  # noqa: S310
                document = json.load(answer)
            assert document["seats"][0]["name"] == "Ștefan"
            versions.append(document["version"])
            with urllib.request.urlopen(f"{address}api/v1/game/events", timeout=WAIT_S) as stream:  # noqa: S310
                assert stream.readline() == b"retry: 2000\n"
                process.send_signal(signal.SIGTERM)
                assert process.wait(WAIT_S) == 0
        finally:
            process.kill()
            process.communicate()
    assert versions[0] < versions[1]
    with Journal(tmp_path / "remi-journal.sqlite") as journal:
        assert [row.event for row in journal.rows()] == ["match", "game"]


def test_doctor_looks_at_rig_zones_and_pictures(tmp_path: Path) -> None:
    """A folder of pictures stands for the camera: of the rig's size, of another, and a rig that is none."""
    import numpy as np
    from PIL import Image

    from calibration.markers import MarkerLayout
    from calibration.rig_file import save_rig
    from tests.calibration.virtual import calibrated, over

    rig = calibrated(MarkerLayout((900.0, 900.0)), over())
    save_rig(rig, tmp_path / "rig.toml")
    (tmp_path / "pictures").mkdir()
    path = tmp_path / "table.toml"
    path.write_text(f"[camera]\nsource = '{tmp_path / 'pictures'}'\nrig = 'rig.toml'\n")

    def verdicts(size: tuple[int, int]) -> dict[str, tuple[str, str]]:
        noise = np.random.default_rng(1).integers(0, 255, (size[1], size[0], 3), np.uint8)
        Image.fromarray(noise).save(tmp_path / "pictures" / "1.png")
        config = parse_config(path.read_text(), folder=tmp_path)
        return {check.name: (check.verdict, check.en) for check in doctor.check_camera(config)}

    assert verdicts(rig.size)["camera"][0] == "ok"
    assert "was made for frames of" in verdicts((640, 480))["rig"][1]
    path.write_text(path.read_text() + "zones = 'rig.toml'\n")
    assert verdicts(rig.size)["zones"][0] == "wrong"
    (tmp_path / "rig.toml").write_text("format = 'nonsense'\n")
    assert "is not a rig" in verdicts(rig.size)["camera"][1]
