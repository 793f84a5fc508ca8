"""Racks that lie open before the game is told to its end: a sign that somebody has closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engine.infer.memory import Slot
    from engine.infer.plans import Hypothesis
    from engine.infer.settings import Settings
    from engine.state import State

_OWN: Final = 3
"""Who is on turn lays down a tile or two to think; so many as he holds are his rack."""

_FEWEST: Final = 2
_MANY: Final = 4


def unexplained(hypothesis: Hypothesis) -> list[Slot]:
    """The tiles on the table that no turn put down, or only as melds that are none."""
    odd = [deed for deed in hypothesis.deeds if deed.kind == "loose" or (deed.kind == "meld" and deed.odd)]
    loose = [slot for deed in odd for slot in deed.slots]
    return [*loose, *(slot for slot in hypothesis.extra if slot.zone == "table")]


def end_of(hypothesis: Hypothesis, state: State) -> State:
    """The state after the last turn that a hypothesis tells from this state on."""
    return hypothesis.turns[-1].state if hypothesis.turns else state


def racks_open(state: State, slots: Iterable[Slot], settings: Settings) -> frozenset[int]:
    """The seats whose whole rack lies open in front of them, tile for tile as many as they hold.

    Nobody where it may be chance: a single tile, or a tile or two of who is on turn.
    """
    if state.phase != "play":
        return frozenset()
    steady = _in_front(slots, settings.looks)
    found = set()
    for seat, player in enumerate(state.players):
        here = steady.get(settings.place(seat), 0)
        if here and here == len(player.hand) and (seat != state.turn.seat or here >= _OWN):
            found.add(seat)
    total = sum(len(state.players[seat].hand) for seat in found)
    return frozenset(found) if total >= _FEWEST else frozenset()


def racks_appear(state: State, slots: Iterable[Slot], settings: Settings) -> frozenset[int]:
    """The seats whose rack seems to lie open for long: whole, or tiles of several that are not on turn."""
    slots = [slot for slot in slots if slot.hits >= settings.desync_after]
    whole = racks_open(state, slots, settings)
    if whole or state.phase != "play":
        return whole
    steady = _in_front(slots, settings.desync_after)
    some = {
        seat: steady[settings.place(seat)]
        for seat in range(state.seats)
        if seat != state.turn.seat and settings.place(seat) in steady
    }
    several = len(some) >= min(2, state.seats - 1)
    return frozenset(some) if several and sum(some.values()) >= _MANY else frozenset()


def _in_front(slots: Iterable[Slot], looks: int) -> Mapping[int, int]:
    """How many steady tiles lie in front of each place round the table."""
    found: dict[int, int] = {}
    for slot in slots:
        if slot.hits >= looks and slot.hits > 2 * slot.misses and slot.belief.best is not None:
            found[slot.seat] = found.get(slot.seat, 0) + 1
    return found
