"""What the desk shows of a game and of the reading, as plain values for the templates."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from engine.notation import NotationError, format_seen, parse_face, parse_tiles
from engine.public_reading import public_reading
from engine.tiles import Face, Mark
from web_ui.board_words import actor_words, entry_words
from web_ui.desk_words import name_of, names_of
from web_ui.faces import FaceView, face_view
from web_ui.languages import in_language
from web_ui.table_view import zone_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from engine.table_reading import Lying, TableReading

MOST_CHOICES = 4


@dataclass(frozen=True)
class GamePlace:
    """A place of a tile in the game: in a meld, or in the discard row where `meld` is empty."""

    meld: str
    at: int
    face: FaceView


@dataclass(frozen=True)
class Doubt:
    """A tile that the camera is not sure of: where, as what it was read, what the game has, and choices."""

    key: int
    where: str
    read: FaceView
    place: GamePlace | None
    choices: tuple[FaceView, ...]


@dataclass(frozen=True)
class Placed:
    """Tiles of a meld or of the row as the game has them."""

    title: str
    tiles: tuple[GamePlace, ...]


@dataclass(frozen=True)
class EntryView:
    """An entry in words; `counts` is false once it was voided."""

    seq: int
    words: str
    actor: str
    counts: bool
    against: tuple[str, ...]


def doubts(reading: TableReading | None, game: Mapping[str, Any]) -> tuple[Doubt, ...]:
    """Return the tiles of melds and row that were not read for sure, those of which least is known first."""
    if reading is None:
        return ()
    reading = public_reading(reading)
    places = game_places(reading, game)
    found = [(tile, zone_name(f"meld {meld.seat}")) for meld in reading.melds for tile in meld.tiles] + [
        (tile, zone_name("discard")) for tile in reading.row
    ]
    unsure = [
        (tile, where)
        for tile, where in found
        if tile.face is not Mark.FACE_DOWN and (tile.doubtful or tile.face is Mark.UNREAD)
    ]
    unsure.sort(key=lambda one: one[0].confidence)
    return tuple(_doubt(tile, where, places.get(tile.key)) for tile, where in unsure)


def _doubt(tile: Lying, where: str, place: GamePlace | None) -> Doubt:
    read = [tile.face] if isinstance(tile.face, Face) else []
    faces = dict.fromkeys((*read, *(one.face for one in tile.alternatives)))
    views = [face_view(face) for face in faces if isinstance(face, Face)]
    has = None if place is None else place.face.text
    choices = tuple(view for view in views if view.text != has)[:MOST_CHOICES]
    return Doubt(tile.key, where, face_view(tile.face), place, choices if place else ())


def game_places(reading: TableReading, game: Mapping[str, Any]) -> dict[int, GamePlace]:
    """Return by key where in the game the tiles lie that a reading has; one that fits nowhere is left out."""
    found: dict[int, GamePlace] = {}
    row = _placed(game["row"], "")
    for index, place in _aligned([format_seen(tile.face) for tile in reading.row], row):
        found[reading.row[index].key] = place
    free = [_meld_places(meld) for meld in game["melds"]]
    for meld in sorted(reading.melds, key=lambda one: -len(one.tiles)):
        words = [format_seen(tile.face) for tile in meld.tiles]
        fitting = [(_common(words, places), places) for places in free]
        best = max(fitting, key=lambda one: one[0], default=(0, ()))
        if best[0] * 2 < len(words) or not best[0]:
            continue
        free.remove(best[1])
        turned = tuple(reversed(best[1]))
        ways = [_aligned(words, best[1]), _aligned(words, turned)]
        for index, place in max(ways, key=lambda way: _agreeing(words, way)):
            found[meld.tiles[index].key] = place
    return found


def _aligned(words: Sequence[str], places: Sequence[GamePlace]) -> list[tuple[int, GamePlace]]:
    there = [place.face.text for place in places]
    if len(words) == len(there):
        return list(enumerate(places))
    pairs: list[tuple[int, GamePlace]] = []
    for _, a0, a1, b0, b1 in SequenceMatcher(None, words, there, autojunk=False).get_opcodes():
        if a1 - a0 == b1 - b0:
            pairs += [(a0 + step, places[b0 + step]) for step in range(a1 - a0)]
    return pairs


def _agreeing(words: Sequence[str], pairs: Sequence[tuple[int, GamePlace]]) -> int:
    return sum(words[index] == place.face.text for index, place in pairs)


def _common(words: Sequence[str], places: Sequence[GamePlace]) -> int:
    return (Counter(words) & Counter(place.face.text for place in places)).total()


def _placed(faces: Sequence[str], meld: str) -> tuple[GamePlace, ...]:
    return tuple(GamePlace(meld, at, face_view(parse_face(face))) for at, face in enumerate(faces))


def _meld_places(meld: Mapping[str, Any]) -> tuple[GamePlace, ...]:
    return _placed([str(tile.face) for tile in parse_tiles(str(meld["tiles"]))], str(meld["id"]))


def table_tiles(game: Mapping[str, Any]) -> tuple[Placed, ...]:
    """Return every tile on the table as the game has it, melds first, then the row."""
    melds = tuple(
        Placed(f"{name_of(game, meld['seat'])}, {meld['id']}", _meld_places(meld)) for meld in game["melds"]
    )
    row = _placed(game["row"], "")
    return (*melds, Placed(zone_name("discard"), row)) if row else melds


def place_of(game: Mapping[str, Any], meld: str, at: int) -> GamePlace | None:
    """Return a place with its tile; None where the game has none there."""
    for placed in table_tiles(game):
        for place in placed.tiles:
            if (place.meld, place.at) == (meld, at):
                return place
    return None


def entries(game: Mapping[str, Any]) -> tuple[EntryView, ...]:
    """Return the entries that a document has, newest first."""
    names = names_of(game)
    return tuple(
        EntryView(
            seq=int(entry["seq"]),
            words=entry_words(entry, names),
            actor=actor_words(entry.get("actor")),
            counts=bool(entry["counts"]),
            against=tuple(
                in_language(ro=one["hint_ro"], en=one["hint"])
                + (f" ({one['clause']})" if one["clause"] else "")
                for one in game["refusals"]
                if one["seq"] == entry["seq"]
            ),
        )
        for entry in reversed(game["entries"])
    )


def face_choices(read: str) -> tuple[FaceView, ...]:
    """Return the faces that a text of notation names, for the choice of a face."""
    try:
        return tuple(face_view(tile.face) for tile in parse_tiles(read))
    except NotationError:
        return ()
