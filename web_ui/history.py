"""The history: matches, players, games step by step, and their records and scores as files."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for

from engine.records import RecordError, format_record
from web_ui import arbiters
from web_ui.csv_files import csv_file, download
from web_ui.desk_past import is_followed
from web_ui.history_view import GameRow, MatchRow, game_row, match_row, player_rows, shown_record, step_view
from web_ui.languages import gettext, in_language
from web_ui.line_chart import chart
from web_ui.rule_notes import rules_name
from web_ui.shared import services

if TYPE_CHECKING:
    from werkzeug.wrappers import Response as BaseResponse

    from engine.records import Record
    from web_ui.services import History, PlayedMatch

history = Blueprint("history", __name__)

MOST_RECORD_BYTES: Final = 2**20
"""A record of a game of 400 turns has some 100 kB."""
_MOST_KEPT: Final = 20_000


class _Played:
    """What games came to, kept as long as no entry is added to them: to play them again takes a while."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._rows: dict[tuple[Any, ...], GameRow] = {}

    def row(self, match: PlayedMatch, at: int) -> GameRow:
        record = match.records[at]
        key = (match.key, at, len(record.entries), record.header.seats)
        with self._lock:
            found = self._rows.get(key)
        if found is None:
            found = game_row(record, at + 1)
            with self._lock:
                if len(self._rows) >= _MOST_KEPT:
                    self._rows.clear()
                self._rows[key] = found
        return found


@history.record_once
def _remember(state: Any) -> None:
    state.app.extensions["remi_played"] = _Played()


def _history() -> History:
    found = services().history
    if found is None:
        abort(404)
    return found


def _rows() -> tuple[MatchRow, ...]:
    from flask import current_app

    played: _Played = current_app.extensions["remi_played"]
    return tuple(match_row(match, played.row) for match in _history().matches())


def _match(key: str) -> MatchRow:
    found = next((row for row in _rows() if row.match.key == key), None)
    if found is None:
        abort(404)
    return found


def _record(key: str, game: int) -> tuple[MatchRow, Record]:
    row = _match(key)
    if not 1 <= game <= len(row.match.records):
        abort(404)
    return row, shown_record(row.match.records[game - 1], over=row.games[game - 1].over)


@history.get("/history")
def index() -> str:
    """Return matches and players."""
    return _index()


def _index(problem: str = "") -> str:
    rows = _rows()
    csrf = arbiters.form_token(acts=False) if _has_pin() else ""
    return render_template(
        "history.html", rows=tuple(reversed(rows)), players=player_rows(rows, _history()), problem=problem,
        rules_name=rules_name, imports=_may_import(), csrf=csrf,
    )  # fmt: skip


def _has_pin() -> bool:
    game = services().game
    return game is not None and game.pin is not None


def _may_import() -> bool:
    """Whether the visitor may add to the history: beside a table that is followed its arbiter alone.

    An imported game cannot be taken out again, and counts in everybody's statistics and ratings.
    """
    if _has_pin():
        return arbiters.form_token(acts=False) is not None
    return services().game is None or arbiters.may_without_pin()


@history.get("/history/players.csv")
def players_csv() -> Response:
    """Return the players as a table."""
    head = (
        "player", "games", "wins", "points", "average", "best", "worst", "openings", "closings", "doubles",
        "atus", "breaches", "rating_mu", "rating_sigma", "rating_ordinal",
    )  # fmt: skip
    lines: list[tuple[object, ...]] = [head]
    for row in player_rows(_rows(), _history()):
        one, rated = row.player, row.rating
        strength = ("", "", "") if rated is None else tuple(
            round(value, 3) for value in (rated.mu, rated.sigma, rated.ordinal)
        )  # fmt: skip
        lines.append(
            (one.name, one.games, one.wins, one.points, round(one.average, 2), one.best, one.worst,
             one.openings, one.closings, one.doubles, one.atus, one.breaches, *strength)
        )  # fmt: skip
    return csv_file("remi-players.csv", lines)


@history.get("/history/<key>")
def match(key: str) -> str:
    """Return a match: scores of its games, chart."""
    row = _match(key)
    return render_template(
        "history_match.html", row=row, chart=chart(row.match.names, row.running), rules_name=rules_name
    )


