"""Buttons: what holds for five samples counts once; what is shorter does not."""

from __future__ import annotations

import ctypes
import random

import pytest

pytestmark = pytest.mark.board


def presses(core: ctypes.CDLL, samples: list[int], held: int = 0) -> list[int]:
    """What each sample of which buttons are down brings."""
    debounce = ctypes.c_void_p(core.core_debounce(held))
    found = [core.core_sample(debounce, sample) for sample in samples]
    core.core_free_debounce(debounce)
    return found


def expected(samples: list[int], held: int = 0) -> list[int]:
    """The same, one button at a time and by counting."""
    found = [0] * len(samples)
    for button in range(12):
        state, count = held >> button & 1, 0
        for place, sample in enumerate(samples):
            now = sample >> button & 1
            count = count + 1 if now != state else 0
            if count == 5:
                state, count = now, 0
                found[place] |= now << button
    return found


def test_the_fifth_sample_counts(core: ctypes.CDLL) -> None:
    assert presses(core, [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1]) == [0] * 4 + [1] + [0] * 10 + [1]


def test_a_button_held_at_the_start_is_not_pressed_until_it_was_released(core: ctypes.CDLL) -> None:
    assert presses(core, [4] * 10 + [0] * 5 + [4] * 5, held=4) == [0] * 19 + [4]


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_shorter_pulses_are_none_either_way(core: ctypes.CDLL, length: int) -> None:
    assert not any(presses(core, ([0xFFF] * length + [0]) * 50))
    assert not any(presses(core, ([0] * length + [0xFFF]) * 50, held=0xFFF))


@pytest.mark.parametrize("seed", range(5))
def test_twelve_buttons_at_once_count_as_one_by_one(core: ctypes.CDLL, seed: int) -> None:
    source = random.Random(seed)
    samples, now = [], 0
    for _ in range(20_000):
        for button in range(12):
            if source.random() < 0.15:
                now ^= 1 << button
        samples.append(now)
    found = presses(core, samples)
    assert found == expected(samples)
    assert sum(word.bit_count() for word in found) > 1000
