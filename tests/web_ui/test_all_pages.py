"""Every page there is, public or behind the login: axe, width, policy, in themes, languages, on phone and TV.

A page that is added later is covered as soon as a link leads to it. Pictures are kept where REMI_SHOTS names
a folder.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.web_ui.test_browser import serving
from tests.web_ui.test_tilesets import VIEW
from tests.web_ui.whole_page import PIN, arbiter, linked_pages, whole_page

pytestmark = pytest.mark.browser
SIZES = {"phone": (360, 800), "laptop": (1366, 768), "tv": (1920, 1080)}
LOCALES = {"ro": "ro-RO", "en": "en-GB"}
VISITS = (("ro", "phone"), ("en", "tv"), ("en", "phone"), ("ro", "tv"))
"""A page is visited in the first two or in the last two of these, so in each language and on both screens. On
every visit its width is measured in all sizes, and its colours are looked at in both themes."""
OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe whose result may be another in the other theme."""

SERIOUS = {"serious", "critical"}
AXE = {"resultTypes": ["violations"], "preload": False}
RUN_AXE = """async (options) => (await axe.run(document, options)).violations.map(
  (found) => [found.id, found.impact, found.nodes.slice(0, 4).map((node) => node.target)])"""
SEEDS = (f"/tilesets/census/{VIEW.token}",)
MORE = ("/nowhere", "/history/1/1?step=20", "/setup/check?run=1", "/arbiter/enter/meld")
"""Pages that no link leads to, and further views of some."""
ALWAYS = frozenset({"board.show", "desk.show"})
"""Pages that are visited in all four."""

LISTEN = """
window.refused = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.refused.push(`${event.violatedDirective} ${event.blockedURI} ${event.sample}`);
});
"""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    with whole_page(tmp_path_factory.mktemp("table")) as app:
        yield app


@pytest.fixture(scope="module")
def served(app: Flask) -> Iterator[str]:
    with serving(app) as address:
        yield address.rstrip("/")


@pytest.fixture(scope="module")
def pages(app: Flask) -> list[tuple[str, str]]:
    """Name and address of each page, as an arbiter finds them."""
    found = linked_pages(app, arbiter(app), *SEEDS)
    more = {address.partition("?")[0].strip("/").replace("/", "-"): address for address in MORE}
    return [*found.items(), *more.items()]


def test_the_pages_are_found(app: Flask, pages: list[tuple[str, str]]) -> None:
    public = set(linked_pages(app, app.test_client(), *SEEDS))
    assert {
        "board.show", "board.sheet", "board.qr", "table.show", "pages.index", "pages.photo", "tilesets.index",
        "tilesets.census", "history.index", "history.match", "history.game", "sheets.index", "sheets.show",
        "sheets.round_form", "openapi.page", "board.offline", "desk.show",
    } <= public  # fmt: skip
    steps = ("index", "rules", "players", "camera", "board", "tiles", "check")
    behind = {f"setup.{step}" for step in steps} | {"desk.entry", "desk.enter", "desk.tile"}
    assert not behind & public
    assert behind <= {name for name, _ in pages}


def visits(number: int, name: str) -> tuple[tuple[str, str], ...]:
    """The languages and screens in which the page of that number is visited."""
    return VISITS if name in ALWAYS else VISITS[:2] if number % 2 else VISITS[2:]


def test_each_page_is_visited_in_each_language_and_on_each_screen() -> None:
    for number in range(2):
        assert {value for visit in visits(number, "any") for value in visit} == {*LOCALES, "phone", "tv"}
    assert {*visits(0, "any"), *visits(1, "any")} == set(VISITS) == set(visits(0, "desk.show"))


