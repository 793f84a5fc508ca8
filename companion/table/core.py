"""The table's state beside the journal, and how rows change it; pure, with time and chance handed in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from companion.table.clock import NO_CLOCK, NO_LIMITS, ClockSettings, TurnClock, on_turn
from companion.table.history import Game, History, with_row
from companion.table.log import Row
from engine import matches
from engine.corrections import effective
from engine.decide import happened
from engine.entries import melds_named, read_command, write_command
from engine.lamps import Notices
from engine.records import reader
from engine.replay import Refused, replay
from engine.rules import resolved
from engine.scores import score

if TYPE_CHECKING:
    from random import Random

    from companion.table.following import Following, NewFollower
    from companion.table.inputs import Part
    from engine.commands import Command
    from engine.infer.outcomes import Candidate, Difference
    from engine.records import Header, Record
    from engine.rules import RuleSet
    from engine.state import State
    from engine.table_reading import TableReading


@dataclass(frozen=True)
class Setup:
    """What a table is told before it starts; it holds for the matches that begin from now on.

    `dealer` is a seat, None draws it. `more` are header keys of records: `table`, `tileset`.
    """

    rules: RuleSet
    base: str
    changes: Mapping[str, object]
    names: tuple[str, ...]
    new_follower: NewFollower
    dealer: int | None = None
    games: int | None = None
    target: int | None = None
    commit: str = "button"
    clock: ClockSettings = NO_LIMITS
    more: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Question:
    """A question that is open, as it is shown; `keys` are the tiles of the reading to show with it.

    A follower knows nothing of lamps: `seat` is whose turn it was when it asked, and whose lamp says so.
    """

    number: int
    kind: str
    text_en: str
    text_ro: str
    options: tuple[Candidate, ...] = ()
    keys: tuple[int, ...] = ()
    seat: int | None = None


@dataclass(frozen=True)
class Core:
    """Everything the table knows. `version` goes up with whatever an answer of the page may depend on."""

    history: History
    state: State
    follower: Following
    version: int
    clock: TurnClock = NO_CLOCK
    refused: tuple[Refused, ...] = ()
    """What is against entries of the game that is on."""
    results: tuple[tuple[int, ...] | None, ...] = ()
    """Of the match's games before this one; None for one that was not played to its end."""
    question: Question | None = None
    begun: tuple[Command, ...] = ()
    differs: tuple[Difference, ...] = ()
    illegal: frozenset[int] = frozenset()
    calls: frozenset[int] = frozenset()
    announcing: tuple[int, tuple[str, ...]] | None = None
    """A seat that pressed its announce button, and what it may mean where that is not clear."""
    parts: Mapping[str, Part] = field(default_factory=dict)
    look: int = 0
    reading: TableReading | None = None
    """The last look, racks and all: not for everybody."""
    cleared: bool = False
    """Whether the table was cleared after the game, so that the next one begins once all is counted."""

    @property
    def game(self) -> Game:
        """The game that is on."""
        found = self.history.game
        if found is None:
            raise RuntimeError("no game has begun")
        return found

    @property
    def complete(self) -> bool:
        """Whether the game is over and every result is known."""
        return self.state.phase == "over" and all(one.complete for one in score(self.state))

    @property
    def match(self) -> matches.Match | None:
        """The match with the results of the games that are over; None where it has no end."""
        begun = self.history.match
        if begun is None or (begun.games is None and begun.target is None):
            return None
        found = matches.Match(begun.rules, begun.names, begun.games, begun.target)
        return replace(found, results=all_results(self))

    def notices(self, left: float | None) -> Notices:
        """What the lamps show beyond the game; `left` is the part of the turn that is left."""
        asked = self.question.seat if self.question is not None else None
        doubts = frozenset() if asked is None else frozenset({asked})
        return Notices(self.history.paused, self.illegal, doubts, self.calls, left)


def all_results(core: Core) -> tuple[tuple[int, ...], ...]:
    """The results of the match's games that were played to their end."""
    now = _result(core.state)
    return tuple(result for result in (*core.results, now) if result is not None)


