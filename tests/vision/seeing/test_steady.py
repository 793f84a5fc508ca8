"""Noisy frames of a table at rest are taken together, others are not."""

from __future__ import annotations

import numpy as np
import pytest

from vision.pictures import Pixels
from vision.seeing.steady import MOST, NOISY, Steady, noise_of
from vision.sources.frames import Frame

CLEAN = np.full((240, 320, 3), 120, np.uint8)
CLEAN[:, 160:] = 180


def shot(seed: int, noise: float, scene: Pixels = CLEAN) -> Pixels:
    """A frame of a scene with noise of so many grey levels."""
    grain = np.random.default_rng(seed).normal(0, noise, scene.shape)
    return np.asarray(np.clip(np.rint(scene + grain), 0, 255), np.uint8)


def shown(frames: list[Pixels]) -> Steady:
    """Looked at one a second, the first at 1 s."""
    steady = Steady()
    for at, pixels in enumerate(frames, 1):
        steady = steady.seen(Frame(pixels, float(at), at), float(at))
    return steady


def error(picture: Pixels) -> float:
    return float(np.std(picture.astype(np.float64) - CLEAN))


@pytest.mark.parametrize("noise", [3.0, 8.0, 16.0])
def test_noise_is_told_from_two_frames(noise: float) -> None:
    assert noise_of(shot(1, noise), shot(2, noise)) == pytest.approx(noise, rel=0.12)


def test_other_light_is_no_noise() -> None:
    brighter = np.asarray(CLEAN + 9, np.uint8)
    assert noise_of(CLEAN, brighter) == 0
    assert noise_of(np.zeros_like(CLEAN), np.full_like(CLEAN, 255)) == 0, "nothing to judge by"


def test_the_mean_of_noisy_frames_is_read() -> None:
    frames = [shot(seed, 12.0) for seed in range(MOST)]
    picture = shown(frames).picture(0.0)
    assert picture.dtype == np.uint8
    assert error(picture) < 1.15 * error(frames[-1]) / MOST**0.5
    assert abs(float(np.mean(picture.astype(np.float64) - CLEAN))) < 0.5
    assert not picture.flags.writeable


def test_of_quiet_frames_the_newest_is_read_as_it_is() -> None:
    frames = [shot(seed, NOISY / 2) for seed in range(MOST)]
    assert shown(frames).picture(0.0) is frames[-1]


def test_frames_from_before_it_lay_still_are_left_out() -> None:
    moved = np.roll(CLEAN, 80, axis=1)
    frames = [shot(1, 12.0, moved), shot(2, 12.0, moved), shot(3, 12.0), shot(4, 12.0)]
    both = shown(frames).picture(2.0)
    assert error(both) < 1.1 * error(frames[-1]) / 2**0.5
    assert shown(frames).picture(3.0) is frames[-1], "one alone has nothing to be taken together with"
    assert shown(frames).picture(9.0) is frames[-1]


def test_only_the_newest_frames_are_kept_and_one_counts_once() -> None:
    frames = [shot(seed, 12.0) for seed in range(MOST + 3)]
    assert [frame.number for _, frame in shown(frames).frames] == list(range(4, MOST + 4))
    again = shown([frames[0], frames[0], frames[0]])
    assert len(again.frames) == 1
    assert again.picture(0.0) is frames[0]
