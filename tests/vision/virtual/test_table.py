"""A virtual table: what is seen is what is there, by hand and without, frame after frame."""

from __future__ import annotations

import math

import numpy as np
import pytest

from calibration.markers import find_markers
from calibration.rig import Provenance, calibrate
from calibration.watch import Watch, look
from tests.vision.virtual.tables import BARE, SMALL, small_table
from vision.virtual import Lie, Put, Remove, Switches, TurnOver, VirtualTable, draw_setting
from vision.virtual.canvas import Canvas
from vision.virtual.idle import Idle
from vision.virtual.moves import meld_tiles, row_tiles
from vision.virtual.pieces import MissingTileError, Stand

MADE = Provenance("2026-11-30", "remi-sheets/1")


def play(table: VirtualTable) -> None:
    """A deal and a few moves, by hands."""
    dealt = table.deal()
    group = table.put_down(1, dealt.hands[1][:3])
    table.draw(2)
    table.discard(2, dealt.hands[2][0])
    table.lay_off(2, dealt.hands[2][1], group, index=0)
    table.push(*meld_tiles(table.planned.pieces, group), hand=3)


def test_the_same_seed_and_commands_give_the_same_frames_and_another_seed_others() -> None:
    frames = []
    for seed in (5, 5, 6):
        table = small_table(seed, switches=Switches(jpeg=80))
        play(table)
        frames.append([table.frame(at) for at in (0.0, 0.7, 2.2, 3.0, 9.0)])
    assert all(np.array_equal(one, other) for one, other in zip(frames[0], frames[1], strict=True))
    assert not any(np.array_equal(one, other) for one, other in zip(frames[0], frames[2], strict=True))


def test_painting_what_changed_gives_the_picture_that_painting_everything_gives() -> None:
    table = small_table(4)
    play(table)
    for at in np.arange(0.0, table.free_at + 0.5, 0.3):
        table.frame(float(at))
    tile = row_tiles(table.planned.pieces)[0]
    table.do(TurnOver(tile), Put(100, Lie(30, -90, 0.3)), Put(101, Lie(34, -88, 0.9, level=1)))
    seen = table.frame()
    fresh = Canvas(table.setting, table._ground, table.setting.camera, table._factory)
    fresh.update(table.planned.pieces)
    kept = table._canvas
    assert np.array_equal(kept.picture, fresh.picture)
    kept.everything()
    assert np.array_equal(kept.picture, fresh.picture)
    other = VirtualTable(table.setting, switches=BARE)
    other.do(*(Put(t, p.at, p.zone, p.up, p.face) for t, p in table.planned.pieces.items()))
    assert np.array_equal(other.frame(), seen)


def test_a_game_painted_turn_by_turn_is_the_picture_painted_at_once() -> None:
    table, idle = small_table(22, seats=3), Idle(pause_s=0.2)
    for moment in range(12):
        idle(table, moment * 1.5)
        table.frame(moment * 1.5)
    fresh = Canvas(table.setting, table._ground, table.setting.camera, table._factory)
    fresh.update(table._timeline.world.pieces)
    assert np.array_equal(table._canvas.picture, fresh.picture)


def test_a_frame_changes_only_where_a_tile_changes() -> None:
    table = small_table()
    table.place(1, Lie(0, 0))
    before = table.frame()
    table.do(Put(2, Lie(-100, 60, 0.4)))
    after = table.frame()
    rows, columns = np.nonzero((before != after).any(axis=2))
    middle = np.asarray(table.rig().to_px((-100, 60), height_mm=table.setting.look.thickness_mm))
    reach = 5 * table.setting.tile_px
    assert len(rows)
    assert np.abs(columns - middle[0]).max() < reach
    assert np.abs(rows - middle[1]).max() < reach
    table.remove(2)
    assert np.array_equal(table.frame(), before)


