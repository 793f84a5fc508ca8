"""The camera's faults: the same for the same seed, within range, and each of them seen."""

from __future__ import annotations

import sys

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.synth.h264 import CodecMissingError, streamed
from vision.synth.post import develop

U8 = NDArray[np.uint8]


def scene(width: int = 160, height: int = 120) -> U8:
    """Squares and digits on a grey ground."""
    image = np.full((height, width, 3), 120, np.uint8)
    for number in range(4):
        left = 10 + number * 36
        cv2.rectangle(image, (left, 30), (left + 28, 80), (230, 235, 240), -1)
        cv2.putText(image, str(number + 5), (left + 5, 65), cv2.FONT_HERSHEY_SIMPLEX, 0.8, (20, 20, 200), 2)
    return image


def steps(image: U8) -> float:
    """How unlike neighbouring pixels are."""
    return float(np.abs(np.diff(image.astype(float), axis=1)).mean())


@pytest.mark.parametrize("ceiling", [False, True])
def test_the_same_state_gives_the_same_picture(ceiling: bool) -> None:
    pytest.importorskip("av")
    for seed in range(12):
        first, again = (
            develop(scene(), np.random.default_rng(seed), tile_px=28, ceiling=ceiling) for _ in range(2)
        )
        assert np.array_equal(first, again)
        assert first.shape == (120, 160, 3)
        assert first.dtype == np.uint8


def test_pictures_differ_in_brightness_and_sharpness() -> None:
    pytest.importorskip("av")
    taken = [develop(scene(), np.random.default_rng(seed), tile_px=28, ceiling=True) for seed in range(60)]
    means, edges = [float(image.mean()) for image in taken], [steps(image) for image in taken]
    assert min(means) < 0.6 * float(scene().mean())
    assert max(means) > 0.95 * float(scene().mean())
    assert max(edges) > 2.5 * min(edges)


def test_video_takes_more_from_a_picture_the_stronger_it_is_pressed() -> None:
    pytest.importorskip("av")
    image = scene()
    lost = []
    for crf in (10, 28, 45):
        seen = streamed(image, np.random.default_rng(4), crf=crf)
        assert seen.shape == image.shape
        lost.append(float(np.abs(seen.astype(int) - image).mean()))
    assert lost[0] < lost[1] < lost[2]
    assert lost[0] < 6
    again = streamed(image, np.random.default_rng(4), crf=45)
    assert np.array_equal(seen, again)


def test_a_picture_with_odd_sides_keeps_its_size() -> None:
    pytest.importorskip("av")
    image = scene(161, 121)
    seen = streamed(image, np.random.default_rng(4), crf=25)
    assert seen.shape == image.shape
    # Nothing moved: the picture is most like itself where it was.
    shifted = np.roll(image, 2, axis=1)
    assert np.abs(seen.astype(int) - image).mean() < np.abs(seen.astype(int) - shifted).mean()


def test_without_the_codec_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(CodecMissingError, match=r"remi-companion\[train\]"):
        streamed(scene(), np.random.default_rng(1), crf=30)


def test_a_scene_that_needs_the_codec_is_not_drawn_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "av", None)
    refused = 0
    for seed in range(60):
        try:
            develop(scene(), np.random.default_rng(seed), tile_px=28)
        except CodecMissingError:
            refused += 1
    assert 2 <= refused <= 20
