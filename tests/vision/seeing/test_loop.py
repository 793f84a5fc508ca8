"""The loop as a state machine: scripted frames in, states and readings out; no thread, no clock."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.watch import PATIENCE_S
from calibration.zones import Zones
from engine.rules import RuleSet, rule_set
from engine.table_reading import TableReading
from engine.tiles import Face, Mark
from tests.vision.scripted import ScriptedNets, reader
from tests.vision.seeing.scenes import Scene, Spot, lay_out, zones_of
from vision.onnx_nets import FaceAnswers
from vision.seeing import loop
from vision.seeing.loop import AGAIN, IDLE_S, Seeing
from vision.seeing.states import Update
from vision.sources.frames import Frame

EVERY = 0.15
TILES: tuple[tuple[Spot, int], ...] = (
    *(((-90.0 + 30 * at, -120.0), at + 1) for at in range(3)),
    *(((-90.0 + 30 * at, 120.0), at + 5) for at in range(3)),
)
TABLE = Scene(mm_per_px=0.8, tiles=TILES)
ARM: tuple[Spot, Spot] = ((60.0, -340.0), (20.0, -130.0))


@pytest.fixture(autouse=True)
def _plain_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every tile is a meld of its own."""
    monkeypatch.setattr(loop, "lay_out", lay_out)


class Play:
    """A seeing that is shown scenes, one look each."""

    def __init__(
        self,
        nets: ScriptedNets | None = None,
        racks: str = "never",
        repeats: tuple[float, float] | None = None,
    ) -> None:
        self.nets = nets or ScriptedNets()
        self.seeing = Seeing(
            reader(nets=self.nets),
            TABLE.rig,
            zones_of(racks),
            rules=rule_set("etalat"),
            repeats=repeats,
            clock=lambda: 0.0,
        )
        self.now, self.number = 0.0, 0
        self.states: list[str] = []
        self.readings: list[TableReading] = []
        self.last = Update("starting")

    @property
    def state(self) -> str:
        return self.states[-1]

    def show(self, scene: Scene, looks: int, *, every: float = EVERY) -> list[TableReading]:
        """The readings of so many looks at a scene."""
        came = []
        for _ in range(looks):
            self.now += every
            self.number += 1
            pixels = replace(scene, seed=self.number).frame()
            self.last = self.seeing.step(Frame(pixels, self.now, self.number), self.now)
            self.states.append(self.last.state)
            if self.last.reading is not None:
                came.append(self.last.reading)
        self.readings += came
        return came


class Erring(ScriptedNets):
    """Takes a 3 for an 8 in the one look after it was told to."""

    err = False

    def faces(self, faces: NDArray[np.uint8]) -> FaceAnswers:
        self.classes = {3: 8} if self.err else {}
        self.err = False
        return super().faces(faces)


class Overlooking(ScriptedNets):
    """Finds nothing in the next window in which it is to look, once it was told to."""

    overlook = False

    def find(self, pixels: NDArray[np.float32]) -> NDArray[np.float32]:
        found = super().find(pixels)
        if self.overlook:
            self.overlook = False
            return found[:0]
        return found


def faces(reading: TableReading) -> list[str]:
    return [str(tile.face) for meld in reading.melds for tile in meld.tiles]


def keys(reading: TableReading) -> dict[str, int]:
    return {str(tile.face): tile.key for meld in reading.melds for tile in meld.tiles}


FACES = ["r1", "r5", "r2", "r6", "r3", "r7"]


def test_what_was_overlooked_where_something_changed_is_found_by_the_second_look() -> None:
    nets = Overlooking()
    play = Play(nets)
    play.show(TABLE, 8)
    put = replace(TABLE, tiles=(*TILES, ((60.0, 150.0), 9)))
    nets.overlook = True
    came = play.show(put, 12)
    assert not nets.overlook
    assert "r9" in faces(came[-1])
    looked = len(nets.looked)
    assert play.show(put, 8) == []
    assert len(nets.looked) == looked, "twice is enough"


