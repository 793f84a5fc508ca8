"""The set-up of a table, step by step: rules, players, camera, board, tiles, and the check of it all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for

from engine.rules import RULE_KEYS, rule_set
from web_ui.languages import in_language
from web_ui.rule_notes import rules_name, uses_cards
from web_ui.services import BothLanguages
from web_ui.setup_forms import changes_of, rule_groups, rule_texts, text_of
from web_ui.setup_guard import require_arbiter
from web_ui.setup_needs import Saved
from web_ui.setup_view import outlines_of, zone_views
from web_ui.shared import services

if TYPE_CHECKING:
    from collections.abc import Sequence

    from werkzeug.wrappers import Response as BaseResponse

    from web_ui.setup_needs import TableSetup, Wrong

    Answer = str | tuple[str, int] | BaseResponse

setup = Blueprint("setup", __name__, url_prefix="/setup")
setup.before_request(require_arbiter)

PLAYERS: Final = (
    "table", "players.names", "players.dealer", "match.games", "match.target", "turn.commit", "turn.clock",
    "turn.limit_s", "turn.warn_s",
)  # fmt: skip
CAMERA: Final = ("camera.source", "camera.rig", "camera.zones", "camera.racks", "camera.lean_deg")
BOARD: Final = ("board.port", "board.places", "board.brightness", "board.sound", "board.quiet")
MOST_CORNERS: Final = 12


@setup.get("")
def index() -> str:
    """Return the steps."""
    return _page("setup.html", "index", board=_table().board())


@setup.get("/rules")
def rules() -> str:
    """Return the form of the rules: of the table, or of the base that is asked for."""
    values = _table().now().values
    base = request.args.get("base", str(values["rules.base"]))
    if base not in _bases():
        abort(404)
    kept = values["rules.changes"] if base == values["rules.base"] else {}
    return _rules(base, rule_texts(base, kept))


@setup.post("/rules")
def save_rules() -> Answer:
    """Keep the rules."""
    base = request.form.get("base", "")
    if base not in _bases():
        abort(400, description="base")
    texts = {name: request.form.get(name, "") for name in rule_texts(base, {})}
    saved = _table().save({"rules.base": base, "rules.changes": changes_of(base, texts)}, _stamp())
    if saved.status == "saved":
        return _done("setup.rules", saved)
    return _rules(base, texts, saved), _code(saved)


@setup.get("/players")
def players() -> str:
    """Return players, match and turn."""
    return _fields("setup_players.html", "players", _typed(PLAYERS))


@setup.post("/players")
def save_players() -> Answer:
    """Keep players, match and turn."""
    return _save("setup_players.html", "players", PLAYERS)


@setup.get("/camera")
def camera() -> str:
    """Return camera, zones and legibility."""
    return _camera(_typed(CAMERA))


@setup.post("/camera")
def save_camera() -> Answer:
    """Keep the settings of the camera."""
    typed, values = _read(CAMERA)
    saved = _table().save(values, _stamp())
    return _done("setup.camera", saved) if saved.status == "saved" else (_camera(typed, saved), _code(saved))


@setup.post("/zones")
def save_zones() -> Answer:
    """Keep the zones."""
    outlines = outlines_of(_outline_texts())
    saved = (
        Saved("wrong", outlines) if isinstance(outlines, tuple) else _table().save_zones(outlines, _stamp())
    )
    return (
        _done("setup.camera", saved)
        if saved.status == "saved"
        else (_camera(_typed(CAMERA), saved, _outline_texts()), _code(saved))
    )


@setup.get("/picture.jpg")
def picture() -> Response:
    """Return the table from straight above, racks covered."""
    jpeg = _table().picture()
    if jpeg is None:
        abort(404)
    return Response(jpeg, mimetype="image/jpeg")


@setup.get("/board")
def board() -> str:
    """Return the board."""
    return _fields("setup_board.html", "board", _typed(BOARD), board=_table().board())


@setup.post("/board")
def save_board() -> Answer:
    """Keep the settings of the board."""
    return _save("setup_board.html", "board", BOARD)


@setup.post("/board/lamp")
def lamp() -> BaseResponse:
    """Light a lamp for two seconds."""
    seat = request.form.get("seat", "")
    if not seat.isdecimal() or not _table().test_lamp(int(seat)):
        abort(404)
    return redirect(url_for("setup.board", lit=seat, _anchor="lamps"), 303)


@setup.post("/board/buttons")
def buttons() -> BaseResponse:
    """Keep presses from the game for half a minute, and show them."""
    if not _table().test_buttons():
        abort(404)
    return redirect(url_for("setup.board", _anchor="buttons"), 303)


@setup.get("/board/presses")
def presses() -> str:
    """Return the newest presses."""
    return render_template("_setup_presses.html", board=_table().board(), names=_names())


@setup.get("/tiles")
def tiles() -> str:
    """Return which set of tiles the table is read with."""
    sets = services().tile_sets
    names = [] if sets is None else list(sets.names())
    typed = _typed(("camera.tileset",))
    return _fields("setup_tiles.html", "tiles", typed, names=names)


@setup.post("/tiles")
def save_tiles() -> Answer:
    """Keep which set of tiles the table is read with."""
    name = request.form.get("camera.tileset", "")
    sets = services().tile_sets
    if name and (sets is None or name not in sets.names()):
        abort(400, description="camera.tileset")
    return _done("setup.tiles", _table().save({"camera.tileset": name or None}, _stamp()))


@setup.get("/check")
def check() -> str:
    """Return the start of the check; with `run` what it found."""
    found = _table().checks() if "run" in request.args else None
    return _page("setup_check.html", "check", checks=found)


def _table() -> TableSetup:
    found = services().setup
    if found is None:
        abort(404)
    return found


def _names() -> list[str]:
    return [str(name) for name in _table().now().values["players.names"]]


def _bases() -> list[str]:
    return [key for key in RULE_KEYS if not uses_cards(rule_set(key))]


def _stamp() -> str:
    return request.form.get("stamp", "")


def _code(saved: Saved) -> int:
    return {"stale": 409, "wrong": 422, "failed": 503, "saved": 200}[saved.status]


def _page(template: str, step: str, saved: Saved | None = None, **values: Any) -> str:
    now = _table().now()
    effects = request.args.getlist("effect") if request.method == "GET" and "saved" in request.args else []
    wrong = () if saved is None else saved.wrong
    general = [_said(one.words) for one in wrong if one.field in {"", "zones"}]
    return render_template(
        template, now=now, step=step, saved=effects, general=general, said=_said,
        stale=saved is not None and saved.status == "stale", count=len(wrong), **values,
    )  # fmt: skip


def _said(words: BothLanguages) -> str:
    return in_language(ro=words.ro, en=words.en)


def _done(endpoint: str, saved: Saved) -> BaseResponse:
    if saved.status != "saved":
        return redirect(url_for(endpoint, lost=1), 303)
    # In words of this visitor: the page that follows shows them once.
    return redirect(url_for(endpoint, saved=1, effect=[_said(one) for one in saved.effects]), 303)


def _rules(base: str, texts: dict[str, str], saved: Saved | None = None) -> str:
    groups = rule_groups(base, texts, () if saved is None else saved.wrong)
    bases = [(key, rules_name(rule_set(key))) for key in _bases()]
    changed = [entry for group in groups for entry in group.entries if entry.changed]
    return _page(
        "setup_rules.html", "rules", saved, groups=groups, base=base, bases=bases, changed=changed,
        base_name=rules_name(rule_set(base)),
    )  # fmt: skip


def _typed(keys: Sequence[str]) -> dict[str, str]:
    values = _table().now().values
    return {key: _text(key, values[key]) for key in keys}


def _text(key: str, value: object) -> str:
    if key == "players.names" and isinstance(value, list | tuple):
        return "\n".join(map(str, value))
    if key == "board.quiet" and isinstance(value, list | tuple):
        return " ".join(str(one)[:5] for one in value)
    if isinstance(value, list | tuple):
        return " ".join(f"{one:g}" if isinstance(one, float) else str(one) for one in value)
    return f"{value:g}" if isinstance(value, float) else text_of(value)


def _read(keys: Sequence[str]) -> tuple[dict[str, str], dict[str, Any]]:
    """Return what was typed, and the values that it means; what means none stays as it was typed."""
    before = _table().now().values
    typed = {key: request.form.get(key, "") for key in keys}
    if "players.names" in typed:
        typed["players.names"] = "\n".join(request.form.getlist("players.names"))
    return typed, {key: _value(key, text.strip(), before[key]) for key, text in typed.items()}


def _value(key: str, text: str, before: object) -> Any:
    if key == "players.names":
        return [name.strip() for name in text.splitlines() if name.strip()]
    if key == "board.quiet":
        return text.split()
    if key in {"board.places", "turn.warn_s"}:
        return [_number(word) for word in text.replace(",", " ").split()]
    if isinstance(before, bool):
        return text == "yes"
    if isinstance(before, int | float) or key in {"match.games", "match.target"}:
        return _number(text) if text else None
    return text or None


def _number(text: str) -> int | float | str:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    return int(number) if number.is_integer() and abs(number) < 1e9 else number


def _problems(wrong: Sequence[Wrong]) -> dict[str, list[str]]:
    said: dict[str, list[str]] = {}
    for one in wrong:
        said.setdefault(one.field, []).append(_said(one.words))
    return said


def _fields(
    template: str, step: str, typed: dict[str, str], saved: Saved | None = None, **values: Any
) -> str:
    problems = _problems(() if saved is None else saved.wrong)
    return _page(
        template, step, saved, typed=typed, problems=problems, names=values.pop("names", _names()), **values
    )


def _save(template: str, step: str, keys: Sequence[str]) -> Answer:
    typed, values = _read(keys)
    saved = _table().save(values, _stamp())
    if saved.status == "saved":
        return _done(f"setup.{step}", saved)
    return _fields(template, step, typed, saved, board=_table().board()), _code(saved)


def _camera(
    typed: dict[str, str], saved: Saved | None = None, outlines: list[list[tuple[str, str]]] | None = None
) -> str:
    found = _table().zones()
    missing = _said(found) if isinstance(found, BothLanguages) else ""
    zones = None if isinstance(found, BothLanguages) else found
    problems = _problems(() if saved is None else saved.wrong)
    views = [] if zones is None else zone_views(zones, outlines, problems)
    return _fields("setup_camera.html", "camera", typed, saved, zones=zones, views=views, missing=missing)


def _outline_texts() -> list[list[tuple[str, str]]]:
    """The corners as they were typed, zone by zone."""
    found: list[list[tuple[str, str]]] = []
    while f"z{len(found)}-0-x" in request.form and len(found) < 32:
        at = len(found)
        corners = [
            (request.form.get(f"z{at}-{n}-x", ""), request.form.get(f"z{at}-{n}-y", ""))
            for n in range(MOST_CORNERS)
            if f"z{at}-{n}-x" in request.form
        ]
        found.append(corners)
    return found
