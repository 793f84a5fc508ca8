"""The demo's set lies under the camera as a census is to lie; where it cannot teach, it is left untaught."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest

from companion.demo_players.teaching import rows_of_set, teach
from engine.notation import parse_seen
from tests.vision.conftest import fonts
from tests.vision.scripted import ScriptedNets, reader
from vision.virtual.pieces import Lie
from vision.virtual.setting import draw_setting
from vision.virtual.table import VirtualTable

__all__ = ["fonts"]


@pytest.mark.usefixtures("fonts")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_whole_set_lies_in_sight_and_no_tile_on_another(seed: int) -> None:
    setting = draw_setting(seed, seats=2, size=(960, 540))
    laid = rows_of_set(setting)
    look = setting.look
    places = [put.at for put in laid if isinstance(put.at, Lie)]
    for one, other in combinations(places, 2):
        beside = abs(one.x - other.x) >= look.width_mm - 1e-6
        assert beside or abs(one.y - other.y) >= look.height_mm
    table = VirtualTable(setting)
    table.do(*laid, at=0.0)
    shown = [one for one in table.truth(1.0) if one.quad]
    assert len(shown) == 106
    faces = Counter(str(parse_seen(one.face)) for one in shown)
    assert set(faces.values()) == {2}
    assert all(one.visible > 0.9 for one in shown)


@pytest.mark.usefixtures("fonts")
def test_a_picture_that_cannot_teach_leaves_the_set_untaught() -> None:
    class Blind(ScriptedNets):
        def find(self, pixels):  # type: ignore[no-untyped-def]
            return super().find(pixels)[:0]

    assert teach(reader(nets=Blind()), draw_setting(1, seats=2, size=(960, 540))) is None
