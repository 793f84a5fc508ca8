"""The live table: the page, the parts of it that change, the picture, and the same as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, jsonify, render_template, url_for

from engine.public_reading import public_reading
from web_ui.languages import in_language
from web_ui.problems import api_error
from web_ui.shared import services
from web_ui.table_view import TableView, table_view

if TYPE_CHECKING:
    from web_ui.services import LiveTable, TableNow

table = Blueprint("table", __name__)


@table.get("/table")
def show() -> str:
    """Return the page: the picture with what was read drawn on it, and the same in words."""
    missing = services().no_table
    if services().table is None and missing is not None:
        return render_template("table_missing.html", why=in_language(ro=missing.ro, en=missing.en))
    return render_template("table.html", view=_view(_table()))


@table.get("/table/now")
def now() -> str:
    """Return the parts of the page that change."""
    return render_template("_table.html", view=_view(_table()))


@table.get("/table/picture.jpg")
def picture() -> Response:
    """Return the newest picture, with the racks covered."""
    jpeg = _table().picture()
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")


@table.get("/api/v1/table")
def document() -> Response:
    """Return state and reading; never the racks."""
    missing = services().no_table
    if services().table is None and missing is not None:
        return api_error("no_table", 503, {"ro": missing.ro, "en": missing.en})
    live = _table()
    seen = live.now()
    reading = None
    if seen.reading is not None:
        reading = live.document(public_reading(seen.reading))
        reading.pop("racks", None)
    return jsonify(
        {
            "state": seen.state,
            "reason": None if seen.reason is None else {"ro": seen.reason.ro, "en": seen.reason.en},
            "covered": list(seen.covered),
            "read_ms": seen.read_ms,
            "picture": None if seen.size is None else _picture_url(seen),
            "size": None if seen.size is None else list(seen.size),
            "reading": reading,
        }
    )


def _table() -> LiveTable:
    found = services().table
    if found is None:
        abort(404)
    return found


def _view(live: LiveTable) -> TableView:
    seen = live.now()
    return table_view(seen, picture_url=_picture_url(seen))


def _picture_url(seen: TableNow) -> str:
    """Return an address that is another one for each picture, so that a browser asks for it."""
    return url_for("table.picture", n=seen.picture)
