"""One input after another: rows to write, the core after them, and an answer; the same each time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from companion.table.core import Core, Setup, Work
from companion.table.inputs import Answer, Ended, Looked, Part, Posted, Pressed, Said
from companion.table.moves import cleared, looked, pressed
from companion.table.posts import posted
from companion.table.published import public_document
from vision.sources.health import Words

if TYPE_CHECKING:
    from random import Random

    from companion.table.inputs import Input
    from companion.table.log import Row


@dataclass(frozen=True)
class Step:
    """What comes of an input: these rows must be on the disk before the core counts."""

    rows: tuple[Row, ...]
    core: Core
    answer: Answer | None = None


def step(core: Core, given: Input, setup: Setup, *, now: float, at: str, random: Random) -> Step:
    """The step after an input; `now` are seconds on a monotonic clock, `at` the time for the journal."""
    work = Work(core, setup, now=now, at=at)
    answer: Answer | None = None
    match given:
        case Looked():
            looked(work, given.reading, random)
        case Pressed():
            pressed(work, given.press, random)
        case Posted():
            answer = posted(work, given.post, random)
            if work.core.cleared and work.rows:
                cleared(work, random)
            if given.post.preview:
                return Step((), core, _previewed(answer, work, setup, now))
        case Said():
            work.core = with_part(work.core, given.part)
        case Ended():
            why = Words(
                f"The thread {given.thread} broke off ({given.why}). The game goes on by hand; start the "
                "companion anew when it suits, and please report this.",
                f"Firul de execuție {given.thread} s-a oprit ({given.why}). Jocul continuă de pe pagină; "
                "reporniți programul când se poate și raportați problema.",
            )
            work.core = with_part(work.core, Part(f"thread {given.thread}", "broke off", well=False, why=why))
        case _:
            pass
    rows, after = work.done()
    if rows or _asked(after) != _asked(core):
        after = replace(after, version=core.version + 1)
    if answer is not None:
        answer = replace(answer, version=after.version)
    return Step(rows, after, answer)


def _previewed(answer: Answer, work: Work, setup: Setup, now: float) -> Answer:
    """The answer to a post that is not done, whatever it says: with the table as it would be."""
    if answer.status != "done":
        return answer
    _, after = work.done()
    return replace(answer, game=public_document(after, setup, now=now))


def _asked(core: Core) -> object:
    """What an answer of the page may depend on besides the journal."""
    question = core.question.number if core.question is not None else None
    return question, core.announcing


def same_to_all(core: Core, before: Core) -> bool:
    """Whether everybody sees the same of both: a look that only says the same again is not published."""
    if core is before:
        return True
    return replace(core, look=before.look, reading=before.reading, follower=before.follower) == before


def with_part(core: Core, part: Part) -> Core:
    """The core with what a part of the companion says of itself."""
    return replace(core, parts={**core.parts, part.name: part})
