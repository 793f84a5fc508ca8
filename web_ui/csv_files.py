"""Tables as CSV files that spreadsheets open as they are, and from which they run nothing."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

from flask import Response

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_RUNS: Final = ("=", "+", "-", "@", "\t", "\r")


def csv_file(name: str, rows: Iterable[Sequence[object]]) -> Response:
    """Return a download of these rows; a text that a spreadsheet would run is quoted."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerows([_cell(value) for value in row] for row in rows)
    # The mark tells spreadsheets that it is UTF-8: names have ș and ț.
    return download(name, "\ufeff" + text.getvalue(), "text/csv; charset=utf-8")


def _cell(value: object) -> object:
    return f"'{value}" if isinstance(value, str) and value.startswith(_RUNS) else value


def download(name: str, text: str, mimetype: str) -> Response:
    """Return a text to be saved under a name."""
    answer = Response(text, content_type=mimetype)
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
