"""Score sheets: players and rounds, with points from photos or typed, corrected later, exported, printed."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for

from engine.notation import format_seen
from engine.rules import rule_set
from engine.score_sheets import MOST_PLAYERS, SheetError
from engine.tiles import Face
from web_ui.counting import count_photo
from web_ui.csv_files import csv_file
from web_ui.game_api import REFUSED, STATUS
from web_ui.languages import gettext, in_language
from web_ui.line_chart import chart
from web_ui.rule_notes import rules_name
from web_ui.services import PictureRefusedError, StaleError
from web_ui.shared import (
    app_state,
    chosen_rules,
    problem_text,
    read_photo,
    rule_choices,
    services,
    shown_rules_key,
    store,
)
from web_ui.sheet_drafts import DraftItem
from web_ui.sheet_views import next_round, photo_points

if TYPE_CHECKING:
    from collections.abc import Mapping

    from werkzeug.wrappers import Response as BaseResponse

    from engine.score_sheets import Sheet
    from web_ui.services import Sheets

sheets = Blueprint("sheets", __name__)


def _sheets() -> Sheets:
    found = services().sheets
    if found is None:
        abort(404)
    return found


def _sheet(key: str) -> Sheet:
    try:
        return _sheets().get(key)
    except LookupError:
        abort(404)


@sheets.get("/sheets")
def index() -> str:
    """Return the sheets, and the form for a new one."""
    return _index()


def _index(problem: str = "") -> str:
    return render_template(
        "sheets.html", sheets=_sheets().all(), problem=problem, rule_choices=rule_choices(),
        most=MOST_PLAYERS, names=request.form.getlist("player"), name=request.form.get("name", ""),
        rules_name=_rules_name,
    )  # fmt: skip


def _rules_name(key: str) -> str:
    return rules_name(rule_set(key))


@sheets.post("/sheets")
def begin() -> BaseResponse | tuple[str, int]:
    """Begin a sheet."""
    names = [name for name in request.form.getlist("player") if name.strip()]
    fields = {"name": request.form.get("name", "").strip(), "rules": chosen_rules().key, "players": names}
    try:
        sheet = _sheets().begin(fields)
    except SheetError as wrong:
        return _index(_words(wrong)), 422
    return redirect(url_for("sheets.show", key=sheet.id), 303)


@sheets.get("/sheets/<key>")
def show(key: str) -> str:
    """Return a sheet."""
    return _page(_sheet(key))


def _page(sheet: Sheet, problem: str = "", typed: Mapping[int, str] | None = None) -> str:
    return render_template(
        "sheets_one.html", sheet=sheet, next_round=next_round(sheet),
        chart=chart(sheet.players, sheet.running()), rules_name=_rules_name(sheet.rules),
        problem=problem, typed=typed or {},
    )  # fmt: skip


@sheets.post("/sheets/<key>/rounds")
def add_round(key: str) -> BaseResponse | tuple[str, int]:
    """Write a round down."""
    photos = bool(app_state().drafts.of(key))
    fields = {"note": request.form.get("note", ""), "source": "photo" if photos else "typed"}
    answer = _write(key, "round", fields, points=True)
    if not isinstance(answer, tuple):
        app_state().drafts.clear(key)
    return answer


@sheets.get("/sheets/<key>/rounds/<int:number>")
def round_form(key: str, number: int) -> str:
    """Return the form to correct a round, with what it was before."""
    return _round_form(_sheet(key), number)


def _round_form(sheet: Sheet, number: int, problem: str = "") -> str:
    found = next((one for one in sheet.rounds if one.number == number), None)
    if found is None:
        abort(404)
    return render_template("sheet_round.html", sheet=sheet, round=found, problem=problem)


@sheets.post("/sheets/<key>/rounds/<int:number>")
def correct(key: str, number: int) -> BaseResponse | tuple[str, int]:
    """Correct a round, or strike it out (and back in)."""
    if request.form.get("strike"):
        return _write(key, "strike", {"round": number})
    return _write(key, "correct", {"round": number, "note": request.form.get("note", "")}, points=True)


@sheets.post("/sheets/<key>/end")
def end(key: str) -> BaseResponse | tuple[str, int]:
    """End a sheet, or open it again."""
    return _write(key, "reopen" if request.form.get("reopen") else "end", {})


def _write(
    key: str, event: str, fields: dict[str, Any], *, points: bool = False
) -> BaseResponse | tuple[str, int]:
    sheet = _sheet(key)
    version = request.form.get("version", "")
    if not (version.isascii() and version.isdigit()):
        abort(400, description="version")
    typed = {at: request.form.get(f"points-{at}", "") for at in range(len(sheet.players))}
    try:
        if points:
            fields["points"] = [_points(sheet, at, text) for at, text in typed.items()]
        _sheets().write(key, event, fields, version=int(version))
    except SheetError as wrong:
        return _again(sheet, fields, _words(wrong), typed), 422
    except StaleError:
        words = gettext(
            "Somebody else has written on this sheet meanwhile. Look at it as it is now, and try again."
        )
        return _again(_sheet(key), fields, words, typed), 409
    return redirect(url_for("sheets.show", key=key), 303)


def _again(sheet: Sheet, fields: Mapping[str, Any], problem: str, typed: Mapping[int, str]) -> str:
    if "round" in fields:
        return _round_form(sheet, int(fields["round"]), problem)
    return _page(sheet, problem, typed)


def _points(sheet: Sheet, at: int, text: str) -> int:
    plain = text.strip().replace("−", "-")
    if not re.fullmatch(r"[+-]?[0-9]{1,6}", plain):
        name = sheet.players[at]
        raise SheetError(
            "points",
            f"{name}: {text!r} is no whole number of points (such as 70 or -15)",
            f"{name}: {text!r} nu este un număr întreg de puncte (de exemplu 70 sau -15)",
        )
    return int(plain)


def _words(wrong: SheetError) -> str:
    return in_language(ro=wrong.hint_ro, en=wrong.hint_en)


# ---- photos of a round


@sheets.post("/sheets/<key>/photo")
def photograph(key: str) -> BaseResponse | tuple[str, int]:
    """Read a picture for a player of the next round, and show it to be checked."""
    sheet, player = _sheet(key), _player(request.form.get("player", ""))
    data = next((content for content in (file.read() for file in request.files.values()) if content), b"")
    if not data:
        return _page(sheet, gettext("No picture was chosen. Choose one, or take a photo.")), 400
    if not 0 <= player < len(sheet.players):
        abort(400, description="player")
    try:
        photo = read_photo(data)
    except PictureRefusedError as refused:
        return _page(sheet, problem_text(refused)), 422
    app_state().drafts.put(key, DraftItem(photo.token, player, photo_points(photo, sheet.rules)))
    return redirect(url_for("pages.photo", token=photo.token, rules=sheet.rules), 303)


@sheets.post("/photo/<token>/sheet")
def add_photo(token: str) -> BaseResponse:
    """Count a photo for a player of a sheet's next round (`to` is sheet and player)."""
    key, _, place = request.form.get("to", "").partition(":")
    sheet, player, photo = _sheet(key), _player(place), store().get(token)
    if not 0 <= player < len(sheet.players) or sheet.ended:
        abort(400, description="to")
    app_state().drafts.put(key, DraftItem(token, player, photo_points(photo, sheet.rules)))
    return redirect(url_for("sheets.show", key=key) + "#next", 303)


