"""Photos that are being counted for the next round of a score sheet; in memory, like the photos."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Final

MOST_DRAFTS: Final = 200
MOST_ITEMS: Final = 32


@dataclass(frozen=True)
class DraftItem:
    """A photo that counts for a player (by place on the sheet); `points` as they were when last counted."""

    token: str
    player: int
    points: int


class Drafts:
    """For each sheet the photos of the round that is being counted; several phones may add at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._drafts: OrderedDict[str, tuple[DraftItem, ...]] = OrderedDict()

    def of(self, sheet: str) -> tuple[DraftItem, ...]:
        """The photos of a sheet's next round."""
        with self._lock:
            return self._drafts.get(sheet, ())

    def put(self, sheet: str, item: DraftItem) -> None:
        """Counts a photo for a player; a photo counts once, for the player named last."""
        with self._lock:
            others = tuple(one for one in self._drafts.get(sheet, ()) if one.token != item.token)
            self._drafts[sheet] = (*others, item)[-MOST_ITEMS:]
            self._drafts.move_to_end(sheet)
            while len(self._drafts) > MOST_DRAFTS:
                self._drafts.popitem(last=False)

    def counted(self, sheet: str, token: str, points: int) -> None:
        """Remembers what a photo that was corrected comes to now."""
        with self._lock:
            items = self._drafts.get(sheet, ())
            if items:
                self._drafts[sheet] = tuple(
                    replace(one, points=points) if one.token == token else one for one in items
                )

    def drop(self, sheet: str, token: str) -> None:
        """Leaves a photo out."""
        with self._lock:
            self._drafts[sheet] = tuple(one for one in self._drafts.get(sheet, ()) if one.token != token)

    def clear(self, sheet: str) -> None:
        """The round was written down."""
        with self._lock:
            self._drafts.pop(sheet, None)

    def sheets_of(self, token: str) -> tuple[tuple[str, DraftItem], ...]:
        """The sheets for which a photo counts."""
        with self._lock:
            return tuple(
                (sheet, item)
                for sheet, items in self._drafts.items()
                for item in items
                if item.token == token
            )
