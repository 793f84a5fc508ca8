"""How fast the referee is: best melds against rummikub-solver in the same run, replays, the process.

    python -m pytest benchmarks/test_engine_speed.py --benchmark-only      (needs the extra `bench`)

`REMI_BENCH_RACKS` (1000) says how many racks of each kind. Both solvers are asked what both can: the most
tiles of a rack that can be put down, under the other's rules (a 1 is low only, no limit to jokers). The other
library solves an integer programme. It leaves a joker on the rack that no meld needs, so with jokers it may
put down fewer; its mode for the largest value is left out, since it counts tiles whatever their value.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.bags import full_set
from engine.records import parse_record
from engine.replay import replay
from engine.rules import RuleSet, rule_set, with_changes
from engine.solver import solve
from engine.solver_table import solve_table
from engine.tiles import JOKER, TILE_COLOURS, Face

RACKS = int(os.environ.get("REMI_BENCH_RACKS", "1000"))
ROOT = Path(__file__).resolve().parent.parent
LONG_GAME = ROOT / "tests" / "corpus" / "records" / "etalat-49-wall-empty.remi.jsonl"
RUMMIKUB = with_changes(
    rule_set("etalat"),
    {
        "one_after_13": False,
        "run_max_length": 13,
        "meld_real_tiles_min": 1,
        "number_points": list(range(2, 14)),
        "one_low_points": 1,
        "one_group_points": 1,
    },
)


def racks(size: int, jokers: int, rules: RuleSet = RUMMIKUB) -> list[list[Face]]:
    """Random racks, the same in every run."""
    random = Random(1000 * size + jokers)
    real = [face for face in full_set(rules) if not face.is_joker]
    return [random.sample(real, size - jokers) + [JOKER] * jokers for _ in range(RACKS)]


def timed(call: Callable[..., Any], *arguments: object, **named: object) -> tuple[float, Any]:
    """How many milliseconds a call takes, and what it gives."""
    start = time.perf_counter()
    given = call(*arguments, **named)
    return (time.perf_counter() - start) * 1000, given


@pytest.mark.parametrize("jokers", [0, 1, 2])
@pytest.mark.parametrize("size", [14, 15])
def test_best_within_its_limits(benchmark: Any, size: int, jokers: int) -> None:
    """At most 10 ms in the median and 50 ms at worst."""
    rules = rule_set("etalat")
    taken = [timed(solve, rack, rules, opened=True)[0] for rack in racks(size, jokers)]
    benchmark.extra_info |= {"median_ms": statistics.median(taken), "worst_ms": max(taken)}
    print(
        f"\nbest, {size} tiles, {jokers} jokers: {statistics.median(taken):.2f} ms, worst {max(taken):.1f} ms"
    )
    benchmark(solve, racks(size, jokers)[0], rules, opened=True)
    assert statistics.median(taken) <= 10
    assert max(taken) <= 50


def test_best_against_rummikub_solver(benchmark: Any) -> None:
    """As many tiles, and ten times as fast in the median of all racks."""
    theirs = pytest.importorskip("rummikub_solver")
    game = theirs.RuleSet(jokers=2)
    ours_ms: list[float] = []
    theirs_ms: list[float] = []
    for size, jokers in ((size, jokers) for size in (14, 15) for jokers in (0, 1, 2)):
        start = len(ours_ms)
        for rack in racks(size, jokers):
            spent, table = timed(solve_table, tuple(rack), RUMMIKUB)
            ours_ms.append(spent)
            state = game.new_game()
            state.add_rack(*(_their_tile(game, face) for face in rack))
            spent, found = timed(game.solve, state, theirs.SolverMode.TILE_COUNT)
            theirs_ms.append(spent)
            placed = len(found.tiles) if found else 0
            more = len(rack) - min(way.left for way in table) - placed
            assert 0 <= more <= jokers, rack
        ours, other = statistics.median(ours_ms[start:]), statistics.median(theirs_ms[start:])
        print(
            f"\n{size} tiles, {jokers} jokers: {ours:.2f} ms, theirs {other:.2f} ms, {other / ours:.1f} times"
        )
    ours, other = statistics.median(ours_ms), statistics.median(theirs_ms)
    print(f"\nall racks: {ours:.2f} ms, theirs {other:.2f} ms, {other / ours:.1f} times as fast")
    benchmark.extra_info |= {"ours_ms": ours, "rummikub_solver_ms": other}
    benchmark(solve_table, tuple(racks(15, 1)[0]), RUMMIKUB)
    assert other >= 10 * ours


def _their_tile(game: Any, face: Face) -> Any:
    if face.is_joker:
        return game.tiles[-1]
    return game.tiles[13 * TILE_COLOURS.index(face.colour) + face.number - 1]


def test_replay_of_a_long_record(benchmark: Any) -> None:
    """A record of over 150 entries with its scores: under 20 ms."""
    record = parse_record(LONG_GAME.read_text(encoding="utf-8"))
    assert len(record.entries) >= 150
    benchmark(lambda: replay(record).scores)
    assert benchmark.stats.stats.median < 0.020


def test_remi_replay_as_a_process(benchmark: Any) -> None:
    """From nothing to the JSON: under 0.4 s."""
    command = [sys.executable, "-m", "companion", "replay", str(LONG_GAME), "--json"]
    benchmark.pedantic(lambda: subprocess.run(command, check=True, capture_output=True, cwd=ROOT), rounds=7)
    assert benchmark.stats.stats.median < 0.4
