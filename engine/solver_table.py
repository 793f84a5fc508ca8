"""The dynamic programme behind `engine.solver`: for each way to leave tiles the plan of most points."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from engine.rules import MELD_MIN_LENGTH, RuleSet
from engine.shapes import HIGH_ONE, last_place, longest_run
from engine.tiles import HIGHEST, Face

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class Way(NamedTuple):
    """What a plan comes to besides its points: the tiles it leaves, and the shapes it has."""

    left: int
    shapes: frozenset[str]


@dataclass(frozen=True, slots=True)
class Plan:
    """Melds: runs as colour, first place, and for each place whether a joker lies there; groups as number,
    colours of the real tiles, and how many jokers.
    """

    points: int
    runs: tuple[tuple[str, int, tuple[bool, ...]], ...]
    groups: tuple[tuple[int, tuple[str, ...], int], ...]


class Run(NamedTuple):
    """An open run, as far as its end depends on it; counts stop where more makes no difference."""

    length: int
    jokers: int
    real: int


class Step(NamedTuple):
    """What one colour does at a place: the open runs after it, each with where it came from (-1: begun here)
    and whether a joker was put; tiles for groups; and what it took.
    """

    runs: tuple[Run, ...]
    sources: tuple[tuple[int, bool], ...]
    ended: int
    pool: int
    jokers: int
    points: int


RUN, GROUP = 1, 2
Groups = tuple[tuple[tuple[int, ...], int], ...]
"""Groups of one number: the colours of their tiles, and how many jokers."""
Grouping = tuple[Groups, int, int, int]
"""Groups, the tiles and the jokers they use, and their points."""
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


class _Table:
    """One rack under one rule set; the tables of steps and groups are filled as they are asked for."""

    def __init__(self, rack: Sequence[Face], rules: RuleSet) -> None:
        self.rules = rules
        self.colours = rules.colours
        self.jokers = sum(face.is_joker for face in rack)
        self.counts = [[0] * (HIGH_ONE + 3) for _ in self.colours]
        for face in rack:
            if not face.is_joker:
                self.counts[self.colours.index(face.colour)][face.number] += 1
        self.last = last_place(rules)
        self.longest = longest_run(rules)
        # Only a house limit on the length makes it matter past the shortest run.
        self.length_cap = MELD_MIN_LENGTH if self.longest >= self.last else self.longest
        self.real_cap = max(
            rules.meld_real_tiles_min,
            rules.meld_real_tiles_per_joker * min(self.jokers, rules.meld_jokers_max),
        )
        self.steps: dict[tuple[int, tuple[Run, ...], int, int, int], list[Step]] = {}
        self.groups: dict[
            tuple[int, tuple[int, ...], int],
            list[Grouping],
        ] = {}

    def complete(self, run: Run) -> bool:
        rules = self.rules
        return (
            run.length >= MELD_MIN_LENGTH
            and run.real >= min(self.real_cap, rules.meld_real_tiles_min)
            and run.real >= rules.meld_real_tiles_per_joker * run.jokers
        )

    def value(self, place: int) -> int:
        if place == 1:
            return self.rules.one_low_points
        return self.rules.one_high_points if place == HIGH_ONE else self.rules.number_points[place - 2]

    def onward(self, run: Run, *, joker: bool) -> Run | None:
        """The run with one place more; None where that is too long or has too many jokers."""
        if self.length_cap > MELD_MIN_LENGTH and run.length >= self.longest:
            return None
        if joker and run.jokers >= self.rules.meld_jokers_max:
            return None
        return Run(
            min(run.length + 1, self.length_cap),
            run.jokers + joker,
            min(run.real + (not joker), self.real_cap),
        )

    def can_begin(self, colour: int, place: int, jokers: int, reserved: int) -> bool:
        """Whether a run from this place on, with a tile there, can come to three."""
        if place + MELD_MIN_LENGTH - 1 > self.last:
            return False
        there = self.counts[colour]
        ahead = sum(1 for at in (place + 1, place + 2) if (reserved if at == HIGH_ONE else there[at]))
        return ahead + min(jokers, self.rules.meld_jokers_max) >= MELD_MIN_LENGTH - 1

    def step(
        self, colour: int, runs: tuple[Run, ...], place: int, tiles: int, jokers: int, reserved: int
    ) -> list[Step]:
        """Everything that one colour may do at a place with so many tiles of its own and jokers."""
        key = (colour * 16 + place, runs, tiles, jokers, reserved)
        known = self.steps.get(key)
        if known is None:
            known = list(
                {
                    (s.runs, s.ended, s.pool, s.jokers): s
                    for s in sorted(
                        self._steps(colour, runs, place, tiles, jokers, reserved), key=lambda s: s.points
                    )
                }.values()
            )
            self.steps[key] = known
        return known

    def _steps(
        self, colour: int, runs: tuple[Run, ...], place: int, tiles: int, jokers: int, reserved: int
    ) -> Iterator[Step]:
        value = self.value(place)

        def go(
            at: int, tiles: int, jokers: int, open_runs: tuple[tuple[Run, int, bool], ...], ended: int
        ) -> Iterator[Step]:
            if at < len(runs):
                run = runs[at]
                if self.complete(run):
                    yield from go(at + 1, tiles, jokers, open_runs, ended + 1)
                if tiles and (more := self.onward(run, joker=False)):
                    yield from go(at + 1, tiles - 1, jokers, (*open_runs, (more, at, False)), ended)
                if jokers and (more := self.onward(run, joker=True)):
                    yield from go(at + 1, tiles, jokers - 1, (*open_runs, (more, at, True)), ended)
                return
            ordered = tuple(sorted(open_runs))
            yield Step(
                tuple(run for run, _, _ in ordered),
                tuple((source, joker) for _, source, joker in ordered),
                ended,
                tiles,
                start_jokers - jokers,
                value * len(ordered),
            )
            # Begin a run here: with a tile, or with a joker where a tile of its colour follows.
            if tiles and self.can_begin(colour, place, jokers, reserved):
                yield from go(
                    at, tiles - 1, jokers, (*open_runs, (Run(1, 0, min(1, self.real_cap)), -1, False)), ended
                )
            if jokers and self.rules.meld_jokers_max and self.can_begin(colour, place, jokers - 1, reserved):
                yield from go(at, tiles, jokers - 1, (*open_runs, (Run(1, 1, 0), -1, True)), ended)

        start_jokers = jokers
        yield from go(0, tiles, jokers, (), 0)

    def groups_of(self, place: int, pool: tuple[int, ...], jokers: int) -> list[Grouping]:
        """The ways to put loose tiles of one number into groups: groups, tiles and jokers used, points."""
        key = (place, pool, jokers)
        known = self.groups.get(key)
        if known is None:
            best: dict[tuple[int, int], Grouping] = {}
            for found in self._groups(place, pool, jokers, (len(self.colours) + 1, ())):
                used = (found[1], found[2])
                if used not in best or best[used][3] < found[3]:
                    best[used] = found
            known = self.groups[key] = list(best.values())
        return known

    def _groups(
        self, place: int, pool: tuple[int, ...], jokers: int, most: tuple[int, tuple[int, ...]]
    ) -> Iterator[Grouping]:
        yield (), 0, 0, 0
        rules = self.rules
        value = rules.one_group_points if place == 1 else rules.number_points[place - 2]
        present = [at for at, count in enumerate(pool) if count]
        for size in range(min(most[0], len(present)), max(rules.meld_real_tiles_min, 1) - 1, -1):
            for colours in combinations(present, size):
                # Groups in falling order, so that no two orders of the same groups are looked at.
                if (size, colours) > most:
                    continue
                for with_jokers in range(min(jokers, rules.meld_jokers_max) + 1):
                    length = size + with_jokers
                    if not MELD_MIN_LENGTH <= length <= len(self.colours):
                        continue
                    if size < rules.meld_real_tiles_per_joker * with_jokers:
                        continue
                    rest = tuple(count - (at in colours) for at, count in enumerate(pool))
                    for others, used, used_jokers, points in self._groups(
                        place, rest, jokers - with_jokers, (size, colours)
                    ):
                        yield (
                            ((colours, with_jokers), *others),
                            used + size,
                            used_jokers + with_jokers,
                            points + value * length,
                        )


def solve_table(rack: tuple[Face, ...], rules: RuleSet) -> dict[Way, Plan]:
    """For each number of tiles left and shapes used, the plan of most points.

    A plan is left out where another one leaves as many tiles or fewer (but at least the one for the discard),
    has its shapes too, and is worth as much.
    """
    table = _Table(rack, rules)
    no_runs: Runs = ((),) * len(table.colours)
    ones = tuple(counts[1] for counts in table.counts)
    start: Ends = {(0, 0): (0, None)}
    layer: Layer = {(no_runs, reserved, table.jokers): start for reserved in _reservations(table, ones)}
    for place in range(1, table.last + 1):
        layer = _next_layer(table, layer, place)
    return _finish(table, layer)


def _reservations(table: _Table, ones: tuple[int, ...]) -> list[tuple[int, ...]]:
    """How many 1s of each colour may be kept for the place after the 13."""
    ways: list[tuple[int, ...]] = [()]
    for colour, count in enumerate(ones):
        there = table.counts[colour]
        reachable = bool(there[HIGHEST]) + bool(there[HIGHEST - 1]) + table.jokers >= MELD_MIN_LENGTH - 1
        most = count if table.last == HIGH_ONE and reachable else 0
        ways = [(*way, kept) for way in ways for kept in range(most + 1)]
    return ways


def _next_layer(table: _Table, layer: Layer, place: int) -> Layer:
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
    table: _Table, runs: Runs, reserved: tuple[int, ...], jokers: int, place: int
) -> Iterator[Outcome]:
    """All that may be done at a place from these open runs, with its jokers."""
    ways: list[tuple[tuple[Step, ...], int]] = [((), jokers)]
    for colour, open_runs in enumerate(runs):
        if place == 1:
            tiles = table.counts[colour][1] - reserved[colour]
        else:
            tiles = reserved[colour] if place == HIGH_ONE else table.counts[colour][place]
        kept = reserved[colour]
        if not open_runs and not tiles and not (jokers and table.can_begin(colour, place, jokers - 1, kept)):
            ways = [((*steps, _IDLE), rest) for steps, rest in ways]
            continue
        ways = [
            ((*steps, step), rest - step.jokers)
            for steps, rest in ways
            for step in table.step(colour, open_runs, place, tiles, rest, kept)
        ]
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


def _lacking(table: _Table, runs: Runs, reserved: tuple[int, ...], place: int) -> int:
    """How many jokers the open runs need to come to three."""
    lacking = 0
    for colour, open_runs in enumerate(runs):
        for run in open_runs:
            for at in range(place + 1, place + 1 + MELD_MIN_LENGTH - run.length):
                there = reserved[colour] if at == HIGH_ONE else table.counts[colour][at]
                lacking += at > table.last or not there
    return lacking


_IDLE = Step((), (), 0, 0, 0, 0)
_NO_GROUPS: list[Grouping] = [((), 0, 0, 0)]


def _finish(table: _Table, layer: Layer) -> dict[Way, Plan]:
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
    return {way: _plan(table, points, trail) for way, (points, trail) in best.items()}


def _plan(table: _Table, points: int, trail: Trail | None) -> Plan:
    """The melds that a trail of steps has put together."""
    steps = []
    while trail is not None:
        trail, place, sources, groups = trail
        steps.append((place, sources, groups))
    runs: list[tuple[str, int, tuple[bool, ...]]] = []
    open_runs: list[list[tuple[int, tuple[bool, ...]]]] = [[] for _ in table.colours]
    found_groups = []
    for place, sources, groups in reversed(steps):
        for colour, came_from in enumerate(sources):
            before = open_runs[colour]
            goes_on = {source for source, _ in came_from}
            runs += [(table.colours[colour], *run) for at, run in enumerate(before) if at not in goes_on]
            open_runs[colour] = [
                (place, (joker,)) if source < 0 else (before[source][0], (*before[source][1], joker))
                for source, joker in came_from
            ]
        for colours, jokers in groups:
            found_groups.append((place, tuple(table.colours[colour] for colour in colours), jokers))
    for colour, rest in enumerate(open_runs):
        runs += [(table.colours[colour], *run) for run in rest]
    return Plan(points, tuple(runs), tuple(found_groups))
