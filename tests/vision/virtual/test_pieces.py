"""Commands change tiles as values; what cannot be done is refused before anything happens."""

from __future__ import annotations

from collections import Counter

import pytest

from vision.virtual.pieces import (
    SET,
    Bump,
    Lie,
    MissingTileError,
    Put,
    Remove,
    Stand,
    Switch,
    Switches,
    TurnOver,
    World,
    changed,
)


def test_a_set_has_106_tiles() -> None:
    faces = Counter(SET.values())
    assert sum(faces.values()) == 106
    assert faces["r7"] == 2
    assert faces["*0"] == faces["*1"] == 1


def test_commands_are_folded_and_leave_the_world_before_as_it_was() -> None:
    before = changed(World(), [Put(7, Lie(10, 20)), Put(105, Stand(2, 0, 3), up=False)])
    after = changed(before, [TurnOver(7), TurnOver(105, up=True), Put(7, Lie(30, 40, 0.5)), Bump(5, 0, 1)])
    assert before.pieces[7].shown == "r7"
    assert before.pieces[105].shown == "#"
    assert after.pieces[7].shown == "#"
    assert after.pieces[7].at == Lie(30, 40, 0.5)
    assert after.pieces[105].shown == "*"
    assert len(after.bumps) == 1
    assert not changed(after, [Remove(7), Remove(105)]).pieces
    assert changed(after, [Switch(Switches(exposure=1.2))]).switches.exposure == 1.2


def test_a_tile_beyond_the_set_needs_a_face() -> None:
    assert changed(World(), [Put(200, Lie(0, 0), face="k13")]).pieces[200].shown == "k13"
    with pytest.raises(ValueError, match="name a face"):
        changed(World(), [Put(200, Lie(0, 0))])
    with pytest.raises(ValueError, match="name a face"):
        changed(World(), [Put(1, Lie(0, 0), face="r14")])
    with pytest.raises(ValueError, match="numbered from 1"):
        changed(World(), [Put(0, Lie(0, 0))])


def test_what_is_not_there_cannot_be_turned_or_removed() -> None:
    for command in (TurnOver(3), Remove(3)):
        with pytest.raises(MissingTileError, match="tile 3 is not on the table"):
            changed(World(), [command])
