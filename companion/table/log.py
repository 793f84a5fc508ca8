"""The rows of a journal: entries of games, and what happens around games, as one gap-free log."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

TABLE_EVENTS: Final = ("match", "game", "rename", "pause", "resume", "match_end")
"""Rows that are no entry of a record: a match begins, a game begins, somebody is called otherwise, ..."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row. `number` counts from 1 without gaps over the whole journal, `seq` within the game `game`.

    `batch` is the number of the first of the rows that were written together, `at` the time as ISO 8601 in
    UTC. `fields` are those of a record's entry (docs/formats.md), or of a row of TABLE_EVENTS. `evidence`
    says which look of the camera showed it; it names nobody and holds no picture.
    """

    number: int
    batch: int
    at: str
    actor: str | None
    event: str
    game: int | None = None
    seq: int | None = None
    fields: Mapping[str, Any] = field(default_factory=dict)
    evidence: Mapping[str, Any] | None = None
