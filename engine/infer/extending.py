"""How a meld may have grown: at its ends, inside, or with a tile in the place of a joker."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import log
from typing import TYPE_CHECKING, Final, Literal

from engine.rules import MELD_MIN_LENGTH
from engine.shapes import face_at, last_place, longest_run
from engine.tiles import JOKER, Face, Tile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.infer.memory import Slot
    from engine.rules import RuleSet
    from engine.state import TableMeld

_JOKER_FROM: Final = log(0.02)


@dataclass(frozen=True, slots=True)
class Step:
    """One step of an extension; its tiles begin at `start` of the tiles added."""

    kind: Literal["lay", "split", "reclaim"]
    tiles: tuple[Tile, ...]
    start: int
    end: str | None = None
    second: tuple[Tile, ...] = ()
    joker: int | None = None


@dataclass(frozen=True, slots=True)
class Extension:
    """Tiles added to a meld, in steps, and the places of its jokers that are free then."""

    added: tuple[Tile, ...]
    deeds: tuple[Step, ...]
    freed: tuple[int, ...] = ()


def extensions(
    meld: TableMeld,
    links: Sequence[int | None],
    more: Sequence[Slot],
    here: Sequence[Slot],
    rules: RuleSet,
) -> Iterator[Extension]:
    """The ways in which the slots `more` may have come to a meld, one of them not seen perhaps.

    `links` are the slots of its pieces, `here` all slots that lie there.
    """
    most = len(more) + 1
    jokers = sum(slot.belief.log(JOKER) > _JOKER_FROM for slot in more)
    if meld.shape == "run":
        yield from _run(meld, links, here, most, jokers, rules)
    elif meld.shape == "group":
        yield from _group(meld, links, here, most, jokers, rules)


def _gone(meld: TableMeld, links: Sequence[int | None], here: Sequence[Slot]) -> list[int]:
    """The places of jokers that may be there no more."""
    seen = {slot.id: slot for slot in here if not slot.misses}
    found = []
    for at, piece in enumerate(meld.pieces):
        slot = seen.get(links[at] or 0)
        if piece.tile.is_joker and (slot is None or slot.belief.log(JOKER) < log(0.9)):
            found.append(at)
    return found


def _run(
    meld: TableMeld,
    links: Sequence[int | None],
    here: Sequence[Slot],
    most: int,
    jokers: int,
    rules: RuleSet,
) -> Iterator[Extension]:
    means = [piece.tile.means for piece in meld.pieces]
    known = [face for face in means if face is not None]
    if len(known) < len(means):
        return
    guide = next((at for at, face in enumerate(known) if face.number != 1), 0)
    low = known[guide].number - guide
    high = low + len(known) - 1
    colour = known[0].colour
    gone = _gone(meld, links, here)
    for freed in ((), *((at,) for at in gone), *(tuple(gone) for _ in range(len(gone) > 1))):
        put = tuple(Step("reclaim", (Tile(known[at]),), i, joker=at) for i, at in enumerate(freed))
        base = len(put)
        for below in range(min(low - 1, most) + 1):
            for above in range(min(last_place(rules) - high, most) + 1):
                if base + below + above > most or len(known) + below + above > longest_run(rules):
                    continue
                if base + below + above:
                    yield from _with_jokers(put, _ends(colour, low, high, below, above), jokers)
                if not gone and not freed:
                    yield from _splits(meld, colour, (low, high), (below, above), most)


def _ends(colour: str, low: int, high: int, below: int, above: int) -> tuple[list[Face], list[Face]]:
    return (
        [face_at(colour, low - at) for at in range(1, below + 1)],
        [face_at(colour, high + at) for at in range(1, above + 1)],
    )


def _with_jokers(
    put: tuple[Step, ...], ends: tuple[list[Face], list[Face]], jokers: int
) -> Iterator[Extension]:
    """The ends as they are, and with jokers for some of them."""
    faces = [*ends[0], *ends[1]]
    for count in range(min(jokers, len(faces)) + 1):
        for at in combinations(range(len(faces)), count):
            tiles = [Tile(JOKER) if place in at else Tile(face) for place, face in enumerate(faces)]
            steps = list(put)
            start = len(put)
            for end, size in (("low", len(ends[0])), ("high", len(ends[1]))):
                mine, tiles = tiles[:size], tiles[size:]
                if mine:
                    steps.append(Step("lay", tuple(mine), start, end))
                    start += size
            added = tuple(tile for step in steps for tile in step.tiles)
            yield Extension(added, tuple(steps), tuple(step.joker for step in put if step.joker is not None))


def _splits(
    meld: TableMeld, colour: str, span: tuple[int, int], grown: tuple[int, int], most: int
) -> Iterator[Extension]:
    """The run extended at its ends and opened: `low..upto` and `since..high`, what both have laid inside."""
    low, high = span
    below, above = grown
    tiles = {low + at: tile for at, tile in enumerate(meld.tiles)}
    ends = [tuple(map(Tile, faces)) for faces in _ends(colour, low, high, below, above)]
    tiles |= {high + at: tile for at, tile in enumerate(ends[1], start=1)}
    for since in range(low, high + 1):
        for upto in range(since, high + 1):
            inside = upto - since + 1
            if inside + below + above > most:
                break
            if min(upto - low + 1 + below, high - since + 1 + above) < MELD_MIN_LENGTH:
                continue
            steps: list[Step] = []
            start = 0
            for end, new in zip(("low", "high"), ends, strict=True):
                if new:
                    steps.append(Step("lay", new, start, end))
                    start += len(new)
            laid = tuple(Tile(face_at(colour, place)) for place in range(since, upto + 1))
            second = (*laid, *(tiles[place] for place in range(upto + 1, high + above + 1)))
            steps.append(Step("split", laid, start, second=second))
            yield Extension(tuple(tile for step in steps for tile in step.tiles), tuple(steps))


def _group(
    meld: TableMeld,
    links: Sequence[int | None],
    here: Sequence[Slot],
    most: int,
    jokers: int,
    rules: RuleSet,
) -> Iterator[Extension]:
    real = [piece.tile.face for piece in meld.pieces if not piece.tile.is_joker]
    if not real:
        return
    number = real[0].number
    missing = [colour for colour in rules.colours if all(face.colour != colour for face in real)]
    room = len(rules.colours) - len(meld.pieces)
    for count in range(1, min(most, len(missing)) + 1):
        for colours in combinations(missing, count):
            tiles = tuple(Tile(Face(colour, number)) for colour in colours)
            if count <= room:
                yield Extension(tiles, (Step("lay", tiles, 0),))
            for joker in _gone(meld, links, here):
                if count - 1 <= room:
                    yield Extension(tiles, (Step("reclaim", tiles, 0, joker=joker),), (joker,))
    for count in range(1, min(jokers, room) + 1):
        tiles = (Tile(JOKER),) * count
        yield Extension(tiles, (Step("lay", tiles, 0),))
