"""What the count page shows, as plain values for the templates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from flask import url_for

from engine.tiles import JOKER, Face, Mark
from web_ui import geometry
from web_ui.board_words import plain
from web_ui.faces import FaceView, face_view
from web_ui.languages import gettext, in_language, ngettext
from web_ui.photos import tile_size
from web_ui.rule_notes import rule_notes, rules_name, uses_cards

if TYPE_CHECKING:
    from engine.grouping import CountedMeld
    from engine.readings import Quad
    from engine.repair import Conflict, Repair
    from web_ui.counting import Counted
    from web_ui.photos import Photo, PhotoTile

QUICK_CHOICES = 3
LIKELY = 0.02
"""An alternative less likely than this is not offered by itself; the full choice has it."""


@dataclass(frozen=True)
class TileView:
    """A tile on the photo and in the lists; coordinates are image pixels."""

    number: int
    face: FaceView
    is_face: bool
    state: str  # meld, loose, foreign, unread or down
    doubtful: bool
    description: str
    question: str
    value_text: str
    stands_for: FaceView | None
    quick_choices: tuple[FaceView, ...]
    post_url: str
    polygon: str
    chip_x: float
    chip_y: float
    chip_scale: float
    crop_box: str
    crop_turn: str
    photo_width: int
    photo_height: int


@dataclass(frozen=True)
class MeldView:
    """A meld in the list and on the photo."""

    number: int
    shape: str
    points: int
    tiles: tuple[TileView, ...]
    notes: tuple[str, ...]
    hull: str
    badge_x: float
    badge_y: float


@dataclass(frozen=True)
class RepairView:
    """A tile that was repaired: what it was read as, and why it is another."""

    tile: TileView
    was: FaceView
    why: str


@dataclass(frozen=True)
class PageView:
    """A counted photo as the page shows it."""

    token: str
    width: int
    height: int
    picture_url: str
    tiles: tuple[TileView, ...]
    melds: tuple[MeldView, ...]
    loose: tuple[TileView, ...]
    questions: tuple[TileView, ...]
    repairs: tuple[RepairView, ...]
    total: str
    total_abs: int
    total_melds: str
    total_loose: str
    warnings: tuple[str, ...]
    rule_notes: tuple[str, ...]
    can_undo: bool
    milliseconds: int
    hull_width: float
    badge_scale: float

    @property
    def open_questions(self) -> int:
        """How many tiles someone should look at."""
        return len(self.questions)


def page_view(counted: Counted) -> PageView:
    """Return the whole page of a counted photo."""
    photo, count = counted.photo, counted.count
    views = tile_views(counted)
    width, _ = tile_size(photo)
    badge_scale = round(max(width / 66, photo.width / 1150), 2)
    melds = tuple(
        _meld_view(number, meld, views, photo, badge_scale=badge_scale)
        for number, meld in enumerate(count.melds, start=1)
    )
    return PageView(
        token=photo.token,
        width=photo.width,
        height=photo.height,
        picture_url=url_for("pages.picture", token=photo.token),
        tiles=views,
        melds=melds,
        loose=tuple(views[tile.tile] for tile in count.loose),
        questions=tuple(views[index] for index in _doubts_first_unread(counted)),
        repairs=tuple(
            RepairView(views[one.index], face_view(one.was), reason_text(one))
            for one in counted.repaired.repairs
        ),
        total=plain(count.total),
        total_abs=abs(count.total),
        total_melds=plain(count.total_melds),
        total_loose=plain(-count.total_loose),
        warnings=_warnings(counted),
        rule_notes=tuple(rule_notes(counted.rules)),
        can_undo=bool(photo.history),
        milliseconds=round(sum(photo.milliseconds.values())),
        hull_width=round(width * 0.16, 1),
        badge_scale=badge_scale,
    )


def reason_text(one: Repair | Conflict) -> str:
    """Return why a tile was repaired or is doubtful, in the visitor's language."""
    return in_language(ro=one.hint_ro, en=one.hint_en)


def tile_views(counted: Counted) -> tuple[TileView, ...]:
    """Return every tile of the photo, in the order of the photo's tiles."""
    photo, count = counted.photo, counted.count
    melds = {index: number for number, meld in enumerate(count.melds, start=1) for index in meld.tiles}
    values = {tile.tile: tile.value for tile in count.loose}
    stands_for: dict[int, Face] = {}
    for meld in count.melds:
        jokers = [index for index in meld.tiles if photo.tiles[index].seen.face == JOKER]
        stands_for |= dict(zip(jokers, meld.verdict.stands_for or (), strict=True))
    conflicts = {index: one for one in counted.repaired.conflicts for index in one.tiles}
    width, _ = tile_size(photo)
    return tuple(
        _tile_view(
            tile,
            photo,
            meld=melds.get(index),
            value=values.get(index),
            stands_for=stands_for.get(index),
            doubtful=index in count.doubts,
            conflict=conflicts.get(index),
            median_width=width,
        )
        for index, tile in enumerate(photo.tiles)
    )


