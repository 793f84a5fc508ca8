"""The board of a table: a lamp that is tried goes back, presses that are tried are kept from the game."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import cast

import pytest

from companion.table.board import TEST_S, TableBoard
from companion.table.config_schema import BoardPart
from companion.table.published import Published
from engine.lamps import Button, ButtonPressed, LampSign, Sign
from firmware_bridge.lamps import Shown
from firmware_bridge.port import BoardPort
from tests.waiting import until


@dataclass
class Timer:
    """Fires when a test says that its time has come."""

    seconds: float
    fire: Callable[[], None]
    name: str = ""
    daemon: bool = False
    started: bool = False
    cancelled: bool = False

    def start(self) -> None:
        self.started = True

    def cancel(self) -> None:
        self.cancelled = True

    def join(self) -> None:
        """It waits for nothing."""


@dataclass
class Rig:
    """A board of software that tells what it was to show."""

    shown: list[Shown] = field(default_factory=list)
    timers: list[Timer] = field(default_factory=list)
    presses: list[ButtonPressed] = field(default_factory=list)
    now: float = 100.0
    board: TableBoard = field(init=False)

    def timer(self, seconds: float, fire: Callable[[], None]) -> threading.Timer:
        self.timers.append(Timer(seconds, fire))
        return cast("threading.Timer", self.timers[-1])

    def publish(self, *signs: Sign) -> None:
        lamps = tuple(LampSign(sign) for sign in signs)
        self.board.show(cast("Published", FakePublished(lamps)))

    def lit(self) -> list[bool]:
        return [pattern != 0 for pattern, _, _ in self.shown[-1].lamps]


@dataclass(frozen=True)
class FakePublished:
    """The lamps of what is published."""

    lamps: tuple[LampSign, ...]


@pytest.fixture
def rig(monkeypatch: pytest.MonkeyPatch) -> Iterator[Rig]:
    found = Rig()
    show = BoardPort.show

    def watched(port: BoardPort, shown: Shown) -> None:
        found.shown.append(shown)
        show(port, shown)

    monkeypatch.setattr(BoardPort, "show", watched)
    found.board = TableBoard(
        BoardPart(port="sim"),
        3,
        on_press=found.presses.append,
        on_part=lambda _: None,
        clock=lambda: found.now,
        timer=found.timer,
    )
    with closing(found.board):
        yield found
    assert not any(one.name in ("board", "board-sim", "lamp-test") for one in threading.enumerate())


def test_a_lamp_that_is_tried_goes_back_to_what_the_game_shows(rig: Rig) -> None:
    rig.publish(Sign.TURN, Sign.OFF, Sign.OFF)
    game = rig.shown[-1]
    assert rig.lit() == [True, False, False, False]
    rig.board.test_lamp(2)
    assert rig.lit() == [False, False, True, False]
    # A lamp alone: the board plays what it is told to when this number changes, and changes back.
    assert rig.shown[-1].sound_seq == game.sound_seq
    (timer,) = rig.timers
    assert (timer.seconds, timer.started, TEST_S) == (2.0, True, 2.0)
    timer.fire()
    assert rig.shown[-1] == game


def test_the_game_goes_on_while_a_lamp_is_tried_and_is_shown_after_it(rig: Rig) -> None:
    rig.publish(Sign.TURN, Sign.OFF, Sign.OFF)
    rig.board.test_lamp(2)
    rig.publish(Sign.OFF, Sign.TURN, Sign.OFF)
    assert rig.lit() == [False, False, True, False], "the lamp that is tried stays on"
    rig.timers[0].fire()
    assert rig.lit() == [False, True, False, False]
    rig.publish(Sign.OFF, Sign.OFF, Sign.TURN)
    assert rig.lit() == [False, False, True, False]


def test_a_second_lamp_has_its_own_two_seconds(rig: Rig) -> None:
    rig.publish(Sign.OFF, Sign.OFF, Sign.OFF)
    rig.board.test_lamp(0)
    rig.board.test_lamp(1)
    first, second = rig.timers
    assert first.cancelled
    first.fire()  # it was too late to be cancelled
    assert rig.lit() == [False, True, False, False]
    second.fire()
    assert rig.lit() == [False] * 4
    with pytest.raises(IndexError):
        rig.board.test_lamp(3)


def test_presses_are_kept_from_the_game_for_as_long_as_was_said(rig: Rig) -> None:
    assert until(lambda: rig.board.report.state.value == "up")
    rig.board.test_buttons(30.0)
    assert rig.board.testing_s == 30.0
    rig.board.press(1, 0)
    assert until(lambda: len(rig.board.heard) == 1)
    assert rig.presses == []
    rig.now += 30.0
    assert rig.board.testing_s == 0.0
    rig.board.press(2, 2)
    assert until(lambda: len(rig.presses) == 1)
    assert [(one.seat, one.button) for one in rig.presses] == [(2, Button.CALL)]
