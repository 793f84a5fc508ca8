"""The board's true program in the simulator: every press counted, every picture exact, come what may."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from engine.lamps import Button
from firmware_bridge.codec import Lamp
from firmware_bridge.lamps import BUTTONS, Shown
from firmware_bridge.link import LinkState
from firmware_bridge.messages import Ask, Lamps, write
from firmware_bridge.patterns import render
from firmware_bridge.protocol import protocol
from tests.firmware_bridge.simulated import HZ, MS, Host, SimulatedBoard, Watched

pytestmark = pytest.mark.board

PATTERNS = protocol().patterns
WHITE = render((PATTERNS["steady"], 0, 0), 0, brightness=64)
NO_HOST = {
    render((PATTERNS["no_host"], 0, 0), moment, brightness=brightness)
    for moment in (0, 1000)
    for brightness in (32, 64)
}


def still(source: random.Random) -> Shown:
    """A picture of patterns that do not move, so that it can be told exactly."""
    lamps = tuple(
        (
            source.choice((0, PATTERNS["steady"], PATTERNS["gauge"])),
            source.randrange(7),
            source.randrange(256),
        )
        for _ in range(4)
    )
    return Shown(lamps, source.choice((16, 64, 255)))


def expected(shown: Shown) -> dict[int, bytes]:
    return {seat: render(lamp, 0, brightness=shown.brightness) for seat, lamp in enumerate(shown.lamps)}


def flawless(seen: Watched) -> Watched:
    """What was seen, where every pulse was one and no byte was lost."""
    assert seen.bad == []
    assert seen.overruns == 0
    assert all(len(strip.grb) == 3 * protocol().pixels for strip in seen.strips)
    return seen


def undisturbed(seen: Watched) -> Watched:
    """What was seen, where nothing was on its way to the board while pixels were written."""
    assert seen.crossings == 0
    return flawless(seen)


def counted(host: Host) -> list[int]:
    """The presses that the host was told of each button."""
    told = [0] * 12
    for _, press in host.presses:
        told[3 * press.seat + BUTTONS.index(press.button)] += 1
        assert press.number == told[3 * press.seat + BUTTONS.index(press.button)]
    return told


def test_a_thousand_presses_are_counted_and_no_glitch_is(host: Host) -> None:
    """Presses of 12 to 40 ms and, between and within them, glitches of 2 ms, all at random cycles."""
    source = random.Random(1)
    pressed = [0] * 12
    free_from = [0] * 12
    end = 0
    while sum(pressed) < 1000:
        button = source.randrange(12)
        length = source.randint(12 * MS, 40 * MS)
        start = free_from[button] + source.randint(12 * MS, 60 * MS)
        if start > host.board.cycle + 1000 * MS:
            continue
        start = max(start, host.board.cycle + source.randrange(MS))
        host.board.press(button, delay=start - host.board.cycle, cycles=length)
        pressed[button] += 1
        # A glitch halfway to the release would be a release of 2 ms: the line is up again before it counts.
        after = start + length + source.randint(8 * MS, 10 * MS)
        host.board.press(button, delay=after - host.board.cycle, cycles=2 * MS)
        free_from[button] = after + 2 * MS
        end = max(end, free_from[button])
        if sum(pressed) % 20 == 0:
            host.run_ms(source.uniform(100, 250))
    host.run_ms((end - host.board.cycle) / MS + 100)
    assert counted(host) == pressed
    assert not any(press.late for _, press in host.presses)
    flawless(host.board.watch())


def test_glitches_alone_are_no_press(host: Host) -> None:
    source = random.Random(2)
    for _ in range(300):
        for button in range(12):
            delay = source.randrange(8 * MS)
            host.board.press(button, delay=delay, cycles=source.randint(1000, 2 * MS))
        host.run_ms(14)
    assert host.presses == []


@pytest.mark.parametrize("delay_ms", [0, 30, 300])
def test_a_press_lights_its_own_lamp_within_ten_milliseconds(host: Host, delay_ms: int) -> None:
    """Even where the companion is slow to answer."""
    host.delay_ms = delay_ms
    host.link.show(Shown(((PATTERNS["breathe"], 2, 0),) * 4))
    host.run_ms(700)
    source = random.Random(delay_ms)
    slowest = 0
    for _ in range(40):
        host.run_ms(source.uniform(180, 240))
        button = source.randrange(12)
        host.board.watch()
        host.board.press(button, delay=source.randrange(MS))
        host.run_ms(60)
        seen = flawless(host.board.watch())
        (pressed,) = (cycle for _, level, cycle, _ in seen.inputs if level == 0)
        lit = next(strip.last for strip in seen.strips if strip.seat == button // 3 and strip.grb == WHITE)
        slowest = max(slowest, lit - pressed)
    assert slowest / MS <= 10


def test_a_press_reaches_the_host_within_twenty_milliseconds_of_the_board(host: Host) -> None:
    """In the board's time, with a host that answers a millisecond after each frame."""
    source = random.Random(5)
    for _ in range(150):
        host.run_ms(source.uniform(30, 90))
        host.board.press(source.randrange(12), delay=source.randrange(MS), cycles=15 * MS)
        host.run_ms(40)
    seen = host.board.watch()
    pressed = [cycle for _, level, cycle, _ in seen.inputs if level == 0]
    told = [cycle for cycle, _ in host.presses]
    assert len(told) == len(pressed) == 150
    assert max((end - start) / MS for start, end in zip(pressed, told, strict=True)) <= 20


