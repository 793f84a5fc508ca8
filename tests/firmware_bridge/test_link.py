"""The companion's end of the link, with boards that are scripts: presses once each, answers one at a time."""

from __future__ import annotations

import random
import tracemalloc

import pytest

from engine.lamps import Button, ButtonPressed
from firmware_bridge.codec import Decoder, frame, pack, unpack
from firmware_bridge.lamps import Shown
from firmware_bridge.link import PATIENCE_MS, Link, LinkState, moved
from firmware_bridge.messages import Ask, Beat, Hello, Lamps, Status, Welcome, read, write
from firmware_bridge.protocol import protocol
from firmware_bridge.software_board import Counters, SoftwareBoard

NOTHING = (0,) * 12
PICTURE = Shown(((1, 2, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0)), 40)


def counts(**presses: int) -> tuple[int, ...]:
    """Counters by button: `b3=2`."""
    return tuple(presses.get(f"b{button}", 0) for button in range(12))


def hello(seq: int = 1, **changes: object) -> bytes:
    values: dict[str, object] = {
        "seq": seq,
        "version": protocol().version,
        "firmware": 1,
        "capabilities": 3,
        "seats": 4,
        "buttons": 3,
        "pixels": 8,
        "epoch": 7,
        "resets": 0,
        "counts": NOTHING,
        "acked": NOTHING,
        **changes,
    }
    return write(Hello(**values))  # type: ignore[arg-type]


def status(seq: int, lamps: int = 0, told: tuple[int, ...] = NOTHING) -> bytes:
    return write(Status(seq, lamps, 0, 0, told))


def answer(link: Link) -> object:
    """What the link answers, None for nothing; the same is not said twice."""
    outgoing = link.take_outgoing()
    assert link.take_outgoing() == b""
    messages = Decoder().take(outgoing)
    assert len(messages) <= 1
    return read(messages[0]) if messages else None


def state(link: Link) -> LinkState:
    return link.report.state


@pytest.fixture
def link() -> Link:
    link = Link()
    link.opened(0)
    return link


def test_it_waits_for_hello_and_says_nothing_before(link: Link) -> None:
    assert state(link) is LinkState.WAITING
    link.tick(PATIENCE_MS - 1)
    assert state(link) is LinkState.WAITING
    assert answer(link) is None
    assert link.receive(hello(seq=9), 3000) == []
    assert answer(link) == Welcome(9, protocol().version)
    assert state(link) is LinkState.UP
    assert link.report.hint_en == link.report.hint_ro == ""


def test_an_open_line_without_a_board_is_told_after_a_while(link: Link) -> None:
    link.tick(PATIENCE_MS)
    assert state(link) is LinkState.SILENT
    assert "remi firmware flash" in link.report.hint_en
    link.receive(hello(), 9000)
    assert state(link) is LinkState.UP


def test_every_status_is_answered_with_one_frame(link: Link) -> None:
    link.receive(hello(1), 0)
    answer(link)
    for seq in (2, 3, 4):
        link.receive(status(seq), seq * 50)
        assert answer(link) == Beat(seq)
    link.receive(status(5) + status(6), 400)
    assert answer(link) == Beat(6)


def test_the_picture_is_sent_until_the_board_says_that_it_shows_it(link: Link) -> None:
    link.receive(hello(1), 0)
    link.show(PICTURE)
    for seq in (2, 3):  # the first was lost
        link.receive(status(seq), 50 * seq)
        assert answer(link) == Lamps(seq, 1, 40, 0, 0, PICTURE.lamps)
    link.receive(status(4, lamps=1), 200)
    assert answer(link) == Beat(4)
    link.show(PICTURE)
    link.receive(status(5, lamps=1), 250)
    assert answer(link) == Beat(5)
    link.show(Shown())
    link.receive(status(6, lamps=1), 300)
    sent = answer(link)
    assert isinstance(sent, Lamps)
    assert sent.seq == 2


