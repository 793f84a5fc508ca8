"""Reasons as data: what is against something, by which clause, about which tiles, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.tiles import Tile


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that is wrong: code for programs, clause (a heading of docs/RULES.md), hints for players."""

    code: str
    clause: str
    hint_en: str
    hint_ro: str
    tiles: tuple[Tile, ...] = ()
