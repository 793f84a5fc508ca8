"""The journal of a table: a SQLite file that is appended to, flushed to the disk with every batch of rows."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event, func, insert, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from companion.table.errors import JournalError
from companion.table.history import History, HistoryError, fold
from companion.table.journal_errors import broken, newer, not_a_journal, told
from companion.table.journal_schema import APPLICATION_ID, LOG, METADATA, TRIGGERS, VERSION
from companion.table.lock import WriterLock
from companion.table.log import Row
from vision.closing import Closing

_PATIENCE_S = 5.0
"""How long a reader that is at work may hold up a checkpoint or a read."""


class Journal(Closing):
    """A journal open for writing, by this process alone. Use it from one thread at a time."""

    def __init__(self, path: Path) -> None:
        """Opens the journal or makes it; JournalError says why that cannot be, and what to do.

        `journal_in_use`, `newer_journal`, `not_a_journal`, `broken_journal`, `read_only`, `disk_full`,
        `no_folder`, `journal_failed`.
        """
        self.path = path
        if not path.parent.is_dir():
            raise JournalError(
                "no_folder",
                hint_en=f"There is no folder {path.parent} for the journal. Make it, or name another under "
                "[journal] path.",
                hint_ro=f"Nu există dosarul {path.parent} pentru jurnal. Creați-l sau alegeți altul la "
                "[journal] path.",
            )
        try:
            self._lock = WriterLock(path)
        except sqlite3.Error as error:
            raise told(error, path) from error
        try:
            self._engine = _engine(f"sqlite:///{path}")
            with _telling(path):
                self._connection = self._engine.connect()
                _prepare(self._connection, path)
                self._last = _checked(self._connection, path)
        except BaseException:
            self._lock.close()
            raise

    @property
    def last(self) -> int:
        """The number of the last row; 0 for a new journal."""
        return self._last

    def append(self, rows: Sequence[Row]) -> None:
        """Writes the rows, all or none, and flushes them to the disk before it returns.

        JournalError where that fails: then none of them is in the journal. ValueError for numbers that leave
        a gap, which is a fault of the program.
        """
        if [row.number for row in rows] != list(range(self._last + 1, self._last + 1 + len(rows))):
            raise ValueError(f"after row {self._last} come {[row.number for row in rows]}")
        if not rows:
            return
        try:
            self._write(rows)
        except JournalError:
            if not self._landed(rows):
                raise
        self._last = rows[-1].number

    def _write(self, rows: Sequence[Row]) -> None:
        with _telling(self.path), self._connection.begin():
            self._connection.execute(insert(LOG), [_values(row) for row in rows])

    def _landed(self, rows: Sequence[Row]) -> bool:
        """Whether the rows stand in the file though writing them failed: the disk may say no too late."""
        try:
            with _telling(self.path), self._connection.begin():
                return _last(self._connection) >= rows[-1].number
        except JournalError:
            return False

    def rows(self, after: int = 0) -> tuple[Row, ...]:
        """The rows with a number over `after`, in order; JournalError where they cannot be read."""
        with _telling(self.path), self._connection.begin():
            return _rows(self._connection, self.path, after)

    def history(self) -> History:
        """What the journal comes to: earlier matches are counted, the last one is folded.

        JournalError where its rows cannot be read.
        """
        begins = select(func.coalesce(func.max(LOG.c.number), 0)).where(LOG.c.event == "match")
        with _telling(self.path), self._connection.begin():
            begin = int(self._connection.execute(begins).scalar_one())
            matches = self._count("match", begin)
            games = self._count("game", begin)
            rows = _rows(self._connection, self.path, max(0, begin - 1))
        try:
            return fold(rows, History(max(0, begin - 1), None, (), matches, games))
        except HistoryError as error:
            raise broken(self.path, str(error)) from error

    def _count(self, event: str, before: int) -> int:
        counted = select(func.count()).select_from(LOG).where(LOG.c.event == event, LOG.c.number < before)
        return int(self._connection.execute(counted).scalar_one())

    def close(self) -> None:
        """Closes the file and lets others write to it."""
        self._connection.close()
        self._engine.dispose()
        self._lock.close()


def read_journal(path: Path) -> tuple[Row, ...]:
    """All rows of a journal, also while a companion writes to it; JournalError where that cannot be."""
    if not path.is_file():
        raise JournalError(
            "no_journal",
            hint_en=f"There is no journal {path}. It is made when the table first runs (remi run).",
            hint_ro=f"Nu există jurnalul {path}. Se creează la prima pornire a mesei (remi run).",
        )
    engine = _engine(f"sqlite:///file:{path.resolve()}?mode=ro&uri=true", writes=False)
    try:
        with _telling(path), engine.connect() as connection, connection.begin():
            _refuse_foreign(connection, path)
            _checked(connection, path)
            return _rows(connection, path, 0)
    finally:
        engine.dispose()


def read_rows(path: Path, *, after: int) -> tuple[Row, ...]:
    """The rows with a number over `after`, while a companion writes; JournalError where that cannot be.

    Unlike `read_journal` it does not look whether the whole file is sound: who follows asks often.
    """
    engine = _engine(f"sqlite:///file:{path.resolve()}?mode=ro&uri=true", writes=False)
    try:
        with _telling(path), engine.connect() as connection, connection.begin():
            _refuse_foreign(connection, path)
            return _rows(connection, path, after)
    finally:
        engine.dispose()


def _engine(url: str, *, writes: bool = True) -> Engine:
    engine = create_engine(
        url, poolclass=StaticPool, connect_args={"check_same_thread": False, "timeout": _PATIENCE_S}
    )

    @event.listens_for(engine, "connect")
    def _connected(connection: Any, _record: object) -> None:
        # The driver would begin transactions by rules of its own; here each begins as said below.
        connection.isolation_level = None
        if writes:
            connection.execute("PRAGMA synchronous = FULL")

    @event.listens_for(engine, "begin")
    def _begun(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    """Turns what the database says into a JournalError with the next step."""
    try:
        yield
    except DBAPIError as error:
        raise told(error.orig if isinstance(error.orig, sqlite3.Error) else error, path) from error
    except (OSError, sqlite3.Error) as error:
        raise told(error, path) from error


def _pragma(connection: Connection, name: str) -> Any:
    return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


def _prepare(connection: Connection, path: Path) -> None:
    """Makes the tables of a new journal in one go, or refuses a file that is none of this version."""
    with connection.begin():
        if not _is_empty(connection):
            # Before anything is changed: the file may be somebody else's.
            _refuse_foreign(connection, path)
    mode = connection.connection.cursor().execute("PRAGMA journal_mode = WAL").fetchone()[0]
    if mode != "wal":
        raise JournalError(
            "journal_failed",
            hint_en=f"{path} lies where SQLite cannot keep a write-ahead log (it says {mode}). Put the "
            "journal on a disk of this machine.",
            hint_ro=f"{path} este pe un disc unde SQLite nu poate ține un jurnal WAL (spune {mode}). "
            "Puneți jurnalul pe un disc al acestui calculator.",
        )
    with connection.begin():
        if _is_empty(connection):
            METADATA.create_all(connection)
            for trigger in TRIGGERS:
                connection.exec_driver_sql(trigger)
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.exec_driver_sql(f"PRAGMA user_version = {VERSION}")


def _is_empty(connection: Connection) -> bool:
    return connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar() == 0


def _refuse_foreign(connection: Connection, path: Path) -> None:
    if _pragma(connection, "application_id") != APPLICATION_ID:
        raise not_a_journal(path)
    version = int(_pragma(connection, "user_version"))
    if version > VERSION:
        raise newer(path, version, VERSION)


def _checked(connection: Connection, path: Path) -> int:
    """The number of the last row, after a look whether file and numbers are sound."""
    if connection.in_transaction():
        return _sound(connection, path)
    with connection.begin():
        return _sound(connection, path)


def _sound(connection: Connection, path: Path) -> int:
    found = _pragma(connection, "quick_check(1)")
    if found != "ok":
        raise broken(path, str(found))
    count = connection.execute(select(func.count()).select_from(LOG)).scalar_one()
    last = _last(connection)
    if count != last:
        raise broken(path, f"{count} rows, the last one numbered {last}")
    return last


def _last(connection: Connection) -> int:
    return int(connection.execute(select(func.coalesce(func.max(LOG.c.number), 0))).scalar_one())


def _rows(connection: Connection, path: Path, after: int) -> tuple[Row, ...]:
    found = connection.execute(select(LOG).where(LOG.c.number > after).order_by(LOG.c.number))
    try:
        return tuple(
            Row(
                one.number,
                one.batch,
                one.at,
                one.actor,
                one.event,
                one.game,
                one.seq,
                json.loads(one.fields),
                None if one.evidence is None else json.loads(one.evidence),
            )
            for one in found
        )
    except ValueError as error:
        raise broken(path, f"a row is no JSON ({error})") from error


def _values(row: Row) -> dict[str, Any]:
    evidence = None if row.evidence is None else _json(row.evidence)
    return {
        "number": row.number,
        "batch": row.batch,
        "at": row.at,
        "actor": row.actor,
        "event": row.event,
        "game": row.game,
        "seq": row.seq,
        "fields": _json(row.fields),
        "evidence": evidence,
    }


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
