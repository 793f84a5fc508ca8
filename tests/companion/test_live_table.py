"""The live table of the page: composed of a source and eyes, its pictures without racks, its game watched."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest

from calibration.zones import RackMode, Zones
from companion import demo, demo_table
from companion.demo_players.live import DemoTable
from companion.live_table import WATCHED_S, Attention, LiveTable
from engine.readings import PictureReading
from engine.rules import RuleSet, rule_set
from engine.table_reading import Lying, LyingMeld, TableReading
from engine.tiles import Face
from tests.vision import scripted
from tests.vision.conftest import fonts
from tests.vision.seeing.scenes import Scene, zones_of
from tests.waiting import until
from vision.masking import hidden_outlines
from vision.pictures import Pixels
from vision.seeing.loop import Seeing
from vision.seeing.states import Update
from vision.sources.frames import Frame, Setting
from vision.sources.health import Words
from vision.sources.live import LiveSource
from vision.synth.fonts import FontsMissingError
from vision.virtual import VirtualTable
from web_ui.app import create_app
from web_ui.services import BothLanguages

__all__ = ["fonts"]

SCENE = Scene(mm_per_px=1.2, tiles=(((-60.0, 0.0), 4), ((-60.0, -250.0), 5)))


class Camera:
    """A capture of the picture that a test puts before it, no two frames alike."""

    settings: tuple[Setting, ...] = ()

    def __init__(self, picture: Pixels) -> None:
        self.picture = picture
        self.taken = 0

    def read(self) -> Pixels | None:
        time.sleep(0.005)
        self.taken += 1
        picture = self.picture.copy()
        picture[0, 0] = self.taken % 250
        return picture

    def close(self) -> None:
        """Nothing is held."""


class ToldSeeing:
    """Says what it is told, then goes on looking."""

    pause = 0.001
    quiet = True
    notes: dict[int, Words] = {}  # noqa: RUF012

    def __init__(self, zones: Zones, scene: Scene, updates: list[Update]) -> None:
        self.zones, self.rig, self.updates = zones, scene.rig, updates
        self.used: list[tuple[Zones | None, RuleSet | None]] = []

    def use(self, *, zones: Zones | None = None, rules: RuleSet | None = None) -> None:
        self.used.append((zones, rules))

    def end(self, *, ended: bool) -> None:
        """Racks are told, not read."""

    def step(self, frame: Frame, now: float) -> Update:
        if not self.updates:
            return Update("looking")
        update = self.updates.pop(0)
        if update.state == "ended":
            raise ZeroDivisionError("a fault of the program")
        return update


def live(camera: Camera, updates: list[Update]) -> LiveTable:
    seeing = ToldSeeing(zones_of("read"), SCENE, updates)
    return LiveTable(LiveSource(lambda: camera, "scripted", live=True), cast("Seeing", seeing))


def shown(table: LiveTable) -> Pixels:
    jpeg = table.picture()
    assert jpeg is not None
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def own_threads() -> list[str]:
    return [one.name for one in threading.enumerate() if one.name == "eyes" or one.name.startswith("source")]


def lying(key: int, face: Face) -> Lying:
    return Lying(key, face, 0.9, (0.0, 0.0), 0.0)


READING = TableReading(
    1,
    0.0,
    (LyingMeld(1, 1, (lying(1, Face("r", 4)),)),),
    racks={1: ((lying(2, Face("r", 5)),),)},
)


def test_state_reading_and_zones_are_those_of_the_eyes() -> None:
    updates = [
        Update("looking", reading=READING, waited_s=0.2),
        *[Update("hand", unseen=("meld 1",))] * 100000,
    ]
    with live(Camera(SCENE.frame()), updates) as table:
        assert until(lambda: table.now().state == "hand")
        now = table.now()
        assert now.reading == replace(READING, racks={})
        assert now.covered == ("meld 1",)
        assert now.size == (SCENE.side, SCENE.side)
        assert now.read_ms is not None
        assert [zone.name for zone in now.zones if zone.kind == "meld"] == ["meld 1", "meld 2"]
        points = np.asarray([point for zone in now.zones if zone.kind == "meld" for point in zone.outline])
        # Across the whole table of 600 mm, from rack to rack, in the middle of its frame.
        assert np.ptp(points[:, 0]) == pytest.approx(600 / SCENE.mm_per_px, abs=2)
        assert (points.min(axis=0) + points.max(axis=0)) / 2 == pytest.approx([SCENE.side / 2] * 2, abs=2)
        assert own_threads() == ["source scripted", "eyes"]
    assert own_threads() == []


def test_racks_are_covered_in_the_picture_and_what_lies_on_the_table_is_not() -> None:
    with live(Camera(SCENE.frame()), []) as table:
        assert until(lambda: table.picture() is not None)
        picture, plain = shown(table), SCENE.frame()
        covered = np.zeros(picture.shape[:2], np.uint8)
        for outline in hidden_outlines(SCENE.rig, zones_of("never"), ended=False):
            cv2.fillConvexPoly(covered, np.round(outline).astype(np.int32), 1)
        inside = cv2.erode(covered, np.ones((9, 9), np.uint8)) > 0
        assert plain[inside].max() > 200  # a tile stood there
        assert np.abs(picture[inside].astype(int) - 96).max() < 12
        outside = cv2.dilate(covered, np.ones((9, 9), np.uint8)) == 0
        assert np.abs(picture[outside].astype(int) - plain[outside]).mean() < 8


def test_no_picture_is_shown_while_the_camera_may_have_moved() -> None:
    camera = Camera(SCENE.frame())
    with live(camera, []) as table:
        assert until(lambda: table.picture() is not None)
        before = table.picture
        # Pushed by 12 pixels: the racks are no longer under their covers.
        camera.picture = replace(SCENE, shift=(12.0, 7.0)).frame()
        seen = camera.taken
        assert until(lambda: camera.taken > seen + 3)
        last = before()
        assert until(lambda: camera.taken > seen + 10)
        assert table.picture() == last
        camera.picture = SCENE.frame()
        assert until(lambda: table.picture() != last)


def test_a_fault_of_the_program_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[object] = []
    monkeypatch.setattr(threading, "excepthook", said.append)
    with live(Camera(SCENE.frame()), [Update("ended")]) as table:
        assert until(lambda: table.now().state == "stopped")
        reason = table.now().reason
    assert reason is not None
    assert "report it" in reason.en
    assert "raportați" in reason.ro
    assert len(said) == 1


def test_somebody_looks_until_a_while_after_they_asked() -> None:
    times = iter((0.0, 1.0, 100.0, 100.0 + WATCHED_S - 1, 100.0 + WATCHED_S))
    attention = Attention(lambda: next(times))
    paid = [attention.paid]
    attention.pay()
    paid += [attention.paid, attention.paid]
    assert paid == [False, True, False]


def test_without_fonts_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def no_fonts(*_: object, **__: object) -> object:
        raise FontsMissingError("none")

    monkeypatch.setattr("vision.virtual.setting.draw_setting", no_fonts)
    found = demo_table.open_demo_table(
        scripted.reader(), rule_set("etalat"), seed=0, journal=tmp_path / "j.sqlite"
    )
    assert isinstance(found, BothLanguages)
    for text in (found.ro, found.en):
        assert "apt-get install --no-install-recommends fonts-" in text
    assert found.ro != found.en
    assert own_threads() == []


@pytest.mark.parametrize(("asked", "used"), [("doizece", "doizece"), ("classic", "etalat")])
def test_tiles_are_not_read_by_the_rules_of_cards(asked: str, used: str) -> None:
    assert demo.tile_rules(asked).key == used


class Blind(scripted.ScriptedNets):
    """Finds nothing, so that no time goes by."""

    def find(self, blob: scripted.F32) -> scripted.F32:
        return np.zeros((0, 6), np.float32)


@pytest.fixture
def demo_running(tmp_path: Path) -> Iterator[DemoTable]:
    reader = scripted.reader(nets=Blind())
    found = demo_table.open_demo_table(
        reader, rule_set("etalat"), seed=3, journal=tmp_path / "j.sqlite", seats=2, size=(960, 540)
    )
    assert isinstance(found, DemoTable)
    with closing(found):
        yield found
    assert own_threads() == []


@pytest.mark.usefixtures("fonts")
def test_the_whole_way_from_the_virtual_table_to_the_page(demo_running: DemoTable) -> None:
    services = replace(demo.page_services(FixedReader(), game=demo_running), table=demo_running.live)
    client = create_app(services).test_client()
    assert until(lambda: client.get("/api/v1/table").get_json()["reading"] is not None)
    document = client.get("/api/v1/table").get_json()
    assert document["size"] == [960, 540]
    assert document["reading"]["melds"] == []
    assert "racks" not in document["reading"]
    assert until(lambda: client.get(document["picture"]).status_code == 200)
    picture = cv2.imdecode(np.frombuffer(client.get(document["picture"]).data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    live = demo_running.live
    assert live is not None
    for zone in live.now().zones:
        if zone.kind == "rack":
            x, y = np.mean(zone.outline, axis=0).round().astype(int)
            assert np.abs(picture[y - 4 : y + 4, x - 4 : x + 4].astype(int) - 96).max() < 12
    assert "Locul 2" in client.get("/table", headers={"Accept-Language": "ro"}).text


class FixedReader:
    """Sees nothing in a photo."""

    def read(self, image: Pixels) -> PictureReading:
        return PictureReading(image.shape[1], image.shape[0], (), {})


@pytest.mark.usefixtures("fonts")
def test_no_tile_of_a_rack_of_the_virtual_table_is_told() -> None:
    """Eyes that read every rack of a dealt table, as the zones of a page would never let them."""
    virtual = VirtualTable(seed=3, seats=2, size=(960, 540))
    virtual.deal()
    truth = virtual.truth(1.0)
    on_rack = [one for one in truth if one.zone.kind == "rack" and one.zone.seat == 1]
    atu = next(one for one in truth if one.zone.kind == "atu" and one.face != "#")
    tiles = {one.tile: replace(lying(one.tile, face_of(one.face)), quad=one.quad) for one in (*on_rack, atu)}
    reading = TableReading(
        1, 0.0, atu=tiles[atu.tile], racks={1: (tuple(tiles[one.tile] for one in on_rack),)}
    )
    seeing = ToldSeeing(virtual.zones, SCENE, [Update("looking", reading=reading)])
    seeing.rig = virtual.rig()
    source = LiveSource(lambda: Camera(virtual.frame(1.0)), "scripted", live=True)
    with LiveTable(source, cast("Seeing", seeing)) as table:
        assert until(lambda: table.now().reading is not None)
        services = replace(demo.page_services(FixedReader()), table=table)
        client = create_app(services).test_client()
        page = client.get("/table", headers={"Accept-Language": "en"}).text
        document = client.get("/api/v1/table").text
    from web_ui.faces import face_view

    with create_app(services).test_request_context("/", headers={"Accept-Language": "en"}):
        names = {one.face: face_view(face_of(one.face)).name for one in (*on_rack, atu)}
    assert names[atu.face] in page
    assert f'"{atu.face}"' in document
    hidden = {one.face for one in on_rack} - {atu.face}
    assert len(hidden) > 8
    for face in hidden:
        assert f"{names[face]}<" not in page
        assert f"{names[face]}," not in page
        assert f'"{face}"' not in document


@pytest.mark.usefixtures("fonts")
def test_racks_are_covered_whose_zone_was_moved_away() -> None:
    """Every tile on the racks of a dealt table of four, with the zone of seat 1 drawn where it is not."""
    virtual = VirtualTable(seed=3, seats=4, size=(960, 540))
    virtual.deal()
    plain, rig = virtual.frame(1.0), virtual.rig()
    held = [one for one in virtual.truth(1.0) if one.zone.kind == "rack"]
    assert len(held) > 50
    zones = virtual.zones
    away = replace(zones.zones[0], corners=tuple((x, y + 200.0) for x, y in zones.zones[0].corners))
    seeing = ToldSeeing(replace(zones, zones=(away, *zones.zones[1:])), SCENE, [])
    seeing.rig = rig
    source = LiveSource(lambda: Camera(plain), "scripted", live=True)
    with LiveTable(source, cast("Seeing", seeing)) as table:
        assert until(lambda: table.picture() is not None)
        picture = shown(table)
        covered = table.covered()
        assert covered is not None
        for seen in (picture, covered[1]):
            assert all(is_grey(seen, one.quad) for one in held)
        # The zones themselves would have left it open: a test that could not fail would be none.
        from vision.masking import hide_racks

        open_rack = hide_racks(plain, rig, seeing.zones.with_racks("never"), ended=False)
        assert not all(is_grey(open_rack, one.quad) for one in held)
        table.use(zones=zones)
        assert until(lambda: table.picture() is not None)
        assert all(is_grey(shown(table), one.quad) for one in held)


def test_where_a_rack_was_stays_covered_until_the_next_game() -> None:
    """The zone of seat 1 moves away during a game, and its melds' zone takes its place."""
    virtual = VirtualTable(seed=3, seats=4, size=(960, 540))
    virtual.deal()
    plain, rig = virtual.frame(1.0), virtual.rig()
    held = [one for one in virtual.truth(1.0) if one.zone.kind == "rack" and one.zone.seat == 1]
    assert len(held) > 10
    before = virtual.zones.with_racks("at_end")
    rack, melds = before.find("rack", 1), before.find("meld", 1)
    assert rack is not None
    assert melds is not None
    places = {
        rack: replace(rack, corners=tuple((x, y + 200.0) for x, y in rack.corners)),
        melds: replace(melds, corners=rack.corners),
    }
    moved = replace(before, zones=tuple(places.get(zone, zone) for zone in before.zones))
    seeing = ToldSeeing(before, SCENE, [])
    seeing.rig = rig
    source = LiveSource(lambda: Camera(plain), "scripted", live=True)
    with LiveTable(source, cast("Seeing", seeing)) as table:
        table.end(ended=False)
        assert until(lambda: table.picture() is not None)
        table.use(zones=moved)
        table.use(zones=moved)
        covered, arbiters = table.covered(), table.arbiters_picture()
        assert covered is not None
        assert arbiters is not None
        for seen in (shown(table), covered[1], cv2.imdecode(np.frombuffer(arbiters, np.uint8), 1)):
            assert all(is_grey(np.asarray(seen, np.uint8), one.quad) for one in held)
        table.end(ended=True)
        assert all(is_grey(shown(table), one.quad) for one in held)
        # The next game knows only the zones as they are: nobody stands a rack among the melds.
        table.end(ended=False)
        assert not any(is_grey(shown(table), one.quad) for one in held)


