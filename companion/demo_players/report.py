"""Games without a screen, one line each, and their summary."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from companion.demo_players.headless import play_headless, spread

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.demo_players.headless import Result
    from vision.reader import Reader


def games(
    key: str, seed: int, count: int, *, reader: Reader | None = None, taught: bool = True
) -> Iterator[Result]:
    """So many games, with the seeds from `seed` on, each with a set of its own that is `taught` before."""
    for number in range(count):
        yield play_headless(key, seed + number, number=number + 1, reader=reader, taught=taught)


def summary(lines: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The figures of many games, from their lines."""
    found = list(lines)
    medians = [
        line["settled_to_score_ms"]["median"] for line in found if line["settled_to_score_ms"]["median"]
    ]
    worst = [line["settled_to_score_ms"]["p95"] for line in found if line["settled_to_score_ms"]["p95"]]
    return {
        "games": len(found),
        "exact": sum(line["exact"] for line in found),
        "flagged": sum(line["flagged"] for line in found),
        "silent_errors": sum(line["silent_errors"] for line in found),
        "questions_median": statistics.median(line["questions"] for line in found) if found else None,
        "corrections_median": statistics.median(line["corrections"] for line in found) if found else None,
        "settled_to_score_ms": {"median": spread(medians)["median"], "p95": spread(worst)["median"]},
        "cpu_s_a_game": round(statistics.mean(line["cpu_s"] for line in found), 1) if found else None,
    }


def in_words(line: dict[str, Any]) -> str:
    """One game for people."""
    came = "exact" if line["exact"] else "flagged" if line["flagged"] else "WRONG"
    settled = line["settled_to_score_ms"]["median"]
    return (
        f"{line['rules']} {line['seed']}: {came}, {_points(line['scores'])} of {_points(line['expected'])}, "
        f"silent errors {line['silent_errors']}, questions {line['questions']}, corrections "
        f"{line['corrections']}, {line['turns']} turns, "
        f"settled to score {settled} ms, {line['cpu_s']} s of CPU"
    )


def _points(scores: Sequence[int]) -> str:
    return "/".join(map(str, scores))
