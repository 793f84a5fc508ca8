"""A whole game with the board in the loop: button, command, state, lamps, frame, pixels on the pins."""

from __future__ import annotations

from random import Random

import pytest

from engine import commands as c
from engine.decide import decide, fold
from engine.lamps import Button, ButtonPressed, LampSign, Notices, lamps
from engine.players import play_game
from engine.refusals import Refusal
from engine.rules import rule_set
from engine.state import State, new_game
from firmware_bridge.lamps import LampSettings, Shown, lamp, picture
from firmware_bridge.link import moved
from firmware_bridge.patterns import render
from firmware_bridge.protocol import protocol
from tests.firmware_bridge.simulated import MS, Host

pytestmark = pytest.mark.board

SEATS = 3
PLACES = (0, 1, 3)
SETTINGS = LampSettings(places=PLACES)


class Table:
    """A headless table: what a camera would propose lies ready; the button of who is on turn commits it."""

    def __init__(self, seed: int) -> None:
        played = play_game(rule_set("etalat"), SEATS, Random(seed))
        begins = [command for command, _ in played.history if not isinstance(command, c.Racks)]
        self.state: State = new_game(rule_set("etalat"), SEATS, dealer=played.state.dealer)
        self.notices = Notices()
        self.closes = played.state.closing is not None
        self._signs: tuple[LampSign, ...] = ()
        self._shown = Shown()
        first = next(place for place, command in enumerate(begins) if isinstance(command, c.Draw | c.Discard))
        for command in begins[:first]:
            self._do(command)
        self.proposals: list[list[c.Command]] = [[]]
        for command in begins[first:]:
            self.proposals[-1].append(command)
            if isinstance(command, c.Discard | c.CloseTable):
                self.proposals.append([])

    def _do(self, command: c.Command) -> None:
        answer = decide(self.state, command)
        assert not isinstance(answer, Refusal)
        self.state = fold(self.state, answer)

    def pressed(self, press: ButtonPressed) -> None:
        """The end of a turn commits what was proposed; pressed by another it is a move out of turn."""
        match press.button:
            case Button.CALL:
                self.notices = Notices(calls=self.notices.calls ^ {press.seat})
            case Button.END_TURN if press.seat == self.state.turn.seat:
                self.notices = Notices()
                for command in self.proposals.pop(0):
                    self._do(command)
            case Button.END_TURN:
                self.notices = Notices(illegal=frozenset({press.seat}))
            case _:
                pass

    def shown(self) -> Shown:
        """The whole picture for the board as it is now."""
        signs = lamps(self.state, self.notices)
        self._shown = picture(signs, self._signs, settings=SETTINGS, last=self._shown)
        self._signs = signs
        return self._shown


class Loop:
    """Table and board, put together as the table thread will."""

    def __init__(self, host: Host, table: Table) -> None:
        self.host, self.table = host, table
        self.pixels: dict[int, bytes] = {}
        self._taken = 0
        host.link.show(table.shown())
        self.run(200)

    def run(self, milliseconds: float) -> None:
        """Hands presses to the table as they come, and what it shows to the board; then looks at the pins."""
        end = self.host.board.cycle + round(milliseconds * MS)
        while self.host.board.cycle < end:
            self.host.step(5)
            new = [press for _, press in self.host.presses[self._taken :]]
            self._taken += len(new)
            for press in moved(new, {place: seat for seat, place in enumerate(PLACES)}):
                self.table.pressed(press)
                self.host.link.show(self.table.shown())
        seen = self.host.board.watch()
        assert seen.bad == []
        assert seen.overruns == 0
        self.pixels |= seen.pictures

    def press(self, seat: int, button: int = 0) -> None:
        self.host.board.press(3 * PLACES[seat] + button, delay=Random(self._taken).randrange(MS))
        self.run(320)

    def drawn(self, seat: int) -> set[bytes]:
        """What the pixels of this seat may show now, by the signs."""
        shown = lamp(lamps(self.table.state, self.table.notices)[seat])
        moments = range(0, 4096, 1 if shown[0] == protocol().patterns["breathe"] else 20)
        return {render(shown, moment, brightness=SETTINGS.brightness) for moment in moments}


def test_a_button_ends_the_turn_and_the_lamp_of_the_next_seat_lights(host: Host) -> None:
    table = Table(seed=4)
    loop = Loop(host, table)
    steady = render(lamp(lamps(table.state)[table.state.turn.seat]), 0, brightness=SETTINGS.brightness)
    dark = bytes(len(steady))
    turns = 0
    while table.state.phase == "play":
        turns += 1
        seat = table.state.turn.seat
        assert loop.pixels[PLACES[seat]] == steady
        assert {loop.pixels[place] for place in range(4) if place != PLACES[seat]} == {dark}
        loop.press(seat)
        if table.state.phase == "play":
            assert table.state.turn.seat == table.state.after(seat)
    assert turns > 10
    assert table.closes
    assert table.state.closing is not None
    winner = table.state.closing.seat
    assert loop.pixels[PLACES[winner]] in loop.drawn(winner)
    assert loop.pixels[PLACES[winner]] != dark
    assert {loop.pixels[place] for place in range(4) if place != PLACES[winner]} == {dark}


def test_a_button_out_of_turn_flashes_and_ends_no_turn(host: Host) -> None:
    table = Table(seed=4)
    loop = Loop(host, table)
    on_turn = table.state.turn.seat
    other = table.state.after(on_turn)
    before = table.state
    loop.press(other)
    assert table.state is before
    host.board.watch()
    host.run_ms(1100)
    flashed = {strip.grb for strip in host.board.watch().strips if strip.seat == PLACES[other]}
    assert flashed == loop.drawn(other)
    assert len(flashed) == 2


def test_a_call_blinks_until_it_is_answered(host: Host) -> None:
    table = Table(seed=4)
    loop = Loop(host, table)
    seat = table.state.after(table.state.turn.seat)
    loop.press(seat, button=2)
    host.board.watch()
    host.run_ms(1100)
    blinked = {strip.grb for strip in host.board.watch().strips if strip.seat == PLACES[seat]}
    assert blinked == loop.drawn(seat)
    loop.press(seat, button=2)
    assert loop.pixels[PLACES[seat]] == bytes(24)


def test_the_game_goes_on_over_a_reset_and_a_break(host: Host) -> None:
    """What was pressed meanwhile counts, and the lamps are those of the game as it is then."""
    table = Table(seed=4)
    loop = Loop(host, table)
    first = table.state.turn.seat
    host.board.press(3 * PLACES[first])
    host.run_ms(2)
    host.board.reset()
    loop.run(500)
    second = table.state.turn.seat
    assert second == table.state.after(first)
    host.unplug()
    host.board.press(3 * PLACES[second])
    host.board.run_ms(2500)
    assert table.state.turn.seat == second
    host.plug()
    loop.run(900)
    third = table.state.turn.seat
    assert third == table.state.after(second)
    assert loop.pixels[PLACES[third]] in loop.drawn(third)
    assert loop.pixels[PLACES[second]] == bytes(24)
