"""The dynamic programme behind `engine.solver`: for each way to leave tiles the plan of most points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

from engine.rules import MELD_MIN_LENGTH, RuleSet
from engine.shapes import HIGH_ONE
from engine.solver_steps import Grouping, Groups, Run, Step, Steps
from engine.tiles import HIGHEST, Face

if TYPE_CHECKING:
    from collections.abc import Iterator

RUN: Final = 1
GROUP: Final = 2
"""The shapes of melds, as bits."""


class Way(NamedTuple):
    """What a plan comes to besides its points: the tiles it leaves, and the shapes it has."""

    left: int
    shapes: frozenset[str]


class Parts(NamedTuple):
    """Melds in pieces: runs as colour, first place, and for each place whether a joker lies there; groups as
    number, colours of the real tiles, and how many jokers.
    """

    runs: tuple[tuple[str, int, tuple[bool, ...]], ...]
    groups: tuple[tuple[int, tuple[str, ...], int], ...]


Runs = tuple[tuple[Run, ...], ...]
"""The open runs of each colour."""
Key = tuple[Runs, tuple[int, ...], int]
"""All that matters for what may follow: open runs, 1s kept for the high end by colour, jokers left."""
Sources = tuple[tuple[tuple[int, bool], ...], ...]
Trail = tuple["Trail | None", int, Sources, Groups]
"""The steps that led to an end, the last one first."""
Ends = dict[tuple[int, int], tuple[int, Trail | None]]
"""For tiles left lying and shapes so far: most points, and how."""
Layer = dict[Key, Ends]
Outcome = tuple[Key, int, int, int, Sources, Groups]


@dataclass(frozen=True, slots=True)
class Plan:
    """Melds of so many points; they are put together only when `parts` asks for them."""

    points: int
    colours: tuple[str, ...]
    trail: Trail | None

    def parts(self) -> Parts:
        """The melds that the trail of steps leads to."""
        return _parts(self.colours, self.trail)


def solve_table(rack: tuple[Face, ...], rules: RuleSet) -> dict[Way, Plan]:
    """For each number of tiles left and shapes used, the plan of most points.

    A plan is left out where another one leaves as many tiles or fewer (but at least the one for the discard),
    has its shapes too, and is worth as much.
    """
    table = Steps(rack, rules)
    no_runs: Runs = ((),) * len(table.colours)
    ones = tuple(counts[1] for counts in table.counts)
    start: Ends = {(0, 0): (0, None)}
    layer: Layer = {(no_runs, reserved, table.jokers): start for reserved in _reservations(table, ones)}
    for place in range(1, table.last + 1):
        layer = _next_layer(table, layer, place)
    return _finish(table, layer)


def _reservations(table: Steps, ones: tuple[int, ...]) -> list[tuple[int, ...]]:
    """How many 1s of each colour may be kept for the place after the 13."""
    ways: list[tuple[int, ...]] = [()]
    for colour, count in enumerate(ones):
        there = table.counts[colour]
        reachable = bool(there[HIGHEST]) + bool(there[HIGHEST - 1]) + table.jokers >= MELD_MIN_LENGTH - 1
        most = count if table.last == HIGH_ONE and reachable else 0
        ways = [(*way, kept) for way in ways for kept in range(most + 1)]
    return ways


def _next_layer(table: Steps, layer: Layer, place: int) -> Layer:
    """The layer after a place: each way to be there before it, with everything that may be done at it."""
    after: Layer = {}
    for (runs, reserved, jokers), ends in layer.items():
        for key, more_left, more_points, shapes_here, sources, groups in _outcomes(
            table, runs, reserved, jokers, place
        ):
            found = after.setdefault(key, {})
            for (left, shapes), (points, trail) in ends.items():
                end = (left + more_left, shapes | shapes_here)
                worth = points + more_points
                known = found.get(end)
                if known is None or known[0] < worth:
                    found[end] = (worth, (trail, place, sources, groups))
    for ends in after.values():
        if len(ends) > 1:
            _drop_worse(ends)
    return after


def _drop_worse(ends: Ends) -> None:
    """Drops the ends that another one is at least as good as, whatever follows."""
    worse = [
        (left, shapes)
        for (left, shapes), (points, _) in ends.items()
        if any(
            1 <= other_left <= left
            and other_shapes & shapes == shapes
            and other_points >= points
            and (other_left, other_shapes) != (left, shapes)
            for (other_left, other_shapes), (other_points, _) in ends.items()
        )
    ]
    for end in worse:
        del ends[end]


def _outcomes(
    table: Steps, runs: Runs, reserved: tuple[int, ...], jokers: int, place: int
) -> Iterator[Outcome]:
    """All that may be done at a place from these open runs, with its jokers."""
    ways: list[tuple[tuple[Step, ...], int]] = [((), jokers)]
    idle = True
    for colour, open_runs in enumerate(runs):
        kept = reserved[colour]
        if place == 1:
            tiles = table.counts[colour][1] - kept
        else:
            tiles = kept if place == HIGH_ONE else table.counts[colour][place]
        if not open_runs and not tiles and not (jokers and table.can_lead(colour, place, jokers - 1, kept)):
            ways = (
                [((*steps, _IDLE), rest) for steps, rest in ways]
                if not idle
                else [((_IDLE,) * (colour + 1), jokers)]
            )
            continue
        idle = False
        ways = [
            ((*steps, step), rest - step.jokers)
            for steps, rest in ways
            for step in table.step(colour, open_runs, place, tiles, rest, kept)
        ]
    if idle:
        yield (runs, reserved, jokers), 0, 0, 0, _NO_SOURCES, ()
        return
    for steps, rest in ways:
        new_runs = tuple([step.runs for step in steps])
        if table.jokers and _lacking(table, new_runs, reserved, place) > rest:
            continue
        pool = tuple([step.pool for step in steps])
        loose = sum(pool)
        points = sum([step.points for step in steps])
        ended = RUN if any(step.ended for step in steps) else 0
        sources = tuple([step.sources for step in steps])
        choices = table.groups_of(place, pool, rest) if loose and place < HIGH_ONE else _NO_GROUPS
        for groups, used, used_jokers, more in choices:
            shapes = ended | (GROUP if groups else 0)
            key = (new_runs, reserved, rest - used_jokers)
            yield key, loose - used, points + more, shapes, sources, groups


def _lacking(table: Steps, runs: Runs, reserved: tuple[int, ...], place: int) -> int:
    """How many jokers the open runs need, at least, to come to three and to the tiles they need."""
    lacking = 0
    for colour, open_runs in enumerate(runs):
        for run in open_runs:
            short = 0
            gaps = table.gaps[reserved[colour] > 0][colour][place]
            if run.length < MELD_MIN_LENGTH:
                short = gaps[MELD_MIN_LENGTH - run.length]
            if run.real < table.rules.meld_real_tiles_min:
                short = max(short, gaps[3])
            lacking += short
    return lacking


_IDLE = Step((), (), 0, 0, 0, 0)
_NO_SOURCES: Sources = ((), (), (), ())
_NO_GROUPS: list[Grouping] = [((), 0, 0, 0)]


def _finish(table: Steps, layer: Layer) -> dict[Way, Plan]:
    best: dict[Way, tuple[int, Trail | None]] = {}
    for (runs, _, jokers), ends in layer.items():
        if not all(table.complete(run) for colour in runs for run in colour):
            continue
        for (left, shapes), (points, trail) in ends.items():
            done = shapes | (RUN if any(runs) else 0)
            named = frozenset(name for bit, name in ((RUN, "run"), (GROUP, "group")) if done & bit)
            way = Way(left + jokers, named)
            if way not in best or best[way][0] < points:
                best[way] = (points, trail)
    return {way: Plan(points, table.colours, trail) for way, (points, trail) in best.items()}


def _parts(names: tuple[str, ...], trail: Trail | None) -> Parts:
    steps = []
    while trail is not None:
        trail, place, sources, groups = trail
        steps.append((place, sources, groups))
    runs: list[tuple[str, int, tuple[bool, ...]]] = []
    open_runs: list[list[tuple[int, tuple[bool, ...]]]] = [[] for _ in names]
    found_groups = []
    for place, sources, groups in reversed(steps):
        for colour, came_from in enumerate(sources):
            before = open_runs[colour]
            goes_on = {source for source, _ in came_from}
            runs += [(names[colour], *run) for at, run in enumerate(before) if at not in goes_on]
            open_runs[colour] = [
                (place, (joker,)) if source < 0 else (before[source][0], (*before[source][1], joker))
                for source, joker in came_from
            ]
        for colours, jokers in groups:
            found_groups.append((place, tuple(names[colour] for colour in colours), jokers))
    for colour, rest in enumerate(open_runs):
        runs += [(names[colour], *run) for run in rest]
    return Parts(tuple(runs), tuple(found_groups))
