"""The score sheet of the match that is followed: every game with its lines, and its racks once it is over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.replay import replay
from engine.scores import LINES
from engine.tiles import Mark
from web_ui.board_words import line_words, plain
from web_ui.faces import FaceView, face_view

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from engine.records import Record
    from web_ui.services import History, PlayedMatch


@dataclass(frozen=True)
class GameSheet:
    """A game: for each kind of line its name and the points by seat as texts, empty where a seat has none.

    `notes` are the reasons of the arbiter, `racks` by seat; no racks while the game is on.
    """

    number: int
    over: bool
    closer: str | None
    lines: tuple[tuple[str, tuple[str, ...]], ...]
    totals: tuple[str, ...]
    notes: tuple[str, ...] = ()
    racks: tuple[tuple[FaceView, ...], ...] = ()


def match_sheet(document: Mapping[str, Any], history: History | None) -> tuple[GameSheet, ...]:
    """Return the games of the match, the one that is on from its public document, those before from records.

    Without a history the one that is on alone. StoreError where the history cannot be read.
    """
    names = [str(seat["name"]) for seat in document["seats"]]
    now, over = int(document["game"]), document["phase"] == "over"
    match = None if history is None else _match(document, history)
    records = () if match is None else match.records
    games = [_of_record(record, number, names) for number, record in enumerate(records[: now - 1], start=1)]
    if over and len(records) >= now:
        return (*games, _of_record(records[now - 1], now, names))
    return (*games, _of_document(document, now, names, over=over))


def _match(document: Mapping[str, Any], history: History) -> PlayedMatch | None:
    number = (document.get("match") or {}).get("number")
    return next((one for one in history.matches() if one.number == number is not None), None)


def _of_document(document: Mapping[str, Any], number: int, names: Sequence[str], *, over: bool) -> GameSheet:
    closer = document.get("closed_by")
    scores = document["scores"]
    lines = [[(line["what"], int(line["points"])) for line in one["lines"]] for one in scores]
    totals = tuple(plain(one["total"]) for one in scores)
    return GameSheet(number, over, None if closer is None else names[closer], _rows(lines), totals)


def _of_record(record: Record, number: int, names: Sequence[str]) -> GameSheet:
    done = replay(record)
    closing, over = done.state.closing, done.state.phase == "over"
    lines = [[(line.what, line.points) for line in one.lines] for one in done.scores]
    notes = tuple(
        f"{names[one.seat]}: {plain(line.points)}, {line.reason}"
        for one in done.scores
        for line in one.lines
        if line.reason
    )
    hands = [player.hand for player in done.state.players] if over else []
    racks = tuple(
        (*(face_view(face) for face in sorted(hand.known)), *(face_view(Mark.UNREAD),) * hand.hidden)
        for hand in hands
    )
    return GameSheet(
        number,
        over,
        None if closing is None else names[closing.seat],
        _rows(lines),
        tuple(plain(one.total) for one in done.scores),
        notes,
        racks if any(hand.known for hand in hands) else (),
    )


def _rows(lines: Sequence[Iterable[tuple[str, int]]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    sums: list[dict[str, int]] = []
    for of_seat in lines:
        of_kind: dict[str, int] = {}
        for what, points in of_seat:
            of_kind[what] = of_kind.get(what, 0) + points
        sums.append(of_kind)
    there = {what for of_kind in sums for what in of_kind}
    order = [*(what for what in LINES if what in there), *sorted(there - set(LINES))]
    return tuple(
        (line_words(what), tuple(plain(one[what]) if what in one else "" for one in sums)) for what in order
    )
