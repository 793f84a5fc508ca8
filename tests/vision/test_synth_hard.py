"""Hard scenes: what each kind is for is in it, and what measures stays out of it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.synth import hard
from vision.synth.fonts import Split
from vision.synth.hard import KINDS, draw_hard_scene, hard_look, wall_spots
from vision.synth.looks import BACK_PATTERNS, HARD_JOKERS, HARD_PATTERNS, JOKERS, draw_look
from vision.synth.rackpaint import board_patch, rack_look
from vision.synth.scene import Scene
from vision.synth.tabletop import draw_table


def scene(seed: int, kind: str | None = None, split: Split = "train") -> Scene:
    return draw_hard_scene(np.random.default_rng([8, seed]), kind=kind, split=split, size=(256, 256))


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_state_draws_the_same_hard_scene(fonts: None, kind: str) -> None:
    one, other = scene(1, kind), scene(1, kind)
    assert (one.image == other.image).all()
    assert one.tiles == other.tiles
    assert one.image.shape == (256, 256, 3)
    assert (scene(2, kind).image != one.image).any()


def test_each_kind_shows_what_it_is_for(fonts: None) -> None:
    faces = {kind: [tile.face for seed in range(8) for tile in scene(seed, kind).tiles] for kind in KINDS}
    places = [tile.place.kind for seed in range(8) for tile in scene(seed, "rack").tiles if tile.place]
    assert places.count("rack") > 0.4 * len(places)
    backs = {kind: sum(face == "#" for face in shown) / len(shown) for kind, shown in faces.items()}
    assert backs["wall"] > 0.15 > backs["jokers"]
    assert sum(face == "*" for face in faces["jokers"]) > 0.15 * len(faces["jokers"])
    assert len(faces["print"]) < len(faces["jokers"])


def test_there_is_no_other_kind(fonts: None) -> None:
    with pytest.raises(ValueError, match="must be one of rack, wall"):
        draw_hard_scene(np.random.default_rng(0), kind="tower")


def test_hard_looks_of_a_split_are_its_own(fonts: None) -> None:
    rng = np.random.default_rng(4)
    trained = [hard_look(rng, "train") for _ in range(150)]
    jokers = {kind for look in trained for kind in look.joker}
    assert len(jokers & set(HARD_JOKERS)) > 12
    assert not jokers & set(JOKERS["heldout"])
    backs = {look.back_style for look in trained}
    assert backs & (set(HARD_PATTERNS) - set(BACK_PATTERNS["train"]))
    assert not backs & set(BACK_PATTERNS["heldout"])
    held = [hard_look(np.random.default_rng([4, seed]), "heldout") for seed in range(20)]
    assert held == [draw_look(np.random.default_rng([4, seed]), "heldout") for seed in range(20)]


def test_stacks_are_where_the_wall_is_and_their_light_throws_shadows(fonts: None) -> None:
    rng = np.random.default_rng(3)
    look = draw_look(rng)
    table = draw_table(look, rng)
    bottom = [
        solid.centre[:2].tolist()
        for solid in table.layout.solids
        if solid.place and solid.place.kind in ("wall", "atu") and solid.layer == 0
    ]
    assert [spot.tolist() for spot in wall_spots(table)] == bottom
    shares = [hard._shadowy(np.random.default_rng(seed)).ambient for seed in range(20)]
    assert sum(share < 0.42 for share in shares) > 17


def test_through_a_clear_board_the_tile_behind_stays_in_sight(fonts: None) -> None:
    corners = np.asarray([(10.0, 10), (60, 10), (60, 40), (10, 40)])
    clear, pale = rack_look("clear", 1), rack_look("pale", 1)
    assert clear.opaque < 0.5
    assert pale.opaque == 1
    assert pale.colour.min() > 120, "as bright as tiles"
    light = np.ones(3, np.float32)
    seen = board_patch((80, 80), corners, clear, light, sheen=0.0, rim_px=0.0)
    hidden = board_patch((80, 80), corners, replace(clear, opaque=1.0), light, sheen=0.0, rim_px=0.0)
    assert seen is not None
    assert hidden is not None
    assert not seen.owned.any()
    assert hidden.owned.sum() > 1000
    assert seen.cover.max() == pytest.approx(clear.opaque)
    assert np.allclose(seen.colour, hidden.colour * clear.opaque, atol=0.01)
