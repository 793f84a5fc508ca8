"""The journal: gap-free, append-only, all or nothing, one writer, and clear words where it cannot be used."""

from __future__ import annotations

import errno
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.table.errors import JournalError
from companion.table.journal import Journal, read_journal
from companion.table.journal_errors import told
from companion.table.log import Row

AT = "2026-11-30T18:00:00.000Z"


def rows_from(first: int, games: list[int | None], seqs: dict[int, int]) -> tuple[Row, ...]:
    made = []
    for number, game in enumerate(games, start=first):
        seq = None
        if game is not None:
            seqs[game] = seq = seqs.get(game, 0) + 1
        fields = {"seat": number % 3, "name": "Ștefan țopăie", "tiles": ["r1", None]}
        evidence = {"look": number} if number % 2 else None
        made.append(Row(number, first, AT, "camera", "draw", game, seq, fields, evidence))
    return tuple(made)


@settings(max_examples=15)
@given(
    batches=st.lists(
        st.tuples(
            st.lists(st.sampled_from([None, 1, 2]), min_size=1, max_size=6), st.booleans(), st.booleans()
        ),
        max_size=8,
    )
)
def test_whatever_is_appended_is_there_in_order_and_what_broke_off_is_not(
    batches: list[tuple[list[int | None], bool, bool]],
) -> None:
    """Batches written, some broken off in the middle of their transaction, some after a reopening."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.sqlite"
        journal = Journal(path)
        there: list[Row] = []
        seqs: dict[int, int] = {}
        for games, breaks, reopens in batches:
            before = dict(seqs)
            rows = rows_from(len(there) + 1, games, seqs)
            if breaks:
                # A row that the triggers refuse ends the transaction after the rows before it.
                gap = Row(99, 1, AT, "camera", "draw", 1, 99)
                with pytest.raises(JournalError):
                    journal._write((*rows, gap))
                seqs = before
            else:
                journal.append(rows)
                there += rows
            if reopens:
                journal.close()
                journal = Journal(path)
            assert journal.rows() == tuple(there)
        journal.close()
        assert read_journal(path) == tuple(there)
        assert [row.number for row in there] == list(range(1, len(there) + 1))


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO log(number, batch, at, event, fields) VALUES (3, 3, '', 'pause', '{}')",
        "INSERT INTO log(number, batch, at, event, game, seq, fields) VALUES (2, 2, '', 'draw', 1, 2, '{}')",
        "UPDATE log SET at = 'never'",
        "DELETE FROM log",
    ],
)
def test_nothing_but_the_next_row_can_be_written(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "j.sqlite"
    with Journal(path) as journal:
        journal.append(rows_from(1, [None], {}))
    with sqlite3.connect(path) as connection, pytest.raises(sqlite3.IntegrityError):
        connection.execute(statement)
    connection.close()
    assert len(read_journal(path)) == 1


def test_numbers_with_a_gap_are_a_fault_of_the_program(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.sqlite") as journal, pytest.raises(ValueError, match="after row 0"):
        journal.append(rows_from(2, [None], {}))


def test_it_is_written_ahead_and_flushed(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.sqlite") as journal:
        cursor = journal._connection.connection.cursor()
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert cursor.execute("PRAGMA synchronous").fetchone() == (2,)


def refused(code: str, path: Path) -> JournalError:
    with pytest.raises(JournalError) as caught:
        Journal(path)
    assert caught.value.code == code
    assert path.name in caught.value.hint_en or str(path.parent) in caught.value.hint_en
    assert caught.value.hint_ro != caught.value.hint_en
    return caught.value


def test_a_second_companion_is_refused_in_this_process_and_in_another(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    code = (
        "import sys; from pathlib import Path; from companion.table.journal import Journal, JournalError\n"
        "try: Journal(Path(sys.argv[1]))\n"
        "except JournalError as error: print(error.code)"
    )
    with Journal(path) as journal:
        journal.append(rows_from(1, [None], {}))
        refused("journal_in_use", path)
        other = subprocess.run(
            [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
        )
        assert other.stdout.strip() == "journal_in_use"
        assert read_journal(path) == journal.rows(), "who only reads may"
    Journal(path).close()


def test_a_newer_journal_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    Journal(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 7")
    connection.close()
    said = refused("newer_journal", path)
    assert "7" in said.hint_en
    assert "Update" in said.hint_en
    with pytest.raises(JournalError, match="newer version"):
        read_journal(path)


def test_another_file_is_left_as_it_is(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("no database at all, " * 100)
    before = text.read_bytes()
    refused("not_a_journal", text)
    assert text.read_bytes() == before
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE recipes(name TEXT)")
    connection.close()
    before = other.read_bytes()
    refused("not_a_journal", other)
    assert other.read_bytes() == before


def test_a_damaged_journal_is_said_to_be_damaged(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with Journal(path) as journal:
        journal.append(rows_from(1, [None] * 400, {}))
    data = bytearray(path.read_bytes())
    assert len(data) > 5 * 4096
    data[4096 * 2 : 4096 * 5] = bytes(range(256)) * 48
    path.write_bytes(data)
    assert "recover" in refused("broken_journal", path).hint_en


def test_rows_that_vanished_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    with Journal(path) as journal:
        journal.append(rows_from(1, [None] * 3, {}))
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TRIGGER log_no_delete")
        connection.execute("DELETE FROM log WHERE number = 2")
    connection.close()
    refused("broken_journal", path)


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    refused("no_folder", tmp_path / "nowhere" / "j.sqlite")


def test_a_file_that_may_only_be_read(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite"
    Journal(path).close()
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
        with pytest.raises(sqlite3.OperationalError) as caught:
            connection.execute("CREATE TABLE t(a)")
        assert told(caught.value, path).code == "read_only"
    connection.close()
    (tmp_path / "folder.sqlite").mkdir()
    refused("read_only", tmp_path / "folder.sqlite")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_to(tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    folder.chmod(0o500)
    try:
        refused("read_only", folder / "j.sqlite")
    finally:
        folder.chmod(0o700)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "disk_full"),
        (OSError(errno.EROFS, "Read-only file system"), "read_only"),
        (PermissionError(errno.EACCES, "Permission denied"), "read_only"),
        (OSError(errno.EIO, "Input/output error"), "journal_failed"),
    ],
)
def test_what_the_system_says_has_a_next_step(error: OSError, code: str) -> None:
    assert told(error, Path("j.sqlite")).code == code


def test_a_full_disk_keeps_what_was_written_and_goes_on_once_there_is_room(tmp_path: Path) -> None:
    """SQLite's own limit of pages stands for the disk: it answers with SQLITE_FULL all the same."""
    with Journal(tmp_path / "j.sqlite") as journal:
        first = rows_from(1, [None], {})
        journal.append(first)
        connection: Any = journal._connection.connection
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages}")
        many = rows_from(2, [None] * 500, {})
        with pytest.raises(JournalError) as caught:
            journal.append(many)
        assert caught.value.code == "disk_full"
        assert "Free some space" in caught.value.hint_en
        assert journal.rows() == first
        connection.execute("PRAGMA max_page_count = 1000000")
        journal.append(many)
        assert journal.rows() == (*first, *many)


def test_a_journal_copied_in_the_middle_of_a_batch_has_only_whole_batches(tmp_path: Path) -> None:
    """What a crash leaves: the files as they are while a transaction is open."""
    path = tmp_path / "j.sqlite"
    with Journal(path) as journal:
        first = rows_from(1, [1, 1], {})
        journal.append(first)
        with sqlite3.connect(path) as other:
            other.execute("BEGIN IMMEDIATE")
            other.execute(
                "INSERT INTO log(number, batch, at, event, game, seq, fields) "
                "VALUES (3, 3, ?, 'draw', 1, 3, ?)",
                (AT, json.dumps({})),
            )
            copied = tmp_path / "after-the-crash"
            copied.mkdir()
            for file in tmp_path.glob("j.sqlite*"):
                if not file.name.endswith("-shm"):
                    shutil.copy(file, copied / file.name)
            other.rollback()
        other.close()
    with Journal(copied / "j.sqlite") as again:
        assert again.rows() == first
        again.append(rows_from(3, [1], {1: 2}))
