"""What the finder is trained on: boxes of whole pictures, and windows cut from larger ones."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

pytestmark = pytest.mark.train


@pytest.fixture(scope="module", autouse=True)
def _torch() -> None:
    pytest.importorskip("torch")


def written(folder: Path, size: tuple[int, int], tiles: list[list[dict[str, Any]]]) -> Path:
    folder.mkdir()
    (folder / "images").mkdir()
    (folder / "meta.json").write_text(json.dumps({"seed": 1, "size": size}))
    with (folder / "labels.jsonl").open("w") as lines:
        for index, shown in enumerate(tiles):
            name = f"images/{index:05d}.png"
            image = np.zeros((size[1], size[0], 3), np.uint8)
            for tile in shown:
                cv2.fillPoly(image, [np.asarray(tile["quad"], np.int32)], (255, 255, 255))
            cv2.imwrite(str(folder / name), image)
            lines.write(json.dumps({"image": name, "tiles": shown}) + "\n")
    return folder


def tile(x: float, y: float, *, face: str = "r1", visible: float = 1.0) -> dict[str, Any]:
    """A tile of 20 by 30 pixels about a point."""
    quad = [[x - 10, y - 15], [x + 10, y - 15], [x + 10, y + 15], [x - 10, y + 15]]
    return {"quad": quad, "face": face, "visible": visible}


def labels_of(picture: str) -> Path:
    """Where Ultralytics looks for the boxes of a picture."""
    return Path(picture.replace("/images/", "/labels/")).with_suffix(".txt")


def test_boxes_are_shares_of_the_picture(tmp_path: Path) -> None:
    from vision.training.finder import write_yolo

    shown = [tile(50, 50), tile(80, 20, face="#"), tile(20, 80, visible=0.1), tile(104, 50)]
    data = written(tmp_path / "data", (100, 100), [shown, [], []])
    sheet = write_yolo(data, hold_out=1)
    assert str((data / "train.txt").resolve()) in sheet.read_text()
    train = (data / "train.txt").read_text().split()
    assert [Path(name).name for name in train] == ["00000.png", "00001.png"]
    assert [Path(name).name for name in (data / "val.txt").read_text().split()] == ["00002.png"]
    # What is hidden is not asked for, and what the edge cuts through the middle neither.
    assert labels_of(train[0]).read_text().split("\n") == [
        "0 0.50000 0.50000 0.20000 0.30000",
        "1 0.80000 0.20000 0.20000 0.30000",
        "",
    ]


def test_a_larger_picture_is_cut_into_windows_of_the_first_size(tmp_path: Path) -> None:
    from vision.training.finder import write_yolo

    first = written(tmp_path / "first", (100, 100), [[tile(50, 50)]] * 3)
    crowd = [tile(220, 60), tile(250, 60), tile(205, 60), tile(280, 60)]
    tables = written(tmp_path / "tables", (300, 160), [crowd, crowd])
    write_yolo(first, tables, hold_out=1)
    train = (tables / "windows" / "train.txt").read_text().split()
    names = [Path(name).stem for name in train]
    # Windows begin at 0, 100, 200 and at 0, 60; of those with fewer than three tiles one in eight is taken.
    assert names == ["00000-0-0", "00000-200-0", "00000-200-60"]
    assert [len(labels_of(name).read_text().split()) // 5 for name in train] == [0, 4, 4]
    assert labels_of(train[1]).read_text().split("\n")[0] == "0 0.20000 0.60000 0.20000 0.30000"
    for name in train:
        image = cv2.imread(name)
        assert image is not None
        assert image.shape == (100, 100, 3)
    window = cv2.imread(train[1])
    assert window is not None
    assert window[60, 20].tolist() == [255, 255, 255], "the window shows what its boxes say"
    held = (tables / "windows" / "val.txt").read_text().split()
    assert {Path(name).stem.split("-")[0] for name in held} == {"00001"}


def test_a_set_named_twice_counts_twice(tmp_path: Path) -> None:
    import yaml

    from vision.training.finder import write_yolo

    first = written(tmp_path / "first", (100, 100), [[tile(50, 50)]] * 3)
    second = written(tmp_path / "second", (100, 100), [[tile(50, 50)]] * 3)
    sheet = write_yolo(first, second, second, hold_out=1)
    lists = yaml.safe_load(sheet.read_text())
    assert [Path(name).parent.name for name in lists["train"]] == ["first", "second", "second"]
