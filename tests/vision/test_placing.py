"""Tiles get their zone by place and by sense: a meld is a meld wherever it lies between the racks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from benchmarks.zone_share import shares
from calibration.legibility import planned_rig
from calibration.zones import default_zones
from engine.notation import parse_seen
from vision.placing import TILE_TOP_MM, Lying, Place, on_table, place_tiles

TABLE = (1000.0, 900.0)
RIG = planned_rig(TABLE, height_mm=1400, size=(1920, 1080), view_deg=68)
ZONES = default_zones(TABLE, 4)
WIDTH, HEIGHT = 26.0, 36.0


def tile(face: str, x: float, y: float, *, turn: float = 0.0, lean: float = 0.0) -> Lying:
    """A tile whose middle is at (x, y) mm, turned counter-clockwise by degrees, leaning back at its lower
    edge.
    """
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    flat = np.cos(np.radians(lean)) * HEIGHT / 2
    up = np.sin(np.radians(lean)) * HEIGHT
    corners = []
    for across, along, high in (
        (-WIDTH / 2, flat, up),
        (WIDTH / 2, flat, up),
        (WIDTH / 2, -flat, 0.0),
        (-WIDTH / 2, -flat, 0.0),
    ):
        corners.append((x + cos * across - sin * along, y + sin * across + cos * along, TILE_TOP_MM + high))
    return Lying(parse_seen(face), RIG.to_px(corners))


def row(faces: str, x: float, y: float, *, turn: float = 0.0, lean: float = 0.0) -> list[Lying]:
    """Tiles side by side, from the left one's middle on, to the right as they are read."""
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    step = WIDTH + 1
    return [
        tile(face, x + cos * step * place, y + sin * step * place, turn=turn, lean=lean)
        for place, face in enumerate(faces.split())
    ]


def kinds(placed: Sequence[Place]) -> list[tuple[str, int | None]]:
    return [(place.kind, place.seat) for place in placed]


@pytest.mark.parametrize(("turn", "seat"), [(0, 1), (90, 2), (180, 3), (270, 4)])
@pytest.mark.parametrize("at", [(-200.0, -200.0), (0.0, 0.0), (150.0, 220.0), (-350.0, 40.0)])
def test_a_meld_is_a_meld_wherever_it_lies_and_of_whom_can_read_it(
    turn: float, seat: int, at: tuple[float, float]
) -> None:
    meld = row("r5 r6 r7", *at, turn=turn)
    assert kinds(place_tiles(meld, RIG, ZONES)) == [("meld", seat)] * 3


def test_a_meld_laid_slantwise_is_of_the_seat_before_which_it_lies() -> None:
    assert kinds(place_tiles(row("r5 r6 r7", -30, -200, turn=45), RIG, ZONES)) == [("meld", 1)] * 3


@pytest.mark.parametrize("lean", [0.0, 35.0, 60.0])
def test_tiles_on_a_rack_are_on_the_rack(lean: float) -> None:
    rack = row("r1 b2 k3 y4 * r9", -100, -395, lean=lean)
    placed = place_tiles(rack, RIG, ZONES)
    assert kinds(placed) == [("rack", 1)] * 6
    assert [place.order for place in placed] == list(range(6))


def test_a_meld_that_reaches_into_a_rack_strip_is_no_rack() -> None:
    meld = row("r5 r6 r7", 420, -300, turn=90)  # turned to seat 2, in its strip: a rack of its own
    assert kinds(place_tiles(meld, RIG, ZONES)) == [("rack", 2)] * 3
    across = row("r5 r6 r7", 395, 20, turn=0)  # turned to seat 1, flat: nobody's rack stands like this
    assert kinds(place_tiles(across, RIG, ZONES)) == [("meld", 1)] * 3


@pytest.mark.parametrize("first", ["#", "turned"])
@pytest.mark.parametrize("at", [(-50.0, 0.0), (-300.0, 200.0)])
def test_a_row_that_begins_reversed_is_the_discard_row(first: str, at: tuple[float, float]) -> None:
    rest = row("r5 r6 r7 k2", at[0] + WIDTH + 1, at[1])
    head = tile("#", *at) if first == "#" else tile("b9", *at, turn=180)
    placed = place_tiles([*rest, head], RIG, ZONES)
    assert {place.kind for place in placed} == {"discard"}
    assert [place.order for place in placed] == [1, 2, 3, 4, 0]


