"""Who may set up a table: its arbiter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import abort, make_response, redirect, render_template, request, url_for

from web_ui import arbiters
from web_ui.languages import gettext
from web_ui.shared import services

if TYPE_CHECKING:
    from werkzeug.wrappers import Response


def require_arbiter() -> Response | None:
    """Return the answer to somebody who may not set up; None lets them in.

    Its pages are for the arbiter too, not only what they change: a camera's address may hold a password.
    """
    if services().setup is None:
        abort(404)
    game = services().game
    if game is None:  # a table that is only looked at
        return None if arbiters.may_without_pin() else _only_here()
    if arbiters.form_token() is None:
        if game.pin is None:
            return _only_here()
        back = request.path if request.method == "GET" else url_for("setup.index")
        return redirect(url_for("desk.show", next=back), 303)
    if request.method == "POST" and not arbiters.has_form_token():
        abort(403)
    return None


def form_token() -> str:
    """Return what the forms of the set-up carry; nothing where nobody logs in."""
    return arbiters.form_token(acts=False) or ""


def _only_here() -> Response:
    text = gettext(
        "Without a PIN a table is set up only on the machine that runs the companion. Set one in the "
        "table file under [page] pin to do it from a phone."
    )
    heading = gettext("Only for the arbiter")
    return make_response(render_template("message.html", heading=heading, text=text), 403)
