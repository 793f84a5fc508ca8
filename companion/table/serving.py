"""`remi run`: the table with its page, until it is told to end."""

from __future__ import annotations

import logging
import os
import signal
import threading
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import click

from companion.demo import make_server, open_listener, page_services, shown_addresses
from companion.output import InputError
from companion.page_past import with_sheets
from companion.readers import load_reader
from companion.table.running import RunningTable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from companion.table.config import TableConfig

PAGE_THREADS: Final = 16
"""Of the page's server, beside those that readers of the table's events hold."""


def run_table(config: TableConfig, *, page: bool = True, say: Any = click.echo) -> None:
    """Runs the table until Ctrl-C or SIGTERM; what cannot start raises as `RunningTable` says."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(threadName)s %(levelname)s %(message)s")
    logging.getLogger("waitress").setLevel(logging.WARNING)
    with RunningTable(config, on_dead=_end_process) as table, _ended_by_signals(table):
        document = table.document()
        say(f"{config.file.table}: game {document['game']}, {document['phase']}")
        if page:
            _serve(config, table, say)
        else:
            _wait(table)
    if table.dead:
        raise InputError(
            "The table broke off by a fault of the program; it stands above. Start it again: the game goes "
            "on where it was. Please report this.\nMasa s-a oprit din cauza unei erori de program, descrisă "
            "mai sus. Porniți din nou: jocul continuă de unde a rămas. Raportați problema."
        )


def _end_process() -> None:
    """Has the main thread end what there is; a service manager may then start anew."""
    os.kill(os.getpid(), signal.SIGTERM)


def _wait(table: RunningTable) -> None:
    try:
        while not table.ending.wait(3600.0):
            pass
    except KeyboardInterrupt:
        return


def _serve(config: TableConfig, table: RunningTable, say: Any) -> None:
    from web_ui.app import Settings, create_app
    from web_ui.streams import MOST_STREAMS

    part = config.file.page
    open_things = ExitStack()
    listener = open_listener(part.host, part.port)
    try:
        taken = int(listener.getsockname()[1])
        kept = with_sheets(page_services(load_reader(), game=table), config.journal, open_things)
        services = replace(
            kept,
            table=table.live,
            addresses=lambda: shown_addresses(str(listener.getsockname()[0]), taken),
        )
        app = create_app(services, Settings(default_rules=config.file.rules.base))
        server = make_server(app, listener, threads=MOST_STREAMS + PAGE_THREADS)
    except BaseException:
        open_things.close()
        listener.close()
        raise
    if part.port not in {0, taken}:
        table.said(
            "page", "other port", well=True, en=f"port {part.port} was in use, the page has {taken}",
            ro=f"portul {part.port} era ocupat, pagina are {taken}",
        )  # fmt: skip
    addresses = shown_addresses(str(listener.getsockname()[0]), taken)
    say(f"Remi Companion: {', for phones on this network '.join(addresses)} (Ctrl-C ends)")
    try:
        server.run()  # returns on Ctrl-C and SIGTERM, after the answers under way
    finally:
        server.close()
        open_things.close()


@contextmanager
def _ended_by_signals(table: RunningTable) -> Iterator[None]:
    """SIGTERM ends the table as Ctrl-C does: streams end, then the server, then the table."""

    def end(_number: int, _frame: FrameType | None) -> None:
        table.ending.set()
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
