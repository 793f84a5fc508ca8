"""Three kinds of labelled pictures are read into one form, and broken labels say where they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from vision.labelled import LabelError, Spot, TrueTile, load_labelled, overlap

QUAD = [[10.0, 10.0], [30.0, 10.0], [30.0, 40.0], [10.0, 40.0]]
CLASSES = ["red_1", "orange_13", "blue_7", "black_10", "joker"]


def picture(path: Path, size: tuple[int, int] = (200, 100), *, orientation: int = 1) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.new("RGB", size, (90, 90, 90)).save(path, exif=exif)


def scenes(folder: Path, **changes: Any) -> Path:
    tiles = [
        {"face": "r7", "quad": QUAD, "visible": 1.0, "slant": 1.0},
        {"face": "#", "quad": QUAD, "visible": 0.49, "slant": 1.0},
    ]
    entry = {"image": "images/000000.jpg", "style": "flat", "layout": "melds", "tiles": tiles} | changes
    folder.joinpath("labels.jsonl").write_text(json.dumps(entry) + "\n")
    return folder


def photos(folder: Path, lines: str, *, names: tuple[str, ...] = ("table-1.jpg",)) -> Path:
    folder.joinpath("classes.txt").write_text("\n".join(CLASSES) + "\n")
    folder.joinpath("labels_poly").mkdir(exist_ok=True)
    for name in names:
        picture(folder / "images" / name)
        folder.joinpath("labels_poly", Path(name).stem + ".txt").write_text(lines)
    return folder


def ceiling(folder: Path, **changes: Any) -> Path:
    picture(folder / "images" / "c1.png", (1920, 1080))
    folder.joinpath("labels").mkdir(exist_ok=True)
    tiles = [
        {"face": "y9", "quad": QUAD, "visible": 0.8, "zone": {"kind": "meld", "seat": 1}},
        {"face": "#", "quad": QUAD, "visible": 0.2, "zone": {"kind": "wall"}},
    ]
    entry = {"width": 1920, "tiles": tiles} | changes
    folder.joinpath("labels", "c1.json").write_text(json.dumps(entry))
    return folder


def test_rendered_scenes(tmp_path: Path) -> None:
    (loaded,) = load_labelled(scenes(tmp_path))
    assert (loaded.path, loaded.group, loaded.backs) == (tmp_path / "images/000000.jpg", "flat", True)
    assert [(tile.face, tile.group, tile.counts) for tile in loaded.tiles] == [
        ("r7", "melds", True),
        ("#", "melds", False),
    ]
    assert loaded.tiles[0].outline.tolist() == QUAD


def test_what_scenes_say_of_place_light_and_size(tmp_path: Path) -> None:
    rack = {"kind": "rack", "seat": 2, "group": 1, "index": 4, "lean": 52.5}
    tiles = [
        {"face": "r7", "quad": QUAD, "visible": 1.0, "slant": 0.5, "zone": rack, "digit_px": 9.5},
        {"face": "r8", "quad": QUAD, "visible": 1.0, "slant": 1.0, "zone": {"kind": "meld", "lean": 0.0}},
        {"face": "r9", "quad": QUAD, "visible": 1.0, "zone": None},
    ]
    (loaded,) = load_labelled(scenes(tmp_path, tiles=tiles, light="dim", size=[1920, 1080]))
    assert (loaded.light, loaded.size) == ("dim", (1920, 1080))
    spot = loaded.tiles[0].spot
    assert (spot.zone, spot.lean, spot.digit) == ("rack", 52.5, 9.5)
    assert spot.angle == pytest.approx(60.0)
    assert loaded.tiles[1].spot == Spot("meld", None, 0.0, None), "only racks lean"
    assert loaded.tiles[2].spot == Spot()
    (plain,) = load_labelled(scenes(tmp_path, light={"kind": "warm", "lamps": 2}))
    assert (plain.light, plain.size) == ("warm", None)
    (silent,) = load_labelled(scenes(tmp_path))
    assert (silent.light, silent.size) == (None, None)


def test_what_ceiling_tables_say_of_place_and_light(tmp_path: Path) -> None:
    racks = [
        {
            "face": "r7",
            "quad": QUAD,
            "visible": 1.0,
            "zone": {"kind": "rack", "seat": seat},
            "angle_deg": 41.5,
        }
        for seat in (1, 2)
    ]
    changes = {"tiles": racks, "height": 1080, "lighting": {"kind": "glare"}, "rack_lean_deg": 50}
    seats = [{"seat": 1, "lean": 35}, {"seat": 3, "lean": 60}]
    (loaded,) = load_labelled(ceiling(tmp_path, **changes, seats=seats))
    assert (loaded.light, loaded.size) == ("glare", (1920, 1080))
    assert [tile.spot for tile in loaded.tiles] == [Spot("rack", 35.0, 41.5), Spot("rack", 50.0, 41.5)]


def test_the_width_of_a_tile() -> None:
    quad = np.asarray([(10, 10), (30, 10), (34, 40), (10, 40)], np.float32)
    assert TrueTile("r7", quad, "melds").wide == 22
    outline = np.asarray([(0, 0), (20, 0), (20, 30), (10, 31), (0, 30)], np.float32)
    assert TrueTile("r7", outline, "photo").wide == pytest.approx(20, abs=0.1)


def test_photos_with_outlines_in_shares_of_the_picture(tmp_path: Path) -> None:
    lines = "0 0.1 0.2 0.3 0.2 0.3 0.6 0.1 0.6\n4 0.5 0.5 0.6 0.5 0.55 0.9\n"
    (loaded,) = load_labelled(photos(tmp_path, lines))
    assert (loaded.group, loaded.backs) == ("table", False)
    assert [tile.face for tile in loaded.tiles] == ["r1", "*"]
    assert loaded.tiles[0].outline == pytest.approx(np.asarray([(20, 20), (60, 20), (60, 60), (20, 60)]))
    assert all(tile.counts for tile in loaded.tiles)


def test_colours_of_photos_go_into_four_slots(tmp_path: Path) -> None:
    lines = "".join(f"{kind} 0 0 1 0 1 1\n" for kind in range(len(CLASSES)))
    (loaded,) = load_labelled(photos(tmp_path, lines))
    assert [tile.face for tile in loaded.tiles] == ["r1", "y13", "b7", "k10", "*"]


def test_a_photo_on_its_side_is_measured_as_it_is_read(tmp_path: Path) -> None:
    photos(tmp_path, "0 0.5 0.5 1 0.5 1 1\n")
    picture(tmp_path / "images" / "table-1.jpg", (200, 100), orientation=6)
    (loaded,) = load_labelled(tmp_path)
    assert loaded.tiles[0].outline == pytest.approx(np.asarray([(50, 100), (100, 100), (100, 200)]))


def test_a_photo_without_a_label_file_shows_no_tiles(tmp_path: Path) -> None:
    photos(tmp_path, "", names=("table-1.jpg", "table-2.jpg"))
    (tmp_path / "labels_poly" / "table-2.txt").unlink()
    assert [len(loaded.tiles) for loaded in load_labelled(tmp_path)] == [0, 0]


def test_lists_choose_the_photos(tmp_path: Path) -> None:
    photos(tmp_path, "", names=("a-1.jpg", "a-2.jpg", "a 3.jpg"))
    assert len(load_labelled(tmp_path)) == 3, "without lists all of them"
    (tmp_path / "eval.txt").write_text("a-2.jpg\na 3.jpg\n\n")
    (tmp_path / "train.txt").write_text("a-1.jpg\n")
    assert [loaded.path.name for loaded in load_labelled(tmp_path)] == ["a-2.jpg", "a 3.jpg"]
    assert [loaded.path.name for loaded in load_labelled(tmp_path, only="train")] == ["a-1.jpg"]


def test_a_misspelt_list_does_not_mean_all_photos(tmp_path: Path) -> None:
    photos(tmp_path, "")
    (tmp_path / "eval.txt").write_text("table-1.jpg\n")
    with pytest.raises(FileNotFoundError, match=r"evil\.txt is missing; .* has eval\.txt"):
        load_labelled(tmp_path, only="evil")


def test_tables_from_a_ceiling(tmp_path: Path) -> None:
    (loaded,) = load_labelled(ceiling(tmp_path))
    assert (loaded.path, loaded.group, loaded.backs) == (tmp_path / "images" / "c1.png", "1920px", True)
    assert [(tile.face, tile.group, tile.counts) for tile in loaded.tiles] == [
        ("y9", "meld", True),
        ("#", "wall", False),
    ]


def test_a_folder_without_labels_is_told_what_was_looked_for(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"labels\.jsonl .*labels_poly/ .*labels/\*\.json"):
        load_labelled(tmp_path)


def test_a_ceiling_label_without_its_picture(tmp_path: Path) -> None:
    ceiling(tmp_path)
    (tmp_path / "images" / "c1.png").unlink()
    with pytest.raises(FileNotFoundError, match=r"c1\.json has no picture"):
        load_labelled(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"tiles": [{"face": "r7", "visible": 1.0}]},
        {"tiles": [{"face": "r7", "quad": QUAD[:3], "visible": 1.0}]},
        {"tiles": 3},
        {"layout": None, "tiles": [{}]},
    ],
)
def test_a_broken_scene_is_named_with_its_line(tmp_path: Path, change: dict[str, Any]) -> None:
    with pytest.raises(LabelError, match=r"labels\.jsonl:1: not a label"):
        load_labelled(scenes(tmp_path, **change))


def test_a_cut_off_line_is_named(tmp_path: Path) -> None:
    path = scenes(tmp_path) / "labels.jsonl"
    path.write_text(path.read_text() + '{"image": "im')
    with pytest.raises(LabelError, match=r"labels\.jsonl:2: "):
        load_labelled(tmp_path)


@pytest.mark.parametrize(
    "line",
    ["99 0 0 1 0 1 1", "x 0 0 1 0 1 1", "0 0 0 1 0 1", "0 0 0 1 0", "0 0 0 1 0 1 one"],
    ids=["class", "no class", "odd", "two points", "no number"],
)
def test_a_broken_outline_is_named_with_its_line(tmp_path: Path, line: str) -> None:
    with pytest.raises(LabelError, match=r"table-1\.txt:2: not a label"):
        load_labelled(photos(tmp_path, f"0 0 0 1 0 1 1\n{line}\n"))


@pytest.mark.parametrize("name", ["purple_3", "red_x", "background"])
def test_an_unknown_class_is_no_joker(tmp_path: Path, name: str) -> None:
    photos(tmp_path, "")
    (tmp_path / "classes.txt").write_text(f"red_1\n{name}\n")
    with pytest.raises(LabelError, match=r"classes\.txt"):
        load_labelled(tmp_path)


def test_a_broken_ceiling_label_is_named(tmp_path: Path) -> None:
    with pytest.raises(LabelError, match=r"c1\.json: not a label .*zone"):
        load_labelled(ceiling(tmp_path, tiles=[{"face": "r7", "quad": QUAD, "visible": 1.0}]))


@pytest.mark.data
def test_the_real_sets(real_data: Path) -> None:
    tiles, training = (load_labelled(real_data / "real_tiles", only=name) for name in ("eval", "train"))
    assert (len(tiles), len(training)) == (130, 100)
    assert not {loaded.path for loaded in tiles} & {loaded.path for loaded in training}
    assert sum(len(loaded.tiles) for loaded in [*tiles, *training]) == 2615
    tables = load_labelled(real_data / "ceiling")
    assert {loaded.group for loaded in tables} == {"1920px", "3840px"}
    assert all(loaded.path.is_file() for loaded in [*tiles, *tables])


Box = tuple[float, float, float, float]
places = st.integers(0, 5000).map(lambda hundredths: hundredths / 100)
lengths = st.integers(100, 6000).map(lambda hundredths: hundredths / 100)
boxes = st.tuples(places, places, lengths, lengths)


def outline(box: Box) -> list[list[float]]:
    x, y, wide, tall = box
    return [[x, y], [x + wide, y], [x + wide, y + tall], [x, y + tall]]


@given(first=boxes, second=boxes)
def test_overlap_of_boxes_is_what_arithmetic_says(first: Box, second: Box) -> None:
    across = min(first[0] + first[2], second[0] + second[2]) - max(first[0], second[0])
    down = min(first[1] + first[3], second[1] + second[3]) - max(first[1], second[1])
    inner = max(0.0, across) * max(0.0, down)
    union = first[2] * first[3] + second[2] * second[3] - inner
    assert overlap(outline(first), outline(second)) == pytest.approx(inner / union, abs=2e-3)


@given(
    box=boxes,
    offset=st.sampled_from([0.0, 0.003, 1e-6, 1e-38]),
    far=st.sampled_from([0.0, 4000.0]),
)
def test_edges_that_nearly_coincide_do_no_harm(box: Box, offset: float, far: float) -> None:
    x, y, wide, tall = box
    first = outline((x + far, y + far, wide, tall))
    assert overlap(first, outline((x + far, y + far + offset, wide, tall))) == pytest.approx(1, abs=0.02)
    assert overlap(first, outline((x + far, y + far + offset, wide / 2, tall))) == pytest.approx(
        0.5, abs=0.02
    )


def test_overlap_takes_corners_in_any_order() -> None:
    assert overlap(QUAD, QUAD) == pytest.approx(1)
    assert overlap(QUAD, QUAD[::-1]) == pytest.approx(1)
    assert overlap(QUAD, [QUAD[2], QUAD[0], QUAD[3], QUAD[1]]) == pytest.approx(1)


def test_what_has_no_area_overlaps_nothing() -> None:
    assert overlap([[5, 5]] * 4, QUAD) == 0
    assert overlap([[0, 0], [20, 20], [40, 40]], QUAD) == 0
    assert overlap([[5, 5]] * 4, [[5, 5]] * 4) == 0