def _result(state: State) -> tuple[int, ...] | None:
    if state.phase != "over":
        return None
    return tuple(one.total for one in score(state))


def played(record: Record) -> tuple[State, tuple[Refused, ...], tuple[Command, ...]]:
    """State, refusals and effective commands of a record."""
    done = replay(record)
    commands = tuple(
        read_command(entry.event, reader(entry.fields, record.header), entry.ids)
        for entry in effective(record).entries
    )
    return done.state, done.refusals, commands


class Work:
    """One input at work: rows are added, and the core that they lead to is at hand."""

    def __init__(self, core: Core, setup: Setup, *, now: float, at: str) -> None:
        self.core = core
        self.setup = setup
        self.rows: list[Row] = []
        self._now = now
        self._at = at
        self._batch = core.history.last + 1
        self._turns = _turns(core.state)

    def _row(self, row: Row) -> None:
        self.rows.append(row)
        self.core = replace(self.core, history=with_row(self.core.history, row))

    def table_row(
        self, event: str, fields: Mapping[str, Any], *, actor: str | None = None, game: int | None = None
    ) -> None:
        """Adds a row that is no entry of a record."""
        number = self.core.history.last + 1
        self._row(Row(number, self._batch, self._at, actor, event, game, None, dict(fields)))

    def entry(
        self,
        event: str,
        fields: Mapping[str, Any],
        *,
        actor: str,
        game: Game | None = None,
        evidence: Mapping[str, Any] | None = None,
    ) -> None:
        """Adds an entry to the record of a game, the one that is on by default; the state is not touched."""
        game = game or self.core.game
        number, seq = self.core.history.last + 1, len(game.record.entries) + 1
        self._row(Row(number, self._batch, self._at, actor, event, game.id, seq, dict(fields), evidence))

    def play(
        self, commands: Sequence[Command], *, actor: str, evidence: Mapping[str, Any] | None = None
    ) -> None:
        """Adds commands that were done, allowed or not: entries, state, and what is against them."""
        before = self.core.state
        broke: set[int] = set()
        for command in commands:
            fields = write_command(command)
            event = str(fields.pop("event"))
            self.entry(event, fields, actor=actor, evidence=evidence)
            header, seq = self.core.game.record.header, len(self.core.game.record.entries)
            state, reasons = applied(self.core.state, header, event, fields)
            refused = tuple(Refused(seq, reason) for reason in reasons)
            if refused:
                broke.add(getattr(command, "seat", before.turn.seat))
            self.core = replace(self.core, state=state, refused=(*self.core.refused, *refused))
        self.core = replace(self.core, illegal=frozenset(broke), begun=())

    def refold_state(self) -> tuple[Command, ...]:
        """After a correction: the record's effective entries anew; returns them as commands."""
        state, refused, commands = played(self.core.game.record)
        self.core = replace(self.core, state=state, refused=refused, illegal=frozenset(), begun=())
        return commands

    def refold(self) -> None:
        """The same, and the follower on top of it where it followed something else."""
        illegal, begun = self.core.illegal, self.core.begun
        commands = self.refold_state()
        if self.core.follower.state == self.core.state:
            self.core = replace(self.core, illegal=illegal, begun=begun)
            return
        follower = self.core.follower.restart(self.core.state, commands)
        self.core = replace(self.core, follower=follower, question=None)

    def reckon_results(self) -> None:
        """The results of the match's earlier games anew."""
        games = self.core.history.games[:-1]
        results = tuple(_result(replay(game.record).state) for game in games)
        self.core = replace(self.core, results=results)

    def new_match(self) -> None:
        """Begins a match as it was set up, with its first game."""
        setup = self.setup
        rules = {"base": setup.base, "changes": dict(setup.changes), "resolved": resolved(setup.rules)}
        length: dict[str, Any] = {}
        if setup.games is not None:
            length["games"] = setup.games
        if setup.target is not None:
            length["target"] = setup.target
        self.table_row("match", {**setup.more, "rules": rules, "seats": list(setup.names), **length})

    def new_game(self, dealer: int) -> None:
        """Begins the next game of the match."""
        self.table_row("game", {"dealer": dealer}, game=self.core.history.game_numbers + 1)
        header = self.core.game.record.header
        state = header.new_game()
        follower = self.setup.new_follower(state, (), commit=self.setup.commit)
        self.core = replace(
            self.core, state=state, follower=follower, refused=(), question=None, begun=(), differs=(),
            illegal=frozenset(), announcing=None, cleared=False,
        )  # fmt: skip
        self.reckon_results()

    def done(self) -> tuple[tuple[Row, ...], Core]:
        """The rows to be written, and the core once they are."""
        core = self.core
        state, over = core.state, core.history.match_over
        seat = state.turn.seat if state.phase == "play" and not over else None
        # Also where the same seat is on turn again, a round later.
        clock = core.clock if _turns(state) == self._turns else NO_CLOCK
        return tuple(self.rows), replace(
            core, clock=on_turn(clock, seat, self._now, paused=core.history.paused)
        )


