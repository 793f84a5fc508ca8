"""`remi watch`: what lies on a table, look by look, until it is stopped."""

from __future__ import annotations

import json
import queue
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import click

from companion import readers
from companion.commands.calibrate import TOML_FILE, load_table_zones
from companion.commands.snapshot import first_picture
from companion.options import RULES, backend_option, json_option
from companion.output import InputError, note

if TYPE_CHECKING:
    from engine.table_reading import TableReading
    from vision.reader import Reader
    from vision.seeing.eyes import Eyes
    from vision.seeing.states import EyesStatus

    Said = queue.SimpleQueue[TableReading | EyesStatus]

_SIDE: Final = click.IntRange(160, 16384)
_LOOK_S: Final = 0.2
_PICTURE_S: Final = 3.0  # from one picture of a folder to the next: as long as a large one takes to read


@click.command()
@click.argument("source")
@click.option(
    "--rig", "rig_file", type=TOML_FILE, required=True, metavar="RIG.toml", help="The camera's rig."
)
@click.option(
    "--zones", "zones_file", type=TOML_FILE, metavar="ZONES.toml", help="Zones other than the default."
)
@click.option("--seats", type=click.IntRange(2, 4), default=4, help="Of the default zones.")
@click.option("--rules", "rules_key", type=RULES, default="etalat", help="Whose melds are looked for.")
@click.option(
    "--lean", type=click.FloatRange(0, 90), default=60.0, metavar="DEG", help="How far tiles on racks lean."
)
@click.option("--ended", is_flag=True, help="The game is over: racks that are counted at the end are read.")
@click.option("--save-rig", is_flag=True, help="Write a rig that was healed after a bump back to its file.")
@click.option(
    "--size", type=(_SIDE, _SIDE), metavar="W H", help="Asked of a USB camera; by default that of the rig."
)
@click.option(
    "--every",
    type=click.FloatRange(0.1, 3600),
    default=_PICTURE_S,
    metavar="S",
    help="From one picture of a folder to the next.",
)
@click.option("--readings", type=click.IntRange(1), metavar="N", help="Stop after so many readings.")
@click.option(
    "--timeout",
    type=click.FloatRange(1, 300),
    default=15.0,
    metavar="S",
    help="How long to wait for the first picture.",
)
@backend_option
@json_option
def watch(  # noqa: PLR0913 - one argument for each option
    *,
    source: str,
    rig_file: Path,
    zones_file: Path | None,
    seats: int,
    rules_key: str,
    lean: float,
    ended: bool,
    save_rig: bool,
    size: tuple[int, int] | None,
    every: float,
    readings: int | None,
    timeout: float,
    backend: str,
    as_json: bool,
) -> None:
    """Read the table that SOURCE sees, again whenever something on it has changed.

    SOURCE is named as for snapshot. Each time the table has come to rest after a change one line says what
    lies there, with --json as a JSON document. What the camera is doing is told on standard error. Ctrl-C
    ends it.
    """
    from calibration.errors import CalibrationError
    from calibration.legibility import Tiles
    from calibration.rig import refuse_other_size
    from calibration.rig_file import load_rig
    from calibration.rig_file import save_rig as write_rig
    from engine.rules import rule_set
    from vision.seeing.eyes import Eyes
    from vision.seeing.loop import Seeing
    from vision.sources.addresses import open_source, parse_address
    from vision.sources.camera import CameraSettings
    from vision.sources.frames import SourceError

    try:
        rig = load_rig(rig_file)
        zones = load_table_zones(zones_file, rig.layout.table_mm, seats)
        address = parse_address(source)
        asked = CameraSettings(size=size or rig.size)
        with open_source(
            address, settings=asked, every=every if address.kind == "folder" else None
        ) as running:
            refuse_other_size(rig, first_picture(running, timeout).size)
            seeing = Seeing(
                cast("Reader", readers.load_reader(backend=backend)),
                rig,
                zones,
                rules=rule_set(rules_key),
                ended=ended,
                tiles=Tiles(lean_deg=lean),
            )
            said: Said = queue.SimpleQueue()
            with Eyes(
                running,
                seeing,
                on_reading=said.put,
                on_rig=(lambda healed: write_rig(healed, rig_file)) if save_rig else None,
                on_status=said.put,
                still=address.kind == "folder",
            ) as eyes:
                _tell_notes(eyes.status())
                try:
                    _tell_all(eyes, said, most=readings, as_json=as_json)
                except KeyboardInterrupt:
                    note(_in_words("stopped", "oprit"))
    except (CalibrationError, SourceError) as error:
        raise InputError(f"{error.hint_en}\n{error.hint_ro}") from error


def _tell_all(eyes: Eyes, said: Said, *, most: int | None, as_json: bool) -> None:
    """Prints what comes until the source ends, or so many readings came."""
    from companion.table_documents import table_document, table_line
    from vision.seeing import states

    count = 0
    while True:
        over = eyes.join(0)
        try:
            one = said.get(timeout=0 if over else _LOOK_S)
        except queue.Empty:
            if over:
                break
            continue
        if isinstance(one, states.EyesStatus):
            _tell_state(one)
            continue
        document = json.dumps(table_document(one), ensure_ascii=False) if as_json else None
        click.echo(document or table_line(one, romanian=_romanian()))
        count += 1
        if count == most:
            return
    if eyes.status().state != "ended":
        raise InputError(
            "The eyes stopped because of an error in the program; it stands above. Start again, and please "
            "report it.\nUrmărirea s-a oprit din cauza unei erori de program, descrisă mai sus. Porniți din "
            "nou și raportați problema."
        )


def _tell_state(status: EyesStatus) -> None:
    from vision.seeing.states import STATE_WORDS

    words = STATE_WORDS[status.state]
    line = words.ro if _romanian() else words.en
    if status.unseen and status.state == "hand":
        line += f": {', '.join(status.unseen)}"
    note(line)
    for reason in status.reason:
        if reason:
            note(f"  {reason}")


def _tell_notes(status: EyesStatus) -> None:
    for words in status.notes:
        note(words.ro if _romanian() else words.en)


def _in_words(english: str, romanian: str) -> str:
    return romanian if _romanian() else english


def _romanian() -> bool:
    from companion.records import in_romanian

    return in_romanian()
