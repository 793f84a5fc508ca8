"""Games without a screen: the whole way behind the eyes, with eyes that are told what lies there."""

from __future__ import annotations

import json
from math import dist
from typing import TYPE_CHECKING, cast

import pytest
from click.testing import CliRunner

from companion.cli import main
from companion.demo_players.headless import Result, play_headless
from companion.demo_players.report import in_words, summary
from engine.readings import SeenTile
from engine.tiles import JOKER, Face, Mark
from tests.vision.conftest import fonts
from vision.seeing.states import Update
from vision.table_layout import lay_out

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.demo_players.headless import Sees
    from engine.rules import RuleSet
    from engine.table_reading import TableReading
    from engine.tiles import Seen
    from vision.seeing.loop import Seeing
    from vision.sources.frames import Frame
    from vision.virtual.table import Truth, VirtualTable

__all__ = ["fonts"]


UNDER_MM = 15.0


class TellingEyes:
    """See what lies on the virtual table, once no hand is over it."""

    def __init__(self, table: VirtualTable, rules: RuleSet) -> None:
        self.quiet = False
        self.repeats_at = 0.0
        self._table, self._rules = table, rules
        self._reading: TableReading | None = None
        self._ended = False

    def end(self, *, ended: bool) -> None:
        self._ended = ended

    def overlooks(self, tile: int) -> bool:
        return False

    def step(self, frame: Frame, now: float) -> Update:
        self.quiet = self._table.free_at <= now
        self.repeats_at = now + 0.5
        truth = [one for one in self._table.truth() if one.quad and one.zone.kind != "rack"]
        truth = [one for one in truth if not under(one, truth) and not self.overlooks(one.tile)]
        keys = [one.tile for one in truth]
        if not self.quiet:
            return Update("hand")
        tiles = [SeenTile(seen_of(one.face), one.quad, 0.999) for one in truth]
        number = 1 if self._reading is None else self._reading.number + 1
        reading = lay_out(
            tiles, self._table.rig(), self._table.zones.with_racks("never"), number=number, at=now,
            rules=self._rules, before=self._reading, keys=keys, ended=self._ended,
        )  # fmt: skip
        self._reading = reading
        return Update("looking", reading=reading)


class BlindToOne(TellingEyes):
    """Overlook one tile of the racks that are laid out at the end."""

    def __init__(self, table: VirtualTable, rules: RuleSet) -> None:
        super().__init__(table, rules)
        self._known: set[int] = set()
        self._overlooked: set[int] = set()

    def overlooks(self, tile: int) -> bool:
        if not self._ended:
            self._known.add(tile)
        elif tile not in self._known and not self._overlooked:
            self._overlooked.add(tile)
        return tile in self._overlooked


def under(tile: Truth, others: Sequence[Truth]) -> bool:
    """Whether another tile of a stack lies on this one."""
    return any(
        other.centre[2] > tile.centre[2] and dist(other.centre[:2], tile.centre[:2]) < UNDER_MM
        for other in others
    )


def seen_of(face: str) -> Seen:
    if face == "#":
        return Mark.FACE_DOWN
    return JOKER if face == "*" else Face(face[0], int(face[1:]))


def told(table: VirtualTable, rules: RuleSet) -> Seeing:
    return cast("Seeing", TellingEyes(table, rules))


@pytest.mark.usefixtures("fonts")
@pytest.mark.parametrize(("key", "seed"), [("etalat", 3), ("regulament", 2)])
def test_what_is_seen_rightly_is_followed_to_the_exact_score(key: str, seed: int) -> None:
    found = play_headless(key, seed, size=(480, 270), sees=told)
    assert found.finished
    assert found.exact
    assert (found.scores, found.silent_errors) == (found.expected, 0)
    assert (found.questions, found.corrections) == (0, 0)
    assert len(found.milliseconds) == found.turns


@pytest.mark.usefixtures("fonts")
def test_a_rack_that_cannot_be_counted_is_asked_about_and_then_entered() -> None:
    eyes = cast("Sees", BlindToOne)
    found = play_headless("regulament", 2, size=(480, 270), sees=eyes)
    assert [answer for answer in found.notes if answer.endswith("Is that all? None")]
    assert (found.exact, found.finished, found.silent_errors, found.corrections) == (True, True, 0, 1)


def line(**more: object) -> dict[str, object]:
    found = Result(1, "etalat", 5, True, 0, 2, 0, (10, 20), (10, 20), (900.0, 400.0, 500.0)).document()
    return {**found, **more}


def test_the_summary_adds_up() -> None:
    lines = [line(), line(exact=False, flagged=True, questions=0), line(questions=1)]
    found = summary(lines)
    assert (found["games"], found["exact"], found["flagged"], found["silent_errors"]) == (3, 2, 1, 0)
    assert found["questions_median"] == 1
    assert found["settled_to_score_ms"] == {"median": 500.0, "p95": 900.0}
    assert "exact, 10/20 of 10/20" in in_words(line())
    assert "flagged" in in_words(line(exact=False, flagged=True))


def test_games_come_as_lines_of_json(monkeypatch: pytest.MonkeyPatch) -> None:
    def play(key: str, seed: int, *, number: int, reader: object, taught: bool) -> Result:
        assert taught is ("--untaught" not in asked)
        return Result(number, key, seed, True, 0, 0, 0, (1, 2), (1, 2), (100.0,))

    monkeypatch.setattr("companion.tilesets.load_reader", lambda **_: None)
    monkeypatch.setattr("companion.demo_players.report.play_headless", play)
    asked = ["demo", "--headless", "--games", "2", "--rules", "doizece", "--seed", "7", "--json"]
    found = CliRunner().invoke(main, asked)
    assert found.exit_code == 0
    lines = [json.loads(text) for text in found.stdout.splitlines()]
    assert [(one["game"], one["rules"], one["seed"]) for one in lines[:2]] == [
        (1, "doizece", 7),
        (2, "doizece", 8),
    ]
    assert lines[2]["summary"]["games"] == 2
