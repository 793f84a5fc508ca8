"""One writer: a file that a process holds for as long as it lives, and no longer."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from companion.table.errors import JournalError


class WriterLock:
    """Held from construction to `close`, also against the same process; a killed process lets go of it.

    It is an exclusive transaction on an empty database beside the journal, since SQLite locks files alike on
    every platform. JournalError (`journal_in_use`) where somebody else holds it.
    """

    def __init__(self, journal: Path) -> None:
        path = lock_path(journal)
        self._connection = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            self._connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            self._connection.close()
            if error.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
                raise
            raise JournalError(
                "journal_in_use",
                hint_en=f"Another companion writes to {journal}. End that one first, or name another journal "
                "under [journal] path.",
                hint_ro=f"Alt program Remi scrie în {journal}. Închideți-l întâi pe acela sau alegeți alt "
                "jurnal la [journal] path.",
            ) from error

    def close(self) -> None:
        """Lets go."""
        self._connection.close()


def lock_path(journal: Path) -> Path:
    """The file beside a journal that its writer holds."""
    return journal.with_name(journal.name + ".lock")
