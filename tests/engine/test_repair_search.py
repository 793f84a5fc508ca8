"""The search behind the repair against brute force: single rows, and all rows with the set's copies."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from math import inf

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.grouping import split_row
from engine.repair_beliefs import NONE, Belief, Codes, belief, codes_of, settled, without
from engine.repair_rows import Pattern, RowPlan, best_row
from engine.repair_search import Problem, another, solve
from engine.rules import RuleSet, rule_set
from engine.tiles import JOKER, Face
from tests.engine.strategies import house

START, TILE, MOST, JOKER_COST, LOOSE = -0.5, 2.0, 7.0, 0.5, 2.0
"""`MOST` is low here, so that a meld of few tiles reaches it."""

RULES = [rule_set("etalat"), rule_set("doizece"), house("etalat", one_after_13=False, run_max_length=4)]


def pattern(rules: RuleSet) -> Pattern:
    return Pattern.of(rules, start=START, tile=TILE, most=MOST, joker=JOKER_COST, loose=LOOSE)


@cache
def codes(rules: RuleSet) -> Codes:
    return codes_of(rules)


def few(rules: RuleSet) -> list[int]:
    """Codes near to each other, of which melds come about by chance."""
    words = [("r", n) for n in (12, 13, 1, 2, 3)] + [("y", 1), ("b", 1), ("k", 1), ("y", 13)]
    code = codes(rules).code
    return [*(code[Face(colour, number)] for colour, number in words), code[JOKER]]


@st.composite
def beliefs(draw: st.DrawFn, rules: RuleSet) -> Belief:
    """Of a tile: certain, nothing at all, or a few faces, named or not."""
    count = len(codes(rules).faces)
    kind = draw(st.sampled_from(["certain", "certain", "doubtful", "doubtful", "doubtful", "nothing"]))
    if kind == "nothing":
        return settled(NONE, count)
    if kind == "certain":
        return settled(draw(st.sampled_from(few(rules))), count)
    listed = draw(st.lists(st.sampled_from(few(rules)), min_size=1, max_size=3, unique=True))
    rest = draw(st.sampled_from([-inf, -6.0, -2.5]))
    aside = draw(st.sampled_from([-1.0, -3.0, -7.0]))
    chances = [-inf] * count
    for code in few(rules):
        chances[code] = rest
    for at, code in enumerate(listed):
        chances[code] = -0.25 * draw(st.integers(0, 16)) if at else 0.0
    return belief(chances, tuple(listed), max(aside, rest))


def faces_of(one: Belief) -> list[tuple[int, float]]:
    """All that a tile may show in an explanation, loose or in a meld."""
    shown = [(code, chance) for code, chance in enumerate(one.chances) if chance > -inf]
    return [*shown, (NONE, one.aside)] if one.aside > -inf else shown


@cache
def structure(shown: tuple[int, ...], rules: RuleSet) -> float:
    """What the melds of a row add at best: every way to cut it, by the engine's own judge of melds."""
    known = codes(rules).faces

    @cache
    def best(start: int) -> float:
        if start == len(shown):
            return 0.0
        found = best(start + 1) - LOOSE
        for stop in range(start + 3, len(shown) + 1):
            part = [known[code] for code in shown[start:stop] if code != NONE]
            split = split_row(part, rules)
            if len(part) == stop - start and len(split.melds) == 1 and not split.loose:
                jokers = sum(face.is_joker for face in part)
                worth = min(MOST, START + TILE * len(part)) - JOKER_COST * jokers
                found = max(found, worth + best(stop))
        return found

    return max(0.0, best(0))


def brute(rows: list[list[Belief]], rules: RuleSet, copies: tuple[int, ...]) -> float:
    """The score of the likeliest explanation, by trying all."""
    certain = Counter(one.only for row in rows for one in row if one.fixed)
    room = [max(count, certain[code]) for code, count in enumerate(copies)]
    tiles = [one for row in rows for one in row]
    best = -inf
    for choice in product(*map(faces_of, tiles)):
        score = sum(chance for _, chance in choice)
        if score + sum(len(row) * TILE for row in rows) <= best:
            continue
        used = Counter(code for code, _ in choice if code != NONE)
        if any(count > room[code] for code, count in used.items()):
            continue
        at = 0
        for row in rows:
            score += structure(tuple(code for code, _ in choice[at : at + len(row)]), rules)
            at += len(row)
        best = max(best, score)
    return best


