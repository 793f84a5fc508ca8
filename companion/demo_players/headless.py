"""Whole games without a screen: simulated time, as fast as the machine allows, the same for the same seed."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from companion.demo_players.answering import right_choice
from companion.demo_players.judging import Judge, turns_of
from companion.demo_players.play import Play
from companion.table.core import Setup, start
from companion.table.inferring import NewInferring
from companion.table.inputs import Looked, Post, Posted, Pressed
from companion.table.journal import Journal
from companion.table.published import publish
from companion.table.step import step
from engine.entries import write_command
from engine.lamps import Button, ButtonPressed
from engine.players import play_game
from engine.rules import rule_set
from engine.scores import score

if TYPE_CHECKING:
    from companion.table.core import Core
    from companion.table.inputs import Input
    from engine.commands import Command
    from engine.players import Game
    from engine.table_reading import TableReading
    from vision.reader import Reader

FRAME_S: Final = 0.1
"""Simulated seconds between frames while something moves."""

AGAIN_S: Final = 1.0
"""Simulated seconds after which a table that lies still counts as another look."""

ANSWER_S: Final = 2.0
"""Simulated seconds until somebody answers a question."""

LONGEST_S: Final = 3600.0


@dataclass(slots=True)
class Result:
    """What came of one game."""

    game: int
    rules: str
    seed: int
    exact: bool
    silent_errors: int
    questions: int
    scores: tuple[int, ...]
    expected: tuple[int, ...]
    milliseconds: tuple[float, ...] = ()
    finished: bool = False
    flagged: bool = False
    turns: int = 0
    looks: int = 0
    simulated_s: float = 0.0
    cpu_s: float = 0.0
    notes: list[str] = field(default_factory=list)

    def document(self) -> dict[str, Any]:
        """As one line of JSON."""
        return {
            "game": self.game,
            "rules": self.rules,
            "seed": self.seed,
            "exact": self.exact,
            "silent_errors": self.silent_errors,
            "questions": self.questions,
            "scores": list(self.scores),
            "expected": list(self.expected),
            "settled_to_score_ms": spread(self.milliseconds),
            "flagged": self.flagged,
            "finished": self.finished,
            "turns": self.turns,
            "looks": self.looks,
            "simulated_s": round(self.simulated_s, 1),
            "cpu_s": round(self.cpu_s, 1),
            "notes": self.notes,
        }


def spread(values: tuple[float, ...] | list[float]) -> dict[str, float | None]:
    """Median and 95th percentile."""
    ordered = sorted(values)
    if not ordered:
        return {"median": None, "p95": None}
    at = min(len(ordered) - 1, int(len(ordered) * 0.95))
    return {"median": round(ordered[len(ordered) // 2], 1), "p95": round(ordered[at], 1)}


class _Table:
    """The companion's table without its thread: one input after the other, each written before it counts."""

    def __init__(self, setup: Setup, journal: Journal, judge: Judge, random: Random) -> None:
        self.setup, self.journal, self.judge, self.random = setup, journal, judge, random
        self.now = 0.0
        self.asked_at: float | None = None
        self.words: list[tuple[int, Command]] = []
        rows, self.core = start(journal.history(), setup, now=0.0, at=_AT, version=1, random=random)
        journal.append(rows)
        self.number = 1
        self.hears: Callable[[Core, Core], None] = lambda before, after: None

    def take(self, given: Input) -> None:
        """One step: rows to the disk, then the core, then what is shown."""
        before = self.core
        done = step(before, given, self.setup, now=self.now, at=_AT, random=self.random)
        self.journal.append(done.rows)
        self.core = done.core
        if self.core is not before:
            self.number += 1
            publish(self.core, self.setup, number=self.number, now=self.now)
        self.judge.saw(self.core)
        self.hears(before, self.core)

    def post(self, what: str, fields: dict[str, Any], *, anyway: bool = False) -> None:
        from concurrent.futures import Future

        self.take(Posted(Post(what, fields, None, anyway), Future()))

    # ---- what the players do

    def press(self, seat: int) -> None:
        self.take(Pressed(ButtonPressed(seat, Button.END_TURN, 1)))

    def say(self, command: Command, turns: int) -> None:
        self.words.append((turns, command))

    def count(self) -> None:
        self.post("count", {})

    def counted(self) -> bool:
        return self.core.complete

    def people(self, judge: Judge) -> None:
        """Words are tapped in once the game was followed so far, questions answered after a while."""
        while self.words and self.core.state.phase != "deal" and self.core.game.record.entries:
            turns, command = self.words[0]
            if turns_of(self.core) < turns:
                break
            self.words.pop(0)
            self.post("command", dict(write_command(command)), anyway=True)
        question = self.core.question
        if question is None:
            self.asked_at = None
        elif self.asked_at is None:
            self.asked_at = self.now
        elif self.now - self.asked_at >= ANSWER_S:
            self.asked_at = None
            choice = right_choice(self.core, judge.truth)
            judge.mended.append(f"asked: {question.text_en} -> {choice}")
            self.post("answer", {"number": question.number, "choice": choice})


_AT: Final = "2026-01-01T00:00:00Z"


def game_of(key: str, seed: int) -> tuple[Game, Random]:
    """The game of a seed, and chance for how it is played on the table."""
    rules = rule_set(key)
    random = Random(f"{key} {seed}")
    least, most = rules.players
    return play_game(rules, least + seed % (most - least + 1), random), random


