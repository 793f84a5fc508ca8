"""Rendered sets are the same however often the work was broken off, and are never mixed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.synth.dataset import FORMAT, read_labels, write_dataset
from vision.synth.fonts import FontsMissingError
from vision.table_truth import load_tables


def write(out: Path, scenes: int, **changes: Any) -> Path:
    values: dict[str, Any] = {"seed": 7, "size": (128, 96), "workers": 1} | changes
    return write_dataset(out, scenes=scenes, **values)


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_a_set_has_pictures_labels_and_what_it_was_made_of(tmp_path: Path, fonts: None) -> None:
    told: list[tuple[int, int]] = []
    write(tmp_path, 3, progress=lambda done, whole: told.append((done, whole)))
    assert told == [(1, 3), (2, 3), (3, 3)]
    entries = list(read_labels(tmp_path))
    assert [entry["image"] for entry in entries] == [f"images/{index:06d}.jpg" for index in range(3)]
    for entry in entries:
        image = cv2.imread(str(tmp_path / entry["image"]))
        assert image is not None
        assert image.shape == (96, 128, 3)
        for tile in entry["tiles"]:
            assert set(tile) == {
                "face",
                "quad",
                "visible",
                "slant",
                "digit_px",
                "zone",
                "contrast",
                "noise",
            }
            assert len(tile["quad"]) == 4
    meta = json.loads((tmp_path / "meta.json").read_text())
    assert meta == {
        "format": FORMAT,
        "seed": 7,
        "looks": "train",
        "size": [128, 96],
        "tile_px": [15, 130],
        "view": "crops",
        "scenes": 3,
    }


def test_a_run_broken_off_ends_like_one_in_one_go(tmp_path: Path, fonts: None) -> None:
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    write(whole, 4)
    write(parts, 1)
    write(parts, 3)
    labels = parts / "labels.jsonl"
    labels.write_bytes(labels.read_bytes()[:-40])  # killed while it wrote the third label
    write(parts, 4)
    assert contents(parts) == contents(whole)


def test_asking_for_fewer_scenes_changes_nothing(tmp_path: Path, fonts: None) -> None:
    before = contents(write(tmp_path, 3))
    assert contents(write(tmp_path, 2)) == before


def test_several_workers_write_the_same_as_one(tmp_path: Path, fonts: None) -> None:
    alone, together = write(tmp_path / "alone", 3), write(tmp_path / "together", 3, workers=2)
    assert contents(alone) == contents(together)


def test_one_worker_leaves_the_threads_of_opencv_as_they_were(tmp_path: Path, fonts: None) -> None:
    before = cv2.getNumThreads()
    write(tmp_path, 1)
    assert cv2.getNumThreads() == before


def test_other_seeds_and_splits_give_other_pictures(tmp_path: Path, fonts: None) -> None:
    # Three scenes each: one alone may show no face, and then its fonts make no difference.
    sets = {
        tuple(contents(write(tmp_path / f"{seed} {looks}", 3, seed=seed, looks=looks)).values())
        for seed in (7, 8)
        for looks in ("train", "heldout")
    }
    assert len(sets) == 4


def test_whole_tables_are_labelled_by_zone(tmp_path: Path, fonts: None) -> None:
    write_dataset(tmp_path, scenes=1, seed=7, size=(640, 360), view="tables", workers=1)
    (entry,) = read_labels(tmp_path)
    assert entry["layout"] == "table"
    assert entry["size"] == [640, 360]
    assert entry["light"] in {"even", "warm", "cold", "mixed", "glare"}
    kinds = {tile["zone"]["kind"] for tile in entry["tiles"]}
    assert "rack" in kinds
    assert kinds <= {"rack", "meld", "discard", "wall", "atu"}
    racked = [tile for tile in entry["tiles"] if tile["zone"]["kind"] == "rack"]
    assert all(30 <= tile["zone"]["lean"] <= 78 for tile in racked)
    assert all(0 < tile["digit_px"] < 40 for tile in entry["tiles"])


def test_hard_scenes_are_written_too(tmp_path: Path, fonts: None) -> None:
    write_dataset(tmp_path, scenes=3, seed=7, size=(256, 256), view="hard", workers=1)
    entries = list(read_labels(tmp_path))
    assert len(entries) == 3
    assert all("overhead" not in entry and entry["size"] == [256, 256] for entry in entries)


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"seed": 8}, "seed"),
        ({"looks": "heldout"}, "looks"),
        ({"size": (96, 96)}, "size"),
        ({"tile_px": (20, 130)}, "tile_px"),
        ({"seed": 8, "looks": "heldout"}, "seed, looks"),
    ],
)
def test_a_folder_with_another_set_is_refused(
    tmp_path: Path, fonts: None, change: dict[str, Any], named: str
) -> None:
    before = contents(write(tmp_path, 1))
    with pytest.raises(ValueError, match=f"other {named};"):
        write(tmp_path, 2, **change)
    assert contents(tmp_path) == before


def test_without_fonts_nothing_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(split: str) -> None:
        raise FontsMissingError("none")

    monkeypatch.setattr("vision.synth.dataset.installed", none)
    with pytest.raises(FontsMissingError):
        write(tmp_path / "out", 1)
    assert not (tmp_path / "out").exists()


def test_labels_of_whole_tables_say_where_camera_table_and_markers_are(tmp_path: Path, fonts: None) -> None:
    write(tmp_path, 2, view="tables", size=(320, 240))
    for table, entry in zip(load_tables(tmp_path), read_labels(tmp_path), strict=True):
        over = entry["overhead"]
        assert over["seats"] in (2, 3, 4)
        inset = over["marker_inset_mm"]
        assert inset is None or 45 <= inset <= 70
        # Every flat tile is as wide on the table as its set's tiles are.
        flat = [one for one in entry["tiles"] if one["zone"]["kind"] in ("meld", "discard")]
        mm = table.camera.to_mm([one["quad"] for one in flat], height_mm=8.0)
        wide = np.linalg.norm(mm[:, 1] - mm[:, 0], axis=1)
        assert 20 < wide.min() <= wide.max() < 32
        assert np.ptp(wide) < 1
