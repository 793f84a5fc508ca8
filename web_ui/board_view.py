"""The public document of a game as the scoreboard shows it: seats, wall, row, melds, alerts, scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from engine.notation import parse_face, parse_tiles
from engine.walls import STACK_SIZE
from web_ui.board_chart import Chart, chart
from web_ui.board_words import entry_words, line_words, place_words, plain, sign_words
from web_ui.faces import FaceView, face_view
from web_ui.languages import gettext, in_language

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LAMPS: Final = {
    "off": ("off", "white"),
    "turn": ("steady", "green"),
    "hurry": ("hurry", "amber"),
    "illegal": ("flash", "vermilion"),
    "doubt": ("alternate", "sky"),
    "pause": ("breathe", "white"),
    "winner": ("chase", "green"),
    "call": ("blink", "purple"),
}
"""Pattern and colour of each sign, as the lamps of the board show them."""

DIFFERENCES_SHOWN: Final = 3


@dataclass(frozen=True)
class TileView:
    """A tile that lies open; `means` is what a joker stands for."""

    face: FaceView
    means: FaceView | None = None


@dataclass(frozen=True)
class MeldView:
    """A meld; `beside` are tiles laid at it that do not fit, `wrong` says that it is no meld."""

    id: str
    tiles: tuple[TileView, ...]
    beside: tuple[TileView, ...]
    wrong: bool


@dataclass(frozen=True)
class SeatView:
    """A seat: its lamp in words, pattern and colour, its tiles as a count, melds, and scores as texts."""

    seat: int
    name: str
    sign: str
    sign_words: str
    pattern: str
    colour: str
    on_turn: bool
    dealer: bool
    tiles: int
    opened: bool
    game: str
    lines: tuple[tuple[str, str], ...]
    match: str | None
    place: int | None
    melds: tuple[MeldView, ...]


@dataclass(frozen=True)
class Alert:
    """Something that people should know; `clause` is the clause of the rules, empty without one."""

    text: str
    clause: str = ""
    bad: bool = True


@dataclass(frozen=True)
class BoardView:
    """The scoreboard at one moment."""

    number: int
    table: str
    game: int
    games: int | None
    target: int | None
    state: str
    seats: tuple[SeatView, ...]
    turn_s: float | None
    left_s: float | None
    runs: bool
    stacks: tuple[int, ...]
    wall: int
    atu: TileView | None
    row: tuple[TileView, ...]
    last: str
    alerts: tuple[Alert, ...]
    chart: Chart | None


def board_view(document: Mapping[str, Any]) -> BoardView:
    """Return the scoreboard for a document (docs/formats.md) in the visitor's language."""
    names = [str(seat["name"]) for seat in document["seats"]]
    match = document.get("match")
    spent, left, runs = _time(document)
    counting = [entry for entry in document["entries"] if entry.get("counts", True)]
    return BoardView(
        number=int(document["number"]),
        table=str(document.get("table") or ""),
        game=int(document["game"]),
        games=match and match.get("games"),
        target=match and match.get("target"),
        state=_state(document, names),
        seats=tuple(_seat(document, seat) for seat in range(len(names))),
        turn_s=spent,
        left_s=left,
        runs=runs,
        stacks=stacks(int(document["wall"])),
        wall=int(document["wall"]),
        atu=TileView(face_view(parse_face(document["atu"]))) if document.get("atu") else None,
        row=tuple(TileView(face_view(parse_face(face))) for face in document["row"]),
        last=_last(counting[-1], names) if counting else gettext("Waiting for the deal."),
        alerts=tuple(_alerts(document, names)),
        chart=chart(names, match["results"]) if match else None,
    )


def stacks(tiles: int) -> tuple[int, ...]:
    """Return the stacks that a wall of so many tiles still has, the one that is drawn from first.

    >>> stacks(16)
    (2, 7, 7)
    """
    full, rest = divmod(tiles, STACK_SIZE)
    return ((rest,) if rest else ()) + (STACK_SIZE,) * full


