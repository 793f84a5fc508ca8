"""`remi replay` and `remi best` as other programs and people see them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.records import LINE_NAMES
from engine.records import format_record
from engine.scores import LINES
from tests.engine.games import record

RECORDS = Path(__file__).resolve().parent.parent / "corpus" / "records"
WORKED = sorted(RECORDS.glob("*.expected.json"))
DISPUTED = "etalat-26-joker-credit"
HEADER = b'{"format": "remi-record/1", "rules": {"base": "etalat"}, "seats": ["A", "B"], "dealer": 0}\n'
RED_SEVENS = "deal [r7 r2 r3 b1 b2 b3 b4 b5 b6 b7 b8 b9 b10 b11 b12] 14 atu r7\n0 - r2\n1 + r7"


def remi(*arguments: object, **environment: str) -> Result:
    clean = {"LC_ALL": "C.UTF-8", "LC_MESSAGES": "", "LANG": ""} | environment
    return CliRunner(env=clean).invoke(main, [str(argument) for argument in arguments])


def document(result: Result, exit_code: int = 0) -> dict[str, Any]:
    assert result.exit_code == exit_code, result.output
    parsed = json.loads(result.stdout)
    assert isinstance(parsed, dict)
    return parsed


@pytest.mark.parametrize("path", WORKED, ids=lambda path: path.name.removesuffix(".expected.json"))
def test_worked_games_as_json(path: Path) -> None:
    expected = json.loads(path.read_text(encoding="utf-8"))
    printed = document(remi("replay", RECORDS / expected["record"], "--json"))
    assert printed["rules"] == expected["rules"]
    assert printed["phase"] == "over"
    assert printed["turn"] is None
    assert sorted({refused["seq"] for refused in printed["refusals"]}) == expected["refusals"]
    factor = 2 if DISPUTED in path.name else 1  # tests/engine/test_corpus.py says why
    for got, worked in zip(printed["scores"], expected["scores"], strict=True):
        assert (got["seat"], got["name"]) == (worked["seat"], worked["name"])
        assert got["total"] == factor * worked["total"] == sum(line["points"] for line in got["lines"])


@pytest.mark.parametrize("path", WORKED, ids=lambda path: path.name.removesuffix(".expected.json"))
def test_worked_games_for_people(path: Path) -> None:
    expected = json.loads(path.read_text(encoding="utf-8"))
    for language in ("en_GB.UTF-8", "ro_RO.UTF-8"):
        shown = remi("replay", RECORDS / expected["record"], LC_ALL=language)
        assert shown.exit_code == 0
        factor = 2 if DISPUTED in path.name else 1
        for score in expected["scores"]:
            assert score["name"] in shown.stdout
            assert str(factor * score["total"]) in shown.stdout


def test_the_language_is_that_of_the_locale() -> None:
    path = RECORDS / "etalat-42-first-round.remi.jsonl"
    english, romanian = remi("replay", path).stdout, remi("replay", path, LC_ALL="ro_RO.UTF-8").stdout
    assert "entry 2: nobody opens in the first round" in english
    assert "înregistrarea 2: în prima tură nu se etalează" in romanian
    assert "rămas pe tablă" in romanian
    assert "melded" in remi("replay", path, LC_ALL="", LC_MESSAGES="en_US.UTF-8", LANG="ro_RO").stdout
    assert set(LINE_NAMES) == set(LINES)


def test_a_game_under_way(tmp_path: Path) -> None:
    path = tmp_path / "masa.remi.jsonl"
    game = record("etalat", "deal 15 14 atu b13\n0 - k2\n1 + ?\n1 m r5 r6 y7\n1 - k3")
    path.write_text(format_record(game), encoding="utf-8")
    printed = document(remi("replay", path, "--json"))
    assert (printed["phase"], printed["turn"], printed["wall"], printed["drawable"]) == ("play", 0, 76, 75)
    assert printed["next_stack"] == {"stack": 3, "tiles": 6}
    assert printed["discards"] == "k2 k3"
    assert printed["melds"] == [{"id": "m1", "seat": 1, "tiles": "r5 r6 y7", "shape": None}]
    assert printed["hands"] == [{"seat": 0, "tiles": 14, "known": ""}, {"seat": 1, "tiles": 11, "known": ""}]
    assert not printed["scores"][0]["complete"]
    assert {"first_round", "mixed_colours"} <= {refused["code"] for refused in printed["refusals"]}
    assert "turn: Ana; wall: 76" in remi("replay", path).stdout
    assert "no meld" in remi("replay", path).stdout


def test_conflicts_and_remarks_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "game.remi.jsonl"
    text = (RECORDS / "etalat-01-close.remi.jsonl").read_text()
    path.write_text(text + '{"seq": 16, "actor": "arbiter", "event": "void", "target": 6, "reason": ""}\n')
    conflict = document(remi("replay", path, "--json"))["conflicts"]
    assert [found["seq"] for found in conflict] == [16]
    assert {refused["seq"] for refused in conflict[0]["entries"]} == {12, 13, 14}
    fine = RECORDS / "etalat-33-fine.remi.jsonl"
    assert document(remi("replay", fine, "--json"))["remarks"] == [
        {"seq": 17, "seat": 0, "code": "few_not_announced", "fine": 500}
    ]
    assert "did not announce" in remi("replay", fine).stdout


@pytest.mark.parametrize(
    ("content", "line", "field"),
    [
        (b"", 1, "format"),
        (b'{"format": "remi-record/1", "rules', 1, "JSON"),
        (b"\xff\xfe", 1, "text"),
        (HEADER + b'{"seq": 2, "event": "wall_empty"}', 2, "seq"),
    ],
)  # fmt: skip
def test_a_broken_record(tmp_path: Path, content: bytes, line: int, field: str) -> None:
    path = tmp_path / "broken.remi.jsonl"
    path.write_bytes(content)
    shown = remi("replay", path)
    assert shown.exit_code == 1
    assert f"line {line}, {field}" in shown.stderr
    assert "Traceback" not in shown.output
    assert f"linia {line}" in remi("replay", path, LC_ALL="ro_RO.UTF-8").stderr
    error = document(remi("replay", path, "--json"), exit_code=1)["error"]
    assert (error["line"], error["field"]) == (line, field)


def test_a_third_red_seven_is_named_and_the_json_still_says_what(tmp_path: Path) -> None:
    path = tmp_path / "sevens.remi.jsonl"
    path.write_text(format_record(record("etalat", RED_SEVENS)))
    result = remi("replay", path, "--json")
    printed = document(result, exit_code=1)
    assert [(refused["seq"], refused["tiles"]) for refused in printed["refusals"]] == [(3, "r7")]
    assert not printed["refusals"][0]["effect"]
    assert "line 4, set" in result.stderr
    assert "linia 4" in remi("replay", path, LC_ALL="ro_RO.UTF-8").stderr


def test_wrong_usage() -> None:
    assert remi("replay", "nowhere.remi.jsonl").exit_code == 2
    assert remi("best", "r5 r6 r77", "--rules", "etalat").exit_code == 2
    assert remi("best", "r7 r7 r7", "--rules", "etalat").exit_code == 2
    assert remi("best", "7H 8H 9H", "--rules", "etalat").exit_code == 2


def test_best_as_json() -> None:
    for case in json.loads((RECORDS.parent / "best-examples.json").read_text()):
        opened = ["--opened"] if case["opened"] else []
        printed = document(remi("best", case["rack"], "--rules", case["rules"], *opened, "--json"))
        assert {key: printed[key] for key in ("points", "opens", "closes")} == {
            key: case[key] for key in ("points", "opens", "closes")
        }
        tiles = " ".join([*printed["melds"], printed["left"]]).split()
        assert len(tiles) == len(case["rack"].split())


def test_best_for_people() -> None:
    rack = "r5 r6 r7 r8 y10 b10 k10 k1"
    assert "points: 50" in remi("best", rack, "--rules", "doizece").stdout
    assert "closes" in remi("best", rack, "--rules", "doizece").stdout
    romanian = remi("best", rack, "--rules", "doizece", LC_ALL="ro_RO.UTF-8").stdout
    assert "puncte: 50" in romanian
    assert "închide" in romanian
    assert "nothing can be put down" in remi("best", "r5 r7", "--rules", "etalat").stdout
    mono = " ".join(f"y{number}" for number in (*range(1, 14), 1)) + " k5"
    assert "table games: simple, monocolor" in remi("best", mono, "--rules", "etalat").stdout


def test_replay_starts_without_heavy_libraries() -> None:
    path = RECORDS / "etalat-01-close.remi.jsonl"
    heavy = ("cv2", "onnxruntime", "flask", "torch", "numpy", "PIL", "rich")
    code = (
        "import sys; from companion.cli import main; "
        f"main(['replay', {str(path)!r}, '--json'], standalone_mode=False); "
        f"print(*sorted(set({heavy!r}) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.split() == []
