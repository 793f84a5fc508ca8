"""Trains the finder: a small YOLO that boxes tiles roughly, face up or face down."""

from __future__ import annotations

import json
import math
import os
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import torch
import yaml

from vision.synth.dataset import HELD_BACK, META, read_labels
from vision.training.loop import RATE

CLASSES = ("up", "down")
MODEL = Path(__file__).with_name("finder.yaml")
MIN_VISIBLE = 0.3  # below it a tile is neither asked for nor counted against
FEWEST_SHOWN = 3  # tiles in a window cut from a larger picture; of those with fewer, every
EVERY_EMPTY = 8  # one is taken: a table has much cloth
#: Of the pictures in training. Nothing mirrors or turns them: the renderer does what may happen on a table.
VARIATION: Mapping[str, float | None] = {
    "scale": 0.15,
    "translate": 0.08,
    "hsv_h": 0.02,
    "hsv_s": 0.4,
    "hsv_v": 0.3,
    "fliplr": 0.0,
    "flipud": 0.0,
    "degrees": 0.0,
    "mosaic": 0.0,
    "mixup": 0.0,
    "erasing": 0.0,
    "auto_augment": None,
}


def write_yolo(*folders: Path, hold_out: int) -> Path:
    """Writes YOLO box labels beside the pictures of rendered sets; returns the sheet that lists them all.

    The last `hold_out` of each set are for validation; the sheet lies in the first one. Where a later set has
    larger pictures than the first, as whole tables are, it is cut into windows of the first one's size at its
    own resolution, as a reader cuts what it looks at.
    """
    size = _size(folders[0])
    lists: dict[str, list[str]] = {"train": [], "val": []}
    for folder in dict.fromkeys(folders):
        whole = _size(folder) == size or min(_size(folder)) < max(size)
        target = folder if whole else folder / "windows"
        _write_boxes(folder, target, None if whole else size, hold_out)
        for name, listed in lists.items():
            listed.extend([str((target / f"{name}.txt").resolve())] * folders.count(folder))
    sheet = folders[0] / "finder-data.yaml"
    document = {"path": str(folders[0].resolve()), **lists, "names": dict(enumerate(CLASSES))}
    sheet.write_text(yaml.safe_dump(document), encoding="utf-8")
    return sheet


def _size(data: Path) -> tuple[int, int]:
    width, height = json.loads((data / META).read_text(encoding="utf-8"))["size"]
    return width, height


def _write_boxes(data: Path, target: Path, window: tuple[int, int] | None, hold_out: int) -> None:
    """Labels and lists of a set's pictures, or, with a size of `window`, of windows cut from them."""
    (target / "labels").mkdir(parents=True, exist_ok=True)
    entries, size = list(read_labels(data)), _size(data)
    lists: dict[str, list[str]] = {"train": [], "val": []}
    for index, entry in enumerate(entries):
        listed = lists["val" if index >= len(entries) - hold_out else "train"]
        if window is None:
            listed.append(str((data / entry["image"]).resolve()))
            lines = _boxes(entry["tiles"], (0, 0), size)
            (target / "labels" / f"{Path(entry['image']).stem}.txt").write_text(
                "\n".join(lines) + "\n", encoding="utf-8"
            )
        else:
            listed += _cut(data, target, entry, size, window)
    for name, listed in lists.items():
        (target / f"{name}.txt").write_text("\n".join(listed) + "\n", encoding="utf-8")


def _boxes(tiles: Sequence[Mapping[str, Any]], corner: tuple[int, int], size: tuple[int, int]) -> list[str]:
    """YOLO's lines (class, then the box as shares of the window) of the tiles in a window at `corner`."""
    (left, top), (width, height) = corner, size
    lines = []
    for tile in tiles:
        quad = [(x - left, y - top) for x, y in tile["quad"]]
        x, y = (sum(values) / 4 for values in zip(*quad, strict=True))
        # A tile whose middle is cut off by the picture's edge is left to the neighbouring window.
        if tile["visible"] < MIN_VISIBLE or not (0 <= x < width and 0 <= y < height):
            continue
        xs = [min(max(x, 0.0), width) for x, _ in quad]
        ys = [min(max(y, 0.0), height) for _, y in quad]
        box = (
            (min(xs) + max(xs)) / 2 / width,
            (min(ys) + max(ys)) / 2 / height,
            (max(xs) - min(xs)) / width,
            (max(ys) - min(ys)) / height,
        )
        kind = 1 if tile["face"] == "#" else 0
        lines.append(" ".join([str(kind), *(f"{value:.5f}" for value in box)]))
    return lines