def _tile_view(
    tile: PhotoTile,
    photo: Photo,
    *,
    meld: int | None,
    value: int | None,
    stands_for: Face | None,
    doubtful: bool,
    conflict: Conflict | None,
    median_width: float,
) -> TileView:
    seen = tile.seen
    face = face_view(seen.face)
    quad = seen.quad
    x, y = geometry.centre(quad)
    chip_x, chip_y = geometry.lower_part(quad)
    reach = 0.62 * max(geometry.distance(quad[0], quad[2]), geometry.distance(quad[1], quad[3]))
    if seen.face is Mark.UNREAD:
        state = "unread"
    elif seen.face is Mark.FACE_DOWN:
        state = "down"
    else:
        state = "meld" if meld else "loose" if value is not None else "foreign"
    shows = f"{face.name} = {face_view(stands_for).name}" if stands_for else face.name
    where = gettext("meld %(number)d", number=meld) if meld else gettext("loose")
    return TileView(
        number=tile.number,
        face=face,
        is_face=isinstance(seen.face, Face),
        state=state,
        doubtful=doubtful,
        description=gettext("%(face)s, %(where)s. Change", face=shows, where=where)
        if not doubtful
        else gettext("%(face)s, doubtful, %(where)s. Change", face=shows, where=where),
        question=_question(tile, face) if conflict is None else reason_text(conflict) + ".",
        value_text=plain(-value) if value is not None else gettext("not counted"),
        stands_for=face_view(stands_for) if stands_for else None,
        quick_choices=alternatives(tile)[:QUICK_CHOICES],
        post_url=url_for("pages.correct", token=photo.token, number=tile.number),
        polygon=geometry.svg_points(quad),
        chip_x=round(chip_x, 1),
        chip_y=round(chip_y, 1),
        chip_scale=round(max(geometry.distance(quad[0], quad[1]), median_width * 0.7) / 48, 3),
        crop_box=f"{x - reach:.1f} {y - reach:.1f} {2 * reach:.1f} {2 * reach:.1f}",
        crop_turn=f"rotate({-geometry.turn_degrees(quad):.1f} {x:.1f} {y:.1f})",
        photo_width=photo.width,
        photo_height=photo.height,
    )


def _question(tile: PhotoTile, face: FaceView) -> str:
    if tile.seen.face is Mark.UNREAD:
        return gettext("This tile could not be read. Which is it?")
    return gettext(
        "Is this %(face)s? (%(percent)d%% sure)", face=face.name, percent=round(tile.seen.confidence * 100)
    )


def alternatives(tile: PhotoTile) -> tuple[FaceView, ...]:
    """Return what the reader thinks the tile may show too, likeliest first."""
    likely = [c.face for c in tile.seen.alternatives if c.confidence >= LIKELY and c.face != tile.seen.face]
    return tuple(face_view(face) for face in dict.fromkeys(likely) if face is not Mark.UNREAD)


def _doubts_first_unread(counted: Counted) -> list[int]:
    tiles = counted.photo.tiles
    return sorted(
        counted.count.doubts,
        key=lambda index: (isinstance(tiles[index].seen.face, Face), tiles[index].seen.confidence, index),
    )


def _meld_view(
    number: int, meld: CountedMeld, views: tuple[TileView, ...], photo: Photo, *, badge_scale: float
) -> MeldView:
    tiles = tuple(views[index] for index in meld.tiles)
    corners = [corner for index in meld.tiles for corner in photo.tiles[index].seen.quad]
    badge = _badge_place(photo.tiles[meld.tiles[0]].seen.quad, photo, badge_scale)
    notes = [
        gettext("The joker stands for %(face)s.", face=view.stands_for.name)
        for view in tiles
        if view.stands_for
    ]
    if meld.verdict.points is not None and meld.verdict.points != meld.points:
        opening = meld.verdict.points
        notes.append(ngettext("When opening: %(num)d point.", "When opening: %(num)d points.", opening))
    return MeldView(
        number=number,
        shape=gettext("run") if meld.shape == "run" else gettext("group"),
        points=meld.points,
        tiles=tiles,
        notes=tuple(notes),
        hull=geometry.svg_points(geometry.hull(corners)),
        badge_x=round(badge[0], 1),
        badge_y=round(badge[1], 1),
    )


def _badge_place(first: Quad, photo: Photo, scale: float) -> tuple[float, float]:
    """Return the middle of a meld's badge: before its first tile, inside the picture, hiding no digit."""
    right, left = geometry.between(first[1], first[2]), geometry.between(first[0], first[3])
    width = geometry.distance(left, right) or 1.0
    towards = (left[0] - right[0]) / width, (left[1] - right[1]) / width
    half_w, half_h = 28 * scale, 12 * scale
    reach = half_w * abs(towards[0]) + half_h * abs(towards[1]) + 0.1 * width
    x, y = left[0] + towards[0] * reach, left[1] + towards[1] * reach
    return min(max(x, half_w), photo.width - half_w), min(max(y, half_h), photo.height - half_h)


def _warnings(counted: Counted) -> tuple[str, ...]:
    count, rules = counted.count, counted.rules
    warnings = []
    if count.foreign:
        name = rules_name(rules)
        warnings.append(
            gettext("%(rules)s is played with cards: the tiles in this picture do not count.", rules=name)
            if uses_cards(rules)
            else gettext(
                "%(rules)s is played with tiles: the cards in this picture do not count.", rules=name
            )
        )
    for face in dict.fromkeys(count.too_many):
        seen = sum(tile.seen.face == face for tile in counted.photo.tiles)
        warnings.append(
            gettext(
                "%(face)s is there %(seen)d times, more often than in a set. Is one misread?",
                face=face_view(face).name,
                seen=seen,
            )
        )
    return tuple(warnings)
