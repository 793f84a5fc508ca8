"""The same nets by ultralytics and torch, as a peer to measure against (needs the extra `train`)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]


class TorchPeer:
    """The weights that `remi train` left in a folder, before any export."""

    def __init__(self, run: Path, threads: int) -> None:
        os.environ.setdefault("YOLO_OFFLINE", "1")
        import torch
        from ultralytics import YOLO

        from vision.training.nets import CornerNet, FaceNet, Inks

        torch.set_num_threads(threads)
        self._torch = torch
        self._finder = YOLO(str(run / "finder.pt"))
        corners, faces, inks = CornerNet(), FaceNet(), Inks()
        for name, net in (("corners", corners), ("faces", faces), ("inks", inks)):
            net.load_state_dict(torch.load(run / f"{name}.pt", weights_only=True))
            net.eval()
        finder = self._finder.model.float().eval()
        self._nets: dict[str, Callable[[Any], Any]] = {
            "finder": finder,
            "corners": corners,
            "faces": lambda value: (faces(value), inks.eyes(value)),
            "inks": inks.net,
        }

    def find(self, image: U8) -> int:
        """How many boxes ultralytics finds in a frame (h, w, 3 BGR) at the frame's own size."""
        height, width = image.shape[:2]
        size = (-(-height // 32) * 32, -(-width // 32) * 32)
        (result,) = self._finder.predict(
            image, imgsz=size, conf=0.1, iou=0.55, max_det=1000, device="cpu", verbose=False
        )
        return len(result.boxes)

    def run(self, net: str, value: F32) -> None:
        """One net on one tensor."""
        with self._torch.inference_mode():
            self._nets[net](self._torch.from_numpy(value))