def _cut(
    data: Path, target: Path, entry: Mapping[str, Any], size: tuple[int, int], window: tuple[int, int]
) -> list[str]:
    """Writes the windows of one picture that show `FEWEST_SHOWN` tiles, and some that do not; their files."""
    width, height = size
    spots = [(left, top) for top in _starts(height, window[1]) for left in _starts(width, window[0])]
    (target / "images").mkdir(exist_ok=True)
    image, files = None, []
    for count, (left, top) in enumerate(spots):
        lines = _boxes(entry["tiles"], (left, top), window)
        if len(lines) < FEWEST_SHOWN and count % EVERY_EMPTY:
            continue
        stem = f"{Path(entry['image']).stem}-{left}-{top}"
        file = target / "images" / f"{stem}.png"
        if not file.exists():
            image = cv2.imread(str(data / entry["image"])) if image is None else image
            if image is None:
                raise FileNotFoundError(data / entry["image"])
            cv2.imwrite(str(file), image[top : top + window[1], left : left + window[0]])
        (target / "labels" / f"{stem}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
        files.append(str(file.resolve()))
    return files


def _starts(whole: int, part: int) -> list[int]:
    """Where windows of `part` begin that cover `whole`, evenly spread."""
    count = math.ceil(whole / part)
    return [round(index * (whole - part) / max(1, count - 1)) for index in range(count)]


def train_finder(  # noqa: PLR0913 -- one run's settings, by name
    data: Path,
    out: Path,
    *,
    minutes: float,
    resume: bool,
    threads: int,
    start: Path | None = None,
    also: Sequence[Path] = (),
    lr: float = RATE,
    seed: int = 0,
    progress: Callable[[str], None] = print,
) -> Path:
    """Trains for `minutes` of wall time and returns the last weights (.pt); `resume` goes on from them.

    A run without weights of its own begins with those in `start`, where that is given.
    """
    prepare_offline(out)
    from ultralytics import YOLO

    from vision.training.finder_model import FinderTrainer

    run, last = out / "finder", out / "finder" / "weights" / "last.pt"
    weights = last if resume and last.exists() else start or MODEL
    width, height = _size(data)
    sheet = write_yolo(data, *also, hold_out=HELD_BACK)
    torch.set_num_threads(threads)
    begin = time.monotonic()

    def steer(trainer: Any) -> None:
        """The learning rate follows the clock: warm-up, plateau, cosine to a twentieth."""
        done = min(1.0, (time.monotonic() - begin) / (minutes * 60))
        share = min(1.0, done / 0.02) * (
            0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * max(0.0, done - 0.2) / 0.8))
        )
        for group in trainer.optimizer.param_groups:
            group["lr"] = lr * share

    def report(trainer: Any) -> None:
        losses = " ".join(f"{float(value):.3f}" for value in trainer.tloss.values())
        map50 = trainer.metrics.get("metrics/mAP50(B)", 0)
        progress(
            f"finder {time.monotonic() - begin:.0f} s epoch {trainer.epoch} losses {losses} map50 {map50:.4f}"
        )

    model = YOLO(str(weights))
    model.add_callback("on_train_batch_start", steer)
    model.add_callback("on_fit_epoch_end", report)
    model.train(
        trainer=FinderTrainer,
        data=str(sheet),
        imgsz=max(width, height),
        time=minutes / 60,
        epochs=1000,
        patience=0,
        batch=16,
        device="cpu",
        workers=0,
        amp=False,
        cache=False,
        seed=seed,
        project=str(out.resolve()),
        name="finder",
        exist_ok=True,
        save=True,
        val=True,
        plots=False,
        verbose=False,
        optimizer="AdamW",
        lr0=lr,
        warmup_epochs=0.0,
        weight_decay=0.0005,
        max_det=400,
        **VARIATION,
    )
    kept = out / "finder.pt"
    shutil.copy(run / "weights" / "last.pt", kept)
    return kept


def prepare_offline(out: Path) -> None:
    """Ultralytics looks for a network and a font; neither is needed."""
    os.environ.setdefault("YOLO_OFFLINE", "1")
    config = out / "ultralytics"
    os.environ.setdefault("YOLO_CONFIG_DIR", str(config.resolve()))
    folder = Path(os.environ["YOLO_CONFIG_DIR"]) / "Ultralytics"
    folder.mkdir(parents=True, exist_ok=True)
    font = folder / "Arial.ttf"
    if not font.exists():
        from vision.synth.fonts import symbol_font

        shutil.copy(symbol_font(), font)
