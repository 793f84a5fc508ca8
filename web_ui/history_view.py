"""What the history pages show: matches, players, one game step by step, as plain values for templates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING

from engine.corrections import effective
from engine.matches import places
from engine.public_record import public_record
from engine.replay import replay
from engine.statistics import PlayerStatistics, game_result, player_key, statistics
from web_ui.board_words import actor_words, entry_words, plain
from web_ui.faces import FaceView, face_view
from web_ui.languages import in_language

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.records import Record
    from engine.replay import Replay
    from engine.state import State
    from engine.statistics import GameResult
    from engine.tiles import Face, Tile
    from web_ui.services import History, PlayedMatch, Rating


@dataclass(frozen=True)
class GameRow:
    """A game in a list: its number, points by seat, whether they are final."""

    number: int
    points: tuple[int, ...]
    over: bool
    result: GameResult | None
    closer: str | None


@dataclass(frozen=True)
class MatchRow:
    """A match with its games and what they add up to; `place` by seat."""

    match: PlayedMatch
    games: tuple[GameRow, ...]
    totals: tuple[int, ...]
    places: tuple[int, ...]
    running: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class PlayerRow:
    """A player with what he has done and how strong he seems."""

    player: PlayerStatistics
    rating: Rating | None
    settled: bool


SETTLED_SIGMA = 5.0
"""A rating less sure than this is called provisional."""


def match_row(match: PlayedMatch, played: Callable[[PlayedMatch, int], GameRow]) -> MatchRow:
    """Return a match with its results; `played` gives each game's."""
    games = tuple(played(match, at) for at in range(len(match.records)))
    done = [game.points for game in games if game.over]
    zero = (0,) * len(match.names)
    running = tuple(accumulate(done, lambda have, more: tuple(map(sum, zip(have, more, strict=True)))))
    totals = running[-1] if running else zero
    return MatchRow(match, games, totals, places(totals), running)


def game_row(record: Record, number: int) -> GameRow:
    """Return what a game came to so far."""
    done = replay(record)
    closing = done.state.closing
    return GameRow(
        number,
        tuple(one.total for one in done.scores),
        done.state.phase == "over",
        game_result(done),
        None if closing is None else record.header.seats[closing.seat],
    )


def player_rows(rows: Sequence[MatchRow], history: History) -> tuple[PlayerRow, ...]:
    """Return every player, the highest rating first."""
    results = [game.result for row in rows for game in row.games if game.result is not None]
    rated = history.ratings(results)
    found = [
        PlayerRow(one, rated.get(key), key in rated and rated[key].sigma < SETTLED_SIGMA)
        for key, one in statistics(results).items()
    ]
    return tuple(sorted(found, key=lambda row: (-_rank(row), player_key(row.player.name))))


def _rank(row: PlayerRow) -> float:
    return row.rating.ordinal if row.rating is not None else float("-inf")


@dataclass(frozen=True)
class TileShown:
    """A tile, and the face a joker stands for."""

    face: FaceView
    stands_for: FaceView | None
    words: str


@dataclass(frozen=True)
class MeldShown:
    """A meld on the table with its name in records."""

    name: str
    tiles: tuple[TileShown, ...]


@dataclass(frozen=True)
class SeatShown:
    """A seat at one step: rack tiles only where they may be seen."""

    name: str
    on_turn: bool
    count: int
    rack: tuple[TileShown, ...]
    melds: tuple[MeldShown, ...]
    score: str
    lines: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class EntryShown:
    """An entry of the list."""

    seq: int
    words: str
    actor: str
    counts: bool
    refused: tuple[str, ...]


@dataclass(frozen=True)
class StepView:
    """A game after so many of its entries."""

    step: int
    steps: int
    entry: EntryShown | None
    entries: tuple[EntryShown, ...]
    seats: tuple[SeatShown, ...]
    row: tuple[TileShown, ...]
    atu: TileShown | None
    wall: int | None
    phase: str
    racks_shown: bool


def shown_record(record: Record, *, over: bool) -> Record:
    """Return the record as everyone may see it: with its racks only once the game is over."""
    return record if over else public_record(record)


def step_view(record: Record, step: int | None) -> StepView:
    """Return the game after so many entries (None: all); `record` as `shown_record` has it."""
    names, steps = record.header.seats, len(record.entries)
    step = steps if step is None else min(max(step, 0), steps)
    whole = replay(record)
    done = whole if step == steps else replay(replace(record, entries=record.entries[:step]))
    over = whole.state.phase == "over"
    entries = _entries(record, whole)
    state = done.state
    return StepView(
        step,
        steps,
        entries[step - 1] if step else None,
        entries,
        tuple(_seat(done, seat, names[seat], racks=over) for seat in range(state.seats)),
        tuple(_tile_of_face(face) for face in state.row),
        None if state.atu is None else _tile_of_face(state.atu),
        None if state.phase == "deal" else state.wall.left,
        state.phase,
        over,
    )


def _entries(record: Record, whole: Replay) -> tuple[EntryShown, ...]:
    counting = {entry.seq for entry in effective(record).entries}
    counting |= {entry.seq for entry in record.entries if entry.event in ("void", "amend")}
    refused: dict[int, list[str]] = {}
    for one in whole.refusals:
        hint = in_language(ro=one.reason.hint_ro, en=one.reason.hint_en)
        refused.setdefault(one.seq, []).append(f"{hint} ({one.reason.clause})")
    return tuple(
        EntryShown(
            entry.seq,
            entry_words({"event": entry.event, **entry.fields}, record.header.seats),
            actor_words(entry.actor),
            entry.seq in counting,
            tuple(refused.get(entry.seq, ())),
        )
        for entry in record.entries
    )


def _seat(done: Replay, seat: int, name: str, *, racks: bool) -> SeatShown:
    state, score = done.state, done.scores[seat]
    hand = state.players[seat].hand
    return SeatShown(
        name,
        state.phase == "play" and state.turn.seat == seat,
        len(hand),
        tuple(_tile_of_face(face) for face in sorted(hand.known)) if racks else (),
        _melds(state, seat),
        plain(score.total),
        tuple((line.what, plain(line.points)) for line in score.lines),
    )


def _melds(state: State, seat: int) -> tuple[MeldShown, ...]:
    return tuple(
        MeldShown(
            meld.id, tuple(_tile(piece.tile) for piece in (*meld.pieces, *meld.beside))
        )
        for meld in state.melds
        if meld.seat == seat
    )  # fmt: skip


def _tile(tile: Tile) -> TileShown:
    face = face_view(tile.face)
    means = face_view(tile.means) if tile.is_joker and tile.means is not None else None
    return TileShown(face, means, face.name if means is None else f"{face.name} = {means.name}")


def _tile_of_face(face: Face) -> TileShown:
    view = face_view(face)
    return TileShown(view, None, view.name)
