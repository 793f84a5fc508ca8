"""Exports trained weights to ONNX and writes the card that goes with them."""

from __future__ import annotations

import math
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.synth.dataset import LABELS
from vision.training.card import write_card
from vision.training.nets import CornerNet, FaceNet, InkNet, Inks
from vision.training.run import NOTES, PARTS, TrainingError, check_scenes

OPSET = 17
FACE_OUTPUTS = ("number", "colour", "turned", "code", "hidden")


def export(
    run: Path,
    models: Path,
    *,
    scenes: Sequence[Path] = (),
    calibrate: Sequence[Path] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Path:
    """Writes the four nets of a training run to `models` as ONNX, and their card; returns the card's path.

    With `scenes`, the rendered sets of the training, it also fits anew how surely a find is a tile and a face
    is right, and from which confidence on faces are named: on the scenes held back, and on all of the
    rendered sets in `calibrate`. Without, the card keeps what it has. Raises TrainingError that names what
    has not been trained, or is no rendered set.
    """
    missing = [name for name in (*(f"{part}.pt" for part in PARTS), NOTES) if not (run / name).exists()]
    if missing:
        raise TrainingError(f"{run} lacks {', '.join(missing)}: run `remi train` for all parts first")
    for folder in scenes:
        check_scenes(folder)
    for folder in calibrate:
        if not (folder / LABELS).exists():
            raise TrainingError(f"{folder} is no rendered set (no {LABELS}): write one with `remi synth`")
    models.mkdir(parents=True, exist_ok=True)
    square, face = torch.zeros(2, 3, 64, 64), torch.zeros(2, 3, 64, 48)
    _export(CornerNet(), run / "corners.pt", models / "corners.onnx", square, ["heat", "flags"], "batch")
    inks = Inks()
    inks.load_state_dict(torch.load(run / "inks.pt", weights_only=True))
    _export(
        FaceNet(),
        run / "faces.pt",
        models / "faces.onnx",
        face,
        FACE_OUTPUTS,
        "batch",
        wrap=lambda net: _Faces(net, inks.eyes),
    )
    _export_inks(inks.net, models / "inks.onnx")
    _export_finder(run / "finder.pt", models / "finder.onnx")
    card = write_card(run, models)
    if scenes:
        from vision.training import calibrate as fitting

        fitting.calibrate(models, scenes, extra=calibrate, progress=progress)
    return card


def _export(
    net: nn.Module,
    weights: Path,
    target: Path,
    example: Tensor,
    outputs: Sequence[str],
    axis: str,
    *,
    wrap: Callable[[nn.Module], nn.Module] = lambda net: net,
) -> None:
    net.load_state_dict(torch.load(weights, weights_only=True))
    torch.onnx.export(
        wrap(net).eval(),
        (example,),
        str(target),
        input_names=["input"],
        output_names=list(outputs),
        opset_version=OPSET,
        dynamo=False,
        dynamic_axes={name: {0: axis} for name in ["input", *outputs]},
    )


class _Faces(nn.Module):
    """The face net with the ink eyes' code, and what it made of a face (b, 96), by which faces compare."""

    def __init__(self, net: nn.Module, eyes: nn.Module) -> None:
        super().__init__()
        self.net = net
        self.eyes = eyes

    def forward(self, x: Tensor) -> tuple[Tensor, ...]:
        """Number, colour, turned, code and hidden of a batch of faces."""
        seen: list[Tensor] = []
        # What enters the number layer is wanted: so the net itself stays as it is trained.
        hook = self.net.number.register_forward_pre_hook(lambda _layer, given: seen.append(given[0]))
        try:
            number, colour, turned, _ = self.net(x)
        finally:
            hook.remove()
        return number, colour, turned, self.eyes(x), seen[0]


def _export_inks(net: InkNet, target: Path) -> None:
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
