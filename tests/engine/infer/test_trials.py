"""Simulated games followed through a noisy camera: nothing wrong goes unnoticed, every score is right."""

from __future__ import annotations

import pytest

from engine.infer.settings import Settings
from engine.sim.looks import CLEAN, NOBODYS
from engine.sim.trial import Trial, trial


@pytest.fixture(scope="module")
def noisy() -> list[Trial]:
    return [trial(key, 1000) for key in ("etalat", "doizece", "regulament")]


def test_no_silent_error(noisy: list[Trial]) -> None:
    assert [one.silent for one in noisy] == [0, 0, 0]


def test_exact_scores(noisy: list[Trial]) -> None:
    for one in noisy:
        assert one.finished
        assert one.scores == one.expected


def test_few_questions(noisy: list[Trial]) -> None:
    assert sorted(one.questions for one in noisy)[1] <= 3


def test_the_same_seed_is_the_same_trial(noisy: list[Trial]) -> None:
    again = trial("regulament", 1000)
    assert again.scores == noisy[2].scores
    assert (again.questions, again.looks, again.notes) == (
        noisy[2].questions,
        noisy[2].looks,
        noisy[2].notes,
    )


@pytest.mark.parametrize("key", ["etalat", "doizece"])
def test_a_clean_game_is_followed(key: str) -> None:
    one = trial(key, 1, noise=CLEAN)
    assert (one.silent, one.flagged, one.reports) == (0, 0, 0)
    assert one.questions <= 1
    assert one.exact


def test_a_game_that_stands_still_unnoticed_is_a_silent_error() -> None:
    never = Settings(buttons=True, odds=1e12, ask_after=10**6, desync_after=10**6)
    one = trial("etalat", 1, settings=never)
    assert not one.finished
    assert one.silent == 1


def test_a_row_that_is_found_late_and_melds_that_lie_before_nobody() -> None:
    """Nobody presses either: what cannot be known is asked."""
    one = trial("doizece", 52008, noise=NOBODYS, buttons=False)
    assert (one.silent, one.exact) == (0, True)
    assert one.questions >= 1
