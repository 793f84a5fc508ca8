"""What the pages of score sheets show: the next round as it is being counted, and where a photo may go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from engine.rules import rule_set
from web_ui.board_words import plain
from web_ui.counting import count_photo
from web_ui.photos import PhotoLostError
from web_ui.shared import app_state, services, store

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.score_sheets import Sheet
    from web_ui.photos import Photo

SHOWN_SHEETS: Final = 12


@dataclass(frozen=True)
class PhotoOfRound:
    """A photo of the round that is being counted; `there` while it can still be looked at."""

    token: str
    number: int
    points: str
    doubtful: int
    there: bool


@dataclass(frozen=True)
class NextRound:
    """A player in the next round: the photos, and the points that they come to (empty without one)."""

    player: int
    name: str
    photos: tuple[PhotoOfRound, ...]
    points: str


def next_round(sheet: Sheet) -> tuple[NextRound, ...]:
    """Return each player of the next round; photos that were corrected meanwhile count as they are now."""
    drafts = app_state().drafts
    photos: dict[int, list[tuple[PhotoOfRound, int]]] = {at: [] for at in range(len(sheet.players))}
    for item in drafts.of(sheet.id):
        points, doubtful, there = item.points, 0, True
        try:
            points, doubtful = _counted(store().get(item.token), sheet.rules)
            drafts.counted(sheet.id, item.token, points)
        except PhotoLostError:
            there = False
        mine = photos[item.player]
        mine.append((PhotoOfRound(item.token, len(mine) + 1, plain(points), doubtful, there), points))
    return tuple(
        NextRound(
            at, name, tuple(one for one, _ in photos[at]),
            str(sum(points for _, points in photos[at])) if photos[at] else "",
        )
        for at, name in enumerate(sheet.players)
    )  # fmt: skip


def photo_points(photo: Photo, rules: str) -> int:
    """Return what a photo comes to under a rule set."""
    return _counted(photo, rules)[0]


def _counted(photo: Photo, rules: str) -> tuple[int, int]:
    counted = count_photo(photo, rule_set(rules), services().rows)
    return counted.count.total, len(counted.count.doubts)


@dataclass(frozen=True)
class AddingView:
    """Where a counted photo may go: open sheets, those it is on already, seats whose rack is waited for."""

    sheets: tuple[Sheet, ...]
    on: tuple[tuple[Sheet, str], ...]
    seats: tuple[tuple[int, str], ...]
    version: int
    asks_pin: bool


def adding_view(photo: Photo) -> AddingView | None:
    """Return where a photo may go; None where there is nothing."""
    kept, game = services().sheets, services().game
    sheets = () if kept is None else tuple(one for one in kept.all() if not one.ended)[:SHOWN_SHEETS]
    on = []
    if kept is not None:
        for sheet_id, item in app_state().drafts.sheets_of(photo.token):
            sheet = kept.get(sheet_id)
            on.append((sheet, sheet.players[item.player]))
    document = {} if game is None else game.document()
    seats = waiting_seats(document)
    if kept is None and not seats:
        return None
    version = int(document.get("version", 0))
    return AddingView(sheets, tuple(on), seats, version, game is not None and game.pin is not None)


def waiting_seats(document: Mapping[str, Any]) -> tuple[tuple[int, str], ...]:
    """Return the seats of a followed game that is over and waits for their racks, with their names."""
    if document.get("phase") != "over":
        return ()
    open_ones = {one["seat"] for one in document.get("scores", ()) if not one["complete"]}
    return tuple((one["seat"], one["name"]) for one in document.get("seats", ()) if one["seat"] in open_ones)
