"""Which tiles stand on racks, and on which tier of whose."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

import numpy as np

from calibration.zones import outward
from vision.table_melds import can_be_meld, options
from vision.table_rows import touching_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.rules import RuleSet
    from vision.table_tiles import TableTiles

_ASIDE: Final = np.sin(np.radians(40.0))  # a tile on a rack is turned aside from its seat by less
_DEEP: Final = 0.6  # tile heights before and behind the leaning tiles that still are of the rack
_BESIDE: Final = 1.6  # tile widths beside them
_TIER: Final = 0.33  # tile heights between two tiers, where no tile tells them apart
_SAME_PLACE: Final = 0.6  # tile widths: two tiles so near to each other along a rack are on two tiers
_MOST_IN_MELDS: Final = 0.6  # of flat tiles at a seat without a rack: then they are melds laid near the edge


def racked(tiles: TableTiles, rules: RuleSet, *, ended: bool) -> dict[int, list[int]]:
    """The tiles on the rack of each seat, by place and by how they stand; seats without any are absent.

    A rack is where tiles lean. What lies flat before a seat is of its rack within that strip, where no rack
    stands and no melds lie, and once the game has `ended`, when racks are laid out; else it lies on the
    table.
    """
    found: dict[int, list[int]] = {}
    for seat in range(1, tiles.zones.seats + 1):
        here = [tile for tile in range(len(tiles)) if tiles.rack[tile] == seat and _turned(tiles, tile, seat)]
        found[seat] = _strip(tiles, [tile for tile in here if tiles.leans(tile)], here, seat)
    standing = {tile for members in found.values() for tile in members}
    rows = touching_rows(tiles, [tile for tile in range(len(tiles)) if tile not in standing]).rows
    for seat, leaning in found.items():
        before_seat = [row for row in rows if _lies_before(tiles, row, seat)]
        if before_seat and (ended or not (leaning or _are_melds(tiles, before_seat, rules))):
            leaning += [tile for row in before_seat for tile in row]
    return {seat: sorted(members) for seat, members in found.items() if members}


def tiers(tiles: TableTiles, members: Sequence[int], seat: int) -> list[list[int]]:
    """The tiles of a rack by tier, the one nearest to its player first, each from left to right as seen by
    them.
    """
    if not members:
        return []
    out = np.asarray(outward(tiles.zones.seats, seat))
    right = np.asarray([-out[1], out[0]])
    along, deep = _rack_axes(tiles, members, right)
    order = sorted(range(len(members)), key=lambda at: (deep[at], along[at]))
    groups = [order]
    while True:
        parted = _parted(groups, along, deep, tiles)
        if parted == groups:
            break
        groups = parted
    return [[members[at] for at in sorted(group, key=lambda at: float(along[at]))] for group in groups]


def _turned(tiles: TableTiles, tile: int, seat: int) -> bool:
    """Whether a tile is turned to a seat or away from it; of a steep face only left and right can be told."""
    return bool(abs(tiles.right[tile] @ np.asarray(outward(tiles.zones.seats, seat))) < _ASIDE)


def _lies_before(tiles: TableTiles, row: Sequence[int], seat: int) -> bool:
    """Whether most of a row lies where the rack of a seat stands."""
    inside = [tiles.rack[tile] == seat and _turned(tiles, tile, seat) for tile in row]
    return 2 * sum(inside) > len(row)


def _strip(tiles: TableTiles, leaning: Sequence[int], here: Sequence[int], seat: int) -> list[int]:
    """The tiles at a seat that stand where its leaning ones stand; none where hardly any lean."""
    if len(leaning) < 2 and len(leaning) < len(here):
        return []
    out = np.asarray(outward(tiles.zones.seats, seat))
    side = np.asarray([-out[1], out[0]])
    deep, along = tiles.standing[list(leaning)] @ out, tiles.standing[list(leaning)] @ side
    room, beside = _DEEP * tiles.tile_high, _BESIDE * tiles.tile_wide
    return [
        tile
        for tile in here
        if tile in leaning
        or (
            deep.min() - room <= tiles.standing[tile] @ out <= deep.max() + room
            and along.min() - beside <= tiles.standing[tile] @ side <= along.max() + beside
        )
    ]


def _are_melds(tiles: TableTiles, rows: Sequence[Sequence[int]], rules: RuleSet) -> bool:
    """Whether most of the tiles that lie flat before a seat lie as melds."""
    melds = [row for row in rows if can_be_meld([options(tiles.seen[tile]) for tile in row], rules)]
    return sum(map(len, melds)) >= _MOST_IN_MELDS * sum(map(len, rows))


def _rack_axes(
    tiles: TableTiles, members: Sequence[int], right: np.ndarray[tuple[int], np.dtype[np.float64]]
) -> tuple[list[float], list[float]]:
    """Of each tile how far it stands to the right, and how far from the player, along the rack as it is
    turned.
    """
    own = tiles.right[list(members)]
    own = own * np.where(own @ right < 0, -1.0, 1.0)[:, None]
    axis = np.median(own, axis=0)
    axis = axis / max(float(np.linalg.norm(axis)), 1e-9)
    away = np.asarray([-axis[1], axis[0]])
    places = tiles.standing[list(members)]
    return [float(place @ axis) for place in places], [float(place @ away) for place in places]


def _parted(
    groups: Sequence[list[int]], along: Sequence[float], deep: Sequence[float], tiles: TableTiles
) -> list[list[int]]:
    """The groups with the first one parted that holds two tiers, at its widest step in depth."""
    for number, group in enumerate(groups):
        steps = [deep[after] - deep[before] for before, after in pairwise(group)]
        if not steps:
            continue
        widest = max(range(len(steps)), key=lambda at: steps[at])
        clash = any(
            abs(along[one] - along[other]) < _SAME_PLACE * tiles.tile_wide
            for place, one in enumerate(group)
            for other in group[place + 1 :]
        )
        if steps[widest] > _TIER * tiles.tile_high or (clash and steps[widest] > 1.0):
            return [*groups[:number], group[: widest + 1], group[widest + 1 :], *groups[number + 1 :]]
    return list(groups)
