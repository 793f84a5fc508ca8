"""A simulated game followed through a noisy camera, and what was followed compared with what was played."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from engine import commands as c
from engine.infer.follow import adopt, answer, count, follow, observe, press, restart
from engine.infer.follower import Asked, Committed, Corrected, Found, Lost
from engine.infer.outcomes import folded
from engine.infer.settings import Settings
from engine.infer.weighing import effect
from engine.players import Game, play_game
from engine.rules import rule_set
from engine.scores import score
from engine.sim.looks import ISSUED, Noise
from engine.sim.script import Ended, Look, Press, PutDown, Said, script
from engine.state import new_game

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from engine.commands import Command
    from engine.infer.follower import Follower, Outcome, Question
    from engine.state import State

_PATIENCE = 6
"""Looks after which the arbiter mends what is lost and does not come back by itself."""


@dataclass(slots=True)
class Trial:
    """What came of a game: errors that nobody was told of, questions, reports, and the scores."""

    rules: str
    seed: int
    silent: int = 0
    flagged: int = 0
    questions: int = 0
    reports: int = 0
    corrections: int = 0
    interventions: int = 0
    exact: bool = False
    finished: bool = False
    scores: tuple[int, ...] = ()
    expected: tuple[int, ...] = ()
    looks: int = 0
    turns: int = 0
    milliseconds: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class Truth:
    """What was played, turn by turn."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.states: list[set[Hashable]] = [set()]
        self.turns: list[list[Command]] = [[]]
        self.ends: list[State] = []
        for command, state in game.history:
            self.turns[-1].append(_blind(command))
            if isinstance(command, c.Discard | c.CloseTable):
                self.states.append(set())
                self.turns.append([])
                self.ends.append(state)
            if isinstance(command, c.Discard | c.CloseTable | c.Announce | c.WallEmpty | c.Racks | c.Deal):
                self.states[-1].add(effect(state))

    def agrees(self, state: State, turns: int) -> bool:
        """Whether this is what was played up to so many turns."""
        return turns < len(self.states) and effect(state) in self.states[turns]


def _blind(command: Command) -> Command:
    """The command as a camera can know it."""
    if isinstance(command, c.Draw):
        return c.Draw(command.seat, source=command.source)
    if isinstance(command, c.Deal):
        return c.Deal(
            tuple(h if isinstance(h, int) else len(h) for h in command.hands), command.atu, command.turned
        )
    return command


def turns_in(log: tuple[Command, ...]) -> int:
    """How many turns have ended in a log."""
    return sum(isinstance(command, c.Discard | c.CloseTable) for command in log)


def trial(
    key: str,
    seed: int,
    *,
    noise: Noise = ISSUED,
    settings: Settings | None = None,
    buttons: bool = True,
    clock: Callable[[], float] | None = None,
    tell: Callable[[str], None] | None = None,
) -> Trial:
    """A game of these rules, the same for the same seed, followed from the deal to the score.

    Without `buttons` nobody presses anything; `settings` say that themselves. `clock` gives the seconds
    by which the time of a look is measured; `tell` is told what comes out.
    """
    rules = rule_set(key)
    random = Random(f"{key} {seed}")
    least, most = rules.players
    seats = least + seed % (most - least + 1)
    game = play_game(rules, seats, random)
    places = tuple(range(1, seats + 1))
    settings = settings or Settings(buttons=buttons, places=places)
    watched = _Watched(
        Trial(key, seed),
        Truth(game),
        follow(new_game(rules, seats, dealer=game.state.dealer, pack=game.state.pack), settings),
        tell,
    )
    for step in script(game, random, noise, places=places):
        start = clock() if clock else 0.0
        match step:
            case Look(reading):
                watched.after(*observe(watched.follower, reading))
                if clock:
                    watched.result.milliseconds.append((clock() - start) * 1000)
                watched.result.looks += 1
                watched.mend()
            case Press(seat):
                if settings.buttons:
                    watched.pressed(seat)
            case Ended():
                watched.played += 1
            case Said(command):
                watched.said(command)
            case PutDown():
                watched.follower = count(watched.follower)
    return watched.end()


