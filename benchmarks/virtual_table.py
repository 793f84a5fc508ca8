"""How long frames of the virtual table take: still, with a hand, after tiles changed, after a bump.

    python -m benchmarks.virtual_table [SEEDS]

CPU time of one process, whatever else the machine does; medians and the worst of some frames of each kind.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial

import numpy as np

from vision.virtual import Switches, VirtualTable, draw_setting
from vision.virtual.moves import push
from vision.virtual.pieces import Put
from vision.virtual.setting import SIZES

FRAMES = 12


def main() -> None:
    """Prints milliseconds for each size and kind of frame, over some seeds."""
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    for name in ("720p", "1080p", "4k"):
        spent: dict[str, list[float]] = {}
        for seed in range(seeds):
            _measure(seed, SIZES[name], spent)
        for kind, times in spent.items():
            print(f"{name:>6} {kind:<28} median {np.median(times):7.1f} ms   worst {max(times):7.1f} ms")


def _measure(seed: int, size: tuple[int, int], spent: dict[str, list[float]]) -> None:
    def clock(kind: str, what: Callable[[], object]) -> None:
        begun = time.process_time()
        what()
        spent.setdefault(kind, []).append((time.process_time() - begun) * 1000)

    made: list[VirtualTable] = []
    clock("setting and ground", lambda: made.append(VirtualTable(draw_setting(seed, size=size))))
    table = made[0]
    dealt = table.deal()
    clock("deal of 106 tiles", table.frame)
    melds = [table.put_down(seat, dealt.hands[seat][:4], seconds=0.2) for seat in (1, 2, 3, 4)]
    table.frame(table.free_at + 0.1)
    for _ in range(FRAMES):
        clock("nothing changes", lambda: table.frame(table.now + 0.04))
    tiles = [tile for seat in (1, 2, 3) for tile in dealt.hands[seat][:1]]
    for step in range(FRAMES):
        rng = np.random.default_rng(step)
        table.do(*push(table.planned.pieces, tiles, rng, mm=1.0, degrees=1.0))
        clock("three tiles changed", table.frame)
    for step in range(FRAMES):
        tile = dealt.hands[4][6 + step % 3]
        table.do(Put(tile, table.planned.pieces[tile].at, up=bool(step % 2)))
        clock("a tile of a rack changed", table.frame)
    table.discard(1, dealt.hands[1][9], seconds=2.0)
    begun = table.now
    clock("a hand comes (drawn once)", lambda: table.frame(begun + 0.1))
    for step in range(FRAMES):
        clock("a hand moves", partial(table.frame, begun + 0.5 + 0.03 * step))
    table.switch(Switches(jpeg=90), at=begun + 3)
    clock("with JPEG", lambda: table.frame(begun + 4))
    table.bump(10, 5, 1.0)
    clock("the camera was bumped", table.frame)
    assert melds


if __name__ == "__main__":
    main()
