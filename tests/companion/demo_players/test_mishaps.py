"""What happens beside the game happens now and then, and the eyes come over it."""

from __future__ import annotations

from random import Random

import pytest

from companion.demo_players import mishaps
from companion.demo_players.mishaps import mishap
from vision.virtual.table import VirtualTable


def test_a_knock_and_a_lamp_come_now_and_then_and_the_same_for_a_seed() -> None:
    table = VirtualTable(seed=1, seats=2, size=(640, 360))
    first = [mishap(table, Random(f"a{turn}"), at=float(turn)) for turn in range(200)]
    assert 2 <= sum(first) <= 20
    again = VirtualTable(seed=1, seats=2, size=(640, 360))
    assert [mishap(again, Random(f"a{turn}"), at=float(turn)) for turn in range(200)] == first
    assert again.planned == table.planned
    assert len(table.planned.bumps) >= 1


def test_nothing_moves_further_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mishaps, "KNOCKED", 1.0)
    monkeypatch.setattr(mishaps, "LAMP", 1.0)
    table = VirtualTable(seed=1, seats=2, size=(640, 360))
    random = Random(3)
    for turn in range(30):
        assert mishap(table, random, at=float(turn))
    world = table.planned
    assert len(world.bumps) == 30
    assert all((bump.dx_mm**2 + bump.dy_mm**2) ** 0.5 <= mishaps.KNOCK_MM for bump in world.bumps)
    assert mishaps.LIGHT[0] <= world.switches.exposure <= mishaps.LIGHT[1]
