"""One look at a game in play: commits turns that are sure, asks what is doubtful, mends what was wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from engine import commands as c
from engine.infer import follower as f
from engine.infer import vouching
from engine.infer.choosing import (
    Choice,
    candidate_of,
    choices,
    odds_needed,
    odds_of,
    question_of,
    seen_enough,
)
from engine.infer.differences import differences, unseen_discard
from engine.infer.ending import wall_has_ended
from engine.infer.laid_out import end_of, racks_open, unexplained
from engine.infer.memory import relinked
from engine.infer.outcomes import Ambiguity, folded
from engine.infer.plans import UNFINISHED
from engine.infer.presses import last_discard, pressed_in_vain, unheard, unpressed, unseen
from engine.infer.telling import ask, lose, signature
from engine.infer.telling import found as found_again
from engine.infer.weighing import Weighed, after, effect, weigh

if TYPE_CHECKING:
    from collections.abc import Hashable

    from engine.commands import Command
    from engine.infer.memory import Memory
    from engine.infer.outcomes import Difference
    from engine.infer.settings import Settings
    from engine.infer.weighing import Known


_CHECKPOINTS = 4
_TURNS_A_LOOK = 8
_AGAIN = 5
_ALMOST = 10
_ALMOST_LOOKS = 3
_BREACH_S = 1.0
"""A hand over the row makes it look for a moment as if a tile had been taken."""


def play(follower: f.Follower) -> tuple[f.Follower, tuple[f.Outcome, ...]]:
    """The follower after the last look that it remembers."""
    if follower.memory.covered:
        return follower, ()
    outcomes: list[f.Outcome] = []
    known: Known = {}
    early = False
    for _ in range(_TURNS_A_LOOK):
        follower, weighed = _weighed(follower, known)
        found = choices(weighed)
        follower = replace(follower, memory=_relinked(weighed, found, follower.settings))
        if not found:
            break
        ready = _ready(follower, found, weighed)
        early = early or (found[0].turned is not None and _too_early(follower, found[0]))
        if not ready or early or _just_come(weighed, found[0]):
            break
        if not outcomes:
            follower = replace(follower, owed=frozenset())
        follower, done = _commit(follower, found[0])
        outcomes += done
        if follower.state.phase != "play":
            return follower, tuple(outcomes)
    follower = pressed_in_vain(follower, found)
    follower, asked = _doubt(follower, weighed, found)
    follower, begun = _half_turn(follower, found)
    follower, compared = _compared(follower, weighed, known, early=early)
    follower, ended = _wall(follower, found)
    return follower, (*outcomes, *asked, *begun, *compared, *ended)


def _weighed(follower: f.Follower, known: Known) -> tuple[f.Follower, Weighed]:
    """What is seen weighed, with the tiles of what somebody entered as it was entered."""
    state, settings, vouched = follower.state, follower.settings, follower.vouched
    weighed = weigh(state, follower.memory, settings, follower.pressed, known=known)
    if vouched is None:
        return follower, weighed
    if follower.memory.number > vouched.at + vouching.LOOKS:
        return replace(follower, vouched=None), weighed
    memory = vouching.held(weighed.memory, state, vouched)
    if memory is weighed.memory:
        return follower, weighed
    return replace(follower, memory=memory), weigh(state, memory, settings, follower.pressed, known=known)


def _relinked(weighed: Weighed, found: list[Choice], settings: Settings) -> Memory:
    """The memory with the tiles of the row where the likeliest explanation has them, if that is sure."""
    memory = weighed.memory
    if not found or odds_of(found[0].share) < settings.odds:
        return memory
    return relinked(memory, found[0].hypothesis.story.links)


def _ready(follower: f.Follower, found: list[Choice], weighed: Weighed) -> bool:
    """Whether the likeliest turn is to be committed now."""
    choice, settings = found[0], follower.settings
    if choice.turned is None or not seen_enough(choice.turned, settings):
        return False
    if not _sure(follower, choice, weighed):
        return False
    if settings.commit == "discard" or choice.turned.state.phase == "over":
        return True
    later = len(weighed.found[0].turns) > 1
    return later or choice.turned.seat in follower.pressed


def _sure(follower: f.Follower, choice: Choice, weighed: Weighed) -> bool:
    """Whether the likeliest explanation leaves nothing open: what it does not is asked, not committed."""
    if odds_of(choice.share) < odds_needed(weighed, follower.settings) or _left_over(follower, choice):
        return False
    if unheard(follower, weighed) or unpressed(follower, weighed) or unseen(follower):
        return False
    return not choice.hypothesis.unseen


def _left_over(follower: f.Follower, choice: Choice) -> bool:
    """Whether tiles lay there before the turn ended that the turn does not explain, nor any report so far."""
    turned, one = choice.turned, choice.hypothesis
    if turned is None or turned.discard is None:
        return False
    # Racks are laid out after a game is closed, not before.
    until = turned.discard.first - (turned.state.phase == "over")
    known = {difference.key for difference in follower.lost}
    loose = [slot for deed in one.deeds if deed.kind == "loose" for slot in deed.slots]
    return any(
        slot.hits >= follower.settings.looks
        and not slot.misses
        and slot.first <= until
        and slot.key not in known
        for slot in (*loose, *one.extra)
    )


def _just_come(weighed: Weighed, choice: Choice) -> bool:
    """Whether tiles at a meld, or several together, have only just been seen and are not explained."""
    one = choice.hypothesis
    loose = [slot for deed in one.deeds if deed.kind == "loose" for slot in deed.slots]
    strange = {slot.id for slot in (*loose, *one.extra) if slot.hits == 1 and not slot.misses}
    return any(
        (part.melds or len(part.slots) > 1) and any(slot.id in strange for slot in part.slots)
        for part in weighed.parts
    )


def _too_early(follower: f.Follower, choice: Choice) -> bool:
    """Whether tiles came onto the table so soon after the last discard that they may belong before it."""
    turned, since = choice.turned, last_discard(follower)
    if turned is None or since is None or not follower.checkpoints:
        return False
    seconds = follower.settings.turn_seconds
    return any(0 <= slot.first_at - since.first_at < seconds for slot in turned.slots)


def _commit(follower: f.Follower, choice: Choice) -> tuple[f.Follower, list[f.Outcome]]:
    turned = choice.turned
    assert turned is not None  # noqa: S101
    outcomes: list[f.Outcome] = []
    if follower.question is not None:
        outcomes.append(f.Withdrawn(follower.question.number))
    pressed = turned.seat in follower.pressed
    outcomes.append(
        f.Committed(
            turned.commands, turned.reasons, odds_of(choice.share), by="button" if pressed else "camera"
        )
    )
    point = f.Checkpoint(follower.state, len(follower.log), follower.memory, follower.pressed)
    follower = replace(
        follower,
        state=turned.state,
        log=(*follower.log, *turned.commands),
        memory=after(follower.memory, choice.hypothesis, 1, turned.state),
        checkpoints=(*follower.checkpoints, point)[-_CHECKPOINTS:],
        pressed=follower.pressed - {turned.seat},
        owed=follower.owed | {turned.seat} if follower.settings.buttons and not pressed else follower.owed,
        begun=(),
        nearly=(),
        question=None,
        doubted=0,
        silent=0,
    )
    return follower, outcomes


def _doubt(
    follower: f.Follower, weighed: Weighed, found: list[Choice]
) -> tuple[f.Follower, tuple[f.Outcome, ...]]:
    """A turn has ended and it is not sure which: asked after some looks."""
    settings = follower.settings
    first = found[0].turned if found else None
    if first is None or _sure(follower, found[0], weighed):
        if follower.question is not None and follower.question.about.kind == "turn":
            gone = f.Withdrawn(follower.question.number)
            return replace(follower, question=None, doubted=0), (gone,)
        return replace(follower, doubted=0), ()
    if not seen_enough(first, settings):
        return follower, ()
    follower = replace(follower, doubted=follower.doubted + 1)
    # What has nearly been settled by the looks so far is given some more.
    nearly = odds_of(found[0].share) * _ALMOST >= settings.odds
    nearly = nearly and not _racks_wait(follower, weighed) and not unpressed(follower, weighed)
    nearly = nearly and not unseen(follower)
    patience = settings.ask_after * (_ALMOST_LOOKS if nearly else 1)
    if follower.doubted < patience or follower.question is not None:
        return follower, ()
    about = question_of(weighed, found)
    if signature(about) in follower.refused:
        return follower, ()
    return ask(follower, about)


def _racks_wait(follower: f.Follower, weighed: Weighed) -> bool:
    """Whether racks lie open, so that nothing more will come to what is told of the game."""
    best = weighed.found[0]
    end = end_of(best, follower.state)
    return end.phase == "over" or bool(racks_open(end, unexplained(best), follower.settings))


def _half_turn(follower: f.Follower, found: list[Choice]) -> tuple[f.Follower, tuple[f.Outcome, ...]]:
    """What the turn that is on has done so far; a breach of the rules only once it was seen for a while."""
    begun = found[0].hypothesis.begun if found and found[0].turned is None else None
    commands = begun.commands if begun is not None else ()
    at = follower.memory.at
    if commands != follower.nearly:
        follower = replace(follower, nearly=commands, nearly_at=at)
    reasons = [one for one in begun.reasons if one.code not in UNFINISHED] if begun is not None else []
    if commands == follower.begun or (reasons and at - follower.nearly_at < _BREACH_S):
        return follower, ()
    return replace(follower, begun=commands), (f.Begun(commands, tuple(reasons)),)


def _compared(
    follower: f.Follower, weighed: Weighed, known: Known, *, early: bool
) -> tuple[f.Follower, tuple[f.Outcome, ...]]:
    """Differences that last are mended from an earlier turn, or reported."""
    now = differences(follower.state, weighed, follower.settings)
    if unseen(follower):
        now = (*now, unseen_discard(follower.state.turn.seat))
    if not now and not early:
        follower = replace(follower, revised=0)
        if follower.question is not None and follower.question.about.kind == "revision":
            gone = f.Withdrawn(follower.question.number)
            follower = replace(follower, question=None)
            return found_again(follower, (gone,))
        return found_again(follower, ())
    follower = replace(follower, revised=follower.revised + 1)
    # What could not be mended in some looks is tried again now and then.
    due = follower.revised <= follower.settings.ask_after or follower.revised % _AGAIN == 0
    revision = _revise(follower, now, known, early=early) if due or early else None
    long = follower.revised > 2 * follower.settings.ask_after and follower.question is None
    if early and long and not now and (revision is None or revision == (follower, ())):
        # Nothing but the order of turns that was told explains it: somebody was only quick.
        return _no_doubt(follower)
    if revision is not None:
        return revision
    return lose(follower, now)


def _revise(
    follower: f.Follower, now: tuple[Difference, ...], known: Known, *, early: bool
) -> tuple[f.Follower, tuple[f.Outcome, ...]] | None:
    """The last turns told anew, if that explains more; None where it does not."""
    settings = follower.settings
    for back in range(1, len(follower.checkpoints) + 1):
        point = follower.checkpoints[-back]
        memory = replace(
            follower.memory, row_links=point.memory.row_links, meld_links=point.memory.meld_links
        )
        weighed = weigh(point.state, memory, settings, point.pressed | follower.pressed, known=known)
        found = choices(weighed, back)
        if not found or found[0].turned is None:
            continue
        was = effect(follower.state)
        mine = sum(choice.share for choice in found if _same_table(choice.effect, was))
        left = len(differences(found[0].turned.state, weighed, settings)) if weighed.found else len(now)
        if found[0].effect == was:
            if early and odds_of(mine) >= settings.odds:
                return _no_doubt(follower)
            if not early:
                continue
        candidate = candidate_of(weighed, found[0], back)
        undo = len(follower.log) - point.length
        sure = odds_of(found[0].share) >= settings.odds and not left
        if sure and found[0].effect != was and _other_faces(follower.log[-undo:], candidate.commands):
            return replaced(
                follower, undo, candidate.commands, by="camera", links=candidate.row_links,
                odds=odds_of(found[0].share),
            )  # fmt: skip
        if follower.revised < settings.ask_after or follower.question is not None:
            return follower, ()
        return _ask_revision(follower, weighed, found, back)
    return None


def _same_table(one: Hashable, other: Hashable) -> bool:
    """Whether the same lies in melds: what came early is a doubt of that alone."""
    return isinstance(one, tuple) and isinstance(other, tuple) and one[1] == other[1]


def _other_faces(old: tuple[Command, ...], new: tuple[Command, ...]) -> bool:
    """Whether the same was done with other tiles: that is corrected, while something else done is asked."""
    was = [command for command in old if not isinstance(command, c.Announce | c.Rule)]
    if [type(command) for command in was] != [type(command) for command in new]:
        return False
    tiles = [sum(map(len, one.melds)) for one in was if isinstance(one, c.MeldDown)]
    return tiles == [sum(map(len, one.melds)) for one in new if isinstance(one, c.MeldDown)]


def _no_doubt(follower: f.Follower) -> tuple[f.Follower, tuple[f.Outcome, ...]]:
    """What came early is the turn's own after all."""
    return replace(follower, checkpoints=(), revised=0), ()


