"""The mean of two rounds' weights, and batch norms that are measured anew for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.train


def small() -> Any:
    from torch import nn

    return nn.Sequential(nn.Conv2d(3, 4, 3), nn.BatchNorm2d(4), nn.Dropout(0.5))


def test_the_mean_lies_between_both() -> None:
    from vision.training.blend import mixed

    old, new = small().state_dict(), small().state_dict()
    half = mixed(old, new, 0.25)
    assert np.allclose(half["0.weight"], 0.75 * old["0.weight"] + 0.25 * new["0.weight"])
    assert half["1.num_batches_tracked"] == new["1.num_batches_tracked"], "a count has no mean"


def test_norms_are_those_of_the_batches() -> None:
    import torch

    from vision.training.blend import measure_norms
    from vision.training.loop import pictures

    net = small()
    batch = np.random.default_rng(1).integers(0, 255, (8, 16, 16, 3)).astype(np.uint8)
    measure_norms(net, [batch, batch])
    with torch.no_grad():
        out = net[0](pictures(batch))
    assert np.allclose(net[1].running_mean, out.mean(dim=(0, 2, 3)), atol=1e-4)
    assert not net.training


def test_both_rounds_weights_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from vision.training import blend
    from vision.training.nets import FaceNet

    early, late = tmp_path / "early", tmp_path / "late"
    for folder in (early, late):
        folder.mkdir()
        torch.save(FaceNet().state_dict(), folder / "faces.pt")
    own = torch.load(late / "faces.pt", weights_only=True)
    monkeypatch.setattr(blend, "_some", lambda _scenes: iter(()))
    monkeypatch.setattr(blend, "Scenes", lambda _folder, **_settings: None)
    blend.blend_faces(early, late, [])
    blend.blend_faces(early, late, [])
    kept = torch.load(late / "faces-own.pt", weights_only=True)
    assert all(torch.equal(own[name], kept[name]) for name in own), (
        "a second blend begins from the same weights"
    )
    mean = torch.load(late / "faces.pt", weights_only=True)
    first = torch.load(early / "faces.pt", weights_only=True)
    assert torch.allclose(mean["number.weight"], (own["number.weight"] + first["number.weight"]) / 2)
