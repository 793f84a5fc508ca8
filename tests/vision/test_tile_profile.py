"""The profile of a set: what its pictures say of inks, body, proportions and the digit's place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.censuses import sighting, whole_rows, without
from vision.census import take_census
from vision.inks import evidence, measure
from vision.sightings import Sighting
from vision.tile_profile import faint, joker_faces, profile

BODY = (214, 233, 240)  # BGR
PAINT = {"r": (38, 30, 200), "y": (40, 150, 240), "b": (180, 70, 20), "k": (26, 22, 22)}
ROWS = whole_rows()


def drawn(rows: list[list[str]]) -> Sighting:
    """Each face a body with a block of its ink from 20 to 50 % of the height."""
    seen = sighting(rows)
    crops = np.empty_like(seen.crops)
    crops[:] = BODY
    top, height = 64 * 0.06, 64 * 0.88
    lines = slice(round(top + 0.2 * height), round(top + 0.5 * height))
    for crop, face in zip(crops, [face for row in rows for face in row], strict=True):
        crop[lines, 16:32] = PAINT.get(face[0], (90, 90, 90))
    return replace(seen, crops=crops, inks=evidence(seen.inks[:, :24], measure(crops)))


def test_a_profile_says_what_the_set_looks_like() -> None:
    seen = drawn(without(ROWS, "k7"))
    census = take_census(seen)
    made = profile(census, seen, name="Bunica", taught="2026-11-29", weights="ab", width_mm=25.5)
    assert (made.name, made.taught, made.weights, made.width_mm) == ("Bunica", "2026-11-29", "ab", 25.5)
    assert (made.tiles, made.missing, made.extra) == (105, ("k7",), ())
    assert made.aspect == pytest.approx(1.4, abs=0.01)
    assert made.width_px == pytest.approx(58.2, abs=0.1)
    assert made.body == pytest.approx(BODY[::-1], abs=2)
    for slot, bgr in PAINT.items():
        assert made.inks[slot] == pytest.approx(bgr[::-1], abs=6), slot
    assert made.digit_centre == pytest.approx(0.35, abs=0.02)
    assert made.digit_height == pytest.approx(0.30, abs=0.03)


def test_inks_that_hardly_stand_out_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = drawn(ROWS)
    assert faint(take_census(seen), seen) == {}
    near = tuple(level - 18 for level in BODY)
    monkeypatch.setitem(PAINT, "b", near)
    monkeypatch.setitem(PAINT, "k", (BODY[0] - 5, BODY[1] - 12, BODY[2] - 9))
    seen = drawn(ROWS)
    census = take_census(seen)
    told = faint(census, seen)
    assert told == {"b": pytest.approx(18, abs=3), "k": pytest.approx(12, abs=3)}
    assert profile(census, seen, name="Bunica", taught="2026-11-29", weights="ab").faint == told


def test_the_faces_of_the_jokers_are_kept() -> None:
    seen = drawn(ROWS)
    faces = joker_faces(take_census(seen), seen)
    assert faces.shape == (2, 64, 48, 3)
    assert (faces[:, 20, 20] == 90).all()
