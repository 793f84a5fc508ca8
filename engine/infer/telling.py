"""What a follower tells: questions and differences, each once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.infer.follower import Asked, Follower, Found, Lost, Outcome, Question
from engine.infer.outcomes import Desync

if TYPE_CHECKING:
    from engine.infer.outcomes import Ambiguity, Difference


def signature(about: Ambiguity) -> str:
    """By what a question is known again."""
    return about.text_en + " / ".join(candidate.text_en for candidate in about.candidates)


def ask(follower: Follower, about: Ambiguity) -> tuple[Follower, tuple[Outcome, ...]]:
    """The follower with a question open."""
    question = Question(follower.asked + 1, about)
    return replace(follower, question=question, asked=follower.asked + 1), (Asked(question),)


def lose(follower: Follower, now: tuple[Difference, ...]) -> tuple[Follower, tuple[Outcome, ...]]:
    """The follower with these differences reported, those of them that are new."""
    known = {(one.code, one.place, one.seen) for one in follower.lost}
    if all((one.code, one.place, one.seen) in known for one in now):
        return follower, ()
    return replace(follower, lost=now), (Lost(Desync(now)),)


def found(follower: Follower, outcomes: tuple[Outcome, ...]) -> tuple[Follower, tuple[Outcome, ...]]:
    """The follower with nothing that differs any more, and what came of it said."""
    if not follower.lost:
        return follower, outcomes
    return replace(follower, lost=()), (*outcomes, Found())
