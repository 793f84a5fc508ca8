"""What `remi doctor` looks at, one check after another, each with what is wrong and what to do."""

from __future__ import annotations

import errno
import shutil
import socket
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from calibration.errors import HintedError
from companion.output import InputError
from companion.table.config import load_config
from companion.table.errors import ConfigError, JournalError

if TYPE_CHECKING:
    from companion.table.config import TableConfig

Verdict = Literal["ok", "note", "wrong"]

PLENTY_MB: Final = 500
LEAST_MB: Final = 50
"""A game is some 100 kB in the journal; below this the disk is as good as full."""

_FRAME_S: Final = 15.0
_BOARD_S: Final = 6.0
_STEP_S: Final = 0.1


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: `ok`, `note` (it works, but), or `wrong`, in both languages."""

    name: str
    verdict: Verdict
    en: str
    ro: str


def examine(path: Path | None) -> Iterator[Check]:
    """The checks of a table file, or without one of what every table needs, as they are made."""
    if path is None:
        yield check_model(None)
        yield check_disk(Path.cwd())
        return
    try:
        config = load_config(path)
    except ConfigError as error:
        yield Check("table file", "wrong", error.hint_en, error.hint_ro)
        yield check_model(None)
        return
    said = config.file.table
    yield Check("table file", "ok", f"{path} is a table ({said})", f"{path} este o masă ({said})")
    yield check_journal(config.journal)
    yield check_disk(config.journal.parent)
    yield check_model(config.file.camera.tileset)
    yield from check_camera(config)
    yield check_board(config)
    yield check_page(config.file.page.host, config.file.page.port)


def check_journal(path: Path) -> Check:
    """Whether the journal can be read, is of this version, and nobody else writes to it."""
    from companion.table.export import games_in
    from companion.table.lock import WriterLock, lock_path

    if not path.is_file():
        return Check(
            "journal", "ok", f"{path} is not there yet; it is made at the first start",
            f"{path} nu există încă; se creează la prima pornire",
        )  # fmt: skip
    try:
        games = len(games_in(path))
    except JournalError as error:
        return Check("journal", "wrong", error.hint_en, error.hint_ro)
    if lock_path(path).is_file():
        try:
            WriterLock(path).close()
        except JournalError as error:
            return Check("journal", "note", error.hint_en, error.hint_ro)
        except OSError as error:
            return Check("journal", "wrong", f"{path}: {error}", f"{path}: {error}")
    return Check("journal", "ok", f"{path}: {games} games, sound", f"{path}: {games} jocuri, în regulă")


def check_disk(folder: Path) -> Check:
    """Whether there is room, and the right to write."""
    try:
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"\0" * 65536)
            probe.flush()
        free = shutil.disk_usage(folder).free // 2**20
    except OSError as error:
        if error.errno == errno.ENOSPC:
            return Check(
                "disk", "wrong", f"the disk of {folder} is full; free some space",
                f"discul cu {folder} este plin; eliberați spațiu",
            )  # fmt: skip
        return Check(
            "disk", "wrong",
            f"nothing can be written to {folder} ({error.strerror}); make the folder, or give the user that "
            "runs remi the right to write there",
            f"nu se poate scrie în {folder} ({error.strerror}); creați dosarul sau dați drept de scriere "
            "utilizatorului care pornește remi",
        )  # fmt: skip
    if free < LEAST_MB:
        return Check(
            "disk", "wrong", f"only {free} MB are free at {folder}; free some space before you play",
            f"mai sunt doar {free} MB liberi la {folder}; eliberați spațiu înainte de joc",
        )  # fmt: skip
    verdict: Verdict = "ok" if free >= PLENTY_MB else "note"
    return Check("disk", verdict, f"{free} MB are free at {folder}", f"{free} MB liberi la {folder}")


def check_model(tileset: str | None) -> Check:
    """Whether the reader can be loaded, with the tile set that is named."""
    from calibration import tilesets
    from companion.tilesets import faint_words, load_reader

    try:
        load_reader(tileset)
    except InputError as error:
        return Check("model", "wrong", error.message, error.message)
    if faded := tilesets.load(tileset).faint if tileset else None:
        return Check(
            "model", "note", f"set {tileset}: {faint_words(faded, romanian=False)}",
            f"setul {tileset}: {faint_words(faded, romanian=True)}",
        )  # fmt: skip
    known = f", set {tileset}" if tileset else ""
    return Check("model", "ok", f"the reader is there{known}", f"cititorul există{known}")


def check_camera(config: TableConfig) -> Iterator[Check]:
    """Whether rig and zones can be used, the camera gives pictures, and of the rig's size."""
    if config.file.camera.source is None:
        yield Check(
            "camera", "note", "no camera is named under [camera]: the game is entered by hand",
            "nu este numită nicio cameră la [camera]: jocul se introduce de mână",
        )  # fmt: skip
        return
    from calibration.rig import refuse_other_size
    from companion.table.eyes import load_zones_of, open_camera

    try:
        source, rig = open_camera(config)
    except (HintedError, OSError) as error:
        yield _from("camera", error)
        return
    with source:
        try:
            load_zones_of(config, rig)
        except (HintedError, InputError, OSError) as error:
            yield _from("zones", error)
        waited, frame = 0.0, None
        while frame is None and waited < _FRAME_S and source.status().health.state != "ended":
            frame = source.wait(after=0, timeout=_STEP_S)
            waited += _STEP_S
        status = source.status()
    if frame is None:
        why = status.health.reason
        yield Check(
            "camera", "wrong", f"no picture came from {status.address} in {_FRAME_S:g} s. {why.en}",
            f"nu a venit nicio imagine de la {status.address} în {_FRAME_S:g} s. {why.ro}",
        )  # fmt: skip
        return
    try:
        refuse_other_size(rig, frame.size)
    except HintedError as error:
        yield _from("rig", error)
        return
    size = f"{frame.size[0]}x{frame.size[1]}"
    loose = [setting.name for setting in status.settings if not setting.locked]
    note = f"; not held fast: {', '.join(loose)}" if loose else ""
    note_ro = f"; nu sunt fixate: {', '.join(loose)}" if loose else ""
    yield Check(
        "camera", "note" if loose else "ok", f"{status.address} gives {size}{note}",
        f"{status.address} dă {size}{note_ro}",
    )  # fmt: skip


