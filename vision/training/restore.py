"""Makes a run to go on from out of exported models: trained weights come back from their ONNX files."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from vision.onnx_nets import CARD
from vision.synth.dataset import read_labels
from vision.training.finder import MODEL, prepare_offline
from vision.training.loop import pictures
from vision.training.nets import CornerNet, FaceNet, InkNet, Inks
from vision.training.run import NOTES, PARTS, TrainingError, check_scenes
from vision.training.samples import Scenes, corner_batches, face_batches

BATCHES = 24  # of samples on which the layers' means and spreads are taken
PICTURES = 16  # in a batch for the finder

Values = NDArray[np.float32]


def restore(models: Path, run: Path, data: Path, *, progress: Callable[[str], None] = print) -> Path:
    """Writes to `run` what `train` can start from: the weights in `models`, and how they were trained.

    An export folds each normalisation into the layer before it. Its mean and spread are taken anew on the
    rendered set `data`; so the nets answer as the exported ones do, and learn on as if never exported. What
    an export leaves out (the inks' answer for a tile alone, used in training only) begins anew.

    Raises TrainingError where `models` has no nets with a card, or nets of other layers than these, and where
    `data` is no rendered set.
    """
    missing = [name for name in (*(f"{part}.onnx" for part in PARTS), CARD) if not (models / name).exists()]
    if missing:
        raise TrainingError(f"{models} lacks {', '.join(missing)}: name the folder of exported models")
    check_scenes(data)
    run.mkdir(parents=True, exist_ok=True)
    corners, faces, inks = CornerNet(), FaceNet(), Inks()
    scenes = Scenes(data)
    _fill(corners, Exported(models / "corners.onnx"))
    _spread(corners, (pictures(batch.squares) for batch in islice(corner_batches(scenes, 128, 0), BATCHES)))
    exported = Exported(models / "faces.onnx")
    _fill(faces, exported, prefix="net.")
    _spread(faces, (pictures(batch.faces) for batch in islice(face_batches(scenes, 128, 0), BATCHES)))
    _fill(inks.eyes, exported, prefix="eyes.")
    _fill_inks(inks.net, Exported(models / "inks.onnx"))
    for part, net in (("corners", corners), ("faces", faces), ("inks", inks)):
        torch.save(net.state_dict(), run / f"{part}.pt")
        progress(f"{part}: restored")
    _restore_finder(Exported(models / "finder.onnx"), run / "finder.pt", data)
    progress("finder: restored")
    card = tomllib.loads((models / CARD).read_text(encoding="utf-8"))
    (run / NOTES).write_text(json.dumps(card["training"], indent=1) + "\n", encoding="utf-8")
    return run


class Exported:
    """The weights in an ONNX file: by name of the layer, or, where an export merged it, in their order."""

    def __init__(self, file: Path) -> None:
        import onnx
        from onnx import numpy_helper

        self.file = file
        graph = onnx.load(file).graph
        self.named: dict[str, Values] = {
            entry.name: np.array(numpy_helper.to_array(entry), np.float32)
            for entry in graph.initializer
            if entry.data_type == onnx.TensorProto.FLOAT
        }
        merged = [
            [self.named[name] for name in node.input if name.startswith("onnx::") and name in self.named]
            for node in graph.node
            if node.op_type in ("Conv", "MatMul")
        ]
        self._merged: Iterator[Sequence[Values]] = iter([values for values in merged if values])

    def merged(self, count: int) -> Sequence[Values]:
        """The next layer's `count` arrays that bear no name of their own."""
        values = next(self._merged, ())
        if len(values) != count:
            raise TrainingError(f"{self.file} has other layers than this version trains")
        return values


def _fill(net: nn.Module, exported: Exported, *, prefix: str = "") -> None:
    """Puts exported weights into a net; normalisations after convolutions add the bias and are else idle."""
    modules = [*net.named_modules(), ("", nn.Identity())]
    for (name, module), (_, after) in pairwise(modules):
        own = f"{prefix}{name}"
        if isinstance(module, nn.Conv2d) and isinstance(after, nn.BatchNorm2d):
            weight, bias = exported.named.get(f"{own}.weight"), exported.named.get(f"{own}.bias")
            if weight is None or bias is None:
                weight, bias = exported.merged(2)
            _put(module.weight, weight, exported)
            nn.init.zeros_(after.running_mean)
            nn.init.ones_(after.running_var)
            nn.init.constant_(after.weight, (1 + after.eps) ** 0.5)
            _put(after.bias, bias, exported)
        elif isinstance(module, nn.Conv2d | nn.Linear | nn.LayerNorm):
            for key, value in module.named_parameters():
                if f"{own}.{key}" in exported.named:
                    _put(value, exported.named[f"{own}.{key}"], exported)
                elif value.requires_grad:
                    raise TrainingError(f"{exported.file} lacks {own}.{key}: other layers than these")


def _put(target: Tensor, value: Values, exported: Exported) -> None:
    if tuple(target.shape) != value.shape:
        raise TrainingError(
            f"{exported.file} has a layer of {value.shape} where this version has {tuple(target.shape)}"
        )
    with torch.no_grad():
        target.copy_(torch.from_numpy(value))


def _fill_inks(net: InkNet, exported: Exported) -> None:
    """The ink net's exported weights: those of its matrices stand without names, turned round."""
    matrices: list[Tensor] = [net.enter.weight]
    layers: Any = zip(net.layers, net.wide, strict=True)
    for layer, wide in layers:
        matrices += [layer.in_proj_weight, layer.out_proj.weight]
        matrices += [part.weight for part in wide if isinstance(part, nn.Linear)]
    matrices.append(net.leave.weight)
    for matrix in matrices:
        _put(matrix, np.ascontiguousarray(exported.merged(1)[0].T), exported)
    for name, value in net.named_parameters():
        if not any(value is matrix for matrix in matrices):
            # The export wraps each layer of attention in one of its own.
            own = f"{name[:9]}layer.{name[9:]}" if name.startswith("layers.") else name
            if own not in exported.named:
                raise TrainingError(f"{exported.file} lacks {own}: other layers than these")
            _put(value, exported.named[own], exported)


@torch.no_grad()
def _spread(net: nn.Module, batches: Iterable[Tensor]) -> None:
    """Gives each idle normalisation the mean and spread of what enters it, and lets it answer as before."""
    norms: list[Any] = [module for module in net.modules() if isinstance(module, nn.BatchNorm2d)]
    sums = {norm: torch.zeros(2, norm.num_features, dtype=torch.float64) for norm in norms}
    counts = dict.fromkeys(norms, 0)

    def take(norm: Any, given: tuple[Tensor, ...]) -> None:
        flat = given[0].double().transpose(0, 1).flatten(1)
        sums[norm] += torch.stack([flat.sum(dim=1), (flat**2).sum(dim=1)])
        counts[norm] += flat.shape[1]

    hooks = [norm.register_forward_pre_hook(take) for norm in norms]
    net.eval()
    for batch in batches:
        net(batch)
    for hook in hooks:
        hook.remove()
    for norm in norms:
        mean, square = sums[norm] / max(1, counts[norm])
        spread = (square - mean**2).clamp(min=0)
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(spread)
        norm.weight.copy_((spread + norm.eps).sqrt())
        norm.bias += mean


def _restore_finder(exported: Exported, target: Path, data: Path) -> None:
    prepare_offline(target.parent)
    from ultralytics import YOLO

    net: Any = YOLO(str(MODEL)).model
    _fill(net, exported)
    names = [entry["image"] for entry in islice(read_labels(data), BATCHES * PICTURES)]
    _spread(net, (_shown(data, names[at : at + PICTURES]) for at in range(0, len(names), PICTURES)))
    # Ultralytics' own way of saving rounds to half precision, which moves boxes by up to a pixel.
    torch.save({"epoch": -1, "model": net, "train_args": {}}, target)


def _shown(data: Path, names: Sequence[str]) -> Tensor:
    """Pictures as the finder is shown them: (b, 3, h, w) RGB in 0..1."""
    images = []
    for name in names:
        image = cv2.imread(str(data / name))
        if image is None:
            raise FileNotFoundError(data / name)
        images.append(cv2.cvtColor(image, cv2.COLOR_BGR2RGB))
    return pictures(np.stack(images))
