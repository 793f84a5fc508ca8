"""From weighed explanations to a proposal or a question: what the turn on the table was, and how surely."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING, Final

from engine.infer.matching import match
from engine.infer.outcomes import Ambiguity, Candidate, Nothing, Proposal, told
from engine.infer.weighing import after, effect

if TYPE_CHECKING:
    from collections.abc import Hashable

    from engine.infer.plans import Hypothesis, Turned
    from engine.infer.settings import Settings
    from engine.infer.weighing import Weighed
    from engine.tiles import Face

_WORTH_ASKING: Final = 0.002
_MOST: Final = 4
_MOST_UNSEEN: Final = 6
"""Any tile of a meld may have been the one that was discarded and taken."""

_TAKEN_EN: Final = "the next player took it at once"
_TAKEN_RO: Final = "a luat-o imediat jucătorul următor"
_IF_UNSEEN: Final = 5
_NEARLY_OUT: Final = 2
_BEYOND: Final = 20
"""As much as so many explanations as likely as the next is what a search that was cut short leaves."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What so many first turns may have been, and its share; `turned` is None where they have not ended."""

    effect: Hashable
    share: float
    turned: Turned | None
    hypothesis: Hypothesis


def choices(weighed: Weighed, turns: int = 1) -> list[Choice]:
    """The different things that the first turns may have come to, likeliest first."""
    if not weighed.found:
        return []
    top = weighed.found[0].score
    beyond = 0.0 if weighed.beyond is None else _BEYOND * exp(min(0.0, weighed.beyond - top))
    weights: dict[Hashable, float] = {}
    first: dict[Hashable, Hypothesis] = {}
    for one in weighed.found:
        key = effect(one.turns[turns - 1].state) if len(one.turns) >= turns else None
        weights[key] = weights.get(key, 0.0) + exp(one.score - top)
        first.setdefault(key, one)
    total = sum(weights.values()) + beyond
    found = []
    for key, weight in weights.items():
        one = first[key]
        turned = one.turns[turns - 1] if len(one.turns) >= turns else None
        found.append(Choice(key, weight / total, turned, one))
    return sorted(found, key=lambda choice: -choice.share)


def odds_of(share: float) -> float:
    """How much likelier this is than all else."""
    return share / max(1e-9, 1 - share)


def odds_needed(weighed: Weighed, settings: Settings) -> float:
    """How much likelier than all else a turn must be: more where a discard may have been taken unseen, since
    presses that come late speak for the wrong turns then.
    """
    return settings.odds * (_IF_UNSEEN if any(one.unseen for one in weighed.found) else 1)


def seen_enough(turned: Turned, settings: Settings) -> bool:
    """Whether looks enough have seen (or could have seen) what shows this turn.

    One that leaves its player a tile or two is given a look more: had they gone down, the game were closed.
    So is one that closes it: no later turn shows what was misread of it.
    """
    slots = [*turned.slots, *([turned.discard] if turned.discard else [])]
    left = len(turned.state.players[turned.seat].hand)
    nearly = left <= _NEARLY_OUT or turned.state.phase == "over"
    least = settings.looks + nearly
    return all(slot.hits + slot.misses >= least for slot in slots)


def proposal_of(choice: Choice) -> Proposal | Nothing:
    """The turn as a proposal."""
    turned = choice.turned
    if turned is None:
        begun = choice.hypothesis.begun
        return Nothing() if begun is None else Nothing(begun.commands, begun.reasons)
    slots = [*turned.slots, *([turned.discard] if turned.discard else [])]
    return Proposal(turned.commands, odds_of(choice.share), turned.reasons, tuple(slot.key for slot in slots))


def question_of(weighed: Weighed, found: list[Choice]) -> Ambiguity:
    """What the turn was, asked: the likeliest answers, and the tiles by which they differ."""
    asked = [choice for choice in found if choice.share >= _WORTH_ASKING]
    asked = asked[: _MOST_UNSEEN if any(choice.hypothesis.unseen for choice in asked) else _MOST]
    candidates = tuple(candidate_of(weighed, choice, _shown(choice.hypothesis)) for choice in asked)
    shown = [set(candidate.keys) for candidate in candidates]
    keys = set().union(*shown) if shown else set()
    faces = {key: {_face_at(weighed, candidate, key) for candidate in candidates} for key in keys}
    differing = [key for key in sorted(keys) if len(faces[key]) > 1]
    seat = next((choice.turned.seat for choice in asked if choice.turned is not None), 0)
    return Ambiguity(
        "turn",
        candidates,
        tuple(differing or sorted(keys)),
        f"What did seat {seat} do?",
        f"Ce a jucat locul {seat}?",
    )


def _shown(hypothesis: Hypothesis) -> int:
    """How many turns an answer tells: with a discard that the next player took, his turn too."""
    return min(1 + hypothesis.unseen, max(1, len(hypothesis.turns)))


def _face_at(weighed: Weighed, candidate: Candidate, key: int) -> Face | None:
    slot = weighed.memory.by_key.get(key, 0)
    return candidate.faces.get(slot)


def candidate_of(weighed: Weighed, choice: Choice, turns: int = 1) -> Candidate:
    """A choice as the answer to a question."""
    turned, one = choice.turned, choice.hypothesis
    if turned is None:
        keys = tuple(slot.key for slot in one.extra)
        return Candidate((), choice.share, "the turn has not ended", "tura nu s-a terminat", keys)
    commands = tuple(command for done in one.turns[:turns] for command in done.commands)
    words = [told(done) for done in one.turns[:turns]]
    if one.unseen:
        english, romanian = words[0]
        words[0] = f"{english} (not seen, {_TAKEN_EN})", f"{romanian} (nevăzută, {_TAKEN_RO})"
    faces: dict[int, Face] = {turn.discard.id: turn.face for turn in one.story.turns[: turns - one.unseen]}
    slots = {slot.id for done in one.turns[:turns] for slot in done.slots}
    for deed in one.deeds:
        mine = [slot for slot in deed.slots if slot.id in slots]
        tiles = [tile.face for tile in deed.tiles]
        pairs = match(tiles, mine, weighed.chances).pairs
        faces.update({slot.id: face for face, slot in zip(tiles, pairs, strict=True) if slot is not None})
    keys = tuple(weighed.memory.slots[slot].key for slot in faces if slot in weighed.memory.slots)
    then = after(weighed.memory, one, turns, one.turns[turns - 1].state)
    return Candidate(
        commands,
        choice.share,
        "; ".join(english for english, _ in words),
        "; ".join(romanian for _, romanian in words),
        keys,
        tuple(reason for done in one.turns[:turns] for reason in done.reasons),
        faces,
        then.row_links,
        frozenset(weighed.memory.slots) - frozenset(then.slots),
    )
