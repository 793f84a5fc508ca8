"""Which tile of the virtual table is which of a game that was played out: hands, wall, atu."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import commands as c
from vision.virtual.moves import Deal
from vision.virtual.pieces import SET
from vision.virtual.places import STACK_HIGH

if TYPE_CHECKING:
    from engine.state import State
    from engine.tiles import Face

History = Sequence[tuple[c.Command, "State"]]


def face_name(tile: int) -> str:
    """What a tile of the set is called in a record: `r7`, `*` for both jokers."""
    name = SET[tile]
    return "*" if name.startswith("*") else name


def drawn(history: History) -> list[list[Face]]:
    """The tiles drawn from the wall in order, one list for each wall that was built."""
    walls: list[list[Face]] = [[]]
    for command, _ in history:
        if isinstance(command, c.WallEmpty):
            walls.append([])
        elif isinstance(command, c.Draw) and command.source == "wall" and command.tile is not None:
            walls[-1].append(command.tile)
    return walls


@dataclass(frozen=True, slots=True)
class Dealt:
    """A deal by numbers of tiles: hands by seat of the game (0, 1, ...), and how it lies on the table."""

    hands: tuple[tuple[int, ...], ...]
    deal: Deal


def dealt(history: History, places: Sequence[int]) -> Dealt:
    """The deal of a game, each tile as the game has it; ValueError where it is not dealt from one set."""
    command, state = history[0]
    if not isinstance(command, c.Deal):
        raise ValueError("a game begins with its deal")  # noqa: TRY004
    left: dict[str, list[int]] = defaultdict(list)
    for tile in sorted(SET, reverse=True):
        left[face_name(tile)].append(tile)

    def take(faces: Iterable[Face]) -> list[int]:
        try:
            return [left[str(face)].pop() for face in faces]
        except IndexError as error:
            raise ValueError("the game has a tile more often than the set") from error

    hands = tuple(tuple(take(hand)) for hand in command.hands if not isinstance(hand, int))
    lies = command.atu is not None and state.atu_place == "wall"
    atu = take([command.atu])[0] if lies and command.atu is not None else None
    order = take(drawn(history)[0])
    order += [tile for tiles in left.values() for tile in tiles]
    stacks = piled(order, [stack.tiles for stack in state.wall.stacks])
    under = stacks.pop() if atu is not None and stacks else []
    by_place = {places[seat]: hand for seat, hand in enumerate(hands)}
    return Dealt(hands, Deal(by_place, stacks, atu, under))


def piled(order: Sequence[int], sizes: Sequence[int]) -> list[list[int]]:
    """Tiles in drawing order as stacks of these sizes, each lowest first; what is left over makes more."""
    stacks, start = [], 0
    for size in sizes:
        stacks.append(list(reversed(order[start : start + size])))
        start += size
    starts = range(start, len(order), STACK_HIGH)
    stacks += [list(reversed(order[at : at + STACK_HIGH])) for at in starts]
    return [stack for stack in stacks if stack]