def clock_text(seconds: float | None) -> str:
    """Return seconds as minutes and whole seconds.

    >>> clock_text(75.9)
    '1:15'
    """
    return "" if seconds is None else f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def _state(document: Mapping[str, Any], names: Sequence[str]) -> str:
    if (document.get("match") or {}).get("over"):
        return gettext("The match is over.")
    if document.get("paused"):
        return gettext("Pause")
    if document["phase"] == "over":
        closer = document.get("closed_by")
        if closer is None:
            return gettext("The game is over; nobody closed.")
        return gettext("The game is over; %(name)s closed.", name=names[closer])
    if document["phase"] == "deal" or document.get("turn") is None:
        return gettext("%(name)s deals.", name=names[document["dealer"]])
    return gettext("%(name)s is on turn.", name=names[document["turn"]])


def _time(document: Mapping[str, Any]) -> tuple[float | None, float | None, bool]:
    """Seconds of the turn spent and left, and whether they run; nothing where the table has no clock."""
    clock = document.get("clock")
    if not clock or clock.get("mode") == "off" or document["phase"] != "play":
        return None, None, False
    left = clock.get("left_s")
    return float(clock["spent_s"]), None if left is None else float(left), bool(clock["runs"])


def _last(entry: Mapping[str, Any], names: Sequence[str]) -> str:
    # The scoreboard does not show how records name melds.
    return entry_words({key: value for key, value in entry.items() if key != "meld"}, names)


def _tiles(text: str) -> tuple[TileView, ...]:
    return tuple(
        TileView(face_view(tile.face), face_view(tile.stands_for) if tile.stands_for else None)
        for tile in parse_tiles(text)
    )


def _seat(document: Mapping[str, Any], seat: int) -> SeatView:
    one = document["seats"][seat]
    score = document["scores"][seat]
    match = document.get("match")
    signs = document.get("lamps") or []
    sign = signs[seat] if seat < len(signs) and signs[seat] in LAMPS else "off"
    pattern, colour = LAMPS[sign]
    return SeatView(
        seat=seat,
        name=str(one["name"]),
        sign=sign,
        sign_words=sign_words(sign),
        pattern=pattern,
        colour=colour,
        on_turn=document.get("turn") == seat,
        dealer=document["dealer"] == seat,
        tiles=int(one["tiles"]),
        opened=bool(one["opened"]),
        game=plain(score["total"]),
        lines=tuple((line_words(line["what"]), plain(line["points"])) for line in score["lines"]),
        match=plain(match["totals"][seat]) if match else None,
        place=match["places"][seat] if match and match["results"] else None,
        melds=tuple(
            MeldView(meld["id"], _tiles(meld["tiles"]), _tiles(meld.get("beside", "")), meld["shape"] is None)
            for meld in document["melds"]
            if meld["seat"] == seat
        ),
    )


def _alerts(document: Mapping[str, Any], names: Sequence[str]) -> list[Alert]:
    alerts = []
    if document.get("trouble"):
        alerts.append(Alert(in_language(ro=document["trouble"]["ro"], en=document["trouble"]["en"])))
    alerts += [
        Alert(in_language(ro=one["hint_ro"], en=one["hint"]), str(one.get("clause") or ""))
        for one in document["refusals"][-2:]
    ]
    question = document.get("question")
    if question:
        text = in_language(ro=question["text_ro"], en=question["text"])
        seat = question.get("seat")
        alerts.append(Alert(text if seat is None else f"{names[seat]}: {text}", bad=False))
    differences = document["differences"]
    alerts += [
        Alert(in_language(ro=one["hint_ro"], en=one["hint"]), bad=False)
        for one in differences[:DIFFERENCES_SHOWN]
    ]
    if len(differences) > DIFFERENCES_SHOWN:
        more = len(differences) - DIFFERENCES_SHOWN
        words = gettext("%(number)s more places differ; the arbiter sees them all.", number=more)
        alerts.append(Alert(words, bad=False))
    for part in document["parts"]:
        if not part["well"]:
            why = in_language(ro=part["why_ro"], en=part["why"])
            alerts.append(Alert(f"{place_words(part['name'])}: {why}", bad=False))
    return alerts