def test_truth_says_what_lies_where() -> None:
    table = small_table()
    dealt = table.deal()
    group = table.put_down(2, dealt.hands[2][:3])
    truth = {one.tile: one for one in table.truth(table.free_at)}
    assert len(truth) == 106
    assert [truth[t].zone.index for t in dealt.hands[2][:3]] == [0, 1, 2]
    assert {truth[t].zone.group for t in dealt.hands[2][:3]} == {group}
    assert truth[dealt.hands[1][0]].zone.kind == "rack"
    assert dealt.atu is not None
    assert truth[dealt.atu].zone.kind == "atu"
    assert truth[dealt.atu].face != "#"
    assert truth[dealt.atu].visible > 0.95
    assert truth[dealt.atu_stack[0]].visible < 0.05
    rig = table.rig()
    for tile in dealt.hands[2][:3]:
        one = truth[tile]
        middle = np.mean(one.quad, axis=0)
        assert math.dist(rig.to_mm(middle, height_mm=one.centre[2]), one.centre[:2]) < 0.5
        assert math.isclose(math.remainder(one.angle - math.pi / 2, 2 * math.pi), 0, abs_tol=0.3)
        assert table.zones.at(one.centre[:2]).seat == 2
    faces = [truth[tile].face for tile in sorted(dealt.hands[3])]
    assert "#" not in faces


def test_the_truth_is_where_the_picture_shows_it() -> None:
    table = small_table(8)
    empty = table.frame().astype(int)
    table.do(Put(13, Lie(-60, -40, 1.0)), Put(20, Lie(80, 70, -2.0), up=False))
    seen = table.frame().astype(int)
    for one in table.truth():
        inside = np.zeros(seen.shape[:2], bool)
        (left, top), (right, bottom) = np.min(one.quad, axis=0), np.max(one.quad, axis=0)
        inside[round(top) : round(bottom), round(left) : round(right)] = True
        x, y = (round(float(value)) for value in np.mean(one.quad, axis=0))
        assert np.abs(seen - empty)[y - 3 : y + 3, x - 3 : x + 3].max() > 10
        assert one.visible == pytest.approx(1.0)


def test_a_tile_on_another_hides_it() -> None:
    table = small_table()
    table.do(Put(1, Lie(0, 0)), Put(2, Lie(8, 0, 0.1, level=1)))
    visible = {one.tile: one.visible for one in table.truth()}
    assert visible[2] == pytest.approx(1.0)
    assert visible[1] < 0.5


