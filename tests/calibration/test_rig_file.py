"""A rig keeps everything in its file, and a wrong file is refused by key."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from calibration.errors import CalibrationError
from calibration.markers import MarkerLayout
from calibration.rig_file import load_rig, save_rig
from tests.calibration.virtual import calibrated, over

RIG = calibrated(MarkerLayout((900.0, 800.0)), over(40, -30, 1200, tilt=4))


def test_a_rig_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "rig.toml"
    save_rig(RIG, path)
    again = load_rig(path)
    assert again.pose == RIG.pose
    assert (again.size, again.layout, again.lens, again.provenance) == (
        RIG.size,
        RIG.layout,
        RIG.lens,
        RIG.provenance,
    )
    assert {marker: corners.tolist() for marker, corners in again.markers().items()} == {
        marker: corners.tolist() for marker, corners in RIG.markers().items()
    }
    assert again.rms_mm == pytest.approx(RIG.rms_mm, abs=1e-4)
    assert [file.name for file in tmp_path.iterdir()] == ["rig.toml"]


@pytest.fixture
def document(tmp_path: Path) -> dict[str, Any]:
    save_rig(RIG, tmp_path / "rig.toml")
    return tomllib.loads((tmp_path / "rig.toml").read_text())


def refused(document: dict[str, Any], path: Path) -> CalibrationError:
    path.write_text(tomli_w.dumps(document))
    with pytest.raises(CalibrationError) as error:
        load_rig(path)
    return error.value


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("", "frame_px", [0, 720]),
        ("", "format", "remi-rig/9"),
        ("", "made", "yesterday"),
        ("", "typo", 1),
        ("table", "size_mm", [900.0]),
        ("lens", "focal_px", [-3.0, 900.0]),
        ("lens", "source", "guessed"),
        ("marks", "7", [[0.0, 0.0]] * 4),
    ],
)
def test_a_wrong_key_is_named(
    document: dict[str, Any], tmp_path: Path, part: str, key: str, value: object
) -> None:
    (document[part] if part else document)[key] = value
    error = refused(document, tmp_path / "rig.toml")
    assert error.code == "rig_file"
    assert f"{part}.{key}".strip(".") in error.hint_en
    assert "remi calibrate" in error.hint_en
    assert "remi calibrate" in error.hint_ro


def test_a_rotation_that_is_none_is_refused(document: dict[str, Any], tmp_path: Path) -> None:
    document["pose"]["rotation"][0][0] += 0.2
    assert "pose: " in refused(document, tmp_path / "rig.toml").hint_en


def test_a_rig_over_the_limit_is_refused(document: dict[str, Any], tmp_path: Path) -> None:
    document["rms_mm"] = 1.8
    assert refused(document, tmp_path / "rig.toml").code == "rms"


def test_a_file_that_is_no_toml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "rig.toml"
    path.write_text("= nothing")
    with pytest.raises(CalibrationError, match="is not a rig"):
        load_rig(path)
