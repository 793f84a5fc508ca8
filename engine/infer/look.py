"""One look compared with a state: a proposal, an ambiguity, a desync, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.infer.choosing import choices, odds_of, proposal_of, question_of
from engine.infer.dealing import infer_deal
from engine.infer.differences import differences
from engine.infer.ending import infer_racks
from engine.infer.memory import Memory, remember
from engine.infer.outcomes import Desync, Inferred
from engine.infer.settings import Settings
from engine.infer.weighing import weigh

if TYPE_CHECKING:
    from engine.state import State
    from engine.table_reading import TableReading


def infer(
    state: State,
    reading: TableReading,
    *,
    seen_before: Memory | None = None,
    settings: Settings | None = None,
    pressed: frozenset[int] = frozenset(),
) -> tuple[Inferred, Memory]:
    """What happened between the state and this look, and the memory with the look in it.

    `seen_before` is the memory of the look before; without it a tile that was misread is likelier to count.
    What is doubtful is an `Ambiguity` at once: `engine.infer.follow` gives it some looks more.
    """
    settings = settings or Settings()
    memory = remember(seen_before or Memory(), reading, settings)
    if state.phase == "deal":
        return infer_deal(state, memory, settings, waited=settings.ask_after), memory
    if state.phase == "over":
        return infer_racks(state, memory, settings, waited=2 * settings.ask_after), memory
    weighed = weigh(state, memory, settings, pressed)
    found = choices(weighed)
    open_ends = differences(state, weighed, settings)
    if not found or open_ends:
        return Desync(open_ends), weighed.memory
    if odds_of(found[0].share) >= settings.odds:
        return proposal_of(found[0]), weighed.memory
    return question_of(weighed, found), weighed.memory
