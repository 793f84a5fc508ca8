"""The table thread: the only writer. It takes inputs in order, writes the journal, then publishes."""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from companion.table.core import differs_from_setup, replaced, start
from companion.table.errors import JournalError
from companion.table.inputs import (
    Answer,
    Ended,
    Input,
    Looked,
    Part,
    Post,
    Posted,
    Pressed,
    Said,
    SetUp,
    Stop,
)
from companion.table.published import Published, publish
from companion.table.step import same_to_all, step, with_part
from vision.closing import Closing
from vision.sources.health import Words

if TYPE_CHECKING:
    from random import Random

    from companion.table.core import Core, Setup
    from companion.table.journal import Journal
    from companion.table.log import Row

_TICK_S: Final = 0.25
"""Between looks at the clock, and between attempts at a journal that could not be written."""
_RETRY_S: Final = 2.0
_MOST_WAITING: Final = 64
_KEPT: Final = 128
"""Published tables for readers who come late: half a minute of the busiest table."""
_CLOSE_PATIENCE_S: Final = 20.0
_LOG = logging.getLogger("remi.table")


def utc_now() -> str:
    """The time as it stands in journals."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class TableThread(Closing):
    """A table at work, in one thread named `table`, from construction to `close`.

    The constructor reads the journal and begins or resumes a match; JournalError where that cannot be.
    `on_published` is called in the thread with everything that is published, and must not wait.
    """

    def __init__(
        self,
        journal: Journal,
        setup: Setup,
        *,
        random: Random,
        on_published: Callable[[Published], None] | None = None,
        clock: Callable[[], float] = time.monotonic,
        time_of_day: Callable[[], str] = utc_now,
    ) -> None:
        self._journal, self._setup, self._random = journal, setup, random
        self._on_published, self._clock, self._time_of_day = on_published, clock, time_of_day
        self._inputs: queue.Queue[Input] = queue.Queue()
        self._waiting: deque[Input] = deque()
        self._trouble: Words | None = None
        self._changed = threading.Condition()
        self._closed = False
        now = clock()
        rows, core = start(
            journal.history(),
            setup,
            now=now,
            at=time_of_day(),
            version=time.time_ns() // 1_000_000,
            random=random,
        )
        journal.append(rows)
        if differs_from_setup(core, setup):
            core = with_part(core, _other_match())
        self._core = core
        self._published = publish(core, setup, number=1, now=now)
        self._recent = deque([self._published], maxlen=_KEPT)
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        self._thread.start()

    # ---- from any thread

    def looked(self, look: Looked) -> None:
        """Hands over a settled look."""
        self._inputs.put(look)

    def pressed(self, press: Pressed) -> None:
        """Hands over a press of a button."""
        self._inputs.put(press)

    def said(self, part: Part) -> None:
        """Hands over how a part of the companion is."""
        self._inputs.put(Said(part))

    def ended(self, thread: str, why: str) -> None:
        """Says that a thread broke off."""
        self._inputs.put(Ended(thread, why))

    def post(self, post: Post) -> Future[Answer]:
        """Asks for something as the page does; the future has the answer."""
        reply: Future[Answer] = Future()
        if self._closed:
            reply.set_result(_failed(self._published.version, _ENDING))
        else:
            self._inputs.put(Posted(post, reply))
        return reply

    def set_up(self, setup: Setup) -> Future[bool]:
        """Replaces the setup; the future says whether its match begins at once, as nothing was played yet.

        Otherwise it holds for the matches after this one. JournalError of the future where the new match
        cannot be written.
        """
        reply: Future[bool] = Future()
        if self._closed:
            reply.set_result(False)
        else:
            self._inputs.put(SetUp(setup, reply))
        return reply

    @property
    def published(self) -> Published:
        """The table as it is now."""
        with self._changed:
            return self._published

    def document(self, published: Published | None = None) -> dict[str, Any]:
        """What everybody may see of a publication (the newest), with the clock of the turn as it is now."""
        return (published or self.published).document(self._clock())

    @property
    def setup(self) -> Setup:
        """What holds for the matches that begin from now on."""
        return self._setup

    @property
    def core(self) -> Core:
        """Everything the table knows, for those who may see all; immutable."""
        with self._changed:
            return self._core

    @property
    def closed(self) -> bool:
        """Whether the table has ended."""
        return self._closed

    def wait(self, *, after: int, timeout: float) -> Published | None:
        """What is published with a number over `after`; None where nothing came in `timeout` seconds."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._published.number > after, timeout)
            return self._published if self._published.number > after else None

    def since(self, *, after: int, timeout: float) -> tuple[Published, ...]:
        """Everything published with a number over `after`, oldest first; empty where none came in time.

        The newest alone where `after` is 0, or older than what is kept.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._published.number > after, timeout)
            newest = self._published
            if newest.number <= after:
                return ()
            if not after or after + 1 < self._recent[0].number:
                return (newest,)
            return tuple(one for one in self._recent if one.number > after)

    def close(self) -> None:
        """Handles what has come before, and ends; the journal is left open. RuntimeError where it hangs."""
        self._inputs.put(Stop())
        self._thread.join(_CLOSE_PATIENCE_S)
        if self._thread.is_alive():
            raise RuntimeError("the thread table does not end: an input or the disk hangs")

    # ---- in the thread

    def _run(self) -> None:
        try:
            while True:
                try:
                    given = self._inputs.get(timeout=_RETRY_S if self._waiting else _TICK_S)
                except queue.Empty:
                    self._tick()
                    continue
                if isinstance(given, Stop):
                    self._again()
                    return
                if isinstance(given, Posted):
                    self._answered(given)
                elif isinstance(given, SetUp):
                    self._set_up(given)
                else:
                    self._take(given)
        finally:
            with self._changed:
                self._closed = True
                self._changed.notify_all()
            self._refuse_rest()

    def _tick(self) -> None:
        if self._waiting:
            self._again()
        elif self._setup.clock.mode == "limit" and self._core.clock.since is not None:
            self._publish(only_if_lamps=True)

    def _take(self, given: Input) -> None:
        """Handles a look, a press or a state; one that cannot be written waits in line."""
        if self._waiting:
            self._wait_in_line(given)
            self._again()
            return
        try:
            self._do(given)
        except JournalError as error:
            self._waiting.append(given)
            self._trouble = Words(error.hint_en, error.hint_ro)
            self._publish()

    def _wait_in_line(self, given: Input) -> None:
        # A newer look says all that an older one says.
        if isinstance(given, Looked) and isinstance(self._waiting[-1], Looked):
            self._waiting.pop()
        if len(self._waiting) < _MOST_WAITING:
            self._waiting.append(given)

    def _again(self) -> None:
        """Tries what could not be written."""
        while self._waiting:
            try:
                self._do(self._waiting[0])
            except JournalError as error:
                self._trouble = Words(error.hint_en, error.hint_ro)
                self._publish()
                return
            self._waiting.popleft()
        if self._trouble is not None:
            self._trouble = None
            self._publish()

    def _answered(self, given: Posted) -> None:
        """Handles a post. One that cannot be written is answered so, and not tried again."""
        if not given.reply.set_running_or_notify_cancel():
            return
        answer = None
        try:
            self._again()
            answer = self._do(given)
        except JournalError as error:
            answer = _failed(self._core.version, Words(error.hint_en, error.hint_ro))
        finally:
            given.reply.set_result(answer or _failed(self._core.version, _FAULT))

    def _set_up(self, given: SetUp) -> None:
        if not given.reply.set_running_or_notify_cancel():
            return
        try:
            self._again()
            rows, core = replaced(
                self._core, given.setup, now=self._clock(), at=self._time_of_day(), random=self._random
            )
            self._written(rows)
        except JournalError as error:
            given.reply.set_exception(error)
            return
        parts = {name: part for name, part in core.parts.items() if name != "match"}
        core = replace(core, parts=parts)
        if differs_from_setup(core, given.setup):
            core = with_part(core, _other_match())
        self._core, self._setup = core, given.setup
        self._publish()
        given.reply.set_result(bool(rows))

    def _do(self, given: Input) -> Answer | None:
        """One step: the rows are on the disk before the core counts. A fault of the program is shown, and
        the input that met it is left out.
        """
        try:
            done = step(
                self._core,
                given,
                self._setup,
                now=self._clock(),
                at=self._time_of_day(),
                random=self._random,
            )
            self._written(done.rows)
        except JournalError:
            raise
        except Exception as error:  # noqa: BLE001  the top of a thread: the table must go on
            _LOG.exception("an input could not be handled")
            what = type(given).__name__
            why = f"{type(error).__name__}: {error}"
            self._core = with_part(self._core, _fault(what, why))
            self._publish()
            return None
        before, self._core = self._core, done.core
        if not same_to_all(done.core, before):
            self._publish()
        return done.answer

    def _written(self, rows: tuple[Row, ...]) -> None:
        self._journal.append(rows)

    def _publish(self, *, only_if_lamps: bool = False) -> None:
        published = publish(
            self._core,
            self._setup,
            number=self._published.number + 1,
            now=self._clock(),
            trouble=self._trouble,
        )
        if only_if_lamps and published.lamps == self._published.lamps:
            return
        with self._changed:
            self._published = published
            self._recent.append(published)
            self._changed.notify_all()
        if self._on_published is not None:
            self._tell(self._on_published, published)

    def _tell(self, listener: Callable[[Published], None], published: Published) -> None:
        try:
            listener(published)
        except Exception as error:  # noqa: BLE001  a lamp that fails must not end the game
            _LOG.exception("what was published could not be shown")
            self._core = with_part(self._core, _not_shown(f"{type(error).__name__}: {error}"))

    def _refuse_rest(self) -> None:
        while True:
            try:
                given = self._inputs.get_nowait()
            except queue.Empty:
                return
            if isinstance(given, Posted) and given.reply.set_running_or_notify_cancel():
                given.reply.set_result(_failed(self._core.version, _ENDING))
            elif isinstance(given, SetUp) and given.reply.set_running_or_notify_cancel():
                given.reply.set_result(False)


_ENDING: Final = Words(
    "The table is closing; nothing was changed.", "Masa se închide; nu s-a schimbat nimic."
)
_FAULT: Final = Words(
    "The companion made a mistake; nothing was changed. The window it was started from says more.",
    "Programul a greșit; nu s-a schimbat nimic. Fereastra din care a fost pornit spune mai multe.",
)


def _failed(version: int, words: Words) -> Answer:
    return Answer("failed", version, words)


def _fault(what: str, why: str) -> Part:
    words = Words(
        f"An input ({what}) met a fault of the program and was left out: {why}. Look whether the last turn "
        "was taken, enter it by hand if not, and please report this.",
        f"O intrare ({what}) a întâlnit o eroare de program și a fost omisă: {why}. Verificați dacă ultima "
        "tură a fost înregistrată, introduceți-o de mână dacă nu și raportați problema.",
    )
    return Part("table", "fault", well=False, why=words)


def _not_shown(why: str) -> Part:
    words = Words(
        f"Lamps or racks could not be told of a change: {why}. The game goes on; please report this.",
        f"O schimbare nu a putut fi transmisă lămpilor sau camerei: {why}. Jocul continuă; raportați asta.",
    )
    return Part("lamps", "fault", well=False, why=words)


def _other_match() -> Part:
    words = Words(
        "The match in the journal goes on; its rules, players or length are not those of the table file, "
        "which hold from the next match on.",
        "Meciul din jurnal continuă; regulile, jucătorii sau lungimea lui nu sunt cele din fișierul mesei, "
        "care se aplică de la meciul următor.",
    )
    return Part("match", "resumed", well=True, why=words)