def _turns(state: State) -> int:
    """How many turns were ended."""
    return sum(player.turns for player in state.players)


def applied(
    state: State, header: Header, event: str, fields: Mapping[str, Any]
) -> tuple[State, tuple[Any, ...]]:
    """The state after one more entry of a record, as `engine.replay` has it, and what is against it."""
    named = melds_named(event, fields)
    ids = tuple(f"m{state.next_meld + at}" for at in range(named))
    after, reasons = happened(state, read_command(event, reader(fields, header), ids))
    return replace(after, next_meld=state.next_meld + named), reasons


def first_dealer(setup: Setup, random: Random) -> int:
    """Who deals the first game of a match."""
    if setup.dealer is not None:
        return setup.dealer
    return matches.next_dealer(setup.rules, len(setup.names), None, random)


def start(
    history: History, setup: Setup, *, now: float, at: str, version: int, random: Random
) -> tuple[tuple[Row, ...], Core]:
    """The table as its journal left it; a new match where there is none, or nothing was played in it.

    The rows are to be written before the core is used.
    """
    from companion.table.following import ByHand

    resumed = history.match is not None and bool(history.games) and not history.match_over
    fresh = history.match is not None and not any(game.record.entries for game in history.games)
    if resumed and not (fresh and not _as_set_up(history, setup)):
        state, refused, commands = played(history.games[-1].record)
        follower = setup.new_follower(state, commands, commit=setup.commit)
        core = Core(history, state, follower, version, refused=refused)
        work = Work(core, setup, now=now, at=at)
        work.reckon_results()
        return work.done()
    from engine.state import new_game

    nothing = new_game(setup.rules, len(setup.names))
    work = Work(Core(history, nothing, ByHand(nothing), version), setup, now=now, at=at)
    work.new_match()
    work.new_game(first_dealer(setup, random))
    return work.done()


def replaced(
    core: Core, setup: Setup, *, now: float, at: str, random: Random
) -> tuple[tuple[Row, ...], Core]:
    """The table once it is set up otherwise: a new match where nothing was played in this one, else as it is.

    The rows are to be written before the core is used.
    """
    played_in = any(game.record.entries for game in core.history.games)
    if played_in or core.history.match_over or _as_set_up(core.history, setup):
        return (), core
    rows, fresh = start(core.history, setup, now=now, at=at, version=core.version + 1, random=random)
    return rows, replace(fresh, parts=core.parts, look=core.look)


def _as_set_up(history: History, setup: Setup) -> bool:
    found = history.match
    return found is not None and (found.rules, found.names, found.games, found.target) == (
        setup.rules, setup.names, setup.games, setup.target,
    )  # fmt: skip


def differs_from_setup(core: Core, setup: Setup) -> bool:
    """Whether the match that was resumed has other rules, players or length than the table file says now."""
    return not _as_set_up(core.history, setup)
