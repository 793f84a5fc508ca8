"""Training goes on from its checkpoint, and learns from samples that are labelled right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.train


@pytest.fixture(scope="module")
def torch() -> Any:
    return pytest.importorskip("torch")


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, torch: Any) -> None:
    """A clock in the training loop that goes on by a second whenever it is looked at."""
    from vision.training import loop

    now = iter(range(1_000_000))
    monkeypatch.setattr(loop, "time", SimpleNamespace(monotonic=lambda: float(next(now))))


def batches(torch: Any, seed: int = 1) -> Iterator[tuple[Any, Any]]:
    generator = torch.Generator().manual_seed(seed)
    while True:
        x = torch.randn(8, 3, generator=generator)
        yield x, x.sum(dim=1, keepdim=True)


def fitted(
    torch: Any, checkpoint: Path, *, minutes: float, resume: bool, told: list[str] | None = None
) -> Any:
    from vision.training.loop import fit

    torch.manual_seed(2)
    return fit(
        torch.nn.Linear(3, 1),
        batches(torch),
        lambda net, batch: ((net(batch[0]) - batch[1]) ** 2).mean(),
        minutes=minutes,
        lr=0.05,
        checkpoint=checkpoint,
        resume=resume,
        name="test",
        progress=(told if told is not None else []).append,
        validate=lambda net: f"training {net.training}",
    )


def weights(net: Any) -> list[float]:
    return [value for parameter in net.parameters() for value in parameter.detach().flatten().tolist()]


def test_a_few_steps_then_on_from_the_checkpoint(torch: Any, tmp_path: Path, clock: None) -> None:
    checkpoint = tmp_path / "new" / "net.ckpt"
    told: list[str] = []
    short = fitted(torch, checkpoint, minutes=0.15, resume=False, told=told)
    assert not short.training
    state = torch.load(checkpoint, weights_only=True)
    assert (state["spent"], state["step"] >= 3) == (9.0, True)
    assert "training False" in told[-1], "what is validated is the averaged net, as it will be used"
    # Its time is spent: the same net comes back at once.
    assert weights(fitted(torch, checkpoint, minutes=0.15, resume=True)) == weights(short)
    # With more time it goes on from there.
    longer = fitted(torch, checkpoint, minutes=0.3, resume=True)
    after = torch.load(checkpoint, weights_only=True)
    assert (after["spent"], after["step"] > state["step"]) == (18.0, True)
    assert weights(longer) != weights(short)
    # Not asked to go on, it begins anew.
    fitted(torch, checkpoint, minutes=0.15, resume=False)
    assert torch.load(checkpoint, weights_only=True)["step"] == state["step"]


def test_the_loop_learns(torch: Any, tmp_path: Path, clock: None) -> None:
    net = fitted(torch, tmp_path / "net.ckpt", minutes=30, resume=False)
    assert weights(net)[:3] == pytest.approx([1, 1, 1], abs=0.05)


def test_pictures_become_planes_of_shares(torch: Any) -> None:
    from vision.training.loop import pictures, vary

    image = np.zeros((2, 64, 48, 3), np.uint8)
    image[..., 2] = 255
    x = pictures(image)
    assert tuple(x.shape) == (2, 3, 64, 48)
    assert [float(x[0, channel].mean()) for channel in range(3)] == [0, 0, 1]
    varied = vary(x, torch.Generator().manual_seed(1))
    assert tuple(varied.shape) == tuple(x.shape)
    assert float(varied.min()) >= 0
    assert float(varied.max()) <= 1
    assert not torch.equal(varied, x)


@pytest.fixture(scope="module")
def rendered(tmp_path_factory: pytest.TempPathFactory, fonts: None) -> Path:
    from vision.synth.dataset import write_dataset

    out = tmp_path_factory.mktemp("scenes")
    return write_dataset(out, scenes=8, seed=3, size=(256, 256), tile_px=(30, 60), workers=1)


def test_samples_of_corners_lie_on_their_tiles(rendered: Path, torch: Any) -> None:
    from vision.training.samples import Scenes, corner_batches

    scenes = Scenes(rendered, hold_out=2)
    assert (len(scenes), len(Scenes(rendered, hold_out=2, validation=True))) == (6, 2)
    batch = next(corner_batches(scenes, 64, 1))
    assert batch.squares.shape == (64, 64, 64, 3)
    assert batch.corners.shape == (64, 4, 2)
    real = batch.centred > 0.5
    assert 0.6 < real.mean() < 1
    assert set(batch.down[~real].tolist()) == {-1}
    sides = np.roll(batch.corners[real], -1, axis=1) - batch.corners[real]
    after = np.roll(sides, -1, axis=1)
    assert (sides[..., 0] * after[..., 1] - sides[..., 1] * after[..., 0] > 0).all(), "clockwise"
    middle = batch.corners[real].mean(axis=1)
    assert np.linalg.norm(middle - 32, axis=1).max() < 16, "a tile is centred there"


def test_samples_of_faces_have_answers_where_they_have_a_meaning(rendered: Path, torch: Any) -> None:
    from vision.classes import BACK, NOTHING
    from vision.training.samples import Scenes, face_batches

    batch = next(face_batches(Scenes(rendered, hold_out=2), 256, 1))
    assert batch.faces.shape == (256, 64, 48, 3)
    numbered = (batch.numbers >= 1) & (batch.numbers <= 13)
    assert numbered.any()
    assert ((batch.colours >= 0) == numbered).all()
    assert (batch.turned[batch.numbers >= BACK] == -1).all()
    assert set(batch.turned[numbered].tolist()) == {0, 1}
    assert (batch.numbers == NOTHING).any()


def test_samples_are_the_same_for_the_same_seed(rendered: Path, torch: Any) -> None:
    from vision.training.samples import Scenes, face_batches

    scenes = Scenes(rendered, hold_out=2)
    first, again, other = (next(face_batches(scenes, 32, seed)) for seed in (1, 1, 2))
    assert np.array_equal(first.faces, again.faces)
    assert not np.array_equal(first.faces, other.faces)
