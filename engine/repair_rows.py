"""The likeliest explanation of one row of touching tiles: its melds, its loose tiles, what each shows."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Final

from engine.repair_beliefs import NONE
from engine.rules import MELD_MIN_LENGTH
from engine.shapes import last_place, longest_run
from engine.tiles import HIGHEST

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.repair_beliefs import Belief
    from engine.rules import RuleSet
    from engine.values import Shape

_MOST_JOKERS: Final = 2


@dataclass(frozen=True, slots=True)
class Pattern:
    """The melds of a rule set as numbers, and what each adds to the log odds of an explanation.

    `worth[length][jokers]` is what a meld of that many tiles adds, -inf where the rules forbid it. `ceiling`
    has the most that a meld can gain, by the number of tiles there is room for, over leaving all of it loose.
    """

    colours: int
    last: int
    longest: int
    worth: tuple[tuple[float, ...], ...]
    ceiling: tuple[float, ...]
    loose: float

    @classmethod
    def of(
        cls, rules: RuleSet, *, start: float, tile: float, most: float, joker: float, loose: float
    ) -> Pattern:
        """The pattern of a rule set; the numbers are those of `RepairSettings`."""
        longest = max(longest_run(rules), len(rules.colours))
        worth = tuple(
            tuple(
                min(most, start + tile * length) - joker * jokers if _allowed(length, jokers, rules) else -inf
                for jokers in range(_MOST_JOKERS + 1)
            )
            for length in range(longest + 1)
        )
        best = -inf
        ceiling = []
        for length in range(longest + 1):
            best = max(best, max(worth[length]) + loose * length)
            ceiling.append(best)
        return cls(len(rules.colours), last_place(rules), longest_run(rules), worth, tuple(ceiling), loose)


def _allowed(length: int, jokers: int, rules: RuleSet) -> bool:
    """RULES.md, jokers in a meld."""
    real = length - jokers
    return (
        length >= MELD_MIN_LENGTH
        and jokers <= rules.meld_jokers_max
        and real >= max(1, rules.meld_real_tiles_min, jokers * rules.meld_real_tiles_per_joker)
    )


@dataclass(frozen=True, slots=True)
class Laid:
    """A meld in a row: places `start` to `stop` (not included), its shape, and the code each tile shows.

    `run` has the place in the run (1 to 14) of its first tile, and 1 where it rises, -1 where it falls.
    """

    start: int
    stop: int
    shape: Shape
    codes: tuple[int, ...]
    run: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class RowPlan:
    """An explanation of a row: its log odds, what each tile shows (NONE: no certain face), its melds."""

    score: float
    picks: tuple[int, ...]
    melds: tuple[Laid, ...]


@dataclass(frozen=True, slots=True)
class _Find:
    """The best meld from one place with one length; `at` tells a run's colour, first place, step."""

    gain: float
    jokers: int
    at: tuple[int, int, int] | None
    codes: tuple[int, ...]


def best_row(row: Sequence[Belief], pattern: Pattern) -> RowPlan:
    """The likeliest explanation of a row; of equal ones always the same.

    Either every tile lies loose, or the row holds melds: those add what they are worth, and what lies loose
    beside them takes off.
    """
    apart = RowPlan(sum(one.loose for one in row), tuple(one.pick for one in row), ())
    if len(row) < MELD_MIN_LENGTH:
        return apart
    # best[start]: the score from there on; step[start]: the meld that begins there.
    best = [0.0] * (len(row) + 1)
    step: list[tuple[int, _Find] | None] = [None] * (len(row) + 1)
    for start in range(len(row) - 1, -1, -1):
        best[start] = row[start].loose - pattern.loose + best[start + 1]
        for length, find in _finds(row, start, pattern).items():
            score = find.gain + best[start + length]
            if score > best[start]:
                best[start], step[start] = score, (length, find)
    if best[0] <= apart.score:
        return apart
    picks = list(apart.picks)
    melds = []
    start = 0
    while start < len(row):
        chosen = step[start]
        if chosen is None:
            start += 1
            continue
        length, find = chosen
        laid = _laid(row, start, length, find, pattern)
        picks[start : start + length] = laid.codes
        melds.append(laid)
        start += length
    return RowPlan(best[0], tuple(picks), tuple(melds))


def _finds(row: Sequence[Belief], start: int, pattern: Pattern) -> dict[int, _Find]:
    """The best meld of each length that begins at a place; those that cannot be worth it are left out."""
    stop = start
    end = min(len(row), start + len(pattern.worth) - 1)
    while stop < end and not (row[stop].only == NONE and row[stop].fixed):
        stop += 1
    found: dict[int, _Find] = {}
    if stop - start >= MELD_MIN_LENGTH:
        run, group = _possible(row, start, pattern)
        if run:
            _add_runs(row, start, stop, pattern, found)
        if group:
            _add_groups(row, start, stop, pattern, found)
    return found


def _possible(row: Sequence[Belief], start: int, pattern: Pattern) -> tuple[bool, bool]:
    """Whether a run, and whether a group may begin at a place, by the certain ones of three tiles."""
    joker = pattern.colours * HIGHEST
    run = group = True
    earlier: list[tuple[int, int, int]] = []
    for at in range(MELD_MIN_LENGTH):
        only = row[start + at].only
        if only in (NONE, joker):
            continue
        colour, number = divmod(only, HIGHEST)
        for other_at, other_colour, other in earlier:
            group = group and colour != other_colour and number == other
            apart = {abs(number - other)}
            if pattern.last > HIGHEST and 0 in (number, other):
                apart.add(HIGHEST - max(number, other))
            run = run and colour == other_colour and at - other_at in apart
        earlier.append((at, colour, number))
    return run, group


