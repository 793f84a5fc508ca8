"""How well the rig tells millimetres on the ceiling tables: markers, lens known or not, tile corners.

    python -m benchmarks.rig_error [DATA]

DATA is a folder with images/ and labels/, by default ../shared/data/ceiling. The labels say where the camera
was; a rig is made from the markers in the picture alone, and corners of tiles that lie flat are put onto the
plane of their tops by both.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from calibration.camera import Floats, Lens, make_pose
from calibration.camera import to_mm as camera_to_mm
from calibration.markers import MarkerLayout, centre_of, find_markers
from calibration.rig import Provenance, Rig, calibrate

MODES = ("lens known", "height known", "nothing known")


@dataclass(frozen=True)
class Measured:
    """Of one picture: markers found, how far their middles are off in pixels, and errors of corners in mm."""

    name: str
    mode: str
    markers: tuple[int, ...]
    marker_off_px: float
    rig: Rig
    errors_mm: Floats
    find_ms: float
    again_ms: float


def measure(label: Path, mode: str) -> Measured:
    """Calibrates from the picture of a label file and compares with the camera that the label tells."""
    import cv2

    entry = json.loads(label.read_text(encoding="utf-8"))
    pixels = cv2.imread(str(label.parent.parent / "images" / f"{label.stem}.jpg"))
    if pixels is None:
        raise FileNotFoundError(f"{label} has no picture {label.stem}.jpg")
    lens, truth = true_camera(entry)
    started = time.perf_counter()
    seen = find_markers(np.asarray(pixels, np.uint8))
    found = time.perf_counter()
    find_markers(np.asarray(pixels, np.uint8), near=seen, everywhere=False)
    again = time.perf_counter()
    rig = calibrate(
        seen,
        size=(entry["width"], entry["height"]),
        layout=MarkerLayout((float(entry["table_mm"][0]), float(entry["table_mm"][1]))),
        lens=lens if mode == MODES[0] else None,
        height_mm=entry["camera"]["position_mm"][2] if mode == MODES[1] else None,
        provenance=Provenance("2026-11-29", "ceiling", (label.stem,)),
    )
    flat = [tile["quad"] for tile in entry["tiles"] if tile["zone"]["kind"] in ("meld", "discard")]
    corners = np.asarray(flat, np.float64).reshape(-1, 2)
    top = entry["set"]["tile_mm"][2]
    errors = rig.to_mm(corners, height_mm=top) - camera_to_mm(corners, lens, truth, height_mm=top)
    places = {mark["id"]: np.asarray(mark["corners_px"]) for mark in entry["markers"]}
    off = [float(np.linalg.norm(centre_of(at) - centre_of(places[marker]))) for marker, at in seen.items()]
    return Measured(
        name=label.stem,
        mode=mode,
        markers=tuple(seen),
        marker_off_px=max(off),
        rig=rig,
        errors_mm=np.linalg.norm(errors, axis=1),
        find_ms=1000 * (found - started),
        again_ms=1000 * (again - found),
    )


def true_camera(entry: dict[str, Any]) -> tuple[Lens, Any]:
    """Lens and pose of the camera that a label tells."""
    camera = entry["camera"]
    (fx, _, cx), (_, fy, cy), _ = camera["K"]
    lens = Lens((fx, fy), (cx, cy), (*camera["dist_k1_k2"], 0.0, 0.0, 0.0), "given")
    rotation = np.asarray(camera["right_down_forward"])
    return lens, make_pose(rotation, -rotation @ np.asarray(camera["position_mm"]))


def main() -> None:
    """Prints a line for each picture and mode."""
    data = Path(sys.argv[1]) if len(sys.argv) > 1 else Path("../shared/data/ceiling")
    labels = sorted((data / "labels").glob("*.json"))
    if not labels:
        sys.exit(f"no labels/*.json under {data}")
    for mode in MODES:
        print(mode)
        for label in labels:
            one = measure(label, mode)
            print(
                f"  {one.name:8} markers {len(one.markers)}, middles off by at most {one.marker_off_px:.2f} "
                f"px, rms {one.rig.rms_px:.2f} px {one.rig.rms_mm:.2f} mm, corners of flat tiles median "
                f"{np.median(one.errors_mm):.2f} mm, worst {one.errors_mm.max():.2f} mm; markers found in "
                f"{one.find_ms:.0f} ms, again in {one.again_ms:.0f} ms"
            )


if __name__ == "__main__":
    main()
