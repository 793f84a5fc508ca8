"""Ultralytics' detector and trainer, made to run in bfloat16 on a CPU and to save every few minutes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from ultralytics.models.yolo.detect import DetectionTrainer
from ultralytics.nn.tasks import DetectionModel

from vision.training.loop import computes_bfloat16

MODEL = Path(__file__).with_name("finder.yaml")
EPOCH_IMAGES = 2500  # an epoch is a share of the set, so that checkpoints come every few minutes


class FinderModel(DetectionModel):
    """Runs its layers in bfloat16 where the CPU has it; losses stay in full precision."""

    def predict(self, x: Any, *args: Any, **kwargs: Any) -> Any:
        """The layers' answers to a batch (b, 3, h, w), in full precision."""
        fast = self.training and computes_bfloat16()
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=fast):
            result = super().predict(x, *args, **kwargs)
        return _float(result) if fast else result


class FinderTrainer(DetectionTrainer):
    """Trains a `FinderModel` on a random share of the set each epoch."""

    def get_model(self, cfg: Any = None, weights: Any = None, verbose: bool = True) -> Any:  # noqa: ARG002
        """A `FinderModel`, with `weights` where there are some; its table of layers is never printed."""
        model = FinderModel(cfg or str(MODEL), nc=self.data["nc"], ch=3, verbose=False)
        if weights is not None:
            model.load(weights)
        return model

    def get_dataloader(
        self, dataset_path: Any, batch_size: int = 16, rank: int = 0, mode: str = "train"
    ) -> Any:
        """Ultralytics' loader; in training each epoch draws `EPOCH_IMAGES` pictures at most."""
        loader = super().get_dataloader(dataset_path, batch_size, rank, mode)
        if mode == "train":
            count = min(EPOCH_IMAGES, len(loader.dataset))
            loader.batch_sampler.sampler.sampler = torch.utils.data.RandomSampler(
                loader.dataset, num_samples=count
            )
        return loader


def _float(value: Any) -> Any:
    if torch.is_tensor(value):
        return value.float()
    if isinstance(value, dict):
        return {key: _float(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_float(entry) for entry in value)
    return value
