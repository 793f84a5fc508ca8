"""Row and table put together: turns of commands that explain a look, each judged by the referee."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import islice
from math import log
from typing import TYPE_CHECKING, Final

from engine import commands as c
from engine.decide import judge
from engine.evolve import evolve
from engine.infer.belief import UNLIKE
from engine.infer.deeds import NEW
from engine.infer.searching import best_first
from engine.infer.settings import miss_cost
from engine.infer.timing import hurry
from engine.meld_reasons import MELD_CODES
from engine.table_games import CLOSED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from engine.infer.deeds import Deed
    from engine.infer.memory import Memory, Slot
    from engine.infer.rows import RowTurn, Story
    from engine.infer.settings import Settings
    from engine.reasons import Reason
    from engine.state import State

UNFINISHED: Final = frozenset(
    {
        *MELD_CODES,
        "first_meld_points",
        "first_meld_run",
        "first_meld_run_or_ones",
        "first_meld_both",
        "other_groups_wait",
        "joker_not_melded",
        "no_tile_to_discard",
    }
)
"""What is against a turn that has only begun, and may be mended before it ends."""

_UPPER: Final = " upper"
"""After the id of a run that was split: names its upper half."""

_OTHER_ATU: Final = log(0.1)
"""Against a game closed without the atu where another tile than the atu lies in its place: it is asked."""

_WHOSE: Final = 16
_WAYS: Final = 4
"""So many ways to share deeds among turns are tried for each turn that may be judged."""


@dataclass(frozen=True, slots=True)
class Turned:
    """A turn, told in commands: what is against them, the state after it, and the slots that show it."""

    seat: int
    commands: tuple[c.Command, ...]
    reasons: tuple[Reason, ...]
    state: State
    slots: tuple[Slot, ...]
    discard: Slot | None
    odd: bool = False
    """Whether something is in it that no rule allows, whoever does it."""
    names: tuple[tuple[str, str], ...] = ()
    """The ids of the melds that were new in it and before it."""


@dataclass(frozen=True, slots=True)
class Hypothesis:
    """Turns that explain what is seen, with their log chance; `begun` is the turn after them."""

    score: float
    turns: tuple[Turned, ...]
    begun: Turned | None
    story: Story
    deeds: tuple[Deed, ...]
    extra: tuple[Slot, ...]
    unseen: bool = False
    """Whether its first turn ended with a discard that nobody saw; the story then begins after it."""


@dataclass(frozen=True, slots=True)
class _Variant:
    """Another way to read what is seen of a last turn."""

    atu: bool = False
    table_game: str | None = None


_PLAIN: Final = _Variant()


@dataclass(frozen=True, slots=True)
class Scene:
    """What every hypothesis of a look is told before: the state, what lies there, who pressed.

    `since` is the discard that ended the last turn.
    """

    state: State
    memory: Memory
    settings: Settings
    pressed: frozenset[int]
    since: Slot | None
    told: dict[tuple[object, ...], Turned | None] = field(default_factory=dict)
    """Turns that were told already, with the state before them, so that each is judged once."""
    tried: Counter[str] = field(default_factory=Counter)
    """How many ways were tried to say whose deeds they were."""

    @property
    def spent(self) -> bool:
        """Whether the search has done all that it may."""
        most = self.settings.hypotheses
        return len(self.told) >= most or self.tried["ways"] >= _WAYS * most


def hypotheses(
    scene: Scene,
    story: Story,
    deeds: Sequence[Deed],
    extra: tuple[Slot, ...],
    *,
    score: float,
    least: float,
) -> Iterator[Hypothesis]:
    """The ways to tell this story of the row with these deeds on the table, whoever's they are.

    `score` is the log chance of what is seen; what comes to less than `least` is not told.
    """
    turns = len(story.turns)
    ways = [_whose(scene, story, deed) for deed in deeds]
    for way in ways:
        way.sort(key=lambda one: -one[1])
    chosen = best_first([[cost for _, cost in way] for way in ways])
    for cost, places in islice(chosen, _WHOSE):
        if score + cost < least or scene.spent:
            break
        scene.tried["ways"] += 1
        by_turn: list[list[Deed]] = [[] for _ in range(turns + 1)]
        for deed, way, place in zip(deeds, ways, places, strict=True):
            by_turn[way[place][0]].append(deed)
        in_play, closed = (score + cost + one for one in hurry(scene, story, by_turn))
        if max(in_play, closed) < least:
            continue
        for variant in _variants(scene, by_turn, turns):
            told = _tell(scene, story, by_turn, variant)
            if told is None:
                continue
            against, done, begun = told
            against += 0.0 if variant.atu else _atu_gone(scene, done)
            total = closed if done and done[-1].state.phase == "over" else in_play
            yield Hypothesis(total + against, done, begun, story, tuple(deeds), extra)
            if variant == _PLAIN and done and done[-1].state.phase != "over":
                break


def _variants(scene: Scene, by_turn: Sequence[Sequence[Deed]], turns: int) -> Iterator[_Variant]:
    """Readings of the last turn: as it is, with the atu drawn, or as a game closed on the rack."""
    yield _PLAIN
    state, memory = scene.state, scene.memory
    if not turns:
        return
    there = memory.present(memory.atu) and not _another(scene)
    if state.rules.atu_closes and state.atu_place in ("wall", "aside") and not there:
        yield _Variant(atu=True)
    last = by_turn[turns - 1]
    if last and all(deed.kind == "meld" for deed in last):
        if state.rules.closed_game:
            yield _Variant(table_game=CLOSED)
        if state.rules.has_table_games:
            yield from (
                _Variant(table_game=kind)
                for kind, points in state.rules.table_points().items()
                if points is not None
            )


def _atu_gone(scene: Scene, done: Sequence[Turned]) -> float:
    """What is against a game closed without the atu where the atu is not seen any more."""
    state, slot = scene.state, scene.memory.slots.get(scene.memory.atu or 0)
    if not state.rules.atu_closes or state.atu_place not in ("wall", "aside") or slot is None:
        return 0.0
    if not done or done[-1].state.closing is None:
        return 0.0
    return miss_cost(scene.settings.chances, slot.misses) if slot.misses else _OTHER_ATU * _another(scene)


def _another(scene: Scene) -> bool:
    """Whether another tile than the atu is seen in its place, as the stack that it lay on may be."""
    atu, slot = scene.state.atu, scene.memory.slots.get(scene.memory.atu or 0)
    return atu is not None and slot is not None and slot.belief.log(atu) < UNLIKE


def _whose(scene: Scene, story: Story, deed: Deed) -> list[tuple[int, float]]:
    """The turns that a deed may belong to, each with the log chance that it was seen when it was."""
    chances, settings = scene.settings.chances, scene.settings
    turns = story.turns
    if not deed.slots:
        return [(turn, 0.0) for turn in range(len(turns) + 1)]
    ways = []
    for turn in range(len(turns) + 1):
        if deed.kind == "loose" and turn < len(turns):
            continue
        cost = 0.0
        if turn < len(turns):
            own = turns[turn].discard.first
            late = [slot.first - own for slot in deed.slots if slot.first > own]
            if late:
                # Each was missed, or all of them together, behind something.
                apart = sum(miss_cost(chances, looks) for looks in late)
                cost += max(apart, miss_cost(chances, max(late)) + log(chances.hidden))
        if deed.kind == "meld" and deed.place:
            seat = (scene.state.turn.seat + turn) % scene.state.seats
            cost += 0.0 if settings.place(seat) == deed.place else log(chances.elsewhere)
        ways.append((turn, cost))
    return ways


def _tell(
    scene: Scene, story: Story, by_turn: Sequence[Sequence[Deed]], variant: _Variant
) -> tuple[float, tuple[Turned, ...], Turned | None] | None:
    """The commands of these turns, judged one after the other; None for what cannot have happened."""
    state = scene.state
    against = 0.0
    done: list[Turned] = []
    for at in range(len(story.turns) + 1):
        mine = by_turn[at]
        row_turn = story.turns[at] if at < len(story.turns) else None
        if row_turn is None and story.take is None and all(deed.kind == "loose" for deed in mine):
            return against, tuple(done), None
        if state.phase != "play":
            # Somebody has closed: what comes to lie there then are racks that are shown.
            racks = row_turn is None and all(deed.kind in ("meld", "loose") for deed in mine)
            return (against, tuple(done), None) if racks else None
        last = at == len(story.turns) - 1
        names = done[-1].names if done else ()
        told = _turn_once(scene, (state, names), (story, row_turn), mine, variant if last else _PLAIN)
        if told is None:
            return None
        if row_turn is None:
            return against + _penalty(scene, told, begun=True), tuple(done), told
        against += _penalty(scene, told, begun=False)
        done.append(told)
        state = told.state
    return None


def _penalty(scene: Scene, told: Turned, *, begun: bool) -> float:
    """What breaches of the rules cost: the first much, each further one less."""
    codes = [reason.code for reason in told.reasons if not (begun and reason.code in UNFINISHED)]
    if told.odd:
        # Counted already where the deed was thought of.
        return 2.3 * (1 - len(codes)) if codes else 0.0
    return log(scene.settings.chances.illegal) + 2.3 * (1 - len(codes)) if codes else 0.0


def _turn_once(
    scene: Scene,
    start: tuple[State, tuple[tuple[str, str], ...]],
    row: tuple[Story, RowTurn | None],
    deeds: Sequence[Deed],
    variant: _Variant,
) -> Turned | None:
    story, row_turn = row
    shown = (
        (story.take, story.taken)
        if row_turn is None
        else (row_turn.discard.id, row_turn.face, row_turn.take, row_turn.taken, row_turn.wall)
    )
    key = (id(start[0]), shown, tuple(map(id, deeds)), variant)
    if key not in scene.told:
        scene.told[key] = _turn(start, row, deeds, variant)
    return scene.told[key]


def _turn(
    start: tuple[State, tuple[tuple[str, str], ...]],
    row: tuple[Story, RowTurn | None],
    deeds: Sequence[Deed],
    variant: _Variant,
) -> Turned | None:
    story, row_turn = row
    state, names = start
    seat = state.turn.seat
    commands: list[c.Command] = []
    reasons: list[Reason] = []
    before = state

    def do(command: c.Command) -> bool:
        nonlocal state
        judgement = judge(state, command)
        if judgement.event is None:
            return False
        commands.append(command)
        reasons.extend(judgement.reasons)
        state = evolve(judgement.event, state)
        return True

    take, count = (row_turn.take, row_turn.taken) if row_turn is not None else (story.take, story.taken)
    if row_turn is not None and row_turn.wall and not do(c.WallEmpty()):
        return None
    if take is not None:
        whole = count == (len(state.row) - take if state.rules.break_row == "rest" else 1)
        tiles = () if whole else state.row[take : take + count]
        if not do(c.Take(seat, take, tiles)):
            return None
    elif not state.turn.drew and not do(c.Draw(seat, source="atu" if variant.atu else "wall")):
        return None
    slots = tuple(slot for deed in deeds for slot in deed.slots)
    odd = any(deed.odd for deed in deeds)
    if variant.table_game is not None:
        if row_turn is None or before.players[seat].opened:
            return None
        melds = tuple(deed.tiles for deed in deeds)
        closes = c.CloseTable(seat, variant.table_game, melds, row_turn.face)
        if not do(closes) or state.closing is None:
            return None
        return Turned(seat, tuple(commands), tuple(reasons), state, slots, row_turn.discard)
    named = _names(state, deeds)
    here = {**dict(names), **named}
    if any(deed.meld.startswith(NEW) and deed.meld not in here for deed in deeds if deed.kind != "loose"):
        # Nothing comes to a meld before it is put down.
        return None
    for command in _on_table(seat, deeds, here):
        if not do(_as_it_lies(state, command, here)):
            return None
    told = tuple(here.items())
    if row_turn is None:
        return Turned(seat, tuple(commands), tuple(reasons), state, slots, None, odd, told)
    if not do(c.Discard(seat, row_turn.face)) or (variant.atu and state.closing is None):
        return None
    return Turned(seat, tuple(commands), tuple(reasons), state, slots, row_turn.discard, odd, told)


def _put_down(deeds: Sequence[Deed]) -> tuple[list[Deed], list[tuple[Deed, Deed | None]]]:
    """The new melds of a turn, and its reclaims, each with the new meld that its joker comes into."""
    melds = [deed for deed in deeds if deed.kind == "meld"]
    reclaims: list[tuple[Deed, Deed | None]] = []
    for deed in deeds:
        if deed.kind == "reclaim":
            anew = next((new for new in melds if any(tile.is_joker for tile in new.tiles)), None)
            if anew is not None:
                melds.remove(anew)
            reclaims.append((deed, anew))
    return melds, reclaims


def _names(state: State, deeds: Sequence[Deed]) -> dict[str, str]:
    """The ids that the new melds of a turn get."""
    melds, reclaims = _put_down(deeds)
    in_order = [*melds, *(anew for _, anew in reclaims if anew is not None)]
    return {deed.meld: f"m{state.next_meld + at}" for at, deed in enumerate(in_order)}


def _as_it_lies(state: State, command: c.Command, names: dict[str, str]) -> c.Command:
    """A run that is split, with no tile in its upper half that is laid there in a later turn only.

    The upper half is named in `names`, for that turn.
    """
    if not isinstance(command, c.LayOff) or not command.splits:
        return command
    names[command.meld + _UPPER] = f"m{state.next_meld}"
    meld = state.meld(command.meld)
    there = Counter(tile.means for tile in (*command.tiles, *(meld.tiles if meld is not None else ())))
    half = []
    for tile in command.new_meld:
        if there[tile.means] > 0:
            there[tile.means] -= 1
            half.append(tile)
    return replace(command, new_meld=tuple(half))


def _on_table(seat: int, deeds: Sequence[Deed], names: Mapping[str, str]) -> Iterator[c.Command]:
    """The commands of the deeds of a turn, in the order in which a player does them."""
    melds, reclaims = _put_down(deeds)
    if melds:
        yield c.MeldDown(seat, tuple(deed.tiles for deed in melds))
    for deed, anew in reclaims:
        meld = names.get(deed.meld, deed.meld)
        yield c.Reclaim(seat, meld, deed.tiles, () if anew is None else anew.tiles, deed.joker)
    for deed in deeds:
        if deed.kind == "lay":
            meld = names.get(deed.meld, deed.meld)
            # A run that was split in a turn before has its high end at its upper half.
            meld = names.get(meld + _UPPER, meld) if deed.end == "high" else meld
            yield c.LayOff(seat, meld, deed.tiles, deed.end)
    for deed in deeds:
        if deed.kind == "split":
            meld = names.get(deed.meld, deed.meld)
            yield c.LayOff(seat, meld, deed.tiles, splits=True, new_meld=deed.second)
