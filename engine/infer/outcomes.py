"""What comes of a look: a proposal, a question with its candidates, or differences, with words for people."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from engine.repair_reasons import name_en, name_ro

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.commands import Command
    from engine.infer.plans import Turned
    from engine.reasons import Reason
    from engine.state import State
    from engine.tiles import Face, Tile

DifferenceCode = Literal["missing", "extra", "misread", "unread", "unseen", "hidden", "inexplicable"]
QuestionKind = Literal["turn", "deal", "racks", "revision"]
_GAMES_EN = {"mozaic": "mosaic"}
_GAMES_RO = {"simple": "simplu", "closed": "joc închis"}


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
    """A turn in words, English and Romanian, its tiles as players say them."""
    from engine import commands as c

    english, romanian = [], []
    for command in turned.commands:
        match command:
            case c.Draw(source="atu"):
                words = "takes the atu", "ia atuul"
            case c.Draw():
                words = "draws", "trage"
            case c.Take(start=start):
                words = f"takes from place {start + 1} of the row", f"ia din șir de la locul {start + 1}"
            case c.MeldDown(melds=melds):
                down = [said(meld) for meld in melds]
                words = (
                    f"puts down {' and '.join(one for one, _ in down)}",
                    f"etalează {' și '.join(one for _, one in down)}",
                )
            case c.LayOff(meld=meld, tiles=laid):
                (en, ro), (onto_en, onto_ro) = said(laid), _meld(turned, meld, laid)
                words = f"lays {en} onto {onto_en}", f"lipește {ro} la {onto_ro}"
            case c.Reclaim(meld=meld, tiles=put):
                (en, ro), (of_en, of_ro) = said(put), _meld(turned, meld, ())
                words = f"takes the joker of {of_en} for {en}", f"ia joly-ul din {of_ro} pentru {ro}"
            case c.Discard(tile=tile):
                words = f"discards {name_en(tile)}", f"aruncă {name_ro(tile)}"
            case c.CloseTable(kind=kind, tile=tile):
                words = (
                    f"closes on the rack ({_GAMES_EN.get(kind, kind)}) with {name_en(tile)}",
                    f"închide pe tablă ({_GAMES_RO.get(kind, kind)}) cu {name_ro(tile)}",
                )
            case c.WallEmpty():
                words = "builds the row into a new wall", "zidul se reface din șir"
            case _:
                words = type(command).__name__, type(command).__name__
        english.append(words[0])
        romanian.append(words[1])
    start_en, start_ro = f"{names[0]} {turned.seat}", f"{names[1]} {turned.seat}"
    return f"{start_en}: {'; '.join(english)}", f"{start_ro}: {'; '.join(romanian)}"


def said(tiles: Sequence[Tile]) -> tuple[str, str]:
    """Tiles as players say them, English and Romanian; with a joker the face that it stands for."""
    named = [
        (name_en(tile.face), name_ro(tile.face)) if tile.stands_for is None else
        (f"joker ({name_en(tile.stands_for)})", f"joly ({name_ro(tile.stands_for)})")
        for tile in tiles
    ]  # fmt: skip
    return ", ".join(one for one, _ in named), ", ".join(one for _, one in named)


def _meld(turned: Turned, name: str, laid: Sequence[Tile]) -> tuple[str, str]:
    """A meld by its tiles, without those that were laid onto it."""
    meld = next((one for one in turned.state.melds if one.id == name), None)
    if meld is None:
        return "a meld", "o formație"
    tiles = [piece.tile for piece in (*meld.pieces, *meld.beside)]
    for tile in laid:
        tiles.remove(next((one for one in tiles if one.face == tile.face), tiles[0]))
    return said(tiles)


def folded(state: State, commands: tuple[Command, ...]) -> tuple[State, tuple[Reason, ...]]:
    """The state after commands that were done, and all that was against them."""
    from engine.decide import happened

    reasons: list[Reason] = []
    for command in commands:
        state, against = happened(state, command)
        reasons += against
    return state, tuple(reasons)