class Watched:
    """A page of a browser; what it complains of is noted with its address."""

    def __init__(self, context: Any, theme: str) -> None:
        api = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")
        self.axe = api.Axe().axe_script
        self.theme = theme
        self.faults: list[str] = []
        self.page = context.new_page()
        self.page.add_init_script(LISTEN)
        self.page.on("pageerror", lambda error: self.fault(str(error)))
        self.page.on("console", self.said)

    def fault(self, words: str) -> None:
        self.faults.append(f"{self.page.url}: {words}")

    def said(self, message: Any) -> None:
        # The page that is not there is asked for on purpose.
        if message.type in {"error", "warning"} and "/nowhere" not in message.location.get("url", ""):
            self.fault(message.text)

    def look(self, address: str, language: str, name: str) -> None:
        page, size = self.page, self.page.viewport_size
        other = "dark" if self.theme == "light" else "light"
        page.goto(address, wait_until="load")
        if page.locator("html").get_attribute("lang") != language:
            self.fault(f"is not in {language}")
        page.evaluate(self.axe)
        self.keep(name)
        self.run_axe(self.theme, AXE)
        page.emulate_media(color_scheme=other)
        self.keep(name, other)
        self.run_axe(other, {**AXE, "runOnly": OF_COLOURS})
        for width, height in SIZES.values():
            page.set_viewport_size({"width": width, "height": height})
            wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
            if wide > 0:
                self.fault(f"{wide} px too wide for {width} px")
        for refused in page.evaluate("window.refused"):
            self.fault(f"against the policy: {refused}")
        page.emulate_media(color_scheme=self.theme)
        page.set_viewport_size(size)

    def run_axe(self, theme: str, options: Mapping[str, object]) -> None:
        for rule, impact, where in self.page.evaluate(RUN_AXE, options):
            if impact in SERIOUS:
                self.fault(f"{rule} ({impact}, {theme}) at {json.dumps(where)}")

    def keep(self, name: str, theme: str = "") -> None:
        """Keeps a picture where REMI_SHOTS names a folder."""
        if folder := os.environ.get("REMI_SHOTS"):
            shot = Path(folder) / f"{name}-{theme or self.theme}.jpg"
            shot.parent.mkdir(parents=True, exist_ok=True)
            tall = self.page.viewport_size["width"] < 500
            self.page.screenshot(path=str(shot), full_page=tall, type="jpeg", quality=80)


@pytest.mark.parametrize(("language", "size"), VISITS)
def test_every_page_is_accessible_fits_and_keeps_to_the_policy(
    served: str, browser: Any, pages: list[tuple[str, str]], language: str, size: str
) -> None:
    width, height = SIZES[size]
    theme = "light" if size == "phone" else "dark"
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale=LOCALES[language],
        color_scheme=theme,
        reduced_motion="reduce",
    )
    watched = Watched(context, theme)
    watched.look(f"{served}/arbiter", language, f"login-{size}-{language}")
    watched.page.locator("#pin").fill(PIN)
    watched.page.keyboard.press("Enter")
    watched.page.locator("#desk").wait_for()
    for number, (name, address) in enumerate(pages):
        if (language, size) in visits(number, name):
            watched.look(served + address, language, f"{name}-{size}-{language}")
    assert not watched.faults, "\n".join(watched.faults)


def test_the_checks_find_what_is_wrong(served: str, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 800}, locale="en-GB")
    watched = Watched(context, "light")
    broken = (
        "<main><p style='color: red'>styled</p><img src='/static/icon.svg'><button></button></main>"
        "<script>window.ran = true</script>"
        "<p><img src='/static/icon.svg' alt='wide' width='1000' height='10'></p>"
        "<p><font color='#1d2530'>dark on dark</font></p>"
    )

    def answer(route: Any) -> None:
        got = route.fetch()
        route.fulfill(response=got, body=got.text().replace("</body>", f"{broken}</body>"))

    context.route("**/qr", answer)
    watched.look(f"{served}/qr", "ro", "broken")
    found = "\n".join(watched.faults)
    for part in ("is not in ro", "image-alt", "button-name", "script-src", "style-src"):
        assert part in found, (part, found)
    for part in ("px too wide for 360 px", "color-contrast (serious, dark)"):
        assert part in found, (part, found)
    assert "too wide for 1366 px" not in found
    assert "color-contrast (serious, light)" not in found
    assert watched.page.evaluate("window.ran") is None
