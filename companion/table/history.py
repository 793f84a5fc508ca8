"""What the rows of a journal come to: matches, their games with a record each, names, pauses; a pure fold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from companion.table.log import TABLE_EVENTS, Row
from engine.corrections import effective
from engine.entries import EVENTS, FieldError
from engine.records import CORRECTIONS, Entry, Header, Record, RecordError, check_entry
from engine.rules import RuleError, rule_set, with_changes

if TYPE_CHECKING:
    from engine.rules import RuleSet


class HistoryError(ValueError):
    """Rows that do not follow from each other; the message names the row."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match as it was begun; `games` to play or a `target` to reach, neither for one without an end."""

    number: int
    rules: RuleSet
    base: str
    changes: Mapping[str, object]
    names: tuple[str, ...]
    games: int | None = None
    target: int | None = None
    more: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Game:
    """A game: its number in the journal and in the match, its record, and the batch of each entry."""

    id: int
    number: int
    record: Record
    batches: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class History:
    """The journal so far: the number of its last row, its last match with its games, and how many matches
    and games came before that.
    """

    last: int = 0
    match: Match | None = None
    games: tuple[Game, ...] = ()
    matches_before: int = 0
    games_before: int = 0
    paused: bool = False
    match_over: bool = False

    @property
    def game(self) -> Game | None:
        """The game that is on, or was last."""
        return self.games[-1] if self.games else None

    @property
    def game_numbers(self) -> int:
        """How many games the journal has."""
        return self.games_before + len(self.games)


NOTHING = History()


def fold(rows: Iterable[Row], history: History = NOTHING) -> History:
    """The history after these rows; HistoryError at the first that cannot follow."""
    for row in rows:
        history = with_row(history, row)
    return history


def every_game(rows: Iterable[Row]) -> tuple[tuple[Match, Game], ...]:
    """Every game of a whole journal with its match; HistoryError."""
    found: list[tuple[Match, Game]] = []
    history = NOTHING
    for row in rows:
        if row.event == "match":
            found += _with_match(history)
        history = with_row(history, row)
    return (*found, *_with_match(history))


def _with_match(history: History) -> list[tuple[Match, Game]]:
    return [(history.match, game) for game in history.games] if history.match is not None else []


def with_row(history: History, row: Row) -> History:
    """The history with one row more."""
    if row.number != history.last + 1:
        raise HistoryError(f"row {row.number} follows row {history.last}")
    history = replace(history, last=row.number)
    try:
        if row.event in TABLE_EVENTS:
            return _table_row(history, row)
        return _entry_row(history, row)
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, HistoryError):
            raise
        raise HistoryError(f"row {row.number} ({row.event}) cannot be read: {error}") from error


def _table_row(history: History, row: Row) -> History:
    match row.event:
        case "match":
            before = history.matches_before + (history.match is not None)
            begun = _match(row.fields, before + 1)
            return History(row.number, begun, (), before, history.game_numbers)
        case "game":
            found = _current(history, row)
            number = len(history.games) + 1
            game = Game(_id(row), number, Record(_header(found, row, number)))
            return replace(history, games=(*history.games, game))
        case "rename":
            return _renamed(history, int(row.fields["seat"]), str(row.fields["name"]), row)
        case "match_end":
            return replace(history, match_over=True)
        case _:
            return replace(history, paused=row.event == "pause")


def _current(history: History, row: Row) -> Match:
    if history.match is None:
        raise HistoryError(f"row {row.number} ({row.event}) comes before any match")
    return history.match


def _id(row: Row) -> int:
    if row.game is None:
        raise HistoryError(f"row {row.number} ({row.event}) names no game")
    return row.game


def _match(fields: Mapping[str, Any], number: int) -> Match:
    said = fields["rules"]
    changes = dict(said.get("changes") or {})
    try:
        rules = with_changes(rule_set(said["base"]), said.get("resolved") or changes)
    except RuleError as error:
        raise HistoryError(f"the rules of match {number}: {error}") from error
    more = {key: value for key, value in fields.items() if key not in ("rules", "seats", "games", "target")}
    return Match(
        number, rules, said["base"], changes, tuple(map(str, fields["seats"])), fields.get("games"),
        fields.get("target"), more,
    )  # fmt: skip


def _header(match: Match, row: Row, number: int) -> Header:
    more = {**match.more, "created": row.at, "match": match.number, "game": number}
    dealer = int(row.fields["dealer"])
    header = Header(
        match.rules, match.base, match.changes, match.names, dealer, with_resolved=True, more=more
    )
    header.new_game()
    return header


def _renamed(history: History, seat: int, name: str, row: Row) -> History:
    """Another name from the game that is on; games before it keep the names under which they were played."""
    found = _current(history, row)
    names = (*found.names[:seat], name, *found.names[seat + 1 :])
    history = replace(history, match=replace(found, names=names))
    if not history.games:
        return history
    game = history.games[-1]
    record = replace(game.record, header=replace(game.record.header, seats=names))
    return replace(history, games=(*history.games[:-1], replace(game, record=record)))


def _entry_row(history: History, row: Row) -> History:
    if row.event not in EVENTS:
        raise HistoryError(f"row {row.number}: {row.event!r} is no event of a journal")
    at = next((at for at, game in enumerate(history.games) if game.id == row.game), None)
    if at is None:
        raise HistoryError(f"row {row.number}: there is no game {row.game} in this match")
    game = history.games[at]
    seq = len(game.record.entries) + 1
    if row.seq != seq:
        raise HistoryError(f"row {row.number}: entry {row.seq} follows {seq - 1} in game {row.game}")
    entry = Entry(seq, row.event, row.fields, row.at, row.actor, line=seq + 1)
    try:
        check_entry(entry, game.record.header)
    except (RecordError, FieldError) as error:
        raise HistoryError(f"row {row.number}: {error}") from error
    record = replace(game.record, entries=(*game.record.entries, entry))
    game = replace(game, record=record, batches=(*game.batches, row.batch))
    return replace(history, games=(*history.games[:at], game, *history.games[at + 1 :]))


def last_batch(game: Game) -> tuple[int, ...]:
    """The entries (seq) of the last batch that still counts, in order; none where nothing can be undone."""
    counting = {entry.seq for entry in effective(game.record).entries}
    for batch in sorted(set(game.batches), reverse=True):
        seqs = tuple(
            entry.seq
            for entry, its in zip(game.record.entries, game.batches, strict=True)
            if its == batch and entry.seq in counting and entry.event not in CORRECTIONS
        )
        if seqs:
            return seqs
    return ()
