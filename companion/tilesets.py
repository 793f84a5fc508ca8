"""Teaching a tile set and reading with it: census, lesson and profile put together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from calibration import tilesets
from calibration.tilesets import TileSetError
from companion.output import InputError
from companion.records import in_romanian

if TYPE_CHECKING:
    from engine.tiles import Face, Seen
    from vision.adapt import Lesson
    from vision.census import Census, CensusError
    from vision.pictures import Pixels
    from vision.reader import Reader
    from vision.sightings import Sighting

MARKERS = 3
"""So many of a table's markers in the picture of a set say that it was taken from above the table."""

COLOURS = {
    "r": ("red", "roșu"),
    "y": ("yellow", "galben"),
    "b": ("blue", "albastru"),
    "k": ("black", "negru"),
}
"""What people call the colours of tiles, in English and Romanian."""


@dataclass(frozen=True)
class Draft:
    """A census as it stands: what was seen, what a person said of it, and what it comes to."""

    name: str
    sighting: Sighting
    census: Census
    settled: Mapping[int, Seen | None] = field(default_factory=dict)
    table_px: tuple[int, int] | None = None
    """Width and height of its picture, where that shows a table with its markers."""


def begin(
    reader: Reader, name: str, pictures: Sequence[Pixels], settled: Mapping[int, Seen | None] | None = None
) -> Draft:
    """The census of the pictures (h, w, 3 BGR); raises CensusError, and TileSetError for a bad name."""
    from vision.census import take_census
    from vision.sightings import sight

    name = tilesets.checked_name(name)
    sighting = sight(reader, pictures)
    said = dict(settled or {})
    return Draft(name, sighting, take_census(sighting, said), said, _of_table(pictures))


def _of_table(pictures: Sequence[Pixels]) -> tuple[int, int] | None:
    """The size of the picture, where there is one and it shows a table's markers."""
    from calibration.markers import find_markers

    if len(pictures) != 1 or len(find_markers(pictures[0])) < MARKERS:
        return None
    return pictures[0].shape[1], pictures[0].shape[0]


def settle(draft: Draft, index: int, answer: Seen | None) -> Draft:
    """The draft with what a person says that a tile is (None: no tile); IndexError where there is none."""
    from vision.census import take_census

    said = {**draft.settled, index: answer}
    return replace(draft, settled=said, census=take_census(draft.sighting, said))


def keep(
    reader: Reader,
    draft: Draft,
    *,
    weights: str,
    taught: str,
    width_mm: float | None = None,
    folder: Path | None = None,
) -> tuple[Path, Lesson]:
    """Learns from a draft and stores it; returns the profile's path and what the reader learnt."""
    from vision.adapt import learn
    from vision.tile_profile import joker_faces, profile

    lesson = learn(reader, draft.sighting, draft.census)
    made = profile(
        draft.census,
        draft.sighting,
        name=draft.name,
        taught=taught,
        weights=weights,
        width_mm=width_mm,
        table_px=draft.table_px,
    )
    arrays = {**lesson.arrays(), "jokers": joker_faces(draft.census, draft.sighting)}
    return tilesets.save(made, arrays, folder), lesson


def weights_of(models: Path | None = None) -> str:
    """The SHA-256 of a folder's face net, to which lessons belong; empty where none is noted."""
    from vision.onnx_nets import default_models, load_card

    return load_card(models or default_models()).digests.get("faces", "").lower()


def load_lesson(name: str, models: Path | None = None, folder: Path | None = None) -> Lesson:
    """What was learnt of a set; TileSetError where it wasn't taught, or with other weights."""
    from vision.adapt import Lesson

    profile = tilesets.load(name, folder)
    if profile.weights != weights_of(models):
        raise TileSetError(
            "other_weights",
            hint_en=f"The tile set {profile.name!r} was taught with other weights than these. Teach it anew: "
            "a lesson fits the weights that it was learnt with.",
            hint_ro=f"Setul {profile.name!r} a fost învățat cu alte ponderi decât acestea. Învățați-l din "
            "nou: o lecție se potrivește doar cu ponderile cu care a fost învățată.",
        )
    arrays = tilesets.load_lesson(name, folder)
    try:
        return Lesson.from_arrays(arrays)
    except ValueError as error:
        raise TileSetError(
            "broken_set",
            hint_en=f"What was learnt of {profile.name!r} can't be used ({error}). Teach the set anew.",
            hint_ro=f"Lecția setului {profile.name!r} nu poate fi folosită ({error}). Învățați-l din nou.",
        ) from error


def load_reader(
    tileset: str | None = None,
    models: Path | None = None,
    *,
    threads: int | None = None,
    backend: str = "onnxruntime",
    camera: tuple[int, int] | None = None,
) -> Reader:
    """The reader, knowing a taught set where one is named; raises InputError.

    `camera` is the size of the frames, where it will read those of a table's camera: what that camera was
    shown of the set says more of them.
    """
    from vision.onnx_nets import ModelError
    from vision.reader import Reader

    try:
        lesson = None if tileset is None else load_lesson(tileset, models)
        if tileset is not None and lesson is not None and camera is not None:
            lesson = replace(lesson, here=tilesets.load(tileset).table_px == camera)
        return Reader.load(models, threads=threads, backend=backend, adapter=lesson)
    except TileSetError as error:
        raise refused(error) from error
    except ModelError as error:
        raise InputError(str(error)) from error


def refused(error: TileSetError | CensusError) -> InputError:
    """The error of the command line, in the language of the locale."""
    return InputError(error.hint_ro if in_romanian() else error.hint_en)


def faint_words(faint: Mapping[str, int], *, romanian: bool) -> str:
    """What a set whose inks hardly stand out (levels of 255 by slot) leads to, and what helps."""
    inks = ", ".join(f"{COLOURS[slot][romanian]} {level}" for slot, level in faint.items())
    if romanian:
        return (
            f"Culorile se disting greu de piese (din 255 de niveluri: {inks}): la joc se va întreba des. "
            "Ajută mai multă lumină, o cameră mai apropiată sau un set mai puțin șters."
        )
    return (
        f"The print hardly stands out from the tiles (of 255 levels: {inks}): at play it will often be "
        "asked. More light, a nearer camera or a set less worn helps."
    )


def lacks(missing: Sequence[Face], *, romanian: bool) -> list[str]:
    """Each face that is missing as people say it: `one black 7`, `un 7 negru`."""
    return [_counted(face, missing.count(face), romanian=romanian) for face in dict.fromkeys(missing)]


def _counted(face: Face, count: int, *, romanian: bool) -> str:
    if face.is_joker:
        if romanian:
            return "un joker" if count == 1 else f"{count} jokeri"
        return "one joker" if count == 1 else f"{count} jokers"
    english, romanian_name = COLOURS[face.colour]
    if romanian:
        return f"{'un' if count == 1 else f'{count} de'} {face.number} {romanian_name}"
    number = "one" if count == 1 else str(count)
    return f"{number} {english} {face.number}{'' if count == 1 else 's'}"
