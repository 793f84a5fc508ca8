"""Every thread of the companion, and how one that breaks off is noticed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

THREADS: Final[Mapping[str, str]] = {
    "MainThread": "serves the page, or waits for the end",
    "table": "the only writer: takes inputs in order, writes the journal, publishes",
    "source": "reads frames of the camera, opens it again (its name goes on with the address)",
    "eyes": "looks at the newest frame, reads what changed, gives readings to the table",
    "board": "talks with the board, gives presses to the table",
    "board-sim": "lives the life of a board made of software, where the table file says so",
    "waitress": "answers the page's requests (several; waitress-0, waitress-1, ...)",
}
"""The threads by their names, or what their names begin with."""


def is_listed(name: str) -> bool:
    """Whether a thread of this name stands in the list."""
    return name in THREADS or name.split(" ", maxsplit=1)[0].rstrip("0123456789").rstrip("-") in THREADS


@contextmanager
def crashes_told(tell: Callable[[str, str], None]) -> Iterator[None]:
    """Calls `tell` with name and reason when any thread ends by an exception; the traceback is shown too."""
    before = threading.excepthook

    def hook(arguments: threading.ExceptHookArgs, /) -> None:
        before(arguments)
        name = arguments.thread.name if arguments.thread is not None else "?"
        error = arguments.exc_value
        tell(name, f"{arguments.exc_type.__name__}: {error}" if error is not None else "")

    threading.excepthook = hook
    try:
        yield
    finally:
        threading.excepthook = before
