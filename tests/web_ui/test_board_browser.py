"""The scoreboard in a real browser: it follows, survives a restart of the server, and fits phone and TV."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from werkzeug.serving import make_server

from tests.web_ui.board_game import ShownGame, document
from tests.web_ui.conftest import services
from tests.web_ui.test_browser import ARGUMENTS, serving
from web_ui.app import create_app

pytestmark = pytest.mark.browser


def discarded(tile: str) -> list[dict[str, Any]]:
    return [{"seq": 1, "event": "discard", "seat": 0, "tile": tile, "counts": True}]


def app_of(game: ShownGame) -> Any:
    return create_app(replace(services(), game=game))


def test_it_follows_and_misses_nothing_when_the_server_restarts(chromium: str) -> None:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    probe = make_server("127.0.0.1", 0, app_of(ShownGame(document())))
    port = probe.server_port
    probe.server_close()
    first = ShownGame(document())
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        page = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB").new_page()
        faults: list[str] = []
        page.on("pageerror", lambda error: faults.append(str(error)))
        last, silent = page.locator("#board-last"), page.locator("#board-silent")
        with serving(app_of(first), port) as address:
            page.goto(address)
            link = page.get_by_role("link", name="Score sheet")
            link.focus()
            page.evaluate("window.scrollTo(0, 300)")
            place = link.bounding_box()
            first.show(entries=discarded("r7"))
            api.expect(last).to_have_text("Ștefan discards 7 red.")
            # Many changes at once come to the last of them.
            for tile in ("r8", "b9", "k10"):
                first.show(entries=discarded(tile))
            api.expect(last).to_have_text("Ștefan discards 10 black.")
            api.expect(link).to_be_focused()
            stays = link.bounding_box()
            assert stays is not None
            assert place is not None
            assert abs(stays["y"] - place["y"]) < 2
            first.closed = True
        api.expect(silent).to_be_visible(timeout=20_000)
        # Another run: its numbers begin anew, and what happened meanwhile is shown.
        second = ShownGame({**document(entries=discarded("y3")), "number": 1})
        with serving(app_of(second), port):
            api.expect(last).to_have_text("Ștefan discards 3 yellow.", timeout=20_000)
            api.expect(silent).to_be_hidden()
            second.show(entries=discarded("y4"))
            api.expect(last).to_have_text("Ștefan discards 4 yellow.")
            second.closed = True
            browser.close()
    assert faults == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_phone_and_tv_in_both_types_of_letters(chromium: str, theme: str) -> None:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    game = ShownGame(document(-2))
    with serving(app_of(game)) as address, api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        for width, height in ((360, 740), (1920, 1080)):
            context = browser.new_context(viewport={"width": width, "height": height}, locale="ro-RO")
            page = context.new_page()
            for kind in ("normal", "large"):
                context.add_cookies(
                    [{"name": name, "value": value, "url": address} for name, value in
                     (("theme", theme), ("type", kind))]
                )  # fmt: skip
                for path in ("", "sheet", "qr", "photo"):
                    page.goto(address + path)
                    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), path
                ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
                assert ground == ("rgb(18, 22, 27)" if theme == "dark" else "rgb(244, 241, 234)")
        game.closed = True
        browser.close()