def test_five_hundred_pictures_are_on_the_pixels_exactly(host: Host) -> None:
    source = random.Random(3)
    now: dict[int, bytes] = {}
    for _ in range(500):
        shown = still(source)
        host.link.show(shown)
        host.run_ms(60)
        now |= undisturbed(host.board.watch()).pictures
        assert now == expected(shown)


def test_moving_patterns_are_on_the_pixels_as_they_are_drawn(host: Host) -> None:
    """Every picture that is written is one of the pattern's, and all of them are written."""
    for name, pattern in PATTERNS.items():
        lamp: Lamp = (pattern, 4, 100)
        host.link.show(Shown((lamp,) * 4, 64))
        host.run_ms(80)
        host.board.watch()
        host.run_ms(1100)
        seen = undisturbed(host.board.watch())
        drawn = {render(lamp, moment, brightness=64) for moment in range(4096)}
        written = {strip.grb for strip in seen.strips}
        assert written <= drawn, name
        if name not in ("breathe", "no_host"):
            assert written == drawn, name


def test_presses_show_and_lamps_come_back(host: Host) -> None:
    shown = Shown(((PATTERNS["steady"], 2, 0),) * 4, 64)
    host.link.show(shown)
    host.run_ms(100)
    host.board.watch()
    host.board.press(7)
    host.run_ms(60)
    assert flawless(host.board.watch()).pictures == {2: WHITE}
    host.run_ms(200)
    assert host.board.watch().pictures[2] == expected(shown)[2]


def test_the_same_picture_twice_changes_nothing(host: Host) -> None:
    host.link.show(Shown(((PATTERNS["steady"], 1, 0),) * 4, 64))
    host.run_ms(1500)
    host.board.watch()
    host.send(write(Lamps(0, 1, 64, 0, 0, ((PATTERNS["steady"], 1, 0),) * 4)))
    host.run_ms(100)
    assert host.board.watch().strips == []


