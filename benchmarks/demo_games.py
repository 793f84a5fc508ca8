"""Games of the simulated players through the whole companion, kept in a file line by line.

    python -m benchmarks.demo_games OUT.jsonl [--rules etalat doizece regulament] [--games 20] [--seed 1000]
                                    [--processes 2] [--untaught]

Plays what is not in the file yet, so that it may be stopped at any time and started again, and prints the
figures of all games in it by rule set. docs/demo.md says what the keys of a line mean.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any

RULES = ("etalat", "doizece", "regulament")


def play(job: tuple[str, int, int, bool]) -> dict[str, Any] | str:
    """One game; or why it cannot be played on this table."""
    from companion.demo_players.headless import play_headless
    from vision.virtual.places import NoRoomError

    key, seed, number, taught = job
    try:
        return play_headless(key, seed, number=number, taught=taught).document()
    except NoRoomError as error:
        return f"{key} {seed} left out: {error}"


def main(argv: Sequence[str] | None = None) -> int:
    """Plays and prints."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--rules", nargs="+", default=list(RULES), choices=RULES)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--untaught", action="store_true", help="with sets that the reader was not taught")
    given = parser.parse_args(argv)
    # Two processes side by side, each on one core.
    os.environ["OMP_NUM_THREADS"] = "1"
    done = read(given.out)
    have = {(line["rules"], line["seed"]) for line in done}
    jobs = [
        (key, given.seed + at, at + 1, not given.untaught)
        for at in range(given.games)
        for key in given.rules
        if (key, given.seed + at) not in have
    ]
    from companion.demo_players.report import in_words, summary

    with get_context("spawn").Pool(given.processes) as pool, given.out.open("a", encoding="utf-8") as out:
        for line in pool.imap_unordered(play, jobs):
            if isinstance(line, str):
                print(line, file=sys.stderr, flush=True)
                continue
            out.write(json.dumps(line) + "\n")
            out.flush()
            done.append(line)
            print(in_words(line), file=sys.stderr, flush=True)
    by_rules = {key: summary([line for line in done if line["rules"] == key]) for key in given.rules}
    print(json.dumps({"all": summary(done), **by_rules}, indent=2))
    return 0


def read(path: Path) -> list[dict[str, Any]]:
    """The games in the file, a last line that was cut off left out."""
    if not path.is_file():
        return []
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    return [json.loads(line) for line in whole.splitlines()]


if __name__ == "__main__":
    raise SystemExit(main())
