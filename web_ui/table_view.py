"""What the page of the live table shows, as plain values for the templates; racks are left out."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.public_reading import public_reading
from engine.tiles import Mark
from web_ui import geometry
from web_ui.faces import FaceView, face_view
from web_ui.languages import gettext, in_language

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from engine.table_reading import Lying, LyingMeld, Problem, TableReading
    from web_ui.services import TableNow, TableZone

_CHIP_WIDE = 34.0  # of a label in its own size; it is drawn as wide as its tile
_MARGIN = 0.02  # of the picture's width that is shown around the zones


@dataclass(frozen=True)
class LyingView:
    """A tile on the table: its face, the words for it, and where the picture shows it."""

    face: FaceView
    words: str
    doubtful: bool
    problems: tuple[int, ...] = ()
    polygon: str = ""
    upright: str = ""
    chip: str = ""


@dataclass(frozen=True)
class MeldView:
    """Touching tiles in order, and those that lie on top of one of them, with where."""

    tiles: tuple[LyingView, ...]
    towers: tuple[str, ...]

    @property
    def words(self) -> str:
        """The tiles in words."""
        return ", ".join(tile.words for tile in self.tiles)


@dataclass(frozen=True)
class ZoneView:
    """A zone as it is drawn: its name stands in the middle."""

    name: str
    kind: str
    covered: bool
    polygon: str
    x: float
    y: float


@dataclass(frozen=True)
class ProblemView:
    """What is not as it should be; the tiles it is about have its number in the picture."""

    number: int
    text: str
    tiles: tuple[LyingView, ...]


@dataclass(frozen=True)
class TableView:
    """The live table as the page shows it; coordinates are pixels of the picture."""

    state: str
    words: str
    reason: str
    covered: str
    number: int
    milliseconds: int | None
    width: int
    height: int
    picture_url: str
    view_box: str
    scale: float
    zones: tuple[ZoneView, ...] = ()
    lying: tuple[LyingView, ...] = ()
    melds: tuple[tuple[str, tuple[MeldView, ...]], ...] = ()
    row: tuple[LyingView, ...] = ()
    row_note: str = ""
    stacks: int = 0
    open_stacks: tuple[LyingView, ...] = ()
    atu: LyingView | None = None
    repairs: tuple[str, ...] = ()
    problems: tuple[ProblemView, ...] = ()
    drawn: bool = False


def table_view(now: TableNow, *, picture_url: str) -> TableView:
    """Return what the page shows of the table."""
    width, height = now.size or (0, 0)
    left, top, right, bottom = _shown(now, width, height)
    reading = None if now.reading is None else public_reading(now.reading)
    state = TableView(
        state=now.state,
        words=state_words(now.state),
        reason="" if now.reason is None else in_language(ro=now.reason.ro, en=now.reason.en),
        covered=", ".join(zone_name(name) for name in now.covered) if now.state == "hand" else "",
        number=0 if reading is None else reading.number,
        milliseconds=None if now.read_ms is None else round(now.read_ms),
        width=width,
        height=height,
        picture_url=picture_url if now.size else "",
        view_box=f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}",
        scale=round((right - left) / 800, 2),
        zones=tuple(_zone_view(zone, now.covered) for zone in now.zones),
        drawn=now.drawn,
    )
    return state if reading is None else _with_reading(state, reading)


def _with_reading(view: TableView, reading: TableReading) -> TableView:
    tiles = {tile.key: tile for tile in lying_tiles(reading)}
    about: dict[int, list[int]] = defaultdict(list)
    for number, problem in enumerate(reading.problems, start=1):
        for key in problem.keys:
            about[key].append(number)
    views = {key: _lying_view(tile, about[key]) for key, tile in tiles.items()}
    by_seat: dict[int, list[MeldView]] = defaultdict(list)
    for meld in reading.melds:
        by_seat[meld.seat].append(_meld_view(meld, views))
    note = ""
    if reading.reversed_first is not None:
        note = (
            gettext("The first one lies face down or turned round, as it should.")
            if reading.reversed_first
            else gettext("The first one is not turned round.")
        )
    return replace(
        view,
        lying=tuple(views.values()),
        melds=tuple((zone_name(f"meld {seat}"), tuple(found)) for seat, found in sorted(by_seat.items())),
        row=tuple(views[tile.key] for tile in reading.row),
        row_note=note,
        stacks=len(reading.wall),
        open_stacks=tuple(
            views[stack.top.key] for stack in reading.wall if stack.top.face is not Mark.FACE_DOWN
        ),
        atu=None if reading.atu is None else views[reading.atu.key],
        repairs=tuple(in_language(ro=one.hint_ro, en=one.hint_en) for one in reading.repairs),
        problems=tuple(
            _problem_view(number, problem, views) for number, problem in enumerate(reading.problems, start=1)
        ),
    )


def lying_tiles(reading: TableReading) -> Iterable[Lying]:
    """Return every tile that lies on the table, the racks' left out."""
    for meld in reading.melds:
        yield from meld.tiles
        yield from (top for _, top in meld.towers)
    yield from reading.row
    yield from (stack.top for stack in reading.wall)
    if reading.atu is not None:
        yield reading.atu


