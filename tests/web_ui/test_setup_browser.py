"""Set-up in a real browser: a zone is dragged, moved by keys and kept; a rule is changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from calibration.zones_file import load_zones
from companion.table.config import load_config
from companion.table.setup_service import SetupService
from tests.web_ui.conftest import services
from tests.web_ui.test_browser import serving
from tests.web_ui.test_setup import path  # noqa: F401  (a fixture)
from web_ui.app import create_app

pytestmark = pytest.mark.browser


def test_zones_are_moved_by_pointer_and_keys_and_rules_are_kept(path: Path, browser: Any) -> None:  # noqa: F811
    from playwright.sync_api import expect

    app = create_app(replace(services(), setup=SetupService(load_config(path))))
    with serving(app) as address:
        page = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB").new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)

        page.goto(f"{address}setup/camera")
        list_of_wall = page.locator("details[data-zone]").filter(has_text="wall").first
        list_of_wall.locator("summary").click()
        x = list_of_wall.locator("input").first
        before = float(x.input_value())
        corner = page.locator(".setup-handle:not(.whole)").first
        corner.focus()
        page.keyboard.press("ArrowRight")
        expect(x).to_have_value(f"{before + 5:g}")
        page.keyboard.press("Shift+ArrowLeft")
        expect(x).to_have_value(f"{before + 4:g}")

        whole = page.locator(".setup-handle.whole .dot")
        box = whole.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 2 + 30, box["y"] + box["height"] / 2, steps=4)
        page.mouse.up()
        dragged = float(x.input_value())
        assert dragged > before + 10
        page.get_by_role("button", name="Save the zones").click()
        expect(page.locator("#saved")).to_be_visible()
        wall = load_zones(path.parent / "zones.toml").find("wall")
        assert wall is not None
        assert wall.corners[0][0] == pytest.approx(dragged)

        page.goto(f"{address}setup/rules")
        page.get_by_text("Opening", exact=True).click()
        page.get_by_label("Points to open").fill("60")
        page.get_by_role("button", name="Save the rules").click()
        expect(page.locator("#differs")).to_contain_text("Points to open: 60")
        assert load_config(path).file.rules.changes == {"first_meld_points": 60}
        assert not complaints