def explained(rows: list[list[Belief]], plans: tuple[RowPlan, ...], rules: RuleSet) -> float:
    """The score of what was found, counted anew."""
    score = 0.0
    for row, plan in zip(rows, plans, strict=True):
        for one, code in zip(row, plan.picks, strict=True):
            score += one.aside if code == NONE else one.chances[code]
        score += structure(plan.picks, rules)
    return score


@settings(max_examples=120, deadline=None)
@given(st.data(), st.sampled_from(RULES))
def test_a_row_by_itself(data: st.DataObject, rules: RuleSet) -> None:
    row = data.draw(st.lists(beliefs(rules), min_size=1, max_size=5))
    plan = best_row(row, pattern(rules))
    boundless = tuple(99 for _ in codes(rules).faces)
    assert plan.score == pytest.approx(brute([row], rules, boundless))
    assert explained([row], (plan,), rules) == pytest.approx(plan.score)


@settings(max_examples=120, deadline=None)
@given(st.data(), st.sampled_from(RULES), st.integers(1, 2))
def test_all_rows_with_the_copies_of_the_set(data: st.DataObject, rules: RuleSet, copies: int) -> None:
    one = beliefs(rules)
    rows = [
        data.draw(st.lists(one, min_size=1, max_size=4)),
        data.draw(st.lists(one, max_size=2)),
    ]
    limits = tuple(copies for _ in codes(rules).faces)
    tiles = [tile for row in rows for tile in row]
    places = (tuple(range(len(rows[0]))), tuple(range(len(rows[0]), len(tiles))))
    problem = Problem(tuple(tiles), places, limits, pattern(rules), 100_000)
    plan = solve(problem)
    assert plan.proven
    assert plan.score == pytest.approx(brute(rows, rules, limits))
    assert explained(rows, plan.rows, rules) == pytest.approx(plan.score)
    certain = Counter(tile.only for tile in tiles if tile.fixed)
    used = Counter(code for row in plan.rows for code in row.picks if code != NONE)
    assert all(count <= max(copies, certain[code]) for code, count in used.items())


@settings(max_examples=60, deadline=None)
@given(st.data(), st.sampled_from(RULES))
def test_what_a_tile_is_not(data: st.DataObject, rules: RuleSet) -> None:
    """The question behind the odds of a repair: the best explanation in which a tile shows another face."""
    row = data.draw(st.lists(beliefs(rules), min_size=3, max_size=5))
    limits = codes(rules).copies
    problem = Problem(tuple(row), (tuple(range(len(row))),), limits, pattern(rules), 100_000)
    best = solve(problem)
    for at, code in enumerate(best.rows[0].picks):
        if code == NONE or row[at].fixed:
            continue
        other = without(problem.possible[at], code)
        found = solve(problem, near=best, held={at: (NONE, frozenset((code,)))})
        assert found.score == pytest.approx(brute([[*row[:at], other, *row[at + 1 :]]], rules, limits))
        assert found.score <= best.score + 1e-9
        # One that is quickly found is no better, and one that is not worth it is not searched for.
        assert another(problem, best, at, code).score <= found.score + 1e-9
        least = found.score + 0.5
        cut = solve(problem, near=best, held={at: (NONE, frozenset((code,)))}, least=least)
        assert not cut.proven
        assert found.score - 1e-9 <= cut.score < least


def test_a_search_cut_short_still_bounds_what_there_is() -> None:
    rules = rule_set("etalat")
    count = len(codes(rules).faces)
    near = few(rules)

    def unsure(one: int, other: int) -> Belief:
        chances = [-9.0] * count
        chances[one], chances[other] = 0.0, -0.5
        return belief(chances, (one, other), -9.0)

    tiles = tuple(unsure(near[at % 2], near[at % 2 + 1]) for at in range(7))
    problem = Problem(tiles, tuple((at,) for at in range(7)), codes(rules).copies, pattern(rules), 3)
    cut = solve(problem)
    whole = solve(Problem(tiles, problem.rows, problem.copies, problem.pattern, 100_000))
    assert (cut.proven, whole.proven) == (False, True)
    assert cut.score >= whole.score