def test_a_board_that_has_forgotten_the_picture_gets_it_again(link: Link) -> None:
    link.show(PICTURE)
    link.receive(hello(1), 0)
    link.receive(status(2, lamps=1), 50)
    link.receive(hello(1, resets=1), 1000)
    assert answer(link) == Welcome(1, protocol().version)
    link.receive(status(2, lamps=0), 1050)
    assert isinstance(answer(link), Lamps)


def test_the_number_of_a_picture_is_never_nought(link: Link) -> None:
    link.receive(hello(1), 0)
    seen = set()
    for number in range(600):
        link.show(Shown(brightness=number % 250))
        link.receive(status(2), 0)
        sent = answer(link)
        assert isinstance(sent, Lamps)
        seen.add(sent.seq)
    assert seen == set(range(1, 256))


def test_presses_are_told_once_each(link: Link) -> None:
    link.receive(hello(1), 0)
    first = link.receive(status(2, told=counts(b0=1, b7=2)), 50)
    assert first == [
        ButtonPressed(0, Button.END_TURN, 1),
        ButtonPressed(2, Button.ANNOUNCE, 1),
        ButtonPressed(2, Button.ANNOUNCE, 2),
    ]
    assert link.receive(status(2, told=counts(b0=1, b7=2)), 60) == []
    assert link.receive(status(3, told=counts(b0=2, b7=2)), 70) == [ButtonPressed(0, Button.END_TURN, 2)]


@pytest.mark.parametrize("before", range(0, 256, 15))
@pytest.mark.parametrize("more", [0, 1, 2, 255])
def test_counters_that_run_over_are_widened(link: Link, before: int, more: int) -> None:
    told = counts(b5=before)
    link.receive(hello(1, counts=told, acked=told), 0)
    assert len(link.receive(status(2, told=counts(b5=(before + more) % 256)), 50)) == more


def test_what_nobody_has_taken_over_is_told_late(link: Link) -> None:
    (press,) = link.receive(hello(1, counts=counts(b2=5), acked=counts(b2=4)), 0)
    assert press == ButtonPressed(0, Button.CALL, 1, late=True)


def test_after_a_break_the_same_run_of_counters_goes_on_from_what_was_seen(link: Link) -> None:
    """Whether or not the acknowledgement had reached the board."""
    link.receive(hello(1), 0)
    assert len(link.receive(status(2, told=counts(b1=3)), 50)) == 3
    link.closed()
    assert state(link) is LinkState.ABSENT
    link.opened(5000)
    (late,) = link.receive(hello(1, counts=counts(b1=4), acked=counts(b1=1)), 6000)
    assert late == ButtonPressed(0, Button.ANNOUNCE, 4, late=True)


def test_a_new_run_of_counters_counts_from_nothing(link: Link) -> None:
    link.receive(hello(1), 0)
    link.receive(status(2, told=counts(b1=3)), 50)
    (press,) = link.receive(hello(1, epoch=8, counts=counts(b1=1)), 100)
    assert press.number == 4


def test_a_board_that_talks_on_is_asked_who_it_is(link: Link) -> None:
    assert link.receive(status(40, told=counts(b1=9)), 10) == []
    assert answer(link) == Ask()
    assert state(link) is LinkState.WAITING
    link.receive(hello(41, counts=counts(b1=9), acked=counts(b1=9)), 30)
    assert answer(link) == Welcome(41, protocol().version)


def test_silence_is_noticed_and_its_end(link: Link) -> None:
    link.receive(hello(1), 0)
    link.tick(protocol().times["board_lost"] - 1)
    assert state(link) is LinkState.UP
    link.tick(protocol().times["board_lost"])
    assert state(link) is LinkState.SILENT
    assert answer(link) is None
    link.receive(status(2), 1500)
    assert state(link) is LinkState.UP


def test_a_board_of_another_version_is_told_with_both(link: Link) -> None:
    link.receive(frame(bytes([1, 5, 9]) + bytes(20)), 0)
    assert state(link) is LinkState.WRONG_VERSION
    report = link.report
    assert "protocol 9, this program 1" in report.hint_en
    assert "protocolul 9, programul protocolul 1" in report.hint_ro
    assert answer(link) is None
    link.receive(status(6, told=counts(b1=1)), 50)
    assert answer(link) is None
    link.receive(hello(7), 100)
    assert state(link) is LinkState.UP