def test_an_evening_in_short() -> None:
    play = Play()
    (first,) = play.show(TABLE, 8)
    assert sorted(faces(first)) == sorted(FACES)
    assert (first.number, first.unseen) == (1, ())
    assert play.states[0] == "starting"
    assert play.state == "looking"
    looked = len(play.nets.looked)
    assert play.show(TABLE, 4) == [], "an idle table is not read"
    assert len(play.nets.looked) == looked
    assert play.seeing.pause == IDLE_S

    # A hand over melds 1 takes a tile away unseen, while another is put down at melds 2.
    taken = replace(TABLE, tiles=(*TILES[1:], ((60.0, 150.0), 9)))
    (second,) = play.show(replace(taken, arms=(ARM,)), 6)
    assert play.state == "hand"
    assert "meld 1" in play.last.unseen
    assert "meld 1" in second.unseen
    assert sorted(faces(second)) == sorted([*FACES, "r9"]), "under the hand lies what lay there"
    (third,) = play.show(taken, 6)
    assert play.state == "looking"
    assert third.unseen == ()
    assert sorted(faces(third)) == sorted([*FACES[1:], "r9"])
    assert all(keys(third)[face] == keys(first)[face] for face in FACES[1:])
    assert [reading.number for reading in play.readings] == [1, 2, 3]


def test_other_zones_and_rules_hold_from_the_next_look_on_and_all_is_read_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    laid_out: list[tuple[Zones, RuleSet]] = []

    def watched(tiles: Any, rig: Any, zones: Zones, *, rules: RuleSet, **more: Any) -> TableReading:
        laid_out.append((zones, rules))
        return lay_out(tiles, rig, zones, rules=rules, **more)

    monkeypatch.setattr(loop, "lay_out", watched)
    play = Play()
    play.show(TABLE, 8)
    looked = len(play.nets.looked)
    assert play.show(TABLE, 8) == []
    before = zones_of("read")
    row = replace(before.zones[-1], kind="discard", seat=None)
    zones = replace(before, zones=(*before.zones[:-1], row))
    play.seeing.use(zones=zones)
    (again,) = play.show(TABLE, 8)
    assert (again.number, sorted(faces(again))) == (2, sorted(FACES))
    assert len(play.nets.looked) > looked, "not what was read by the zones of before"
    assert laid_out[-1][0].zones == zones.zones
    # This camera cannot read the racks: that is found anew for other zones.
    assert dict(laid_out[-1][0].racks) == {1: "at_end", 2: "at_end"}
    assert sorted(play.seeing.notes) == [1, 2]
    rules = rule_set("doizece")
    play.seeing.use(rules=rules)
    assert len(play.show(TABLE, 8)) == 1
    assert laid_out[-1][0].zones == zones.zones
    assert laid_out[-1][1] is rules


def test_a_bump_pauses_reading_and_is_healed() -> None:
    play = Play()
    (first,) = play.show(TABLE, 8)
    pushed = replace(TABLE, shift=(15.0, -9.0))
    play.states.clear()
    readings = play.show(pushed, 14)
    assert "moving" in play.states
    assert play.state == "looking"
    (second,) = readings
    assert keys(second) == keys(first), "tiles lie where they lay, in millimetres"
    places = {meld.key: meld.tiles[0].place for meld in first.melds}
    for meld in second.melds:
        assert np.abs(np.subtract(meld.tiles[0].place, places[meld.key])).max() < 1.5
    assert play.seeing.rig.provenance.healed == 1
    assert play.seeing.rig is not TABLE.rig


def test_no_reading_is_taken_while_the_camera_is_elsewhere() -> None:
    play = Play()
    play.show(TABLE, 8)
    hidden = replace(TABLE, shift=(230.0, 230.0))  # one marker is left in the picture
    assert play.show(hidden, 20) == []
    assert play.state == "paused"
    assert play.last.reason.ro
    assert play.show(TABLE, 10)[-1].unseen == ()
    assert play.state == "looking"


def test_without_markers_the_table_pauses_with_a_reason() -> None:
    play = Play()
    dark = replace(TABLE, gain=0.02)
    assert play.show(dark, round(PATIENCE_S / EVERY) + 8) == []
    assert play.state == "paused"
    assert "corner" in play.last.reason.en
    assert len(play.show(TABLE, 20)) == 1


def test_a_frame_of_another_size_pauses_and_says_what_helps() -> None:
    play = Play()
    update = play.seeing.step(Frame(np.zeros((720, 1280, 3), np.uint8), 0.0, 1), 0.0)
    assert update.state == "paused"
    assert "remi calibrate" in update.reason.en
    assert "remi calibrate" in update.reason.ro


def test_doubtful_tiles_are_looked_at_again_and_then_rest() -> None:
    play = Play(ScriptedNets(sure=3.2))
    play.show(TABLE, 8 + AGAIN + 3)
    looked = len(play.nets.looked)
    play.show(TABLE, 4)
    assert len(play.nets.looked) == looked
    assert play.readings[0].number == 1
    assert all(meld.tiles[0].face is not Mark.UNREAD for meld in play.readings[-1].melds)


