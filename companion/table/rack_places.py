"""Where racks stood in the game that is on, kept beside the journal: a restart must not uncover them."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration.zones import Zone
from companion.table.inputs import Part
from companion.table.writing import write_whole
from vision.sources.health import Words

if TYPE_CHECKING:
    from companion.table.history import Game

_LOG = logging.getLogger("remi.table")


def places_file(journal: Path) -> Path:
    """The file beside a journal that has the places of one game, the last that was on."""
    return journal.with_name(journal.name + ".racks")


class RackPlaces:
    """The places of a game's racks in their file; what fails is said to `on_part`, and raises nothing.

    Use it under a lock, or from one thread at a time.
    """

    def __init__(self, journal: Path, on_part: Callable[[Part], None]) -> None:
        self._path, self._on_part = places_file(journal), on_part
        self._kept: str | None = None
        self._failed = False

    def of(self, game: Game) -> tuple[Zone, ...]:
        """Every place of a rack that was kept for this game, in millimetres; none of another game's."""
        try:
            document = json.loads(self._path.read_text("utf-8"))
            if (document["game"], document["created"]) != _key(game):
                return ()
            return tuple(_zone(one) for one in document["racks"])
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, KeyError, TypeError) as error:
            self._said(error)
            return ()

    def keep(self, game: Game, racks: Sequence[Zone]) -> None:
        """Puts these places in the file, for this game, instead of whatever it has."""
        number, created = _key(game)
        places = [{"seat": zone.seat, "corners_mm": [list(at) for at in zone.corners]} for zone in racks]
        text = json.dumps({"game": number, "created": created, "racks": places}) + "\n"
        if text == self._kept:
            return
        try:
            write_whole(self._path, text)
        except OSError as error:
            self._said(error)
            return
        self._kept = text
        if self._failed:
            self._failed = False
            self._on_part(Part("racks", "kept", well=True))

    def _said(self, error: Exception) -> None:
        why = error.strerror if isinstance(error, OSError) and error.strerror else f"{error!r}"
        _LOG.warning("%s: the places of racks: %s", self._path, why)
        self._failed = True
        words = Words(
            f"Where racks stood before cannot be kept or read ({self._path.name}: {why}). If the zone of a "
            "rack was moved in this game, a rack may be seen in the picture after a restart: free some space "
            "or give the right to write, and look at the picture before others do.",
            f"Locurile de dinainte ale tablelor nu pot fi păstrate sau citite ({self._path.name}: {why}). "
            "Dacă zona unei table a fost mutată în acest joc, după o repornire se poate vedea o tablă în "
            "imagine: eliberați spațiu sau dați drept de scriere și priviți imaginea înaintea celorlalți.",
        )
        self._on_part(Part("racks", "not kept", well=False, why=words))


def _key(game: Game) -> tuple[int, Any]:
    """A game of one journal, and of no other that lay there before."""
    return game.id, game.record.header.more.get("created")


def _zone(document: Any) -> Zone:
    corners = tuple((float(x), float(y)) for x, y in document["corners_mm"])
    return Zone("rack", document["seat"], corners)
