"""All explanations of a look weighed against each other: a bounded best-first search over row and table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import log
from typing import TYPE_CHECKING, Final

from engine.infer.deeds import Explanation, explanations
from engine.infer.laid_out import end_of, racks_open, unexplained
from engine.infer.linking import Part, parts_of
from engine.infer.plans import Hypothesis, Scene, hypotheses
from engine.infer.rows import Story, row_stories
from engine.infer.searching import best_first
from engine.infer.timing import timed
from engine.infer.unseen import taken_unseen

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from engine.infer.memory import Memory, Slot
    from engine.infer.settings import Chances, Settings
    from engine.state import State

_SPAN: Final = 11.0
"""What is so much less likely (as a log) than the likeliest is not weighed."""

_STEPS: Final = 16
"""So many combinations of row and table are looked at for each turn that may be judged."""

Known = dict[tuple[int, tuple[int, ...]], "tuple[tuple[Slot, ...], list[Explanation]]"]
"""What tiles that lie apart from every meld may be, by place round the table and the ids of their slots."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What may have happened since the state, likeliest first; `memory` has its links renewed.

    `beyond` is the log chance at which the search was cut short: what was not weighed is doubt.
    """

    found: tuple[Hypothesis, ...]
    memory: Memory
    parts: tuple[Part, ...]
    chances: Chances
    beyond: float | None = None


def weigh(
    state: State,
    memory: Memory,
    settings: Settings,
    pressed: frozenset[int] = frozenset(),
    *,
    known: Known | None = None,
) -> Weighed:
    """What may have happened at the table since this state; `known` is kept from one state to the other where
    a look is weighed against several.
    """
    known = {} if known is None else known
    weighed = _weighed(state, memory, settings, pressed, known)
    if not weighed.found:
        return weighed

    def explain(later: State, then: Memory, others: frozenset[int]) -> tuple[Hypothesis, ...]:
        return _weighed(later, then, settings, others, known).found

    more = taken_unseen(weighed.found[0], state, weighed.memory, settings, pressed, explain)
    found = sorted((*weighed.found, *more), key=lambda one: -one.score)
    return replace(weighed, found=tuple(one for one in found if one.score > found[0].score - _SPAN))


def _weighed(
    state: State, memory: Memory, settings: Settings, pressed: frozenset[int], known: Known
) -> Weighed:
    """The same without discards that nobody saw."""
    parts, memory = parts_of(state, memory, settings.chances)
    options = [_explained(part, state, settings.chances, known) for part in parts if part.slots or part.melds]
    since = memory.slots.get(memory.row_links[-1] or 0) if memory.row_links and state.row else None
    scene = Scene(state, memory, settings, pressed, since)
    stories = [timed(scene, story) for story in row_stories(state, memory, settings)]
    stories.sort(key=lambda story: -story.score)
    found: list[Hypothesis] = []
    best = None
    beyond = None
    for steps, (score, story, chosen) in enumerate(_best_first(stories, options)):
        if best is not None and score < best - _SPAN:
            break
        if scene.spent or steps >= _STEPS * settings.hypotheses:
            beyond = score
            break
        deeds = [deed for explanation in chosen for deed in explanation.deeds]
        extra = (*story.extra, *(slot for explanation in chosen for slot in explanation.extra))
        least = score - _SPAN if best is None else best - _SPAN
        for told in hypotheses(scene, story, deeds, extra, score=score, least=least):
            hypothesis = _before_the_end(scene, told)
            found.append(hypothesis)
            best = hypothesis.score if best is None else max(best, hypothesis.score)
    found.sort(key=lambda one: -one.score)
    top = found[0].score if found else 0.0
    kept = tuple(one for one in found if one.score > top - _SPAN)
    return Weighed(kept, memory, tuple(parts), settings.chances, beyond)


def _explained(part: Part, state: State, chances: Chances, known: Known) -> list[Explanation]:
    """The explanations of a part; those of tiles apart from every meld are the same in any state."""
    if part.melds:
        return explanations(part, state.rules, chances)
    key = part.seat, tuple(map(id, part.slots))
    if key not in known:
        # The slots are kept with it, so that their ids stay theirs.
        known[key] = part.slots, explanations(part, state.rules, chances)
    return known[key][1]


def _before_the_end(scene: Scene, told: Hypothesis) -> Hypothesis:
    """The hypothesis with what is against it where racks lie open though it tells of nobody who closed."""
    settings = scene.settings
    if not racks_open(end_of(told, scene.state), unexplained(told), settings):
        return told
    return replace(told, score=told.score + log(settings.chances.racks_early))


def _best_first(
    stories: Sequence[Story], options: Sequence[Sequence[Explanation]]
) -> Iterator[tuple[float, Story, tuple[Explanation, ...]]]:
    """Each choice of a story and of an explanation for every part, the likeliest first."""
    lists = [[story.score for story in stories]]
    lists += [[explanation.score for explanation in some] for some in options]
    for score, at in best_first(lists):
        yield score, stories[at[0]], tuple(some[i] for some, i in zip(options, at[1:], strict=True))


def effect(state: State) -> Hashable:
    """What a state comes to, whatever it is called: row, who put down which tile, racks, whose turn."""
    melds = []
    for meld in state.melds:
        owners = sorted((str(piece.tile.face), piece.seat) for piece in (*meld.pieces, *meld.beside))
        melds.append((meld.shape or "", tuple(owners)))
    racks = tuple(len(player.hand) for player in state.players)
    opened = tuple(player.opened for player in state.players)
    closing = None if state.closing is None else (state.closing.seat, state.closing.table_game)
    # Who closed with the atu has it on no rack: there is room for it nowhere else.
    atu = state.phase == "over" and state.atu_place == "drawn"
    return state.row, tuple(sorted(melds)), racks, opened, state.turn.seat, state.phase, closing, atu


def after(memory: Memory, hypothesis: Hypothesis, turns: int, state: State) -> Memory:
    """The memory with its links as they are after so many turns of a hypothesis; `state` is the one after."""
    kept = int(state.dead_first)
    told = turns - hypothesis.unseen  # of the row's story
    row = hypothesis.story.links_after(told, kept=kept)
    changed = {deed.meld for deed in hypothesis.deeds}
    melds = {name: links for name, links in memory.meld_links.items() if name not in changed}
    # What was taken out of the row is no tile of it any more.
    were = {*hypothesis.story.links, *(turn.discard.id for turn in hypothesis.story.turns[:told])}
    gone = {slot for slot in were - set(row) if slot is not None and not memory.present(slot)}
    # Nor is a joker that was reclaimed one of its meld.
    for deed in hypothesis.deeds:
        links = memory.meld_links.get(deed.meld, ())
        if deed.kind == "reclaim" and deed.joker is not None and deed.joker < len(links):
            link = links[deed.joker]
            gone |= {link} if link is not None and not memory.present(link) else set()
    return replace(
        memory,
        row_links=row,
        meld_links=melds,
        slots={name: slot for name, slot in memory.slots.items() if name not in gone},
        row=tuple(slot for slot in memory.row if slot not in gone),
        groups=tuple(
            replace(group, slots=tuple(slot for slot in group.slots if slot not in gone))
            for group in memory.groups
        ),
    )
