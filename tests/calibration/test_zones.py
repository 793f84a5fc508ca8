"""Every place of a table is in exactly one zone, with the default and with a file."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from calibration.errors import CalibrationError
from calibration.markers import MarkerLayout
from calibration.sheets import CARD_MM
from calibration.zones import (
    KINDS,
    RACK_DEEP_MM,
    RACK_MODES,
    RackMode,
    Zones,
    all_racks,
    default_zones,
    hides,
    outward,
    side_distance,
    spare_racks,
)
from calibration.zones_file import load_zones, save_zones

TABLES = [(800.0, 800.0), (900.0, 900.0), (1000.0, 800.0), (1100.0, 1100.0), (1000.0, 900.0)]
SEATS = [2, 3, 4]


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("table", TABLES)
def test_each_seat_has_a_rack_and_a_meld_area_and_the_table_the_rest(
    table: tuple[float, float], seats: int
) -> None:
    zones = default_zones(table, seats)
    assert Counter(zone.kind for zone in zones.zones) == {
        "rack": seats,
        "meld": seats,
        "discard": 1,
        "wall": 1,
        "atu": 1,
    }
    for zone in zones.zones:
        assert zone.outside_mm(zone.middle) < -20
        assert zones.at(zone.middle) is zone
    for seat in range(1, seats + 1):
        out = np.asarray(outward(seats, seat))
        edge = out @ (out * np.asarray(table)) / 2
        assert zones.at(out * (edge - 55)).kind == "rack"
        assert zones.at(out * (edge - 55)).seat == seat
        assert zones.seat_at(out * 180) == seat
        # Half of the 106 tiles may lie in front of a seat, and a row of the wall's side in the middle.
        meld = zones.find("meld", seat)
        assert meld is not None
        assert meld.outside_mm(out * (edge - RACK_DEEP_MM - 40)) < -30


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("table", TABLES)
def test_racks_leave_the_corner_cards_free(table: tuple[float, float], seats: int) -> None:
    zones = default_zones(table, seats)
    half = np.asarray(table) / 2
    for marker, place in MarkerLayout(table).centres.items():
        corner = np.sign(place) * half
        for along in (0.0, CARD_MM):
            for across in (0.0, CARD_MM):
                spot = corner - np.sign(place) * (along, across)
                for zone in zones.zones:
                    if zone.kind == "rack":
                        assert zone.outside_mm(spot) > 0, marker


@given(
    x=some.floats(-450, 450),
    y=some.floats(-400, 400),
    seats=some.sampled_from(SEATS),
)
def test_every_place_has_one_zone_and_edges_belong_to_one_side(x: float, y: float, seats: int) -> None:
    zones = default_zones((900.0, 800.0), seats)
    zone = zones.at((x, y))
    assert zone.kind in KINDS
    inside = [other for other in zones.zones if other.outside_mm((x, y)) <= 0]
    if inside:
        assert zone is inside[0]
    if zone.kind == "meld" and inside:
        assert zone.seat == zones.seat_at((x, y)) or len(inside) > 1


def test_zones_do_not_overlap_but_for_the_middle_on_the_melds() -> None:
    zones = default_zones((900.0, 800.0), 4)
    chance = np.random.default_rng(2)
    for spot in chance.uniform((-450, -400), (450, 400), (400, 2)):
        kinds = sorted(zone.kind for zone in zones.zones if zone.outside_mm(spot) < -0.1)
        assert len(kinds) <= 1 or (len(kinds) == 2 and "meld" in kinds and "rack" not in kinds), spot


def test_a_tile_is_where_its_middle_is() -> None:
    zones = default_zones((900.0, 900.0), 2)
    quad = np.asarray([(-13, -382), (13, -382), (13, -418), (-13, -418)])
    assert zones.of_quad(quad).kind == "rack"


def test_tables_that_are_none_are_refused() -> None:
    with pytest.raises(ValueError, match="2, 3 or 4 seats, not 5"):
        default_zones((900.0, 900.0), 5)
    with pytest.raises(ValueError, match="600 to 1600 mm, not 90 x 90"):
        default_zones((90.0, 90.0), 4)


@pytest.mark.parametrize(
    ("mode", "playing", "ended"), [("read", False, False), ("at_end", True, False), ("never", True, True)]
)
def test_which_racks_are_hidden(mode: RackMode, playing: bool, ended: bool) -> None:
    assert mode in RACK_MODES
    assert hides(mode, ended=False) == playing
    assert hides(mode, ended=True) == ended
    zones = default_zones((900.0, 900.0), 3).with_racks(mode, seats=[2])
    assert [zone.seat for zone in zones.hidden(ended=False)] == ([2] if playing else [])
    assert [zone.seat for zone in zones.hidden(ended=True)] == ([2] if ended else [])


def test_zones_come_back_as_they_were(tmp_path: Path) -> None:
    zones = default_zones((1000.0, 900.0), 3).with_racks("at_end", seats=[1, 3])
    save_zones(zones, tmp_path / "zones.toml")
    again = load_zones(tmp_path / "zones.toml")
    assert (again.table_mm, again.seats, dict(again.racks)) == (zones.table_mm, 3, dict(zones.racks))
    for before, after in zip(zones.zones, again.zones, strict=True):
        assert (before.kind, before.seat) == (after.kind, after.seat)
        assert after.outline == pytest.approx(before.outline, abs=0.01)


def written(tmp_path: Path, text: str) -> Zones:
    path = tmp_path / "zones.toml"
    path.write_text(f'format = "remi-zones/1"\ntable_mm = [1000, 900]\nseats = 4\n{text}')
    return load_zones(path)


def test_a_file_needs_to_name_only_what_differs(tmp_path: Path) -> None:
    zones = written(
        tmp_path,
        'racks = { 2 = "at_end", 4 = "never" }\n[[zones]]\nkind = "wall"\n'
        "corners_mm = [[-480, -100], [-400, -100], [-400, 100], [-480, 100]]\n",
    )
    assert dict(zones.racks) == {1: "read", 2: "at_end", 3: "read", 4: "never"}
    wall = zones.find("wall")
    assert wall is not None
    assert wall.middle.tolist() == [-440, 0]
    assert zones.find("discard") == default_zones((1000.0, 900.0), 4).find("discard")
    assert set(written(tmp_path, 'racks = "never"').racks.values()) == {"never"}


SQUARE = "corners_mm = [[0, 0], [100, 0], [100, 100], [0, 100]]"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('racks = "sometimes"', "racks"),
        ('racks = { 5 = "read" }', "racks"),
        ("colour = 1", "colour"),
        (f'[[zones]]\nkind = "cup"\n{SQUARE}', "zones.0.kind"),
        (f'[[zones]]\nkind = "rack"\n{SQUARE}', "needs a seat"),
        (f'[[zones]]\nkind = "wall"\nseat = 2\n{SQUARE}', "has no seat"),
        (f'[[zones]]\nkind = "wall"\n{SQUARE}\n[[zones]]\nkind = "wall"\n{SQUARE}', "twice"),
        ('[[zones]]\nkind = "wall"\ncorners_mm = [[0, 0], [9, 0]]', "zones.0.corners_mm"),
        ('[[zones]]\nkind = "wall"\ncorners_mm = [[0, 0], [100, 100], [100, 0], [0, 100]]', "convex"),
        ('[[zones]]\nkind = "wall"\ncorners_mm = [[0, 0], [900, 0], [0, 90]]', "off the table"),
    ],
)
def test_a_wrong_key_is_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(CalibrationError) as error:
        written(tmp_path, text)
    assert error.value.code == "zones_file"
    assert said in error.value.hint_en
    assert "docs/calibration.md" in error.value.hint_ro


def test_a_seat_that_the_table_has_not_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "zones.toml"
    start = 'format = "remi-zones/1"\ntable_mm = [900, 900]\nseats = 2\n'
    path.write_text(f'{start}[[zones]]\nkind = "rack"\nseat = 3\n{SQUARE}')
    with pytest.raises(CalibrationError, match="the table has 2 seats"):
        load_zones(path)
    path.write_text(f'{start}racks = {{ 3 = "read" }}')
    with pytest.raises(CalibrationError, match="does not have"):
        load_zones(path)
    path.write_text("seats = [")
    with pytest.raises(CalibrationError, match="does not hold zones"):
        load_zones(path)


def with_moved_rack(zones: Zones, seat: int, by: tuple[float, float]) -> Zones:
    """The zones with the rack of a seat moved by so many mm."""
    return replace(
        zones,
        zones=tuple(
            replace(zone, corners=tuple((x + by[0], y + by[1]) for x, y in zone.corners))
            if (zone.kind, zone.seat) == ("rack", seat)
            else zone
            for zone in zones.zones
        ),
    )


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("table", TABLES)
def test_the_usual_zones_leave_no_rack_to_be_covered_besides(table: tuple[float, float], seats: int) -> None:
    assert spare_racks(default_zones(table, seats)) == ()


@given(
    seats=some.sampled_from(SEATS),
    by=some.tuples(some.floats(-300, 300), some.floats(-300, 300)),
    places=some.lists(some.tuples(some.floats(-1, 1), some.floats(0, 1)), min_size=20, max_size=20),
    side=some.integers(0, 3),
    clockwise=some.booleans(),
)
def test_every_usual_place_of_a_rack_is_covered_unless_it_is_in_a_zone(
    seats: int,
    by: tuple[float, float],
    places: list[tuple[float, float]],
    side: int,
    clockwise: bool,
) -> None:
    table = (900.0, 900.0)
    usual, zones = default_zones(table, 4), with_moved_rack(default_zones(table, seats), 1, by)
    if clockwise:
        zones = replace(zones, zones=tuple(replace(zone, corners=zone.corners[::-1]) for zone in zones.zones))
    covers, strip = all_racks(zones), usual.zones[side].outline
    for along, deep in places:
        # Inside the strip, from its outer edge to its inner one.
        outer = strip[0] + (strip[1] - strip[0]) * (along + 1) / 2
        point = outer + (strip[3] - strip[0]) * deep
        if side_distance(table, side, point) < 0:
            continue
        others = [zone for zone in zones.zones if zone.kind != "rack"]
        covered = any(zone.outside_mm(point) <= 1e-6 for zone in covers)
        assert covered or any(zone.outside_mm(point) <= 1e-6 for zone in others)
    for spare in spare_racks(zones):
        middle = spare.middle
        assert not any(zone.outside_mm(middle) < -1e-6 for zone in zones.zones)


def test_where_a_rack_was_moved_away_its_usual_place_is_covered_still() -> None:
    zones = with_moved_rack(default_zones((900.0, 900.0), 4), 1, (0.0, 200.0))
    assert zones.zones[0].outside_mm((0.0, -440.0)) > 0
    assert any(zone.outside_mm((0.0, -440.0)) < 0 for zone in all_racks(zones))
    assert not any(zone.outside_mm((0.0, -440.0)) < 0 for zone in zones.hidden(ended=False))
