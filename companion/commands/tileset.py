"""`remi tileset`: teaches the reader a set of tiles laid out in rows, and keeps what it learnt."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from companion.options import FOLDER, NEW_FOLDER, PICTURE_FILE, json_option
from companion.output import InputError, note, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.tilesets import Draft
    from engine.tiles import Seen
    from vision.census import CensusTile
    from vision.pictures import Picture

NO_TILE = "-"


@click.group()
def tileset() -> None:
    """Teach the reader a set of tiles, so that it reads this set better."""


def _answers(
    _context: click.Context, _parameter: click.Parameter, words: tuple[str, ...]
) -> dict[int, Seen | None]:
    """What `--is INDEX=FACE` says, by index."""
    from engine.notation import NotationError, parse_seen

    said: dict[int, Seen | None] = {}
    for word in words:
        index, equals, face = word.partition("=")
        if not equals or not index.isascii() or not index.isdigit():
            raise click.BadParameter(f"{word!r} is not INDEX=FACE, for example 17=r6")
        try:
            said[int(index)] = None if face == NO_TILE else parse_seen(face)
        except NotationError as error:
            raise click.BadParameter(f"{word!r}: {error.hint_en}") from error
    return said


@tileset.command()
@click.argument("name")
@click.argument("images", nargs=-1, required=True, type=PICTURE_FILE, metavar="PICTURE...")
@click.option(
    "--is",
    "said",
    multiple=True,
    metavar="INDEX=FACE",
    callback=_answers,
    help="Say what a tile is that was asked: 17=r6, 17=* for a joker, 17=# face down, 17=- no tile.",
)
@click.option("--crops", type=NEW_FOLDER, metavar="DIR", help="Write what is asked as pictures INDEX.png.")
@click.option("--width-mm", type=click.FloatRange(5, 100), metavar="MM", help="The measured width of a tile.")
@click.option("--dry-run", is_flag=True, help="Only say what would be learnt.")
@click.option("--models", type=FOLDER, metavar="DIR", help="Teach the models in DIR.")
@json_option
def learn(
    *,
    name: str,
    images: tuple[Path, ...],
    said: dict[int, Seen | None],
    crops: Path | None,
    width_mm: float | None,
    dry_run: bool,
    models: Path | None,
    as_json: bool,
) -> None:
    """Learn the set NAME from pictures of all its 106 tiles, laid out face up in rows.

    Each colour in rows of its own, 1 to 13, twice, the jokers at an end; each tile in one picture only.
    """
    from datetime import date

    from calibration.tilesets import TileSetError
    from companion import tilesets
    from vision.census import CensusError
    from vision.onnx_nets import ModelError
    from vision.pictures import PictureError, open_picture

    reader = tilesets.load_reader(models=models)
    pictures: list[Picture] = []
    for path in images:
        try:
            pictures.append(open_picture(path))
        except PictureError as error:
            raise InputError(f"{path}: {error.hint_en}\n{path}: {error.hint_ro}") from error
    stored = None
    try:
        draft = tilesets.begin(reader, name, [picture.pixels for picture in pictures], said)
        if not dry_run:
            weights = tilesets.weights_of(models)
            # The date of the machine's own zone: a label for people.
            today = date.today().isoformat()  # noqa: DTZ011
            stored, _ = tilesets.keep(reader, draft, weights=weights, taught=today, width_mm=width_mm)
    except (CensusError, TileSetError) as error:
        raise tilesets.refused(error) from error
    except IndexError as error:
        raise click.BadParameter(str(error), param_hint="--is") from error
    except ModelError as error:
        raise InputError(str(error)) from error
    if crops is not None:
        _write_crops(crops, draft)
    if as_json:
        print_json(_learnt_document(draft, images, pictures, stored))
    else:
        _print_learnt(draft, images, pictures, stored, crops)


@tileset.command("list")
@json_option
def list_(*, as_json: bool) -> None:
    """List the sets that were taught."""
    from calibration import tilesets

    names = tilesets.names()
    if as_json:
        print_json({"folder": str(tilesets.tile_set_folder()), "tilesets": names})
        return
    for name in names:
        click.echo(name)
    if not names:
        note(f"No set was taught yet (they would lie in {tilesets.tile_set_folder()}).")


@tileset.command()
@click.argument("name")
@json_option
def show(*, name: str, as_json: bool) -> None:
    """Show the profile of the set NAME."""
    from calibration import tilesets
    from companion.tilesets import refused

    try:
        profile = tilesets.load(name)
    except tilesets.TileSetError as error:
        raise refused(error) from error
    document: dict[str, Any] = {
        **asdict(profile),
        "path": str(tilesets.tile_set_folder() / f"{profile.name}.toml"),
    }
    if as_json:
        print_json(document)
        return
    for key, value in document.items():
        click.echo(f"{key}: {_shown(key, value)}")


@tileset.command()
@click.argument("name")
def forget(*, name: str) -> None:
    """Delete what was learnt of the set NAME."""
    from calibration import tilesets
    from companion.tilesets import refused

    try:
        tilesets.forget(name)
    except tilesets.TileSetError as error:
        raise refused(error) from error
    note(f"Forgotten: {name}")


def _shown(key: str, value: Any) -> str:
    """A value of a profile as people read it."""
    if key == "inks":
        return ", ".join(f"{slot} {_rgb(rgb)}" for slot, rgb in value.items())
    if key == "body":
        return _rgb(value)
    if isinstance(value, tuple):
        return " ".join(map(str, value)) or "none"
    return "not measured" if value is None else str(value)


def _rgb(value: Sequence[int]) -> str:
    return "#" + "".join(f"{part:02x}" for part in value)


def _write_crops(folder: Path, draft: Draft) -> None:
    import cv2

    folder.mkdir(parents=True, exist_ok=True)
    for index in draft.census.asked:
        crop = cv2.resize(draft.sighting.crops[index], None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
        if not cv2.imwrite(str(folder / f"{index}.png"), crop):
            raise InputError(f"{folder / f'{index}.png'} can't be written")


def _place(tile: CensusTile, images: Sequence[Path], pictures: Sequence[Picture]) -> tuple[Path, list[float]]:
    """The picture that a tile is in, and its middle in pixels of the whole picture."""
    across, down = pictures[tile.picture].scale
    x = sum(corner[0] for corner in tile.quad) / 4 * across
    y = sum(corner[1] for corner in tile.quad) / 4 * down
    return images[tile.picture], [round(x, 1), round(y, 1)]


def _learnt_document(
    draft: Draft, images: Sequence[Path], pictures: Sequence[Picture], stored: Path | None
) -> dict[str, Any]:
    from vision.tile_profile import faint

    asked = []
    for index in draft.census.asked:
        tile = draft.census.tiles[index]
        path, middle = _place(tile, images, pictures)
        asked.append(
            {
                "index": index,
                "path": str(path),
                "at": middle,
                "face": str(tile.face),
                "confidence": tile.confidence,
                "read_as": str(tile.read_as),
                "candidates": [
                    {"face": str(other.face), "confidence": other.confidence} for other in tile.candidates
                ],
            }
        )
    return {
        "name": draft.name,
        "tiles": [str(tile.face) for tile in draft.census.tiles],
        "misread": draft.census.misread,
        "missing": [str(face) for face in draft.census.missing],
        "extra": [str(face) for face in draft.census.extra],
        "faint": faint(draft.census, draft.sighting),
        "asked": asked,
        "stored": None if stored is None else str(stored),
    }


def _print_learnt(
    draft: Draft,
    images: Sequence[Path],
    pictures: Sequence[Picture],
    stored: Path | None,
    crops: Path | None,
) -> None:
    """What a census came to, in the language of the locale."""
    from companion.records import in_romanian
    from companion.tilesets import faint_words, lacks
    from vision.tile_profile import faint

    census, romanian = draft.census, in_romanian()
    found, misread = len(census.tiles), census.misread
    if romanian:
        click.echo(f"{found} piese găsite; {misread} au fost citite altfel decât arată rândurile și setul.")
    else:
        click.echo(f"{found} tiles found; {misread} were read as other faces than rows and set say.")
    for index in census.asked:
        tile = census.tiles[index]
        path, (x, y) = _place(tile, images, pictures)
        others = (" sau " if romanian else " or ").join(str(other.face) for other in tile.candidates[:3])
        seen = f" ({crops / f'{index}.png'})" if crops is not None else ""
        words = ("nesigur: piesa", "la", "poate") if romanian else ("doubtful: tile", "at", "perhaps")
        place = f"{path} {words[1]} {x:.0f},{y:.0f}{seen}"
        click.echo(f"  {words[0]} {index}, {place}: {tile.face}? {words[2]} {others}")
    if census.asked:
        example = f"--is {census.asked[0]}={census.tiles[census.asked[0]].face}"
        click.echo(
            f"  Rulați din nou și spuneți ce sunt, de exemplu {example}; până atunci nu se învață din ele."
            if romanian
            else f"  Run it again and say what they are, as in {example}; until then they teach nothing."
        )
    for face in lacks(census.missing, romanian=romanian):
        click.echo(f"Din set lipsește {face}." if romanian else f"The set lacks {face}.")
    for face in lacks(census.extra, romanian=romanian):
        click.echo(f"În set este în plus {face}." if romanian else f"The set has {face} too many.")
    if faded := faint(census, draft.sighting):
        click.echo(faint_words(faded, romanian=romanian))
    if not census.missing and not census.extra:
        click.echo("Setul este complet." if romanian else "The set is complete.")
    if stored is not None:
        note(f"Învățat: {stored}" if romanian else f"Learnt: {stored}")
