"""A page with a reader that knows its pictures by heart: the bytes say what is read."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence

import pytest
from flask import Flask
from flask.testing import FlaskClient

from engine.notation import parse_face, parse_seen
from engine.readings import Candidate, PictureReading, Quad, SeenTile
from web_ui.app import Settings, create_app
from web_ui.services import PictureRefusedError, ReadPicture, Services

# Lines of a table: on etalat 15 + 75 + 35 in melds, 5 + 50 loose, one tile unread: total 70.
TABLE = """
r5 r6 r7
r1 y1 b1
b1 b2 b3
k9=0.5,k6,0.3
*
?=0.2,b8,0.4
"""
JPEG = b"\xff\xd8\xff\xe0 a picture"


def quad_at(column: int, line: int) -> Quad:
    x, y = 100.0 + column * 50, 100.0 + line * 150
    return ((x, y), (x + 48, y), (x + 48, y + 68), (x, y + 68))


def seen_tile(word: str, column: int, line: int) -> SeenTile:
    face, _, doubt = word.partition("=")
    if not doubt:
        return SeenTile(parse_seen(face), quad_at(column, line), 0.99)
    confidence, other, share = doubt.split(",")
    candidates = (Candidate(parse_face(other), float(share)),)
    return SeenTile(parse_seen(face), quad_at(column, line), float(confidence), candidates)


def reading_of(text: str) -> PictureReading:
    lines = enumerate(text.strip().splitlines())
    tiles = [seen_tile(word, c, line) for line, row in lines for c, word in enumerate(row.split())]
    return PictureReading(1200, 1000, tuple(tiles), {"find": 80.0, "read": 40.4})


def rows_by_height(quads: Sequence[Quad]) -> list[list[int]]:
    lines: dict[float, list[int]] = defaultdict(list)
    for index, quad in enumerate(quads):
        lines[quad[0][1]].append(index)
    return [sorted(line, key=lambda index: quads[index][0][0]) for _, line in sorted(lines.items())]


def read_picture(data: bytes) -> ReadPicture:
    if data.startswith(b"no picture"):
        raise PictureRefusedError(
            "not_a_picture", message_ro="Fișierul nu este o imagine.", message_en="This is not a picture."
        )
    if data.startswith(b"fault"):
        raise ZeroDivisionError("a fault of the reader")
    text = data[len(JPEG) :].decode() or TABLE
    return ReadPicture(reading_of(text), JPEG)


def services(*, sample: bool = True) -> Services:
    return Services(
        read_picture=read_picture,
        rows=rows_by_height,
        sample_picture=(lambda: JPEG) if sample else None,
        version="9.9",
    )


def build(settings: Settings | None = None, *, sample: bool = True) -> Flask:
    app = create_app(services(sample=sample), settings)
    app.config["PROPAGATE_EXCEPTIONS"] = False
    return app


@pytest.fixture
def make_app() -> Callable[..., Flask]:
    return build


@pytest.fixture
def client() -> FlaskClient:
    client = build().test_client()
    client.environ_base["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client


@pytest.fixture
def open_photo(client: FlaskClient) -> Callable[..., str]:
    """Sends a picture of these lines of tiles; returns the path of its page, without the rules."""

    def send(text: str = "") -> str:
        body, kind = _multipart(JPEG + text.encode())
        answer = client.post("/photo", data=body, content_type=kind, query_string={"rules": "etalat"})
        assert answer.status_code == 303
        return str(answer.headers["Location"]).partition("?")[0]

    return send


def _multipart(data: bytes) -> tuple[bytes, str]:
    head = b'--line\r\nContent-Disposition: form-data; name="picture"; filename="a.jpg"\r\n\r\n'
    return head + data + b"\r\n--line--\r\n", "multipart/form-data; boundary=line"


@pytest.fixture
def multipart() -> Callable[[bytes], tuple[bytes, str]]:
    """Makes the body and content type of a form with a picture (the client would use a temporary file)."""
    return _multipart


@pytest.fixture
def total(client: FlaskClient) -> Callable[..., str]:
    """Returns the total that a photo's page shows under some rules."""

    def shown(path: str, rules: str = "etalat") -> str:
        answer = client.get(path, query_string={"rules": rules})
        assert answer.status_code == 200
        found = re.search(r'<output id="total">([^<]*)</output>', answer.text)
        assert found is not None
        return found[1]

    return shown
