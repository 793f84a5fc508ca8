"""What all tests share: the real photos, the tools that may be absent, and quiet property tests."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from tests.firmware_bridge.tools import APT, missing_tools

ROOT = Path(__file__).resolve().parent.parent

# No deadline: a test never takes the clock as an assertion. In CI the examples are the same in every run.
settings.register_profile("remi", deadline=None, derandomize=os.environ.get("CI") == "true")
settings.load_profile("remi")


def find_data() -> Path | None:
    """The folder of real photos: `REMI_DATA`, else `shared/data` beside the repository; None without it."""
    named = os.environ.get("REMI_DATA")
    folder = Path(named) if named else ROOT.parent / "shared" / "data"
    return folder if folder.is_dir() else None


def find_chromium() -> str | None:
    """The Chromium that browser tests drive: `REMI_CHROMIUM`, else the one on the path."""
    return os.environ.get("REMI_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips what this machine cannot run, with the reason."""
    if item.get_closest_marker("data") and find_data() is None:
        pytest.skip("no real photos: set REMI_DATA, or lay them beside the repository as shared/data")
    if item.get_closest_marker("long") and "REMI_GAMES" not in os.environ:
        pytest.skip("takes long: set REMI_GAMES=2000")
    if item.get_closest_marker("train") and find_spec("torch") is None:
        pytest.skip("torch is not installed: pip install -e '.[train]'")
    if item.get_closest_marker("board") and (missing := missing_tools()):
        reason = f"not installed: {', '.join(missing)} ({APT})"
        if os.environ.get("REMI_BOARD_TESTS") == "required":
            pytest.fail(f"the board's tests are required here; {reason}")
        pytest.skip(reason)
    if item.get_closest_marker("browser") and find_chromium() is None:
        pytest.skip("no Chromium: install it, or set REMI_CHROMIUM")


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real photos; to be used together with the marker `data`."""
    folder = find_data()
    if folder is None:
        pytest.skip("no real photos")
    return folder


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium; to be used together with the marker `browser`."""
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium")
    return path


ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def one_browser(chromium: str) -> Iterator[Any]:
    """The one Chromium of a run: to start it takes longer than many a test."""
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        yield opened
        opened.close()


@pytest.fixture
def browser(one_browser: Any) -> Iterator[Any]:
    """A browser without a page; whatever a test opens in it is closed after the test."""
    yield one_browser
    for context in one_browser.contexts:
        context.close()
