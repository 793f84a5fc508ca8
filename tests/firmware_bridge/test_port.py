"""The port and its thread, with software boards on pseudo terminals that come and go."""

from __future__ import annotations

import os
import queue
import random
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import serial

from engine.lamps import Button, ButtonPressed
from firmware_bridge.lamps import Shown
from firmware_bridge.link import LinkReport, LinkState
from firmware_bridge.port import (
    BoardPort,
    LinkLost,
    PortError,
    find_port,
    find_ports,
    open_port,
    receive,
    send,
)
from firmware_bridge.protocol import protocol
from firmware_bridge.pty_board import PtyBoard
from firmware_bridge.software_board import Counters, SoftwareBoard

STEADY = protocol().patterns["steady"]


class Living:
    """A software board that lives in a thread until it is unplugged; its port has a lasting name."""

    def __init__(self, name: Path, counters: Counters, version: int | None = None) -> None:
        self.pty = PtyBoard(SoftwareBoard(counters, version=version))
        self._name = name
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._live, name="test-board")
        name.symlink_to(self.pty.path)
        self._thread.start()

    def _live(self) -> None:
        while not self._ends.is_set():
            self.pty.turn_over(0.002)

    def unplug(self) -> None:
        if self._ends.is_set():
            return
        self._ends.set()
        self._thread.join()
        self._name.unlink()
        self.pty.close()


class Table:
    """What the table thread would keep of it."""

    def __init__(self, by_id: Path) -> None:
        self.presses: queue.Queue[ButtonPressed] = queue.Queue()
        self.states: list[LinkState] = []
        self.port = BoardPort(
            lambda: find_port(by_id=by_id),
            on_press=self.presses.put,
            on_state=self._state,
            retry_seconds=0.02,
        )

    def _state(self, report: LinkReport) -> None:
        self.states.append(report.state)

    def wait_for(self, state: LinkState) -> None:
        until(lambda: self.port.report.state is state)


def until(done: Callable[[], bool]) -> None:
    """Waits for something that another thread does; fails after a long while."""
    end = time.monotonic() + 30
    while not done():
        assert time.monotonic() < end, "it does not come about"
        time.sleep(0.002)


@pytest.fixture
def by_id(tmp_path: Path) -> Path:
    folder = tmp_path / "by-id"
    folder.mkdir()
    return folder


@pytest.fixture
def table(by_id: Path) -> Iterator[Table]:
    table = Table(by_id)
    table.port.start()
    yield table
    table.port.close()
    assert not any(thread.name == "board" for thread in threading.enumerate())


@pytest.fixture
def plug(by_id: Path) -> Iterator[Callable[..., Living]]:
    plugged = []

    def plug_in(counters: Counters | None = None, version: int | None = None) -> Living:
        plugged.append(Living(by_id / "usb-board", counters or Counters(), version))
        return plugged[-1]

    yield plug_in
    for living in plugged:
        living.unplug()


def test_the_link_comes_up_by_itself(table: Table, plug: Callable[..., Living]) -> None:
    table.wait_for(LinkState.ABSENT)
    table.port.show(Shown(((STEADY, 1, 0),) * 4, 77))
    living = plug()
    table.wait_for(LinkState.UP)
    until(lambda: living.pty.board.lamp(2) == (STEADY, 1, 0))
    living.pty.press(8)
    assert table.presses.get(timeout=30) == ButtonPressed(2, Button.CALL, 1)
    assert table.states == [LinkState.ABSENT, LinkState.WAITING, LinkState.UP]


def test_twenty_times_gone_and_back_while_it_writes(table: Table, plug: Callable[..., Living]) -> None:
    source = random.Random(1)
    counters = Counters(epoch=3)
    pressed = 0
    for turn in range(20):
        living = plug(counters)
        table.port.show(Shown(((STEADY, turn % 7, 0),) * 4, turn))
        if turn % 2:
            table.wait_for(LinkState.UP)
            living.pty.press(source.randrange(12))
            pressed += 1
        time.sleep(source.uniform(0, 0.05))  # anywhere in the exchange
        living.unplug()
        table.wait_for(LinkState.ABSENT)
        assert table.port.report.hint_en
    living = plug(counters)
    table.wait_for(LinkState.UP)
    until(lambda: living.pty.board.brightness == 19)
    until(lambda: table.presses.qsize() == pressed)


