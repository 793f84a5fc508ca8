"""Writes rendered scenes with their labels to a folder, on all cores, the same for the same seed."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, Literal

import cv2
import numpy as np

from vision.synth.fonts import Split, installed
from vision.synth.hard import draw_hard_scene
from vision.synth.render import TileLabel
from vision.synth.scene import Overhead, Scene, draw_scene, draw_table_scene

View = Literal["crops", "tables", "hard"]

FORMAT = "remi-scenes/2"
LABELS = "labels.jsonl"
HELD_BACK = 150  # scenes at the end of a training set that no net is trained on
META = "meta.json"


def write_dataset(  # noqa: PLR0913 -- what a set is made of, by name
    out: Path,
    *,
    scenes: int,
    seed: int,
    looks: Split = "train",
    size: tuple[int, int] = (448, 448),
    tile_px: tuple[float, float] = (15, 130),
    view: View = "crops",
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Writes `scenes` pictures of `size` (w, h) under `out/images` and their labels to `out/labels.jsonl`.

    `view` "crops" draws scenes of every layout and pieces of ceiling tables; "tables" whole tables in a
    frame, where the tiles' size follows from the frame; "hard" what reading finds hard, with tiles of its own
    sizes. A run that was broken off goes on where it stopped:
    scene n depends on `seed` and n alone. With one worker no process is started. Raises ValueError where
    `out` holds a set made with other values, and FontsMissingError where the fonts are not installed.
    """
    installed(looks)  # said here, in the words of FontsMissingError, rather than by a worker
    (out / "images").mkdir(parents=True, exist_ok=True)
    labels = out / LABELS
    meta = {
        "format": FORMAT,
        "seed": seed,
        "looks": looks,
        "size": list(size),
        "tile_px": list(tile_px),
        "view": view,
        "scenes": scenes,
    }
    _check_meta(out / META, meta)
    done = _whole_lines(labels)
    (out / META).write_text(
        json.dumps(meta | {"scenes": max(scenes, done)}, indent=1) + "\n", encoding="utf-8"
    )
    work = partial(_write_scene, out=out, seed=seed, looks=looks, size=size, tile_px=tile_px, view=view)
    with labels.open("a", encoding="utf-8") as file:
        for index, line in enumerate(
            _drawn(work, range(done, scenes), workers or os.cpu_count() or 1), done + 1
        ):
            file.write(line + "\n")
            if index % 64 == 0:
                file.flush()
            if progress:
                progress(index, scenes)
    return out


def read_labels(folder: Path) -> Iterator[dict[str, Any]]:
    """The label entries of a written set: image, style, layout, tiles (face, quad in px, visible, slant).

    Those of whole tables have `overhead` too: table_mm, seats, marker_inset_mm and the camera.
    """
    with (folder / LABELS).open(encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def _check_meta(path: Path, meta: dict[str, Any]) -> None:
    if not path.exists():
        return
    old = json.loads(path.read_text(encoding="utf-8"))
    changed = [key for key in meta if key != "scenes" and old.get(key) != meta[key]]
    if changed:
        raise ValueError(
            f"{path.parent} holds a set made with other {', '.join(changed)}; "
            "choose an empty folder or the same values"
        )


def _whole_lines(path: Path) -> int:
    """The number of whole lines of a file; what a killed run left of a further one is cut off."""
    if not path.exists():
        return 0
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        os.truncate(path, len(whole))
    return whole.count(b"\n")


def _drawn(work: Callable[[int], str], indexes: range, workers: int) -> Iterator[str]:
    if workers == 1 or len(indexes) <= 1:
        threads = cv2.getNumThreads()
        try:
            yield from map(work, indexes)
        finally:
            cv2.setNumThreads(threads)
        return
    # Not forked: OpenCV has threads already, and a fork in the midst of their work may hang.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(workers, len(indexes)), mp_context=context) as pool:
        yield from pool.map(work, indexes, chunksize=8)


def _write_scene(
    index: int,
    *,
    out: Path,
    seed: int,
    looks: Split,
    size: tuple[int, int],
    tile_px: tuple[float, float],
    view: View,
) -> str:
    cv2.setNumThreads(1)  # one process a core already
    rng = np.random.default_rng([seed, index])
    if view == "tables":
        scene = draw_table_scene(rng, split=looks, size=size)
    elif view == "hard":
        scene = draw_hard_scene(rng, split=looks, size=size)
    else:
        scene = draw_scene(rng, split=looks, size=size, tile_px=tile_px)
    name = f"images/{index:06d}.jpg"
    if not cv2.imwrite(str(out / name), scene.image, [cv2.IMWRITE_JPEG_QUALITY, 95]):
        raise OSError(f"could not write {out / name}")
    entry = {
        "image": name,
        "style": scene.style,
        "layout": scene.layout,
        "light": scene.light,
        "size": list(size),
        "tile_px": round(scene.tile_px, 1),
        "tiles": [_tile_entry(tile, scene) for tile in scene.tiles],
    }
    if view == "tables" and scene.overhead is not None:
        entry["overhead"] = _overhead_entry(scene.overhead)
    return json.dumps(entry)


def _overhead_entry(overhead: Overhead) -> dict[str, Any]:
    """The table (mm), its seats and markers, and the camera: pixels of the frame for millimetres."""
    camera = overhead.camera
    return {
        "table_mm": [round(side, 3) for side in overhead.table_mm],
        "seats": overhead.seats,
        "marker_inset_mm": None if overhead.inset_mm is None else round(overhead.inset_mm, 3),
        "camera": {
            "position_mm": np.round(camera.position, 4).tolist(),
            "right_down_forward": np.round(camera.axes, 8).tolist(),
            "focal_px": round(camera.focal_px, 4),
            "centre_px": np.round(camera.centre_px, 4).tolist(),
            "k1": round(camera.k1, 6),
        },
    }


def _tile_entry(tile: TileLabel, scene: Scene) -> dict[str, Any]:
    """A label as written: face, quad (px), share in sight, slant, height of the digit in px, zone."""
    (x0, y0), (x1, y1), (x2, y2), (x3, y3) = tile.quad
    tall = (math.hypot(x3 - x0, y3 - y0) + math.hypot(x2 - x1, y2 - y1)) / 2
    entry = asdict(tile)
    place = entry.pop("place")
    return entry | {"digit_px": round(tall * scene.digit, 1), "zone": place}