def test_a_board_with_other_seats_is_told(link: Link) -> None:
    assert link.receive(hello(1, seats=6), 0) == []
    assert state(link) is LinkState.WRONG_BOARD
    assert answer(link) is None


def test_a_message_of_no_kind_is_passed_over(link: Link) -> None:
    link.receive(frame(b"\x63abc") + hello(2), 0)
    assert answer(link) == Welcome(2, protocol().version)


def test_every_state_that_needs_somebody_says_what_to_do() -> None:
    from firmware_bridge.link import _HINTS

    assert set(_HINTS) == set(LinkState) - {LinkState.UP, LinkState.WAITING}
    for hints in _HINTS.values():
        assert all(hints)
        assert not set("şţŞŢ") & set("".join(hints))


def test_a_megabyte_of_garbage_takes_no_memory_and_tells_no_press(link: Link) -> None:
    link.receive(hello(1), 0)
    source = random.Random(1)
    link.receive(source.randbytes(1 << 16), 1)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        for now in range(256):
            assert link.receive(source.randbytes(4096), now) == []
        after, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert after - before < 4096
    assert peak - before < 1 << 17
    assert link.report.bad_frames > 1000
    link.receive(b"\0" + status(2, told=counts(b0=1)), 300)
    assert state(link) is LinkState.UP


def test_presses_are_moved_to_the_seats_of_the_game() -> None:
    presses = [
        ButtonPressed(0, Button.CALL, 1),
        ButtonPressed(2, Button.CALL, 1),
        ButtonPressed(1, Button.CALL, 1),
    ]
    assert moved(presses, {0: 0, 2: 1}) == [
        ButtonPressed(0, Button.CALL, 1),
        ButtonPressed(1, Button.CALL, 1),
    ]


@pytest.mark.parametrize("seed", range(6))
def test_a_bad_line_ends_in_the_same_lamps_and_the_same_counts(seed: int) -> None:
    """Half of all frames lost, repeated or damaged either way, resets and breaks between."""
    source = random.Random(seed)
    counters = Counters(epoch=3)
    board = SoftwareBoard(counters)
    link = Link()
    link.opened(0)
    told = 0
    pressed = 0
    shown = Shown()
    for now in range(40_000):
        quiet = now > 35_000
        if not quiet and source.random() < 1 / 100:
            board.press(source.randrange(12), now)
            pressed += 1
        if not quiet and source.random() < 1 / 500:
            lamps = tuple((source.randrange(9), source.randrange(7), source.randrange(256)) for _ in range(4))
            shown = Shown(lamps, source.randrange(256))
            link.show(shown)
        if not quiet and source.random() < 1 / 4000:
            board = SoftwareBoard(counters)  # a reset
        if not quiet and source.random() < 1 / 4000:
            link.closed()
            link.opened(now)
        board.tick(now)
        link.tick(now)
        told += len(link.receive(noisy(board.speak(now), source, quiet=quiet), now))
        board.receive(noisy(link.take_outgoing(), source, quiet=quiet), now)
    assert told == pressed
    assert state(link) is LinkState.UP
    assert [board.lamp(seat) for seat in range(4)] == list(shown.lamps)
    assert board.brightness == shown.brightness


def noisy(data: bytes, source: random.Random, *, quiet: bool) -> bytes:
    if quiet or not data or source.random() < 0.5:
        return data
    match source.randrange(4):
        case 0:
            return b""
        case 1:
            return data * 2
        case 2:
            damaged = bytearray(data)
            damaged[source.randrange(len(damaged))] ^= 1 << source.randrange(8)
            return bytes(damaged)
        case _:
            return source.randbytes(20) + data


def test_what_a_test_board_says_is_a_message() -> None:
    """The scripts above speak through the same table as the board."""
    (raw,) = Decoder().take(status(3))
    assert unpack(raw)[0] == "STATUS"
    assert pack(*unpack(raw)) == raw
