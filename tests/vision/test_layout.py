"""Rows from quads: any angle, gaps, jitter, tiles upside down, neighbouring lines, and known tables."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from vision.layout import rows

Floats = NDArray[np.float64]
WIDTH, HEIGHT = 30.0, 42.0


def tile(x: float, y: float, *, turn: float = 0.0) -> Floats:
    """A tile of 30 x 42 with its middle at (x, y), turned clockwise by `turn` degrees."""
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * [WIDTH, HEIGHT]
    return np.asarray(turned(corners, turn) + np.array([x, y]))


def turned(points: Floats, degrees: float) -> Floats:
    angle = np.radians(degrees)
    rotation = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    return np.asarray(points @ rotation)


def line(count: int, *, x: float = 0.0, y: float = 0.0, gap: float = 0.0) -> list[Floats]:
    """Tiles side by side from (x, y), with a gap in tile widths."""
    return [tile(x + at * WIDTH * (1 + gap), y) for at in range(count)]


def upside_down(quad: Floats) -> Floats:
    return np.roll(quad, 2, axis=0)


def test_nothing() -> None:
    assert rows([]) == []
    assert rows(np.zeros((0, 4, 2))) == []


def test_one_tile() -> None:
    assert rows([tile(10, 10).tolist()]) == [[0]]


@pytest.mark.parametrize("shape", [(4, 2), (3, 4), (2, 4, 3), (2, 5, 2)])
def test_wrong_shape(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"shape \(n, 4, 2\)"):
        rows(np.zeros(shape))


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_corners_that_are_nowhere(value: float) -> None:
    quad = tile(0, 0)
    quad[0, 0] = value
    with pytest.raises(ValueError, match="finite"):
        rows([quad])


def test_quads_without_extent_are_rows_of_their_own() -> None:
    flat = [np.zeros((4, 2)), tile(0, 0)[[0, 1, 1, 0]], *line(3, y=200)]
    assert sorted(map(sorted, rows(flat))) == [[0], [1], [2, 3, 4]]


@pytest.mark.parametrize("gap", [-0.2, 0.0, 0.05, 0.3])
def test_tiles_side_by_side(gap: float) -> None:
    assert rows(line(14, gap=gap)) == [list(range(14))]


def test_two_melds_end_to_end_with_a_visible_gap() -> None:
    first = line(3)
    second = line(4, x=2 * WIDTH + WIDTH * 1.45)
    assert rows(first + second) == [[0, 1, 2], [3, 4, 5, 6]]


@pytest.mark.parametrize("shift", [0.0, 0.3, 0.5, 1.0])
@pytest.mark.parametrize("space", [0.0, 0.2])
def test_neighbouring_lines_stay_apart(shift: float, space: float) -> None:
    lines = [line(5, x=shift * WIDTH * at, y=at * HEIGHT * (1 + space)) for at in range(3)]
    assert rows([quad for one in lines for quad in one]) == [list(range(at, at + 5)) for at in (0, 5, 10)]


@pytest.mark.parametrize("degrees", range(0, 360, 15))
def test_any_angle_reads_as_its_reader_sees_it(degrees: int) -> None:
    board = [turned(quad, degrees) for quad in line(5) + line(6, y=HEIGHT * 1.2)]
    found = rows(board)
    assert sorted(found) == [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9, 10]]


@pytest.mark.parametrize("flipped", [(0,), (2,), (4,), (0, 4), (1, 2)])
def test_single_tiles_upside_down(flipped: tuple[int, ...]) -> None:
    board = [upside_down(quad) if at in flipped else quad for at, quad in enumerate(line(5))]
    assert rows(board) == [[0, 1, 2, 3, 4]]


def test_a_whole_row_seen_from_across_is_read_from_there() -> None:
    assert rows([upside_down(quad) for quad in line(5)]) == [[4, 3, 2, 1, 0]]


def test_as_many_up_as_down_reads_as_the_picture_lies() -> None:
    first, second = line(2)
    assert rows([upside_down(first), second]) == [[0, 1]]
    assert rows([first, upside_down(second)]) == [[0, 1]]
    assert rows([second, upside_down(first)]) == [[1, 0]]


def test_a_tower_stays_in_its_row() -> None:
    board = [*line(3), tile(WIDTH * 1.1, -HEIGHT * 0.15)]
    (found,) = rows(board)
    assert sorted(found) == [0, 1, 2, 3]
    assert [found.index(at) for at in (0, 1, 2)] == sorted(found.index(at) for at in (0, 1, 2))


def test_a_tile_across_the_end_of_a_row_is_not_part_of_it() -> None:
    assert sorted(rows([*line(3), tile(WIDTH * 3.2, 0, turn=90)])) == [[0, 1, 2], [3]]


def test_a_curved_row() -> None:
    """A discard row laid as an arc of 90 degrees."""
    radius = 14 * WIDTH / (np.pi / 2)
    angles = np.linspace(-45, 45, 14)
    board = [turned(tile(0, -radius), angle) for angle in angles]
    assert rows(board) == [list(range(14))]


def perspective(quads: list[Floats], tilt: float) -> list[Floats]:
    """As a camera sees the table that looks down at it from the side, `tilt` degrees off the vertical."""
    seen = []
    for quad in quads:
        depth = 900 - quad[:, 1:] * np.sin(np.radians(tilt))
        seen.append(np.hstack([quad[:, :1], quad[:, 1:] * np.cos(np.radians(tilt))]) * 900 / depth)
    return seen


@pytest.mark.parametrize("tilt", [15, 30, 45])
@pytest.mark.parametrize("degrees", [0, 30, 90])
def test_perspective(tilt: float, degrees: float) -> None:
    board = [quad for at in range(4) for quad in line(8, x=-4 * WIDTH, y=(at - 2) * HEIGHT * 1.25)]
    seen = perspective([turned(quad, degrees) for quad in board], tilt)
    assert sorted(rows(seen)) == [list(range(at, at + 8)) for at in (0, 8, 16, 24)]


@given(st.integers(0, 2**32 - 1), st.floats(0, 360))
def test_jitter_shuffling_and_moving_change_nothing(seed: int, degrees: float) -> None:
    """Tiles pushed by up to 8 % of their width, turned by up to 6 degrees, corners 3 % off."""
    random = np.random.default_rng(seed)
    expected: list[list[int]] = []
    board: list[Floats] = []
    for at in range(4):
        count = int(random.integers(1, 9))
        expected.append(list(range(len(board), len(board) + count)))
        for place in range(count):
            x = place * WIDTH * 1.1 + random.uniform(-0.08, 0.08) * WIDTH
            y = at * HEIGHT * 1.3 + random.uniform(-0.08, 0.08) * WIDTH
            board.append(tile(x, y, turn=random.uniform(-6, 6)))
    quads = np.stack([turned(quad, degrees) for quad in board]) + random.uniform(-500, 500, 2)
    quads += random.uniform(-0.03, 0.03, quads.shape) * WIDTH
    assert sorted(rows(quads)) == expected
    order = random.permutation(len(quads))
    assert [[int(order[at]) for at in row] for row in rows(quads[order])] == rows(quads)


@given(st.lists(st.tuples(*[st.floats(-100, 100)] * 8), max_size=12))
def test_whatever_the_quads_every_index_occurs_once(numbers: list[tuple[float, ...]]) -> None:
    found = rows(np.array(numbers).reshape(-1, 4, 2))
    assert sorted(itertools.chain.from_iterable(found)) == list(range(len(numbers)))


def tables(data: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted((data / "ceiling" / "labels").glob("*.json"))]


@pytest.mark.data
@pytest.mark.parametrize(("noise", "share"), [(0.0, 1.0), (0.05, 1.0), (0.08, 0.97)])
def test_melds_of_the_ceiling_tables(real_data: Path, noise: float, share: float) -> None:
    """Rows found among all labelled tiles, racks and walls too, with corners that much off."""
    random = np.random.default_rng(1)
    right, melds = 0, 0
    for table in tables(real_data):
        quads = np.array([one["quad"] for one in table["tiles"]])
        width = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1)[:, None, None]
        found = {tuple(row) for row in rows(quads + random.normal(size=quads.shape) * width * noise)}
        wanted = [tuple(meld["tiles"]) for meld in table["melds"]] + [tuple(table["discard"]["tiles"])]
        melds += len(wanted)
        right += sum(one in found for one in wanted)
    assert melds > 0
    assert right >= share * melds


@pytest.mark.data
def test_melds_of_the_ceiling_tables_are_melds(real_data: Path) -> None:
    """From labelled quads and faces to melds, as a count does it: all of them, with the right shape."""
    from engine.grouping import split_row
    from engine.notation import parse_seen
    from engine.rules import rule_set

    checked = 0
    for table in tables(real_data):
        tiles = table["tiles"]
        found = rows([one["quad"] for one in tiles])
        cut = {
            tuple(row[meld.start : meld.stop]): meld.verdict
            for row in found
            for meld in split_row([parse_seen(tiles[at]["face"]) for at in row], rule_set("etalat")).melds
        }
        for meld in table["melds"]:
            verdict = cut[tuple(meld["tiles"])]
            assert verdict.shape == meld["kind"]
            if meld["joker_stands_for"] and verdict.shape == "run":
                assert [str(face) for face in verdict.stands_for or ()] == [meld["joker_stands_for"]]
            checked += 1
    assert checked > 0
