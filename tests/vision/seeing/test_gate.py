"""What counts as movement and as a hand, and what does not; which zones may be read meanwhile."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pytest

from tests.vision.seeing.scenes import Scene, Spot, zones_of
from vision.seeing.gate import ARM_S, FAMILIAR_S, Gate, accepted, new_gate, watched
from vision.seeing.ground import Ground, survey

EVERY = 0.15
TILES: tuple[tuple[Spot, int], ...] = (
    *(((-90.0 + 27 * at, -120.0), at + 1) for at in range(5)),
    *(((-90.0 + 27 * at, 120.0), at + 5) for at in range(5)),
)
TABLE = Scene(tiles=TILES)
ARM: tuple[Spot, Spot] = ((60.0, -340.0), (20.0, -120.0))  # over melds 1, from the near side


@pytest.fixture(scope="module")
def ground() -> Ground:
    return survey(TABLE.rig, zones_of(), ended=False)


@pytest.fixture(scope="module")
def at_rest(ground: Ground) -> Gate:
    """A gate that has read the whole table."""
    gate = seen(new_gate(ground, 0.0), [TABLE] * 8)
    assert all(gate.due)
    return accepted(gate, range(len(ground.zones)))


def seen(gate: Gate, scenes: Iterable[Scene], *, every: float = EVERY) -> Gate:
    """The gate after looks at scenes, each with noise of its own."""
    now = gate.now
    for at, scene in enumerate(scenes):
        now += every
        noisy = replace(scene, seed=round(now * 1000) + at)
        gate = watched(gate, gate.ground.trace(noisy.frame()), now)
    return gate


def named(gate: Gate, which: Iterable[bool]) -> set[str]:
    return {zone.name for zone, is_one in zip(gate.ground.zones, which, strict=True) if is_one}


def covered(gate: Gate) -> set[str]:
    return named(gate, [zone.covered for zone in gate.zones])


def test_zones_that_are_not_read_are_not_waited_for(ground: Ground) -> None:
    assert {zone.name for zone in ground.zones} == {"meld 1", "meld 2", "discard", "wall", "atu"}
    with_racks = survey(TABLE.rig, zones_of().with_racks("at_end"), ended=True)
    assert "rack 1" in {zone.name for zone in with_racks.zones}


def test_nothing_is_due_before_the_table_has_been_still(ground: Ground) -> None:
    assert not any(seen(new_gate(ground, 0.0), [TABLE] * 3).due)


def test_a_table_at_rest_is_idle(at_rest: Gate) -> None:
    after = seen(at_rest, [TABLE] * 3)
    assert after.idle
    assert not any(after.due)


@pytest.mark.parametrize(
    "light",
    [
        [replace(TABLE, gain=1.2)],
        [replace(TABLE, gain=0.8)],
        [replace(TABLE, band=0.04)],
        [replace(TABLE, gain=1 + 0.02 * step) for step in range(6)],
    ],
    ids=["20 % brighter", "20 % darker", "flicker", "slow drift"],
)
def test_light_is_no_movement(at_rest: Gate, light: list[Scene]) -> None:
    after = seen(at_rest, [*light, light[-1]])
    assert after.idle
    assert covered(after) == set()


def test_a_hand_over_one_zone_does_not_block_another(at_rest: Gate) -> None:
    put = (*TILES, ((110.0, 150.0), 9))
    after = seen(at_rest, [replace(TABLE, arms=(ARM,), tiles=put)] * 4)
    assert "meld 1" in covered(after)
    assert "meld 2" not in covered(after)
    assert "meld 2" in named(after, after.due)
    assert "meld 1" not in named(after, after.settled)


def test_a_hand_that_rests_still_goes_on_covering(at_rest: Gate) -> None:
    after = seen(at_rest, [replace(TABLE, arms=(ARM,))] * 6, every=4.0)
    assert "meld 1" in covered(after)
    assert "meld 1" not in named(after, after.settled)
    left = seen(after, [TABLE] * 4)
    assert covered(left) == set()
    assert "meld 1" in named(left, left.settled)


def test_a_sleeve_in_a_colour_of_the_table_counts_too(at_rest: Gate) -> None:
    white = replace(TABLE, arms=(ARM,), arm_colour=(245, 245, 245))
    assert "meld 1" in covered(seen(at_rest, [white] * 6))


def test_a_hand_over_a_rack_in_colours_of_the_table_is_not_taken_for_a_part_of_it(at_rest: Gate) -> None:
    white = (245, 245, 245)
    over_rack = replace(TABLE, arms=(((60.0, -340.0), (40.0, -232.0)),), arm_colour=white, hand_colour=white)
    resting = seen(at_rest, [over_rack] * 5)
    assert resting.idle, "the zones beside it are read meanwhile"
    resting = accepted(resting, range(len(resting.zones)))
    # It leaves, and tiles come to lie where its fingers were.
    laid = replace(TABLE, tiles=(*TILES, *(((10.0 + 27 * at, -165.0), at + 7) for at in range(3))))
    after = seen(resting, [laid] * 5)
    assert covered(after) == set()
    assert named(after, after.due) == {"meld 1"}


def test_what_never_stirs_is_no_arm_in_the_end(at_rest: Gate) -> None:
    assert FAMILIAR_S < ARM_S
    after = seen(at_rest, [replace(TABLE, arms=(ARM,))] * 5, every=ARM_S)
    assert covered(after) == set()
    assert "meld 1" in named(after, after.due)


def test_a_tile_that_moved_is_due_once_it_lies_still(at_rest: Gate) -> None:
    moved = replace(TABLE, tiles=(*TILES[:4], ((60.0, -125.0), 5), *TILES[5:]))
    first = seen(at_rest, [moved])
    assert "meld 1" not in named(first, first.settled)
    after = seen(first, [moved] * 4)
    assert named(after, after.due) == {"meld 1"}
    read = accepted(after, [at for at, settled in enumerate(after.settled) if settled])
    assert seen(read, [moved] * 3).idle


def test_what_was_taken_away_is_no_hand(at_rest: Gate) -> None:
    after = seen(at_rest, [replace(TABLE, tiles=TILES[5:])] * 5)
    assert covered(after) == set()
    assert "meld 1" in named(after, after.due)


def test_a_long_meld_that_was_laid_is_no_hand(at_rest: Gate) -> None:
    laid = (*TILES, *(((-90.0 + 27 * at, 160.0), at + 1) for at in range(8)))
    after = seen(at_rest, [replace(TABLE, tiles=laid)] * 5)
    assert covered(after) == set()
    assert named(after, after.due) == {"meld 2"}


@pytest.mark.parametrize("x", [-269.0, -265.0])
def test_a_long_meld_at_the_edge_of_the_table_is_no_hand(at_rest: Gate, x: float) -> None:
    laid = (*TILES, *(((x + 27 * at, -120.0), at + 1) for at in range(6)))
    laid = tuple(one for one in laid if one not in TILES[:5])
    after = seen(at_rest, [replace(TABLE, tiles=laid)] * 5)
    assert covered(after) == set()
    assert "meld 1" in named(after, after.due)


def test_a_rack_that_is_not_read_and_moved_is_forgotten(at_rest: Gate) -> None:
    moved = replace(TABLE, tiles=(*TILES, *(((-80.0 + 27 * at, -240.0), at + 1) for at in range(6))))
    after = seen(at_rest, [moved] * 5)
    assert after.idle
    assert after.reference is after.anchor, "one comparison a look is enough again"


def test_a_hand_at_the_beginning_leaves_a_table_that_can_be_read(ground: Ground) -> None:
    gate = seen(new_gate(ground, 0.0), [replace(TABLE, arms=(ARM,))] * 8)
    gate = accepted(gate, [at for at, due in enumerate(gate.due) if due])
    after = seen(gate, [TABLE] * 5)
    assert covered(after) == set()
    assert "meld 1" in named(after, after.due)


def test_a_hand_that_creeps_is_seen_to_move(at_rest: Gate) -> None:
    creeping = [replace(TABLE, arms=(((60.0, -340.0), (20.0, -300.0 + 4 * step)),)) for step in range(40)]
    after = seen(at_rest, creeping[:30])
    assert "meld 1" not in named(after, after.settled)
