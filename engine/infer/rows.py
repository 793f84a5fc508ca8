"""What may have happened to the discard row: who took from it and what was discarded, told turn by turn."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from math import dist, inf, log
from typing import TYPE_CHECKING, Final

from engine.infer.aligning import align
from engine.infer.matching import hit, no_tile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.infer.aligning import Alignment
    from engine.infer.memory import Memory, Slot
    from engine.infer.settings import Chances, Settings
    from engine.state import State
    from engine.tiles import Face

    _Way = tuple[int | None, int, tuple[Slot, ...], tuple[Slot, ...], bool]
    """Place and number of tiles taken, their slots, discards that stay, and whether more is to be taken."""

_GAP_MM: Final = 20.0
_SPAN: Final = 14.0
_MOST: Final = 40
_OF_EACH: Final = 4
_OTHER_FACE: Final = -9.0
_NEAR_ENOUGH: Final = 20.0
_EXTRAS: Final = 2
_BROKEN_OUT: Final = 6


@dataclass(frozen=True, slots=True)
class RowTurn:
    """A turn as the row shows it: how many tiles it took and from which place, and its discard.

    `wall` says that the row was turned into a new wall before it.
    """

    discard: Slot
    face: Face
    take: int | None = None
    taken: int = 0
    wall: bool = False


@dataclass(frozen=True, slots=True)
class Story:
    """Turns that explain the row, with the log chance of all that was seen of it.

    `links` are the slots of the tiles that lay in the row before; `take` and `taken` what the turn that has
    begun after these turns took; `extra` are slots taken for no tile.
    """

    score: float
    turns: tuple[RowTurn, ...]
    links: tuple[int | None, ...]
    extra: tuple[Slot, ...] = ()
    take: int | None = None
    taken: int = 0

    def links_after(self, turns: int, *, kept: int) -> tuple[int | None, ...]:
        """The slots of the row after so many turns; `kept` tiles stay when it becomes a wall."""
        row = list(self.links)
        for turn in self.turns[:turns]:
            if turn.wall:
                del row[kept:]
            if turn.take is not None:
                del row[turn.take : turn.take + turn.taken]
            row.append(turn.discard.id)
        return tuple(row)


@dataclass(frozen=True, slots=True)
class _Base:
    """What is left of the row that lay there, before any discard: `take` is the place that was taken from."""

    score: float
    links: tuple[int | None, ...]
    length: int
    take: int | None = None
    taken: tuple[Slot, ...] = ()
    count: int = 0
    wall: bool = False


def row_stories(state: State, memory: Memory, settings: Settings) -> list[Story]:
    """What may have happened to the row, likeliest first; the last resort is that nothing did."""
    links = [*memory.row_links, *[None] * len(state.row)][: len(state.row)]
    own = {link for link in links if link is not None}
    seen = [memory.slots[slot] for slot in memory.row if memory.present(slot) or slot not in own]
    last = max((at for at, slot in enumerate(seen) if slot.id in own), default=-1)
    fixed, tail = seen[: last + 1], seen[last + 1 :]
    stories: dict[tuple[object, ...], Story] = {}
    for base, rest in _bases(state, memory, links, fixed, tail, settings.chances):
        for story in _stories(state, memory, base, rest, settings):
            key = (tuple((turn.discard.id, turn.take, turn.wall) for turn in story.turns), story.take)
            if key not in stories or stories[key].score < story.score:
                stories[key] = story
    found = list(stories.values())
    if not found:
        # More has changed than is told here: the row as it was, and all else no tile.
        whole = align(state.row, links, seen, memory, settings.chances)
        count = len(state.row), len(seen)
        found.append(Story(whole.score(*count), (), whole.links_of(*count), tuple(tail)))
    for story in sorted(found, key=lambda story: -story.score)[:6]:
        found += _other_faces(story, settings.chances)
    found.sort(key=lambda story: -story.score)
    return list(_kept(found))


def _kept(found: Sequence[Story]) -> Iterator[Story]:
    """The likeliest stories, and some of each number of turns: presses and times still speak for fewer."""
    top = found[0].score
    of_length: dict[int, int] = {}
    for at, story in enumerate(found):
        turns = len(story.turns)
        of_length[turns] = of_length.get(turns, 0) + 1
        few = of_length[turns] <= _OF_EACH and story.score > top - 2 * _SPAN
        if few or (at < _MOST and story.score > top - _SPAN):
            yield story


def _other_faces(story: Story, chances: Chances) -> Iterator[Story]:
    """The same with one discard of another face."""
    for at, turn in enumerate(story.turns):
        for face in turn.discard.belief.likely(_OTHER_FACE):
            if face != turn.face:
                less = hit(turn.discard, turn.face, chances) - hit(turn.discard, face, chances)
                less += log(chances.joker_discarded) * (turn.face.is_joker - face.is_joker)
                turns = (*story.turns[:at], replace(turn, face=face), *story.turns[at + 1 :])
                yield replace(story, score=story.score - less, turns=turns)


def _bases(
    state: State,
    memory: Memory,
    links: Sequence[int | None],
    fixed: Sequence[Slot],
    tail: Sequence[Slot],
    chances: Chances,
) -> Iterator[tuple[_Base, Sequence[Slot]]]:
    """What is left of the row, with the slots that are discards since then."""
    row = state.row
    whole = align(row, links, [*fixed, *tail], memory, chances)
    absent = [not memory.present(link) for link in links]

    def slots_of(places: Sequence[int]) -> tuple[Slot, ...]:
        return tuple(memory.slots[links[at] or 0] for at in places if (links[at] or 0) in memory.slots)

    for used in _moved(whole, len(row), len(fixed), len(tail)):
        yield (
            _Base(
                whole.score(len(row), len(fixed) + used),
                whole.links_of(len(row), len(fixed) + used),
                len(row),
            ),
            tail[used:],
        )
    if state.turn.drew:
        return
    if state.rules.break_row == "rest":
        for left in range(len(row) - 1, -1, -1):
            if not absent[left]:
                break
            for used in _moved(whole, left, len(fixed), len(tail)):
                kept = whole.links_of(left, len(fixed) + used)
                yield (
                    _Base(
                        whole.score(left, len(fixed) + used),
                        (*kept, *links[left:]),
                        left,
                        left,
                        slots_of(range(left, len(row))),
                        len(row) - left,
                    ),
                    tail[used:],
                )
    else:
        yield from _one_taken(state, memory, links, (fixed, tail), chances)
    if state.rules.wall_end == "rebuild" and not state.wall.drawable:
        keep = int(state.dead_first)
        rest = [slot for slot in (*fixed, *tail) if slot.id not in links[:keep]]
        if all(absent[keep:]) and len(row) > keep:
            score = sum(
                memory.slots[link].belief.gain(row[at])
                for at, link in enumerate(links[:keep])
                if link is not None and memory.present(link)
            )
            yield _Base(score, tuple(links), keep, wall=True), rest


def _moved(whole: Alignment, tiles: int, fixed: int, tail: int) -> list[int]:
    """How many slots of the tail may be tiles that lay in the row before, under other keys."""
    score = whole.score
    # Worth a look where a slot more is matched, not skipped.
    found = [0, *(at for at in range(1, tail + 1) if score(tiles, fixed + at) > score(tiles, fixed + at - 1))]
    return [used for used in found if score(tiles, fixed + used) > -inf]


def _one_taken(
    state: State,
    memory: Memory,
    links: Sequence[int | None],
    seen: tuple[Sequence[Slot], Sequence[Slot]],
    chances: Chances,
) -> Iterator[tuple[_Base, Sequence[Slot]]]:
    """One tile is taken out of the row: the last one, or any where the rule set has that."""
    row, (fixed, tail) = state.row, seen
    gone = [at for at in range(len(row)) if not memory.present(links[at])]
    if state.rules.break_row == "no":
        gone = [at for at in gone if at == len(row) - 1]
    for place in gone[-_BROKEN_OUT:]:
        rest = [*range(place), *range(place + 1, len(row))]
        less = align([row[at] for at in rest], [links[at] for at in rest], [*fixed, *tail], memory, chances)
        slot = memory.slots.get(links[place] or 0)
        # Those behind it may have been pushed up into its place, where they are new.
        for used in _moved(less, len(rest), len(fixed), len(tail)):
            kept = less.links_of(len(rest), len(fixed) + used)
            yield (
                _Base(
                    less.score(len(rest), len(fixed) + used),
                    (*kept[:place], links[place], *kept[place:]),
                    len(rest),
                    place,
                    () if slot is None else (slot,),
                    1,
                ),
                tail[used:],
            )


def _stories(
    state: State, memory: Memory, base: _Base, rest: Sequence[Slot], settings: Settings
) -> Iterator[Story]:
    """The turns that bring the rest of the slots, one discard each, some of them no tile."""
    if base.score == -inf:
        return
    chances = settings.chances
    unread = [at for at, slot in enumerate(rest) if slot.belief.best is None]
    able = [at for at in range(len(rest)) if at not in unread]
    most = max(0, len(able) - settings.turns)
    if most > _EXTRAS:
        return
    for count in range(most, min(_EXTRAS, len(able)) + 1):
        for out in combinations(able, count):
            extra = tuple(rest[at] for at in range(len(rest)) if at in out or at in unread)
            score = base.score + sum(no_tile(slot, chances) for slot in extra)
            discards = [rest[at] for at in able if at not in out]
            start = Story(score, (), base.links, extra)
            yield from _turns(
                state, memory, base, discards, start, (), settings, open_take=base.take is not None
            )


def _turns(
    state: State,
    memory: Memory,
    base: _Base,
    discards: Sequence[Slot],
    story: Story,
    new: tuple[Slot, ...],
    settings: Settings,
    *,
    open_take: bool,
) -> Iterator[Story]:
    """The story told on: `new` discards lie in the row, and with `open_take` tiles must still be taken."""
    chances = settings.chances
    first = not story.turns
    may_take = not (first and state.turn.drew)
    for take, count, taken, left, still in _ways(state, base, new, open_take=open_take, may_take=may_take):
        if not discards and still:
            continue
        score = story.score + _taken_gain(taken, new)
        if take is not None:
            inside = bool(left) or take + count < base.length + (base.count if open_take else 0) + len(new)
            score += _taking(memory, story, taken, settings, deep=inside or count > 1)
            if discards and taken and not inside:
                # Who takes from the end lays his own tile there.
                far = min(dist(slot.place, discards[0].place) for slot in taken) > _GAP_MM
                score += log(chances.gap_left) if far else 0.0
        elif discards and may_take:
            score += log(chances.draw)
        if not discards:
            yield replace(story, score=score + _lying(memory, left, chances), take=take, taken=count)
            continue
        face = discards[0].belief.best
        if face is None:
            return
        score += log(chances.joker_discarded) if face.is_joker else 0.0
        turn = RowTurn(discards[0], face, take, count, wall=base.wall and first)
        told = replace(story, score=score, turns=(*story.turns, turn))
        yield from _turns(
            state, memory, base, discards[1:], told, (*left, discards[0]), settings, open_take=still
        )


def _ways(
    state: State, base: _Base, new: tuple[Slot, ...], *, open_take: bool, may_take: bool
) -> Iterator[_Way]:
    """How a turn may begin: with no tile of the row, with those that are gone of it, or with later ones."""
    yield None, 0, (), new, open_take
    if not may_take:
        return
    length = base.length + (base.count if open_take else 0)
    one = state.rules.break_row != "rest"
    if open_take and base.take is not None:
        if not new or (not one and all(slot.misses for slot in new)):
            yield base.take, base.count + len(new), (*base.taken, *new), (), False
        elif one:
            # One tile out of the middle, with discards behind it.
            yield base.take, 1, base.taken, new, False
    if not open_take or one:
        for at in range(len(new) - 1, -1, -1):
            if not new[at].misses or (one and at < len(new) - 1):
                break
            yield length + at, len(new) - at, new[at:], new[:at], open_take


def _taking(memory: Memory, story: Story, taken: Sequence[Slot], settings: Settings, *, deep: bool) -> float:
    """The log chance that a turn begins with these tiles, and that they were gone when they were."""
    chances = settings.chances
    cost = log(chances.break_row if deep else chances.take)
    before = story.turns[-1].discard if story.turns else None
    if before is not None and any(memory.number - slot.misses < before.first for slot in taken):
        # They were gone already in the look that first saw the discard before this turn.
        quick = before.gap < 2 * settings.turn_seconds
        cost += log(chances.turn_at_once if quick else chances.turn_unseen)
    return cost


def _taken_gain(taken: Sequence[Slot], new: Sequence[Slot]) -> float:
    """What speaks for tiles that were discarded, seen, and taken."""
    return sum(max(slot.belief.logs.values()) + 3.97 for slot in taken if slot in new and slot.belief.logs)


def _lying(memory: Memory, left: Sequence[Slot], chances: Chances) -> float:
    """What the looks say of discards that lie in the row."""
    total = 0.0
    for slot in left:
        if slot.belief.best is not None:
            total += hit(slot, slot.belief.best, chances)
            total += log(chances.covered_place) if slot.misses and memory.crowded(slot) else 0.0
    return total
