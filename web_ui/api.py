"""The JSON interface to photo counting, /api/v1: send a picture, read its count, correct a tile."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, abort, jsonify, request, url_for

from engine.notation import NotationError, format_seen, parse_seen
from engine.rules import RULE_KEYS, rule_set
from web_ui import photos
from web_ui.counting import count_photo
from web_ui.problems import api_error
from web_ui.services import PictureRefusedError
from web_ui.shared import chosen_rules, read_photo, services, store

if TYPE_CHECKING:
    from engine.repair import Conflict, Repair
    from engine.tiles import Seen
    from web_ui.counting import Counted
    from web_ui.photos import Photo, PhotoTile

api = Blueprint("api", __name__, url_prefix="/api/v1")

Json = dict[str, Any]


@api.get("/rules")
def rules() -> Response:
    """Return the rule sets that a photo can be counted under."""
    sets = [rule_set(key) for key in RULE_KEYS]
    return jsonify({"rules": [{"key": r.key, "name": {"ro": r.name_ro, "en": r.name_en}} for r in sets]})


@api.post("/photos")
def create() -> tuple[Response, int, dict[str, str]] | Response:
    """Read the picture that is the body, or the form field `picture`, and count it."""
    if request.mimetype == "multipart/form-data":
        data = request.files["picture"].read() if "picture" in request.files else b""
    else:
        data = request.get_data(cache=False)
    if not data:
        abort(
            400, description="the body must be a picture, or a form with the picture in the field 'picture'"
        )
    rules_now = chosen_rules()
    try:
        photo = read_photo(data)
    except PictureRefusedError as refused:
        return api_error(refused.code, 422, {"ro": refused.message_ro, "en": refused.message_en})
    answer = jsonify(photo_json(count_photo(photo, rules_now, services().rows)))
    return answer, 201, {"Location": url_for("api.show", token=photo.token)}


@api.get("/photos/<token>")
def show(token: str) -> Response:
    """Return the photo counted under the rules asked for."""
    return _counted(store().get(token))


@api.delete("/photos/<token>")
def forget(token: str) -> tuple[str, int]:
    """Drop the photo from memory."""
    store().get(token)
    store().forget(token)
    return "", 204


@api.post("/photos/<token>/tiles")
def add_tile(token: str) -> tuple[Response, int]:
    """Add a tile that was missed: `face`, with `x` and `y` in image pixels or `row_of`."""
    body = _body({"face", "x", "y", "row_of"})
    face = _face(body)
    at = (_coordinate(body, "x"), _coordinate(body, "y")) if "x" in body or "y" in body else None

    def added(photo: Photo) -> Photo:
        return photos.with_new_tile(photo, face, at=at, row_of=_row(body, own=photo.next_number))

    return _counted(store().update(token, added)), 201


@api.patch("/photos/<token>/tiles/<int:number>")
def change_tile(token: str, number: int) -> Response:
    """Set what a tile shows (`face`) and where it counts (`row_of`: a tile number, "alone", null)."""
    body = _body({"face", "row_of"})
    if not body:
        abort(400, description="nothing to change: send 'face', 'row_of' or both")
    face = _face(body) if "face" in body else None
    row_of = _row(body, own=number)

    def changed(photo: Photo) -> Photo:
        if face is not None:
            photo = photos.with_face(photo, number, face)
        return photos.with_row(photo, number, row_of) if "row_of" in body else photo

    return _counted(store().update(token, changed))


@api.delete("/photos/<token>/tiles/<int:number>")
def remove_tile(token: str, number: int) -> Response:
    """Take away what is no tile."""
    return _counted(store().update(token, lambda photo: photos.without_tile(photo, number)))


@api.post("/photos/<token>/undo")
def undo(token: str) -> Response:
    """Take back the last correction."""
    return _counted(store().update(token, photos.undone))


def photo_json(counted: Counted) -> Json:
    """Set what a tile shows (`face`) and where it counts (`row_of`: a tile, "alone", null)."""
    photo, count = counted.photo, counted.count
    tiles = photo.tiles
    return {
        "id": photo.token,
        "version": photo.version,
        "rules": counted.rules.key,
        "size": [photo.width, photo.height],
        "picture": url_for("pages.picture", token=photo.token),
        "milliseconds": dict(photo.milliseconds),
        "tiles": [_tile_json(tile) for tile in tiles],
        "melds": [
            {
                "tiles": [tiles[index].number for index in meld.tiles],
                "faces": " ".join(format_seen(tiles[index].seen.face) for index in meld.tiles),
                "shape": meld.shape,
                "points": meld.points,
                "opening_points": meld.verdict.points,
                "stands_for": [str(face) for face in meld.verdict.stands_for or ()],
            }
            for meld in count.melds
        ],
        "loose": [
            {"tile": tiles[loose.tile].number, "face": format_seen(loose.face), "points": loose.value}
            for loose in count.loose
        ],
        "total_melds": count.total_melds,
        "total_loose": count.total_loose,
        "total": count.total,
        "total_opening": count.total_opening,
        "doubts": [tiles[index].number for index in count.doubts],
        "foreign": [tiles[index].number for index in count.foreign],
        "too_many": [str(face) for face in count.too_many],
        "repairs": [
            {
                "tile": tiles[one.index].number,
                "was": format_seen(one.was),
                "now": format_seen(one.now),
                "odds": round(one.odds),
                **_reason_json(one),
            }
            for one in counted.repaired.repairs
        ],
        "conflicts": [
            {
                "tiles": [tiles[index].number for index in one.tiles],
                "faces": [str(face) for face in one.faces],
                **_reason_json(one),
            }
            for one in counted.repaired.conflicts
        ],
    }


def _reason_json(one: Repair | Conflict) -> Json:
    return {"code": one.code, "clause": one.clause, "why": {"ro": one.hint_ro, "en": one.hint_en}}


def _tile_json(tile: PhotoTile) -> Json:
    seen = tile.seen
    return {
        "number": tile.number,
        "face": format_seen(seen.face),
        "quad": [list(corner) for corner in seen.quad],
        "confidence": seen.confidence,
        "alternatives": [
            {"face": format_seen(c.face), "confidence": c.confidence} for c in seen.alternatives
        ],
        "checked": tile.checked,
        "added": tile.added,
        "row_of": tile.row_of,
    }


def _counted(photo: Photo) -> Response:
    return jsonify(photo_json(count_photo(photo, chosen_rules(), services().rows)))


def _body(known: set[str]) -> Json:
    body = request.get_json(silent=True)
    if not isinstance(body, dict):
        abort(400, description="the body must be a JSON object")
    if unknown := sorted(set(body) - known):
        abort(400, description=f"unknown: {', '.join(unknown)}; known: {', '.join(sorted(known))}")
    return body


def _face(body: Json) -> Seen:
    text = body.get("face")
    if not isinstance(text, str):
        abort(400, description="'face' must be a text such as r7, *, ? or #")
    try:
        return parse_seen(text)
    except NotationError as wrong:
        abort(400, description=str(wrong))


def _row(body: Json, *, own: int) -> int | None:
    row = body.get("row_of")
    if row == "alone":
        return own
    if row is not None and (isinstance(row, bool) or not isinstance(row, int)):
        abort(400, description="'row_of' must be the number of a tile, \"alone\" or null")
    return row


def _coordinate(body: Json, name: str) -> float:
    value = body.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        abort(400, description=f"'{name}' must be a number of image pixels")
    return float(value)
