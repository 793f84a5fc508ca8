"""Rendered scenes: the same for the same seed, and labelled exactly as drawn."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.crops import Pyramid, cut_face
from vision.synth import layouts
from vision.synth.faces import FaceFactory
from vision.synth.fonts import Split
from vision.synth.geometry import Camera, Solid, flat_axes, look_at
from vision.synth.layouts import Layout
from vision.synth.looks import Look, draw_look
from vision.synth.racks import random_rack
from vision.synth.render import Light, Painter, TileLabel
from vision.synth.scene import LAYOUTS, Scene, draw_scene

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
SIZE = (400, 300)


def scene(seed: int, split: Split = "train", layout: str | None = None) -> Scene:
    return draw_scene(np.random.default_rng([5, seed]), split=split, size=(256, 192), layout=layout)


def calm_look(style: str = "flat", **changes: Any) -> Look:
    """A look without wear, gloss or grain, on a body far brighter than the black table of these tests."""
    look = draw_look(np.random.default_rng(2), "train", style)
    body = (238.0, 230.0, 210.0)
    return replace(
        look, wear=0.0, gloss=0.0, grain=0.0, frame=False, body=body, back=body, bevel=0.0, **changes
    )


def camera(*, tilt: float = 0.0, azimuth: float = 0.0, pixels_per_mm: float = 4.0) -> Camera:
    return look_at(
        target=np.zeros(3),
        tilt=tilt,
        azimuth=azimuth,
        roll=0.0,
        distance=1000.0,
        focal_px=1000.0 * pixels_per_mm,
        size=SIZE,
    )


def paint(
    layout: Layout, look: Look, *, view: Camera | None = None, cover: U8 | None = None
) -> tuple[U8, list[TileLabel], Painter]:
    """The layout on a black table under even light, as it is before lens and sensor."""
    image = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    light = Light((), 1.0)
    painter = Painter(image, view or camera(), light, FaceFactory(look))
    painter.paint(layout)
    return image, painter.labels(layout.solids, cover), painter


def flat(face: str, look: Look, x: float = 0, y: float = 0, *, turn: float = 0, layer: int = 0) -> Solid:
    height = look.thickness_mm * (layer + 1)
    return Solid(face, np.asarray([x, y, height]), flat_axes(math.radians(turn)), layer)


def corners(label: TileLabel) -> F32:
    return np.asarray(label.quad, np.float32)


@pytest.mark.parametrize("layout", [*LAYOUTS, None])
def test_the_same_seed_gives_the_same_scene(fonts: None, layout: str | None) -> None:
    first, again, other = scene(1, layout=layout), scene(1, layout=layout), scene(2, layout=layout)
    assert np.array_equal(first.image, again.image)
    assert first.tiles == again.tiles
    assert not np.array_equal(first.image, other.image)
    assert first.image.shape == (192, 256, 3)
    assert first.image.dtype == np.uint8


@pytest.mark.parametrize("layout", list(LAYOUTS))
@pytest.mark.parametrize("split", ["train", "heldout"])
def test_labels_of_every_layout_are_tiles(fonts: None, layout: str, split: Split) -> None:
    found = [label for seed in range(3) for label in scene(seed, split, layout).tiles]
    assert bool(found) == (layout != "empty")
    for label in found:
        sides = np.roll(corners(label), -1, axis=0) - corners(label)
        after = np.roll(sides, -1, axis=0)
        assert (sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] > 0).all(), "clockwise, never mirrored"
        assert 0 <= label.visible <= 1
        assert 0 < label.slant <= 1
        assert (corners(label).max(axis=0) > 0).all()
        assert (corners(label).min(axis=0) < (256, 192)).all()
        assert label.face in "*#" or (label.face[0] in "rybk" and 1 <= int(label.face[1:]) <= 13)


def test_face_down_tiles_are_all_that_lies_down(fonts: None) -> None:
    assert {label.face for label in scene(3, layout="down").tiles} == {"#"}


def test_an_unknown_layout_is_refused_with_the_known_ones(fonts: None) -> None:
    with pytest.raises(ValueError, match=r"'heap' must be one of melds, board"):
        draw_scene(np.random.default_rng(0), layout="heap")


def test_tiles_are_of_the_size_that_was_asked(fonts: None) -> None:
    rng = np.random.default_rng(8)
    drawn = draw_scene(rng, size=(400, 400), layout="board", tile_px=(40, 40.0001))
    widths = [float(np.linalg.norm(corners(label)[1] - corners(label)[0])) for label in drawn.tiles]
    assert drawn.tile_px == pytest.approx(40, abs=0.01)
    assert np.median(widths) == pytest.approx(40, rel=0.2)


@pytest.mark.parametrize("turn", [0, 30, 90, 200])
def test_the_corners_of_a_lone_tile_are_where_its_pixels_end(fonts: None, turn: int) -> None:
    look = calm_look(corner=0.04, wall_tint=0.0)  # black walls: only the face is bright
    image, labels, _ = paint(Layout([flat("#", look, turn=turn)]), look)
    quad = corners(labels[0])
    bright = (image.max(axis=2) > 128).astype(np.uint8)
    assert float(bright.sum()) == pytest.approx(float(cv2.contourArea(quad)), rel=0.015)
    ideal = cv2.fillConvexPoly(
        np.zeros_like(bright), np.round((quad - 0.5) * 16).astype(np.int32), 1, shift=4
    )
    differ = np.argwhere(ideal != bright)[:, ::-1] + 0.5
    edges = [cv2.pointPolygonTest(quad, (float(x), float(y)), True) for x, y in differ]
    # They differ only along the edge, and at the rounded corners by their radius.
    assert max((abs(edge) for edge in edges), default=0) < 1.5


def test_labels_fit_the_pixels_that_each_tile_owns(fonts: None) -> None:
    look = calm_look()
    layout = layouts.board(look, 90.0, np.random.default_rng(3))
    layout.solids[:] = layout.solids[:14]
    _, labels, painter = paint(layout, look, view=camera(tilt=0.2, azimuth=1.0, pixels_per_mm=2.0))
    whole = [label for label in labels if label.visible > 0.97]
    assert len(whole) >= 4
    for label in whole:
        inside = np.zeros(painter.owner.shape, np.uint8)
        middle = corners(label).mean(axis=0)
        inner = middle + (corners(label) - middle) * 0.8  # neighbours may touch a jittered tile's rim
        cv2.fillConvexPoly(inside, inner.round().astype(np.int32), 1)
        owners = np.unique(painter.owner[inside == 1])
        assert len(owners) == 1
        face = layout.solids[int(owners[0]) - 1].face
        assert label.face == ("*" if face.startswith("*") else face)


@pytest.mark.parametrize("face", ["k4", "r2", "b7", "r13"])
@pytest.mark.parametrize("turn", [0, 45, 180, 250])
def test_the_face_stands_upright_in_its_corners_and_is_no_mirror_image(
    fonts: None, face: str, turn: int
) -> None:
    look = calm_look("flat")
    image, labels, _ = paint(Layout([flat(face, look, turn=turn)]), look, view=camera(tilt=0.3, azimuth=2.0))
    assert labels[0].face == face
    cut = cut_face(Pyramid(image), corners(labels[0])).astype(np.float32).mean(axis=2)[8:-8, 6:-6]
    flat_face = FaceFactory(look).texture(face, 160).colour.mean(axis=2)
    margin = 0.06 / (1 - 0.12)
    height, width = flat_face.shape
    rows, columns = round(margin * height), round(margin * width)
    edge = np.pad(flat_face, ((rows, rows), (columns, columns)), mode="edge")
    drawn = np.asarray(cv2.resize(edge, (48, 64), interpolation=cv2.INTER_AREA)[8:-8, 6:-6], np.float32)

    def alike(other: F32) -> float:
        return float(np.corrcoef(cut.ravel(), other.ravel())[0, 1])

    assert alike(drawn) > 0.93
    others = {"mirrored": drawn[:, ::-1], "upside down": drawn[::-1, ::-1], "flipped": drawn[::-1]}
    for name, other in others.items():
        assert alike(other) < alike(drawn) - 0.15, name


def test_the_share_in_sight_falls_when_a_tile_covers_another(fonts: None) -> None:
    look = calm_look()
    below = flat("r7", look)
    shares = []
    for shift in (1.2, 0.5, 0.25):
        above = flat("k4", look, x=shift * look.width_mm, layer=1)
        _, labels, _ = paint(Layout([below, above]), look)
        shares.append({label.face: label.visible for label in labels})
    assert [share["k4"] for share in shares] == [1, 1, 1]
    assert shares[0]["r7"] == pytest.approx(1, abs=0.01)
    assert shares[1]["r7"] == pytest.approx(0.5, abs=0.04)
    assert shares[2]["r7"] == pytest.approx(0.25, abs=0.04)


def test_a_tile_wholly_under_another_has_nothing_in_sight(fonts: None) -> None:
    look = calm_look()
    _, labels, _ = paint(Layout([flat("r7", look), flat("k4", look, layer=1)]), look)
    assert {label.face: label.visible for label in labels} == {"r7": 0, "k4": 1}


def test_a_hand_hides_what_is_under_it(fonts: None) -> None:
    look = calm_look()
    cover = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    cover[:, : SIZE[0] // 2] = 255
    _, labels, _ = paint(Layout([flat("r7", look)]), look, cover=cover)
    assert labels[0].visible == pytest.approx(0.5, abs=0.02)


def test_a_tile_cut_by_the_frame_is_labelled_with_what_of_it_is_in_sight(fonts: None) -> None:
    look = calm_look()
    edge = SIZE[0] / 2 / 4.0  # mm from the middle to the right edge, at the height of the table
    _, labels, _ = paint(Layout([flat("r7", look, x=edge - 3)]), look)
    assert 0.5 < labels[0].visible < 0.8
    assert corners(labels[0])[:, 0].max() > SIZE[0], "the corners are those of the whole face"
    _, labels, _ = paint(Layout([flat("r7", look, x=edge + 3)]), look)
    assert 0.2 < labels[0].visible < 0.5
    _, labels, _ = paint(Layout([flat("r7", look, x=edge + 30)]), look)
    assert labels == []


def test_a_face_turned_away_is_not_labelled(fonts: None) -> None:
    look = calm_look()
    axes = flat_axes(0.0) @ np.diag([1.0, -1.0, -1.0])
    layout = Layout([Solid("r7", np.asarray([0.0, 0.0, 10.0]), axes)])
    assert paint(layout, look)[1] == []


def test_slant_is_the_cosine_to_the_line_of_sight(fonts: None) -> None:
    look = calm_look(thickness_mm=0.01)
    for tilt in (0.0, 0.5, 1.0):
        _, labels, _ = paint(Layout([flat("r7", look)]), look, view=camera(tilt=tilt))
        assert labels[0].slant == pytest.approx(math.cos(tilt), abs=0.002)


def test_racks_have_tiles_upside_down_and_upright(fonts: None) -> None:
    look = calm_look()
    layout = random_rack(look, 600.0, np.random.default_rng(1), lean=1.1, facing=-math.pi / 2)
    (rack,) = layout.racks
    assert sorted(index for tier in rack.tiers.values() for index in tier) == list(range(len(layout.solids)))
    ups = {bool(solid.axes[2, 1] > 0) for solid in layout.solids}
    assert ups == {True, False}
    assert {plate.order for plate in rack.plates} == {-1, 1}


def test_a_discard_row_starts_with_a_reversed_tile(fonts: None) -> None:
    look = calm_look()
    firsts = set()
    for seed in range(12):
        layout = layouts.discard_row(look, 300.0, np.random.default_rng(seed))
        on_the_line = [solid for solid in layout.solids if abs(solid.centre[1]) < look.height_mm * 0.5]
        first = min(on_the_line, key=lambda solid: float(solid.centre[0]))
        firsts.add("down" if first.face == "#" else "turned" if first.axes[1, 1] < 0 else "plain")
    assert firsts == {"down", "turned"}
