"""What comes of a look: a proposal, a question with its candidates, or differences, with words for people."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.commands import Command
    from engine.infer.plans import Turned
    from engine.reasons import Reason
    from engine.state import State
    from engine.tiles import Face

DifferenceCode = Literal["missing", "extra", "misread", "unread", "unseen", "inexplicable"]
QuestionKind = Literal["turn", "deal", "racks", "revision"]


@dataclass(frozen=True, slots=True)
class Nothing:
    """Nothing has happened that ends a turn; `begun` is what the turn that is on has done so far, as seen."""

    begun: tuple[Command, ...] = ()
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class Proposal:
    """A turn that has ended: its commands for the live fold, in order.

    `odds` is how much likelier this is than all else; `reasons` are what is against its commands by the
    rules; `keys` the tiles of the reading that show it; `turns` how many turns were told.
    """

    commands: tuple[Command, ...]
    odds: float
    reasons: tuple[Reason, ...] = ()
    keys: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """One answer to a question: commands, the share that they have in all that is likely, and words.

    `faces` says for slots of the memory what they are then, `row_links` what the row is, `gone` which slots
    are no tile of the table any more.
    """

    commands: tuple[Command, ...]
    share: float
    text_en: str
    text_ro: str
    keys: tuple[int, ...] = ()
    reasons: tuple[Reason, ...] = ()
    faces: Mapping[int, Face] = field(default_factory=dict)
    row_links: tuple[int | None, ...] = ()
    gone: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A question: what of these it was; `keys` are the tiles to show with it.

    `undo` commands at the end of the log are replaced by the answer (a `revision`).
    """

    kind: QuestionKind
    candidates: tuple[Candidate, ...]
    keys: tuple[int, ...]
    text_en: str
    text_ro: str
    undo: int = 0


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that lies otherwise than the state says, and nothing explains it.

    `place` names where: `row 3`, `m2`, `table`; `expected` and `seen` are faces, None for no tile.
    """

    code: DifferenceCode
    place: str
    expected: Face | None
    seen: Face | None
    key: int | None
    clause: str
    hint_en: str
    hint_ro: str


@dataclass(frozen=True, slots=True)
class Desync:
    """State and table do not agree."""

    differences: tuple[Difference, ...]


Inferred = Nothing | Proposal | Ambiguity | Desync


def told(turned: Turned, names: tuple[str, str] = ("seat", "locul")) -> tuple[str, str]:
    """A turn in words, English and Romanian."""
    from engine import commands as c
    from engine.notation import format_tiles

    english, romanian = [], []
    for command in turned.commands:
        match command:
            case c.Draw(source="atu"):
                english.append("takes the atu")
                romanian.append("ia atuul")
            case c.Draw():
                english.append("draws")
                romanian.append("trage")
            case c.Take(start=start):
                english.append(f"takes from place {start + 1} of the row")
                romanian.append(f"ia din șir de la locul {start + 1}")
            case c.MeldDown(melds=melds):
                tiles = " | ".join(map(format_tiles, melds))
                english.append(f"puts down {tiles}")
                romanian.append(f"etalează {tiles}")
            case c.LayOff(meld=meld, tiles=laid):
                english.append(f"lays {format_tiles(laid)} onto {meld}")
                romanian.append(f"lipește {format_tiles(laid)} la {meld}")
            case c.Reclaim(meld=meld, tiles=put):
                english.append(f"takes the joker of {meld} for {format_tiles(put)}")
                romanian.append(f"ia joly din {meld} pentru {format_tiles(put)}")
            case c.Discard(tile=tile):
                english.append(f"discards {tile}")
                romanian.append(f"aruncă {tile}")
            case c.CloseTable(kind=kind, tile=tile):
                english.append(f"closes on the rack ({kind}) with {tile}")
                romanian.append(f"închide pe tablă ({kind}) cu {tile}")
            case c.WallEmpty():
                english.append("builds the row into a new wall")
                romanian.append("zidul se reface din șir")
            case _:
                english.append(type(command).__name__)
                romanian.append(type(command).__name__)
    start_en, start_ro = f"{names[0]} {turned.seat}", f"{names[1]} {turned.seat}"
    return f"{start_en}: {', '.join(english)}", f"{start_ro}: {', '.join(romanian)}"


def folded(state: State, commands: tuple[Command, ...]) -> tuple[State, tuple[Reason, ...]]:
    """The state after commands that were done, and all that was against them."""
    from engine.decide import happened

    reasons: list[Reason] = []
    for command in commands:
        state, against = happened(state, command)
        reasons += against
    return state, tuple(reasons)
