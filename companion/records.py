"""A replayed record and the best melds of a rack as JSON documents, and as tables for people."""

from __future__ import annotations

import locale
import os
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.records import RecordError
    from engine.replay import Conflict, Refused, Replay
    from engine.scores import SeatScore
    from engine.solver import Best

Document = dict[str, Any]

LINE_NAMES = {
    "melded": ("melded", "etalat"),
    "laid_off": ("laid off", "lipit"),
    "joker": ("joker, first used", "joly, folosit primul"),
    "replaced_joker": ("in a joker's place", "în locul unui joly"),
    "rack": ("left on the rack", "rămas pe tablă"),
    "hand": ("left in the hand", "rămas în mână"),
    "others_hands": ("the others' hands", "mâinile celorlalți"),
    "never_opened": ("never opened", "nu a etalat"),
    "table_game_failed": ("table game not finished", "joc pe tablă neterminat"),
    "table_game": ("closed on the rack", "închis pe tablă"),
    "closing": ("closing", "închidere"),
    "closed_in_one_turn": ("closed in one turn", "închis într-o singură tură"),
    "atu": ("atu", "atu"),
    "doubling": ("doubled", "dublat"),
    "fine": ("instead of the result", "în locul rezultatului"),
    "ruling": ("decided by the arbiter", "hotărât de arbitru"),
}
"""What people call the lines of a score, in English and Romanian."""


def in_romanian() -> bool:
    """Whether the locale asks for Romanian, as `LC_ALL`, `LC_MESSAGES` and `LANG` say in this order."""
    named = next(
        (os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), None
    )
    return (named or locale.getlocale()[0] or "").lower().startswith("ro")


def replay_document(played: Replay, upset: Sequence[Conflict] = ()) -> Document:
    """The JSON of `remi replay` (docs/formats.md)."""
    state, names = played.state, played.record.header.seats
    closing = state.closing
    next_stack = state.wall.next_stack
    return {
        "rules": played.record.header.base,
        "phase": state.phase,
        "turn": state.turn.seat if state.phase == "play" else None,
        "wall": state.wall.left,
        "drawable": state.wall.drawable,
        "next_stack": None if next_stack is None else {"stack": next_stack.number, "tiles": next_stack.tiles},
        "atu": None if state.atu is None else str(state.atu),
        "atu_lies": state.atu_place,
        "closed_by": None if closing is None else closing.seat,
        "melds": [
            {
                "id": meld.id,
                "seat": meld.seat,
                "tiles": " ".join(map(str, meld.tiles)),
                "shape": meld.shape,
                **({"beside": " ".join(str(piece.tile) for piece in meld.beside)} if meld.beside else {}),
            }
            for meld in state.melds
        ],
        "discards": " ".join(map(str, state.row)),
        "hands": [
            {"seat": seat, "tiles": len(player.hand), "known": str(player.hand.known)}
            for seat, player in enumerate(state.players)
        ],
        "scores": [_score_document(score, names[score.seat]) for score in played.scores],
        "refusals": [_refusal_document(refused) for refused in played.refusals],
        "conflicts": [
            {"seq": found.correction, "entries": [_refusal_document(refused) for refused in found.refused]}
            for found in upset
        ],
        "remarks": [
            {"seq": remark.seq, "seat": remark.seat, "code": remark.code, "fine": remark.fine}
            for remark in played.remarks
        ],
    }


def _score_document(score: SeatScore, name: str) -> Document:
    lines = [
        {"what": line.what, "points": line.points} | ({"reason": line.reason} if line.reason else {})
        for line in score.lines
    ]
    return {
        "seat": score.seat,
        "name": name,
        "total": score.total,
        "complete": score.complete,
        "lines": lines,
    }


def _refusal_document(refused: Refused) -> Document:
    from engine.refusals import IMPOSSIBLE

    reason = refused.reason
    return {
        "seq": refused.seq,
        "code": reason.code,
        "clause": reason.clause,
        "tiles": " ".join(map(str, reason.tiles)),
        "hint": reason.hint_en,
        "hint_ro": reason.hint_ro,
        "effect": reason.code not in IMPOSSIBLE,
    }


def broken_document(error: RecordError) -> Document:
    """The JSON of a record that cannot be read."""
    said = {"line": error.line, "field": error.field, "hint": error.hint_en, "hint_ro": error.hint_ro}
    return {"error": {"code": "broken_record", **said}}


def best_document(best: Best) -> Document:
    """The JSON of `remi best` (docs/formats.md)."""
    from engine.notation import format_tiles

    return {
        "melds": [format_tiles(meld.tiles) for meld in best.melds],
        "left": str(best.left),
        "points": best.points,
        "opens": best.opens,
        "closes": best.closes,
        "fewest_left": best.fewest_left,
        "closing_melds": [format_tiles(meld.tiles) for meld in best.closing],
        "table_games": list(best.table_games),
    }
