"""Waiting for what another thread does."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE_S = 30.0


def until(true: Callable[[], bool]) -> bool:
    """Whether something comes true in time; the time itself is never the assertion."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.01)
    return False
