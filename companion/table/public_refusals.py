"""What is against a game's entries, as everybody may read it: nothing that follows from a tile on a rack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from engine.public_record import public_record
from engine.replay import replay
from vision.sources.health import Words

if TYPE_CHECKING:
    from companion.table.core import Core
    from engine.replay import Refused

OF_RACKS: Final = frozenset(
    {
        "tile_not_there", "more_than_the_set", "more_than_the_wall", "no_double_there", "atu_not_held",
        "double_not_held", "spoil_needs_doubles", "rack_count", "rack_differs", "atu_was_not_held",
    }
)  # fmt: skip
"""Codes that the tiles of a rack can lead to: what they say is in part what stands there."""

UNTOLD: Final = "not_told_yet"
_WORDS: Final = Words(
    "What is against this entry is told once the racks are shown. If it was read or entered wrongly, the "
    "arbiter corrects it.",
    "Ce este împotriva acestei înregistrări se spune după ce se arată tablele. Dacă a fost citită sau "
    "introdusă greșit, o corectează arbitrul.",
)


def public_refusals(core: Core) -> list[dict[str, Any]]:
    """What is against the entries, each with `seq`, `code`, `clause` and hints.

    While the game is on, a reason that the record without its racks does not give too is not told.
    """
    doubtful = core.state.phase != "over" and any(one.reason.code in OF_RACKS for one in core.refused)
    seen: dict[tuple[int, str], Refused] = {}
    if doubtful:
        told = replay(public_record(core.game.record)).refusals
        seen = {(one.seq, one.reason.code): one for one in told}
    found: dict[tuple[int, str], dict[str, Any]] = {}
    for at, one in enumerate(core.refused):
        shown: Refused | None = one
        if doubtful and one.reason.code in OF_RACKS:
            shown = seen.get((one.seq, one.reason.code))
        if shown is None:
            found[one.seq, UNTOLD] = {"seq": one.seq, "code": UNTOLD, "clause": "", "hint": _WORDS.en,
                                      "hint_ro": _WORDS.ro}  # fmt: skip
        else:
            reason = shown.reason
            found[one.seq, f"{reason.code} {at}"] = {
                "seq": one.seq, "code": reason.code, "clause": reason.clause, "hint": reason.hint_en,
                "hint_ro": reason.hint_ro,
            }  # fmt: skip
    return list(found.values())
