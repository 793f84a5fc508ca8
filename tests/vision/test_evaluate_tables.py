"""Labelled tables are measured: markers, zones, melds, rows; with true tiles and as read."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from companion.cli import main
from engine.readings import PictureReading, SeenTile
from engine.rules import rule_set
from tests.vision.tables import RIG, TABLE, row, tile
from vision.evaluate_tables import TableTally, evaluate_tables, judge_table, true_tiles
from vision.labelled import LabelError
from vision.table_truth import load_tables

ETALAT = rule_set("etalat")
PLACES = [
    *[("rack", 1, 0, at) for at in range(4)],
    *[("meld", 1, 0, at) for at in range(3)],
    *[("meld", 3, 1, at) for at in range(4)],
    *[("discard", 0, 0, at) for at in range(4)],
    ("wall", 0, 0, 0),
    ("wall", 0, 1, 0),
    ("atu", 0, 2, 0),
]
TILES = [
    *row("r1 b2 k3 y4", -100, -440, lean=35),
    *row("r5 r6 r7", 0, -200),
    *row("k10 k11 k12 k13", 60, 230, turn=180),
    *row("# r9 k3 b12", -40, 20),
    *row("# # y6", -250, 60),
]


class Scripted:
    """A reader that finds what it is given."""

    def __init__(self, tiles: Sequence[SeenTile]) -> None:
        self.tiles = tuple(tiles)

    def read(self, image: Any) -> PictureReading:
        return PictureReading(1920, 1080, self.tiles, {})


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A set of one rendered table without markers, as `remi synth --view tables` labels it."""
    (tmp_path / "images").mkdir()
    cv2.imwrite(str(tmp_path / "images" / "000000.jpg"), np.zeros((1080, 1920, 3), np.uint8))
    tiles = [
        {
            "face": str(one.face),
            "quad": one.quad,
            "visible": 1.0,
            "slant": 0.8 if kind == "rack" else 0.98,
            "digit_px": 12.0,
            "zone": {"kind": kind, "seat": seat, "group": group, "index": index, "lean": 0.0},
        }
        for one, (kind, seat, group, index) in zip(TILES, PLACES, strict=True)
    ]
    pose = RIG.pose
    camera = {
        "position_mm": pose.position.tolist(),
        "right_down_forward": pose.rotation,
        "focal_px": RIG.lens.focal[0],
        "centre_px": RIG.lens.centre,
        "k1": 0.0,
    }
    entry = {
        "image": "images/000000.jpg",
        "size": [1920, 1080],
        "tiles": tiles,
        "overhead": {"table_mm": TABLE, "seats": 4, "marker_inset_mm": None, "camera": camera},
    }
    (tmp_path / "labels.jsonl").write_text(json.dumps(entry) + "\n", encoding="utf-8")
    return tmp_path


def test_true_tiles_of_a_table_laid_out_right_are_all_right(data: Path) -> None:
    result = evaluate_tables(data, None, rules=ETALAT)
    tally = result.modes["labels"]
    assert tally.wrong == []
    assert (tally.tables, tally.whole) == (1, 1)
    assert tally.asked == tally.right
    assert tally.asked["melds"] == 2
    assert tally.asked["zone"] == len(TILES)
    assert "100.00 %" in result.to_text()


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({5: None}, "melds"),  # a tile of a meld is missed
        ({5: tile("r9", 26.6, -200)}, "faces"),  # or misread
        ({12: None}, "row"),
        ({16: None}, "wall"),
        ({17: None}, "atu"),
        ({1: None}, "tiers"),
    ],
)
def test_what_the_reader_gets_wrong_is_counted_and_named(
    data: Path, change: dict[int, SeenTile | None], part: str
) -> None:
    read = [change.get(at, one) for at, one in enumerate(TILES)]
    result = evaluate_tables(data, Scripted([one for one in read if one is not None]), rules=ETALAT)
    tally = result.modes["read"]
    assert tally.right[part] == tally.asked[part] - 1
    assert tally.whole == 0
    assert tally.wrong
    document = result.to_json()["modes"]["read"]
    assert document[part] == {"of": tally.asked[part], "right": tally.right[part]}
    assert "000000" in result.to_text()


def test_a_find_on_nothing_is_counted(data: Path) -> None:
    result = evaluate_tables(data, Scripted([*TILES, tile("r9", 300, 300)]), rules=ETALAT)
    assert result.modes["read"].spurious == 1


def test_a_set_that_does_not_tell_its_camera_is_named(data: Path) -> None:
    entry = json.loads((data / "labels.jsonl").read_text(encoding="utf-8"))
    del entry["overhead"]
    (data / "labels.jsonl").write_text(json.dumps(entry) + "\n", encoding="utf-8")
    with pytest.raises(LabelError, match=r"labels\.jsonl:1: does not say where the camera is"):
        load_tables(data)


def test_a_folder_without_tables_is_said_to_have_none(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="holds no labelled tables"):
        load_tables(tmp_path)


def test_the_command_prints_text_and_json(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.readers.load_reader", lambda *args, **kwargs: Scripted(TILES))
    text = CliRunner().invoke(main, ["evaluate", str(data), "--tables"])
    assert text.exit_code == 0, text.output
    assert "melds: all tiles in order" in text.output
    as_json = CliRunner().invoke(main, ["evaluate", str(data), "--tables", "--json"])
    assert json.loads(as_json.stdout)["modes"]["read"]["tables_right"] == 1
    both = CliRunner().invoke(main, ["evaluate", str(data), "--tables", "--report", str(data / "report")])
    assert both.exit_code == 2


@pytest.mark.data
@pytest.mark.parametrize("name", ["c02", "c02_4k", "c05", "c07", "c25", "c27"])
def test_the_ceiling_tables_are_laid_out_right_by_their_labels(real_data: Path, name: str) -> None:
    table = next(one for one in load_tables(real_data / "ceiling") if one.name == name)
    tally = TableTally()
    judge_table(tally, table, true_tiles(table), table.camera, rules=ETALAT)
    assert tally.wrong == []
    assert tally.whole == 1
