"""Kills a running table at random moments and looks whether anything that was committed is lost.

python -m benchmarks.kill_table --kills 200 --seed 1

A table without page, board and camera runs in a process of its own: journal, table thread and everything
between are the real ones, and scripted looks play legal games, with pauses, corrections and next deals. The
process says of every row when it is published. It gets SIGKILL at a random moment after its start, or after
its first row, and is started again on the same journal. After each kill: the rows of before are there
unchanged, what was said to be published is there, numbers have no gap, and the history folds. At the end the
table must go on, and each game's record must replay to the state that was published.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

from companion.table.config import parse_config
from companion.table.export import games_in, record_text
from companion.table.history import fold
from companion.table.inputs import Post
from companion.table.journal import read_journal
from companion.table.published import Published
from companion.table.running import RunningTable
from engine.commands import Command
from engine.records import parse_record
from engine.replay import replay
from engine.state import State
from tests.companion.table.scripted import Scripted, look, played_script

RULES = ("etalat", "doizece", "regulament")
PATIENCE_S = 120.0


class Script:
    """A sight whose looks follow a script; it looks again as soon as the last look was handled."""

    def __init__(self, on_reading: Any, random: Random) -> None:
        self._see, self._random = on_reading, random
        self.table: RunningTable | None = None
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._run, name="eyes", daemon=True)

    def start(self, table: RunningTable) -> None:
        """Begins to look at a table that has started."""
        self.table = table
        self._thread.start()

    def _run(self) -> None:
        assert self.table is not None
        table = self.table.table
        while not self._ends.is_set():
            core = table.core
            follower = core.follower
            assert isinstance(follower, Scripted)
            chance = self._random.random()
            if chance < 0.02:
                table.post(Post("undo")).result()
            elif chance < 0.04:
                table.post(Post("rename", {"seat": 0, "name": f"Ana {self._random.randrange(100)}"})).result()
            elif chance < 0.06:
                table.post(Post("pause")).result()
                table.post(Post("resume")).result()
            else:
                self._see(look(len(follower.log) + self._random.randint(1, 5)))
                table.post(Post("resume")).result()  # once it is answered, the look has been handled
            if core.history.match is not None and table.published.public["match"]["over"]:
                table.post(Post("new_match")).result()

    def end(self, *, ended: bool) -> None:
        """Looks at everything anyhow."""

    def close(self) -> None:
        """Stops looking."""
        self._ends.set()
        if self._thread.is_alive():
            self._thread.join()


def play(folder: Path, rules: str, seed: int, rows: int | None) -> None:
    """The process that is killed; with `rows` it ends by itself once so many rows were written."""
    scripts: dict[int, tuple[Command, ...]] = {}

    def new_follower(state: State, log: Sequence[Command], *, commit: str) -> Scripted:
        if state.dealer not in scripts:
            scripts[state.dealer] = played_script(rules, seed, dealer=state.dealer)
        return Scripted(scripts[state.dealer], state, tuple(log), commit)

    sights: list[Script] = []

    def open_sight(config: object, rules: object, *, on_reading: Any, on_part: object) -> Script:  # noqa: ARG001
        sights.append(Script(on_reading, Random(time.time_ns())))
        return sights[0]

    enough = threading.Event()

    def published(_now: Published) -> None:
        last = running.table.core.history.last if running is not None else 0
        os.write(1, f"{last}\n".encode())
        if rows is not None and last >= rows:
            enough.set()

    running: RunningTable | None = None
    text = f"[rules]\nbase = '{rules}'\n[match]\ngames = 2\n"
    config = parse_config(text, folder=folder)
    running = RunningTable(config, open_sight=open_sight, new_follower=new_follower, on_published=published)
    with running:
        sights[0].start(running)
        enough.wait()


class Killer:
    """Runs the process again and again, and looks at the journal in between."""

    def __init__(self, folder: Path, rules: str, seed: int) -> None:
        self.folder, self.rules, self.seed = folder, rules, seed
        self.journal = folder / "remi-journal.sqlite"
        self.random = Random(seed)
        self.rows: tuple[Any, ...] = ()
        self.before_rows = self.lost = self.changed = self.gaps = self.stuck = 0

    def start(self, rows: int | None = None) -> subprocess.Popen[str]:
        """The process, with a pipe that says what it has published."""
        command = [sys.executable, "-m", "benchmarks.kill_table", "--child", str(self.folder)]
        command += ["--rules", self.rules, "--seed", str(self.seed)]
        command += [] if rows is None else ["--rows", str(rows)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)

    def kill_once(self) -> None:
        """Starts, kills at a random moment, and checks."""
        process = self.start()
        assert process.stdout is not None
        said: list[int] = []
        if self.random.random() < 0.7:
            said += [int(process.stdout.readline() or 0)]
            time.sleep(self.random.uniform(0, 0.5))
        else:
            time.sleep(self.random.uniform(0, 3.0))
        process.kill()
        rest, _ = process.communicate(timeout=PATIENCE_S)
        # The last line may have been cut by the kill.
        said += [int(line) for line in rest.splitlines(keepends=True) if line.endswith("\n")]
        self.before_rows += not said
        self.check(max(said, default=0))

    def check(self, published: int) -> None:
        """The journal after a kill against what it held before it and what was published."""
        if not self.journal.is_file():
            self.lost += published > 0
            return
        try:
            rows = read_journal(self.journal)
        except ValueError as error:
            # Killed while the file was being made: nothing had been written that could be lost.
            self.lost += bool(self.rows) or published > 0
            print(f"  {error}", file=sys.stderr)
            return
        self.lost += len(rows) < max(published, len(self.rows))
        self.changed += rows[: len(self.rows)] != self.rows
        self.gaps += [row.number for row in rows] != list(range(1, len(rows) + 1))
        fold(rows)
        self.rows = rows

    def finish(self) -> int:
        """Lets the table play on; returns how many rows more it wrote."""
        before = len(self.rows)
        process = self.start(before + 30)
        said, _ = process.communicate(timeout=PATIENCE_S)
        self.check(max(map(int, said.split()), default=0))
        self.stuck += len(self.rows) < before + 30 or process.returncode != 0
        for _, game in games_in(self.journal):
            again = replay(parse_record(record_text(game)))
            self.changed += again.state != replay(game.record).state
        return len(self.rows) - before


def main() -> int:
    """Kills, and prints a line for each rule set; exit code 1 where something was lost."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", choices=RULES, default=None, help="by default each in turn")
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--rows", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.child is not None:
        play(asked.child, asked.rules, asked.seed, asked.rows)
        return 0
    kinds = RULES if asked.rules is None else (asked.rules,)
    bad = 0
    for at, rules in enumerate(kinds):
        kills = asked.kills // len(kinds) + (at < asked.kills % len(kinds))
        with tempfile.TemporaryDirectory() as folder:
            killer = Killer(Path(folder), rules, asked.seed)
            for _ in range(kills):
                killer.kill_once()
            more = killer.finish()
            found = {
                "rules": rules,
                "kills": kills,
                "before_the_first_publication": killer.before_rows,
                "rows": len(killer.rows),
                "games": len(games_in(killer.journal)),
                "committed_rows_lost": killer.lost,
                "rows_changed": killer.changed,
                "gaps": killer.gaps,
                "did_not_go_on": killer.stuck,
                "rows_written_after_the_last_kill": more,
            }
        print(json.dumps(found), flush=True)
        bad += killer.lost + killer.changed + killer.gaps + killer.stuck
    print(f"{asked.kills} kills: {bad} failures")
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
