"""Who may change something at a running table."""

from __future__ import annotations

import hmac
import ipaddress
import threading
from collections import deque
from typing import Final

MOST_WRONG: Final = ((5, 60.0), (20, 3600.0))
"""So many wrong PINs of one address within so many seconds, and it is locked until fewer are that young."""

MOST_WRONG_IN_ALL: Final = ((10, 60.0), (60, 3600.0))
"""The same for all addresses together: four digits are soon tried out from several."""

_LONGEST: Final = max(seconds for _, seconds in (*MOST_WRONG, *MOST_WRONG_IN_ALL))


class Gate:
    """Who may ask for changes: with a PIN who knows it, without one this machine alone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wrong: deque[tuple[float, str | None]] = deque()

    def refusal(self, pin: str | None, given: str | None, address: str | None, now: float) -> str | None:
        """Why a request may change nothing: `pin_wrong`, `pin_locked` or `this_machine_only`; None if it may.

        `now` are seconds of a clock that only goes forward. A missing PIN is no attempt.
        """
        if pin is None:
            return None if is_here(address) else "this_machine_only"
        with self._lock:
            if self._locked(address, now):
                return "pin_locked"
            if given is not None and hmac.compare_digest(given.encode(), pin.encode()):
                self._wrong = deque(one for one in self._wrong if one[1] != address)
                return None
            if given is not None:
                self._wrong.append((now, address))
            return "pin_wrong"

    def _locked(self, address: str | None, now: float) -> bool:
        while self._wrong and now - self._wrong[0][0] >= _LONGEST:
            self._wrong.popleft()
        times = [at for at, _ in self._wrong]
        its = [at for at, who in self._wrong if who == address]
        return _too_many(its, MOST_WRONG, now) or _too_many(times, MOST_WRONG_IN_ALL, now)


def _too_many(times: list[float], limits: tuple[tuple[int, float], ...], now: float) -> bool:
    return any(sum(now - at < seconds for at in times) >= most for most, seconds in limits)


def is_here(address: str | None) -> bool:
    """Whether an address is this machine itself."""
    try:
        return address is not None and ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
