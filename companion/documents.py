"""Readings and counts as the JSON of `remi read` and `remi count` (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from engine.grouping import PhotoCount
    from engine.readings import PictureReading, SeenTile
    from engine.repair import Conflict, Repair, Repaired
    from vision.pictures import PictureError

Document = dict[str, Any]


def reading_document(path: Path, reading: PictureReading, repaired: Repaired | None = None) -> Document:
    """One picture of `remi read`: its size and its tiles with corners in image pixels.

    `repaired` is what became of the tiles of `reading`; None where nothing was repaired on purpose.
    """
    return {
        "path": str(path),
        "size": [reading.width, reading.height],
        "tiles": [_tile_document(tile) for tile in (repaired.tiles if repaired else reading.tiles)],
        "repairs": [_repair_document(one) for one in repaired.repairs] if repaired else [],
        "conflicts": [_conflict_document(one) for one in repaired.conflicts] if repaired else [],
        "milliseconds": {stage: round(value, 2) for stage, value in reading.milliseconds.items()},
    }


def unread_document(path: Path, error: PictureError) -> Document:
    """A picture that could not be read: no size, no tiles, and the error."""
    return {
        "path": str(path),
        "size": None,
        "tiles": [],
        "repairs": [],
        "conflicts": [],
        "milliseconds": {},
        "error": {"code": error.code, "hint": error.hint_en, "hint_ro": error.hint_ro},
    }


def count_document(count: PhotoCount, tiles: Sequence[SeenTile]) -> Document:
    """What `remi count` adds to a picture; indexes point into `tiles`."""
    return {
        "melds": [
            {
                "tiles": " ".join(str(tiles[index].face) for index in meld.tiles),
                "indexes": list(meld.tiles),
                "shape": meld.shape,
                "points": meld.points,
                "opening_points": meld.verdict.points,
                "stands_for": [str(face) for face in meld.verdict.stands_for or ()],
            }
            for meld in count.melds
        ],
        "loose": [{"index": tile.tile, "face": str(tile.face), "value": tile.value} for tile in count.loose],
        "doubts": list(count.doubts),
        "foreign": list(count.foreign),
        "too_many": [str(face) for face in count.too_many],
        "totals": {
            "melded": count.total_melds,
            "loose": count.total_loose,
            "total": count.total,
            "opening": count.total_opening,
        },
    }


def uncounted_document() -> Document:
    """What `count_document` gives for a picture that could not be read: nothing, and no total."""
    return {
        "melds": [],
        "loose": [],
        "doubts": [],
        "foreign": [],
        "too_many": [],
        "totals": {"melded": None, "loose": None, "total": None, "opening": None},
    }


def _repair_document(one: Repair) -> Document:
    return {
        "index": one.index,
        "was": str(one.was),
        "now": str(one.now),
        "odds": round(one.odds),
        "code": one.code,
        "clause": one.clause,
        "why": one.hint_en,
        "why_ro": one.hint_ro,
    }


def _conflict_document(one: Conflict) -> Document:
    return {
        "indexes": list(one.tiles),
        "faces": [str(face) for face in one.faces],
        "code": one.code,
        "clause": one.clause,
        "why": one.hint_en,
        "why_ro": one.hint_ro,
    }


def _tile_document(tile: SeenTile) -> Document:
    return {
        "face": str(tile.face),
        "quad": [[round(x, 2), round(y, 2)] for x, y in tile.quad],
        "confidence": round(tile.confidence, 4),
        "alternatives": [
            {"face": str(other.face), "confidence": round(other.confidence, 4)} for other in tile.alternatives
        ],
    }
