"""All tests here render tiles: they need the fonts."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _fonts(fonts: None) -> None:
    """Skips where the fonts are missing."""
