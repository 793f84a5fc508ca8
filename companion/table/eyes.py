"""Camera and eyes of a table, from its file: the source, the rig, what reads, and how they say they are."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

from companion.table.errors import ConfigError
from companion.table.inputs import Part
from vision.sources.health import Words

if TYPE_CHECKING:
    from calibration.rig import Rig
    from calibration.zones import Zones
    from companion.live_table import LiveTable
    from companion.table.config import TableConfig
    from engine.rules import RuleSet
    from engine.table_reading import TableReading
    from vision.seeing.states import EyesStatus
    from vision.sources.frames import FrameSource


REPEATS_S: Final = (0.1, 1.5)
"""A table on which nothing moves is read once more so soon, since a discard counts at its second look; then
every so often.
"""


class Sight(Protocol):
    """What gives the table its readings while it runs."""

    def end(self, *, ended: bool) -> None:
        """Says whether the game is over, so that racks counted at the end are read."""
        ...

    def close(self) -> None:
        """Stops looking, and waits for the threads."""
        ...


class OpenSight(Protocol):
    """Starts to look."""

    def __call__(
        self,
        config: TableConfig,
        rules: RuleSet,
        *,
        on_reading: Callable[[TableReading], None],
        on_part: Callable[[Part], None],
    ) -> Sight:
        """What gives readings from now on; HintedError, InputError or OSError where it cannot be."""
        ...


def open_sight(
    config: TableConfig,
    rules: RuleSet,
    *,
    on_reading: Callable[[TableReading], None],
    on_part: Callable[[Part], None],
) -> LiveTable:
    """The camera of the table file with eyes behind it, as threads `source …` and `eyes`.

    CalibrationError, SourceError, InputError, OSError say what is wrong with rig, zones, source or reader. A
    camera that is not there is a state, and no error.
    """
    from calibration.legibility import Tiles
    from calibration.rig_file import save_rig
    from companion.live_table import LiveTable
    from companion.tilesets import load_reader
    from vision.seeing.loop import Seeing

    camera = config.file.camera
    source, rig = open_camera(config)
    try:
        seeing = Seeing(
            load_reader(camera.tileset, camera=rig.size),
            rig,
            load_zones_of(config, rig),
            rules=rules,
            tiles=Tiles(lean_deg=camera.lean_deg),
            repeats=REPEATS_S,
        )
        path = None if camera.rig is None else config.at(camera.rig)
        live = LiveTable(
            source,
            seeing,
            on_reading=on_reading,
            on_rig=None if path is None else (lambda healed: save_rig(healed, path)),
            on_status=lambda status: on_part(camera_part(status)),
        )
    except BaseException:
        source.close()
        raise
    for seat, note in seeing.notes.items():
        on_part(Part(f"rack {seat}", "not read", well=True, why=Words(note.en, note.ro)))
    return live


def open_camera(config: TableConfig) -> tuple[FrameSource, Rig]:
    """The running source of the table file, and its rig; a virtual table has one of its own.

    It has as many places as there are players: a rack of nobody is in no zone, and would be in the picture.
    """
    from calibration.rig_file import load_rig
    from vision.sources.addresses import open_source, parse_address
    from vision.sources.camera import CameraSettings
    from vision.sources.live import LiveSource

    camera = config.file.camera
    address = parse_address(camera.source or "")
    if address.kind == "virtual" and camera.rig is None:
        from vision.virtual.capture import capture_of, open_table

        players = len(config.file.players.names)
        table, rate = open_table(address.target.partition(":")[2], seats=players)
        if table.setting.seats != players:
            raise _other_seats(table.setting.seats, players)
        source = LiveSource(lambda: capture_of(table, rate=rate, idle=True), address.shown, live=True)
        return source, table.rig()
    path = config.at(camera.rig or "")
    try:
        rig = load_rig(path)
    except OSError as error:
        raise ConfigError(
            "rig_file",
            hint_en=f"The rig {path} cannot be read ({error.strerror}). Make it with remi calibrate, or name "
            "another one under [camera] rig.",
            hint_ro=f"Calibrarea {path} nu poate fi citită ({error.strerror}). Faceți-o cu remi calibrate "
            "sau alegeți alta la [camera] rig.",
        ) from error
    return open_source(address, settings=CameraSettings(size=rig.size)), rig


def _other_seats(seats: int, players: int) -> ConfigError:
    return ConfigError(
        "virtual_seats",
        hint_en=f"The virtual table has seats={seats} under [camera] source, but {players} play: leave seats "
        "out, or name as many under [players].",
        hint_ro=f"Masa virtuală are seats={seats} la [camera] source, dar joacă {players}: scoateți seats "
        "sau puneți tot atâția la [players].",
    )


def load_zones_of(config: TableConfig, rig: Rig) -> Zones:
    """The zones of the table file with its racks mode."""
    from companion.commands.calibrate import load_table_zones

    camera = config.file.camera
    path = None if camera.zones is None else config.at(camera.zones)
    zones = load_table_zones(path, rig.layout.table_mm, len(config.file.players.names))
    return zones if camera.racks == "read" else zones.with_racks(camera.racks)


def camera_part(status: EyesStatus) -> Part:
    """How the eyes are, in words."""
    from vision.seeing.states import STATE_WORDS

    words = STATE_WORDS[status.state]
    well = status.state in ("starting", "looking", "hand")
    reason = status.reason
    why = Words(
        f"{words.en}. {reason.en}" if reason.en else words.en,
        f"{words.ro}. {reason.ro}" if reason.ro else words.ro,
    )
    return Part("camera", status.state, well=well, why=why)
