"""The choice of a face for a tile, and of the row it is counted in, as plain values for the templates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from flask import url_for

from engine.tiles import JOKER, TILE_COLOURS, Face, Mark
from web_ui.faces import ColourView, FaceView, colours, face_view
from web_ui.languages import gettext
from web_ui.views import alternatives, reason_text, tile_views

if TYPE_CHECKING:
    from web_ui.counting import Counted
    from web_ui.photos import Photo
    from web_ui.views import TileView


@dataclass(frozen=True)
class RowChoice:
    """A row that a tile can be counted in."""

    value: str
    name: str


@dataclass(frozen=True)
class PickerView:
    """The choice of a face for a tile that was found, or for one to add (`view` is None)."""

    title: str
    remark: str
    view: TileView | None
    picture_url: str
    post_url: str
    row_url: str = ""
    alternatives: tuple[FaceView, ...] = ()
    number: int | None = None
    colours: tuple[ColourView, ...] = ()
    others: tuple[FaceView, ...] = ()
    rows: tuple[RowChoice, ...] = ()
    row: str = ""
    hidden: dict[str, str] = field(default_factory=dict)


def picker_view(counted: Counted, number: int) -> PickerView:
    """Return the choice of a face for the tile of that number."""
    photo = counted.photo
    tile = photo.tile(number)
    view = tile_views(counted)[photo.tiles.index(tile)]
    face = tile.seen.face
    same = isinstance(face, Face) and not face.is_joker and face.colour in TILE_COLOURS
    repairs = {photo.tiles[one.index].number: one for one in counted.repaired.repairs}
    if number in repairs:
        remark = reason_text(repairs[number]) + "."
    elif tile.checked:
        remark = gettext("You said: %(face)s.", face=view.face.name)
    elif isinstance(face, Face):
        percent = round(tile.seen.confidence * 100)
        remark = gettext("Read as %(face)s, %(percent)d%% sure.", face=view.face.name, percent=percent)
    else:
        remark = gettext("Now: %(face)s.", face=view.face.name)
    first = (view.face,) if view.doubtful and view.is_face else ()
    return PickerView(
        title=gettext("Which tile is this?"),
        remark=remark,
        view=view,
        picture_url=url_for("pages.picture", token=photo.token),
        post_url=view.post_url,
        row_url=url_for("pages.move", token=photo.token, number=number),
        alternatives=(*first, *alternatives(tile)),
        number=face.number if same and isinstance(face, Face) else None,
        colours=colours(),
        others=_other_faces(),
        rows=_row_choices(counted, number),
        row="" if tile.row_of is None else "alone" if tile.row_of == number else str(tile.row_of),
    )


def add_view(counted: Counted, at: tuple[float, float] | None) -> PickerView:
    """Return the choice of a face for a tile to add at a point of the picture, or anywhere."""
    photo = counted.photo
    return PickerView(
        title=gettext("Which tile was missed?"),
        remark="" if at else gettext("Say which meld it belongs to, or it counts alone."),
        view=None,
        picture_url=url_for("pages.picture", token=photo.token),
        post_url=url_for("pages.add", token=photo.token),
        colours=colours(),
        others=_other_faces(),
        rows=_row_choices(counted, None),
        hidden={} if at is None else {"x": f"{at[0]:.1f}", "y": f"{at[1]:.1f}"},
    )


def _other_faces() -> tuple[FaceView, ...]:
    return tuple(face_view(seen) for seen in (JOKER, Mark.FACE_DOWN))


def _row_choices(counted: Counted, number: int | None) -> tuple[RowChoice, ...]:
    """Return the rows a tile may be counted in, each named by the lowest other tile in it."""
    photo = counted.photo
    choices = [RowChoice("", gettext("as it lies")), RowChoice("alone", gettext("no meld: it lies alone"))]
    for row in counted.rows:
        others = [photo.tiles[index] for index in row if photo.tiles[index].number != number]
        if not others:
            continue
        faces = " · ".join(
            face_view(tile.seen.face).label or face_view(tile.seen.face).name for tile in others
        )
        first = face_view(others[0].seen.face)
        name = f"{faces} ({first.name.split(' ', 1)[-1]})" if len(others) > 1 else first.name
        choices.append(RowChoice(str(_anchor(photo, row, number)), name))
    return tuple(choices)


def _anchor(photo: Photo, row: tuple[int, ...], number: int | None) -> int:
    """Return the tile that names a row: the one the moved tile names now, else one that lies there itself."""
    tiles = [photo.tiles[index] for index in row if photo.tiles[index].number != number]
    now = photo.tile(number).row_of if number is not None else None
    lying = [tile.number for tile in tiles if tile.row_of is None]
    numbers = [tile.number for tile in tiles]
    return now if now in numbers and now is not None else min(lying or numbers)
