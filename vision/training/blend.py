"""Takes the mean of two rounds' weights of a net: the earlier one knows what the later one forgot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import torch
from torch import Tensor, nn

from vision.training.loop import pictures
from vision.training.nets import FaceNet
from vision.training.parts import face_report
from vision.training.samples import FaceBatch, Scenes, face_batches

SHARE = 0.5  # of the later round
BATCHES = 12  # of each set, from which the batch norms are measured anew


def blend_faces(
    earlier: Path,
    later: Path,
    sets: Sequence[Path],
    *,
    share: float = SHARE,
    progress: Callable[[str], None] = print,
) -> Path:
    """Writes `later/faces.pt` anew as (1 - share) of the weights in `earlier` and `share` of its own.

    That works because the later round began from the earlier one's weights. The statistics of the batch norms
    are measured on both rounds' rendered `sets`. What the later round had learnt stays in `faces-own.pt`, so
    that another share can be tried. `progress` is told how the three nets do on scenes held back of each set.
    """
    own = later / "faces-own.pt"
    if not own.exists():
        (later / "faces.pt").rename(own)
    old, new = (torch.load(path, weights_only=True) for path in (earlier / "faces.pt", own))
    net = FaceNet()
    net.load_state_dict(mixed(old, new, share))
    measure_norms(net, [batch.faces for folder in sets for batch in _some(Scenes(folder))])
    for folder in sets:
        held = Scenes(folder, validation=True)
        check = [batch for batch, _ in zip(face_batches(held, 256, 9), range(8), strict=False)]
        for name, weights in (("earlier", old), ("later", new), ("blend", net.state_dict())):
            tried = FaceNet()
            tried.load_state_dict(weights)
            progress(f"{folder.name} {name}: {face_report(tried.eval(), check)}")
    torch.save(net.state_dict(), later / "faces.pt")
    return later / "faces.pt"


def mixed(old: dict[str, Tensor], new: dict[str, Tensor], share: float) -> dict[str, Tensor]:
    """(1 - share) of the old weights and `share` of the new ones; counters as in the new."""
    return {
        name: old[name] * (1 - share) + value * share if value.is_floating_point() else value
        for name, value in new.items()
    }


@torch.no_grad()
def measure_norms(net: nn.Module, batches: Sequence[object]) -> None:
    """Sets the statistics of a net's batch norms to the mean over batches (b, h, w, 3) uint8."""
    net.train()
    for module in net.modules():
        if isinstance(module, nn.BatchNorm2d):
            module.reset_running_stats()
            module.momentum = None  # a plain mean over all batches
        elif isinstance(module, nn.Dropout):
            module.eval()
    for batch in batches:
        net(pictures(batch))
    net.eval()


def _some(scenes: Scenes) -> Iterator[FaceBatch]:
    return (batch for batch, _ in zip(face_batches(scenes, 256, 5), range(BATCHES), strict=False))
