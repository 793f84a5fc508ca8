"""The likeliest explanation of all rows together, no more of a face than there are: branch and bound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING

from engine.repair_beliefs import NONE, Belief, settled, without
from engine.repair_rows import best_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.repair_rows import Pattern, RowPlan

_EVEN = 1e-9
"""Sums of the same numbers in another order differ by less."""

Held = Mapping[int, tuple[int, frozenset[int]]]
"""Tiles held to one face (NONE: to none), and the faces that they must not show."""


@dataclass(frozen=True)
class Problem:
    """What is believed of each tile, the rows of their indexes, the copies of each face, the melds.

    `most_steps` bounds the search among rows that compete for the same faces, over all questions asked.
    """

    beliefs: tuple[Belief, ...]
    rows: tuple[tuple[int, ...], ...]
    copies: tuple[int, ...]
    pattern: Pattern
    most_steps: int
    _planned: dict[tuple[int, frozenset[tuple[int, tuple[int, frozenset[int]]]]], RowPlan] = field(
        default_factory=dict, repr=False, compare=False
    )
    _steps: list[int] = field(default_factory=lambda: [0], repr=False, compare=False)

    @cached_property
    def room(self) -> tuple[int, ...]:
        """How many tiles that are not certain may show each face: what certain ones leave, 0 at least."""
        left = list(self.copies)
        for one in self.beliefs:
            if one.fixed and one.only != NONE:
                left[one.only] -= 1
        return tuple(max(0, count) for count in left)

    @cached_property
    def possible(self) -> tuple[Belief, ...]:
        """The beliefs without what there is no room for."""
        full = [code for code, count in enumerate(self.room) if count == 0]
        return tuple(one if one.fixed else without(one, *full) for one in self.beliefs)

    @cached_property
    def row_of(self) -> Mapping[int, int]:
        """The row of each tile."""
        return {index: number for number, row in enumerate(self.rows) for index in row}

    def loss(self, index: int, code: int) -> float:
        """About how much less likely a tile gets that may not show a face."""
        tile = self.possible[index]
        others = (tile.chances[one] for one in tile.listed if one != code)
        return tile.chances[code] - max(tile.aside, *others, -inf)

    def plan(self, row: int, held: Held) -> RowPlan:
        """The best of a row by itself; the same question comes often."""
        key = row, frozenset((index, held[index]) for index in self.rows[row] if index in held)
        if key not in self._planned:
            beliefs = [
                _held(self.possible[index], *held[index]) if index in held else self.possible[index]
                for index in self.rows[row]
            ]
            self._planned[key] = best_row(beliefs, self.pattern)
        return self._planned[key]


@dataclass(frozen=True, slots=True)
class Group:
    """Rows that compete for faces, with their plans; `score` is theirs, or a bound where not `proven`."""

    plans: Mapping[int, RowPlan]
    score: float
    proven: bool


@dataclass(frozen=True, slots=True)
class Plan:
    """An explanation of the picture: its log odds and the plan of each row.

    `proven` is False where the search was cut short: no explanation is likelier than `score` says, but this
    one is not the likeliest, or holds more of a face than there are.
    """

    score: float
    rows: tuple[RowPlan, ...]
    groups: tuple[Group, ...]
    proven: bool


def solve(
    problem: Problem,
    *,
    near: Plan | None = None,
    held: Held = MappingProxyType({}),
    least: float = -inf,
) -> Plan:
    """The likeliest explanation that keeps to the copies of each face; exact where `proven`.

    Where certain tiles alone are more than there are, no other tile shows that face. `held` says what some
    tiles must or must not show, `near` is the answer without it. Once nothing better than `least` is left,
    the search stops, unproven.
    """
    if near is None:
        plans = [problem.plan(row, held) for row in range(len(problem.rows))]
        groups = [Group({row: plan}, plan.score, True) for row, plan in enumerate(plans)]
    else:
        groups = list(near.groups)
    touched = {problem.row_of[index] for index in held}
    for at, group in enumerate(groups):
        if touched & group.plans.keys():
            others = sum(one.score for one in groups) - group.score
            groups[at] = _solve_group(problem, sorted(group.plans), held, least=least - others)
    # Rows are taken together only where they want more of a face than there is: most compete for nothing.
    while (score := sum(group.score for group in groups)) >= least - _EVEN:
        over = _too_many_users(problem, (plan for group in groups for plan in group.plans.items()))
        if over is None:
            break
        rows = {problem.row_of[index] for index in over[1]}
        joined = [group for group in groups if rows & group.plans.keys()]
        if len(joined) == 1 and not joined[0].proven:
            break
        groups = [group for group in groups if not rows & group.plans.keys()]
        others = sum(group.score for group in groups)
        members = sorted(row for group in joined for row in group.plans)
        groups.append(_solve_group(problem, members, held, least=least - others))
    found = {row: plan for group in groups for row, plan in group.plans.items()}
    return Plan(
        score,
        tuple(found[row] for row in range(len(problem.rows))),
        tuple(groups),
        score >= least - _EVEN and all(group.proven for group in groups),
    )


def _solve_group(problem: Problem, members: Sequence[int], held: Held, *, least: float) -> Group:
    """The best of some rows together, best first, by excluding one user after the other of a face."""
    first = {row: problem.plan(row, held) for row in members}
    queue = [(-_score(first), 0, first, dict(held))]
    pushed = 0
    while queue:
        negative, _, plans, now = heappop(queue)
        problem._steps[0] += 1
        over = _too_many_users(problem, plans.items())
        if over is None:
            return Group(plans, -negative, True)
        if problem._steps[0] >= problem.most_steps or -negative < least - _EVEN:
            return Group(plans, -negative, False)
        face, users = over
        # One user more than there is room for must show another face: the first that does, each in turn. Who
        # was held to this face further up comes first and cannot give way.
        kept = dict(now)
        free = [index for index in users if index not in now or now[index][0] == NONE]
        # Who would lose most first: then the likely branch, without him who loses least, is the most settled.
        free.sort(key=lambda index: problem.loss(index, face), reverse=True)
        for place, index in enumerate(free, start=len(users) - len(free)):
            if place > problem.room[face]:
                break
            banned = now[index][1] if index in now else frozenset()
            branch = {**kept, index: (NONE, banned | {face})}
            # The rows of those who are held to what they show already stay as they are.
            row = problem.row_of[index]
            replanned = {**plans, row: problem.plan(row, branch)}
            pushed += 1
            heappush(queue, (-_score(replanned), pushed, replanned, branch))
            kept[index] = face, banned
    raise AssertionError("every tile may show a face that nobody names, so some explanation always fits")


def _score(plans: Mapping[int, RowPlan]) -> float:
    return sum(plan.score for plan in plans.values())


def _held(now: Belief, only: int, banned: frozenset[int]) -> Belief:
    if only != NONE:
        return settled(only, len(now.chances), now.chances[only])
    return without(now, *banned)


def _too_many_users(problem: Problem, plans: Iterable[tuple[int, RowPlan]]) -> tuple[int, list[int]] | None:
    """A face shown more often than there is room for, with its tiles but certain ones; the least excess."""
    users: dict[int, list[int]] = {}
    for row, plan in plans:
        for index, code in zip(problem.rows[row], plan.picks, strict=True):
            if code != NONE and not problem.beliefs[index].fixed:
                users.setdefault(code, []).append(index)
    over = [
        (len(tiles) - problem.room[code], code)
        for code, tiles in users.items()
        if len(tiles) > problem.room[code]
    ]
    if not over:
        return None
    _, face = min(over)
    return face, users[face]


def another(problem: Problem, near: Plan, index: int, code: int) -> Plan:
    """An explanation in which a tile does not show this face, by changing its row alone: no worse is best."""
    row = problem.row_of[index]
    left = list(problem.room)
    for number, plan in enumerate(near.rows):
        if number != row:
            for tile, shown in zip(problem.rows[number], plan.picks, strict=True):
                if shown != NONE and not problem.beliefs[tile].fixed:
                    left[shown] -= 1
    full = frozenset(face for face, count in enumerate(left) if count <= 0)
    held = {
        tile: (NONE, full | {code} if tile == index else full)
        for tile in problem.rows[row]
        if not problem.beliefs[tile].fixed
    }
    plan = problem.plan(row, held)
    rows = (*near.rows[:row], plan, *near.rows[row + 1 :])
    fits = _too_many_users(problem, enumerate(rows)) is None
    score = near.score - near.rows[row].score + plan.score if fits else -inf
    return Plan(score, rows, (), fits)
