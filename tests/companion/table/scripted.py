"""A table without eyes: a follower that knows the game by heart, and looks that say how far it has got."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from companion.table.core import Setup
from companion.table.following import Told
from engine import commands as c
from engine.decide import happened
from engine.infer import follower as f
from engine.infer.outcomes import Ambiguity, Candidate, Desync, Difference, DifferenceCode
from engine.players import play_game
from engine.records import Record
from engine.replay import replay
from engine.rules import rule_set
from engine.state import State
from engine.table_reading import TableReading

SEATS = 3
NAMES = ("Ana", "Dan", "Ioana")


def look(number: int) -> TableReading:
    """A look at a table on which so many commands of the game have been done."""
    return TableReading(number, float(number))


@dataclass(frozen=True)
class Scripted:
    """Follows a game it knows; a look's number says how many of its commands lie on the table."""

    script: tuple[c.Command, ...]
    state: State
    log: tuple[c.Command, ...] = ()
    commit: str = "discard"
    seen: int = 0
    asked: f.Question | None = None
    corrects: tuple[int, int, tuple[c.Command, ...]] | None = None
    """At which look so many commands are replaced by others."""

    def observe(self, reading: TableReading) -> Told:
        seen = replace(self, seen=reading.number)
        if self.corrects is not None and reading.number >= self.corrects[0]:
            return seen._corrected()
        return seen._take(by="camera") if self.commit == "discard" else (seen, ())

    def press(self, seat: int) -> Told:
        return self._take(by="button") if self.commit == "button" else (self, ())

    def _take(self, *, by: Any) -> Told:
        new = self.script[len(self.log) : self.seen]
        if self.seen > len(self.script) and self.state.phase == "over":
            return self, (f.Cleared(),)
        if not new:
            return self, ()
        return self.adopt(new), (f.Committed(tuple(new), odds=99.0, by=by),)

    def _corrected(self) -> Told:
        assert self.corrects is not None
        _, undo, commands = self.corrects
        log = self.log[:-undo]
        state = fold_commands(self.state.rules, self.state.dealer, log)
        after = replace(self, state=state, log=log, corrects=None).adopt(commands)
        return after, (f.Corrected(undo, commands, odds=9.0),)

    def answer(self, number: int, choice: int | None) -> Told:
        return replace(self, asked=None), (f.Withdrawn(number),)

    def adopt(self, commands: Sequence[c.Command]) -> Scripted:
        state = self.state
        for command in commands:
            state, _ = happened(state, command)
        return replace(self, state=state, log=(*self.log, *commands))

    def restart(self, state: State, log: Sequence[c.Command]) -> Scripted:
        return replace(self, state=state, log=tuple(log))

    def ignore(self, keys: Sequence[int]) -> Scripted:
        return self

    def count(self) -> Scripted:
        return self


def candidate(text_en: str, text_ro: str, share: float, keys: tuple[int, ...] = ()) -> Candidate:
    """An answer to a question, of which nothing is done."""
    return Candidate((), share, text_en, text_ro, keys)


def differing(*found: tuple[DifferenceCode, str, str, str, int | None]) -> f.Lost:
    """Things that lie otherwise: code, place, words in English and Romanian, key."""
    return f.Lost(
        Desync(
            tuple(
                Difference(code, place, None, None, key, "", english, romanian)
                for code, place, english, romanian, key in found
            )
        )
    )


def ask(number: int, about: Ambiguity) -> f.Asked:
    """A question of that number."""
    return f.Asked(f.Question(number, about))


def fold_commands(rules: Any, dealer: int, commands: Sequence[c.Command]) -> State:
    from engine.state import new_game

    state = new_game(rules, SEATS, dealer=dealer)
    for command in commands:
        state, _ = happened(state, command)
    return state


def played_script(rules: str, seed: int, *, dealer: int = 0) -> tuple[c.Command, ...]:
    """The commands of a legal game of simulated players, with that dealer."""
    for more in range(200):
        game = play_game(rule_set(rules), SEATS, Random(1000 * seed + more))
        if game.state.dealer == dealer:
            return tuple(command for command, _ in game.history)
    raise AssertionError("no such game")


def record_script(record: Record) -> tuple[c.Command, ...]:
    """The commands of a record, corrections applied."""
    from companion.table.core import played

    return played(record)[2]


def scripted_setup(
    scripts: Sequence[tuple[c.Command, ...]],
    *,
    rules: str = "etalat",
    names: tuple[str, ...] = NAMES,
    dealer: int | None = 0,
    **more: Any,
) -> Setup:
    """A set-up whose games are these, one after another, from the first one again at the end."""
    begun: list[int] = []

    def new_follower(state: State, log: Sequence[c.Command], *, commit: str) -> Scripted:
        fitting = [script for script in scripts if tuple(script[: len(log)]) == tuple(log)]
        script = fitting[len(begun) % len(fitting)] if not log else (fitting or [()])[0]
        begun.append(len(log))
        return Scripted(script, state, tuple(log), commit)

    return Setup(rule_set(rules), rules, {}, names, new_follower, dealer, **{"commit": "discard", **more})


def final_scores(record: Record) -> list[int]:
    return [one.total for one in replay(record).scores]
