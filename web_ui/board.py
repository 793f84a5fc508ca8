"""The scoreboard of a game that is followed, for a TV and for phones, and the look of all pages."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)

from web_ui.board_view import board_view, clock_text
from web_ui.board_words import plain
from web_ui.languages import COOKIE_AGE_S, gettext, in_language, language
from web_ui.match_sheet import match_sheet
from web_ui.places import THEME_COOKIE, THEMES, TYPE_COOKIE
from web_ui.services import StoreError
from web_ui.shared import back, services

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from werkzeug.wrappers import Response as BaseResponse

    from web_ui.services import Game

board = Blueprint("board", __name__)


ICONS: Final = (
    ("icon-192.png", "192x192", "any"),
    ("icon-512.png", "512x512", "any"),
    ("icon-maskable-512.png", "512x512", "maskable"),
)
"""Pictures of the installed page: file, size, purpose."""


def _game() -> Game:
    game = services().game
    if game is None:
        abort(404)
    return game


@board.get("/")
def show() -> BaseResponse | str:
    """Return the scoreboard; where no game is followed photos are counted."""
    if services().game is None:
        query = request.query_string.decode("ascii", "ignore")
        return redirect(url_for("pages.index") + (f"?{query}" if query else ""), 302)
    return render_template(
        "board.html", view=board_view(_game().document()), clock_text=clock_text, plain=plain
    )


@board.get("/board/now")
def now() -> Response:
    """Return the scoreboard as it is now, the part of the page that changes."""
    view = board_view(_game().document())
    answer = make_response(render_template("_board.html", view=view, clock_text=clock_text, plain=plain))
    answer.headers["Cache-Control"] = "no-store"
    return answer


@board.get("/sheet")
def sheet() -> str:
    """Return the score sheet of the match, to be printed."""
    document = _game().document()
    view, match = board_view(document), document.get("match")
    results = match["results"] if match else []
    unread = ""
    try:
        games = match_sheet(document, services().history)
    except StoreError as error:
        games, unread = match_sheet(document, None), in_language(ro=error.hint_ro, en=error.hint_en)
    return render_template(
        "sheet.html", view=view, results=results, games=games, unread=unread, plain=plain,
        over=document["phase"] == "over",
    )  # fmt: skip


@board.get("/qr")
def qr() -> str:
    """Return the page with the code that opens this page on a phone, or how to let phones in."""
    return render_template("qr.html", address=lan_address(services().addresses))


@board.get("/qr.svg")
def qr_picture() -> Response:
    """Return the code itself, black on white; 404 where phones cannot reach the page."""
    import segno

    address = lan_address(services().addresses)
    if address is None:
        abort(404)
    picture = io.BytesIO()
    segno.make(address, error="m", micro=False).save(
        picture, kind="svg", scale=8, border=4, light="#fff", svgclass=None, lineclass=None
    )
    return Response(picture.getvalue(), mimetype="image/svg+xml")


def lan_address(addresses: Callable[[], Sequence[str]] | None) -> str | None:
    """Return the address for phones: the first one that is not only this computer's own."""
    for address in addresses() if addresses is not None else ():
        host = urlsplit(address).hostname or ""
        if host != "localhost" and not host.startswith("127.") and host != "::1":
            return address
    return None


@board.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return what a phone needs to install the page."""
    icons = [
        {"src": url_for("static", filename=name), "sizes": size, "type": "image/png", "purpose": purpose}
        for name, size, purpose in ICONS
    ]
    answer = jsonify(
        {
            "name": "Remi Companion",
            "short_name": "Remi",
            "description": gettext("The scoreboard of a Remi table"),
            "lang": language(),
            "id": "/",
            "start_url": "/",
            "scope": "/",
            "display": "standalone",
            "background_color": "#f4f1ea",
            "theme_color": "#0b655b",
            "icons": icons,
        }
    )
    answer.mimetype = "application/manifest+json"
    return answer


@board.get("/sw.js")
def service_worker() -> Response:
    """Return the service worker from the root, so that it may answer for every page."""
    script = (Path(current_app.static_folder or "") / "sw.js").read_bytes()
    answer = Response(script, mimetype="text/javascript")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@board.get("/offline")
def offline() -> str:
    """Return what an installed page shows while the companion does not answer."""
    return render_template("offline.html")


@board.post("/look")
def set_look() -> BaseResponse:
    """Remember a theme or a size of type, and go back to where the visitor was."""
    answer = redirect(back(request.form.get("next", "")), 303)
    theme, size = request.form.get("theme"), request.form.get("type")
    if theme is None and size is None:
        abort(400)
    if theme not in (None, *THEMES) or size not in (None, "normal", "large"):
        abort(400)
    for cookie, chosen in ((THEME_COOKIE, theme), (TYPE_COOKIE, size)):
        if chosen is not None:
            answer.set_cookie(cookie, chosen, max_age=COOKIE_AGE_S, httponly=True, samesite="Lax")
    return answer
