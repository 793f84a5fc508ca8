"""Exports trained weights to ONNX and writes the card that goes with them."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.training.card import write_card
from vision.training.nets import CornerNet, FaceNet, InkNet
from vision.training.run import NOTES, PARTS, TrainingError, check_scenes

OPSET = 17


def export(
    run: Path,
    models: Path,
    *,
    scenes: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Writes the four nets of a training run to `models` as ONNX, and their card; returns the card's path.

    With `scenes`, the rendered set of the training, it also fits anew how surely a find is a tile, on the
    scenes held back; without, the card keeps the weights that it has. Raises TrainingError that names what
    has not been trained.
    """
    missing = [name for name in (*(f"{part}.pt" for part in PARTS), NOTES) if not (run / name).exists()]
    if missing:
        raise TrainingError(f"{run} lacks {', '.join(missing)}: run `remi train` for all parts first")
    if scenes is not None:
        check_scenes(scenes)
    models.mkdir(parents=True, exist_ok=True)
    square, face = torch.zeros(2, 3, 64, 64), torch.zeros(2, 3, 64, 48)
    _export(CornerNet(), run / "corners.pt", models / "corners.onnx", square, ["heat", "flags"], "batch")
    _export(
        FaceNet(),
        run / "faces.pt",
        models / "faces.onnx",
        face,
        ["number", "colour", "turned", "code"],
        "batch",
    )
    _export_inks(run / "inks.pt", models / "inks.onnx")
    _export_finder(run / "finder.pt", models / "finder.onnx")
    card = write_card(run, models)
    if scenes is not None:
        from vision.training.chance import fit_chance

        fit_chance(models, scenes, progress)
    return card


def _export(
    net: nn.Module, weights: Path, target: Path, example: Tensor, outputs: list[str], axis: str
) -> None:
    net.load_state_dict(torch.load(weights, weights_only=True))
    torch.onnx.export(
        net.eval(),
        (example,),
        str(target),
        input_names=["input"],
        output_names=outputs,
        opset_version=OPSET,
        dynamo=False,
        dynamic_axes={name: {0: axis} for name in ["input", *outputs]},
    )


def _export_inks(weights: Path, target: Path) -> None:
    net = InkNet()
    net.load_state_dict(torch.load(weights, weights_only=True))
    net.layers = nn.ModuleList(_Attention(layer) for layer in net.layers)
    torch.onnx.export(
        net.eval(),
        (torch.zeros(1, 5, InkNet.FEATURES),),
        str(target),
        input_names=["input"],
        output_names=["colour"],
        opset_version=OPSET,
        dynamo=False,
        dynamic_axes={"input": {1: "tiles"}, "colour": {1: "tiles"}},
    )


class _Attention(nn.Module):
    """A layer of the ink net written out: torch's own, once traced, takes one number of tiles only."""

    def __init__(self, layer: nn.MultiheadAttention) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x: Tensor, *_same: Tensor, **_settings: object) -> tuple[Tensor, None]:
        """What each tile (1, n, width) takes from all of them."""
        width, heads = self.layer.embed_dim, self.layer.num_heads
        mixed = functional.linear(x, self.layer.in_proj_weight, self.layer.in_proj_bias)
        query, key, value = (
            part.reshape(1, -1, heads, width // heads).transpose(1, 2) for part in mixed.chunk(3, dim=2)
        )
        share = (query @ key.transpose(2, 3) / math.sqrt(width // heads)).softmax(dim=3)
        return self.layer.out_proj((share @ value).transpose(1, 2).reshape(1, -1, width)), None


def _strip(file: Path) -> None:
    """Takes out what the exporter notes of the machine it ran on: paths, dates, arguments."""
    import onnx

    model = onnx.load(file)
    del model.metadata_props[:]
    model.doc_string = ""
    for node in model.graph.node:
        node.doc_string = ""
    onnx.save(model, file)


def _export_finder(weights: Path, target: Path) -> None:
    from vision.training.finder import prepare_offline

    prepare_offline(weights.parent)
    from ultralytics import YOLO

    written = YOLO(str(weights)).export(format="onnx", dynamic=True, opset=OPSET, simplify=True, imgsz=448)
    shutil.move(str(written), target)
    _strip(target)
