"""What may have been done on a part of the table, each explanation with its likelihood."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from math import log
from typing import TYPE_CHECKING, Final, Literal

from engine.infer.belief import UNLIKE
from engine.infer.extending import Extension, extensions
from engine.infer.matching import Matched, hit, match, no_tile
from engine.infer.new_melds import Read, read_melds
from engine.placing import new_meld
from engine.rules import MELD_MIN_LENGTH
from engine.tiles import Tile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine.infer.linking import Part
    from engine.infer.memory import Slot
    from engine.infer.settings import Chances
    from engine.rules import RuleSet

_SPAN: Final = 12.0
_MOST: Final = 8
_WRONG_END: Final = log(0.01)
_LATER_LOOKS: Final = 2

NEW: Final = "+"
"""How the name of a meld begins that has no id yet."""


@dataclass(frozen=True, slots=True)
class Deed:
    """One thing done on the table, whoever did it; `slots` are the tiles that came to lie there.

    `meld` is the id of the meld it was done to, or a name for one that is new; `place` is the place round the
    table of a new one. A `loose` deed is tiles that are no meld (yet).
    """

    kind: Literal["meld", "lay", "split", "reclaim", "loose"]
    tiles: tuple[Tile, ...]
    slots: tuple[Slot, ...]
    meld: str = ""
    end: str | None = None
    second: tuple[Tile, ...] = ()
    joker: int | None = None
    place: int = 0
    odd: bool = False
    """Whether no rule allows it, whoever does it."""


@dataclass(frozen=True, slots=True)
class Explanation:
    """Deeds that explain a part of the table, with the log chance of all that was seen of it.

    `extra` are slots taken for no tile.
    """

    score: float
    deeds: tuple[Deed, ...] = ()
    extra: tuple[Slot, ...] = ()


def explanations(part: Part, rules: RuleSet, chances: Chances) -> list[Explanation]:
    """What may have been done here, likeliest first; at least that nothing was."""
    found = list(
        _of_melds(part, rules, chances) if part.melds else _of_new(part.slots, part.seat, rules, chances)
    )
    found.sort(key=lambda explanation: -explanation.score)
    best = found[0].score
    kept = [found[0]]
    kept += [other for other in found[1:_MOST] if other.score > best - _SPAN]
    idle = next(other for other in found if _idle(other))
    return kept if any(map(_idle, kept)) else [*kept, idle]


def _idle(explanation: Explanation) -> bool:
    return all(deed.kind == "loose" for deed in explanation.deeds)


def _of_new(slots: Sequence[Slot], place: int, rules: RuleSet, chances: Chances) -> Iterator[Explanation]:
    """What tiles are that lie apart from every meld."""
    slots = tuple(slots)
    none = Explanation(sum(no_tile(slot, chances) for slot in slots), (), slots)
    if not slots:
        yield none
        return
    # Tiles that are no meld yet and what is no tile come to the same: one of them is enough.
    yield max(_loose(slots, place, chances), none, key=lambda one: one.score)
    for read in read_melds(slots, rules, chances) if len(slots) >= MELD_MIN_LENGTH - 1 else ():
        yield _read(read, slots, place, chances)
    yield from _grown(slots, place, rules, chances)
    for cut in range(MELD_MIN_LENGTH, len(slots) - MELD_MIN_LENGTH + 1):
        left, right = (read_melds(half, rules, chances)[:2] for half in (slots[:cut], slots[cut:]))
        for one in left:
            for other in right:
                both = (_read(one, slots[:cut], place, chances), _read(other, slots[cut:], place, chances))
                yield _together(both)
    if len(slots) >= MELD_MIN_LENGTH:
        as_it_lies = tuple(Tile(slot.belief.best) for slot in slots if slot.belief.best is not None)
        if len(as_it_lies) == len(slots):
            score = sum(hit(slot, tile.face, chances) for slot, tile in zip(slots, as_it_lies, strict=True))
            yield Explanation(
                score + log(chances.meld) + log(chances.illegal),
                (Deed("meld", as_it_lies, slots, _named(slots), place=place, odd=True),),
            )


def _grown(slots: tuple[Slot, ...], place: int, rules: RuleSet, chances: Chances) -> Iterator[Explanation]:
    """A meld that was put down, and tiles that came to it some looks later, perhaps another's."""
    firsts = sorted({slot.first for slot in slots})
    for before, since in pairwise(firsts):
        early = [slot for slot in slots if slot.first <= before]
        late = [slot for slot in slots if slot.first > before]
        if since - before < _LATER_LOOKS or len(early) < MELD_MIN_LENGTH:
            continue
        for read in read_melds(early, rules, chances)[:2]:
            base = _read(read, early, place, chances)
            down = base.deeds[0]
            meld = new_meld(down.meld, 0, read.tiles, rules)
            pairs = match([tile.face for tile in read.tiles], read.slots, chances).pairs
            links = [None if slot is None else slot.id for slot in pairs]
            for way in extensions(meld, links, late, slots, rules):
                found = match([tile.face for tile in way.added], late, chances)
                if all(pair is None for pair in found.pairs):
                    continue
                score = base.score + found.score + _steps(way, found.pairs, chances)
                deeds = _done(way, found.pairs, meld.id)
                yield Explanation(score, (down, *deeds), (*base.extra, *found.extra))


