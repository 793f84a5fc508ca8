"""How a game ends on the table: an empty wall, and racks shown or laid out and counted."""

from __future__ import annotations

from math import exp
from typing import TYPE_CHECKING

from engine import commands as c
from engine.bags import Bag
from engine.decide import judge
from engine.infer.belief import UNLIKE
from engine.infer.linking import parts_of
from engine.infer.outcomes import Ambiguity, Candidate, Desync, Difference, Nothing, Proposal
from engine.repair_reasons import name_en, name_ro
from engine.scores import score
from engine.state import on_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.infer.memory import Memory, Slot
    from engine.infer.settings import Settings
    from engine.state import State
    from engine.tiles import Face


def wall_has_ended(state: State) -> bool:
    """Whether the next turn cannot begin, so that the game is over."""
    return (
        state.phase == "play"
        and state.started
        and not state.turn.drew
        and not state.wall.drawable
        and state.rules.wall_end == "end"
    )


def open_seats(state: State) -> list[int]:
    """The seats whose result waits for their rack."""
    hidden = [seat for seat in range(state.seats) if state.players[seat].hand.hidden]
    if state.phase != "over":
        return hidden
    complete = [seat.complete for seat in score(state)]
    return [seat for seat in hidden if not complete[seat]]


def racks_shown(state: State, memory: Memory, settings: Settings) -> dict[int, tuple[Slot, ...]]:
    """The tiles of each seat's rack as they are seen, on the rack or laid flat in front of it."""
    flat: dict[int, list[Slot]] = {}
    for part in parts_of(state, memory, settings.chances)[0]:
        if not part.melds:
            for slot in part.slots:
                flat.setdefault(slot.seat, []).append(slot)
    found = {}
    for seat in range(state.seats):
        place = settings.place(seat)
        slots = [memory.slots[slot] for slot in memory.racks.get(place, ())]
        slots = slots or flat.get(place, [])
        # What was seen once, or is seen no more, is no tile of a rack.
        steady = [slot for slot in slots if slot.hits >= settings.looks and slot.hits > 2 * slot.misses]
        if steady:
            found[seat] = tuple(steady)
    return found


def infer_racks(
    state: State, memory: Memory, settings: Settings, *, waited: int
) -> Proposal | Ambiguity | Desync | Nothing:
    """The racks of all whose result waits for them; after some looks without them a question, or what is in
    the way: a rack that is not seen, or tiles more than the set has.
    """
    wanted = open_seats(state)
    late = waited >= 2 * settings.ask_after
    shown = racks_shown(state, memory, settings)
    ready = {seat: slots for seat, slots in shown.items() if len(slots) == len(state.players[seat].hand)}
    if absent := [seat for seat in wanted if seat not in shown]:
        return Desync(tuple(map(_not_shown, absent))) if late else Nothing()
    if not wanted:
        return Nothing()
    if any(seat not in ready for seat in wanted):
        return _as_seen(state, shown, wanted, settings, waited)
    mine = {seat: ready[seat] for seat in wanted}
    mine |= {seat: slots for seat, slots in ready.items() if all(s.hits >= settings.looks for s in slots)}
    slots = [slot for some in mine.values() for slot in some]
    if any(slot.hits < settings.looks for slot in slots):
        return Nothing()
    room = dict((state.full - Bag(on_table(state))).items())
    faces, sure, doubtful = _faces(slots, room)
    racks = _racks(mine, faces)
    keys = tuple(slot.key for slot in slots)
    judgement = judge(state, racks)
    odds = sure / max(1e-9, 1 - sure)
    if odds >= settings.odds and judgement.event is not None:
        return Proposal((racks,), odds, judgement.reasons, keys)
    if not late:
        return Nothing()
    if beyond := [slot for slot in slots if _no_room(slot, faces)]:
        return Desync(tuple(_one_too_many(slot, _holder(slot, mine)) for slot in beyond))
    if judgement.event is None:
        return Desync(tuple(map(_cannot_be, wanted)))
    return _which(state, mine, faces, doubtful or slots, room)


def _racks(slots: dict[int, tuple[Slot, ...]], faces: dict[int, Face]) -> c.Racks:
    ordered = sorted(slots.items())
    return c.Racks(
        tuple((seat, tuple(faces[slot.id] for slot in some if slot.id in faces)) for seat, some in ordered)
    )


def _faces(slots: Sequence[Slot], room: dict[Face, int]) -> tuple[dict[int, Face], float, list[Slot]]:
    """The likeliest face of each slot that the set has room for, the chance of all, and those in doubt."""
    left = dict(room)
    faces: dict[int, Face] = {}
    sure = 1.0
    doubtful = []
    for slot in sorted(slots, key=lambda slot: -max([*slot.belief.logs.values(), -99.0])):
        chances = {face: exp(value) for face, value in slot.belief.logs.items() if left.get(face, 0) > 0}
        if not chances:
            doubtful.append(slot)
            sure = 0.0
            continue
        best = max(chances, key=lambda face: chances[face])
        rest = exp(slot.belief.rest) * sum(1 for face in left if left[face] > 0 and face not in chances)
        share = chances[best] / (sum(chances.values()) + rest)
        faces[slot.id] = best
        left[best] -= 1
        sure *= share
        if share < 0.999:
            doubtful.append(slot)
    return faces, sure, doubtful


