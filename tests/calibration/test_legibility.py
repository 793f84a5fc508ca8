"""What a camera can read is told from its place: steep racks cannot, flat tiles can, and what helps is
said.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.rig_error import MODES, measure
from calibration.legibility import (
    Legibility,
    Limits,
    Tiles,
    digit_seen,
    legibility_map,
    planned_rig,
    with_at_end,
)
from calibration.rig import Rig
from calibration.zones import default_zones

TABLE = (900.0, 900.0)
ZONES = default_zones(TABLE, 4)
USUAL = planned_rig(TABLE, height_mm=1400, size=(1920, 1080), view_deg=68)


def racks(rig: Rig, **tiles: float) -> list[Legibility]:
    return [one for one in legibility_map(rig, ZONES, tiles=Tiles(**tiles)) if one.kind == "rack"]


def test_a_digit_straight_below_has_its_size_by_the_lens() -> None:
    focal = USUAL.lens.focal[0]
    height, angle = digit_seen(
        USUAL, np.asarray([[0.0, 0.0, 0.0]]), np.asarray([0.0, 1.0, 0.0]), digit_mm=14.0
    )
    assert height[0] == pytest.approx(14.0 * focal / 1400)
    assert angle[0] == pytest.approx(0.0, abs=1e-6)


def test_a_steep_face_looks_flatter_by_the_cosine_of_its_angle() -> None:
    up = np.asarray([0.0, np.cos(np.radians(50)), np.sin(np.radians(50))])
    height, angle = digit_seen(USUAL, np.asarray([[0.0, 0.0, 0.0]]), up, digit_mm=0.1)
    assert angle[0] == pytest.approx(50.0, abs=0.01)
    flat = digit_seen(USUAL, np.asarray([[0.0, 0.0, 0.0]]), np.asarray([0.0, 1.0, 0.0]), digit_mm=0.1)[0]
    assert height[0] / flat[0] == pytest.approx(np.cos(np.radians(50)), abs=0.001)


def test_what_lies_flat_is_read_and_usual_racks_are_not() -> None:
    for one in legibility_map(USUAL, ZONES):
        assert one.verdict == ("no" if one.kind == "rack" else "good")
        assert bool(one.remedy[0]) == bool(one.remedy[1]) == (one.kind == "rack")


def test_the_remedy_said_for_a_rack_does_help() -> None:
    steep = racks(USUAL)[0]
    assert "lean the rack's tiles no more than 20°" in steep.remedy[0]
    assert "cel mult 20°" in steep.remedy[1]
    assert racks(USUAL, lean_deg=20.0)[0].verdict == "good"
    assert racks(USUAL, lean_deg=30.0)[0].verdict == "doubtful"


def test_a_camera_with_too_few_pixels_is_told_how_many_it_needs() -> None:
    small = planned_rig(TABLE, height_mm=1400, size=(640, 360), view_deg=68)
    meld = next(one for one in legibility_map(small, ZONES) if one.kind == "meld")
    assert meld.verdict == "no"
    assert meld.remedy[0] == "use a camera of 1920 pixels across or more"
    larger = planned_rig(TABLE, height_mm=1400, size=(1920, 1080), view_deg=68)
    assert next(one for one in legibility_map(larger, ZONES) if one.kind == "meld").verdict == "good"


def test_a_higher_camera_is_proposed_where_the_angle_is_what_fails() -> None:
    low = planned_rig(TABLE, height_mm=700, size=(3840, 2160), view_deg=100)
    said = racks(low, lean_deg=25.0)[0]
    assert said.verdict == "doubtful"
    assert "hang the camera" in said.remedy[0]
    assert "puneți camera la" in said.remedy[1]


def test_a_higher_camera_sees_racks_less_steeply() -> None:
    high = planned_rig(TABLE, height_mm=2500, size=(3840, 2160), view_deg=40)
    assert racks(high)[0].angle_deg < racks(USUAL)[0].angle_deg


def test_seats_whose_racks_cannot_be_read_are_counted_at_the_end() -> None:
    zones = ZONES.with_racks("never", seats=[4])
    assert dict(with_at_end(zones, legibility_map(USUAL, zones)).racks) == {
        1: "at_end",
        2: "at_end",
        3: "at_end",
        4: "never",
    }
    flat = legibility_map(USUAL, zones, tiles=Tiles(lean_deg=20.0))
    assert with_at_end(zones, flat) == zones


def test_limits_decide_the_verdict() -> None:
    generous = legibility_map(
        USUAL, ZONES, limits=Limits(good_px=2.0, least_px=1.0, good_deg=85, least_deg=89)
    )
    assert {one.verdict for one in generous} == {"good"}


@pytest.mark.data
@pytest.mark.parametrize("name", ["c02", "c02_4k", "c05", "c07", "c25", "c27"])
def test_digits_are_as_high_as_the_labels_say(real_data: Path, name: str) -> None:
    """Within 15 % at worst, which a foreseen place differs by from where tiles really stand."""
    label = real_data / "ceiling" / "labels" / f"{name}.json"
    entry = json.loads(label.read_text(encoding="utf-8"))
    rig = measure(label, MODES[0]).rig
    zones = default_zones(rig.layout.table_mm, len(entry["seats"]))
    tiles = Tiles(entry["set"]["digit_mm"], entry["rack_lean_deg"])
    compared = 0
    for one in legibility_map(rig, zones, tiles=tiles):
        seen = [
            tile["digit_height_px"]
            for tile in entry["tiles"]
            if (tile["zone"]["kind"], tile["zone"].get("seat")) == (one.kind, one.seat)
            and tile["face"] not in ("*", "#")
            and tile.get("digit_visible", 0.0) > 0.99
        ]
        if seen and one.kind in ("rack", "meld"):
            compared += 1
            assert one.digit_px == pytest.approx(min(seen), rel=0.15)
    assert compared >= 4
