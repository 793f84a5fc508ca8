"""The scoreboard of a game that is followed, for a TV and for phones, and the look of all pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, abort, redirect, request, url_for

from web_ui.languages import COOKIE_AGE_S
from web_ui.places import THEME_COOKIE, THEMES, TYPE_COOKIE
from web_ui.shared import back

if TYPE_CHECKING:
    from werkzeug.wrappers import Response as BaseResponse

board = Blueprint("board", __name__)


@board.get("/")
def show() -> BaseResponse | str:
    """Return the scoreboard; where no game is followed photos are counted."""
    return redirect(url_for("pages.index", **request.args.to_dict()), 302)


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
