"""Building and flashing: a program that fits, the right call of avrdude, and errors that say what to do."""

from __future__ import annotations

import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from firmware_bridge.build import (
    BOOT_BAUD,
    FLASH_BYTES,
    PACKAGES,
    SOURCES,
    ToolError,
    build_hex,
    flash,
    flash_command,
    hex_bytes,
)
from tests.firmware_bridge.tools import APT

SMALLEST = ":0100000001FE\n:00000001FF\n"


def tool(folder: Path, name: str, script: str) -> None:
    """A program of that name on the path, for this test."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A path with nothing of ours on it but what a test puts there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    return folder


@pytest.mark.board
def test_the_program_is_built_and_fits_with_room(tmp_path: Path) -> None:
    size = build_hex(tmp_path / "a" / "board.hex")
    assert hex_bytes(tmp_path / "a" / "board.hex") == size
    assert 1000 < size < FLASH_BYTES // 2


@pytest.mark.board
def test_the_same_sources_give_the_same_program(tmp_path: Path, board_hex: Path) -> None:
    build_hex(tmp_path / "again.hex")
    assert (tmp_path / "again.hex").read_bytes() == board_hex.read_bytes()


@pytest.mark.board
def test_the_program_leaves_most_of_the_memory_to_the_stack(board_hex: Path) -> None:
    """.data, .bss and .noinit of the 2 KiB."""
    done = subprocess.run(
        [shutil.which("avr-size") or "", str(board_hex.with_suffix(".elf"))],
        capture_output=True,
        text=True,
        check=True,
    )
    _, data, bss, *_ = done.stdout.splitlines()[1].split()
    assert int(data) + int(bss) < 1024


def test_the_core_uses_nothing_of_the_chip() -> None:
    for source in SOURCES.glob("core/*"):
        included = [
            line.split()[1] for line in source.read_text().splitlines() if line.startswith("#include")
        ]
        assert {name for name in included if name.startswith("<")} <= {"<stdint.h>"}, source.name


@pytest.mark.parametrize("board", sorted(BOOT_BAUD))
def test_flashing_calls_avrdude_with_the_port_and_the_boards_speed(
    tmp_path: Path, path: Path, board: str
) -> None:
    (tmp_path / "board.hex").write_text(SMALLEST)
    tool(path, "avrdude", f'echo "$@" > {tmp_path}/called')
    flash(tmp_path / "board.hex", "/dev/ttyACM0", board=board)
    called = (tmp_path / "called").read_text().split()
    assert called == flash_command(tmp_path / "board.hex", "/dev/ttyACM0", board=board)[1:]
    assert called[called.index("-b") + 1] == str(BOOT_BAUD[board])
    assert f"flash:w:{tmp_path}/board.hex:i" in called


def test_a_missing_tool_is_named_with_the_line_that_installs_it(tmp_path: Path, path: Path) -> None:
    with pytest.raises(ToolError, match=r"avr-g\+\+ is not installed.*apt-get install.*gcc-avr"):
        build_hex(tmp_path / "board.hex")
    assert set(PACKAGES) <= set(APT.split())


def test_a_tool_that_fails_says_why(tmp_path: Path, path: Path) -> None:
    tool(path, "avr-g++", "echo no room >&2; exit 3")
    with pytest.raises(ToolError, match=r"(?s)exit code 3.*no room"):
        build_hex(tmp_path / "board.hex")


def test_a_program_that_is_too_large_is_refused(tmp_path: Path, path: Path) -> None:
    record = bytes([16, 0, 0, 0, *range(16)])
    line = ":" + (record + bytes([-sum(record) & 255])).hex()
    tool(path, "avr-g++", "")
    tool(
        path,
        "avr-objcopy",
        f"i=0; while [ $i -lt 2000 ]; do echo {line}; i=$((i+1)); done > {tmp_path}/big.hex",
    )
    with pytest.raises(ToolError, match="32000 bytes, the board holds 30720"):
        build_hex(tmp_path / "big.hex")


@pytest.mark.parametrize("text", ["", "hello\n", ":0100000001FF\n", ":zz\n"])
def test_a_file_that_is_no_program_is_not_flashed(tmp_path: Path, path: Path, text: str) -> None:
    (tmp_path / "board.hex").write_text(text)
    tool(path, "avrdude", f": > {tmp_path}/called")
    with pytest.raises(ToolError, match="no Intel HEX file; build one: remi firmware build"):
        flash(tmp_path / "board.hex", "/dev/ttyACM0", board="uno")
    assert not (tmp_path / "called").exists()
