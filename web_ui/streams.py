"""The table's changes as events: written once however many read, counted, with ids that name the run."""

from __future__ import annotations

import json
import secrets
import threading
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from web_ui.services import Game

MOST_STREAMS: Final = 240
"""Readers of a table's events at a time: each holds one of the server's threads, which mostly sleeps."""

_POLL_S: Final = 0.5
_BEAT_S: Final = 15.0
_KEPT: Final = 32


class Streams:
    """What one app streams. Several threads may ask.

    An id is `<run>-<number>`: numbers begin anew with the companion, and a reader of an earlier run gets the
    table as it is.
    """

    def __init__(self, most: int = MOST_STREAMS) -> None:
        self.most = most
        self.run = secrets.token_hex(4)
        self._lock = threading.Lock()
        self._open = 0
        self._written: OrderedDict[int, str] = OrderedDict()

    @property
    def open(self) -> int:
        """How many read now."""
        with self._lock:
            return self._open

    def acquire(self) -> bool:
        """Takes the place of a reader, to be given back by `release`; False where none is left."""
        with self._lock:
            if self._open >= self.most:
                return False
            self._open += 1
            return True

    def release(self) -> None:
        """Gives the place of a reader back."""
        with self._lock:
            self._open -= 1

    def after(self, last_id: str) -> int:
        """The number that a reader knows by its Last-Event-ID; 0 where it knows nothing of this run."""
        run, _, number = last_id.partition("-")
        return int(number) if run == self.run and number.isdecimal() and len(number) < 16 else 0

    def events(self, table: Game, after: int) -> Iterator[str]:
        """The stream for a reader who knows the table as of number `after`; ends with the table."""
        yield "retry: 2000\n\n"
        silent = 0.0
        while not table.closed:
            documents = table.since(after, _POLL_S)
            if not documents:
                silent += _POLL_S
                if silent >= _BEAT_S:
                    silent = 0.0
                    yield ": still here\n\n"
                continue
            silent = 0.0
            after = int(documents[-1]["number"])
            yield "".join(map(self._event, documents))

    def _event(self, document: Mapping[str, Any]) -> str:
        number = int(document["number"])
        with self._lock:
            written = self._written.get(number)
            if written is None:
                data = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
                written = f"id: {self.run}-{number}\nevent: game\ndata: {data}\n\n"
                self._written[number] = written
                while len(self._written) > _KEPT:
                    self._written.popitem(last=False)
            return written
