"""The running table of `remi demo`: simulated players on the virtual table, all the rest as at a real one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from companion.demo_players.people import NAMES, People
from companion.demo_players.play import Play
from companion.live_table import Attention, LiveTable
from companion.table.config import TableConfig
from companion.table.inputs import Post
from companion.table.running import RunningTable
from engine.lamps import Button
from engine.players import play_game
from engine.rules import rule_set
from engine.sim.trial import Truth

if TYPE_CHECKING:
    from companion.table.eyes import OpenSight
    from companion.table.inputs import Part
    from engine.commands import Command
    from engine.rules import RuleSet
    from engine.table_reading import TableReading
    from vision.reader import Reader
    from vision.virtual.table import VirtualTable

RATE: Final = 10.0
"""Frames a second: about as often as the eyes look."""

_ANSWER_S: Final = 8.0
"""Seconds in which whoever looks at the page may answer before a simulated player does."""

_POST_S: Final = 10.0

_NEXT_S: Final = 8.0
"""Seconds after which a game that was not counted to its end is left."""


class Players:
    """Plays game after game on a virtual table, each as soon as the companion waits for it."""

    def __init__(self, key: str, seed: int, seats: int, *, watched: Callable[[], bool]) -> None:
        self._key, self._seed, self._seats, self._watched = key, seed, seats, watched
        self._running: RunningTable | None = None
        self._play: Play | None = None
        self._people: People | None = None
        self._left_at: float | None = None

    def begin(self, running: RunningTable) -> None:
        """From now on these players play before this companion."""
        self._running = running

    def __call__(self, table: VirtualTable, now: float) -> None:
        """To be called before every frame."""
        running = self._running
        if running is None or not self._watched():
            return
        if self._play is None or self._play.done:
            self._next(running, table, now)
        if self._play is not None and self._people is not None:
            self._people.tend(now)
            self._play(table, now)

    def _next(self, running: RunningTable, table: VirtualTable, now: float) -> None:
        """The next game, once the companion has begun it; one that did not end is left by somebody."""
        core = running.table.core
        if core.game.record.entries:
            self._left_at = now if self._left_at is None else self._left_at
            if now - self._left_at >= _NEXT_S:
                self._left_at = None
                running.table.post(Post("next_deal", {}, None, anyway=True))
            return
        self._left_at = None
        random = Random(f"{self._key} {self._seed} {core.game.number}")
        game = play_game(rule_set(self._key), self._seats, random, dealer=core.state.dealer)
        self._people = People(
            Truth(game),
            core=lambda: running.table.core,
            post=lambda post: _hand_over(running, post),
            answer_s=_ANSWER_S,
        )
        places = tuple(range(1, self._seats + 1))
        hears = _Hears(running, self._people)
        mishaps = Random(f"{self._key} {self._seed} {core.game.number} mishaps")
        self._play = Play(table, game, random, hears, places=places, begins=now + 1.0, mishaps=mishaps)


class _Hears:
    """What reaches a running companion: buttons of its board, taps on its page."""

    def __init__(self, running: RunningTable, people: People) -> None:
        self._running, self._people = running, people

    def press(self, seat: int) -> None:
        """The seat's button that ends its turn."""
        board = self._running.board
        if board is not None:
            board.press(seat, list(Button).index(Button.END_TURN))

    def turned(self, turns: int) -> None:
        """So many turns have been played."""
        self._people.turned(turns)

    def say(self, command: Command, turns: int) -> None:
        """What was said aloud."""
        self._people.say(command, turns)

    def count(self) -> None:
        """The game is put down."""
        self._people.count()

    def counted(self) -> bool:
        """Whether all racks have been counted."""
        return self._people.counted()


def _hand_over(running: RunningTable, post: Post) -> None:
    """Waits until it is done: what people do next depends on it."""
    running.table.post(post).result(_POST_S)


class DemoTable(RunningTable):
    """A running table that knows when somebody looks at it."""

    def __init__(self, config: TableConfig, attention: Attention, open_sight: OpenSight) -> None:
        """Starts it."""
        self._attention = attention
        super().__init__(config, open_sight=open_sight)

    def document(self) -> Mapping[str, Any]:
        """The table as it is now."""
        self._attention.pay()
        return super().document()

    def wait(self, after: int, timeout: float) -> Mapping[str, Any] | None:
        """The table once it has a number over `after`."""
        self._attention.pay()
        return super().wait(after, timeout)


def demo_config(rules: RuleSet, seats: int, journal: Path, *, board: bool = True) -> TableConfig:
    """What a table file would say of the demo's table."""
    from companion.table.config_schema import BoardPart, JournalPart, PlayersPart, RulesPart, TableFile

    file = TableFile(
        table="Demo",
        rules=RulesPart(base=rules.key),  # type: ignore[arg-type]
        players=PlayersPart(names=NAMES[:seats]),
        board=BoardPart(port="sim" if board else "none"),
        journal=JournalPart(path=str(journal.absolute())),
    )
    return TableConfig(file, rules, journal.parent)


def open_demo(  # noqa: PLR0913 -- as play_headless
    reader: Reader,
    rules: RuleSet,
    *,
    seed: int,
    journal: Path,
    seats: int = 4,
    size: tuple[int, int] = (1920, 1080),
    board: bool = True,
    always: bool = False,
    taught: bool = True,
) -> DemoTable:
    """The table of a seed, running and played on; FontsMissingError where its tiles cannot be drawn.

    `reader` is for the eyes alone, and is `taught` the set before the first frame. Unless `always`, it is
    played on only while somebody looks. OSError where
    there are no pseudo terminals for the `board`; JournalError where the journal cannot be used.
    """
    from companion.demo_players.teaching import teach
    from vision.seeing.loop import Seeing
    from vision.sources.live import LiveSource
    from vision.virtual.capture import VirtualCapture
    from vision.virtual.setting import draw_setting, true_rig
    from vision.virtual.table import VirtualTable

    setting = draw_setting(seed, seats=seats, size=size)

    @cache
    def drawn() -> VirtualTable:
        # In the thread of the camera, so that the page need not wait; no frame is read before it is done.
        if taught:
            learnt = teach(reader, setting)
            reader.adapter = None if learnt is None else learnt.lesson
        return VirtualTable(setting)

    attention = Attention()
    players = Players(rules.key, seed, seats, watched=lambda: always or attention.paid)

    def sight(
        config: TableConfig,  # noqa: ARG001
        rules: RuleSet,
        *,
        on_reading: Callable[[TableReading], None],
        on_part: Callable[[Part], None],
    ) -> LiveTable:
        from companion.table.eyes import REPEATS_S, camera_part

        rig, zones = true_rig(setting, setting.camera), setting.zones.with_racks("never")
        seeing = Seeing(reader, rig, zones, rules=rules, repeats=REPEATS_S)
        source = LiveSource(
            lambda: VirtualCapture(drawn(), rate=RATE, script=players), f"virtual:seed={seed}", live=True
        )
        return LiveTable(
            source,
            seeing,
            attention=attention,
            on_reading=on_reading,
            on_status=lambda status: on_part(camera_part(status)),
        )

    running = DemoTable(demo_config(rules, seats, journal, board=board), attention, sight)
    players.begin(running)
    return running
