"""After a change only what changed is read anew, and the table is read as a whole look would read it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.notation import parse_seen
from engine.readings import PictureReading, SeenTile
from tests.vision.scripted import ScriptedNets, draw_tile, reader, square_corners, table
from vision.pushed import beside, pushed
from vision.regions import Region
from vision.traces import Trace
from vision.watch import Look, Watch, look, reread

U8 = NDArray[np.uint8]

Places = dict[tuple[int, int], int]
WIDTH, HEIGHT = 1200, 800
STEP = 74
ROW: Places = {(100 + STEP * place, 200): place + 1 for place in range(12)}
TABLE: Places = {**ROW, **{(200 + STEP * place, 600): 13 - place for place in range(6)}}


def frame(places: Places, *, seed: int = 0) -> U8:
    image = table(WIDTH, HEIGHT)
    for (x, y), number in places.items():
        draw_tile(image, square_corners(x, y, width=58), number)
    rng = np.random.default_rng(seed)
    return np.clip(image + rng.normal(0, 1.5, image.shape), 0, 255).astype(np.uint8)


def names(reading: PictureReading) -> list[str]:
    return [str(tile.face) for tile in reading.tiles]


def without(*gone: tuple[int, int]) -> Places:
    return {place: number for place, number in TABLE.items() if place not in gone}


CHANGES = {
    "a tile in the middle of a row is gone": without((100 + STEP * 5, 200)),
    "a tile is added to a row": {**TABLE, (200 + STEP * 6, 600): 7},
    "another face lies in the row": {**TABLE, (100 + STEP * 3, 200): 12},
    "a tile moved": {**without((200, 600)), (900, 420): 13},
    "three changes": {**without((100, 200)), (100, 400): 1, (1000, 700): 9, (100 + STEP * 8, 200): 2},
    "a whole row came": {**TABLE, **{(500 + STEP * place, 420): place + 1 for place in range(9)}},
    "all is gone": {},
}


@pytest.mark.parametrize("after", CHANGES.values(), ids=CHANGES)
def test_a_change_is_read_as_a_whole_look_reads_it(after: Places) -> None:
    watch = Watch(reader())
    first = watch.read(frame(TABLE))
    assert len(first.tiles) == len(TABLE)
    then = frame(after, seed=1)
    second, whole = watch.read(then), reader().read(then)
    assert names(second) == names(whole), "each once, in the same order"
    for ours, theirs in zip(second.tiles, whole.tiles, strict=True):
        assert np.abs(np.asarray(ours.quad) - np.asarray(theirs.quad)).max() < 3
    third = watch.read(frame(TABLE, seed=2))
    assert names(third) == names(first), "and back"


def test_tiles_apart_from_the_change_stay_the_same_objects() -> None:
    nets = ScriptedNets()
    watch = Watch(reader(nets=nets))
    first = watch.read(frame(TABLE))
    nets.looked.clear()
    second = watch.read(frame({**TABLE, (1000, 450): 4}, seed=1))
    assert sum(any(tile is other for other in first.tiles) for tile in second.tiles) == len(TABLE)
    assert sum(width * height for width, height in nets.looked) < WIDTH * HEIGHT / 8
    (region,) = watch.regions
    assert region.holds([(1000, 450)]).all()


def test_the_neighbours_of_a_change_are_read_too_and_no_others() -> None:
    row = [
        [(58.0 * at, 0.0), (58.0 * at + 58, 0.0), (58.0 * at + 58, 80.0), (58.0 * at, 80.0)]
        for at in range(6)
    ]
    quads = [tuple(quad) for quad in row]
    changed = Region.box(58 * 2 + 10, 10, 20, 20)
    found = beside([changed], quads)
    assert [round(np.asarray(one.outline).mean(axis=0)[0]) for one in found] == [87, 203]
    assert not any(one.touches([quads[2]]).any() for one in found)
    assert beside([], quads) == []


def test_a_row_of_pale_digits_that_was_pushed_on_is_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(reader(nets=ScriptedNets(sure=9.0)))
    first = watch.read(frame(TABLE))
    end = Region.box(80, 150, 40, 90)  # all that is seen to change is where the row begins now
    monkeypatch.setattr(Trace, "changes", lambda *_: [end])
    told: list[float] = []

    def counted(*given: Any, **options: Any) -> Look:
        next_look = reread(*given, **options)
        told.append(next_look.reading.milliseconds["faces"])
        return next_look

    monkeypatch.setattr("vision.watch.reread", counted)
    on = {**TABLE, **{place: number + 1 for place, number in ROW.items()}}
    second = watch.read(frame(on, seed=1))
    assert names(second) == names(reader().read(frame(on, seed=1)))
    stayed = [tile for tile in second.tiles if any(tile is was for was in first.tiles)]
    assert len(stayed) == len(TABLE) - len(ROW), "what lies elsewhere is not read anew"
    assert len(watch.changes) == len(ROW)
    assert len(told) == 2
    assert second.milliseconds["faces"] == pytest.approx(sum(told), abs=0.02)


def test_where_a_row_only_grew_its_other_tiles_are_not_read_anew() -> None:
    was = seen("r1 r2 r3 r4")
    assert pushed(was, [*was, *seen("r5", first=4)]) == []
    again = [*was[:2], *seen("r3", first=2), was[3]]
    assert pushed(was, again) == [], "read anew, and the same"
    doubtful = [*was[:2], *seen("r8", first=2, sure=0.6), was[3]]
    assert pushed(was, doubtful) == [], "that may be an error of one look"


def test_one_tile_that_is_another_now_has_its_whole_row_read_anew() -> None:
    was = [*seen("r1 r2 r3 r4"), *seen("k1 k2", first=6)]
    now = [*seen("r2"), *was[1:]]
    assert [round(float(np.mean(one.outline, axis=0)[0])) for one in pushed(was, now)] == [60, 120, 180]
    swapped = Region.box(-10, 80, 20, 40)
    assert pushed(was, now, [swapped]) == [], "that it was swapped could be seen: others would be too"


def seen(faces: str, *, first: int = 0, sure: float = 0.99) -> list[SeenTile]:
    """Tiles side by side, each 60 pixels on from the one before."""
    return [
        SeenTile(parse_seen(face), tuple(map(tuple, square_corners(60 * at, 100, width=58).tolist())), sure)
        for at, face in enumerate(faces.split(), first)
    ]


def test_where_nothing_changed_nothing_is_read() -> None:
    nets = ScriptedNets()
    watch = Watch(reader(nets=nets))
    first = watch.read(frame(TABLE))
    nets.looked.clear()
    second = watch.read(frame(TABLE, seed=1))
    assert second.tiles is first.tiles
    assert nets.looked == []
    assert watch.regions == ()
    assert set(second.milliseconds) == {"changes", "total"}


def test_new_inks_are_judged_with_those_of_the_tiles_that_stay() -> None:
    nets = ScriptedNets()
    watch = Watch(reader(nets=nets))
    watch.read(frame(TABLE))
    watch.read(frame({**TABLE, (1000, 450): 4}, seed=1))
    assert [len(evidence) for evidence in nets.evidence] == [len(TABLE), len(TABLE) + 1]
    watch.read(frame(TABLE, seed=2))
    assert len(nets.evidence[-1]) == len(TABLE)


def test_tiles_that_stay_are_judged_by_the_new_inks_too() -> None:
    watch = Watch(reader())
    first = watch.read(frame(TABLE))
    assert watch.rejudged == first.tiles
    second = watch.read(frame({**TABLE, (1000, 450): 4}, seed=1))
    assert [str(tile.face) for tile in watch.rejudged] == names(second)
    assert [tile.quad for tile in watch.rejudged] == [tile.quad for tile in second.tiles]


def test_what_is_to_be_read_again_is_read_although_nothing_changed() -> None:
    nets = ScriptedNets()
    watch = Watch(reader(nets=nets))
    first = watch.read(frame(TABLE))
    nets.looked.clear()
    second = watch.read(frame(TABLE, seed=1), again=[Region.box(75, 160, 50, 80)])
    assert len(nets.looked) > 0
    assert watch.changes == ()
    assert names(second) == names(first)
    assert sum(tile not in first.tiles for tile in second.tiles) <= 2


def test_a_tile_across_the_edge_of_a_region_is_read_whole_and_once() -> None:
    image = frame(TABLE)
    first = look(reader(), image)
    through = Region.box(100 + STEP * 3, 150, STEP, 100)  # cuts two tiles of the row
    again = reread(reader(), first, image, [through])
    assert names(again.reading) == names(first.reading)
    kept = sum(any(tile is other for other in first.reading.tiles) for tile in again.reading.tiles)
    assert kept == len(TABLE) - 2
    assert len(again.finds.quads) == len(first.finds.quads)
    for ours, theirs in zip(again.reading.tiles, first.reading.tiles, strict=True):
        assert np.abs(np.asarray(ours.quad) - np.asarray(theirs.quad)).max() < 1.5


def test_zones_and_masks_hold_for_every_frame() -> None:
    upper = Region.box(0, 0, WIDTH, 500)
    rack = Region.box(60, 140, 80, 120)
    watch = Watch(reader(), zones=[upper], masks=[rack])
    assert names(watch.read(frame(TABLE))) == [f"r{number}" for number in range(2, 13)]
    came: Places = {**TABLE, (900, 420): 3, (900, 700): 5, (100, 210): 9}
    assert names(watch.read(frame(came, seed=1))) == [f"r{number}" for number in range(2, 13)] + ["r3"]
    assert len(watch.regions) == 1, "what changes beyond the zones or under a mask is none"


def test_a_frame_of_another_size_is_read_whole() -> None:
    watch = Watch(reader())
    watch.read(frame(TABLE))
    smaller = frame(TABLE)[:500]
    assert len(watch.read(smaller).tiles) == 12
    assert watch.read(np.zeros((4, 4, 3), np.uint8)).tiles == ()
    assert len(watch.read(frame(TABLE)).tiles) == len(TABLE)


def test_a_watch_can_begin_anew() -> None:
    nets = ScriptedNets()
    watch = Watch(reader(nets=nets))
    watch.read(frame(TABLE))
    looks = list(nets.looked)
    watch.forget()
    watch.read(frame(TABLE))
    assert nets.looked == looks * 2


def test_an_empty_table_may_be_watched() -> None:
    watch = Watch(reader(), tile_px=(50, 70))
    assert watch.read(frame({})).tiles == ()
    assert names(watch.read(frame({(400, 300): 6}, seed=1))) == ["r6"]


def test_a_card_on_a_table_that_is_empty_yet_does_not_hide_the_first_tile() -> None:
    image = table(WIDTH, HEIGHT)
    draw_tile(image, square_corners(800, 400, width=150), 9)
    watch = Watch(reader(), tile_px=(20, 60))
    first = names(watch.read(image))
    after = image.copy()
    draw_tile(after, square_corners(300, 400, width=22), 6)
    assert names(watch.read(after)) != first
    assert watch.changes


def test_the_time_of_each_stage_is_told() -> None:
    watch = Watch(reader())
    watch.read(frame(TABLE))
    times = watch.read(frame({**TABLE, (1000, 450): 4}, seed=1)).milliseconds
    assert set(times) == {"changes", "find", "corners", "faces", "total"}
    assert times["total"] == pytest.approx(sum(times.values()) / 2, abs=0.1)
