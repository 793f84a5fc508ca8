"""Gives the page its history and score sheets: beside the journal of a table, or in memory for a demo."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextlib import ExitStack
    from pathlib import Path

    from web_ui.services import Services


def with_sheets(services: Services, journal: Path | None, open_things: ExitStack) -> Services:
    """Return the services with history and sheets, which `open_things` closes; or InputError.

    The sheets of a table lie beside its journal, as remi-sheets.sqlite; without a journal they are in memory.
    """
    from companion.output import InputError
    from companion.past import Past
    from companion.records import in_romanian
    from companion.sheets import FILE_NAME, SheetFile
    from web_ui.services import StoreError

    try:
        sheets = SheetFile(None if journal is None else journal.with_name(FILE_NAME))
    except StoreError as error:
        raise InputError(error.hint_ro if in_romanian() else error.hint_en) from error
    open_things.callback(sheets.close)
    return replace(services, history=Past(journal, sheets), sheets=sheets)
