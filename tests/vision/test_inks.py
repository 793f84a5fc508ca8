"""The ink of a face is measured against its own body, whatever the light."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.inks import evidence, measure

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
CREAM, RED, NAVY = (210, 228, 238), (40, 30, 190), (120, 56, 12)
FLOOR = 8.0


def face(body: tuple[int, int, int], ink: tuple[int, int, int] | None, *, upside_down: bool = False) -> U8:
    """A flat face (64, 48, 3) with a bar of ink over about an eighth of its inner part."""
    picture = np.empty((64, 48, 3), np.uint8)
    picture[:] = body
    if ink:
        picture[14:24, 12:36] = ink
    return picture[::-1, ::-1] if upside_down else picture


def expected(body: tuple[int, int, int], ink: tuple[int, int, int]) -> F32:
    colours = (np.asarray(ink) + FLOOR, np.asarray(body) + FLOOR)
    return np.concatenate([np.log(colours[0] / colours[1]), np.log(colours[1] / 128)]).astype(np.float32)


@pytest.mark.parametrize("ink", [RED, NAVY, (30, 30, 30), (30, 160, 240)])
def test_a_known_ink_on_a_known_body(ink: tuple[int, int, int]) -> None:
    assert measure(face(CREAM, ink)[None])[0] == pytest.approx(expected(CREAM, ink), abs=1e-5)


def test_upside_down_is_the_same() -> None:
    upright, turned = measure(np.stack([face(CREAM, RED), face(CREAM, RED, upside_down=True)]))
    assert upright == pytest.approx(turned)


def test_a_face_without_ink_has_none() -> None:
    assert measure(face(CREAM, None)[None])[0, :3] == pytest.approx([0, 0, 0], abs=1e-6)


def test_half_the_light_changes_the_body_and_hardly_the_ink() -> None:
    dark = (105, 114, 119), (20, 15, 95)
    full, half = measure(np.stack([face(CREAM, RED), face(*dark)]))
    assert np.abs(full[:3] - half[:3]).max() < 0.25
    assert full[3:] - half[3:] == pytest.approx(np.full(3, np.log(2)), abs=0.05)


def test_the_rim_of_the_face_does_not_matter() -> None:
    plain, rimmed = face(CREAM, RED), face(CREAM, RED)
    rimmed[:6], rimmed[-6:], rimmed[:, :6], rimmed[:, -6:] = 0, 0, 0, 0
    assert measure(plain[None]) == pytest.approx(measure(rimmed[None]))


def test_no_faces() -> None:
    assert measure(np.zeros((0, 64, 48, 3), np.uint8)).shape == (0, 6)


def test_evidence_holds_code_and_ink_side_by_side() -> None:
    code = np.arange(48, dtype=np.float32).reshape(2, 24)
    ink = np.full((2, 6), 0.5, np.float32)
    rows = evidence(code, ink)
    assert rows.dtype == np.float32
    assert rows[:, :24].tolist() == code.tolist()
    assert rows[:, 24:].tolist() == ink.tolist()