def _add_runs(
    row: Sequence[Belief], start: int, stop: int, pattern: Pattern, found: dict[int, _Find]
) -> None:
    joker = pattern.colours * HIGHEST
    stop = min(stop, start + pattern.longest)
    ceiling, worth = pattern.ceiling[stop - start], pattern.worth
    tiles = [(one.chances, one.chances[joker], one.loose) for one in row[start:stop]]
    for colour, first, step in _run_starts(row, start, pattern):
        base = colour * HIGHEST
        place = first
        none, one, two, loose = 0.0, -inf, -inf, 0.0
        for length, (chances, wild, apart) in enumerate(tiles, start=1):
            if not 1 <= place <= pattern.last:
                break
            real = chances[base + (place - 1) % HIGHEST]
            two = max(two + real, one + wild)
            one = max(one + real, none + wild)
            none += real
            loose += apart
            # Even the best meld would be beaten by the same tiles lying loose.
            if max(none, one, two) - loose + ceiling < 0:
                break
            place += step
            if length < MELD_MIN_LENGTH:
                continue
            for jokers, (chance, bonus) in enumerate(zip((none, one, two), worth[length], strict=True)):
                gain = chance + bonus
                if gain > -inf and (length not in found or gain > found[length].gain):
                    found[length] = _Find(gain, jokers, (colour, first, step), ())


def _run_starts(row: Sequence[Belief], start: int, pattern: Pattern) -> Iterator[tuple[int, int, int]]:
    """The runs that may begin at a place: colour, first place (1 to 14), and 1 rising or -1 falling.

    A certain tile among the first three leaves few of them.
    """
    joker = pattern.colours * HIGHEST
    for at in range(MELD_MIN_LENGTH):
        only = row[start + at].only
        if only in (NONE, joker):
            continue
        colour, number = divmod(only, HIGHEST)
        places = [number + 1]
        if number == 0 and pattern.last > HIGHEST:
            places.append(pattern.last)
        for step in (1, -1):
            yield from ((colour, place - step * at, step) for place in places)
        return
    for colour in range(pattern.colours):
        for first in range(1, pattern.last + 1):
            yield colour, first, 1
            yield colour, first, -1


def _add_groups(
    row: Sequence[Belief], start: int, stop: int, pattern: Pattern, found: dict[int, _Find]
) -> None:
    joker = pattern.colours * HIGHEST
    stop = min(stop, start + pattern.colours)
    anchor = next((one.only for one in row[start : start + 3] if one.only not in (NONE, joker)), NONE)
    numbers = range(HIGHEST) if anchor == NONE else (anchor % HIGHEST,)
    ceiling = pattern.ceiling[stop - start]
    for number in numbers:
        # states: the colours that lie (as bits) and the jokers, with the chance and the codes.
        states: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {(0, 0): (0.0, ())}
        loose = 0.0
        for length, tile in enumerate(row[start:stop], start=1):
            loose += tile.loose
            states = _grown(states, tile, number, joker, least=loose - ceiling)
            if not states:
                break
            if length < MELD_MIN_LENGTH:
                continue
            for (_, jokers), (chance, codes) in states.items():
                gain = chance + pattern.worth[length][jokers]
                if gain > -inf and (length not in found or gain > found[length].gain):
                    found[length] = _Find(gain, jokers, None, codes)


def _grown(
    states: dict[tuple[int, int], tuple[float, tuple[int, ...]]],
    tile: Belief,
    number: int,
    joker: int,
    *,
    least: float,
) -> dict[tuple[int, int], tuple[float, tuple[int, ...]]]:
    """The states after one more tile; those under `least` are hopeless."""
    grown: dict[tuple[int, int], tuple[float, tuple[int, ...]]] = {}
    choices = [(code, tile.chances[code]) for code in (*range(number, joker, HIGHEST), joker)]
    for (colours, jokers), (chance, codes) in states.items():
        for code, more in choices:
            total = chance + more
            if total < least:
                continue
            if code == joker:
                key = colours, jokers + 1
            elif colours & (bit := 1 << code // HIGHEST):
                continue
            else:
                key = colours | bit, jokers
            if key[1] <= _MOST_JOKERS and (key not in grown or total > grown[key][0]):
                grown[key] = total, (*codes, code)
    return grown


def _laid(row: Sequence[Belief], start: int, length: int, find: _Find, pattern: Pattern) -> Laid:
    """The meld that was found, with the code each tile shows."""
    if find.at is None:
        return Laid(start, start + length, "group", find.codes)
    colour, first, step = find.at
    joker = pattern.colours * HIGHEST
    codes = [colour * HIGHEST + (first + step * at - 1) % HIGHEST for at in range(length)]

    def cost(at: int) -> float:
        # A tile that can be nothing else is a joker first, one that can be no joker last.
        chances = row[start + at].chances
        if chances[codes[at]] == -inf:
            return -inf
        return chances[codes[at]] - chances[joker]

    for at in sorted(range(length), key=cost)[: find.jokers]:
        codes[at] = joker
    return Laid(start, start + length, "run", tuple(codes), (first, step))