def check_board(config: TableConfig) -> Check:
    """Whether the board answers."""
    import time

    from companion.table.board import TableBoard
    from firmware_bridge.link import LinkState

    part = config.file.board
    if part.port == "none":
        return Check(
            "board", "note", "no board: turns end by the discard, or on the page",
            "fără placă: turele se încheie cu piesa aruncată sau pe pagină",
        )  # fmt: skip
    try:
        board = TableBoard(
            part, len(config.file.players.names), on_press=lambda _: None, on_part=lambda _: None
        )
    except OSError as error:
        return _from("board", error)
    try:
        waited = 0.0
        while board.report.state is not LinkState.UP and waited < _BOARD_S:
            time.sleep(_STEP_S)
            waited += _STEP_S
        report = board.report
    finally:
        board.close()
    if report.state is LinkState.UP:
        return Check("board", "ok", f"{part.port}: the board answers", f"{part.port}: placa răspunde")
    en = report.hint_en or f"{part.port}: the board has not answered yet ({report.state.value})"
    ro = report.hint_ro or f"{part.port}: placa nu a răspuns încă ({report.state.value})"
    return Check("board", "wrong", en, ro)


def check_page(host: str, port: int) -> Check:
    """Whether the page can be served there."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            return Check(
                "page", "note", f"port {port} of {host} cannot be had ({error.strerror}): the next free one "
                "is taken; name another under [page] port",
                f"portul {port} de la {host} nu este disponibil ({error.strerror}): se ia următorul liber; "
                "alegeți altul la [page] port",
            )  # fmt: skip
        return Check(
            "page", "wrong", f"{host} is no address of this machine ({error.strerror}); use 127.0.0.1 or "
            "0.0.0.0 under [page] host",
            f"{host} nu este o adresă a acestui calculator ({error.strerror}); folosiți 127.0.0.1 sau "
            "0.0.0.0 la [page] host",
        )  # fmt: skip
    return Check("page", "ok", f"port {port} of {host} is free", f"portul {port} de la {host} este liber")


def _from(name: str, error: HintedError | InputError | OSError) -> Check:
    if isinstance(error, HintedError):
        return Check(name, "wrong", error.hint_en, error.hint_ro)
    said = error.message if isinstance(error, InputError) else str(error)
    return Check(name, "wrong", said, said)
