"""The file of the sheets: appended to, refused where it is another's, whole after a restart."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from companion.rating import ratings
from companion.sheets import SheetFile
from engine.records import RecordError, format_record, new_record
from engine.statistics import GameResult
from web_ui.services import StaleError, StoreError

BEGIN = {"name": "", "rules": "etalat", "players": ["Ana", "Dan"]}


def test_what_was_written_is_there_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "sheets.sqlite"
    with SheetFile(path) as file:
        sheet = file.begin(BEGIN)
        sheet = file.write(sheet.id, "round", {"points": [70, -15]}, version=1)
        sheet = file.write(sheet.id, "correct", {"round": 1, "points": [75, -15]}, version=2)
        key = file.add_record(format_record(new_record("etalat", ["Ana", "Dan"])))
    with SheetFile(path) as file:
        assert file.get(sheet.id) == sheet
        assert list(file.records()) == [key]
        with pytest.raises(StaleError):
            file.write(sheet.id, "round", {"points": [1, 1]}, version=2)


def test_nothing_that_stands_in_it_can_be_changed(tmp_path: Path) -> None:
    path = tmp_path / "sheets.sqlite"
    with SheetFile(path) as file:
        file.begin(BEGIN)
    connection = sqlite3.connect(path)
    for wrong in ("UPDATE log SET fields = '{}'", "DELETE FROM log"):
        with pytest.raises(sqlite3.IntegrityError, match="appended to"):
            connection.execute(wrong)
    connection.close()


def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE theirs (a)")
    connection.commit()
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="left as it is"):
        SheetFile(path)
    assert path.read_bytes() == before
    (tmp_path / "text").write_text("milk and bread, and more of it than a page\n" * 9)
    with pytest.raises(StoreError):
        SheetFile(tmp_path / "text")


def test_a_damaged_record_is_not_kept(tmp_path: Path) -> None:
    with SheetFile(None) as file:
        with pytest.raises(RecordError, match="line 1"):
            file.add_record("{}")
        assert file.records() == {}


def test_who_wins_is_rated_higher_and_surer() -> None:
    game = GameResult(("Ana", "Dan", "Ioana"), (50, 20, -10), (True,) * 3)
    once, often = ratings([game]), ratings([game] * 10)
    assert once["ana"].mu > 25 > once["ioana"].mu
    assert once["ana"].mu > once["dan"].mu > once["ioana"].mu
    assert often["ana"].sigma < once["ana"].sigma < 25 / 3
    assert often["ana"].ordinal == pytest.approx(often["ana"].mu - 3 * often["ana"].sigma)
    # Nobody plays against himself.
    assert ratings([GameResult(("Ana", "ana"), (1, 2), (True, True))]) == {}
