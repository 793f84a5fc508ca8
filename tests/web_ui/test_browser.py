"""The whole way in a real browser, on a phone's screen: a photo is counted, a table followed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from flask import Flask
from werkzeug.serving import make_server

from engine.table_reading import TableReading
from tests.web_ui.conftest import services
from tests.web_ui.test_table import NOW, ScriptedTable
from web_ui.app import create_app

pytestmark = pytest.mark.browser
PHONE = {"width": 390, "height": 844}


# One pixel, as PNG: browsers look at the bytes, not at the name.
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010800000000"
    "3a7e9b550000000a49444154789c636000000002000148afa4710000000049454e44ae426082"
)


@pytest.fixture
def address(make_app: Callable[..., Flask]) -> Iterator[str]:
    with serving(make_app()) as served:
        yield served


@contextmanager
def serving(app: Flask, port: int = 0) -> Iterator[str]:
    server = make_server("127.0.0.1", port, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, name="test-server", daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()
    assert not thread.is_alive()


def test_a_photo_is_counted_and_corrected(address: str, browser: Any) -> None:
    from playwright.sync_api import expect

    page = browser.new_context(viewport=PHONE, locale="en-GB", has_touch=True).new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda said: complaints.append(said.text) if said.type in {"error", "warning"} else None,
    )
    page.on("request", lambda sent: None if sent.url.startswith(address) else complaints.append(sent.url))

    page.goto(address)
    page.get_by_role("button", name="Use the sample picture").click()
    total = page.locator("#total")
    expect(total).to_have_text("70")
    # The text is there before the scripts are; a tap so early leads to a page of its own.
    page.wait_for_load_state()

    # A wrong face: a tap on the tile in the photo, a tap on the right face.
    page.locator("#spot-10").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.get_by_role("dialog").get_by_role("button", name="6 black").click()
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#question-10")).to_have_count(0)

    # By keyboard: number, then colour.
    page.locator("#tile-11").focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    dialog.get_by_role("radio", name="10", exact=True).focus()
    page.keyboard.press("Space")
    dialog.get_by_role("button", name="black").focus()
    page.keyboard.press("Enter")
    expect(total).to_have_text("110")
    expect(page.locator("#tile-11")).to_be_focused()

    # The rule set changes the total in place.
    page.get_by_role("link", name="Rummy as on Doizece").click()
    expect(total).to_have_text("90")
    assert "rules=doizece" in page.url
    page.get_by_role("button", name="Undo").click()
    expect(total).to_have_text("50")

    # A tap on an empty place adds the tile that was missed.
    page.locator("#stage").click(position={"x": 330, "y": 280})
    expect(dialog).to_be_visible()
    dialog.get_by_role("radio", name="13", exact=True).check()
    dialog.get_by_role("button", name="blue").click()
    expect(total).to_have_text("40")
    expect(page.locator(".spot")).to_have_count(13)

    # In Romanian, without scrolling sideways.
    page.get_by_role("button", name="RO", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Total după Rummy ca pe Doizece")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert complaints == []


def test_the_live_table_is_followed(browser: Any) -> None:
    from playwright.sync_api import expect

    table = ScriptedTable(jpeg=PIXEL)
    with serving(create_app(replace(services(), table=table))) as address:
        page = browser.new_context(viewport=PHONE, locale="en-GB").new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.goto(f"{address}table")
        expect(page.get_by_role("heading", name="A hand is over the table")).to_be_visible()

        # What changes comes by itself.
        table.here = replace(NOW, state="looking", covered=(), picture=32, reading=TableReading(8, 13.0))
        expect(page.get_by_role("heading", name="Looking at the table")).to_be_visible()
        expect(page.get_by_text("No melds on the table.")).to_be_visible()
        expect(page.locator("#table-stage image")).to_have_attribute("href", "/table/picture.jpg?n=32")

        # By keyboard it is held, and goes on.
        hold = page.get_by_role("button", name="Hold still")
        hold.focus()
        page.keyboard.press("Enter")
        expect(hold).to_have_attribute("aria-pressed", "true")
        table.here = NOW
        page.wait_for_timeout(1500)
        expect(page.get_by_role("heading", name="Looking at the table")).to_be_visible()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="A hand is over the table")).to_be_visible()
        expect(hold).to_be_focused()
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert complaints == []

        # Where nobody answers it says so.
        page.route("**/table/now", lambda route: route.abort())
        expect(page.get_by_role("alert")).to_contain_text("not up to date")