def flood(port: serial.Serial) -> None:
    for _ in range(100):
        send(port, bytes(4096))


def test_a_port_that_vanishes_while_writing_is_a_lost_link() -> None:
    board = PtyBoard()
    port = open_port(board.path)
    board.close()
    with pytest.raises(LinkLost):
        flood(port)
    with pytest.raises(LinkLost):
        receive(port)
    port.close()


def test_a_port_that_takes_nothing_is_a_lost_link() -> None:
    board = PtyBoard()
    port = open_port(board.path)
    port.write_timeout = 0.05
    with pytest.raises(LinkLost, match="timeout"):
        flood(port)
    board.close()
    port.close()


def test_a_port_that_is_none_or_taken_is_a_lost_link(tmp_path: Path) -> None:
    with pytest.raises(LinkLost, match="No such file"):
        open_port(str(tmp_path / "no-such-port"))
    (tmp_path / "file").write_text("")
    with pytest.raises(LinkLost):
        open_port(str(tmp_path / "file"))


def test_a_port_that_another_program_holds_is_told_and_taken_when_it_is_free(
    table: Table, plug: Callable[..., Living], by_id: Path
) -> None:
    board = PtyBoard()
    held = open_port(board.path)
    (by_id / "usb-held").symlink_to(board.path)
    table.wait_for(LinkState.REFUSED)
    assert "exclusively lock" in table.port.report.hint_en
    held.close()
    table.wait_for(LinkState.WAITING)
    (by_id / "usb-held").unlink()
    board.close()


def test_a_megabyte_of_garbage_is_borne(table: Table, plug: Callable[..., Living], by_id: Path) -> None:
    source = random.Random(2)
    board = PtyBoard()
    (by_id / "usb-noise").symlink_to(board.path)
    table.wait_for(LinkState.WAITING)
    sent = 0
    while sent < 1 << 20:
        try:
            sent += os.write(board._master, source.randbytes(2048))
        except BlockingIOError:
            time.sleep(0.002)
    until(lambda: table.port.report.bad_frames > 3000)
    assert table.port.report.state is LinkState.WAITING
    assert table.presses.empty()
    (by_id / "usb-noise").unlink()
    board.close()
    table.wait_for(LinkState.ABSENT)
    plug()
    table.wait_for(LinkState.UP)


def test_a_board_of_another_version_is_shown_and_left_alone(
    table: Table, plug: Callable[..., Living]
) -> None:
    living = plug(version=2)
    table.wait_for(LinkState.WRONG_VERSION)
    living.pty.press(0)
    time.sleep(0.4)
    assert table.port.report.state is LinkState.WRONG_VERSION
    assert not living.pty.board.up
    assert table.presses.empty()
    living.unplug()
    plug()
    table.wait_for(LinkState.UP)


def test_ports_are_found_by_their_lasting_names(by_id: Path) -> None:
    with pytest.raises(PortError, match="no board was found"):
        find_port(by_id=by_id)
    (by_id / "usb-one").symlink_to("/dev/null")
    assert find_port(by_id=by_id) == str(by_id / "usb-one")
    assert find_port("/dev/ttyACM7", by_id=by_id) == "/dev/ttyACM7"
    (by_id / "usb-two").symlink_to("/dev/null")
    with pytest.raises(PortError, match=r"several ports.*usb-one.*usb-two"):
        find_port(by_id=by_id)


def test_on_linux_no_folder_is_no_port(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.system", lambda: "Linux")
    assert find_ports(tmp_path / "none") == []


def test_elsewhere_ports_are_found_by_their_makers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from types import SimpleNamespace

    ports = [SimpleNamespace(device="COM7", vid=0x2341), SimpleNamespace(device="COM1", vid=None)]
    monkeypatch.setattr("platform.system", lambda: "Windows")
    monkeypatch.setattr("serial.tools.list_ports.comports", lambda: ports)
    assert find_ports(tmp_path / "none") == ["COM7"]