def state_words(state: str) -> str:
    """Return in words how the eyes are."""
    words = {
        "starting": gettext("Waiting for the table to be still"),
        "looking": gettext("Looking at the table"),
        "hand": gettext("A hand is over the table"),
        "moving": gettext("The camera has moved"),
        "paused": gettext("Paused"),
        "source": gettext("No picture from the camera"),
        "ended": gettext("The pictures have ended"),
        "stopped": gettext("The eyes have stopped"),
    }
    return words.get(state, state)


def zone_name(name: str) -> str:
    """Return the words for a zone that readings call `meld 2` or `discard`."""
    kind, _, seat = name.partition(" ")
    words = {
        "meld": gettext("Seat %(seat)s", seat=seat),
        "rack": gettext("Rack %(seat)s", seat=seat),
        "discard": gettext("Discard row"),
        "wall": gettext("Wall"),
        "atu": gettext("Atu"),
    }
    return words.get(kind, name)


def _shown(now: TableNow, width: int, height: int) -> tuple[float, float, float, float]:
    """Return the part of the picture that is shown: the zones, without the floor around them."""
    points = [point for zone in now.zones for point in zone.outline]
    if not points:
        return 0.0, 0.0, float(width), float(height)
    xs, ys, margin = [x for x, _ in points], [y for _, y in points], _MARGIN * width
    return (
        max(0.0, min(xs) - margin),
        max(0.0, min(ys) - margin),
        min(float(width), max(xs) + margin),
        min(float(height), max(ys) + margin),
    )


def _zone_view(zone: TableZone, covered: tuple[str, ...]) -> ZoneView:
    x, y = geometry.centre(zone.outline)
    if zone.seat is None:  # those in the middle are near to each other: their names stand on their upper edge
        y = min(y for _, y in zone.outline)
    return ZoneView(
        name=zone_name(zone.name),
        kind=zone.kind,
        covered=zone.name in covered,
        polygon=geometry.svg_points(zone.outline),
        x=round(x, 1),
        y=round(y, 1),
    )


def _lying_view(tile: Lying, problems: list[int]) -> LyingView:
    face = face_view(tile.face)
    words = gettext("%(face)s, doubtful", face=face.name) if tile.doubtful else face.name
    if not tile.quad:
        return LyingView(face, words, tile.doubtful, tuple(problems))
    x, y = geometry.lower_part(tile.quad)
    size = geometry.distance(tile.quad[0], tile.quad[1]) / _CHIP_WIDE
    top_left, top_right = tile.quad[0], tile.quad[1]
    return LyingView(
        face=face,
        words=words,
        doubtful=tile.doubtful,
        problems=tuple(problems),
        polygon=geometry.svg_points(tile.quad),
        upright=geometry.svg_points((top_left, top_right)),
        chip=f"translate({x:.1f} {y:.1f}) scale({size:.2f})",
    )


def _meld_view(meld: LyingMeld, views: Mapping[int, LyingView]) -> MeldView:
    tiles = tuple(views[tile.key] for tile in meld.tiles)
    towers = tuple(
        gettext("On %(under)s lies %(top)s.", under=tiles[on].words, top=views[top.key].words)
        for on, top in meld.towers
    )
    return MeldView(tiles, towers)


def _problem_view(number: int, problem: Problem, views: Mapping[int, LyingView]) -> ProblemView:
    return ProblemView(
        number,
        in_language(ro=problem.hint_ro, en=problem.hint_en),
        tuple(views[key] for key in problem.keys if key in views),
    )
