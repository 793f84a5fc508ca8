"""Whole games by made-up looks through table thread, journal and true follower, restarted half-way."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from companion.table.core import Setup
from companion.table.inferring import NewInferring
from companion.table.inputs import Looked, Post, Pressed
from companion.table.journal import Journal, read_journal
from companion.table.thread import TableThread
from engine.entries import write_command
from engine.lamps import Button, ButtonPressed
from engine.players import play_game
from engine.rules import rule_set
from engine.scores import score
from engine.sim.looks import CLEAN
from engine.sim.script import Look, Press, PutDown, Said, Step, script
from engine.table_reading import TableReading
from tests.companion.table.test_inferring import WAIT_S
from tests.companion.table.test_table import same_as_journal


def setup_of(rules: str, seats: int, dealer: int) -> Setup:
    names = ("Ana", "Dan", "Ioana", "Radu")[:seats]
    return Setup(
        rule_set(rules), rules, {}, names, NewInferring(buttons=True), dealer, games=2, commit="discard"
    )


def post(thread: TableThread, what: str, /, **fields: object) -> str:
    return thread.post(Post(what, fields)).result(WAIT_S).status


def give(thread: TableThread, steps: list[Step], waiting: list[Said]) -> None:
    """What passes before the camera; what is said before the table has followed so far is tapped in later."""
    for step in steps:
        match step:
            case Look(reading):
                thread.looked(Looked(reading))
            case Press(seat):
                thread.pressed(Pressed(ButtonPressed(seat, Button.END_TURN, 1)))
            case Said():
                waiting.append(step)
            case PutDown():
                assert post(thread, "count") == "done"
            case _:
                pass
        post(thread, "resume")
        while waiting and thread.core.state.phase == "play":
            assert post(thread, "command", **write_command(waiting.pop(0).command)) == "done"
        answer(thread)


def answer(thread: TableThread) -> None:
    """Whoever is asked takes what is likeliest."""
    question = thread.core.question
    if question is not None:
        choice = max(range(len(question.options)), key=lambda at: question.options[at].share)
        assert post(thread, "answer", number=question.number, choice=choice) == "done"


@pytest.mark.parametrize(("rules", "seed"), [("etalat", 5), ("doizece", 6), ("regulament", 7)])
def test_a_game_restarted_half_way_ends_with_its_exact_score_and_the_next_begins(
    tmp_path: Path, rules: str, seed: int
) -> None:
    path, seats = tmp_path / "j.sqlite", 2 + seed % 2
    random = Random(f"{rules} {seed}")
    game = play_game(rule_set(rules), seats, random)
    steps = list(script(game, random, CLEAN, places=tuple(range(1, seats + 1))))
    setup, half, waiting = setup_of(rules, seats, game.state.dealer), len(steps) // 2, list[Said]()
    with Journal(path) as journal, TableThread(journal, setup, random=Random(1)) as thread:
        give(thread, steps[:half], waiting)
        assert thread.core.state.phase == "play"
        rows = len(read_journal(path))
    with Journal(path) as journal, TableThread(journal, setup, random=Random(1)) as thread:
        give(thread, steps[half:], waiting)
        core = thread.core
        assert rows < len(read_journal(path))
        assert core.complete, thread.published.public["differences"]
        expected = [one.total for one in score(game.state)]
        assert [one.total for one in score(core.state)] == expected
        same_as_journal(path, core)
        last = max(step.reading.number for step in steps if isinstance(step, Look))
        for number in range(last + 1, last + 9):
            thread.looked(Looked(TableReading(number, 10_000.0 + number)))
            post(thread, "resume")
        assert (thread.core.game.number, thread.core.state.phase) == (2, "deal")
        assert thread.published.public["match"]["results"] == [expected]
