"""Lamps, shadows, walls and racks of rendered scenes: light falls where lamps say, edges meet exactly."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.synth.faces import FaceFactory
from vision.synth.geometry import Camera, Solid, box_points, flat_axes, leaning_axes, look_at
from vision.synth.lamps import Edges, Lamp, Light, draw_light, kelvin
from vision.synth.layouts import Layout, Plate, Rack
from vision.synth.looks import Look, draw_look
from vision.synth.rackpaint import COLOURS, paint_order, polygon_cover, rack_look
from vision.synth.render import Painter
from vision.synth.shadows import Caster, cast

U8 = NDArray[np.uint8]
F64 = NDArray[np.float64]
SIZE = (400, 300)
OVERHEAD = np.asarray([0.0, 0.0, 1500.0])


def calm_look(**changes: Any) -> Look:
    """A plain white look without gloss."""
    look = draw_look(np.random.default_rng(2), "train", "flat")
    white = (240.0, 240.0, 240.0)
    calm: dict[str, Any] = {
        "wear": 0.0,
        "gloss": 0.0,
        "grain": 0.0,
        "frame": False,
        "bevel": 0.0,
        "wall_tint": 1.0,
    }
    calm |= {"missing": 0.0, "yellowing": 0.0, "stains": 0.0, "scratches": 0.0, "outline": None}
    calm |= {"back_style": "blank"}
    return replace(look, **({"body": white, "back": white} | calm | changes))


def camera(tilt: float = 0.0, azimuth: float = 0.0, pixels_per_mm: float = 4.0) -> Camera:
    return look_at(
        target=np.zeros(3),
        tilt=tilt,
        azimuth=azimuth,
        roll=0.0,
        distance=1000.0,
        focal_px=1000.0 * pixels_per_mm,
        size=SIZE,
    )


def painted(
    layout: Layout, look: Look, light: Light, *, view: Camera | None = None, table: int = 0
) -> tuple[U8, Painter]:
    image = np.full((SIZE[1], SIZE[0], 3), table, np.uint8)
    painter = Painter(image, view or camera(), light, FaceFactory(look))
    painter.paint(layout)
    return image, painter


def flat(
    look: Look, x: float = 0, y: float = 0, *, turn: float = 0, layer: int = 0, face: str = "#"
) -> Solid:
    return Solid(
        face, np.asarray([x, y, look.thickness_mm * (layer + 1)]), flat_axes(math.radians(turn)), layer
    )


def area(points: F64) -> float:
    return float(cv2.contourArea(cv2.convexHull(points.astype(np.float32))))


def centre_of(weights: NDArray[Any]) -> F64:
    """The middle (x, y) of what is shown, by its weights (h, w)."""
    y, x = np.indices(weights.shape)
    sums = np.asarray([(x * weights).sum(), (y * weights).sum()], np.float64)
    return np.asarray(sums / weights.sum() + 0.5)


@pytest.mark.parametrize("turn", [0, 17, 45, 130])
@pytest.mark.parametrize("shift", [0.0, 0.13])
def test_the_painted_tile_ends_where_its_outline_does(fonts: None, turn: int, shift: float) -> None:
    """Walls and face alike white on black: neither may stick out by half a pixel on any side."""
    look = calm_look(corner=0.04)
    solid = flat(look, shift, -shift, turn=turn)
    view = camera(tilt=0.3, azimuth=0.9)
    image, _ = painted(Layout([solid]), look, Light((), 1.0, edges=Edges(follow=0.0)), view=view)
    face, back = box_points(solid, look.width_mm, look.height_mm, look.thickness_mm, look.corner)
    outline = cv2.convexHull(view.project(np.vstack([face, back])).astype(np.float32)).reshape(-1, 2)
    bright = image[..., 1] / 240
    assert float(bright.sum()) == pytest.approx(area(outline.astype(np.float64)), rel=0.006)
    moments = cv2.moments(outline)
    ideal = np.asarray([moments["m10"], moments["m01"]]) / moments["m00"]
    assert np.abs(centre_of(bright) - ideal).max() < 0.2


@pytest.mark.parametrize("turn", [7, 187])
def test_walls_meet_the_face_without_a_gap_on_either_side(fonts: None, turn: int) -> None:
    """A black face between white walls on a white table: only the face is dark, on its every side."""
    look = calm_look(corner=0.04, back=(0.0, 0.0, 0.0))
    solid = flat(look, 0.07, 0.05, turn=turn)
    image, painter = painted(Layout([solid]), look, Light((), 1.0), table=255)
    quad = np.asarray(painter.labels([solid])[0].quad)
    dark = image[..., 1] < 120
    assert float(dark.sum()) == pytest.approx(area(quad), rel=0.01)
    assert np.abs(centre_of(dark) - quad.mean(axis=0)).max() < 0.1


def test_a_polygon_covers_each_pixel_by_its_share() -> None:
    square = np.asarray([[2.25, 3.0], [7.5, 3.0], [7.5, 6.0], [2.25, 6.0]])
    cover = polygon_cover(square, (12, 10))
    assert cover.sum() == pytest.approx(5.25 * 3, rel=0.02)
    assert cover[4, 2] == pytest.approx(0.75, abs=0.13)
    assert cover[4, 7] == pytest.approx(0.5, abs=0.13)
    assert cover[4, 1] == cover[2, 4] == 0


def test_a_tile_shades_the_table_away_from_the_lamp(fonts: None) -> None:
    look = calm_look(thickness_mm=9.0)
    lamp = Lamp(np.asarray([1500.0, 0.0, 1500.0]), 0.8, size_mm=20.0)
    image, _ = painted(Layout([flat(look)]), look, Light((lamp,), 0.2), table=200)
    row = image[SIZE[1] // 2, :, 1].astype(int)
    half = look.width_mm / 2 * 4
    left, right = int(SIZE[0] / 2 - half - 18), int(SIZE[0] / 2 + half + 18)
    assert row[left] < row[right] * 0.5
    assert row[10] == pytest.approx(200, abs=25), "far from the tile the table is lit"


def test_shadows_are_softer_the_wider_the_lamp() -> None:
    box = np.asarray([(x, y, z) for x in (-20, 20) for y in (-20, 20) for z in (0, 40)], float)
    view = camera()
    edges = []
    for size in (20.0, 300.0, 1500.0):
        lamp = Lamp(np.asarray([800.0, 0.0, 1200.0]), 0.7, size_mm=size)
        dark = cast(view, lamp, [Caster(box)], (SIZE[1], SIZE[0]), plane=0.0, deep=8.0)
        edges.append(float(np.abs(np.diff(dark[SIZE[1] // 2])).max()))
    assert edges[0] > 2 * edges[1] > 4 * edges[2] > 0


def test_several_lamps_throw_several_shadows() -> None:
    box = np.asarray([(x, y, z) for x in (-8, 8) for y in (-8, 8) for z in (0, 30)], float)
    sides = []
    for x in (-1500.0, 1500.0):
        lamp = Lamp(np.asarray([x, 0.0, 1500.0]), 0.4, size_mm=20.0)
        dark = cast(camera(), lamp, [Caster(box)], (SIZE[1], SIZE[0]), plane=0.0, deep=8.0)
        sides.append(centre_of(dark > 0.5)[0] - SIZE[0] / 2)
    assert sides[0] > 20
    assert sides[1] < -20


def test_a_stack_shades_the_tile_beside_it(fonts: None) -> None:
    look = calm_look(thickness_mm=9.0)
    lamp = Lamp(np.asarray([1500.0, 0.0, 1500.0]), 0.8, size_mm=20.0)
    alone, _ = painted(Layout([flat(look)]), look, Light((lamp,), 0.2))
    stack = [flat(look, look.width_mm * 1.05, layer=layer) for layer in range(4)]
    beside, painter = painted(Layout([flat(look), *stack]), look, Light((lamp,), 0.2))
    mine = painter.owner == 1
    before, after = alone[mine].mean(axis=1), beside[mine].mean(axis=1)
    assert (after < 0.6 * before).mean() > 0.4
    assert (after > 0.9 * before).mean() > 0.02 or (after < 0.6 * before).mean() > 0.9


def test_a_leaning_tile_s_top_wall_is_brighter_than_its_face_under_a_ceiling_lamp(fonts: None) -> None:
    look = calm_look(thickness_mm=9.0)
    solid = Solid("#", np.asarray([0.0, 0.0, 25.0]), leaning_axes(-math.pi / 2, math.radians(60)))
    view = camera(tilt=0.2, azimuth=-math.pi / 2)
    lamp = Lamp(OVERHEAD, 0.8)
    image, painter = painted(Layout([solid]), look, Light((lamp,), 0.2), view=view)
    wall = (painter.owner == 0) & (image[..., 1] > 60)
    face = painter.owner == 1
    assert wall.sum() > 200
    above = centre_of(wall)[1] < centre_of(face)[1]
    assert above
    assert np.median(image[wall]) > np.median(image[face]) * 1.08


@pytest.mark.parametrize("gain", [0.7, 1.0, 1.3])
def test_walls_are_as_bright_as_the_edges_say(fonts: None, gain: float) -> None:
    look = calm_look(thickness_mm=9.0, body=(150.0, 150.0, 150.0), back=(150.0, 150.0, 150.0))
    solid = Solid("#", np.asarray([0.0, 0.0, 25.0]), leaning_axes(-math.pi / 2, math.radians(60)))
    light = Light((Lamp(OVERHEAD, 0.4),), 0.6, edges=Edges(gain, 0.0, 0.5, 1.4))
    image, painter = painted(Layout([solid]), look, light, view=camera(tilt=0.2, azimuth=-math.pi / 2))
    wall = (painter.owner == 0) & (image[..., 1] > 30)
    share = float(np.median(image[wall])) / float(np.median(image[painter.owner == 1]))
    assert share == pytest.approx(gain, rel=0.12)


def test_a_highlight_wanders_with_the_lamp_and_washes_ink_out(fonts: None) -> None:
    look = calm_look(gloss=0.2, gloss_power=300.0, body=(120.0, 120.0, 120.0), back=(120.0, 120.0, 120.0))
    inked = flat(look, face="k8")
    spots, washed = [], []
    for x in (-30.0, 30.0):
        # The camera stands at 1000 mm over the middle: what it sees of a lamp lies half way between.
        lamp = Lamp(np.asarray([2 * x, 0.0, 1000.0]), 0.5, size_mm=20.0, glare=3.0)
        light = Light((lamp,), 0.5)
        image, painter = painted(Layout([flat(look)]), look, light)
        spots.append(float(centre_of(image[..., 1] * (painter.owner == 1))[0]))
        image, painter = painted(Layout([inked]), look, light)
        washed.append(float(np.percentile(image[painter.owner == 1], 2)))
    assert spots[1] > spots[0] + 0.3
    matt, painter = painted(Layout([inked]), replace(look, gloss=0.0), light)
    assert max(washed) > float(np.percentile(matt[painter.owner == 1], 2)) + 20


def test_a_bluish_sheen_turns_black_ink_blue_grey_and_leaves_blue_bluer(fonts: None) -> None:
    look = calm_look(inks={"r": (200, 30, 38), "y": (240, 130, 30), "b": (20, 70, 180), "k": (20, 20, 20)})
    sky = Light((), 1.0, sheen=0.35, sheen_colour=(1.1, 0.85, 0.6), sheen_power=1.5)
    darkest = {}
    for face in ("k8", "b8"):
        for name, light in (("plain", Light((), 1.0)), ("sky", sky)):
            image, painter = painted(Layout([flat(look, face=face)]), look, light)
            pixels = image[painter.owner == 1].astype(float)
            ink = pixels[pixels.sum(axis=1) <= np.percentile(pixels.sum(axis=1), 2)].mean(axis=0)
            darkest[face, name] = ink
    washed = darkest["k8", "sky"]
    assert washed[1] > darkest["k8", "plain"][1] + 12
    assert washed[0] - washed[2] > 8, "bluish"
    assert darkest["b8", "sky"][0] - darkest["b8", "sky"][2] > washed[0] - washed[2] + 30


def test_light_on_a_flat_tile_in_the_middle_is_about_one(fonts: None) -> None:
    look = calm_look()
    for seed in range(40):
        light = draw_light(np.random.default_rng(seed), ceiling=seed % 2 == 0)
        assert light.ambient + sum(lamp.strength for lamp in light.lamps) == pytest.approx(1)
        calm = replace(light, sheen=0.0)
        image, painter = painted(Layout([flat(look)]), look, calm)
        assert 0.75 * 240 < float(image[painter.owner == 1].mean()) <= 255


def test_lamps_differ_in_number_size_and_colour() -> None:
    lights = [draw_light(np.random.default_rng(seed), ceiling=True) for seed in range(300)]
    assert {len(light.lamps) for light in lights} == {1, 2, 3, 4}
    lamps = [lamp for light in lights for lamp in light.lamps]
    assert min(lamp.size_mm for lamp in lamps) < 50
    assert max(lamp.size_mm for lamp in lamps) > 1000
    assert all(600 <= lamp.position[2] <= 2200 for lamp in lamps)
    ratios = [lamp.colour[2] / lamp.colour[0] for lamp in lamps]
    assert min(ratios) < 0.8
    assert max(ratios) > 1.25
    bluish = [light for light in lights if light.sheen > 0.08 and light.sheen_colour[0] > 1]
    assert 0.2 < len(bluish) / len(lights) < 0.4


def test_draw_light_is_the_same_for_the_same_state() -> None:
    first, again = (draw_light(np.random.default_rng(5), ceiling=True) for _ in range(2))
    assert first.sheen == again.sheen
    assert first.edges == again.edges
    for one, other in zip(first.lamps, again.lamps, strict=True):
        assert np.array_equal(one.position, other.position)
        assert (one.strength, one.size_mm, one.colour) == (other.strength, other.size_mm, other.colour)


def test_warm_lamps_are_red_and_cold_ones_blue() -> None:
    warm, cold = kelvin(2700), kelvin(6500)
    assert warm[2] > 1.1
    assert warm[0] < 0.8
    assert cold[0] > cold[2]
    assert kelvin(6000) == pytest.approx((1, 1, 1))


@pytest.mark.parametrize("kind", list(COLOURS))
def test_a_rack_is_painted_in_its_material_and_hides_the_foot_of_its_tiles(fonts: None, kind: str) -> None:
    look = calm_look(thickness_mm=8.0)
    axes = leaning_axes(-math.pi / 2, math.radians(60))
    centre = np.asarray([0.0, 0.0, 20.0])
    up, out = axes[:, 1], axes[:, 2]
    half = np.asarray([60.0, 0.0, 0.0])
    foot = centre - up * look.height_mm * 0.5 + out
    rim = foot + up * look.height_mm * 0.1
    ledge = np.stack([rim - half, rim + half, foot - up * 4 + half, foot - up * 4 - half])
    rack = Rack([Plate(ledge, 1, 0, 1.0, "ledge")], {0: [0]}, kind, 3)
    solid = Solid("#", centre, axes)
    view = camera(tilt=0.4, azimuth=-math.pi / 2)
    bare, _ = painted(Layout([solid], []), look, Light((), 1.0), view=view)
    image, painter = painted(Layout([solid], [rack]), look, Light((), 1.0), view=view)
    label = painter.labels([solid])[0]
    if kind == "clear":
        # Through it the foot is in sight.
        assert label.visible > 0.97
        assert np.abs(image.astype(int) - bare).max() > 0
        return
    assert 0.8 < label.visible < 0.97
    changed = (np.abs(image.astype(int) - bare).sum(axis=2) > 0) & (painter.owner == 0)
    colour = np.median(image[changed], axis=0)
    assert np.abs(colour - rack_look(kind, 3).colour).max() < 40


def test_a_rack_of_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="'glass' must be one of wood, black, plastic"):
        rack_look("glass", 1)


def test_boards_hide_tiles_only_from_the_side_on_which_they_stand() -> None:
    axes = leaning_axes(-math.pi / 2, math.radians(60))
    solid = Solid("r7", np.asarray([0.0, 0.0, 20.0]), axes)
    back = solid.centre - axes[:, 2] * 8
    half, up = axes[:, 0] * 30, axes[:, 1] * 15
    behind = Plate(
        np.stack([back - half + up, back + half + up, back + half - up, back - half - up]), -1, 0, 1.0
    )
    rack = Rack([behind], {0: [0]}, "wood", 1)
    in_front = paint_order(rack, [solid], np.asarray([0.0, -500.0, 400.0]))
    from_behind = paint_order(rack, [solid], np.asarray([0.0, 500.0, 100.0]))
    assert in_front[0] is behind
    assert in_front[1] == 0
    assert from_behind[0] == 0
    assert from_behind[1] is behind
