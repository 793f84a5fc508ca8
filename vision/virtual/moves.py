"""What players do, as commands: deal, draw, discard, take, put melds down, lay off, push about.

All are pure: setting, tiles and chance in, commands out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from vision.synth.geometry import Place
from vision.virtual.pieces import SET, Command, Lie, MissingTileError, Piece, Piled, Put, Remove, Stand
from vision.virtual.places import (
    ATU_STACK,
    CLEAR_MM,
    STACK_HIGH,
    discard_spot,
    fits,
    free_slot,
    room_for,
    row_of,
)
from vision.virtual.setting import RACK_SLOTS, Setting

Pieces = Mapping[int, Piece]
Reversed = Literal["down", "turned", "no"]


@dataclass(frozen=True, slots=True)
class Deal:
    """Tiles by number: those of each seat, the stacks of the wall (lowest first), the atu."""

    hands: Mapping[int, Sequence[int]]
    wall: Sequence[Sequence[int]]
    atu: int | None = None
    atu_stack: Sequence[int] = ()  # the stack that the atu lies on


def shuffled(seats: int, rng: np.random.Generator, *, first: int = 1, cards: int = 14) -> Deal:
    """A deal at random: so many to each seat, one more to the first, stacks of seven, the atu on the last."""
    tiles = [int(tile) for tile in rng.permutation(list(SET))]
    hands = {seat: [tiles.pop() for _ in range(cards + (seat == first))] for seat in range(1, seats + 1)}
    atu = tiles.pop()
    under = [tiles.pop() for _ in range(min(len(tiles), STACK_HIGH - 1))]
    stacks = [tiles[start : start + STACK_HIGH] for start in range(0, len(tiles), STACK_HIGH)]
    return Deal(hands, stacks, atu, under)


def deal(setting: Setting, pieces: Pieces, dealt: Deal) -> list[Command]:
    """Clears the table and lays a deal out: racks filled, the wall face down."""
    commands: list[Command] = [Remove(tile) for tile in pieces]
    for seat, tiles in dealt.hands.items():
        for number, tile in enumerate(tiles):
            tier, slot = divmod(number, RACK_SLOTS)
            if tier >= setting.tiers:
                free_slot(setting, seat, {}, 0)  # says that it is full
            place = Place("rack", seat, tier, slot)
            commands.append(Put(tile, Stand(seat, tier, slot), place, up=True))
    for stack, tiles in enumerate(dealt.wall):
        commands += [
            Put(tile, Piled(stack, level), Place("wall", 0, stack, level), up=False)
            for level, tile in enumerate(tiles)
        ]
    under = dealt.atu_stack
    commands += [
        Put(tile, Piled(ATU_STACK, level), Place("wall", 0, len(dealt.wall), level), up=False)
        for level, tile in enumerate(under)
    ]
    if dealt.atu is not None:
        place = Place("atu", 0, len(dealt.wall), len(under))
        commands.append(Put(dealt.atu, Piled(ATU_STACK, len(under)), place, up=True))
    return commands


def next_of_wall(pieces: Pieces) -> int:
    """The tile to be drawn next: the top of the first stack, those under the atu last."""
    wall = [
        (piece.at.stack == ATU_STACK, piece.at.stack, -piece.at.level, tile)
        for tile, piece in pieces.items()
        if isinstance(piece.at, Piled) and piece.zone.kind == "wall"
    ]
    if not wall:
        raise MissingTileError("the wall is empty: deal, or lay a new one")
    return min(wall)[-1]


def to_rack(
    setting: Setting, pieces: Pieces, tiles: Sequence[int], seat: int, *, to: tuple[int, int] | None = None
) -> list[Command]:
    """Stands tiles on a seat's rack: from the slot (tier, slot) on, else in the first free slots."""
    now, commands = dict(pieces), list[Command]()
    for number, tile in enumerate(tiles):
        now.pop(tile, None)
        at = free_slot(setting, seat, now, RACK_SLOTS) if to is None else Stand(seat, to[0], to[1] + number)
        zone = Place("rack", seat, at.tier, at.slot)
        face = now[tile].face if tile in now else pieces[tile].face if tile in pieces else SET.get(tile, "")
        now[tile] = Piece(face, True, at, zone)
        commands.append(Put(tile, at, zone, up=True))
    return commands


def discard(
    setting: Setting, pieces: Pieces, tile: int, rng: np.random.Generator, *, first: Reversed = "down"
) -> list[Command]:
    """Lays a tile at the end of the discard row; the first one lies face down, or turned round."""
    index = 1 + max(
        (piece.zone.index for piece in pieces.values() if piece.zone.kind == "discard"), default=-1
    )
    spot = discard_spot(setting, index)
    crooked = setting.jitter * 1.2
    angle = spot.angle + rng.normal(0, crooked) + (math.pi if index == 0 and first == "turned" else 0.0)
    shift = rng.normal(0, crooked * setting.look.width_mm, 2)
    at = Lie(spot.x + float(shift[0]), spot.y + float(shift[1]), float(angle))
    return [Put(tile, at, Place("discard", 0, 0, index), up=not (index == 0 and first == "down"))]


