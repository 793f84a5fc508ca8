"""Camera and eyes of a table file: a virtual table has a place for each player, and none for others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from calibration.rig import Rig
from companion.table.config import parse_config
from companion.table.errors import ConfigError
from companion.table.eyes import load_zones_of, open_camera
from tests.vision.conftest import fonts
from vision.sources.frames import FrameSource
from vision.virtual.setting import draw_setting

__all__ = ["fonts"]

pytestmark = pytest.mark.usefixtures("fonts")


@contextmanager
def opened(source: str, players: str) -> Iterator[tuple[FrameSource, Rig, list[int]]]:
    config = parse_config(
        f"[players]\nnames = [{players}]\n[camera]\nsource = '{source}'\n", name="t", folder=Path()
    )
    source_of, rig = open_camera(config)
    with closing(source_of):
        zones = load_zones_of(config, rig)
        yield source_of, rig, sorted(zones.racks)


@pytest.mark.parametrize("players", ["'Ana', 'Dan'", "'Ana', 'Dan', 'Ioana'"])
def test_a_virtual_table_has_the_racks_of_its_players_alone(
    players: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []

    def watched(*given: object, seats: int, **more: object) -> object:
        drawn.append(seats)
        return draw_setting(*given, seats=seats, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("vision.virtual.capture.draw_setting", watched)
    with opened("virtual:seed=3,size=360p", players) as (_, _, racks):
        assert drawn == [len(racks)] == [players.count(",") + 1]


def test_more_places_than_players_are_refused_with_what_to_do() -> None:
    with pytest.raises(ConfigError) as refused, opened("virtual:seats=4,size=360p", "'Ana', 'Dan', 'Ioana'"):
        pass
    assert "seats=4" in refused.value.hint_en
    assert "seats=4" in refused.value.hint_ro
    with opened("virtual:seats=2,size=360p", "'Ana', 'Dan'") as (_, _, racks):
        assert racks == [1, 2]
