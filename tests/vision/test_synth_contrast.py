"""How far digits stand out is told as it is, and pictures that nobody could read are not kept."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from vision.synth.contrast import ink_contrast
from vision.synth.faces import FaceFactory
from vision.synth.looks import draw_look
from vision.synth.render import TileLabel
from vision.synth.scene import FAINTEST, draw_scene, faint

pytestmark = pytest.mark.usefixtures("fonts")

QUAD = np.asarray([(30, 20), (90, 20), (90, 104), (30, 104)], np.float32)


def factory() -> FaceFactory:
    look = draw_look(np.random.default_rng(3), style="flat")
    inks = dict.fromkeys("rybk", (40.0, 40.0, 40.0))
    plain = {"body": (240.0, 240.0, 240.0), "inks": inks, "outline": None, "frame": False, "ornament": None}
    worn = {"wear": 0.0, "missing": 0.0, "yellowing": 0.0, "stains": 0.0, "scratches": 0.0, "grain": 0.0}
    return FaceFactory(replace(look, **plain, **worn))  # type: ignore[arg-type]


def shown(faces: FaceFactory, *, share: float = 1.0) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """A picture of a b8, its digit faded to `share` of its contrast."""
    colour = faces.texture("b8", 60).colour
    body = np.median(colour, axis=(0, 1))
    faded = cv2.resize(body + (colour - body) * share, (60, 84), interpolation=cv2.INTER_AREA)
    picture = np.full((130, 130, 3), 90, np.uint8)
    picture[20:104, 30:90] = np.clip(faded * 255, 0, 255).astype(np.uint8)
    return picture


def test_contrast_is_that_of_ink_and_body() -> None:
    faces = factory()
    full, noise = ink_contrast(shown(faces), QUAD, "b8", faces)
    assert 120 < full < 205, "thin ends of strokes take off some of the 200 grey levels"
    assert noise < 3
    half, _ = ink_contrast(shown(faces, share=0.5), QUAD, "b8", faces)
    assert half == pytest.approx(full / 2, rel=0.05)


def test_noise_is_told_and_does_not_count_as_ink() -> None:
    faces = factory()
    rng = np.random.default_rng(1)
    grain = rng.normal(0, 12, (130, 130, 3))
    for share in (1.0, 0.1):
        plain, _ = ink_contrast(shown(faces, share=share), QUAD, "b8", faces)
        noisy = np.clip(shown(faces, share=share) + grain, 0, 255).astype(np.uint8)
        seen, noise = ink_contrast(noisy, QUAD, "b8", faces)
        assert seen == pytest.approx(plain, abs=6)
        assert 3 < noise < 14


def test_a_back_has_no_ink() -> None:
    faces = factory()
    faces.look = replace(faces.look, back_style="blank")
    assert ink_contrast(shown(faces), QUAD, "#", faces) == (0.0, 0.0)


def label(
    contrast: float | None, noise: float = 1.0, *, visible: float = 1.0, slant: float = 1.0
) -> TileLabel:
    corners = tuple((float(x), float(y)) for x, y in QUAD)
    return TileLabel("r7" if contrast is not None else "#", corners, visible, slant, None, contrast, noise)


def test_a_picture_is_faint_where_over_a_quarter_of_its_digits_are() -> None:
    clear, least = label(60.0), FAINTEST[0]
    assert not faint([])
    assert not faint([label(None)])
    assert not faint([clear, clear, clear, label(least - 1)])
    assert faint([clear, clear, label(least - 1)])
    assert faint([clear, label(60.0, noise=30.0)]), "noise drowns it"
    hidden, leaning = label(1.0, visible=0.5), label(1.0, slant=0.4)
    assert not faint([clear, hidden, leaning]), "only what lies flat in sight is asked"


def test_hardly_any_picture_is_faint() -> None:
    found = [draw_scene(np.random.default_rng([8, index]), size=(256, 256)) for index in range(12)]
    assert not any(faint(scene.tiles) for scene in found)
    told = [tile for scene in found for tile in scene.tiles if tile.face not in "*#"]
    assert told
    assert all(tile.contrast is not None and tile.contrast >= 0 for tile in told)