def _steps(way: Extension, pairs: Sequence[Slot | None], chances: Chances) -> float:
    """The log chance that these steps are done, some of their tiles never seen."""
    score = log(chances.longer) * sum(pair is None for pair in pairs)
    score += log(chances.meld) * len(way.deeds)
    return score + log(chances.reclaim) * sum(step.kind in ("split", "reclaim") for step in way.deeds)


def _done(way: Extension, pairs: Sequence[Slot | None], name: str) -> list[Deed]:
    """The steps as deeds to the meld of that name."""
    deeds = []
    for step in way.deeds:
        new = tuple(slot for slot in pairs[step.start : step.start + len(step.tiles)] if slot is not None)
        deeds.append(Deed(step.kind, step.tiles, new, name, step.end, step.second, joker=step.joker))
    return deeds


def _read(read: Read, slots: Sequence[Slot], place: int, chances: Chances) -> Explanation:
    extra = tuple(slot for slot in slots if slot not in read.slots)
    return Explanation(
        read.score + log(chances.meld),
        (Deed("meld", read.tiles, read.slots, _named(slots), place=place),),
        extra,
    )


def _named(slots: Sequence[Slot]) -> str:
    """A name for a meld that has no id yet."""
    return f"{NEW}{min(slot.id for slot in slots)}"


def _together(parts: Iterable[Explanation]) -> Explanation:
    all_of_them = tuple(parts)
    return Explanation(
        sum(part.score for part in all_of_them),
        tuple(deed for part in all_of_them for deed in part.deeds),
        tuple(slot for part in all_of_them for slot in part.extra),
    )


def _loose(slots: tuple[Slot, ...], place: int, chances: Chances) -> Explanation:
    """Tiles that lie there and are not (yet) a meld."""
    score = log(chances.loose)
    tiles = []
    for slot in slots:
        face = slot.belief.best
        score += no_tile(slot, chances) if face is None else hit(slot, face, chances)
        if face is not None:
            tiles.append(Tile(face))
    return Explanation(score, (Deed("loose", tuple(tiles), slots, place=place),))


def _of_melds(part: Part, rules: RuleSet, chances: Chances) -> Iterator[Explanation]:
    """What may have come to melds that lay there."""
    faces, links = part.faces, part.flat_links
    base = match(faces, part.slots, chances, links=links)
    yield Explanation(base.score, (), base.extra)
    # A tile that can hardly be what lay there may have taken its place.
    strange = [
        slot
        for face, slot in zip(faces, base.pairs, strict=True)
        if slot is not None and not slot.misses and slot.belief.log(face) < UNLIKE
    ]
    more = (*base.extra, *strange)
    if not more:
        return
    ways = [list(extensions(meld, part.links[meld.id], more, part.slots, rules)) for meld in part.melds]
    for at, meld in enumerate(part.melds):
        for way in ways[at]:
            yield from _extended(part, {meld.id: way}, chances)
    for one in range(len(part.melds)):
        for other in range(one):
            if len(ways[one]) * len(ways[other]) <= 100 and len(more) > 1:
                for first in ways[other]:
                    for second in ways[one]:
                        names = part.melds[other].id, part.melds[one].id
                        yield from _extended(part, dict(zip(names, (first, second), strict=True)), chances)
    more = base.extra
    if not more:
        return
    untouched = base.score - sum(no_tile(slot, chances) for slot in more)
    order = [slot for slot in part.slots if slot in more]
    for new in _of_new(order, part.seat, rules, chances):
        if new.deeds:
            yield Explanation(untouched + new.score, new.deeds, new.extra)
    present = [slot for slot in more if not slot.misses and slot.belief.best is not None]
    if len(present) == 1 and present[0].belief.best is not None:
        # Laid at a meld that it does not fit.
        slot, face = present[0], present[0].belief.best
        rest = [other for other in more if other is not slot]
        score = untouched + hit(slot, face, chances) + sum(no_tile(other, chances) for other in rest)
        deed = Deed("lay", (Tile(face),), (slot,), part.melds[0].id, odd=True)
        yield Explanation(score + log(chances.meld) + log(chances.illegal), (deed,), tuple(rest))