def _ask_revision(
    follower: f.Follower, weighed: Weighed, found: list[Choice], back: int
) -> tuple[f.Follower, tuple[f.Outcome, ...]]:
    """Whether the last turns were otherwise than committed, asked."""
    undo = len(follower.log) - follower.checkpoints[-back].length
    asked = [choice for choice in found if choice.turned is not None and choice.share > 0.002][:4]
    candidates = tuple(candidate_of(weighed, choice, back) for choice in asked)
    keys = tuple(sorted({key for candidate in candidates for key in candidate.keys}))
    about = Ambiguity(
        "revision", candidates, keys, "What were the last turns?", "Care au fost ultimele ture?", undo
    )
    if signature(about) in follower.refused or len(candidates) < 2:
        return follower, ()
    return ask(follower, about)


def same_effect(follower: f.Follower, undo: int, commands: tuple[Command, ...]) -> bool:
    """Whether these commands come to what the last `undo` of the log came to, in another order perhaps."""
    kept = len(follower.log) - undo
    if commands == follower.log[kept:]:
        return True
    point = next((one for one in follower.checkpoints if one.length == kept), None)
    return point is not None and effect(folded(point.state, commands)[0]) == effect(follower.state)


def replaced(
    follower: f.Follower,
    undo: int,
    commands: tuple[Command, ...],
    *,
    by: Literal["camera", "arbiter"],
    links: tuple[int | None, ...] = (),
    odds: float = 0.0,
) -> tuple[f.Follower, tuple[f.Outcome, ...]]:
    """The follower with the end of its log replaced by these commands."""
    kept = follower.log[: len(follower.log) - undo]
    lost = follower.log[len(kept) :]
    # What was only said stays said.
    said = tuple(command for command in lost if isinstance(command, c.Announce | c.Rule))
    point = next((one for one in follower.checkpoints if one.length == len(kept)), None)
    if point is None:
        return follower, ()
    state, reasons = folded(point.state, (*commands, *said))
    memory = replace(follower.memory, row_links=links, meld_links={})
    outcomes: list[f.Outcome] = []
    if follower.question is not None:
        outcomes.append(f.Withdrawn(follower.question.number))
    follower = replace(
        follower,
        state=state,
        log=(*kept, *commands, *said),
        memory=memory,
        checkpoints=(),
        question=None,
        revised=0,
        doubted=0,
    )
    return follower, (*outcomes, f.Corrected(undo, (*commands, *said), reasons, odds, by))


def _wall(follower: f.Follower, found: list[Choice]) -> tuple[f.Follower, tuple[f.Outcome, ...]]:
    """The game is over when nothing is left to draw and the next turn has not begun."""
    if not wall_has_ended(follower.state) or (found and found[0].turned is not None) or follower.nearly:
        return replace(follower, waited=0), ()
    follower = replace(follower, waited=follower.waited + 1)
    if follower.waited < follower.settings.looks:
        return follower, ()
    commands = (c.WallEmpty(),)
    state, reasons = folded(follower.state, commands)
    follower = replace(follower, state=state, log=(*follower.log, *commands), waited=0)
    return follower, (f.Committed(commands, reasons),)
