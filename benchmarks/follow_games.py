"""How well games are followed through a noisy camera: silent errors, questions, exact scores, time a look.

    python -m benchmarks.follow_games [--games 300] [--seed 1000] [--rules etalat doizece regulament]
                                      [--noise issued|late|nobodys|clean] [--no-buttons] [--processes 2]

Games are played by the simulated players; looks at them are made up (`engine.sim`): 2 % of the tiles of a
look misread, 2 % missing, 1 % extra, 5 % of the presses missed, 5 % of the discards without a look
before the next player has played, hands over the row, melds pushed about, half turns, tiles taken back.
An arbiter who saw it all answers questions and mends what is reported and does not come right by itself. A
silent error is a committed turn that is wrong and that nobody was told of to the end, or a game that is not
finished while neither a report nor a question is open. `nobodys`: the row is found only when two to five
tiles lie in it, and of half the melds nobody can say in front of whom they lie. Time is that of the
processor. One line a game goes to standard error, JSON to standard output.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Sequence
from multiprocessing import Pool

from engine.sim.looks import CLEAN, ISSUED, LATE, NOBODYS
from engine.sim.trial import Trial, trial

RULES = ("etalat", "doizece", "regulament")


NOISES = {"issued": ISSUED, "late": LATE, "nobodys": NOBODYS, "clean": CLEAN}


def measure(job: tuple[str, int, str, bool]) -> Trial:
    """One game."""
    key, seed, noise, buttons = job
    return trial(key, seed, noise=NOISES[noise], buttons=buttons, clock=time.process_time)


def summary(trials: Sequence[Trial]) -> dict[str, object]:
    """The figures of many games."""
    times = sorted(value for one in trials for value in one.milliseconds)
    asked = [one.questions + one.interventions for one in trials]
    return {
        "games": len(trials),
        "silent_errors": sum(one.silent for one in trials),
        "flagged": sum(one.flagged for one in trials),
        "questions_median": statistics.median(asked),
        "questions_mean": round(statistics.mean(asked), 2),
        "reports": sum(one.reports for one in trials),
        "corrections": sum(one.corrections for one in trials),
        "exact": sum(one.exact for one in trials),
        "not_finished": sum(not one.finished for one in trials),
        "wrong_score": sum(one.finished and not one.exact for one in trials),
        "ms_median": round(times[len(times) // 2], 2),
        "ms_p95": round(times[int(len(times) * 0.95)], 2),
        "ms_max": round(times[-1], 1),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Prints the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--rules", nargs="+", default=list(RULES))
    parser.add_argument("--noise", choices=NOISES, default="issued", help="late: presses come late too")
    parser.add_argument("--no-buttons", action="store_true", help="nobody presses anything")
    parser.add_argument("--processes", type=int, default=1)
    given = parser.parse_args(argv)
    jobs = [
        (
            given.rules[at % len(given.rules)],
            given.seed + at // len(given.rules),
            given.noise,
            not given.no_buttons,
        )
        for at in range(given.games)
    ]
    trials: list[Trial] = []
    with Pool(given.processes) as pool:
        for one in pool.imap(measure, jobs):
            trials.append(one)
            print(
                f"{one.rules} {one.seed}: silent {one.silent} asked {one.questions} mended "
                f"{one.interventions} reports {one.reports} exact {one.exact} slowest look "
                f"{max(one.milliseconds):.0f} ms {'; '.join(one.notes)[:300]}",
                file=sys.stderr,
                flush=True,
            )
    by_rules = {key: summary([one for one in trials if one.rules == key]) for key in given.rules}
    print(json.dumps({"all": summary(trials), **by_rules}, indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
