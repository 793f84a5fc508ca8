"""The game at a table as JSON, /api/v1/game: its changes as a stream of events, an arbiter's requests."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, abort, jsonify, request

from web_ui.problems import api_error
from web_ui.shared import MOST_STREAMS, app_state, services

if TYPE_CHECKING:
    from collections.abc import Mapping

    from web_ui.services import Game

game_api = Blueprint("game_api", __name__, url_prefix="/api/v1/game")

_POLL_S: Final = 0.5
_BEAT_S: Final = 15.0

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
    """Stream the table whenever it changes (text/event-stream): event `game`, its number as id.

    A reader that was cut off sends Last-Event-ID and gets the table at once where it has changed since.
    """
    table = _game()
    streams = app_state().streams
    if not streams.acquire(blocking=False):
        english = f"{MOST_STREAMS} readers are being served; read /api/v1/game every few seconds instead."
        romanian = f"Sunt deja {MOST_STREAMS} cititori; citiți /api/v1/game la câteva secunde."
        return api_error("too_many_streams", 503, {"en": english, "ro": romanian})
    last = request.headers.get("Last-Event-ID", "")
    after = int(last) if last.isdecimal() else 0
    number = int(table.document()["number"])
    # Numbers begin anew when the companion does; who knows a later one has seen another run.
    stream = _stream(table, after if after <= number else 0)
    answer = Response(stream, mimetype="text/event-stream")
    answer.headers["X-Accel-Buffering"] = "no"
    answer.call_on_close(streams.release)
    return answer


def _stream(table: Game, after: int) -> Iterator[str]:
    yield "retry: 2000\n\n"
    silent = 0.0
    while not table.closed:
        document = table.wait(after, _POLL_S)
        if document is None:
            silent += _POLL_S
            if silent >= _BEAT_S:
                silent = 0.0
                yield ": still here\n\n"
            continue
        silent = 0.0
        after = int(document["number"])
        yield _event(document)


def _event(document: Mapping[str, Any]) -> str:
    return f"id: {document['number']}\nevent: game\ndata: {json.dumps(document, ensure_ascii=False)}\n\n"


@game_api.post("")
def ask() -> tuple[Response, int] | Response:
    """Do what an arbiter asks for: `what`, `fields`, the `version` it was seen at, `anyway`."""
    table = _game()
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
