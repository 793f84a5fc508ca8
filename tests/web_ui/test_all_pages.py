"""Every public page of a running table, in both themes and languages, on phone and TV: axe, width, picture.

A page that is merged later is covered as soon as its address stands in the app; the pictures are kept under
REMI_SHOTS, else in the folder of the test.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.table.config import parse_config
from companion.table.inputs import Looked
from companion.table.running import RunningTable
from tests.companion.table.scripted import look, played_script, scripted_setup
from tests.waiting import until
from tests.web_ui.conftest import JPEG, read_picture, rows_by_height
from tests.web_ui.test_browser import ARGUMENTS, serving
from tests.web_ui.test_table import NOW, ScriptedTable
from web_ui.app import create_app
from web_ui.services import Services

pytestmark = pytest.mark.browser
SIZES = {"phone": (360, 800), "tv": (1920, 1080)}
THEMES = ("light", "dark")
LOCALES = {"ro": "ro-RO", "en": "en-GB"}
SERIOUS = {"serious", "critical"}
NO_PAGES = ("/api/v1/openapi", "/api/v1/game", "/api/v1/rules", "/api/v1/table", "/healthz", "/metrics")


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """A table without camera in the middle of a game."""
    text = "[players]\nnames = ['Ana', 'Dan', 'Ștefania']\ndealer = 'Ana'\n[page]\npin = '2580'\n"
    script = played_script("etalat", 3)
    at = 2 * len(script) // 3
    follower = scripted_setup([script], commit="discard").new_follower
    config = parse_config(text, folder=tmp_path_factory.mktemp("table"))
    with RunningTable(config, new_follower=follower) as table:
        table.table.looked(Looked(look(at)))
        assert until(lambda: len(table.table.core.game.record.entries) >= at)
        app = create_app(
            Services(read_picture, rows_by_height, lambda: JPEG, table=ScriptedTable(NOW), game=table)
        )
        app.config["PROPAGATE_EXCEPTIONS"] = False
        yield app


@pytest.fixture(scope="module")
def served(app: Flask) -> Iterator[str]:
    with serving(app) as address:
        yield address.rstrip("/")


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Any]:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield found
        found.close()


@pytest.fixture(scope="module")
def shots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    named = os.environ.get("REMI_SHOTS")
    folder = Path(named) if named else tmp_path_factory.mktemp("shots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def public_pages(app: Flask) -> list[str]:
    """The addresses that answer a whole page of HTML to who has no session, and a photo that was counted."""
    client = app.test_client()
    sent = client.post("/api/v1/photos", data=JPEG, content_type="image/jpeg").get_json()
    addresses = sorted(
        rule.rule
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ())
        and not rule.arguments
        and rule.endpoint != "static"
        and not rule.rule.startswith(NO_PAGES)
    )
    found = [f"/photo/{sent['id']}?rules=etalat"]
    for address in addresses:
        answer = client.get(address, follow_redirects=True)
        whole = answer.mimetype == "text/html" and answer.get_data().lstrip()[:9].lower() == b"<!doctype"
        if answer.status_code == 200 and whole:
            found.append(address)
    return found


def test_the_known_pages_are_found(app: Flask) -> None:
    assert {"/", "/table", "/api/v1/docs"} <= set(public_pages(app))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LOCALES)
@pytest.mark.parametrize("theme", THEMES)
def test_every_page_is_accessible_and_fits(
    app: Flask, served: str, browser: Any, shots: Path, theme: str, language: str, size: str
) -> None:
    axe_module = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    axe = axe_module.Axe()
    width, height = SIZES[size]
    # The checker is a script of its own, put in by the test: only for it the page's policy is passed by.
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale=LOCALES[language],
        color_scheme=theme,
        reduced_motion="reduce",
        bypass_csp=True,
    )
    faults: list[str] = []
    try:
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(f"{page.url}: {error}"))
        for address in public_pages(app):
            page.goto(served + address, wait_until="load")
            name = address.partition("?")[0].strip("/").replace("/", "-") or "start"
            name = "photo-counted" if address.startswith("/photo/") else name
            page.screenshot(
                path=str(shots / f"{name}-{size}-{theme}-{language}.png"), full_page=size == "phone"
            )
            assert page.locator("html").get_attribute("lang") == language
            wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            if wide > 0:
                faults.append(f"{address}: {wide} px wider than the {size}")
            for fault in axe.run(page).response["violations"]:
                if fault["impact"] in SERIOUS:
                    where = [node["target"] for node in fault["nodes"]][:4]
                    faults.append(f"{address}: {fault['id']} ({fault['impact']}) at {json.dumps(where)}")
    finally:
        context.close()
    assert not faults, "\n".join(faults)


def test_the_checker_finds_what_is_wrong(browser: Any) -> None:
    axe_module = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
    page = browser.new_page()
    try:
        page.set_content("<html><body><main><img src='data:,'><button></button></main></body></html>")
        found = {one["id"] for one in axe_module.Axe().run(page).response["violations"]}
        assert {"image-alt", "button-name"} <= found
    finally:
        page.close()
