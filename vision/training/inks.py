"""Trains the ink net: which of four inks, judged over all tiles of a picture, on the face net's evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.crops import Pyramid, cut_face
from vision.inks import evidence, measure
from vision.training.loop import fit, pictures
from vision.training.nets import FaceNet, InkNet
from vision.training.samples import Scenes, noisy_quad

F32 = NDArray[np.float32]
I64 = NDArray[np.int64]
MOST = 48  # tiles of a picture in a batch
Table = tuple[F32, I64]  # evidence (n, 18), colour slots (n,)


def train_inks(
    data: Path,
    faces: Path,
    out: Path,
    *,
    minutes: float,
    resume: bool,
    start: Path | None = None,
    progress: Callable[[str], None] = print,
    seed: int = 0,
) -> Path:
    """Trains on the evidence of the finished face net at `faces`; returns the file of the weights."""
    torch.manual_seed(seed)
    net = FaceNet()
    net.load_state_dict(torch.load(faces, weights_only=True))
    tables = _tables(net.eval(), Scenes(data), seed, progress)
    held = _tables(net, Scenes(data, validation=True), seed + 1, progress)

    def loss_of(model: nn.Module, batch: tuple[Tensor, Tensor]) -> Tensor:
        rows, slots = batch
        logits = model(rows, slots < 0).float()
        return functional.cross_entropy(logits[slots >= 0], slots[slots >= 0], label_smoothing=0.01)

    def validate(model: nn.Module) -> str:
        return _report(model, held)

    trained = fit(
        InkNet(),
        _batches(tables, seed),
        loss_of,
        minutes=minutes,
        lr=2e-3,
        checkpoint=out / "inks.ckpt",
        resume=resume,
        start=start,
        name="inks",
        progress=progress,
        validate=validate,
    )
    torch.save(trained.state_dict(), out / "inks.pt")
    return out / "inks.pt"


@torch.no_grad()
def _tables(net: FaceNet, scenes: Scenes, seed: int, progress: Callable[[str], None]) -> list[Table]:
    """The evidence of each scene with at least one numbered tile in sight."""
    rng = np.random.default_rng(seed)
    generator = torch.Generator().manual_seed(seed)
    tables = []
    for index in range(len(scenes)):
        tiles = scenes.tiles[index]
        chosen = rng.permutation(np.flatnonzero((tiles.visible >= 0.6) & (tiles.colours >= 0)))[:MOST]
        if len(chosen) == 0:
            continue
        pyramid = Pyramid(scenes.image(index))
        faces = np.stack([cut_face(pyramid, noisy_quad(tiles.quads[i], rng, spread=0.03)) for i in chosen])
        both = np.concatenate([faces, faces[:, ::-1, ::-1]])
        x = pictures(both)
        if rng.random() < 0.5:  # one light for the whole picture, unlike the nets' own variation
            gains = torch.exp(0.08 * torch.randn((1, 3, 1, 1), generator=generator))
            x = (x * gains).clamp(0, 1)
            faces = (x[: len(chosen)].permute(0, 2, 3, 1).numpy() * 255).astype(np.uint8)
        _, colour, _, code = (part.numpy() for part in net(x))
        count = len(chosen)
        rows = evidence(
            (colour[:count] + colour[count:]) / 2, (code[:count] + code[count:]) / 2, measure(faces)
        )
        tables.append((rows, tiles.colours[chosen]))
        if index % 1000 == 999:
            progress(f"inks: evidence of {index + 1} of {len(scenes)} scenes")
    return tables


def _batches(tables: list[Table], seed: int, batch: int = 48) -> Iterator[tuple[Tensor, Tensor]]:
    rng = np.random.default_rng(seed)
    width = tables[0][0].shape[1]
    while True:
        rows = np.zeros((batch, MOST, width), np.float32)
        slots = np.full((batch, MOST), -1, np.int64)
        for index in range(batch):
            evidence_rows, colours = tables[rng.integers(len(tables))]
            # Often only a few tiles are in sight: a photo of one meld has no other inks to compare with.
            count = len(colours) if rng.random() < 0.5 else int(rng.integers(1, len(colours) + 1))
            chosen = rng.permutation(len(colours))[:count]
            rows[index, :count] = evidence_rows[chosen] + rng.normal(0, 0.06, (count, width))
            slots[index, :count] = colours[chosen]
        yield torch.from_numpy(rows), torch.from_numpy(slots)


@torch.no_grad()
def _report(net: nn.Module, held: list[Table]) -> str:
    before, after = [], []
    for rows, slots in held:
        before.append(rows[:, :4].argmax(axis=1) == slots)
        after.append(net(torch.from_numpy(rows[None]))[0].argmax(dim=1).numpy() == slots)
    alone, together = (100 * np.concatenate(right).mean() for right in (before, after))
    return f"colour alone {alone:.2f} %, together {together:.2f} %"
