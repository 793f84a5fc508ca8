"""A game to be shown: documents of a real table without eyes, and a Game whose document is set by a test."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from copy import deepcopy
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from companion.table.inputs import Looked, Post
from companion.table.journal import Journal
from companion.table.thread import TableThread
from tests.companion.table.scripted import look, played_script, scripted_setup

NAMES = ("Ștefan", "Ana-Maria", "Ioana")
WAIT_S = 60.0


@cache
def documents(rules: str = "etalat", seed: int = 3, games: int = 2) -> tuple[dict[str, Any], ...]:
    """What is published while games are played, one document a look, the last one when they are over."""
    scripts = [played_script(rules, seed + n, dealer=n % len(NAMES)) for n in range(games)]
    found: list[dict[str, Any]] = []
    with TemporaryDirectory() as folder, Journal(Path(folder) / "j.sqlite") as journal:
        table = TableThread(journal, scripted_setup(scripts, rules=rules, names=NAMES), random=Random(1))
        try:
            for number, script in enumerate(scripts):
                if number:
                    done = table.post(Post("next_deal", {}, None, True)).result(WAIT_S)
                    assert done.status == "done", done
                for seen in range(1, len(script) + 1):
                    table.looked(Looked(look(seen)))
                    table.post(Post("resume", {}, None, False)).result(WAIT_S)
                    found.append(table.published.public)
        finally:
            table.close()
    return tuple(found)


def document(at: int = -12, **changes: Any) -> dict[str, Any]:
    """A document of a second game under way, with some fields changed."""
    return {**deepcopy(documents()[at]), **changes}


class ShownGame:
    """A game that is what a test says."""

    def __init__(self, shown: Mapping[str, Any]) -> None:
        self.pin = None
        self.closed = False
        self._shown = dict(shown)
        self._changed = threading.Condition()

    def show(self, **changes: Any) -> None:
        with self._changed:
            self._shown = {**self._shown, **changes, "number": self._shown["number"] + 1}
            self._changed.notify_all()

    def document(self) -> Mapping[str, Any]:
        with self._changed:
            return self._shown

    def wait(self, after: int, timeout: float) -> Mapping[str, Any] | None:
        with self._changed:
            self._changed.wait_for(lambda: self.closed or self._shown["number"] > after, timeout)
            return self._shown if self._shown["number"] > after else None

    def since(self, after: int, timeout: float) -> tuple[Mapping[str, Any], ...]:
        document = self.wait(after, timeout)
        return () if document is None else (document,)

    def entries(self) -> list[Mapping[str, Any]]:
        return list(self.document()["entries"])

    def preview(
        self, what: str, fields: Mapping[str, Any], version: int | None, *, anyway: bool
    ) -> Mapping[str, Any]:
        raise AssertionError("the scoreboard asks for nothing")

    def post(
        self, what: str, fields: Mapping[str, Any], version: int | None, *, anyway: bool
    ) -> Mapping[str, Any]:
        raise AssertionError("the scoreboard asks for nothing")
