"""The scoreboard in a real browser: it follows, survives a restart of the server, and fits phone and TV."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from werkzeug.serving import make_server

from tests.web_ui.board_game import ShownGame, document
from tests.web_ui.conftest import services
from tests.web_ui.test_browser import serving
from web_ui.app import create_app

pytestmark = pytest.mark.browser


def discarded(tile: str) -> list[dict[str, Any]]:
    return [{"seq": 1, "event": "discard", "seat": 0, "tile": tile, "counts": True}]


def app_of(game: ShownGame) -> Any:
    return create_app(replace(services(), game=game))


def test_it_follows_and_misses_nothing_when_the_server_restarts(browser: Any) -> None:
    from playwright.sync_api import expect

    probe = make_server("127.0.0.1", 0, app_of(ShownGame(document())))
    port = probe.server_port
    probe.server_close()
    first = ShownGame(document())
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
        expect(last).to_have_text("Ștefan discards 7 red.")
        # Many changes at once come to the last of them.
        for tile in ("r8", "b9", "k10"):
            first.show(entries=discarded(tile))
        expect(last).to_have_text("Ștefan discards 10 black.")
        expect(link).to_be_focused()
        stays = link.bounding_box()
        assert stays is not None
        assert place is not None
        assert abs(stays["y"] - place["y"]) < 2
        first.closed = True
    expect(silent).to_be_visible(timeout=20_000)
    # Another run: its numbers begin anew, and what happened meanwhile is shown.
    second = ShownGame({**document(entries=discarded("y3")), "number": 1})
    with serving(app_of(second), port):
        expect(last).to_have_text("Ștefan discards 3 yellow.", timeout=20_000)
        expect(silent).to_be_hidden()
        second.show(entries=discarded("y4"))
        expect(last).to_have_text("Ștefan discards 4 yellow.")
        second.closed = True
    assert faults == []


@pytest.mark.parametrize("kind", ["normal", "large"])
def test_it_fits_phone_and_tv_in_both_types_of_letters(browser: Any, kind: str) -> None:
    game = ShownGame(document(-2))
    with serving(app_of(game)) as address:
        context = browser.new_context(locale="ro-RO")
        page = context.new_page()
        context.add_cookies([{"name": "type", "value": kind, "url": address}])
        for path in ("", "sheet", "qr", "photo"):
            page.goto(address + path)
            assert page.locator("html").get_attribute("data-type") == ("large" if kind == "large" else None)
            for width, height in ((360, 740), (1920, 1080)):
                page.set_viewport_size({"width": width, "height": height})
                wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
                assert wide <= 0, (path, width)
        game.closed = True


@pytest.mark.parametrize(("theme", "ground"), [("dark", "rgb(18, 22, 27)"), ("light", "rgb(244, 241, 234)")])
def test_a_chosen_theme_holds_against_the_systems(browser: Any, theme: str, ground: str) -> None:
    game = ShownGame(document(-2))
    with serving(app_of(game)) as address:
        context = browser.new_context(color_scheme="light" if theme == "dark" else "dark")
        context.add_cookies([{"name": "theme", "value": theme, "url": address}])
        page = context.new_page()
        page.goto(address)
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == ground
        game.closed = True
