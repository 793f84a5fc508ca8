"""What each route of /api/v1 takes and answers; a route that is not listed here fails a test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import BaseModel

from web_ui import openapi_kept as kept
from web_ui import openapi_models as m

ERROR: Final = m.Problem

_RULES: Final = {
    "name": "rules",
    "in": "query",
    "description": "The rule set to count under; the table's own where it is left out.",
    "schema": {"type": "string", "pattern": "^[a-z_0-9]+$"},
}
_LAST: Final = {
    "name": "Last-Event-ID",
    "in": "header",
    "description": "The id of the last event that was got: what came since follows.",
    "schema": {"type": "string", "pattern": "^[0-9a-f]{8}-[0-9]{1,15}$"},
}
_KNOWN: Final = {
    "name": "If-None-Match",
    "in": "header",
    "description": "The ETag of the table that is known.",
    "schema": {"type": "string", "pattern": '^"[0-9]+-[0-9]+"$'},
}
_PICTURE: Final = {
    "image/jpeg": {"schema": {"type": "string", "format": "binary"}},
    "multipart/form-data": {
        "schema": {
            "type": "object",
            "required": ["picture"],
            "properties": {"picture": {"type": "string", "format": "binary"}},
        }
    },
}


@dataclass(frozen=True)
class Operation:
    """One method of one route. `answers` are a model, a media type, or None for no body, by status; `errors`
    are answered as `Problem`. `body` is a model, or the content by media type.
    """

    endpoint: str
    method: str
    tag: str
    summary: str
    answers: Mapping[int, type[BaseModel] | str | None]
    errors: tuple[int, ...] = ()
    body: type[BaseModel] | Mapping[str, Any] | None = None
    parameters: tuple[Mapping[str, Any], ...] = ()
    security: bool = field(default=False)


_COUNTED: Final[Mapping[int, type[BaseModel] | str | None]] = {200: m.CountedPhoto}

OPERATIONS: Final[tuple[Operation, ...]] = (
    Operation("openapi.document", "get", "about", "This document", {200: m.AnyObject}),
    Operation("openapi.page", "get", "about", "This document as a page", {200: "text/html"}),
    Operation("api.rules", "get", "photos", "The rule sets a photo can be counted under", {200: m.RuleSets}),
    Operation(
        "api.create", "post", "photos", "Read a picture and count it",
        {201: m.CountedPhoto}, (400, 403, 413, 422), _PICTURE, (_RULES,),
    ),
    Operation("api.show", "get", "photos", "A counted photo", _COUNTED, (400, 404), None, (_RULES,)),
    Operation("api.forget", "delete", "photos", "Drop a photo from memory", {204: None}, (403, 404)),
    Operation(
        "api.add_tile", "post", "photos", "Add a tile that was missed",
        {201: m.CountedPhoto}, (400, 403, 404), m.NewTile, (_RULES,),
    ),
    Operation(
        "api.change_tile", "patch", "photos", "Say what a tile shows, and where it counts",
        _COUNTED, (400, 403, 404), m.ChangedTile, (_RULES,),
    ),
    Operation(
        "api.remove_tile", "delete", "photos", "Take away what is no tile",
        _COUNTED, (400, 403, 404), None, (_RULES,),
    ),
    Operation(
        "api.undo", "post", "photos", "Take back the last correction",
        _COUNTED, (400, 403, 404), None, (_RULES,),
    ),
    Operation("table.document", "get", "table", "What the camera sees", {200: m.LiveTable}, (404, 503)),
    Operation(
        "game_api.show", "get", "game", "The game as it is", {200: m.Game, 304: None}, (404,), None, (_KNOWN,)
    ),
    Operation(
        "game_api.events", "get", "game", "Every change of the game, as server-sent events",
        {200: "text/event-stream"}, (404, 503), None, (_LAST,),
    ),
    Operation(
        "game_api.ask", "post", "game", "What an arbiter asks for",
        {200: m.Answer, 409: m.Answer, 422: m.Answer, 503: m.Answer, 400: m.AnswerOrProblem}, (403, 404),
        m.Request, security=True,
    ),
    Operation(
        "history.document", "get", "history", "Matches and players", {200: kept.History}, (404, 503)
    ),
    Operation(
        "history.match_document", "get", "history", "A match with its games", {200: kept.Match}, (404, 503)
    ),
    Operation("sheets.documents", "get", "sheets", "Every score sheet", {200: kept.ScoreSheets}, (404, 503)),
    Operation(
        "sheets.document", "get", "sheets", "A score sheet with all that was ever written on it",
        {200: kept.WrittenSheet}, (404, 503),
    ),
)  # fmt: skip
