"""What goes wrong with a journal file, each with its next step, in English and Romanian."""

from __future__ import annotations

import sqlite3
from errno import EACCES, EDQUOT, ENOSPC, EPERM, EROFS
from pathlib import Path

from companion.table.errors import JournalError


def told(error: BaseException, path: Path) -> JournalError:
    """The JournalError for what SQLite or the system said."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    number = error.errno if isinstance(error, OSError) else None
    if code == sqlite3.SQLITE_FULL or number in (ENOSPC, EDQUOT):
        return JournalError(
            "disk_full",
            hint_en=f"The disk is full: nothing can be written to {path}. Free some space; what was played "
            "is kept, and the table goes on by itself once there is room.",
            hint_ro=f"Discul este plin: nu se mai poate scrie în {path}. Eliberați spațiu; ce s-a jucat este "
            "păstrat, iar masa continuă singură imediat ce este loc.",
        )
    denied = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH)
    if code in denied or number in (EACCES, EPERM, EROFS):
        return JournalError(
            "read_only",
            hint_en=f"{path} or its folder cannot be written to ({error}). Give the user that runs remi the "
            "right to write there, or name another place under [journal] path.",
            hint_ro=f"Nu se poate scrie în {path} sau în dosarul lui ({error}). Dați drept de scriere "
            "utilizatorului care pornește remi sau alegeți alt loc la [journal] path.",
        )
    if code == sqlite3.SQLITE_NOTADB:
        return not_a_journal(path)
    if code == sqlite3.SQLITE_CORRUPT:
        return broken(path, str(error))
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalError(
            "journal_busy",
            hint_en=f"Another program holds {path} ({error}). Close what has it open, such as a database "
            "viewer; nothing is lost.",
            hint_ro=f"Alt program ține deschis {path} ({error}). Închideți programul respectiv, de exemplu "
            "un vizualizator de baze de date; nu s-a pierdut nimic.",
        )
    return JournalError(
        "journal_failed",
        hint_en=f"{path} could not be used ({error}). Check the disk; what was written before is kept.",
        hint_ro=f"{path} nu a putut fi folosit ({error}). Verificați discul; ce era scris este păstrat.",
    )


def newer(path: Path, version: int, known: int) -> JournalError:
    """A journal that a later version of the program made."""
    return JournalError(
        "newer_journal",
        hint_en=f"{path} was written by a newer version of Remi Companion (journal version {version}, this "
        f"program knows {known}). Update the program, or name another journal under [journal] path; this one "
        "was not touched.",
        hint_ro=f"{path} a fost scris de o versiune mai nouă de Remi Companion (versiunea {version} a "
        f"jurnalului, acest program cunoaște {known}). Actualizați programul sau alegeți alt jurnal la "
        "[journal] path; acesta nu a fost modificat.",
    )


def not_a_journal(path: Path) -> JournalError:
    """A file that is something else."""
    return JournalError(
        "not_a_journal",
        hint_en=f"{path} is no journal of Remi Companion; it was left as it is. Name another file under "
        "[journal] path.",
        hint_ro=f"{path} nu este un jurnal Remi Companion; a fost lăsat neschimbat. Alegeți alt fișier la "
        "[journal] path.",
    )


def broken(path: Path, what: str) -> JournalError:
    """A journal that is damaged."""
    return JournalError(
        "broken_journal",
        hint_en=f"{path} is damaged ({what}). Keep a copy of it and of {path.name}-wal, name a new journal "
        f"under [journal] path to play on, and try: sqlite3 {path.name} .recover",
        hint_ro=f"{path} este deteriorat ({what}). Păstrați o copie a lui și a fișierului {path.name}-wal, "
        f"alegeți un jurnal nou la [journal] path ca să jucați și încercați: sqlite3 {path.name} .recover",
    )
