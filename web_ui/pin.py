"""Who may change something at a running table."""

from __future__ import annotations

import hmac
import ipaddress
import threading
from typing import Final

_WRONG_PINS: Final = 5
_LOCKED_S: Final = 60.0


class Gate:
    """Who may ask for changes: with a PIN who knows it, without one this machine alone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._wrong = 0
        self._until = 0.0

    def refusal(self, pin: str | None, given: str | None, address: str | None, now: float) -> str | None:
        """Why a request may change nothing: `pin_wrong`, `pin_locked` or `this_machine_only`; None if it may.

        After five wrong PINs in a row nobody is let in for a minute: four digits are soon tried out.
        """
        if pin is None:
            return None if _is_here(address) else "this_machine_only"
        with self._lock:
            if now < self._until:
                return "pin_locked"
            if given is not None and hmac.compare_digest(given.encode(), pin.encode()):
                self._wrong = 0
                return None
            self._wrong += given is not None
            if self._wrong >= _WRONG_PINS:
                self._wrong, self._until = 0, now + _LOCKED_S
            return "pin_wrong"


def _is_here(address: str | None) -> bool:
    try:
        return address is not None and ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False
