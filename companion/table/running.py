"""A table put together from its file: journal, table thread, eyes, board; started and ended in order."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from random import SystemRandom
from typing import TYPE_CHECKING, Any, Final

from companion.table.inputs import Answer, Looked, Part, Post, Pressed
from companion.table.journal import Journal
from companion.table.published import public_entries
from companion.table.thread import TableThread
from companion.table.threads import crashes_told
from vision.closing import Closing
from vision.sources.health import Words

if TYPE_CHECKING:
    from companion.live_table import LiveTable
    from companion.table.board import TableBoard
    from companion.table.config import TableConfig
    from companion.table.eyes import OpenSight, Sight
    from companion.table.following import NewFollower
    from companion.table.published import Published
    from engine.rules import RuleSet


_ANSWER_S: Final = 30.0
"""How long the page waits for what became of a post; a full disk is told at once."""


class RunningTable(Closing):
    """A table that runs, from construction to `close`; what cannot start raises, and leaves nothing behind.

    HintedError (`JournalError`, calibration, source), InputError and OSError say what is wrong. `open_sight`
    and `new_follower` are those of the file where they are not given.
    """

    def __init__(
        self,
        config: TableConfig,
        *,
        open_sight: OpenSight | None = None,
        new_follower: NewFollower | None = None,
        on_published: Callable[[Published], None] | None = None,
        on_dead: Callable[[], None] | None = None,
    ) -> None:
        """Starts; `on_dead` is called where the table thread itself breaks off: nothing is written then."""
        self.config = config
        self.dead = False
        self._on_dead = on_dead
        self.ending = threading.Event()
        self._sight: Sight | None = None
        self._board: TableBoard | None = None
        self._told: tuple[bool, int] | None = None
        self._rules: RuleSet | None = None
        self._heard = on_published
        with ExitStack() as stack:
            self.journal = stack.enter_context(Journal(config.journal))
            sees = config.file.camera.source is not None or open_sight is not None
            follower = new_follower or _follower(config, sees=sees)
            self.table = TableThread(
                self.journal,
                config.setup(follower),
                random=SystemRandom(),
                on_published=self._published,
            )
            stack.callback(self.table.close)
            stack.enter_context(crashes_told(self._crashed))
            if config.file.board.port != "none":
                self._board = self._open_board()
                stack.callback(self._board.close)
            self._rules = self.table.core.state.rules
            if sees:
                self._sight = self._open_sight(open_sight)
                stack.callback(self._sight.close)
                self._remember_racks()
            self._published(self.table.published)
            self._stack = stack.pop_all()

    def _open_board(self) -> TableBoard:
        from companion.table.board import TableBoard

        return TableBoard(
            self.config.file.board,
            len(self.config.file.players.names),
            on_press=lambda press: self.table.pressed(Pressed(press)),
            on_part=self.table.said,
        )

    def _open_sight(self, given: OpenSight | None) -> Sight:
        from companion.table import eyes

        opens: OpenSight = given or eyes.open_sight
        return opens(
            self.config,
            self.table.core.state.rules,
            on_reading=lambda reading: self.table.looked(Looked(reading)),
            on_part=self.table.said,
        )

    def _remember_racks(self) -> None:
        """Covers where racks stood in this game before a restart, and keeps where they stand."""
        from companion.table.rack_places import RackPlaces

        if self.live is not None:
            table, places = self.table, RackPlaces(self.config.journal, self.table.said)
            game = table.core.game
            self.live.remember(places.of(game), lambda racks: places.keep(table.core.game, racks))

    def _crashed(self, thread: str, why: str) -> None:
        if thread != "table":
            self.table.ended(thread, why)
            return
        self.dead = True
        self.ending.set()
        if self._on_dead is not None:
            self._on_dead()

    def _published(self, published: Published) -> None:
        """In the table thread: lamps, and whether racks may be looked at, follow what is published."""
        if self._board is not None:
            self._board.show(published)
        if self._sight is not None:
            now = published.state.phase == "over", self.table.core.game.id
            if now != self._told:
                self._told = now
                self._sight.end(ended=now[0])
        rules, live = published.state.rules, self.live
        if live is not None and rules is not self._rules:
            live.use(rules=rules)
            self._rules = rules
        if self._heard is not None:
            self._heard(published)

    @property
    def live(self) -> LiveTable | None:
        """What everyone may see of the camera; None without one."""
        from companion.live_table import LiveTable

        return self._sight if isinstance(self._sight, LiveTable) else None

    @property
    def board(self) -> TableBoard | None:
        """The board, None without one."""
        return self._board

    def said(self, name: str, state: str, *, well: bool, en: str = "", ro: str = "") -> None:
        """Says how a part is that runs beside the table, such as the page."""
        self.table.said(Part(name, state, well=well, why=Words(en, ro)))

    def close(self) -> None:
        """Ends eyes and board, then the table with what it has still to do, then closes the journal."""
        self.ending.set()
        self._stack.close()

    # ---- what the page needs (web_ui.services.Game)

    def document(self) -> Mapping[str, Any]:
        """The table as it is now, without any rack; the clock is that of this moment."""
        return self.table.document()

    def entries(self) -> Sequence[Mapping[str, Any]]:
        """Every entry of the game that is on, without any rack."""
        return public_entries(self.table.core)

    def wait(self, after: int, timeout: float) -> Mapping[str, Any] | None:
        """The table once it has a number over `after`; None where that takes longer."""
        published = self.table.wait(after=after, timeout=timeout)
        return None if published is None else self.table.document(published)

    def since(self, after: int, timeout: float) -> tuple[Mapping[str, Any], ...]:
        """Everything that was published since number `after`, as far as it is kept."""
        found = self.table.since(after=after, timeout=timeout)
        return tuple(self.table.document(published) for published in found)

    @property
    def pin(self) -> str | None:
        """The PIN of the table file."""
        return self.config.file.page.pin

    @property
    def closed(self) -> bool:
        """Whether the table has ended, or is about to."""
        return self.ending.is_set() or self.table.closed

    def post(
        self, what: str, fields: Mapping[str, Any], version: int | None, *, anyway: bool
    ) -> Mapping[str, Any]:
        """What became of something that the page asks for."""
        return self._asked(Post(what, fields, version, anyway))

    def preview(
        self, what: str, fields: Mapping[str, Any], version: int | None, *, anyway: bool
    ) -> Mapping[str, Any]:
        """What would become of it; nothing is done."""
        return self._asked(Post(what, fields, version, anyway, preview=True))

    def _asked(self, post: Post) -> Mapping[str, Any]:
        asked = self.table.post(post)
        try:
            return answer_document(asked.result(_ANSWER_S))
        except TimeoutError:
            asked.cancel()
            late = Words(
                "The table did not answer; nothing is known of this. Look at it as it is now.",
                "Masa nu a răspuns; nu se știe ce s-a întâmplat. Priviți starea de acum.",
            )
            return answer_document(Answer("failed", self.table.published.version, late))


def answer_document(answer: Answer) -> dict[str, Any]:
    """The answer to a post as JSON."""
    return {
        "status": answer.status,
        "version": answer.version,
        "message": {"en": answer.words.en, "ro": answer.words.ro},
        "reasons": [_reason(reason) for reason in answer.reasons],
        "conflicts": [{"seq": refused.seq, **_reason(refused.reason)} for refused in answer.upset],
        **({} if answer.game is None else {"game": dict(answer.game)}),
    }


def _reason(reason: Any) -> dict[str, Any]:
    return {
        "code": reason.code,
        "clause": reason.clause,
        "hint": reason.hint_en,
        "hint_ro": reason.hint_ro,
        "tiles": " ".join(map(str, reason.tiles)),
    }


def _follower(config: TableConfig, *, sees: bool) -> NewFollower:
    """Who follows: by looks where there is a camera, else by hand."""
    from companion.table.following import by_hand

    if not sees:
        return by_hand
    from companion.table.inferring import NewInferring

    return NewInferring(buttons=config.file.board.port != "none")
