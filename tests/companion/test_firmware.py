"""`remi firmware`: building, flashing, and the software board in a terminal."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from companion.board_sim import KEYS, lamps_line
from companion.cli import main
from engine.lamps import ButtonPressed
from firmware_bridge.lamps import Shown
from firmware_bridge.link import Link, LinkState
from firmware_bridge.messages import Lamps, Welcome, write
from firmware_bridge.port import open_port, receive, send
from firmware_bridge.protocol import protocol
from firmware_bridge.software_board import SoftwareBoard


@pytest.mark.board
@pytest.mark.parametrize("lamps", ["pixels", "plain"])
def test_build_makes_the_program(tmp_path: Path, lamps: str) -> None:
    out = tmp_path / "board.hex"
    done = CliRunner().invoke(main, ["firmware", "build", str(out), "--lamps", lamps])
    assert done.exit_code == 0, done.output
    assert re.fullmatch(rf"{out}: \d+ bytes\n", done.stdout)
    assert out.read_text().startswith(":")


def test_build_without_a_compiler_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    done = CliRunner().invoke(main, ["firmware", "build", str(tmp_path / "board.hex")])
    assert done.exit_code == 1
    assert "gcc-avr" in done.stderr


def test_flash_without_a_board_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_bridge.port.find_ports", lambda by_id: [])
    done = CliRunner().invoke(main, ["firmware", "flash"])
    assert done.exit_code == 1
    assert "no board was found" in done.stderr


def test_flash_writes_a_given_program_onto_the_found_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "board.hex"
    program.write_text(":0100000001FE\n:00000001FF\n")
    avrdude = tmp_path / "avrdude"
    avrdude.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/called\n')
    avrdude.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}/bin")
    monkeypatch.setattr("firmware_bridge.port.find_ports", lambda by_id: ["/dev/serial/by-id/usb-uno"])
    done = CliRunner().invoke(main, ["firmware", "flash", str(program), "--board", "nano-old"])
    assert done.exit_code == 0, done.output
    called = (tmp_path / "called").read_text()
    assert "-P /dev/serial/by-id/usb-uno -b 57600" in called


def test_a_line_shows_the_lamps_the_host_and_the_sound() -> None:
    board = SoftwareBoard()
    assert lamps_line(board, 0, colours=False).split() == [*["o......."] * 4, "no", "host"]
    board.speak(0)
    board.receive(write(Welcome(1, protocol().version)), 1)
    patterns = protocol().patterns
    lamps = (
        (patterns["steady"], 0, 0),
        (patterns["gauge"], 0, 128),
        (0, 0, 0),
        (patterns["alternate"], 0, 0),
    )
    board.receive(write(Lamps(1, 1, 64, 0, 0, lamps)), 2)
    board.receive(write(Lamps(1, 2, 64, protocol().sound_number("turn"), 1, lamps)), 2)
    assert (
        lamps_line(board, 3, colours=False).rstrip() == "OOOOOOOO  OOOOo...  ........  O.O.O.O.  host, 880 Hz"
    )
    assert "\x1b[" in lamps_line(board, 3, colours=True)


def test_every_button_has_a_key_of_its_own() -> None:
    assert len(set(KEYS)) == len(KEYS) == protocol().seats * protocol().buttons


@pytest.fixture
def sim() -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "companion", "firmware", "sim"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        # A shell that starts this in the background has Ctrl-C ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),  # noqa: PLW1509
    )
    yield process
    process.kill()
    process.communicate()


def test_the_software_board_is_opened_like_a_real_one(sim: subprocess.Popen[str]) -> None:
    assert sim.stdout is not None
    assert sim.stdin is not None
    found = re.search(r"hangs on (\S+) ", sim.stdout.readline())
    assert found is not None
    port = open_port(found[1])
    link = Link()
    link.opened(0)
    link.show(Shown(((protocol().patterns["steady"], 0, 0), (0, 0, 0), (0, 0, 0), (0, 0, 0))))
    presses: list[ButtonPressed] = []
    pressed = False
    end = time.monotonic() + 30
    while not presses and time.monotonic() < end:
        presses += link.receive(receive(port), int(1000 * time.monotonic()))
        answer = link.take_outgoing()
        if answer:
            send(port, answer)
        if link.report.state is LinkState.UP and not pressed:
            sim.stdin.write(f"{KEYS[4]}\n")
            sim.stdin.flush()
            pressed = True
    port.close()
    assert [(press.seat, press.button.value) for press in presses] == [(1, "announce")]
    sim.send_signal(signal.SIGINT)
    out, _ = sim.communicate(timeout=30)
    assert sim.returncode == 0
    assert "OOOOOOOO" in out
