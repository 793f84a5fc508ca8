"""`remi snapshot`: what a camera sees now, with what was read and where it lies drawn on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from companion import readers
from companion.commands.calibrate import TOML_FILE
from companion.output import InputError, note

if TYPE_CHECKING:
    from calibration.rig import Rig
    from calibration.zones import Zones
    from vision.sources.frames import Frame, FrameSource, Status

_PICTURE_OUT: Final = click.Path(dir_okay=False, path_type=Path)
_SIDE: Final = click.IntRange(160, 16384)
_LOOK_S: Final = 0.2


@click.command()
@click.argument("source")
@click.option("--out", type=_PICTURE_OUT, required=True, metavar="FILE", help="A .png or .jpg file.")
@click.option("--rig", "rig_file", type=TOML_FILE, metavar="RIG.toml", help="Draw table, grid and zones too.")
@click.option(
    "--zones", "zones_file", type=TOML_FILE, metavar="ZONES.toml", help="Zones other than the default."
)
@click.option("--seats", type=click.IntRange(2, 4), default=4, help="Of the default zones.")
@click.option(
    "--size",
    type=(_SIDE, _SIDE),
    default=(1920, 1080),
    metavar="W H",
    help="Asked of a USB camera, in pixels.",
)
@click.option("--plain", is_flag=True, help="Save the picture as it is: nothing read, nothing drawn.")
@click.option(
    "--timeout",
    type=click.FloatRange(1, 300),
    default=15.0,
    metavar="S",
    help="How long to wait for a picture.",
)
def snapshot(
    *,
    source: str,
    out: Path,
    rig_file: Path | None,
    zones_file: Path | None,
    seats: int,
    size: tuple[int, int],
    plain: bool,
    timeout: float,
) -> None:
    """Save what SOURCE sees, with the tiles that were read drawn on it.

    SOURCE is a camera (usb:ID, /dev/video0 or its number), an rtsp:// or http:// address, a video file, a
    picture, a folder of pictures, or virtual: for a rendered table. Racks that the zones say must not be read
    are painted over before anything is read or saved.
    """
    from calibration.errors import CalibrationError
    from calibration.rig import refuse_other_size
    from calibration.rig_file import load_rig
    from companion.commands.calibrate import load_table_zones
    from vision.sources.addresses import open_source, parse_address
    from vision.sources.camera import CameraSettings
    from vision.sources.frames import SourceError

    if out.suffix.lower() not in (".png", ".jpg", ".jpeg"):
        raise click.BadParameter("name a .png or .jpg file", param_hint="--out")
    if not out.parent.is_dir():
        raise click.BadParameter(f"there is no folder {out.parent}", param_hint="--out")
    if zones_file is not None and rig_file is None:
        raise click.UsageError("--zones needs --rig RIG.toml: without it nobody knows where they are")
    try:
        rig = load_rig(rig_file) if rig_file else None
        zones = load_table_zones(zones_file, rig.layout.table_mm, seats) if rig else None
        with open_source(parse_address(source), settings=CameraSettings(size=size)) as running:
            frame = first_picture(running, timeout)
            status = running.status()
        if rig is not None:
            refuse_other_size(rig, frame.size)
    except (CalibrationError, SourceError) as error:
        raise InputError(f"{error.hint_en}\n{error.hint_ro}") from error
    _save(frame, out, rig=rig, zones=zones, plain=plain)
    _tell_settings(status)
    note(f"{frame.size[0]}x{frame.size[1]} from {status.address}: {out}")


def first_picture(source: FrameSource, timeout: float) -> Frame:
    """The first picture that comes in time; InputError says how the source is where none does."""
    waited = 0.0
    while waited < timeout:
        frame = source.wait(after=0, timeout=_LOOK_S)
        if frame is not None:
            return frame
        waited += _LOOK_S
    status = source.status()
    why, why_ro = status.health.reason
    raise InputError(
        f"{status.address} is {status.health.state}, no picture in {timeout:g} s. {why}\n"
        f"{status.address}: nicio imagine în {timeout:g} s. {why_ro}"
    )


def _tell_settings(status: Status) -> None:
    for setting in status.settings:
        value = "not there" if setting.got is None else f"{setting.got:g}"
        note(f"{setting.name}: {value}{', held fast' if setting.locked else ', not held fast'}")


def _save(frame: Frame, out: Path, *, rig: Rig | None, zones: Zones | None, plain: bool) -> None:
    import numpy as np
    from PIL import Image

    from vision.draw import draw
    from vision.masking import hide_racks
    from vision.overlay import draw_rig
    from vision.placing import on_table

    pixels = frame.pixels
    if rig is not None and zones is not None:
        pixels = hide_racks(pixels, rig, zones, ended=False)
    if not plain:
        tiles = readers.load_reader().read(pixels).tiles
        if rig is not None:
            # What lies on the floor, or is no tile by its size, is not of this table.
            kept = on_table([np.asarray(tile.quad, np.float64) for tile in tiles], rig)
            tiles = tuple(tile for tile, is_one in zip(tiles, kept, strict=True) if is_one)
            pixels = draw_rig(pixels, rig, zones)
        faces = " ".join(str(tile.face) for tile in tiles)
        click.echo(f"{len(tiles)} {'tile' if len(tiles) == 1 else 'tiles'}: {faces}" if tiles else "no tiles")
        pixels = draw(pixels, tiles)
    Image.fromarray(pixels[..., ::-1].copy()).save(out)
