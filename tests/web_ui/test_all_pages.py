"""Every page there is, public or behind the login: axe, width, policy, in themes, languages, on phone and TV.

A page that is added later is covered as soon as a link leads to it. The pictures are kept under REMI_SHOTS,
else in the folder of the test.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from tests.web_ui.test_browser import ARGUMENTS, serving
from tests.web_ui.test_tilesets import VIEW
from tests.web_ui.whole_page import PIN, arbiter, linked_pages, whole_page

pytestmark = pytest.mark.browser
SIZES = {"phone": (360, 800), "tv": (1920, 1080)}
LOCALES = {"ro": "ro-RO", "en": "en-GB"}
LOOKS = (("light", "ro", "phone"), ("dark", "en", "phone"), ("light", "en", "tv"), ("dark", "ro", "tv"))
"""Every two of theme, language and size meet; a page is looked at in any three of these, so in each theme,
language and size."""

SERIOUS = {"serious", "critical"}
AXE = {"resultTypes": ["violations"], "preload": False}
SEEDS = (f"/tilesets/census/{VIEW.token}",)
MORE = ("/nowhere", "/history/1/1?step=20", "/setup/check?run=1")
"""Pages that no link leads to, and further views of some."""
ALWAYS = frozenset({"board.show", "desk.show"})
"""Pages that are looked at in all four."""

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
        "openapi.page", "board.offline", "desk.show",
    } <= public  # fmt: skip
    steps = ("index", "rules", "players", "camera", "board", "tiles", "check")
    behind = {f"setup.{step}" for step in steps} | {"desk.entry", "desk.enter", "desk.tile"}
    assert not behind & public
    assert behind <= {name for name, _ in pages}


def test_every_two_values_meet() -> None:
    pairs = {pair for look in LOOKS for pair in combinations(look, 2)}
    assert len(pairs) == 3 * 2 * 2
    for three in combinations(LOOKS, 3):
        assert {value for look in three for value in look} == {"light", "dark", *LOCALES, *SIZES}


class Watched:
    """A page of a browser; what it complains of is noted with its address."""

    def __init__(self, context: Any) -> None:
        self.axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
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

    def look(self, address: str, language: str, shot: Path, *, full: bool) -> None:
        page = self.page
        page.goto(address, wait_until="load")
        page.screenshot(path=str(shot), full_page=full, type="jpeg", quality=80)
        if page.locator("html").get_attribute("lang") != language:
            self.fault(f"is not in {language}")
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        if wide > 0:
            self.fault(f"{wide} px too wide")
        for refused in page.evaluate("window.refused"):
            self.fault(f"against the policy: {refused}")
        for found in self.axe.run(page, options=AXE).response["violations"]:
            if found["impact"] in SERIOUS:
                where = [node["target"] for node in found["nodes"]][:4]
                self.fault(f"{found['id']} ({found['impact']}) at {json.dumps(where)}")


@pytest.mark.parametrize(("theme", "language", "size"), LOOKS)
def test_every_page_is_accessible_fits_and_keeps_to_the_policy(
    served: str,
    browser: Any,
    shots: Path,
    pages: list[tuple[str, str]],
    theme: str,
    language: str,
    size: str,
) -> None:
    pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        locale=LOCALES[language],
        color_scheme=theme,
        reduced_motion="reduce",
    )
    try:
        watched = Watched(context)
        end = f"{size}-{theme}-{language}.jpg"
        watched.look(f"{served}/arbiter", language, shots / f"login-{end}", full=False)
        watched.page.locator("#pin").fill(PIN)
        watched.page.keyboard.press("Enter")
        watched.page.locator("#desk").wait_for()
        left_out = LOOKS.index((theme, language, size))
        for number, (name, address) in enumerate(pages):
            if number % len(LOOKS) == left_out and name not in ALWAYS:
                continue
            watched.look(served + address, language, shots / f"{name}-{end}", full=size == "phone")
    finally:
        context.close()
    assert not watched.faults, "\n".join(watched.faults)


def test_the_checks_find_what_is_wrong(served: str, browser: Any, tmp_path: Path) -> None:
    pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    context = browser.new_context(viewport={"width": 360, "height": 800}, locale="en-GB")
    try:
        watched = Watched(context)
        broken = (
            "<main><p style='width: 900px'>wide</p><img src='/static/icon.svg'><button></button></main>"
            "<script>window.ran = true</script>"
        )

        def answer(route: Any) -> None:
            got = route.fetch()
            route.fulfill(response=got, body=got.text().replace("</body>", f"{broken}</body>"))

        context.route("**/qr", answer)
        watched.look(f"{served}/qr", "ro", tmp_path / "broken.jpg", full=False)
        found = "\n".join(watched.faults)
        for part in ("is not in ro", "image-alt", "button-name", "script-src", "style-src"):
            assert part in found, (part, found)
        assert watched.page.evaluate("window.ran") is None
    finally:
        context.close()
