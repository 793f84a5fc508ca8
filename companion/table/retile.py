"""The entry of a game that laid a tile where it lies, with another face for that tile; pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from engine.corrections import effective
from engine.notation import NotationError, parse_tiles
from engine.replay import replay

if TYPE_CHECKING:
    from engine.corrections import Effective
    from engine.records import Record
    from engine.state import State
    from engine.tiles import Face

LAYS: Final[Mapping[str, tuple[str, ...]]] = {
    "discard": ("tile",),
    "close_table": ("tile", "melds"),
    "meld": ("melds",),
    "lay_off": ("tiles", "new_meld"),
    "reclaim": ("tiles", "into"),
}
"""The fields of entries that bring tiles onto the table."""


@dataclass(frozen=True, slots=True)
class InRow:
    """A place in the discard row, the first one 0."""

    at: int


@dataclass(frozen=True, slots=True)
class InMeld:
    """A place in a meld, the first one 0."""

    meld: str
    at: int


Place = InRow | InMeld


def face_at(state: State, place: Place) -> Face | None:
    """The face that the game has there; None where nothing lies."""
    faces = _faces(state, place)
    return faces[place.at] if 0 <= place.at < len(faces) else None


def retiled(record: Record, place: Place, face: Face) -> tuple[int, dict[str, Any]] | None:
    """The number of the entry that laid the tile at a place, and that entry with another face for it.

    None where no entry did it alone. What an entry names is tried out: the right one is the one with which
    that tile is another one and every other tile on the table the same.
    """
    before = replay(record).state
    old = face_at(before, place)
    if old is None:
        return None
    wanted = _table(before, {place: face})
    for entry in reversed(effective(record).entries):
        for fields in _variants(entry, old, face):
            said = {"event": entry.event, **fields}
            after = replay(record.plus("amend", {"target": entry.seq, "entry": said}, actor="arbiter"))
            if _table(after.state, {}) == wanted:
                return entry.seq, said
    return None


def _faces(state: State, place: Place) -> tuple[Face, ...]:
    if isinstance(place, InRow):
        return tuple(state.row)
    found = next((meld for meld in state.melds if meld.id == place.meld), None)
    return () if found is None else tuple(tile.face for tile in found.tiles)


def _table(state: State, changed: Mapping[Place, Face]) -> object:
    """Every face in row and melds; a meld's as a multiset, since another face may put it in another order."""
    row = [changed.get(InRow(at), face) for at, face in enumerate(state.row)]
    melds = {
        meld.id: sorted(
            str(changed.get(InMeld(meld.id, at), tile.face))
            for at, tile in enumerate((*meld.tiles, *(piece.tile for piece in meld.beside)))
        )
        for meld in state.melds
    }
    return row, melds


def _variants(entry: Effective, old: Face, face: Face) -> Iterator[dict[str, Any]]:
    for name in LAYS.get(entry.event, ()):
        value = entry.fields.get(name)
        lines = value if isinstance(value, list) else [value]
        for at, line in enumerate(lines):
            if not isinstance(line, str):
                continue
            for other in _lines(line, old, face):
                new = [*lines[:at], other, *lines[at + 1 :]] if isinstance(value, list) else other
                yield {**entry.fields, name: new}


def _lines(line: str, old: Face, face: Face) -> Iterator[str]:
    words = line.split()
    for at, word in enumerate(words):
        try:
            tiles = parse_tiles(word)
        except NotationError:
            continue
        if len(tiles) == 1 and tiles[0].face == old:
            yield " ".join([*words[:at], str(face), *words[at + 1 :]])
