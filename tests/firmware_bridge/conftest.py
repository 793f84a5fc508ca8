"""The board's program, built once from its sources, and what runs it."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.build import build_hex
from tests.firmware_bridge.simulated import Host, SimulatedBoard
from tests.firmware_bridge.tools import build_core, build_simulator


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what is built."""
    return tmp_path_factory.mktemp("board")


@pytest.fixture(scope="session")
def core(built: Path) -> ctypes.CDLL:
    """The board's core, built for this machine; to be used together with the marker `board`."""
    return build_core(built)


@pytest.fixture(scope="session")
def simulator(built: Path) -> Path:
    """The simulator; to be used together with the marker `board`."""
    return build_simulator(built)


@pytest.fixture(scope="session")
def board_hex(built: Path) -> Path:
    """The board's true program; to be used together with the marker `board`."""
    out = built / "board.hex"
    build_hex(out)
    return out


@pytest.fixture(scope="session")
def plain_hex(built: Path) -> Path:
    """The same for plain LEDs."""
    out = built / "plain.hex"
    build_hex(out, plain=True)
    return out


@pytest.fixture(scope="session")
def other_hex(built: Path) -> Path:
    """The same of a later protocol version."""
    out = built / "other.hex"
    build_hex(out, defines=["REMI_VERSION=2"])
    return out


@pytest.fixture
def board(simulator: Path, board_hex: Path) -> Iterator[SimulatedBoard]:
    """A simulated board, switched on and not plugged in."""
    with SimulatedBoard(simulator, board_hex) as board:
        yield board


@pytest.fixture
def host(board: SimulatedBoard) -> Iterator[Host]:
    """A companion's link to the board, plugged in and greeted."""
    with Host(board) as host:
        host.plug()
        host.greet()
        yield host
