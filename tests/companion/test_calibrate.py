"""`remi calibrate` and `remi snapshot` at the command line: sheets, rig, drawing, legibility, clear
messages.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

from calibration.markers import MarkerLayout
from calibration.rig_file import load_rig, save_rig
from calibration.zones import default_zones
from calibration.zones_file import save_zones
from companion import readers
from companion.cli import main
from engine.notation import parse_seen
from engine.readings import Candidate, PictureReading, SeenTile
from tests.calibration.virtual import LENS, SIZE, bare_rig, calibrated, over, photograph, table_top
from vision.pictures import Pixels, load_picture

LAYOUT = MarkerLayout((900.0, 800.0))
POSE = over(20, 0, 1500, tilt=2, roll=-3, yaw=4)
TABLE = ("--table", 900, 800)


def remi(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def document(result: Result) -> dict[str, Any]:
    assert result.exit_code == 0, result.output
    parsed = json.loads(result.stdout)
    assert isinstance(parsed, dict)
    return parsed


def write(path: Path, frame: Pixels) -> Path:
    cv2.imwrite(str(path), frame)
    return path


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write(tmp_path / "table.png", photograph(table_top(LAYOUT), 1.5, pose=POSE))


@pytest.fixture
def rig(tmp_path: Path) -> Path:
    path = tmp_path / "rig.toml"
    save_rig(calibrated(LAYOUT, POSE), path)
    return path


def test_sheets_are_written_with_the_next_step(tmp_path: Path) -> None:
    result = remi("calibrate", "--print", tmp_path / "sheets", *TABLE)
    assert result.exit_code == 0
    assert sorted(path.name for path in (tmp_path / "sheets").iterdir()) == [
        "charuco-board.pdf",
        "corner-markers.pdf",
    ]
    assert "--table 900 800" in result.stderr


def test_a_picture_of_the_table_gives_a_rig(table: Path, tmp_path: Path) -> None:
    out, drawn = tmp_path / "rig.toml", tmp_path / "drawn.png"
    result = remi("calibrate", table, *TABLE, "--height", 1500, "--out", out, "--draw", drawn, "--json")
    said = document(result)
    assert said["markers"] == [0, 1, 2, 3]
    assert said["rms_mm"] < 0.4
    assert said["camera_height_mm"] == pytest.approx(1500, abs=15)
    assert said["lens"] == "height"
    assert said["rig"] == str(out)
    made = load_rig(out)
    assert made.provenance.pictures == ("table.png",)
    truth = bare_rig(LAYOUT, LENS, POSE)
    assert made.to_mm(truth.to_px([[200.0, 100.0]])) == pytest.approx(np.asarray([[200.0, 100.0]]), abs=0.6)
    assert load_picture(drawn).shape == (SIZE[1], SIZE[0], 3)


def test_an_assumed_lens_is_said_with_what_measures_it(table: Path) -> None:
    result = remi("calibrate", table, *TABLE)
    assert result.exit_code == 0
    assert "markers 0 1 2 3" in result.stdout
    assert "lens assumed" in result.stdout
    assert "--height MM" in result.stderr
    assert "name --out RIG.toml" in result.stderr


def test_the_lens_of_an_earlier_rig_is_taken(table: Path, rig: Path) -> None:
    result = remi("calibrate", table, *TABLE, "--lens", rig, "--json")
    assert document(result)["lens"] == "given"


def test_a_picture_without_markers_is_one_message_with_the_next_step(tmp_path: Path) -> None:
    empty = write(tmp_path / "empty.png", np.full((720, 1280, 3), 90, np.uint8))
    result = remi("calibrate", empty, *TABLE)
    assert result.exit_code == 1
    assert "remi calibrate --print DIR" in result.stderr
    assert "Niciun marcaj" in result.stderr
    assert result.stdout == ""


def test_a_wrong_table_is_answered_with_the_right_one(table: Path, tmp_path: Path) -> None:
    result = remi("calibrate", table, "--table", 700, 700, "--out", tmp_path / "rig.toml")
    assert result.exit_code == 1
    assert "--table 900 800" in result.stderr
    assert not (tmp_path / "rig.toml").exists()


def test_pictures_that_do_not_belong_together_are_refused(table: Path, tmp_path: Path) -> None:
    small = write(tmp_path / "small.png", np.full((360, 640, 3), 90, np.uint8))
    result = remi("calibrate", table, small, *TABLE)
    assert result.exit_code == 1
    assert "640x360" in result.stderr
    moved = over(40, 0, 1500, tilt=2, roll=-3, yaw=4)
    other = write(tmp_path / "moved.png", photograph(table_top(LAYOUT), 1.5, pose=moved))
    result = remi("calibrate", table, other, *TABLE)
    assert result.exit_code == 1
    assert "different places" in result.stderr
    broken = tmp_path / "broken.png"
    broken.write_text("no picture")
    assert "not a picture" in remi("calibrate", broken, *TABLE).stderr


def test_the_table_size_must_be_said(table: Path) -> None:
    result = remi("calibrate", table)
    assert result.exit_code == 2
    assert "--table W H" in result.stderr
    assert remi("calibrate").exit_code == 2


def test_legibility_of_a_rig_and_of_a_planned_camera(rig: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    said = remi("calibrate", "--legibility", "--rig", rig)
    assert said.exit_code == 0
    assert "rack 1" in said.stdout
    assert "not readable" in said.stdout
    assert "at_end" in said.stdout
    monkeypatch.setenv("LC_ALL", "ro_RO.UTF-8")
    planned = ("calibrate", "--legibility", *TABLE, "--height", 1400)
    romanian = remi(*planned)
    assert "tablă 1: nu se citește; înclinați" in romanian.stdout
    camera = ("--frame", 3840, 2160, "--view", 60, "--lean", 20, "--seats", 2)
    parsed = document(remi(*planned, *camera, "--json"))
    assert [one["zone"] for one in parsed["legibility"]].count("rack") == 2
    assert {one["verdict"] for one in parsed["legibility"]} == {"good"}
    assert remi("calibrate", "--legibility").exit_code == 2


def test_zones_of_another_table_are_refused(rig: Path, tmp_path: Path) -> None:
    save_zones(default_zones((1000.0, 900.0), 4), tmp_path / "zones.toml")
    result = remi("calibrate", "--legibility", "--rig", rig, "--zones", tmp_path / "zones.toml")
    assert result.exit_code == 1
    assert "1000x900" in result.stderr


# ---- snapshot


def tile_at(x: float, y: float, *, wide: float = 26.0) -> SeenTile:
    truth = bare_rig(LAYOUT, LENS, POSE)
    half = np.asarray([(-wide / 2, 18), (wide / 2, 18), (wide / 2, -18), (-wide / 2, -18)])
    quad = tuple((float(px), float(py)) for px, py in truth.to_px(half + np.asarray([x, y]), height_mm=9))
    return SeenTile(parse_seen("r5"), quad, 0.99, (Candidate(parse_seen("r5"), 0.99),))


class FakeReader:
    """Sees given tiles, and keeps the pictures that it was shown."""

    def __init__(self, tiles: Sequence[SeenTile]) -> None:
        self.tiles = tuple(tiles)
        self.shown: list[Pixels] = []

    def read(self, image: Pixels) -> PictureReading:
        self.shown.append(image)
        return PictureReading(image.shape[1], image.shape[0], self.tiles, {})


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> FakeReader:
    """A tile on the table, one on the floor, and a find too wide to be one."""
    fake = FakeReader([tile_at(0, 0), tile_at(700, 0), tile_at(100, 100, wide=60.0)])
    monkeypatch.setattr(readers, "load_reader", lambda: fake)
    return fake


def test_a_snapshot_with_what_was_read(table: Path, tmp_path: Path, reader: FakeReader) -> None:
    out = tmp_path / "seen.png"
    result = remi("snapshot", table, "--out", out)
    assert result.exit_code == 0, result.output
    assert "3 tiles: r5 r5 r5" in result.stdout
    assert "1280x720" in result.stderr
    assert not np.array_equal(load_picture(out)[: SIZE[1], : SIZE[0]], load_picture(table))


def test_with_a_rig_only_what_can_be_a_tile_of_this_table_counts(
    table: Path, rig: Path, tmp_path: Path, reader: FakeReader
) -> None:
    result = remi("snapshot", table, "--out", tmp_path / "seen.png", "--rig", rig)
    assert "1 tile: r5" in result.stdout


def test_a_plain_snapshot_is_the_picture_itself(table: Path, tmp_path: Path, reader: FakeReader) -> None:
    out = tmp_path / "seen.png"
    assert remi("snapshot", table, "--out", out, "--plain").exit_code == 0
    assert np.array_equal(load_picture(out), load_picture(table))
    assert reader.shown == []


def test_racks_that_are_never_read_are_neither_shown_nor_saved(
    table: Path, rig: Path, tmp_path: Path, reader: FakeReader
) -> None:
    zones = default_zones(LAYOUT.table_mm, 2).with_racks("never", seats=[1])
    save_zones(zones, tmp_path / "zones.toml")
    options = ("--rig", rig, "--zones", tmp_path / "zones.toml")
    out = tmp_path / "seen.png"
    assert remi("snapshot", table, "--out", out, *options).exit_code == 0
    column, row = np.floor(load_rig(rig).to_px([0.0, -345.0])).astype(int)
    assert reader.shown[0][row, column].tolist() == [96, 96, 96]
    assert remi("snapshot", table, "--out", out, *options, "--plain").exit_code == 0
    assert load_picture(out)[row, column].tolist() == [96, 96, 96]
    far = np.floor(load_rig(rig).to_px([0.0, 345.0])).astype(int)
    assert load_picture(out)[far[1], far[0]].tolist() != [96, 96, 96]


def test_a_rig_of_another_frame_size_is_refused(rig: Path, tmp_path: Path, reader: FakeReader) -> None:
    small = write(tmp_path / "small.png", np.full((360, 640, 3), 90, np.uint8))
    result = remi("snapshot", small, "--out", tmp_path / "seen.png", "--rig", rig)
    assert result.exit_code == 1
    assert "1280x720 pixels, these have 640x360" in result.stderr
    assert not (tmp_path / "seen.png").exists()


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("no-such-thing", "is no source"),
        ("/dev/no-camera", "is not plugged in"),
        ("usb:c920", "No USB camera"),
    ],
)
def test_a_missing_camera_is_one_message_with_the_next_step(tmp_path: Path, source: str, said: str) -> None:
    result = remi("snapshot", source, "--out", tmp_path / "seen.png", "--timeout", 1)
    assert result.exit_code == 1
    assert said in result.stderr
    assert not (tmp_path / "seen.png").exists()


def test_where_the_picture_goes_is_checked_first(table: Path, tmp_path: Path) -> None:
    assert remi("snapshot", table, "--out", tmp_path / "seen.gif").exit_code == 2
    assert remi("snapshot", table, "--out", tmp_path / "none" / "seen.png").exit_code == 2
    assert remi("snapshot", table, "--out", tmp_path / "s.png", "--zones", table).exit_code == 2
