"""The sessions of arbiters who have logged in: kept in memory, each with its token for forms."""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from flask import request, session

from web_ui.pin import is_here
from web_ui.shared import app_state, services

if TYPE_CHECKING:
    from flask import Flask

IDLE_S: Final = 45 * 60.0
"""So long after what an arbiter did last the session ends; what the page fetches by itself does not count."""

MOST: Final = 64
KEY: Final = "arbiter"
HEADER: Final = "X-CSRF-Token"
FIELD: Final = "csrf"


@dataclass
class _Session:
    form_token: str
    used: float


class Arbiters:
    """Who is logged in; several threads may ask. Nothing of it outlives the program."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[str, _Session] = {}

    def begin(self, now: float) -> str:
        """Opens a session and returns its name; of too many the one that was idle longest gives way."""
        with self._lock:
            if len(self._open) >= MOST:
                del self._open[min(self._open, key=lambda name: self._open[name].used)]
            name = secrets.token_urlsafe(32)
            self._open[name] = _Session(secrets.token_urlsafe(32), now)
            return name

    def form_token(self, name: object, now: float, *, acts: bool) -> str | None:
        """The token that the forms of a session carry; None where the session has ended."""
        with self._lock:
            found = self._open.get(name) if isinstance(name, str) else None
            if found is None or now - found.used >= IDLE_S:
                self._open.pop(str(name), None)
                return None
            if acts:
                found.used = now
            return found.form_token

    def end(self, name: object) -> None:
        """Ends a session."""
        with self._lock:
            self._open.pop(str(name), None)


def install(app: Flask, secret: bytes | None) -> None:
    """Give the app its session cookie; without a secret one is made."""
    app.secret_key = secret or secrets.token_bytes(32)
    app.config.update(
        SESSION_COOKIE_NAME="remi-arbiter", SESSION_COOKIE_HTTPONLY=True, SESSION_COOKIE_SAMESITE="Strict"
    )


def log_in() -> None:
    """Open a session for who asks now."""
    log_out()
    session[KEY] = app_state().arbiters.begin(time.monotonic())


def log_out() -> None:
    """End the session of who asks now."""
    app_state().arbiters.end(session.get(KEY))
    session.clear()


def form_token(*, acts: bool = True) -> str | None:
    """Return the token of the arbiter who asks now; None for who is none.

    Where the table has no PIN, who sits at this machine need not log in.
    """
    game = services().game
    if game is None or (game.pin is None and not may_without_pin()):
        return None
    found = app_state().arbiters.form_token(session.get(KEY), time.monotonic(), acts=acts)
    if found is None and game.pin is None:
        log_in()
        found = app_state().arbiters.form_token(session.get(KEY), time.monotonic(), acts=acts)
    return found


def may_without_pin() -> bool:
    """Return whether who asks sits at this machine, and calls it by its own name.

    A name of the internet that leads here is how another site would ask in the name of this one.
    """
    host = urlsplit(f"//{request.host}").hostname or ""
    return is_here(request.remote_addr) and (host == "localhost" or is_here(host))


def has_form_token() -> bool:
    """Return whether this request carries the token of the session that it comes with."""
    expected = form_token()
    given = request.headers.get(HEADER) or request.form.get(FIELD) or ""
    return expected is not None and hmac.compare_digest(given.encode(), expected.encode())
