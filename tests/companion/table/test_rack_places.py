"""Where racks stood in a game: kept for that game alone, and still covered after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest

from calibration.zones import Zone, Zones
from companion.live_table import LiveTable
from companion.table.config import TableConfig
from companion.table.history import Game
from companion.table.inputs import Part
from companion.table.rack_places import RackPlaces, places_file
from companion.table.running import RunningTable
from engine.records import Header, Record
from engine.rules import RuleSet, rule_set
from tests.companion.table.scripted import look, played_script, scripted_setup
from tests.companion.table.test_running import config_of
from tests.companion.table.test_running import until as until_shown
from tests.companion.test_live_table import SCENE, Camera, ToldSeeing, is_grey, shown
from tests.vision.seeing.scenes import zones_of
from tests.waiting import until
from vision.seeing.loop import Seeing
from vision.sources.live import LiveSource

SCRIPT = played_script("etalat", 3)
RACKS = (
    Zone("rack", 1, ((-100.25, 0.1), (100.0, 0.0), (100.0, -1 / 3))),
    Zone("rack", None, ((0.0, 0.0), (5.0, 0.0), (5.0, 5.0), (0.0, 5.0))),
)


def game(number: int = 1, created: str = "2026-01-01T00:00:00.000Z") -> Game:
    rules = rule_set("etalat")
    header = Header(rules, "etalat", {}, ("Ana", "Dan"), 0, with_resolved=True, more={"created": created})
    return Game(number, 1, Record(header))


def test_places_are_those_of_their_game_alone(tmp_path: Path) -> None:
    said: list[Part] = []
    path = tmp_path / "journal.sqlite"
    assert RackPlaces(path, said.append).of(game()) == ()
    RackPlaces(path, said.append).keep(game(), RACKS)
    again = RackPlaces(path, said.append)
    assert again.of(game()) == RACKS
    assert again.of(game(2)) == ()
    assert again.of(game(created="2026-01-02T00:00:00.000Z")) == (), "of a journal that was begun anew"
    again.keep(game(2), RACKS[:1])
    assert again.of(game()) == ()
    assert again.of(game(2)) == RACKS[:1]
    assert said == []


@pytest.mark.parametrize("text", ["", "[]", '{"game": 1}', '{"game": 1, "created": null, "racks": [1]}'])
def test_a_file_that_cannot_be_read_is_said_and_written_anew(tmp_path: Path, text: str) -> None:
    said: list[Part] = []
    path = tmp_path / "journal.sqlite"
    places_file(path).write_text(text, "utf-8")
    places = RackPlaces(path, said.append)
    found = replace(game(), record=Record(replace(game().record.header, more={})))
    assert places.of(found) == ()
    assert [(part.name, part.well) for part in said] == [("racks", False)]
    assert "journal.sqlite.racks" in said[0].why.en
    assert "journal.sqlite.racks" in said[0].why.ro
    places.keep(found, RACKS)
    assert places.of(found) == RACKS
    assert said[-1].well


def test_a_disk_that_takes_nothing_is_said_until_it_does(tmp_path: Path) -> None:
    said: list[Part] = []
    folder = tmp_path / "later"
    places = RackPlaces(folder / "journal.sqlite", said.append)
    places.keep(game(), RACKS)
    assert [part.well for part in said] == [False]
    folder.mkdir()
    places.keep(game(), RACKS)
    assert [part.well for part in said] == [False, True]
    assert places.of(game()) == RACKS


@contextmanager
def running(folder: Path, zones: Zones) -> Iterator[tuple[RunningTable, LiveTable, Any]]:
    """A table under a camera that sees a tile on the rack of seat 1; its looks are given by hand."""
    given: dict[str, Any] = {}

    def open_sight(config: TableConfig, rules: RuleSet, **more: Any) -> LiveTable:
        given.update(more)
        source = LiveSource(lambda: Camera(SCENE.frame()), "scripted", live=True)
        return LiveTable(source, cast("Seeing", ToldSeeing(zones, SCENE, [])))

    follower = scripted_setup([SCRIPT]).new_follower
    with RunningTable(config_of(folder), open_sight=open_sight, new_follower=follower) as table:
        live = table.live
        assert live is not None
        assert until(lambda: live.picture() is not None)
        yield table, live, given["on_reading"]


def rack_is_covered(live: LiveTable) -> bool:
    return is_grey(shown(live), SCENE.quad((-60.0, -250.0)).tolist())


def moved(zones: Zones) -> Zones:
    """The rack of seat 1 elsewhere, and its melds where the rack was."""
    rack, melds = zones.find("rack", 1), zones.find("meld", 1)
    assert rack is not None
    assert melds is not None
    places = {
        rack: replace(rack, corners=tuple((x, y + 200.0) for x, y in rack.corners)),
        melds: replace(melds, corners=rack.corners),
    }
    return replace(zones, zones=tuple(places.get(zone, zone) for zone in zones.zones))


def test_a_restart_uncovers_no_rack_of_the_game_that_is_on(tmp_path: Path) -> None:
    zones = zones_of("read").with_racks("at_end")
    with running(tmp_path, zones) as (table, live, see):
        see(look(5))
        until_shown(table, lambda now: len(now.public["entries"]) == 5)
        live.use(zones=moved(zones))
        assert rack_is_covered(live)
    for _ in range(2):  # of a second restart too
        with running(tmp_path, moved(zones)) as (_, live, _):
            assert rack_is_covered(live)
            arbiters = live.arbiters_picture()
            assert arbiters is not None
            seen = np.asarray(cv2.imdecode(np.frombuffer(arbiters, np.uint8), cv2.IMREAD_COLOR), np.uint8)
            assert is_grey(seen, SCENE.quad((-60.0, -250.0)).tolist())
    with running(tmp_path, moved(zones)) as (table, live, see):
        see(look(len(SCRIPT)))
        until_shown(table, lambda now: now.state.phase == "over")
        assert rack_is_covered(live)
        see(look(len(SCRIPT) + 1))
        until_shown(table, lambda now: now.public["game"] == 2)
        assert until(lambda: not rack_is_covered(live)), "the next game knows the zones as they are"
    with running(tmp_path, moved(zones)) as (_, live, _):
        assert not rack_is_covered(live)


def test_zones_that_were_changed_while_nothing_ran_uncover_no_rack_either(tmp_path: Path) -> None:
    zones = zones_of("read")
    with running(tmp_path, zones):
        pass
    with running(tmp_path, moved(zones)) as (_, live, _):
        assert rack_is_covered(live)
    places_file(tmp_path / "remi-journal.sqlite").unlink()
    with running(tmp_path, moved(zones)) as (_, live, _):
        assert not rack_is_covered(live), "a test that could not fail would be none"


def test_a_rack_of_a_seat_that_is_no_more_is_covered_for_all(tmp_path: Path) -> None:
    zones = moved(zones_of("read"))
    was = zones_of("read").find("rack", 1)
    assert was is not None
    with running(tmp_path, zones) as (_, live, _):
        live.remember([replace(was, seat=4)], lambda _: None)
        assert rack_is_covered(live)
        assert live.arbiters_picture() is not None
