"""A table without camera behind the production server, a game in its middle: for what measures the page."""

from __future__ import annotations

import tempfile
import threading
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from companion.table.published import Published
    from companion.table.running import RunningTable
    from engine.commands import Command

PATIENCE_S: Final = 20.0
"""How long the table may take to answer."""


@contextmanager
def served(
    table_toml: str, *, on_published: Callable[[Published], None] | None = None
) -> Iterator[tuple[RunningTable, int]]:
    """A table from the text of its file, and the port of its page on this machine."""
    from companion.demo import make_server, open_listener
    from companion.table.config import parse_config
    from companion.table.running import RunningTable
    from companion.table.serving import PAGE_THREADS
    from web_ui.app import create_app
    from web_ui.services import Services
    from web_ui.shared import EXTENSION
    from web_ui.streams import MOST_STREAMS

    with tempfile.TemporaryDirectory() as folder:
        config = parse_config(table_toml, folder=Path(folder))
        with RunningTable(config, on_published=on_published) as table:
            listener = open_listener("127.0.0.1", 0)
            app = create_app(Services(_no_picture, lambda _: (), game=table))
            server = make_server(app, listener, threads=MOST_STREAMS + PAGE_THREADS)
            threading.Thread(target=server.run, name="waitress", daemon=True).start()
            yield table, listener.getsockname()[1]
            table.ending.set()
            while app.extensions[EXTENSION].streams.open:
                time.sleep(0.05)
            time.sleep(0.5)  # the last answers are sent before the server goes
            server.close()


def enter(table: RunningTable, entries: int, *, racks: bool) -> None:
    """Enters so many commands of a legal game: `racks` says whether as one who sees all racks, or none."""
    from random import Random

    from companion.table.inputs import Post
    from engine.entries import write_command
    from engine.players import play_game

    state = table.table.core.state
    for command, _ in play_game(state.rules, state.seats, Random(3)).history[:entries]:
        fields = write_command(command if racks else _without_racks(command))
        done = table.table.post(Post("command", fields, None, anyway=True)).result(PATIENCE_S)
        if done.status != "done":
            raise RuntimeError(f"the game could not be entered: {done}")


def _without_racks(command: Command) -> Command:
    from engine import commands as c

    match command:
        case c.Deal():
            counts = tuple(hand if isinstance(hand, int) else len(hand) for hand in command.hands)
            return replace(command, hands=counts)
        case c.Draw(source="wall"):
            return replace(command, tile=None)
        case _:
            return command


def _no_picture(_: bytes) -> Any:
    raise ValueError("this server reads no pictures")
