"""`remi tileset` and reading with a taught set, with a reader that knows its pictures by heart."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from calibration import tilesets as profiles
from companion import tilesets
from companion.cli import main
from companion.page_tilesets import DRAFTS, PageTileSets
from companion.table.doctor import check_model
from engine.tiles import Face
from tests.vision.censuses import CensusReader, sighting, whole_rows, without
from vision.adapt import Lesson
from vision.reader import Reader
from vision.virtual.table import VirtualTable
from web_ui.services import CensusLostError, PictureRefusedError

ROWS = without(whole_rows(), "k7")
FLAT = [face for row in ROWS for face in row]
DOUBTFUL = FLAT.index("b5")


def misread(face: str, index: int) -> tuple[int, float]:
    number = 0 if face == "*" else int(face[1:])
    return (9, 0.999) if index == DOUBTFUL else ({1: 7}.get(number, number), 0.9)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> CensusReader:
    monkeypatch.setenv(profiles.HOME, str(tmp_path / "home"))
    monkeypatch.setenv("LC_ALL", "C")
    monkeypatch.setattr(tilesets, "weights_of", lambda _models=None: "ab")
    fake = CensusReader(sighting(ROWS, misread))

    def load(name: str | None = None, models: Path | None = None, **_how: object) -> Reader:
        if name is not None:
            try:
                fake.adapter = tilesets.load_lesson(name)
            except profiles.TileSetError as error:
                raise tilesets.refused(error) from error
        return cast("Reader", fake)

    monkeypatch.setattr(tilesets, "load_reader", load)
    return fake


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "set.png"
    Image.fromarray(np.full((800, 900, 3), 90, np.uint8)).save(path)
    return path


def remi(*words: object) -> Result:
    return CliRunner().invoke(main, [str(word) for word in words])


def test_a_picture_of_the_table_teaches_more_to_that_tables_camera(
    reader: CensusReader, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    table = VirtualTable(seed=1, seats=2, size=(1280, 720)).frame(0.0)
    path = tmp_path / "table.png"
    Image.fromarray(table[:, :, ::-1]).save(path)
    assert remi("tileset", "learn", "Bunica", path).exit_code == 0
    assert profiles.load("Bunica").table_px == (1280, 720)
    monkeypatch.undo()
    monkeypatch.setenv(profiles.HOME, str(tmp_path / "home"))
    monkeypatch.setattr(tilesets, "weights_of", lambda _models=None: "ab")
    taught = [
        tilesets.load_reader("Bunica", camera=size).adapter for size in ((1280, 720), (1920, 1080), None)
    ]
    assert [isinstance(one, Lesson) and one.here for one in taught] == [True, False, False]


def test_a_set_is_taught_listed_shown_and_forgotten(reader: CensusReader, picture: Path) -> None:
    done = remi("tileset", "learn", "Bunica", picture, "--width-mm", 25.5)
    assert done.exit_code == 0, done.output
    assert "The set lacks one black 7." in done.stdout
    assert f"doubtful: tile {DOUBTFUL}, {picture} at" in done.stdout
    assert f"--is {DOUBTFUL}=b5" in done.stdout
    assert json.loads(remi("tileset", "list", "--json").stdout)["tilesets"] == ["Bunica"]
    shown = json.loads(remi("tileset", "show", "Bunica", "--json").stdout)
    assert (shown["tiles"], shown["missing"], shown["width_mm"]) == (105, ["k7"], 25.5)
    assert "missing: k7" in remi("tileset", "show", "Bunica").stdout
    assert remi("tileset", "forget", "Bunica").exit_code == 0
    assert json.loads(remi("tileset", "list", "--json").stdout)["tilesets"] == []
    again = remi("tileset", "show", "Bunica")
    assert again.exit_code == 1
    assert "remi tileset learn" in again.stderr


def test_a_print_that_hardly_stands_out_is_told_and_by_the_doctor_too(
    reader: CensusReader, picture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vision.tile_profile.faint", lambda *_: {"b": 12, "k": 15})
    done = remi("tileset", "learn", "Bunica", picture)
    assert "hardly stands out from the tiles (of 255 levels: blue 12, black 15)" in done.stdout
    assert json.loads(remi("tileset", "learn", "Bunica", picture, "--json").stdout)["faint"] == {
        "b": 12,
        "k": 15,
    }
    assert check_model(None).verdict == "ok"
    told = profiles.load("Bunica")
    clear = replace(told, body=(250, 250, 250), inks={"r": (200, 30, 30), "k": (20, 20, 20)})
    monkeypatch.setattr(profiles, "load", lambda *_: clear)
    assert check_model("Bunica").verdict == "ok"
    monkeypatch.setattr(profiles, "load", lambda *_: replace(clear, inks={"k": (232, 240, 250)}))
    faded = check_model("Bunica")
    assert (faded.verdict, "black 18" in faded.en, "negru 18" in faded.ro) == ("note", True, True)


def test_a_person_settles_what_is_asked(reader: CensusReader, picture: Path, tmp_path: Path) -> None:
    command = ("tileset", "learn", "Bunica", picture, "--json", "--dry-run")
    asked = json.loads(remi(*command, "--crops", tmp_path / "asked").stdout)
    assert [question["index"] for question in asked["asked"]] == [DOUBTFUL]
    assert asked["asked"][0]["read_as"] == "b9"
    assert asked["stored"] is None
    assert [path.name for path in (tmp_path / "asked").iterdir()] == [f"{DOUBTFUL}.png"]
    settled = json.loads(remi(*command, "--is", f"{DOUBTFUL}=b5").stdout)
    assert settled["asked"] == []
    assert settled["tiles"] == FLAT
    assert settled["missing"] == ["k7"]
    assert profiles.names() == []


@pytest.mark.parametrize("said", ["b5", "x=b5", "3=z9", "999=b5"])
def test_an_answer_that_names_no_tile_is_wrong_usage(reader: CensusReader, picture: Path, said: str) -> None:
    assert remi("tileset", "learn", "Bunica", picture, "--is", said).exit_code == 2


def test_what_is_no_census_is_refused(reader: CensusReader, picture: Path) -> None:
    reader.seen = sighting(ROWS[:3])
    done = remi("tileset", "learn", "Bunica", picture)
    assert done.exit_code == 1
    assert "Only 39 tiles were found" in done.stderr
    bad = remi("tileset", "learn", "../x", picture)
    assert (bad.exit_code, "can't be called" in bad.stderr) == (1, True)


def test_the_words_are_romanian_where_the_locale_is(
    reader: CensusReader, picture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "ro_RO.UTF-8")
    assert "Din set lipsește un 7 negru." in remi("tileset", "learn", "Bunica", picture, "--dry-run").stdout


def test_pictures_are_read_with_what_was_learnt(reader: CensusReader, picture: Path) -> None:
    remi("tileset", "learn", "Bunica", picture, "--is", f"{DOUBTFUL}=b5")

    def faces(*options: str) -> list[str]:
        done = remi("read", picture, "--no-repair", "--json", *options)
        assert done.exit_code == 0, done.output
        return [tile["face"] for tile in json.loads(done.stdout)["images"][0]["tiles"]]

    taught = faces("--tileset", "Bunica")
    assert taught[:13] == [f"r{number}" for number in range(1, 14)]
    unknown = remi("read", picture, "--tileset", "Nimic")
    assert unknown.exit_code == 1
    assert "Bunica" in unknown.stderr


def test_a_lesson_belongs_to_its_weights(
    reader: CensusReader, picture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    remi("tileset", "learn", "Bunica", picture)
    assert isinstance(tilesets.load_lesson("Bunica"), Lesson)
    monkeypatch.setattr(tilesets, "weights_of", lambda _models=None: "cd")
    with pytest.raises(profiles.TileSetError, match="other weights") as refused:
        tilesets.load_lesson("Bunica")
    assert refused.value.code == "other_weights"


@pytest.mark.parametrize(
    ("faces", "english", "romanian"),
    [
        (["k7"], ["one black 7"], ["un 7 negru"]),
        (["k7", "k7"], ["2 black 7s"], ["2 de 7 negru"]),
        (["*"], ["one joker"], ["un joker"]),
        (["*", "*", "r1"], ["2 jokers", "one red 1"], ["2 jokeri", "un 1 roșu"]),
    ],
)
def test_what_is_missing_in_words(faces: list[str], english: list[str], romanian: list[str]) -> None:
    missing = [Face("", 0) if face == "*" else Face(face[0], int(face[1:])) for face in faces]
    assert tilesets.lacks(missing, romanian=False) == english
    assert tilesets.lacks(missing, romanian=True) == romanian


# ---- the page


@pytest.fixture
def page(reader: CensusReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PageTileSets:
    monkeypatch.setattr("companion.page_tilesets.weights_of", lambda _models=None: "ab")
    return PageTileSets(cast("Reader", reader), threading.Lock(), folder=tmp_path / "sets")


def test_the_page_teaches_and_reads_with_it_at_once(
    page: PageTileSets, reader: CensusReader, picture: Path
) -> None:
    view = page.begin("Bunica", [picture.read_bytes()])
    assert [str(face) for face in view.missing] == ["k7"]
    assert [tile.index for tile in view.asked] == [DOUBTFUL]
    assert view.asked[0].png.startswith(b"\x89PNG")
    settled = page.settle(view.token, DOUBTFUL, Face("b", 5))
    assert settled.asked == ()
    assert page.census(view.token) == settled
    page.keep(view.token)
    assert (page.names(), page.used()) == (["Bunica"], "Bunica")
    assert isinstance(cast("Any", reader).adapter, Lesson)
    with pytest.raises(CensusLostError):
        page.census(view.token)
    page.forget("Bunica")
    assert (page.names(), page.used()) == ([], None)
    assert cast("Any", reader).adapter is None


def test_the_page_is_told_in_both_languages_what_is_wrong(page: PageTileSets, picture: Path) -> None:
    for name, data in (("..", picture.read_bytes()), ("Bunica", b"no picture")):
        with pytest.raises(PictureRefusedError) as refused:
            page.begin(name, [data])
        assert refused.value.message_ro != refused.value.message_en
    with pytest.raises(PictureRefusedError):
        page.use("Nimic")
    with pytest.raises(PictureRefusedError):
        page.forget("Nimic")


def test_only_so_many_censuses_are_kept(page: PageTileSets, picture: Path) -> None:
    tokens = [page.begin("Bunica", [picture.read_bytes()]).token for _ in range(DRAFTS + 1)]
    with pytest.raises(CensusLostError):
        page.census(tokens[0])
    assert page.census(tokens[-1]).name == "Bunica"
    with pytest.raises(IndexError):
        page.settle(tokens[-1], 5000, None)
