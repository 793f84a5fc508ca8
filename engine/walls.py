"""The wall as people build it: stacks of 7, the atu on one of them, and which stack is drawn from next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from engine.rules import RuleSet
    from engine.tiles import Face

STACKS: Final = 15
STACK_SIZE: Final = 7


@dataclass(frozen=True, slots=True)
class Stack:
    """A stack of the wall: its number from the left (None where nobody knows), and its tiles face down."""

    number: int | None
    tiles: int


@dataclass(frozen=True, slots=True)
class Wall:
    """What is left to draw, in drawing order; a stock pile is one stack.

    `atu_on_last`: the atu lies face up on the last stack, until that stack is the only one left: then the atu
    is set aside (RULES.md, drawing order).

    >>> from engine.notation import parse_face
    >>> from engine.rules import rule_set
    >>> wall = build_wall(rule_set("etalat"), parse_face("k6"), dealt=57)
    >>> wall.left, wall.drawable, wall.next_stack, wall.stacks[-1]
    (49, 48, Stack(number=15, tiles=7), Stack(number=6, tiles=6))
    """

    stacks: tuple[Stack, ...] = ()
    atu_on_last: bool = False

    @property
    def drawable(self) -> int:
        """How many tiles can still be drawn; the atu is not one of them."""
        return sum(stack.tiles for stack in self.stacks)

    @property
    def left(self) -> int:
        """How many tiles lie in the wall, the atu included until it is set aside."""
        return self.drawable + self.atu_on_last

    @property
    def next_stack(self) -> Stack | None:
        """The stack of the next draw, which lies on top of the following one as a marker."""
        return self.stacks[0] if self.stacks else None

    def after_draw(self) -> Wall:
        """The wall with one tile drawn; ValueError where none is left."""
        return self.without(1)

    def without(self, tiles: int) -> Wall:
        """The wall with so many tiles gone from its front."""
        if tiles > self.drawable:
            raise ValueError(f"{tiles} tiles cannot leave a wall of {self.drawable}")
        stacks = list(self.stacks)
        while tiles:
            first = stacks[0]
            here = min(tiles, first.tiles)
            stacks[0] = Stack(first.number, first.tiles - here)
            tiles -= here
            if not stacks[0].tiles:
                del stacks[0]
        return Wall(tuple(stacks), self.atu_on_last and len(stacks) > 1)

    def without_atu(self) -> Wall:
        """The wall after the atu has left it."""
        return Wall(self.stacks, atu_on_last=False)


def stack_order(number: int, counted_from: str | None) -> tuple[int, ...]:
    """The stacks' numbers from the left, in the order in which they are dealt and drawn, the atu's own last.

    `number` is the atu's; counting begins at that end, goes on in the same direction, and wraps.

    >>> stack_order(13, "left")[:4], stack_order(2, "right")[:3], stack_order(2, "right")[-1]
    ((14, 15, 1, 2), (13, 12, 11), 14)
    """
    ahead = [(number + step - 1) % STACKS + 1 for step in range(1, STACKS + 1)]
    return tuple(STACKS + 1 - at if counted_from == "right" else at for at in ahead)


def build_wall(rules: RuleSet, atu: Face | None, *, dealt: int, counted_from: str | None = None) -> Wall:
    """The wall of 15 stacks after `dealt` tiles have been dealt from it (RULES.md, wall, deal).

    An atu that is a joker has no number: it lies on the last stack, or is one of the tiles dealt where the
    rule set gives it to the first player. With an atu that nobody saw the stacks have no numbers.
    """
    joker = atu is not None and atu.is_joker
    if joker and rules.joker_atu_taken:
        plain = tuple(Stack(at, STACK_SIZE) for at in stack_order(STACKS, counted_from))
        # The joker was dealt too, but never was a tile of these stacks.
        return Wall(plain).without(dealt - 1)
    numbers: tuple[int | None, ...] = (None,) * STACKS
    if atu is not None:
        numbers = stack_order(STACKS if joker else atu.number, counted_from)
    if rules.atu_face_up:
        sizes = (STACK_SIZE + 1, *(STACK_SIZE,) * (STACKS - 2), STACK_SIZE - 1)
    else:
        # The left-over tile goes onto its own stack, which is the first to be dealt.
        numbers = (numbers[-1], *numbers[:-1])
        sizes = (STACK_SIZE + 1, *(STACK_SIZE,) * (STACKS - 1))
    stacks = tuple(Stack(number, size) for number, size in zip(numbers, sizes, strict=True))
    return Wall(stacks, rules.atu_face_up).without(dealt)


def rebuild_wall(tiles: int) -> Wall:
    """A new wall of so many tiles, in stacks of 7 from the left (RULES.md, wall empty)."""
    full, rest = divmod(tiles, STACK_SIZE)
    sizes = [STACK_SIZE] * full + ([rest] if rest else [])
    return Wall(tuple(Stack(at, size) for at, size in enumerate(sizes, start=1)))


def stock_pile(cards: int) -> Wall:
    """A pile to draw from, with no stacks to count."""
    return Wall((Stack(None, cards),)) if cards else Wall()
