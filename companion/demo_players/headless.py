"""Whole games without a screen: simulated time, as fast as the machine allows, the same for the same seed."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from companion.demo_players.judging import Judge, turns_of
from companion.demo_players.people import NAMES, People
from companion.demo_players.play import Play
from companion.table.core import Setup, start
from companion.table.inferring import NewInferring
from companion.table.inputs import Looked, Post, Posted, Pressed
from companion.table.journal import Journal
from companion.table.published import publish
from companion.table.step import step
from engine.lamps import Button, ButtonPressed
from engine.players import play_game
from engine.rules import rule_set
from engine.scores import score
from vision.sources.frames import Frame

if TYPE_CHECKING:
    from companion.table.core import Core
    from companion.table.inputs import Input
    from companion.table.published import Published
    from engine.players import Game
    from engine.rules import RuleSet
    from engine.table_reading import TableReading
    from vision.reader import Reader
    from vision.seeing.loop import Seeing
    from vision.virtual.table import VirtualTable

FRAME_S: Final = 0.1
"""Simulated seconds between frames while something moves."""

LONGEST_S: Final = 3600.0

_AT: Final = "2026-01-01T00:00:00Z"

Sees = Callable[["VirtualTable", "RuleSet"], "Seeing"]
"""Makes the eyes of a table."""

Shows = Callable[["Published"], None]
"""Called with what everybody may see, whenever that changes."""

Hears = Callable[["Core", "Core"], None]
"""Called with the table before and after each step."""


@dataclass(slots=True)
class Result:
    """What came of one game."""

    game: int
    rules: str
    seed: int
    exact: bool
    silent_errors: int
    questions: int
    corrections: int
    scores: tuple[int, ...]
    expected: tuple[int, ...]
    milliseconds: tuple[float, ...] = ()
    finished: bool = False
    flagged: bool = False
    turns: int = 0
    looks: int = 0
    simulated_s: float = 0.0
    cpu_s: float = 0.0
    named: int = 0
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
            "corrections": self.corrections,
            "named": self.named,
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

    def __init__(
        self, setup: Setup, journal: Journal, random: Random, *, hears: Hears, shows: Shows | None = None
    ) -> None:
        self.setup, self.journal, self.random = setup, journal, random
        self.hears, self.shows = hears, shows
        self.now = 0.0
        self.number = 1
        rows, self.core = start(journal.history(), setup, now=0.0, at=_AT, version=1, random=random)
        journal.append(rows)

    def take(self, given: Input) -> None:
        """One step: rows to the disk, then the core, then what is shown."""
        before = self.core
        done = step(before, given, self.setup, now=self.now, at=_AT, random=self.random)
        self.journal.append(done.rows)
        self.core = done.core
        if self.core is not before:
            self.number += 1
            published = publish(self.core, self.setup, number=self.number, now=self.now)
            if self.shows is not None:
                self.shows(published)
        self.hears(before, self.core)

    def post(self, post: Post) -> None:
        """What somebody asks for on the page."""
        self.take(Posted(post, Future()))


class _Players:
    """What reaches the table of its players."""

    def __init__(self, table: _Table, people: People) -> None:
        self._table = table
        self.turned, self.say = people.turned, people.say
        self.count, self.counted = people.count, people.counted

    def press(self, seat: int) -> None:
        """The seat's button that ends its turn."""
        self._table.take(Pressed(ButtonPressed(seat, Button.END_TURN, 1)))


def game_of(key: str, seed: int) -> tuple[Game, Random]:
    """The game of a seed, and chance for how it is played on the table."""
    rules = rule_set(key)
    random = Random(f"{key} {seed}")
    least, most = rules.players
    return play_game(rules, least + seed % (most - least + 1), random), random


def play_headless(  # noqa: PLR0913 -- parts that tests put others in for
    key: str,
    seed: int,
    *,
    number: int = 1,
    reader: Reader | None = None,
    size: tuple[int, int] = (1920, 1080),
    sees: Sees | None = None,
    taught: bool = True,
    tell: Callable[[str], None] | None = None,
    shows: Shows | None = None,
) -> Result:
    """One game from the deal to its score, through rendered frames, reader, inference and journal.

    `sees` makes the eyes of a table, those with the `reader` unless given, which is `taught` the set before;
    `tell` is told what is taken down, asked and shown, `shows` gets what the page would show.
    """
    from companion.tilesets import load_reader

    with (
        tempfile.TemporaryDirectory(prefix="remi-demo-") as folder,
        Journal(Path(folder) / "journal.sqlite") as journal,
    ):
        eyes = sees or _Eyes(reader or load_reader(threads=1), taught=taught)
        run = _Run(key, seed, eyes, journal, size=size, tell=tell, shows=shows)
        result = run.result(number)
        if not isinstance(eyes, _Eyes):
            return result
        notes = [] if eyes.taught == taught else ["the set could not be taught"]
        return replace(result, named=eyes.asked, notes=[*notes, *result.notes])


class _Eyes:
    """Makes the eyes of a table, to which its set is taught before, unless `taught` is False."""

    def __init__(self, reader: Reader, *, taught: bool) -> None:
        self.reader, self.taught = reader, taught
        self.asked = 0
        """Tiles of the set that somebody had to name."""

    def __call__(self, table: VirtualTable, rules: RuleSet) -> Seeing:
        from companion.demo_players.teaching import teach
        from companion.table.eyes import REPEATS_S
        from vision.seeing.loop import Seeing

        self.reader.adapter = None
        if self.taught:
            learnt = teach(self.reader, table.setting)
            self.taught = learnt is not None
            if learnt is not None:
                self.reader.adapter, self.asked = learnt.lesson, learnt.asked
        zones = table.zones.with_racks("never")
        return Seeing(self.reader, table.rig(), zones, rules=rules, repeats=REPEATS_S)


