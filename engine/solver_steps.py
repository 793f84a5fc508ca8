"""What can be done at one place of the solver's dynamic programme: runs go on, groups are formed."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from engine.rules import MELD_MIN_LENGTH, RuleSet
from engine.shapes import HIGH_ONE, last_place, longest_run

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.tiles import Face


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


Groups = tuple[tuple[tuple[int, ...], int], ...]
"""Groups of one number: the colours of their tiles, and how many jokers."""
Grouping = tuple[Groups, int, int, int]
"""Groups, the tiles and the jokers they use, and their points."""


class Steps:
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
        values = [self.value(place) for place in range(1, self.last + 1)]
        self.rising = values == sorted(values)
        self.gaps = [
            [self._gaps(colour, kept=kept) for colour in range(len(self.colours))] for kept in (False, True)
        ]
        self.steps: dict[tuple[int, tuple[Run, ...], int, int, int], list[Step]] = {}
        self.groups: dict[
            tuple[int, tuple[int, ...], int],
            list[Grouping],
        ] = {}

    def complete(self, run: Run) -> bool:
        """Whether a run may end as it is."""
        rules = self.rules
        return (
            run.length >= MELD_MIN_LENGTH
            and run.real >= min(self.real_cap, rules.meld_real_tiles_min)
            and run.real >= rules.meld_real_tiles_per_joker * run.jokers
        )

    def value(self, place: int) -> int:
        """What a place of a run is worth when opening."""
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

    def _gaps(self, colour: int, *, kept: bool) -> list[tuple[int, int, int, int]]:
        """For each place how many places ahead no tile fills: to the last one, of the next, of the next two,
        and up to the next tile.

        `kept`: whether a 1 is kept for the high end.
        """
        lacks = [int(not tiles) for tiles in self.counts[colour][: self.last + 1]]
        if self.last == HIGH_ONE:
            lacks[HIGH_ONE] = int(not kept)
        lacks += [1, 1]
        found = []
        all_ahead, to_next = 0, self.last + 1
        for place in range(self.last, -1, -1):
            found.append((all_ahead, lacks[place + 1], lacks[place + 1] + lacks[place + 2], to_next))
            all_ahead += lacks[place]
            to_next = to_next + 1 if lacks[place] else 0
        return found[::-1]

    def can_begin(self, colour: int, place: int, jokers: int, reserved: int) -> bool:
        """Whether a run from this place on, with a tile there, can come to three."""
        if place + MELD_MIN_LENGTH - 1 > self.last:
            return False
        _, _, short, to_next = self.gaps[reserved > 0][colour][place]
        if self.rules.meld_real_tiles_min > 1:
            short = max(short, to_next)
        return short <= min(jokers, self.rules.meld_jokers_max)

    def can_lead(self, colour: int, place: int, jokers: int, reserved: int) -> bool:
        """Whether a joker here may begin a run, with so many jokers besides.

        Where no place is worth less than the one before it, a joker at the low end does as well at the high
        end, unless the run reaches the last place.
        """
        if place + MELD_MIN_LENGTH - 1 > self.last:
            return False
        return self.gaps[reserved > 0][colour][place][0 if self.rising else 2] <= jokers

    def step(
        self, colour: int, runs: tuple[Run, ...], place: int, tiles: int, jokers: int, reserved: int
    ) -> list[Step]:
        """Everything that one colour may do at a place with so many tiles of its own and jokers."""
        key = (colour * 16 + place, runs, tiles, jokers, reserved)
        known = self.steps.get(key)
        if known is None:
            found = list(self._steps(colour, runs, place, tiles, jokers, reserved))
            # Of steps to the same end the one of most points; two are hardly ever of the same.
            known = found
            if len(found) > 2:
                found.sort(key=lambda step: step.points)
                known = list(
                    {(step.runs, step.ended, step.pool, step.jokers): step for step in found}.values()
                )
            self.steps[key] = known
        return known

    def _steps(
        self, colour: int, runs: tuple[Run, ...], place: int, tiles: int, jokers: int, reserved: int
    ) -> Iterator[Step]:
        value = self.value(place)
        if not runs and not (jokers and self.can_lead(colour, place, jokers - 1, reserved)):
            # Most of all steps: tiles begin runs or do not, and there is nothing else to choose.
            most = tiles if self.can_begin(colour, place, jokers, reserved) else 0
            begun = Run(1, 0, min(1, self.real_cap))
            for count in range(most + 1):
                yield Step((begun,) * count, ((-1, False),) * count, 0, tiles - count, 0, value * count)
            return

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
            if jokers and self.rules.meld_jokers_max and self.can_lead(colour, place, jokers - 1, reserved):
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
