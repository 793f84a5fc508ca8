"""Errors that teach: what went wrong and what to do, as a page, to htmx, or as JSON in both languages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Flask, jsonify, make_response, render_template, request
from werkzeug.exceptions import HTTPException

from web_ui.languages import LANGUAGES, gettext, in_language, speaking
from web_ui.pages import start_page
from web_ui.photos import PhotoLostError, TileLostError
from web_ui.services import StoreError
from web_ui.shared import is_fragment

if TYPE_CHECKING:
    from flask import Response

API_PREFIX = "/api/"
UPLOADS = frozenset({"pages.upload", "pages.upload_sample"})


def too_big_text(max_bytes: int) -> str:
    """Return what to do with a file that is too big."""
    return gettext(
        "This file is bigger than %(megabytes)d MB. "
        "Take the photo at a lower resolution, or send it as JPEG.",
        megabytes=max_bytes // 2**20,
    )


def _words(code: str, *, detail: str, max_bytes: int) -> tuple[str, str]:
    """Return heading and text of a problem."""
    words = {
        "photo_lost": (
            gettext("This picture is gone"),
            gettext(
                "Pictures are kept in memory only: for some hours, and only so many. "
                "Count the photo again; nothing else is lost."
            ),
        ),
        "tile_lost": (
            gettext("This tile is gone"),
            gettext("It was taken away meanwhile. Go back to the photo."),
        ),
        "other_site": (
            gettext("Refused"),
            gettext(
                "Another site made your browser send this. Open the page of the companion and try there."
            ),
        ),
        "too_big": (gettext("This file is too big"), too_big_text(max_bytes)),
        "not_found": (
            gettext("Nothing here"),
            gettext("There is no such page. The photo counting starts here:"),
        ),
        "bad_request": (
            gettext("This was not understood"),
            gettext("Something is missing or wrong in what was sent: %(detail)s", detail=detail),
        ),
        "failed": (
            gettext("The companion made a mistake"),
            gettext(
                "It could not finish because of a fault in the program, not in your picture. "
                "The window it was started from says more. Try again, or try another picture."
            ),
        ),
    }
    return words[code]


def api_error(code: str, status: int, texts: dict[str, str]) -> Response:
    """Return the one shape of every JSON error: a code, and the text in each language."""
    answer = jsonify({"error": {"code": code, "message": texts}})
    answer.status_code = status
    return answer


def _answer(code: str, status: int, *, detail: str, max_bytes: int) -> Response:
    if request.path.startswith(API_PREFIX):
        texts = {}
        for key in LANGUAGES:
            with speaking(key):
                texts[key] = _words(code, detail=detail, max_bytes=max_bytes)[1]
        return api_error(code, status, texts)
    if is_fragment():
        # What is on the screen stays; where the photo or tile is gone, the page loads anew and says so.
        lost = code in {"photo_lost", "tile_lost"}
        return make_response("", status, {"HX-Refresh": "true"} if lost else {"HX-Reswap": "none"})
    heading, text = _words(code, detail=detail, max_bytes=max_bytes)
    if request.endpoint in UPLOADS and code in {"too_big", "failed"}:
        return make_response(start_page(text), status)
    return make_response(render_template("message.html", heading=heading, text=text), status)


def install(app: Flask, *, max_bytes: int) -> None:
    """Answer every error of the app in words."""

    def photo_lost(_: PhotoLostError) -> Response:
        return _answer("photo_lost", 404, detail="", max_bytes=max_bytes)

    def tile_lost(_: TileLostError) -> Response:
        return _answer("tile_lost", 404, detail="", max_bytes=max_bytes)

    def not_stored(error: StoreError) -> Response:
        texts = {"ro": error.hint_ro, "en": error.hint_en}
        if request.path.startswith(API_PREFIX):
            return api_error("not_stored", 503, texts)
        heading, text = gettext("This could not be done"), in_language(**texts)
        return make_response(render_template("message.html", heading=heading, text=text), 503)

    def http(error: HTTPException) -> Response:
        status = error.code or 500
        codes = {403: "other_site", 404: "not_found", 413: "too_big"}
        code = codes.get(status, "bad_request" if status < 500 else "failed")
        return _answer(code, status, detail=error.description or "", max_bytes=max_bytes)

    app.register_error_handler(PhotoLostError, photo_lost)
    app.register_error_handler(TileLostError, tile_lost)
    app.register_error_handler(StoreError, not_stored)
    app.register_error_handler(HTTPException, http)
