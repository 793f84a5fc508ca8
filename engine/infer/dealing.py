"""How the deal is seen: a wall, and the atu that lies face up on it."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING, Final

from engine import commands as c
from engine.infer.outcomes import Ambiguity, Candidate, Nothing, Proposal
from engine.repair_reasons import name_en, name_ro
from engine.tiles import JOKER

if TYPE_CHECKING:
    from engine.infer.memory import Memory, Slot
    from engine.infer.settings import Settings
    from engine.state import State
    from engine.tiles import Face

_JOKERS: Final = 2 / 106
_NOT_YET: Final = 4
"""So many times longer than other doubts an atu in doubt waits, until the first discard lies beside it."""


def deal_of(state: State, atu: Face | None, turned: Face | None = None) -> c.Deal:
    """The deal as the rule set has it, with hands that nobody saw."""
    rules = state.rules
    size = rules.pack(state.pack).hand_size(state.seats)
    taken = rules.joker_atu_taken and atu == JOKER
    first = state.after(state.dealer)
    more = 0 if taken else rules.first_player_extra
    return c.Deal(tuple(size + more * (seat == first) for seat in range(state.seats)), atu, turned)


def infer_deal(
    state: State, memory: Memory, settings: Settings, *, waited: int
) -> Proposal | Ambiguity | Nothing:
    """The deal, once what it leaves face up was seen often enough; `waited` looks went by without it."""
    rules = state.rules
    slot: Slot | None = memory.slots.get(memory.atu or 0)
    if not rules.wall_of_stacks:
        slot = memory.slots.get(memory.row[0]) if memory.row else None
    elif not rules.atu_face_up:
        return Proposal((deal_of(state, None),), settings.odds) if memory.row else Nothing()
    if slot is None:
        if waited < 2 * settings.ask_after or not (memory.row or memory.racks):
            return Nothing()
        return _unseen(state)
    if slot.hits < settings.looks or slot.belief.best is None:
        return Nothing()
    faces = slot.belief.likely(-9.0)
    share = exp(slot.belief.log(faces[0]))
    odds = share / max(1e-9, 1 - share)
    if odds >= settings.odds:
        return Proposal((_with(state, faces[0]),), odds, keys=(slot.key,))
    # Nobody needs it yet, and its colour is easier to tell beside another tile.
    if waited < settings.ask_after * (1 if memory.row else _NOT_YET):
        return Nothing()
    candidates = tuple(
        Candidate(
            (_with(state, face),),
            exp(slot.belief.log(face)),
            f"the atu is {name_en(face)}",
            f"atuul este {name_ro(face)}",
            (slot.key,),
            faces={slot.id: face},
        )
        for face in faces[:4]
    )
    return Ambiguity("deal", candidates, (slot.key,), "Which tile is the atu?", "Ce piesă este atuul?")


def _with(state: State, face: Face) -> c.Deal:
    return deal_of(state, face) if state.rules.wall_of_stacks else deal_of(state, None, face)


def _unseen(state: State) -> Ambiguity | Nothing:
    """No atu is to be seen: the first player may have taken a joker, or it is covered."""
    candidates = []
    if state.rules.joker_atu_taken:
        candidates.append(
            Candidate(
                (deal_of(state, JOKER),),
                10 * _JOKERS,
                "the atu was a joker, and the first player took it",
                "atuul a fost joly și l-a luat primul jucător",
            )
        )
    candidates.append(
        Candidate(
            (deal_of(state, None),),
            1 - 10 * _JOKERS,
            "the atu lies where it cannot be seen",
            "atuul este unde nu se vede",
        )
    )
    return Ambiguity(
        "deal",
        tuple(candidates),
        (),
        "No atu is to be seen. What is it?",
        "Nu se vede niciun atu. Care este?",
    )
