"""Profiles of tile sets: what is written is read again, names are files, and what is wrong is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration import tilesets
from calibration.tilesets import TileSet, TileSetError

PROFILE = TileSet(
    name="Bunica",
    taught="2026-11-29",
    tiles=105,
    missing=("k7",),
    extra=(),
    misread=8,
    width_px=71.5,
    width_mm=None,
    aspect=1.39,
    body=(240, 233, 214),
    inks={"r": (200, 30, 38), "y": (240, 150, 40), "b": (20, 70, 180), "k": (22, 22, 26)},
    digit_centre=0.33,
    digit_height=0.31,
    weights="ab" * 32,
)
LESSON = {"number": np.arange(6, dtype=np.float32).reshape(2, 3), "scale": np.asarray(0.5, np.float32)}


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    path = tilesets.save(PROFILE, LESSON, tmp_path)
    assert path == tmp_path / "Bunica.toml"
    assert tilesets.load("Bunica", tmp_path) == PROFILE
    stored = tilesets.load_lesson("Bunica", tmp_path)
    assert set(stored) == set(LESSON)
    for key, value in LESSON.items():
        np.testing.assert_array_equal(stored[key], value)


def test_a_set_taught_anew_takes_the_place_of_the_old_one(tmp_path: Path) -> None:
    tilesets.save(PROFILE, LESSON, tmp_path)
    tilesets.save(replace(PROFILE, width_mm=25.5, missing=()), {}, tmp_path)
    assert tilesets.load("Bunica", tmp_path).width_mm == 25.5
    assert tilesets.load_lesson("Bunica", tmp_path) == {}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Bunica.npz", "Bunica.toml"]


def test_sets_are_listed_and_forgotten(tmp_path: Path) -> None:
    assert tilesets.names(tmp_path / "nowhere") == []
    for name in ("zar", "Ana 2", "bunica"):
        tilesets.save(replace(PROFILE, name=name), LESSON, tmp_path)
    assert tilesets.names(tmp_path) == ["Ana 2", "bunica", "zar"]
    tilesets.forget("bunica", tmp_path)
    assert tilesets.names(tmp_path) == ["Ana 2", "zar"]
    assert not (tmp_path / "bunica.npz").exists()
    with pytest.raises(TileSetError, match="Ana 2, zar"):
        tilesets.forget("bunica", tmp_path)


@pytest.mark.parametrize("name", ["Bunica", "Ștefan", "a.b-c d_e", "7", "x" * 40])
def test_names_that_may_be(name: str) -> None:
    assert tilesets.checked_name(f" {name} ") == name


@pytest.mark.parametrize(
    "name", ["", " ", "../x", "a/b", "a\\b", ".hidden", "-x", "a\nb", "a:b", "x" * 41, "con", "CON.x", "end."]
)
def test_names_that_may_not_be(name: str) -> None:
    with pytest.raises(TileSetError) as refused:
        tilesets.checked_name(name)
    assert refused.value.code == "bad_name"
    assert refused.value.hint_ro != refused.value.hint_en


@given(st.text(max_size=60))
def test_no_name_leaves_the_folder(name: str) -> None:
    folder = Path("sets")
    try:
        path = folder / f"{tilesets.checked_name(name)}.toml"
    except TileSetError:
        return
    assert path.parent == folder
    assert path.name not in {".toml", "..toml"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('format = "remi-tileset/1"', 'format = "remi-tileset/9"'),
        ("tiles = 105", 'tiles = "many"'),
        ("aspect = 1.39", ""),
        ("aspect = 1.39", "aspect = 1.39\nshade = 3"),
        ("[inks]", "[inks"),
        ("r = [200, 30, 38]", "r = [200, 30]"),
    ],
)
def test_a_broken_profile_is_named(tmp_path: Path, old: str, new: str) -> None:
    path = tilesets.save(PROFILE, LESSON, tmp_path)
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")
    with pytest.raises(TileSetError, match=r"Bunica\.toml") as refused:
        tilesets.load("Bunica", tmp_path)
    assert refused.value.code == "broken_set"


def test_a_broken_lesson_is_named(tmp_path: Path) -> None:
    tilesets.save(PROFILE, LESSON, tmp_path)
    (tmp_path / "Bunica.npz").write_bytes(b"no archive")
    with pytest.raises(TileSetError, match=r"Bunica\.npz"):
        tilesets.load_lesson("Bunica", tmp_path)
    (tmp_path / "Bunica.npz").unlink()
    with pytest.raises(TileSetError, match=r"Bunica\.npz"):
        tilesets.load_lesson("Bunica", tmp_path)


def test_the_user_may_choose_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(tilesets.HOME, str(tmp_path))
    assert tilesets.tile_set_folder() == tmp_path / "tilesets"
    monkeypatch.delenv(tilesets.HOME)
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert tilesets.tile_set_folder() == tmp_path / "data" / "remi" / "tilesets"