@sheets.post("/sheets/<key>/photo/<token>/drop")
def drop_photo(key: str, token: str) -> BaseResponse:
    """Leave a photo out of the next round."""
    app_state().drafts.drop(_sheet(key).id, token)
    return redirect(url_for("sheets.show", key=key) + "#next", 303)


def _player(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else -1


@sheets.post("/photo/<token>/racks")
def add_rack(token: str) -> BaseResponse | tuple[str, int]:
    """Enter a counted rack into the game that is followed, for a seat whose rack it waits for."""
    game, photo = services().game, store().get(token)
    if game is None:
        abort(404)
    form = request.form
    refusal = app_state().gate.refusal(
        game.pin, form.get("pin"), request.remote_addr, time.monotonic()
    )  # fmt: skip
    if refusal is not None:
        english, romanian = REFUSED[refusal]
        return _message(in_language(ro=romanian, en=english), 403)
    version = form.get("version", "")
    if not (version.isascii() and version.isdigit()) or _player(form.get("seat", "")) < 0:
        abort(400, description="seat, version")
    faces = [tile.seen.face for tile in count_photo(photo, chosen_rules(), services().rows).photo.tiles]
    if not all(isinstance(face, Face) for face in faces):
        return _message(gettext("A tile is not read yet. Say what it is, then enter the rack."), 422)
    racks = {form["seat"]: " ".join(map(format_seen, faces))}
    answer = game.post("command", {"event": "racks", "racks": racks}, int(version), anyway=False)
    if answer["status"] != "done":
        reasons = answer.get("reasons") or ()
        words = in_language(ro=answer["message"]["ro"], en=answer["message"]["en"])
        words = " ".join([words, *(in_language(ro=one["hint_ro"], en=one["hint"]) for one in reasons)])
        return _message(words.strip(), STATUS[str(answer["status"])])
    return redirect(url_for("pages.photo", token=token, rules=shown_rules_key()), 303)


def _message(text: str, status: int) -> tuple[str, int]:
    heading = gettext("This could not be done")
    return render_template("message.html", heading=heading, text=text), status


# ---- files


@sheets.get("/sheets/<key>/sheet.csv")
def as_csv(key: str) -> Response:
    """Return the rounds as a table."""
    sheet = _sheet(key)
    lines: list[tuple[object, ...]] = [("round", *sheet.players, "note")]
    lines += [(one.number, *one.points, one.note) for one in sheet.counting]
    lines.append(("total", *sheet.totals, ""))
    return csv_file(f"remi-sheet-{key}.csv", lines)


@sheets.get("/api/v1/sheets")
def documents() -> Response:
    """Return every sheet as JSON, the newest first."""
    return jsonify({"sheets": [_document(sheet) for sheet in _sheets().all()]})


@sheets.get("/api/v1/sheets/<key>")
def document(key: str) -> Response:
    """Return a sheet as JSON, with every entry that was ever written on it."""
    sheet = _sheet(key)
    entries = [{"event": one.event, "at": one.at, **one.fields} for one in sheet.entries]
    return jsonify({**_document(sheet), "entries": entries})


def _document(sheet: Sheet) -> dict[str, Any]:
    return {
        "id": sheet.id,
        "name": sheet.name,
        "rules": sheet.rules,
        "players": list(sheet.players),
        "version": sheet.version,
        "ended": sheet.ended,
        "rounds": [
            {
                "round": one.number, "points": list(one.points), "at": one.at, "source": one.source,
                "note": one.note, "struck": one.struck, "before": [list(points) for points in one.before],
            }
            for one in sheet.rounds
        ],
        "running": [list(line) for line in sheet.running()],
        "totals": list(sheet.totals),
        "places": list(sheet.places),
        "winners": list(sheet.winners),
    }  # fmt: skip
