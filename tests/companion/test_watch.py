"""`remi watch` at the command line: readings as lines, states in words, one clear message where it fails."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.rig_file import save_rig
from calibration.zones_file import save_zones
from companion import readers
from companion.cli import main
from companion.table_documents import table_document, table_line
from engine.readings import Candidate
from engine.table_reading import Lying, LyingMeld, Problem, Stack, TableReading
from engine.tiles import JOKER, Face, Mark
from tests.vision import scripted
from tests.vision.seeing.scenes import Scene, lay_out, zones_of
from vision.seeing import loop

TABLE = Scene(mm_per_px=0.8, tiles=(((-60.0, -120.0), 4), ((-30.0, -120.0), 5)))
FORMATS = (Path(__file__).resolve().parent.parent.parent / "docs" / "formats.md").read_text(encoding="utf-8")


def remi(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a picture, rig and zones; the reader reads drawn tiles, every tile is a meld."""
    monkeypatch.setattr(readers, "load_reader", lambda **_: scripted.reader())
    monkeypatch.setattr(loop, "lay_out", lay_out)
    save_rig(TABLE.rig, tmp_path / "rig.toml")
    save_zones(zones_of(), tmp_path / "zones.toml")
    cv2.imwrite(str(tmp_path / "table.png"), TABLE.frame())
    return tmp_path


def options(files: Path) -> list[object]:
    return ["--rig", files / "rig.toml", "--zones", files / "zones.toml"]


def test_a_picture_is_one_reading(files: Path) -> None:
    result = remi("watch", files / "table.png", *options(files), "--json")
    assert result.exit_code == 0, result.output
    (line,) = result.stdout.splitlines()
    document = json.loads(line)
    assert [meld["tiles"][0]["face"] for meld in document["melds"]] == ["r4", "r5"]
    assert document["number"] == 1
    assert "looking at the table" in result.stderr
    assert "the source has ended" in result.stderr


def test_without_json_a_reading_is_a_line_for_people(files: Path) -> None:
    result = remi("watch", files / "table.png", *options(files), "--readings", 1)
    assert result.exit_code == 0, result.output
    assert result.stdout == "1: melds r4 | r5\n"


def test_a_rig_of_another_frame_size_is_refused(files: Path) -> None:
    cv2.imwrite(str(files / "table.png"), np.full((360, 640, 3), 90, np.uint8))
    result = remi("watch", files / "table.png", *options(files))
    assert result.exit_code == 1
    assert "these have 640x360" in result.stderr
    assert "remi calibrate" in result.stderr
    assert "Calibrarea a fost făcută" in result.stderr


def test_without_markers_it_says_what_to_do(files: Path) -> None:
    cv2.imwrite(str(files / "table.png"), np.full((TABLE.side, TABLE.side, 3), 40, np.uint8))
    result = remi("watch", files / "table.png", *options(files))
    assert result.stdout == ""
    assert "Uncover the corner cards" in result.stderr
    assert "Descoperiți cartonașele" in result.stderr


def test_a_missing_camera_is_one_message_with_the_next_step(files: Path) -> None:
    result = remi("watch", "/dev/no-camera", *options(files), "--timeout", 1)
    assert result.exit_code == 1
    assert "is not plugged in" in result.stderr
    assert "nu este conectată" in result.stderr


def test_a_rig_is_needed(files: Path) -> None:
    assert remi("watch", files / "table.png").exit_code == 2


READING = TableReading(
    7,
    12.3456,
    melds=(
        LyingMeld(
            3,
            1,
            (
                Lying(1, Face("r", 5), 0.99, (1.26, 2.0), 0.1),
                Lying(
                    2,
                    JOKER,
                    0.7,
                    (27.0, 2.0),
                    0.1,
                    alternatives=(Candidate(Face("b", 1), 0.2),),
                    doubtful=True,
                ),
            ),
            towers=((1, Lying(4, Mark.UNREAD, 0.3, (27.0, 8.0), 0.0)),),
        ),
    ),
    row=(Lying(5, Mark.FACE_DOWN, 0.9, (100.0, 0.0), 0.0),),
    reversed_first=True,
    wall=(Stack(Lying(6, Mark.FACE_DOWN, 0.9, (-100.0, 0.0), 0.0)),),
    atu=Lying(8, Face("k", 13), 0.99, (-60.0, 0.0), 0.0),
    racks={2: ((Lying(9, Face("y", 1), 0.99, (0.0, 400.0), 0.0),), ())},
    problems=(Problem("rack_not_read", (), "too steep", "prea abrupt"),),
    unseen=("meld 2",),
)


def test_a_reading_as_a_document_says_all_and_its_fields_are_described() -> None:
    document = table_document(READING)
    assert json.loads(json.dumps(document)) == document
    assert document["at"] == 12.346
    assert document["racks"]["2"][0][0]["face"] == "y1"
    section = FORMATS.split("## `remi watch")[1].split("\n## ")[0]
    tile = document["melds"][0]["tiles"][1]
    assert tile["alternatives"] == [{"face": "b1", "confidence": 0.2}]
    for field in (*document, *document["melds"][0], *tile, *document["problems"][0], "why_ro", "odds", "on"):
        assert f"`{field}`" in section or f'"{field}"' in section, field


def test_a_reading_as_a_line() -> None:
    assert table_line(READING, romanian=False) == (
        "7: melds r5 *?; discard row #; stacks of the wall 1; atu k13; rack 2 y1 / ; not seen: meld 2"
    )
    assert table_line(READING, romanian=True).startswith("7: formații r5 *?; șir #; stive în zid 1")
    assert table_line(TableReading(1, 0.0), romanian=False) == "1: nothing lies on the table"