def row_tiles(pieces: Pieces) -> list[int]:
    """The discard row, first one first."""
    row = [tile for tile, piece in pieces.items() if piece.zone.kind == "discard"]
    return sorted(row, key=lambda tile: pieces[tile].zone.index)


def meld_tiles(pieces: Pieces, group: int) -> list[int]:
    """The tiles of a meld in order; MissingTileError for a number that no meld has."""
    tiles = [tile for tile, piece in pieces.items() if (piece.zone.kind, piece.zone.group) == ("meld", group)]
    if not tiles:
        raise MissingTileError(f"there is no meld {group} on the table")
    return sorted(tiles, key=lambda tile: pieces[tile].zone.index)


def next_group(pieces: Pieces) -> int:
    """A number that no meld has."""
    return 1 + max((piece.zone.group for piece in pieces.values() if piece.zone.kind == "meld"), default=-1)


def put_down(
    setting: Setting,
    pieces: Pieces,
    tiles: Sequence[int],
    seat: int,
    rng: np.random.Generator,
    *,
    group: int | None = None,
) -> list[Command]:
    """Lays tiles side by side, left to right as the seat sees them, where there is room in front of it."""
    number = next_group(pieces) if group is None else group
    rest = {tile: piece for tile, piece in pieces.items() if tile not in tiles}
    start = room_for(setting, seat, len(tiles), rest)
    start = replace(start, angle=start.angle + float(rng.normal(0, setting.jitter)))
    places = row_of(setting, start, len(tiles), rng)
    return [
        Put(tile, at, Place("meld", seat, number, index), up=True)
        for index, (tile, at) in enumerate(zip(tiles, places, strict=True))
    ]


def lay_off(
    setting: Setting, pieces: Pieces, tile: int, group: int, rng: np.random.Generator, *, index: int
) -> list[Command]:
    """Adds a tile to a meld so that it is at `index` there; the meld is laid anew where it has no room."""
    tiles = meld_tiles(pieces, group)
    if not 0 <= index <= len(tiles):
        raise ValueError(f"meld {group} has {len(tiles)} tiles: a tile can be added at 0 to {len(tiles)}")
    seat = pieces[tiles[0]].zone.seat
    order = [*tiles[:index], tile, *tiles[index:]]
    others = [piece for other, piece in pieces.items() if other not in order]
    if index == 0:
        moved = {tile: _beside(setting, pieces[tiles[0]], -1, rng)}
    else:
        moved = {}
        before = pieces[tiles[index - 1]]
        for one in order[index:]:
            moved[one] = _beside(setting, before, 1, rng)
            before = replace(before, at=moved[one])
    if not fits(setting, list(moved.values()), others, CLEAR_MM * 0.7):
        return put_down(setting, pieces, order, seat, rng, group=group)
    places = {one: moved.get(one) or pieces[one].at for one in order}
    return [
        Put(one, places[one], Place("meld", seat, group, number), up=True) for number, one in enumerate(order)
    ]


def push(
    pieces: Pieces, tiles: Sequence[int], rng: np.random.Generator, *, mm: float, degrees: float
) -> list[Command]:
    """Pushes tiles on the table together by about so much, each a little on its own."""
    lying = {tile: piece.at for tile in tiles if isinstance((piece := pieces[tile]).at, Lie)}
    if not lying:
        return []
    middle = np.mean([(at.x, at.y) for at in lying.values()], axis=0)
    shift, turn = rng.normal(0, mm, 2), math.radians(float(rng.normal(0, degrees)))
    c, s = math.cos(turn), math.sin(turn)
    commands: list[Command] = []
    for tile, at in lying.items():
        x, y = np.asarray([[c, -s], [s, c]]) @ (np.asarray([at.x, at.y]) - middle) + middle + shift
        x, y = np.asarray([x, y]) + rng.normal(0, mm / 8, 2)
        angle = at.angle + turn + float(rng.normal(0, math.radians(degrees) / 6))
        commands.append(Put(tile, Lie(float(x), float(y), angle, at.level), pieces[tile].zone))
    return commands


def _beside(setting: Setting, piece: Piece, side: int, rng: np.random.Generator) -> Lie:
    """The place right (1) or left (-1) of a tile that lies on the table."""
    if not isinstance(piece.at, Lie):
        raise ValueError("only beside a tile that lies on the table can another be laid")  # noqa: TRY004
    width = setting.look.width_mm
    along = np.asarray([math.cos(piece.at.angle), math.sin(piece.at.angle)])
    across = np.asarray([-along[1], along[0]]) * float(rng.normal(0, setting.jitter))
    step = side * (1.005 + abs(float(rng.normal(0, setting.gap))))
    x, y = np.asarray([piece.at.x, piece.at.y]) + (along * step + across) * width
    turn = float(rng.normal(0, setting.jitter))
    return Lie(float(x), float(y), piece.at.angle + turn, piece.at.level)
