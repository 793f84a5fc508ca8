"""One training loop for the small nets: time budget, warm-up and cosine, average of weights, checkpoints."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

CHECKPOINT_SECONDS = 120.0
RATE = 2e-3  # of learning, at its highest


def fit(  # noqa: PLR0913 -- one run's settings, by name
    net: nn.Module,
    batches: Iterator[Any],
    loss_of: Callable[[nn.Module, Any], Tensor],
    *,
    minutes: float,
    lr: float,
    checkpoint: Path,
    resume: bool,
    start: Path | None = None,
    name: str,
    progress: Callable[[str], None],
    validate: Callable[[nn.Module], str] | None = None,
) -> nn.Module:
    """Trains for `minutes` of this process's wall time in all, and returns the averaged net.

    With `resume` it goes on from `checkpoint`, whose file holds the seconds already spent; a run without one
    starts from the weights in `start`, where that is given.
    """
    if start is not None:
        net.load_state_dict(torch.load(start, weights_only=True))
    net = net.to(memory_format=torch.channels_last)  # a third faster on CPUs than the usual order
    optimiser = torch.optim.AdamW(net.parameters(), lr=lr, weight_decay=0.01)
    average = torch.optim.swa_utils.AveragedModel(net, avg_fn=_moving_average, use_buffers=True)
    spent, step = 0.0, 0
    if resume and checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        net.load_state_dict(state["net"])
        average.load_state_dict(state["average"])
        optimiser.load_state_dict(state["optimiser"])
        spent, step = float(state["spent"]), int(state["step"])
    fast = computes_bfloat16()
    begin, saved = time.monotonic() - spent, time.monotonic()
    net.train()
    recent = 0.0
    while True:
        elapsed = time.monotonic() - begin
        done = elapsed / (minutes * 60)
        if done >= 1:
            break
        share = min(1.0, step / 200) * (0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * done)))
        for group in optimiser.param_groups:
            group["lr"] = lr * share
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=fast):
            loss = loss_of(net, next(batches))
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        average.update_parameters(net)
        recent = float(loss.detach()) if step == 0 else recent * 0.98 + 0.02 * float(loss.detach())
        step += 1
        if time.monotonic() - saved > CHECKPOINT_SECONDS:
            saved = time.monotonic()
            _save(checkpoint, net, average, optimiser, elapsed, step)
            said = validate(average.module.eval()) if validate else ""
            progress(f"{name} {elapsed:.0f} s step {step} loss {recent:.4f} {said}")
    _save(checkpoint, net, average, optimiser, minutes * 60, step)
    final: nn.Module = average.module.eval()
    progress(f"{name} done: {step} steps, loss {recent:.4f} {validate(final) if validate else ''}")
    return final


def computes_bfloat16() -> bool:
    """Whether this CPU computes in bfloat16; where it does not, that is eight times slower."""
    return bool(torch.cpu._is_avx512_bf16_supported())


def _moving_average(average: Tensor, value: Tensor, count: Tensor | int) -> Tensor:
    """Short memory at first, the last 500 steps later."""
    keep = min(0.998, (1 + int(count)) / (10 + int(count)))
    return average + (value - average) * (1 - keep)


def _save(
    path: Path, net: nn.Module, average: nn.Module, optimiser: torch.optim.Optimizer, spent: float, step: int
) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    state = {
        "net": net.state_dict(),
        "average": average.state_dict(),
        "optimiser": optimiser.state_dict(),
        "spent": spent,
        "step": step,
    }
    torch.save(state, part)
    part.replace(path)


def pictures(batch: Any) -> Tensor:
    """(b, h, w, 3) uint8 BGR to (b, 3, h, w) float 0..1."""
    return torch.from_numpy(batch).permute(0, 3, 1, 2).float().div_(255)


def vary(x: Tensor, generator: torch.Generator) -> Tensor:
    """Light, contrast, cast and noise of a batch changed at random, each picture for itself."""
    count = x.shape[0]

    def draw(*shape: int) -> Tensor:
        return torch.randn(shape, generator=generator)

    x = x * torch.exp(0.15 * draw(count, 1, 1, 1)) * torch.exp(0.03 * draw(count, 3, 1, 1))
    middle = x.mean(dim=(2, 3), keepdim=True)
    x = (x - middle) * torch.exp(0.12 * draw(count, 1, 1, 1)) + middle
    x = x + draw(*x.shape) * 0.02 * torch.rand((count, 1, 1, 1), generator=generator)
    return x.clamp(0, 1)
