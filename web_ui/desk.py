"""The arbiter's desk, /arbiter: log in, see what is in doubt, correct it, and see first what that changes."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Final

from flask import (
    Blueprint,
    Response,
    abort,
    flash,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)

from engine.public_reading import public_reading
from engine.tiles import JOKER, TILE_COLOURS
from web_ui import arbiters
from web_ui.board_words import entry_words
from web_ui.desk_changes import changes
from web_ui.desk_forms import (
    KINDS,
    FormError,
    announcement_words,
    as_text,
    from_text,
    inputs,
    post_fields,
    whole,
)
from web_ui.desk_past import past_game
from web_ui.desk_view import doubts, entries, face_choices, game_places, place_of, table_tiles
from web_ui.desk_words import kind_words, name_of, names_of, post_words
from web_ui.faces import colours, face_view
from web_ui.languages import gettext, in_language
from web_ui.services import StoreError
from web_ui.shared import app_state, back, is_fragment, services
from web_ui.table_view import table_view

if TYPE_CHECKING:
    from collections.abc import Mapping

    from web_ui.desk_view import GamePlace
    from web_ui.services import Game, LiveTable

desk = Blueprint("desk", __name__, url_prefix="/arbiter")

_STATUS = {"stale": 409, "conflict": 409, "refused": 422, "wrong": 400, "failed": 503}
_OPEN = frozenset({"desk.log_in"})
_BY_ITSELF = frozenset({"desk.now", "desk.picture", "desk.crop"})
_AT_ONCE = frozenset({"answer", "pause", "resume", "calls_done"})
"""What is done without asking back: it is undone as easily."""

DIFFERENCES_SHOWN: Final = 6
"""One after another they are seen to: those that follow come up then."""


@desk.before_request
def only_arbiters() -> Any:
    """Let nobody by who is not logged in, and no form that does not come from this page."""
    if services().game is None:
        abort(404)
    if request.endpoint in _OPEN:
        return None
    if arbiters.form_token(acts=request.endpoint not in _BY_ITSELF) is None:
        if request.method == "GET" and request.endpoint == "desk.show":
            return _login(403 if _game().pin is None else 200)
        if is_fragment():
            return make_response("", 401, {"HX-Redirect": url_for("desk.show")})
        return _login(401, gettext("Log in again: you were away for long.")) if _game().pin else _login(403)
    if request.method == "POST" and not arbiters.has_form_token():
        abort(403)
    return None


@desk.errorhandler(StoreError)
def not_read(error: StoreError) -> tuple[str, int]:
    """Say that the history cannot be read."""
    text = in_language(ro=error.hint_ro, en=error.hint_en)
    return render_template("message.html", heading=gettext("This could not be done"), text=text), 503


@desk.post("/login")
def log_in() -> Any:
    """Open a session for who knows the PIN."""
    refusal = app_state().gate.refusal(
        _game().pin, request.form.get("pin", "").strip(), request.remote_addr, time.monotonic()
    )
    if refusal == "pin_locked":
        return _login(429, gettext("Too many wrong PINs. Wait a minute, then try again."))
    if refusal is not None:
        return _login(403, gettext("This PIN is wrong. It stands in the table file under [page]."))
    arbiters.log_in()
    return redirect(back(request.form.get("next") or url_for("desk.show")), 303)


@desk.post("/logout")
def log_out() -> Any:
    """End the session."""
    arbiters.log_out()
    return redirect(url_for("desk.show"), 303)


@desk.get("")
def show() -> str:
    """Return the desk."""
    return render_template("desk.html", **_values())


@desk.get("/now")
def now() -> str:
    """Return the parts of the desk that change by themselves."""
    return render_template("_desk_now.html", **_values())


@desk.get("/picture.jpg")
def picture() -> Response:
    """Return the newest picture, with the racks open that may be read now."""
    return _jpeg(_table().arbiters_picture())


@desk.get("/crop/<int:key>.jpg")
def crop(key: int) -> Response:
    """Return one tile of the newest picture."""
    return _jpeg(_table().crop(key))


@desk.get("/entry/<int:seq>")
def entry(seq: int) -> str:
    """Return the forms that amend or void an entry, with `game` one of an earlier game of the match."""
    game, entries, past = _game().document(), _game().entries(), None
    number = request.args.get("game", type=int, default=int(game["game"]))
    if number != game["game"]:
        past = past_game(game, services().history, number)
        if past is None:
            abort(404)
        entries = past.entries
    found = next((one for one in entries if one["seq"] == seq), None)
    if found is None:
        abort(404)
    kind = str(found["event"])
    fields = inputs(kind, game if past is None else past.game, found) if kind in KINDS else None
    return render_template(
        "desk_entry.html",
        **_frame(game),
        entry=found,
        kind=kind,
        words=entry_words(found, names_of(game)),
        fields=fields,
        number=None if past is None else number,
    )


@desk.get("/enter/<kind>")
def enter(kind: str) -> str:
    """Return the form for an entry by hand."""
    if kind not in KINDS:
        abort(404)
    game = _game().document()
    return render_template(
        "desk_enter.html", **_frame(game), kind=kind, words=kind_words(kind), fields=inputs(kind, game)
    )


@desk.get("/tile")
def tile() -> str:
    """Return the choice of a face for a tile of the game."""
    game = _game().document()
    try:
        place = place_of(game, request.args.get("meld", ""), whole("at", request.args.get("at", "")))
    except FormError:
        place = None
    if place is None:
        abort(404)
    return render_template(
        "desk_tile.html",
        **_frame(game),
        place=place,
        key=request.args.get("key", "") or _key_of(place, game),
        perhaps=face_choices(request.args.get("perhaps", "")),
    )


def _key_of(place: GamePlace, game: Mapping[str, Any]) -> str:
    """Return which tile of the newest reading is that of the game; nothing where none is."""
    table = services().table
    reading = None if table is None else table.now().reading
    if reading is None:
        return ""
    found = game_places(public_reading(reading), game)
    return next((str(key) for key, one in found.items() if one == place), "")


@desk.post("/check")
def check() -> Any:
    """Show what a correction would change."""
    what, game = request.form.get("what", ""), _game().document()
    try:
        fields = post_fields(what, request.form, game)
    except FormError as wrong:
        return _shown("desk_wrong.html", 400, **_frame(game), message=str(wrong))
    if what in _AT_ONCE:
        return _do(what, fields, None if what == "answer" else _version())
    seen = request.form.get("version", "")
    return _check(what, fields, moved=seen != str(game["version"]), status=200)


@desk.post("/do")
def do() -> Any:
    """Do what was shown, unless the game has moved on since: then show it anew."""
    try:
        return _do(request.form.get("what", ""), from_text(request.form.get("fields", "")), _version())
    except FormError:
        abort(400)


def _do(what: str, fields: dict[str, Any], version: int | None) -> Any:
    anyway = request.form.get("anyway") == "1"
    answer = _game().post(what, fields, version, anyway=anyway)
    status = str(answer["status"])
    if status == "done":
        if is_fragment():
            return make_response("", 204)  # the desk fetches what is new by itself
        words = post_words(what, fields, _game().document())
        flash(gettext("Done: %(what)s", what=words))
        return _to_desk()
    if what in _AT_ONCE:
        flash(_message(answer) or gettext("Nothing was changed."))
        return _to_desk()
    if status in {"stale", "conflict", "refused"}:
        return _check(what, fields, moved=status == "stale", status=_STATUS[status])
    return _shown("desk_wrong.html", _STATUS[status], **_frame(_game().document()), message=_message(answer))


def _check(what: str, fields: dict[str, Any], *, moved: bool, status: int) -> Any:
    game = _game().document()
    version = int(game["version"])
    answer = _game().preview(what, fields, version, anyway=False)
    against = [*answer["reasons"], *answer["conflicts"]]
    blocked = str(answer["status"]) in {"refused", "conflict"}
    message = _message(answer) if answer["status"] != "done" else ""
    anyway = blocked or (answer["status"] == "wrong" and what in {"next_deal", "new_match"})
    if anyway:
        answer = _game().preview(what, fields, version, anyway=True)
    after = answer.get("game")
    if after is not None and what == "next_deal":
        fields = {**fields, "dealer": after["dealer"]}  # drawn by chance perhaps: what was shown holds
    return _shown(
        "desk_check.html",
        status,
        **_frame({**game, "version": answer["version"]}),
        what=what,
        fields_text=as_text(fields),
        words=post_words(what, fields, game),
        moved=moved,
        message=message or ("" if after is not None else _message(answer)),
        against=[
            {"text": in_language(ro=one["hint_ro"], en=one["hint"]), "clause": one["clause"]}
            for one in against
        ],
        anyway=anyway,
        changes=[] if after is None else changes(game, after),
        possible=after is not None,
        dealer=None if after is None or what != "next_deal" else name_of(after, after["dealer"]),
    )


def _message(answer: Mapping[str, Any]) -> str:
    said = answer["message"]
    reasons = [in_language(ro=one["hint_ro"], en=one["hint"]) for one in answer["reasons"]]
    return in_language(ro=said["ro"], en=said["en"]) or " ".join(reasons)


def _shown(template: str, status: int, **values: Any) -> Response:
    # htmx puts the part of the page where it belongs; without it the same comes as a whole page.
    name = f"_{template}" if is_fragment() else template
    return make_response(render_template(name, **values), status)


def _to_desk() -> Any:
    if is_fragment():
        return make_response("", 204, {"HX-Redirect": url_for("desk.show")})
    return redirect(url_for("desk.show"), 303)


def _game() -> Game:
    game = services().game
    if game is None:
        abort(404)
    return game


def _table() -> LiveTable:
    found = services().table
    if found is None:
        abort(404)
    return found


def _jpeg(data: bytes | None) -> Response:
    if data is None:
        abort(404)
    answer = Response(data, mimetype="image/jpeg")
    answer.headers["Cache-Control"] = "no-store, private"
    return answer


def _version() -> int:
    try:
        return whole("version", request.form.get("version", ""))
    except FormError:
        abort(400)


def _login(status: int, message: str = "") -> Response:
    values = {
        "message": message,
        "here_only": _game().pin is None,
        "next": request.values.get("next") if request.endpoint in {"desk.show", "desk.log_in"} else None,
    }
    return make_response(render_template("desk_login.html", **values), status)


def _frame(game: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "game": game,
        "csrf": arbiters.form_token(acts=False),
        "colours": colours(),
        "joker": face_view(JOKER),
        "palette": [[f"{colour}{number}" for number in range(1, 14)] for colour in TILE_COLOURS],
    }


def _values() -> dict[str, Any]:
    game = _game().document()
    seen = None if services().table is None else _table().now()
    return {
        **_frame(game),
        "view": None
        if seen is None
        else table_view(seen, picture_url=url_for("desk.picture", n=seen.picture)),
        "doubts": doubts(None if seen is None else seen.reading, game),
        "differences_shown": DIFFERENCES_SHOWN,
        "placed": table_tiles(game),
        "entries": entries({**game, "entries": _game().entries()}),
        "kinds": [(kind, kind_words(kind)) for kind in KINDS],
        "calls": [one for one in game["seats"] if one["called"]],
        "name_of": lambda seat: name_of(game, seat),
        "announcement_words": announcement_words,
        "said": lambda one, key: in_language(ro=one[f"{key}_ro"], en=one[key]),
    }
