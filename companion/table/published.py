"""What pages and lamps read: the table at one moment, immutable, without anything of a rack in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.table import clock as clocks
from companion.table.core import all_results
from companion.table.pointing import on_racks, pointed
from companion.table.public_refusals import public_refusals
from engine.corrections import effective
from engine.entries import write_command
from engine.lamps import lamps
from engine.matches import places
from engine.scores import score
from vision.sources.health import Words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.table.clock import ClockSettings, TurnClock
    from companion.table.core import Core, Setup
    from engine.lamps import LampSign
    from engine.records import Record
    from engine.state import State

Document = dict[str, Any]

SHOWN_ENTRIES: Final = 40
"""The newest entries that a document has; the whole game is its record."""

_OF_RACKS: Final[Mapping[str, tuple[str, ...]]] = {
    "draw": ("tile",),
    "racks": ("racks",),
    "swap_doubles": ("gives", "gets"),
}
"""Fields of entries that say what is on a rack."""


@dataclass(frozen=True)
class Published:
    """The table at one moment. `number` counts publications, `version` is what a post must name.

    `public` has the clock of the moment of publication; `document` that of any later one.
    """

    number: int
    version: int
    state: State
    lamps: tuple[LampSign, ...]
    public: Document
    clock: TurnClock = clocks.NO_CLOCK
    settings: ClockSettings = clocks.NO_LIMITS

    def document(self, now: float) -> Document:
        """What everybody may see, with the clock of the turn as it stands at `now`."""
        return {**self.public, "clock": _clock(self.clock, self.settings, now)}


_RACK_DOUBT: Final = Words(
    "A tile on a rack is in doubt. Lay the rack out in front of its player, or enter it by hand.",
    "O piesă de pe o tablă este neclară. Așezați piesele în fața jucătorului sau introduceți tabla de mână.",
)


def publish(core: Core, setup: Setup, *, number: int, now: float, trouble: Words | None = None) -> Published:
    """What is shown of a core; `trouble` says why what was done last is not in the journal yet."""
    share = clocks.lamp_share(core.clock, setup.clock, now)
    signs = lamps(core.state, core.notices(share))
    document = public_document(core, setup, now=now, trouble=trouble)
    document = {"version": core.version, "number": number, **document}
    document["lamps"] = [sign.sign.value for sign in signs]
    return Published(number, core.version, core.state, signs, document, core.clock, setup.clock)


def public_document(core: Core, setup: Setup, *, now: float, trouble: Words | None = None) -> Document:
    """The table as JSON for everybody: racks as counts, draws without their tile."""
    state, history = core.state, core.history
    match = history.match
    names = core.game.record.header.seats
    hidden = _hidden(core)
    return {
        "rules": core.game.record.header.base,
        "phase": state.phase,
        "paused": history.paused,
        "match": _match(core),
        "game": core.game.number,
        "dealer": state.dealer,
        "turn": state.turn.seat if state.phase == "play" else None,
        "clock": _clock(core.clock, setup.clock, now),
        "wall": state.wall.left,
        "drawable": state.wall.drawable,
        "next_stack": None if state.wall.next_stack is None else state.wall.next_stack.number,
        "atu": None if state.atu is None else str(state.atu),
        "atu_lies": state.atu_place,
        "closed_by": None if state.closing is None else state.closing.seat,
        "row": [str(face) for face in state.row],
        "melds": [
            {
                "id": meld.id,
                "seat": meld.seat,
                "tiles": " ".join(map(str, meld.tiles)),
                "shape": meld.shape,
                "beside": " ".join(str(piece.tile) for piece in meld.beside),
            }
            for meld in state.melds
        ],
        "seats": [
            {
                "seat": seat,
                "name": names[seat],
                "tiles": len(state.players[seat].hand),
                "opened": state.players[seat].opened,
                "called": seat in core.calls,
            }
            for seat in range(state.seats)
        ],
        "scores": [
            {
                "seat": one.seat,
                "total": one.total,
                "complete": one.complete,
                "lines": [{"what": line.what, "points": line.points} for line in one.lines],
            }
            for one in score(state)
        ],
        "entries": public_entries(core)[-SHOWN_ENTRIES:],
        "begun": [_public(write_command(command)) for command in core.begun],
        "refusals": public_refusals(core),
        "question": _question(core),
        "announcing": None if core.announcing is None else
        {"seat": core.announcing[0], "may_mean": list(core.announcing[1])},
        "differences": [
            {"code": one.code, "place": one.place, "hint": one.hint_en, "hint_ro": one.hint_ro,
             "key": None if one.key in hidden else one.key,
             "tiles": pointed(core.reading, {one.key} - hidden if one.key is not None else ())}
            for one in core.differs
        ],
        "parts": [
            {"name": part.name, "state": part.state, "well": part.well, "why": part.why.en,
             "why_ro": part.why.ro}
            for part in core.parts.values()
        ],
        "trouble": None if trouble is None else {"en": trouble.en, "ro": trouble.ro},
        "table": None if match is None else match.more.get("table"),
    }  # fmt: skip


def _match(core: Core) -> Document | None:
    begun = core.history.match
    if begun is None:
        return None
    results = all_results(core)
    totals = [sum(result[seat] for result in results) for seat in range(len(begun.names))]
    found = core.match
    return {
        "number": begun.number,
        "games": begun.games,
        "target": begun.target,
        "results": [list(result) for result in results],
        "totals": totals,
        "places": list(places(totals)),
        "over": core.history.match_over or (found is not None and found.over and core.complete),
    }


def _clock(clock: TurnClock, settings: ClockSettings, now: float) -> Document | None:
    if clock.seat is None:
        return None
    left = clocks.left(clock, settings, now)
    return {
        "mode": settings.mode,
        "spent_s": round(clocks.elapsed(clock, now), 1),
        "left_s": None if left is None else round(left, 1),
        "warnings": clocks.warnings_past(clock, settings, now),
        "runs": clock.since is not None,
    }


def public_entries(core: Core) -> list[Document]:
    """Every entry of the game that is on, without what it says of racks."""
    record = core.game.record
    counting = {entry.seq for entry in effective(record).entries}
    return [
        {
            "seq": entry.seq,
            "at": entry.at,
            "actor": entry.actor,
            "counts": entry.seq in counting,
            **_public({"event": entry.event, **entry.fields}),
        }
        for entry in record.entries
    ]


def _public(fields: Mapping[str, Any]) -> Document:
    """An entry without what it says of racks."""
    event = str(fields["event"])
    shown = {key: value for key, value in fields.items() if key not in _OF_RACKS.get(event, ())}
    if event == "deal":
        hands = fields.get("hands") or []
        shown["hands"] = [hand if isinstance(hand, int) else len(str(hand).split()) for hand in hands]
    inner = fields.get("entry")
    if event == "amend" and isinstance(inner, dict) and "event" in inner:
        shown["entry"] = _public(inner)
    return shown


def _hidden(core: Core) -> frozenset[int]:
    """The keys of tiles that nobody is told of: those on racks, while the game is on."""
    return frozenset() if core.state.phase == "over" else on_racks(core.reading)


def with_racks(record: Record, target: int | None, entry: Mapping[str, Any]) -> Document:
    """An entry to be put for another, with what that one says of racks where it says nothing itself.

    Who corrects an entry on the page was not shown it.
    """
    before = next((one for one in effective(record).entries if one.seq == target), None)
    if before is None or before.event != entry.get("event"):
        return dict(entry)
    hidden = ("hands",) if before.event == "deal" else _OF_RACKS.get(before.event, ())
    return {**{name: before.fields[name] for name in hidden if name in before.fields}, **entry}


def _question(core: Core) -> Document | None:
    question = core.question
    if question is None:
        return None
    hidden = _hidden(core)
    keys = {*question.keys, *(key for option in question.options for key in option.keys)}
    # What a rack may hold is not told before the game is over, be it in words.
    secret = bool(keys & hidden) or (question.kind == "racks" and not keys and core.state.phase != "over")
    text = _RACK_DOUBT if secret else Words(question.text_en, question.text_ro)
    return {
        "number": question.number,
        "kind": question.kind,
        "seat": question.seat,
        "text": text.en,
        "text_ro": text.ro,
        "keys": [key for key in question.keys if key not in hidden],
        "tiles": pointed(core.reading, keys - hidden),
        "options": []
        if secret
        else [
            {
                "text": option.text_en,
                "text_ro": option.text_ro,
                "share": round(option.share, 3),
                "keys": list(option.keys),
            }
            for option in question.options
        ],
    }
