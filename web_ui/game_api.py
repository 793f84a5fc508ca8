"""The game at a table as JSON, /api/v1/game: its changes as a stream of events, an arbiter's requests."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, abort, jsonify, request

from web_ui.arbiters import has_form_token
from web_ui.problems import api_error
from web_ui.shared import app_state, services

if TYPE_CHECKING:
    from web_ui.services import Game

game_api = Blueprint("game_api", __name__, url_prefix="/api/v1/game")

STATUS: Final = {"done": 200, "stale": 409, "conflict": 409, "refused": 422, "wrong": 400, "failed": 503}
"""The HTTP status of what became of a post."""


REFUSED: Final = {
    "pin_wrong": (
        "The PIN is missing or wrong: send it as X-Remi-Pin. It stands in the table file under [page].",
        "PIN-ul lipsește sau este greșit: trimiteți-l ca X-Remi-Pin. Este scris în fișierul mesei la [page].",
    ),
    "pin_locked": (
        "Too many wrong PINs; wait a minute.",
        "Prea multe PIN-uri greșite; așteptați un minut.",
    ),
    "this_machine_only": (
        "Without a PIN only the companion's own machine may change anything; set one under [page] pin.",
        "Fără PIN numai calculatorul cu programul poate schimba ceva; puneți unul la [page] pin.",
    ),
}


def _game() -> Game:
    game = services().game
    if game is None:
        abort(404)
    return game


@game_api.get("")
def show() -> Response:
    """Return the table as it is now; 304 for who has it already (ETag)."""
    document = _game().document()
    answer = jsonify(document)
    answer.set_etag(f"{document['version']}-{document['number']}")
    answer.make_conditional(request)
    return answer


@game_api.get("/events")
def events() -> Response:
    """Stream every change of the table (text/event-stream): event `game`, id `<run>-<number>`.

    A reader that was cut off sends Last-Event-ID and gets what it missed, as far as that is kept, or the
    table as it is; so does who reads for the first time.
    """
    table = _game()
    streams = app_state().streams
    if not streams.acquire():
        english = f"{streams.most} readers are being served; read /api/v1/game every few seconds instead."
        romanian = f"Sunt deja {streams.most} de cititori; citiți /api/v1/game la câteva secunde."
        return api_error("too_many_streams", 503, {"en": english, "ro": romanian})
    after = streams.after(request.headers.get("Last-Event-ID", ""))
    answer = Response(streams.events(table, after), mimetype="text/event-stream")
    answer.headers["X-Accel-Buffering"] = "no"
    answer.call_on_close(streams.release)
    return answer


@game_api.post("")
def ask() -> tuple[Response, int] | Response:
    """Do what an arbiter asks for: `what`, `fields`, the `version` it was seen at, `anyway`."""
    table = _game()
    refusal = None
    if not has_form_token():
        refusal = app_state().gate.refusal(
            table.pin, request.headers.get("X-Remi-Pin"), request.remote_addr, time.monotonic()
        )
    if refusal is not None:
        english, romanian = REFUSED[refusal]
        return api_error(refusal, 403, {"en": english, "ro": romanian})
    body = request.get_json(silent=True)
    if not isinstance(body, dict) or not isinstance(body.get("what"), str):
        abort(400, description='the body must be JSON such as {"what": "undo", "version": 12}')
    fields, version = body.get("fields", {}), body.get("version")
    if not isinstance(fields, dict) or not isinstance(version, int) or isinstance(version, bool):
        abort(400, description="fields must be an object, and version the one that was seen")
    answer = dict(table.post(body["what"], fields, version, anyway=body.get("anyway") is True))
    answer["game"] = table.document()
    return jsonify(answer), STATUS[str(answer["status"])]
