"""History and sheets in a real browser: a real photo becomes a round, arrow keys step through a game."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.past import Past
from companion.sheets import SheetFile
from engine.records import format_record
from tests.web_ui.conftest import services
from tests.web_ui.test_browser import PHONE, serving
from tests.web_ui.test_history import played
from web_ui.app import create_app

pytestmark = pytest.mark.browser

PATIENCE_MS = 30_000
SIZES = {"phone": {"width": 360, "height": 780}, "laptop": {"width": 1366, "height": 768}}


def shots(page: Any, name: str) -> None:
    """Keeps a picture of the whole page where REMI_SHOTS names a folder."""
    folder = os.environ.get("REMI_SHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


@pytest.mark.data
def test_a_real_photo_becomes_a_round(browser: Any, real_data: Path) -> None:
    from playwright.sync_api import expect

    from companion.demo import page_services
    from companion.readers import load_reader

    folder = real_data / "real_tiles"
    name = (folder / "train.txt").read_text().split()[0]
    picture = next((folder / "images").glob(f"{Path(name).stem}.*"))
    with (
        SheetFile(None) as file,
        serving(create_app(replace(page_services(load_reader()), sheets=file))) as address,
    ):
        page = browser.new_context(viewport=PHONE, locale="ro-RO").new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.goto(f"{address}sheets")
        page.get_by_label("1", exact=True).fill("Ana")
        page.get_by_label("2", exact=True).fill("Ștefan")
        page.get_by_role("button", name="Începeți").click()
        page.get_by_label("Poza", exact=True).set_input_files(picture)
        page.get_by_role("button", name="Numără", exact=True).click()
        expect(page.locator("#total")).to_be_visible(timeout=60_000)
        total = page.locator("#total").inner_text()
        assert page.locator(".spot").count() > 0, "tiles were found"
        shots(page, "photo-on-sheet")
        page.get_by_role("link", name="Ana, Ștefan").click()
        expect(page.get_by_label("Ana", exact=True)).to_have_value(total.replace("−", "-"))
        page.get_by_label("Ștefan", exact=True).fill("-15")
        page.get_by_role("button", name="Scrieți runda").click()
        expect(page.locator("tfoot td").first).to_have_text(total)
        assert file.all()[0].rounds[0].points == (int(total.replace("−", "-")), -15)
        assert file.all()[0].rounds[0].source == "photo"
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        assert complaints == []


def test_pages_fit_and_arrow_keys_step(browser: Any) -> None:
    from playwright.sync_api import expect

    record = played()
    with SheetFile(None) as file:
        past = Past(None, file)
        key = past.add(format_record(record))
        past.add(format_record(played(seed=9)))
        sheet = file.begin({"rules": "etalat", "players": ["Ana", "Ștefan", "Ioana", "Maria-Magdalena"]})
        for at, points in enumerate(([185, -15, -100, 40], [-100, 270, 285, -5], [20, 15, -30, 90]), start=1):
            file.write(sheet.id, "round", {"points": points}, version=at)
        app = create_app(replace(services(), sheets=file, history=past))
        with serving(app) as address:
            page = browser.new_context(locale="ro-RO").new_page()
            complaints: list[str] = []
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
            paths = {
                "history": "history",
                "match": f"history/{key}",
                "game": f"history/{key}/1",
                "sheets": "sheets",
                "sheet": f"sheets/{sheet.id}",
                "round": f"sheets/{sheet.id}/rounds/1",
            }
            for name, path in paths.items():
                page.goto(address + path)
                for size, viewport in SIZES.items():
                    page.set_viewport_size(viewport)
                    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
                    assert wide <= 0, (name, size)
                    shots(page, f"{name}-{size}")
            page.goto(f"{address}history/{key}/1?step=0")
            number = page.locator(".step-number")
            steps = len(record.entries)
            pressed = (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", steps), ("Home", 0))
            for press, step in pressed:
                # The text of a page is there before its script is, which alone hears keys.
                expect(page.locator(".steps[data-keys=on]")).to_be_visible(timeout=PATIENCE_MS)
                page.keyboard.press(press)
                expect(number).to_have_text(f"{step} / {steps}", timeout=PATIENCE_MS)
            assert complaints == []
