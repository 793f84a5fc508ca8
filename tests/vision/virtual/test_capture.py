"""The virtual table as a source: through the same code as a camera."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.vision.virtual.tables import small_table
from vision.sources.addresses import Address, open_source, parse_address
from vision.sources.frames import SourceError
from vision.virtual import Lie, Put, Switches, VirtualCapture
from vision.virtual.capture import Options, open_table, parse_options
from vision.virtual.idle import Idle


class Clock:
    """Time that goes on only when waited for."""

    def __init__(self) -> None:
        self.now = 100.0
        self.waits: list[float] = []

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def test_frames_come_at_their_rate_or_as_fast_as_they_are_read() -> None:
    table, clock = small_table(), Clock()
    capture = VirtualCapture(table, rate=10, clock=clock, wait=clock.wait)
    for _ in range(3):
        assert capture.read() is not None
    assert clock.waits == pytest.approx([0.1, 0.1])
    clock.now += 1.0  # a slow reader
    assert capture.read() is not None
    assert table.now == pytest.approx(1.2)
    fast = VirtualCapture(table, rate=4, simulated=True, clock=clock, wait=clock.wait)
    for _ in range(5):
        assert fast.read() is not None
    assert table.now == pytest.approx(1.2 + 4 / 4)
    assert len(clock.waits) == 2
    fast.close()
    assert fast.read() is None


def test_a_table_that_a_program_plays_on_is_a_source() -> None:
    table = small_table(switches=Switches())
    with open_source(table, every=0.02) as source:
        first = source.wait(after=0, timeout=20)
        assert first is not None
        assert first.size == (640, 360)
        table.do(Put(1, Lie(0, 0)))
        later = source.wait(after=first.number + 2, timeout=20)
        assert later is not None
        status = source.status()
    assert status.health.state == "live"
    x, y = (round(float(v)) for v in np.mean(table.truth()[0].quad, axis=0))
    patch = (slice(y - 5, y + 5), slice(x - 5, x + 5))
    assert np.abs(later.pixels[patch].astype(int) - first.pixels[patch]).mean() > 5


def test_an_address_opens_a_table_that_plays_by_itself() -> None:
    address = parse_address("virtual:seed=4,seats=2,size=360p,rate=30")
    assert address == Address("virtual", "virtual:seed=4,seats=2,size=360p,rate=30")
    with open_source(address) as source:
        frame = source.wait(after=0, timeout=30)
        assert frame is not None
        assert frame.size == (640, 360)
        assert source.status().address == "virtual:seed=4,seats=2,size=360p,rate=30"


def test_the_idle_game_goes_on_and_deals_anew(tmp_path: Path) -> None:
    table = small_table(seats=2)
    idle = Idle(pause_s=0.1)
    seen: set[str] = set()
    deals, before = 0, 0
    for moment in range(500):
        now = moment * 1.0
        idle(table, now)
        table._timeline.advance(now)
        pieces = table.planned.pieces
        seen |= {piece.zone.kind for piece in pieces.values()}
        wall = sum(piece.zone.kind == "wall" for piece in pieces.values())
        deals += wall > before
        before = wall
    assert {"rack", "wall", "atu", "discard", "meld"} <= seen
    assert deals >= 2
    assert len(table.planned.pieces) == 106


def test_options_of_an_address() -> None:
    assert parse_options("") == Options()
    assert parse_options("seed=3, seats=2,size=4k,split=heldout") == Options(3, 2, (3840, 2160), "heldout")
    assert parse_options("size=800x450,lean=40") == Options(size=(800, 450), lean=40.0)
    table, rate = open_table("size=360p,rate=5")
    assert (table.setting.size, rate) == ((640, 360), 5.0)


@pytest.mark.parametrize(
    "text", ["seeds=1", "seats=5", "size=big", "split=test", "style=x", "rate=0", "seed"]
)
def test_an_option_that_is_none_is_refused_with_what_can_be_said(text: str) -> None:
    with pytest.raises(SourceError, match="An example: virtual:seed=3") as error:
        open_source(parse_address(f"virtual:{text}"))
    assert error.value.code == "virtual_option"
    assert text.partition("=")[0] in error.value.hint_ro
