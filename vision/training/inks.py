"""Trains what judges inks: which of four colours, over all tiles of a picture at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from vision.crops import Pyramid, cut_face
from vision.inks import measure
from vision.training.loop import RATE, fit, pictures
from vision.training.nets import Inks
from vision.training.samples import Scenes, seen_quad

U8 = NDArray[np.uint8]
F32 = NDArray[np.float32]
I64 = NDArray[np.int64]
MOST = 32  # tiles of a picture in a batch
BATCH = 10  # pictures
ALONE = 0.3  # weight of the answer without the other tiles
SMOOTHING = 0.004
FOREIGN = -1  # colour of a face without ink of its own: seen, not asked for
ABSENT = -2


@dataclass(frozen=True)
class InkBatch:
    """Faces of pictures (b, n, 64, 48, 3), what was measured (b, n, 6), colours (b, n): 0..3, or a mark."""

    faces: U8
    measured: F32
    colours: I64


def train_inks(  # noqa: PLR0913 -- one run's settings, by name
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
    """Trains ink eyes and ink net together on whole pictures; returns the file of their averaged weights."""
    torch.manual_seed(seed)
    held = list(ink_batches(Scenes(data, *also, validation=True), 9, rounds=1, most=64))

    def loss_of(model: nn.Module, batch: InkBatch) -> Tensor:
        together, alone = model(*_tensors(batch))
        colours = torch.from_numpy(batch.colours)
        known = colours >= 0
        loss = functional.cross_entropy(together[known].float(), colours[known], label_smoothing=SMOOTHING)
        return loss + ALONE * functional.cross_entropy(
            alone[known].float(), colours[known], label_smoothing=SMOOTHING
        )

    def validate(model: nn.Module) -> str:
        return ink_report(model, held)

    net = fit(
        Inks(),
        ink_batches(Scenes(data, *also), seed),
        loss_of,
        minutes=minutes,
        lr=lr,
        checkpoint=out / "inks.ckpt",
        resume=resume,
        start=start,
        name="inks",
        progress=progress,
        validate=validate,
    )
    torch.save(net.state_dict(), out / "inks.pt")
    return out / "inks.pt"


def ink_batches(
    scenes: Scenes, seed: int, *, rounds: int | None = None, most: int = MOST
) -> Iterator[InkBatch]:
    """Batches of whole pictures in another light each time; of `rounds` each scene once, in its own light."""
    rng = np.random.default_rng(seed)
    training = rounds is None
    order = np.arange(len(scenes)) if rounds is None else np.tile(np.arange(len(scenes)), rounds)
    at = 0
    while True:
        found: list[tuple[U8, I64]] = []
        while len(found) < BATCH:
            if not training and at == len(order):
                break
            index = int(rng.integers(len(scenes))) if training else int(order[at])
            at += 1
            picked = _picture(scenes, index, rng, most=most, training=training)
            if picked is not None:
                found.append(picked)
        if not found:
            return
        yield _batch(found, most)


def _picture(
    scenes: Scenes, index: int, rng: np.random.Generator, *, most: int, training: bool
) -> tuple[U8, I64] | None:
    """Faces and colours of one scene; None where no ink is in sight."""
    tiles = scenes.tiles[index]
    seen = tiles.visible >= 0.6
    inked = rng.permutation(np.flatnonzero(seen & (tiles.colours >= 0)))[:most]
    if len(inked) == 0:
        return None
    if training and rng.random() < 0.4:
        # Often only a few tiles are in sight: a photo of one meld has no other inks to compare with.
        inked = inked[: int(rng.integers(1, len(inked) + 1))]
    others = np.flatnonzero(seen & (tiles.colours < 0) & (tiles.numbers == 0))
    if training and len(inked) < most and len(others) and rng.random() < 0.1:
        inked = np.append(inked, rng.choice(others))  # a joker taken for a number is among them at times
    pyramid = Pyramid(scenes.image(index))
    faces = np.stack([cut_face(pyramid, seen_quad(tiles, int(i), rng, worst=0.05)) for i in inked])
    if rng.random() < 0.5:
        faces = np.ascontiguousarray(faces[:, ::-1, ::-1])
    if training:
        faces = relit(faces, rng)
    return faces, tiles.colours[inked]


def relit(faces: U8, rng: np.random.Generator) -> U8:
    """The faces (n, 64, 48, 3) of one picture in another light: cast, veil and contrast for all of them."""
    x = faces.astype(np.float32) / 255
    if rng.random() < 0.6:
        x = x * _gains(rng.normal(0, 0.08, 3) + rng.normal(0, 0.15))
    if rng.random() < 0.3:
        x = np.clip(x, 0.001, None) ** np.float32(np.exp(rng.normal(0, 0.15)))
    if rng.random() < 0.3:  # light that the whole picture reflects
        x = x + np.asarray(rng.uniform(0, 0.18) * rng.uniform(0.6, 1.0, 3), np.float32)
    if rng.random() < 0.3:  # how strong the camera makes colours
        grey = x.mean(axis=3, keepdims=True)
        x = grey + (x - grey) * np.float32(np.exp(rng.normal(0, 0.25)))
    # No two places of a table have quite the same light.
    x = x * _gains(rng.normal(0, 0.03, (len(x), 1, 1, 1)) + rng.normal(0, 0.015, (len(x), 1, 1, 3)))
    if rng.random() < 0.4:
        x = x + rng.standard_normal(x.shape, np.float32) * np.float32(rng.uniform(0, 0.03))
    return np.asarray(np.clip(x, 0, 1) * 255, np.uint8)


def _gains(logs: NDArray[np.float64]) -> F32:
    return np.exp(logs).astype(np.float32)


def _batch(found: list[tuple[U8, I64]], most: int) -> InkBatch:
    count = min(most, max(len(colours) for _, colours in found))
    faces = np.zeros((len(found), count, 64, 48, 3), np.uint8)
    colours = np.full((len(found), count), ABSENT, np.int64)
    for index, (crops, slots) in enumerate(found):
        faces[index, : len(crops)] = crops
        colours[index, : len(slots)] = slots
    flat = measure(faces.reshape(-1, 64, 48, 3))
    return InkBatch(faces, flat.reshape(len(found), count, 6), colours)


def _tensors(batch: InkBatch) -> tuple[Tensor, Tensor, Tensor]:
    shape = batch.colours.shape
    faces = pictures(batch.faces.reshape(-1, 64, 48, 3)).reshape(*shape, 3, 64, 48)
    return faces, torch.from_numpy(batch.measured), torch.from_numpy(batch.colours == ABSENT)


@torch.no_grad()
def ink_report(net: nn.Module, held: list[InkBatch]) -> str:
    """The shares of colours that are right, judged alone and together."""
    right: tuple[list[NDArray[np.bool_]], list[NDArray[np.bool_]]] = ([], [])
    for batch in held:
        known = batch.colours >= 0
        for logits, kept in zip(net(*_tensors(batch)), right, strict=True):
            kept.append((logits.argmax(dim=2).numpy() == batch.colours)[known])
    together, alone = (100 * np.concatenate(part).mean() for part in right)
    return f"colour alone {alone:.2f} %, together {together:.2f} %"
