"""Writes the model's card: files with hashes, how they were made, thresholds, fonts, measured figures."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from vision.chance import Chance
from vision.onnx_nets import CARD
from vision.synth.fonts import FAMILIES
from vision.tally import percent

DEFAULT_THRESHOLDS: Mapping[str, float] = {"find": 0.04, "tile": 0.5, "down": 0.35, "read": 0.5, "back": 0.5}

ABOUT: Mapping[str, Any] = {
    "name": "remi-tiles",
    "licence": "AGPL-3.0-or-later",
    "task": "finds and reads rummy tiles (4 colours x 1 to 13, jokers, backs) in a photo",
    "classes_finder": ["face up", "face down"],
    "classes_number": ["joker", *(str(number) for number in range(1, 14)), "back", "no tile"],
    "classes_colour": ["r", "y", "b", "k"],
    "data": "rendered scenes of vision/synth only; no real photo was trained on",
    "limits": [
        "cards are not read",
        "tiles under 18 pixels wide, digits under 6 high, faces over 65 degrees from the line of sight",
        "leaning tiles out of focus in dim light: 13 as 12, 2 as 7 or 9, black as red",
        "a leaning tile whose top wall is as bright as its face: missed, or read together with the wall",
        "white tiles side by side on a white rack without a seam in sight: boxed, but without corners",
        "black tiles alone in cold light, blue with no other ink in sight; red and orange in yellow light",
        "jokers that show a letter (as 1), a thing on a stem (as 4 or 9) or a jagged one (as 10 or 11)",
        "two tiles with an 11 side by side: another one may be seen between them",
        "numbers printed in cells of about a tile's size: calendars, score sheets, boards of games, keys",
        "backs half in the shade of the next stack, patterned ones, and the lower tiles of a stack",
        "tiles cut by the picture's edge",
    ],
}

NETS: Mapping[str, str] = {
    "finder": "Ultralytics YOLO (vision/training/finder.yaml), from scratch",
    "corners": "U-net with four corner heatmaps in upright order",
    "faces": "convolutional classifier: number, colour, turned",
    "inks": "small transformer over the inks of all tiles of a picture",
}


def write_card(run: Path, models: Path) -> Path:
    """Writes `models/model.toml` for the weights there, made in `run`; thresholds of an earlier card stay.

    Measured figures are dropped, since they belong to other weights: `remi evaluate --card` writes them anew.
    """
    import tomli_w

    path = models / CARD
    earlier = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    nets = {}
    for name, kind in NETS.items():
        file = models / f"{name}.onnx"
        data = file.read_bytes()
        nets[name] = {
            "file": file.name,
            "kind": kind,
            "bytes": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
        }
    fonts = [
        {
            "files": family.pattern,
            "package": family.package,
            "licence": family.licence,
            "used": "measuring only" if family.split == "heldout" else "training",
        }
        for family in FAMILIES
    ]
    card = {
        **ABOUT,
        "thresholds": earlier.get("thresholds", dict(DEFAULT_THRESHOLDS)),
        "chance": earlier.get("chance", asdict(Chance())),
        **({"confidence": earlier["confidence"]} if "confidence" in earlier else {}),
        "nets": nets,
        "training": json.loads((run / "train.json").read_text(encoding="utf-8")),
        "measured": {},
        "fonts": fonts,
    }
    path.write_text(tomli_w.dumps(card), encoding="utf-8")
    return path


def add_measured(models: Path, name: str, document: Mapping[str, Any]) -> None:
    """Puts the figures of `remi evaluate --json` into the card under `name`, the commonest confusions.

    Of groups and kinds one line each, so that a person can read the card.
    """
    import tomli_w

    path = models / CARD
    card = tomllib.loads(path.read_text(encoding="utf-8"))
    low, high = document["wrong_accepted_interval"]
    entry = {
        "pictures": document["pictures"],
        "pictures_right": document["pictures_right"],
        "pictures_right_repaired": document["pictures_right_repaired"],
        "calibration_error": document["calibration_error"],
        "wrong_accepted_interval": [low, high],
        "total": _plain(document["total"]),
        "summary": _lines(document["summary"]),
        "by": {"group": _lines(document["groups"])}
        | {kind: _lines(table) for kind, table in document["by"].items()},
        "confusions": [
            f"{pair['truth']} as {pair['read']} x{pair['count']}" for pair in document["confusions"][:20]
        ],
    }
    card.setdefault("measured", {})[name] = entry
    path.write_text(tomli_w.dumps(card), encoding="utf-8")


def _plain(tally: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in tally.items() if value is not None}


def _lines(tallies: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """`meld: 41 tiles, found 100.00 %, right 97.56 %, repaired 100.00 %, 1 unread`, noughts left out."""
    lines = []
    for name, tally in tallies.items():
        shares = [
            f"{key} {percent(tally[key])}" for key in ("found", "right", "repaired") if tally[key] is not None
        ]
        counts = [
            f"{tally[key]} {key.replace('_', ' ')}"
            for key in ("unread", "wrong", "wrong_repaired", "false_finds")
            if tally.get(key)
        ]
        lines.append(", ".join([f"{name}: {tally['tiles']} tiles", *shares, *counts]))
    return lines