def is_grey(picture: Pixels, quad: Sequence[tuple[float, float]]) -> bool:
    """Whether nothing of what lies between these corners is seen."""
    inside = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(np.asarray(quad)).astype(np.int32), 1)
    return bool(np.abs(picture[inside > 0].astype(int) - 96).max() < 24)


def face_of(text: str) -> Face:
    from engine.notation import parse_face

    return parse_face(text)


def test_the_arbiter_sees_racks_where_they_are_read_and_crops_of_what_lies_on_the_table() -> None:
    quad = ((100.0, 100.0), (120.0, 100.0), (120.0, 130.0), (100.0, 130.0))
    tile, held = replace(lying(1, Face("r", 4)), quad=quad), replace(lying(2, Face("r", 5)), quad=quad)
    reading = TableReading(1, 0.0, (LyingMeld(1, 1, (tile,)),), racks={1: ((held,),)})
    modes: tuple[tuple[RackMode, bool], ...] = (("read", False), ("at_end", True), ("never", True))
    for mode, covered in modes:
        seeing = ToldSeeing(
            zones_of("read").with_racks(mode), SCENE, [Update("looking", reading=reading, waited_s=0.1)]
        )
        camera = Camera(SCENE.frame())
        source = LiveSource(lambda camera=camera: camera, "scripted", live=True)  # type: ignore[misc]
        with LiveTable(source, cast("Seeing", seeing)) as table:
            assert until(lambda table=table: table.now().reading is not None)  # type: ignore[misc]
            jpeg = table.arbiters_picture()
            assert jpeg is not None
            picture = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)
            outlines = np.zeros(picture.shape[:2], np.uint8)
            for outline in hidden_outlines(SCENE.rig, zones_of("never"), ended=False):
                cv2.fillConvexPoly(outlines, np.round(outline).astype(np.int32), 1)
            inside = cv2.erode(outlines, np.ones((9, 9), np.uint8)) > 0
            assert (picture[inside].max() < 110) == covered
            assert table.crop(1) is not None
            assert table.crop(2) is None, "a tile on a rack"
            assert table.crop(99) is None


