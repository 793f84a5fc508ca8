"""The pages: start, counted photo, choice of a face; plain links and forms, whose answers htmx swaps in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for

from engine.notation import NotationError, parse_seen
from web_ui import photos
from web_ui.counting import count_photo
from web_ui.languages import COOKIE, COOKIE_AGE_S, LANGUAGES, gettext
from web_ui.pickers import PickerView, add_view, picker_view
from web_ui.rule_notes import rules_name
from web_ui.services import PictureRefusedError
from web_ui.shared import (
    back,
    chosen_rules,
    is_fragment,
    problem_text,
    read_photo,
    rule_choices,
    services,
    store,
)
from web_ui.sheet_views import adding_view
from web_ui.views import page_view

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from werkzeug.wrappers import Response as BaseResponse

    from engine.tiles import Seen
    from web_ui.photos import Photo

pages = Blueprint("pages", __name__)


@pages.get("/photo")
def index() -> str:
    """Return the start page."""
    return start_page()


def start_page(problem: str = "") -> str:
    """Return the start page, with what went wrong."""
    return render_template(
        "index.html",
        problem=problem,
        rule_choices=rule_choices(),
        has_sample=services().sample_picture is not None,
    )


@pages.post("/photo")
def upload() -> BaseResponse | tuple[str, int]:
    """Read the picture that was sent and go to its page."""
    files = [request.files[name] for name in ("picture", "camera") if name in request.files]
    data = next((content for content in (file.read() for file in files) if content), b"")
    if not data:
        return start_page(gettext("No picture was chosen. Choose one, or take a photo.")), 400
    return _read_and_show(data)


@pages.post("/photo/sample")
def upload_sample() -> BaseResponse | tuple[str, int]:
    """Read the sample picture and go to its page."""
    return _read_and_show(_sample())


@pages.get("/sample.jpg")
def sample() -> Response:
    """Return the sample picture."""
    return Response(_sample(), mimetype="image/jpeg")


def _sample() -> bytes:
    sample_picture = services().sample_picture
    if sample_picture is None:
        abort(404)
    return sample_picture()


def _read_and_show(data: bytes) -> BaseResponse | tuple[str, int]:
    try:
        photo = read_photo(data)
    except PictureRefusedError as refused:
        return start_page(problem_text(refused)), 422
    return redirect(url_for("pages.photo", token=photo.token, rules=chosen_rules().key), 303)


@pages.get("/photo/<token>")
def photo(token: str) -> str:
    """Return the counted photo under the chosen rules; to htmx only the part that changes."""
    return _counted_page(store().get(token))


@pages.get("/photo/<token>/picture.jpg")
def picture(token: str) -> Response:
    """Return the picture itself."""
    return Response(store().get(token).jpeg, mimetype="image/jpeg")


@pages.get("/photo/<token>/tiles/<int:number>")
def tile_form(token: str, number: int) -> str:
    """Return the choice of a face for one tile."""
    counted = count_photo(store().get(token), chosen_rules(), services().rows)
    return _picker(token, picker=picker_view(counted, number))


@pages.get("/photo/<token>/add")
def add_form(token: str) -> str:
    """Return the choice of a face for a tile that was missed."""
    photo = store().get(token)
    counted = count_photo(photo, chosen_rules(), services().rows)
    return _picker(token, picker=add_view(counted, _point(photo, request.args)))


def _picker(token: str, *, picker: PickerView) -> str:
    template = "_picker.html" if is_fragment() else "tile.html"
    return render_template(template, picker=picker, token=token)


@pages.post("/photo/<token>/tiles/<int:number>")
def correct(token: str, number: int) -> BaseResponse | str:
    """Set what a tile shows, or take away what is no tile."""
    if request.form.get("remove"):
        return _change(token, lambda photo: photos.without_tile(photo, number))
    face = _face()
    return _change(token, lambda photo: photos.with_face(photo, number, face))


@pages.post("/photo/<token>/tiles/<int:number>/row")
def move(token: str, number: int) -> BaseResponse | str:
    """Count a tile in another row, alone, or as it lies."""
    row = request.form.get("row", "")
    row_of = number if row == "alone" else _number(row)
    return _change(token, lambda photo: photos.with_row(photo, number, row_of))


@pages.post("/photo/<token>/tiles")
def add(token: str) -> BaseResponse | str:
    """Add a tile that was missed."""
    face = _face()
    row = request.form.get("row", "")

    def added(photo: Photo) -> Photo:
        row_of = photo.next_number if row == "alone" else _number(row)
        return photos.with_new_tile(photo, face, at=_point(photo, request.form), row_of=row_of)

    return _change(token, added)


@pages.post("/photo/<token>/undo")
def undo(token: str) -> BaseResponse | str:
    """Take back the last correction."""
    return _change(token, photos.undone)


@pages.post("/photo/<token>/forget")
def forget(token: str) -> BaseResponse:
    """Drop the photo from memory at once."""
    store().forget(token)
    return redirect(url_for("pages.index", rules=chosen_rules().key), 303)


@pages.post("/language")
def set_language() -> BaseResponse:
    """Remember the language and go back to the page."""
    answer = redirect(back(request.form.get("next", "")), 303)
    chosen = request.form.get("lang", "")
    if chosen not in LANGUAGES:
        abort(400)
    answer.set_cookie(COOKIE, chosen, max_age=COOKIE_AGE_S, httponly=True, samesite="Lax")
    return answer


def _change(token: str, change: Callable[[Photo], Photo]) -> BaseResponse | str:
    changed = store().update(token, change)
    if is_fragment():
        return _counted_page(changed)
    return redirect(url_for("pages.photo", token=token, rules=chosen_rules().key), 303)


def _counted_page(photo: Photo) -> str:
    rules = chosen_rules()
    page = page_view(count_photo(photo, rules, services().rows))
    return render_template(
        "_count.html" if is_fragment() else "photo.html",
        page=page,
        rules_name=rules_name(rules),
        rule_choices=rule_choices(),
        adding=adding_view(photo),
    )


def _face() -> Seen:
    text = request.form.get("face") or request.form.get("colour", "") + request.form.get("number", "")
    try:
        return parse_seen(text)
    except NotationError as wrong:
        abort(400, description=str(wrong))


def _number(text: str) -> int | None:
    if not text:
        return None
    if not text.isascii() or not text.isdigit():
        abort(400)
    return int(text)


def _point(photo: Photo, values: Mapping[str, str]) -> tuple[float, float] | None:
    """Return the point that was tapped, in image pixels; None where none was."""
    if "x" not in values or "y" not in values:
        return None
    try:
        x, y = float(values["x"]), float(values["y"])
    except ValueError:
        abort(400)
    if not (math.isfinite(x) and math.isfinite(y)):
        abort(400)
    return min(max(x, 0.0), float(photo.width)), min(max(y, 0.0), float(photo.height))
