"""One record for each game of a journal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.table.history import HistoryError, every_game
from companion.table.journal import read_journal
from companion.table.journal_errors import broken
from engine.records import format_record

if TYPE_CHECKING:
    from companion.table.history import Game, Match


def games_in(journal: Path) -> tuple[tuple[Match, Game], ...]:
    """Every game of a journal; JournalError where it cannot be read."""
    try:
        return every_game(read_journal(journal))
    except HistoryError as error:
        raise broken(journal, str(error)) from error


def record_text(game: Game) -> str:
    """The game as a record, with its whole rule data."""
    return format_record(game.record, with_resolved=True)


def record_name(match: Match, game: Game) -> str:
    """The name of a record's file."""
    return f"match-{match.number:03}-game-{game.number:03}.remi.jsonl"


def export(journal: Path, folder: Path) -> tuple[Path, ...]:
    """Writes a record for each game into a folder, which is made; JournalError, OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for match, game in games_in(journal):
        path = folder / record_name(match, game)
        new = path.with_name(path.name + ".new")
        new.write_text(record_text(game), encoding="utf-8")
        new.replace(path)
        written.append(path)
    return tuple(written)
