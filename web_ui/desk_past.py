"""An earlier game of the match that is followed, as the desk's forms for corrections need it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.corrections import effective
from engine.replay import replay
from web_ui.history_view import shown_record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from web_ui.services import History, PlayedMatch


@dataclass(frozen=True)
class PastGame:
    """`game`: the document of the table, with melds and row as this game left them; `entries`: its own."""

    number: int
    game: Mapping[str, Any]
    entries: Sequence[Mapping[str, Any]]


def is_followed(match: PlayedMatch, document: Mapping[str, Any]) -> bool:
    """Return whether a match of the history is the one that the document is of."""
    return match.number is not None and match.number == (document.get("match") or {}).get("number")


def past_game(document: Mapping[str, Any], history: History | None, number: int) -> PastGame | None:
    """Return a game before the one that is on; None where there is none. StoreError of the history."""
    if history is None or not 1 <= number < int(document["game"]):
        return None
    match = next((one for one in history.matches() if is_followed(one, document)), None)
    if match is None or number > len(match.records):
        return None
    state = replay(match.records[number - 1]).state
    record = shown_record(match.records[number - 1], over=state.phase == "over")
    counting = {entry.seq for entry in effective(record).entries}
    melds = [
        {"id": meld.id, "seat": meld.seat, "tiles": " ".join(map(str, meld.tiles))} for meld in state.melds
    ]
    entries = [
        {"seq": entry.seq, "actor": entry.actor, "counts": entry.seq in counting, "event": entry.event,
         **entry.fields}
        for entry in record.entries
    ]  # fmt: skip
    row = [str(face) for face in state.row]
    return PastGame(number, {**document, "melds": melds, "row": row, "turn": None}, entries)
