"""`remi read` and `remi count`: the faces in pictures, and what they are worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from companion import readers, tilesets
from companion.documents import count_document, reading_document, uncounted_document, unread_document
from companion.options import backend_option, json_option, photo_options, repair_option, rules_option
from companion.output import INPUT_WRONG, console, note, print_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.grouping import PhotoCount
    from engine.readings import PictureReading, SeenTile
    from engine.repair import Repaired
    from engine.rules import RuleSet
    from vision.draw import Caption
    from vision.pictures import Picture, PictureError


MELDS_OF: Final = "etalat"
"""`remi read` is told no rules: these have the melds that all games with tiles allow, and the most jokers."""


@dataclass(frozen=True, slots=True)
class _Photo:
    """A picture that was read; `repaired` is what became of its tiles, None where that was not wanted."""

    path: Path
    picture: Picture
    reading: PictureReading
    repaired: Repaired | None

    @property
    def tiles(self) -> tuple[SeenTile, ...]:
        """The tiles as they count."""
        return self.repaired.tiles if self.repaired else self.reading.tiles

    @property
    def contradicted(self) -> tuple[int, ...]:
        """The tiles that something known speaks against."""
        return self.repaired.doubts if self.repaired else ()


@dataclass(frozen=True, slots=True)
class _Unread:
    """A picture that could not be read, and why."""

    path: Path
    error: PictureError


@click.command()
@photo_options
@repair_option
@backend_option
@json_option
@click.pass_context
def read(
    context: click.Context,
    /,
    *,
    images: tuple[Path, ...],
    drawing: Path | None,
    as_json: bool,
    raw: bool,
    tileset: str | None,
    backend: str,
    **_set: Any,
) -> None:
    """Read the faces of the tiles in pictures.

    Written as r5 (r y b k with 1 to 13), * for a joker, # for a tile face down, ? where a tile was not read.
    What was read with doubt is repaired where the set and the melds leave only one tile; each repair is told.
    """
    from engine.rules import rule_set

    rules = None if raw else rule_set(MELDS_OF)
    targets = _targets(images, drawing)
    documents = []
    failed = False
    for photo in _read_all(images, rules, tileset, backend):
        if isinstance(photo, _Unread):
            failed = True
            documents.append(unread_document(photo.path, photo.error))
            continue
        documents.append(reading_document(photo.path, photo.reading, photo.repaired))
        if not as_json:
            _print_reading(photo)
        if photo.path in targets:
            _write_drawing(targets[photo.path], photo, doubts=_doubts(photo))
    if as_json:
        print_json({"images": documents})
    if failed:
        context.exit(INPUT_WRONG)


@click.command()
@photo_options
@rules_option
@repair_option
@backend_option
@json_option
@click.pass_context
def count(
    context: click.Context,
    /,
    *,
    images: tuple[Path, ...],
    rules_key: str,
    drawing: Path | None,
    as_json: bool,
    raw: bool,
    tileset: str | None,
    backend: str,
    **_set: Any,
) -> None:
    """Count the melds and loose tiles in pictures: values at the end of a game, melds less loose tiles."""
    from engine.grouping import count_tiles
    from engine.rules import rule_set
    from vision.layout import rows

    rules = rule_set(rules_key)
    _refuse_card_game(rules)
    targets = _targets(images, drawing)
    documents = []
    total = 0
    failed = False
    for photo in _read_all(images, None if raw else rules, tileset, backend):
        if isinstance(photo, _Unread):
            failed = True
            documents.append({**unread_document(photo.path, photo.error), **uncounted_document()})
            continue
        tiles = photo.tiles
        places = rows([tile.quad for tile in tiles])
        counted = count_tiles(places, tiles, rules, contradicted=photo.contradicted)
        total += counted.total
        documents.append(
            {
                **reading_document(photo.path, photo.reading, photo.repaired),
                **count_document(counted, tiles),
            }
        )
        if not as_json:
            _print_count(photo, counted, rules)
        if photo.path in targets:
            _write_drawing(targets[photo.path], photo, doubts=counted.doubts, captions=_captions(counted))
    if as_json:
        print_json({"rules": rules_key, "images": documents, "total": total})
    elif len(images) > 1:
        click.echo(f"All pictures: {total}")
    if failed:
        context.exit(INPUT_WRONG)


def _read_all(
    images: Sequence[Path], rules: RuleSet | None, tileset: str | None, backend: str
) -> Iterator[_Photo | _Unread]:
    """Each picture read in turn, so that only one is held in memory; errors are told as they come.

    With rules, repaired by what they say.
    """
    from vision.pictures import PictureError, open_picture

    reader: readers.PictureReader | None = None
    for path in images:
        try:
            picture = open_picture(path)
        except PictureError as error:
            note(f"{path}: {error.hint_en}\n{path}: {error.hint_ro}")
            yield _Unread(path, error)
            continue
        reader = reader or (
            tilesets.load_reader(tileset, backend=backend)
            if tileset
            else readers.load_reader(backend=backend)
        )
        reading = readers.read_photo(reader, picture)
        yield _Photo(path, picture, reading, _repaired(reading, rules) if rules else None)


def _repaired(reading: PictureReading, rules: RuleSet) -> Repaired:
    from engine.repair import repair
    from vision.layout import rows

    return repair(reading.tiles, rows([tile.quad for tile in reading.tiles]), rules)


def _refuse_card_game(rules: RuleSet) -> None:
    from engine.tiles import TILE_COLOURS

    if not set(rules.colours) <= set(TILE_COLOURS):
        raise click.BadParameter(
            f"{rules.name_en} is played with cards, and reading cards is not available in this version",
            param_hint="--rules",
        )


def _targets(images: Sequence[Path], drawing: Path | None) -> Mapping[Path, Path]:
    """Where the drawing of each picture goes: a file for one picture, files in a folder for several."""
    if drawing is None:
        return {}
    if len(images) == 1 and not drawing.is_dir():
        if drawing.suffix.lower() not in (".png", ".jpg", ".jpeg"):
            raise click.BadParameter("name a .png or .jpg file, or a folder that exists", param_hint="--draw")
        if not drawing.parent.is_dir():
            raise click.BadParameter(f"there is no folder {drawing.parent}", param_hint="--draw")
        return {images[0]: drawing}
    if drawing.suffix and not drawing.is_dir():
        raise click.BadParameter("for several pictures name a folder", param_hint="--draw")
    targets: dict[Path, Path] = {}
    taken: set[str] = set()
    for number, image in enumerate(images, start=1):
        name = image.stem if image.stem not in taken else f"{image.stem}-{number}"
        taken.add(name)
        targets[image] = drawing / f"{name}.png"
    return targets


def _write_drawing(
    target: Path, photo: _Photo, *, doubts: Sequence[int] | None = None, captions: Iterable[Caption] = ()
) -> None:
    from dataclasses import replace

    from PIL import Image

    from vision.draw import draw

    across, down = photo.picture.scale
    tiles = [replace(tile, quad=tuple((x / across, y / down) for x, y in tile.quad)) for tile in photo.tiles]
    pixels = draw(photo.picture.pixels, tiles, doubts=doubts, captions=captions)
    target.parent.mkdir(parents=True, exist_ok=True)
    Image.fromarray(pixels[..., ::-1].copy()).save(target)
    note(f"Drawn: {target}")


def _captions(counted: PhotoCount) -> list[Caption]:
    from vision.draw import Caption

    return [Caption(meld.tiles, f"{meld.shape} {meld.points}") for meld in counted.melds]


def _print_reading(photo: _Photo) -> None:
    tiles = photo.tiles
    click.echo(f"{photo.path}: {_how_many(len(tiles), 'tile')}")
    if tiles:
        click.echo("  " + " ".join(str(tile.face) for tile in tiles))
    _print_repairs(photo, indent="  ")
    if doubts := _doubts(photo):
        click.echo("  look at: " + ", ".join(_doubt(photo, index) for index in doubts))


def _doubts(photo: _Photo) -> list[int]:
    """The tiles to look at: not read, read with little confidence, contradicted."""
    from vision.draw import doubtful

    return sorted({*doubtful(photo.tiles), *photo.contradicted})


def _print_repairs(photo: _Photo, *, indent: str = "") -> None:
    if photo.repaired is None:
        return
    for one in photo.repaired.repairs:
        click.echo(f"{indent}repaired: {one.hint_en}")
    for conflict in photo.repaired.conflicts:
        click.echo(f"{indent}conflict: {conflict.hint_en}")


def _doubt(photo: _Photo, index: int) -> str:
    """A tile to look at: what it was read as, where its centre is, and what else it may be."""
    tile = photo.tiles[index]
    x = sum(corner[0] for corner in tile.quad) / 4
    y = sum(corner[1] for corner in tile.quad) / 4
    others = " or ".join(str(other.face) for other in tile.alternatives[:2] if other.face != tile.face)
    return f"{tile.face} at {x:.0f},{y:.0f}" + (f" (perhaps {others})" if others else "")


def _print_count(photo: _Photo, counted: PhotoCount, rules: RuleSet) -> None:
    from rich.table import Table

    tiles = photo.tiles
    table = Table(title=f"{photo.path}, {rules.name_en}", title_justify="left")
    table.add_column("what")
    table.add_column("tiles")
    table.add_column("points", justify="right")
    for meld in counted.melds:
        faces = " ".join(str(tiles[index].face) for index in meld.tiles)
        jokers = meld.verdict.stands_for or ()
        stands = f"  (* = {', '.join(map(str, jokers))})" if jokers else ""
        table.add_row(meld.shape, faces + stands, str(meld.points))
    for loose in counted.loose:
        table.add_row("loose", str(loose.face), "?" if loose.value is None else str(-loose.value))
    table.add_section()
    table.add_row("total", f"{counted.total_melds} melded, {counted.total_loose} loose", str(counted.total))
    console().print(table)
    _print_repairs(photo)
    if counted.doubts:
        click.echo("look at: " + ", ".join(_doubt(photo, index) for index in counted.doubts))
    if counted.too_many:
        faces = ", ".join(str(face) for face in counted.too_many)
        click.echo(f"more of these than the set has: {faces}")


def _how_many(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"
