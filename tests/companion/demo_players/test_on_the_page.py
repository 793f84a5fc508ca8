"""A whole game of the simulated players, followed by the scoreboard in a real browser."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from companion.demo_players.headless import Result, play_headless
from tests.companion.demo_players.test_headless import fonts, told
from tests.web_ui.board_game import ShownGame, document
from tests.web_ui.conftest import services
from tests.web_ui.test_browser import serving
from web_ui.app import create_app

if TYPE_CHECKING:
    from companion.table.published import Published

__all__ = ["fonts"]

pytestmark = pytest.mark.browser


@pytest.mark.usefixtures("fonts")
def test_the_scoreboard_follows_a_game_to_its_score(browser: Any) -> None:
    from playwright.sync_api import expect

    game = ShownGame(document())
    results: list[Result] = []

    def shows(published: Published) -> None:
        game.show(**{name: value for name, value in published.public.items() if name != "number"})

    def play() -> None:
        results.append(play_headless("etalat", 3, size=(480, 270), sees=told, shows=shows))

    players = threading.Thread(target=play, name="test-players", daemon=True)
    app = create_app(replace(services(), game=game))
    with serving(app) as address:
        page = browser.new_context(locale="en-GB").new_page()
        page.goto(address)
        page.evaluate(WATCH)
        players.start()
        while players.is_alive():
            page.wait_for_timeout(200)  # the browser goes on while this thread waits
        (result,) = results
        assert result.exact
        shown: list[Any] = [str(points).replace("-", "\N{MINUS SIGN}") for points in result.scores]
        for seat, points in enumerate(shown):
            numbers = page.locator("#board-seats article").nth(seat).locator("dd").first
            expect(numbers).to_have_text(points, timeout=20_000)
        said = page.evaluate("window.said")
        assert len(set(said)) >= result.turns, "what happened was said turn by turn, without loading the page"
        game.closed = True


WATCH = """() => {
  window.said = [];
  new MutationObserver(() => window.said.push(document.getElementById("board-last").textContent))
    .observe(document.body, { childList: true, subtree: true, characterData: true });
}"""