class _Watched:
    """The follower of a trial, and an arbiter who knows what was played."""

    def __init__(
        self, result: Trial, truth: Truth, follower: Follower, tell: Callable[[str], None] | None
    ) -> None:
        self.result, self.truth, self.follower, self.tell = result, truth, follower, tell
        self.diverged: str | None = None
        self.told = False
        self.lost_for = 0
        self.played = 0
        self.waiting: list[Command] = []

    def pressed(self, seat: int) -> None:
        """A button: that turn has been played, whoever saw it."""
        self.after(*press(self.follower, seat))

    def said(self, command: Command) -> None:
        """Words are tapped in when the game has been followed so far; before the deal they wait."""
        self.waiting.append(command)
        self._say()

    def _say(self) -> None:
        while self.waiting and self.follower.state.phase == "play":
            self.follower, _ = adopt(self.follower, self.waiting.pop(0))

    def after(self, follower: Follower, outcomes: tuple[Outcome, ...]) -> None:
        """Looks at what came out."""
        self.follower = follower
        self._say()
        for outcome in outcomes:
            if self.tell is not None:
                self.tell(f"{self.follower.memory.number}: {outcome}")
            match outcome:
                case Committed() | Corrected():
                    self.result.corrections += isinstance(outcome, Corrected)
                    if isinstance(outcome, Corrected):
                        self.told = True
                case Asked(question):
                    self.result.questions += 1
                    self.told = True
                    self._answer(question)
                case Lost():
                    self.result.reports += 1
                    self.told = True
                    self.lost_for = 0
                case Found():
                    # Whoever was told believes then that all is well again.
                    self.lost_for = 0
                    self.told = False
                case _:
                    pass
        self._compare()

    def _compare(self) -> None:
        turns = turns_in(self.follower.log)
        right = not self.follower.log or self.truth.agrees(self.follower.state, turns)
        if right and self.diverged is not None:
            self.result.flagged += 1
            self.result.notes.append(f"mended: {self.diverged}")
            self.diverged, self.told = None, False
        elif not right and self.diverged is None:
            last = self.follower.log[-6:]
            self.diverged = f"turn {turns} at look {self.follower.memory.number}: {last}"
            # What was reported before and still is says that something is wrong.
            self.told = self.open
            if self.tell is not None:
                self.tell(f"DIVERGED {self.diverged}")
                self.tell(f"TRUTH {self.truth.turns[min(turns, len(self.truth.turns)) - 1]}")

    @property
    def open(self) -> bool:
        """Whether a report or a question is open, so that somebody looks."""
        return bool(self.follower.lost) or self.follower.question is not None

    def mend(self) -> None:
        """The arbiter sets right what is reported and does not come right by itself."""
        behind = turns_in(self.follower.log) < self.played - 1 and bool(self.follower.lost)
        if not (self.diverged is not None and self.told) and not behind:
            self.lost_for = 0
            return
        self.lost_for += 1
        if self.lost_for > _PATIENCE:
            self.result.interventions += 1
            self._set(self.played if behind else turns_in(self.follower.log))
            self.lost_for = 0

    def _set(self, turns: int) -> None:
        turns = min(turns, len(self.truth.ends))
        log = tuple(command for some in self.truth.turns[:turns] for command in some)
        before = self.follower.state
        state = new_game(before.rules, before.seats, dealer=before.dealer, pack=before.pack)
        state, _ = folded(state, log)
        self.follower = restart(self.follower, state, log)
        self.after(self.follower, ())

    def _answer(self, question: Question) -> None:
        """Answers as somebody does who saw it all."""
        about = question.about
        kept = self.follower.log[: len(self.follower.log) - about.undo]
        base = self.follower.state
        if about.undo:
            base = new_game(base.rules, base.seats, dealer=base.dealer, pack=base.pack)
            base, _ = folded(base, kept)
        for at, candidate in enumerate(about.candidates):
            state, _ = folded(base, candidate.commands)
            turns = turns_in((*kept, *candidate.commands))
            fits = self.truth.agrees(state, turns)
            if about.kind == "racks":
                fits = self._racks(candidate.commands)
            if about.kind == "deal":
                fits = candidate.commands[0].atu == self.truth.game.history[0][0].atu  # type: ignore[union-attr]
            if about.kind == "turn" and not candidate.commands:
                continue
            if fits:
                self.after(*answer(self.follower, question.number, at))
                return
        if self.tell is not None:
            self.tell(f"NO CANDIDATE FITS {about.text_en}")
            self.tell(f"TRUTH {self.truth.turns[min(turns_in(kept) + 1, len(self.truth.turns)) - 1]}")
        self.result.notes.append(f"no candidate: {about.kind} {about.text_en}")
        if about.kind == "racks":
            self.after(*answer(self.follower, question.number, (self.truth.game.history[-1][0],)))
            return
        turns = turns_in(kept)
        self.follower, _ = answer(self.follower, question.number, None)
        if about.undo or (about.kind == "turn" and self.played > turns):
            self.result.interventions += 1
            self._set(turns + 1 if not about.undo else turns_in(self.follower.log))

    def _racks(self, commands: tuple[Command, ...]) -> bool:
        shown = self.truth.game.history[-1][0]
        if not isinstance(shown, c.Racks) or not isinstance(commands[0], c.Racks):
            return False
        racks = {seat: sorted(rack) for seat, rack in shown.racks}
        return all(sorted(rack) == racks.get(seat) for seat, rack in commands[0].racks)

    def end(self) -> Trial:
        """The trial's result."""
        result = self.result
        self._compare()
        result.expected = tuple(one.total for one in score(self.truth.game.state))
        scores = score(self.follower.state)
        result.scores = tuple(one.total for one in scores)
        result.finished = self.follower.state.phase == "over" and all(one.complete for one in scores)
        result.exact = result.finished and result.scores == result.expected
        result.turns = len(self.truth.ends)
        if self.diverged is not None:
            result.notes.append(f"{'flagged' if self.told else 'SILENT'}: {self.diverged}")
            result.silent += not self.told
            result.flagged += self.told
        elif not result.exact and result.finished:
            result.notes.append("wrong score")
            result.silent += 1
        elif not result.finished:
            # A game that never comes to its end is an error too, unless somebody was told.
            result.notes.append(f"{'' if self.open else 'SILENT: '}not finished: {self.follower.state.phase}")
            result.silent += not self.open
            result.flagged += self.open
        return result
