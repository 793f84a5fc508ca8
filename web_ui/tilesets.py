"""The pages that teach a tile set: its pictures, the tiles in doubt, what is missing, which set to use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for

from engine.notation import NotationError, parse_seen
from engine.tiles import JOKER, Mark
from web_ui.faces import FaceView, colour_name, colours, face_view
from web_ui.languages import gettext, in_language
from web_ui.services import CensusLostError, PictureRefusedError
from web_ui.shared import problem_text, services

if TYPE_CHECKING:
    from collections.abc import Sequence

    from werkzeug.wrappers import Response as BaseResponse

    from engine.tiles import Face, Seen
    from web_ui.services import AskedTile, CensusView, TileSets

tilesets = Blueprint("tilesets", __name__, url_prefix="/tilesets")

NO_TILE = "-"


@dataclass(frozen=True)
class Question:
    """A tile of the census in doubt, as the template asks about it."""

    index: int
    crop_url: str
    post_url: str
    face: FaceView
    choices: tuple[FaceView, ...]
    remark: str


@tilesets.get("")
def index() -> str:
    """Return the sets that were taught, and the form to teach another."""
    return _start()


@tilesets.post("")
def teach() -> BaseResponse | tuple[str, int]:
    """Take the census of the pictures that were sent and go to its page."""
    pictures = [data for file in request.files.getlist("pictures") if (data := file.read())]
    name = request.form.get("name", "")
    if not pictures:
        problem = gettext("No picture was chosen. Lay out the whole set and take one, or one of each half.")
        return _start(problem, name=name), 400
    try:
        census = _sets().begin(name, pictures)
    except PictureRefusedError as refused:
        return _start(problem_text(refused), name=name), 422
    return redirect(url_for("tilesets.census", token=census.token), 303)


@tilesets.get("/census/<token>")
def census(token: str) -> str:
    """Return a census: how many tiles, what is missing, what is asked."""
    return _census_page(_census(token))


@tilesets.get("/census/<token>/crops/<int:number>.png")
def crop(token: str, number: int) -> Response:
    """Return the picture of one tile."""
    found = next((tile for tile in _census(token).asked if tile.index == number), None)
    if found is None:
        abort(404)
    return Response(found.png, mimetype="image/png")


@tilesets.post("/census/<token>/tiles/<int:number>")
def settle(token: str, number: int) -> BaseResponse:
    """Take what a person says that a tile is."""
    text = request.form.get("face") or request.form.get("colour", "") + request.form.get("number", "")
    answer: Seen | None = None
    if text != NO_TILE:
        try:
            answer = parse_seen(text)
        except NotationError as wrong:
            abort(400, description=in_language(ro=wrong.hint_ro, en=wrong.hint_en))
    try:
        _sets().settle(token, number, answer)
    except CensusLostError:
        _gone()
    except IndexError:
        abort(404)
    return redirect(url_for("tilesets.census", token=token), 303)


@tilesets.post("/census/<token>/keep")
def keep(token: str) -> BaseResponse | tuple[str, int]:
    """Learn from the census, keep what was learnt and read with it from now on."""
    try:
        _sets().keep(token)
    except CensusLostError:
        _gone()
    except PictureRefusedError as refused:
        return _census_page(_census(token), problem_text(refused)), 422
    return redirect(url_for("tilesets.index"), 303)


@tilesets.post("/use")
def use() -> BaseResponse | tuple[str, int]:
    """Read with a set from now on, or with none."""
    try:
        _sets().use(request.form.get("name") or None)
    except PictureRefusedError as refused:
        return _start(problem_text(refused)), 422
    return redirect(url_for("tilesets.index"), 303)


@tilesets.post("/forget")
def forget() -> BaseResponse | tuple[str, int]:
    """Delete what was learnt of a set."""
    try:
        _sets().forget(request.form.get("name", ""))
    except PictureRefusedError as refused:
        return _start(problem_text(refused)), 422
    return redirect(url_for("tilesets.index"), 303)


def _sets() -> TileSets:
    found = services().tile_sets
    if found is None:
        abort(404)
    return found


def _census(token: str) -> CensusView:
    try:
        return _sets().census(token)
    except CensusLostError:
        _gone()


def _gone() -> NoReturn:
    abort(404)


def _start(problem: str = "", *, name: str = "") -> str:
    sets = _sets()
    return render_template(
        "tilesets.html", problem=problem, name=name, names=list(sets.names()), used=sets.used()
    )


def _census_page(found: CensusView, problem: str = "") -> str:
    return render_template(
        "census.html",
        problem=problem,
        census=found,
        missing=_counted(found.missing),
        extra=_counted(found.extra),
        questions=[_question(found, tile) for tile in found.asked],
        colours=colours(),
        others=[face_view(JOKER), face_view(Mark.FACE_DOWN)],
        no_tile=NO_TILE,
    )


def _question(found: CensusView, tile: AskedTile) -> Question:
    view = face_view(tile.face)
    options = (tile.face, *tile.candidates) if tile.face is not Mark.UNREAD else tile.candidates
    choices = tuple(face_view(face) for face in dict.fromkeys(options))
    if tile.read_as != tile.face:
        remark = gettext("Read as %(face)s; its place says otherwise.", face=face_view(tile.read_as).name)
    else:
        remark = gettext("Read as %(face)s, but not surely.", face=view.name)
    return Question(
        index=tile.index,
        crop_url=url_for("tilesets.crop", token=found.token, number=tile.index),
        post_url=url_for("tilesets.settle", token=found.token, number=tile.index),
        face=view,
        choices=choices,
        remark=remark,
    )


def _counted(faces: Sequence[Face]) -> list[str]:
    """Return each face with how often it is there, as in `one black 7`."""
    found = []
    for face in dict.fromkeys(faces):
        count = faces.count(face)
        if face.is_joker:
            found.append(gettext("one joker") if count == 1 else gettext("%(count)d jokers", count=count))
            continue
        colour, number = colour_name(face.colour), face.number
        if count == 1:
            found.append(gettext("one %(colour)s %(number)d", colour=colour, number=number))
        else:
            found.append(
                gettext("%(count)d of %(colour)s %(number)d", count=count, colour=colour, number=number)
            )
    return found
