"""What of touching tiles can be a meld: with tiles unread, one missing, or two melds pushed together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine.rules import MELD_MIN_LENGTH
from engine.shapes import face_at, last_place, longest_run
from engine.tiles import HIGHEST, JOKER, Face, Mark
from vision.table_rows import Part, holes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.readings import SeenTile
    from engine.rules import RuleSet
    from engine.table_reading import Lying
    from vision.table_tiles import TableTiles

SURE: Final = 0.9
"""A face read with less may be one of its alternatives, where they are at least `LIKELY`."""

LIKELY: Final = 0.05

_CUT_GAP: Final = 0.22  # tile widths: two melds laid apart, however near
_WIDER: Final = 0.15  # and so much wider than the other gaps
_MELD: Final = 0.5  # what a meld costs in a cut, where a loose tile costs 1
_ONE_WRONG: Final = 1.5  # what a meld costs in which one tile does not fit
_KNOWN: Final = 3  # tiles known that a meld with one unseen needs at least

Options = frozenset[Face] | None
"""What a tile may be; None for anything, and nothing for a tile face down."""


def options(tile: SeenTile) -> Options:
    """What a tile may be by its reading alone."""
    if not isinstance(tile.face, Face):
        return None if tile.face is Mark.UNREAD else frozenset()
    if tile.confidence >= SURE:
        return frozenset((tile.face,))
    named = [other.face for other in tile.alternatives if other.confidence >= LIKELY]
    return frozenset((tile.face, *(face for face in named if isinstance(face, Face))))


def certain(tile: Lying) -> Options:
    """What a tile that was laid out and repaired is; anything where it was not read."""
    if tile.face is Mark.UNREAD:
        return None
    return frozenset((tile.face,)) if isinstance(tile.face, Face) else frozenset()


def can_be_meld(row: Sequence[Options], rules: RuleSet) -> bool:
    """Whether tiles in this order can be a meld, rising, falling or a group; at least one must be known."""
    known = [one for one in row if one is not None]
    if len(row) < MELD_MIN_LENGTH or not any(known) or not all(known):
        return False
    if all(JOKER in one and len(one) == 1 for one in known):
        return False
    return _can_be_group(row, rules) or _can_be_run(row, rules) or _can_be_run(row[::-1], rules)


def _can_be_run(row: Sequence[Options], rules: RuleSet) -> bool:
    if len(row) > longest_run(rules):
        return False
    sure = next((one for one in row if one is not None and JOKER not in one), None)
    colours = rules.colours if sure is None else sorted({face.colour for face in sure} & {*rules.colours})
    for colour in colours:
        for first in range(1, last_place(rules) - len(row) + 2):
            faces = [face_at(colour, first + at) for at in range(len(row))]
            if _fits(row, lambda at, faces=faces: faces[at], rules):  # type: ignore[misc]
                return True
    return False


def _can_be_group(row: Sequence[Options], rules: RuleSet) -> bool:
    if len(row) > len(rules.colours):
        return False
    for number in range(1, 14):
        states: set[tuple[frozenset[str], int]] = {(frozenset(), 0)}
        for one in row:
            grown = set()
            for colours, jokers in states:
                for colour in rules.colours:
                    if colour not in colours and (one is None or Face(colour, number) in one):
                        grown.add((colours | {colour}, jokers))
                if one is not None and JOKER in one:
                    grown.add((colours, jokers + 1))
            states = grown
        if any(_jokers_allowed(len(row), jokers, rules) for _, jokers in states):
            return True
    return False


def _fits(row: Sequence[Options], face: Callable[[int], Face], rules: RuleSet) -> bool:
    jokers = 0
    for at, one in enumerate(row):
        if one is None or face(at) in one:
            continue
        if JOKER not in one:
            return False
        jokers += 1
    return _jokers_allowed(len(row), jokers, rules)


def _jokers_allowed(length: int, jokers: int, rules: RuleSet) -> bool:
    """RULES.md, jokers in a meld."""
    real = length - jokers
    least = max(1, rules.meld_real_tiles_min, jokers * rules.meld_real_tiles_per_joker)
    return jokers <= rules.meld_jokers_max and real >= least


def shown(tiles: TableTiles, part: Part) -> list[Options]:
    """What the tiles of a part may be, with anything for those that lie unseen."""
    found: list[Options] = []
    for place, tile in enumerate(part.tiles):
        found += [None] * (place in part.holes)
        found.append(options(tiles.seen[tile]))
    return found


def bridged(tiles: TableTiles, rows: Sequence[Sequence[int]], rules: RuleSet) -> list[Part]:
    """The rows as parts; two as one where they are a meld together, with a tile unseen between, and not two
    melds.
    """
    parts = [Part(tuple(row)) for row in rows]
    joined: set[int] = set()
    for left, right in holes(tiles, rows):
        if left in joined or right in joined:
            continue
        first, second = shown(tiles, parts[left]), shown(tiles, parts[right])
        together = [*first, None, *second]
        known = sum(one is not None for one in together)
        apart = can_be_meld(first, rules) and can_be_meld(second, rules)
        if known >= _KNOWN and not apart and can_be_meld(together, rules):
            parts[left] = Part((*parts[left].tiles, *parts[right].tiles), (len(parts[left].tiles),))
            parts[right] = Part(())
            joined |= {left, right}
    return [part for part in parts if part.tiles]


def missing_face(row: Sequence[Options], at: int, rules: RuleSet) -> Face | None:
    """The one face, no joker, that makes a meld of a row with a tile unseen at a place; None for several."""
    fitting = [
        face
        for colour in rules.colours
        for face in (Face(colour, number) for number in range(1, HIGHEST + 1))
        if can_be_meld([*row[:at], frozenset((face,)), *row[at + 1 :]], rules)
    ]
    return fitting[0] if len(fitting) == 1 else None


def one_wrong(row: Sequence[Options], rules: RuleSet) -> bool:
    """Whether tiles in this order can be a meld once a single one of them is taken for anything."""
    if len(row) <= MELD_MIN_LENGTH:
        return False
    return any(can_be_meld([*row[:at], None, *row[at + 1 :]], rules) for at in range(len(row)))


def cut(
    row: Sequence[Options], gaps: Sequence[float], before: Sequence[int | None], rules: RuleSet
) -> list[range]:
    """The places of a row of touching tiles in as many parts as there are melds, in order.

    `gaps` are those between neighbours in tile widths, `before` the meld that each tile was in before. A row
    stays whole unless two melds make better sense: where the whole is none, or where a gap as wide as people
    leave between melds has a meld on either side.
    """
    whole = range(len(row))
    if len(row) < 2 * MELD_MIN_LENGTH:
        return [whole]
    if can_be_meld(row, rules):
        for at in sorted(range(1, len(row)), key=lambda place: (-gaps[place - 1], place)):
            if not (can_be_meld(row[:at], rules) and can_be_meld(row[at:], rules)):
                continue
            left, right = before[at - 1], before[at]
            apart = left != right if None not in (left, right) else _stands_out(gaps, at - 1)
            if apart:
                return [
                    *cut(row[:at], gaps[: at - 1], before[:at], rules),
                    *(
                        range(part.start + at, part.stop + at)
                        for part in cut(row[at:], gaps[at:], before[at:], rules)
                    ),
                ]
        return [whole]
    as_one = _MELD + _ONE_WRONG if one_wrong(row, rules) else float(len(row))
    cost, parts, melds = _cheapest(row, gaps, rules)
    return parts if melds >= 2 and cost < as_one else [whole]


def _stands_out(gaps: Sequence[float], at: int) -> bool:
    others = sorted([*gaps[:at], *gaps[at + 1 :]])
    usual = others[len(others) // 2] if others else 0.0
    return gaps[at] > _CUT_GAP and gaps[at] > usual + _WIDER


def _cheapest(
    row: Sequence[Options], gaps: Sequence[float], rules: RuleSet
) -> tuple[float, list[range], int]:
    """The cut with least cost, its parts and how many are melds; of equal ones that at the widest gaps.

    Loose tiles beside each other are one part.
    """
    best: list[tuple[float, float, tuple[tuple[int, int, bool], ...]]] = [(0.0, 0.0, ())] * (len(row) + 1)
    for start in range(len(row) - 1, -1, -1):
        choices = []
        for stop in range(start + 1, len(row) + 1):
            meld = can_be_meld(row[start:stop], rules)
            if not meld and stop > start + 1:
                continue
            rest, wide, parts = best[stop]
            gap = gaps[stop - 1] if stop < len(row) else 0.0
            cost = rest + (_MELD if meld else 1.0)
            choices.append((cost, wide - gap, ((start, stop, meld), *parts)))
        best[start] = min(choices, key=lambda choice: (round(choice[0], 6), round(choice[1], 6)))
    cost, _, parts = best[0]
    joined: list[tuple[int, int, bool]] = []
    for start, stop, meld in parts:
        if joined and not meld and not joined[-1][2]:
            joined[-1] = joined[-1][0], stop, False
        else:
            joined.append((start, stop, meld))
    return cost, [range(start, stop) for start, stop, _ in joined], sum(meld for *_, meld in joined)
