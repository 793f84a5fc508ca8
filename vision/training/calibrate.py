"""Fits, once nets are exported, what the reader makes of their answers, and writes it into their card."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import cv2
import numpy as np

from vision.labelled import load_labelled
from vision.onnx_nets import CARD
from vision.reader import Reader
from vision.synth.dataset import HELD_BACK
from vision.training.chance import Looked, fit_chance
from vision.training.confidence import Fitted, fit_confidence

LEAST_NAMED = 0.9  # of the tiles: a reader that names fewer is of no use, however right
LIKELY: Mapping[str, float] = {"read": 0.7, "back": 0.5}
"""Where the chosen thresholds cannot be taken: a face that is wrong costs more than two that stay unread, for
it may be counted; a tile face down counts for nothing."""


def calibrate(
    models: Path,
    scenes: Sequence[Path],
    *,
    extra: Sequence[Path] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Fitted:
    """Fits on the held-back scenes of the training sets `scenes` and on all of the rendered sets `extra`.

    Into the card of `models` go how surely a find is a tile (`chance`), how surely its face is right
    (`confidence`), from which confidence on it is named (`thresholds.read` and `.back`), and under
    `calibration` what that does to these scenes. Thresholds that would leave more than a tenth of them unread
    are told there (`kept` is false) and not taken, but those of `LIKELY`. Raises FileNotFoundError that names
    a picture that is gone.
    """
    import tomli_w

    pictures = [picture for folder in scenes for picture in load_labelled(folder)[-HELD_BACK:]]
    for folder in extra:
        pictures += load_labelled(folder)
    reader = Reader.load(models)
    looked = []
    for index, picture in enumerate(pictures):
        image = cv2.imread(str(picture.path))
        if image is None:
            raise FileNotFoundError(picture.path)
        looked.append(Looked(picture, *reader.candidates(np.asarray(image, np.uint8))))
        if progress:
            progress(index + 1, len(pictures))
    chance = fit_chance(looked)
    fitted = fit_confidence(looked, chance, reader.thresholds)
    card = tomllib.loads((models / CARD).read_text(encoding="utf-8"))
    kept = fitted.chosen.named >= LEAST_NAMED * fitted.chosen.tiles
    named_from = {"read": fitted.chosen.read, "back": fitted.chosen.back} if kept else dict(LIKELY)
    card["thresholds"] |= named_from
    card["chance"] = asdict(chance)
    card["confidence"] = asdict(fitted.confidence)
    card["calibration"] = {
        "about": "at most 1 of 2000 named is wrong, on scenes never trained on; others: 1 of 1000, of 500",
        "kept": kept,
        "scenes": len(pictures),
        "error": fitted.error,
        "chosen": fitted.chosen.to_json(),
        "others": [choice.to_json() for choice in fitted.others],
    }
    (models / CARD).write_text(tomli_w.dumps(card), encoding="utf-8")
    return fitted
