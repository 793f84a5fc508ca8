"""The command line as other programs see it: JSON, exit codes, what goes where."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from companion import readers
from companion.cli import main
from companion.version import __version__
from engine.notation import parse_seen
from engine.readings import Candidate, PictureReading, SeenTile
from vision.pictures import Pixels


def remi(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def row_of(faces: str, *, y: float, confidence: float = 0.99) -> list[SeenTile]:
    """Tiles of 30 x 42 pixels side by side, from x = 20 on."""
    tiles = []
    for place, word in enumerate(faces.split()):
        x = 20.0 + 31 * place
        quad = ((x, y), (x + 30, y), (x + 30, y + 42), (x, y + 42))
        tiles.append(SeenTile(parse_seen(word), quad, confidence, (Candidate(parse_seen(word), confidence),)))
    return tiles


class FakeReader:
    """Sees the same tiles in every picture, and keeps the sizes of what it was shown."""

    def __init__(self, tiles: Sequence[SeenTile]) -> None:
        self.tiles = tuple(tiles)
        self.shown: list[tuple[int, ...]] = []

    def read(self, image: Pixels) -> PictureReading:
        self.shown.append(image.shape)
        return PictureReading(image.shape[1], image.shape[0], self.tiles, {"find": 12.3456, "read": 4.0})


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> FakeReader:
    """A run of three and a group with a joker, three loose tiles, one not read and one unsure."""
    unsure = SeenTile(
        parse_seen("b8"),
        ((300, 300), (330, 300), (330, 342), (300, 342)),
        0.55,
        (Candidate(parse_seen("b8"), 0.55), Candidate(parse_seen("k8"), 0.4)),
    )
    fake = FakeReader(
        [*row_of("r5 r6 r7", y=20), *row_of("y10 b10 *", y=120), *row_of("k1 ? #", y=220), unsure]
    )
    monkeypatch.setattr(readers, "load_reader", lambda *, backend: fake)
    return fake


@pytest.fixture
def photo(tmp_path: Path) -> Path:
    path = tmp_path / "masă.png"
    Image.new("RGB", (400, 400), (60, 90, 60)).save(path)
    return path


def document(result: Result, exit_code: int = 0) -> dict[str, Any]:
    assert result.exit_code == exit_code, result.output
    parsed = json.loads(result.stdout)
    assert isinstance(parsed, dict)
    return parsed


def test_version_and_help() -> None:
    assert __version__ in remi("--version").stdout
    assert "Exit codes: 0 done, 1" in remi("--help").stdout


# ---- check


def test_check_of_a_meld() -> None:
    assert document(remi("check", "R12 * r1", "--rules", "etalat", "--json")) == {
        "rules": "etalat",
        "tiles": "r12 * r1",
        "meld": True,
        "shape": "run",
        "points": 30,
        "final_points": 85,
        "stands_for": ["r13"],
        "reasons": [],
    }


def test_check_of_what_is_no_meld_says_why_and_exits_with_1() -> None:
    answer = document(remi("check", "r5 r7 r6", "--rules", "etalat", "--json"), exit_code=1)
    assert answer["meld"] is False
    assert [answer[key] for key in ("shape", "points", "final_points", "stands_for")] == [None] * 4
    reason = answer["reasons"][0]
    assert set(reason) == {"code", "clause", "hint", "hint_ro", "tiles"}
    assert "r5 r6 r7" in reason["hint"]


def test_check_for_people() -> None:
    good = remi("check", "r5 r6 *", "--rules", "etalat")
    assert good.exit_code == 0
    assert "run" in good.stdout
    assert "joker stands for r7" in good.stdout
    bad = remi("check", "", "--rules", "etalat")
    assert bad.exit_code == 1
    assert "no meld" in bad.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "r5 x6 r77", "--rules", "etalat"),
        ("check", "r5 ? r7", "--rules", "etalat"),
        ("check", "r5 r6 r7"),
        ("check", "r5 r6 r7", "--rules", "bridge"),
        ("check", "--rules", "etalat"),
        ("read",),
        ("read", "no such file.jpg"),
        ("frobnicate",),
    ],
)
def test_wrong_usage_exits_with_2_and_prints_nothing_on_standard_output(arguments: tuple[str, ...]) -> None:
    result = remi(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Error" in result.stderr


def test_bad_tiles_are_all_named_in_both_languages() -> None:
    error = remi("check", "r5 x6 r77", "--rules", "etalat").stderr
    for word in ("x6", "r77", "cuvântul"):
        assert word in error


# ---- read


def test_read_prints_the_document_of_the_formats_page(reader: FakeReader, photo: Path) -> None:
    answer = document(remi("read", photo, "--json"))
    assert list(answer) == ["images"]
    image = answer["images"][0]
    assert image["path"] == str(photo)
    assert image["size"] == [400, 400]
    assert image["milliseconds"] == {"find": 12.35, "read": 4.0}
    assert " ".join(tile["face"] for tile in image["tiles"]) == "r5 r6 r7 y10 b10 * k1 ? # b8"
    assert image["tiles"][-1] == {
        "face": "b8",
        "quad": [[300, 300], [330, 300], [330, 342], [300, 342]],
        "confidence": 0.55,
        "alternatives": [{"face": "b8", "confidence": 0.55}, {"face": "k8", "confidence": 0.4}],
    }


def test_read_for_people_names_what_to_look_at(reader: FakeReader, photo: Path) -> None:
    out = remi("read", photo).stdout
    assert "10 tiles" in out
    assert "r5 r6 r7" in out
    assert "b8 at 315,321 (perhaps k8)" in out


def test_one_unreadable_photo_does_not_keep_the_others_from_being_read(
    reader: FakeReader, photo: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.jpg"
    broken.write_bytes(b"\xff\xd8\xff\xe0 cut off")
    text = tmp_path / "notes.txt"
    text.write_text("not a picture")
    result = remi("read", broken, photo, text, "--json")
    first, second, third = document(result, exit_code=1)["images"]
    assert first["error"]["code"] == "truncated"
    assert (first["size"], first["tiles"]) == (None, [])
    assert len(second["tiles"]) == 10
    assert "error" not in second
    assert third["error"]["code"] == "not_a_picture"
    assert "imagine" in third["error"]["hint_ro"]
    assert "broken.jpg" in result.stderr


def test_a_picture_of_one_pixel_has_no_tiles_and_is_no_error(reader: FakeReader, tmp_path: Path) -> None:
    dot = tmp_path / "dot.png"
    Image.new("RGB", (1, 1)).save(dot)
    assert document(remi("read", dot, "--json"))["images"][0] == {
        "path": str(dot),
        "size": [1, 1],
        "tiles": [],
        "repairs": [],
        "conflicts": [],
        "milliseconds": {},
    }
    assert reader.shown == []


def test_corners_of_a_reduced_picture_come_back_in_pixels_of_the_whole(
    monkeypatch: pytest.MonkeyPatch, photo: Path
) -> None:
    monkeypatch.setattr("vision.pictures.FULL_PIXELS", 200 * 200)
    fake = FakeReader(row_of("r5", y=20))
    monkeypatch.setattr(readers, "load_reader", lambda *, backend: fake)
    image = document(remi("read", photo, "--json"))["images"][0]
    assert fake.shown == [(200, 200, 3)]
    assert image["size"] == [400, 400]
    assert image["tiles"][0]["quad"] == [[40, 40], [100, 40], [100, 124], [40, 124]]


@pytest.mark.parametrize("command", [("read",), ("count", "--rules", "etalat")])
def test_what_is_not_there_yet_is_refused(reader: FakeReader, photo: Path, command: tuple[str, ...]) -> None:
    result = remi(*command, photo, "--set", "cards")
    assert result.exit_code == 2
    assert "not available in this version" in result.stderr
    assert reader.shown == []


def test_naming_the_set_of_tiles_changes_nothing(reader: FakeReader, photo: Path) -> None:
    assert document(remi("read", photo, "--set", "tiles", "--json")) == document(
        remi("read", photo, "--json")
    )


# ---- repair


@pytest.fixture
def misread(monkeypatch: pytest.MonkeyPatch) -> FakeReader:
    """A red 8 that can only be a red 6, and three black 1s that cannot all be."""
    tiles = row_of("r5 r8 r7", y=20)
    tiles[1] = replace(tiles[1], confidence=0.6, alternatives=(Candidate(parse_seen("r6"), 0.35),))
    ones = [one for y in (120, 220, 320) for one in row_of("k1", y=y)]
    fake = FakeReader([*tiles, *ones])
    monkeypatch.setattr(readers, "load_reader", lambda *, backend: fake)
    return fake


@pytest.mark.parametrize("command", [("read",), ("count", "--rules", "etalat")])
def test_repairs_are_named(misread: FakeReader, photo: Path, command: tuple[str, ...]) -> None:
    image = document(remi(*command, photo, "--json"))["images"][0]
    (repair,) = image["repairs"]
    assert repair["odds"] >= 50
    assert {key: repair[key] for key in ("index", "was", "now", "code", "clause", "why", "why_ro")} == {
        "index": 1,
        "was": "r8",
        "now": "r6",
        "code": "run_needs",
        "clause": "run",
        "why": "Red 6 read as red 8: between red 5 and red 7 only red 6 or a joker fits",
        "why_ro": "6 roșu citit ca 8 roșu: între 5 roșu și 7 roșu se potrivește doar 6 roșu sau joly",
    }
    assert image["tiles"][1]["face"] == "r6"
    assert image["tiles"][1]["confidence"] >= 0.98
    (conflict,) = image["conflicts"]
    assert (conflict["indexes"], conflict["faces"], conflict["clause"]) == ([3, 4, 5], ["k1"], "set")
    assert "doubts" not in image or image["doubts"] == [3, 4, 5]
    told = remi(*command, photo).stdout
    assert "repaired: Red 6 read as red 8" in told
    assert "conflict: Black 1 was read 3 times" in told
    assert "look at: k1" in told


@pytest.mark.parametrize("command", [("read",), ("count", "--rules", "etalat")])
def test_without_repair_all_stays_as_it_was_read(
    misread: FakeReader, photo: Path, command: tuple[str, ...]
) -> None:
    image = document(remi(*command, photo, "--no-repair", "--json"))["images"][0]
    assert (image["repairs"], image["conflicts"]) == ([], [])
    assert [tile["face"] for tile in image["tiles"][:3]] == ["r5", "r8", "r7"]
    assert "repaired" not in remi(*command, photo, "--no-repair").stdout


# ---- count


def test_count_prints_melds_loose_tiles_and_totals(reader: FakeReader, photo: Path) -> None:
    answer = document(remi("count", photo, "--rules", "etalat", "--json"))
    assert (answer["rules"], answer["total"]) == ("etalat", 15 + 70 - 25 - 5)
    image = answer["images"][0]
    run, group = sorted(image["melds"], key=lambda meld: str(meld["shape"]), reverse=True)
    assert run == {
        "tiles": "r5 r6 r7",
        "indexes": [0, 1, 2],
        "shape": "run",
        "points": 15,
        "opening_points": 15,
        "stands_for": [],
    }
    assert (group["tiles"], group["points"], group["opening_points"]) == ("y10 b10 *", 70, 30)
    assert group["stands_for"] == ["r10"]
    loose = {tile["face"]: tile["value"] for tile in image["loose"]}
    assert loose == {"#": None, "?": None, "b8": 5, "k1": 25}
    assert sorted(image["doubts"]) == [7, 9]
    assert image["totals"] == {"melded": 85, "loose": 30, "total": 55, "opening": 45}
    assert len(image["tiles"]) == 10


def test_count_adds_up_several_pictures(reader: FakeReader, photo: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"\x89PNG")
    answer = document(remi("count", photo, broken, photo, "--rules", "etalat", "--json"), exit_code=1)
    assert answer["total"] == 2 * 55
    assert answer["images"][1]["totals"]["total"] is None
    assert answer["images"][1]["melds"] == []


def test_count_for_people(reader: FakeReader, photo: Path) -> None:
    out = remi("count", photo, photo, "--rules", "etalat").stdout
    for words in (
        "r5 r6 r7",
        "y10 b10 *",
        "* = r10",
        "85 melded, 30 loose",
        "look at: ?",
        "All pictures: 110",
    ):
        assert words in out


def test_counting_tiles_by_a_card_game_is_refused(reader: FakeReader, photo: Path) -> None:
    result = remi("count", photo, "--rules", "classic")
    assert result.exit_code == 2
    assert "cards" in result.stderr


# ---- draw


@pytest.mark.parametrize("command", [("read",), ("count", "--rules", "etalat")])
def test_draw_writes_one_picture(
    reader: FakeReader, photo: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    target = tmp_path / "out.png"
    result = remi(*command, photo, "--draw", target)
    assert result.exit_code == 0
    assert str(target) in result.stderr
    with Image.open(target) as drawn, Image.open(photo) as original:
        assert drawn.width % original.width == 0
        assert len(set(drawn.get_flattened_data())) > 5


def test_draw_writes_several_pictures_into_a_folder_without_overwriting(
    reader: FakeReader, photo: Path, tmp_path: Path
) -> None:
    twin = tmp_path / "twin" / photo.name
    twin.parent.mkdir()
    twin.write_bytes(photo.read_bytes())
    folder = tmp_path / "drawn"
    assert remi("read", photo, twin, "--draw", folder).exit_code == 0
    assert len(list(folder.glob("*.png"))) == 2


@pytest.mark.parametrize("target", ["out.gif", "missing/out.png"])
def test_a_drawing_that_cannot_be_written_is_wrong_usage(
    reader: FakeReader, photo: Path, tmp_path: Path, target: str
) -> None:
    assert remi("read", photo, "--draw", tmp_path / target).exit_code == 2
    assert remi("read", photo, photo, "--draw", tmp_path / "one.png").exit_code == 2
    assert reader.shown == []


# ---- the other verbs


def test_training_without_torch_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    result = remi("train", tmp_path, tmp_path / "run")
    assert result.exit_code == 2
    assert "remi-companion[train]" in result.stderr


def test_demo_hands_its_options_to_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[object, ...]] = []

    def run_demo(
        rules: str, port: int, *, host: str, open_browser: bool, table: bool, **more: object
    ) -> None:
        calls.append((rules, port, host, open_browser, table, more["seed"], more["journal"]))

    monkeypatch.setattr("companion.demo.run_demo", run_demo)
    assert remi("demo", "--rules", "doizece", "--port", 8123, "--no-browser", "--no-table").exit_code == 0
    assert remi("demo", "--seed", 41, "--journal", "games.sqlite").exit_code == 0
    assert calls == [
        ("doizece", 8123, "127.0.0.1", False, False, 3, None),
        ("etalat", 8000, "127.0.0.1", True, True, 41, Path("games.sqlite")),
    ]
