"""From logits to probabilities and back, for the answers of all nets."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]

_FARTHEST = 30.0  # a logit beyond it is as good as certain


def sigmoid(logits: NDArray[np.floating]) -> F32:
    """The probabilities of logits of any shape."""
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -_FARTHEST, _FARTHEST))), np.float32)


def log_softmax(logits: F32) -> F32:
    """The logs of the probabilities of each row (n, k)."""
    logits = logits - logits.max(axis=1, keepdims=True)
    return np.asarray(logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)), np.float32)


def softmax(logits: F32) -> F32:
    """The probabilities of each row (n, k)."""
    return np.asarray(np.exp(log_softmax(logits)), np.float32)