class _Run:
    """One game at a table, step by step."""

    def __init__(
        self,
        key: str,
        seed: int,
        sees: Sees,
        journal: Journal,
        *,
        size: tuple[int, int],
        tell: Callable[[str], None] | None,
        shows: Shows | None,
    ) -> None:
        from vision.virtual.setting import draw_setting
        from vision.virtual.table import VirtualTable

        self.key, self.seed, self.tell = key, seed, tell
        self.game, random = game_of(key, seed)
        rules, seats = rule_set(key), self.game.state.seats
        self.virtual = VirtualTable(draw_setting(seed, seats=seats, size=size))
        self.seeing = sees(self.virtual, rules)
        self.judge = Judge(self.game)
        follower = NewInferring(buttons=True)
        setup = Setup(
            rules, key, {}, NAMES[:seats], follower, dealer=self.game.state.dealer, commit="discard"
        )
        self.table = _Table(setup, journal, random, hears=self._heard, shows=shows)
        self.people = People(self.judge.truth, core=lambda: self.table.core, post=self.table.post)
        places = tuple(range(1, seats + 1))
        players = _Players(self.table, self.people)
        self.play = Play(
            self.virtual,
            self.game,
            random,
            players,
            places=places,
            begins=1.0,
            mishaps=Random(f"{key} {seed} mishaps"),
        )
        self.looks = 0
        self.begun = 0.0
        self.spent: list[tuple[float, float]] = []
        self.milliseconds: list[float] = []
        self.ended = False

    def result(self, number: int) -> Result:
        """Plays it."""
        cpu = time.process_time()
        now, frames = 0.0, 0
        while now < LONGEST_S and not (self.play.done or (self.play.shown_at and self.table.core.complete)):
            self.table.now = now
            self.begun = time.perf_counter()
            self.play(self.virtual, now)
            self.people.tend(now)
            pixels = self.virtual.frame(now)
            frames += 1
            self._see(Frame(pixels, now, frames), now)
            now = self._next(now)
        return self._result(number, now, time.process_time() - cpu)

    def _see(self, frame: Frame, now: float) -> None:
        """One look, and what comes of it; rendering does not count."""
        self.begun = time.perf_counter()
        over = self.table.core.state.phase == "over"
        if over != self.ended:
            self.ended = over
            self.seeing.end(ended=over)
        update = self.seeing.step(frame, now)
        if update.reading is not None:
            self._look(update.reading, now)
        self.spent.append((now, (time.perf_counter() - self.begun) * 1000))

    def _look(self, reading: TableReading, now: float) -> None:
        self.looks += 1
        self.table.take(Looked(replace(reading, number=self.looks, at=now)))

    def _next(self, now: float) -> float:
        """The time of the next frame: while nothing happens that of the next thing that does."""
        if not self.seeing.quiet or self.virtual.free_at > now:
            return now + FRAME_S
        return max(now + FRAME_S, min(self.play.wake, self.seeing.repeats_at))

    def _heard(self, before: Core, after: Core) -> None:
        """Takes the time from the hand's leaving to what is published, and compares with what was played."""
        self.judge.saw(after)
        now = self.table.now
        for turn in range(len(self.milliseconds), min(turns_of(after), len(self.play.rested))):
            rested = self.play.rested[turn]
            busy = sum(ms for at, ms in self.spent if at >= rested)
            busy += (time.perf_counter() - self.begun) * 1000
            self.milliseconds.append(max(0.0, now - rested) * 1000 + busy)
        if self.tell is not None:
            for line in changes(before, after):
                self.tell(f"{now:7.1f} s  {line}")

    def _result(self, number: int, now: float, cpu: float) -> Result:
        core, judge = self.table.core, self.judge
        scores = tuple(one.total for one in score(core.state))
        exact = core.complete and scores == judge.expected
        wrong = core.complete and not exact and judge.diverged is None and not core.differs
        silent = judge.silent or int(wrong)
        notes = [*self.people.answers, *(f"mended: {what}" for what in judge.mended)]
        if judge.diverged is not None:
            notes.append(f"{'SILENT' if judge.silent else 'flagged'}: {judge.diverged}")
        if not core.complete:
            notes.append(f"not finished: {core.state.phase}")
        return Result(
            game=number,
            rules=self.key,
            seed=self.seed,
            exact=exact,
            silent_errors=silent,
            questions=judge.questions,
            corrections=self.people.corrections,
            scores=scores,
            expected=judge.expected,
            milliseconds=tuple(self.milliseconds),
            finished=core.complete,
            flagged=not exact and not silent,
            turns=len(self.play.rested),
            looks=self.looks,
            simulated_s=now,
            cpu_s=cpu,
            notes=notes,
        )


def changes(before: Core, after: Core) -> list[str]:
    """What a step changed, in words for who looks for faults."""
    lines = []
    if after.history.last != before.history.last:
        new = after.game.record.entries[len(before.game.record.entries) :]
        lines += [f"{entry.event} {dict(entry.fields)}" for entry in new]
    if after.differs != before.differs:
        lines.append(f"differs: {[(one.code, one.place, one.hint_en) for one in after.differs]}")
    if after.question is not None and after.question != before.question:
        options = [option.text_en for option in after.question.options]
        lines.append(f"asks: {after.question.text_en} {options}")
    lines += [f"refused: {one.reason.hint_en}" for one in after.refused[len(before.refused) :]]
    return lines