def _extended(part: Part, ways: dict[str, Extension], chances: Chances) -> Iterator[Explanation]:
    """The part with some of its melds extended."""
    faces, links = [], []
    for meld, mine in zip(part.melds, (part.links[meld.id] for meld in part.melds), strict=True):
        old = [piece.tile.face for piece in (*meld.pieces, *meld.beside)]
        gone = ways[meld.id].freed if meld.id in ways else ()
        for at, face in enumerate(old):
            if at not in gone:
                faces.append(face)
                links.append(mine[at])
    freed = {part.links[name][at] for name, way in ways.items() for at in way.freed}
    slots = [slot for slot in part.slots if slot.id not in freed or not slot.misses]
    start = len(faces)
    for way in ways.values():
        faces += [tile.face for tile in way.added]
    looks = min((slot.hits + slot.misses for slot in part.slots if slot.id not in set(links)), default=1)
    found = match(faces, slots, chances, links=links, looks=looks)
    pairs = found.pairs[start:]
    if all(pair is None for pair in pairs):
        return
    score = found.score
    deeds: list[Deed] = []
    for name, way in ways.items():
        own, pairs = pairs[: len(way.added)], pairs[len(way.added) :]
        score += _steps(way, own, chances) + _ends(part, found, way, own)
        deeds += _done(way, own, name)
    yield Explanation(score, tuple(deeds), found.extra)
    for at, deed in enumerate(deeds):
        if halves := _in_turn(deed):
            apart = (*deeds[:at], *halves, *deeds[at + 1 :])
            yield Explanation(score + log(chances.meld), apart, found.extra)


def _in_turn(deed: Deed) -> tuple[Deed, ...]:
    """A lay-off as two, one after the other, where its outer tiles were seen later: another's perhaps."""
    if deed.kind != "lay" or len(deed.slots) != len(deed.tiles):
        return ()
    pairs = list(zip(deed.tiles, deed.slots, strict=True))
    if deed.end is None:
        pairs.sort(key=lambda pair: pair[1].first)
    for cut in range(1, len(pairs)):
        if max(slot.first for _, slot in pairs[:cut]) < min(slot.first for _, slot in pairs[cut:]):
            halves = (pairs[:cut], pairs[cut:])
            return tuple(
                replace(deed, tiles=tuple(t for t, _ in half), slots=tuple(s for _, s in half))
                for half in halves
            )
    return ()


def _ends(part: Part, found: Matched, way: Extension, mine: Sequence[Slot | None]) -> float:
    """What is against tiles at this end of a run, as they lie in order."""
    if len(part.groups) != 1 or len(part.melds) != 1 or part.melds[0].shape != "run":
        return 0.0
    order = {slot: at for at, slot in enumerate(part.groups[0].slots)}
    old = [order[pair.id] for pair in found.pairs[: len(part.melds[0].pieces)] if pair and pair.id in order]
    if len(old) < 2:
        return 0.0
    rising = old[0] < old[-1]
    against = 0.0
    for deed in way.deeds:
        for at in range(len(deed.tiles)):
            slot = mine[deed.start + at]
            if deed.end is None or slot is None or slot.id not in order:
                continue
            above = order[slot.id] > max(old)
            high = deed.end == "high"
            against += _WRONG_END if above != (high == rising) else 0.0
    return against
