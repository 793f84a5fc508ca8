"""What the tests of rendering share: the fonts, which a machine may lack."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def fonts() -> None:
    """Skips where too few font packages are installed to render tiles, and says which ones to install."""
    from vision.synth.fonts import FontsMissingError, installed, symbol_font

    try:
        installed("train")
        installed("heldout")
        symbol_font()
    except FontsMissingError as error:
        pytest.skip(str(error))
