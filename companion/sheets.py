"""Score sheets and imported records in a SQLite file of their own, appended to and flushed each time."""

from __future__ import annotations

import json
import secrets
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Column, Integer, MetaData, Table, Text, create_engine, event, insert, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import StaticPool

from companion.table.journal_schema import append_only
from engine.records import parse_record
from engine.score_sheets import Sheet, SheetEntry, SheetError, begun, sheet_of, written
from vision.closing import Closing
from web_ui.services import StaleError, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from engine.records import Record

FILE_NAME: Final = "remi-sheets.sqlite"
APPLICATION_ID: Final = 0x52454D53
VERSION: Final = 1
MOST_SHEETS: Final = 2000
MOST_IMPORTS: Final = 500

_METADATA: Final = MetaData()
_LOG: Final = Table(
    "log",
    _METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("sheet", Text, nullable=False),
    Column("event", Text, nullable=False),
    Column("fields", Text, nullable=False),
)
_TRIGGERS: Final = append_only("a sheet")
_RECORD: Final = "record"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class SheetFile(Closing):
    """The sheets of a file (None: in memory, gone at the end), for any thread; one companion a file.

    A file that is of somebody else, newer, or cannot be used raises StoreError and is left as it is.
    """

    def __init__(self, path: Path | None, *, now: Callable[[], str] = _now) -> None:
        self._now = now
        self._path = path
        self._lock = threading.Lock()
        url = "sqlite://" if path is None else f"sqlite:///{path}"
        self._engine = create_engine(url, poolclass=StaticPool, connect_args={"check_same_thread": False})

        @event.listens_for(self._engine, "connect")
        def _connected(connection: Any, _record: object) -> None:
            connection.execute("PRAGMA synchronous = FULL")

        self._sheets: dict[str, Sheet] = {}
        self._records: dict[str, Record] = {}
        self._last = 0
        try:
            with _telling(path):
                self._prepare()
                self._load()
        except BaseException:
            self._engine.dispose()
            raise

    def _prepare(self) -> None:
        with self._engine.begin() as connection:
            found = connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one()
            if not found:
                _METADATA.create_all(connection)
                for trigger in _TRIGGERS:
                    connection.exec_driver_sql(trigger)
                connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.exec_driver_sql(f"PRAGMA user_version = {VERSION}")
                return
            application = connection.exec_driver_sql("PRAGMA application_id").scalar_one()
            version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
        if application != APPLICATION_ID or version > VERSION:
            raise StoreError(
                hint_en=f"{self._path} is no file of sheets that this version knows; it was left as it is. "
                "Move it elsewhere, or update the program.",
                hint_ro=f"{self._path} nu este un fișier de foi cunoscut de această versiune; a fost lăsat "
                "neschimbat. Mutați-l sau actualizați programul.",
            )

    def _load(self) -> None:
        entries: dict[str, list[SheetEntry]] = {}
        with self._engine.connect() as connection:
            for row in connection.execute(select(_LOG).order_by(_LOG.c.number)):
                fields = json.loads(row.fields)
                if row.event == _RECORD:
                    self._records[row.sheet] = parse_record(fields["text"])
                else:
                    entries.setdefault(row.sheet, []).append(SheetEntry(row.event, fields, row.at))
                self._last = row.number
        self._sheets = {key: sheet_of(key, found) for key, found in entries.items()}

    # ---- what the page needs (web_ui.services.Sheets)

    def all(self) -> Sequence[Sheet]:
        """Every sheet, the newest first."""
        with self._lock:
            return tuple(reversed(self._sheets.values()))

    def get(self, sheet: str) -> Sheet:
        """A sheet; LookupError where there is none."""
        with self._lock:
            return self._sheets[sheet]

    def begin(self, fields: Mapping[str, Any]) -> Sheet:
        """A new sheet: `name`, `rules`, `players`."""
        entry = SheetEntry("begin", dict(fields), self._now())
        with self._lock:
            if len(self._sheets) >= MOST_SHEETS:
                raise SheetError(
                    "sheet",
                    f"there are {MOST_SHEETS} sheets already; move {FILE_NAME} elsewhere to begin anew",
                    f"există deja {MOST_SHEETS} de foi; mutați {FILE_NAME} ca să începeți altele",
                )
            key = secrets.token_hex(6)
            new = begun(key, entry)
            self._append(key, entry)
            self._sheets[key] = new
            return new

    def write(self, sheet: str, event: str, fields: Mapping[str, Any], *, version: int) -> Sheet:
        """The sheet with one entry more; StaleError unless it has that version, LookupError."""
        entry = SheetEntry(event, dict(fields), self._now())
        with self._lock:
            now = self._sheets[sheet]
            if now.version != version:
                raise StaleError
            new = written(now, entry)
            self._append(sheet, entry)
            self._sheets[sheet] = new
            return new

    # ---- imported games

    def records(self) -> Mapping[str, Record]:
        """Every imported record by its key, in the order in which they came."""
        with self._lock:
            return dict(self._records)

    def add_record(self, text: str) -> str:
        """Keeps a record, once; returns its key. RecordError for one that cannot be read."""
        record = parse_record(text)
        with self._lock:
            for key, known in self._records.items():
                if known == record:
                    return key
            if len(self._records) >= MOST_IMPORTS:
                raise StoreError(
                    hint_en=f"{MOST_IMPORTS} games were imported already; no more are kept.",
                    hint_ro=f"Au fost importate deja {MOST_IMPORTS} de jocuri; altele nu se mai păstrează.",
                )
            key = f"i{len(self._records) + 1}"
            self._append(key, SheetEntry(_RECORD, {"text": text}, self._now()))
            self._records[key] = record
            return key

    def _append(self, key: str, entry: SheetEntry) -> None:
        """Writes an entry and flushes it to the disk; nothing is changed where that fails."""
        row = {
            "number": self._last + 1,
            "at": entry.at,
            "sheet": key,
            "event": entry.event,
            "fields": json.dumps(entry.fields, ensure_ascii=False),
        }
        with _telling(self._path), self._engine.begin() as connection:
            connection.execute(insert(_LOG), [row])
        self._last += 1

    def close(self) -> None:
        """Closes the file."""
        self._engine.dispose()


@contextmanager
def _telling(path: Path | None) -> Iterator[None]:
    """Turns what the database says into a StoreError with the next step."""
    try:
        yield
    except (DBAPIError, OSError, sqlite3.Error) as error:
        raise StoreError(
            hint_en=f"{path or 'the sheets'} could not be used, and nothing was changed ({error}). Look at "
            "the disk, its free space and the rights of the folder; another companion may use the file.",
            hint_ro=f"{path or 'foile'} nu a putut fi folosit și nimic nu s-a schimbat ({error}). Verificați "
            "discul, spațiul liber și drepturile dosarului; poate alt program folosește fișierul.",
        ) from error
    except (ValueError, KeyError, TypeError) as error:
        if isinstance(error, SheetError) and path is None:
            raise
        raise StoreError(
            hint_en=f"{path} is damaged ({error}). Move it elsewhere and start again; keep a copy.",
            hint_ro=f"{path} este deteriorat ({error}). Mutați-l și porniți din nou; păstrați o copie.",
        ) from error