def test_fifty_unplugs_lose_no_press_and_the_lamps_come_back(host: Host) -> None:
    """The board has power of its own; whoever plays goes on pressing."""
    source = random.Random(4)
    pressed = [0] * 12
    now: dict[int, bytes] = {}
    for turn in range(50):
        shown = still(source)
        host.link.show(shown)
        host.run_ms(source.uniform(70, 140))
        if source.random() < 0.7:  # also right at the end: told or not, it counts once
            button = source.randrange(12)
            host.board.press(button, delay=source.randrange(MS))
            pressed[button] += 1
            host.run_ms(source.uniform(0, 30))
        host.unplug()
        assert host.link.report.hint_ro
        host.board.run_ms(45)
        for button in source.sample(range(12), 3):
            host.board.press(button, delay=source.randrange(10 * MS))
            pressed[button] += 1
        # Long enough to be missed now and then, short enough to go unnoticed at other times.
        host.board.run_ms(2200 if turn % 10 == 0 else source.uniform(40, 400))
        now |= flawless(host.board.watch()).pictures
        if turn % 10 == 0:
            assert set(now.values()) <= NO_HOST
        host.plug()
        host.greet()
        host.run_ms(200)
        now |= flawless(host.board.watch()).pictures
        assert now == expected(shown)
        assert counted(host) == pressed


def test_fifty_resets_lose_no_press_and_the_lamps_come_back(host: Host) -> None:
    """As when a program opens the port, or somebody pushes the button: memory stays, all else begins anew."""
    source = random.Random(6)
    pressed = [0] * 12
    for turn in range(50):
        shown = still(source)
        host.link.show(shown)
        host.run_ms(source.uniform(60, 120))
        button = source.randrange(12)
        # Cut off anywhere between the edge of the press and its acknowledgement.
        host.board.press(button, delay=source.randrange(MS), cycles=40 * MS)
        pressed[button] += 1
        host.run_ms(source.uniform(0, 30))
        host.board.reset()
        host.board.watch()
        host.run_ms(250)
        assert host.link.report.state is LinkState.UP
        assert host.link.report.board is not None
        assert host.link.report.board.resets == turn + 1
        host.run_ms(150)
        assert flawless(host.board.watch()).pictures == expected(shown)
        assert counted(host) == pressed


def test_a_power_cut_brings_no_ghosts(host: Host) -> None:
    """The counters begin anew, and say so."""
    pressed = [0] * 12
    epochs = set()
    for seed in range(10):
        for button in range(12):
            host.board.press(button, delay=seed * 1000)
            pressed[button] += 1
        host.run_ms(120)
        host.board.power_cycle(seed)
        host.run_ms(400)
        assert host.link.report.state is LinkState.UP
        assert host.link.report.board is not None
        epochs.add(host.link.report.board.epoch)
        assert counted(host) == pressed
    assert len(epochs) == 10


def test_a_button_held_through_a_reset_is_pressed_once(host: Host) -> None:
    host.board.hold_button(5, down=True)
    host.run_ms(100)
    host.board.reset()
    host.run_ms(400)
    host.board.hold_button(5, down=False)
    host.run_ms(100)
    assert [press.button for _, press in host.presses] == [Button.CALL]


def test_a_companion_started_anew_learns_what_is_shown_and_takes_over_no_press_twice(host: Host) -> None:
    host.link.show(Shown(((PATTERNS["steady"], 1, 0),) * 4, 64))
    host.board.press(0)
    host.run_ms(200)
    with Host(host.board) as second:
        second.plug()
        shown = Shown(((PATTERNS["steady"], 3, 0),) * 4, 64)
        second.link.show(shown)
        host.board.watch()
        second.greet()
        second.run_ms(100)
        assert flawless(second.board.watch()).pictures == expected(shown)
        assert second.presses == []
        second.board.press(0)
        second.run_ms(100)
        assert counted(second) == [1, *[0] * 11]


def test_without_a_companion_the_board_says_so_and_counts_on(host: Host) -> None:
    """The port is open and nobody answers."""
    host.link.show(Shown(((PATTERNS["steady"], 1, 0),) * 4, 64))
    host.run_ms(100)
    host.board.watch()
    host.delay_ms = 3000
    host.run_ms(2300)
    assert set(host.board.watch().pictures.values()) <= NO_HOST
    for _ in range(20):
        host.board.press(9)
        host.run_ms(50)
    host.delay_ms = 0
    host._answers.clear()
    host.run_ms(700)
    assert counted(host)[9] == 20
    assert set(host.board.watch().pictures.values()) == set(expected(host.link._wanted or Shown()).values())


