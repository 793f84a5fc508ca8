"""The desk in a real browser: a correction in two taps, by keyboard, live without losing what is typed."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.infer.outcomes import Ambiguity
from tests.companion.table.scripted import ask, candidate
from tests.web_ui.test_browser import serving
from tests.web_ui.test_desk import PIN, Desk
from tests.web_ui.test_desk_questions import AskingDesk

pytestmark = pytest.mark.browser
PHONE = {"width": 360, "height": 780}
LAPTOP = {"width": 1366, "height": 768}
PICTURES = os.environ.get("REMI_SCREENSHOTS")
"""A folder that screenshots are kept in, where there is one."""


def jpeg(width: int, height: int, text: str) -> bytes:
    picture = np.full((height, width, 3), (70, 110, 60), np.uint8)
    cv2.putText(picture, text, (8, height // 2), cv2.FONT_HERSHEY_SIMPLEX, 1.2, (240, 240, 240), 2)
    return bytes(cv2.imencode(".jpg", picture)[1])


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    with ExitStack() as stack:
        desk = Desk(stack, tmp_path)
        desk.camera.open_jpeg, desk.camera.tile_jpeg = jpeg(1000, 700, "table"), jpeg(144, 192, "9")
        yield desk


def log_in(page: Any, address: str) -> list[str]:
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(f"{address}arbiter")
    page.locator("#pin").fill(PIN)
    page.keyboard.press("Enter")
    page.locator("#desk").wait_for()
    page.wait_for_load_state()
    return complaints


def keep(page: Any, name: str) -> None:
    if PICTURES:
        page.screenshot(path=str(Path(PICTURES) / f"{name}.png"), full_page=True)


def test_a_read_is_corrected_in_two_taps(desk: Desk, browser: Any) -> None:
    from playwright.sync_api import expect

    with serving(desk.client.application) as address:
        page = browser.new_context(viewport=PHONE, locale="en-GB", has_touch=True).new_page()
        complaints = log_in(page, address)
        row = desk.table.document()["row"]
        page.locator("#desk-questions").get_by_role("button", name="It is 9 red").tap()
        confirm = page.locator("#desk-confirm")
        expect(confirm).to_be_visible()
        keep(page, "desk-phone-check")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        confirm.tap()
        expect(page.locator("#desk-said")).to_contain_text("Done")
        assert desk.table.document()["row"] == [*row[:-1], "r9"]
        assert complaints == []


def test_a_question_with_many_tiles_fits_a_phone_and_is_answered_with_a_tap(
    tmp_path: Path, browser: Any
) -> None:
    from playwright.sync_api import expect

    many = candidate(
        "seat 2: puts down all of these", "locul 2: etalează toate acestea", 0.4, (8, 9, 10, 11, 12, 13, 14)
    )
    few = candidate("seat 2: draws, discards r8", "locul 2: trage, aruncă r8", 0.6, (8, 404))
    about = Ambiguity(
        "turn", (few, many), (8, 9, 10, 11, 12, 13), "What did seat 2 do?", "Ce a jucat locul 2?"
    )
    with ExitStack() as stack:
        desk = AskingDesk(stack, tmp_path, ask(7, about))
        desk.camera.tile_jpeg = jpeg(144, 192, "8")
        address = stack.enter_context(serving(desk.client.application))
        page = browser.new_context(viewport=PHONE, locale="ro-RO", has_touch=True).new_page()
        complaints = log_in(page, address)
        desk.ask()
        choice = page.get_by_role("button", name="locul 2: etalează toate acestea")
        expect(choice).to_be_visible()
        page.wait_for_function(
            "[...document.querySelectorAll('#desk-questions img')].every((one) => one.complete)"
        )
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        expect(choice.locator("img")).to_have_count(7)
        # A tile that lies there no more has no picture: nothing is shown in its place.
        expect(page.locator("#desk-questions img[src*='/404.jpg']")).to_be_hidden()
        expect(choice.locator("img").first).to_be_visible()
        keep(page, "desk-question-phone-ro")
        choice.tap()
        expect(page.locator("#desk-questions")).not_to_contain_text("Ce a jucat locul 2?")
        assert desk.heard == [(7, 1)]
        assert complaints == []


def test_by_keyboard_alone(desk: Desk, browser: Any) -> None:
    from playwright.sync_api import expect

    with serving(desk.client.application) as address:
        page = browser.new_context(viewport=LAPTOP, locale="en-GB").new_page()
        log_in(page, address)
        page.locator("#rule-points").focus()
        page.keyboard.type("-50")
        page.keyboard.press("Tab")
        page.keyboard.type("late")
        page.keyboard.press("Enter")
        expect(page.locator("#desk-confirm")).to_be_focused()
        page.keyboard.press("Enter")
        expect(page.locator("#desk-said")).to_contain_text("Done")
        assert desk.table.document()["entries"][-1]["points"] == -50


def test_what_happens_is_shown_and_what_is_typed_stays(desk: Desk, browser: Any) -> None:
    from playwright.sync_api import expect

    with serving(desk.client.application) as address:
        page = browser.new_context(viewport=LAPTOP, locale="en-GB").new_page()
        log_in(page, address)
        page.locator("#rule-reason").fill("half written")
        desk.table.post("rule", {"seat": 0, "points": -77, "reason": "seen live"}, None, anyway=False)
        expect(page.locator("#desk-entries")).to_contain_text("seen live")
        expect(page.locator("#rule-reason")).to_have_value("half written")
        # The page's forms know an older version: what is asked is shown against the table as it is.
        page.locator("#rule-points").fill("-5")
        page.keyboard.press("Enter")
        expect(page.locator("#desk-check")).to_contain_text("moved on")
        page.locator("#desk-confirm").click()
        expect(page.locator("#desk-said")).to_contain_text("half written")


def test_tiles_are_tapped_into_a_form(desk: Desk, browser: Any) -> None:
    from playwright.sync_api import expect

    with serving(desk.client.application) as address:
        page = browser.new_context(viewport=PHONE, locale="ro-RO", has_touch=True).new_page()
        log_in(page, address)
        page.goto(f"{address}arbiter/enter/discard")
        page.locator("#desk-palette").get_by_role("button", name="k12", exact=True).tap()
        expect(page.locator("[data-tiles]")).to_have_value("k12")
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        keep(page, "desk-enter-phone-ro")
