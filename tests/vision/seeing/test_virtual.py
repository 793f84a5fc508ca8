"""End to end with the real reader: a hand lays a meld on a virtual table, then the camera is bumped."""

from __future__ import annotations

import math

import pytest

from engine.rules import rule_set
from engine.table_reading import Lying, TableReading
from vision.reader import Reader
from vision.seeing.loop import Seeing
from vision.sources.frames import Frame
from vision.virtual import VirtualTable

NEAR_MM = 9.0


@pytest.mark.usefixtures("fonts")
def test_a_meld_is_laid_down_and_the_camera_bumped() -> None:
    table = VirtualTable(seed=4, seats=4)
    table.deal()
    seeing = Seeing(Reader.load(threads=1), table.rig(), table.zones, rules=rule_set("etalat"))
    now, number = 0.0, 0
    states: list[str] = []

    def look(until: float) -> list[TableReading]:
        nonlocal now, number
        readings = []
        while now < until:
            hands = {zone.name for zone in table.hand_zones(now) if zone.kind != "rack"}
            number += 1
            update = seeing.step(Frame(table.frame(now), now, number), now)
            states.append(update.state)
            if update.reading is not None:
                readings.append(update.reading)
                assert hands <= set(update.reading.unseen), "nothing is read under a hand"
            now += max(0.1, seeing.pause)
        return readings

    def laid() -> dict[int, Lying]:
        """What was read where each tile of the meld lies, by its number."""
        assert seeing.reading is not None
        lying = [tile for meld in seeing.reading.melds for tile in meld.tiles] + list(seeing.reading.row)
        return {
            true.tile: min(lying, key=lambda tile: math.dist(tile.place, true.centre[:2]))
            for true in table.truth()
            if true.tile in chosen
        }

    assert look(1.5)[0].melds == ()
    chosen = [
        tile
        for tile, piece in table.planned.pieces.items()
        if piece.zone.kind == "rack" and piece.zone.seat == 1
    ][:3]
    table.put_down(1, chosen, at=now + 0.2)
    look(table.free_at + 1.5)
    assert "hand" in states
    before = laid()
    for true in table.truth():
        if true.tile in chosen:
            assert str(before[true.tile].face) == true.face
            assert math.dist(before[true.tile].place, true.centre[:2]) < NEAR_MM

    table.bump(20.0, -10.0, 2.0, at=now + 0.1)
    states.clear()
    look(now + 3.0)
    assert "moving" in states
    assert states[-1] == "looking"
    assert seeing.rig.provenance.healed == 1
    after = laid()
    assert {tile: one.key for tile, one in after.items()} == {tile: one.key for tile, one in before.items()}
    assert all(math.dist(after[tile].place, before[tile].place) < 2.0 for tile in chosen)