def _which(
    state: State,
    mine: dict[int, tuple[Slot, ...]],
    faces: dict[int, Face],
    doubtful: Sequence[Slot],
    room: dict[Face, int],
) -> Ambiguity | Nothing:
    """The question which tile the most doubtful one is."""
    slot = min(doubtful, key=lambda slot: max([*slot.belief.logs.values(), -99.0]))
    seat = _holder(slot, mine)
    ways = [face for face in slot.belief.likely(-9.0) if room.get(face, 0) > 0][:4]
    candidates = []
    for face in ways:
        racks = _racks(mine, {**faces, slot.id: face})
        if judge(state, racks).event is not None:
            candidates.append(
                Candidate(
                    (racks,),
                    exp(slot.belief.log(face)),
                    f"it is {name_en(face)}",
                    f"este {name_ro(face)}",
                    (slot.key,),
                    faces={slot.id: face},
                )
            )
    return Ambiguity(
        "racks",
        tuple(candidates),
        (slot.key,),
        f"Which tile is this on the rack of seat {seat}?",
        f"Ce piesă este aceasta pe tabla locului {seat}?",
    )


def _holder(slot: Slot, mine: dict[int, tuple[Slot, ...]]) -> int:
    return next(seat for seat, some in mine.items() if slot in some)


def _no_room(slot: Slot, faces: dict[int, Face]) -> bool:
    """Whether it is read as a tile of which the set has no more."""
    return slot.id not in faces or slot.belief.log(faces[slot.id]) < UNLIKE


def _not_shown(seat: int) -> Difference:
    return Difference(
        "missing", f"rack {seat}", None, None, None, "counting",
        f"the rack of seat {seat} is not to be seen; lay its tiles out face up in front of it",
        f"tabla locului {seat} nu se vede; puneți piesele cu fața în sus în fața locului",
    )  # fmt: skip


def _one_too_many(slot: Slot, seat: int) -> Difference:
    seen = slot.belief.best
    if seen is None:
        return Difference(
            "unread", f"rack {seat}", None, None, slot.key, "set",
            f"a tile on the rack of seat {seat} cannot be read; turn it face up, or say which it is",
            f"o piesă de pe tabla locului {seat} nu se poate citi; întoarceți-o sau spuneți care este",
        )  # fmt: skip
    return Difference(
        "misread", f"rack {seat}", None, seen, slot.key, "set",
        f"{name_en(seen)} on the rack of seat {seat} is one more than the set has; look which of them is "
        "another tile",
        f"{name_ro(seen)} de pe tabla locului {seat} este peste câte are setul; uitați-vă care este "
        "altă piesă",
    )  # fmt: skip


def not_counted(state: State) -> tuple[Difference, ...]:
    """The racks still to be counted, once their question was answered with none of what was offered."""
    return tuple(map(_cannot_be, open_seats(state)))


def _cannot_be(seat: int) -> Difference:
    return Difference(
        "inexplicable", f"rack {seat}", None, None, None, "counting",
        f"the rack of seat {seat} cannot be what lies there; count its tiles, or enter them",
        f"tabla locului {seat} nu poate fi ce se vede; numărați piesele sau introduceți-le",
    )  # fmt: skip


def _as_seen(
    state: State,
    shown: dict[int, tuple[Slot, ...]],
    wanted: Sequence[int],
    settings: Settings,
    waited: int,
) -> Ambiguity | Nothing:
    """The question whether racks are complete that show another number of tiles than they should have."""
    if waited < 2 * settings.ask_after:
        return Nothing()
    mine = {seat: shown[seat] for seat in wanted}
    slots = [slot for some in mine.values() for slot in some]
    room = dict((state.full - Bag(on_table(state))).items())
    faces, _, _ = _faces(slots, room)
    racks = _racks(mine, faces)
    seat = next(seat for seat in wanted if len(shown[seat]) != len(state.players[seat].hand))
    here, right = len(shown[seat]), len(state.players[seat].hand)
    candidate = Candidate((racks,), 0.5, "count as it lies", "se numără așa cum este")
    return Ambiguity(
        "racks",
        (candidate,),
        tuple(slot.key for slot in shown[seat]),
        f"Seat {seat} shows {here} tiles; {right} were expected. Is that all?",
        f"Locul {seat} arată {here} piese; se așteptau {right}. Sunt toate?",
    )