def play_headless(  # noqa: PLR0913
    key: str,
    seed: int,
    *,
    number: int = 1,
    reader: Reader | None = None,
    size: tuple[int, int] = (1920, 1080),
    tell: Callable[[str], None] | None = None,
) -> Result:
    """One game from the deal to its score, through rendered frames, reader, inference and journal."""
    from companion.tilesets import load_reader

    game, random = game_of(key, seed)
    reader = reader or load_reader(threads=1)
    with (
        tempfile.TemporaryDirectory(prefix="remi-demo-") as folder,
        Journal(Path(folder) / "journal.sqlite") as journal,
    ):
        return _Run(key, seed, number, game, random, reader, size, journal, tell).run()


class _Run:
    def __init__(self, key, seed, number, game, random, reader, size, journal, tell) -> None:  # type: ignore[no-untyped-def]  # noqa: PLR0913, E501
        from vision.seeing.loop import Seeing
        from vision.virtual.setting import draw_setting
        from vision.virtual.table import VirtualTable

        self.key, self.seed, self.number, self.game, self.tell = key, seed, number, game, tell
        seats = game.state.seats
        places = tuple(range(1, seats + 1))
        self.virtual = VirtualTable(draw_setting(seed, seats=seats, size=size))
        self.seeing = Seeing(
            reader,
            self.virtual.rig(),
            self.virtual.zones.with_racks("never"),
            rules=rule_set(key),
        )
        self.judge = Judge(game)
        names = ("Ana", "Dan", "Ioana", "Mihai")[:seats]
        setup = Setup(
            rule_set(key),
            key,
            {},
            names,
            NewInferring(buttons=True),
            dealer=game.state.dealer,
            commit="discard",
        )
        self.table = _Table(setup, journal, self.judge, random)
        self.table.hears = self._heard
        self.play = Play(self.virtual, game, random, self.table, places=places, begins=1.0)
        self.looks = 0
        self.last: TableReading | None = None
        self.last_at = 0.0
        self.spent: list[tuple[float, float]] = []
        self.milliseconds: list[float] = []
        self.scored = 0
        self.ended = False

    def _heard(self, before: Core, after: Core) -> None:
        for turn in range(self.scored, min(turns_of(after), len(self.play.rested))):
            rested = self.play.rested[turn]
            waited = max(0.0, self.table.now - rested)
            busy = sum(ms for at, ms in self.spent if at >= rested)
            busy += (time.perf_counter() - self.begun) * 1000
            self.milliseconds.append(waited * 1000 + busy)
            self.scored = turn + 1
        if self.tell and after.history.last != before.history.last:
            events = [
                f"{e.event} {dict(e.fields)}"
                for e in after.game.record.entries[len(before.game.record.entries) :]
            ]
            self.tell(f"  {self.table.now:7.1f}s {'; '.join(events)}")
        if self.tell and after.differs != before.differs:
            self.tell(
                f"  {self.table.now:7.1f}s differs: {[(d.code, d.place, d.hint_en) for d in after.differs]}"
            )
        if self.tell and after.question is not None and after.question != before.question:
            q = after.question
            self.tell(f"  {self.table.now:7.1f}s asks {q.text_en} {[o.text_en for o in q.options]}")

    def run(self) -> Result:
        """Plays it."""
        from vision.sources.frames import Frame

        cpu = time.process_time()
        now, frames = 0.0, 0
        self.begun = time.perf_counter()
        while now < LONGEST_S and not (self.play.done or (self.play.shown_at and self.table.core.complete)):
            self.play(self.virtual, now)
            self.table.now = now
            self.begun = time.perf_counter()
            self.table.people(self.judge)
            pixels = self.virtual.frame(now)
            frames += 1
            self.begun = time.perf_counter()
            over = self.table.core.state.phase == "over"
            if over != self.ended:
                self.ended = over
                self.seeing.end(ended=over)
            update = self.seeing.step(Frame(pixels, now, frames), now)
            if update.reading is not None:
                self._look(update.reading, now)
            elif self.last is not None and self.seeing.quiet and now - self.last_at >= AGAIN_S:
                self._look(self.last, now)
            self.spent.append((now, (time.perf_counter() - self.begun) * 1000))
            now = self._next(now)
        return self._result(now, time.process_time() - cpu)

    def _look(self, reading: TableReading, now: float) -> None:
        self.looks += 1
        self.last, self.last_at = reading, now
        self.table.take(Looked(replace(reading, number=self.looks, at=now)))

    def _next(self, now: float) -> float:
        """The time of the next frame: while nothing happens that of the next thing that does."""
        if not self.seeing.quiet or self.virtual.free_at > now:
            return now + FRAME_S
        return max(now + FRAME_S, min(self.play.wake, self.last_at + AGAIN_S))

    def _result(self, now: float, cpu: float) -> Result:
        core, judge = self.table.core, self.judge
        scores = tuple(one.total for one in score(core.state))
        exact = core.complete and scores == judge.expected
        silent = judge.silent or int(
            core.complete and not exact and judge.diverged is None and not core.differs
        )
        notes = [*judge.mended]
        if judge.diverged:
            notes.append(f"{'SILENT' if judge.silent else 'flagged'}: {judge.diverged}")
        if not core.complete:
            notes.append(f"not finished: {core.state.phase}")
        return Result(
            self.number, self.key, self.seed, exact, silent, judge.questions, scores, judge.expected,
            tuple(self.milliseconds), core.complete, not exact and not silent, len(self.play.rested),
            self.looks, now, cpu, notes,
        )  # fmt: skip
