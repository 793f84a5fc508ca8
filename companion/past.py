"""The history that the page shows: the journal read beside its writer, and the games that were imported."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.rating import ratings
from companion.table.errors import JournalError
from companion.table.history import NOTHING, History, HistoryError, with_row
from companion.table.journal import read_rows
from companion.table.journal_errors import broken
from web_ui.services import PlayedMatch, Rating, StoreError

if TYPE_CHECKING:
    from pathlib import Path

    from companion.sheets import SheetFile
    from engine.statistics import GameResult


class Past:
    """What was played; rows that are new are read by a connection of its own that cannot write.

    `journal` is None where no table writes one. Several threads may ask.
    """

    def __init__(self, journal: Path | None, sheets: SheetFile) -> None:
        self._journal = journal
        self._sheets = sheets
        self._lock = threading.Lock()
        self._now: History = NOTHING
        self._before: tuple[PlayedMatch, ...] = ()

    def matches(self) -> Sequence[PlayedMatch]:
        """Every match in the order in which they were begun, the imported games after them."""
        with self._lock:
            if self._journal is not None and self._journal.is_file():
                self._catch_up(self._journal)
            played = (*self._before, *_played(self._now))
        imported = (
            PlayedMatch(key, record.header.seats, (record,), over=True, begun=_text(record.header.more))
            for key, record in self._sheets.records().items()
        )
        return (*played, *imported)

    def _catch_up(self, journal: Path) -> None:
        try:
            for row in read_rows(journal, after=self._now.last):
                if row.event == "match":
                    self._before = (*self._before, *_played(self._now))
                self._now = with_row(self._now, row)
        except JournalError as error:
            raise StoreError(hint_en=error.hint_en, hint_ro=error.hint_ro) from error
        except HistoryError as error:
            hints = broken(journal, str(error))
            raise StoreError(hint_en=hints.hint_en, hint_ro=hints.hint_ro) from error

    def ratings(self, results: Sequence[GameResult]) -> Mapping[str, Rating]:
        """The rating of each player after these games, in order."""
        return ratings(results)

    def add(self, text: str) -> str:
        """Keeps the text of a record as an imported game; returns its key."""
        return self._sheets.add_record(text)


def _played(history: History) -> tuple[PlayedMatch, ...]:
    match = history.match
    if match is None:
        return ()
    records = tuple(game.record for game in history.games)
    begun = _text(records[0].header.more) if records else None
    return (
        PlayedMatch(
            str(match.number), match.names, records, match.number, match.games, match.target,
            history.match_over, begun,
        ),
    )  # fmt: skip


def _text(more: Mapping[str, object]) -> str | None:
    created = more.get("created")
    return created if isinstance(created, str) else None