def test_garbage_on_the_line_changes_nothing(host: Host) -> None:
    """64 KiB of random bytes between the answers; the megabyte goes through the core in test_core.py."""
    shown = Shown(((PATTERNS["steady"], 1, 0), (2, 4, 99), (0, 0, 0), (1, 5, 0)), 64)
    host.link.show(shown)
    host.run_ms(150)
    source = random.Random(8)
    for _ in range(64):
        host.send(source.randbytes(1024))
        host.run_ms(180)
    host.run_ms(2500)
    assert host.link.report.state is LinkState.UP
    assert host.presses == []
    host.board.watch()
    host.board.press(4)
    host.run_ms(1200)
    assert counted(host)[4] == 1
    assert {**expected(shown), **host.board.watch().pictures} == expected(shown)


def test_asking_again_and_again_leaves_the_link_up(host: Host) -> None:
    for _ in range(20):
        host.send(write(Ask()))
        host.run_ms(60)
    assert host.link.report.state is LinkState.UP
    assert host.presses == []


def test_a_board_of_another_version_is_told_and_left_alone(simulator: Path, other_hex: Path) -> None:
    with SimulatedBoard(simulator, other_hex) as board, Host(board) as host:
        host.plug()
        host.link.show(Shown(((PATTERNS["steady"], 1, 0),) * 4, 64))
        board.press(3, delay=100 * MS)
        host.run_ms(3000)
        report = host.link.report
        assert report.state is LinkState.WRONG_VERSION
        assert "protocol 2" in report.hint_en
        assert "remi firmware flash" in report.hint_ro
        assert host.presses == []
        assert host._written == 0
        assert {strip.grb for strip in board.watch().strips} <= NO_HOST | {
            render((PATTERNS["steady"], 0, 0), 0, brightness=32)
        }


def test_sounds_are_the_declared_tones_once(host: Host) -> None:
    sounds = protocol().sounds
    host.link.show(Shown(sound=protocol().sound_number("turn"), sound_seq=1))
    host.run_ms(300)
    assert host.board.watch().buzzes == [], "the first picture sets the count"
    host.link.show(Shown(sound=protocol().sound_number("turn"), sound_seq=2))
    host.run_ms(300)
    ((hertz, milliseconds),) = sounds["turn"]
    edges = host.board.watch().buzzes
    assert abs(len(edges) - 2 * hertz * milliseconds / 1000) <= 4
    half = (edges[-1] - edges[0]) / (len(edges) - 1)
    assert abs(HZ / 2 / half - hertz) < 2


def test_plain_leds_tell_the_signs_by_their_rhythm(simulator: Path, plain_hex: Path) -> None:
    with SimulatedBoard(simulator, plain_hex) as board, Host(board) as host:
        host.plug()
        host.greet()
        assert host.link.report.board is not None
        assert not host.link.report.board.capabilities & protocol().capabilities["pixels"]
        names = ("steady", "hurry", "off", "alternate")
        host.link.show(Shown(tuple((PATTERNS[name], 1, 255) for name in names)))
        host.run_ms(500)
        board.watch()
        host.run_ms(2000)
        seen = board.watch()
        assert seen.bad == []
        lengths = {
            seat: [round((end - start) / MS) for s, start, end in seen.highs if s == seat]
            for seat in range(4)
        }
        assert lengths[0] == []
        assert 0 in seen.up
        assert len(lengths[1]) == 8
        assert all(abs(length - 125) <= 25 for length in lengths[1])
        assert lengths[2] == []
        assert 2 not in seen.up
        assert all(abs(length - 500) <= 25 for length in lengths[3])
        assert len(lengths[3]) in (1, 2)


def test_the_simulator_ends_with_its_control_socket(simulator: Path, board_hex: Path) -> None:
    with SimulatedBoard(simulator, board_hex) as board:
        board.free()
    assert board._process.returncode == 0
