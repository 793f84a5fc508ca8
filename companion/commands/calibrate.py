"""`remi calibrate`: printable sheets, a rig from pictures, and what the camera can read."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from companion.options import NEW_FOLDER, PICTURE_FILE, json_option
from companion.output import InputError, console, note, print_json

if TYPE_CHECKING:
    from calibration.legibility import Legibility
    from calibration.rig import Rig
    from calibration.zones import Zones
    from companion.calibrating import Shown

TOML_OUT: Final = click.Path(dir_okay=False, path_type=Path)
TOML_FILE: Final = click.Path(exists=True, dir_okay=False, readable=True, path_type=Path)
_MM: Final = click.FloatRange(600, 1600)
_PX: Final = click.IntRange(160, 16384)


@click.command()
@click.argument("pictures", nargs=-1, type=PICTURE_FILE, metavar="[PICTURE]...")
@json_option
@click.option("--out", type=TOML_OUT, metavar="RIG.toml", help="Write the rig of the pictures to this file.")
@click.option("--print", "sheets", type=NEW_FOLDER, metavar="DIR", help="Write the sheets to print into DIR.")
@click.option("--table", type=(_MM, _MM), metavar="W H", help="Table top in mm, width along seat 1 first.")
@click.option("--paper", type=click.Choice(("a4", "letter")), default="a4", help="For --print.")
@click.option(
    "--height", type=click.FloatRange(300, 6000), metavar="MM", help="Camera over table, by tape measure."
)
@click.option(
    "--lens", "lens_of", type=TOML_FILE, metavar="RIG.toml", help="Take the lens of an earlier rig."
)
@click.option(
    "--draw", "drawing", type=TOML_OUT, metavar="OUT.png", help="Write the picture with grid and zones."
)
@click.option("--legibility", is_flag=True, help="Say which zones the camera can read, and what to change.")
@click.option("--rig", "rig_file", type=TOML_FILE, metavar="RIG.toml", help="For --legibility: the camera.")
@click.option("--frame", type=(_PX, _PX), metavar="W H", help="For --legibility without a rig: pixels.")
@click.option(
    "--view", type=click.FloatRange(20, 140), metavar="DEG", help="For the same: horizontal angle of view."
)
@click.option(
    "--zones", "zones_file", type=TOML_FILE, metavar="ZONES.toml", help="Zones other than the default."
)
@click.option("--seats", type=click.IntRange(2, 4), default=4, help="Of the default zones.")
@click.option(
    "--lean", type=click.FloatRange(0, 85), default=60.0, metavar="DEG", help="Rack's tiles from flat."
)
@click.option("--digit", type=click.FloatRange(3, 30), default=12.0, metavar="MM", help="Height of a digit.")
def calibrate(**given: Any) -> None:
    """Print the sheets, make a rig from PICTUREs, or say what the camera can read.

    PICTUREs are of one camera in one size: at least one of the table with three or four of its corner cards,
    and, to measure the lens, six or more of the ChArUco board.
    """
    from calibration.errors import CalibrationError

    asked = _Asked(**given)
    if not (asked.sheets or asked.pictures or asked.legibility):
        raise click.UsageError(
            "nothing to do: name --print DIR, PICTUREs with --out RIG.toml, or --legibility"
        )
    try:
        if asked.sheets:
            _print_sheets(asked.sheets, asked.table or (900.0, 900.0), asked.paper)
        rig = _from_pictures(asked) if asked.pictures else None
        if asked.legibility:
            _tell_legibility(rig or _planned(asked), asked)
    except CalibrationError as error:
        raise InputError(f"{error.hint_en}\n{error.hint_ro}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    """The options of the command, under the names that click gives them."""

    pictures: tuple[Path, ...]
    as_json: bool
    out: Path | None
    sheets: Path | None
    table: tuple[float, float] | None
    paper: Literal["a4", "letter"]
    height: float | None
    lens_of: Path | None
    drawing: Path | None
    legibility: bool
    rig_file: Path | None
    frame: tuple[int, int] | None
    view: float | None
    zones_file: Path | None
    seats: int
    lean: float
    digit: float


def _from_pictures(asked: _Asked) -> Rig:
    """The rig of the pictures, told, written and drawn as asked."""
    from calibration.rig_file import save_rig
    from companion.calibrating import look_at
    from vision.overlay import draw_rig

    shown = look_at(asked.pictures)
    rig = _make_rig(shown, asked)
    if asked.out is not None:
        save_rig(rig, asked.out)
    _tell_rig(rig, asked.out, as_json=asked.as_json and not asked.legibility)
    if asked.drawing is not None and shown.table is not None:
        from PIL import Image

        zones = load_table_zones(asked.zones_file, rig.layout.table_mm, asked.seats)
        Image.fromarray(draw_rig(shown.table, rig, zones)[..., ::-1].copy()).save(asked.drawing)
        note(f"Drawing: {asked.drawing}")
    return rig


def _print_sheets(folder: Path, table: tuple[float, float], paper: Literal["a4", "letter"]) -> None:
    from calibration.sheets import write_sheets

    for path in write_sheets(folder, table_mm=table, paper=paper):
        note(f"{path}")
    note(
        "Print at 100 %, cut the cards, lay one flush into each corner; then: remi calibrate PICTURE "
        f"--out rig.toml --table {table[0]:g} {table[1]:g}"
    )


def _make_rig(shown: Shown, asked: _Asked) -> Rig:
    from datetime import UTC, datetime

    from calibration.markers import MarkerLayout
    from calibration.rig import Provenance, calibrate, refuse_other_size, refuse_too_few
    from calibration.rig_file import load_rig
    from calibration.sheets import SHEET
    from companion.calibrating import measured_lens

    refuse_too_few(shown.markers)
    if asked.table is None:
        raise click.UsageError("say the size of the table top in mm: --table W H (width along seat 1 first)")
    lens = measured_lens(shown)
    if lens is None and asked.lens_of is not None:
        earlier = load_rig(asked.lens_of)
        refuse_other_size(earlier, shown.size)
        lens = earlier.lens
    today = datetime.now(UTC).date().isoformat()
    return calibrate(
        shown.markers,
        size=shown.size,
        layout=MarkerLayout(asked.table),
        lens=lens,
        height_mm=asked.height,
        provenance=Provenance(today, SHEET, tuple(path.name for path in asked.pictures)),
    )


def _tell_rig(rig: Rig, out: Path | None, *, as_json: bool) -> None:
    from companion.calibrating import rig_document

    document = rig_document(rig)
    if as_json:
        print_json(document | {"rig": None if out is None else str(out)})
        return
    click.echo(
        f"markers {' '.join(map(str, document['markers']))}: {document['rms_px']:.2f} px, "
        f"{document['rms_mm']:.2f} mm off; {document['mm_per_px']:.2f} mm a pixel; camera "
        f"{document['camera_height_mm'] / 1000:.2f} m up, tilted {document['tilt_deg']:.1f}°; lens "
        f"{document['lens']}"
    )
    if rig.lens.source == "assumed":
        note(
            "The lens was not measured: say --height MM (camera over table), or add six pictures of the "
            "ChArUco board, for heights and edges to be right too."
        )
    if out is not None:
        note(f"Rig: {out}")
    else:
        note("Not written: name --out RIG.toml")


def load_table_zones(path: Path | None, table_mm: tuple[float, float], seats: int) -> Zones:
    """The zones in a file, or the default; InputError where they are those of another table."""
    from calibration.zones import default_zones
    from calibration.zones_file import load_zones

    if path is None:
        return default_zones(table_mm, seats)
    zones = load_zones(path)
    if zones.table_mm != table_mm:
        raise InputError(
            f"{path} has the zones of a table of {zones.table_mm[0]:g}x{zones.table_mm[1]:g} mm, the rig one "
            f"of {table_mm[0]:g}x{table_mm[1]:g} mm: set table_mm and the corners to this table"
        )
    return zones


def _planned(asked: _Asked) -> Rig:
    from calibration.camera import ASSUMED_VIEW_DEG
    from calibration.legibility import planned_rig
    from calibration.rig_file import load_rig

    if asked.rig_file is not None:
        return load_rig(asked.rig_file)
    if asked.table is None or asked.height is None:
        raise click.UsageError(
            "--legibility needs --rig RIG.toml, or for a camera that is planned --table W H --height MM"
        )
    size, view = asked.frame or (1920, 1080), asked.view or ASSUMED_VIEW_DEG
    return planned_rig(asked.table, height_mm=asked.height, size=size, view_deg=view)


def _tell_legibility(rig: Rig, asked: _Asked) -> None:
    from calibration.legibility import Tiles, legibility_map
    from companion.calibrating import legibility_document, legibility_lines, rig_document
    from companion.records import in_romanian

    zones = load_table_zones(asked.zones_file, rig.layout.table_mm, asked.seats)
    legible = legibility_map(rig, zones, tiles=Tiles(asked.digit, asked.lean))
    if asked.as_json:
        print_json({"rig": rig_document(rig), "legibility": legibility_document(legible)})
        return
    romanian = in_romanian()
    _print_legibility(legible, romanian=romanian)
    for line in legibility_lines(legible, romanian=romanian):
        click.echo(line)


def _print_legibility(legible: list[Legibility], *, romanian: bool) -> None:
    from rich.table import Table

    from companion.calibrating import VERDICTS, zone_name

    words = ("zonă", "cifră, px", "unghi", "") if romanian else ("zone", "digit, px", "angle", "")
    shown = Table(*words)
    for one in legible:
        shown.add_row(
            zone_name(one.kind, one.seat, romanian=romanian),
            f"{one.digit_px:.1f}",
            f"{one.angle_deg:.0f}°",
            VERDICTS[one.verdict][romanian],
        )
    console().print(shown)
