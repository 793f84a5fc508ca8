"""Renders the sample picture that the page offers: melds and loose tiles of one set on a table."""

from __future__ import annotations

import json
import math
from dataclasses import asdict, replace
from pathlib import Path

import cv2
import numpy as np

from vision.synth.faces import FaceFactory
from vision.synth.geometry import Solid, flat_axes, look_at
from vision.synth.lamps import Lamp, Light
from vision.synth.layouts import Layout, row
from vision.synth.looks import draw_look
from vision.synth.render import Painter
from vision.synth.surfaces import surface

SIZE = (1440, 1080)
SEED = 3
SURFACE_SEED = 3
TILE_PX = 82.0
#: Faces in meld order, start in tile widths from the middle, angle in degrees.
MELDS = (
    ("r5 r6 r7 r8", (-6.6, 4.0), 3.0),
    ("k11 k12 k13 k1", (2.0, 4.3), -4.0),
    ("r9 y9 b9 k9", (-7.0, 0.8), -2.0),
    ("b2 b3 *0 b5", (1.8, 1.2), 5.0),
    ("y10 y11 y12", (-6.4, -2.4), 6.0),
)
LOOSE = (
    ("k4", (0.4, -2.4), 20.0),
    ("r1", (2.6, -2.0), -12.0),
    ("y13", (4.8, -3.2), 40.0),
    ("b7", (6.9, -1.9), -65.0),
)


def write_sample(folder: Path) -> Path:
    """Writes `sample.jpg` and its labels `sample.json`; the same on every call."""
    rng = np.random.default_rng(SEED)
    look = replace(draw_look(rng, "train", "classic"), gloss=0.1)
    scale = TILE_PX / look.width_mm
    focal = 1.1 * SIZE[0]
    camera = look_at(
        target=np.asarray([0.0, 0.0, 8.0]),
        tilt=0.16,
        azimuth=-math.pi / 2,
        roll=0.0,
        distance=focal / scale,
        focal_px=focal,
        size=SIZE,
    )
    layout = Layout()
    for faces, (x, y), angle in MELDS:
        start = (x * look.width_mm, y * look.width_mm)
        row(layout, faces.split(), start, math.radians(angle), look, rng, gap=0.02, jitter=0.01)
    for face, (x, y), angle in LOOSE:
        centre = np.asarray([x * look.width_mm, y * look.width_mm, look.thickness_mm])
        layout.solids.append(Solid(face, centre, flat_axes(math.radians(angle))))
    image = surface(np.random.default_rng(SURFACE_SEED), SIZE, TILE_PX)
    warm = (0.98, 1.0, 1.02)
    light = Light((Lamp(np.asarray([-500.0, 700.0, 1400.0]), 0.5, 900.0, warm),), 0.5, warm)
    painter = Painter(image, camera, light, FaceFactory(look))
    painter.paint(layout)
    # A calm photo: a little softness and grain, nothing of the faults that training pictures have.
    soft = cv2.GaussianBlur(image, (0, 0), 0.7).astype(np.float32)
    picture = np.clip(soft + np.random.default_rng(5).normal(0, 2.0, soft.shape), 0, 255).astype(np.uint8)
    cv2.imwrite(str(folder / "sample.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
    labels = {"image": "sample.jpg", "tiles": [asdict(tile) for tile in painter.labels(layout.solids)]}
    (folder / "sample.json").write_text(json.dumps(labels) + "\n", encoding="utf-8")
    return folder / "sample.jpg"