@pytest.mark.parametrize("meld", ["# k2 k3 k4", "# k4 * k2", "# r8 b8 ? k8"])
def test_there_is_one_discard_row_and_a_meld_beside_a_pattern_is_none(meld: str) -> None:
    seen = [*row("# r5 k2 b9 y1", -100, 0), *row(meld, -350, 220)]
    placed = place_tiles(seen, RIG, ZONES)
    assert kinds(placed) == [("discard", None)] * 5 + [("meld", 1)] * (len(seen) - 5)


def test_a_stack_with_the_atu_beside_it_is_told_from_the_discard_row() -> None:
    seen = [*row("# r5 k2 b9 y1", -100, 0), *row("# r13", -350, 220), *row("# #", 250, 250)]
    placed = place_tiles(seen, RIG, ZONES)
    assert kinds(placed)[5:] == [("wall", None), ("atu", None), ("wall", None), ("wall", None)]
    assert {place.kind for place in placed[:5]} == {"discard"}


def test_tiles_face_down_are_the_wall_and_the_face_at_it_the_atu() -> None:
    touching = row("# # y6", -200, 100)
    assert kinds(place_tiles(touching, RIG, ZONES)) == [("wall", None), ("wall", None), ("atu", None)]
    apart = [*row("# #", -200, 100), tile("y6", -200 + 2 * WIDTH + 25, 100), *row("r5 r6 r7", 0, -150)]
    assert kinds(place_tiles(apart, RIG, ZONES)) == [
        ("wall", None),
        ("wall", None),
        ("atu", None),
        *[("meld", 1)] * 3,
    ]


def test_a_lone_face_far_from_the_wall_is_no_atu() -> None:
    placed = place_tiles([*row("# #", -400, 100), tile("y6", 50, 20)], RIG, ZONES)
    assert kinds(placed) == [("wall", None), ("wall", None), ("discard", None)]


def test_the_first_discard_lies_alone_face_down() -> None:
    placed = place_tiles([tile("#", 60, 0), *row("# #", -400, 100)], RIG, ZONES)
    assert kinds(placed) == [("discard", None), ("wall", None), ("wall", None)]


def test_nothing_is_nowhere() -> None:
    assert place_tiles([], RIG, ZONES) == []


def test_the_order_of_what_is_seen_does_not_matter() -> None:
    seen = [*row("# r5 r6 k7", -60, 10), *row("r1 b2 k3", -100, -395, lean=50), *row("y5 b5 k5", 100, 200)]
    placed = place_tiles(seen, RIG, ZONES)
    shuffled = np.random.default_rng(4).permutation(len(seen))
    again = place_tiles([seen[index] for index in shuffled], RIG, ZONES)
    assert [(again[at].kind, again[at].seat, again[at].order) for at in np.argsort(shuffled)] == [
        (place.kind, place.seat, place.order) for place in placed
    ]


def test_what_lies_on_the_floor_or_is_no_tile_by_its_size_is_not_of_this_table() -> None:
    quads = [tile("r5", 0, 0).quad, tile("r5", -480, 0, turn=270, lean=60).quad, tile("r5", 700, 100).quad]
    big = quads[0].mean(axis=0) + 2.2 * (quads[0] - quads[0].mean(axis=0))
    small = quads[0].mean(axis=0) + 0.5 * (quads[0] - quads[0].mean(axis=0))
    assert on_table([*quads, big, small], RIG) == [True, True, False, False, False]
    assert on_table([], RIG) == []


@pytest.mark.data
@pytest.mark.parametrize("name", ["c02", "c02_4k", "c05", "c07", "c25", "c27"])
def test_every_labelled_tile_of_the_ceiling_tables_gets_its_zone(real_data: Path, name: str) -> None:
    table = shares(real_data / "ceiling" / "labels" / f"{name}.json")
    assert table.wrong == ()
    assert table.by_sense == table.all
