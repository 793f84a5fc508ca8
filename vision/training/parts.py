"""Trains the corner net and the face net on rendered scenes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.classes import BACK, NOTHING
from vision.training.loop import RATE, fit, pictures, vary
from vision.training.nets import CornerNet, FaceNet, corner_loss, face_loss
from vision.training.samples import CornerBatch, FaceBatch, Scenes, corner_batches, face_batches

BATCH = 128


def train_corners(  # noqa: PLR0913 -- one run's settings, by name
    data: Path,
    out: Path,
    *,
    minutes: float,
    resume: bool,
    start: Path | None = None,
    also: Sequence[Path] = (),
    lr: float = RATE,
    progress: Callable[[str], None] = print,
    seed: int = 0,
) -> Path:
    """Trains the corner net on `data` and `also`; returns the file of its averaged weights."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    scenes, held = Scenes(data, *also), Scenes(data, *also, validation=True)
    check = [batch for batch, _ in zip(corner_batches(held, 256, 9), range(4), strict=False)]

    def loss_of(net: nn.Module, batch: CornerBatch) -> Tensor:
        heat, flags = net(vary(pictures(batch.squares), generator))
        targets = (torch.from_numpy(part) for part in (batch.corners, batch.centred, batch.down))
        return corner_loss(heat.float(), flags.float(), *targets)

    def validate(net: nn.Module) -> str:
        return _corner_report(net, check)

    net = fit(
        CornerNet(),
        corner_batches(scenes, BATCH, seed),
        loss_of,
        minutes=minutes,
        lr=lr,
        checkpoint=out / "corners.ckpt",
        resume=resume,
        start=start,
        name="corners",
        progress=progress,
        validate=validate,
    )
    return _store(net, out / "corners.pt")


def train_faces(  # noqa: PLR0913 -- one run's settings, by name
    data: Path,
    out: Path,
    *,
    minutes: float,
    resume: bool,
    start: Path | None = None,
    also: Sequence[Path] = (),
    lr: float = RATE,
    progress: Callable[[str], None] = print,
    seed: int = 0,
) -> Path:
    """Trains the face net on `data` and `also`; returns the file of its averaged weights."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed + 1)
    scenes, held = Scenes(data, *also), Scenes(data, *also, validation=True)
    check = [batch for batch, _ in zip(face_batches(held, 256, 9), range(6), strict=False)]

    def loss_of(net: nn.Module, batch: FaceBatch) -> Tensor:
        number, colour, turned, _ = net(vary(pictures(batch.faces), generator))
        targets = (torch.from_numpy(part) for part in (batch.numbers, batch.colours, batch.turned))
        return face_loss(number.float(), colour.float(), turned.float(), *targets)

    def validate(net: nn.Module) -> str:
        return face_report(net, check)

    net = fit(
        FaceNet(),
        face_batches(scenes, BATCH, seed),
        loss_of,
        minutes=minutes,
        lr=lr,
        checkpoint=out / "faces.ckpt",
        resume=resume,
        start=start,
        name="faces",
        progress=progress,
        validate=validate,
    )
    return _store(net, out / "faces.pt")


def _store(net: nn.Module, path: Path) -> Path:
    torch.save(net.state_dict(), path)
    return path


@torch.no_grad()
def _corner_report(net: nn.Module, check: list[CornerBatch]) -> str:
    """Mean corner error in percent of the tile's width, share of right orders, share of right `centred`."""
    errors, orders, centred = [], [], []
    for batch in check:
        heat, flags = net(pictures(batch.squares))
        soft = functional.softmax(heat.flatten(2), dim=2).reshape(heat.shape)
        grid = torch.arange(32.0) + 0.5
        x, y = (soft.sum(dim=2) * grid).sum(dim=2) * 2, (soft.sum(dim=3) * grid).sum(dim=2) * 2
        found = torch.stack([x, y], 2).numpy()
        real = (
            (batch.centred > 0.5)
            & (batch.down < 0.5)
            & ((batch.corners > 0) & (batch.corners < 64)).all(axis=(1, 2))
        )
        wide = np.linalg.norm(batch.corners[:, 1] - batch.corners[:, 0], axis=1)[real]
        away = np.linalg.norm(found - batch.corners, axis=2)[real].mean(axis=1) / wide
        orders.append(away < 0.5)
        errors.append(away[away < 0.5])
        centred.append((flags[:, 0].numpy() > 0) == (batch.centred > 0.5))
    error, order, middle = (100 * np.concatenate(part).mean() for part in (errors, orders, centred))
    return f"corner error {error:.1f} % order {order:.2f} % centred {middle:.2f} %"


@torch.no_grad()
def face_report(net: nn.Module, check: list[FaceBatch]) -> str:
    """Shares of faces named right: number, colour, way up, and "no tile" where there is none."""
    numbers, colours, turns, nothing = [], [], [], []
    for batch in check:
        number, colour, turned, _ = net(pictures(batch.faces))
        best = number.argmax(dim=1).numpy()
        real = batch.numbers < BACK
        numbers.append((best == batch.numbers)[real])
        nothing.append((best == batch.numbers)[batch.numbers == NOTHING])
        colours.append((colour.argmax(dim=1).numpy() == batch.colours)[batch.colours >= 0])
        turns.append(
            ((turned[:, 0] > 0).numpy() == (batch.turned == 1))[
                (batch.turned >= 0) & real & (batch.numbers > 0)
            ]
        )
    parts = {"number": numbers, "colour": colours, "turned": turns, "nothing": nothing}
    return " ".join(f"{key} {100 * np.concatenate(value).mean():.2f} %" for key, value in parts.items())
