"""Who may set up a table: who may change anything at it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from flask import make_response, render_template, request

from web_ui.languages import gettext
from web_ui.shared import app_state, services

if TYPE_CHECKING:
    from flask import Response


def require_arbiter() -> Response | None:
    """Return the answer to somebody who may not set up; None lets them in."""
    game = services().game
    pin = None if game is None else game.pin
    state = app_state()
    refusal = state.gate.refusal(
        pin, request.headers.get("X-Remi-Pin"), request.remote_addr, time.monotonic()
    )
    if refusal is None:
        return None
    words = {
        "pin_wrong": gettext("The set-up is for who knows the PIN of this table."),
        "pin_locked": gettext("Too many wrong PINs; wait a minute."),
        "this_machine_only": gettext(
            "Without a PIN a table is set up only on the machine that runs the companion. Set one in the "
            "table file under [page] pin to do it from a phone."
        ),
    }
    heading = gettext("Only for the arbiter")
    return make_response(render_template("message.html", heading=heading, text=words[refusal]), 403)
