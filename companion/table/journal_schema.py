"""The tables of a journal file, its version, and the triggers that keep it gap-free and append-only."""

from __future__ import annotations

from typing import Final

from sqlalchemy import CheckConstraint, Column, Integer, MetaData, Table, Text, UniqueConstraint

VERSION: Final = 1
"""`PRAGMA user_version` of the journals that this program writes."""

APPLICATION_ID: Final = 0x52454D49
"""`PRAGMA application_id`: REMI."""

METADATA: Final = MetaData()

LOG: Final = Table(
    "log",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("batch", Integer, nullable=False),
    Column("at", Text, nullable=False),
    Column("actor", Text),
    Column("event", Text, nullable=False),
    Column("game", Integer),
    Column("seq", Integer),
    Column("fields", Text, nullable=False),
    Column("evidence", Text),
    UniqueConstraint("game", "seq"),
    CheckConstraint("batch BETWEEN 1 AND number"),
    CheckConstraint("seq IS NULL OR game IS NOT NULL"),
)


def append_only(what: str) -> tuple[str, ...]:
    """Triggers that keep a table `log` free of gaps and unchanged; `what` it is, for their words."""
    return (
        """CREATE TRIGGER log_gap_free BEFORE INSERT ON log
    WHEN NEW.number <> (SELECT coalesce(max(number), 0) + 1 FROM log)
    BEGIN SELECT RAISE(ABORT, 'the number leaves a gap'); END""",
        *(
            f"""CREATE TRIGGER log_no_{change.lower()} BEFORE {change} ON log
    BEGIN SELECT RAISE(ABORT, '{what} is appended to, never changed'); END"""
            for change in ("UPDATE", "DELETE")
        ),
    )


TRIGGERS: Final = (
    *append_only("a journal"),
    """CREATE TRIGGER log_game_gap_free BEFORE INSERT ON log WHEN NEW.seq IS NOT NULL
    AND NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM log WHERE game = NEW.game)
    BEGIN SELECT RAISE(ABORT, 'the seq leaves a gap'); END""",
)
