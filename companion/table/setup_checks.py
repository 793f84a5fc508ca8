"""What `remi doctor` looks at, for a table that runs: camera and board say themselves how they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from companion.table.doctor import Check, check_board, check_camera, check_disk, check_model
from companion.table.errors import ConfigError, JournalError
from vision.sources.health import Words

if TYPE_CHECKING:
    from companion.live_table import LiveTable
    from companion.table.config import TableConfig
    from companion.table.running import RunningTable


def checks(
    config: TableConfig, table: RunningTable | None, live: LiveTable | None, *, kept: bool
) -> Iterator[Check]:
    """The checks of a table, as they are made. A camera or board in use is asked, never opened twice."""
    yield _file(config, kept=kept)
    if table is not None:
        yield _journal(table)
        yield check_disk(table.config.journal.parent)
    yield check_model(config.file.camera.tileset)
    if live is not None:
        yield _camera(live)
    elif table is None or table.config.file.camera.source is None:
        yield from check_camera(config)
    if table is not None and table.board is not None:
        report = table.board.report
        words = Words(report.hint_en, report.hint_ro)
        name = table.config.file.board.port
        well = report.state.value == "up"
        yield Check(
            "board", "ok" if well else "wrong",
            f"{name}: the board answers" if well else words.en or f"{name}: {report.state.value}",
            f"{name}: placa răspunde" if well else words.ro or f"{name}: {report.state.value}",
        )  # fmt: skip
    else:
        yield check_board(config)
    yield Check("page", "ok", "the page is served: you are reading it", "pagina merge: o citiți acum")


def _file(config: TableConfig, *, kept: bool) -> Check:
    if config.path is None or not kept:
        return Check(
            "table file", "note", "there is none: what is set up here is gone when the companion ends",
            "nu există: ce se setează aici se pierde la oprirea programului",
        )  # fmt: skip
    from companion.table.config import load_config

    try:
        load_config(config.path)
    except ConfigError as error:
        return Check("table file", "wrong", error.hint_en, error.hint_ro)
    said = config.file.table
    return Check(
        "table file", "ok", f"{config.path} is a table ({said})", f"{config.path} este o masă ({said})"
    )


def _journal(table: RunningTable) -> Check:
    from companion.table.export import games_in

    path = table.config.journal
    try:
        games = len(games_in(path))
    except JournalError as error:
        return Check("journal", "wrong", error.hint_en, error.hint_ro)
    return Check("journal", "ok", f"{path}: {games} games, sound", f"{path}: {games} jocuri, în regulă")


def _camera(live: LiveTable) -> Check:
    from vision.seeing.states import STATE_WORDS

    now = live.now()
    words = next((words for state, words in STATE_WORDS.items() if state == now.state), Words("", ""))
    en, ro = words.en or now.state, words.ro or now.state
    if now.reason is not None:
        en, ro = f"{en}. {now.reason.en}", f"{ro}. {now.reason.ro}"
    if now.state in ("looking", "hand"):
        return Check("camera", "ok", en, ro)
    return Check("camera", "note" if now.state in ("starting", "moving") else "wrong", en, ro)
