"""Drawings show every tile, which way is up, and what to look at, at any size of tile."""

from __future__ import annotations

import numpy as np
import pytest

from engine.notation import parse_seen
from engine.readings import Quad, SeenTile
from vision.draw import BAND, DOUBT, FACE_DOWN, SURE, Caption, Colour, doubtful, draw
from vision.pictures import Pixels

GROUND = 90


def ground(width: int, height: int) -> Pixels:
    return np.full((height, width, 3), GROUND, np.uint8)


def upright(x: float, y: float, width: float) -> Quad:
    return ((x, y), (x + width, y), (x + width, y + 1.4 * width), (x, y + 1.4 * width))


def seen(face: str, quad: Quad, confidence: float = 0.99) -> SeenTile:
    return SeenTile(parse_seen(face), quad, confidence)


def count_of(image: Pixels, colour: Colour) -> int:
    return int((image == np.array(colour[::-1], np.uint8)).all(axis=2).sum())


def test_an_empty_reading_leaves_the_picture_as_it_is() -> None:
    image = ground(40, 30)
    drawn = draw(image, [])
    assert np.array_equal(drawn, image)
    assert drawn is not image


def test_the_given_picture_is_not_changed() -> None:
    image = ground(200, 200)
    draw(image, [seen("r7", upright(50, 50, 60))])
    assert (image == GROUND).all()


@pytest.mark.parametrize(
    ("face", "confidence", "colour"),
    [("r7", 0.99, SURE), ("#", 0.99, FACE_DOWN), ("?", 0.99, DOUBT), ("r7", 0.3, DOUBT)],
)
def test_outline_says_how_sure(face: str, confidence: float, colour: Colour) -> None:
    drawn = draw(ground(200, 200), [seen(face, upright(50, 50, 60), confidence)])
    assert count_of(drawn, colour) > 100
    for other in {SURE, DOUBT, FACE_DOWN} - {colour}:
        assert count_of(drawn, other) == 0


def test_a_doubt_is_dashed_and_a_sure_tile_is_not() -> None:
    tile = seen("r7", upright(50, 50, 80))
    left_edge = (slice(75, 140), 50)
    sure = (draw(ground(220, 220), [tile])[left_edge] == SURE[::-1]).all(axis=1)
    doubt = (draw(ground(220, 220), [tile], doubts=[0])[left_edge] == DOUBT[::-1]).all(axis=1)
    assert sure.all()
    assert 0.2 < doubt.mean() < 0.8


def test_the_upright_edge_is_marked_whichever_way_the_tile_lies() -> None:
    quad = upright(100, 100, 60)
    centre_x = 130
    above, below = (slice(85, 98), centre_x), (slice(187, 200), centre_x)
    drawn = draw(ground(260, 300), [seen("r7", quad)])
    assert (drawn[above] != GROUND).any()
    assert (drawn[below] == GROUND).all()
    turned = draw(ground(260, 300), [seen("r7", (quad[2], quad[3], quad[0], quad[1]))])
    assert (turned[below] != GROUND).any()
    assert (turned[above] == GROUND).all()


def test_different_faces_give_different_labels() -> None:
    drawings = {
        draw(ground(200, 200), [seen(face, upright(50, 50, 60))]).tobytes()
        for face in ("r7", "b7", "r1", "*")
    }
    assert len(drawings) == 4


@pytest.mark.parametrize("width", [8, 14, 20, 45, 130, 400])
def test_labels_stay_readable_at_any_tile_size(width: int) -> None:
    image = ground(4 * width + 40, 3 * width + 40)
    drawn = draw(image, [seen("r13", upright(20, 20, width))])
    factor = drawn.shape[0] // image.shape[0]
    assert drawn.shape == (image.shape[0] * factor, image.shape[1] * factor, 3)
    paper = np.argwhere((drawn == 255).all(axis=2))
    assert np.ptp(paper[:, 0]) >= 9, "the plate of the label is high enough for text of 13 pixels"
    assert np.ptp(paper[:, 1]) <= 1.2 * width * factor, "the label does not hide the neighbours"


def test_captions_frame_their_tiles_and_stay_in_the_picture() -> None:
    tiles = [seen(face, upright(2 + 50 * place, 2, 48)) for place, face in enumerate(("r5", "r6", "r7"))]
    drawn = draw(ground(154, 74), tiles, captions=[Caption((0, 1, 2), "run 15")])
    assert count_of(drawn, BAND) > 100
    assert count_of(draw(ground(154, 74), tiles), BAND) == 0


def test_tiles_partly_outside_the_picture_are_drawn() -> None:
    drawn = draw(ground(100, 100), [seen("k10", upright(-30, -30, 60)), seen("?", upright(80, 80, 60))])
    assert drawn.shape[2] == 3
    assert count_of(drawn, DOUBT) > 10


def test_doubtful_are_the_unread_and_the_unsure() -> None:
    quad = upright(0, 0, 10)
    tiles = [seen("r7", quad), seen("?", quad), seen("r7", quad, 0.5), seen("#", quad)]
    assert doubtful(tiles) == [1, 2]
    assert doubtful(tiles, below=0.4) == [1]