@history.get("/history/<key>/scores.csv")
def scores_csv(key: str) -> Response:
    """Return the scores of a match as a table."""
    row = _match(key)
    lines: list[tuple[object, ...]] = [("game", *row.match.names)]
    lines += [(game.number, *game.points) for game in row.games if game.over]
    lines.append(("total", *row.totals))
    return csv_file(f"remi-match-{key}.csv", lines)


@history.get("/history/<key>/<int:game>")
def game(key: str, game: int) -> str:
    """Return a game as it stood after `step` entries; after all of them by default."""
    row, record = _record(key, game)
    step = request.args.get("step", "")
    if step and not (step.isascii() and step.isdigit() and len(step) < 7):
        abort(400, description="step")
    view = step_view(record, int(step) if step else None)
    return render_template("history_game.html", row=row, game=game, view=view, rules=record.header.rules,
                           rules_name=rules_name, correctable=_may_correct(row.match))  # fmt: skip


def _may_correct(match: PlayedMatch) -> bool:
    """Whether the visitor is an arbiter who has logged in, and the match the one that is followed."""
    game = services().game
    if game is None or arbiters.form_token(acts=False) is None:
        return False
    return is_followed(match, game.document())


@history.get("/history/<key>/<int:game>/record.remi.jsonl")
def record(key: str, game: int) -> Response:
    """Return the record of a game as a file, without racks while it is on."""
    _, found = _record(key, game)
    name = f"remi-match-{key}-game-{game}.remi.jsonl"
    return download(name, format_record(found, with_resolved=True), "application/x-ndjson; charset=utf-8")


@history.post("/history/import")
def add() -> BaseResponse | tuple[str, int]:
    """Keep a record that was sent as an imported game, and show it."""
    if not _may_import():
        return _index(
            gettext("Only the table's arbiter imports games. Log in at the desk, then try again.")
        ), 401
    if _has_pin() and not arbiters.has_form_token():
        abort(403)
    file = request.files.get("record")
    data = file.read(MOST_RECORD_BYTES + 1) if file is not None else b""
    if not data:
        return _index(gettext("No record was chosen. Choose a file that ends in .remi.jsonl.")), 400
    if len(data) > MOST_RECORD_BYTES:
        return _index(gettext("This file is bigger than 1 MB: no record of a game is.")), 413
    try:
        key = _history().add(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return _index(gettext("This file is no text, so it is no record of a game.")), 422
    except RecordError as wrong:
        return _index(in_language(ro=wrong.hint_ro, en=wrong.hint_en)), 422
    return redirect(url_for("history.game", key=key, game=1, step=0), 303)


@history.get("/api/v1/history")
def document() -> Response:
    """Return matches and players as JSON; a game that is on has its public points only."""
    rows = _rows()
    players = [
        {
            "name": row.player.name, "games": row.player.games, "wins": row.player.wins,
            "points": row.player.points, "average": row.player.average, "best": row.player.best,
            "worst": row.player.worst, "openings": row.player.openings, "closings": row.player.closings,
            "doubles": row.player.doubles, "atus": row.player.atus, "breaches": row.player.breaches,
            "rating": None if row.rating is None else
            {"mu": row.rating.mu, "sigma": row.rating.sigma, "ordinal": row.rating.ordinal},
        }
        for row in player_rows(rows, _history())
    ]  # fmt: skip
    return jsonify({"matches": [_match_document(row) for row in rows], "players": players})


@history.get("/api/v1/history/<key>")
def match_document(key: str) -> Response:
    """Return a match as JSON."""
    return jsonify(_match_document(_match(key)))


def _match_document(row: MatchRow) -> dict[str, Any]:
    found = row.match
    return {
        "key": found.key,
        "imported": found.imported,
        "begun": found.begun,
        "names": list(found.names),
        "games": [
            {
                "game": one.number, "over": one.over, "points": list(one.points), "closed_by": one.closer,
                "entries": len(found.records[one.number - 1].entries),
                "record": url_for("history.record", key=found.key, game=one.number),
            }
            for one in row.games
        ],
        "totals": list(row.totals),
        "places": list(row.places),
        "over": found.over,
    }  # fmt: skip