class Choosing(ToldSeeing):
    """Leaves racks until the end that its camera cannot read, as eyes do."""

    def use(self, *, zones: Zones | None = None, rules: RuleSet | None = None) -> None:
        super().use(zones=zones, rules=rules)
        if zones is not None:
            self.zones = zones.with_racks("at_end", seats=[1])


def test_zones_and_rules_are_handed_to_the_eyes_that_run_and_hold_for_pictures_at_once() -> None:
    zones, rules = zones_of("read"), rule_set("doizece")
    near = zones.zones[0]
    assert (near.kind, near.seat) == ("rack", 1)
    half = replace(near, corners=tuple((min(x, 0.0), y) for x, y in near.corners))
    moved = replace(zones, zones=(half, *zones.zones[1:]))
    seeing = Choosing(zones, SCENE, [])
    source = LiveSource(lambda: Camera(SCENE.frame()), "scripted", live=True)
    with LiveTable(source, cast("Seeing", seeing)) as table:
        assert until(lambda: table.arbiters_picture() is not None)
        open_rack = table.arbiters_picture()
        table.use(zones=moved)
        # At once, whether or not the eyes have had a look since.
        drawn = next(one for one in table.now().zones if (one.kind, one.seat) == ("rack", 1))
        assert np.ptp([x for x, _ in drawn.outline]) == pytest.approx(170 / SCENE.mm_per_px, abs=3)
        picture = shown(table)
        for side in (-100.0, 100.0):
            assert is_grey(picture, SCENE.quad((side, -250.0)).tolist())
        assert until(lambda: bool(seeing.used))
        table.use(rules=rules)
        assert until(lambda: len(seeing.used) == 2)
        assert seeing.used == [(moved, None), (None, rules)]
        # What the eyes leave until the end is covered for the arbiter too, where the zone is now.
        assert open_rack is not None
        for jpeg, covered in ((open_rack, False), (table.arbiters_picture(), True)):
            assert jpeg is not None
            seen = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), np.uint8)
            assert is_grey(seen, SCENE.quad((-60.0, -250.0)).tolist()) == covered


def test_a_tile_is_cut_out_upright() -> None:
    from companion.tile_crops import SIZE, upright_crop

    picture = np.zeros((200, 300, 3), np.uint8)
    picture[50:130, 100:160] = 200
    picture[50:70, 100:160] = (0, 0, 255)
    upright = ((100.0, 50.0), (160.0, 50.0), (160.0, 130.0), (100.0, 130.0))
    turned = upright[2:] + upright[:2]
    for quad, at in ((upright, 45), (turned, 147)):
        cut = upright_crop(picture, quad)
        assert cut.shape == (SIZE[1], SIZE[0], 3)
        assert tuple(cut[at, SIZE[0] // 2]) == (0, 0, 255)
        assert cut[2, 2].max() == 0