def test_a_look_that_errs_once_is_outvoted() -> None:
    nets = Erring()
    play = Play(nets)
    play.show(TABLE, 8)
    before = keys(play.readings[-1])
    # A neighbour is put down; with it the tile beside is read again, and misread once.
    nets.err = True
    play.show(replace(TABLE, tiles=(*TILES, ((0.0, -120.0), 4))), 12)
    assert not nets.err
    last = play.readings[-1]
    assert str(Face("r", 3)) in faces(last)
    assert keys(last)["r3"] == before["r3"]


def grainy(play: Play, scene: Scene, looks: int, grain: float) -> list[TableReading]:
    """The readings of looks at frames with more noise."""
    came = []
    for _ in range(looks):
        play.now += EVERY
        play.number += 1
        noise = np.random.default_rng(play.number).normal(0, grain, (scene.side, scene.side, 3))
        pixels = np.asarray(np.clip(np.rint(scene.frame() + noise), 0, 255), np.uint8)
        update = play.seeing.step(Frame(pixels, play.now, play.number), play.now)
        came += [] if update.reading is None else [update.reading]
    return came


def test_in_dim_light_the_frames_since_a_tile_came_to_rest_are_taken_together() -> None:
    play = Play()
    assert grainy(play, TABLE, 8, 14.0)
    moved = replace(TABLE, tiles=(*TILES[1:], ((120.0, -120.0), 1)))
    assert grainy(play, moved, 8, 14.0)
    picture = play.seeing.picture
    assert picture is not None
    side = slice(TABLE.side // 2 - 180, TABLE.side // 2 + 180)  # racks are painted over further out
    away = (picture.astype(np.float64) - moved.frame())[side, side]
    assert float(np.std(away)) < 0.75 * 14.0
    smooth = np.abs(cv2.blur(away, (15, 15)))
    assert float(smooth.max()) < 5.0, "nothing shows through of where the tile lay before"


def test_racks_that_cannot_be_read_are_told_and_looked_at_in_the_end() -> None:
    play = Play(racks="read")
    assert dict(play.seeing.zones.racks) == {1: "at_end", 2: "at_end"}
    rack: tuple[tuple[Spot, int], ...] = (((0.0, -240.0), 11),)
    table = replace(TABLE, tiles=(*TILES, *rack))
    (first,) = play.show(table, 8)
    assert "r11" not in faces(first)
    problems = [problem for problem in first.problems if problem.code == "rack_not_read"]
    assert len(problems) == 2
    assert problems[0].hint_en.startswith("Rack 1 cannot be read from this camera")
    assert problems[0].hint_ro.startswith("Tabla 1 nu se poate citi")
    picture = play.seeing.picture
    assert picture is not None
    x, y = (round(value) for value in TABLE.px((0.0, -240.0)))
    assert np.ptp(picture[y - 10 : y + 10, x - 10 : x + 10]) == 0, "what is shown has the racks painted over"
    play.seeing.end()
    (last,) = play.show(table, 8)
    assert "r11" in faces(last)
    assert last.problems == ()


@pytest.mark.parametrize("seats", [1, 2])
def test_racks_never_read_are_masked_also_at_the_end(seats: int) -> None:
    play = Play()
    play.seeing.end()
    y = -240.0 if seats == 1 else 240.0
    (reading,) = play.show(replace(TABLE, tiles=(*TILES, ((0.0, y), 11))), 8)
    assert "r11" not in faces(reading)


def test_a_table_at_rest_is_read_once_more_without_looking_and_then_every_so_often() -> None:
    play = Play(repeats=(0.7, 1.5))
    first = play.show(TABLE, 9)[0]
    looked = len(play.nets.looked)
    again = play.show(TABLE, 30)
    assert len(play.nets.looked) == looked
    assert len(again) == 3
    assert [one.number for one in play.readings] == list(range(1, len(play.readings) + 1))
    assert 0.6 < again[0].at - first.at < 1.2
    assert again[2].at - again[1].at == pytest.approx(1.5, abs=EVERY)
    assert all(replace(one, number=first.number, at=first.at) == first for one in again)
    assert not play.show(replace(TABLE, arms=(ARM,)), 2), "not while a hand moves"


def test_a_hand_at_rest_over_one_zone_leaves_the_others_to_be_read_once_more() -> None:
    play = Play(repeats=(0.7, 1.5))
    play.show(TABLE, 9)
    came = play.show(replace(TABLE, arms=(ARM,)), 24)
    assert came
    assert all(one.unseen for one in came)
    assert all(one.unseen == () for one in play.show(TABLE, 24)[-2:])
