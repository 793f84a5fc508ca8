"""The board's core, built for this machine, beside its twin in Python: the same in, the same out."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Iterator

import pytest

from firmware_bridge.codec import unframe
from firmware_bridge.messages import Ask, Beat, Lamps, Welcome, write
from firmware_bridge.patterns import plain_on, render
from firmware_bridge.protocol import protocol
from firmware_bridge.software_board import Counters, SoftwareBoard

pytestmark = pytest.mark.board

GRB = 3 * protocol().pixels
MOMENTS = [*range(0, 5000, 37), 2047, 2048, 4095, 4096, 65535, 65536, 100_000, 2**31, 2**32 - 1]


class Core:
    """The core under the names of the twin."""

    def __init__(self, core: ctypes.CDLL, epoch: int) -> None:
        self._core = core
        self._board = ctypes.c_void_p(core.core_board(epoch))

    def tick(self, now: int) -> None:
        self._core.core_tick(self._board, now)

    def receive(self, data: bytes, now: int) -> None:
        self._core.core_receive(self._board, data, len(data), now)

    def press(self, button: int, now: int) -> None:
        self._core.core_press(self._board, 1 << button, now)

    def speak(self, now: int) -> bytes:
        wire = ctypes.create_string_buffer(64)
        size = self._core.core_speak(self._board, now, wire)
        return wire.raw[:size]

    def picture(self, seat: int, now: int) -> bytes:
        grb = ctypes.create_string_buffer(GRB)
        self._core.core_picture(self._board, seat, now, grb)
        return grb.raw

    def plain(self, seat: int, now: int) -> bool:
        return bool(self._core.core_plain(self._board, seat, now))

    def tone(self, now: int) -> int:
        return int(self._core.core_tone(self._board, now))

    def may_paint(self, now: int) -> bool:
        return bool(self._core.core_may_paint(self._board, now))

    def painted(self, now: int) -> None:
        self._core.core_painted(self._board, now)

    def free(self) -> None:
        self._core.core_free_board(self._board)


@pytest.fixture
def board(core: ctypes.CDLL) -> Iterator[Core]:
    made = Core(core, epoch=5)
    yield made
    made.free()


@pytest.mark.parametrize("pattern", [*protocol().patterns.values(), 10, 255])
def test_patterns_look_the_same_to_the_bit(core: ctypes.CDLL, pattern: int) -> None:
    grb = ctypes.create_string_buffer(GRB)
    for number, moment in enumerate(MOMENTS):
        lamp = (pattern, number % 8, (0, 1, 31, 32, 100, 128, 254, 255)[number % 8])
        for brightness in (0, 16, 64, 255):
            core.core_render(bytes(lamp), moment, brightness, grb)
            assert grb.raw == render(lamp, moment, brightness=brightness)
        assert core.core_plain_on(bytes(lamp), moment) == plain_on(lamp, moment)


def test_patterns_are_told_apart_by_a_plain_led_alone() -> None:
    """Each has a rhythm of its own; a gauge is a lamp that is on, since one LED shows no part of it."""
    rhythms = {}
    for name, pattern in protocol().patterns.items():
        rhythms[name] = tuple(plain_on((pattern, 1, 128), moment) for moment in range(0, 8192, 10))
    assert rhythms.pop("gauge") == rhythms["steady"]
    assert len(set(rhythms.values())) == len(rhythms)


def test_patterns_are_told_apart_without_colour() -> None:
    looks = set()
    for pattern in protocol().patterns.values():
        looks.add(
            b"".join(render((pattern, 0, 128), moment, brightness=255) for moment in range(0, 4096, 50))
        )
    assert len(looks) == len(protocol().patterns)


@pytest.mark.parametrize("seed", range(4))
def test_the_software_board_says_and_shows_what_the_firmware_does(core: ctypes.CDLL, seed: int) -> None:
    """A minute with a companion that comes and goes, answers late, twice or not, and sends nonsense."""
    source = random.Random(seed)
    theirs, ours = Core(core, epoch=9), SoftwareBoard(Counters(epoch=9))
    answers: list[tuple[int, bytes]] = []
    there = True
    sent = shown = 0
    for now in range(60_000):
        if source.random() < 1 / 8000:
            there = not there
        if source.random() < 1 / 150:
            button = source.randrange(12)
            theirs.press(button, now)
            ours.press(button, now)
        if source.random() < 1 / 3000:
            answers.append((now, write(Ask()) if source.random() < 0.5 else source.randbytes(30) + b"\0"))
        for at, data in list(answers):
            if at <= now:
                answers.remove((at, data))
                theirs.receive(data, now)
                ours.receive(data, now)
        theirs.tick(now)
        ours.tick(now)
        spoken = theirs.speak(now)
        assert ours.speak(now) == spoken, now
        if spoken:
            sent += 1
            if there and source.random() < 0.9:
                answer = answer_to(spoken, source)
                times = 2 if source.random() < 0.05 else 1
                delays = source.choices((2, 2, 2, 3, 10, 60, 500), k=times)
                answers += [(now + delay, answer) for delay in delays]
        if now % 13 == 0:
            shown += 1
            for seat in range(4):
                assert ours.picture(seat, now) == theirs.picture(seat, now), (now, seat)
                assert ours.plain(seat, now) == theirs.plain(seat, now)
            assert ours.tone(now) == theirs.tone(now)
    assert sent > 200
    assert shown > 4000
    theirs.free()


def answer_to(spoken: bytes, source: random.Random) -> bytes:
    message = unframe(spoken[1:-1])
    assert message is not None
    if message[0] == 1:
        return write(Welcome(message[1], source.choice((1, 1, 1, 1, 2))))
    if source.random() < 0.2:
        lamps = tuple((source.randrange(10), source.randrange(9), source.randrange(256)) for _ in range(4))
        sound, times = source.randrange(6), source.randrange(3)
        return write(Lamps(message[1], source.randint(1, 5), source.randrange(256), sound, times, lamps))
    return write(Beat(message[1]))


def test_a_megabyte_of_garbage_leaves_the_board_as_it_was(board: Core) -> None:
    """A frame in it passes once in 16 million stretches; this seed has none."""
    source = random.Random(11)
    before = [board.picture(seat, 5000) for seat in range(4)]
    for now in range(256):
        board.receive(source.randbytes(4096), now)
    board.receive(b"\0", 256)
    assert [board.picture(seat, 5000) for seat in range(4)] == before
    assert decoded(board.speak(5000)) == 1


def decoded(spoken: bytes) -> int:
    """The kind of message that is said."""
    message = unframe(spoken[1:-1])
    assert message is not None
    return message[0]


def test_nothing_is_painted_while_an_answer_may_be_on_its_way_but_a_press_in_time(board: Core) -> None:
    times = protocol().times
    assert board.may_paint(5)
    assert decoded(board.speak(5)) == 1
    assert not any(board.may_paint(now) for now in range(5, 40))
    board.press(0, 10)
    assert [board.may_paint(10 + wait) for wait in range(times["press_lamp"] + 1)] == [
        *[False] * times["press_lamp"],
        True,
    ]
    for seat in range(4):
        board.picture(seat, 13)
    board.painted(13)
    assert not any(board.may_paint(now) for now in range(14, 45))
    board.tick(5 + times["answer"])
    assert board.may_paint(45)


def test_an_answer_ends_the_wait(board: Core) -> None:
    board.speak(5)
    board.receive(write(Welcome(1, 1)), 8)
    assert board.may_paint(8)


def test_a_companion_of_another_version_is_no_host(board: Core) -> None:
    board.speak(5)
    board.receive(write(Welcome(1, 2)), 8)
    board.tick(300)
    assert decoded(board.speak(300)) == 1


def test_counters_stop_before_they_would_look_like_none() -> None:
    board = SoftwareBoard()
    for _ in range(300):
        board.press(4, 0)
    assert board.counters.counts[4] == 255
