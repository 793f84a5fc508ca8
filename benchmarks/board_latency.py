"""How long a press takes to its own lamp and to the companion, on the board's true program in the simulator.

    python -m benchmarks.board_latency [--presses 500] [--seed 1]

Needs the packages that the board's tests need (docs/development.md). First in the board's own time, with a
companion that answers a millisecond after each frame; then paced to real time, with the port and the thread
of the product, which on a busy machine measures the machine. A table goes to standard error, JSON to standard
output; exit code 1 where a limit is not kept. The serial chip of a real board adds up to a millisecond each
way, an FT232 without its low latency setting sixteen.
"""

from __future__ import annotations

import argparse
import json
import queue
import random
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware_bridge.build import build_hex
from firmware_bridge.lamps import Shown
from firmware_bridge.link import LinkState
from firmware_bridge.patterns import render
from firmware_bridge.port import BoardPort
from firmware_bridge.protocol import protocol
from tests.firmware_bridge.simulated import MS, Host, SimulatedBoard, Watched
from tests.firmware_bridge.tools import APT, build_simulator, missing_tools

if TYPE_CHECKING:
    from collections.abc import Sequence

LAMP_LIMIT_MS: Final = 10
HOST_LIMIT_MS: Final = 20
PATIENCE_SECONDS: Final = 10.0
GREEN: Final = Shown(((protocol().patterns["steady"], protocol().colour_number("green"), 0),) * 4, 64)


@dataclass(frozen=True, slots=True)
class Measured:
    """One figure in milliseconds over all presses, with its limit."""

    what: str
    p50: float
    p99: float
    worst: float
    limit: float

    @property
    def kept(self) -> bool:
        """Whether 99 of 100 presses are under the limit."""
        return self.p99 < self.limit


def measured(what: str, times: Sequence[float], limit: float) -> Measured:
    """The figure for these times."""
    ordered = sorted(times)
    return Measured(what, ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)], ordered[-1], limit)


def measure(presses: int, seed: int) -> list[Measured]:
    """Presses at random moments, one after the other."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = folder / "board.hex"
        build_hex(program)
        simulator = build_simulator(folder)
        with SimulatedBoard(simulator, program) as board, Host(board) as host:
            simulated = _in_board_time(host, presses=presses, seed=seed)
        with SimulatedBoard(simulator, program) as board:
            path = board.plug()
            told: queue.Queue[int] = queue.Queue()
            port = BoardPort(
                lambda: path,
                on_press=lambda _: told.put(time.monotonic_ns()),
                on_state=lambda _: None,
            )
            port.show(GREEN)
            board.free()
            port.start()
            try:
                return [*simulated, _in_real_time(board, port, told, presses=presses, seed=seed)]
            finally:
                port.close()


def _in_board_time(host: Host, *, presses: int, seed: int) -> list[Measured]:
    host.plug()
    host.link.show(GREEN)
    host.greet()
    host.run_ms(100)
    source = random.Random(seed)
    lamps, events = [], []
    for _ in range(presses):
        host.run_ms(source.uniform(180, 240))
        button = source.randrange(12)
        host.board.watch()
        host.board.press(button, delay=source.randrange(MS))
        host.run_ms(60)
        seen = host.board.watch()
        pressed = next(cycle for _, level, cycle, _ in seen.inputs if level == 0)
        lamps.append((lit(seen, button // 3)[0] - pressed) / MS)
        events.append((host.presses[-1][0] - pressed) / MS)
    return [
        measured("press to own lamp, board's time", lamps, LAMP_LIMIT_MS),
        measured("press to host event, board's time", events, HOST_LIMIT_MS),
    ]


def _in_real_time(
    board: SimulatedBoard, port: BoardPort, told: queue.Queue[int], *, presses: int, seed: int
) -> Measured:
    while port.report.state is not LinkState.UP:
        time.sleep(0.01)
    source = random.Random(seed)
    events = []
    for _ in range(presses):
        time.sleep(source.uniform(0.1, 0.2))
        board.watch()
        board.press(source.randrange(12), delay=source.randrange(MS), cycles=30 * MS)
        event = told.get(timeout=PATIENCE_SECONDS)
        pressed = next(at for _, level, _, at in board.watch().inputs if level == 0)
        events.append((event - pressed) / 1e6)
    return measured("press to host event, real time", events, HOST_LIMIT_MS)


def lit(seen: Watched, seat: int) -> list[int]:
    """When the seat's pixels took over the picture of a press, in cycles."""
    white = render((protocol().patterns["steady"], 0, 0), 0, brightness=GREEN.brightness)
    return [strip.last for strip in seen.strips if strip.seat == seat and strip.grb == white]


def main() -> None:
    """Measures and prints; exit code 1 where a limit is not kept."""
    from rich.console import Console
    from rich.table import Table

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--presses", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if missing := missing_tools():
        parser.error(f"not installed: {', '.join(missing)} ({APT})")
    figures = measure(options.presses, options.seed)
    table = Table(title=f"{options.presses} presses")
    for column in ("what", "p50", "p99", "worst", "limit", "kept"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for figure in figures:
        values = (f"{value:.1f} ms" for value in (figure.p50, figure.p99, figure.worst))
        table.add_row(figure.what, *values, f"{figure.limit:g} ms", "yes" if figure.kept else "NO")
    Console(stderr=True).print(table)
    rows = [{**asdict(figure), "kept": figure.kept} for figure in figures]
    print(json.dumps({"presses": options.presses, "figures": rows}, indent=1))
    sys.exit(0 if all(figure.kept for figure in figures) else 1)


if __name__ == "__main__":
    main()
