"""From picture to reading: with scripted nets the geometry, with the models that come along the figures."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from engine.readings import PictureReading, SeenTile
from engine.tiles import Mark
from vision.chance import Chance
from vision.evaluate import Evaluation, judge
from vision.labelled import LabelledPicture, TrueTile, load_labelled
from vision.onnx_nets import CARD, ModelError, Nets, default_models
from vision.pictures import load_picture
from vision.quads import CELL
from vision.reader import SHARED_MOST, Reader, Thresholds, _distinct

F32 = NDArray[np.float32]
U8 = NDArray[np.uint8]

GROUND, BODY = 40, 250
INKS = np.asarray([(30, 30, 220), (30, 200, 30), (220, 60, 30), (30, 210, 230)])  # corners in upright order
NUMBER_STEP = 12  # the middle of a scripted tile says its number by its green, its colour by blue and red
NOTHING, BACK = 15, 14


def square_corners(x: float, y: float, *, width: float = 60, degrees: float = 0) -> F32:
    """Corners of a tile about (x, y), upright top left first, turned clockwise."""
    angle = math.radians(degrees)
    turn = np.asarray([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    corners = np.asarray([(-0.5, -0.7), (0.5, -0.7), (0.5, 0.7), (-0.5, 0.7)]) * width
    return np.asarray(corners @ turn + (x, y), np.float32)


def draw_tile(image: U8, quad: F32, number: int, *, blue: bool = False) -> None:
    """A tile that the scripted nets can read: corners in four inks, number and colour in the middle."""
    flat = np.full((140, 100, 3), BODY, np.uint8)
    for (x, y), ink in zip(((0, 0), (75, 0), (75, 115), (0, 115)), INKS, strict=True):
        flat[y : y + 25, x : x + 25] = ink
    middle = (200, NUMBER_STEP * (number + 1), 100) if blue else (100, NUMBER_STEP * (number + 1), 200)
    flat[40:100, 25:75] = middle
    corners = np.asarray([(0, 0), (100, 0), (100, 140), (0, 140)], np.float32) - 0.5
    matrix = cv2.getPerspectiveTransform(corners.astype(np.float32), (quad - 0.5).astype(np.float32))
    size = (image.shape[1], image.shape[0])
    smooth = cv2.INTER_AREA if cv2.contourArea(quad) < 6000 else cv2.INTER_LINEAR
    cv2.warpPerspective(flat, matrix, size, dst=image, flags=smooth, borderMode=cv2.BORDER_TRANSPARENT)


def table(width: int = 600, height: int = 400) -> U8:
    return np.full((height, width, 3), GROUND, np.uint8)


def parts(image: U8) -> tuple[NDArray[np.int32], int]:
    count, labels = cv2.connectedComponents((image.max(axis=2) > GROUND + 50).astype(np.uint8))
    return np.asarray(labels, np.int32), count


class ScriptedNets:
    """Sees what `draw_tile` drew, and errs as it is told to."""

    def __init__(
        self,
        *,
        upside_down: bool = False,
        twice: bool = False,
        sure: float = 6.0,
        classes: dict[int, int] | None = None,
    ) -> None:
        self.upside_down = upside_down  # the corner net takes every tile for one turned by half
        self.twice = twice  # the finder says everything twice
        self.sure = sure  # logit of what the face net says
        self.classes = classes or {}  # numbers that the face net takes for another class
        self.evidence: list[F32] = []

    def find(self, blob: F32) -> F32:
        image = (blob[0].transpose(1, 2, 0)[..., ::-1] * 255).round().astype(np.uint8)
        image[(image == 114).all(axis=2)] = GROUND
        labels, count = parts(image)
        rows = []
        for part in range(1, count):
            y, x = np.nonzero(labels == part)
            wide, tall = float(np.ptp(x)) + 1, float(np.ptp(y)) + 1
            if not 15 <= max(wide, tall) <= 300:
                continue
            middle = (float(x.min()) + wide / 2, float(y.min()) + tall / 2)
            rows.append(
                (middle[0] + 0.08 * wide, middle[1] - 0.08 * tall, wide * 1.1, tall * 0.95, 0.9, 0.05)
            )
            if self.twice:
                rows.append((middle[0] - 0.3 * wide, middle[1], wide, tall, 0.8, 0.05))
        return np.asarray(rows, np.float32).reshape(-1, 6)

    def corners(self, squares: U8) -> tuple[F32, F32]:
        heat = np.zeros((len(squares), 4, 32, 32), np.float32)
        flags = np.full((len(squares), 2), -6, np.float32)
        for index, square in enumerate(squares):
            quad = self._quad(square)
            if quad is None:
                continue
            flags[index, 0] = 6
            cells = np.arange(32) + 0.5
            for corner, (x, y) in enumerate(np.roll(quad, 2, axis=0) if self.upside_down else quad):
                away = (cells[:, None] - y / CELL) ** 2 + (cells[None] - x / CELL) ** 2
                heat[index, corner] = -away / (2 * 0.9**2)
        return heat, flags

    def _quad(self, square: U8) -> F32 | None:
        """The corners of the tile in the middle of a square, by the inks nearest to them."""
        square = square.copy()
        square[(square == 114).all(axis=2)] = GROUND
        labels, _ = parts(square)
        part = int(labels[32, 32])
        if part == 0:
            return None
        points = np.argwhere(labels == part)[:, ::-1].astype(np.float32)
        box = cv2.boxPoints(cv2.minAreaRect(points)) + 0.5
        box += (box - box.mean(axis=0)) / np.linalg.norm(box - box.mean(axis=0), axis=1, keepdims=True) * 0.7
        quad = []
        for ink in INKS:
            alike = np.abs(square.astype(int) - ink).max(axis=2) < 60
            spots = np.argwhere(alike & (labels == part))[:, ::-1]
            if len(spots) == 0:
                return None
            quad.append(box[np.linalg.norm(box - spots.mean(axis=0), axis=1).argmin()])
        return np.asarray(quad, np.float32)

    def faces(self, faces: U8) -> tuple[F32, F32, F32, F32]:
        count = len(faces)
        number, colour = np.zeros((count, 16), np.float32), np.zeros((count, 4), np.float32)
        turned = np.zeros((count, 1), np.float32)
        for index, face in enumerate(faces):
            blue, green, red = face[26:38, 18:30].reshape(-1, 3).mean(axis=0)
            value = round(float(green) / NUMBER_STEP) - 1
            number[index, self.classes.get(value, value)] = self.sure
            colour[index, 2 if blue > red else 0] = 6
            top_left = face[5:11, 4:9].reshape(-1, 3).mean(axis=0)
            turned[index] = 4 if np.abs(top_left - INKS[2]).sum() < np.abs(top_left - INKS[0]).sum() else -4
        return number, colour, turned, np.zeros((count, 8), np.float32)

    def inks(self, evidence: F32) -> F32:
        self.evidence.append(evidence)
        return evidence[:, :4]


def reader(thresholds: Thresholds | None = None, nets: ScriptedNets | None = None) -> Reader:
    return Reader(cast("Nets", nets or ScriptedNets()), thresholds or Thresholds(), Chance())


def nearest(reading: PictureReading, quad: F32) -> SeenTile:
    return min(reading.tiles, key=lambda tile: math.dist(np.mean(tile.quad, axis=0), quad.mean(axis=0)))


ANGLES = (0, 20, 90, 135, 180, 200, 270, 315)


@pytest.mark.parametrize("upside_down", [False, True])
def test_tiles_are_read_whichever_way_they_lie(upside_down: bool) -> None:
    image, quads = table(), {}
    for place, degrees in enumerate(ANGLES):
        quad = square_corners(80 + 140 * (place % 4), 110 + 170 * (place // 4), degrees=degrees)
        draw_tile(image, quad, place + 1, blue=place % 2 == 0)
        quads[place] = quad
    reading = reader(nets=ScriptedNets(upside_down=upside_down)).read(image)
    assert len(reading.tiles) == len(quads)
    assert (reading.width, reading.height) == (600, 400)
    for place, quad in quads.items():
        tile = nearest(reading, quad)
        assert str(tile.face) == f"{'b' if place % 2 == 0 else 'r'}{place + 1}"
        assert np.linalg.norm(np.asarray(tile.quad) - quad, axis=1).max() < 2.5, "upright top left first"
        assert tile.confidence > 0.8
        assert all(tile.confidence >= other.confidence for other in tile.alternatives)
        assert tile.face not in {other.face for other in tile.alternatives}


def test_a_large_picture_gives_each_tile_once_in_its_own_pixels() -> None:
    image = table(2600, 1700)
    quads = [
        square_corners(x, y, width=50, degrees=x % 40)
        for x in range(150, 2600, 450)
        for y in (200, 900, 1550)
    ]
    for place, quad in enumerate(quads):
        draw_tile(image, quad, place % 13 + 1)
    reading = reader().read(image)
    assert len(reading.tiles) == len(quads)
    for place, quad in enumerate(quads):
        tile = nearest(reading, quad)
        assert str(tile.face) == f"r{place % 13 + 1}"
        # A pixel of the square that the net sees is nearly two of these.
        assert np.linalg.norm(np.asarray(tile.quad) - quad, axis=1).max() < 4


def test_what_the_finder_says_twice_is_one_tile() -> None:
    image = table()
    draw_tile(image, square_corners(200, 200), 7)
    assert [str(tile.face) for tile in reader(nets=ScriptedNets(twice=True)).read(image).tiles] == ["r7"]


def test_tiles_come_in_reading_order() -> None:
    image = table()
    # A row that rises to the right, one tile apart on its line, and below a row laid upside down.
    places = ((90, 120), (156, 108), (222, 96), (480, 118))
    for number, (x, y) in enumerate(places, start=1):
        draw_tile(image, square_corners(x, y, degrees=-10), number)
    for number, x in enumerate((420, 354, 288), start=5):
        draw_tile(image, square_corners(x, 300, degrees=180), number)
    read = [str(tile.face) for tile in reader().read(image).tiles]
    assert read == ["r1", "r2", "r3", "r4", "r5", "r6", "r7"], "row by row, each as it is read"


@pytest.mark.parametrize("better", ["tiles", "merged"])
def test_a_quad_over_halves_of_two_tiles_gives_way_to_them(better: str) -> None:
    quads = np.stack([square_corners(x, 100) for x in (100, 160, 130)])
    worth = np.asarray([0.9, 0.8, 0.5 if better == "tiles" else 1.0], np.float32)
    kept = _distinct(quads, worth)
    assert kept == ([0, 1] if better == "tiles" else [2]), "and where it is worth more, they to it"


@pytest.mark.parametrize("hidden", [0.0, 0.2, 0.39, 0.45, 1.0])
def test_a_tile_that_lies_on_another_stays_beside_it(hidden: float) -> None:
    quads = np.stack([square_corners(100, 100), square_corners(100 + 60 * (1 - hidden), 100)])
    kept = _distinct(quads, np.asarray([0.6, 0.9], np.float32))
    assert kept == ([1, 0] if hidden <= SHARED_MOST else [1]), "the better one first, or alone"


def test_a_small_quad_within_a_big_one_is_the_same_tile() -> None:
    quads = np.stack([square_corners(100, 100, width=24), square_corners(110, 105)])
    assert _distinct(quads, np.asarray([0.5, 0.9], np.float32)) == [1]
    assert _distinct(quads, np.asarray([0.9, 0.5], np.float32)) == [0]


def test_what_was_dropped_drops_no_other() -> None:
    quads = np.stack([square_corners(x, 100) for x in (100, 130, 160)])
    assert _distinct(quads, np.asarray([0.9, 0.8, 0.7], np.float32)) == [0, 2]
    assert _distinct(np.zeros((0, 4, 2), np.float32), np.zeros(0, np.float32)) == []


def test_the_threshold_of_a_tile_is_a_chance() -> None:
    image = table()
    draw_tile(image, square_corners(200, 200), 7)
    finds, faces = reader().candidates(image)
    (chance,) = reader().chances(finds, faces)
    assert 0.5 < chance < 1
    (tile,) = reader(Thresholds(tile=chance - 0.001)).read(image).tiles
    assert tile.confidence <= chance
    assert reader(Thresholds(tile=chance + 0.001)).read(image).tiles == ()


def test_jokers_and_backs_have_no_colour() -> None:
    image = table()
    for place, number in enumerate((0, 12, 5)):
        draw_tile(image, square_corners(100 + 150 * place, 200), number)
    nets = ScriptedNets(classes={12: BACK})
    assert [str(tile.face) for tile in reader(nets=nets).read(image).tiles] == ["*", "#", "r5"]
    assert [rows.shape for rows in nets.evidence] == [(1, 18)], "inks are judged of numbered tiles only"


def test_what_the_face_net_takes_for_nothing_is_no_tile() -> None:
    image = table()
    draw_tile(image, square_corners(100, 200), 7)
    draw_tile(image, square_corners(300, 200), 8)
    nets = ScriptedNets(classes={8: NOTHING})
    assert [str(tile.face) for tile in reader(nets=nets).read(image).tiles] == ["r7"]


def test_a_doubtful_face_stays_unread_and_keeps_its_guesses() -> None:
    image = table()
    draw_tile(image, square_corners(300, 200), 7)
    (tile,) = reader(nets=ScriptedNets(sure=1.2)).read(image).tiles
    assert tile.face is Mark.UNREAD
    assert tile.confidence < 0.5
    assert str(tile.alternatives[0].face) == "r7"
    (tile,) = reader(Thresholds(read=0.1), ScriptedNets(sure=1.2)).read(image).tiles
    assert str(tile.face) == "r7"


def test_the_time_of_each_stage_is_told() -> None:
    times = reader().read(table()).milliseconds
    assert set(times) == {"find", "corners", "faces", "total"}
    assert times["total"] == pytest.approx(times["find"] + times["corners"] + times["faces"], abs=0.1)


@pytest.mark.parametrize("size", [(1, 1), (7, 300), (8, 8), (1, 4000), (9000, 9)])
def test_a_picture_too_small_for_tiles_has_none(size: tuple[int, int]) -> None:
    reading = reader().read(table(*size))
    assert reading.tiles == ()
    assert (reading.width, reading.height) == size


# --- with the models that come with the program -----------------------------------------------------------


@pytest.fixture(scope="module")
def models() -> Path:
    folder = default_models()
    if not (folder / CARD).is_file():
        pytest.skip(f"no models yet in {folder}: train and export them")
    return folder


@pytest.fixture(scope="module")
def trained(models: Path) -> Reader:
    return Reader.load(models, threads=1)


@pytest.fixture(scope="module")
def sample(models: Path) -> tuple[U8, tuple[TrueTile, ...]]:
    """The picture that the page offers, and what lies on it."""
    labels = json.loads((models / "sample.json").read_text(encoding="utf-8"))
    tiles = (
        TrueTile(tile["face"], np.asarray(tile["quad"], np.float32), "melds") for tile in labels["tiles"]
    )
    return load_picture(models / "sample.jpg"), tuple(tiles)


def test_a_missing_folder_of_models_is_said() -> None:
    with pytest.raises(ModelError, match=r"not there.*model\.toml is missing"):
        Reader.load(Path("not there"))


def test_the_sample_picture_is_read(trained: Reader, sample: tuple[U8, tuple[TrueTile, ...]]) -> None:
    image, tiles = sample
    result = Evaluation(Path("sample"))
    judge(result, LabelledPicture(Path("sample.jpg"), "sample", tiles, backs=True), trained.read(image))
    assert result.total.tiles == len(tiles)
    assert result.total.right >= 0.9 * len(tiles), result.to_text()
    assert result.total.false_finds <= 1, result.to_text()


def test_the_same_picture_is_read_the_same(trained: Reader, sample: tuple[U8, tuple[TrueTile, ...]]) -> None:
    image = sample[0]
    first, again = trained.read(image), trained.read(image.copy())
    assert first.tiles == again.tiles


def test_a_rendered_scene_is_read(trained: Reader, fonts: None) -> None:
    from vision.synth.scene import draw_scene

    result = Evaluation(Path("scenes"))
    for seed in range(3):
        rng = np.random.default_rng([21, seed])
        scene = draw_scene(
            rng, size=(800, 600), layout="melds", tile_px=(50, 60), style="classic", clean=True
        )
        tiles = [
            TrueTile(tile.face, np.asarray(tile.quad, np.float32), "melds", tile.visible > 0.7)
            for tile in scene.tiles
        ]
        picture = LabelledPicture(Path(f"{seed}.jpg"), "classic", tuple(tiles), backs=True)
        judge(result, picture, trained.read(scene.image))
    assert result.total.tiles > 20
    assert result.total.right >= 0.9 * result.total.tiles, result.to_text()


@pytest.mark.parametrize("size", [(1, 1), (8, 8), (30, 1000), (640, 480)])
@pytest.mark.parametrize("kind", ["black", "white", "noise"])
def test_nothing_is_seen_where_nothing_is(trained: Reader, size: tuple[int, int], kind: str) -> None:
    shape = (size[1], size[0], 3)
    image = np.zeros(shape, np.uint8)
    if kind == "white":
        image += 255
    if kind == "noise":
        image = np.random.default_rng(1).integers(0, 256, shape, dtype=np.uint8)
    assert trained.read(image).tiles == ()


@pytest.mark.data
def test_real_photos_are_read(trained: Reader, real_data: Path) -> None:
    photos = load_labelled(real_data / "real_tiles")
    result = Evaluation(Path("photos"))
    for picture in photos[:: len(photos) // 12][:12]:
        judge(result, picture, trained.read(load_picture(picture.path)))
    assert result.pictures == 12
    # A floor against mishaps, not the figure: that is measured on all of them, and stands in the card.
    assert result.total.found >= 0.95 * result.total.tiles, result.to_text()
    assert result.total.right >= 0.95 * result.total.tiles, result.to_text()
