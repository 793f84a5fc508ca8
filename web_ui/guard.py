"""What keeps the page safe: same-origin changes only, strict headers, and uploads that never touch a disk."""

from __future__ import annotations

import io
from typing import IO, TYPE_CHECKING
from urllib.parse import urlsplit

from flask import Flask, Request, Response, request
from werkzeug.exceptions import Forbidden

if TYPE_CHECKING:
    from werkzeug.datastructures import Headers

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})


class MemoryRequest(Request):
    """A request whose uploaded files stay in memory: the default would spool a photo to a temporary file."""

    def _get_file_stream(
        self,
        total_content_length: int | None,  # noqa: ARG002 (the signature is Werkzeug's)
        content_type: str | None,  # noqa: ARG002
        filename: str | None = None,  # noqa: ARG002
        content_length: int | None = None,  # noqa: ARG002
    ) -> IO[bytes]:
        return io.BytesIO()


def may_change(method: str, headers: Headers, host: str) -> bool:
    """Return whether this request may change anything: never one that another site made a browser send.

    Nobody logs in: a photo is reached by an unguessable address, so there is no session that a token could be
    tied to. Browsers say themselves where a request comes from, Sec-Fetch-Site on https and on this machine,
    Origin on every POST; a program that is no browser sends neither and can't be misused by a page.
    """
    if method in _SAFE_METHODS:
        return True
    site = headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in {"same-origin", "none"}
    origin = headers.get("Origin")
    return origin is None or urlsplit(origin).netloc == host


def install(app: Flask) -> None:
    """Guard every request and response of the app."""
    app.request_class = MemoryRequest

    @app.before_request
    def refuse_other_sites() -> None:
        if not may_change(request.method, request.headers, request.host):
            raise Forbidden

    @app.after_request
    def add_headers(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        # Not "no-referrer": with it browsers send `Origin: null` with a form, and the check above refuses it.
        response.headers.setdefault("Referrer-Policy", "same-origin")
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        response.headers.setdefault("Cross-Origin-Opener-Policy", "same-origin")
        response.headers.setdefault("Permissions-Policy", "geolocation=(), microphone=()")
        if request.endpoint != "static":
            response.headers.setdefault("Cache-Control", "no-store")
            response.headers.setdefault("X-Robots-Tag", "noindex")
        return response
