"""Labelled whole tables: what lies where by their labels, and the camera over them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from calibration.camera import Lens, make_pose
from calibration.legibility import DEFAULT_LIMITS
from calibration.markers import INSET_MM, MarkerLayout
from calibration.rig import Provenance, Rig
from vision.labelled import ENOUGH_IN_SIGHT, LabelError, in_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.zones import Kind

FORMATS: Final = "labels.jsonl of `remi synth --view tables`, or labels/*.json of tables seen from a ceiling"


@dataclass(frozen=True, slots=True)
class TableTile:
    """A labelled tile: face in notation, quad in pixels, share in sight, where it belongs.

    `group` numbers the melds of all, the tiers of a rack or the stacks of the wall; `order` is its place
    therein. `readable` says whether enough of it is in sight, large and straight enough to be read.
    """

    face: str
    quad: tuple[tuple[float, float], ...]
    visible: float
    kind: Kind
    seat: int | None
    group: int
    order: int
    readable: bool


@dataclass(frozen=True, slots=True)
class TrueTable:
    """A picture of a table with its labels.

    `inset_mm` is where the markers are said to lie, None where there are none; `camera` the rig that the
    label tells. Where `meld_seats`, the seats of melds are where they lie.
    """

    name: str
    picture: Path
    size: tuple[int, int]
    table_mm: tuple[float, float]
    seats: int
    tiles: tuple[TableTile, ...]
    inset_mm: float | None
    camera: Rig
    meld_seats: bool

    def melds(self) -> list[list[int]]:
        """The melds as indexes of their tiles, in order."""
        groups: dict[int, list[int]] = {}
        for index, tile in enumerate(self.tiles):
            if tile.kind == "meld":
                groups.setdefault(tile.group, []).append(index)
        return [sorted(group, key=lambda index: self.tiles[index].order) for group in groups.values()]

    def of_kind(self, kind: Kind) -> list[int]:
        """The indexes of the tiles of a kind of zone, in order."""
        found = [index for index, tile in enumerate(self.tiles) if tile.kind == kind]
        return sorted(found, key=lambda index: (self.tiles[index].group, self.tiles[index].order))

    def tiers(self) -> dict[tuple[int, int], list[int]]:
        """The tiles on racks by seat and tier, in order."""
        found: dict[tuple[int, int], list[int]] = {}
        for index in self.of_kind("rack"):
            found.setdefault((self.tiles[index].seat or 0, self.tiles[index].group), []).append(index)
        return found


def load_tables(data: Path) -> list[TrueTable]:
    """The labelled tables under `data`.

    Raises FileNotFoundError that says what was looked for, and LabelError that names the broken label.
    """
    if (data / "labels.jsonl").exists():
        return list(_rendered(data))
    if (data / "labels").is_dir() and any((data / "labels").glob("*.json")):
        return list(_ceiling(data))
    raise FileNotFoundError(f"{data} holds no labelled tables: looked for {FORMATS}")


def _rendered(data: Path) -> Iterator[TrueTable]:
    path = data / "labels.jsonl"
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        with in_file(f"{path}:{number}"):
            entry = json.loads(line)
            if "overhead" not in entry:
                raise LabelError(
                    f"{path}:{number}: does not say where the camera is; render the set anew "
                    "(remi synth OUT --view tables)"
                )
            over = entry["overhead"]
            size = int(entry["size"][0]), int(entry["size"][1])
            table = float(over["table_mm"][0]), float(over["table_mm"][1])
            inset = over["marker_inset_mm"]
            camera = over["camera"]
            lens = Lens(
                (camera["focal_px"], camera["focal_px"]),
                (camera["centre_px"][0], camera["centre_px"][1]),
                (camera["k1"], 0.0, 0.0, 0.0, 0.0),
                "given",
            )
            picture = data / entry["image"]
            yield TrueTable(
                picture.stem,
                picture,
                size,
                table,
                int(over["seats"]),
                tuple(_rendered_tile(tile) for tile in entry["tiles"] if tile.get("zone")),
                inset,
                _camera(lens, camera, size, MarkerLayout(table, inset_mm=inset or INSET_MM)),
                meld_seats=False,
            )


def _rendered_tile(tile: Mapping[str, Any]) -> TableTile:
    zone = tile["zone"]
    angle = math.degrees(math.acos(min(1.0, max(-1.0, float(tile["slant"])))))
    return _tile(tile, zone["seat"] or None, zone["group"], zone["index"], angle, tile["digit_px"])


def _ceiling(data: Path) -> Iterator[TrueTable]:
    for label in sorted((data / "labels").glob("*.json")):
        with in_file(str(label)):
            entry = json.loads(label.read_text(encoding="utf-8"))
            size = int(entry["width"]), int(entry["height"])
            table = float(entry["table_mm"][0]), float(entry["table_mm"][1])
            camera = entry["camera"]
            (fx, _, cx), (_, fy, cy), _ = camera["K"]
            lens = Lens((fx, fy), (cx, cy), (*camera["dist_k1_k2"], 0.0, 0.0, 0.0), "given")
            group_of = {
                index: number for number, meld in enumerate(entry["melds"]) for index in meld["tiles"]
            }
            tiles = tuple(
                _ceiling_tile(tile, group_of.get(index, 0)) for index, tile in enumerate(entry["tiles"])
            )
            seats = len(entry["seats"])
        images = sorted((data / "images").glob(f"{label.stem}.*"))
        if not images:
            raise FileNotFoundError(f"{label} has no picture {label.stem}.* in {data / 'images'}")
        yield TrueTable(
            label.stem,
            images[0],
            size,
            table,
            seats,
            tiles,
            INSET_MM if entry.get("markers") else None,
            _camera(lens, camera, size, MarkerLayout(table)),
            meld_seats=True,
        )


def _ceiling_tile(tile: Mapping[str, Any], meld: int) -> TableTile:
    zone = tile["zone"]
    group = meld if zone["kind"] == "meld" else zone.get("tier", zone.get("stack", 0))
    order = zone.get("place", zone.get("order", zone.get("level", 0)))
    return _tile(tile, zone.get("seat"), group, order, tile["angle_deg"], tile.get("digit_height_px"))


def _tile(
    tile: Mapping[str, Any], seat: int | None, group: int, order: int, angle: float, digit: float | None
) -> TableTile:
    limits = DEFAULT_LIMITS
    small = tile["face"] != "#" and digit is not None and digit < limits.least_px
    readable = tile["visible"] >= ENOUGH_IN_SIGHT and angle < limits.least_deg and not small
    quad = tuple((float(x), float(y)) for x, y in tile["quad"])
    return TableTile(
        str(tile["face"]),
        quad,
        float(tile["visible"]),
        tile["zone"]["kind"],
        seat,
        int(group),
        int(order),
        bool(readable),
    )


def _camera(
    lens: Lens, camera: Mapping[str, Sequence[Any]], size: tuple[int, int], layout: MarkerLayout
) -> Rig:
    rotation = np.asarray(camera["right_down_forward"], np.float64)
    pose = make_pose(rotation, -rotation @ np.asarray(camera["position_mm"], np.float64))
    return Rig(size, layout, lens, pose, {}, 0.0, 0.0, Provenance("", "label"))