def test_a_hand_covers_what_it_says_while_the_tile_changes_under_it() -> None:
    table = small_table()
    table.do(Put(1, Lie(0, -250)))
    still = table.frame(1.0)
    ends = table.turn_over(1, at=2.0, hand=1)
    assert table.hand_zones(1.9) == ()
    assert ("meld", 1) in {(zone.kind, zone.seat) for zone in table.hand_zones(2.62)}
    before = table.truth()[0]
    assert before.visible < 0.8
    assert before.face == "r1"
    assert table.truth(2.64)[0].face == "#"
    moved = (table.frame(2.64) != still).any(axis=2)
    cover = table._cover()
    assert cover is not None
    assert moved[cover > 200].mean() > 0.95
    assert not moved[:, : SMALL[0] // 6].any()
    assert table.hand_zones(ends + 0.1) == ()
    table.do(TurnOver(1))
    assert np.array_equal(table.frame(), still)


def test_a_tile_that_a_hand_carries_is_on_no_place() -> None:
    table = small_table()
    table.do(Put(1, Lie(0, -200)))
    table.place(1, Lie(100, 100), at=1.0, hand=1)
    assert len(table.truth(1.3)) == 1
    assert table.truth(1.7) == []
    assert table.truth(2.2)[0].centre[:2] == (100, 100)


def test_moves_lay_tiles_in_their_zones() -> None:
    table = small_table(seats=3)
    dealt = table.deal(first=2)
    assert [len(dealt.hands[seat]) for seat in (1, 2, 3)] == [14, 15, 14]
    for seat in (1, 2, 3):
        table.discard(seat, dealt.hands[seat][3], first="turned")
    group = table.put_down(1, dealt.hands[1][:3])
    for tile in dealt.hands[1][4:7]:
        table.lay_off(1, tile, group)
    taken = table.take(3, 2)
    tile = table.draw(1)
    pieces = table.planned.pieces
    assert row_tiles(pieces) == [dealt.hands[1][3]]
    assert taken == [dealt.hands[2][3], dealt.hands[3][3]]
    assert isinstance(pieces[tile].at, Stand)
    assert meld_tiles(pieces, group) == [*dealt.hands[1][:3], *dealt.hands[1][4:7]]
    truth = {one.tile: one for one in table.truth(table.free_at)}
    first = truth[row_tiles(pieces)[0]]
    assert abs(math.remainder(first.angle, 2 * math.pi)) > 3
    assert table.zones.at(first.centre[:2]).kind == "discard"
    for tile in meld_tiles(pieces, group):
        assert table.zones.at(truth[tile].centre[:2]).kind == "meld"


def test_many_melds_find_room_without_touching_one_another() -> None:
    table = small_table()
    for number in range(15):
        table.put_down(number % 4 + 1, range(1 + number * 4, 5 + number * 4), seconds=0.1)
    truth = [one for one in table.truth(table.free_at) if one.zone.kind == "meld"]
    assert len(truth) == 60
    assert min(one.visible for one in truth) > 0.85  # of faces of 60 pixels, walls of others hide a few


def test_what_cannot_be_done_is_said_and_changes_nothing() -> None:
    table = small_table()
    with pytest.raises(MissingTileError):
        table.draw(1)
    with pytest.raises(ValueError, match="no seat 5"):
        table.do(Put(1, Lie(0, 0)), hand=5)
    with pytest.raises(MissingTileError):
        table.do(Put(1, Lie(0, 0)), Remove(2))
    with pytest.raises(ValueError, match="cannot be taken"):
        table.take(1)
    assert table.truth() == []


def test_calibration_finds_the_rig_in_a_frame() -> None:
    table = VirtualTable(draw_setting(2, size=(1280, 720)))
    play(table)
    truth = table.rig()
    seen = find_markers(table.frame(0.0))
    rig = calibrate(seen, size=truth.size, layout=truth.layout, lens=truth.lens, provenance=MADE)
    assert sorted(seen) == [0, 1, 2, 3]
    assert rig.rms_mm < 0.5
    corners = np.asarray(list(truth.layout.centres.values()))
    assert np.linalg.norm(rig.to_mm(truth.to_px(corners)) - corners, axis=1).max() < 1.0


def test_a_bumped_camera_is_noticed_and_healed_and_sees_the_same_table() -> None:
    table = VirtualTable(draw_setting(2, size=(1280, 720)))
    table.do(Put(1, Lie(0, 0)))
    truth = table.rig()
    markers = find_markers(table.frame(0.0))
    rig = calibrate(markers, size=truth.size, layout=truth.layout, lens=truth.lens, provenance=MADE)
    watch = look(Watch(rig), find_markers(table.frame(0.5)), now=0.5)
    assert watch.trusted
    table.bump(20, -12, 1.5, axis=(0.3, 0.4, 1.0))
    states = []
    for now in (1.0, 1.2, 1.4):
        watch = look(watch, find_markers(table.frame(now)), now=now)
        states.append(watch.state)
    assert states == ["moving", "steady", "steady"]
    assert watch.rig.provenance.healed == 1
    one = table.truth()[0]
    quad_mm = watch.rig.to_mm(one.quad, height_mm=one.centre[2])
    assert np.linalg.norm(quad_mm.mean(axis=0)) < 1.5


def test_noise_is_new_in_every_frame_and_light_changes_slowly() -> None:
    table = small_table(12, switches=Switches())
    frames = [table.frame(at).astype(int) for at in (0.0, 0.04, 0.08)]
    changes = [np.abs(one - frames[0]).mean() for one in frames[1:]]
    assert min(changes) > 0.3
    assert not np.array_equal(frames[1], frames[2])
    assert max(changes) < 12
    table.switch(Switches(exposure=0.5, noise=False, flicker=False, drift=False))
    assert table.frame(1.0).mean() == pytest.approx(frames[0].mean() / 2, rel=0.1)
    table.switch(Switches(exposure=0.5, noise=False, flicker=False, drift=False, blur_px=2.0))
    sharp, soft = table.frame(1.0), table.frame(1.0)
    assert np.array_equal(sharp, soft)


def test_settings_vary_by_their_seed() -> None:
    settings = [draw_setting(seed, size=SMALL) for seed in range(8)]
    assert len({setting.table_mm for setting in settings}) > 5
    assert len({setting.look.seed for setting in settings}) == 8
    assert len({setting.sensor.noise for setting in settings}) == 8
    assert draw_setting(1, size=SMALL, lean=40).stands[0].lean == pytest.approx(math.radians(40), abs=0.1)
    with pytest.raises(ValueError, match="2, 3 or 4 seats"):
        draw_setting(1, seats=5)
