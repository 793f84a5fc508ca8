"""The page with everything behind it: a game in its middle, camera, board, history, sheets, set-up."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import numpy as np
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.exceptions import HTTPException
from werkzeug.routing import RequestRedirect

from calibration.legibility import planned_rig
from calibration.rig import Provenance
from calibration.rig_file import save_rig
from companion.past import Past
from companion.sheets import SheetFile
from companion.table.config import load_config
from companion.table.inputs import Looked
from companion.table.running import RunningTable
from companion.table.setup_service import SetupService
from engine.records import format_record
from tests.companion.table.scripted import look, played_script, scripted_setup
from tests.waiting import until
from tests.web_ui.conftest import JPEG as PICTURE
from tests.web_ui.conftest import TABLE, reading_of, rows_by_height
from tests.web_ui.test_desk import Camera
from tests.web_ui.test_desk import reading_of as reading_of_game
from tests.web_ui.test_history import played
from tests.web_ui.test_table import NOW
from tests.web_ui.test_tilesets import FakeSets
from web_ui.app import create_app
from web_ui.services import ReadPicture, Services

PIN = "2580"
_TABLE = f"""table = "Cafeneaua Ștefania"
[players]
names = ["Ana", "Dan", "Ștefania"]
dealer = "Ana"
[match]
games = 4
[turn]
clock = "up"
[camera]
rig = "rig.toml"
[board]
port = "sim"
places = [3, 0, 1]
[page]
pin = "{PIN}"
"""


def jpeg(width: int, height: int, text: str) -> bytes:
    """A true JPEG of a plain table with a word on it."""
    picture = np.full((height, width, 3), (70, 110, 60), np.uint8)
    cv2.putText(picture, text, (8, height // 2), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (240, 240, 240), 2)
    return bytes(cv2.imencode(".jpg", picture)[1])


@contextmanager
def whole_page(folder: Path) -> Iterator[Flask]:
    """The app of a table two thirds through a game, with all that the page can show."""
    rig = planned_rig((900.0, 900.0), height_mm=1200.0, size=(1920, 1080), view_deg=70.0)
    save_rig(replace(rig, provenance=Provenance("2026-01-01", "a test")), folder / "rig.toml")
    (folder / "table.toml").write_text(_TABLE, encoding="utf-8")
    config = load_config(folder / "table.toml")
    script = played_script("etalat", 3)
    at = 2 * len(script) // 3
    follower = scripted_setup([script], commit="discard").new_follower
    with RunningTable(config, new_follower=follower) as table, SheetFile(None) as file:
        table.table.looked(Looked(look(at)))
        assert until(lambda: len(table.table.core.game.record.entries) >= at)
        past = Past(config.journal, file)
        past.add(format_record(played()))
        sheet = file.begin({"name": "Joi", "rules": "etalat", "players": ["Ana", "Dan", "Ștefania"]})
        for points in ([70, -15, 5], [-20, 45, 120]):
            fields = {"points": points, "note": "", "source": "typed"}
            sheet = file.write(sheet.id, "round", fields, version=sheet.version)
        sets = FakeSets()
        camera = Camera(replace(NOW, reading=reading_of_game(dict(table.document()))))
        camera.jpeg = camera.open_jpeg = jpeg(1000, 700, "table")
        camera.tile_jpeg = jpeg(144, 192, "9")
        photo = jpeg(1200, 1000, "photo")
        app = create_app(
            Services(
                lambda _: ReadPicture(reading_of(TABLE), photo),
                rows_by_height,
                lambda: photo,
                version="9.9",
                tile_sets=sets,
                table=camera,
                game=table,
                addresses=lambda: ("http://127.0.0.1:8080/", "http://192.0.2.7:8080/"),
                history=past,
                sheets=file,
                setup=SetupService(config, table=table),
            )
        )
        app.config["PROPAGATE_EXCEPTIONS"] = False
        yield app


def arbiter(app: Flask) -> FlaskClient:
    """A client that has logged in."""
    client = app.test_client()
    assert client.post("/arbiter/login", data={"pin": PIN}).status_code == 303
    return client


def linked_pages(app: Flask, client: FlaskClient, *seeds: str) -> dict[str, str]:
    """An address of every kind of page that links lead to, by the name of its route.

    It begins with the addresses that have no part to fill in, and with `seeds`.
    """
    sent = client.post("/api/v1/photos", data=PICTURE, content_type="image/jpeg").get_json()
    plain = sorted(
        rule.rule
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.arguments and rule.endpoint not in NO_PAGES
    )
    waiting, seen, found = [*seeds, f"/photo/{sent['id']}?rules=etalat", *plain], set[str](), dict[str, str]()
    while waiting:
        address = waiting.pop(0)
        name = _route(app, address)
        if name is None or name in found or address in seen:
            continue
        seen.add(address)
        answer = client.get(address)
        if answer.status_code == 200 and answer.mimetype == "text/html":
            text = answer.get_data(as_text=True)
            links = [unescape(link) for link in re.findall(r'href="(/[^"#]*)', text)]
            waiting += [link for link in links if not link.startswith("/static/")]
            if text.lstrip()[:9].lower() == "<!doctype":
                found[name] = address
    return found


NO_PAGES = frozenset({"static", "metrics.show", "game_api.events"})


def _route(app: Flask, address: str) -> str | None:
    try:
        endpoint, _ = app.url_map.bind("localhost").match(urlsplit(address).path, "GET")
    except (HTTPException, RequestRedirect):
        return None
    return None if endpoint in NO_PAGES else str(endpoint)
